"""What `.ci/release` must refuse: each reason is planted in a clone, where nothing is published."""
import re

from ways import Wrong


def replace(file, pattern, text):
    """Replaces the first match, which there must be."""
    before = file.read_text(encoding="utf-8")
    after = re.sub(pattern, text, before, count=1)
    if before == after:
        raise SystemExit(f"{file} has nothing like {pattern}")
    file.write_text(after, encoding="utf-8")


class Refusals:
    def __init__(self, clone, do, version):
        self.clone, self.do, self.version = clone, do, version

    def refuses(self, arguments, *reasons):
        """The command fails and prints all reasons."""
        printed = self.do(".ci/release", *arguments, status=1, cwd=self.clone)
        for reason in reasons:
            if not re.search(f"^refused: .*{reason}", printed, re.M):
                raise Wrong(f".ci/release does not refuse `{reason}`:\n{printed}")
            print("ok  refused:", reason)

    def check(self):
        replace(self.clone / "crates" / "git" / "Cargo.toml", r"\[package\]\n", "[package]\npublish = false\n")
        self.refuses(["prepare", "0.0.1"], "the working tree has changes", "0.0.1 is not above", "depends on skilltree-git, which is not")
        self.do("git", "checkout", "--quiet", "--", "crates", cwd=self.clone)
        self.refuses(["prepare", "one"], "one is not a version")
        self.plant()
        self.refuses(
            ["prepare", self.version], "this branch is not main", "has not passed for this commit", "the profile codex is of 2020-01-01, older than 90 days",
            "the name serde is taken on crates.io", "the name express is taken on npm", "the name skilltree is taken on PyPI",
        )
        table = self.clone.with_name("wrong-table")
        table.write_text("no checksum\n")
        self.refuses(["tag", table], "the last commit is not", "has a line that is not a checksum", "lacks skilltree-.*-x86_64-pc-windows-gnu.zip")

    def plant(self):
        """Makes each reason true that needs a clean working tree."""
        self.do("git", "checkout", "--quiet", "-b", "planted", cwd=self.clone)
        replace(self.clone / "crates" / "runtimes" / "src" / "profiles" / "codex.toml", r'(?m)^(observed = .* date = )"[^"]*"', r'\1"2020-01-01"')
        script = self.clone / ".ci" / "release"
        for pattern, text in (
            (r"for name in crates\(metadata\(\)\):", 'for name in ["serde"]:'),
            (r'\["skilltree", \*\(f"@skilltree-dev', '["express", *(f"@skilltree-dev'),
            ('PYPI = "skilltree-lint"', 'PYPI = "skilltree"'),
        ):
            replace(script, pattern, text)
        self.do("git", "commit", "--quiet", "--all", "--message", "Planted", cwd=self.clone)
