"""Reads the cases: single skills, trees, roots and budgets."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from . import packed

CASES = Path(__file__).resolve().parent.parent / "cases"
BATCH = 100  # skills in one scene: fewer than any program's limit


def skills(place=CASES / "skills"):
    """Returns {name of the skill directory: bytes of its SKILL.md}, sorted.

    The place is a packed file, or a directory of packed files and of directories with a SKILL.md.
    """
    place, found = Path(place), {}
    for path in [place] if place.is_file() else place.iterdir():
        more = packed.load(path) if path.is_file() else {path.name: (path / "SKILL.md").read_bytes()}
        if found.keys() & more:
            raise ValueError(f"{path} has a name that another file has")
        found |= more
    return dict(sorted(found.items()))


def batches(skills, size=BATCH):
    """Splits skills so that no two in a batch can have the same name, because one would then hide the other."""
    groups = []
    for directory, content in skills.items():
        wanted = keys(directory, content)
        for taken, group in groups:
            if len(group) < size and not wanted & taken:
                break
        else:
            taken, group = set(), []
            groups.append((taken, group))
        taken |= wanted
        group.append(directory)
    return [group for _, group in groups]


def keys(directory, content):
    """Returns what the name of a skill may be, each as its `key`: empty for an empty name. Some programs list an `id`."""
    names = re.findall(rb"(?m)^\W*(?:name|id)\W*:(.*?)[\r\n]", content[:4000])
    return {key(meant(name)) for name in [*names, directory.encode()] if key(name) or name.isascii()}


# What YAML 1.1 reads as null and as booleans. A program may show any of them as the same text.
WORDS = {word: b"null" for word in (b"", b"~", b"null")} | {word: b"true" for word in (b"true", b"yes", b"on")}
WORDS |= {word: b"false" for word in (b"false", b"no", b"off")}


def meant(name):
    """Returns a name without its comment; a null or a boolean as one word."""
    plain = re.sub(rb"(^|\s)#.*", b"", name).strip()
    return WORDS.get(plain.lower(), plain)


def key(name):
    """Returns a name without all that programs change in names."""
    return re.sub(rb"[^a-z0-9]", b"", name.lower())


def odd_name(directory, content):
    """Returns whether a skill may be listed under another name than its directory."""
    return keys(directory, content) != {key(directory.encode())} or not re.search(rb"(?m)^name: [a-z0-9-]+$", content)


@dataclass
class Tree:
    """A layout of skills. Skill number N is the Nth of `paths`; its description is `Skill N.`"""

    id: str
    paths: list  # of the SKILL.md files; `{root}` is the first root of the program
    names: dict = field(default_factory=dict)  # path: name, where it is not the directory
    sizes: dict = field(default_factory=dict)  # path: bytes of the body
    links: dict = field(default_factory=dict)  # path: target
    files: dict = field(default_factory=dict)  # path: text of another file
    order: bool = False  # whether the order of the list, or which of several skills is listed, is of interest
    reports: bool = False  # whether what the program reports is of interest
    cwd: str = ""

    def scene(self, root):
        """Returns the files of the scene, as `Bench.build` takes them."""

        def fill(text):
            return text.replace("{root}", root).replace("{ROOT}", root.upper())

        scene = {fill(path): fill(text).encode() for path, text in self.files.items()}
        for number, path in enumerate(self.paths, 1):
            name = self.names.get(path) or Path(fill(path)).parent.name
            scene[fill(path)] = skill(name, f"Skill {number}.", self.sizes.get(path, 0))
        return scene | {fill(path): fill(target) for path, target in self.links.items()}


def skill(name, description, body=0):
    """Returns an ordinary SKILL.md. A body of `body` bytes is made of lines of 64 bytes; the last one is shorter."""
    text = f"---\nname: {name}\ndescription: {description}\n---\n\nRead it.\n"
    return text.encode() + (b"x" * 63 + b"\n") * (body // 64) + b"x" * (body % 64)


def trees():
    """Returns the trees of cases/trees.toml."""
    return [
        Tree(id, **{key: value for key, value in values.items() if key != "about"})
        for id, values in load("trees.toml").items()
    ]


def roots():
    """Returns the directories that programs may read, as {"repository": [...], "user": [...]}."""
    return load("roots.toml")


def budget(count):
    """Returns [(name, description)] of the skills of a budget."""
    template = load("budget.toml")
    texts = template["descriptions"]

    def fill(text, number):
        return text.replace("{n}", str(number))

    return [(fill(template["name"], n), fill(texts[n % len(texts)], n)) for n in range(1, count + 1)]


def load(name):
    return tomllib.loads((CASES / name).read_text(encoding="utf-8"))
