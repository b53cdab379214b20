//! What libyaml says. Loaders on PyYAML, serde_yaml and libyaml itself drop what it refuses, also where YAML 1.2 allows it.

use serde::Deserialize as _;
use serde::de::IgnoredAny;

use super::yaml::Source;
use super::{Fault, What, yaml};

/// What is said of YAML that libyaml refuses.
pub const LIBYAML_REFUSES: &str = "libyaml refuses what YAML 1.2 allows";

/// Whether libyaml reads a YAML, which must be one that was bounded before: it expands aliases.
pub fn is_read_by_libyaml(yaml: &str) -> bool {
    read(yaml).is_ok()
}

fn read(yaml: &str) -> Result<IgnoredAny, serde_yaml::Error> {
    IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(yaml))
}

/// Notes that libyaml refuses YAML which granit-parser read. Not asked where an unportable or disputed feature was
/// noted: its refusal would be no news, and it expands aliases.
pub(super) fn ask(source: Source<'_>, faults: &mut Vec<Fault>) {
    if !may_differ(source.yaml) || faults.iter().any(|fault| spoken_for(&fault.what)) {
        return;
    }
    let Err(error) = read(source.yaml) else { return };
    let at = error.location().map_or(0, |location| offset(source.yaml, location.line(), location.column()));
    let place = source.place(yaml::position::character(source.yaml, at));
    faults.push(Fault { what: What::Disputed(LIBYAML_REFUSES), place });
}

fn spoken_for(what: &What) -> bool {
    matches!(
        what,
        What::Unportable(_) | What::Disputed(_) | What::SecondDocument | What::TooComplex(_) | What::Yaml { .. }
    )
}

/// Whether anything stands in the YAML about which the two could differ: a tab, a flow collection, an escape, an
/// explicit or an empty key, or a document marker. Asking costs more than parsing, and most front matters have nothing
/// of it.
fn may_differ(yaml: &str) -> bool {
    let odd = |byte: u8| matches!(byte, b'\t' | b'[' | b'{' | b'\\');
    let begins_oddly = |line: &str| {
        line.trim_start_matches([' ', '-']).starts_with(['?', ':'])
            || line.starts_with(['%', '.'])
            || line.starts_with("---")
    };
    yaml.bytes().any(odd) || yaml.lines().any(begins_oddly)
}

/// The offset of a line and column, both counted in characters from 1, as libyaml counts them.
fn offset(yaml: &str, line: usize, column: usize) -> usize {
    let lines = yaml.split_inclusive('\n');
    let above: usize = lines.clone().take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &yaml[above..];
    above + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::front_matter::{Bounds, yaml};
    use crate::text::FileId;

    const PIECES: &[&str] = &[
        "a: ", "name: ", "b:", "\n", "\n", "\n  ", "\n    ", "\r\n", " ", "- ", "- - ", "-", "?", "? ", ":", ": ", "x",
        "word two", "\"", "'", "''", "\"q\"", "'q'", "|\n", ">-\n", "|2\n", ">1+\n", " #c", "#", ",", "]", "}", "*",
        "!", "&", "%", "@", "`", "=", "<", ".", "...", "é", "🦀", "\u{a0}", "\u{feff}", "\u{200b}", "\u{fffd}", "1",
        "~", "/", "(", "$", "\n\n", "\n \n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_looks_usual_is_read_by_both(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..16)) {
            let yaml = format!("a: b\n{}\n", pieces.concat());
            let source = Source { yaml: &yaml, file: FileId(0), offset: 0 };
            let mut faults = Vec::new();
            let bounds = Bounds { bytes: usize::MAX, nodes: usize::MAX, depth: 16 };
            let read = yaml::read(source, bounds, &mut faults).is_some();
            if read && !may_differ(&yaml) && !faults.iter().any(|fault| spoken_for(&fault.what)) {
                let second = IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(&yaml));
                prop_assert!(second.is_ok(), "{second:?}");
            }
        }
    }
}
