//! Files around skills, each with a few texts: manifests of packages, what packages have next to skills, and settings, agents, commands
//! and hooks of a project.

/// A file, and what it may hold.
pub(super) type Known = (&'static str, &'static [&'static str]);

/// Files that runtimes read at the top.
pub(super) const OF_PROJECT: [Known; 25] = [
    (".claude/agents/s0.md", AGENTS),
    (".claude/agents/more/a.md", AGENTS),
    (".claude/commands/s1.md", COMMANDS),
    (
        ".claude/settings.json",
        &[
            r#"{"skillOverrides":{"s0":"off","gone":"on","s1":"maybe"}}"#,
            r#"{"permissions":{"allow":["Skill(s0)","Skill(gone)","Bash(npm test:*)"],"deny":["Read"],"ask":[1]}}"#,
            r#"{"hooks":{"Nothing":[{}]},"enabledPlugins":{"p@m":true},"extraKnownMarketplaces":{"m":{"source":1}}}"#,
            "{",
        ],
    ),
    (
        ".codex/agents/a.toml",
        &["name = 'a'\ndescription = 'd'\ndeveloper_instructions = 'i'\n", "name = 1\ncolor = 'red'\n", "= x"],
    ),
    (
        ".codex/config.toml",
        &["model = 1\n[mcp_servers.a]\ncommand = 'a'\n", "[[a.b]]\n[a.c]\nx = [[[[[[[[[1]]]]]]]]]\n", "[a\n"],
    ),
    (".codex/hooks.json", HOOKS),
    (".cursor/rules/a.mdc", &["---\nalwaysApply: true\n---\nx\n"]),
    (".gemini/agents/a.md", AGENTS),
    (".gemini/commands/a.toml", &["prompt = 'Run !{npm test} and @{x}'\n", "prompt = 1\n", "{"]),
    (
        ".gemini/settings.json",
        &[
            r#"{"tools":{"exclude":["a"]},"skills":{"disabled":["s0"],"enabled":1},}"#,
            r#"{"mcpServers":{"a":1},"hooks":{"BeforeTool":[{}]}} // x"#,
        ],
    ),
    (".github/agents/a.agent.md", AGENTS),
    (".github/hooks/any.json", HOOKS),
    (".gitignore", &["*.log\n", "nothing/*\n!nothing/a\n"]),
    (".mcp.json", SERVERS),
    (".opencode/agent/a.md", AGENTS),
    (".opencode/agents/b.md", AGENTS),
    (".qwen/agents/a.md", AGENTS),
    (".qwen/settings.json", &[r#"{"skills":{"disabled":["s1"]},"hooks":{"Stop":"x"}}"#]),
    (".vscode/settings.json", &[r#"{"chat.agentSkillsLocations":{"pack":true,"gone/**":false}} // c"#]),
    ("AGENTS.md", &["Read [s0](.claude/skills/s0/SKILL.md), `skills/s1` and [gone](skills/gone/SKILL.md).\n"]),
    ("README.md", &["- skills/s0\n- skills/gone\n- skills/s0\n", "", "skills/first: Does first.\n"]),
    (
        "opencode.json",
        &[
            r#"{"skills":{"paths":["pack","gone"]},"permission":{"skill":{"s0":"deny","x*":"ask"}}}"#,
            r#"{"mcp":{"a":{"type":"local"}},"agent":1,}"#,
        ],
    ),
    ("skills-lock.json", &[LOCK]),
    ("CLAUDE.md", &["@AGENTS.md\n"]),
];

/// Files of packages: manifests, and parts that are not skills.
pub(super) const OF_PACKAGE: [Known; 32] = [
    (".agents/plugins/marketplace.json", MARKETPLACES),
    (".claude-plugin/marketplace.json", MARKETPLACES),
    (".cursor-plugin/marketplace.json", MARKETPLACES),
    (".github/plugin/marketplace.json", MARKETPLACES),
    (".plugin/marketplace.json", MARKETPLACES),
    ("marketplace.json", MARKETPLACES),
    (".claude-plugin/plugin.json", PLUGINS),
    (".codex-plugin/plugin.json", PLUGINS),
    (".cursor-plugin/plugin.json", PLUGINS),
    (".github/plugin/plugin.json", PLUGINS),
    (".kimi-plugin/plugin.json", PLUGINS),
    ("plugin.json", PLUGINS),
    ("openclaw.plugin.json", PLUGINS),
    (
        "gemini-extension.json",
        &[
            r#"{"name":"e","version":"1.0.0","contextFileName":"GEMINI.md","mcpServers":{"a":{"command":"node"}}}"#,
            r#"{"name":1,"settings":[{"envVar":1}]}"#,
        ],
    ),
    ("qwen-extension.json", &[r#"{"name":"e","version":"1.0.0","skills":"pack"}"#]),
    (
        "package.json",
        &[
            r#"{"name":"n","version":"1.0.0","pi":{"skills":["./pack","./skills"]},"files":["pack/**","!pack/s0"]}"#,
            r#"{"name":"n","openclaw":{"extensions":["./x.js"]}}"#,
            r#"{"name":"n","contributes":{"chatSkills":[{"path":"./skills/s0/SKILL.md"},{"path":"gone"}]}}"#,
            r#"{"name":"n","workspaces":["plugins/*"]}"#,
        ],
    ),
    (".npmignore", &["skills\n!skills/s0\n", "**/SKILL.md\n/pack/\n", "[\n\\\n"]),
    ("agents/a.md", AGENTS),
    (".claude-plugin/agents/a.md", AGENTS),
    ("commands/s0.md", COMMANDS),
    ("commands/a.toml", &["prompt = 'x'\n", "prompt = 1\n"]),
    ("output-styles/o.md", &["---\nname: o\ndescription: d\n---\nx\n"]),
    ("hooks/hooks.json", HOOKS),
    ("hooks/run.sh", SCRIPTS),
    ("hooks.json", HOOKS),
    ("scripts/run.sh", SCRIPTS),
    (".mcp.json", SERVERS),
    ("mcp.json", SERVERS),
    ("references/b.md", &["# B\n", "[a](../../up.md)\n"]),
    (".ignore", &["s0/\n", "[\n", "**/s1\n!s1\n"]),
    (
        "skills/s0/agents/openai.yaml",
        &["interface:\n  display_name: S\n", "policy: {allow_implicit_invocation: 1}\n", "a: [\n"],
    ),
    ("GEMINI.md", &["Use skills/s0/SKILL.md.\n"]),
];

const MARKETPLACES: &[&str] = &[
    r#"{"name":"m","owner":{"name":"o"},"plugins":[{"name":"p","source":"./","skills":["./pack/s1"]},{"name":"q","source":"./plugins/p"}]}"#,
    r#"{"name":"m","owner":{"name":"o"},"metadata":{"pluginRoot":"./plugins"},"plugins":[{"name":"p","source":"p","strict":false}]}"#,
    r#"{"name":"m","plugins":[{"name":"gone","source":"./gone"},{"name":"p","source":{"source":"github","repo":"o/r"}},1]}"#,
    r#"{"name":"m","owner":{"name":"o"},"plugins":[{"name":"p","source":"./a","skills":"./","commands":["./commands/s0.md"]}]}"#,
    r#"{"plugins":{}}"#,
];

const PLUGINS: &[&str] = &[
    r#"{"name":"p","skills":["./pack","./a/s0"]}"#,
    r#"{"name":"p","skills":"./pack"}"#,
    r#"{"name":"p","version":"1.0.0","description":"d"}"#,
    r#"{"name":"p","agents":["./agents/a.md"],"commands":"./gone","hooks":"./hooks.json","mcpServers":"./mcp.json"}"#,
    r#"{"name":"P p","skills":["../a","/etc","./s0/SKILL.md"],"hooks":{"Stop":[{"hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/hooks/run.sh"}]}]}}"#,
    r#"{"name":1,"skills":1}"#,
    "",
];

const AGENTS: &[&str] = &[
    "---\nname: a\ndescription: d\nskills: s0, gone\n---\nx\n",
    "---\nname: a\ndescription: d\nallowed-tools: Read\nmodel: sonet\n---\nx\n",
    "---\nname: s0\ndescription: a: b\n---\nx\n",
    "no front matter\n",
];

const COMMANDS: &[&str] = &[
    "---\nallowed-tools: Bash(git:*)\n---\nRun !`npm test` with $1 and $ARGUMENTS.\n",
    "Read .claude/skills/s0/SKILL.md, and follow it.\n",
    "---\nallowed-tools: [\n---\n!`git status`\n",
];

const HOOKS: &[&str] = &[
    r#"{"hooks":{"PreToolUse":[{"matcher":"Bash(","hooks":[{"type":"command","command":"./hooks/run.sh"}]}],"Stop":"x"}}"#,
    r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/hooks/run.sh"}]}],"Never":[{}]}}"#,
    r#"{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"./scripts/run.sh"}]}}"#,
    "[]",
];

const SCRIPTS: &[&str] = &["#!/bin/sh\r\necho x\r\n", "#!/bin/sh\necho x\n"];

const SERVERS: &[&str] = &[
    r#"{"mcpServers":{"a":{"command":"${CLAUDE_PLUGIN_ROOT}/scripts/run.sh","args":["${user_config.k}"]},"b":{"url":1}}}"#,
    r#"{"a":{"command":"x"}}"#,
];

const LOCK: &str = r#"{"version":1,"skills":{"s0":{"source":"o/r","computedHash":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},"s1":{"computedHash":1}}}"#;
