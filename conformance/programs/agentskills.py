"""agentskills: the validator of the specification's reference library."""

from .base import Program, Pypi, Seen, Skill


class AgentSkills(Program):
    id = "agentskills"
    package = Pypi("skills-ref")
    sees = ("fate", "name", "description", "reported")
    layout = False

    def skills(self, bench):
        answer = bench.script(self, bench.repo / self.roots[0])[0]["skills"]
        listed = [
            Skill(skill["name"], skill["description"], bench.named(skill["path"]))
            for skill in answer
            if not skill["faults"]
        ]
        return Seen(listed, {bench.named(skill["path"]): "error" for skill in answer if skill["faults"]})

    def list(self, bench):
        return bench.script(self, bench.repo / self.roots[0])[0]["prompt"]
