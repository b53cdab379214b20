#!/usr/bin/env python3
"""make_repository.py SKILLS DIRECTORY [OTHERS] [--alone]: creates a bare repository of valid skills for benches/whole.sh.

The same arguments give the same commit. Sizes follow public skills: 1 to 20 KB, median 5 KB. Half of the skills have
files next to SKILL.md, which a linter must not read; with `--alone`, none has. OTHERS is the number of unrelated files.
Python's standard library and git only.
"""
import itertools
import os
import random
import subprocess
import sys

# (share of skills, bytes of the SKILL.md); between two points the size is interpolated.
SIZES = [(0.0, 1_000), (0.1, 2_000), (0.25, 3_200), (0.5, 5_000), (0.75, 8_500), (0.9, 13_000), (1.0, 20_000)]
VERBS = "add audit build check clean compare convert deploy draft explain export fetch fix format generate merge parse plan publish test".split()
NOUNS = "account bundle calendar chart cluster dashboard dataset diagram endpoint invoice ledger log migration module note order page query report table".split()
WORDS = (
    "the a of to in and or for with from when then file line name value result command output input error test change step field list "
    "record table page report service request response version branch commit index tree path directory option default limit number "
    "check read write open close create remove update find sort merge split compare keep return wait retry before after every only"
).split()
IDENTITY = b"Nobody <nobody@example.invalid> 1700000000 +0000"


def size(chance):
    share = chance.random()
    for (low, fewer), (high, more) in zip(SIZES, SIZES[1:]):
        if share <= high:
            return int(fewer + (more - fewer) * (share - low) / (high - low))
    return SIZES[-1][1]


def sentence(chance):
    return " ".join(chance.choices(WORDS, k=chance.randint(6, 18))).capitalize() + "."


def body(chance, wanted):
    """Returns typical Markdown: headings, paragraphs, lists, fences."""
    parts, length = [], 0
    while length < wanted:
        kind = chance.random()
        if kind < 0.15:
            part = f"## {sentence(chance)[:-1]}\n"
        elif kind < 0.45:
            part = "".join(f"- {sentence(chance)}\n" for _ in range(chance.randint(2, 6)))
        elif kind < 0.6:
            part = "```sh\n" + "".join(f"tool --{chance.choice(WORDS)} {chance.choice(WORDS)}\n" for _ in range(3)) + "```\n"
        else:
            part = " ".join(sentence(chance) for _ in range(chance.randint(2, 5))) + "\n"
        parts.append(part)
        length += len(part) + 1
    return "\n".join(parts)


def skill(number, alone):
    chance = random.Random(f"skill {number}")
    name = f"{chance.choice(VERBS)}-{chance.choice(NOUNS)}-{number}"
    description = f"{sentence(chance)} Use when {sentence(chance).lower()}"
    front = f"---\nname: {name}\ndescription: {description}\n---\n\n"
    directory = f".agent/skills/{name}"
    yield f"{directory}/SKILL.md", front + body(chance, size(chance) - len(front))
    for reference in range(0 if alone else chance.choice((0, 0, 1, 3))):
        yield f"{directory}/references/{reference}.md", body(chance, 2_000)


def other(number):
    """A file of a source tree of some depth."""
    return f"src/module-{number % 50}/part-{number // 50 % 20}/file-{number}.rs", f"pub fn number() -> u32 {{\n    {number}\n}}\n"


def skills(count, alone=False):
    for number in range(count):
        yield from skill(number, alone)


def without_description(files):
    """Removes the description of every skill: a fault that every linter of skills knows."""
    for path, text in files:
        lines = text.splitlines(keepends=True)
        yield path, "".join(line for line in lines if not line.startswith("description: "))


class Link(str):
    """The target of a symbolic link."""


def write(directory, files):
    """Creates a bare repository with one commit of the files: pairs of a path and a text."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", directory], env=environment, check=True)
    importing = ["git", f"--git-dir={directory}", "fast-import", "--quiet"]
    with subprocess.Popen(importing, stdin=subprocess.PIPE, env=environment) as importer:
        importer.stdin.write(b"commit refs/heads/main\ncommitter %s\ndata 7\nSkills\n\n" % IDENTITY)
        for path, text in files:
            content = text.encode()
            mode = b"120000" if isinstance(text, Link) else b"100644"
            importer.stdin.write(b"M %s inline %s\ndata %d\n%s\n" % (mode, path.encode(), len(content), content))
        importer.stdin.close()
        if importer.wait():
            sys.exit("git fast-import failed")


def main():
    alone = "--alone" in sys.argv
    count, directory, others = [*(word for word in sys.argv[1:] if word != "--alone"), "0"][:3]
    write(directory, itertools.chain(skills(int(count), alone), map(other, range(int(others)))))


if __name__ == "__main__":
    main()
