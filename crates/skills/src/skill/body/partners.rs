//! Names of other skills in a text: "the `proof-reader` skill", "the skill `proof-reader`", `$proof-reader`, `/proof-reader`.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::markdown::Structure;
use crate::name;
use crate::skill::links::Partner;
use skilltree_front_matter::text::{FileId, Place};

/// Maximum length of a name that is read, in bytes.
const NAME_BYTES: usize = 64;

/// Names in examples.
const PLACEHOLDERS: [&str; 8] = ["example", "foo", "my-", "name", "new-", "sample", "some-", "your"];

/// Returns the names of skills in a text; at most `most`.
pub(super) fn find<F: FnOnce() -> Structure>(
    file: FileId,
    text: &str,
    start: usize,
    structure: &LazyCell<Structure, F>,
    most: usize,
) -> Vec<Partner> {
    let mut partners: Vec<Partner> = Vec::new();
    let words = text.as_bytes().get(start..).unwrap_or_default().find_iter("kill").map(|at| start + at);
    for at in words {
        let Some((range, is_sigil)) = after(text, at).or_else(|| before(text, at)) else { continue };
        let is_known = partners.last().is_some_and(|last| last.place == Place::new(file, range.clone()));
        if is_known || structure.is_block(range.start) || structure.is_html(range.start) {
            continue;
        }
        let name = text[range.clone()].to_owned();
        let is_for_person = is_for_person(text, range.start);
        partners.push(Partner { place: Place::new(file, range), name, is_sigil, is_for_person });
        if partners.len() == most {
            break;
        }
    }
    partners
}

/// Words of a line about what a person does.
const PERSON: [&str; 6] = ["user", "ask ", "tell ", "suggest", "recommend", "manual"];

/// Maximum bytes of a line that are read before a name.
const LINE_BYTES: usize = 400;

/// Returns whether the line before an offset is about what a person does.
fn is_for_person(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[at.saturating_sub(LINE_BYTES)..at];
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().to_ascii_lowercase();
    PERSON.iter().any(|word| line.contains_str(word))
}

/// Returns the name in the code span after the word "skill".
fn after(text: &str, at: usize) -> Option<(Range<usize>, bool)> {
    let (open, end) = (at + "kill".len(), text.len());
    let inside = text.get(open..)?.strip_prefix(" `")?;
    let bytes = &inside.as_bytes()[..inside.len().min(NAME_BYTES + 2)];
    let length = bytes.find_byte(b'`')?;
    let start = end - inside.len();
    is_word_start(text, at).then(|| named(text, start..start + length))?
}

/// Returns the name in the code span before the word "skill".
fn before(text: &str, at: usize) -> Option<(Range<usize>, bool)> {
    let rest = &text.as_bytes()[at + "kill".len()..];
    let rest = rest.strip_prefix(b".").unwrap_or(rest);
    let is_whole = !rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-/".contains(byte));
    let close = at.checked_sub(3).filter(|_| is_whole)?;
    let is_close = text.as_bytes().get(close..close + 2) == Some(b"` ");
    let near = close.saturating_sub(NAME_BYTES + 2);
    let open = text.as_bytes()[near..close].rfind_byte(b'`').filter(|_| is_close)?;
    named(text, near + open + 1..close)
}

/// Returns whether the letters before an offset are the first one of the word "skill".
fn is_word_start(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    matches!(before, [.., b's' | b'S']) && !before.iter().rev().nth(1).is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns the range of a well-formed name in a code span, and whether it has a sigil.
fn named(text: &str, range: Range<usize>) -> Option<(Range<usize>, bool)> {
    let written = text.get(range.clone())?;
    let name = written.strip_prefix(['$', '/']).unwrap_or(written);
    let is_open = PLACEHOLDERS.iter().any(|word| name.contains(word)) || name.ends_with("skill");
    let is_name = name::is_well_formed(name) && (3..=NAME_BYTES).contains(&name.len()) && !is_open;
    is_name.then(|| (range.end - name.len()..range.end, name.len() < written.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_names_next_to_the_word() {
        let text = "Use the `proof-reader` skill, the skill `glossary` and skill `$to-pdf`. The `a` skill, `my-x` skill, `no-word` \
            and skills `b-c`, `upper` skillful, `x.md` skill.\n\n    the `in-code` skill\n";
        let structure = LazyCell::new(|| Structure::new(text, 0));
        let found = find(FileId(0), text, 0, &structure, 10);
        let names: Vec<&str> = found.iter().map(|partner| partner.name.as_str()).collect();
        assert_eq!(names, ["proof-reader", "glossary", "to-pdf"]);
        assert!(found.iter().all(|partner| text[partner.place.range()] == partner.name));
    }

    #[test]
    fn knows_lines_about_a_person() {
        let text = "Then use the `proof-reader` skill.\nAsk the user to run the `glossary` skill.\n";
        let structure = LazyCell::new(|| Structure::new(text, 0));
        let found = find(FileId(0), text, 0, &structure, 10);
        assert_eq!(found.iter().map(|partner| partner.is_for_person).collect::<Vec<_>>(), [false, true]);
    }
}
