//! Fixed texts, and skipped edits with their reasons.

use bstr::ByteSlice;
use skilltree_lint::fix::{Obstacle, Why};
use skilltree_skills::source::{Content, Entry};

use crate::fix::proved::{memory, proved, repair};

const PATH: &str = ".agent/skills/pdf/SKILL.md";

fn file(path: &str, text: &str) -> Entry {
    Entry { path: path.into(), content: Content::File(text.as_bytes().to_vec()) }
}

/// The text of the skill after its safe edits, or after all of them.
fn fixed(text: &str, unsafe_edits: bool) -> String {
    let repair = repair(&memory(&[file(PATH, text)]), unsafe_edits, &[]);
    repair.rewrites.first().map_or(text.to_owned(), |rewrite| rewrite.after.to_str_lossy().into_owned())
}

#[test]
fn quotes_value_with_colon() {
    let cases = [
        ("Build for AWS: ECS", "\"Build for AWS: ECS\""),
        ("Say \"hi\": twice", "'Say \"hi\": twice'"),
        ("Open C:\\temp: it's there", "'Open C:\\temp: it''s there'"),
        ("it's here: now", "\"it's here: now\""),
        ("@mention first", "\"@mention first\""),
        ("\u{201c}Build\u{2019}s for: ECS\u{201d}", "\"Build\u{2019}s for: ECS\""),
        ("\u{201c}One\u{201d} or: \u{201c}two\u{201d}", "\"\u{201c}One\u{201d} or: \u{201c}two\u{201d}\""),
    ];
    for line_ending in ["\n", "\r\n"] {
        for (value, quoted) in cases {
            let text = |value: &str| {
                format!("---\nname: pdf\ndescription: {value}\n---\n\nDo: it.\n").replace('\n', line_ending)
            };
            assert_eq!(fixed(&text(value), false), text(quoted));
        }
    }
}

#[test]
fn quotes_description_that_yaml_reads_as_keys() {
    let cases = [
        ("description:\n  Use when a form\n  or: a PDF.", "description:\n  \"Use when a form\n  or: a PDF.\""),
        ("description:\n  Use when a form: a PDF.\n  Or: mail.", "description: \"Use when a form: a PDF. Or: mail.\""),
        ("description:\n- Use when a form: a PDF.", "description: \"Use when a form: a PDF.\""),
        ("description:\nUse when a form: a PDF.", "description: \"Use when a form: a PDF.\""),
        ("description: >-\nUse when a form: a PDF.", "description: \"Use when a form: a PDF.\""),
        ("description: Forms.\nUse when a form: a PDF.", "description: \"Forms. Use when a form: a PDF.\""),
        ("description: One. Two.\nUse when: a: b.", "description: \"One. Two. Use when: a: b.\""),
        ("Use when a form: a PDF.", "description: \"Use when a form: a PDF.\""),
    ];
    for (value, expected) in cases {
        let text = |value: &str| format!("---\nname: pdf\n{value}\n---\n\nDo: it.\n");
        let repair = proved(&memory(&[file(PATH, &text(value))]), true, &[]).unwrap();
        assert_eq!(repair.rewrites[0].after.as_bstr(), text(expected).as_str());
        assert!(repair.skipped.is_empty(), "{:?}", repair.skipped);
    }
    // A comment would be lost, and a mapping may be one.
    for value in ["description: >-\n# One.\nUse when a form: a PDF.", "description:\n  short: one\n  long: two"] {
        let text = format!("---\nname: pdf\n{value}\n---\n\nDo: it.\n");
        assert_eq!(fixed(&text, true), text);
    }
}

#[test]
fn replaces_what_is_in_place_of_a_colon() {
    let text = |name: &str, description: &str| format!("---\n{name}\n{description}\n---\n\nDo: it.\n");
    let (name, description) = ("name: pdf", "description: Does it. Use when it is wanted.");
    for [before, after] in [["", "\u{ff1a}"], [" ", "= "], [" ", "=> "], [" ", "- "], ["", "; "]] {
        let odd = |line: &str| line.replacen(": ", &format!("{before}{after}"), 1);
        assert_eq!(fixed(&text(&odd(name), description), false), text(name, description), "{before}{after}");
        assert_eq!(fixed(&text(name, &odd(description)), false), text(name, description), "{before}{after}");
        let both = proved(&memory(&[file(PATH, &text(&odd(name), &odd(description)))]), true, &[]).unwrap();
        assert_eq!(both.rewrites[0].after.as_bstr(), text(name, description).as_str(), "{before}{after}");
        let colon = "description: Does this: that. Use when it is wanted.";
        let quoted = "description: \"Does this: that. Use when it is wanted.\"";
        assert_eq!(fixed(&text(name, &odd(colon)), true), text(name, quoted), "{before}{after}");
    }
    let list = |items: &str| text(name, &format!("{description}\nallowed-tools:{items}"));
    let path = ".claude/skills/pdf/SKILL.md";
    for (items, expected) in [
        ("\n  - Read\n  -Bash", "\n  - Read\n  - Bash"),
        ("\n-Read\n-Bash", "\n- Read\n- Bash"),
        ("\n  -Read\n  -Bash", "\n  - Read\n  - Bash"),
        (" -Read", " Read"),
    ] {
        let repair = proved(&memory(&[file(path, &list(items))]), true, &[]).unwrap();
        assert_eq!(repair.rewrites[0].after.as_bstr(), list(expected).as_str());
    }
}

#[test]
fn keeps_ambiguous_multiline_value_unquoted() {
    for line_ending in ["\u{85}", "\u{2028}", "\u{2029}"] {
        // PyYAML reads a name and a description.
        for rest in ["description: Does. Use when it is wanted.", "description: Does it # so"] {
            let text = format!("---\nname: pdf{line_ending}{rest}\n---\nDo it.\n");
            assert_eq!(fixed(&text, false), text);
            assert_eq!(fixed(&text, true), text);
        }
    }
}

#[test]
fn fixes_nested_faults_in_one_run() {
    let text = "\u{feff}--- \nname: 1\ndescription: a: b\nwhen_to_use: c: d\n----\nDo it.\n";
    let expected = "---\nname: \"1\"\ndescription: \"a: b\"\nwhen_to_use: \"c: d\"\n---\nDo it.\n";
    let path = ".agent/skills/1/SKILL.md";
    let repair = repair(&memory(&[file(path, text)]), false, &[]);
    assert_eq!(repair.rewrites[0].after.as_bstr(), expected);
    assert_eq!(repair.fixed.len(), 6, "{:?}", repair.fixed);
}

#[test]
fn inserted_line_uses_line_ending_of_file() {
    let text = "---\r\ndescription: Use it when a form is wanted.\r\n---\r\nDo it.\r\n";
    assert_eq!(fixed(text, false), text.replacen("---\r\n", "---\r\nname: pdf\r\n", 1));
}

#[test]
fn deletes_hidden_characters_in_one_edit() {
    let tags = "\u{e0041}".repeat(10_000);
    let scattered = "x\u{200b}".repeat(5_000);
    let turned = "\u{202e}x\u{202d}".repeat(2_000);
    let controls = "\u{1}y\u{2}".repeat(500);
    // The hidden character, the rest of the text, and the rules about it.
    let cases: [(&str, &str, &[&str]); 6] = [
        (&tags, "", &["hidden-unicode"]),
        (&scattered, &"x".repeat(5_000), &["hidden-unicode"]),
        (&turned, &"x".repeat(2_000), &["bidi-control"]),
        (&format!("{tags}\n{turned}"), &format!("\n{}", "x".repeat(2_000)), &["bidi-control", "hidden-unicode"]),
        (&"\0".repeat(300), "", &["control-character"]),
        (&format!("{tags}\nname: z\u{200b}"), "\nname: z", &["hidden-unicode"]),
    ];
    for (hidden, left, rules) in cases {
        let text = |what: &str| format!("---\nname: pdf\ndescription: Use it when wanted.\n---\nDo it.{what}\n");
        let repair = proved(&memory(&[file(PATH, &text(hidden))]), true, &[]).unwrap();
        assert_eq!(repair.rewrites[0].after.as_bstr(), text(left).as_str());
        assert_eq!(repair.fixed.iter().map(|fixed| fixed.rule.id()).collect::<Vec<_>>(), rules);
        assert!(repair.skipped.is_empty(), "{:?}", repair.skipped);
    }
    let fields = |controls: &str, hidden: &str| {
        let description = format!("Use it{hidden} when{controls} wanted.");
        format!("---\nname: pdf\ndescription: {description}\nlicense: a{hidden}b\n---\nDo it{hidden}.\n")
    };
    let repair = proved(&memory(&[file(PATH, &fields("", &tags[..1_000]))]), true, &[]).unwrap();
    assert_eq!(repair.rewrites[0].after.as_bstr(), fields("", "").as_str());
    assert_eq!(repair.fixed.len(), 2, "the field and the rest of the file: {:?}", repair.fixed);
    let repair = proved(&memory(&[file(PATH, &fields(&controls, ""))]), true, &[]).unwrap();
    assert_eq!(repair.rewrites[0].after.as_bstr(), fields(&"y".repeat(500), "").as_str());
    assert_eq!(repair.fixed.len(), 2, "one finding per control character: {:?}", repair.fixed);
}

#[test]
fn deletes_characters_before_invalid_byte_in_one_edit() {
    let text = |characters: &str| {
        let valid = format!("---\nname: pdf\ndescription: Use it when wanted.\n---\nDo it.{characters}\n");
        [valid.as_bytes(), b"Tax \xef\n"].concat()
    };
    let skill = Entry { path: PATH.into(), content: Content::File(text(&"\u{10}".repeat(40))) };
    let repair = proved(&memory(&[skill]), true, &[]).unwrap();
    assert_eq!(repair.rewrites[0].after.as_bstr(), text("").as_bstr());
    assert_eq!(repair.fixed.iter().map(|fixed| fixed.rule.id()).collect::<Vec<_>>(), ["control-character-in-body"]);
}

#[test]
fn unifies_line_endings() {
    let mixed = "---\nname: pdf\r\ndescription: Use it when: no\n---\nOne.\r\nTwo.\r\n";
    let lf = mixed.replace("\r\n", "\n").replace("Use it when: no", "\"Use it when: no\"");
    assert_eq!(fixed(mixed, false), lf);
    let mostly_crlf = "---\r\nname: pdf\r\ndescription: Use it when it is wanted.\r\n---\r\nOne.\nTwo.\r\n";
    assert_eq!(fixed(mostly_crlf, false), mostly_crlf.replace("One.\n", "One.\r\n"));
    let cr = "---\rname: pdf\rdescription: Use it when it is wanted.\r---\rOne.\rTwo.\r";
    assert_eq!(fixed(cr, false), cr.replace('\r', "\n"));
}

#[test]
fn skips_unsafe_edits_by_default() {
    let text = "---\nname: pdf\ndescription: Use it when wanted # or not\n---\nDo it.\n";
    assert_eq!(fixed(text, false), text);
    assert_eq!(fixed(text, true), text.replace("Use it when wanted # or not", "\"Use it when wanted # or not\""));
    let left = repair(&memory(&[file(PATH, text)]), false, &[]).skipped;
    assert_eq!(
        left.iter().map(|left| (left.rule.id(), &left.why)).collect::<Vec<_>>(),
        [("value-cut-by-comment", &Why::Unsafe)]
    );
}

#[test]
fn skips_edit_that_adds_equally_severe_finding() {
    // The skill of another `x-y` may not have the same name.
    let good = |name: &str| format!("---\nname: {name}\ndescription: Use it when wanted.\n---\nDo it.\n");
    let files =
        [file(".agent/skills/x-y/SKILL.md", &good("x-y")), file(".agent/skills/z/x-y/SKILL.md", &good("other"))];
    let repair = repair(&memory(&files), true, &[]);
    assert!(repair.rewrites.is_empty(), "{:?}", repair.rewrites);
    let reasons: Vec<_> = repair.skipped.iter().map(|left| &left.why).collect();
    assert!(matches!(reasons.as_slice(), [Why::Rejected(_), ..]), "{reasons:?}");
}

#[test]
fn fixes_error_that_hid_a_note() {
    // `description-without-trigger` cannot be reported before.
    let text = |key: &str| format!("---\nname: pdf\n{key}: Does things.\n---\nDo it.\n");
    let repair = proved(&memory(&[file(PATH, &text("descripton"))]), true, &[]).unwrap();
    assert_eq!(repair.rewrites[0].after.as_bstr(), text("description").as_str());
    let left: Vec<_> = repair.report.active().map(|finding| finding.rule.id()).collect();
    assert_eq!(left, ["description-without-trigger"]);
}

#[test]
fn accepts_other_number_in_the_message_of_a_remaining_finding() {
    let text = |hidden: &str| {
        format!("---\nname: pdf\ndescription: Use it when{hidden} wanted. {}\n---\nDo it.\n", "x".repeat(1_100))
    };
    let repair = proved(&memory(&[file(PATH, &text("\u{200b}"))]), true, &[]).unwrap();
    assert_eq!(repair.rewrites[0].after.as_bstr(), text("").as_str());
    let left: Vec<_> = repair.report.active().map(|finding| finding.rule.id()).collect();
    assert!(left.contains(&"description-too-long"), "{left:?}");
}

#[test]
fn retries_rejected_edit_after_the_others() {
    let skill = |name: &str, of: &str| {
        format!("---\n{name}description: Handles {of}. Use when {of} is wanted.\n---\nDo {of}.\n")
    };
    let paths = [".agent/skills/x/SKILL.md", ".agent/skills/y/SKILL.md"];
    let files = [file(paths[0], &skill("name: y\n", "forms")), file(paths[1], &skill("", "mail"))];
    let safe = repair(&memory(&files), false, &[]);
    assert!(safe.rewrites.is_empty(), "{:?}", safe.rewrites);
    let all = proved(&memory(&files), true, &[]).unwrap();
    let after: Vec<_> = all.rewrites.iter().map(|rewrite| rewrite.after.as_bstr()).collect();
    assert_eq!(after, [skill("name: x\n", "forms").as_str(), &skill("name: \"y\"\n", "mail")]);
    assert!(all.skipped.is_empty(), "{:?}", all.skipped);
}

#[test]
fn tells_edits_left_after_the_last_round_from_unsafe_ones() {
    let lines: String = (0..150).map(|number| format!("k{number}: a: b\n")).collect();
    let text = format!("---\nname: pdf\ndescription: Use it when wanted.\n{lines}---\nDo it.\n");
    for unsafe_edits in [false, true] {
        let left = repair(&memory(&[file(PATH, &text)]), unsafe_edits, &[]).skipped;
        let left: Vec<_> = left.iter().map(|left| (left.rule.id(), &left.why)).collect();
        assert_eq!(left, [("invalid-yaml", &Why::Unfinished)]);
    }
}

#[test]
fn skips_links_and_signed_skills() {
    let bad = "---\nname: pdf\ndescription: a: b\n---\nDo it.\n";
    let link = Entry { path: PATH.into(), content: Content::Link("../../../lib/real/SKILL.md".into()) };
    let linked = repair(&memory(&[link, file("lib/real/SKILL.md", bad)]), true, &[]);
    assert!(linked.rewrites.is_empty());
    assert!(linked.skipped.iter().all(|left| left.why == Why::Obstacle(Obstacle::Link)), "{:?}", linked.skipped);
    for name in ["skill.oms.sig", "SKILL.md.asc", "SKILL.md.minisig", "SKILL.sig", "bundle.sigstore.json"] {
        // It sorts between the directory and what is in it.
        let sibling = file(".agent/skills/pdf-2/page.md", "");
        let files = [file(PATH, bad), file(&format!(".agent/skills/pdf/{name}"), ""), sibling];
        let signed = repair(&memory(&files), true, &[]);
        assert!(signed.rewrites.is_empty(), "{name}");
        let expected = Why::Obstacle(Obstacle::Signature(name.into()));
        assert!(signed.skipped.iter().all(|left| left.why == expected), "{name}: {:?}", signed.skipped);
    }
    let with_other_file = [file(PATH, bad), file(".agent/skills/pdf/assets/key.asc", "")];
    assert_eq!(repair(&memory(&with_other_file), false, &[]).rewrites.len(), 1);
}

#[test]
fn adds_no_error_of_a_target() {
    // Copilot CLI reads the key, and rejects the value.
    let text = "---\nname: pdf\ndescription: Does it. Use when it is wanted.\nuser_invocable: ~\n---\nDo it.\n";
    let repair = proved(&memory(&[file(".agents/skills/pdf/SKILL.md", text)]), true, &[]).unwrap();
    let why: Vec<_> = repair.skipped.iter().map(|skipped| (skipped.rule.id(), skipped.why.clone())).collect();
    assert_eq!(why, [("misspelled-key", Why::Rejected("would add `target-drops-skill`".to_owned()))]);
}

#[test]
fn fixes_each_field_that_a_target_rejects() {
    // A target names one field at a time.
    let text = |yes: &str, no: &str| {
        format!(
            "---\nname: pdf\ndescription: Does it. Use when it is wanted.\nuser-invocable: {yes}\n\
            disable-model-invocation: {no}\n---\nDo it.\n"
        )
    };
    for directory in [".agents", ".claude", ".github"] {
        let file = file(&format!("{directory}/skills/pdf/SKILL.md"), &text("\"yes\"", "\"no\""));
        let repair = proved(&memory(&[file]), false, &[]).unwrap();
        assert_eq!(repair.rewrites[0].after.as_bstr(), text("true", "false").as_str(), "{directory}");
        assert!(repair.skipped.is_empty(), "{directory}: {:?}", repair.skipped);
    }
}

#[test]
fn takes_no_name_of_a_readable_skill() {
    let text = |description: &str| format!("---\nname: pdf\ndescription: {description}\n---\nDo it.\n");
    let files = [
        file(".agent/skills/pdf/SKILL.md", &text("Does it. Use when it is wanted.")),
        file(".agent/skills/pdf-tools/SKILL.md", &text("Does this: that. Use when a tool is wanted.")),
    ];
    let why = |unsafe_edits| {
        let repair = proved(&memory(&files), unsafe_edits, &[]).unwrap();
        let skipped = repair.skipped.iter().find(|skipped| skipped.rule.id() == "invalid-yaml");
        (repair.rewrites.len(), skipped.map(|skipped| skipped.why.clone()))
    };
    let Some(Why::Rejected(reason)) = why(false).1 else { panic!("{:?}", why(false)) };
    assert_eq!(reason, "would add `duplicate-name`");
    assert_eq!(why(true), (1, None), "the skill gets the name of its directory, too");
}

#[test]
fn fixes_paths_in_manifests() {
    let skill = |name: &str| format!("---\nname: {name}\ndescription: Does {name}. Use when wanted.\n---\nDo it.\n");
    let market = |one: &str, two: &str| {
        format!(
            "{{\n  \"name\": \"team\", \"owner\": {{ \"name\": \"T\\u0065am\" }},\n  \"plugins\": [\n    \
            {{ \"name\": \"review\", \"source\": \"{one}\" }},\n    {{ \"name\": \"forms\", \"source\": \"{two}\" }}\n  ]\n}}\n"
        )
    };
    let plugin = |name: &str, path: &str| format!("{{\"name\": \"{name}\", \"skills\": [\"{path}\"]}}\n");
    let files = [
        file("plugins/review/packs/one/SKILL.md", &skill("one")),
        file("plugins/forms/packs/two/SKILL.md", &skill("two")),
        file("plugins/review/.claude-plugin/plugin.json", &plugin("review", "./packs/one/SKILL.md")),
        file("plugins/forms/.claude-plugin/plugin.json", &plugin("forms", "packs/two")),
        file(".claude-plugin/marketplace.json", &market("plugins/review", "./plugins/froms")),
    ];
    assert!(repair(&memory(&files), false, &[]).rewrites.is_empty(), "the edits are unsafe");
    let repair = proved(&memory(&files), true, &[]).unwrap();
    let after: Vec<_> = repair.rewrites.iter().map(|rewrite| rewrite.after.to_str_lossy().into_owned()).collect();
    let expected = [
        market("./plugins/review", "./plugins/forms"),
        plugin("forms", "./packs/two"),
        plugin("review", "./packs/one"),
    ];
    assert_eq!(after, expected, "{:?}", repair.skipped);
    assert_eq!(repair.report.active().count(), 0, "{:?}", repair.report.findings);
}

#[test]
fn removes_typographic_quotes_around_keys() {
    let text = |quote: &str, end: &str| {
        format!(
            "---\n{quote}name{end}: pdf\n{quote}description{end}: Does it. Use when it is wanted.\n\
            {quote}license{end}: MIT\n---\nDo it.\n"
        )
    };
    for (quote, end) in [("\u{201c}", "\u{201d}"), ("\u{2018}", "\u{2019}"), ("\u{201e}", "\u{201c}")] {
        assert_eq!(fixed(&text(quote, end), false), text("", ""));
    }
}
