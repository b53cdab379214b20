#!/usr/bin/env python3
"""notices.py: writes LICENSE-THIRD-PARTY, the licenses of the foreign crates in the program and the Python module, on every platform.

The texts are the files that each crate contains. Equal texts stand once, with the crates that they are from.
"""
import json
import subprocess
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
FILE = TOP / "LICENSE-THIRD-PARTY"
NAMES = ("licen", "copying", "notice", "unlicense", "copyright")
LEAD = "The programs, the archives and the packages of skilltree contain code of these crates. `.ci/package/notices.py` writes this file.\n"


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments, "--locked"], cwd=TOP, check=True, stdout=subprocess.PIPE, text=True).stdout


def crates():
    """Returns the packages of the program and of the module: without those of builds and tests, and without our own."""
    tree = cargo("tree", "--workspace", "--target", "all", "--edges", "normal", "--prefix", "none", "--format", "{p}")
    built = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    found = [package for package in packages if package["source"] and (package["name"], f"v{package['version']}") in built]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """Returns the texts of the license files of a crate."""
    files = sorted(file for file in Path(package["manifest_path"]).parent.iterdir() if file.is_file() and file.name.lower().startswith(NAMES))
    return ["\n".join(line.rstrip() for line in file.read_text(encoding="utf-8", errors="replace").splitlines()).strip() for file in files]


def notices():
    """Returns the text of the file."""
    users, without = defaultdict(list), []
    for package in crates():
        name = f"{package['name']} {package['version']} ({package['license']})"
        found = [text for text in texts(package) if text]
        for text in found:
            users[text].append(name)
        if not found:
            without.append(f"- {name}, {package['repository'] or package['homepage'] or 'no address'}")
    parts = [LEAD, "Without a license file, so only the license that their manifest names:\n", *without]
    # The texts of most crates first.
    for text, names in sorted(users.items(), key=lambda user: (-len(user[1]), user[1], user[0])):
        parts += ["\n" + "=" * 80, *(f"- {name}" for name in names), "", text]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    FILE.write_text(notices(), encoding="utf-8")
