use super::*;

fn read_over(policies: &[&str], own: &str) -> Config {
    let policies = policies.iter().map(|text| file("policy:org.toml", text.as_bytes())).collect();
    read(Inputs { policies, settings: Some(file(SETTINGS, own.as_bytes())), ..Inputs::default() }).expect(own)
}

fn level(config: &Config, rule: &str, path: &str) -> Level {
    config.levels.level(&config.rule(rule).expect("a rule"), path.into())
}

const POLICY: &str = r#"
edition = "2026"
min-severity = "warning"
targets = ["codex"]
error-on-empty = true
exclude = ["vendor"]

[limits]
body-lines = 400

[rules]
empty-body = "error"
broken-link = "off"
"acme/license" = "error"

[[root]]
path = "skills"

[[override]]
paths = [".agent/skills/core"]
rules = { broken-link = "error" }

[[ignore]]
rule = "empty-body"
path = "vendor/**"
reason = "not ours"

[[require]]
id = "acme/license"
key = { name = "license", required = true }
"#;

#[test]
fn repository_without_settings_has_those_of_the_policy() {
    let policies = vec![file("policy:org.toml", POLICY.as_bytes())];
    let config = read(Inputs { policies, ..Inputs::default() }).expect("valid");
    assert_eq!(fault_lines(&config), [""; 0]);
    assert_eq!(level(&config, "empty-body", "a"), Level::Error);
    assert_eq!(level(&config, "broken-link", "a"), Level::Off);
    assert_eq!(level(&config, "broken-link", ".agent/skills/core/SKILL.md"), Level::Error);
    assert_eq!(level(&config, "acme/license", "a"), Level::Error);
    assert_eq!(
        (config.targets.join(" "), config.limits.body_lines, config.error_on_empty),
        ("codex".into(), Some(400), true)
    );
    assert!(config.roots.patterns.iter().any(|root| root.glob == "skills" && root.configured));
    // It may be unused here.
    assert!(config.ignores.len() == 1 && config.ignores[0].written.is_none());
}

#[test]
fn repository_tightens_and_adds() {
    let own = r#"
targets = ["pi"]
[limits]
body-lines = 300
[rules]
broken-link = "warning"
[[root]]
path = "team"
[[ignore]]
rule = "acme/license"
path = "team/x"
reason = "from a partner"
[[require]]
id = "acme/owner"
key = { name = "owner", required = true }
"#;
    let config = read_over(&[POLICY], own);
    assert_eq!(fault_lines(&config), [""; 0]);
    assert_eq!(level(&config, "broken-link", "a"), Level::Warning);
    assert_eq!(level(&config, "broken-link", ".agent/skills/core/SKILL.md"), Level::Error);
    assert_eq!((config.limits.body_lines, config.targets.join(" ")), (Some(300), "pi codex".into()));
    let ids: Vec<&str> = config.requirements.iter().map(|one| one.rule.id()).collect();
    assert_eq!(ids, ["acme/license", "acme/owner"]);
    let roots: Vec<&str> = config.roots.patterns.iter().map(|root| root.glob.as_str()).collect();
    assert!(roots.contains(&"skills") && roots.contains(&"team"), "{roots:?}");
    let ignores: Vec<&str> = config.ignores.iter().map(|ignore| ignore.pattern.as_str()).collect();
    assert_eq!(ignores, ["vendor/**", "team/x"]);
}

#[test]
fn roots_of_a_repository_do_not_end_the_search_of_a_policy() {
    assert!(read_over(&["[rules]\nempty-body = \"error\"\n"], "[[root]]\npath = \"team\"\n").roots.discovery.is_some());
    assert!(read_over(&[POLICY], "").roots.discovery.is_none());
}

#[test]
fn what_a_repository_loosens_has_no_effect_and_is_reported() {
    let own = r#"
min-severity = "error"
error-on-empty = false
exclude = ["drafts"]
default-roots = false
[limits]
body-lines = 500
[rules]
empty-body = "off"
loosened-policy = "off"
[[override]]
paths = ["team"]
rules = { empty-body = "note" }
[[ignore]]
rule = "loosened-policy"
path = "skilltree.toml"
reason = "none"
[[require]]
id = "acme/license"
severity = "note"
key = { name = "name", required = true }
"#;
    let config = read_over(&[POLICY], own);
    let lines = fault_lines(&config);
    let facts: Vec<&str> = lines.iter().map(|line| line.split(" | ").nth(1).expect("a fact")).collect();
    assert_eq!(
        facts,
        [
            "findings below error are hidden",
            "`error-on-empty` is false, but the policy sets true, which applies",
            "`drafts` is excluded",
            "the default skills directories are not checked",
            "`body-lines` is 500, but the policy sets 400, which applies",
            "`empty-body` is off, but the policy sets error, which applies",
            "`loosened-policy` is off, but the policy sets warning, which applies",
            "`empty-body` is note, but the policy sets error, which applies",
            "the policy defines the rule `acme/license`, which applies",
        ]
    );
    assert!(lines.iter().all(|line| line.starts_with("loosened-policy ")), "{lines:#?}");
    assert!(lines[4].contains(" body-lines | ") && lines[5].contains(" empty-body | "), "{lines:#?}");
    assert_eq!(level(&config, "empty-body", "a"), Level::Error);
    assert_eq!(level(&config, "empty-body", "team/x/SKILL.md"), Level::Error);
    assert_eq!(level(&config, "loosened-policy", "skilltree.toml"), Level::Warning);
    assert_eq!((config.limits.body_lines, config.error_on_empty), (Some(400), true));
    assert_eq!(config.min_severity, Some(Severity::Warning));
    assert_eq!(config.requirements[0].conditions.key.as_ref().expect("a key").name, "license");
    assert!(config.ignores.iter().all(|ignore| ignore.rule.id() != "loosened-policy"));
}

#[test]
fn a_second_policy_is_a_floor_too() {
    let team = "[rules]\nempty-body = \"note\"\nbroken-link = \"warning\"\n";
    let config = read_over(&[POLICY, team], "[rules]\nbroken-link = \"note\"\nempty-body = \"off\"\n");
    assert_eq!((level(&config, "empty-body", "a"), level(&config, "broken-link", "a")), (Level::Error, Level::Warning));
    let facts: Vec<String> = config.faults.iter().map(|fault| format!("{}: {}", fault.file, fault.message)).collect();
    assert_eq!(
        facts,
        [
            "1: `empty-body` is note, but the policy sets error, which applies",
            "2: `broken-link` is note, but the policy sets warning, which applies",
            "2: `empty-body` is off, but the policy sets error, which applies",
        ]
    );
}

#[test]
fn cap_of_workflow_is_within_the_policy() {
    let workflow = Some(file(WORKFLOW, b"---\nagent:\n  skills:\n    max_skills_in_prompt: 90\n---\nx\n"));
    let policies = vec![file("policy:org.toml", b"[limits]\nprompt-skills = 20\n")];
    let config = read(Inputs { policies, workflow, ..Inputs::default() }).expect("valid");
    assert_eq!(config.dispatch.cap, Some(20));
}

#[test]
fn faults_are_in_the_file_that_has_them() {
    let config =
        read_over(&["extends = \"other.toml\"\n[rules]\nno-such-rule = \"off\"\n"], "[rules]\nnone = \"off\"\n");
    let files: Vec<(usize, &str)> = config.faults.iter().map(|fault| (fault.file, fault.message.as_str())).collect();
    let expected = [
        (0, "a policy cannot extend another file"),
        (0, "there is no rule `no-such-rule`"),
        (1, "there is no rule `none`"),
    ];
    assert_eq!(files, expected);
    assert_eq!(extended(&file(SETTINGS, b"extends = \"org.toml\"")), Some(("org.toml".to_owned(), 10..20)));
    for text in [
        "extends = \"../x\"",
        "extends = \"/etc/passwd\"",
        "extends = \"skilltree.toml\"",
        "extends = 1",
        "x",
        "extends = \"\"",
    ] {
        assert_eq!(extended(&file(SETTINGS, text.as_bytes())), None, "{text}");
    }
}
