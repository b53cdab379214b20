"""Lists the skills that OpenHands finds from a directory: openhands.py SITE ANSWER DIRECTORY"""

import json
import logging
import re
import sys
from html import unescape
from pathlib import Path

site, answer, directory = sys.argv[1:]
sys.path.insert(0, site)

from openhands.sdk.skills import load_available_skills, to_prompt  # noqa: E402

messages = []
handler = logging.Handler()
handler.emit = lambda record: messages.append(record.getMessage())
logging.getLogger("openhands").addHandler(handler)
logging.getLogger().addHandler(handler)


NOTICE = r"(?s)\.\.\. \[\d+ characters truncated\. Call invoke_skill\(name=.*\) to load the full skill\]$"


def described(skill):
    """Returns the description that the prompt has for a skill, without the notice of how much is left of the body."""
    text = re.search(r"(?s)<description>(.*)</description>", to_prompt([skill]))[1]
    return re.sub(NOTICE, "", unescape(text))


skills = load_available_skills(directory, include_user=True, include_project=True)
listed = [
    {
        "name": skill.name,
        "description": described(skill),
        "path": skill.source,
        "hidden": skill.disable_model_invocation,
    }
    for skill in skills.values()
]
prompt = to_prompt(list(skills.values()))
Path(answer).write_text(json.dumps({"skills": listed, "log": "\n".join(messages), "prompt": prompt}))
