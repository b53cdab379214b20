#!/usr/bin/env python3
"""dispatch.py DIRECTORY REPOSITORY [NAME...]: a dispatcher that reads the output of `skilltree prompt --out DIRECTORY`.

It verifies the block, selects the named skills, and prints their part of the block and the body of the first one.
Needs git and Python's standard library.
"""
import hashlib
import json
import subprocess
import sys
from pathlib import Path


def read(directory):
    """Reads the block and its index, and checks that the block matches the index."""
    index = json.loads((directory / "skills.json").read_text(encoding="utf-8"))
    block = (directory / index["block"]["path"]).read_bytes()
    if hashlib.sha256(block).hexdigest() != index["block"]["sha256"]:
        raise SystemExit("the block does not match skills.json")
    return block, index


def subset(block, index, names):
    """Returns the block with only these skills. The text between the fragments stays as it is."""
    kept, at = [], 0
    for skill in index["skills"]:
        start, end = skill["fragment"]["start"], skill["fragment"]["end"]
        kept.append(block[at:start])
        if skill["name"] in names:
            kept.append(block[start:end])
        at = end
    kept.append(block[at:])
    return b"".join(kept)


def body(repository, skill):
    """Reads the SKILL.md of a skill by the id of its blob: the checked file, independent of the working tree. A file that Git does not
    have is read from the working tree, and must be the checked one."""
    if skill["body_path"] is None:
        raise SystemExit(f"{skill['name']} is outside the repository")
    if skill["blob"] is None:
        content = (repository / Path(skill["body_path"]).expanduser()).read_bytes()
    else:
        show = ["git", "-C", str(repository), "cat-file", "blob", skill["blob"]]
        content = subprocess.run(show, check=True, stdout=subprocess.PIPE).stdout
    if hashlib.sha256(content).hexdigest() != skill["sha256"]:
        raise SystemExit(f"{skill['body_path']} differs from the checked file")
    return content


def main():
    directory, repository, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    block, index = read(directory)
    chosen = [skill for skill in index["skills"] if not names or skill["name"] in names]
    # Everything is read before anything is written.
    content = body(repository, chosen[0]) if chosen else b""
    sys.stdout.buffer.write(subset(block, index, {skill["name"] for skill in chosen}) + content)


if __name__ == "__main__":
    main()
