//! What the authors of the designs need to adopt skilltree: their own directories, names, settings and switches.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Repository, Run, good, skilltree};

fn write(top: &Path, path: &str, text: &str) {
    let path = top.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A home directory, and a working directory next to it that is in no repository.
fn home() -> (TempDir, std::path::PathBuf) {
    let top = tempfile::tempdir().unwrap();
    let work = top.path().join("work");
    fs::create_dir_all(&work).unwrap();
    (top, work)
}

fn run(home: &TempDir, work: &Path, words: &[&str]) -> Run {
    skilltree(work, words, &[("HOME", home.path().to_str().unwrap())])
}

fn json_of(run: &Run) -> Value {
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

fn names(listed: &Value) -> Vec<&str> {
    listed.as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect()
}

#[test]
fn symphony_prompt_without_profile_lists_only_the_path_of_workflow() {
    let repository = Repository::new();
    repository.skill("team/skills", "own").skill(".agent/skills", "other").skill(".symphony/skills", "old");
    repository.write("WORKFLOW.md", "---\nagent:\n  skills:\n    path: team/skills\n---\nDo it.\n").add();
    let block = |words: &[&str]| repository.skilltree(words).stdout;
    let default = block(&["prompt"]);
    assert_eq!(
        default.lines().filter(|line| line.starts_with("- ")).collect::<Vec<_>>(),
        ["- own — The task mentions own."]
    );
    assert_eq!(default, block(&["prompt", "--profile", "symphony"]));
    fs::remove_file(repository.path().join("WORKFLOW.md")).unwrap();
    assert_eq!(block(&["prompt"]).matches("\n- ").count(), 2, "without the block, all default directories");
}

#[test]
fn symphony_disabled_opens_no_skill() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "a");
    repository.write("WORKFLOW.md", "---\nagent:\n  skills:\n    enabled: false\n---\nWork.\n").commit();
    // Without its tree, the directory of the skills cannot be walked.
    let tree = repository.git(&["rev-parse", "HEAD:.symphony/skills"]);
    fs::remove_file(repository.path().join(".git/objects").join(&tree[..2]).join(&tree[2..])).unwrap();
    let disabled = repository.skilltree(&["prompt", "--rev", "HEAD", "--format", "json"]);
    assert_eq!(json_of(&disabled)["disabled"], true);
    assert_eq!(repository.skilltree(&["prompt", "--rev", "HEAD", "--no-config"]).status, 2);
}

#[test]
fn symphony_comment_has_marker_and_faults_of_workflow() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "a");
    repository.write("WORKFLOW.md", "---\nagent:\n  skills:\n    enabled: \"false\"\n---\nWork.\n").add();
    let out = repository.path().join("out");
    let run = repository.skilltree(&["prompt", "--out", out.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let comment = fs::read_to_string(out.join("comment.md")).unwrap();
    assert!(comment.starts_with("<!-- skilltree: skipped skills -->\n### Settings with errors\n"), "{comment}");
    assert!(comment.contains("**`WORKFLOW.md`**") && comment.contains("`enabled` must be"), "{comment}");
    let index: Value = serde_json::from_slice(&fs::read(out.join("skills.json")).unwrap()).unwrap();
    assert_eq!(index["errors"][0]["source"], "WORKFLOW.md");
}

#[test]
fn symphony_config_file_is_neither_read_nor_changed() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "a").add();
    let outputs = || {
        let words: [&[&str]; 3] = [&["check", "--format", "json"], &["prompt", "--format", "json"], &["fix"]];
        words.map(|words| repository.skilltree(words)).map(|run| (run.status, run.stdout))
    };
    let without = outputs();
    assert!(without[1].1.contains("skilltree/prompt-index/v1"), "{}", without[1].1);
    let text = "agent:\n  skills:\n    enabled: false\n    path: elsewhere\nskills: [\n";
    repository.write(".symphony/config.yaml", text).add();
    assert_eq!(outputs(), without);
    assert_eq!(fs::read_to_string(repository.path().join(".symphony/config.yaml")).unwrap(), text);
}

#[test]
fn camel_list_and_show_follow_the_profile_outside_git() {
    let (home, work) = home();
    let skill = |version: &str| {
        good("shared")
            .replace("Does what", version)
            .replace("when_to_use", "metadata:\n  short-description: Short.\nwhen_to_use")
    };
    write(home.path(), ".camel/skills/shared/SKILL.md", &skill("User version of what"));
    write(&work, ".camel/skills/shared/SKILL.md", &skill("Own version of what"));
    write(&work, ".camel/skills/.hidden/secret/SKILL.md", &good("secret"));
    write(&work, ".camel/skills/bad/SKILL.md", "---\nname: bad\n---\nBody.\n");
    write(&work, ".agent/skills/other/SKILL.md", &good("other"));
    let list = json_of(&run(&home, &work, &["list", "--profile", "camel", "--user", "--format", "json"]));
    assert_eq!(names(&list["skills"]), ["shared"]);
    let skill = &list["skills"][0];
    assert!(skill["description"].as_str().unwrap().starts_with("Own version"), "{skill}");
    assert_eq!(
        (&skill["short_description"], &skill["path"]),
        (&json!("Short."), &json!(".camel/skills/shared/SKILL.md"))
    );
    assert_eq!(list["shadowed"][0]["path"], "~/.camel/skills/shared/SKILL.md");
    assert_eq!(list["errors"][0]["path"], ".camel/skills/bad/SKILL.md");
    assert_eq!(list["errors"][0]["rule"], "missing-description");
    let shown = json_of(&run(&home, &work, &["show", "shared", "--profile", "camel", "--user", "--format", "json"]));
    assert_eq!((&shown["name"], &shown["short_description"]), (&json!("shared"), &json!("Short.")));
    assert!(shown["description"].as_str().unwrap().starts_with("Own version"), "{shown}");
    assert!(shown["body"].as_str().unwrap().contains("Do it."), "{shown}");
}

#[test]
fn list_prefers_the_repository_without_a_profile() {
    let (home, _) = home();
    write(home.path(), ".camel/skills/shared/SKILL.md", &good("shared").replace("Does", "The user does"));
    let repository = Repository::new();
    repository.write(".camel/skills/shared/SKILL.md", good("shared").replace("Does", "The team does")).add();
    let run = run(&home, repository.path(), &["list", "--user"]);
    assert!(run.stdout.starts_with("shared  The team does"), "{}{}", run.stdout, run.stderr);
}

#[test]
#[cfg(unix)]
fn amacs_binds_skills_of_its_own_root_by_directory() {
    let (home, work) = home();
    let root = home.path().join(".agent/skills");
    write(home.path(), "amacs/skills/core/SKILL.md", &good("core"));
    write(home.path(), "amacs/skills/chat/SKILL.md", &good("chat"));
    write(&root, "elisp/SKILL.md", &good("another-name"));
    write(&root, "git/SKILL.md", &good("git"));
    write(&root, ".hidden/SKILL.md", &good("elisp"));
    for name in ["core", "chat"] {
        std::os::unix::fs::symlink(home.path().join("amacs/skills").join(name), root.join(name)).unwrap();
    }
    let list = json_of(&run(&home, &work, &["agent", "thread", "list", "--user", "--format", "json"]));
    assert_eq!(names(&list["available"]), ["chat", "elisp", "git"]);
    let missing = run(&home, &work, &["agent", "thread", "bind", "another-name", "--thread", "7", "--user"]);
    assert!(missing.status == 2 && missing.stderr.contains("Skill 'another-name' not found"), "{}", missing.stderr);
    for name in ["elisp", "git", "chat"] {
        let bound = run(&home, &work, &["agent", "thread", "bind", name, "--thread", "7", "--user"]);
        assert_eq!(bound.status, 0, "{}", bound.stderr);
    }
    let check = run(&home, &work, &["check", "--user", "--format", "concise"]);
    assert!(!check.stdout.contains("unknown-bound-skill"), "{}{}", check.stdout, check.stderr);
    let prompt = run(&home, &work, &["prompt", "--profile", "amacs", "--thread", "7", "--user"]);
    let headings: Vec<&str> = prompt.stdout.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!((prompt.status, headings), (0, vec!["chat", "git", "elisp"]), "{}", prompt.stderr);
    let threads = fs::read_to_string(work.join(".agent/threads.json")).unwrap();
    assert!(threads.contains("[\"chat\", \"git\", \"elisp\"]"), "{threads}");
}

#[test]
fn amacs_copies_in_the_users_directory_are_compared_on_request() {
    let (home, work) = home();
    write(
        &work,
        "skilltree.toml",
        "[rules]\ndeploy-drift = \"warning\"\n\n[[deploy]]\nfrom = \"skills\"\nto = \"~/.agent/skills\"\n",
    );
    write(&work, "skills/elisp/SKILL.md", &good("elisp"));
    write(&work, "skills/git/SKILL.md", &good("git"));
    write(&work, "skills/org/SKILL.md", &good("org"));
    let copies = home.path().join(".agent/skills");
    write(&copies, "elisp/SKILL.md", &good("elisp").replace("Do it.", "Do it as before."));
    write(&copies, "git/SKILL.md", &good("git"));
    let check =
        |options: &[&str]| run(&home, &work, &[&["check", ".", "--format", "concise", "--quiet"], options].concat());
    let closed = check(&[]);
    assert_eq!((closed.status, closed.stdout.as_str()), (0, ""), "{}", closed.stderr);
    let opened = check(&["--user"]);
    let expected = [
        "skills/elisp/SKILL.md:1:1: warning[deploy-drift] `~/.agent/skills/elisp/SKILL.md` was deployed from another version of this file",
        "skills/org/SKILL.md:1:1: warning[deploy-drift] the skill is not deployed to `~/.agent/skills`",
    ];
    assert!(opened.stdout.lines().eq(expected), "{}{}", opened.stdout, opened.stderr);
}

#[test]
fn amacs_commands_use_the_active_thread() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "rust-mode").skill(".agent/skills", "cargo");
    let thread = |words: &[&str]| repository.skilltree(&[&["agent", "thread"], words].concat());
    assert_eq!(thread(&["bind", "rust-mode"]).status, 2);
    assert_eq!(repository.skilltree(&["prompt", "--profile", "amacs", "--thread"]).status, 2);
    assert_eq!(thread(&["activate", "A"]).status, 0);
    assert!(thread(&["bind", "rust-mode"]).stderr.contains("Bound skill 'rust-mode' to thread 'A'"));
    assert_eq!(thread(&["bind", "cargo", "--thread", "B"]).status, 0);
    let context = || repository.skilltree(&["prompt", "--profile", "amacs", "--thread"]).stdout;
    assert!(context().contains("### rust-mode\n") && !context().contains("cargo"));
    thread(&["activate", "B"]);
    assert!(context().contains("### cargo\n") && !context().contains("rust-mode"));
    assert!(thread(&["unbind", "cargo"]).stderr.contains("from thread 'B'"));
    assert_eq!(context(), "");
    assert_eq!(repository.skilltree(&["check"]).status, 0);
}

#[test]
fn amacs_own_repository_keeps_core() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "core").add();
    let check = repository.skilltree(&["check", "--target", "amacs", "--fail-on", "warning", "--format", "concise"]);
    assert_eq!(check.status, 0, "{}", check.stdout);
    repository.write("skilltree.toml", "[[root]]\npath = '.agent/skills'\nprofile = 'amacs'\n").add();
    let forecast = repository.skilltree(&["forecast", "--target", "amacs", "--format", "json"]);
    let forecast = json_of(&forecast).to_string();
    assert!(forecast.contains("it is always in the system prompt"), "{forecast}");
}

#[test]
fn amacs_references_are_not_in_the_prompt() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "rust-mode");
    repository.write(".agent/skills/rust-mode/references/lifetimes.md", "Elide them.\n").add();
    let run = repository.skilltree(&["prompt", "--profile", "amacs", "--skill", "rust-mode"]);
    assert!(run.stdout.contains("### rust-mode\n") && !run.stdout.contains("Elide"), "{}", run.stdout);
}

/// A skill that the design selects for a reviewer, and one without roles.
fn swarm() -> Repository {
    let repository = Repository::new();
    for (name, roles) in [("with-role", "roles: [reviewer]\n"), ("without-role", "")] {
        let text = format!(
            "---\nname: {name}\ndescription: Tests an API {name}. Use when asked.\ntags: [api]\n{roles}---\nTest it.\n"
        );
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), text);
    }
    repository.add();
    repository
}

#[test]
fn rfc_009_check_and_prompt_agree_on_skills_without_roles() {
    let repository = swarm();
    let selected = |words: &[&str]| {
        let run = repository
            .skilltree(&[&["prompt", "--task", "api", "--role", "reviewer", "--format", "json"], words].concat());
        names(&json_of(&run)["skills"]).join(" ")
    };
    assert_eq!(selected(&["--profile", "swarm"]), "with-role");
    assert_eq!(selected(&[]), "with-role without-role", "only the design requires a role");
    let check = repository.skilltree(&["check", "--target", "swarm", "--format", "concise"]);
    assert!(
        check.stdout.contains("without-role/SKILL.md") && !check.stdout.contains(".agent/skills/with-role/SKILL.md:"),
        "{}",
        check.stdout
    );
}

#[test]
fn rfc_009_knowledge_has_its_own_section_and_a_switch() {
    let repository = swarm();
    let add = [
        "agent",
        "knowledge",
        "add",
        "--category=gotcha",
        "--scope=global",
        "--contributor=r",
        "--content=An API needs tests.",
    ];
    assert_eq!(repository.skilltree(&add).status, 0);
    let before = fs::read(repository.path().join(".agent/knowledge.jsonl")).unwrap();
    assert_eq!(repository.skilltree(&add).status, 0, "a duplicate is dropped");
    assert_eq!(fs::read(repository.path().join(".agent/knowledge.jsonl")).unwrap(), before);
    let block = |words: &[&str]| {
        repository.skilltree(&[&["prompt", "--profile", "swarm", "--task", "api"], words].concat()).stdout
    };
    let without = block(&["--no-knowledge"]);
    assert!(
        without.ends_with("--- End Agent Skills ---\nApply these skills to your review/implementation.\n"),
        "{without}"
    );
    let section = "\n--- Shared Knowledge ---\n- gotcha: An API needs tests. (r)\n--- End Shared Knowledge ---\n";
    assert_eq!(block(&[]), format!("{without}{section}"));
    let tight = block(&["--budget-chars", &without.chars().count().to_string()]);
    assert_eq!(tight, format!("{without}{section}"), "the budget is that of the skills");
}

#[test]
fn rfc_009_seed_skills_have_no_findings_and_are_selected() {
    let repository = Repository::new();
    let seeds = ["commit-conventions", "error-recovery", "security-review", "spec-consistency", "tdd-pattern"];
    for name in seeds {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/skills/{name}/SKILL.md"));
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), fs::read(path).unwrap());
    }
    repository.add();
    let check = repository.skilltree(&["check", "--target", "swarm", "--fail-on=note"]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    let prompt = |task: &str, role: &str| {
        let words = ["prompt", "--profile", "swarm", "--task", task, "--role", role, "--format", "json"];
        names(&json_of(&repository.skilltree(&words))["skills"]).join(" ")
    };
    assert_eq!(
        prompt("Add GET /a2a/registry/agents endpoint to the API", "reviewer"),
        "security-review spec-consistency"
    );
    assert_eq!(prompt("The build fails with an error", "debugger"), "error-recovery");
}
