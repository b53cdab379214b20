"""Checks that the runner notices a program that behaves differently, with a program that needs no installation."""

import json
import re
import tempfile
from pathlib import Path

from programs.base import Listing, Program, Seen, Skill

from . import budgets, cases, layouts, newest, record, singles, tables


class Fake(Program):
    """Reads skills as an ordinary program does. The attributes change its behavior."""

    id = "fake"
    version = "1"
    models = {"default": ""}
    limit = 1000  # characters of a description
    drops_bom = True
    sorts = True
    stops_at = b"never"  # a text that makes it fail
    turns = 10**6  # every so many starts, the last root wins
    starts = 0

    def skills(self, bench):
        listed = []
        self.starts += 1
        roots = [bench.place(root) for root in (*self.roots, f"~/{self.roots[0]}")]
        for root in roots if self.starts % self.turns else reversed(roots):
            for file in sorted(root.glob("*/SKILL.md")) if self.sorts else root.glob("*/SKILL.md"):
                content = file.read_bytes()
                if self.stops_at in content:
                    raise ValueError("the program ended")
                if not self.drops_bom:
                    content = content.removeprefix("\ufeff".encode())
                found = re.match(rb"---\r?\n(?s:.*?)^description: ([^\r\n]+)(?s:.*?)^---", content, re.MULTILINE)
                if found:
                    about = found[1].decode(errors="replace")[: self.limit]
                    listed.append(Skill(file.parent.name, about, bench.named(file)))
        unique = {skill.name: skill for skill in reversed(listed)}
        return Seen([skill for skill in listed if unique[skill.name] is skill])

    def listing(self, bench, model):
        listed = self.skills(bench).skills
        return Listing([(skill.name, skill.description) for skill in listed], "")


def run(bench):
    """Runs the checks and returns the exit status."""
    some = ("f-plain", "f-bom", "d-colon", "d-1025", "e-latin1-body", "f-none")
    contents = {name: content for name, content in cases.skills().items() if name in some}

    def see(**behavior):
        program = Fake()
        for name, value in behavior.items():
            setattr(program, name, value)
        found = {"runtime": "fake", "version": "1", "skills": singles.observe(bench, program, contents)}
        trees = (tree for tree in cases.trees() if tree.id in ("plain", "order", "same-name"))
        found["trees"] = {tree.id: layouts.observe(bench, program, tree) for tree in trees}
        found["precedence"] = layouts.precedence(bench, program, layouts.roots(bench, program))
        found["budgets"] = budgets.observe(bench, program, 40)
        return found

    first = see()
    checks = {
        "the same program has no changes": not record.changes(first, see()),
        "another fate is a change": record.changes(first, see(drops_bom=False))
        == ['skills/f-bom/fate: "drops" -> "loads"', 'skills/f-bom/description: absent -> "Reads PDF files."'],
        "another description is a change": any("d-1025" in line for line in record.changes(first, see(limit=900))),
        "another budget is a change": any("budgets" in line for line in record.changes(first, see(limit=100))),
        "another root is a change": any("precedence" in line for line in record.changes(first, see(roots=("skills",)))),
        "a tree that varied may vary otherwise": not record.changes(
            {"trees": {"t": {"listed": [3], "varies": "skills"}}}, {"trees": {"t": {"listed": [1, 3]}}}
        ),
        "every order may vary if the order of the list does": not record.changes(
            shuffled([1, 2]), shuffled([2, 1])
        ),
        "a pair that chance decides varies": all(
            which == "varies" for *_, which in see(turns=9, repeat_chance=9)["precedence"]
        ),
        "skills without a name are seen one at a time": [len(group) for group in cases.batches(dict.fromkeys("abc", b"name: ''\n"))]
        == [1, 1, 1],
        "a list that is not sorted varies": see(sorts=False)["trees"]["order"].get("varies") == "order",
        "a skill that ends the program does not cost the others": fates(see(stops_at=b"caf\xe9"))
        == fates(first) | {"e-latin1-body": "fails"},
        "what is written is read again": kept(first),
        "TABLES.md is current": tables.current(),
        "a report names what changed, the value and the file": reports(first, see(drops_bom=False)),
        "a report of no change says so": "Nothing changed" in newest.section(Fake(), dated(first), dated(first), [], None),
        "skills of the program that grow are one change": newest.bundled(grown(5), grown(9)) == (["`own`: 5 -> 9 characters"], 4),
        "a budget that grows is no growth of its own skills": newest.bundled(grown(5, 20), grown(9, 40)) == ([], 0),
        "the same observation has the same text": record.layout(first) == record.layout(json.loads(json.dumps(first))),
    }
    for what, holds in checks.items():
        print(f"{'ok  ' if holds else 'FAIL'} {what}")
    return 0 if all(checks.values()) else 1


def shuffled(order):
    trees = {"order": {"listed": [1, 2], "varies": "order"}, "same-name": {"listed": order}}
    return {"trees": trees, "budgets": {"40": {"default": {"order": order, "characters": 9}}}}


def dated(found):
    return found | {"observed": "2026-11-25", "package": "npm:fake"}


def reports(old, new):
    old, new = ({**dated(one), "budgets": {}} for one in (old, new))
    text = newest.section(Fake(), old, new, record.changes(old, new), "it is archived")
    return all(part in text for part in ("2 changes that `loads.fence`", "skills/f-bom", "name: f-bom", "it is archived"))


def grown(length, shown=0):
    return {"budgets": {"40": {"default": {"bundled": [["own", length]], "shown": [shown]}}}}


def fates(found):
    return {name: cell["fate"] for name, cell in found["skills"].items()}


def kept(found):
    with tempfile.TemporaryDirectory() as directory:
        record.write(found, Path(directory))
        return record.committed("fake", Path(directory)) == found
