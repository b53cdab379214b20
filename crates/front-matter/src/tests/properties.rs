//! Properties that hold for any bytes.

use proptest::prelude::*;

use super::*;

/// Pieces of generated files: tokens with a meaning in YAML, fences and Unicode.
const PIECES: &[&str] = &[
    "---",
    "----",
    "  ---",
    "...",
    "--",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "name",
    "description",
    "a",
    "x y",
    ": ",
    ":",
    "- ",
    "-",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "\"",
    "'",
    "# ",
    " #",
    "&a ",
    "*a",
    "!t ",
    "|",
    ">",
    "|2-",
    ">+",
    "%YAML 1.2",
    "@",
    "`",
    "\\",
    "\\u00e9",
    "<<",
    "<<<<<<< HEAD",
    "=======",
    "0",
    "yes",
    "~",
    "é",
    "🦀",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\0",
    "\u{1}",
    "\u{9b}",
    "\u{200b}",
    "\u{202e}",
    "\u{2066}",
    "\u{2069}",
    "\u{fe0f}",
    "```",
    "## name: x",
    "name: pdf\n",
    "description: Reads.\n",
    "---\nname: pdf\n",
    "\n---\n",
];

fn places(reading: &Reading<'_>) -> Vec<Place> {
    let mut places = Vec::new();
    for fault in &reading.faults {
        places.push(fault.place);
        match &fault.what {
            What::Unclosed { intended: Some((place, _)) }
            | What::Yaml { quote: Some(place), .. }
            | What::Yaml {
                slip:
                    Some(
                        Slip::DeepKey { extra: place }
                        | Slip::Apostrophe { value: Some(place) }
                        | Slip::Separator { separator: place },
                    ),
                ..
            }
            | What::DuplicateKey { first: place, .. }
            | What::CutByComment { value: place, .. } => places.push(*place),
            _ => {}
        }
    }
    if let Some(front_matter) = &reading.front_matter {
        places.extend([front_matter.opener, front_matter.yaml]);
        for field in front_matter.fields.iter().flatten() {
            places.push(field.key.place);
            node_places(&field.value, &mut places);
        }
    }
    places
}

fn node_places(node: &Node, places: &mut Vec<Place>) {
    places.push(node.place);
    match &node.kind {
        NodeKind::Scalar { .. } => {}
        NodeKind::List(items) => items.iter().for_each(|item| node_places(item, places)),
        NodeKind::Map(fields) => fields.iter().for_each(|field| {
            places.push(field.key.place);
            node_places(&field.value, places);
        }),
    }
}

/// Parses bytes and checks the invariants.
fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
    let reading = read(bytes);
    prop_assert!(reading.body_start <= bytes.len());
    let text = std::str::from_utf8(bytes).ok();
    for place in places(&reading) {
        let range = place.range();
        prop_assert!(range.start <= range.end && range.end <= bytes.len(), "{place:?}");
        if let Some(text) = text {
            prop_assert!(text.get(range).is_some(), "{place:?} cuts a character");
        }
    }
    let starts: Vec<u32> = reading.faults.iter().map(|fault| fault.place.start).collect();
    prop_assert!(starts.is_sorted());
    for field in reading.front_matter.iter().flat_map(|front_matter| front_matter.fields.iter().flatten()) {
        prop_assert!(!field.value.place.is_whole() && !field.key.place.is_whole(), "{field:?}");
    }
    prop_assert!(!(reading.faults.is_empty() && reading.front_matter.is_none_or(|f| f.fields.is_none())));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reads_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes)?;
    }

    #[test]
    fn reads_any_pieces(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..30), fenced: bool) {
        let text = pieces.concat();
        check(if fenced { format!("---\n{text}\n---\nBody\n") } else { text }.as_bytes())?;
    }

    #[test]
    fn reads_any_typo(at in 0usize..120, cut in 0usize..4, piece in proptest::sample::select(PIECES)) {
        let mut bytes = b"---\nname: pdf\ndescription: >-\n  Reads.\n  Use when: x\nmetadata:\n  tags: [a, 'b', \"c\"]\n  m: {d: e}\n# f\n---\nBody\n".to_vec();
        let start = at.min(bytes.len());
        let end = (start + cut).min(bytes.len());
        bytes.splice(start..end, piece.bytes());
        check(&bytes)?;
    }
}
