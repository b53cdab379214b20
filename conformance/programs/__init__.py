"""The programs that can be observed, by id."""

from .agentskills import AgentSkills
from .amp import Amp
from .camel import Camel
from .claude_code import ClaudeCode
from .cline import Cline
from .codex import Codex
from .continue_cli import Continue
from .copilot_cli import CopilotCli
from .deepagents import DeepAgents
from .droid import Droid
from .gemini_cli import GeminiCli
from .grok import Grok
from .hermes import Hermes
from .kilo import Kilo
from .kimi import Kimi
from .kimi_code import KimiCode
from .letta import Letta
from .openclaw import OpenClaw
from .opencode import OpenCode
from .openhands import OpenHands
from .pi import Pi
from .qoder import Qoder
from .qwen_code import QwenCode
from .vibe import Vibe
from .vscode_copilot import VsCodeCopilot

PROGRAMS = {
    program.id: program
    for program in (
        Codex(),
        ClaudeCode(),
        CopilotCli(),
        OpenClaw(),
        OpenCode(),
        Kilo(),
        GeminiCli(),
        QwenCode(),
        Pi(),
        Cline(),
        Continue(),
        Droid(),
        Amp(),
        Grok(),
        Qoder(),
        Letta(),
        Camel(),
        DeepAgents(),
        Hermes(),
        Vibe(),
        Kimi(),
        KimiCode(),
        OpenHands(),
        AgentSkills(),
        VsCodeCopilot(),
    )
}
