//! Settings below the top, which apply to sessions that start there.

use crate::authority::{changed, gains, repository};

const TOOLS: &str = r#"{"permissions": {"allow": ["Bash(*)"]}}"#;
const SERVER: &str = r#"{"mcpServers": {"box": {"command": "npx"}}}"#;
const SETTINGS: &str = "packages/x/.claude/settings.json";

#[test]
fn names_settings_below_the_top_with_their_directory() {
    for (path, text, words) in [
        (SETTINGS, TOOLS, "may use `Bash(*)` without asking"),
        ("packages/x/.claude/settings.local.json", TOOLS, "may use `Bash(*)` without asking"),
        ("packages/x/.mcp.json", SERVER, "uses the MCP server `box`: `npx`"),
        ("packages/x/.gemini/settings.json", SERVER, "uses the MCP server `box`: `npx`"),
        ("packages/x/.codex/config.toml", "approval_policy = \"never\"\n", "sets `approval_policy` to `never`"),
        ("packages/x/opencode.jsonc", r#"{"plugin": ["far"]}"#, "sets `plugin` to `far`"),
        (
            "packages/x/.github/hooks/a.json",
            r#"{"hooks": {"sessionStart": [{"bash": "./a"}]}}"#,
            "runs `./a` on `sessionStart`",
        ),
        (
            "packages/x/.opencode/plugins/a.ts",
            "fetch(\"https://a.example\")\n",
            "adds the script `packages/x/.opencode/plugins/a.ts`, which uses the network (`fetch(`)",
        ),
    ] {
        assert_eq!(changed(path, "", text), [format!("packages/x: {words}")], "{path}");
        assert_eq!(changed(path, text, &format!("{text}\n")), [""; 0], "{path}");
    }
    assert_eq!(changed("node_modules/x/.claude/settings.json", "", TOOLS), [""; 0]);
}

#[test]
fn says_where_they_are() {
    let one = repository("", "Go.");
    one.write(SETTINGS, TOOLS).add();
    let check = one.skilltree(&["check", "--staged", "--base", "HEAD"]);
    for expected in ["the project `packages/x` may use `Bash(*)` without asking", &format!("--> {SETTINGS}")] {
        assert!(check.stdout.contains(expected), "{expected}: {}", check.stdout);
    }
    one.commit();
    for arguments in [["--rev", "HEAD"].as_slice(), &["--worktree"]] {
        let check = one.skilltree(&[&["check", "--base", "HEAD~1"], arguments].concat());
        assert!(check.stdout.contains("the project `packages/x` may use `Bash(*)`"), "{}", check.stdout);
        let check = one.skilltree(&[&["check", "--base", "HEAD"], arguments].concat());
        assert!(!check.stdout.contains("packages/x"), "{}", check.stdout);
    }
}

/// A hook names its script from the directory in which the session starts.
#[test]
fn names_scripts_that_nested_hooks_run() {
    let guard = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "$CLAUDE_PROJECT_DIR/tools/guard.sh"}]}]}}"#;
    let one = repository("", "Go.");
    one.write(SETTINGS, guard).write("packages/x/tools/guard.sh", "#!/bin/sh\nexit 2\n").commit();
    one.write("packages/x/tools/guard.sh", "#!/bin/sh\nexit 0\n");
    assert_eq!(gains(&one), ["packages/x: changes the script `tools/guard.sh`"]);
    one.git(&["rm", "--quiet", SETTINGS]);
    assert_eq!(gains(&one), ["packages/x: no longer runs `$CLAUDE_PROJECT_DIR/tools/guard.sh` on `PreToolUse`"]);
}

/// The servers in the directory of a plugin are those of the plugin.
#[test]
fn names_servers_of_a_plugin_once() {
    assert_eq!(changed("plugins/mail/.mcp.json", "", SERVER), ["mail: uses the MCP server `box`: `npx`"]);
}

#[cfg(unix)]
#[test]
fn reads_settings_below_the_top_through_a_link() {
    let one = repository("", "Go.");
    one.write("conf/settings.json", TOOLS).write("packages/x/a.txt", "a\n").commit();
    std::os::unix::fs::symlink("../../conf", one.path().join("packages/x/.claude")).unwrap();
    assert_eq!(gains(&one), ["packages/x: may use `Bash(*)` without asking"]);
}
