"""OpenClaw: functions of its package load the skills of a workspace and write the prompt."""

import html
import re
import shutil

from .base import Listing, Npm, Program, Seen, Skill


class OpenClaw(Program):
    id = "openclaw"
    package = Npm("openclaw")
    roots = (".agents/skills", "skills")
    budget = True
    models = {"default": ""}

    def skills(self, bench):
        answer, err = self.load(bench)
        faults = re.findall(r"Skipping [^:\n]*: file=(.*?/SKILL\.md) error=", re.sub("\x1b\\[\\d+m", "", err))
        listed = [
            Skill(skill["name"], skill["description"], bench.named(skill["path"]), skill["hidden"])
            for skill in answer["skills"]
        ]
        listed = [skill for skill in listed if skill.path and not skill.path.startswith("~/openclaw/")]
        return Seen(listed, {bench.named(path): "log" for path in faults})

    def load(self, bench):
        """Runs the script. Bundled skills are copied because their paths count: they must be the same everywhere."""
        bundled = bench.home / "openclaw" / "skills"
        shutil.copytree(self.home(bench) / "skills", bundled, dirs_exist_ok=True)
        return bench.script(self, bench.cwd, OPENCLAW_BUNDLED_SKILLS_DIR=bundled)

    def listing(self, bench, model):
        prompt = self.load(bench)[0]["prompt"]
        entries = []
        for entry in re.findall(r"(?s)<skill>(.*?)</skill>", prompt):
            part = dict(re.findall(r"(?s)<(name|description)>(.*?)</", entry))
            about = part.get("description")
            entries.append((html.unescape(part["name"]), about and html.unescape(about)))
        return Listing(entries, prompt)
