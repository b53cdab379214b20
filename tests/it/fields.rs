//! Fields and files that one runtime acts on: what the forecast, the findings and the prompt make of them.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test stops at the first error")]

use crate::common::Repository;
use serde_json::Value;

const ROOT: &str = ".agents/skills";

/// A skill with further keys.
fn skill(name: &str, keys: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Sorts mail for {name}. Use when mail arrives.\n{keys}---\n\nSort the mail.\n"
    )
}

pub(crate) fn json(repository: &Repository, arguments: &[&str]) -> Value {
    let run = repository.skilltree(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).expect(&run.stderr)
}

/// The skills that the runtime keeps from its model, with the reason.
fn unlisted(repository: &Repository, target: &str) -> Vec<String> {
    let document = json(repository, &["forecast", "--target", target]);
    let name = |skill: &Value| skill["path"].as_str().unwrap().rsplit('/').nth(1).unwrap().to_owned();
    let skills = document["skills"].as_array().unwrap().iter();
    let hidden = skills.filter(|skill| {
        skill["forecasts"][0]["reason"].as_str().is_some_and(|reason| reason.contains("excludes it from the list"))
    });
    let mut names: Vec<String> = hidden.map(name).collect();
    names.sort();
    names
}

/// The findings as `RULE: MESSAGE: HELP`.
pub(crate) fn findings(repository: &Repository, arguments: &[&str]) -> Vec<String> {
    let document = json(repository, &[&["check"], arguments].concat());
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = document["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| format!("{}: {}: {}", text(finding, "rule"), text(finding, "message"), text(finding, "help")))
        .collect()
}

/// Forms of `agents/openai.yaml`, and whether Codex 0.169.0 keeps the skill from its model: the output of
/// `codex debug prompt-input`. The last value is the same for Mistral Vibe 3.0.3, by its source.
const FORMS: [(&str, &str, bool, bool); 24] = [
    ("disabled", "policy:\n  allow_implicit_invocation: false\n", true, true),
    ("enabled", "policy:\n  allow_implicit_invocation: true\n", false, false),
    ("capital", "policy:\n  allow_implicit_invocation: False\n", true, true),
    ("text", "policy:\n  allow_implicit_invocation: \"false\"\n", false, true),
    ("word", "policy:\n  allow_implicit_invocation: no\n", false, true),
    ("number", "policy:\n  allow_implicit_invocation: 0\n", false, true),
    ("nothing", "policy:\n  allow_implicit_invocation:\n", false, false),
    ("invalid", "policy:\n  allow_implicit_invocation: false\ninterface: {a: [\n", false, true),
    ("type", "policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: [a]\n", false, true),
    ("scalar", "policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: 5\n", true, true),
    ("unknown", "policy:\n  allow_implicit_invocation: false\nbar: 2\ninterface:\n  quux: 1\n", true, true),
    ("misspelled", "policy:\n  allow_implicit_invocations: false\n", false, true),
    ("hyphens", "policy:\n  allow-implicit-invocation: false\n", false, true),
    ("top", "allow_implicit_invocation: false\n", false, false),
    ("product", "policy:\n  allow_implicit_invocation: false\n  products: codex\n", false, true),
    ("unknown-product", "policy:\n  allow_implicit_invocation: false\n  products: [foo]\n", false, true),
    ("other-product", "policy:\n  products: [chatgpt]\n", true, false),
    ("this-product", "policy:\n  products: [codex]\n", false, false),
    ("tool", "policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools:\n    - value: x\n", true, true),
    ("tools", "policy:\n  allow_implicit_invocation: false\ndependencies:\n  tools: x\n", false, true),
    (
        "duplicate",
        "policy:\n  allow_implicit_invocation: false\npolicy:\n  allow_implicit_invocation: true\n",
        false,
        true,
    ),
    ("documents", "policy:\n  allow_implicit_invocation: false\n---\na: 1\n", false, true),
    ("policy", "policy: false\n", false, true),
    ("list", "- policy\n", false, true),
];

#[test]
fn forecasts_what_codex_and_vibe_make_of_openai_yaml() {
    let repository = Repository::new();
    for (name, text, ..) in FORMS {
        repository.write(&format!("{ROOT}/{name}/SKILL.md"), skill(name, ""));
        repository.write(&format!("{ROOT}/{name}/agents/openai.yaml"), text);
    }
    repository.write(&format!("{ROOT}/linked/SKILL.md"), skill("linked", ""));
    repository.write(&format!("{ROOT}/linked/agents/README"), "");
    let link = repository.path().join(format!("{ROOT}/linked/agents/openai.yaml"));
    std::os::unix::fs::symlink("../../disabled/agents/openai.yaml", link).unwrap();
    let bom = format!("\u{feff}{}", FORMS[0].1);
    repository.write(&format!("{ROOT}/bom/SKILL.md"), skill("bom", ""));
    repository.write(&format!("{ROOT}/bom/agents/openai.yaml"), bom);
    repository.write(&format!("{ROOT}/other/SKILL.md"), skill("other", ""));
    repository.write(&format!("{ROOT}/other/agents/openai.yml"), FORMS[0].1).add();
    let expected = |hides: fn(&(&str, &str, bool, bool)) -> bool| {
        let mut names: Vec<&str> = FORMS.iter().filter(|form| hides(form)).map(|form| form.0).collect();
        names.extend(["bom", "linked"]);
        names.sort_unstable();
        names
    };
    assert_eq!(unlisted(&repository, "codex"), expected(|form| form.2));
    let mut vibe = expected(|form| form.3);
    // The last one of duplicate keys counts in PyYAML, and it is true.
    vibe.retain(|name| *name != "duplicate");
    assert_eq!(unlisted(&repository, "vibe"), vibe);
    assert_eq!(unlisted(&repository, "pi"), [""; 0], "pi does not read the file");
}

#[test]
fn asks_for_openai_yaml_only_where_it_disagrees() {
    let repository = Repository::new();
    let file = format!("{ROOT}/deploy/agents/openai.yaml");
    repository.write(&format!("{ROOT}/deploy/SKILL.md"), skill("deploy", "disable-model-invocation: true\n")).add();
    let found = findings(&repository, &["--target", "codex"]);
    assert!(found[0].starts_with("model-invocation-not-disabled: "), "{found:?}");
    assert!(
        found[0].contains("write `policy: {allow_implicit_invocation: false}` in `agents/openai.yaml`"),
        "{found:?}"
    );
    // The edit of the help.
    repository.write(&file, "policy: {allow_implicit_invocation: false}\n").add();
    assert_eq!(findings(&repository, &["--target", "codex"]), [""; 0]);
    repository.write(&file, "policy:\n  allow_implicit_invocation: \"false\"\n").add();
    let rules: Vec<String> = findings(&repository, &["--target", "codex"]);
    assert_eq!(rules.len(), 2, "{rules:?}");
    repository.write("skilltree.toml", "targets = ['codex']\n").commit();
    let run = repository.skilltree(&["fix", "--worktree"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let fixed = std::fs::read_to_string(repository.path().join(&file)).unwrap();
    assert_eq!(fixed, "policy:\n  allow_implicit_invocation: false\n");
    assert_eq!(findings(&repository, &["--worktree"]), [""; 0]);
}

#[test]
fn forecasts_paths_as_claude_code_reads_them() {
    // What its model was shown by Claude Code 2.1.330.
    let values = [
        ("number", "5", false),
        ("boolean", "true", false),
        ("mapping", "{a: b}", false),
        ("numbers", "[5]", false),
        ("nothing", "", false),
        ("text", "src/**", true),
        ("texts", "src/**, docs/**", true),
        ("all", "\"**\"", false),
        ("date", "2026-01-01", true),
        ("blank", "\"  \"", false),
        ("blanks", "[\"\"]", false),
        ("all-and-one", "[\"**\", \"src/**\"]", true),
    ];
    let repository = Repository::new();
    for (name, value, _) in values {
        repository.write(&format!(".claude/skills/{name}/SKILL.md"), skill(name, &format!("paths: {value}\n")));
    }
    repository.write(".claude/skills/synced/SKILL.md", skill("synced", "")).add();
    let mut waiting: Vec<&str> = values.iter().filter(|(_, _, waits)| *waits).map(|(name, ..)| *name).collect();
    waiting.sort_unstable();
    assert_eq!(unlisted(&repository, "claude-code"), waiting);
    let document = json(&repository, &["forecast", "--target", "claude-code"]);
    let skills = document["skills"].as_array().unwrap();
    let synced = skills.iter().find(|skill| skill["path"].as_str().unwrap().contains("synced")).unwrap();
    assert_eq!(synced["forecasts"][0]["outcome"], "drops", "the directory is reserved");
}

#[test]
fn forecasts_requirements_of_openclaw() {
    let values = [
        ("macos", "openclaw: {os: [macos]}", true),
        ("darwin", "openclaw: {os: darwin}", true),
        ("everywhere", "openclaw: {os: [darwin, linux, win32]}", false),
        ("bins", "clawdbot: {requires: {bins: [git]}}", true),
        ("none", "openclaw: {requires: {bins: []}}", false),
        ("unknown", "openclaw: {requires: {bin: [git]}}", false),
        ("always", "openclaw: {always: true, requires: {bins: [git]}}", false),
        ("former", "clawdis: {requires: {bins: [git]}}", false),
        ("both", "clawdbot: {requires: {bins: [git]}}\n  openclaw: {emoji: x}", false),
    ];
    let repository = Repository::new();
    for (name, value, _) in values {
        repository.write(&format!("skills/{name}/SKILL.md"), skill(name, &format!("metadata:\n  {value}\n")));
    }
    repository.add();
    let mut hidden: Vec<&str> = values.iter().filter(|(_, _, hides)| *hides).map(|(name, ..)| *name).collect();
    hidden.sort_unstable();
    assert_eq!(unlisted(&repository, "openclaw"), hidden);
}

#[test]
fn renames_misspelled_directories() {
    let directories = [
        (".claude/skill", ".claude/skills"),
        (".codex/skill", ".codex/skills"),
        (".github/skill", ".github/skills"),
        (".cursor/skill", ".cursor/skills"),
        (".gemini/skill", ".gemini/skills"),
        (".claude/Skills", ".claude/skills"),
        ("claude/skills", ".claude/skills"),
        (".claude/skils", ".claude/skills"),
        (".cluade/skills", ".claude/skills"),
        (".agents/skill", ".agents/skills"),
    ];
    for (directory, meant) in directories {
        let repository = Repository::new();
        repository.write(&format!("{directory}/a/SKILL.md"), skill("a", "")).add();
        let found = findings(&repository, &[]);
        let rename = format!("rename `{directory}` to `{meant}`, which ");
        assert!(found.len() == 1 && found[0].contains(&rename), "{directory}: {found:?}");
        assert!(!found[0].contains("[[root]]"), "{directory}: {found:?}");
        repository.git(&["mv", directory, "moved"]);
        std::fs::create_dir_all(repository.path().join(meant).parent().unwrap()).unwrap();
        repository.git(&["mv", "moved", meant]);
        assert_eq!(findings(&repository, &[]), [""; 0], "{directory}");
        // A configured root does not make a runtime read it.
        let repository = Repository::new();
        repository.write("skilltree.toml", format!("[[root]]\npath = '{directory}'\n"));
        repository.write(&format!("{directory}/a/SKILL.md"), skill("a", "")).add();
        let found = findings(&repository, &[]);
        assert!(found[0].starts_with("near-miss-root: ") && found[0].contains(&rename), "{directory}: {found:?}");
    }
    // Next to skills in the right directory.
    let repository = Repository::new();
    repository.write(".claude/skills/a/SKILL.md", skill("a", ""));
    repository.write(".claude/skill/b/SKILL.md", skill("b", "")).add();
    let found = findings(&repository, &[]);
    assert!(found[0].contains("move the skills of `.claude/skill` to `.claude/skills`, which "), "{found:?}");
}

#[test]
fn names_every_refusal_of_an_upload() {
    let repository = Repository::new();
    repository.write("a/SKILL.md", skill("a", "version: 1.0.0\nargument-hint: x\n"));
    repository.write("b/SKILL.md", skill("b", ""));
    repository.write("b/more/SKILL.md", skill("more", "")).add();
    let found = findings(&repository, &["--target", "claude-api"]);
    let has = |text: &str| found.iter().any(|finding| finding.contains(text));
    assert!(has("move `version` and `argument-hint` under `metadata`"), "{found:?}");
    assert!(
        has("the upload to the Claude API would drop the skill: another SKILL.md is in its directory"),
        "{found:?}"
    );
    repository.write("a/SKILL.md", skill("a", "metadata:\n  version: 1.0.0\n  argument-hint: x\n")).add();
    assert!(!findings(&repository, &["--target", "claude-api"]).iter().any(|finding| finding.contains("is unknown")));
}

#[test]
fn reports_each_value_that_a_runtime_ignores() {
    let repository = Repository::new();
    let keys = "context: forked\npaths: 5\nmodel: [opus]\nuser-invocable: maybe\neffort: huge\n";
    repository.write(".claude/skills/a/SKILL.md", skill("a", keys));
    let good = "context: fork\npaths: [\"src/**\"]\nmodel: opus\nuser-invocable: no\neffort: 5\nagent: Explore\n";
    repository.write(".claude/skills/b/SKILL.md", skill("b", good)).add();
    let found = findings(&repository, &["--target", "claude-code"]);
    assert_eq!(found.len(), 5, "{found:?}");
    let has = |text: &str| found.iter().any(|finding| finding.contains(text));
    assert!(has("`context` has no known value: write `context: fork`"), "{found:?}");
    assert!(
        has("`paths` is a number: write `paths` as a list of patterns, each in quotes, or remove the key"),
        "{found:?}"
    );
    assert!(has("`user-invocable` has no known value: write `user-invocable` as `true` or `false`"), "{found:?}");
    assert!(has("`effort` has no known value: write one of `low`, `medium`, `high`, `xhigh` and `max`"), "{found:?}");
}

#[test]
fn prompt_leaves_out_skills_that_only_a_person_may_start() {
    let repository = Repository::new();
    for (name, keys) in [("deploy", "disable-model-invocation: true\n"), ("notes", "disable-model-invocation: false\n")]
    {
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), skill(name, keys));
    }
    repository.add();
    for arguments in [&["prompt"][..], &["prompt", "--profile", "agentskills"], &["prompt", "--task", "deploy mail"]] {
        let run = repository.skilltree(arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(!run.stdout.contains("deploy"), "{arguments:?}: {}", run.stdout);
        let index = json(&repository, arguments);
        let dropped = index["dropped"].as_array().unwrap();
        let reason = dropped.iter().find(|skill| skill["name"] == "deploy").map(|skill| skill["reason"].clone());
        assert_eq!(reason, Some("model-invocation-disabled".into()), "{arguments:?}: {dropped:?}");
    }
    for arguments in [&["prompt", "--mention", "Use $deploy"][..], &["prompt", "--skill", "deploy"]] {
        let run = repository.skilltree(arguments);
        assert!(run.stdout.contains("deploy"), "{arguments:?}: {}{}", run.stdout, run.stderr);
    }
    repository.git(&["rm", "-rqf", ".agent/skills/notes"]);
    let run = repository.skilltree(&["prompt"]);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("only a person may start the skills"), "{}", run.stderr);
}

#[test]
fn value_that_does_not_parse_has_its_next_fault_named() {
    let repository = Repository::new();
    let long = "Use when x. ".repeat(100);
    let skill = |description: &str| format!("---\nname: notes\ndescription: {description}\n---\nBody.\n");
    repository.write(".claude/skills/notes/SKILL.md", skill(&format!("Note: {long}")));
    let run = repository.skilltree(&["check"]);
    let words = "once in quotes, the description has 1,205 characters; the limit is 1,024";
    assert!(run.stdout.contains("invalid-yaml") && run.stdout.contains(words), "{}", run.stdout);
    repository.write(".claude/skills/notes/SKILL.md", skill("Writes <b>notes</b>: use when one is wanted."));
    let run = repository.skilltree(&["check", "--target", "claude-api"]);
    let words = "once in quotes, `description` contains `<b>`: rejected by the upload to the Claude API";
    assert!(run.stdout.contains(words), "{}", run.stdout);
    let run = repository.skilltree(&["check"]);
    assert!(run.stdout.contains("invalid-yaml") && !run.stdout.contains("once in quotes"), "{}", run.stdout);
}

#[test]
fn names_the_value_of_metadata_that_is_no_string() {
    let repository = Repository::new();
    for (name, metadata) in [
        ("plain", "author: me\n  version: \"1\"\n"),
        ("list", "author: me\n  tags: [a]\n"),
        ("number", "version: 1.5\n"),
        ("date", "since: 2026-01-01\nuser-invocable: true\ndisable-model-invocation: false\n"),
    ] {
        repository.write(&format!("{ROOT}/{name}/SKILL.md"), skill(name, &format!("metadata:\n  {metadata}")));
    }
    repository.add();
    let of = |target: &str| {
        let found = findings(&repository, &["--target", target]);
        let text = |finding: String| {
            let (_, found) = finding.split_once("`metadata` ").unwrap();
            found.replace(&format!(", or remove `{target}` from `targets`"), "")
        };
        found.into_iter().map(text).collect::<Vec<_>>()
    };
    let list = "is a mapping with a list or a mapping in it: write `metadata.tags` as one string, or move it to a \
                separate file next to SKILL.md";
    assert_eq!(of("crush"), [list]);
    let number = "is a mapping with a value that is not a string: write every value of `metadata` in quotes";
    assert_eq!(of("mux"), [list, number]);
}

#[test]
fn hides_a_skill_whose_platforms_are_unknown() {
    let repository = Repository::new();
    for (name, platforms) in
        [("some", "[osx, linux]"), ("none", "[osx]"), ("text", "macos, linux"), ("one", "Windows"), ("empty", "[]")]
    {
        repository.write(&format!(".hermes/skills/{name}/SKILL.md"), skill(name, &format!("platforms: {platforms}\n")));
    }
    repository.add();
    assert_eq!(unlisted(&repository, "hermes"), ["none", "text"]);
}
