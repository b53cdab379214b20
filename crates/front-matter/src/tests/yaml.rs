//! Invalid and unportable YAML.

use super::*;

/// Adds fences around YAML.
fn fenced(yaml: &str) -> Vec<u8> {
    format!("---\n{yaml}---\n# Body\n").into_bytes()
}

#[test]
fn classifies_every_syntax_error_at_its_place() {
    use YamlKind::*;
    let cases: &[(&str, YamlKind, &str, Option<&str>)] = &[
        ("description: Build for AWS: ECS\n", ColonInPlainScalar, ":", Some("Build for AWS: ECS")),
        ("a: b\nd: Use when: x # y\nc: d\n", ColonInPlainScalar, ":", Some("Use when: x # y")),
        ("a:\n  b: c: d\n", ColonInPlainScalar, ":", Some("c: d")),
        ("a: b:\n", ColonInPlainScalar, ":", Some("b:")),
        ("- a: b: c\n", ColonInPlainScalar, ":", Some("b: c")),
        ("a: b: c\n  d\n\n  e\nf: g\n", ColonInPlainScalar, ":", Some("b: c\\n  d\\n\\n  e")),
        ("d: @mention first\n", ReservedFirstCharacter, "@", Some("@mention first")),
        ("d: `code` x\n", ReservedFirstCharacter, "`", Some("`code` x")),
        ("d: %TEMP% x\n", ReservedFirstCharacter, "%", Some("%TEMP% x")),
        ("d: , x\n", ReservedFirstCharacter, ",", Some(", x")),
        ("d: ] x\n", ReservedFirstCharacter, "]", Some("] x")),
        ("d: } x\n", ReservedFirstCharacter, "}", Some("} x")),
        ("d: - x\n", ReservedFirstCharacter, "-", Some("- x")),
        ("d: ? x\n", ReservedFirstCharacter, "?", Some("? x")),
        ("d: * x\n", ReservedFirstCharacter, "*", Some("* x")),
        ("d: & x\n", ReservedFirstCharacter, "&", Some("& x")),
        ("d: |x y\n", ReservedFirstCharacter, "|", Some("|x y")),
        ("d: > x\n", ReservedFirstCharacter, ">", Some("> x")),
        ("d:\n  @x\n", ReservedFirstCharacter, "@", Some("@x")),
        ("l:\n  - @x\n", ReservedFirstCharacter, "@", Some("@x")),
        ("d: **Bold** text\n", ReservedFirstCharacter, "t", Some("**Bold** text")),
        ("d: [a] [b]\n", ReservedFirstCharacter, "[", Some("[a] [b]")),
        ("d: [a] - e.g. \"l\"\n", ReservedFirstCharacter, "-", Some("[a] - e.g. \"l\"")),
        ("d: [a]: b\n", ReservedFirstCharacter, ":", Some("[a]: b")),
        ("d: {a} b\n", ReservedFirstCharacter, "b", Some("{a} b")),
        ("m:\n\ta: x\n", Tab, "\\t", None),
        ("m:\n  a: x\n\tb: y\n", Tab, "\\t", None),
        ("d: b\n\tc\n", Tab, "\\t", None),
        ("d: \"abc\nb: c\n", OpenQuote, "\"", None),
        ("d: 'abc\n", OpenQuote, "'", None),
        ("d: 'it's'\n", OpenQuote, "'", None),
        ("d: \"a\" and \"b\"\n", OpenQuote, "a", Some("\"a\" and \"b\"")),
        ("d: \"a\": b\n", OpenQuote, ":", None),
        ("d: [x, y\nb: c\n", OpenFlow, "[", None),
        ("d: {x: y\n", OpenFlow, "{", None),
        ("d: [x,\n  y z: w v: u\n  ]\n", OpenFlow, ":", None),
        ("d: [x}\n", OpenFlow, "[", None),
        ("d: [a, {b: [c, d}]\n", OpenFlow, "[", None),
        ("a:\n  b: c\n d: e\n", BadIndentation, "d", None),
        ("a: b\n  # c\n  d\n", BadIndentation, "d", None),
        (" a: b\nc: d\n", BadIndentation, "c", None),
        ("d: one line\nand another\n", BadIndentation, "a", None),
        ("d: \"one\ntwo\"\n", BadIndentation, "t", None),
        ("d: text\n  Keywords: x\n", ContinuationWithColon, ":", Some("text\\n  Keywords: x")),
        (
            "d: text\n\n  Keywords: x\n  more\ne: f\n",
            ContinuationWithColon,
            ":",
            Some("text\\n\\n  Keywords: x\\n  more"),
        ),
        ("<<<<<<< HEAD\na: b\n=======\na: c\n>>>>>>> x\n", ConflictMarker, "<<<<<<< HEAD", None),
        ("a: b\n<<<<<<< HEAD\nc: d\n", ConflictMarker, "<<<<<<< HEAD", None),
        ("a: \"x\\qy\"\n", Other, "\\q", None),
        ("a: [\"x\\qy\"]\n", Other, "\\q", None),
        ("Text about: things.\nand: more\nAnd: x: y\n", ColonInPlainScalar, ":", Some("x: y")),
        ("just text\nfoo: bar\n", Other, ":", None),
    ];
    for (yaml, kind, at, quote) in cases {
        let bytes = fenced(yaml);
        let found = faults(&bytes);
        assert_eq!(found, [(Kind::Yaml(*kind), (*at).to_owned())], "{yaml:?}");
        let What::Yaml { quote: place, .. } = only(&bytes) else { panic!("{yaml:?}") };
        let quoted = place.map(|place| shown(&bytes, place));
        assert_eq!(quoted.as_deref(), *quote, "{yaml:?}");
        assert_eq!(fields(&bytes), None, "{yaml:?}");
    }
}

#[test]
fn recognizes_slips_at_their_places() {
    let cases: &[(&str, &str, &str, Option<&str>)] = &[
        ("name: a\ndescription:Do it.\n", "TightColon", "description:", None),
        ("name:a\ndescription: Do it.\n", "TightColon", "name:", None),
        ("name:a\nlicense:MIT\ndescription: Do it.\n", "TightColon", "name:", None),
        ("m:\n  a: b\n  c:d\n", "TightColon", "c:", None),
        ("name = a\ndescription: Do it.\n", "Separator", "name =", Some(" = ")),
        ("name: a\ndescription\u{ff1a}Do it.\n", "Separator", "description\u{ff1a}", Some("\u{ff1a}")),
        ("name - a\ndescription: Do it.\n", "Separator", "name -", Some(" - ")),
        ("name a\ndescription: Do it.\n", "Separator", "name", Some(" ")),
        ("name: a\ndescription Do it.\n", "Separator", "description", Some(" ")),
        ("name: a\ndescription: One\nname of things\n", "", "n", None),
        ("name: a\nlicense => MIT\n", "Separator", "license =>", Some(" => ")),
        ("name: a\ndescription: One\nto - two\n", "", "t", None),
        ("name: a\ndescription: One\nx = 2\n", "", "x", None),
        ("t:\n  - Read\n  -Bash(git log:*)\n", "TightDash", "-Bash(git log:*)", None),
        ("t:\n-Bash\n-Read\n", "TightDash", "-Bash", None),
        ("t: a\n-b\n", "", "-", None),
        ("a: b\nstd::io is read\n", "", "s", None),
        ("a: b\nhttps://x.example\n", "", "h", None),
        ("a: |\n  x:y\n b: c\n", "", "b", None),
        ("m:\n  a: b\n   c: d\n", "DeepKey", "c", Some(" ")),
        ("name: a\n  description: b\n", "DeepKey", "description", Some("  ")),
        ("d: text\n  keywords: x\n", "", ":", None),
        ("m:\n  a: b\n\n   c: d\n", "", ":", None),
        ("d: 'Doesn't do it.'\n", "Apostrophe", "'", Some("'Doesn't do it.'")),
        ("d: 'Doesn't do it.\n", "Apostrophe", "'", None),
        ("l:\n  - 'don't'\n", "Apostrophe", "'", None),
        ("d: 'a' b\n", "", "b", None),
        ("d: \"one\ntwo\"\n", "Margin", "t", None),
        ("d: \"one\ntwo: three\"\n", "", "\"", None),
        ("d: \"C:\\Users\"\n", "Escape", "\\U", None),
        ("d: \"\\x41 \\u12\"\n", "Escape", "\\u", None),
        ("d: \"\\U0001F600 \\UFFFFFFFF\"\n", "Escape", "\\U", None),
        ("d: \"\\n \\q\"\n", "Escape", "\\q", None),
        ("d: \"\\x4 \\q\"\n", "Escape", "\\x", None),
    ];
    for (yaml, expected, at, part) in cases {
        let bytes = fenced(yaml);
        let What::Yaml { slip, .. } = only(&bytes) else { panic!("{yaml:?}") };
        let (name, place) = match slip {
            None => ("", None),
            Some(Slip::TightColon) => ("TightColon", None),
            Some(Slip::Separator { separator }) => ("Separator", Some(separator)),
            Some(Slip::TightDash) => ("TightDash", None),
            Some(Slip::DeepKey { extra }) => ("DeepKey", Some(extra)),
            Some(Slip::Apostrophe { value }) => ("Apostrophe", value),
            Some(Slip::Escape) => ("Escape", None),
            Some(Slip::Margin) => ("Margin", None),
        };
        let place = place.map(|place| shown(&bytes, place));
        assert_eq!((name, faults(&bytes)[0].1.as_str(), place.as_deref()), (*expected, *at, *part), "{yaml:?}");
    }
}

#[test]
fn places_errors_in_the_file() {
    let bytes = b"\xef\xbb\xbf---\r\nname: a\r\ndescription: Build for AWS: ECS\r\n---\r\n";
    let yaml = read(bytes).faults.pop().expect("a colon too many");
    assert_eq!(yaml.kind(), Kind::Yaml(YamlKind::ColonInPlainScalar));
    assert_eq!(&bytes[..yaml.place.start as usize], b"\xef\xbb\xbf---\r\nname: a\r\ndescription: Build for AWS");
    assert!(matches!(yaml.what, What::Yaml { quote: Some(place), .. } if shown(bytes, place) == "Build for AWS: ECS"));
}

#[test]
fn reports_and_reads_unportable_yaml() {
    let table: &[(&str, &[(Kind, &str)])] = &[
        ("a: &x b\nc: *x\n", &[(Kind::Unportable, "&x"), (Kind::Unportable, "*x")]),
        ("a: *nowhere\n", &[(Kind::Unportable, "*nowhere")]),
        ("a: !!str 1\nb: !x [c]\n", &[(Kind::Unportable, "!!str"), (Kind::Unportable, "!x")]),
        ("a: b\n<<: c\n", &[(Kind::Unportable, "<<")]),
        ("a: b\u{85}c\n", &[(Kind::Unportable, "\u{85}")]),
        ("a: b\u{2028}c\u{2029}\u{2028}d\n", &[(Kind::Unportable, "\u{2028}"), (Kind::Unportable, "\u{2029}")]),
        ("a: b\n...\nc: d\n", &[(Kind::SecondDocument, "c: d")]),
        ("a: b\n--- c\n", &[(Kind::SecondDocument, "--- c")]),
        ("a: b\nc: d\na: e\na: f\n", &[(Kind::DuplicateKey, "a"), (Kind::DuplicateKey, "a")]),
        ("m:\n  x: 1\n  \"x\": 2\n", &[(Kind::DuplicateKey, "\"x\"")]),
        ("m: {x: 1, x: 2}\n", &[(Kind::DuplicateKey, "x")]),
        ("[a, b]: c\nd: e\n", &[(Kind::Disputed, "[a, b]")]),
        ("{a: b}: c\nd: e\n", &[(Kind::Disputed, "{a: b}")]),
        (": c\nd: e\n", &[(Kind::Disputed, ":")]),
        ("m: {\n  a: b\n}\n", &[(Kind::Disputed, "}")]),
        ("l: [\na\n]\n", &[(Kind::Disputed, "a")]),
        ("a: \"\\uD83D\\uDE00\"\n", &[(Kind::Disputed, "D")]),
        ("l:\n  -\ta\n", &[(Kind::Disputed, "\\t")]),
        ("a:\tb\n", &[(Kind::Disputed, "\\t")]),
        ("a: b\tc\n", &[(Kind::Disputed, "\\t")]),
        ("a: b\t\n", &[(Kind::Disputed, "\\t")]),
        ("a: b\t# c\n", &[(Kind::Disputed, "\\t")]),
        ("a: [b,\tc]\n", &[(Kind::Disputed, "\\t")]),
        ("a: \"x\ty\"\t\n", &[(Kind::Disputed, "\\t")]),
        ("a: \"x\ty\"\nb: 'x\ty'\n\"c\td\": e # f\tg\nh: |\n  x\ty\n  \t\ni: >-\n\n  x\ty\n", &[]),
        ("l: [a, b]\nm: {c: d}\ne: \"f\\n\"\n", &[]),
    ];
    for (yaml, expected) in table {
        let bytes = fenced(yaml);
        let found = faults(&bytes);
        let found: Vec<(Kind, &str)> = found.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        assert_eq!(found, *expected, "{yaml:?}");
        assert!(fields(&bytes).is_some_and(|fields| !fields.is_empty()), "{yaml:?}");
    }
}

#[test]
fn expands_nothing() {
    assert_eq!(fields(&fenced("a: &x b\nc: *x\nd: !t e\n")), Some(vec!["a=b".into(), "c=*x".into(), "d=e".into()]));
    let directive = fenced("%YAML 1.1\na: b\n");
    assert_eq!(faults(&directive), [(Kind::Unportable, "%".into())]);
    assert_eq!(fields(&directive), None);
}

#[test]
fn reports_both_places_of_duplicate_keys() {
    let bytes = fenced("a: b\nm:\n  a: 1\n  b: 2\n  a: 3\n");
    let What::DuplicateKey { key, first } = only(&bytes) else { panic!("a duplicate") };
    assert_eq!((key.as_str(), first.start), ("a", 14));
}

#[test]
fn names_type_of_other_roots() {
    let cases = [
        ("- a\n- b\n", OtherRoot::List, "- a\\n- b"),
        ("just text\n", OtherRoot::Text, "just text"),
        ("42\n", OtherRoot::Text, "42"),
        ("\n# only a comment\n", OtherRoot::Empty, "---"),
        ("", OtherRoot::Empty, "---"),
        ("~\n", OtherRoot::Empty, "~"),
    ];
    for (yaml, what, at) in cases {
        let bytes = fenced(yaml);
        assert_eq!(only(&bytes), What::NotAMapping(what), "{yaml:?}");
        assert_eq!(faults(&bytes)[0].1, at, "{yaml:?}");
        assert_eq!(fields(&bytes), None);
    }
}

#[test]
fn stops_parsing_at_the_bounds() {
    let bounds = Bounds { bytes: 40, nodes: 6, depth: 2, ..Bounds::NONE };
    let cases = [
        (
            "a: b\nlong: the line that is just over the bound\n",
            Excess::Bytes,
            "long: the line that is just over the bound",
        ),
        ("a: [1, 2, 3, 4, 5, 6]\n", Excess::Nodes, "4"),
        ("a: {b: {c: d}}\n", Excess::Depth, "{"),
        ("a:\n  b:\n    c: d\n", Excess::Depth, "c"),
        ("[[[[a]]]]\n", Excess::Depth, "["),
    ];
    for (yaml, excess, at) in cases {
        let bytes = fenced(yaml);
        let reading = super::super::read(FileId(0), &bytes, bounds);
        let [Fault { what: What::TooComplex(what), place }] = &reading.faults[..] else {
            panic!("{:?}", reading.faults)
        };
        assert_eq!(*what, excess, "{yaml:?}");
        assert_eq!(shown(&bytes, *place), at, "{yaml:?}");
        assert_eq!(reading.front_matter.and_then(|front_matter| front_matter.fields), None);
    }
    let unlimited = Bounds { bytes: usize::MAX, nodes: usize::MAX, depth: usize::MAX, ..Bounds::NONE };
    let deep = fenced(&format!("a: {}\n", "[".repeat(60_000)));
    let reading = super::super::read(FileId(0), &deep, unlimited);
    assert!(matches!(reading.faults[0].what, What::TooComplex(_)));
}

#[test]
fn reports_comments_that_cut_prose() {
    let cases = [
        ("description: Use C # lang\n", Some(("# lang", "Use C", "Use C # lang"))),
        ("description: a\n  b # c\nname: x\n", Some(("# c", "a b", "a\\n  b # c"))),
        ("title: fix issue #12\n", Some(("#12", "fix issue", "fix issue #12"))),
        ("name: pdf # the tool\n", None),
        ("version: 1.0 #first\n", None),
        ("description: \"Use C\" # lang\n", None),
        ("description: Use C#\n", None),
        ("# above\ndescription: a\n# below\n", None),
        ("description: # x\n  y\n", None),
        ("description: a # skilltree: ignore[some-rule] reason\n", None),
        ("metadata:\n  description: a # b\n", None),
    ];
    for (yaml, expected) in cases {
        let bytes = fenced(yaml);
        let Some((comment, kept, whole)) = expected else {
            assert_eq!(faults(&bytes), [], "{yaml:?}");
            continue;
        };
        let What::CutByComment { left, value } = only(&bytes) else { panic!("{yaml:?}") };
        assert_eq!((faults(&bytes)[0].1.as_str(), &*left, &*shown(&bytes, value)), (comment, kept, whole), "{yaml:?}");
    }
}
