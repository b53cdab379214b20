//! Settings of programs in a repository: the skills directories that they name, and the skills that they hide.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test stops at the first error")]

use serde_json::Value;

use crate::common::Repository;
use crate::fields::{findings, json};

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Sorts mail for {name}. Use when mail arrives.\n---\n\nSort the mail.\n")
}

/// The paths of the skills that a runtime lists.
fn listed(repository: &Repository, target: &str) -> Vec<String> {
    let document = json(repository, &["forecast", "--target", target]);
    let skills = document["skills"].as_array().unwrap().iter();
    let is_listed = |skill: &&Value| {
        let forecast = &skill["forecasts"][0];
        let hides = forecast["reason"].as_str().is_some_and(|reason| reason.contains("excludes it from the list"));
        matches!(forecast["outcome"].as_str(), Some("loads" | "changes")) && !hides
    };
    skills.filter(is_listed).map(|skill| skill["path"].as_str().unwrap().replace("/SKILL.md", "")).collect()
}

fn with(settings: &str, content: &str) -> Repository {
    let repository = Repository::new();
    for path in ["extra/one", "extra/group/two", "other/three"] {
        let name = path.rsplit('/').next().unwrap();
        repository.write(&format!("{path}/SKILL.md"), skill(name));
    }
    repository.write(settings, content).add();
    repository
}

#[test]
fn finds_the_directories_that_settings_name() {
    let every = ["extra/group/two", "extra/one"];
    for (target, settings, content, expected) in [
        ("pi", ".pi/settings.json", r#"{"skills": ["../extra", "!**/old", "~/mine"]}"#, &every[..]),
        ("pi", ".pi/settings.json", r#"{"skills": ["../extra/one"]}"#, &["extra/one"]),
        ("opencode", "opencode.json", r#"{"skills": {"paths": ["./extra"]}}"#, &every),
        ("opencode", "opencode.jsonc", "{\n// ours\n\"skills\": {\"paths\": [\"extra/\",]},}", &every),
        (
            "vscode-copilot",
            ".vscode/settings.json",
            "{/* ours */ \"chat.agentSkillsLocations\": {\"extra\": true, \"other\": false, \"~/x\": true}}",
            &["extra/one"],
        ),
    ] {
        let repository = with(settings, content);
        assert_eq!(listed(&repository, target), expected, "{settings}: {content}");
        repository.commit();
        let run = repository.skilltree(&["check", "--rev", "HEAD", "--target", target]);
        assert!(run.stdout.contains("loaded") || run.stderr.contains("load"), "{}{}", run.stdout, run.stderr);
        let unread =
            findings(&repository, &["--target", target]).into_iter().filter(|one| one.starts_with("no-skills-checked"));
        assert_eq!(unread.count(), 0, "{settings}: {content}");
    }
}

#[test]
fn leaves_other_settings_alone() {
    for (settings, content) in [
        (".pi/settings.json", r#"{"theme": "dark"}"#),
        (".pi/settings.json", r#"{"skills": ["~/mine", "/opt/skills", "../../elsewhere", "!x"]}"#),
        (".vscode/settings.json", "{\"editor.tabSize\": 2, // no\n}"),
        (".vscode/settings.json", "{ broken"),
        ("opencode.json", r#"{"permission": {"bash": "ask"}}"#),
        ("sub/opencode.json", r#"{"skills": {"paths": ["../gone"]}}"#),
        ("settings.json", r#"{"skills": ["gone"]}"#),
    ] {
        let repository = with(settings, content);
        repository.write(".agents/skills/four/SKILL.md", skill("four")).add();
        let document = json(&repository, &["check"]);
        let found = document["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap());
        assert_eq!(found.collect::<Vec<_>>(), ["unchecked-skills"], "{settings}: {content}");
    }
}

#[test]
fn names_the_paths_of_settings_that_lead_nowhere() {
    for (target, settings, content, start) in [
        ("pi", ".pi/settings.json", r#"{"skills": ["extra"]}"#, "`.pi`"),
        (
            "opencode",
            "opencode.json",
            r#"{"skills": {"paths": ["../extra/x", "extra/x"]}}"#,
            "the top of the repository",
        ),
        (
            "vscode-copilot",
            ".vscode/settings.json",
            r#"{"chat.agentSkillsLocations": {"extra/x": true}}"#,
            "the top of the repository",
        ),
    ] {
        let repository = with(settings, content);
        let found = findings(&repository, &["--target", target]);
        let named: Vec<&String> = found.iter().filter(|one| one.starts_with("dead-plugin-path")).collect();
        assert_eq!(named.len(), 1, "{found:?}");
        assert!(named[0].ends_with(&format!("correct the path, or remove it; paths start at {start}")), "{named:?}");
    }
}

#[test]
fn hides_what_permissions_deny() {
    for (content, hidden) in [
        (r#"{"permission": {"skill": {"*": "allow", "th*": "deny"}}}"#, &["three"][..]),
        (r#"{"permission": {"skill": {"th*": "deny", "*": "allow"}}}"#, &[]),
        (r#"{"permission": {"skill": "deny", "bash": "allow"}}"#, &["four", "three"]),
        (r#"{"permission": {"*": "deny", "skill": {"f?ur": "allow"}}}"#, &["three"]),
        (r#"{"permission": {"skill": {"three": "ask"}, "bash": "deny"}}"#, &[]),
        (r#"{"permission": {"skill": {"[a-z]*": "deny"}}}"#, &[]),
    ] {
        let repository = Repository::new();
        for name in ["three", "four"] {
            repository.write(&format!(".opencode/skills/{name}/SKILL.md"), skill(name));
        }
        repository.write("opencode.json", content).add();
        let found = findings(&repository, &["--target", "opencode"]);
        let named: Vec<String> = ["four", "three"]
            .into_iter()
            .filter(|name| {
                let is_about = |one: &&String| one.starts_with("hidden-skills: opencode is told to hide ");
                found.iter().filter(is_about).any(|one| one.contains(&format!("`{name}`")))
            })
            .map(str::to_owned)
            .collect();
        assert_eq!(named, hidden, "{content}: {found:?}");
        assert_eq!(listed(&repository, "opencode").len(), 2 - hidden.len(), "{content}");
    }
}

#[test]
fn applies_the_rules_against_the_tool_that_starts_skills() {
    for (rules, hidden, refused) in [
        (r#"["Skill"]"#, &["dir", "three"][..], &[][..]),
        (r#"["Skill(*)"]"#, &["dir", "three"], &[]),
        (r#"["Skill(three)", "Bash"]"#, &[], &["three"]),
        (r#"["Skill(/three)"]"#, &[], &["three"]),
        (r#"["Skill(named)"]"#, &[], &["dir"]),
        (r#"["Skill(d:*)", "Skill(th *)"]"#, &[], &["dir", "three"]),
        (r#"["Skill(th*)", "skill(dir)", "Skills"]"#, &[], &[]),
    ] {
        let repository = Repository::new();
        repository.write(".claude/skills/three/SKILL.md", skill("three"));
        repository.write(".claude/skills/dir/SKILL.md", skill("named"));
        repository.write(".claude/settings.json", format!(r#"{{"permissions": {{"deny": {rules}}}}}"#)).add();
        let found = findings(&repository, &["--target", "claude-code"]);
        let about = |verb: &str| {
            let is_about = |one: &&String| one.starts_with(&format!("hidden-skills: Claude Code is told to {verb} "));
            let texts: Vec<&String> = found.iter().filter(is_about).collect();
            let names = [("dir", "`named`"), ("three", "`three`")].into_iter();
            names.filter(|(_, name)| texts.iter().any(|text| text.contains(name))).map(|(name, _)| name).collect()
        };
        let (hides, lists): (Vec<&str>, Vec<&str>) = (about("hide"), about("list"));
        assert_eq!((hides.as_slice(), lists.as_slice()), (hidden, refused), "{rules}: {found:?}");
        assert_eq!(listed(&repository, "claude-code").len(), 2 - hidden.len(), "{rules}");
    }
}

#[test]
fn names_the_directory_that_an_override_needs() {
    let repository = Repository::new();
    repository.write(".claude/skills/dir/SKILL.md", skill("named"));
    repository.write("packages/web/.claude/skills/page/SKILL.md", skill("page"));
    repository.write(".claude/settings.json", r#"{"skillOverrides": {"named": "off"}}"#);
    repository.write("packages/web/.claude/settings.json", r#"{"skillOverrides": {"Page": "off"}, }"#).add();
    let found = findings(&repository, &["--target", "claude-code"]);
    let ours: Vec<&String> = found.iter().filter(|one| one.starts_with("unusable-settings")).collect();
    assert_eq!(ours.len(), 2, "{found:?}");
    assert!(ours[0].contains("ignores `named`: the directory of the skill is `dir`"), "{ours:?}");
    assert!(ours[1].contains("applies nothing of these settings"), "{ours:?}");
}

#[test]
fn says_that_settings_are_not_checked() {
    let repository = Repository::new();
    repository.write(".claude/skills/three/SKILL.md", skill("three"));
    let long = format!(r#"{{"skillOverrides": {{"three": "off"}}, "x": "{}"}}"#, "x".repeat(1 << 20));
    repository.write(".claude/settings.json", long).add();
    let found = findings(&repository, &["--target", "claude-code"]);
    assert!(
        found.iter().any(|one| one.starts_with("unusable-settings: these settings are not checked: they have ")),
        "{found:?}"
    );
    std::fs::remove_file(repository.path().join(".claude/settings.json")).unwrap();
    std::os::unix::fs::symlink("../settings.json", repository.path().join(".claude/settings.json")).unwrap();
    repository.write("settings.json", "{}").add();
    let found = findings(&repository, &["--target", "claude-code"]);
    let expected = "unusable-settings: these settings are not checked: they are a symbolic link: commit the file instead of the link";
    assert!(found.iter().any(|one| one == expected), "{found:?}");
}

#[test]
fn hides_what_settings_switch_off() {
    let (both, one): (&[&str], &[&str]) = (&[".agents/skills/one", ".agents/skills/two"], &[".agents/skills/two"]);
    for (target, settings, content, expected) in [
        ("gemini-cli", ".gemini/settings.json", r#"{"skills": {"disabled": ["ONE"]}}"#, one),
        ("gemini-cli", ".gemini/settings.json", r#"{"skills": {"disabled": ["on"]}} // none"#, both),
        ("gemini-cli", ".gemini/settings.json", r#"{"skills": {"enabled": false}}"#, &[]),
        ("gemini-cli", "app/.gemini/settings.json", r#"{"skills": {"enabled": false}}"#, both),
        ("gemini-cli", ".gemini/settings.json", r#"{"permissions": {"deny": ["skill"]}}"#, both),
        ("qwen-code", ".qwen/settings.json", r#"{"permissions": {"deny": ["Skill"]}}"#, &[]),
        ("qwen-code", ".qwen/settings.json", r#"{"permissions": {"deny": ["Skill(one)"]}}"#, both),
        ("qwen-code", ".qwen/settings.json", r#"{"tools": {"exclude": ["skill"]}}"#, &[]),
        ("qwen-code", ".qwen/settings.json", r#"{"excludeTools": ["skill"]}"#, &[]),
        ("qwen-code", ".qwen/settings.json", r#"{"skills": {"disabled": ["one"]}}"#, both),
        ("codex", ".gemini/settings.json", r#"{"skills": {"enabled": false}}"#, both),
    ] {
        let repository = Repository::new();
        for name in ["one", "two"] {
            repository.write(&format!(".agents/skills/{name}/SKILL.md"), skill(name));
        }
        repository.write(settings, content).add();
        assert_eq!(listed(&repository, target), expected, "{target}: {content}");
    }
}

#[test]
fn fixes_commands_at_their_lines() {
    let repository = Repository::new();
    let command = "---\ndescription: Reads.\nallowed-tools: Raed, Bash(git:log)\n---\nLog: !`git push --dry-run`\n";
    repository.write(".claude/skills/one/SKILL.md", skill("one"));
    repository.write(".claude/commands/team/read.md", command);
    repository.write("commands/read.md", command).write(".claude-plugin/plugin.json", "{\"name\": \"team\"}");
    repository.add();
    repository.commit();
    for options in [&["check", "--format", "concise"][..], &["check", "--format", "concise", "--rev", "HEAD"]] {
        let run = repository.skilltree(options);
        for path in [".claude/commands/team/read.md", "commands/read.md"] {
            for found in [":3:16: warning[misspelled-tool]", ":3:22: warning[malformed-tool-pattern]"] {
                assert!(run.stdout.contains(&format!("{path}{found}")), "{}", run.stdout);
            }
            assert!(run.stdout.contains(&format!("{path}:5:6: warning[command-needs-approval]")), "{}", run.stdout);
        }
    }
    repository.skilltree(&["fix", "--unsafe"]);
    let fixed = command.replace("Raed, Bash(git:log)", "Read, Bash(git log)");
    for path in ["commands/read.md", ".claude/commands/team/read.md"] {
        assert_eq!(std::fs::read_to_string(repository.path().join(path)).unwrap(), fixed);
    }
}

#[test]
fn says_nothing_of_an_installer_about_a_package_that_is_lost() {
    let outcome = |manifest: &str| {
        let repository = Repository::new();
        repository.write("skills/one/SKILL.md", skill("one")).write(".codex-plugin/plugin.json", manifest).add();
        let document = json(&repository, &["forecast", "--target", "codex"]);
        document["skills"][0]["forecasts"][0]["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(outcome(r#"{"name": "mail"}"#), "loads");
    assert_ne!(outcome(r#"{"name": "#), "loads");
}

#[test]
fn loads_nothing_if_a_program_does_not_start() {
    let agent = "---\ndescription: Reads.\ntools: Read, Grep\n---\n\nRead.\n";
    for (target, path, content, starts) in [
        ("codex", ".codex/config.toml", "model = 5\n", false),
        ("codex", ".codex/config.toml", "model = \"gpt-5\"\n", true),
        ("codex", "app/.codex/config.toml", "model = 5\n", true),
        ("gemini-cli", ".gemini/settings.json", "{\"ui\": {},}", false),
        ("gemini-cli", ".gemini/settings.json", "{\"ui\": {}} // none", true),
        ("gemini-cli", ".gemini/settings.json", "", false),
        ("qwen-code", ".qwen/settings.json", "[]", false),
        ("qwen-code", ".qwen/settings.json", "{\"ui\" {}}", true),
        ("opencode", "opencode.json", "{\"model\": \"a/b\",}", true),
        ("opencode", "opencode.json", "", true),
        ("opencode", "opencode.json", "{\"model\": \"a/b\",,}", false),
        ("opencode", "opencode.jsonc", "{\"mcp\": {\"x\": {\"command\": \"npx\"}}}", false),
        ("opencode", ".opencode/agents/reader.md", agent, false),
        ("gemini-cli", "opencode.json", "{\"model\": 5}", true),
    ] {
        let repository = Repository::new();
        for directory in [".agents/skills", ".qwen/skills"] {
            repository.write(&format!("{directory}/one/SKILL.md"), skill("one"));
        }
        repository.write(path, content).add();
        assert_eq!(!listed(&repository, target).is_empty(), starts, "{target}: {path}: {content}");
        let found = findings(&repository, &["--target", target]);
        let is_about_start = |found: &String| found.contains("does not start");
        assert_eq!(found.iter().any(is_about_start), !starts, "{target}: {path}: {content}: {found:?}");
    }
}

#[test]
fn lists_nothing_if_the_settings_of_a_project_say_so() {
    for (target, content, lists) in [
        ("codex", "model = \"gpt-5\"\n[skills]\ninclude_instructions = false\n", false),
        ("codex", "skills = { include_instructions = false }\n", false),
        ("codex", "[skills]\ninclude_instructions = true\n", true),
        ("gemini-cli", "[skills]\ninclude_instructions = false\n", true),
    ] {
        let repository = Repository::new();
        repository.write(".agents/skills/one/SKILL.md", skill("one"));
        repository.write(".codex/config.toml", content).add();
        assert_eq!(!listed(&repository, target).is_empty(), lists, "{target}: {content}");
    }
}

#[test]
fn names_commands_that_are_not_checked() {
    let repository = Repository::new();
    repository.write(".claude/skills/one/SKILL.md", skill("one"));
    repository.write(".claude/commands/large.md", "Log: !`git push`\n".repeat(70_000));
    repository.write(
        ".claude/commands/wide.md",
        format!("---\nallowed-tools: [{}]\n---\n!`git push`\n", "a,".repeat(40_000)),
    );
    let found = findings(repository.add(), &[]);
    let expected = [
        "command-needs-approval: the command has 1,190,000 bytes, and is not checked: shorten it to at most 1,048,576 bytes",
        "command-needs-approval: the front matter of the command has more bytes than the limit, and is not checked: shorten it",
    ];
    assert_eq!(found, expected);
}
