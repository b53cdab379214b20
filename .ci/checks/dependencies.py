#!/usr/bin/env python3
"""Checks the dependencies offline: `cargo metadata` against deny.toml and against `rust-version` of the workspace.

cargo-deny checks more; this needs only Python's standard library.
"""
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / ".ci" / "package"))

import notices  # noqa: E402


def cargo(workspace, *arguments):
    return subprocess.run(["cargo", *arguments, "--locked"], cwd=workspace, check=True, stdout=subprocess.PIPE, text=True).stdout


def packages_built(workspace):
    """Returns the packages that a build for any target uses. The lock file and `cargo metadata` list more."""
    tree = cargo(workspace, "tree", "--workspace", "--target", "all", "--edges", "normal,build,dev", "--prefix", "none", "--format", "{p}")
    built = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    packages = json.loads(cargo(workspace, "metadata", "--format-version", "1"))["packages"]
    return [package for package in packages if (package["name"], f"v{package['version']}") in built]


def allowed(expression, allow):
    """Returns whether the allowed licenses satisfy an SPDX expression."""
    words = re.findall(r"[()]|[^\s()/]+", expression.replace("/", " OR "))
    position = 0

    def take():
        nonlocal position
        position += 1
        return words[position - 1]

    def next_is(word):
        return position < len(words) and words[position] == word

    def term():
        word = take()
        if word == "(":
            value = either()
            take()
            return value
        if next_is("WITH"):
            take()
            word = f"{word} WITH {take()}"
        return word in allow

    def both():
        value = term()
        while next_is("AND"):
            take()
            value = term() and value
        return value

    def either():
        value = both()
        while next_is("OR"):
            take()
            value = both() or value
        return value

    return either()


def matches(version, wanted):
    """Returns whether a version begins with the numbers after the `@`."""
    return version.split("+")[0].split(".")[: len(wanted.split("."))] == wanted.split(".")


def named(package, entries):
    for entry in entries:
        name, _, version = entry["crate"].partition("@")
        if package["name"] == name and (not version or matches(package["version"], version)):
            return entry
    return None


def numbers(version):
    return tuple(int(part) for part in (version.split(".") + ["0", "0"])[:3])


def package_faults(packages, policy):
    """Yields what is wrong with each package."""
    # The members of the workspace have no source. A crate from another directory or from Git is not one of them.
    members = [package for package in packages if package["source"] is None and ROOT in Path(package["manifest_path"]).parents]
    promised = min((package["rust_version"] for package in members), key=numbers)
    registry = "registry+"
    for package in packages:
        name = f"{package['name']} {package['version']}"
        exceptions = [each["allow"] for each in policy["licenses"].get("exceptions", []) if each["crate"] == package["name"]]
        if not allowed(package["license"] or "none", policy["licenses"]["allow"] + sum(exceptions, [])):
            yield f"{name}: its licence is {package['license']!r}, which deny.toml does not allow"
        if named(package, policy["bans"]["deny"]):
            yield f"{name}: banned by deny.toml"
        if package not in members and not (package["source"] or "").startswith(registry):
            yield f"{name}: does not come from the registry"
        if numbers(package["rust_version"] or "0") > numbers(promised):
            yield f"{name}: needs Rust {package['rust_version']}; we promise {promised}"


def version_faults(packages, policy):
    """Yields packages that come in several versions."""
    versions, skipped = defaultdict(list), set()
    for package in packages:
        entry = named(package, policy["bans"]["skip"])
        if entry:
            skipped.add(entry["crate"])
        else:
            versions[package["name"]].append(package["version"])
    for name, several in sorted(versions.items()):
        if len(several) > 1:
            yield f"{name}: comes in {len(several)} versions ({', '.join(several)}), and deny.toml skips none of them"
    for entry in policy["bans"]["skip"]:
        if entry["crate"] not in skipped:
            yield f"{entry['crate']}: skipped by deny.toml, and no longer there"


def main():
    packages = packages_built(ROOT)
    # The fuzz targets are no part of the program. Two versions of a package do no harm there.
    fuzz = packages_built(ROOT / "fuzz")
    policy = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))
    found = list(package_faults(packages, policy)) + list(version_faults(packages, policy))
    found += [fault for fault in package_faults(fuzz, policy) if fault not in found]
    if notices.FILE.read_text(encoding="utf-8") != notices.notices():
        found.append("LICENSE-THIRD-PARTY is not current; run .ci/package/notices.py")
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(packages)} packages and {len(fuzz)} of the fuzz targets checked, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
