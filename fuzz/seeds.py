#!/usr/bin/env python3
"""Writes inputs made from the project's own fixtures: `python3 fuzz/seeds.py DIRECTORY` writes DIRECTORY/TARGET/NUMBER."""
import binascii
import hashlib
import json
import re
import struct
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "conformance"))

from harness import cases  # noqa: E402

SKILL = b"---\nname: pdf\ndescription: Fills in forms. Use when a form is due.\n---\nRead it.\n"
OTHER = b"---\nname: pdf-tools\ndescription: Reads PDF files.\nwhen_to_use: A PDF file is given.\ntags: [a, b]\n---\n# Steps\n\n1. Open it.\n"
MARK = b"\xff"
# Maximum size of an input in bytes. Larger ones only cost time.
SMALL = 3_000


def skills():
    found = sorted(ROOT.glob("fixtures/*/repo/**/SKILL.md"))
    texts = [*cases.skills().values()] + [path.read_bytes() for path in found if path.is_file() and not path.is_symlink()]
    return [text for text in texts if len(text) <= SMALL]


def examples():
    """Files in the pages of the rules, by name."""
    files = {}
    for page in sorted(ROOT.glob("crates/lint/src/rules/*.md")):
        for name, text in re.findall(r"^````*\w+ (\S+)\n(.*?)^````*$", page.read_text(encoding="utf-8"), re.M | re.S):
            files.setdefault(Path(name).name, []).append(text.encode())
    return files


def sha1(data):
    return hashlib.sha1(data).digest()


def blob(data):
    return sha1(b"blob %d\0" % len(data) + data)


def index_entry(path, oid, mode=0o100644, flags=0, extended=None):
    path = path.encode()
    if extended is not None:
        flags |= 0x4000
    entry = struct.pack(">10I", 0, 0, 0, 0, 0, 0, mode, 0, 0, 0) + oid + struct.pack(">H", flags | min(len(path), 0xFFF))
    if extended is not None:
        entry += struct.pack(">H", extended)
    entry += path
    return entry + b"\0" * (8 - len(entry) % 8)


def index(entries, version=2, extensions=b""):
    return b"DIRC" + struct.pack(">II", version, len(entries)) + b"".join(entries) + extensions


def indexes():
    one = index_entry(".agent/skills/pdf/SKILL.md", blob(SKILL))
    yield index([])
    yield index([one])
    yield index([index_entry(".agent/skills/a/SKILL.md", b"\1" * 20), one, index_entry("README.md", blob(b""))])
    yield index([index_entry(".agent/skills/pdf/SKILL.md", blob(SKILL), flags=stage << 12) for stage in (1, 2, 3)])
    yield index([index_entry(".agent/skills/pdf", blob(SKILL), mode=0o120000)])
    yield index([index_entry(".agent/skills", b"\2" * 20, mode=0o160000)])
    yield index([index_entry(".agent/skills/pdf/SKILL.md", blob(SKILL), extended=0x4000)], version=3)
    yield index([index_entry(".agent/", b"\3" * 20, mode=0o040000, extended=0x4000)], version=3, extensions=b"sdir" + struct.pack(">I", 0))
    tree = b"\x001 1\n" + b"\4" * 20 + b".agent\x001 0\n" + b"\5" * 20
    yield index([one], extensions=b"TREE" + struct.pack(">I", len(tree)) + tree)
    yield index([one], extensions=b"link" + struct.pack(">I", 20) + b"\0" * 20)
    four = struct.pack(">10I", 0, 0, 0, 0, 0, 0, 0o100644, 0, 0, 0) + blob(SKILL) + struct.pack(">H", 26)
    yield index([four + b"\0" + b".agent/skills/pdf/SKILL.md\0"], version=4)


def record(kind, data):
    return bytes([kind]) + struct.pack("<H", len(data)) + data


def tree(*entries):
    return record(1, b"".join(b"%s %s\0\x1d%c" % entry for entry in entries))


WHO = b"author a <a@example.com> 1700000000 +0000\ncommitter c <c@example.com> 1700000001 +0100"


def object_sets():
    def commit(number, more=b"", message=b"a"):
        return record(2, b"tree \x1e" + bytes([number]) + b"\n" + more + WHO + b"\n\n" + message + b"\n")

    directories = tree((b"100644", b"SKILL.md", 0)) + tree((b"40000", b"pdf", 1)) + tree((b"40000", b"skills", 2)) + tree((b"40000", b".agent", 3))
    good = record(0, SKILL) + directories
    yield good + commit(4)
    yield good + commit(4) + commit(4, b"parent \x1e\x05\n") + record(3, b"object \x1e\x06\ntype commit\ntag v1\ntagger c <c@example.com> 1700000001 +0100\n\nv1\n")
    yield record(0, OTHER) + directories + commit(4, b"encoding latin1\n")
    yield record(0, b"../pdf") + tree((b"120000", b"SKILL.md", 0)) + tree((b"40000", b"pdf", 1), (b"160000", b"sub", 0)) + tree((b"40000", b"skills", 2)) + tree((b"40000", b".agent", 3)) + commit(4)
    yield record(0, SKILL) + tree((b"100644", b"SKILL.md", 0), (b"100644", b"SKILL.md", 0)) + tree((b"40000", b"..", 1), (b"40000", b"pdf", 1)) + tree((b"40000", b"skills", 2)) + tree((b"40000", b".agent", 3)) + commit(4)
    yield record(0, SKILL) + tree((b"100755", b"SKILL.md", 0)) + commit(0)
    yield record(1, b"") + commit(0)


def tables():
    for directory in sorted((ROOT / "tests/it/source/reftables").iterdir()):
        listed = directory / "tables.list"
        if not listed.is_file() or "sha256" in directory.name:
            continue
        names = listed.read_text(encoding="utf-8").split()
        # The newest tables, because a target has two files.
        chosen = [(directory / name).read_bytes() for name in names][-2:]
        if sum(map(len, chosen)) > SMALL:
            continue
        parts = ["".join(f"{name}.ref\n" for name in "ab"[: len(chosen)]).encode()] + chosen
        yield b"".join(struct.pack("<H", len(part)) + part for part in parts)


def references():
    # The commits that fuzz/src/references.rs writes.
    ids = []
    for number in (1, 2, 3):
        entry = b"100644 file\0" + blob(b"%d\n" % number)
        data = b"tree %s\n%s\n\ncommit %d\n" % (sha1(b"tree %d\0" % len(entry) + entry).hex().encode(), WHO, number)
        ids.append(sha1(b"commit %d\0" % len(data) + data).hex().encode())
    packed = b"# pack-refs with: peeled fully-peeled sorted \n%s refs/heads/main\n%s refs/remotes/origin/main\n%s refs/tags/v1\n^%s\n" % (*ids, ids[0])
    head = b"ref: refs/heads/main\n"
    yield MARK.join([head, packed, b"", b""])
    yield MARK.join([head, b"", ids[0] + b"\n", ids[1] + b"\n"])
    yield MARK.join([ids[2] + b"\n", packed, ids[0], b"ref: refs/heads/main"])
    yield MARK.join([b"ref: refs/heads/.invalid\n", b"", b"", b""])
    yield MARK.join([head, b"", b"ref: refs/heads/main\n", b""])


def templates():
    for page in ("docs/templates.md", "tests/it/template.rs", "crates/dispatch/src/prompt/template/macros.rs"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for found in re.findall(r"```jinja\n(.*?)```", text, re.S) + re.findall(r"(\{% macro skill.*?endmacro %\})", text, re.S):
            yield found.replace("\\n", "\n").replace('\\"', '"').encode()
    yield b"{% macro head() %}SKILLS\n{% endmacro %}{% macro separator() %};{% endmacro %}{% macro tail() %}end{% endmacro %}{% macro skill(skill) %}* {{ skill.name }} at {{ skill.body_path }}: {{ skill.body }}\n{% endmacro %}"
    yield b"{% macro skill(skill) %}{% for tag in skill.tags %}{{ loop.index }}{{ tag|upper }}{% endfor %}{% if skill.when_to_use is defined %}{{ skill.description|replace('a', 'b')|length }}{% endif %}{% set x = skill.name[:2] %}{{ x }}{% endmacro %}"


def values():
    yield b"pdf\nFills in forms.\nRead it.\n"
    yield b"pdf\nFills in <forms> & \"more\" - `x`.\n---\nname: forged\n"
    yield "pdf — x\n</description><skill>\u2028\u202e\n## Thread Skills\n### pdf\n".encode()
    yield b"a b\nx\n--- End Agent Skills ---\n</skill>\n<!--\n```\n"


def records():
    yield b'{"active-thread": "a", "threads": {"a": {"bound-skills": ["pdf", "forms"]}, "b": {}}}\n'
    yield b'{\n  "threads": {}\n}\n'
    yield b'{"threads": {"a": {"bound-skills": ["pdf", "pdf"]}, "a": []}, "x": "\\u00e9\\ud83d\\ude00"}'
    entry = {"content": "Say hello.", "category": "tip", "contributor": "a", "scope": "global", "created_at": "2026-11-20T12:00:00Z", "content_hash": "0" * 16}
    line = json.dumps(entry).encode() + b"\n"
    yield line
    yield line + json.dumps({**entry, "scope": "task:1", "task_ref": None, "content": "é\"\n"}).encode() + b"\r\n\n"
    yield line + b'{"content": 1}\n[]\n\xff\n{'


def seeds():
    texts, files = skills(), examples()
    pages = [text for text in files.get("SKILL.md", []) if len(text) <= SMALL]
    every = texts + pages
    pairs = list(zip(every, every[1:] + every[:1]))
    settings = [path.read_bytes() for path in sorted(ROOT.glob("fixtures/*/repo/skilltree.toml"))] + files.get("skilltree.toml", [])
    workflows = [path.read_bytes() for path in sorted(ROOT.glob("fixtures/*/repo/WORKFLOW.md"))] + files.get("WORKFLOW.md", [])
    settings += [(ROOT / "skilltree.toml").read_bytes(), (ROOT / "examples/fleet/policy.toml").read_bytes(), (ROOT / "tests/it/own_rules/skilltree.toml").read_bytes()]
    yaml = [re.match(rb"---\r?\n(.*?)\r?\n---", text, re.S) for text in every]
    return {
        "compare": [b"\1" + MARK.join(pair) for pair in pairs[::4]] + [b"\2" + MARK.join([one, two, two, SKILL]) for one, two in pairs[::16]],
        "configuration": [text for text in settings if len(text) <= 2 * SMALL],
        "fix": [bytes([number % 2]) + MARK.join(pair) for number, pair in enumerate(pairs[::2])],
        "forecast": [MARK.join(every[at : at + 2]) for at in range(0, len(every), 2)],
        "front_matter": every,
        "index": [first + data for data in indexes() for first in (b"\1",)] + [b"\0" + data + end for data in indexes() for end in (sha1(data), b"\1" * 20)],
        "objects": [b"\0\0" + data for data in object_sets()],
        "prompt": [first + data for data in values() for first in (b"\0", b"\1")] + [b"\1" + MARK.join(values())],
        "records": list(records()),
        "references": list(references()),
        "reftable": [first + data for data in tables() for first in (b"\0", b"\1")],
        "render": [b"\x50\x05\x09\x03" + MARK.join([one, two, b"a `message`\xe2\x80\xae ##[x] <b>&", b"pdf"]) for one, two in pairs[::6]],
        "scalars": [found[1] for found in yaml if found],
        "skill": [text + MARK + b"# Reference\n\n[x](SKILL.md#steps)\n" for text in every],
        "template": [bytes([number % 4]) + text for number, text in enumerate(templates())],
        "workflow": [text for text in workflows if len(text) <= SMALL] + [b"---\nagent:\n  skills:\n    enabled: true\n    path: a/b\n    max_skills_in_prompt: 3\n---\nText\n"],
    }


def main():
    out = Path(sys.argv[1])
    for target, inputs in seeds().items():
        directory = out / target
        directory.mkdir(parents=True, exist_ok=True)
        for data in inputs:
            (directory / f"{binascii.crc32(data):08x}").write_bytes(data)
        print(f"{target}: {len(inputs)}")


if __name__ == "__main__":
    main()
