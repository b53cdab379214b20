//! What each program makes of definitions of agents: run with files of each kind.

use super::{Definitions, Form};

/// Gemini CLI 0.61.0: `Agent loading error: Failed to load agent from …`.
pub(crate) static GEMINI_CLI: Definitions = Definitions {
    noun: "agent",
    directories: &[".gemini/agents"],
    nested: false,
    underscore: false,
    is_toml: false,
    needs_front_matter: true,
    required: &["name", "description"],
    known: &[
        "kind",
        "name",
        "description",
        "display_name",
        "tools",
        "mcp_servers",
        "model",
        "temperature",
        "max_turns",
        "timeout_mins",
        "auth",
        "agent_card_url",
        "agent_card_json",
    ],
    forms: &[
        ("kind", Form::Words(&["local", "remote"])),
        ("name", Form::Slug),
        ("description", Form::Text),
        ("display_name", Form::Text),
        ("tools", Form::List),
        ("mcp_servers", Form::Mapping),
        ("model", Form::Text),
        ("temperature", Form::Number),
        ("max_turns", Form::Number),
        ("timeout_mins", Form::Number),
    ],
    skips_null: false,
    tools: &[
        "*",
        "activate_skill",
        "ask_user",
        "complete_task",
        "enter_plan_mode",
        "exit_plan_mode",
        "get_internal_docs",
        "glob",
        "google_web_search",
        "grep_search",
        "invoke_agent",
        "list_directory",
        "list_mcp_resources",
        "read_file",
        "read_many_files",
        "read_mcp_resource",
        "replace",
        "run_shell_command",
        "search_file_content",
        "tracker_add_dependency",
        "tracker_create_task",
        "tracker_get_task",
        "tracker_list_tasks",
        "tracker_update_task",
        "tracker_visualize",
        "update_topic",
        "web_fetch",
        "write_file",
        "write_todos",
    ],
    stops: false,
    shared: false,
    is_lenient: true,
};

/// Tools that a list of Gemini CLI can have.
pub(super) const GEMINI_SAMPLE: &str = "read_file, grep_search";

/// Tools of Claude Code, and those of Gemini CLI that do the same.
pub(super) const GEMINI_TOOLS: [(&str, &str); 11] = [
    ("Bash", "run_shell_command"),
    ("Edit", "replace"),
    ("Glob", "glob"),
    ("Grep", "grep_search"),
    ("LS", "list_directory"),
    ("Read", "read_file"),
    ("Skill", "activate_skill"),
    ("TodoWrite", "write_todos"),
    ("WebFetch", "web_fetch"),
    ("WebSearch", "google_web_search"),
    ("Write", "write_file"),
];

/// Copilot CLI 1.0.102: `custom agent markdown frontmatter is malformed`, in its log.
pub(crate) static COPILOT_CLI: Definitions = Definitions {
    noun: "agent",
    directories: &[".github/agents"],
    nested: true,
    underscore: true,
    is_toml: false,
    needs_front_matter: true,
    required: &["description"],
    known: &[],
    forms: &[
        ("name", Form::Text),
        ("description", Form::Text),
        ("disable-model-invocation", Form::Boolean),
        ("infer", Form::Boolean),
        ("mcp-servers", Form::Mapping),
        ("model", Form::Names),
        ("skills", Form::List),
        ("tools", Form::Names),
        ("user-invocable", Form::Boolean),
    ],
    skips_null: false,
    tools: &[],
    stops: false,
    shared: true,
    is_lenient: false,
};

/// Qwen Code 0.15.10, whose YAML has no flow lists: the request to the model lacks the agent.
pub(crate) static QWEN_CODE: Definitions = Definitions {
    noun: "agent",
    directories: &[".qwen/agents"],
    nested: false,
    underscore: true,
    is_toml: false,
    needs_front_matter: false,
    required: &["name", "description"],
    known: &[],
    forms: &[
        ("name", Form::Word),
        ("tools", Form::Lines),
        ("approvalMode", Form::Words(&["plan", "default", "auto-edit", "yolo"])),
    ],
    skips_null: true,
    tools: &[],
    stops: false,
    shared: false,
    is_lenient: true,
};

/// What a permission of opencode can be.
const PERMISSIONS: &[&str] = &["allow", "ask", "deny"];

/// Colors of themes.
const THEME: &[&str] = &["primary", "secondary", "accent", "success", "warning", "error", "info"];

/// Colors that agents of Claude Code have.
pub(super) const COLORS: [(&str, &str); 8] = [
    ("blue", "#0000ff"),
    ("cyan", "#00ffff"),
    ("green", "#008000"),
    ("orange", "#ffa500"),
    ("pink", "#ffc0cb"),
    ("purple", "#800080"),
    ("red", "#ff0000"),
    ("yellow", "#ffff00"),
];

/// opencode 1.18.33: `Configuration is invalid at …`, from every command.
pub(crate) static OPENCODE: Definitions = Definitions {
    noun: "agent",
    directories: &[".opencode/agent", ".opencode/agents"],
    nested: true,
    underscore: true,
    is_toml: false,
    needs_front_matter: false,
    required: &[],
    known: &[],
    forms: &[
        ("description", Form::Text),
        ("mode", Form::Words(&["subagent", "primary", "all"])),
        ("model", Form::Text),
        ("variant", Form::Text),
        ("color", Form::Color(THEME)),
        ("temperature", Form::Number),
        ("top_p", Form::Number),
        ("steps", Form::Number),
        ("maxSteps", Form::Number),
        ("disable", Form::Boolean),
        ("hidden", Form::Boolean),
        ("tools", Form::Switches),
        ("options", Form::Mapping),
        ("permission", Form::Rules(PERMISSIONS)),
    ],
    skips_null: false,
    tools: &[],
    stops: true,
    shared: false,
    is_lenient: true,
};

/// opencode 1.18.33: `Configuration is invalid at …`, with `SchemaError`.
pub(crate) static OPENCODE_COMMANDS: Definitions = Definitions {
    noun: "command",
    directories: &[".opencode/command", ".opencode/commands"],
    forms: &[
        ("description", Form::Text),
        ("agent", Form::Text),
        ("model", Form::Text),
        ("variant", Form::Text),
        ("subtask", Form::Boolean),
    ],
    ..OPENCODE
};

/// Codex 0.171.0: `Ignoring malformed agent role definition`, as a warning of the app server.
pub(crate) static CODEX: Definitions = Definitions {
    noun: "agent",
    directories: &[".codex/agents"],
    nested: true,
    underscore: true,
    is_toml: true,
    needs_front_matter: false,
    required: &[],
    known: &[],
    forms: &[],
    skips_null: false,
    tools: &[],
    stops: false,
    shared: false,
    is_lenient: true,
};
