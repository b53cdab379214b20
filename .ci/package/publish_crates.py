#!/usr/bin/env python3
"""publish_crates.py [OPTION OF cargo publish]...: publishes the crates of the workspace, each after those that it depends on.

It skips a crate whose version is published, so it continues after a failure. crates.io limits how many new crates an account may
publish: it then waits, and tries again. `--registry` names another registry.
"""
import json
import subprocess
import sys
import time
from graphlib import TopologicalSorter
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
# crates.io allows another new crate after ten minutes.
WAIT, TRIES = 620, 12


def cargo(directory, *arguments):
    return subprocess.run(["cargo", *map(str, arguments)], cwd=directory, text=True, stdin=subprocess.DEVNULL, capture_output=True)


def metadata(directory=TOP):
    """Returns the packages of the workspace."""
    done = cargo(directory, "metadata", "--no-deps", "--format-version", "1", "--locked")
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["packages"]


def crates(packages):
    """Returns the names of the crates that are published, and of those of their dependencies that are in the workspace."""
    return {package["name"]: {needed["name"] for needed in package["dependencies"] if needed.get("path")} for package in packages if package["publish"] is None}


def publish(name, options):
    for _ in range(TRIES):
        done = cargo(".", "publish", "--locked", "--package", name, *options)
        if done.returncode == 0 or "429" not in done.stderr:
            break
        print(f"{name}: the registry accepts no new crate yet", flush=True)
        time.sleep(WAIT)
    if done.returncode != 0:
        sys.exit(f"{name} cannot be published:\n{done.stderr}")
    print("published", name, flush=True)


def main():
    options = sys.argv[1:]
    registry = options[options.index("--registry") + 1] if "--registry" in options else "crates-io"
    packages = metadata(".")
    versions = {package["name"]: package["version"] for package in packages}
    for name in TopologicalSorter(crates(packages)).static_order():
        if cargo("/", "info", "--registry", registry, f"{name}@{versions[name]}").returncode == 0:
            print("already published", name)
        else:
            publish(name, options)


if __name__ == "__main__":
    main()
