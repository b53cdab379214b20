"""Installs programs from npm and PyPI, without running install scripts."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from programs.base import Npm, platform

REQUIREMENTS = Path(__file__).resolve().parent.parent / "programs" / "requirements"
QUIET = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"]


class InstallFailed(Exception):
    """The text says which command failed and how."""


def there(bench, program):
    """Returns whether the version of a program is in the cache."""
    return (bench.directory(program) / "installed").exists()


def size(bench, program):
    """Returns the size of an installed program in MB."""
    files = bench.directory(program).rglob("*")
    return sum(file.lstat().st_size for file in files if not file.is_dir()) // 1_000_000


def install(bench, program, date):
    """Installs the pinned version of a program unless it is in the cache. Returns whether it had to.

    `date` limits what npm resolves dependencies to: versions published up to that day. None means the newest.
    """
    place = bench.directory(program)
    if there(bench, program):
        return False
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    if isinstance(program.package, Npm):
        install_npm(bench, program, place, date)
    else:
        install_pypi(program, place)
    (place / "installed").touch()
    return True


def install_npm(bench, program, place, date):
    package, version = program.package, program.version
    name = package.name.format(platform=platform())
    before = [f"--before={date}T23:59:59Z"] if date else []
    if package.needs is None:
        npm(bench, program, place, ["install", *QUIET, *before, f"{name}@{version}"])
        return
    # Unpack the package itself, and install those of its dependencies that are needed.
    npm(bench, program, place, ["pack", "--ignore-scripts", "--loglevel=error", f"{name}@{version}"])
    unpack(next(place.glob("*.tgz")), place)
    wanted = json.loads((place / "package/package.json").read_text())["dependencies"]
    specs = [f"{need}@{wanted[need]}" for need in package.needs]
    if specs:
        npm(bench, program, place, ["install", *QUIET, *before, *specs])
    target = place / "node_modules" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    (place / "package").rename(target)


def unpack(archive, place):
    call(["tar", "-xzf", archive, "-C", place], place)
    archive.unlink()


def npm(bench, program, place, words):
    node = bench.node(program.node)
    path = os.pathsep.join([str(node.parent), os.environ["PATH"]])
    call(["npm", *words, "--prefix", place], place, dict(os.environ, PATH=path))


def install_pypi(program, place):
    python = program.python()
    if python is None:
        minimum = ".".join(str(part) for part in program.package.python)
        raise InstallFailed(f"it needs Python {minimum} or newer")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    needs = [f"{program.package.name}=={program.version}", "-r", REQUIREMENTS / f"{program.id}.txt"]
    call([*pip, "--only-binary=:all:", "--target", place / "site", *needs], place)


def install_node(bench, version):
    """Installs Node.js from npm unless it is in the cache."""
    node = bench.node(version)
    if node.exists():
        return
    name = f"node-{platform()}"
    place = bench.cache / "node"
    shutil.rmtree(place / version, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    call(["npm", "pack", "--ignore-scripts", "--loglevel=error", f"{name}@{version}"], place)
    unpack(next(place.glob("*.tgz")), place)
    (place / "package").rename(place / version)
    node.chmod(0o755)


def newest(program):
    """Returns the newest version in the registry that can be installed."""
    if isinstance(program.package, Npm):
        name = program.package.name.format(platform=platform())
        return call(["npm", "view", "--loglevel=error", name, "version"], Path.cwd()).strip()
    python = program.python() or sys.executable
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    text = call([*pip, "index", "versions", program.package.name], Path.cwd())
    return re.match(r"\S+ \((\S+)\)", text)[1]


def note(bench, program):
    """Returns what a registry says against a package: that it is deprecated or archived. None if it says nothing."""
    if isinstance(program.package, Npm):
        name = program.package.name.format(platform=platform())
        return call(["npm", "view", "--loglevel=error", f"{name}@{program.version}", "deprecated"], Path.cwd()).strip() or None
    found = (bench.directory(program) / "site").glob("*.dist-info/METADATA")
    wanted = program.package.name.lower().replace("-", "_")
    for path in found:
        if path.parent.name.lower().startswith(f"{wanted}-"):
            summary = re.search(r"(?m)^Summary: (.*)$", path.read_text(errors="replace"))
            if summary and re.search(r"(?i)archived|deprecated|legacy|no longer", summary[1]):
                return summary[1]
    return None


def call(command, place, env=None):
    """Runs a command and returns its standard output."""
    command = [str(word) for word in command]
    done = subprocess.run(command, cwd=place, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise InstallFailed(f"`{' '.join(command[:4])} ...` failed: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout
