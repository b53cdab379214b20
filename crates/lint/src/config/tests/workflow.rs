use super::*;

fn workflow(text: &str) -> Config {
    let inputs = Inputs { workflow: Some(file(WORKFLOW, text.as_bytes())), ..Inputs::default() };
    read(inputs).expect("no fault of WORKFLOW.md ends a run")
}

fn block(settings: &str) -> Config {
    workflow(&format!("---\nagent:\n  skills:\n{settings}---\nWork on the issue.\n"))
}

#[test]
fn reads_the_block() {
    let config = block("    enabled: false\n    path: ./a[b]/skills/\n    max_skills_in_prompt: 2\n");
    assert_eq!(fault_lines(&config), [""; 0]);
    assert_eq!(config.dispatch, Dispatch { enabled: false, cap: Some(2), workflow: true });
    assert_eq!(
        roots_of(&config),
        [("a[[]b[]]/skills", "symphony", Some(1), true), (".agent/skills", "agentskills", None, false)]
    );
}

#[test]
fn prefers_the_cap_of_the_dispatcher() {
    let both = |limit: &str, block: &str| {
        let text = format!("---\nagent:\n  skills: {block}\n---\n");
        let settings = Some(file(SETTINGS, limit.as_bytes()));
        read(Inputs { settings, workflow: Some(file(WORKFLOW, text.as_bytes())), ..Inputs::default() }).expect("valid")
    };
    assert_eq!(both("[limits]\nprompt-skills = 9", "{max_skills_in_prompt: 7}").dispatch.cap, Some(7));
    assert_eq!(both("[limits]\nprompt-skills = 9", "{}").dispatch.cap, Some(9));
    assert_eq!(both("", "").dispatch.cap, None);
}

#[test]
fn merges_a_path_equal_to_a_default_root() {
    let config = block("    path: .agent/skills\n");
    assert_eq!(roots_of(&config), [(".agent/skills", "symphony", Some(1), true)]);
}

#[test]
fn ignores_other_keys() {
    let files = [
        "",
        "# How we work\n\nagent:\n  skills: 1\n",
        "---\n---\n",
        "---\ntitle: a: b\n---\n",
        "---\n\n# How we work\n\nOur agent has skills: many.\n",
        "---\nagent: codex\n---\n",
        "---\nagent:\n  max_turns: 3\nskills: 1\n---\n",
        "---\nagent:\n  skills:\n---\n",
        "---\nagent:\n  skills: {enabled: true}\n---\nNot UTF-8, but in the text only: \u{0}\n",
    ];
    for text in files {
        let config = workflow(text);
        assert_eq!(fault_lines(&config), [""; 0], "{text}");
        assert_eq!(roots_of(&config), roots_of(&Config::new()), "{text}");
    }
    let directory = File::new(WORKFLOW, Role::Config, None, Body::Directory);
    let config = read(Inputs { workflow: Some(directory), ..Inputs::default() }).expect("not ours");
    assert!(config.faults.is_empty());
}

#[test]
fn reports_invalid_values_and_keeps_defaults() {
    let cases = [
        ("enabled: 'true'", "'true' | `enabled` must be `true` or `false`, but it is a string"),
        ("enabled: off", "off | `off` is a boolean to some YAML parsers and a string to others"),
        ("enabled: 1", "1 | `enabled` must be `true` or `false`, but it is a number"),
        ("path: 7", "7 | `path` must be a string, but it is a number"),
        ("path: [a]", "[a] | `path` must be a string, but it is a list"),
        ("path: /etc", "/etc | `/etc` is not the path of a directory below the workspace"),
        ("path: ~/a", "~/a | `~/a` is not the path of a directory below the workspace"),
        ("path: a/../../b", "a/../../b | `a/../../b` is not the path of a directory below the workspace"),
        ("path: 'C:\\a'", "'C:\\a' | `C:\\a` is not the path of a directory below the workspace"),
        ("path: a\\b", "a\\b | `a\\b` is not the path of a directory below the workspace"),
        ("path: ''", "'' | `path` is empty"),
        ("max_skills_in_prompt: '5'", "'5' | `max_skills_in_prompt` must be a number, but it is a string"),
        ("max_skills_in_prompt: 0", "0 | `0` is not a positive whole number"),
        ("max_skills_in_prompt: -1", "-1 | `-1` is not a positive whole number"),
        ("max_skills_in_prompt: 1.5", "1.5 | `1.5` is not a positive whole number"),
        ("max_skills_in_prompt: 010", "010 | `010` is not a positive whole number"),
        (
            "max_skills_in_prompt: 99999999999999999999",
            "99999999999999999999 | `99999999999999999999` is not a positive whole number",
        ),
    ];
    for (line, expected) in cases {
        let config = block(&format!("    {line}\n"));
        let found = fault_lines(&config);
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        assert!(found[0].starts_with(&format!("invalid-configuration {expected} | ")), "{line}: {found:?}");
        assert_eq!(config.dispatch, Dispatch { enabled: true, cap: None, workflow: true }, "{line}");
        assert_eq!(roots_of(&config), roots_of(&Config::new()), "{line}");
    }
    let unknown = fault_lines(&block("    max_skill_in_prompt: 5\n    colour: red\n"));
    let expected = [
        "unknown-setting max_skill_in_prompt | `max_skill_in_prompt` is not a setting of `agent.skills` | write `max_skills_in_prompt`",
        "unknown-setting colour | `colour` is not a setting of `agent.skills` | remove it; the settings are `enabled`, `path`, `max_skills_in_prompt`",
    ];
    assert_eq!(unknown, expected);
    let list = fault_lines(&workflow("---\nagent:\n  skills: [pdf]\n---\n"));
    assert!(
        list[0].starts_with("invalid-configuration [pdf] | `agent.skills` must be a mapping, but it is a list"),
        "{list:?}"
    );
}

#[test]
fn reports_blocks_that_a_dispatcher_may_miss() {
    let body = "agent:\n  skills:\n    max_skills_in_prompt: 2\n";
    let cases = [
        (format!("---\nlabel: status: ready\n{body}---\n"), "the front matter is not valid YAML", None),
        (
            "---\n\"agent\": {skills: {max_skills_in_prompt: 2}\n---\n".to_owned(),
            "the front matter is not valid YAML",
            None,
        ),
        (format!("---\n{body}"), "the front matter has no closing `---`", None),
        (format!("\n---\nlabel: a: b\n{body}---\n"), "text precedes the front matter", None),
        (format!("\n---\n{body}---\n"), "text precedes the front matter", Some(2)),
        (format!("\u{feff}---\n{body}---\n"), "a byte order mark (BOM) precedes the front matter", Some(2)),
        (format!("--- \n{body}---\n"), "a fence of the front matter is not exactly `---`", Some(2)),
        (format!("---\n{body}x: 1\nx: 2\n---\n"), "a mapping has a duplicate key", Some(2)),
    ];
    for (text, fact, cap) in cases {
        let config = workflow(&text);
        let found = fault_lines(&config);
        assert!(found.iter().all(|line| line.starts_with("invalid-configuration ")), "{text}: {found:?}");
        assert!(found.iter().any(|line| line.contains(fact)), "{text}: {found:?}");
        assert_eq!(config.dispatch.cap, cap, "{text}");
    }
    let unmerged = File::new(WORKFLOW, Role::Config, None, Body::Unmerged);
    let config = read(Inputs { workflow: Some(unmerged), ..Inputs::default() }).expect("a finding");
    assert_eq!(config.faults[0].message, "WORKFLOW.md is unmerged in the index, so `agent.skills` is not read");
}

#[test]
fn omits_files_without_the_block() {
    for text in ["# Work\n", "---\ntracker: linear\n---\n", "---\nagent:\n  max_turns: 20\n---\n"] {
        assert!(workflow(text).files.is_empty(), "{text}");
    }
    for text in ["---\nagent:\n  skills:\n    enabled: true\n---\n", "---\nagent:\n  skills: 3\n---\n"] {
        assert_eq!(workflow(text).files.len(), 1, "{text}");
    }
}

#[test]
fn reports_broken_files_with_any_key_spelling() {
    for keys in [
        "agent: {\"sk\\u0069lls\": {path: team}}",
        "\"\\x61gent\":\n  \"sk\\U00000069lls\":\n    path: team",
        "{agent: {skills: {path: team}}}",
        "? agent\n: skills: {path: team}",
        "!!str agent: {skills: {path: team}}",
        "&a agent: {skills: {path: team}}",
    ] {
        let read = workflow(&format!("---\n{keys}\n---\n"));
        assert_eq!(roots_of(&read)[0].0, "team", "{keys} is YAML");
        let broken = workflow(&format!("---\n{keys}\nx: [\n---\n"));
        let is_reported = fault_lines(&broken).iter().any(|line| line.contains("the front matter is not valid YAML"));
        assert!(is_reported, "{keys}: {:?}", fault_lines(&broken));
    }
    for text in ["title: \"a\\u0062\"\nx: [", "{agent: codex}\nx: [", "skills: \"\\u12\nx: ["] {
        assert_eq!(fault_lines(&workflow(&format!("---\n{text}\n---\n"))), [""; 0], "{text}");
    }
}
