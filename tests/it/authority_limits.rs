//! Files over a limit: they are not compared, and that is reported.

use crate::authority::{MANIFEST, PLUGIN, changed, gains, repository};

const LARGE: &str = "which is not compared: 1,048,";
const SETTINGS: &str = ".claude/settings.json";
const HOOKS: &str = "plugins/mail/hooks/hooks.json";

/// Adds 1 MiB of spaces.
fn padded(text: &str) -> String {
    format!("{text}{}", " ".repeat(1 << 20))
}

#[test]
fn names_large_files_that_it_does_not_compare() {
    for (path, text, name) in [
        (SETTINGS, r#"{"permissions": {"allow": ["Bash(*)"]}}"#, ""),
        (".claude/settings.local.json", "{}", ""),
        (".mcp.json", r#"{"mcpServers": {"box": {"command": "npx"}}}"#, ""),
        (".codex/config.toml", "approval_policy = \"never\"\n", ""),
        (".github/hooks/a.json", "{}", ""),
        (HOOKS, r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./send"}]}]}}"#, "mail"),
        ("plugins/mail/.mcp.json", "{}", "mail"),
        (".claude/commands/send.md", "---\nallowed-tools: Bash\n---\n", "send"),
        ("plugins/mail/commands/send.md", "---\nallowed-tools: Bash\n---\n", "mail:send"),
        ("plugins/mail/agents/send.md", "---\nname: send\ndescription: Sends.\nmodel: opus\n---\n", "mail:send"),
    ] {
        let expected = format!("{name}: changes `{path}`, {LARGE}");
        for (before, after) in [("", padded(text)), (text, padded(text)), (&padded(text), text.to_owned())] {
            let found = changed(path, before, &after);
            assert!(matches!(&found[..], [one] if one.starts_with(&expected)), "{expected}: {found:?}");
        }
    }
}

#[test]
fn names_front_matter_over_a_limit() {
    let keys = |count: usize| (0..count).map(|number| format!("k{number}: 1\n")).collect::<String>();
    let nested = format!("k: {}1{}", "[".repeat(40), "]".repeat(40));
    for (fields, limit) in [
        (keys(20_000), "more bytes than the limit `front-matter-bytes`"),
        (keys(1_500), "more nodes than the limit `front-matter-nodes`"),
        (nested, "nested deeper than the limit `front-matter-depth`"),
    ] {
        let found = changed(".claude/commands/send.md", "", &format!("---\nallowed-tools: Bash\n{fields}\n---\n"));
        let is_named = |one: &String| one.ends_with(limit) || one == "send: may use `Bash` without asking";
        assert!(matches!(&found[..], [one] if is_named(one)), "{limit}: {found:?}");
    }
}

#[test]
fn stays_silent_about_large_files_that_do_not_differ() {
    let one = repository("", "Go.");
    one.write(SETTINGS, padded("{}")).write(HOOKS, padded("{}")).write(".claude/commands/send.md", padded("Go."));
    one.commit();
    one.write("README.md", "# Mail\n").write(MANIFEST, PLUGIN.replace("1.0.0", "1.1.0"));
    assert_eq!(gains(&one), [""; 0]);
    let check = one.skilltree(&["check", "--worktree", "--base", "HEAD"]);
    assert!(!check.stdout.contains("authority-widened"), "{}", check.stdout);
}

/// Each is compared with those that run the same, in one step. Compared with each other, they take more than the 30 seconds of a run.
#[test]
fn compares_many_hooks_with_one_command() {
    const HOOKS: usize = 20_000;
    let hooks = |start: &str| {
        let hook = |number| format!(r#"{{"matcher":"{start}{number}","hooks":[{{"command":"x"}}]}}"#);
        format!(r#"{{"hooks":{{"PreToolUse":[{}]}}}}"#, (0..HOOKS).map(hook).collect::<Vec<_>>().join(","))
    };
    let one = repository("", "Go.");
    one.write(SETTINGS, hooks("a")).commit();
    one.write(SETTINGS, hooks("b")).add();
    let diff = one.skilltree(&["diff"]);
    assert!(diff.stdout.starts_with("40,000 gains of authority\n"), "{}", diff.stderr);
}

#[test]
fn does_not_say_that_a_guard_in_a_large_file_is_gone() {
    let guard = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "./guard"}]}]}}"#;
    for path in [SETTINGS, HOOKS] {
        let found = changed(path, guard, &padded(guard));
        assert!(matches!(&found[..], [one] if one.contains(LARGE)), "{found:?}");
    }
}

#[test]
fn names_large_scripts_that_differ() {
    const SCRIPT: &str = "plugins/mail/hooks/guard.js";
    let guard = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "node ${CLAUDE_PLUGIN_ROOT}/hooks/guard.js"}]}]}}"#;
    let one = repository("", "Go.");
    one.write(HOOKS, guard).write(SCRIPT, padded("check()")).commit();
    one.write("README.md", "# Mail\n");
    assert_eq!(gains(&one), [""; 0]);
    one.write(SCRIPT, padded("pass()"));
    assert_eq!(gains(&one), ["mail: changes the script `hooks/guard.js`"]);
    let one = repository("", "Go.");
    one.write(".claude/skills/post/run", padded("#!/bin/sh\nls\n"));
    assert_eq!(gains(&one), ["post: adds the script `run`"]);
}
