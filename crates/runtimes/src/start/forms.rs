//! What each program needs of its settings: run with files of each kind.

use super::Kind::{Boolean, List, Number, Object, Text};
use super::{Form, Required};
use skilltree_skills::agents::CODEX_CONFIG;
use skilltree_skills::roots::{GEMINI_SETTINGS, QWEN_SETTINGS};

/// Codex 0.171.0, in a project that the user trusts: `Error parsing project config file`, `invalid type` and `unknown variant`.
pub(crate) static CODEX: Required = Required {
    files: &[CODEX_CONFIG],
    skips_malformed: false,
    skips_empty: true,
    forms: &[
        ("model", Form::Of(&[Text])),
        ("sandbox_mode", Form::Word(&["read-only", "workspace-write", "danger-full-access"])),
        ("approval_policy", Form::WordOr(Object, &["untrusted", "on-failure", "on-request", "never"])),
        ("personality", Form::Word(&["none", "friendly", "pragmatic"])),
        ("web_search", Form::Of(&[Text, Object])),
        ("project_doc_max_bytes", Form::Of(&[Number])),
        ("project_doc_fallback_filenames", Form::Of(&[List])),
        ("skills", Form::Of(&[Object])),
        ("features.*", Form::Of(&[Boolean, Object])),
        ("agents.max_threads", Form::Of(&[Number])),
        ("sandbox_workspace_write.network_access", Form::Of(&[Boolean])),
        ("shell_environment_policy.inherit", Form::Word(&["core", "all", "none"])),
        ("mcp_servers", Form::Of(&[Object])),
        ("mcp_servers.*", Form::CodexServer),
        ("mcp_servers.*.command", Form::Of(&[Text])),
        ("mcp_servers.*.args", Form::Of(&[List])),
        ("mcp_servers.*.env", Form::Of(&[Object])),
        ("mcp_servers.*.enabled", Form::Of(&[Boolean])),
        ("mcp_servers.*.startup_timeout_sec", Form::Of(&[Number])),
    ],
};

/// Gemini CLI 0.61.0: `Please fix the configuration file(s) and try again`. A wrong type is a warning.
pub(crate) static GEMINI_CLI: Required =
    Required { files: &[GEMINI_SETTINGS], skips_malformed: false, skips_empty: false, forms: &[] };

/// Qwen Code 0.15.10: `Settings file is not a valid JSON object`. It starts with a file that is not JSON.
pub(crate) static QWEN_CODE: Required =
    Required { files: &[QWEN_SETTINGS], skips_malformed: true, skips_empty: true, forms: &[] };

/// What a permission of opencode is.
const ACTIONS: &[&str] = &["ask", "allow", "deny"];

/// opencode 1.18.33: `is not valid JSON(C)`, and `Configuration is invalid`.
pub(crate) static OPENCODE: Required = Required {
    files: &["opencode.json", "opencode.jsonc"],
    skips_malformed: false,
    skips_empty: true,
    forms: &[
        ("model", Form::Of(&[Text])),
        ("instructions", Form::Of(&[List])),
        ("plugin", Form::Of(&[List])),
        ("disabled_providers", Form::Of(&[List])),
        ("provider", Form::Of(&[Object])),
        ("autoupdate", Form::WordOr(Boolean, &["notify"])),
        ("share", Form::Word(&["manual", "auto", "disabled"])),
        ("tools", Form::Of(&[Object])),
        ("tools.*", Form::Of(&[Boolean])),
        ("agent", Form::Of(&[Object])),
        ("agent.*.tools", Form::Of(&[Object])),
        ("agent.*.mode", Form::Word(&["subagent", "primary", "all"])),
        ("agent.*.temperature", Form::Of(&[Number])),
        ("agent.*.permission.*", Form::WordOr(Object, ACTIONS)),
        ("command.*", Form::Of(&[Object])),
        ("mcp", Form::Of(&[Object])),
        ("mcp.*", Form::OpencodeServer),
        ("mcp.*.environment.*", Form::Of(&[Text])),
        ("permission", Form::WordOr(Object, ACTIONS)),
        ("permission.*", Form::WordOr(Object, ACTIONS)),
        ("permission.*.*", Form::Word(ACTIONS)),
        ("skills.paths", Form::Of(&[List])),
    ],
};
