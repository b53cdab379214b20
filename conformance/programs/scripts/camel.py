"""Lists the skills that CAMEL's toolkit finds: camel.py SITE ANSWER DIRECTORY

The base classes import the whole package, so empty ones replace them. Everything that finds and reads skills is the
toolkit's own code.
"""

import json
import logging
import re
import sys
import types
from pathlib import Path

site, answer, directory = sys.argv[1:]
sys.path.insert(0, site)
logger = logging.getLogger("camel")
logger.propagate = False
messages = []
handler = logging.Handler()
handler.emit = lambda record: messages.append(record.getMessage())
logger.addHandler(handler)

for name in ("camel", "camel.logger", "camel.toolkits", "camel.toolkits.base", "camel.toolkits.function_tool"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["camel.logger"].get_logger = lambda name: logger
sys.modules["camel.toolkits.base"].BaseToolkit = type("BaseToolkit", (), {"__init__": lambda self, timeout=None: None})
sys.modules["camel.toolkits.function_tool"].FunctionTool = object
module = types.ModuleType("skill_toolkit")
source = Path(site, "camel/toolkits/skill_toolkit.py")
exec(compile(source.read_text(), str(source), "exec"), module.__dict__)

skills = module.SkillToolkit(directory).list_skills()
logged = re.findall(r"(/\S+/SKILL\.md)", "\n".join(messages))
Path(answer).write_text(json.dumps({"skills": skills, "logged": logged}))
