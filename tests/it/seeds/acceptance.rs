//! Acceptance criteria of the designs. Test names contain the name of the design.

use std::fs;

use serde_json::Value;

use crate::common::{Repository, Run, good};
use crate::seeds::golden;

fn prompt(repository: &Repository, arguments: &[&str]) -> Run {
    let run = repository.skilltree(&[&["prompt", "--staged"], arguments].concat());
    assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
    run
}

fn index(repository: &Repository, arguments: &[&str]) -> Value {
    let run = prompt(repository, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap()
}

fn names(listed: &Value) -> Vec<&str> {
    listed.as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect()
}

fn three() -> Repository {
    let repository = Repository::new();
    for name in ["add-migration", "fix-flake", "wire-field"] {
        repository.skill(".symphony/skills", name);
    }
    repository.add();
    repository
}

#[test]
fn symphony_1_repository_without_skills_has_empty_block() {
    let repository = Repository::new();
    repository.write("README.md", "Nothing.\n").add();
    assert_eq!(prompt(&repository, &[]).stdout, "");
    assert_eq!(index(&repository, &[])["skills"], serde_json::json!([]));
    assert_eq!(prompt(&repository, &["--profile", "symphony"]).stdout, "");
}

#[test]
fn symphony_2_lists_three_skills_by_name_and_trigger() {
    let block = prompt(&three(), &["--profile", "symphony"]).stdout;
    assert!(block.starts_with("## Available skills\n\n"), "{block}");
    for name in ["add-migration", "fix-flake", "wire-field"] {
        assert!(block.contains(&format!("\n- {name} — The task mentions {name}.\n")), "{block}");
    }
    assert!(!block.contains("Does what") && !block.contains("Do it."), "no description and no body: {block}");
}

#[test]
fn symphony_3_malformed_skill_is_reported_and_skipped() {
    let repository = three();
    repository.write(".symphony/skills/broken/SKILL.md", "---\ndescription: Has no name.\n---\nDo it.\n").add();
    assert_eq!(repository.skilltree(&["check", "--staged"]).status, 1);
    let out = repository.path().join("out");
    prompt(&repository, &["--profile", "symphony", "--out", out.to_str().unwrap()]);
    let block = fs::read_to_string(out.join("available-skills.md")).unwrap();
    assert_eq!(block.matches("\n- ").count(), 3, "{block}");
    let comment = fs::read_to_string(out.join("comment.md")).unwrap();
    assert!(comment.contains(".symphony/skills/broken/SKILL.md"), "{comment}");
}

#[test]
fn symphony_4_disabled_renders_no_block() {
    let repository = three();
    repository.write("WORKFLOW.md", "---\nagent:\n  skills:\n    enabled: false\n---\nWork.\n").add();
    assert_eq!(prompt(&repository, &["--profile", "symphony"]).stdout, "");
    assert_eq!(index(&repository, &["--profile", "symphony"])["disabled"], true);
}

#[test]
fn symphony_5_cap_of_two_reports_dropped_skill() {
    let repository = three();
    repository.write("WORKFLOW.md", "---\nagent:\n  skills:\n    max_skills_in_prompt: 2\n---\nWork.\n").add();
    let run = prompt(&repository, &["--profile", "symphony"]);
    assert_eq!(run.stdout.matches("\n- ").count(), 2, "{}", run.stdout);
    assert!(run.stderr.contains("dropped wire-field"), "{}", run.stderr);
}

/// A repository with three skills of 1,500 characters and one of 600, all about an API.
fn long() -> Repository {
    let repository = Repository::new();
    for (name, roles, length) in [
        ("a", "[reviewer]", 1_500),
        ("b", "[Reviewer, builder]", 1_500),
        ("c", "", 1_500),
        ("d", "", 600),
        ("e", "planner", 10),
    ] {
        let text = format!(
            "---\nname: {name}\ndescription: Does {name}. Use when {name} is wanted.\ntags: [api]\nroles: {roles}\n---\n{}\n",
            "x".repeat(length)
        );
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), text);
    }
    repository.add();
    repository
}

#[test]
fn rfc_009_full_skills_fit_budget_of_4000_characters() {
    let repository = long();
    let index = index(&repository, &["--profile", "swarm", "--task", "Add an API"]);
    assert_eq!(names(&index["skills"]), ["a", "b", "d", "e"]);
    assert!(index["block"]["chars"].as_u64().unwrap() <= 4_000);
    assert_eq!(index["dropped"][0]["name"], "c");
    assert_eq!(index["dropped"][0]["reason"], "budget");
    assert_eq!(index["recipe"]["budget"]["chars"], 4_000);
    let wider = self::index(&repository, &["--profile", "swarm", "--task", "Add an API", "--budget-chars", "9000"]);
    assert_eq!(names(&wider["skills"]), ["a", "b", "c", "d", "e"]);
    let fewer = self::index(&repository, &["--profile", "swarm", "--task", "Add an API", "--top", "1"]);
    assert_eq!(names(&fewer["skills"]), ["a"]);
}

#[test]
fn rfc_009_filters_by_role() {
    let repository = long();
    let taken = |role: &str| {
        let index = index(&repository, &["--profile", "swarm", "--task", "Add an API", "--role", role]);
        names(&index["skills"]).join(" ")
    };
    assert_eq!(taken("reviewer"), "a b");
    assert_eq!(taken("BUILDER"), "b");
    assert_eq!(taken("Planner"), "e");
    let index = index(&repository, &["--profile", "swarm", "--task", "Add an API", "--role", "planner"]);
    let reasons: Vec<&str> =
        index["dropped"].as_array().unwrap().iter().map(|skill| skill["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["role"; 4]);
}

#[test]
fn rfc_009_keeps_command_modes() {
    let index = index(&long(), &["--profile", "swarm"]);
    let roles = index["modes"]["roles"].as_array().unwrap();
    let names: Vec<&str> = roles.iter().map(|role| role["role"].as_str().unwrap()).collect();
    assert_eq!(names, ["planner", "builder", "reviewer", "debugger", "researcher"]);
    let builder = serde_json::json!({"role": "builder", "phase": "act", "tools": [
        {"tool": "copilot", "mode": null, "mode_option": null, "model_option": "--model", "model": null},
        {"tool": "cline", "mode": "act", "mode_option": "--mode", "model_option": "--model", "model": null},
        {"tool": "aider", "mode": "code", "mode_option": "--chat-mode", "model_option": "--model", "model": null},
        {"tool": "claude-code", "mode": null, "mode_option": null, "model_option": null, "model": null},
    ]});
    assert_eq!(roles[1], builder);
}

#[test]
fn camel_first_root_wins_and_hidden_and_linked_are_skipped() {
    let repository = Repository::new();
    repository.skill(".camel/skills", "pdf").skill("vendor/skills", "pdf").skill("vendor/skills", "csv");
    repository.skill(".camel/skills/group", "deep").skill(".camel/skills/.hidden", "ghost").skill("elsewhere", "far");
    repository.write("skilltree.toml", "[[root]]\npath = 'vendor/skills'\nprofile = 'camel'\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../elsewhere/far", repository.path().join(".camel/skills/far")).unwrap();
    repository.add();
    let index = index(&repository, &["--profile", "camel"]);
    assert_eq!(names(&index["skills"]), ["csv", "deep", "pdf"]);
    assert_eq!(index["skills"][2]["body_path"], ".camel/skills/pdf/SKILL.md");
    assert_eq!(index["shadowed"][0]["body_path"], "vendor/skills/pdf/SKILL.md");
    assert_eq!(index["errors"], serde_json::json!([]));
}

#[test]
fn camel_mention_is_removable_user_message() {
    let repository = golden::repository();
    let run = prompt(&repository, &["--profile", "camel", "--mention", "Use /notes, $pdf-processing and $notes."]);
    let messages: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(messages.len(), 2, "{}", run.stdout);
    for (message, name) in messages.iter().zip(["notes", "pdf-processing"]) {
        assert_eq!(message["role"], "user");
        assert_eq!(message["meta_dict"]["skill"], true);
        let content = message["content"].as_str().unwrap();
        assert!(content.starts_with(&format!("<skill>\n<name>{name}</name>\n<path>.camel/skills/")), "{content}");
    }
    assert_eq!(prompt(&repository, &["--profile", "camel", "--mention", "Nothing of $home."]).stdout, "");
}

#[test]
fn camel_lists_without_bodies() {
    let repository = golden::repository();
    let block = prompt(&repository, &["--profile", "camel"]).stdout;
    assert!(block.contains("Takes notes of a meeting.") && !block.contains("Write down"), "{block}");
}

#[test]
fn majordomo_attaches_in_requested_order() {
    let repository = golden::repository();
    let block = |skills: [&str; 2]| {
        prompt(&repository, &["--profile", "majordomo", "--skill", skills[0], "--skill", skills[1]]).stdout
    };
    let (commit, review) = ("One sentence, in the imperative.", "### Ask\n\nWho may call it?");
    assert_eq!(block(["commit-conventions", "security-review"]), format!("{commit}\n\n{review}\n"));
    assert_eq!(block(["security-review", "commit-conventions"]), format!("{review}\n\n{commit}\n"));
}

#[test]
fn majordomo_rejects_duplicates_and_writes_nothing() {
    let repository = golden::repository();
    let with_tools = good("timer").replace("---\n# timer", "tools: [clock]\n---\n# timer");
    repository.write(".agent/skills/timer/SKILL.md", with_tools).add();
    let out = repository.path().join("out");
    let refused = |skills: [&str; 2]| {
        let words = ["prompt", "--staged", "--profile", "majordomo", "--skill", skills[0], "--skill", skills[1]];
        let run = repository.skilltree(&[&words[..], &["--out", out.to_str().unwrap()]].concat());
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(!out.exists());
        run.stderr
    };
    let twice = refused(["timer", "timer"]);
    assert!(twice.contains("`timer` is requested twice"), "{twice}");
    let tool = refused(["commit-conventions", "timer"]);
    assert!(tool.contains("the skills `commit-conventions` and `timer` both list the tool `clock`"), "{tool}");
    let instruction_only = prompt(&repository, &["--profile", "majordomo", "--skill", "spec-consistency"]);
    assert!(instruction_only.stdout.starts_with("## Spec Consistency Checklist\n"));
    // One blank line is between two skills, whatever is around their bodies.
    let spaced = |name: &str| good(name).replace("---\n#", "---\n\n \n#") + "\n\n";
    repository.write(".agent/skills/x/SKILL.md", spaced("x")).write(".agent/skills/y/SKILL.md", spaced("y")).add();
    let both = prompt(&repository, &["--profile", "majordomo", "--skill", "x", "--skill", "y"]);
    assert_eq!(both.stdout, "# x\n\nDo it.\n\n# y\n\nDo it.\n");
}

#[test]
fn amacs_core_is_always_loaded_and_never_bound() {
    let repository = golden::repository();
    let run = repository.skilltree(&["prompt", "--staged", "--profile", "amacs", "--skill", "core"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`core` is reserved"), "{}", run.stderr);
    let index = index(&repository, &["--profile", "amacs"]);
    assert_eq!(names(&index["skills"]), ["commit-conventions", "security-review", "spec-consistency"]);
    assert_eq!(index["recipe"]["budget"]["tokens"], 4_500);
    assert_eq!(index["recipe"]["each"]["tokens"], 1_500);
}
