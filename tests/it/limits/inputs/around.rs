//! Files around skills: those of packages, and settings, agents, commands and hooks of a project.

use super::{FRONT_MATTER, Input, SETTINGS, Size, alone, fill, paths};
use crate::common::good;

/// A skill that most runtimes find.
const SKILL: &str = ".claude/skills/a/SKILL.md";

/// A text of a number of bytes: a start, a part that is repeated with its number for `%`, and an end.
fn filled(bytes: usize, start: &str, text: &str, end: &str) -> String {
    let inside = bytes.saturating_sub(start.len() + end.len());
    format!("{start}{}{end}", fill(inside, |turn| text.replace('%', &turn.to_string())))
}

/// A list of so many values.
fn list(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(",")
}

impl Input {
    fn with(mut self, text: impl Into<String>, paths: Vec<String>) -> Self {
        self.files.push((text.into(), paths));
        self
    }

    fn with_skill(self) -> Self {
        self.with(good("a"), vec![SKILL.into()])
    }
}

/// A file at the top next to a skill.
fn project(name: &'static str, path: &str, text: String, expected: (i32, &'static str)) -> Input {
    alone(name, path, text, expected).with_skill()
}

/// A file of a plugin with a skill.
fn plugin(name: &'static str, path: &str, text: String, expected: (i32, &'static str)) -> Input {
    alone(name, &format!("p/{path}"), text, expected)
        .with(r#"{"name":"p","version":"1.0.0"}"#, vec!["p/.claude-plugin/plugin.json".into()])
        .with(good("b"), vec!["p/skills/b/SKILL.md".into()])
}

pub(super) fn inputs(size: Size) -> Vec<Input> {
    [
        definitions(size),
        commands(size),
        settings(size),
        hooks(size),
        servers(size),
        packages(size),
        published(size),
        of_skills(size),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn definitions(size: Size) -> Vec<Input> {
    let text = |bytes: usize, start: &str, text: &str| filled(size.of(bytes), start, text, "");
    let agents = |most: usize, path: fn(usize) -> String| paths(size.of(most), path);
    let toml = |text: &str| filled(size.of(SETTINGS), "name = 'a'\n", text, "");
    vec![
        project("agents with one name", "x", String::new(), (0, "ineffective-agent")).with(
            "---\nname: a\ndescription: d\nskills: [gone]\n---\n",
            agents(10_000, |turn| format!(".claude/agents/a{turn}.md")),
        ),
        project("front matter of agents", "x", String::new(), (2, "has more nodes than the limit")).with(
            text(FRONT_MATTER, "---\nname: a\n", "k%: [{a: b}]\n") + "---\n",
            agents(240, |turn| format!(".claude/agents/a{turn}.md")),
        ),
        project("agents without effect", "x", String::new(), (0, "ineffective-agent"))
            .with("---\ntools: 1\nx: y\n---\n", agents(10_000, |turn| format!(".gemini/agents/a{turn}.md"))),
        project("agents of opencode", "x", String::new(), (1, ""))
            .with("---\ntools: a\ncolor: red\n---\n", agents(10_000, |turn| format!(".opencode/agent/a{turn}.md"))),
        plugin("agents of a plugin", "x", String::new(), (0, "ineffective-agent"))
            .with("---\ntools: [\n---\n", agents(10_000, |turn| format!("p/agents/a{turn}.md"))),
        alone("agents of plugins", "x", String::new(), (0, "ineffective-agent"))
            .with(r#"{"name":"p"}"#, agents(60, |turn| format!("p{turn}/.claude-plugin/plugin.json")))
            .with(good("b"), agents(60, |turn| format!("p{turn}/skills/b{turn}/SKILL.md")))
            .with("---\nx: [\n---\n", agents(540_000, |turn| format!("p{}/agents/a{turn}.md", turn % 60))),
        project("agents in TOML", "x", String::new(), (0, "ineffective-agent"))
            .with("name = 1\nx = 2\n", agents(10_000, |turn| format!(".codex/agents/a{turn}.toml"))),
        project("keys of an agent in TOML", ".codex/agents/a.toml", toml("k% = 1\n"), (0, "ineffective-agent")),
        project("tables of an agent in TOML", ".codex/agents/a.toml", toml("[a%.b.c]\n"), (0, "ineffective-agent")),
        project("nested TOML", ".codex/agents/a.toml", toml("[["), (0, "ineffective-agent")),
        project("dotted TOML", ".codex/config.toml", filled(size.of(SETTINGS), "a", ".a", " = 1\n"), (1, "")),
        project("servers in TOML", ".codex/config.toml", toml("[mcp_servers.s%]\ncommand = 1\n"), (1, "")),
        project("keys of a table in TOML", ".codex/config.toml", toml("x.k%.a = [[{b=1}]]\n"), (0, "")),
        project("arrays of tables in TOML", ".codex/config.toml", toml("[[a]]\nb = 1\n[[a.b%]]\n"), (0, "")),
    ]
}

fn commands(size: Size) -> Vec<Input> {
    let command = |text: &str| filled(size.of(SETTINGS), "---\ndescription: d\n---\n", text, "");
    let many = |most: usize, path: fn(usize) -> String| paths(size.of(most), path);
    vec![
        project("commands of one command", ".claude/commands/c.md", command("Run !`npm test %` now.\n"), (0, "")),
        project(
            "arguments of a command",
            ".claude/commands/c.md",
            command("$% $ARGUMENTS $1 \"$ARGUMENTS[%]\"\n"),
            (0, ""),
        ),
        project("skills of a command", ".claude/commands/c.md", command("Read .claude/skills/s%/SKILL.md.\n"), (0, "")),
        project("commands", "x", String::new(), (0, "")).with(
            "---\nallowed-tools: Bash(git:*)\n---\n!`npm test`\n",
            many(90_000, |turn| format!(".claude/commands/c{turn}.md")),
        ),
        project(
            "tools of commands",
            "x",
            String::new(),
            size.expects((0, ""), (2, "take more than 256 MiB of memory")),
        )
        .with(
            format!("---\nallowed-tools: [{}]\n---\n!`npm test`\n", list(900, |turn| format!("Bash(a{turn} *b*c*:*)"))),
            many(3_000, |turn| format!(".claude/commands/c{turn}.md")),
        ),
        project("commands in TOML", "x", String::new(), (0, "ineffective-agent"))
            .with("prompt = 1\n", many(10_000, |turn| format!(".gemini/commands/c{turn}.toml"))),
        project(
            "a command in TOML",
            ".gemini/commands/c.toml",
            filled(size.of(SETTINGS), "", "k% = '!{x}'\n", ""),
            (0, "ineffective-agent"),
        ),
        project(
            "a long text in TOML",
            ".gemini/commands/c.toml",
            filled(size.of(SETTINGS), "prompt = '''", "!{a%} @{b} ", "'''"),
            (0, ""),
        ),
    ]
}

fn settings(size: Size) -> Vec<Input> {
    let json = |start: &str, text: &str, end: &str| filled(size.of(SETTINGS), start, text, end);
    const CLAUDE: &str = ".claude/settings.json";
    const GEMINI: &str = ".gemini/settings.json";
    let names = |most: usize| paths(size.of(most), |turn| format!(".claude/skills/s{turn}/SKILL.md"));
    let permission = |count: usize, text: &dyn Fn(usize) -> String| {
        format!("{{\"permissions\":{{\"allow\":[{}],\"deny\":[{}]}}}}", list(count, text), list(count, text))
    };
    vec![
        project(
            "overrides of skills",
            CLAUDE,
            json("{\"skillOverrides\":{", "\"s%\":\"x\",", "\"a\":\"on\"}}"),
            (0, ""),
        ),
        project(
            "permissions",
            CLAUDE,
            permission(size.of(500), &|turn| format!("\"Skill(s{turn}*)\"")),
            (1, "duplicate-name"),
        )
        .with(good("s"), names(20_000)),
        project(
            "too many permissions",
            CLAUDE,
            permission(size.of(20_000), &|turn| format!("\"Skill(s{turn})\"")),
            size.expects((0, ""), (2, "more than 1,000 permissions")),
        ),
        project(
            "hooks in settings",
            CLAUDE,
            json("{\"hooks\":{\"Stop\":[", "{\"matcher\":\"((a%*)*)*\",\"hooks\":[{}]},", "1]}}"),
            (0, ""),
        ),
        project("enabled plugins", CLAUDE, json("{\"enabledPlugins\":{", "\"p%@m\":1,", "\"a\":1}}"), (0, "")),
        project(
            "marketplaces in settings",
            CLAUDE,
            json("{\"extraKnownMarketplaces\":{", "\"m%\":{\"source\":1},", "\"a\":1}}"),
            (0, ""),
        ),
        project("nested settings", CLAUDE, "[".repeat(size.of(SETTINGS)), (0, "")),
        project("keys of settings", GEMINI, json("{", "\"k%\":1,", "\"tools\":1}"), (0, "")),
        project("commas in settings", GEMINI, json("{\"hooks\":[", "1, ,//\n", "]}"), (1, "")),
        project("comments in settings", GEMINI, json("{", "/*\"*/ ", "}"), (0, "")),
        project("servers in settings", GEMINI, json("{\"mcpServers\":{", "\"s%\":1,", "\"a\":1}}"), (0, "")),
        project("disabled skills", GEMINI, json("{\"skills\":{\"disabled\":[", "\"s%\",", "1]}}"), (0, "")),
        project(
            "excluded tools",
            GEMINI,
            json("{\"tools\":{\"exclude\":[", "\"s%\",", "1]}}"),
            size.expects((0, ""), (2, "more than 1,000 permissions")),
        ),
        project(
            "hooks in other settings",
            ".qwen/settings.json",
            json("{\"hooks\":{", "\"E%\":[{\"hooks\":[{}]}],", "\"Stop\":1}}"),
            (0, ""),
        ),
        project(
            "paths in settings",
            "opencode.json",
            json("{\"skills\":{\"paths\":[", "\"p%/**\",", "\".\"]}}"),
            (0, ""),
        ),
        project(
            "patterns of permissions",
            "opencode.json",
            format!(
                "{{\"permission\":{{\"skill\":{{{}}}}}}}",
                list(size.of(1_000), |turn| format!("\"{}{turn}\":\"deny\"", "s*".repeat(200)))
            ),
            (1, "duplicate-name"),
        )
        .with(good("s"), names(20_000)),
        project(
            "places in settings",
            ".vscode/settings.json",
            json("{\"chat.agentSkillsLocations\":{", "\"p%/*/**\":true,", "\".\":1}} // c"),
            (0, ""),
        ),
        project("skills in settings", ".pi/settings.json", json("{\"skills\":[", "\"../p%\",", "1]}"), (0, "")),
    ]
}

fn hooks(size: Size) -> Vec<Input> {
    let json = |start: &str, text: &str, end: &str| filled(size.of(SETTINGS), start, text, end);
    const ONE: &str = "{\"matcher\":\"Bas%|(b\",\"hooks\":[{\"type\":\"command\",\"command\":\"${CLAUDE_PLUGIN_ROOT}/scripts/s%.sh\"}]},";
    let scripts = |most: usize| paths(size.of(most), |turn| format!("p/scripts/s{turn}.sh"));
    vec![
        project(
            "hooks of Codex",
            ".codex/hooks.json",
            json("{\"hooks\":{\"PreToolUse\":[", ONE, "1]}}"),
            (0, "unusable-settings"),
        ),
        project(
            "events of Codex",
            ".codex/hooks.json",
            json("{\"hooks\":{", "\"E%\":[1],", "\"Stop\":1}}"),
            (0, "unusable-settings"),
        ),
        project("files of hooks", "x", String::new(), size.expects((0, "unusable-settings"), (2, "more than 10,000")))
            .with(
                r#"{"version":1,"hooks":{"a":[{}]}}"#,
                paths(size.of(10_100), |turn| format!(".github/hooks/h{turn}.json")),
            ),
        project(
            "hooks of one file",
            ".github/hooks/h.json",
            json("{\"version\":1,\"hooks\":{\"sessionStart\":[", "{\"type\":%},", "1]}}"),
            (0, "unusable-settings"),
        ),
        plugin("hooks of a plugin", "hooks/hooks.json", json("{\"hooks\":{\"PreToolUse\":[", ONE, "1]}}"), (1, "")),
        plugin(
            "events of a plugin",
            "hooks/hooks.json",
            json("{\"hooks\":{", "\"Pre%\":[{\"hooks\":[]}],", "\"Stop\":1}}"),
            (0, "more findings of this rule in this file"),
        ),
        plugin("scripts of hooks", "hooks/hooks.json", json("{\"hooks\":{\"PreToolUse\":[", ONE, "1]}}"), (1, ""))
            .with("#!/bin/sh\r\necho x\n", scripts(8_000)),
        plugin(
            "long scripts of hooks",
            "hooks/hooks.json",
            json("{\"hooks\":{\"PreToolUse\":[", ONE, "1]}}"),
            size.expects((1, ""), (2, "64")),
        )
        .with("#".repeat(size.of(SETTINGS)), scripts(80)),
        plugin(
            "words of a command",
            "hooks/hooks.json",
            json(
                "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"",
                "'${CLAUDE_PLUGIN_ROOT}/a%' && ",
                "x\"}]}]}}",
            ),
            (0, ""),
        ),
    ]
}

fn servers(size: Size) -> Vec<Input> {
    let json = |start: &str, text: &str, end: &str| filled(size.of(SETTINGS), start, text, end);
    const ONE: &str = "\"s%\":{\"command\":\"${CLAUDE_PLUGIN_ROOT}/s%\",\"args\":[\"${user_config.k%}\"],\"url\":1},";
    vec![
        project("servers of a project", ".mcp.json", json("{\"mcpServers\":{", ONE, "\"a\":1}}"), (0, "")).with(
            good("c") + &fill(size.of(200_000), |turn| format!("Call `mcp__s{turn}__t` or s{turn}:t.\n")),
            vec![".claude/skills/c/SKILL.md".into()],
        ),
        plugin(
            "servers of a plugin",
            ".mcp.json",
            json("{\"mcpServers\":{", ONE, "\"a\":1}}"),
            (0, "more findings of this rule in this file"),
        ),
        plugin(
            "options of servers",
            ".mcp.json",
            json("{\"mcpServers\":{\"s\":{\"command\":\"x\",\"args\":[", "\"${user_config.k%} ${A_%:-b}\",", "1]}}}"),
            (0, ""),
        ),
    ]
}

fn packages(size: Size) -> Vec<Input> {
    let json = |start: &str, text: &str, end: &str| filled(size.of(SETTINGS), start, text, end);
    let many = |most: usize, path: fn(usize) -> String| paths(size.of(most), path);
    vec![
        plugin(
            "an extension",
            "gemini-extension.json",
            json("{\"name\":\"e\",\"settings\":[", "{\"name\":%},", "1]}"),
            (1, ""),
        ),
        alone("extensions", "x", String::new(), (1, ""))
            .with("{\"name\":\"e\",\"version\":1}", many(9_000, |turn| format!("e{turn}/gemini-extension.json")))
            .with(good("b"), many(9_000, |turn| format!("e{turn}/skills/b{turn}/SKILL.md")))
            .with("prompt = 1\n", many(9_000, |turn| format!("e{turn}/commands/c.toml"))),
        plugin("parts next to a manifest", "x", String::new(), (0, ""))
            .with("x", many(90_000, |turn| format!("p/.claude-plugin/agents/a{turn}.md"))),
        alone(
            "files that a key replaces",
            "p/.claude-plugin/plugin.json",
            json("{\"name\":\"p\",\"agents\":[", "\"./agents/x%.md\",", "\"./a.md\"]}"),
            (0, ""),
        )
        .with("---\nname: a\n---\n", many(90_000, |turn| format!("p/agents/a{turn}.md")))
        .with(good("b"), vec!["p/skills/b/SKILL.md".into()]),
        plugin("output styles", "x", String::new(), (0, ""))
            .with("---\nname: a\n---\n", many(90_000, |turn| format!("p/output-styles/a{turn}.md"))),
        alone("nested plugins", "x", String::new(), size.expects((0, ""), (1, "duplicate-name")))
            .with(
                r#"{"name":"p","skills":["./skills"]}"#,
                many(120, |turn| format!("{}.claude-plugin/plugin.json", "d/".repeat(turn))),
            )
            .with(good("b"), many(2_000, |turn| format!("{}skills/b{turn}/SKILL.md", "d/".repeat(turn % 120)))),
        alone("marketplaces", "x", String::new(), (1, ""))
            .with(
                format!(
                    "{{\"name\":\"m\",\"owner\":{{\"name\":\"o\"}},\"plugins\":[{}]}}",
                    list(200, |turn| format!(
                        "{{\"name\":\"p{turn}\",\"source\":\"./p{turn}\",\"skills\":[\"./a\",\"./b\"]}}"
                    ))
                ),
                [".agents/plugins/", ".claude-plugin/", ".cursor-plugin/", ".github/plugin/", ".plugin/"]
                    .iter()
                    .flat_map(|place| paths(size.of(18), |turn| format!("m{turn}/{place}marketplace.json")))
                    .collect(),
            )
            .with(good("b"), many(2_000, |turn| format!("m{}/p{}/skills/b{turn}/SKILL.md", turn % 18, turn % 200))),
    ]
}

fn published(size: Size) -> Vec<Input> {
    let many = |most: usize, path: fn(usize) -> String| paths(size.of(most), path);
    let package = |files: String| format!("{{\"name\":\"n\",\"pi\":{{\"skills\":[\"./skills\"]}}{files}}}");
    let files = |count: usize, text: &dyn Fn(usize) -> String| package(format!(",\"files\":[{}]", list(count, text)));
    let skills = || many(10_000, |turn| format!("skills/{}b{turn}/SKILL.md", "d/".repeat(turn % 3)));
    let package_file = || vec!["package.json".to_owned()];
    vec![
        alone(
            "entries of `files`",
            "package.json",
            files(size.of(1_000), &|turn| format!("\"{}b{turn}\"", "**/*a*".repeat(20))),
            (1, "duplicate-name"),
        )
        .with(good("b"), skills()),
        alone(
            "long entries of `files`",
            "package.json",
            files(size.of(1_000), &|turn| format!("\"{}{turn}\"", "[a-z]*?".repeat(140))),
            (1, "duplicate-name"),
        )
        .with(good("b"), skills()),
        alone(
            "lines of `.npmignore`",
            ".npmignore",
            fill(size.of(64_000), |turn| format!("**/*a{turn}*b?[c-z]{{x,y}}/**/*\n")),
            (1, "duplicate-name"),
        )
        .with(package(String::new()), package_file())
        .with(good("b"), skills()),
        alone("a long line of `.npmignore`", ".npmignore", "[a-z]*?".repeat(size.of(8_000_000)), (1, "duplicate-name"))
            .with(package(String::new()), package_file())
            .with(good("b"), skills()),
        alone(
            "long lines of `.npmignore`",
            ".npmignore",
            ("[a-z]*?".repeat(size.of(8_000)) + "\n").repeat(900),
            (2, "more than 1,048,576 bytes in total"),
        )
        .with(package(String::new()), package_file())
        .with(good("b"), skills()),
        alone("files of `.npmignore`", "x", String::new(), (0, ""))
            .with(fill(6_000, |turn| format!("x{turn}\n")), many(9_000, |turn| format!("p{turn}/.npmignore")))
            .with(package(String::new()), many(9_000, |turn| format!("p{turn}/package.json")))
            .with(good("b"), many(9_000, |turn| format!("p{turn}/skills/b{turn}/SKILL.md"))),
        alone(
            "names of a lock",
            "skills-lock.json",
            format!(
                "{{\"skills\":{{{}}}}}",
                list(size.of(9_000), |turn| format!(
                    "\"a{}\":{{\"computedHash\":\"{}\"}}",
                    "-".repeat(1 + turn % 9),
                    "0".repeat(64)
                ))
            ),
            (0, ""),
        )
        .with(good("a"), vec![".claude/skills/a/SKILL.md".into()])
        .with("x", paths(size.of(990), |turn| format!(".claude/skills/a/data/f{turn}"))),
        alone(
            "skills of a lock",
            "skills-lock.json",
            format!(
                "{{\"skills\":{{{}}}}}",
                list(size.of(9_000), |turn| format!("\"a{turn}\":{{\"computedHash\":\"{}\"}}", "0".repeat(64)))
            ),
            (1, "locked-skill-changed"),
        )
        .with(good("a"), paths(size.of(9_000), |turn| format!(".claude/skills/a{turn}/SKILL.md"))),
    ]
}

fn of_skills(size: Size) -> Vec<Input> {
    let bytes = size.of(FRONT_MATTER);
    let agent = |name, text: String, expected| {
        alone(name, "x", String::new(), expected)
            .with(good("s"), paths(size.of(2_000), |turn| format!(".agents/skills/s{turn}/SKILL.md")))
            .with(text, paths(size.of(2_000), |turn| format!(".agents/skills/s{turn}/agents/openai.yaml")))
    };
    let called = |text: String, expected| {
        let calls: String = (0..size.of(1_000)).map(|turn| format!("Run `scripts/r{turn}.sh`.\n")).collect();
        alone("scripts of a skill", "x", String::new(), expected)
            .with(good("a") + &calls, vec![".agents/skills/a/SKILL.md".into()])
            .with(text, paths(size.of(1_000), |turn| format!(".agents/skills/a/scripts/r{turn}.sh")))
    };
    vec![
        agent("keys of openai.yaml", fill(bytes, |turn| format!("k{turn}: 1\n")), (1, "")),
        agent("nested openai.yaml", format!("a: {}", "[".repeat(bytes)), (1, "")),
        agent(
            "aliases of openai.yaml",
            format!("a: &a {}\nb: [{}]\n", "x".repeat(bytes / 2), vec!["*a"; 900].join(",")),
            (1, ""),
        ),
        called(fill(size.of(500_000), |turn| format!("read answer{turn}; read -p x y\n")), (0, "")),
    ]
}
