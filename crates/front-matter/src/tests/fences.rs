//! Fences and encoding.

use super::*;

const GOOD: &[u8] = b"---\nname: pdf\ndescription: Reads.\n---\n# Body\n";

#[test]
fn accepts_valid_files() {
    let reading = read(GOOD);
    assert_eq!(reading.faults, []);
    let front_matter = reading.front_matter.expect("it has fences");
    assert_eq!(shown(GOOD, front_matter.opener), "---");
    assert_eq!(shown(GOOD, front_matter.yaml), "name: pdf\\ndescription: Reads.\\n");
    assert_eq!(&GOOD[reading.body_start..], b"# Body\n");
    for text in
        ["---\r\nname: pdf\r\n---\r\nBody\r\n", "---\nname: a --- b\n---", "---\nname: pdf\n---\n\n---\n\n----\n"]
    {
        assert_eq!(read(text.as_bytes()).faults, [], "{text:?}");
        assert!(fields(text.as_bytes()).is_some(), "{text:?}");
    }
}

#[test]
fn reports_and_accepts_malformed_fences() {
    let flaw =
        |fence, flaw| Fault { what: What::MalformedFence { fence, flaw }, place: Place::whole(FileId(0)) }.kind();
    assert_eq!(flaw(Fence::Closing, FenceFlaw::Indented), Kind::CloserIndented);
    let table: &[Case<'_>] = &[
        (b"--- \nname: a\n---\n", &[(Kind::OpenerTrailingBlanks, "--- ")]),
        (b"----\nname: a\n---\n", &[(Kind::OpenerExtraDashes, "----")]),
        (b"  ---\nname: a\n---\n", &[(Kind::OpenerIndented, "  ---")]),
        (b"---\nname: a\n---\t\nBody\n", &[(Kind::CloserTrailingBlanks, "---\\t")]),
        (b"---\nname: a\n-----\nBody\n\n---\n", &[(Kind::CloserExtraDashes, "-----")]),
        (b"---\nname: a\n ---\nBody\n", &[(Kind::CloserIndented, " ---")]),
        (
            b"  ---\nname: a\n  ---\n# Body\n\n---\n",
            &[(Kind::OpenerIndented, "  ---"), (Kind::CloserIndented, "  ---")],
        ),
        (
            b"\xef\xbb\xbf---\nname: a\n--- \n",
            &[(Kind::ByteOrderMark, "\u{feff}"), (Kind::CloserTrailingBlanks, "--- ")],
        ),
        (b"\n \n---\nname: a\n---\n", &[(Kind::TextBeforeFence, "\\n \\n")]),
        (b"<!-- x -->\n---\nname: a\n---\n", &[(Kind::TextBeforeFence, "<!-- x -->\\n")]),
        (b"# Title\n\n---\nname: a\n---\n", &[(Kind::TextBeforeFence, "# Title\\n\\n")]),
        (b"---\nname: a\r---\nBody\n", &[(Kind::CarriageReturns, "\\r")]),
        (b"---\rname: a\r---\rBody\r", &[(Kind::CarriageReturns, "\\r")]),
        (b"---\nname: a\r\n---\r\nBody\r\n", &[(Kind::MixedLineEndings, "\\n")]),
        (b"---\r\nname: a\r\n---\nBody\nBody\n", &[(Kind::MixedLineEndings, "\\r\\n")]),
        (b"---\nname: a\n---\nx\ry\n", &[]),
        (b"---\nname: a\n---\nx\0y\0\n", &[(Kind::ControlCharacter, "\0")]),
        (b"---\nname: a\n---\ncaf\xe9 \xff\n", &[(Kind::NotUtf8, "\\xe9")]),
    ];
    expect(table);
    for (bytes, _) in table {
        assert_eq!(fields(bytes), Some(vec!["name=a".to_owned()]), "{}", bytes.escape_ascii());
    }
}

#[test]
fn reads_no_fields_without_fences() {
    let table: &[Case<'_>] = &[
        (b"", &[(Kind::NoFence, "")]),
        (b" \n\t\n", &[(Kind::NoFence, "")]),
        (b"# Demo\n\nText.\n", &[(Kind::NoFence, "# Demo")]),
        (b"name: a\ndescription: b\n\nText.\n", &[(Kind::NoFence, "name: a")]),
        (b"\n## name: a\ndescription: b\n", &[(Kind::NoFence, "## name: a")]),
        (b"---\n\n## name: a\n\ndescription: b\n\n---\n", &[(Kind::NoFence, "## name: a")]),
        (b"---\n## name: a\n ---\nname: b\n", &[(Kind::NoFence, "## name: a")]),
        (b"---\nname: a\n\n# Body\n", &[(Kind::Unclosed, "---")]),
        (b"---\nname: a\n...\n# Body\n", &[(Kind::Unclosed, "---")]),
        (b"----\n\nA thematic break.\n\n---\n", &[(Kind::NoFence, "----")]),
        (b"Text\n\n---\n\nNote: a break.\n\n---\n", &[(Kind::NoFence, "Text")]),
        (b"# How to\n\n```\n---\nname: a\n---\n```\n", &[(Kind::NoFence, "# How to")]),
        (b"---\nname: caf\xe9\n---\n", &[(Kind::NotUtf8, "\\xe9")]),
        (b"---\nname: a\xe2\x82", &[(Kind::Unclosed, "---"), (Kind::NotUtf8, "\\xe2\\x82")]),
        (b"\xff\xfe-\0-\0-\0", &[(Kind::NotUtf8, "\\xff\\xfe")]),
        (b"\0-\0-\0-\0\n\0n", &[(Kind::NotUtf8, "\0-")]),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n",
            &[(Kind::LfsPointer, "version https://git-lfs.github.com/spec/v1")],
        ),
    ];
    expect(table);
    for (bytes, _) in table {
        assert_eq!(fields(bytes), None, "{}", bytes.escape_ascii());
    }
}

#[test]
fn reports_text_in_place_of_the_fence() {
    assert_eq!(only(b"\n"), What::NoFence(Instead::Nothing));
    assert_eq!(only(b"# Demo\n"), What::NoFence(Instead::Text));
    assert_eq!(only(b"Note: x\n\nname: x\n"), What::NoFence(Instead::Text));
    assert_eq!(only(b"version: 1\nname: a\n"), What::NoFence(Instead::BareKeys));
    for marks in ["\\---", "---\\", "***", "- - -", "\u{2014}", "```", "~~~", "```yaml"] {
        assert_eq!(only(format!("{marks}\nname: a\n{marks}\n").as_bytes()), What::NoFence(Instead::Marks), "{marks}");
        assert_eq!(only(format!("{marks}\nHello\n{marks}\n").as_bytes()), What::NoFence(Instead::Text), "{marks}");
    }
    assert_eq!(only(b"## name: a\n"), What::NoFence(Instead::FormattedHeading));
    assert_eq!(only(b"../../x/SKILL.md\n"), What::NoFence(Instead::Path));
    assert_eq!(only(b"../x/SKILL.md"), What::NoFence(Instead::Path));
    assert_eq!(only(b"../x y/SKILL.md\n"), What::NoFence(Instead::Text));
    assert_eq!(only(b"../x\n../y\n"), What::NoFence(Instead::Text));
    assert_eq!(only(b"+++\nname = \"a\"\n+++\n"), What::NoFence(Instead::Toml));
    assert_eq!(only(b"\n---\nname: a\n---\n"), What::TextBeforeFence { blank: true });
    assert_eq!(only(b"x\n---\nname: a\n---\n"), What::TextBeforeFence { blank: false });
    assert_eq!(only(b"\xfe\xff\0-"), What::NotUtf8 { utf16: Some(ByteOrder::Big) });
    assert_eq!(only(b"-\0-\0-\0\n\0"), What::NotUtf8 { utf16: Some(ByteOrder::Little) });
}

#[test]
fn reports_the_intended_closing_fence() {
    type Case<'a> = (&'a [u8], Option<(&'a str, IntendedFence)>, &'a [u8]);
    let cases: &[Case<'_>] = &[
        (b"---\nname: a\n...\n# Body\n", Some(("...", IntendedFence::Dots)), b"# Body\n"),
        (b"---\nname: a\n\xe2\x80\x94\nBody\n", Some(("—", IntendedFence::OtherDashes)), b"Body\n"),
        (b"---\nname: a\n---\xe2\x80\x8b\nBody\n", Some(("---\u{200b}", IntendedFence::OtherDashes)), b"Body\n"),
        (b"---\nname: a\n---# T\nBody\n", Some(("---# T", IntendedFence::WithText)), b"Body\n"),
        (b"---\nname: a\n--- T\n\nBody\n", Some(("--- T", IntendedFence::WithText)), b"\nBody\n"),
        (b"---\nname: a\n---# T\nB\n---\n", Some(("---# T", IntendedFence::WithText)), b"B\n---\n"),
        (b"---\nname: a\n--\nBody\n", Some(("--", IntendedFence::OtherDashes)), b"Body\n"),
        (b"---\nname: a\n\n# Body\n\nText\n***\n", None, b"\n# Body\n\nText\n***\n"),
        (b"---\nname: a\nBody\n----\n", None, b"Body\n----\n"),
        (b"---\nname: a\n\ndescription: b\n\nNote: x\nBody\n", None, b"\nNote: x\nBody\n"),
        (b"---\nname: a", None, b""),
    ];
    for (bytes, expected, body) in cases {
        let reading = read(bytes);
        assert_eq!(&bytes[reading.body_start..], *body, "{}", bytes.escape_ascii());
        let What::Unclosed { intended } = only(bytes) else { panic!("{}", bytes.escape_ascii()) };
        let intended = intended.map(|(place, looks)| (shown(bytes, place), looks));
        assert_eq!(intended, expected.map(|(text, looks)| (text.to_owned(), looks)), "{}", bytes.escape_ascii());
    }
}

#[test]
fn ignores_dashes_inside_a_block() {
    let text = b"---\nname: a\ndescription: |\n  one\n  ---\n  two\n---\nBody\n";
    assert_eq!(fields(text).expect("it has fields")[1], "description=one\n---\ntwo\n");
    assert_eq!(faults(text), []);
    let more = b"---\nname: a\n----\ndescription: b\n---\n";
    assert_eq!(faults(more)[0].0, Kind::Yaml(YamlKind::BadIndentation));
}

#[test]
fn counts_line_endings() {
    assert_eq!(only(b"---\r\nname: a\r\n---\nx\n"), What::MixedLineEndings { lf: 2, crlf: 2 });
}

#[test]
fn reads_fields_despite_control_characters() {
    let text = "---\nname: a\u{1}b\ndescription: \u{9b}c\u{7f} \u{9b}d\n---\n".as_bytes();
    let found = faults(text);
    let expected = [("\u{1}", 11), ("\u{9b}", 27), ("\u{7f}", 30)];
    assert_eq!(found.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), expected.map(|(text, _)| text));
    assert!(found.iter().all(|(kind, _)| *kind == Kind::ControlCharacter));
    let at: Vec<u32> = read(text).faults.iter().map(|fault| fault.place.start).collect();
    assert_eq!(at, expected.map(|(_, at)| at));
    assert_eq!(fields(text).expect("it has fields")[0], "name=a_b");
}

#[test]
fn finds_fence_below_text_if_keys_follow_blank_lines_and_comments() {
    for between in ["", "\n", "# Comment\n", "\n# Comment\n\n"] {
        let text = format!("Text.\n---\n{between}name: a\n---\n");
        assert_eq!(fields(text.as_bytes()), Some(vec!["name=a".to_owned()]), "{text:?}");
    }
    assert_eq!(fields(b"Text.\n---\nMore text.\nname: a\n---\n"), None);
}
