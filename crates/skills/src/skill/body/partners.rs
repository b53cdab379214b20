//! Names of other skills in a text: "the `proof-reader` skill", "the skill `proof-reader`", `$proof-reader`, `/proof-reader`.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::markdown::Structure;
use crate::name;
use crate::skill::links::Partner;
use skilltree_front_matter::text::{FileId, Place};

/// Maximum length of a name that is read, in bytes.
pub(super) const NAME_BYTES: usize = 64;

/// Names in examples.
pub(super) const PLACEHOLDERS: [&str; 8] = ["example", "foo", "my-", "name", "new-", "sample", "some-", "your"];

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
        let is_order = is_order(text, &range);
        partners.push(Partner { place: Place::new(file, range), name, is_sigil, is_order });
        if partners.len() == most {
            break;
        }
    }
    partners
}

/// Verbs that ask for a skill.
const ORDERS: [&str; 10] = ["apply", "call", "execute", "invoke", "launch", "load", "run", "start", "trigger", "use"];

/// Words of a sentence with a condition, a negation or the user.
const OTHERWISE: [&str; 14] = [
    "ask",
    "don't",
    "except",
    "if",
    "manually",
    "never",
    "not",
    "only",
    "recommend",
    "suggest",
    "tell",
    "unless",
    "user",
    "without",
];

/// Maximum bytes of a sentence before a name, and after it (ours: 200). Words beyond do not count.
const SENTENCE_BYTES: usize = 200;

/// Returns whether a sentence asks the model to start the skill that it names: "then use the `deploy` skill". Only "the" and "skill" may be
/// between the verb and the name.
fn is_order(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let before = &bytes[range.start.saturating_sub(SENTENCE_BYTES)..range.start];
    let after = &bytes[range.end..bytes.len().min(range.end + SENTENCE_BYTES)];
    let before = words(before.rsplit(|byte| b".!?:;\n".contains(byte)).next().unwrap_or_default());
    let after = words(after.split(|byte| b".!?;".contains(byte)).next().unwrap_or_default());
    let verb = before.iter().rev().find(|word| !matches!(word.as_str(), "the" | "skill"));
    let asks = verb.is_some_and(|verb| ORDERS.contains(&verb.as_str()));
    asks && !before.iter().chain(&after).any(|word| OTHERWISE.contains(&word.as_str()))
}

/// Returns the words of a text in lowercase.
fn words(bytes: &[u8]) -> Vec<String> {
    let words = bytes.split(|byte| !byte.is_ascii_alphabetic() && *byte != b'\'').filter(|word| !word.is_empty());
    words.map(|word| word.to_str_lossy().to_ascii_lowercase()).collect()
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
    fn knows_what_asks_the_model() {
        for (text, expected) in [
            ("Then use the `proof-reader` skill.", true),
            ("Write it. Run the skill `/proof-reader` next.", true),
            ("1. Invoke `proof-reader` skill\n2. Stop. Never wait.", true),
            ("Ask the user to run the `proof-reader` skill.", false),
            ("Never use the `proof-reader` skill.", false),
            ("Do not invoke the `proof-reader` skill yourself.", false),
            ("Use the `proof-reader` skill\nonly if the user starts it.", false),
            ("The `proof-reader` skill is started by a person.", false),
            ("See the `proof-reader` skill for the list.", false),
            ("Unlike the `proof-reader` skill, this one is safe.", false),
        ] {
            let structure = LazyCell::new(|| Structure::new(text, 0));
            let found = find(FileId(0), text, 0, &structure, 10);
            assert_eq!(found.iter().map(|partner| partner.is_order).collect::<Vec<_>>(), [expected], "{text}");
        }
    }
}
