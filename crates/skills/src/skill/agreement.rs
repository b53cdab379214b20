//! How far every runtime reads a file as this crate does. Computed once, while the file is parsed; forecasts follow a
//! runtime's own parser only where this leaves a difference open.

use bstr::{BString, ByteSlice};

use super::Skill;
use crate::date;
use skilltree_front_matter::{FaultKind, Field, Node, NodeKind, ScalarKind, Style};

/// Bytes after the header that a forecast searches for a runtime's own fences (ours: 4 KiB, several screens). What a
/// runtime finds further down is unknown to a forecast.
pub(super) const AFTER_HEADER_BYTES: usize = 4_096;

/// How far every runtime reads a SKILL.md as this crate does. Empty for a file without text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The first bytes after the header, where a runtime may look for front matter; `None` if every runtime finds the same
    /// fences and fields, but for the members below.
    pub after_header: Option<BString>,
    /// Whether the YAML begins with whitespace, a byte order mark or a flow collection, which libraries treat differently.
    pub begins_oddly: bool,
    /// Whether a value is or contains a flow collection.
    pub has_flow: bool,
    /// Whether a value is a date that does not exist, for which some libraries raise an error.
    pub has_impossible_date: bool,
    /// The end of the last value, if it is a block scalar: it depends on the end of the text that a runtime parses.
    pub trailing_block: Option<Trailing>,
    /// What some runtimes still treat differently, if all read the file alike and transform neither its name nor its
    /// description.
    pub plain: Option<Plain>,
}

/// How a front matter ends whose last value is a block scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trailing {
    /// The first and the last line have text, the last one is not a comment, and LF alone ends lines.
    Plain,
    /// In any other way.
    Odd,
}

/// A file that all runtimes read alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    /// Whether a program that reads lines finds the name and the description.
    pub is_read_by_lines: bool,
    /// Whether a value is null, a list or a mapping.
    pub has_collection: bool,
}

impl Agreement {
    /// Compares the parsers on a skill that was parsed. `after` is the text after its header.
    pub(super) fn new(skill: &Skill, after: &[u8]) -> Self {
        let front_matter = skill.front_matter.as_ref();
        let yaml = front_matter.and_then(|found| skill.header.get(found.yaml.range())).unwrap_or_default();
        let fields = front_matter.and_then(|found| found.fields.as_deref()).unwrap_or_default();
        let may_have_flow = front_matter.is_some_and(|found| !found.is_usual);
        let is_agreed = is_agreed(skill);
        Self {
            after_header: (!is_agreed).then(|| after[..after.len().min(AFTER_HEADER_BYTES)].into()),
            begins_oddly: yaml.first().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'{' | 0xef)),
            has_flow: may_have_flow && fields.iter().any(|field| field.value.has_flow(&skill.header)),
            has_impossible_date: fields.iter().any(|field| is_impossible_date(&field.value)),
            trailing_block: fields.last().filter(|last| is_block(last)).map(|_| match ends_plainly(yaml) {
                true => Trailing::Plain,
                false => Trailing::Odd,
            }),
            plain: Plain::of(skill, yaml).filter(|_| is_agreed && skill.faults.is_empty()),
        }
    }
}

impl Plain {
    /// Returns the traits of a skill whose name is that of its directory, whose name and description are not transformed by any
    /// runtime, and whose other values every library types alike.
    fn of(skill: &Skill, yaml: &[u8]) -> Option<Self> {
        if !yaml.first()?.is_ascii_lowercase() {
            return None;
        }
        let mut plain = Self { is_read_by_lines: true, has_collection: false };
        for field in skill.fields() {
            let is_shown = matches!(field.key.value.as_str(), "name" | "description");
            let is_read_alike = match &field.value.kind {
                NodeKind::Scalar { kind, .. } => {
                    *kind != ScalarKind::Timestamp && (!is_shown || *kind == ScalarKind::Text)
                }
                NodeKind::List(_) | NodeKind::Map(_) => !is_shown,
            };
            if !is_read_alike {
                return None;
            }
            plain.has_collection |= field.value.scalar().is_none();
            plain.is_read_by_lines &= !is_shown || is_one_line(skill, field);
        }
        let (name, description) = (untrimmed(skill, "name")?, untrimmed(skill, "description")?);
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_name = name.bytes().all(is_plain) && skill.directory == name.as_bytes();
        let is_odd = |character: char| character.is_whitespace() && character != ' ';
        let is_line = !description.contains("  ") && !description.contains(is_odd);
        (is_name && is_line).then_some(plain)
    }
}

/// Returns the text of a field that is not a list or a mapping, if nothing in it is trimmed.
fn untrimmed<'a>(skill: &'a Skill, key: &str) -> Option<&'a str> {
    let value = skill.field(key)?.value.scalar()?;
    (!value.is_empty() && value.trim() == value).then_some(value)
}

/// Returns whether the value of a field is written without quotes as the rest of one line.
fn is_one_line(skill: &Skill, field: &Field) -> bool {
    let place = field.value.place.range();
    matches!(field.value.kind, NodeKind::Scalar { style: Style::Plain, .. })
        && field.value.scalar().map(str::as_bytes) == skill.header.get(place.clone())
        && skill.header.get(place.end) == Some(&b'\n')
}

fn is_block(field: &Field) -> bool {
    matches!(field.value.kind, NodeKind::Scalar { style: Style::Literal | Style::Folded, .. })
}

/// Returns whether the end of a trailing block scalar is the same in every text that ends with this YAML.
fn ends_plainly(yaml: &[u8]) -> bool {
    let is_text = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace());
    let is_odd = |byte: u8| byte < b' ' && byte != b'\n';
    let breaks = ["\u{85}", "\u{2028}", "\u{2029}"];
    is_text(yaml.first())
        && yaml.strip_suffix(b"\n").is_some_and(|yaml| {
            is_text(yaml.last()) && !yaml.lines().next_back().is_some_and(|line| line.starts_with(b"#"))
        })
        && !yaml.iter().any(|&byte| is_odd(byte))
        && (yaml.is_ascii() || !breaks.iter().any(|mark| yaml.contains_str(mark)))
}

/// Returns whether a value is an unquoted date with a month or a day that does not exist.
pub fn is_impossible_date(node: &Node) -> bool {
    let NodeKind::Scalar { text, style: Style::Plain, kind: ScalarKind::Timestamp } = &node.kind else { return false };
    let mut parts = text.split(['-', 'T', 't', ' ', '\t']);
    let year = parts.next().and_then(|year| year.parse().ok());
    let mut part = || parts.next().and_then(|part| part.parse().ok());
    let (Some(year), Some(month), Some(day)) = (year, part(), part()) else { return false };
    date::days(year, month, day).is_none()
}

/// Returns whether all runtimes find the same fences, YAML and fields: two exact fences and no other candidate between
/// them, undisputed YAML, a name, a description that every YAML version reads as a string and that begins on the line of
/// its key, and a body. Most files are like this, and only their fields have to be kept.
fn is_agreed(skill: &Skill) -> bool {
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
    use crate::roots::{RootId, RootPattern};
    use crate::snapshot::{Body, File, Role};
    use skilltree_front_matter::Bounds;
    use skilltree_front_matter::text::FileId;

    fn agreement(yaml: &str) -> Agreement {
        let bytes = format!("---\n{yaml}---\n\nRead it.\n").into_bytes();
        let file = File::new("skills/a/SKILL.md", Role::Skill, Some(RootId(0)), Body::Text(bytes));
        let root = RootPattern::configured("skills", "agentskills").root(0, "skills".into());
        super::super::parse(FileId(0), &file, &root, None, Bounds::NONE).agreement
    }

    #[test]
    fn notes_what_libraries_treat_differently() {
        let plain = Plain { is_read_by_lines: true, has_collection: false };
        let agreed = Agreement { plain: Some(plain), ..Agreement::default() };
        let named = |rest: &str| agreement(&format!("name: a\ndescription: Does it.\n{rest}"));
        let listed = Some(Plain { has_collection: true, ..plain });
        assert_eq!(named(""), agreed);
        assert_eq!(named("tags: [x]\n"), Agreement { has_flow: true, plain: listed, ..agreed.clone() });
        assert_eq!(named("tags:\n  - \"[x]\"\n"), Agreement { plain: listed, ..agreed.clone() });
        assert_eq!(named("on: 2026-02-30\n"), Agreement { has_impossible_date: true, plain: None, ..agreed.clone() });
        assert_eq!(named("on: 2026-02-28\n"), Agreement { plain: None, ..agreed.clone() });
        let trailing = |trailing| Agreement { trailing_block: Some(trailing), ..agreed.clone() };
        assert_eq!(named("license: |\n  MIT\n"), trailing(Trailing::Plain));
        assert_eq!(named("license: |+\n  MIT\n\n"), trailing(Trailing::Odd));
        let quoted = Some(Plain { is_read_by_lines: false, ..plain });
        assert_eq!(agreement("name: a\ndescription: \"Does it.\"\n"), Agreement { plain: quoted, ..agreed.clone() });
        assert_eq!(agreement("name: b\ndescription: Does it.\n"), Agreement { plain: None, ..agreed.clone() });
        let spaced = agreement(" name: a\n description: Does it.\n");
        assert!(spaced.begins_oddly && spaced.plain.is_none() && spaced.after_header.is_some());
        assert_eq!(agreement("name: a\n").after_header, Some("\nRead it.\n".into()));
    }

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
