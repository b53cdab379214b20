"""Lists the skills that Kimi CLI finds from a directory: kimi.py SITE ANSWER DIRECTORY"""

import asyncio
import json
import re
import sys
from pathlib import Path

site, answer, directory = sys.argv[1:]
sys.path.insert(0, site)

from kaos.path import KaosPath  # noqa: E402
from kimi_cli import logger  # noqa: E402
from kimi_cli.skill import discover_skills_from_roots, format_skills_for_prompt, resolve_skills_roots  # noqa: E402

messages = []
logger.enable("kimi_cli")
logger.remove()
logger.add(messages.append, level="INFO", format="{message}")


async def find():
    # `merge_brands` has the default of the setting merge_all_available_skills.
    return await discover_skills_from_roots(await resolve_skills_roots(KaosPath(directory), merge_brands=True))


skills = asyncio.run(find())
found = {
    "skills": [{"name": s.name, "description": s.description, "path": str(s.skill_md_file)} for s in skills],
    "logged": re.findall(r"invalid (?:flat )?skill at (\S+\.md):", "".join(messages)),
    "prompt": format_skills_for_prompt(skills),
}
Path(answer).write_text(json.dumps(found))
