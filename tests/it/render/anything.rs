//! Property test: every format writes harmless output for arbitrary files and places.

use proptest::prelude::*;
use skilltree_front_matter::text::Place;
use skilltree_report::render::Format;
use skilltree_skills::characters;

use crate::render::fixture::{BAD, Case, SMALL};

const PATH: &str = "s/x/SKILL.md";

/// Awkward texts: line endings, tabs, wide and invalid characters, commands, secrets, long lines.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\t".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        Just(b"\xff\xe2\x82".to_vec()),
        Just("😀é日".as_bytes().to_vec()),
        Just("\u{202e}\u{200b}".as_bytes().to_vec()),
        Just(b"##[".to_vec()),
        Just(b"##".to_vec()),
        Just(b"ghp_0123456789abcdefghij".to_vec()),
        Just(vec![b'x'; 1_500]),
        prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// An arbitrary range, possibly beyond the end or inside a character.
fn range() -> impl Strategy<Value = (usize, usize)> {
    (0usize..4_000, 0usize..400).prop_map(|(start, length)| (start % 97 * (1 + start / 97), length))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_format_renders_arbitrary_findings(
        text in text(),
        (place, related, edit) in (range(), range(), range()),
        replacement in "[a\n\r\t😀\u{202e}#\\[]{0,6}",
        width in 0usize..200,
        unicode: bool,
        color: bool,
    ) {
        let mut case = Case::new(&[(PATH, &text)]);
        let file = case.file(PATH);
        let at = |(start, length): (usize, usize)| Place::new(file, start..start + length);
        let message = String::from_utf8_lossy(&text).into_owned();
        case.report(&BAD, at(place), &message).related(at(related), message.clone()).help("mend it").edit(at(edit), replacement);
        case.report(&SMALL, at(edit), "small").edit(at(place), "");
        case.options.look.width = width;
        case.options.look.unicode = unicode;
        case.options.look.color = color;
        for (_, format) in Format::NAMES {
            let shown = case.render(format);
            let hidden = shown.chars().find(|&c| !(c == '\n' || characters::is_plain(c) || (color && c == '\u{1b}')));
            prop_assert_eq!(hidden, None, "{:?}", format);
            prop_assert!(!shown.contains("ghp_0123456789abcdefghij"), "{:?}", format);
            if !matches!(format, Format::Json | Format::Sarif) {
                prop_assert!(!shown.contains("##["), "{:?}", format);
            }
        }
    }
}
