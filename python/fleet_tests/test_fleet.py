"""Tests skilltree.fleet with the extra `fleet`: python -m unittest discover -s python/fleet_tests"""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from html.parser import HTMLParser
from pathlib import Path

import pyarrow
import pyarrow.parquet
import skilltree
from skilltree.fleet import engine, places
from skilltree.fleet.__main__ import main
from skilltree.fleet.queries import QueryError, answer, connect, load
from skilltree.tables import TABLES, arrow_schema, rows_of_failure

HOSTILE = "<script>alert(1)</script> \u202e &amp; ' onclick="


def good(name):
    return f"---\nname: {name}\ndescription: Does {name}. Use when {name} is needed.\n---\nDo {name}.\n"


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


class Fleet(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name)
        self.repository("one", {"shared": good("shared"), "own": good("own")})
        self.repository("two", {"shared": good("shared") + "More.\n", "copy": good("copy"), "bad": "---\nname: bad\ndescription: Use when: x\n---\n"})
        self.repository("three", {"copy": good("copy"), "odd": f"---\nname: odd\ndescription: {HOSTILE!r}\n---\nx\n"})

    def repository(self, name, skills):
        for skill, text in skills.items():
            file = self.path / "mirrors" / name / ".agents/skills" / skill / "SKILL.md"
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
        settings = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false"]
        for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message=x"]):
            subprocess.run(["git", *settings, *words], cwd=self.path / "mirrors" / name, check=True)

    def tables(self, name="tables", more=()):
        for each in (*sorted(path.name for path in (self.path / "mirrors").iterdir()), *more):
            batches = skilltree.rows(self.path / "mirrors" / each, repository=each).arrow()
            for table, batch in batches.items():
                (self.path / name / table).mkdir(parents=True, exist_ok=True)
                pyarrow.parquet.write_table(pyarrow.Table.from_batches([batch]), self.path / name / table / f"{each}.parquet")
        return self.path / name

    def run_main(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main([str(word) for word in words])
        return status, out.getvalue(), err.getvalue()


class Report(Fleet):
    def test_shows_every_result_with_its_query(self):
        tables = self.tables(more=["missing"])
        status, _, _ = self.run_main("report", tables, "--before", tables, "--out", self.path / "r.html")
        self.assertEqual(status, 0)
        html = (self.path / "r.html").read_text(encoding="utf-8")
        page = Page(html)
        queries = load((Path(skilltree.fleet.__file__).parent / "queries.toml").read_text(encoding="utf-8"), "queries.toml")
        self.assertEqual(len(re.findall("<pre", html)), len(queries))
        with connect(tables, tables) as connection:
            for query in queries:
                self.assertIn(query.sql, page.text)
                columns, _ = answer(connection, query)
                self.assertTrue(columns)
            totals = answer(connection, queries[0])[1][0]
        # `bad` has unreadable front matter, and the description of `odd` has a hidden character.
        self.assertEqual(totals[:5], (4, 1, 0, 7, 5))
        self.assertNotIn("<script", html)
        self.assertNotIn("\u202e", html)
        self.assertFalse([value for _, attributes in page.tags for name, value in attributes.items() if name in ("src", "onclick") or (value or "").startswith("http")])

    def test_reads_the_tables_of_several_runs_at_once(self):
        for each in ("one", "two"):
            for table, batch in skilltree.rows(self.path / "mirrors" / each, repository=each).arrow().items():
                (self.path / "shares" / each / table).mkdir(parents=True)
                pyarrow.parquet.write_table(pyarrow.Table.from_batches([batch]), self.path / "shares" / each / table / "part.parquet")
        with connect(self.path / "shares/*") as connection:
            self.assertEqual(connection.execute("SELECT repository, count(*) FROM skills GROUP BY ALL ORDER BY ALL").fetchall(), [("one", 2), ("two", 3)])

    def test_every_share_has_tables(self):
        self.tables("shares/0")
        (self.path / "shares/1/precious").mkdir(parents=True)
        status, _, err = self.run_main("report", self.path / "shares/*", "--out", self.path / "r.html")
        self.assertEqual((status, err.split(":")[:2]), (2, ["error", f" `{self.path}/shares/1` has no tables"]))
        (self.path / "shares/1/runs").mkdir()
        (self.path / "shares/1/runs/part.jsonl").write_text('{"repository": "four", "status": "empty"}\n', encoding="utf-8")
        with connect(self.path / "shares/*") as connection:
            self.assertEqual(connection.execute("SELECT repository FROM runs ORDER BY ALL").fetchall(), [("four",), ("one",), ("three",), ("two",)])
        (self.path / "shares/1/skills").mkdir()
        pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), self.path / "shares/1/skills/part.parquet")
        status, _, err = self.run_main("report", self.path / "shares/*", "--out", self.path / "r.html")
        self.assertEqual(status, 2)
        self.assertIn(f"error: the table `skills` of `{self.path}/shares/1` cannot be read: ", err)
        self.assertEqual(self.run_main("report", self.path / "none*", "--out", self.path / "r.html")[0], 2)

    def test_reads_directories_whose_names_look_like_patterns(self):
        with connect(self.tables("it's [a]*?"), self.path / "it's [a]*?") as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM runs, before.runs").fetchone(), (9,))

    def test_references_are_a_table(self):
        self.repository("links", {"own": good("own") + "See [a](gone.md) and [b](SKILL.md).\n"})
        with connect(self.tables()) as connection:
            rows = connection.execute('SELECT line, "column", kind, target, state FROM "references" WHERE repository = $$links$$ ORDER BY ALL').fetchall()
        self.assertEqual(rows, [(6, 9, "link", ".agents/skills/own/gone.md", "missing"), (6, 26, "link", ".agents/skills/own/SKILL.md", "exists")])

    def test_finds_collisions_and_copies(self):
        with connect(self.tables()) as connection:
            queries = {query.name: query for query in load((Path(skilltree.fleet.__file__).parent / "queries.toml").read_text(encoding="utf-8"), "")}
            self.assertEqual(answer(connection, queries["names"])[1], [("shared", 2, 2, "one")])
            self.assertEqual([row[:3] for row in answer(connection, queries["copies"])[1]], [("copy", 2, "three")])
            self.assertEqual(answer(connection, queries["worst"])[1][0][0], "two")


class Check(Fleet):
    def policy(self, sql, title="a name exists once"):
        (self.path / "policy.toml").write_text(f"[queries.one]\ntitle = '{title}'\nsql = '''{sql}'''\n", encoding="utf-8")
        return self.path / "policy.toml"

    def test_exit_status_says_whether_there_are_violations(self):
        tables = self.tables()
        names = "SELECT name FROM skills GROUP BY name HAVING count(*) > 1 ORDER BY name"
        status, out, _ = self.run_main("check", tables, "--policy", self.policy(names))
        self.assertEqual((status, out), (1, "one: a name exists once: name=copy\none: a name exists once: name=shared\n2 violations of 1 queries\n"))
        status, out, _ = self.run_main("check", tables, "--policy", self.policy("SELECT 1 WHERE false"))
        self.assertEqual((status, out), (0, "0 violations of 1 queries\n"))

    def test_failures_have_status_2(self):
        tables = self.tables()
        self.assertEqual(self.run_main("check", tables, "--policy", self.policy("SELEC"))[0], 2)
        self.assertEqual(self.run_main("check", tables, "--policy", self.path / "missing")[0], 2)
        self.assertEqual(self.run_main("check", self.path / "nowhere", "--policy", self.policy("SELECT 1"))[0], 2)
        (self.path / "policy.toml").write_text("", encoding="utf-8")
        self.assertEqual(self.run_main("check", tables, "--policy", self.path / "policy.toml")[0], 2)
        with self.assertRaises(QueryError):
            load("[queries]\none = 1\n", "x")

    def test_repositories_that_were_not_read_have_status_2(self):
        tables = self.tables(more=["gone"])
        line = "1 of 4 repositories could not be read: their skills are not in the tables"
        for sql, status in (("SELECT 1 WHERE false", 0), ("SELECT 1", 1)):
            done = self.run_main("check", tables, "--policy", self.policy(sql))
            self.assertEqual(done, (2, done[1], f"error: {line}\n  help: pass `--allow-failed` to check the others\n"))
            self.assertIn("violations of 1 queries", done[1])
            done = self.run_main("check", tables, "--policy", self.policy(sql), "--allow-failed")
            self.assertEqual(done, (status, done[1], f"warning: {line}\n"))
        self.assertEqual(self.run_main("report", tables, "--out", self.path / "r.html")[0], 0)
        html = (self.path / "r.html").read_text(encoding="utf-8")
        self.assertIn(line, html[: html.index("<main")])

    def test_tables_without_repositories_have_status_2(self):
        tables = self.tables()
        for part in (tables / "runs").iterdir():
            pyarrow.parquet.write_table(pyarrow.parquet.read_table(part).slice(0, 0), part)
        for words in (("check", tables, "--policy", self.policy("SELECT 1 WHERE false"), "--allow-failed"), ("report", tables, "--out", self.path / "r.html")):
            self.assertEqual(self.run_main(*words), (2, "", "error: the tables list no repositories\n"))

    def test_names_shares_that_list_the_same_repositories(self):
        for share in (0, 1):
            self.tables(f"shares/{share}")
        for part in ("one", "two"):
            for table in TABLES:
                (self.path / f"shares/0/{table}/{part}.parquet").unlink()
        line = f"warning: 1 repositories are listed more than once, for example `three`, in `{self.path}/shares/0` and `{self.path}/shares/1`\n"
        self.assertEqual(self.run_main("check", self.path / "shares/*", "--policy", self.policy("SELECT 1 WHERE false"))[2], line)
        self.assertEqual(self.run_main("report", self.path / "shares/*", "--out", self.path / "r.html")[2], f"{line}wrote {self.path}/r.html\n")

    def test_damaged_parts_are_one_line(self):
        for table, words in (("skills", "the table `skills` of"), ("runs", "the table `runs` of")):
            tables = self.tables(f"damaged-{table}")
            for part in (tables / table).iterdir():
                part.write_bytes(part.read_bytes()[:-9])
            status, out, err = self.run_main("check", tables, "--policy", self.policy("SELECT * FROM skills"))
            self.assertEqual((status, out, err.count("\n")), (2, "", 1))
            self.assertIn(words, err)
        tables = self.tables("damaged")
        (tables / "skills/z.parquet").write_bytes(b"PAR1")
        status, _, err = self.run_main("report", tables, "--out", self.path / "r.html")
        self.assertEqual((status, err.count("\n")), (2, 1))
        self.assertIn("z.parquet", err)

    def test_output_that_cannot_be_written_is_one_line(self):
        words = [sys.executable, "-m", "skilltree.fleet", "check", str(self.tables()), "--policy", str(self.policy("SELECT name, range FROM skills, range(2000)"))]
        read, write = os.pipe()
        os.close(read)
        for out, reason in ((os.open("/dev/full", os.O_WRONLY), "No space left on device"), (write, "Broken pipe")):
            done = subprocess.run(words, stdout=out, stderr=subprocess.PIPE, text=True)
            os.close(out)
            self.assertEqual((done.returncode, done.stderr), (2, f"error: the output cannot be written: {reason}\n"))
        words[-1] = str(self.policy("SELECT 1", title="caf\u00e9"))
        done = subprocess.run(words, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.splitlines()[0], done.stderr), (1, "one: caf\\xe9: 1=1", ""))

    def test_a_query_reads_only_the_tables(self):
        tables, kept = self.tables(), sorted(self.path.rglob("*"))
        (self.path / "x.csv").write_text("secret\n1\n", encoding="utf-8")
        for sql, reason in (
            ("SELECT * FROM read_csv($$/etc/passwd$$)", "Cannot access file"),
            (f"SELECT * FROM read_text($${self.path}/x.csv$$)", "Cannot access file"),
            (f"SELECT * FROM read_text($${tables}/../x.csv$$)", "Cannot access file"),
            ("SELECT * FROM $$/etc/passwd$$", ""),
            ("SELECT * FROM glob($$/etc/*$$)", "Cannot access file"),
            ("SELECT * FROM sys", "Table with name sys does not exist"),
            (f"COPY skills TO $${tables}/skills/x.parquet$$", "Expected a single SELECT statement"),
            (f"WITH x AS (COPY skills TO $${tables}/skills/x.parquet$$) SELECT 1", ""),
            (f"WITH x AS (COPY skills TO $${self.path}/y.csv$$) SELECT 1", ""),
            (f"EXPORT DATABASE $${tables}/e$$", "Expected a single SELECT statement"),
            ("ATTACH $$:memory:$$ AS x", "Expected a single SELECT statement"),
            ("INSTALL httpfs", "Expected a single SELECT statement"),
            ("LOAD httpfs", "Expected a single SELECT statement"),
            ("SET enable_external_access = true", "Expected a single SELECT statement"),
            ("DROP VIEW skills", "Expected a single SELECT statement"),
            ("SELECT 1; SELECT 2 WHERE false", "Expected a single SELECT statement"),
            ("", "Expected a single SELECT statement"),
            ("-- nothing", "Expected a single SELECT statement"),
        ):
            with self.subTest(sql):
                status, out, err = self.run_main("check", tables, "--policy", self.policy(sql))
                self.assertEqual((status, out, err.count("\n")), (2, "", 1))
                self.assertTrue(err.startswith("error: the query `one` failed: "), err)
                self.assertIn(reason, err)
        for path in (self.path / "x.csv", self.path / "policy.toml"):
            path.unlink()
        self.assertEqual(sorted(self.path.rglob("*")), kept)
        self.assertEqual(self.run_main("check", tables, "--policy", self.policy("SELECT name FROM skills ORDER BY name DESC LIMIT 1; -- one"))[1], "one: a name exists once: name=shared\n1 violations of 1 queries\n")

    def test_unknown_keys_of_a_policy_are_errors(self):
        good_query = "title = 'x'\nsql = 'SELECT 1'\n"
        for text in (f"[query.x]\n{good_query}", f"[queries.x]\n{good_query}[query.x]\n{good_query}", f"[queries.x]\n{good_query}sqll = ''\n", f"x = 1\n[queries.x]\n{good_query}"):
            with self.assertRaisesRegex(QueryError, "unknown key"):
                load(text, "x")

    def test_prints_names_and_titles_escaped(self):
        (self.path / "policy.toml").write_text('[queries."a\\u001b[31m"]\ntitle = "b\\u202e"\nsql = "SELECT 1 AS \\"c\\u001b\\""\n', encoding="utf-8")
        _, out, _ = self.run_main("check", self.tables(), "--policy", self.path / "policy.toml")
        self.assertEqual(out, "a\\u{1b}[31m: b\\u{202e}: c\\u{1b}=1\n1 violations of 1 queries\n")

    def test_prints_hidden_characters_escaped(self):
        _, out, _ = self.run_main("check", self.tables(), "--policy", self.policy("SELECT description FROM skills WHERE name = ''odd''".replace("''", '"').replace('"odd"', "$$odd$$")))
        self.assertIn("\\u{202e}", out)
        self.assertNotIn("\u202e", out)


class Matrix(Fleet):
    #: Stands in for the program: it lists the mirrors, and writes the table `runs` unless it is told to fail.
    PROGRAM = """#!/bin/sh
ls mirrors >read
test "$STATUS" = 1 || { mkdir -p tables/runs && touch tables/runs/0.parquet; }
test "$STATUS" = 3 && rm -r tables/runs && exit 2
exit "$STATUS"
"""

    def share(self, number, status=0):
        """Runs the step of a share, and returns its exit status, the mirrors that the program read, and the parts."""
        text = (Path(__file__).parents[2] / "examples/fleet/fleet-matrix.yml").read_text(encoding="utf-8")
        script = re.search(r"name: Clone and read\n.*?run: \|\n((?: {10}[^\n]*\n)+)", text, re.S)[1]
        place = Path(tempfile.mkdtemp(dir=self.path))
        (place / "bin").mkdir()
        (place / "bin/skilltree").write_text(self.PROGRAM, encoding="utf-8")
        (place / "bin/skilltree").chmod(0o755)
        (place / "repositories.txt").write_text((self.path / "repositories.txt").read_text(encoding="utf-8"), encoding="utf-8")
        words = {"PATH": f"{place}/bin:{os.environ['PATH']}", "SHARE": str(number), "STATUS": str(status), "GIT_TERMINAL_PROMPT": "0"}
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=place, env={**os.environ, **words}, capture_output=True, text=True)
        read = (place / "read").read_text(encoding="utf-8").split() if (place / "read").exists() else None
        return done.returncode, read, [part.name for part in place.glob("tables/*/*")], done.stdout

    def test_every_line_of_a_share_is_a_mirror(self):
        mirrors = self.path / "mirrors"
        (mirrors / "other").mkdir()
        (mirrors / "two").rename(mirrors / "other/one")
        lines = [f"file://{mirrors}/one", *[""] * 9, f"file://{mirrors}/other/one", *[""] * 9, f"file://{mirrors}/gone"]
        (self.path / "repositories.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        status, read, parts, out = self.share(1, status=2)
        self.assertEqual((status, read, parts), (0, ["1-one", "11-one", "21-gone"], ["0-1.parquet"]))
        self.assertIn("::warning::line 21 of repositories.txt cannot be cloned\n", out)
        self.assertEqual(self.share(1)[0], 0)

    def test_share_without_lines_is_skipped(self):
        (self.path / "repositories.txt").write_text(f"file://{self.path}/mirrors/one\n", encoding="utf-8")
        self.assertEqual(self.share(2)[:3], (0, None, []))

    def test_failed_run_fails_the_share(self):
        (self.path / "repositories.txt").write_text(f"file://{self.path}/mirrors/one\n", encoding="utf-8")
        for status in (1, 3):
            self.assertNotEqual(self.share(1, status)[0], 0)


class Bag:
    """Stands in for dask.bag."""

    def __init__(self, items):
        self.items = items

    def map(self, call):
        return Bag([call(item) for item in self.items])

    def compute(self):
        return self.items


class Dask(Fleet):
    def test_example_writes_the_tables(self):
        text = (Path(__file__).parents[2] / "examples/fleet/other-engines.md").read_text(encoding="utf-8")
        example = re.search(r"```python\n(.*?import dask.*?)```", text, re.S)[1].replace("/mnt", str(self.path))
        bag = types.ModuleType("dask.bag")
        bag.from_sequence = lambda items, npartitions: Bag(items)
        dask = types.ModuleType("dask")
        dask.bag = bag
        with unittest.mock.patch.dict(sys.modules, {"dask": dask, "dask.bag": bag}):
            exec(example, {})
        with connect(self.path / "tables") as connection:
            self.assertEqual(connection.execute("SELECT repository FROM runs ORDER BY ALL").fetchall(), [("one",), ("three",), ("two",)])


class Engine(Fleet):
    def options(self, *words):
        return engine.arguments("x", ["--repos", str(self.path / "mirrors"), "--out", "x", *words])

    def test_nested_rows_explode_to_the_tables(self):
        listed = places.repositories(str(self.path / "mirrors"))
        self.assertEqual([each["repository"] for each in listed], ["one", "three", "two"])
        nested = engine.nested([each["repository"] for each in listed], [each["path"] for each in listed], self.options())
        for table in TABLES:
            expected = pyarrow.concat_tables(
                pyarrow.Table.from_batches([skilltree.rows(os.fsdecode(each["path"]), repository=each["repository"]).arrow()[table]]) for each in listed
            )
            drop = [name for name in expected.column_names if name == "seconds"]
            self.assertEqual(engine.exploded(nested, table).drop_columns(drop), expected.drop_columns(drop))
            self.assertEqual(engine.exploded(nested.slice(0, 0), table).schema, arrow_schema(table))

    def start(self, *words):
        return subprocess.run([sys.executable, *map(str, words)], cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def test_lists_lines_as_the_program_does(self):
        (self.path / "list").write_bytes("a\u2028b\x0bc\x85 d \r\n\r\n \t\n# e\na\nf\rg\r\r\na\n".encode() + b"inv\xff.git")
        listed = places.repositories(str(self.path / "list"))
        self.assertEqual([each["repository"] for each in listed], ["a\u2028b\x0bc\x85 d ", "# e", "a", "f\rg\r", "inv\\xff.git"])
        self.assertEqual(listed[-1]["path"], b"inv\xff.git")
        nested = engine.nested([each["repository"] for each in listed], [each["path"] for each in listed], self.options())
        self.assertEqual([run["repository"] for run in engine.exploded(nested, "runs").to_pylist()], [each["repository"] for each in listed])

    def test_reads_names_that_are_not_utf_8(self):
        (self.path / "mirrors/two").rename(os.fsdecode(os.fsencode(self.path) + b"/mirrors/inv\xff.git"))
        listed = places.repositories(str(self.path / "mirrors"))
        self.assertEqual([each["repository"] for each in listed], ["inv\\xff.git", "one", "three"])
        for words in ((), ("--fetch", "git clone --quiet --bare -- {repository} {directory}")):
            nested = engine.nested([listed[0]["repository"]], [listed[0]["path"]], self.options(*words))
            self.assertEqual(engine.exploded(nested, "runs")["status"].to_pylist(), ["read"])
        self.assertEqual(skilltree.rows(os.fsdecode(b"odd/inv\xff.git")).rows("runs")[0]["repository"], "odd/inv\\xff.git")
        self.assertEqual(skilltree.rows("x", repository=os.fsdecode(b"\xff")).rows("runs")[0]["repository"], "\\xff")

    def test_two_names_that_are_written_alike_are_an_error(self):
        (self.path / "list").write_bytes(b"a\xff\na\\xff\n")
        with self.assertRaisesRegex(places.PlaceError, r"two repositories are called `a\\xff` in the tables"):
            places.repositories(str(self.path / "list"))

    def test_link_that_leads_nowhere_is_listed(self):
        (self.path / "mirrors/x").symlink_to("gone")
        (self.path / "mirrors/y").symlink_to("one")
        (self.path / "mirrors/z").write_text("", encoding="utf-8")
        self.assertEqual([each["repository"] for each in places.repositories(str(self.path / "mirrors"))], ["one", "three", "two", "x", "y"])

    def test_list_that_cannot_be_read_has_status_2(self):
        (self.path / "empty").write_text("\n \n", encoding="utf-8")
        for name in ("ray", "spark"):
            for repos, error in (("gone", "the list `gone` cannot be read: No such file or directory"), ("empty", "`empty` lists no repositories"), ("mirrors/one", "`mirrors/one` is a repository, not a directory of repositories")):
                done = self.start("-m", f"skilltree.fleet.{name}", "--repos", repos, "--out", "x")
                self.assertEqual((done.returncode, done.stderr), (2, f"error: {error}\n"))

    def test_options_that_cannot_be_used_have_status_2(self):
        for words in (("--batch", "0"), ("--seconds", "nan"), ("--seconds", "-1"), ("--fetch", ""), ("--fetch", "git 'clone")):
            with self.assertRaises(SystemExit) as end, contextlib.redirect_stderr(io.StringIO()):
                self.options(*words)
            self.assertEqual(end.exception.code, 2)

    def test_refuses_tables_that_exist(self):
        kept = self.path / "old/runs/precious.txt"
        kept.parent.mkdir(parents=True)
        kept.write_text("x", encoding="utf-8")
        for name in ("ray", "spark"):
            done = self.start("-m", f"skilltree.fleet.{name}", "--repos", "mirrors", "--out", "old")
            self.assertEqual((done.returncode, done.stderr), (2, "error: `old` already has a directory `runs`: write to a new directory\n"))
            self.assertTrue(kept.exists())
        for out in (str(self.path / "old"), (self.path / "old").as_uri(), f"local://{self.path}/old/"):
            with self.assertRaises(places.PlaceError):
                places.refuse_existing(out)
        places.refuse_existing("s3://bucket/tables")
        places.refuse_existing(str(self.path / "new"))

    def test_spark_starts_as_a_script(self):
        done = self.start(Path(skilltree.fleet.__file__).with_name("spark.py"), "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_fetch_clones_first(self):
        options = self.options("--fetch", "git clone --quiet --bare {repository} {directory}")
        path = str(self.path / "mirrors/two")
        fetched, direct = engine.read("two", path, options), engine.read("two", path, self.options())
        self.assertEqual(fetched.rows("skills"), direct.rows("skills"))
        bundle = self.path / "two.bundle"
        subprocess.run(["git", "bundle", "create", "--quiet", str(bundle), "HEAD"], cwd=path, check=True)
        self.assertEqual(engine.read("two", str(bundle), options).rows("findings"), direct.rows("findings"))

    def test_failed_fetch_is_a_row(self):
        rows = engine.read("gone", str(self.path / "gone"), self.options("--fetch", "git clone --quiet {repository} {directory}"))
        self.assertEqual(rows.rows("runs")[0]["error"], "the command of --fetch exited with status 128")
        rows = engine.read("gone", "x", self.options("--fetch", "/no/such/program"))
        self.assertEqual(rows.rows("runs")[0]["error"], "the command of --fetch cannot be started: No such file or directory")
        self.assertFalse(engine.read("gone", "a\0b", self.options("--fetch", "git clone {repository}")).is_read)
        self.assertFalse(engine.read("gone", "a\0b", self.options()).is_read)
        self.assertFalse(rows.is_read)
        self.assertEqual({table: batch.num_rows for table, batch in rows_of_failure("x", "y").arrow().items()}, {"skills": 0, "findings": 0, "forecast": 0, "references": 0, "packages": 0, "packaged_skills": 0, "runs": 1})


if __name__ == "__main__":
    unittest.main()
