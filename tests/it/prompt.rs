//! The artifact as a dispatcher gets it: from the bytes of SKILL.md files to the files that it reads, and every
//! skills.json against its schema. To write the expected index anew: `SNAPSHOTS=overwrite cargo test --test it prompt::`

use std::collections::BTreeMap;

use serde_json::Value;
use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Artifact, Material, Name, Problem, Recipe, Skipped, SourceError};
use skilltree_dispatch::select::{Matcher, Selection, Task};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::{self, Rendering};
use skilltree_skills::limits::Limits;
use skilltree_skills::roots::{Owner, Root, RootPattern, RootSet};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{ObjectId, Origin, Role};
use skilltree_skills::source::{self, Content, Entry};
use snapbox::{assert_data_eq, file};

const MIGRATION: &str = "---
name: add-migration
description: Add an Ecto migration with the project's standard naming + safety checks.
when_to_use: Issue mentions schema change, new table, new column, or \"migration\".
tags: [database, ecto]
roles: builder, reviewer
scope: global
tools: [mix]
metadata:
  short-description: Ecto migrations
---
# Add migration

Steps the agent should follow.
";

const FLAKE: &str = "---\nname: fix-flake\ndescription: >-\n  Fixes a flaky test.\n  Use when a test fails now and then.\n\
tags: ecto\n---\nLook.\n";

const WIRE: &str =
    "---\nname: wire-field\ndescription: Wires a GraphQL field. Use when <Field> is added & shown.\n---\nWire.\n";

const NAMELESS: &str = "---\ndescription: Has no name.\n---\nBody.\n";

/// The three files that the tests below share, in Symphony's root.
fn three() -> Vec<(&'static str, &'static str)> {
    vec![
        (".symphony/skills/wire-field/SKILL.md", WIRE),
        (".symphony/skills/add-migration/SKILL.md", MIGRATION),
        (".symphony/skills/fix-flake/SKILL.md", FLAKE),
    ]
}

fn roots() -> RootSet {
    let root = |path: &str, profile: &str, depth: Option<u32>| {
        let (glob, profile) = (path.into(), profile.into());
        RootPattern { glob, profile, depth, configured: false, discovered: false }
    };
    let patterns = vec![root(".symphony/skills", "symphony", Some(1)), root(".agent/skills", "agentskills", None)];
    RootSet { patterns, depth: 20, files: 1_000, file_bytes: 1 << 20, ..RootSet::default() }
}

fn catalog(files: &[(&str, &str)]) -> Catalog {
    let file = |&(path, text): &(&str, &str)| Entry { path: path.into(), content: Content::File(text.into()) };
    let roots = roots();
    let directory = |pattern: &RootPattern| Entry { path: pattern.glob.as_str().into(), content: Content::Directory };
    let entries = roots.patterns.iter().map(directory).chain(files.iter().map(file)).collect();
    let source = source::memory(Origin::Memory, entries);
    let mut parsed = source.read(&roots, Limits::default().bounds()).expect("files in memory can be read");
    for file in parsed.files.iter_mut().filter(|file| file.role == Role::Skill) {
        file.id = Some(ObjectId::new(&[0xab; 20]));
    }
    Catalog::new(parsed)
}

/// Builds like the command line: rereads the skills that the recipe selects, and reports skipped skills.
fn build(files: &[(&str, &str)], recipe: impl Fn(&[Root]) -> Recipe) -> Artifact {
    let catalog = catalog(files);
    let recipe = recipe(&catalog.parsed.roots);
    let rejected: Vec<bool> = catalog.parsed.skills.iter().map(|skill| skill.name().is_none()).collect();
    let accepted = Accepted::new(&catalog, &rejected);
    let text = |path: &[u8]| files.iter().find(|(known, _)| known.as_bytes() == path).map(|(_, text)| *text);
    let mut material = Material {
        trees: vec![Some(ObjectId::new(&[0; 20])), None],
        config: BTreeMap::from([("WORKFLOW.md".into(), Some(ObjectId::new(&[7; 20])))]),
        ..Material::default()
    };
    for file in prompt::wanted(&accepted, &recipe) {
        let text = text(&catalog.file(file).path).expect("the test knows every file");
        material.contents.insert(file, text.as_bytes().to_vec());
    }
    let is_skipped = |(id, rejected): &(u32, &bool)| **rejected && recipe.covers(&catalog, SkillId(*id));
    for (id, _) in (0u32..).zip(&rejected).filter(is_skipped) {
        let skill = catalog.skill(SkillId(id));
        let problem = Problem {
            line: 1,
            column: 1,
            rule: "missing-name".into(),
            message: "the skill has no name".into(),
            help: Some("add `name: nameless` below the first line".into()),
        };
        material.skipped.push(Skipped { path: catalog.file(skill.file).path.clone(), problems: vec![problem] });
    }
    let artifact = prompt::build(&accepted, &recipe, &material, None);
    valid(&artifact);
    artifact
}

fn index(artifact: &Artifact) -> Value {
    serde_json::from_slice(artifact.file(Name::Index).expect("every artifact has an index")).expect("the index is JSON")
}

fn valid(artifact: &Artifact) {
    let schema: Value =
        serde_json::from_str(include_str!("../../schema/prompt-index.json")).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let index = index(artifact);
    let errors: Vec<String> =
        validator.iter_errors(&index).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, [""; 0], "{index:#}");
    let schema: Value =
        serde_json::from_str(include_str!("../../schema/prompt-statement.json")).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let statement = statement(artifact);
    let errors: Vec<String> =
        validator.iter_errors(&statement).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors, [""; 0], "{statement:#}");
}

fn statement(artifact: &Artifact) -> Value {
    serde_json::from_slice(artifact.file(Name::Statement).expect("every artifact has a statement")).expect("it is JSON")
}

#[test]
fn statement_lists_digests_and_is_not_compared() {
    let mut files = three();
    files[0] = (".symphony/skills/nameless/SKILL.md", NAMELESS);
    let artifact = build(&files, Recipe::everywhere);
    let statement = statement(&artifact);
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    let subjects = statement["subject"].as_array().unwrap();
    let names: Vec<&str> = subjects.iter().map(|subject| subject["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["available-skills.md", "skills.json", "comment.md"]);
    assert_eq!(subjects[0]["digest"]["sha256"], index(&artifact)["block"]["sha256"]);
    assert_eq!(statement["predicate"]["recipe"], index(&artifact)["recipe"]);
    let existing = |name| artifact.file(name).filter(|_| name != Name::Statement).map(<[u8]>::to_vec);
    assert_eq!(prompt::verify(&artifact, existing), []);
}

fn block(artifact: &Artifact) -> &str {
    std::str::from_utf8(artifact.block()).expect("a block is text")
}

#[test]
fn artifact_matches_snapshots() {
    let artifact = build(&three(), Recipe::everywhere);
    let expected_block = "## Available skills\n\n\
        Read `.symphony/skills/<name>/SKILL.md` in full before using a skill from this list.\n\n\
        - add-migration — Issue mentions schema change, new table, new column, or \"migration\".\n\
        - fix-flake — Fixes a flaky test. Use when a test fails now and then.\n\
        - wire-field — Wires a GraphQL field. Use when <Field> is added & shown.\n";
    assert_eq!(block(&artifact), expected_block);
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let found = String::from_utf8(artifact.file(Name::Index).unwrap().to_vec()).unwrap();
    assert_data_eq!(found.replace(&version, "\"version\": \"[VERSION]\""), file!["prompt/skills.json"].raw());
    assert_eq!(artifact.file(Name::Comment), None);
}

#[test]
fn fragment_is_line_of_block() {
    let artifact = build(&three(), Recipe::everywhere);
    for skill in index(&artifact)["skills"].as_array().unwrap() {
        let edge = |key: &str| skill["fragment"][key].as_u64().unwrap() as usize;
        let fragment = &block(&artifact)[edge("start")..edge("end")];
        assert!(fragment.starts_with(&format!("- {} — ", skill["name"].as_str().unwrap())), "{fragment}");
        assert!(fragment.ends_with('\n'), "{fragment}");
    }
}

#[test]
fn cap_drops_third_skill_and_names_it() {
    let limits = Limits::default();
    let artifact = build(&three(), |roots| Recipe::everywhere(roots).limited(&limits, Some(2)));
    assert_eq!(block(&artifact).matches("\n- ").count(), 2);
    assert_eq!(
        index(&artifact)["dropped"],
        serde_json::json!([{
            "name": "wire-field",
            "body_path": ".symphony/skills/wire-field/SKILL.md",
            "reason": "cap",
            "detail": "the limit is 2 skills",
        }])
    );
}

#[test]
fn skips_and_reports_malformed_skill() {
    let mut files = three();
    files[0] = (".symphony/skills/nameless/SKILL.md", NAMELESS);
    let artifact = build(&files, Recipe::everywhere);
    assert_eq!(block(&artifact).matches("\n- ").count(), 2);
    let comment = String::from_utf8(artifact.file(Name::Comment).unwrap().to_vec()).unwrap();
    assert!(comment.contains("**`.symphony/skills/nameless/SKILL.md`**"), "{comment}");
    assert!(comment.contains("- `missing-name`, line 1, column 1: the skill has no name."), "{comment}");
    assert!(comment.ends_with(".\n"), "{comment}");
    assert_eq!(index(&artifact)["skipped"][0]["problems"][0]["rule"], "missing-name");

    let elsewhere = build(&files, |roots| Recipe::of(&profile("agentskills"), roots).unwrap());
    assert_eq!(elsewhere.file(Name::Comment), None, "another root's skills are not this prompt's");
}

#[test]
fn comment_lists_only_skills_of_the_repository() {
    let files = [(".agent/skills/nameless/SKILL.md", NAMELESS), (".symphony/skills/nameless/SKILL.md", NAMELESS)];
    let mut catalog = catalog(&files);
    catalog.parsed.roots[1].owner = Owner::User;
    let problem = |path: &str| Skipped { path: path.into(), problems: Vec::new() };
    let material = Material { skipped: files.map(|(path, _)| problem(path)).to_vec(), ..Material::default() };
    let accepted = Accepted::new(&catalog, &[true; 2]);
    let artifact = prompt::build(&accepted, &Recipe::everywhere(&catalog.parsed.roots), &material, None);
    assert_eq!(index(&artifact)["skipped"].as_array().unwrap().len(), 2);
    let comment = String::from_utf8(artifact.file(Name::Comment).unwrap().to_vec()).unwrap();
    assert!(comment.contains("**`.symphony/skills/nameless/SKILL.md`**"), "{comment}");
    assert!(!comment.contains(".agent/skills"), "{comment}");
}

#[test]
fn wants_bodies_of_the_block_or_of_all_candidates() {
    let catalog = catalog(&three());
    let accepted = Accepted::new(&catalog, &[false; 3]);
    let recipe = Recipe::everywhere(&catalog.parsed.roots).limited(&Limits::default(), Some(1));
    let task = |matcher| {
        let task = Task { text: "a flaky test".into(), id: None, role: None, requires_role: false, top: None, matcher };
        Recipe { selection: Selection::Task(task), ..recipe.clone() }
    };
    let wanted = |recipe: &Recipe| prompt::wanted(&accepted, recipe).len();
    assert_eq!(wanted(&recipe), 1);
    assert_eq!(wanted(&task(Matcher::Tags)), 0, "no skill has the tags of the task");
    assert_eq!(wanted(&task(Matcher::Bm25)), 3);
    assert_eq!(wanted(&Recipe { enabled: false, ..recipe.clone() }), 0);
}

#[test]
fn lists_skills_that_do_not_fit_into_the_rendering() {
    let catalog = catalog(&three());
    let accepted = Accepted::new(&catalog, &[false; 3]);
    let recipe = Recipe {
        selection: Selection::Mentioned("Use $fix-flake and $wire-field.".into()),
        mentioned: Rendering::Messages,
        enabled: false,
        ..Recipe::everywhere(&catalog.parsed.roots)
    };
    let names: Vec<_> =
        prompt::choose_listed(&accepted, &recipe).skills.iter().map(|&id| catalog.skill(id).name().unwrap()).collect();
    assert_eq!(names, ["fix-flake", "wire-field"]);
}

#[test]
fn empty_block_without_skills_or_when_disabled() {
    let empty = build(&[], Recipe::everywhere);
    assert_eq!(empty.block(), b"");
    assert_eq!(index(&empty)["disabled"], false);

    let disabled = build(&three(), |roots| Recipe { enabled: false, ..Recipe::everywhere(roots) });
    assert_eq!(disabled.block(), b"");
    assert_eq!(index(&disabled)["disabled"], true);
    assert_eq!(index(&disabled)["skills"], serde_json::json!([]));

    let all_broken = build(&[(".symphony/skills/nameless/SKILL.md", NAMELESS)], Recipe::everywhere);
    assert_eq!(all_broken.block(), b"");
    assert!(all_broken.file(Name::Comment).is_some());
}

#[test]
fn profile_sets_roots_and_rendering() {
    let mut files = three();
    files.push((".agent/skills/group/fix-flake/SKILL.md", FLAKE));
    let open = build(&files, |roots| Recipe::of(&profile("agentskills"), roots).unwrap());
    assert!(block(&open).starts_with("<available_skills>\n<skill>\n<name>\nfix-flake\n</name>\n"), "{}", block(&open));
    assert!(block(&open).contains("\n.agent/skills/group/fix-flake/SKILL.md\n"));
    assert_eq!(block(&open).matches("<skill>").count(), 1);
    assert_eq!(index(&open)["recipe"]["profile"], "agentskills");

    let all = build(&files, Recipe::everywhere);
    assert_eq!(block(&all).matches("fix-flake").count(), 1);
    assert_eq!(
        index(&all)["shadowed"],
        serde_json::json!([{
            "name": "fix-flake",
            "body_path": ".agent/skills/group/fix-flake/SKILL.md",
            "by": ".symphony/skills/fix-flake/SKILL.md",
        }])
    );
}

#[test]
fn unreadable_body_is_error_in_artifact() {
    let catalog = catalog(&three());
    let accepted = Accepted::new(&catalog, &[false; 3]);
    let errors = vec![SourceError { source: "~/.agent/skills".into(), message: "permission\ndenied".into() }];
    let material = Material { errors, ..Material::default() };
    let artifact = prompt::build(&accepted, &Recipe::everywhere(&catalog.parsed.roots), &material, None);
    valid(&artifact);
    let index = index(&artifact);
    assert_eq!(index["skills"][0]["sha256"], Value::Null);
    assert_eq!(index["errors"].as_array().unwrap().len(), 4);
    assert_eq!(index["errors"][3]["message"], "permission\\ndenied");
}

#[test]
fn artifact_is_independent_of_file_order() {
    let artifact = build(&three(), Recipe::everywhere);
    let mut files = three();
    files.reverse();
    assert_eq!(build(&files, Recipe::everywhere), artifact);
    let existing = |name| artifact.file(name).map(<[u8]>::to_vec);
    assert_eq!(prompt::verify(&artifact, existing), []);
}

fn profile(id: &str) -> profile::Profile {
    profile::Profiles::default().find(id).expect("the profile is built in").clone()
}
