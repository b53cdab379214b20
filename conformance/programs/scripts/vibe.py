"""Lists the skills of a directory with Vibe's own manager: vibe.py SITE ANSWER DIRECTORY"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

site, answer, directory = sys.argv[1:]
sys.path.insert(0, site)

from vibe.core.config.harness_files import HarnessFilesManager  # noqa: E402
from vibe.core.skills.manager import SkillManager  # noqa: E402

trusted = SimpleNamespace(is_trusted=lambda path: True)
files = HarnessFilesManager(sources=("user", "project"), cwd=Path(directory), trust_store=trusted)
config = SimpleNamespace(
    skill_paths=[], enabled_skills=[], disabled_skills=[], experimental_enable_registry_skills=False
)
manager = SkillManager(lambda: config, harness_files=files, include_builtins=False)
skills = [
    {
        "name": skill.name,
        "description": skill.description,
        "path": str(skill.skill_path),
        "hidden": not skill.model_invocable,
    }
    for skill in manager.available_skills.values()
]
faults = [str(issue.file) for issue in manager.config_issues]
Path(answer).write_text(json.dumps({"skills": skills, "faults": faults}))
