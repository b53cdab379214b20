#!/usr/bin/env python3
"""rehearse.py DIRECTORY TOOLS VERDACCIO [STAGE]...: a complete release on one machine, with registries on loopback.

Without STAGE, all of them:

- refusals: in a clone of HEAD, `.ci/release` refuses each release that is planted to be wrong
- tag: in a clone of HEAD, `.ci/release` sets the version, and tags a table of checksums
- build: the program, twice, in two directories; wheel, npm packages, archive, SBOM, checksums, formula
- publish: crates, wheel and npm packages into registries, the other files into a tree
- install: every way of ways.py, as a stranger. The JSON of each program must be that of the built one
- faults: each check fails for a release that is wrong in the way that it is about

With CARGO_PROFILE_RELEASE_OPT_LEVEL=0 it is quicker, and the seconds and megabytes are not those of a release.

TOOLS is the directory of the programs from PyPI, VERDACCIO the script of that name. A stage reads what the stages before wrote, so it
can run again alone, except for `install` and `faults`: the crates name the address of the registry, which is another one in each run.
Nothing leaves the machine but downloads of tools and dependencies.
"""
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))

from refusals import Refusals  # noqa: E402
from registry import Registry  # noqa: E402
from servers import Servers, npm_token  # noqa: E402
from ways import TOUR, WAYS, Stranger, Wrong, project, run, tour  # noqa: E402



def next_version():
    """Returns a version above that of Cargo.toml, so that every file that names one must change."""
    workspace = tomllib.loads((TOP / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
    major, minor, _ = map(int, workspace["package"]["version"].split("."))
    return f"{major}.{minor + 1}.0"


VERSION = next_version()
STAGES = ["refusals", "tag", "build", "publish", "install", "faults"]
TARGET = f"{os.uname().machine}-unknown-linux-musl"
# The programs of other machines are not built here: their lines in the table have the checksum of nothing.
OTHERS = [name for name in ("x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl", "x86_64-apple-darwin", "aarch64-apple-darwin") if name != TARGET]
OTHER_FILES = [f"skilltree-{VERSION}-{target}{suffix}" for target in OTHERS for suffix in ("", ".tar.gz")]
OTHER_FILES += [f"skilltree-{VERSION}-x86_64-pc-windows-gnu{suffix}" for suffix in (".exe", ".zip")]


def processor_seconds():
    """Returns those of all processes that ended. They vary less than seconds with what else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def same(first, second):
    """Fails if two directories have different files."""
    names = sorted(file.name for file in first.iterdir())
    if names != sorted(file.name for file in second.iterdir()):
        raise Wrong(f"{first} and {second} have different files")
    for name in names:
        if (first / name).read_bytes() != (second / name).read_bytes():
            raise Wrong(f"{name} differs between two directories")


class Rehearsal:
    def __init__(self, out, tools, verdaccio):
        self.out, self.clone, self.dist = out, out / "clone", out / "dist"
        self.files = out / "served" / "files" / "releases" / "download" / f"v{VERSION}"
        self.servers = Servers(out / "served", tools, verdaccio)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self.environment |= {"PATH": f"{tools}:{os.environ['PATH']}", "PROFILE": "release"}
        self.environment |= {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Nobody"), ("EMAIL", "nobody@example.invalid"))}

    def do(self, *command, **options):
        return run(command, **({"cwd": self.clone, "env": self.environment} | options))

    def refusals(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        clone = self.out / "refused"
        self.do("git", "clone", "--quiet", TOP, clone, cwd=TOP)
        Refusals(clone, self.do, VERSION).check()

    def tag(self):
        shutil.rmtree(self.clone, ignore_errors=True)
        before = self.do("git", "status", "--porcelain", cwd=TOP)
        self.do("git", "clone", "--quiet", TOP, self.clone, cwd=TOP)
        print(self.do(".ci/release", "prepare", VERSION, "--rehearsal"))
        if self.do("git", "status", "--porcelain", cwd=TOP) != before:
            raise Wrong(f"the preparation in {self.clone} changed files of {TOP}")

    def build(self):
        second = self.out / "second"
        shutil.rmtree(self.dist, ignore_errors=True)
        shutil.rmtree(second, ignore_errors=True)
        self.do("git", "worktree", "prune")
        self.do("git", "worktree", "add", "--quiet", "--detach", second, "HEAD")
        for directory, dist in ((self.clone, self.dist / "first"), (second, self.dist / "second")):
            own = self.environment | {"CARGO_TARGET_DIR": str(directory / "target")}
            table = self.do(".ci/package/build-program", TARGET, dist, cwd=directory, env=own)
        same(self.dist / "first", self.dist / "second")
        program = self.dist / "first" / f"skilltree-{TARGET}"
        nothing = hashlib.sha256(b"").hexdigest()
        table = table.splitlines() + [f"{nothing}  {name}" for name in OTHER_FILES]
        (self.dist / "table").write_text("\n".join(sorted(table)) + "\n")
        print(self.do(".ci/release", "tag", self.dist / "table", "--rehearsal"))
        self.packages(program)

    def packages(self, program):
        """Builds what is made of the program, from the tag."""
        named = self.dist / "program" / "skilltree"
        named.parent.mkdir()
        shutil.copy2(program, named)
        self.do("bash", ".ci/package/build-wheel", named, self.dist / "wheels")
        self.do("node", "npm/build.mjs", self.dist / "npm", f"linux-{'x64' if TARGET.startswith('x86') else 'arm64'}={program}")
        formula = self.do(".ci/package/homebrew_formula.py", self.dist / "table")
        (self.dist / "skilltree.rb").write_text(formula)
        self.do("cargo", "cyclonedx", "--format", "json", "--spec-version", "1.5", "--target", "all", "--override-filename", "skilltree.cdx")

    def publish(self):
        """Publishes as .github/workflows/release.yml does. A registry that has a version refuses it, so all begin empty."""
        crates = self.out / "crates"
        shutil.rmtree(crates, ignore_errors=True)
        self.do("git", "clone", "--quiet", self.clone, crates)
        manifest = crates / "Cargo.toml"
        # The crates find each other in this registry instead of crates.io.
        ours = r'(?m)^(skilltree(?:-[a-z-]+)? = \{ path = .*, version = "[^"]*")'
        manifest.write_text(re.sub(ours, r'\1, registry = "rehearsal"', manifest.read_text()))
        # `cargo install` compiles them afterwards.
        command = [TOP / ".ci" / "package" / "publish_crates.py", "--registry", "rehearsal", "--no-verify", "--allow-dirty"]
        for expected in ("published skilltree\n", "already published skilltree\n"):
            printed = self.do(*command, cwd=crates, env=self.registry(self.servers.crates))
            if expected not in printed:
                raise Wrong(f"the crates were not published: {printed}")
        wheels = sorted((self.dist / "wheels").glob("*.whl"))
        self.do(self.servers.tools / "uv", "publish", "--publish-url", f"{self.servers.pypi}/", "--username", "owner", "--password", "rehearsal", *wheels)
        token = self.servers.npm.removeprefix("http:") + f"/:_authToken={npm_token(self.servers.npm)}\n"
        (self.out / "npmrc").write_text(f"registry={self.servers.npm}/\n{token}")
        for package in sorted((self.dist / "npm").iterdir()):
            self.do("npm", "publish", "--access", "public", "--userconfig", self.out / "npmrc", package)
        self.files.mkdir(parents=True, exist_ok=True)
        released = [*(self.dist / "first").iterdir(), *wheels, self.dist / "skilltree.rb", self.clone / "skilltree.cdx.json"]
        for file in released:
            shutil.copy2(file, self.files)
        sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(self.files.iterdir()) if file.name != "SHA256SUMS"]
        (self.files / "SHA256SUMS").write_text("".join(sums))

    def registry(self, registry):
        """Returns the environment in which Cargo knows a registry."""
        return self.environment | {"CARGO_REGISTRIES_REHEARSAL_INDEX": f"sparse+{registry.address}/index/", "CARGO_REGISTRIES_REHEARSAL_TOKEN": "rehearsal"}

    def stranger(self):
        return Stranger(self.out / "home", self.servers, self.clone, VERSION, TARGET)

    def install(self):
        expected_project = self.out / "expected"
        shutil.rmtree(expected_project, ignore_errors=True)
        project(expected_project)
        expected = tour([self.dist / "program" / "skilltree"], expected_project)
        rows = []
        for name, way in WAYS.items():
            stranger = self.stranger()
            start, used = time.monotonic(), processor_seconds()
            command = way(stranger)
            answers = tour(command, stranger.project, stranger.environment, TOUR[:1])
            seconds, used = time.monotonic() - start, processor_seconds() - used
            answers += tour(command, stranger.project, stranger.environment, TOUR[1:])
            stranger.must_have_licenses(name)
            for (command, *first), (_, *second) in zip(expected, answers, strict=True):
                if first != second:
                    raise Wrong(f"{name}: another result of {' '.join(command)}")
            rows.append(f"| {name} | {seconds:,.1f} | {used:,.1f} | {stranger.megabytes():,.1f} |")
            print("ok ", name, flush=True)
        print("| way | seconds | processor seconds | megabytes |", "|---|---|---|---|", *rows, sep="\n")

    def must_fail(self, what, words, action):
        try:
            action()
        except Wrong as wrong:
            if words not in str(wrong):
                raise Wrong(f"{what} fails for another reason: {wrong}") from wrong
            print("ok  red with", what)
            return
        raise Wrong(f"nothing fails with {what}")

    def faults(self):
        archive, sums = self.files / f"skilltree-{VERSION}-{TARGET}.tar.gz", self.files / "SHA256SUMS"
        with Changed(sums, lambda data: b"0" * 64 + data[64:] if data[:1] != b"0" else b"1" * 64 + data[64:], archive.name):
            self.must_fail("a wrong checksum", "FAILED", lambda: self.stranger().archive())
        with Changed(archive, lambda data: data + b"\0"):
            for name in ("archive", "action", "homebrew"):
                words = {"archive": "FAILED", "action": "is not the one in checksums.txt", "homebrew": "is not the one in the formula"}[name]
                self.must_fail(f"an archive that differs ({name})", words, getattr(self.stranger(), name))
        self.must_fail("a missing crate", "no matching package named", self.publish_without_dependency)
        self.must_fail("a wheel without the module", "_native", self.install_without_module)
        with Changed(self.dist / "second" / archive.name, lambda data: data[:-1] + bytes([data[-1] ^ 1])):
            self.must_fail("a build that differs", "differs between two directories", lambda: same(self.dist / "first", self.dist / "second"))

    def publish_without_dependency(self):
        empty = Registry(self.out / "empty")
        options = ["--registry", "rehearsal", "--no-verify", "--allow-dirty", "--package", "skilltree-report"]
        self.do("cargo", "publish", *options, cwd=self.out / "crates", env=self.registry(empty))

    def install_without_module(self):
        wheel, = (self.out / "served" / "pypi").glob("*.whl")
        kept = wheel.read_bytes()
        try:
            with zipfile.ZipFile(self.dist / "wheels" / wheel.name) as whole, zipfile.ZipFile(wheel, "w") as part:
                for entry in whole.infolist():
                    if "_native." not in entry.filename:
                        part.writestr(entry, whole.read(entry))
            self.stranger().pip()
        finally:
            wheel.write_bytes(kept)


class Changed:
    """A file with other bytes, until the block ends. With `line`, the line that ends with it."""

    def __init__(self, file, change, line=None):
        self.file, self.change, self.line = file, change, line

    def __enter__(self):
        self.kept = self.file.read_bytes()
        lines = self.kept.splitlines(keepends=True) if self.line else [self.kept]
        ends = (self.line or "").encode()
        self.file.write_bytes(b"".join(self.change(line) if line.rstrip().endswith(ends) else line for line in lines))

    def __exit__(self, *raised):
        self.file.write_bytes(self.kept)


def main():
    out, tools, verdaccio, *stages = sys.argv[1:]
    rehearsal = Rehearsal(Path(out).resolve(), Path(tools).resolve(), Path(verdaccio).resolve())
    seconds = []
    for stage in STAGES:
        if stages and stage not in stages:
            continue
        start = time.monotonic()
        try:
            if stage in ("refusals", "tag", "build"):
                getattr(rehearsal, stage)()
            else:
                if stage == "publish":
                    shutil.rmtree(rehearsal.out / "served", ignore_errors=True)
                with rehearsal.servers:
                    getattr(rehearsal, stage)()
        except Wrong as wrong:
            sys.exit(f"RED {stage}: {wrong}")
        seconds.append(f"{stage}: {time.monotonic() - start:,.0f} s")
        print("---", seconds[-1], flush=True)
    used = subprocess.run(["du", "-sm", out], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]
    print(*seconds, f"{used} MB on disk", sep="; ")


if __name__ == "__main__":
    main()
