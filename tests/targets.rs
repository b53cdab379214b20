//! `targets` and `check --target`: the runtimes that skills must work in, and the runtimes that findings name.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

mod common;

use common::{Repository, Run, good};
use serde_json::Value;

const ROOT: &str = ".agents/skills";

/// A root that Codex and Gemini CLI look into, with a skill that nothing is wrong with.
fn repository() -> Repository {
    let repository = Repository::new();
    repository.write("skilltree.toml", format!("[[root]]\npath = '{ROOT}'\n"));
    repository.skill(ROOT, "good").add();
    repository
}

fn json(run: &Run) -> Value {
    let document: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    let schema = serde_json::from_str(include_str!("../schema/report.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "the output matches the schema");
    document
}

/// The findings as `RULE PATH`.
fn found(repository: &Repository, arguments: &[&str]) -> Vec<String> {
    let run = repository.skilltree(&[&["check", "--format", "json"], arguments].concat());
    let document = json(&run);
    let findings = document["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| format!("{} {}", finding["rule"].as_str().unwrap(), finding["path"].as_str().unwrap()))
        .collect()
}

#[test]
fn target_fails_check_and_keeps_prompt() {
    let repository = repository();
    // `when_to_use` is not a key of the Agent Skills specification, whose validator rejects the skill.
    let run = repository.skilltree(&["check", "--target", "agentskills", "--format", "json"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    let document = json(&run);
    let finding = &document["findings"][0];
    assert_eq!(document["findings"].as_array().unwrap().len(), 1);
    assert_eq!(finding["rule"], "target-drops-skill");
    assert_eq!(finding["skill"], "good");
    assert_eq!(
        finding["runtimes"],
        serde_json::json!([{
            "target": "agentskills",
            "basis": "Agent Skills 0.1.1, observed 2026-11",
            "outcome": "dropped",
            "said": "error",
        }])
    );
    repository.write("skilltree.toml", format!("targets = ['agentskills']\n[[root]]\npath = '{ROOT}'\n"));
    assert_eq!(repository.skilltree(&["check"]).status, 1);
    let list = repository.skilltree(&["list"]);
    assert!(list.stdout.contains("good"), "{}", list.stdout);
    assert!(repository.skilltree(&["prompt"]).stdout.contains("good"));
    assert_eq!(repository.skilltree(&["check", "--target", "codex"]).status, 0, "the command line takes its place");
}

#[test]
fn distinguishes_missing_from_unknown_roles() {
    let repository = repository();
    let missing =
        [("absent", ""), ("nil", "roles:"), ("tilde", "roles: ~"), ("blank", "roles: ' '"), ("commas", "roles: ', '")];
    let missing = [&missing[..], &[("nothing", "roles: []"), ("nulls", "roles: [null, '']")]].concat();
    let wrong = [("chef", "roles: chef"), ("number", "roles: [3]"), ("map", "roles: {builder: true}")];
    let cases = [(&missing[..], "`roles` is missing"), (&wrong[..], "`roles` has no known value")];
    for (name, roles) in cases.iter().flat_map(|(skills, _)| *skills) {
        let skill = good(name).replacen("---\n", &format!("---\ntags: food\n{roles}\n"), 1);
        repository.write(&format!("{ROOT}/{name}/SKILL.md"), skill.replace("\n\nname", "\nname"));
    }
    repository.add();
    let off = ["--rule", "unknown-role=off", "--rule", "missing-roles=off", "--format", "concise"];
    let check = repository.skilltree(&[&["check", "--target", "swarm"], &off[..]].concat());
    for (skills, reason) in cases {
        for (name, _) in skills {
            let is_it =
                |line: &&str| line.contains(&format!("{ROOT}/{name}/")) && line.contains("[target-drops-skill]");
            let line = check.stdout.lines().find(is_it).unwrap_or_else(|| panic!("{name}: {}", check.stdout));
            assert!(line.contains(reason), "{line}");
            assert_eq!(line.contains("/SKILL.md:1:1: "), *name == "absent", "the value is the place: {line}");
        }
    }
    // Separate findings report missing and unknown values.
    let blamed = |rule: &str| {
        let found = found(&repository, &["--target", "swarm"]);
        let of = found.into_iter().filter_map(|line| Some(line.strip_prefix(rule)?.trim().to_owned()));
        of.filter_map(|path| Some(path.strip_prefix(ROOT)?.split('/').nth(1)?.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(blamed("unknown-role"), ["chef", "number"]);
}

#[test]
fn accepts_repository_profile_as_target() {
    let repository = repository();
    let own = "[profile.house]\nextends = 'codex'\ntitle = 'House Agent'\n[[profile.house.loads.limits]]\n\
               of = 'description'\nunit = 'chars'\nmost = 20\nbeyond = { outcome = 'cut', said = 'nothing' }\n";
    repository.write("skilltree.toml", format!("targets = ['house']\n[[root]]\npath = '{ROOT}'\n{own}"));
    for arguments in [&["check"][..], &["check", "--target", "house"]] {
        let run = repository.skilltree(arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.contains("House Agent would load the skill with changes"), "{}", run.stdout);
        assert!(run.stdout.contains("the limit is 20"), "{}", run.stdout);
        assert!(run.stdout.contains("House Agent shows the model 20 characters"), "{}", run.stdout);
    }
}

#[test]
fn rejects_unknown_target_with_suggestion() {
    let repository = repository();
    let run = repository.skilltree(&["check", "--target", "codecs"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("there is no profile `codecs`") && run.stderr.contains("`codex`"), "{}", run.stderr);
    repository.write("skilltree.toml", format!("targets = ['codecs']\n[[root]]\npath = '{ROOT}'\n"));
    let run = repository.skilltree(&["check", "--format", "concise"]);
    assert_eq!(run.status, 1);
    let place = "skilltree.toml:1:12: error[invalid-configuration] there is no profile `codecs`";
    assert!(run.stdout.contains(place), "{}", run.stdout);
}

#[test]
fn shows_fault_of_requested_profile() {
    let repository = repository();
    repository.write("skilltree.toml", "[profile.m]\nextends = 'codex'\n\n[profile.m.loads]\ndeep = 1\n");
    let ways: [&[&str]; 5] = [
        &["prompt", "--profile", "m"],
        &["check", "--target", "m"],
        &["forecast", "--target", "m"],
        &["profiles", "m"],
        &["list", "--root", "a=m"],
    ];
    for arguments in ways {
        let run = repository.skilltree(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains("the profile `m` is not valid: unknown field `deep`"), "{}", run.stderr);
        assert!(run.stderr.contains("skilltree.toml:5:1"), "{}", run.stderr);
        assert!(!run.stderr.contains("there is no profile"), "{}", run.stderr);
    }
}

#[test]
fn finding_names_affected_runtimes() {
    let repository = repository();
    let text = format!("\u{feff}{}", good("bom").replace("Does what bom says.", &"a".repeat(1_025)));
    repository.write(&format!("{ROOT}/bom/SKILL.md"), text);
    let document = json(&repository.skilltree(&["check", "--format", "json"]));
    let runtimes = |rule: &str| -> Vec<String> {
        let findings = document["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["rule"] == rule).expect(rule);
        let words = |loss: &serde_json::Value| format!("{} {} {}", loss["target"], loss["outcome"], loss["said"]);
        finding["runtimes"].as_array().unwrap().iter().map(words).collect()
    };
    let marked = runtimes("byte-order-mark");
    assert!(marked.contains(&r#""gemini-cli" "dropped" "nothing""#.to_owned()), "{marked:?}");
    // Gemini CLI drops the skill because of the BOM, not because of the length. Hermes Agent truncates at any length.
    let long = runtimes("description-too-long");
    assert!(!long.is_empty() && long.iter().all(|loss| !loss.contains("gemini-cli")), "{long:?}");
    assert!(long.iter().all(|loss| !loss.contains("hermes")), "{long:?}");
    let full = repository.skilltree(&["check"]).stdout;
    assert!(full.contains("silently dropped by ") && full.contains(" and "), "{full}");
    let sarif: Value = serde_json::from_str(&repository.skilltree(&["check", "--format", "sarif"]).stdout).unwrap();
    let messages = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let mut messages = messages.map(|result| result["message"]["text"].as_str().unwrap().to_owned());
    assert!(messages.any(|message| message.contains("ilently dropped by ")));
}

#[test]
fn error_replaces_target_finding_and_warning_does_not() {
    let repository = repository();
    let long = good("long").replace("Does what long says.", &"a".repeat(1_025));
    repository.write(&format!("{ROOT}/long/SKILL.md"), long).add();
    let path = format!("{ROOT}/long/SKILL.md");
    let roo = |arguments: &[&str]| found(&repository, &[&["--target", "roo"], arguments].concat());
    assert_eq!(roo(&[]), [format!("description-too-long {path}")]);
    let both = [format!("description-too-long {path}"), format!("target-drops-skill {path}")];
    assert_eq!(roo(&["--rule", "description-too-long=warning"]), both);
    assert_eq!(roo(&["--rule", "description-too-long=off"]), both[1..]);
}

#[test]
fn reports_unread_root_in_every_source() {
    let repository = Repository::new();
    repository.skill(ROOT, "good").commit();
    let near = [format!("near-miss-root {ROOT}")];
    for source in [&["--worktree"][..], &["--staged"], &["--rev", "HEAD"]] {
        assert_eq!(found(&repository, source), near, "{source:?}");
    }
    assert_eq!(found(&repository, &["--root", ROOT]), [""; 0]);
    let full = |arguments: &[&str]| repository.skilltree(&[&["check"], arguments].concat()).stdout;
    assert!(full(&["--target", "codex"]).contains("Codex reads `.agents/skills`, which contains skills"));
    assert!(
        !full(&["--target", "codex"]).contains("is close to") && !full(&[]).contains("is close to"),
        "others read it"
    );
    repository.write(".gitignore", ".agents\n");
    repository.git(&["rm", "--quiet", "-r", "--cached", ".agents"]);
    assert_eq!(found(&repository, &["--worktree"]), [""; 0], "files that git ignores have no findings");
}

#[test]
fn reports_name_clash_without_runtime_precedence() {
    let repository = Repository::new();
    let roots = "[[root]]\npath = '.agents/skills'\n[[root]]\npath = '.gemini/skills'\n[[root]]\npath = '.codex/skills'\n[rules]\nno-skills-found = 'off'\n";
    repository.write("skilltree.toml", roots);
    repository.skill(".agents/skills", "pdf");
    let other = |root: &str| {
        let text = good("pdf").replace("Does what", "Does more than");
        repository.write(&format!("{root}/pdf/SKILL.md"), text).add();
    };
    other(".gemini/skills");
    let gemini = ".gemini/skills/pdf/SKILL.md";
    assert_eq!(found(&repository, &[]), [format!("duplicate-name {gemini}")]);
    assert_eq!(found(&repository, &["--target", "gemini-cli"]), [format!("shadowed-skill {gemini}")]);
    // Codex takes both.
    repository.git(&["rm", "--quiet", "-r", "--force", ".gemini"]);
    other(".codex/skills");
    assert_eq!(found(&repository, &["--target", "codex"]), ["duplicate-name .codex/skills/pdf/SKILL.md"]);
}
