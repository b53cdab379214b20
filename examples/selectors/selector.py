#!/usr/bin/env python3
"""selector.py CATALOG REPOSITORY SELECTION: prints the block that `skilltree prompt` would print, without running it.

SELECTION is one of --all, --task TEXT [--role ROLE] [--task-id ID], --mention TEXT, --skill NAME..., --thread ID.
--messages prints one JSON message per skill. With `-`, each line of standard input is a selection as a JSON list, and each line of
the output its block as a JSON string, or null for a selection that is refused. Needs Python's standard library, and git if the catalog has no bodies.
"""
import hashlib
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path


# Characters that a JSON message contains as \uXXXX: invisible ones, and the second # of a log command.
ESCAPED = re.compile("[\u00ad\u034f\u061c\u180b-\u180d\u180f\u200c-\u200f\ufe00-\ufe0f\U000e0020-\U000e007f]"
                     r"|(?<=#)#(?=[A-Za-z0-9]{0,16}\[)")


def escape(match):
    r"""Returns a character as \uXXXX, in two parts if it needs them."""
    units = match.group().encode("utf-16-be").hex()
    return "".join("\\u" + units[at:at + 4] for at in range(0, len(units), 4))


def words(text):
    """Returns the words of a text: runs of letters, marks and digits, in lowercase, without the `s` of a plural."""
    runs = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in text).split(" ")
    folded = (run.lower() for run in runs if run)
    return [word[:-1] if len(word) > 1 and word[-1] == "s" and word[-2] != "s" else word for word in folded]


def lower(text):
    """Returns a text with ASCII letters in lowercase."""
    return re.sub("[A-Z]", lambda letter: letter.group().lower(), text)


class Catalog:
    def __init__(self, path, repository):
        self.data = json.loads(Path(path).read_text(encoding="utf-8"))
        self.repository, self.skills = repository, self.data["skills"]
        self.by_name, self.known, self.by_directory = {}, {}, {}
        for number, skill in enumerate(self.skills):
            self.by_name.setdefault(skill["name"], number)
            self.known.setdefault(skill[self.data["recipe"]["identity"]], []).append(number)
            self.by_directory.setdefault(skill["directory"], []).append(number)
        self.stop_words = set(self.data["stop_words"])

    def task(self, text, role=None):
        """Returns the skills that fit a task, best first."""
        wanted = set(words(text)) - self.stop_words
        matching = {}
        for tag in self.data["tag_index"]:
            if tag["words"] and wanted.issuperset(tag["words"]):
                for number in tag["skills"]:
                    matching[number] = matching.get(number, 0) + 1
        if role is not None:
            mine = set(self.data["role_index"].get(lower(role), []))
            matching = {number: count for number, count in matching.items()
                        if number in mine or not (self.skills[number]["roles"] or self.data["recipe"]["requires_role"])}
        share = lambda number: matching[number] * 1_000_000 // len(self.skills[number]["tags"])
        ranked = sorted(matching, key=lambda number: (-matching[number], -share(number), number))
        return ranked[:self.data["recipe"]["top"]]

    def find(self, name):
        """Returns the skills with a name, else those with that directory."""
        return self.known.get(name) or self.by_directory.get(name) or []

    def named(self, names):
        """Returns the named skills in order. A name that cannot be used is an error."""
        bad = [name for name in names if len(self.find(name)) != 1 or name in self.data["recipe"]["reserved"]]
        chosen = [number for name in names for number in self.find(name)]
        if bad or len(set(chosen)) < len(chosen):
            raise SystemExit(f"unknown, ambiguous, reserved or repeated: {bad or names}")
        return chosen

    def thread(self, name):
        """Returns the skills that a thread binds; those that do not exist any more are skipped."""
        found = (self.find(bound)[:1] for bound in self.data["threads"].get(name, []))
        return list(dict.fromkeys(number for numbers in found for number in numbers))

    def mention(self, text):
        """Returns the skills that a text mentions as $name, @name, /name or [$name](path), outside code."""
        paths = {}
        for number, skill in enumerate(self.skills):
            path = skill["body_path"] or ""
            paths.setdefault(path, number)
            paths.setdefault(path.rpartition("/")[0], number)
        found = []
        link = r"\[\$(?P<label>[^\]]*)\]\((?P<path>[^)\s]*)\)"
        name = r"(?<![\w\-/\\.~$@:#%&])[$@/](?P<name>[A-Za-z0-9_-]+)(?![A-Za-z0-9_/-])"
        for match in re.finditer(f"{link}|{name}", without_code(text)):
            if match["name"]:
                found.append(self.by_name.get(match["name"]))
            else:
                number = paths.get(re.sub(r"^(\./)+", "", match["path"]).rstrip("/"))
                if number is not None and self.skills[number]["name"] == match["label"]:
                    found.append(number)
        return list(dict.fromkeys(number for number in found if number is not None))

    def body(self, skill):
        """Returns the text that a block contains: the body with LF line endings, also at its end."""
        text = skill["body"].get("text")
        if text is None:
            content = self.content(skill)
            start = skill["body"]["offset"]
            text = content[start:start + skill["body"]["length"]].decode(errors="replace")
        text = text.replace("\r\n", "\n")
        return text if text.endswith("\n") else text + "\n"

    def content(self, skill):
        """Reads a SKILL.md by its blob, or, if Git does not have it, from the working tree, where it must be the checked one."""
        if skill["blob"] is not None:
            show = ["git", "-C", self.repository, "cat-file", "blob", skill["blob"]]
            return subprocess.run(show, check=True, stdout=subprocess.PIPE).stdout
        if skill["body_path"] is None:
            raise SystemExit(f"{skill['name']} is outside the repository: write the catalog with --bodies")
        content = (Path(self.repository) / Path(skill["body_path"]).expanduser()).read_bytes()
        if hashlib.sha256(content).hexdigest() != skill["sha256"]:
            raise SystemExit(f"{skill['body_path']} differs from the checked file")
        return content

    def fragment(self, skill, name):
        """Returns what a skill adds to a rendering."""
        part, kind = skill["fragments"][name], self.data["renderings"][name]["body"]
        if kind == "none":
            return part["before"]
        body = self.body(skill)
        if kind == "json":
            body = re.sub(ESCAPED, escape, json.dumps(body, ensure_ascii=False)[1:-1])
        return part["before"] + body + part["after"]

    def block(self, chosen, name, task=None, task_id=None):
        """Renders the skills that fit into the limits."""
        shape, begun, size, taken, tools = self.data["renderings"][name], set(), (0, 0), [], []
        recipe, all_chosen = self.data["recipe"], set(chosen)
        for number in chosen:
            skill = self.skills[number]
            part = skill["fragments"][name]
            if part["dropped"] is not None or not all_chosen.isdisjoint(part["claims"]):
                continue
            text = self.fragment(skill, name)
            opening = shape["openings"][skill["root"]] if shape["openings"] and skill["root"] not in begun else ""
            if not taken:
                around = shape["head"] + opening + shape["tail"]
            else:
                around = shape["separator"] + (shape["between"] + opening if skill["root"] not in begun else "")
            grown = added(size, around + text)
            if any(over(recipe[caps], grown, len(taken) + 1) for caps in ("limits", "budget")):
                continue
            if over(recipe["each"], added((0, 0), text), 0):
                continue
            size, taken = grown, [*taken, (skill["root"], text)]
            begun.add(skill["root"])
            tools += skill["tools"]
        if recipe["merges_tools"] and len(set(tools)) < len(tools):
            raise SystemExit("two skills bring the same tool")
        if shape["openings"]:
            taken.sort(key=lambda entry: entry[0])
        return self.learned(assemble(shape, taken), name, task, task_id)

    def learned(self, block, name, task, task_id):
        """Adds the shared knowledge about a task, as far as the limits of the repository allow it."""
        knowledge = self.data["knowledge"]
        if task is None or not knowledge or name != self.data["recipe"]["rendering"]:
            return block
        wanted = set(words(task)) - self.stop_words
        fitting = [(len(wanted.intersection(entry["words"])), entry["line"], entry) for entry in knowledge["entries"]
                   if entry["scope"] == "global" or (task_id is not None and entry["scope"] == f"task:{task_id}")]
        fitting = sorted((entry for entry in fitting if entry[0]), key=lambda entry: (-entry[0], -entry[1]))
        before, lines = block + "\n" if block else "", ""
        for _, _, entry in fitting[:knowledge["most"]]:
            text = before + knowledge["head"] + lines + entry["text"] + knowledge["tail"]
            if not over(self.data["recipe"]["limits"], added((0, 0), text), 0):
                block, lines = text, lines + entry["text"]
        return block


def assemble(shape, taken):
    block, root = "", None
    for number, (own, text) in enumerate(taken):
        block += shape["head"] if number == 0 else shape["separator"]
        if shape["openings"] and own != root:
            block += ("" if number == 0 else shape["between"]) + shape["openings"][own]
        block, root = block + text, own
    return block + shape["tail"] if taken else ""


def added(size, text):
    """Returns a size in bytes and characters with a text added."""
    return size[0] + len(text.encode()), size[1] + len(text)


def over(caps, size, count):
    """Returns whether a size or a number of skills exceeds a limit."""
    values = {"skills": count, "bytes": size[0], "chars": size[1], "tokens": -(-size[1] // 4)}
    return any(caps[unit] is not None and value > caps[unit] for unit, value in values.items())


def without_code(text):
    """Blanks code blocks and code spans."""
    lines, fence, before = [], None, ""
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = None
            lines.append("")
        elif mark:
            fence = mark[1]
            lines.append("")
        elif line.startswith("    ") and not before.strip():
            lines.append("")
        else:
            lines.append(line)
        before = lines[-1]
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", " ` ", "\n".join(lines), flags=re.DOTALL)


def select(catalog, arguments):
    """Returns the block of a selection, given as arguments."""
    kind, options = arguments[0], dict(zip(arguments, arguments[1:]))
    recipe, task, rendering = catalog.data["recipe"], options.get("--task"), None
    if kind == "--task":
        chosen = catalog.task(task, options.get("--role"))
    elif kind == "--mention":
        chosen, rendering = catalog.mention(options[kind]), recipe["mentioned"]
    elif kind == "--skill":
        chosen = catalog.named([name for name in arguments[1:] if not name.startswith("--")])
    elif kind == "--thread":
        chosen = catalog.thread(options[kind])
    else:
        chosen = range(len(catalog.skills))
    rendering = "messages" if "--messages" in arguments else rendering or recipe["rendering"]
    return catalog.block(chosen, rendering, task, options.get("--task-id"))


def main():
    catalog = Catalog(sys.argv[1], sys.argv[2])
    if sys.argv[3] != "-":
        sys.stdout.buffer.write(select(catalog, sys.argv[3:]).encode())
        return
    for line in sys.stdin:
        try:
            print(json.dumps(select(catalog, json.loads(line))))
        except SystemExit:
            print("null")


if __name__ == "__main__":
    main()
