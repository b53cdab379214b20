//! Values and their places.

use super::*;

/// Collects every scalar of the fields, including keys, with its style.
fn scalars(fields: &[Field], into: &mut Vec<(Place, String, Style)>) {
    for field in fields {
        into.push((field.key.place, field.key.value.clone(), Style::Plain));
        node_scalars(&field.value, into);
    }
}

fn node_scalars(node: &Node, into: &mut Vec<(Place, String, Style)>) {
    match &node.kind {
        NodeKind::Scalar { text, style, .. } => into.push((node.place, text.clone(), *style)),
        NodeKind::List(items) => items.iter().for_each(|item| node_scalars(item, into)),
        NodeKind::Map(fields) => scalars(fields, into),
    }
}

#[test]
fn places_plain_scalars_at_their_text() {
    let text =
        "\u{feff}---\r\nname: pdf\r\nd : é — x  \r\nl:\r\n  - one\r\n  - two words\r\nm: {a: b, c: [d]}\r\n---\r\n";
    let fields = read(text.as_bytes()).front_matter.and_then(|front_matter| front_matter.fields).expect("fields");
    let mut found = Vec::new();
    scalars(&fields, &mut found);
    assert_eq!(found.len(), 12);
    for (place, value, _) in found {
        assert_eq!(text[place.range()], value);
    }
}

#[test]
fn folds_values_but_not_their_places() {
    let cases = [
        ("a: x\r\n  y\r\n", "x y", "x\\r\\n  y"),
        ("a: 'it''s\r\n  so'\r\n", "it's so", "'it''s\\r\\n  so'"),
        ("a: \"x\\ty\"\n", "x\ty", "\"x\\ty\""),
        ("a: |\r\n  x\r\n  y\r\n\r\n\r\nb: c\r\n", "x\ny\n", "x\\r\\n  y"),
        ("a: >-\n  x\n  y\n\n  z\n", "x y\nz", "x\\n  y\\n\\n  z"),
        ("a: |+\n  x\n\nb: c\n", "x\n\n", "x"),
        ("a: >2\n    x\n", "  x\n", "  x"),
        ("a: |\n\n  x\n", "\nx\n", "x"),
        ("a: |\nb: c\n", "", "a"),
        ("a: [b,\n  c]\n", "[2]", "[b,\\n  c]"),
        ("a:\n  - b\n  - c\n\nd: e\n", "[2]", "- b\\n  - c"),
        ("a:\n  b: c\n  d:\ne: f\n", "{2}", "b: c\\n  d"),
        ("a:\nb: c\n", "", "a"),
        ("a: ~\n", "~", "~"),
        ("a: ''\n", "", "''"),
    ];
    for (yaml, value, place) in cases {
        let text = format!("---\n{yaml}---\n");
        let bytes = text.as_bytes();
        let fields = fields(bytes).expect("it is a map");
        assert_eq!(fields[0], format!("a={value}"), "{yaml:?}");
        let front_matter = read(bytes).front_matter.expect("it has fences");
        let node = &front_matter.fields.expect("it is a map")[0].value;
        assert_eq!(shown(bytes, node.place), place, "{yaml:?}");
    }
}

#[test]
fn only_plain_scalars_have_other_types() {
    let text = b"---\na: 123\nb: '123'\nc: |\n  yes\nd: yes\ne:\nf: !!str 1\ng: 2026-01-31\n---\n";
    let fields = read(text).front_matter.and_then(|front_matter| front_matter.fields).expect("fields");
    let kinds: Vec<ScalarKind> = fields
        .iter()
        .filter_map(|field| match field.value.kind {
            NodeKind::Scalar { kind, .. } => Some(kind),
            _ => None,
        })
        .collect();
    use ScalarKind::*;
    assert_eq!(kinds, [Number, Text, Text, Boolean, Null, Text, Timestamp]);
}

#[test]
fn places_empty_items_at_their_dash() {
    let text = "---\nl:\n  -\n  - a\n---\n";
    let fields = read(text.as_bytes()).front_matter.and_then(|front_matter| front_matter.fields).expect("fields");
    let NodeKind::List(items) = &fields[0].value.kind else { panic!("a list") };
    assert_eq!(&text[items[0].place.range()], "-");
}

#[test]
fn null_is_no_scalar() {
    let text = b"---\na: ~\nb:\nc: yes\nd: e\n---\n";
    let fields = read(text).front_matter.and_then(|front_matter| front_matter.fields).expect("fields");
    let scalars: Vec<Option<&str>> = fields.iter().map(|field| field.value.scalar()).collect();
    assert_eq!(scalars, [None, None, Some("yes"), Some("e")]);
}

#[test]
fn skips_pairs_without_a_textual_key() {
    for yaml in [": c\nd: e\n", "[a, b]: c\nd: e\n", "{a: b}: c\nd: e\n"] {
        let text = format!("---\n{yaml}---\n");
        assert_eq!(fields(text.as_bytes()), Some(vec!["d=e".to_owned()]), "{yaml:?}");
    }
}

#[test]
fn reads_values_by_libyaml() {
    let text = |node: &Node| match &node.kind {
        NodeKind::Scalar { text, kind, .. } => format!("{text} {kind:?}"),
        NodeKind::List(items) => format!("list of {}", items.len()),
        NodeKind::Map(fields) => format!("map of {}", fields.len()),
    };
    let read = |yaml: &str| -> Option<Vec<String>> {
        let line = |field: &Field| format!("{}: {}", field.key.value, text(&field.value));
        Some(values_by_libyaml(yaml)?.iter().map(line).collect())
    };
    let yaml = "a: b c\nn: 12\nt: true\nnone:\nl: [x, y]\nm: {k: v}\ntagged: !own z\n? [odd]\n: key\n";
    let expected = [
        "a: b c Text",
        "n: 12 Number",
        "t: true Boolean",
        "none:  Null",
        "l: list of 2",
        "m: map of 1",
        "tagged: z Text",
    ];
    assert_eq!(read(yaml).expect("libyaml reads it"), expected);
    for yaml in ["- a\n- b\n", "a\n", "a: [b\n"] {
        assert_eq!(read(yaml), None, "{yaml}");
    }
}
