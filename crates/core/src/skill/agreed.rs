//! Whether every runtime reads a file as this crate does.

use bstr::ByteSlice;

use super::Skill;
use crate::front_matter::FaultKind;

/// Bytes after the header that a forecast searches for a runtime's own fences (ours: 4 KiB, several screens). What a
/// runtime finds further down is unknown to a forecast.
pub(super) const AFTER_HEADER_BYTES: usize = 4_096;

/// Returns whether all runtimes find the same fences, YAML and fields: two exact fences and no other candidate between
/// them, undisputed YAML, a name, a description that every YAML version reads as a string and that begins on the line of
/// its key, and a body. Most files are like this, and only their fields have to be kept.
pub(super) fn is_agreed(skill: &Skill) -> bool {
    let harmless = |kind| matches!(kind, FaultKind::CutByComment | FaultKind::MixedLineEndings);
    let has_text = |text: &str| !text.trim().is_empty();
    skill.faults.iter().all(|fault| harmless(fault.kind()))
        && has_plain_fences(&skill.header)
        && skill.scalar("name").is_some_and(has_text)
        // A number may count as absent, and the body then has the description.
        && skill.text("description").is_some_and(|text| has_text(text.value))
        && has_description_line(&skill.header)
        && skill.body.as_ref().is_some_and(|body| !body.blank)
}

/// Returns whether a line begins with `description:` and has a value: a runtime that reads lines finds it, too.
fn has_description_line(header: &[u8]) -> bool {
    let value = |line: &[u8]| line.strip_prefix(b"description:").is_some_and(|value| !value.trim().is_empty());
    header.lines().any(value)
}

/// Returns whether a header is a line `---`, lines without three dashes in a row, and a line `---`.
fn has_plain_fences(header: &[u8]) -> bool {
    let Some(inside) = header.strip_prefix(b"---") else { return false };
    let Some(inside) = inside.strip_suffix(b"---\n").or_else(|| inside.strip_suffix(b"---\r\n")) else { return false };
    let inside_lines = inside.trim_start_with(|character| matches!(character, '\r' | '\n'));
    (inside.starts_with(b"\n") || inside.starts_with(b"\r\n"))
        && inside.ends_with(b"\n")
        && !inside_lines.starts_with("\u{feff}".as_bytes())
        && inside.find(b"---").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_descriptions_that_line_readers_find() {
        assert!(has_description_line(b"---\nname: a\ndescription: b\n---\n"));
        for odd in ["---\n  description: b\n---\n", "---\n\"description\": b\n---\n", "---\ndescription:\n  b\n---\n"] {
            assert!(!has_description_line(odd.as_bytes()), "{odd:?}");
        }
    }

    #[test]
    fn recognizes_plain_fences() {
        for plain in ["---\nname: a\n---\n", "---\r\nname: a\r\n---\r\n", "---\nname: a -- b\n---\n"] {
            assert!(has_plain_fences(plain.as_bytes()), "{plain:?}");
        }
        for odd in [
            "---\nname: a\n---",
            "--- \nname: a\n---\n",
            "---\nname: a\n--- \n",
            "---\nname: a\n----\n",
            "----\nname: a\n---\n",
            "---\nname: a --- b\n---\n",
            "---\nname: |\n  ---\n---\n",
            "---\n",
            "---\n---",
            "---\n\u{feff}name: a\n---\n",
            "",
        ] {
            assert!(!has_plain_fences(odd.as_bytes()), "{odd:?}");
        }
    }
}
