//! What the settings of other runtimes newly allow.

use crate::authority::{MANIFEST, PLUGIN, changed, gains, repository};

const SERVER: &str = r#"{"mcpServers": {"box": {"command": "npx", "args": ["box"]}}}"#;
const HOOKS: &str = r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "./send"}]}]}}"#;
const USES: &str = "uses the MCP server `box`: `npx box`";
const RUNS: &str = "runs `./send` on `SessionStart`";

/// Files, what they newly hold, and what that allows.
const CASES: [(&str, &str, &[&str]); 24] = [
    (".gemini/settings.json", SERVER, &[USES]),
    (
        ".gemini/settings.json",
        "// Ours.\n{\"tools\": {\"allowed\": [\"run_shell_command(git)\",]}}",
        &["may use `run_shell_command(git)` without asking"],
    ),
    (
        ".gemini/settings.json",
        r#"{"general": {"defaultApprovalMode": "auto_edit"}}"#,
        &["sets `general.defaultApprovalMode` to `auto_edit`"],
    ),
    (
        ".gemini/settings.json",
        r#"{"mcpServers": {"box": {"httpUrl": "https://a.example", "trust": true}}}"#,
        &["may use `mcp__box` without asking", "uses the MCP server `box`: `https://a.example`"],
    ),
    (".qwen/settings.json", r#"{"tools": {"approvalMode": "yolo"}}"#, &["sets `tools.approvalMode` to `yolo`"]),
    (".qwen/settings.json", HOOKS, &[RUNS]),
    (
        ".codex/config.toml",
        "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n",
        &["sets `approval_policy` to `never`", "sets `sandbox_mode` to `danger-full-access`"],
    ),
    (".codex/config.toml", "[mcp_servers.box]\ncommand = \"npx\"\nargs = [\"box\"]\n", &[USES]),
    (".codex/hooks.json", HOOKS, &[RUNS]),
    (
        "opencode.jsonc",
        r#"{"mcp": {"box": {"type": "local", "command": ["npx", "box"]}}, "plugin": ["far"]}"#,
        &["sets `plugin` to `far`", USES],
    ),
    (
        ".opencode/plugins/a.ts",
        "fetch(\"https://a.example\")\n",
        &["adds the script `.opencode/plugins/a.ts`, which uses the network (`fetch(`)"],
    ),
    (
        ".cursor/hooks.json",
        r#"{"version": 1, "hooks": {"stop": [{"command": "./send"}]}}"#,
        &["runs `./send` on `stop`"],
    ),
    (".cursor/mcp.json", SERVER, &[USES]),
    (".vscode/mcp.json", r#"{"servers": {"box": {"command": "npx", "args": ["box"]}}}"#, &[USES]),
    (".vscode/settings.json", r#"{"chat.tools.autoApprove": true}"#, &["sets `chat.tools.autoApprove` to `true`"]),
    (
        ".vscode/settings.json",
        r#"{"chat.tools.terminal.autoApprove": {"curl": true, "rm": false}}"#,
        &["may use `curl` without asking"],
    ),
    (
        ".vscode/tasks.json",
        r#"{"tasks": [{"label": "a", "command": "./send", "runOptions": {"runOn": "folderOpen"}}]}"#,
        &["runs `./send` on `folderOpen`"],
    ),
    (
        ".github/hooks/a.json",
        r#"{"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "./a", "powershell": "./b"}]}}"#,
        &["runs `./a` on `sessionStart`", "runs `./b` on `sessionStart`"],
    ),
    (
        "crush.json",
        r#"{"permissions": {"allowed_tools": ["bash"]}, "lsp": {"go": {"command": "gopls"}}}"#,
        &["may use `bash` without asking", "starts the language server `go`: `gopls`"],
    ),
    (
        ".kiro/settings/mcp.json",
        r#"{"mcpServers": {"box": {"command": "npx", "args": ["box"], "autoApprove": ["send"]}}}"#,
        &["may use `mcp__box__send` without asking", USES],
    ),
    (".gemini/settings.json", r#"{"ui": {"theme": "Ayu"}, "general": {"defaultApprovalMode": "plan"}}"#, &[]),
    (".codex/config.toml", "model = \"a\"\napproval_policy = \"on-request\"\nnotify = [\"a\"]\n", &[]),
    (".vscode/settings.json", "{\n  // Ours.\n  \"editor.tabSize\": 4,\n}", &[]),
    (".vscode/tasks.json", r#"{"tasks": [{"label": "a", "command": "./send"}]}"#, &[]),
];

#[test]
fn names_what_settings_of_other_runtimes_newly_allow() {
    for (path, after, expected) in CASES {
        let expected: Vec<String> = expected.iter().map(|words| format!(": {words}")).collect();
        assert_eq!(changed(path, "", after), expected, "{path} {after}");
        assert_eq!(changed(path, after, ""), [""; 0], "{path} {after}");
    }
}

#[test]
fn names_permissions_of_opencode_that_are_gone() {
    let of = |permission: &str| format!(r#"{{"permission": {permission}}}"#);
    let cases: [(&str, &str, &[&str]); 8] = [
        (r#"{"bash": "ask"}"#, r#"{"bash": "allow"}"#, &[": no longer has to ask for `bash`"]),
        (r#"{"bash": "deny"}"#, "{}", &[": is no longer denied `bash`"]),
        (
            r#"{"bash": {"*": "ask"}}"#,
            r#"{"bash": {"*": "ask", "rm *": "allow"}}"#,
            &[": may use `bash(rm *)` without asking"],
        ),
        (r#""ask""#, r#"{"*": "ask", "edit": "allow"}"#, &[": may use `edit` without asking"]),
        ("{}", r#"{"external_directory": "allow"}"#, &[": may use `external_directory` without asking"]),
        ("{}", r#"{"bash": "allow"}"#, &[]),
        (r#"{"bash": "ask"}"#, r#"{"*": "deny"}"#, &[]),
        (r#"{"bash": "ask"}"#, r#"{"bash": "ask", "edit": "deny"}"#, &[]),
    ];
    for (before, after, expected) in cases {
        assert_eq!(changed("opencode.json", &of(before), &of(after)), expected, "{after}");
    }
}

/// An entry is the hook itself, or has hooks: a runtime ignores the format of others.
#[test]
fn reads_hooks_in_the_format_of_the_runtime() {
    let nested = |event: &str| format!(r#"{{"hooks": {{"{event}": [{{"hooks": [{{"command": "./send"}}]}}]}}}}"#);
    let flat = |event: &str| format!(r#"{{"hooks": {{"{event}": [{{"command": "./send"}}]}}}}"#);
    for (path, event, is_nested, is_flat) in [
        (".claude/settings.json", "Stop", true, false),
        (".claude/settings.local.json", "Stop", true, false),
        (".gemini/settings.json", "SessionStart", true, false),
        (".qwen/settings.json", "SessionStart", true, false),
        (".codex/hooks.json", "Stop", true, false),
        (".cursor/hooks.json", "stop", false, true),
        ("crush.json", "PreToolUse", false, true),
        (".github/hooks/a.json", "sessionStart", true, true),
    ] {
        for (text, is_read) in [(nested(event), is_nested), (flat(event), is_flat)] {
            let expected = if is_read { vec![format!(": runs `./send` on `{event}`")] } else { Vec::new() };
            assert_eq!(changed(path, "", &text), expected, "{path} {text}");
        }
    }
    for (directory, is_nested, is_flat) in
        [(".codex-plugin", true, false), (".cursor-plugin", false, true), (".claude-plugin", true, true)]
    {
        for (text, is_read) in [(nested("Stop"), is_nested), (flat("Stop"), is_flat)] {
            let one = repository("", "Go.");
            one.git(&["rm", "--quiet", MANIFEST]);
            one.write(&format!("plugins/mail/{directory}/plugin.json"), PLUGIN.replace("1.0.0", "1.1.0")).commit();
            one.write("plugins/mail/hooks/hooks.json", &text);
            let expected = if is_read { vec!["mail: runs `./send` on `Stop`"] } else { Vec::new() };
            assert_eq!(gains(&one), expected, "{directory} {text}");
        }
    }
}

#[test]
fn names_guards_that_are_gone_and_scripts_that_hooks_run() {
    const HOOKS: &str = ".cursor/hooks.json";
    let guard = r#"{"version": 1, "hooks": {"beforeShellExecution": [{"command": "./.cursor/guard.sh"}]}}"#;
    let one = repository("", "Go.");
    one.write(HOOKS, guard).write(".cursor/guard.sh", "#!/bin/sh\nexit 2\n").commit();
    one.write(".cursor/guard.sh", "#!/bin/sh\nexit 0\n");
    assert_eq!(gains(&one), [": changes the script `.cursor/guard.sh`"]);
    one.write(HOOKS, r#"{"version": 1, "hooks": {}}"#);
    assert_eq!(gains(&one), [": no longer runs `./.cursor/guard.sh` on `beforeShellExecution`"]);
}

#[test]
fn names_what_each_agent_newly_may_do() {
    const AGENT: &str = ".kiro/agents/release.json";
    let hook = r#"{"hooks": {"preToolUse": [{"matcher": "shell", "command": "./guard"}]}}"#;
    for (before, after, expected) in [
        ("", r#"{"allowedTools": ["shell"]}"#, &["release: may use `shell` without asking"] as &[&str]),
        (r#"{"allowedTools": ["@git"]}"#, r#"{"allowedTools": ["@git/status"]}"#, &[]),
        ("", hook, &["release: runs `./guard` on `preToolUse(shell)`"]),
        (hook, "{}", &["release: no longer runs `./guard` on `preToolUse(shell)`"]),
        ("", r#"{"mcpServers": {"box": {"command": "npx"}}}"#, &["release: uses the MCP server `box`: `npx`"]),
        ("", r#"{"tools": ["*"], "model": "a"}"#, &[]),
    ] {
        assert_eq!(changed(AGENT, before, after), expected, "{after}");
    }
    // What one agent may do, another one may not; one that has another name now may do the same.
    let one = repository("", "Go.");
    one.write(AGENT, r#"{"allowedTools": ["shell"]}"#).commit();
    one.write(".kiro/agents/docs.json", r#"{"allowedTools": ["shell"], "model": "a"}"#);
    assert_eq!(gains(&one), ["docs: may use `shell` without asking"]);
    one.commit();
    one.git(&["mv", AGENT, ".kiro/agents/ship.json"]);
    assert_eq!(gains(&one), [""; 0]);
}

#[test]
fn names_what_permission_profiles_newly_allow() {
    let base = "[permissions.edit.filesystem]\n\"/etc\" = \"none\"\n";
    for (before, after, expected) in [
        (
            "",
            "default_permissions = \":danger-full-access\"\n",
            &[": sets `default_permissions` to `:danger-full-access`"] as &[&str],
        ),
        ("", "default_permissions = \":workspace\"\n", &[]),
        (
            "",
            "[permissions.edit]\ndescription = \"a\"\n[permissions.edit.filesystem.\":workspace_roots\"]\n\".\" = \"write\"\ndocs = \"read\"\n",
            &[": sets `permissions` to `edit.filesystem.:workspace_roots.. = write`"],
        ),
        (
            "",
            "[permissions.edit.network]\nenabled = true\nmode = \"limited\"\n[permissions.edit.network.domains]\n\"a.example\" = \"allow\"\n\"b.example\" = \"deny\"\n",
            &[
                ": sets `permissions` to `edit.network.domains.a.example = allow`",
                ": sets `permissions` to `edit.network.enabled = true`",
            ],
        ),
        (base, &base.replace("none", "read"), &[": no longer sets `permissions` to `edit.filesystem./etc = none`"]),
        (base, &base.replace("none", "write"), &[": sets `permissions` to `edit.filesystem./etc = write`"]),
        (base, &base.replace("none", "deny"), &[]),
        (base, "model = \"a\"\n", &[]),
    ] {
        assert_eq!(changed(".codex/config.toml", before, after), expected, "{after}");
    }
}

#[test]
fn names_nothing_that_only_moves_between_files_of_a_runtime() {
    let one = repository("", "Go.");
    one.write("opencode.json", r#"{"mcp": {"box": {"command": ["npx"]}}}"#).commit();
    one.git(&["mv", "opencode.json", "opencode.jsonc"]);
    assert_eq!(gains(&one), [""; 0]);
    one.commit();
    one.write(".cursor/mcp.json", r#"{"mcpServers": {"box": {"command": "npx"}}}"#).commit();
    one.write(".gemini/settings.json", r#"{"mcpServers": {"box": {"command": "npx"}}}"#);
    assert_eq!(gains(&one), [": uses the MCP server `box`: `npx`"]);
}
