use super::*;
use crate::rule::Deployment;

fn settings(text: &str) -> Result<Config, Error> {
    read(Inputs { settings: Some(file(SETTINGS, text.as_bytes())), ..Inputs::default() })
}

fn typed(overrides: CommandLine) -> Result<Config, Error> {
    read(Inputs { overrides, ..Inputs::default() })
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn uses_defaults_without_files() {
    let config = read(Inputs::default()).expect("no file, no fault");
    let defaults = [(".symphony/skills", "symphony", Some(1), false), (".agent/skills", "agentskills", None, false)];
    assert_eq!(roots_of(&config), defaults);
    assert_eq!(roots_of(&Config::new()), defaults);
    assert_eq!(config.roots.file_bytes, 256_000);
    assert_eq!(config.dispatch, Dispatch { enabled: true, cap: None, workflow: false });
}

#[test]
fn reads_every_setting() {
    let config = settings(
        r#"
        edition = "2026"
        targets = ["symphony", "agentskills", "symphony"]
        mirrors = [[".agent/skills", "./.claude/skills/"]]
        limits = { name-chars = 1_0, prompt-skills = 0x10, root-depth = 3 }
        rules = { name-too-long = "note" }
        [[root]]
        path = "packages/*/.agent/skills/"
        [[root]]
        path = ".agent/skills"
        profile = "symphony"
        [[deploy]]
        from = "skills"
        to = ".agent/skills"
        [[override]]
        paths = [".agent/skills/vendor", "x/**"]
        rules = { name-too-long = "off" }
        [[ignore]]
        rule = "name-too-long"
        path = ".agent/skills/pdf/SKILL.md"
        reason = " generated "
        until = 2027-01-01
        [[ignore]]
        rule = "name-too-long"
        path = "a"
        reason = "generated"
        until = "2027-01-02"
        "#,
    )
    .expect("all of it is valid");
    assert_eq!(fault_lines(&config), [""; 0]);
    assert_eq!(config.targets, ["symphony", "agentskills"]);
    assert_eq!(config.copies.mirrors, [[".agent/skills", ".claude/skills"]]);
    assert_eq!((config.limits.name_chars, config.limits.prompt_skills), (Some(10), Some(16)));
    assert_eq!((config.limits.root_depth, config.dispatch.cap), (Some(3), Some(16)));
    assert_eq!(config.roots.depth, 16, "a cap below ours does not stop the walk");
    assert_eq!(
        roots_of(&config),
        [
            (".symphony/skills", "symphony", Some(1), false),
            (".agent/skills", "symphony", Some(1), true),
            ("packages/*/.agent/skills", "agentskills", None, true),
            (".claude/skills", "agentskills", None, true),
            ("skills", "agentskills", None, true),
        ]
    );
    let deployment = Deployment { from: "skills".to_owned(), to: ".agent/skills".to_owned() };
    assert_eq!(config.copies.deployments, [deployment]);
    let rule = rules::find("name-too-long").expect("a rule");
    let level = |path: &str| config.levels.level(rule, path.into());
    assert_eq!(level(".agent/skills/a/SKILL.md"), Level::Note);
    assert_eq!(level(".agent/skills/vendor/a/SKILL.md"), Level::Off);
    assert_eq!(level("x/SKILL.md"), Level::Off);
    let until: Vec<_> = config.ignores.iter().map(|ignore| ignore.until).collect();
    assert_eq!(until, [Some(20_819), Some(20_820)]);
    assert_eq!(config.ignores[0].reason, "generated");
    assert!(config.ignores[1].path.is_match("a/b/SKILL.md"));
}

/// A text with its expected fault.
const INVALID: &[(&str, &str)] = &[
    (
        "edition = '2027'",
        "invalid-configuration '2027' | there is no edition `2027` | update skilltree; this version knows the editions up to `2026`",
    ),
    ("targets = ['symphny']", "invalid-configuration 'symphny' | there is no profile `symphny` | write `symphony`"),
    (
        "mirrors = [['a']]",
        "invalid-configuration ['a'] | a group of mirrors needs at least two roots | list every root of the group",
    ),
    (
        "mirrors = [['a', './a']]",
        "invalid-configuration './a' | `./a` appears twice in one group | remove one of the two",
    ),
    (
        "mirrors = [['a', '**/b']]",
        "invalid-configuration '**/b' | `**/b` does not show which directories match each other | replace `**` with one `*` per directory",
    ),
    (
        "[[deploy]]\nfrom = 'a'\nto = '~/.ssh'",
        "invalid-configuration '~/.ssh' | `~/.ssh` is not a skills directory of the user that a runtime reads | `skilltree profiles` shows the directories that runtimes read",
    ),
    ("[[deploy]]\nfrom = 'a'", "invalid-configuration [[deploy]] | `[[deploy]]` has no `to` | add `to = \"…\"`"),
    (
        "[limits]\nname-chars = 0",
        "invalid-configuration 0 | `name-chars` is not a positive number | write 1 or more, or remove the line to keep the default",
    ),
    (
        "[limits]\nname-chars = -9999999999999999999999",
        "invalid-configuration -9999999999999999999999 | `name-chars` is not a positive number | write 1 or more, or remove the line to keep the default",
    ),
    (
        "[limits]\nname_chars = 10",
        "unknown-setting name_chars | `name_chars` is not a setting of `[limits]` | write `name-chars`",
    ),
    (
        "[rules]\nname-to-long = 'off'",
        "unknown-rule name-to-long | there is no rule `name-to-long` | write `name-too-long`",
    ),
    ("[rules]\nname-too-long = 'warn'", "invalid-configuration 'warn' | there is no severity `warn` | write `warning`"),
    (
        "[rules]\nname-too-long = 'Error'",
        "invalid-configuration 'Error' | there is no severity `Error` | write `error`",
    ),
    ("[rules]\nname-too-long = 'none'", "invalid-configuration 'none' | there is no severity `none` | write `off`"),
    (
        "[rules]\nname-too-long = 'loud'",
        "invalid-configuration 'loud' | there is no severity `loud` | write one of `off`, `note`, `warning`, `error`",
    ),
    (
        "[[rot]]\npath = 'a'",
        "unknown-setting rot | `rot` is not a setting of skilltree.toml | write `[[root]]`, and below it `path = …`",
    ),
    (
        "[[root]]\npath = 'a'\nprofil = 'symphony'",
        "unknown-setting profil | `profil` is not a setting of `[[root]]` | write `profile`",
    ),
    (
        "[[root]]\npath = 'a'\nprofile = 'symphoni'",
        "invalid-configuration 'symphoni' | there is no profile `symphoni` | write `symphony`",
    ),
    (
        "[[root]]\nprofile = 'symphony'",
        "invalid-configuration [[root]] | `[[root]]` has no `path` | add `path = \"…\"`",
    ),
    ("[[root]]\npath = ' '", "invalid-configuration ' ' | `path` is empty | write a value: `path = \"…\"`"),
    (
        "[[root]]\npath = '../a'",
        "invalid-configuration '../a' | `../a` is not a path below the repository root | write a path relative to the repository root, with `/` and without `..`",
    ),
    (
        "[[root]]\npath = 'a['",
        "invalid-configuration 'a[' | `a[` is not a valid pattern: unclosed character class; missing ']' | close every bracket and brace, or put a literal one in brackets: `[[]`",
    ),
    (
        "[[root]]\npath = 'a'\n[[root]]\npath = 'a/'",
        "invalid-configuration 'a/' | the root `a/` is listed twice | remove one of the two",
    ),
    (
        "[[override]]\nrules = { name-too-long = 'off' }",
        "invalid-configuration [[override]] | the override has no `paths` | add `paths = [\"…\"]`",
    ),
    (
        "[[override]]\npaths = ['a']",
        "invalid-configuration [[override]] | the override has no `rules` | add `rules = { RULE = \"LEVEL\" }`",
    ),
    (
        "[[ignore]]\nrule = 'quite-another-thing'\npath = 'a'\nreason = 'x'",
        "unknown-rule 'quite-another-thing' | there is no rule `quite-another-thing` | run `skilltree explain` to list the rules",
    ),
    (
        "[[ignore]]\nrule = 'name-too-long'\npath = 'a'\nreason = 'x'\nuntil = '2027-02-29'",
        "invalid-configuration '2027-02-29' | `until` is not a valid date | write the last day of the ignore, such as 2027-01-01",
    ),
    (
        "[[ignore]]\nrule = 'name-too-long'\npath = 'a'\nreason = 'x'\nuntil = 2027-01-01T10:00:00Z",
        "invalid-configuration 2027-01-01T10:00:00Z | `until` is not a valid date | write the last day of the ignore, such as 2027-01-01",
    ),
];

#[test]
fn reports_invalid_values_and_keeps_defaults() {
    for (text, expected) in INVALID {
        let config = settings(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(fault_lines(&config), [*expected], "{text}");
        assert_eq!(config.limits, Limits::default(), "{text}");
        assert!(config.ignores.is_empty() && config.levels.set.is_empty(), "{text}");
    }
}

#[test]
fn fails_on_wrong_types_at_their_place() {
    let cases: &[(&str, &str, &str)] = &[
        ("edition = 2026", "2026", "`edition` must be a string, but it is an integer"),
        ("targets = 'symphony'", "'symphony'", "`targets` must be an array, but it is a string"),
        ("targets = [1]", "1", "an entry of `targets` must be a string, but it is an integer"),
        ("[[exclude]]\npath = 'a'", "[[exclude]]", "`exclude` must be an array of strings, but it has a table"),
        ("default-roots = 'no'", "'no'", "`default-roots` must be a boolean, but it is a string"),
        ("[root]\npath = 'a'", "[root]", "`root` must be an array of tables, but it is a table"),
        ("[limits]\nname-chars = 1.5", "1.5", "`name-chars` must be an integer, but it is a float"),
        ("[rules]\nname-too-long = false", "false", "there is no severity `false`"),
        ("mirrors = ['a']", "'a'", "`mirrors` must be an array, but it is a string"),
        ("[[ignore]]\nuntil = 1", "1", "`until` must be a date, but it is an integer"),
        ("\u{feff}[limits]\nname-chars = ''", "''", "`name-chars` must be an integer, but it is a string"),
        ("rules = 1\nedition = 2", "1", "`rules` must be a table, but it is an integer"),
        ("a = 1\na = 2", "a", "the file is not valid TOML: duplicate key"),
        ("a = ", "", "the file is not valid TOML: string values must be quoted, expected literal string"),
    ];
    for (text, place, message) in cases {
        let error = settings(text).expect_err(text);
        let (_, range) = *error.place.expect("a place in the file");
        assert_eq!((&text[range], error.message.as_str()), (*place, *message), "{text}");
        assert!(error.help.is_some(), "{text}");
    }
    let bytes = file(SETTINGS, b"edition = '\xff'");
    let error = read(Inputs { settings: Some(bytes), ..Inputs::default() }).expect_err("not UTF-8");
    assert_eq!(error.place.expect("a place").1, 11..12);
    let directory = File::new(SETTINGS, Role::Config, None, Body::Directory);
    let error = read(Inputs { settings: Some(directory), ..Inputs::default() }).expect_err("a directory");
    assert_eq!(error.message, "skilltree.toml is a directory, not a file");
}

#[test]
fn writes_the_value_of_a_wrong_type_as_it_was_meant() {
    for (text, help) in [
        ("exclude = 'tests'", "write `[\"tests\"]`"),
        ("exclude = [1]", "write `\"1\"`"),
        ("[exclude]", "write `exclude = [\"…\"]`"),
    ] {
        assert_eq!(settings(text).expect_err(text).help.as_deref(), Some(help), "{text}");
    }
    let help = |text: &str| settings(text).expect(text).faults[0].help.clone();
    assert_eq!(help("exclude = ['tests\\data']").as_deref(), Some("write `tests/data`"));
    for text in ["skip = ['a']", "exclude-paths = ['a']", "ignore_paths = ['a']"] {
        assert_eq!(help(text).as_deref(), Some("write `exclude`"), "{text}");
    }
}

const TOO_MANY: &str = "there are more than 2,000 paths and patterns, or they have more than 200,000 bytes";

#[test]
fn fails_on_the_first_pattern_over_the_limit() {
    let many = |count: usize, entry: &dyn Fn(usize) -> String| (1..=count).map(entry).collect::<String>();
    let entry = |path: &str| format!("[[ignore]]\nrule = 'empty-body'\nreason = 'x'\npath = '{path}'\n");
    let patterns: [(&dyn Fn(usize) -> String, usize); 5] = [
        (&|number| format!("[[root]]\npath = '*{number}'\n"), 1),
        (&|number| format!("[[deploy]]\nfrom = 'a{number}'\nto = 'b{number}'\n"), 2),
        (&|number| entry(&format!("**/a*{number}")), 1),
        (&|number| format!("[[override]]\nrules = {{}}\npaths = ['**/a*{number}']\n"), 1),
        (&|_| format!("[[override]]\nrules = {{}}\npaths = [{}]\n", "'*', ".repeat(400)), 400),
    ];
    for (make, each) in patterns {
        let most = many(2_000 / each, make);
        assert_eq!(settings(&most).map(|config| fault_lines(&config).len()), Ok(0), "{}", &most[..80]);
        let error = settings(&many(2_000 / each + 1, make)).expect_err("one more");
        assert_eq!(error.message, TOO_MANY);
        let (_, range) = *error.place.expect("a place in the file");
        assert!(range.start > most.len(), "{}", &most[..80]);
    }
    let mirrors = format!("mirrors = [{}]", many(1_001, &|number| format!("['a{number}', 'b{number}'],")));
    assert_eq!(settings(&mirrors).expect_err("2,002").message, TOO_MANY);
    let mixed = format!("{}{}", many(1_500, &|number| entry(&number.to_string())), many(600, patterns[0].0));
    assert_eq!(settings(&mixed).expect_err("2,100").message, TOO_MANY);
    let long = many(50, &|number| entry(&format!("{}{number}", "*a".repeat(2_001))));
    assert_eq!(settings(&long).expect_err("200,250 bytes").message, TOO_MANY);
    let profiles = |count| many(count, &|number| format!("[profile.p{number}]\nextends = 'codex'\n"));
    assert_eq!(settings(&profiles(100)).map(|config| fault_lines(&config).len()), Ok(0));
    assert_eq!(settings(&profiles(101)).expect_err("one more").message, "there are more than 100 profiles");
    let case = "[[profile.p.cases]]\nwhat = 'x'\nfile = 'x'\noutcome = 'drops'\nsource = 'x'\n";
    let cases = |count| many(count, &|_| case.to_owned());
    let own = |count| settings(&format!("[profile.p]\nextends = 'codex'\n{}", cases(count)));
    assert_eq!(own(500).map(|config| fault_lines(&config).len()), Ok(0));
    assert_eq!(own(501).expect_err("one more").message, "the profiles have more than 500 cases");
}

#[test]
fn disables_the_default_roots() {
    let config = settings("default-roots = false\n[[root]]\npath = 'skills'").expect("valid");
    assert_eq!(roots_of(&config), [("skills", "agentskills", None, true)]);
}

#[test]
fn applies_the_command_line_last() {
    let overrides = CommandLine {
        roots: words(&["a=b/skills=symphony", ".agent/skills", "x/*/skills"]),
        rules: words(&["name-too-long=off", "name-too-long=note"]),
        targets: words(&["symphony"]),
        preview: true,
        ..CommandLine::default()
    };
    let text = file(SETTINGS, b"targets = ['agentskills']\n[rules]\nname-too-long = 'error'");
    let config = read(Inputs { settings: Some(text), overrides, ..Inputs::default() }).expect("valid");
    assert_eq!(
        roots_of(&config),
        [
            (".symphony/skills", "symphony", Some(1), false),
            (".agent/skills", "agentskills", None, true),
            ("a=b/skills", "symphony", Some(1), true),
            ("x/*/skills", "agentskills", None, true),
        ]
    );
    assert_eq!(config.targets, ["symphony"]);
    assert!(config.levels.defaults.preview);
    assert_eq!(config.levels.level(rules::find("name-too-long").expect("a rule"), "a".into()), Level::Note);
}

#[test]
fn rejects_invalid_command_line_values() {
    let rules = |word: &str| CommandLine { rules: words(&[word]), ..CommandLine::default() };
    let roots = |word: &str| CommandLine { roots: words(&[word]), ..CommandLine::default() };
    let targets = |word: &str| CommandLine { targets: words(&[word]), ..CommandLine::default() };
    let cases = [
        (rules("name-to-long=off"), "there is no rule `name-to-long`", "write `name-too-long`"),
        (rules("name-too-long=of"), "there is no severity `of`", "write `off`"),
        (
            rules("name-too-long"),
            "--rule name-too-long: the severity is missing",
            "write it as ID=LEVEL, such as empty-body=warning",
        ),
        (roots("a=symphoni"), "there is no profile `symphoni`", "write `symphony`"),
        (targets("codecs"), "there is no profile `codecs`", "write `codex`"),
        (targets("claude"), "there is no profile `claude`", "write `claude-code` or `claude-api`"),
        (targets("GitHub Copilot"), "there is no profile `GitHub Copilot`", "write `vscode-copilot` or `copilot-cli`"),
    ];
    for (overrides, message, help) in cases {
        let error = typed(overrides).expect_err(message);
        assert_eq!((error.message.as_str(), error.help.as_deref(), error.place), (message, Some(help), None));
    }
    let error = typed(roots("/etc")).expect_err("outside");
    assert_eq!(error.message, "--root /etc: `/etc` is not a path below the repository root");
}
