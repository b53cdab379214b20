//! Settings and hooks of a project, as programs other than Claude Code read them.

use crate::profile::loads::{ProjectHooks, Switches};
use skilltree_skills::manifest::{DENIED, DISABLED, EXCLUDED};
use skilltree_skills::roots::{CODEX_HOOKS, GEMINI_SETTINGS, QWEN_SETTINGS};

/// Gemini CLI 0.61.0: run with each setting, and the request to the model searched for the skill.
pub(super) const GEMINI_SWITCHES: Switches =
    Switches { file: GEMINI_SETTINGS, names: Some(DISABLED), enabled: Some("skills.enabled"), tools: &[], tool: &[] };

/// Qwen Code 0.15.10: run in the same way. `Skill(NAME)` hides nothing.
pub(super) const QWEN_SWITCHES: Switches = Switches {
    file: QWEN_SETTINGS,
    names: None,
    enabled: None,
    tools: &[DENIED, EXCLUDED[0], EXCLUDED[1]],
    tool: &["skill", "Skill"],
};

/// Codex 0.171.0: `hooks/list` of its app server says which hooks it has, and why it has none.
pub(super) static CODEX: ProjectHooks = ProjectHooks {
    file: CODEX_HOOKS,
    events: &[
        "PreToolUse",
        "PermissionRequest",
        "PostToolUse",
        "PreCompact",
        "PostCompact",
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "SubagentStart",
        "SubagentStop",
        "Stop",
    ],
    same: &[],
    next: &[],
    top: &["description", "hooks"],
    is_versioned: false,
    nested: true,
    kinds: &["command", "mcp_tool"],
    skipped: &["prompt", "agent"],
    commands: &["command"],
    timeout: "timeout",
    is_strict: true,
};

/// Gemini CLI 0.61.0: `Invalid hook event name` and `Discarding invalid hook`.
pub(super) static GEMINI_CLI: ProjectHooks = ProjectHooks {
    file: GEMINI_SETTINGS,
    events: &[
        "BeforeTool",
        "AfterTool",
        "BeforeAgent",
        "AfterAgent",
        "Notification",
        "SessionStart",
        "SessionEnd",
        "PreCompress",
        "BeforeModel",
        "AfterModel",
        "BeforeToolSelection",
    ],
    same: &[
        ("PreToolUse", "BeforeTool"),
        ("PostToolUse", "AfterTool"),
        ("UserPromptSubmit", "BeforeAgent"),
        ("Stop", "AfterAgent"),
        ("PreCompact", "PreCompress"),
    ],
    next: &["enabled", "disabled", "notifications"],
    top: &[],
    is_versioned: false,
    nested: true,
    kinds: &["command", "plugin", "runtime"],
    skipped: &[],
    commands: &["command"],
    timeout: "",
    is_strict: false,
};

/// Copilot CLI 1.0.102: `Invalid hook configuration` in its log; the events are those of its schema, and those of Claude Code.
pub(super) static COPILOT_CLI: ProjectHooks = ProjectHooks {
    file: ".github/hooks/",
    events: &[
        "preToolUse",
        "preMcpToolCall",
        "postToolUse",
        "postToolUseFailure",
        "userPromptSubmitted",
        "userPromptTransformed",
        "sessionStart",
        "sessionEnd",
        "postResult",
        "prePRDescription",
        "errorOccurred",
        "agentStop",
        "subagentStart",
        "subagentStop",
        "preCompact",
        "permissionRequest",
        "notification",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "UserPromptSubmit",
        "SessionStart",
        "SessionEnd",
        "Stop",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "PermissionRequest",
        "Notification",
        "ErrorOccurred",
    ],
    same: &[("stop", "agentStop"), ("userPromptSubmit", "userPromptSubmitted")],
    next: &[],
    top: &[],
    is_versioned: true,
    nested: false,
    kinds: &[],
    skipped: &[],
    commands: &["bash", "powershell", "command", "exec"],
    timeout: "timeoutSec",
    is_strict: false,
};
