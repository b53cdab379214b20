//! `targets` and `check --target`: the runtimes that skills must work in, and the runtimes that findings name.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use crate::common::{self, Repository, Run, good};
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
    let schema = serde_json::from_str(include_str!("../../schema/report.json")).unwrap();
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
            "outcome": "drops",
            "reported": "error",
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
               of = 'description'\nunit = 'chars'\nmaximum = 20\nover-limit = { handling = 'truncates', reported = 'nothing' }\n";
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
        let words = |loss: &Value| format!("{} {} {}", loss["target"], loss["outcome"], loss["reported"]);
        finding["runtimes"].as_array().unwrap().iter().map(words).collect()
    };
    let marked = runtimes("byte-order-mark");
    assert!(marked.contains(&r#""gemini-cli" "drops" "nothing""#.to_owned()), "{marked:?}");
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
fn summary_says_how_the_named_runtimes_are_known() {
    let repository = repository();
    let run = repository.skilltree(&["check", "--verbose"]);
    assert!(!run.stderr.contains("runtimes:"), "{}", run.stderr);
    repository.write(&format!("{ROOT}/bad/SKILL.md"), "---\nname: bad\n---\nDo it.\n").add();
    let run = repository.skilltree(&["check", "--target", "codex"]);
    assert!(!run.stderr.contains("runtimes:"), "{}", run.stderr);
    let run = repository.skilltree(&["check", "--target", "codex", "--verbose"]);
    let line = run.stderr.lines().find_map(|line| line.strip_prefix("runtimes: ")).expect(&run.stderr);
    let basis = line.strip_prefix("Codex ").and_then(|rest| rest.split_once(", observed 20")).expect(line);
    assert!(basis.0.split('.').all(|part| part.parse::<u32>().is_ok()), "{line}");
    let of = |format: &str| repository.skilltree(&["check", "--target", "codex", "--format", format]).stdout;
    let ends = format!("%0Aruntimes: {line}");
    let annotations = of("github");
    let is_about = |rule: &&str| rule.starts_with("::error ") && rule.contains("title=missing-description::");
    assert!(annotations.lines().find(is_about).is_some_and(|found| found.ends_with(&ends)), "{annotations}");
    let value = |format: &str| serde_json::from_str::<Value>(&of(format)).unwrap();
    assert_eq!(value("json")["findings"][0]["runtimes"][0]["basis"], line);
    assert_eq!(value("sarif")["runs"][0]["results"][0]["properties"]["runtimes"], serde_json::json!([line]));
}

/// Names at most six of many runtimes in an annotation, and all of them in SARIF.
#[test]
fn annotation_names_the_most_used_runtimes_only() {
    let repository = repository();
    let text = format!("\u{feff}{}", good("bom"));
    repository.write(&format!("{ROOT}/bom/SKILL.md"), text).add();
    let annotations = repository.skilltree(&["check", "--format", "github"]).stdout;
    let found = annotations.lines().find(|line| line.contains("title=byte-order-mark::")).expect(&annotations);
    let known = found.split("%0Aruntimes: ").nth(1).expect(found);
    assert_eq!(known.split("; ").count(), 7, "{known}");
    let more: usize = known.rsplit("; ").next().and_then(|more| more.strip_suffix(" more")).unwrap().parse().unwrap();
    let sarif: Value = serde_json::from_str(&repository.skilltree(&["check", "--format", "sarif"]).stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let result = results.iter().find(|result| result["ruleId"] == "byte-order-mark").unwrap();
    let runtimes = result["properties"]["runtimes"].as_array().unwrap();
    assert_eq!(runtimes.len(), more + 6, "{runtimes:?}");
}

/// Which descriptions Claude Code omits depends on use, which a repository does not know.
#[test]
fn names_no_skill_that_loses_its_description_by_use() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "targets = ['claude-code']\n[[root]]\npath = '.claude/skills'\n");
    let names: Vec<String> = (10..210).map(|number| format!("sorts-invoices-{number}")).collect();
    for name in &names {
        skill(&repository, &format!(".claude/skills/{name}"), name, &format!("{} for {name}.", "Sorts it ".repeat(20)));
    }
    let document = json(&repository.skilltree(&["check", "--format", "json"]));
    let findings = document["findings"].as_array().unwrap();
    let listed: Vec<&Value> = findings.iter().filter(|finding| finding["rule"] == "target-changes-skill").collect();
    assert_eq!(listed.len(), 1, "{findings:?}");
    let message = listed[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("Claude Code would not show the full descriptions of ")
            && message.contains(" of 200 skills"),
        "{message}"
    );
    let notes = listed[0]["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note == "which descriptions it omits depends on how often each skill is used"));
    for finding in findings {
        let texts = [&finding["message"], &finding["notes"], &finding["help"], &finding["related"]];
        let texts = texts.map(ToString::to_string).concat();
        assert!(!names.iter().any(|name| texts.contains(name.as_str())), "{texts}");
    }
    let forecast = repository.skilltree(&["forecast", "--target", "claude-code"]);
    let of_the_list = forecast.stdout.lines().skip_while(|line| !line.starts_with("Claude Code lists "));
    let of_the_list: Vec<&str> = of_the_list.flat_map(str::split_whitespace).collect();
    let counts = "89 in full, 111 shortened (which ones depends on use), 0 left out";
    assert!(of_the_list.join(" ").contains(counts), "{}", forecast.stdout);
}

#[test]
fn list_that_fits_the_larger_window_only_is_a_note() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "targets = ['claude-code']\n[[root]]\npath = '.claude/skills'\n");
    for number in 10..70 {
        let name = format!("sorts-invoices-{number}");
        skill(
            &repository,
            &format!(".claude/skills/{name}"),
            &name,
            &format!("{} for {name}.", "Sorts it ".repeat(20)),
        );
    }
    let document = json(&repository.skilltree(&["check", "--format", "json"]));
    let findings = document["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["rule"] == "target-changes-skill").unwrap();
    let of = "Claude Code would not show the full descriptions of 57 of 60 skills";
    assert_eq!(finding["message"], format!("with a context window of 200,000 tokens, {of}"));
    assert_eq!(finding["severity"], "note");
    let forecast = repository.skilltree(&["forecast", "--target", "claude-code"]).stdout;
    let words: Vec<&str> = forecast.split_whitespace().collect();
    let small = "Claude Code with a context window of 200,000 tokens: 57 shortened, 0 left out";
    assert!(words.join(" ").contains(small), "{forecast}");
}

#[test]
fn error_replaces_target_finding_and_warning_does_not() {
    let repository = repository();
    let long = good("long").replace("Does what long says.", &"a".repeat(1_025));
    repository.write(&format!("{ROOT}/long/SKILL.md"), long).add();
    let path = format!("{ROOT}/long/SKILL.md");
    let roo = |arguments: &[&str]| found(&repository, &[&["--target", "roo"], arguments].concat());
    assert_eq!(roo(&[]), [format!("description-too-long {path}")]);
    let both = [format!("target-drops-skill {path}"), format!("description-too-long {path}")];
    assert_eq!(roo(&["--rule", "description-too-long=warning"]), both);
    assert_eq!(roo(&["--rule", "description-too-long=off"]), both[..1]);
}

#[test]
fn reports_unread_root_in_every_source() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "[[root]]\npath = '.agent/skills'\n");
    repository.skill(".agent/skills", "other").skill(ROOT, "good").commit();
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
    // Gemini CLI has an order. Warp reads both too, and lists both. Others read only one, so the skill is one for each.
    assert_eq!(found(&repository, &[]), [format!("drifted-copy {gemini}")]);
    assert_eq!(found(&repository, &["--target", "gemini-cli"]), [format!("shadowed-skill {gemini}")]);
    assert_eq!(found(&repository, &["--target", "codex"]), ["unread-root .gemini/skills"]);
    // Codex takes both.
    repository.git(&["rm", "--quiet", "-r", "--force", ".gemini"]);
    other(".codex/skills");
    assert_eq!(found(&repository, &["--target", "codex"]), ["duplicate-name .codex/skills/pdf/SKILL.md"]);
    assert_eq!(found(&repository, &[]), ["drifted-copy .codex/skills/pdf/SKILL.md"]);
}

#[test]
fn plugins_have_names_of_their_own() {
    let repository = Repository::new();
    for plugin in ["a", "b"] {
        let text = good("pdf").replace("Does what", plugin);
        repository.write(&format!("plugins/{plugin}/skills/pdf/SKILL.md"), text);
    }
    repository.add();
    let one_by_one = ["--root", "plugins/a/skills", "--root", "plugins/b/skills"];
    let ways = [&["--root", "plugins/*/skills"][..], &one_by_one];
    for roots in ways {
        assert_eq!(found(&repository, roots), [""; 0], "{roots:?}");
    }
    std::fs::remove_dir_all(repository.path().join(".git")).unwrap();
    let directory = repository.path().to_str().unwrap();
    for roots in ways {
        let arguments = [&["check", directory, "--format", "concise"], roots].concat();
        let run = common::skilltree(std::path::Path::new("/"), &arguments, &[]);
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{roots:?}: {}", run.stderr);
        assert!(run.stderr.contains("\nno findings in 2 skills (directory)"), "{}", run.stderr);
    }
}

/// Adds a skill with a name and a description.
fn skill(repository: &Repository, directory: &str, name: &str, description: &str) {
    let text = format!("---\nname: {name}\ndescription: {description} Use when asked.\n---\nDo it.\n");
    repository.write(&format!("{directory}/SKILL.md"), text).add();
}

/// The findings as `LEVEL[RULE]`, and the exit status.
fn levels(repository: &Repository, arguments: &[&str]) -> (i32, Vec<String>) {
    let run = repository.skilltree(&[&["check", "--format", "concise"], arguments].concat());
    let level = |line: &str| line.split(": ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().to_owned();
    (run.status, run.stdout.lines().map(level).collect())
}

#[test]
fn error_that_no_target_depends_on_is_a_note() {
    let repository = Repository::new();
    let settings = "targets = ['claude-code']\n[[root]]\npath = '.claude/skills'\n";
    repository.write("skilltree.toml", settings);
    for name in ["a", "b", "c", "d"] {
        skill(&repository, &format!(".claude/skills/{name}"), &format!("{name}-acme"), &format!("Does {name}."));
    }
    assert_eq!(levels(&repository, &[]), (0, vec!["note[name-differs-from-directory]".to_owned(); 4]));
    let document = json(&repository.skilltree(&["check", "--format", "json"]));
    for finding in document["findings"].as_array().unwrap() {
        assert!(finding["notes"].to_string().contains("portability: no target depends on it"), "{finding}");
    }
    // A runtime that drops the skills is a target.
    let error = vec!["error[name-differs-from-directory]".to_owned(); 4];
    let both = ["--target", "claude-code", "--target", "agentskills"];
    assert_eq!(levels(&repository, &both), (1, error.clone()));
    // Without targets, no widely used runtime drops them.
    let warning = vec!["warning[name-differs-from-directory]".to_owned(); 4];
    assert_eq!(levels(&repository, &["--no-config", "--root", ".claude/skills"]), (0, warning));
    // An explicit level wins.
    assert_eq!(levels(&repository, &["--rule", "name-differs-from-directory=error"]), (1, error.clone()));
    repository.write("skilltree.toml", format!("{settings}[rules]\nname-differs-from-directory = 'error'\n"));
    assert_eq!(levels(&repository, &[]), (1, error));
}

#[test]
fn targets_lower_no_limit_of_the_repository() {
    let repository = Repository::new();
    let long = "n".repeat(65);
    skill(&repository, &format!(".claude/skills/{long}"), &long, "Does it.");
    let settings = "targets = ['claude-code']\n[[root]]\npath = '.claude/skills'\n";
    repository.write("skilltree.toml", settings);
    assert_eq!(levels(&repository, &[]), (0, vec!["note[name-too-long]".to_owned()]));
    repository.write("skilltree.toml", format!("{settings}[limits]\nname-chars = 64\n"));
    assert_eq!(levels(&repository, &[]), (1, vec!["error[name-too-long]".to_owned()]));
}

#[test]
fn targets_lower_no_rule_about_security_or_layout() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "targets = ['claude-code']\n[[root]]\npath = '.claude/skills'\n");
    skill(&repository, ".claude/skills/hidden", "hidden", "Does \u{200b}it.");
    skill(&repository, ".claude/skills/escape", "escape", "\"Does \u{1b}[31m it.\" #");
    skill(&repository, ".claude/skills/one", "one", "Does one.");
    skill(&repository, ".claude/skills/ONE", "ONE", "Does another.");
    let (status, levels) = levels(&repository, &[]);
    assert_eq!(status, 1);
    for expected in
        ["error[hidden-unicode]", "error[control-character]", "error[colliding-paths]", "error[duplicate-name]"]
    {
        assert!(levels.iter().any(|level| level == expected), "{expected}: {levels:?}");
    }
}

#[test]
fn keeps_error_if_the_outcome_in_a_target_is_unknown() {
    let repository = Repository::new();
    let text = format!("\u{feff}{}", good("bom"));
    repository.write(".claude/skills/bom/SKILL.md", text).add();
    let root = ["--root", ".claude/skills"];
    let (status, _) = levels(&repository, &[&["--target", "cursor"], &root[..]].concat());
    assert_eq!(status, 1, "whether Cursor loads it is unknown");
    let (status, found) = levels(&repository, &[&["--target", "goose"], &root[..]].concat());
    assert_eq!((status, found[0].as_str()), (0, "note[byte-order-mark]"), "goose loads it");
}

#[test]
fn reports_what_readers_drop_and_change_without_targets() {
    let repository = Repository::new();
    skill(&repository, ".claude/skills/office/pdf", "pdf", "Reads PDF files.");
    skill(&repository, ".claude/skills/memo", "memo", "Writes memos --- short ones.");
    let root = ["--root", ".claude/skills"];
    // Claude Code drops the first, and is widely used. Only the validator changes the second.
    let levels_found = ["error[target-drops-skill]", "warning[target-changes-skill]"].map(str::to_owned).to_vec();
    assert_eq!(levels(&repository, &root), (1, levels_found));
    let (status, found) = levels(&repository, &[&["--target", "claude-code"], &root[..]].concat());
    assert_eq!((status, found.first().map(String::as_str)), (1, Some("error[target-drops-skill]")));
    // A skill below another one has a finding already. It names the runtimes that drop the skill.
    let nested = Repository::new();
    skill(&nested, ".claude/skills/office", "office", "Opens office files.");
    skill(&nested, ".claude/skills/office/pdf", "pdf", "Reads PDF files.");
    assert_eq!(levels(&nested, &root), (0, vec!["warning[nested-skill]".to_owned()]));
    let full = nested.skilltree(&["check", "--root", ".claude/skills"]).stdout;
    assert!(full.contains("silently dropped by ") && full.contains("Claude Code"), "{full}");
}

#[test]
fn designs_are_in_scope_only_if_they_are_asked_for() {
    let repository = Repository::new();
    skill(&repository, ".agent/skills/pdf", "pdf", "Reads PDF files.");
    assert_eq!(levels(&repository, &[]), (0, Vec::new()), "SwarmAssistant reads the directory and wants roles");
    let dropped =
        |arguments: &[&str]| levels(&repository, arguments).1.iter().any(|level| level.contains("target-drops"));
    let off = ["--rule", "missing-tags=off", "--rule", "missing-roles=off"];
    assert!(dropped(&[&["--target", "swarm"], &off[..]].concat()));
    assert!(dropped(&[&["--root", ".agent/skills=swarm"], &off[..]].concat()));
}

#[test]
fn notes_name_runtimes_in_scope() {
    let repository = Repository::new();
    skill(&repository, ".agent/skills/pdf", "pdf", "Build for AWS: ECS.");
    let note = |arguments: &[&str]| {
        let full = repository.skilltree(&[&["check"], arguments].concat()).stdout;
        full.lines().find(|line| line.contains("note: ")).unwrap_or_default().to_owned()
    };
    assert!(note(&[]).ends_with("rejected by the Agent Skills validator"), "{}", note(&[]));
    assert!(note(&["--all"]).contains("goose"), "{}", note(&["--all"]));
    let runtimes = |arguments: &[&str]| {
        let document = json(&repository.skilltree(&[&["check", "--format", "json"], arguments].concat()));
        document["findings"][0]["runtimes"].as_array().unwrap().len()
    };
    assert_eq!(runtimes(&[]), 1);
    assert!(runtimes(&["--all"]) > 5);
}

/// Claude Code with its version, as output names it: a weekly run of the program changes it.
fn claude_code() -> String {
    let text = include_str!("../../crates/runtimes/src/profiles/claude-code.toml");
    let profile: toml::Table = text.parse().unwrap();
    let (version, date) = (&profile["observed"]["version"], &profile["observed"]["date"]);
    format!("Claude Code {}, observed {}", version.as_str().unwrap(), &date.as_str().unwrap()[..7])
}

#[test]
fn old_profiles_say_so_in_profiles_and_forecast() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "pdf").commit();
    let old = "observed 2026-11 (older than 90 days)";
    for command in ["profiles", "forecast"] {
        let on = |day: &str| {
            let text = repository.skilltree(&[command, "--verbose", "--today", day]).stdout;
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert!(on("2027-06-30").contains(old), "{command}");
        let fresh = on("2026-11-30");
        assert!(fresh.contains(&claude_code()) && !fresh.contains(old), "{command}");
    }
}

#[test]
fn verbose_verdict_names_old_profiles_of_findings() {
    let repository = Repository::new();
    repository.skill(".claude/skills/group", "pdf").commit();
    let on = |day: &str, more: &[&str]| {
        repository.skilltree(&[&["check", "--target=claude-code", "--today", day], more].concat()).stderr
    };
    let old = format!("old profiles: {} (older than 90 days)", claude_code());
    assert!(on("2027-06-30", &["--verbose"]).contains(&old));
    assert!(!on("2027-06-30", &[]).contains("old profiles"));
    assert!(!on("2026-11-30", &["--verbose"]).contains("old profiles"));
}

/// The block and the verdict agree about what a design reads, and a skill is listed by the name that selects it.
#[test]
fn designs_read_the_directory_of_their_block() {
    let repository = Repository::new();
    repository.write(".agent/skills/dir/SKILL.md", good("other")).add();
    for (design, title, name) in [("amacs", "AMACS", "dir"), ("majordomo", "majordomo", "other")] {
        let check = repository.skilltree(&["check", "--target", design]);
        assert!(check.stderr.contains(&format!("\n  {title} loads the skill\n")), "{}", check.stderr);
        let list = repository.skilltree(&["list", "--profile", design]);
        assert!(list.stdout.starts_with(&format!("{name} ")), "{}", list.stdout);
        let prompt = repository.skilltree(&["prompt", "--profile", design, "--skill", name]);
        assert!(prompt.status == 0 && prompt.stdout.contains("Do it."), "{}", prompt.stderr);
    }
    let prompt = repository.skilltree(&["prompt", "--profile", "amacs", "--skill", "other"]);
    let help = "error: there is no skill `other`\n  help: its name here is that of its directory: `dir`\n";
    assert!(prompt.status == 2 && prompt.stderr.contains(help), "{}", prompt.stderr);
}

/// pi and Kimi Code take a Markdown file for a skill, whatever it contains: none passes unchecked and unsaid.
#[test]
fn never_passes_skill_files_that_a_target_reads() {
    let text = "---\nname: review\nallowed-tools: [a\n---\nB\n";
    for (path, target) in [(".pi/skills/review.md", "pi"), (".kimi-code/skills/review.md", "kimi-code")] {
        let repository = Repository::new();
        repository.write(path, text).add();
        for source in [&[][..], &["--staged"]] {
            let run = repository.skilltree(&[&["check", "--target", target], source].concat());
            assert_eq!(run.status, 1, "{}", run.stderr);
            assert!(run.stdout.contains("error[no-skills-checked]: 1 file is a skill in "), "{}", run.stdout);
            assert!(!run.stderr.contains("there is no SKILL.md"), "{}", run.stderr);
        }
        let forecast = repository.skilltree(&["forecast", target]).stdout;
        assert!(forecast.starts_with("no skills\nnot forecast: 1 Markdown file in "), "{forecast}");
        repository.skill(path.strip_suffix("/review.md").unwrap(), "good").add();
        let run = repository.skilltree(&["check", "--target", target]);
        assert!(run.stdout.contains("but it is not checked: it has no skill directory"), "{}", run.stdout);
        assert!(run.stderr.contains("1 of 1 loaded: 1 Markdown file not checked\n"), "{}", run.stderr);
        let forecast = repository.skilltree(&["forecast", target]).stdout;
        assert!(forecast.contains("\nnot forecast: 1 Markdown file in "), "{forecast}");
    }
}

#[test]
fn names_the_move_of_a_skill_that_is_too_deep() {
    let repository = Repository::new();
    for (directory, name) in
        [(".claude/skills/forms", "pdf"), (".claude/skills/mail", "mail"), (".claude/skills/a/b", "c d")]
    {
        repository.write(&format!("{directory}/{name}/SKILL.md"), good(name));
    }
    repository.write(".symphony/skills/x/y/z/SKILL.md", good("z")).add();
    let run = repository.skilltree(&["check", "--target", "claude-code"]);
    let helps = [
        "run `git mv .claude/skills/forms/pdf .claude/skills/pdf`, or remove",
        "run `git mv '.claude/skills/a/b/c d' '.claude/skills/c d'`, or remove",
        "move the skill to `.claude/skills` under another name: `.claude/skills/mail` exists, or remove",
        "run `git mv .symphony/skills/x/y/z .symphony/skills/z`\n",
    ];
    for help in helps {
        assert!(run.stdout.contains(help), "{help}: {}", run.stdout);
    }
    // The move is what `check` wants.
    for words in [[".claude/skills/forms/pdf", ".claude/skills/pdf"], [".symphony/skills/x/y/z", ".symphony/skills/z"]]
    {
        repository.git(&["mv", words[0], words[1]]);
    }
    let run = repository.skilltree(&["check", "--target", "claude-code"]);
    assert!(!run.stdout.contains("/pdf") && !run.stdout.contains("too-deep-skill"), "{}", run.stdout);
}
