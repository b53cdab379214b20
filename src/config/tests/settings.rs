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
fn without_files_the_defaults_hold() {
    let config = read(Inputs::default()).expect("no file, no fault");
    let defaults = [(".symphony/skills", "symphony", Some(1), false), (".agent/skills", "agentskills", None, false)];
    assert_eq!(roots_of(&config), defaults);
    assert_eq!(roots_of(&Config::new()), defaults);
    assert_eq!(config.roots.file_bytes, 256_000);
    assert_eq!(config.dispatch, Dispatch { enabled: true, cap: None });
}

#[test]
fn everything_that_can_be_written_is_read() {
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
    assert_eq!(said(&config), [""; 0]);
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

/// A text, and what is said of it.
const MEANINGLESS: &[(&str, &str)] = &[
    ("edition = '2027'", "invalid-configuration '2027' | there is no edition `2027` | write `2026`"),
    ("targets = ['symphny']", "invalid-configuration 'symphny' | there is no profile `symphny` | write `symphony`"),
    (
        "mirrors = [['a']]",
        "invalid-configuration ['a'] | a group of mirrors wants two roots or more | name every root of the group",
    ),
    (
        "mirrors = [['a', './a']]",
        "invalid-configuration './a' | `./a` appears twice in one group | remove one of the two",
    ),
    (
        "mirrors = [['a', '**/b']]",
        "invalid-configuration '**/b' | `**/b` does not say which directories belong together | write one `*` for each directory instead of `**`",
    ),
    ("[[deploy]]\nfrom = 'a'", "invalid-configuration [[deploy]] | `[[deploy]]` without `to` | add `to = \"…\"`"),
    (
        "[limits]\nname-chars = 0",
        "invalid-configuration 0 | `name-chars` is no positive number | write 1 or more, or remove the line to keep the default",
    ),
    (
        "[limits]\nname-chars = -9999999999999999999999",
        "invalid-configuration -9999999999999999999999 | `name-chars` is no positive number | write 1 or more, or remove the line to keep the default",
    ),
    (
        "[limits]\nname_chars = 10",
        "unknown-setting name_chars | `name_chars` is no setting of `[limits]` | write `name-chars`",
    ),
    (
        "[rules]\nname-to-long = 'off'",
        "unknown-rule name-to-long | there is no rule `name-to-long` | write `name-too-long`",
    ),
    (
        "[rules]\nname-too-long = 'warn'",
        "invalid-configuration 'warn' | there is no level `warn` | write one of `off`, `note`, `warning`, `error`",
    ),
    ("[rules]\nname-too-long = 'Error'", "invalid-configuration 'Error' | there is no level `Error` | write `error`"),
    ("[[rot]]\npath = 'a'", "unknown-setting rot | `rot` is no setting of skilltree.toml | write `root`"),
    (
        "[[root]]\npath = 'a'\nprofil = 'symphony'",
        "unknown-setting profil | `profil` is no setting of `[[root]]` | write `profile`",
    ),
    (
        "[[root]]\npath = 'a'\nprofile = 'symphoni'",
        "invalid-configuration 'symphoni' | there is no profile `symphoni` | write `symphony`",
    ),
    (
        "[[root]]\nprofile = 'symphony'",
        "invalid-configuration [[root]] | `[[root]]` without `path` | add `path = \"…\"`",
    ),
    ("[[root]]\npath = ' '", "invalid-configuration ' ' | `path` is empty | say something: `path = \"…\"`"),
    (
        "[[root]]\npath = '../a'",
        "invalid-configuration '../a' | `../a` names nothing below the repository's root | write a path from the repository's root, with `/` between its parts and without `..`",
    ),
    (
        "[[root]]\npath = 'a['",
        "invalid-configuration 'a[' | `a[` is no pattern: unclosed character class; missing ']' | close every bracket and brace, or put a character that should stand for itself in brackets: `[[]`",
    ),
    (
        "[[root]]\npath = 'a'\n[[root]]\npath = 'a/'",
        "invalid-configuration 'a/' | the root `a/` stands here twice | remove one of the two",
    ),
    (
        "[[override]]\nrules = { name-too-long = 'off' }",
        "invalid-configuration [[override]] | an override without paths | add `paths = [\"…\"]`",
    ),
    (
        "[[override]]\npaths = ['a']",
        "invalid-configuration [[override]] | an override without rules | add `rules = { RULE = \"LEVEL\" }`",
    ),
    (
        "[[ignore]]\nrule = 'quite-another-thing'\npath = 'a'\nreason = 'x'",
        "unknown-rule 'quite-another-thing' | there is no rule `quite-another-thing` | `skilltree explain` lists the rules",
    ),
    (
        "[[ignore]]\nrule = 'name-too-long'\npath = 'a'\nreason = 'x'\nuntil = '2027-02-29'",
        "invalid-configuration '2027-02-29' | `until` is not a date | write the last day on which it holds, such as 2027-01-01",
    ),
    (
        "[[ignore]]\nrule = 'name-too-long'\npath = 'a'\nreason = 'x'\nuntil = 2027-01-01T10:00:00Z",
        "invalid-configuration 2027-01-01T10:00:00Z | `until` is not a date | write the last day on which it holds, such as 2027-01-01",
    ),
];

#[test]
fn what_means_nothing_is_a_fault_at_its_place_and_the_default_holds() {
    for (text, expected) in MEANINGLESS {
        let config = settings(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(said(&config), [*expected], "{text}");
        assert_eq!(config.limits, Limits::default(), "{text}");
        assert!(config.ignores.is_empty() && config.levels.set.is_empty(), "{text}");
    }
}

#[test]
fn what_cannot_be_understood_ends_the_run_at_its_place() {
    let cases: &[(&str, &str, &str)] = &[
        ("edition = 2026", "2026", "`edition` wants a string, and this is an integer"),
        ("targets = 'symphony'", "'symphony'", "`targets` wants an array, and this is a string"),
        ("targets = [1]", "1", "`targets` wants a string, and this is an integer"),
        ("default-roots = 'no'", "'no'", "`default-roots` wants a boolean, and this is a string"),
        ("[root]\npath = 'a'", "[root]", "`root` wants an array of tables, and this is a table"),
        ("[limits]\nname-chars = 1.5", "1.5", "`name-chars` wants an integer, and this is a float"),
        ("[rules]\nname-too-long = false", "false", "`name-too-long` wants a string, and this is a boolean"),
        ("mirrors = ['a']", "'a'", "`mirrors` wants an array, and this is a string"),
        ("[[ignore]]\nuntil = 1", "1", "`until` wants a date, and this is an integer"),
        ("\u{feff}[limits]\nname-chars = ''", "''", "`name-chars` wants an integer, and this is a string"),
        ("rules = 1\nedition = 2", "1", "`rules` wants a table, and this is an integer"),
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

const TOO_MANY: &str = "more than 2000 paths and patterns, or than 200000 bytes of them";

#[test]
fn more_than_is_compiled_ends_the_run_where_it_begins_to_be_too_much() {
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
        assert_eq!(settings(&most).map(|config| said(&config).len()), Ok(0), "{}", &most[..80]);
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
    assert_eq!(settings(&profiles(100)).map(|config| said(&config).len()), Ok(0));
    assert_eq!(settings(&profiles(101)).expect_err("one more").message, "more than 100 profiles");
    let case = "[[profile.p.cases]]\nwhat = 'x'\nfile = 'x'\noutcome = 'dropped'\nsource = 'x'\n";
    let cases = |count| many(count, &|_| case.to_owned());
    let own = |count| settings(&format!("[profile.p]\nextends = 'codex'\n{}", cases(count)));
    assert_eq!(own(500).map(|config| said(&config).len()), Ok(0));
    assert_eq!(own(501).expect_err("one more").message, "more than 500 cases of profiles");
}

#[test]
fn the_default_roots_can_be_left_out() {
    let config = settings("default-roots = false\n[[root]]\npath = 'skills'").expect("valid");
    assert_eq!(roots_of(&config), [("skills", "agentskills", None, true)]);
}

#[test]
fn the_command_line_comes_last_and_wins() {
    let overrides = CommandLine {
        roots: words(&["a=b/skills=symphony", ".agent/skills", "x/*/skills"]),
        rules: words(&["name-too-long=off", "name-too-long=note"]),
        targets: words(&["symphony"]),
        preview: true,
        ..CommandLine::default()
    };
    let text = file(SETTINGS, b"targets = ['agentskills']\n[rules]\nname-too-long = 'error'");
    let config = read(Inputs { settings: Some(text), workflow: None, overrides }).expect("valid");
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
fn a_wrong_word_of_the_command_line_ends_the_run() {
    let rules = |word: &str| CommandLine { rules: words(&[word]), ..CommandLine::default() };
    let roots = |word: &str| CommandLine { roots: words(&[word]), ..CommandLine::default() };
    let targets = |word: &str| CommandLine { targets: words(&[word]), ..CommandLine::default() };
    let cases = [
        (rules("name-to-long=off"), "there is no rule `name-to-long`", "write `name-too-long`"),
        (rules("name-too-long=of"), "there is no level `of`", "write `off`"),
        (rules("name-too-long"), "--rule name-too-long: no level", "write it as ID=LEVEL, such as empty-body=warning"),
        (roots("a=symphoni"), "there is no profile `symphoni`", "write `symphony`"),
        (targets("codecs"), "there is no profile `codecs`", "write `codex`"),
    ];
    for (overrides, message, help) in cases {
        let error = typed(overrides).expect_err(message);
        assert_eq!((error.message.as_str(), error.help.as_deref(), error.place), (message, Some(help), None));
    }
    let error = typed(roots("/etc")).expect_err("outside");
    assert_eq!(error.message, "--root /etc: `/etc` names nothing below the repository's root");
}
