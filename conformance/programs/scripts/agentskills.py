"""Validates each skill of a directory with the reference library: agentskills.py SITE ANSWER DIRECTORY"""

import json
import sys
from pathlib import Path

site, answer, directory = sys.argv[1:]
sys.path.insert(0, site)

from skills_ref.parser import read_properties  # noqa: E402
from skills_ref.prompt import to_prompt  # noqa: E402
from skills_ref.validator import validate  # noqa: E402

found = []
for path in sorted(Path(directory).glob("*/SKILL.md")):
    skill = {"path": str(path), "name": None, "description": None}
    try:
        skill["faults"] = list(validate(path.parent))
        if not skill["faults"]:
            properties = read_properties(path.parent)
            skill |= {"name": properties.name, "description": properties.description}
    except Exception as fault:
        skill["faults"] = [f"{type(fault).__name__}: {fault}"]
    found.append(skill)
valid = [Path(skill["path"]).parent for skill in found if not skill["faults"]]
Path(answer).write_text(json.dumps({"skills": found, "prompt": to_prompt(valid)}))
