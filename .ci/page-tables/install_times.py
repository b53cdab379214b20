#!/usr/bin/env python3
"""install_times.py PROGRAM DIRECTORY WHEEL [WAY...]: prints the table of docs/dev/figures.md: what each way of installing takes.

WHEEL is the wheel of .ci/package/build-wheel with PROGRAM. Each way starts with empty caches and ends with the first finding. The packages come
from DIRECTORY instead of a registry, so no seconds of a network are counted. Processor seconds are those of all its processes: they
vary less with what else the machine does. Needs pre-commit, prek and uv on PATH, and PyYAML for the Action.

Without WAY, it measures the ways that need no compiler. `skilltree-rust` and `cargo` compile the program: `skilltree-rust` as of HEAD.
Their seconds contain the download of the crates.
"""
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
BROKEN = "---\nname: pdf\ndescription: Use when: a form is to be filled in.\n---\nRead the form.\n"


def sh(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, text=True, stdout=subprocess.PIPE, **options).stdout


class Ways:
    def __init__(self, program, out, wheel):
        self.program, self.out, self.project = program, out, out / "project"
        shutil.rmtree(out, ignore_errors=True)
        (out / "wheels").mkdir(parents=True)
        self.wheel = shutil.copy2(wheel, out / "wheels")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PIP_", "UV_", "npm_"))}
        configuration = out / "gitconfig"
        configuration.write_text("[user]\n\tname = Example\n\temail = user@example.invalid\n[init]\n\tdefaultBranch = main\n", encoding="utf-8")
        self.environment = kept | {"GIT_CONFIG_GLOBAL": str(configuration), "GIT_CONFIG_NOSYSTEM": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        self.online = self.environment | {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "npm_"))}
        sh("git", "init", "--quiet", self.project, env=self.environment)
        skill = self.project / ".agents" / "skills" / "pdf" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(BROKEN, encoding="utf-8")
        sh("git", "-C", self.project, "add", "--all", env=self.environment)
        self.environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(out / "wheels"), "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(out / "wheels")}
        self.environment |= {"UV_PYTHON_DOWNLOADS": "never"}

    def fresh(self, name):
        """Returns an empty directory for the caches of a way."""
        directory = self.out / name
        directory.mkdir()
        caches = {"CARGO_HOME": "cargo", "PIP_CACHE_DIR": "pip", "UV_CACHE_DIR": "uv", "npm_config_cache": "npm", "PRE_COMMIT_HOME": "pre-commit", "PREK_HOME": "prek"}
        return directory, self.environment | {variable: str(directory / cache) for variable, cache in caches.items()}

    def finds(self, script, environment):
        """Runs the commands of a way in the project. The last one must report the broken skill."""
        done = subprocess.run(["bash", "-ec", script], cwd=self.project, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 1 or "invalid-yaml" not in done.stdout:
            sys.exit(f"exit status {done.returncode} without the finding: {script}\n{done.stdout}")

    def pip(self):
        directory, environment = self.fresh("of-pip")
        self.finds(f"python3 -m venv {directory}/venv; {directory}/venv/bin/pip install --quiet skilltree-lint; {directory}/venv/bin/skilltree check", environment)
        return "`pip install skilltree-lint`, with a new environment", [self.wheel]

    def uvx(self):
        _, environment = self.fresh("of-uvx")
        self.finds("uvx --quiet --from skilltree-lint skilltree check", environment)
        return "`uvx --from skilltree-lint skilltree check`", [self.wheel]

    def npx(self):
        directory, environment = self.fresh("of-npx")
        packages = " ".join(f"--package {tarball}" for tarball in self.tarballs)
        self.finds(f"npx --yes --offline {packages} skilltree check", environment)
        return "`npx skilltree check`", self.tarballs

    def hook(self, manager, identity, source, files):
        """Runs the hook `identity` of a repository, as a manager of hooks installs it."""
        _, environment = self.fresh(f"of-{manager}-{identity}")
        revision = sh("git", "-C", source, "rev-parse", "HEAD", env=self.environment).strip()
        (self.project / ".pre-commit-config.yaml").write_text(f"repos:\n  - repo: {source}\n    rev: {revision}\n    hooks:\n      - id: {identity}\n", encoding="utf-8")
        sh("git", "-C", self.project, "add", "--all", env=self.environment)
        started = self.started()
        self.finds(f"{manager} run --all-files", environment)
        return f"`{manager} run`, hook `{identity}`", files, started

    def action(self):
        """The steps of action.yml with a released archive, in the harness of the step `action`."""
        sys.path.insert(0, str(TOP / ".ci" / "action"))
        import run_steps as action

        machine = {"x86_64": "x86_64-unknown-linux-musl", "aarch64": "aarch64-unknown-linux-musl"}[os.uname().machine]
        version = sh(self.program, "--version").split()[1]
        releases, runner, copy = self.out / "releases", self.out / "runner", self.out / "action"
        table = sh(sys.executable, TOP / ".ci" / "package" / "archive.py", self.program, machine, releases / f"v{version}")
        (copy / ".ci" / "action").mkdir(parents=True)
        for name in ("Cargo.toml", "Cargo.lock", "crates", "src"):
            (copy / name).symlink_to(TOP / name)
        shutil.copy2(TOP / ".ci" / "action" / "download", copy / ".ci" / "action")
        (copy / ".ci" / "action" / "checksums.txt").write_text(table, encoding="utf-8")
        (runner / "user").mkdir(parents=True)
        directory = action.repository(self.out / "checked", bad=BROKEN)
        started = self.started()
        run = action.Run(runner, directory, action=copy, releases=releases.as_uri(), prompt="false", upload_sarif="false")
        if run.outputs["exit-code"] != "1" or not run.says("invalid-yaml"):
            sys.exit(f"the Action did not find it: {run.printed}{run.errors}")
        return "its own steps, without `prompt` and `upload-sarif`", [*releases.rglob("*.tar.gz")], started

    def cargo(self):
        directory, environment = self.fresh("of-cargo")
        options = f"--locked --quiet --path {TOP} --root {directory} --target-dir {directory}/target"
        self.finds(f"cargo install {options}; {directory}/bin/skilltree check", environment)
        shutil.rmtree(directory / "target")
        return "`cargo install --locked skilltree`", self.crates("of-cargo")

    def crates(self, name):
        """Returns the crates that a way downloaded."""
        return [*(self.out / name / "cargo" / "registry" / "cache").rglob("*.crate")]

    def prepare(self, chosen):
        """Makes the packages, before a clock runs."""
        if "npx" in chosen:
            platform = sh("node", "--print", "process.platform + '-' + process.arch").strip()
            sh("node", TOP / "npm" / "build.mjs", self.out / "packages", f"{platform}={self.program}")
            (self.out / "tarballs").mkdir()
            for package in (self.out / "packages").iterdir():
                sh("npm", "pack", "--silent", "--pack-destination", self.out / "tarballs", package, env=self.online)
            self.tarballs = sorted((self.out / "tarballs").iterdir())
        if {"pre-commit", "prek"} & chosen:
            sh(sys.executable, "-m", "pip", "download", "--quiet", "--dest", self.out / "wheels", "setuptools>=77", cwd=self.out, env=self.online)
            self.hooks = self.out / "hooks"
            sh("git", "init", "--quiet", self.hooks, env=self.environment)
            for name in (".pre-commit-hooks.yaml", "pyproject.toml"):
                shutil.copy2(TOP / name, self.hooks)
            sh("git", "-C", self.hooks, "add", "--all", env=self.environment)
            sh("git", "-C", self.hooks, "commit", "--quiet", "--message", "hooks", env=self.environment)

    def started(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic(), used.ru_utime + used.ru_stime

    def measure(self, name):
        started = self.started()
        if name in ("pre-commit", "prek"):
            command, files, *later = self.hook(name, "skilltree", self.hooks, [*(self.out / "wheels").iterdir()])
        elif name == "skilltree-rust":
            command, _, *later = self.hook("pre-commit", name, TOP, [])
            files = self.crates("of-pre-commit-skilltree-rust")
        else:
            command, files, *later = getattr(self, name)()
        now, (clock, used) = self.started(), later[0] if later else started
        megabytes = sum(Path(file).stat().st_size for file in files) / 1e6
        label = {"skilltree-rust": "pre-commit", "action": "GitHub Action"}.get(name, name)
        return f"| {label} | {command} | {now[0] - clock:,.1f} | {now[1] - used:,.1f} | {megabytes:,.1f} |"


def main():
    program, out, wheel, *chosen = sys.argv[1:]
    ways = Ways(Path(program).resolve(), Path(out).resolve(), Path(wheel).resolve())
    chosen = chosen or ["pip", "uvx", "npx", "pre-commit", "prek", "action"]
    # run_steps.py reads its own arguments.
    sys.argv[1:] = []
    ways.prepare(set(chosen))
    print("| way | command | seconds | processor seconds | megabytes |\n|---|---|---|---|---|")
    for name in chosen:
        print(ways.measure(name), flush=True)


if __name__ == "__main__":
    main()
