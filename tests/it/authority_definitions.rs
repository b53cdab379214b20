//! What commands and agents newly may do, and the programs of a plugin.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::authority::{changed, gains, repository};
use crate::common::Repository;

const COMMAND: &str = ".claude/commands/mail/send.md";
const AGENT: &str = ".claude/agents/reviewer.md";
const HOOK: &str = "hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: ./guard.sh\n";
const SERVER: &str = "mcpServers:\n  - box:\n      command: npx\n      args: [box]\n  - known\n";

fn command(fields: &str, body: &str) -> String {
    format!("---\ndescription: Sends mail.\n{fields}---\n{body}\n")
}

fn agent(fields: &str) -> String {
    format!("---\nname: reviewer\ndescription: Reviews changes.\n{fields}---\nReview it.\n")
}

#[test]
fn names_what_commands_newly_may_do() {
    for (before, after, expected) in [
        (
            command("allowed-tools: Read\n", "Go."),
            command("allowed-tools: Read, Bash(*)\n", "Go."),
            &["mail:send: may use `Bash(*)` without asking"] as &[&str],
        ),
        (command("", "Go."), command("", "Go.\n\n!`git push`"), &["mail:send: runs `git push` when it loads"]),
        (
            String::new(),
            command("model: opus\n", "!`ls`"),
            &["mail:send: runs `ls` when it loads", "mail:send: sets `model` to `opus`"],
        ),
        (command("", "Go."), command(HOOK, "Go."), &["mail:send: runs `./guard.sh` on `PreToolUse`"]),
        (command(HOOK, "Go."), command("", "Go."), &["mail:send: no longer runs `./guard.sh` on `PreToolUse`"]),
        (command("", "Go."), command("", "Go on with `git push`."), &[]),
        (command("allowed-tools: Bash(git:*)\n", "Go."), command("allowed-tools: Bash(git log)\n", "Go."), &[]),
        (String::new(), command("", "Go."), &[]),
    ] {
        assert_eq!(changed(COMMAND, &before, &after), expected, "{after}");
        let in_plugin = changed("plugins/mail/commands/mail/send.md", &before, &after);
        let expected: Vec<String> = expected.iter().map(|words| format!("mail:{words}")).collect();
        assert_eq!(in_plugin, expected, "{after}");
    }
}

/// Claude Code 2.1.332 ignores `permissionMode`, `hooks` and `mcpServers` of a plugin's agent.
#[test]
fn names_what_agents_newly_may_do() {
    const IGNORED: bool = true;
    for (before, after, expected, is_ignored) in [
        ("", "permissionMode: bypassPermissions\n", "sets `permissionMode` to `bypassPermissions`", IGNORED),
        ("", HOOK, "runs `./guard.sh` on `PreToolUse`", IGNORED),
        (HOOK, "", "no longer runs `./guard.sh` on `PreToolUse`", IGNORED),
        ("", SERVER, "uses the MCP server `box`: `npx box`", IGNORED),
        ("tools: Read\n", "tools: Read, Bash\n", "has the tool `Bash`", false),
        ("tools: Read\n", "", "has all tools", false),
        ("disallowedTools: Bash\n", "", "is no longer denied `Bash`", false),
        ("", "model: opus\n", "sets `model` to `opus`", false),
        ("tools: Read, Bash\n", "tools: [Bash]\n", "", false),
        ("permissionMode: plan\n", "permissionMode: default\n", "", false),
        ("", "color: red\n", "", false),
    ] {
        let expected = |prefix: &str| -> Vec<String> {
            [expected]
                .iter()
                .filter(|words| !words.is_empty())
                .map(|words| format!("{prefix}reviewer: {words}"))
                .collect()
        };
        assert_eq!(changed(AGENT, &agent(before), &agent(after)), expected(""), "{after}");
        let of_plugin = if is_ignored { Vec::new() } else { expected("mail:") };
        assert_eq!(changed("plugins/mail/agents/reviewer.md", &agent(before), &agent(after)), of_plugin, "{after}");
    }
    // A new agent with few tools is no surprise, and without a description there is none.
    assert_eq!(changed(AGENT, "", &agent("tools: Read\n")), [""; 0]);
    assert_eq!(changed(AGENT, "", "---\nname: reviewer\nmodel: opus\n---\n"), [""; 0]);
    assert_eq!(
        changed(AGENT, "", &agent("permissionMode: acceptEdits\n")),
        ["reviewer: sets `permissionMode` to `acceptEdits`"]
    );
}

#[test]
fn says_what_it_is_and_where() {
    let one = repository("", "Go.");
    one.write(AGENT, agent("permissionMode: bypassPermissions\n"))
        .write(COMMAND, command("model: opus\n", "Go."))
        .add();
    let check = one.skilltree(&["check", "--staged", "--base", "HEAD"]);
    for expected in [
        "the agent `reviewer` sets `permissionMode` to `bypassPermissions`",
        "--> .claude/agents/reviewer.md:4:17",
        "the command `mail:send` sets `model` to `opus`",
        "--> .claude/commands/mail/send.md:3:8",
    ] {
        assert!(
            check.stderr.contains(expected) || check.stdout.contains(expected),
            "{expected}: {}{}",
            check.stdout,
            check.stderr
        );
    }
}

#[test]
fn names_definitions_that_manifests_name_and_none_that_only_move() {
    let one = repository("", "Go.");
    let manifest =
        |more: &str| format!(r#"{{"name": "mail", "description": "Sorts mail.", "version": "1.0.0"{more}}}"#);
    one.write("plugins/mail/more/go.md", command("allowed-tools: Write\n", "Go.")).commit();
    one.write(crate::authority::MANIFEST, manifest(r#", "commands": ["./more/go.md"]"#));
    assert_eq!(gains(&one), ["mail:go.md: may use `Write` without asking".replace(".md", "")]);

    let one = repository("", "Go.");
    one.write(COMMAND, command("allowed-tools: Write\n", "Go.")).commit();
    one.git(&["mv", COMMAND, ".claude/commands/go.md"]);
    assert_eq!(gains(&one), [""; 0]);
    one.commit();
    one.write("plugins/mail/commands/go.md", command("allowed-tools: Write\n", "Go.")).commit();
    one.git(&["mv", "plugins/mail", "plugins/post"]);
    assert_eq!(gains(&one), [""; 0]);
}

#[test]
fn names_programs_of_a_plugin() {
    const PROGRAM: &str = "plugins/mail/bin/git";
    let write = |one: &Repository, text: &str, mode: u32| {
        one.write(PROGRAM, text);
        fs::set_permissions(one.path().join(PROGRAM), fs::Permissions::from_mode(mode)).unwrap();
    };
    let one = repository("", "Go.");
    write(&one, "#!/bin/sh\ncurl example.com\n", 0o755);
    assert_eq!(gains(&one), ["mail: adds the executable file `bin/git`, which uses the network (`curl`)"]);
    one.commit();
    write(&one, "#!/bin/sh\n# Sends.\ncurl example.com\n", 0o755);
    assert_eq!(gains(&one), [""; 0]);
    write(&one, "#!/bin/sh\nls\n", 0o755);
    assert_eq!(gains(&one), ["mail: changes the script `bin/git`"]);
    write(&one, "#!/bin/sh\ncurl example.com\n", 0o644);
    assert_eq!(gains(&one), [""; 0]);
    one.commit();
    write(&one, "#!/bin/sh\ncurl example.com\n", 0o755);
    assert_eq!(gains(&one), ["mail: makes `bin/git` executable"]);
    one.git(&["reset", "--quiet", "--hard"]);
    one.write("plugins/mail/bin/README.md", "# Programs\n").write("bin/git", "#!/bin/sh\n");
    assert_eq!(gains(&one), [""; 0]);
}
