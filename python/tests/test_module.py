"""Tests the installed module and the installed program against each other: python -m unittest discover -s python/tests"""

import dataclasses
import json
import os
import pickle
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import unittest
from pathlib import Path

import skilltree

TOP = Path(__file__).resolve().parents[2]
PROGRAM = os.path.join(sysconfig.get_path("scripts"), "skilltree" + (".exe" if os.name == "nt" else ""))
# The words of the JSON schema, and those of the module.
BROKEN = "---\nname: pdf\ndescription: Use when: a form is to be filled in.\n---\nRead the form.\n"


def good(name):
    return f"---\nname: {name}\ndescription: Does {name}. Use when {name} is needed.\n---\nDo {name}.\n"


def program(directory, *arguments):
    """Returns what the installed program prints, whatever its exit status is."""
    run = subprocess.run([PROGRAM, *arguments], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.returncode in (0, 1), run.stderr.decode()
    return run.stdout


class Repository(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name)
        self.git("init", "--quiet", "--initial-branch=main")
        self.write("one", good("one"))
        self.write("pdf", BROKEN)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=first")

    def git(self, *arguments):
        settings = ["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *settings, *arguments], cwd=self.path, check=True)

    def write(self, name, text):
        file = self.path / ".agent/skills" / name / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


class Check(Repository):
    def test_has_the_findings_of_the_program(self):
        report = skilltree.check(self.path, revision="HEAD")
        printed = json.loads(program(self.path, "check", "--rev", "HEAD", "--format", "json"))
        self.assertEqual(report.skills, 2)
        self.assertEqual(["invalid-yaml"], [finding.rule for finding in report.errors])
        listed = [(each["rule"], each["severity"], each["path"], each["message"]) for each in printed["findings"]]
        self.assertEqual(listed, [(each.rule, each.severity, each.path, each.message) for each in report.findings])
        self.assertEqual(report.errors[0].line, 3)
        runtimes = [[runtime["target"] for runtime in each["runtimes"]] for each in printed["findings"]]
        self.assertEqual(runtimes, [each.runtimes for each in report.findings])
        self.assertTrue(report.errors[0].runtimes)
        self.assertIn("goose", skilltree.check(self.path, all_runtimes=True).errors[0].runtimes)

    def test_reads_the_source_that_the_options_name(self):
        self.write("pdf", good("pdf"))
        self.assertTrue(skilltree.check(self.path, staged=True).errors)
        self.assertFalse(skilltree.check(self.path, worktree=True).errors)
        self.git("add", "--all")
        self.assertFalse(skilltree.check(self.path, staged=True).errors)
        self.assertTrue(skilltree.check(str(self.path), revision="HEAD").errors)

    def test_rules_targets_and_base_change_the_report(self):
        self.assertFalse(skilltree.check(self.path, rules=["invalid-yaml=warning"]).errors)
        self.assertFalse(skilltree.check(self.path, base="HEAD").findings)
        with self.assertRaisesRegex(skilltree.Error, "nonsense") as raised:
            skilltree.check(self.path, targets=["nonsense"])
        self.assertIsInstance(str(raised.exception), str)

    def test_rows_are_json(self):
        report = skilltree.check(self.path)
        rows = [json.loads(line) for line in report.to_json().splitlines()]
        self.assertEqual(rows, report.rows())
        self.assertEqual(set(rows[0]), {field.name for field in dataclasses.fields(skilltree.Finding)})

    def test_results_are_plain_values(self):
        report = skilltree.check(self.path)
        self.assertEqual(pickle.loads(pickle.dumps(report)), report)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            report.skills = 0


class Errors(Repository):
    def test_errors_have_a_hint(self):
        with tempfile.TemporaryDirectory() as empty, self.assertRaises(skilltree.Error) as raised:
            skilltree.check(empty, revision="HEAD")
        self.assertTrue(raised.exception.hint)
        with self.assertRaisesRegex(skilltree.Error, "nowhere"):
            skilltree.check(self.path, revision="nowhere")

    def test_faulty_configuration_is_an_error(self):
        (self.path / "skilltree.toml").write_text("targets = 3\n")
        with self.assertRaises(skilltree.Error):
            skilltree.check(self.path)
        self.assertEqual(2, skilltree.check(self.path, no_config=True).skills)

    def test_mistakes_in_a_call_are_type_and_value_errors(self):
        for wrong in ({"revison": "HEAD"}, {"targets": "goose"}, {"revision": 3}, {"roots": [1]}):
            with self.assertRaises(TypeError, msg=str(wrong)):
                skilltree.check(self.path, **wrong)
        for function, wrong in (
            (skilltree.check, {"revision": "HEAD", "staged": True}),
            (skilltree.prompt, {"task": "a", "mention": "b"}),
            (skilltree.prompt, {"role": "a"}),
            (skilltree.prompt, {"task": "a", "matcher": "words"}),
        ):
            with self.assertRaises(ValueError, msg=str(wrong)):
                function(self.path, **wrong)
        with self.assertRaises(TypeError):
            skilltree.prompt(self.path, skills="one")


class Forecast(Repository):
    def test_agrees_with_the_program(self):
        printed = json.loads(program(self.path, "forecast", "--format", "json", "--all"))
        forecasts = skilltree.forecast(self.path, all_runtimes=True)
        listed = {
            (each["path"], cell["target"]): (cell["outcome"], cell["reason"])
            for each in printed["skills"]
            for cell in each["forecasts"]
        }
        found = {
            (skill.path, each.runtime): (skill.outcome, skill.reason) for each in forecasts for skill in each.skills
        }
        self.assertGreater(len(listed), 20)
        self.assertEqual(listed, found)
        reader = next(each for each in forecasts if each.runtime == "agentskills")
        self.assertEqual({"one": "loads", "pdf": "drops"}, {Path(each.path).parent.name: each.outcome for each in reader.skills})
        self.assertEqual({"runtime", "path", "outcome", "reason"}, set(reader.rows()[0]))


class Diff(Repository):
    def test_agrees_with_the_program(self):
        self.write("two", good("two"))
        (self.path / ".agent/skills/two/run.sh").write_text("curl https://example.com\n")
        self.write("pdf", good("pdf"))
        (self.path / ".agent/skills/one/SKILL.md").unlink()
        self.git("add", "--all")
        printed = json.loads(program(self.path, "diff", "--format", "json"))
        diff = skilltree.diff(self.path)
        self.assertEqual(printed["summary"], diff.summary)
        self.assertEqual(printed["list"]["tokens_before"], diff.tokens_before)
        self.assertEqual(printed["list"]["tokens"], diff.tokens)
        self.assertEqual([each["change"] for each in printed["skills"]], [each.kind for each in diff.skills])
        self.assertEqual(["two"], [skill.name for skill in diff.added])
        self.assertEqual(["one"], [skill.name for skill in diff.removed])
        self.assertTrue(diff.authority)
        self.assertEqual(
            [(each["name"], [gain["words"] for gain in each["gains"]]) for each in printed["authority"]],
            [(each.name, each.powers) for each in diff.authority],
        )
        listed = {
            (each["runtime"], impact["outcome"], impact["in_list"], impact["count"])
            for each in printed["runtimes"]
            for impact in each["impacts"]
        }
        self.assertEqual(listed, {(each.runtime, each.outcome, each.in_list, each.count) for each in diff.runtimes})
        self.assertIn(b"+- two", diff.patch)
        self.assertEqual(pickle.loads(pickle.dumps(diff)), diff)

    def test_says_that_a_skill_is_no_longer_checked(self):
        (self.path / "skilltree.toml").write_text('exclude = [".agent/skills/one"]\n')
        self.git("add", "--all")
        printed = json.loads(program(self.path, "diff", "--format", "json"))
        diff = skilltree.diff(self.path)
        self.assertEqual([("removed", True)], [(each.kind, each.unchecked) for each in diff.skills])
        self.assertEqual([True], [each["unchecked"] for each in printed["skills"]])
        (self.path / ".agent/skills/one/SKILL.md").unlink()
        self.git("add", "--all")
        self.assertEqual([("removed", False)], [(each.kind, each.unchecked) for each in skilltree.diff(self.path).skills])

    def test_compares_revisions(self):
        self.git("tag", "old")
        self.write("two", good("two"))
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=second")
        self.assertEqual([], skilltree.diff(self.path).skills)
        diff = skilltree.diff(self.path, revision="HEAD", base="old")
        self.assertEqual(["added"], [change.kind for change in diff.skills])
        self.assertIsNone(diff.skills[0].before)
        with self.assertRaisesRegex(skilltree.Error, "nowhere"):
            skilltree.diff(self.path, base="nowhere")


class Prompt(Repository):
    def test_builds_the_artifact_of_the_program(self):
        out = self.path / "out"
        program(self.path, "prompt", "--rev", "HEAD", "--out", str(out))
        artifact = skilltree.prompt(self.path, revision="HEAD")
        self.assertEqual((out / "available-skills.md").read_bytes(), artifact.block)
        self.assertEqual(json.loads((out / "skills.json").read_bytes()), artifact.index)
        self.assertEqual(json.loads((out / "catalog.json").read_bytes()), artifact.catalog)
        self.assertEqual((out / "comment.md").read_bytes(), artifact.comment)
        self.assertEqual(["invalid-yaml"], artifact.skipped[0].rules)
        self.assertEqual(artifact.text.encode(), artifact.block)

    def test_selects_and_limits(self):
        self.write("two", good("two"))
        self.assertIn("- two", skilltree.prompt(self.path, skills=["two"]).text)
        self.assertNotIn("- one", skilltree.prompt(self.path, skills=["two"]).text)
        self.assertIn("- one", skilltree.prompt(self.path, mention="use $one").text)
        ranked = skilltree.prompt(self.path, task="two", matcher="bm25", top=1)
        self.assertEqual(["two"], [skill["name"] for skill in ranked.index["skills"]])
        limited = skilltree.prompt(self.path, limits=skilltree.Budget(skills=1))
        self.assertEqual(["one"], [skill["name"] for skill in limited.index["skills"]])

    def test_catalog_has_bodies_if_asked(self):
        self.assertEqual("skilltree/catalog/v1", skilltree.catalog(self.path)["schema"])
        self.assertNotIn("Do one.", json.dumps(skilltree.catalog(self.path)))
        self.assertIn("Do one.", json.dumps(skilltree.catalog(self.path, bodies=True)))


class Threads(Repository):
    def test_other_threads_run_during_a_check(self):
        for number in range(300):
            self.write(f"skill-{number}", good(f"skill-{number}"))
        done = threading.Event()
        ticks = []

        def tick():
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.0005)

        other = threading.Thread(target=tick)
        other.start()
        start = time.perf_counter()
        skilltree.check(self.path)
        end = time.perf_counter()
        done.set()
        other.join()
        self.assertTrue([each for each in ticks if start < each < end], "the check kept the interpreter to itself")


class Program(unittest.TestCase):
    def test_has_the_version_of_the_module(self):
        printed = subprocess.run([PROGRAM, "--version"], stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertEqual(printed.split(), ["skilltree", skilltree.__version__])

    def test_checks_this_repository(self):
        report = skilltree.check(TOP)
        self.assertGreaterEqual(report.skills, 4)
        self.assertFalse(report.errors)
        self.assertIn("add-a-rule", skilltree.prompt(TOP).text)
        self.assertTrue(skilltree.forecast(TOP, targets=["claude-code"]))

    def test_is_typed(self):
        self.assertTrue(Path(skilltree.__file__).with_name("py.typed").is_file())


class Rows(Repository):
    def test_has_the_findings_of_check(self):
        rows = skilltree.rows(self.path, repository="team/api", seconds=60)
        report = skilltree.check(self.path, revision="HEAD")
        found = [(row["path"], row["rule"], row["line"], row["message"]) for row in rows.rows("findings")]
        self.assertEqual(found, [(each.path, each.rule, each.line, each.message) for each in report.findings])
        self.assertTrue(rows.is_read)
        self.assertEqual({row["repository"] for table in skilltree.TABLES for row in rows.rows(table)}, {"team/api"})
        schema = json.loads(program(self.path, "schema", "fleet"))
        for table, columns in skilltree.TABLES.items():
            self.assertEqual([column.name for column in columns], list(rows.tables[table]))
            self.assertEqual(sorted(rows.tables[table]), sorted(schema["$defs"][table]["properties"]))

    def test_never_raises_for_a_repository(self):
        rows = skilltree.rows(self.path / "missing")
        self.assertFalse(rows.is_read)
        self.assertEqual(rows.rows("runs")[0]["status"], "failed")
        with self.assertRaises(TypeError):
            skilltree.rows(self.path, unknown=1)


if __name__ == "__main__":
    print(sys.version)
    unittest.main()
