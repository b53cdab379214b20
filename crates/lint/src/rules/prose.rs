//! Text that YAML reads as keys, because it contains a colon followed by a space.

use bstr::ByteSlice;

use skilltree_front_matter::text::{Place, shortened};
use skilltree_front_matter::{Field, Node, NodeKind, Style};
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// Returns whether a key is the start of a sentence: it has at least three words, or begins with `Use`. No known key has
/// a space.
pub(super) fn is_prose(key: &str) -> bool {
    let mut words = key.split_whitespace();
    let begins = words.next().is_some_and(|first| first.eq_ignore_ascii_case("use")) && words.next().is_some();
    // `license = MIT` has no colon.
    (begins || key.split_whitespace().nth(2).is_some()) && !key.contains(" = ")
}

/// Returns a key and its value as the text that the author wrote: `Use when a form: a PDF.`; `None` if the value is a
/// list, a mapping or a block.
pub(super) fn written(field: &Field) -> Option<String> {
    let NodeKind::Scalar { style, .. } = field.value.kind else { return None };
    if matches!(style, Style::Literal | Style::Folded) {
        return None;
    }
    let value = field.value.scalar().unwrap_or_default();
    Some(format!("{}: {value}", field.key.value).trim_end().to_owned())
}

/// Returns the text of a value that should be one string: a mapping whose keys are text, or a list of one text.
pub(super) fn of_value(value: &Node) -> Option<String> {
    match &value.kind {
        NodeKind::Map(fields) if fields.first().is_some_and(|first| first.key.value.contains(' ')) => {
            let lines: Option<Vec<String>> = fields.iter().map(written).collect();
            lines.map(|lines| lines.join(" "))
        }
        NodeKind::List(items) => match items.as_slice() {
            [Node { kind: NodeKind::Scalar { style: Style::Plain, .. }, .. }] => items[0].text().map(str::to_owned),
            [item @ Node { kind: NodeKind::Map(_), .. }] => of_value(item),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the place of a colon and what follows it, up to an offset. `None` if there is a comment, which an edit would
/// remove.
pub(super) fn from_colon(skill: &Skill, field: &Field, end: usize) -> Option<Place> {
    let start = field.key.place.range().end;
    let source = skill.header.get(start..end)?;
    let has_comment = source.contains_str(" #") || source.contains_str("\n#");
    (source.trim_ascii_start().starts_with(b":") && !has_comment).then(|| Place::new(skill.file, start..end))
}

/// Returns the help and the text of a value in quotes, from the colon on; `None` if the text has several lines.
pub(super) fn quoted(text: &str) -> Option<(String, String)> {
    let quoted = (!text.contains(['\n', '\r'])).then(|| quote::quoted(text))?;
    Some((format!("put the whole value in quotes: `{}`", shortened(&quoted, 80)), format!(": {quoted}")))
}
