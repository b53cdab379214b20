"""Hermes: the functions of its package that write the list of skills into the system prompt."""

import re

from .base import Listing, Program, Pypi, Seen, Skill


class Hermes(Program):
    id = "hermes"
    package = Pypi("hermes-agent")
    roots = ("~/.hermes/skills",)  # it reads no skills of a repository
    asks_model = True
    models = {"default": ""}

    def skills(self, bench):
        answer, err = bench.script(self)
        places, listed, hidden = {}, [], []
        for file in answer["files"]:
            about = file["description"] or None
            skill = Skill(file["name"], about, bench.named(file["path"]), hidden=not file["shown"])
            line = entry(skill.name, skill.description)
            match = re.compile(line).search(answer["prompt"], places.get(line, 0))
            if skill.hidden:
                hidden.append(skill)
            elif match:
                # The next skill begins with the line ending of this one.
                places[line] = match.end() - 1
                listed.append((match.start(), skill))
        listed = [skill for _, skill in sorted(listed, key=lambda item: item[0])]
        faults = re.findall(r"Failed to parse skill file (\S+/SKILL\.md):", err)
        return Seen(listed + hidden, {bench.named(path): "log" for path in faults})

    def listing(self, bench, model):
        listed = self.skills(bench).skills
        prompt = bench.script(self)[0]["prompt"]
        return Listing([(skill.name, skill.description) for skill in listed if not skill.hidden], prompt)


def entry(name, description):
    """Returns a pattern of what the prompt has for a skill: it may join the lines of a description."""
    words = r"\s+".join(map(re.escape, (description or "").split()))
    return rf"\n    - {re.escape(name)}:\s*{words}\s*\n" if words else rf"\n    - {re.escape(name)}\n"
