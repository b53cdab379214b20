#!/usr/bin/env python3
"""dispatch.py DIRECTORY REPOSITORY [NAME...]: a dispatcher in fifty lines, which reads what `skilltree prompt --out DIRECTORY` wrote.

It checks the block, takes the part about the skills that are named, and prints that part and the body of the first of them.
Nothing but Python's own library and git is needed.
"""
import hashlib
import json
import subprocess
import sys
from pathlib import Path


def read(directory):
    """The block and its index, where the block is the one that the index is about."""
    index = json.loads((directory / "skills.json").read_text(encoding="utf-8"))
    block = (directory / index["block"]["path"]).read_bytes()
    if hashlib.sha256(block).hexdigest() != index["block"]["sha256"]:
        raise SystemExit("the block is not the one that was proved")
    return block, index


def subset(block, index, names):
    """The block with the skills of these names alone: what is between the fragments of all skills stays as it is."""
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
    """The SKILL.md of a skill, read by the id of its blob: it is the one that was judged, whatever is checked out."""
    show = ["git", "-C", str(repository), "cat-file", "blob", skill["blob"]]
    content = subprocess.run(show, check=True, stdout=subprocess.PIPE).stdout
    if hashlib.sha256(content).hexdigest() != skill["sha256"]:
        raise SystemExit(f"{skill['body_path']} is not the file that was judged")
    return content


def main():
    directory, repository, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    block, index = read(directory)
    chosen = [skill for skill in index["skills"] if not names or skill["name"] in names]
    out = sys.stdout.buffer
    out.write(subset(block, index, {skill["name"] for skill in chosen}))
    if chosen:
        out.write(body(repository, chosen[0]))


if __name__ == "__main__":
    main()
