"""Lists the skills in the prompt of Deep Agents Code: deepagents.py SITE ANSWER DIRECTORY

The agent runs one turn with a model that answers nothing and keeps what it was sent.
"""

import json
import logging
import sys
from pathlib import Path

site, answer, directory = sys.argv[1:]
sys.path.insert(0, site)

from deepagents.middleware.skills import SkillsMiddleware  # noqa: E402
from deepagents_code.agent import create_cli_agent  # noqa: E402
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel  # noqa: E402
from langchain_core.messages import AIMessage  # noqa: E402

messages, sent, listed = [], [], []
handler = logging.Handler()
handler.emit = lambda record: messages.append(record.getMessage())
logging.getLogger("deepagents").addHandler(handler)


class Model(GenericFakeChatModel):
    def bind_tools(self, tools, **options):
        return self

    def _generate(self, messages, *arguments, **options):
        sent.append(messages)
        return super()._generate(messages, *arguments, **options)


format_list = SkillsMiddleware._format_skills_list


def kept(self, skills):
    """Keeps the skills of which the middleware writes the list."""
    listed[:] = [{"name": skill["name"], "description": skill["description"], "path": skill["path"]} for skill in skills]
    return format_list(self, skills)


SkillsMiddleware._format_skills_list = kept
agent, _ = create_cli_agent(Model(messages=iter([AIMessage("done")])), "agent", cwd=directory, enable_memory=False)
agent.invoke({"messages": [("user", "hi")]})
content = sent[0][0].content
prompt = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
Path(answer).write_text(json.dumps({"skills": listed, "prompt": prompt, "log": "\n".join(messages)}))
