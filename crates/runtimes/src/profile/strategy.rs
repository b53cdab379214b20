//! Named strategies: behavior of one or two programs, in code. A value that at least three programs share is a key.

use serde::{Deserialize, Deserializer};

mod acts;
mod project;

use super::fields::{AgentFileRule, FieldRule, Platforms, Requirements};
use super::files::Visit;
use super::listing::{Budget, Bundled, Measured};
use super::loads::{Loads, Overrides, Strategy};
use super::outcome::{Handling, Reported, Verdict};
use super::pattern::Pattern;
use super::reading::Repair;
use crate::definition;
use crate::start;
use skilltree_skills::agents::{AGENTS, COMMANDS};
use skilltree_skills::manifest::OVERRIDES;
use skilltree_skills::roots::{CLAUDE_SETTINGS, LOCAL_SETTINGS};

impl<'de> Deserialize<'de> for Loads {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The function that the derived implementation of `remote` defines.
        let mut loads = Self::deserialize(deserializer)?;
        if let Some(strategy) = loads.strategy {
            strategy.apply(&mut loads);
        }
        Ok(loads)
    }
}

impl Strategy {
    /// Adds the behavior to that of the keys.
    fn apply(self, loads: &mut Loads) {
        match self {
            Self::ClaudeApi => loads.files.only_one = true,
            Self::ClaudeCode => claude_code(loads),
            Self::Codex => codex(loads),
            Self::CopilotCli => {
                loads.definitions = Some(&definition::COPILOT_CLI);
                loads.replacing = &[("agents", false)];
                loads.project_hooks = Some(&project::COPILOT_CLI);
                budget(loads, |budget| budget.line = Some(4_960));
                field(loads, "description", |rule| {
                    rule.fallback_if_absent = true;
                    rule.fallback_lines = Some(3);
                });
            }
            Self::Crush => field(loads, "metadata", |rule| rule.nested = Some(DROPS_AND_LOGS)),
            Self::Droid => droid(loads),
            Self::GeminiCli => {
                repair(loads, |repair| repair.continued = words(&["description"]));
                loads.signs = words(&["GEMINI.md", ".gemini/settings.json"]);
                loads.definitions = Some(&definition::GEMINI_CLI);
                loads.toml_commands = true;
                loads.required = Some(&start::GEMINI_CLI);
                loads.project_hooks = Some(&project::GEMINI_CLI);
                loads.switches = Some(project::GEMINI_SWITCHES);
            }
            Self::Goose => trim(loads),
            Self::Grok | Self::NpxSkills => field(loads, "name", |rule| rule.lowercase = true),
            Self::Hermes => hermes(loads),
            Self::Kimi => {
                trim(loads);
                loads.yaml.iter_mut().for_each(|yaml| yaml.null = Some(DROPS_AND_LOGS));
            }
            Self::KimiCode => kimi_code(loads),
            Self::Letta => repair(loads, |repair| repair.blocks = true),
            Self::Openclaw => openclaw(loads),
            Self::Mux => field(loads, "metadata", |rule| (rule.nested, rule.typed_value) = (rule.list, rule.list)),
            Self::Opencode => opencode(loads),
            Self::Openhands => openhands(loads),
            Self::Pi => loads.files.ignored = Some(Visit::Skipped),
            Self::Qoder => qoder(loads),
            Self::QwenCode => qwen_code(loads),
            Self::Roo => engines(loads),
            Self::Swarm => field(loads, "roles", |rule| {
                rule.words = words(&["planner", "builder", "reviewer", "debugger", "researcher"]);
                rule.no_word = Some(DROPS_AND_LOGS);
            }),
            Self::Vibe => {
                loads.text.utf16 = true;
                loads.yaml.iter_mut().for_each(|yaml| yaml.rejects_halves = true);
                loads.keys.agent_file = Some(AgentFileRule::HidesInvalid);
            }
        }
    }
}

/// What OpenHands puts in the middle of a long description.
const OPENHANDS_NOTICE: &str = "<response clipped><NOTE>Due to the max output limit, only part of the full description is \
     shown. You can view the complete skill content at {path}.</NOTE>";

/// Tools of Claude Code: those of 2.1.330, and former ones that skills still name.
const CLAUDE_TOOLS: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "KillBash",
    "KillShell",
    "LS",
    "LSP",
    "ListAgents",
    "ListMcpResourcesTool",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "Read",
    "ReadMcpResourceTool",
    "ReportFindings",
    "ScheduleWakeup",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
];

const DROPS_AND_LOGS: Verdict = Verdict { handling: Handling::Drops, reported: Some(Reported::Log) };

/// Bundled skills of Codex: name, and the lengths of description and path.
const CODEX_SKILLS: [(&str, u64, u64); 4] =
    [("imagegen", 570, 17), ("openai-docs", 624, 20), ("skill-creator", 106, 22), ("skill-installer", 225, 24)];

/// Bundled skills of OpenClaw.
const OPENCLAW_SKILLS: [(&str, u64, u64); 15] = [
    ("browser-automation", 159, 45),
    ("canvas", 102, 33),
    ("clawhub", 140, 34),
    ("control-ui", 170, 37),
    ("diagram-maker", 90, 40),
    ("healthcheck", 106, 38),
    ("meme-maker", 81, 37),
    ("node-connect", 161, 39),
    ("node-inspect-debugger", 85, 48),
    ("skill-creator", 108, 40),
    ("spike", 91, 32),
    ("taskflow", 118, 35),
    ("taskflow-inbox-triage", 118, 48),
    ("visualize", 114, 36),
    ("weather", 125, 34),
];

/// Skills that Claude Code brings along.
const CLAUDE_BUNDLED: [&str; 19] = [
    "batch",
    "claude-api",
    "code-review",
    "dataviz",
    "debug",
    "deep-research",
    "design",
    "design-sync",
    "doctor",
    "fewer-permission-prompts",
    "keybindings-help",
    "loop",
    "plugin-authoring",
    "run",
    "run-skill-generator",
    "simplify",
    "update-config",
    "verify",
    "workflow-authoring",
];

fn claude_code(loads: &mut Loads) {
    budget(loads, |budget| {
        budget.per_token = Some(4);
        budget.maximum = Some(30_000);
        budget.small_window = Some(200_000);
        budget.by_use = true;
    });
    ["name", "when_to_use"].into_iter().for_each(|key| join(loads, key));
    loads.listing.separator = Some(" - ".to_owned());
    loads.listing.labeled_entry = Some("- {name} ({label}): {description}\n".to_owned());
    loads.listing.label_pattern = Some(pattern(r"^[\p{L}\p{N}\p{M}._:-]+$"));
    loads.keys.unlists_until.iter_mut().for_each(|until| {
        until.always = words(&["**", "/**", "**/**"]);
        until.only_text = true;
    });
    field(loads, "paths", |rule| rule.item = Some(Verdict::CHANGES_SILENTLY));
    field(loads, "agent", |rule| rule.needs = Some(("context".to_owned(), "fork".to_owned())));
    loads.keys.tools = words(CLAUDE_TOOLS);
    loads.approval = Some(acts::approval());
    loads.hooks = Some(acts::hooks());
    loads.agents = Some(words(&CLAUDE_BUNDLED));
    loads.replacing = &[("agents", true), ("commands", true), ("outputStyles", true)];
    loads.signs = words(&["CLAUDE.md", CLAUDE_SETTINGS, AGENTS, COMMANDS]);
    loads.counts_from_zero = true;
    loads.fork_agents = words(&["Explore", "Plan", "claude", "general-purpose", "statusline-setup"]);
    loads.overrides = Some(Overrides {
        files: words(&[CLAUDE_SETTINGS, LOCAL_SETTINGS]),
        key: OVERRIDES.to_owned(),
        hides: words(&["off", "user-invocable-only"]),
        names: words(&["name-only"]),
        shows: words(&["on"]),
        tool: "Skill".to_owned(),
    });
}

fn codex(loads: &mut Loads) {
    budget(loads, |budget| {
        budget.bundled = bundled(&CODEX_SKILLS);
        budget.bundled_first = true;
    });
    loads.signs = words(&[".codex/config.toml"]);
    loads.definitions = Some(&definition::CODEX);
    loads.only_skills = Some("https://agent-plugins.org/");
    loads.required = Some(&start::CODEX);
    loads.project_hooks = Some(&project::CODEX);
    repair(loads, |repair| repair.repaired_unless_yaml = Some(pattern(r"^[\[{@`]")));
    loads.keys.agent_file = Some(AgentFileRule::IgnoresInvalid);
    loads.mentions.unreachable =
        words(&["path", "home", "user", "shell", "pwd", "temp", "tmp", "tmpdir", "lang", "term", "xdg_config_home"]);
}

fn droid(loads: &mut Loads) {
    repair(loads, |repair| {
        repair.json_objects = true;
        repair.typed = Some(pattern("^(?:true|false)$"));
    });
    loads.listing.needs_body = true;
    loads.duplicates.by_locale = true;
}

fn hermes(loads: &mut Loads) {
    field(loads, "name", |rule| {
        rule.fallback_if_absent = true;
        rule.null_text = Some("None".to_owned());
    });
    field(loads, "description", |rule| rule.stripped = "'\"".to_owned());
    loads.files.skipped_in_skill = words(&["references", "templates", "assets", "scripts"]);
    loads.keys.platforms = Some(Platforms {
        key: "platforms".to_owned(),
        names: words(&["linux", "macos", "windows"]),
        others: words(&["darwin", "linux", "win32", "android", "termux"]),
    });
}

fn kimi_code(loads: &mut Loads) {
    trim(loads);
    loads.files.skips_groups = true;
    loads.limits.iter_mut().for_each(|limit| limit.whole = true);
    loads.keys.unlists_word = Some(("type".to_owned(), words(&["flow", "reference"])));
}

fn opencode(loads: &mut Loads) {
    engines(loads);
    loads.denials = words(&["opencode.json", "opencode.jsonc"]);
    loads.definitions = Some(&definition::OPENCODE);
    loads.command_definitions = Some(&definition::OPENCODE_COMMANDS);
    loads.required = Some(&start::OPENCODE);
    repair(loads, |repair| {
        repair.fence = Some(pattern(r"\A---\r?\n(?s:.*?)\r?\n---"));
        repair.writes_lf = true;
        repair.refused = Some(DROPS_AND_LOGS);
    });
}

fn openhands(loads: &mut Loads) {
    let scalar = r"\A(?i:[-+]?[0-9][0-9_.:-]*|true|false|yes|no|on|off|null|~)\z";
    loads.keys.unknown_pattern = Some(pattern(scalar));
    loads.listing.repository = Some("/repository".to_owned());
    let limits = loads.limits.iter_mut().filter(|limit| limit.of == Measured::Description);
    limits.for_each(|limit| limit.middle = Some(OPENHANDS_NOTICE.to_owned()));
}

fn qoder(loads: &mut Loads) {
    repair(loads, |repair| {
        repair.blocks = true;
        repair.continued = words(&["description"]);
        repair.typed = Some(pattern(r"^(?:null|~|true|false|[-+]?[0-9]+(?:\.[0-9]+)?)$"));
    });
    let blank = Verdict { handling: Handling::Drops, reported: None };
    loads.fence.iter_mut().for_each(|fence| fence.blank = Some(blank));
}

fn qwen_code(loads: &mut Loads) {
    loads.definitions = Some(&definition::QWEN_CODE);
    loads.required = Some(&start::QWEN_CODE);
    loads.switches = Some(project::QWEN_SWITCHES);
    ["name", "description"].into_iter().for_each(|key| join(loads, key));
    field(loads, "description", |rule| rule.mapping_item = Some(DROPS_AND_LOGS));
    field(loads, "paths", |rule| rule.mapping_item = Some(DROPS_AND_LOGS));
    repair(loads, |repair| repair.typed = Some(pattern("^null$")));
    loads.listing.separator = Some(" — ".to_owned());
}

fn openclaw(loads: &mut Loads) {
    budget(loads, |budget| {
        budget.bundled = bundled(&OPENCLAW_SKILLS);
        budget.common_length = Some((220, 4));
        budget.ends_with = "…".to_owned();
    });
    repair(loads, |repair| repair.replaces = Some(pattern(r"^(?<key>[\w-]+):\s*(?<value>.*)$")));
    loads.listing.repository = Some("~/repository".to_owned());
    loads.keys.requirements = Some(Requirements {
        blocks: words(&["openclaw", "clawdbot"]),
        former: words(&["clawdis"]),
        platforms: words(&["darwin", "linux", "win32"]),
        keys: words(&["bins", "anyBins", "env", "config"]),
        installers: [
            ("brew", &["formula", "cask"][..]),
            ("node", &["package"]),
            ("go", &["module"]),
            ("uv", &["package"]),
            ("download", &["url"]),
        ]
        .map(|(kind, keys)| (kind.to_owned(), words(keys)))
        .into(),
    });
    loads.duplicates.by_locale = true;
}

fn budget(loads: &mut Loads, complete: impl FnOnce(&mut Budget)) {
    if let Some(budget) = &mut loads.budget {
        complete(budget);
    }
}

fn repair(loads: &mut Loads, complete: impl FnOnce(&mut Repair)) {
    if let Some(repair) = &mut loads.repair {
        complete(repair);
    }
}

fn field(loads: &mut Loads, key: &str, complete: impl FnOnce(&mut FieldRule)) {
    if let Some(rule) = loads.fields.get_mut(key) {
        complete(rule);
    }
}

fn join(loads: &mut Loads, key: &str) {
    field(loads, key, |rule| rule.joined = true);
}

fn trim(loads: &mut Loads) {
    loads.fence.iter_mut().for_each(|fence| fence.trimmed = true);
}

fn pattern(source: &str) -> Pattern {
    Pattern::from(source.to_owned())
}

/// Selects a parser by a word after the opening fence, as gray-matter does.
fn engines(loads: &mut Loads) {
    loads.fence.iter_mut().for_each(|fence| fence.engines = true);
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn bundled(skills: &[(&str, u64, u64)]) -> Vec<Bundled> {
    skills.iter().map(|&(name, description, path)| Bundled { name: name.to_owned(), description, path }).collect()
}
