#!/usr/bin/env python3
"""Writes compositions of fences, encodings, scalars and keys to a packed file, the same for the same seed.

    conformance/generate.py --seed 14 --count 150 --out conformance/cases/skills/generated.txt
"""

import argparse
import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import packed  # noqa: E402

# The first of each list is ordinary and is taken most of the time: a file with two odd parts says more than one with ten.
OPENING = ["---\n", "--- \n", "---\t\n", " ---\n", "----\n", "---yaml\n", "\n---\n", "\ufeff---\n", "\ufeff--- \n", "# c\n---\n", "---\n\n", "---\n---\n"]
CLOSING = ["---\n", "--- \n", "---\t\n", "  ---\n", "----\n", "...\n", "--- #\n", "--- x\n", "---x\n", "", "\n---\n", "---\n---\n"]
LINE_ENDS = ["\n", "\r\n", "\r"]
ENCODINGS = ["utf-8"] * 6 + ["latin-1", "cp1252", "utf-16"]
NAMES = [
    "{id}", '"{id}"', "'{id}'", "{id} # c", "{ID}", "{id} x", "{id}_x", "{id}: x", "{id}:x", "&a {id}", "!!str {id}", "[{id}]",
    "{{a: {id}}}", "|\n  {id}", ">-\n  {id}", '" {id} "', "-{id}", "@{id}", "", "~", "é-{id}", "{id}/x", "<{id}>", '"{id}',
]
TEXTS = [
    "Reads PDF files.", "Reads: PDF files.", "Reads PDF # files.", "Reads 'PDF' files.", 'Reads "PDF" files.', "@me reads.", "`a` reads.",
    "%a reads.", "*a* reads.", "&a reads.", "[a] reads.", "{a} reads.", "- reads.", "? reads.", "> reads.", "| reads.", "! reads.",
    "Reads\tfiles.", "Reads   files.", "Reads --- files.", "Reads café.", "Reads 📄.", "Reads <b>files</b> & more.", "Reads C:\\a.",
    "42", "3.0", "true", "no", "null", "~", "", "2026-01-01", "[a, b]", "{a: b}", "a: b: c", "reads:", "Reads \x01 files.", "Reads \u200b files.",
    "Reads \u2028 files.", "Reads \x85 files.", "---", "Reads files. " * 90,
]
STYLES = [
    " {text}", ' "{text}"', " '{text}'", " |\n  {text}", " |-\n  {text}", " |+\n  {text}", " >\n  {text}", " >-\n  {text}", " >+\n  {text}",
    "\n  {text}", " {text}\n  {text}", " {text}\n\n  {text}", "\t{text}", "  {text}  ", " {text} # c", ' "{text}" x', " !!str {text}", "{text}",
]
KEYS = [
    "", "license: MIT", "license: MIT\nlicense: MIT", "author: a: b", "author: @a", "argument-hint: [a] [b]", "tags: [a, b]", "metadata: x",
    "metadata:\n  a: b", "metadata:\n\ta: b", "metadata:\n    a: b\n  c: d", "description: Second.", "name: second-{id}", "# comment", "text",
    "allowed-tools: Read, Write", "when_to_use: When asked.", "when_to_use: a: b", "disable-model-invocation: true", "version: 1.0",
    "user-invocable: false", "Description: Other.", "x: \"a", "x: &a y\nz: *a", "x: *a", "- item", "? x\n: y", "x: |\n  a: b\n c", "compatibility: x",
]
ORDERS = ["ndk", "dnk", "dk", "nk", "kdn"]
BODIES = ["\nRead the file.\n", "Read the file.\n", "", "\n# Title\n\nRead the file.\n", "\n---\n\nRead the file.\n", "\n\x00\n", "\n\xe9 \u2028 text\n", "\n- Read: the file.\n"]


def one(choice, id):
    """Returns the bytes of one file."""
    text = choice(TEXTS)
    values = {
        "n": f"name: {choice(NAMES)}".format(id=id, ID=id.upper()) + "\n",
        "d": "description:" + choice(STYLES).replace("{text}", text) + "\n",
        "k": "".join(f"{key}\n" for key in [choice(KEYS).replace("{id}", id)] if key),
    }
    front = "".join(values[part] for part in choice(ORDERS))
    content = choice(OPENING) + front + choice(CLOSING) + choice(BODIES)
    return content.replace("\n", choice(LINE_ENDS)).encode(choice(ENCODINGS), "replace")


def generate(seed, count):
    """Returns {name of the skill directory: bytes}."""
    source = random.Random(seed)

    def choice(values):
        return values[0] if source.random() < 0.75 else source.choice(values)

    width = len(str(count))
    ids = [f"g{seed}-{number:0{width}}" for number in range(1, count + 1)]
    return {id: one(choice, id) for id in ids}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the packed file")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(packed.write(generate(options.seed, options.count)), encoding="ascii")


if __name__ == "__main__":
    main()
