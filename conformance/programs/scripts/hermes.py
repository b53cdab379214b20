"""Writes the skill list of Hermes' system prompt, and each file that it is made of: hermes.py SITE ANSWER"""

import json
import logging
import sys
from pathlib import Path

site, answer = sys.argv[1:]
sys.path.insert(0, site)
logging.basicConfig()

from agent.prompt_builder import _build_snapshot_entry, _parse_skill_file, build_skills_system_prompt  # noqa: E402
from agent.skill_utils import iter_skill_index_files  # noqa: E402
from hermes_constants import get_skills_dir  # noqa: E402

prompt = build_skills_system_prompt()
root = get_skills_dir()
files = []
for path in iter_skill_index_files(root, "SKILL.md") if root.is_dir() else ():
    shown, front_matter, description = _parse_skill_file(path)
    entry = _build_snapshot_entry(path, root, front_matter, description)
    name = entry["frontmatter_name"]
    files.append({"path": str(path), "name": name, "description": description, "shown": shown})
Path(answer).write_text(json.dumps({"prompt": prompt, "files": files}))
