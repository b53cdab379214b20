//! A front matter that does not parse.

use bstr::ByteSlice;

use crate::front_matter::{FaultKind, What, YamlKind};
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "invalid-yaml",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[
        FaultKind::Yaml(YamlKind::ColonInPlainScalar),
        FaultKind::Yaml(YamlKind::ReservedFirstCharacter),
        FaultKind::Yaml(YamlKind::Tab),
        FaultKind::Yaml(YamlKind::OpenQuote),
        FaultKind::Yaml(YamlKind::OpenFlow),
        FaultKind::Yaml(YamlKind::BadIndentation),
        FaultKind::Yaml(YamlKind::ContinuationWithColon),
        FaultKind::Yaml(YamlKind::ConflictMarker),
        FaultKind::Yaml(YamlKind::Other),
    ],
    summary: "the front matter is not YAML",
    why: "Codex, Roo Code, Copilot CLI, pi and CAMEL drop the skill, Claude Code loads it without its metadata; the runtimes that repair it do not repair it alike",
    explanation: include_str!("invalid_yaml.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::Yaml { kind, quote: value } = &fault.what else { continue };
        let finding = sink.report(fault.place, message(skill, *kind, fault.place, value.unwrap_or(fault.place)));
        match value.and_then(|value| Some((value, quote::plain(skill, value)?))) {
            Some((place, quoted)) => {
                // Safe: there is no meaning to lose while nobody can read the file, and the text stays as it is.
                finding
                    .help(format!("put the whole value in quotes: `{}`", text::shortened(&quoted, 80)))
                    .edit(place, quoted)
            }
            None if is_escape(skill, fault.place) => finding.help("double the backslash, or use single quotes"),
            None => finding.help(help(*kind)),
        };
    }
}

/// The fact, for a reader who does not know the grammar of YAML.
fn message(skill: &Skill, kind: YamlKind, fault: Place, value: Place) -> String {
    let words = match kind {
        YamlKind::ColonInPlainScalar => "the value contains `: `, so YAML reads a second key here",
        YamlKind::ReservedFirstCharacter => match skill.source(value).chars().next() {
            Some(first) if value.start == fault.start => {
                return format!("a value cannot begin with `{first}` unless it is in quotes");
            }
            Some(first) => return format!("the value begins with `{first}`, so YAML reads no text and stops here"),
            None => "a value begins with a character that has a meaning in YAML",
        },
        YamlKind::Tab => "a tab indents this line; YAML allows only spaces there",
        YamlKind::OpenQuote => "a quote is never closed, or text stands behind the closing one",
        YamlKind::OpenFlow => "a `[` or `{` is never closed, or text stands behind the closing one",
        YamlKind::BadIndentation => "the indentation of this line fits none above it",
        YamlKind::ContinuationWithColon => "this line continues the value above it, but its `: ` makes YAML read a key",
        YamlKind::ConflictMarker => "a git conflict marker stands in the front matter",
        YamlKind::Other if is_escape(skill, fault) => {
            return format!("`{}` is no escape in double quotes", skill.source(fault).to_str_lossy());
        }
        YamlKind::Other => "the front matter is not YAML from here on",
    };
    words.to_owned()
}

/// Whether it is a backslash that begins no escape.
fn is_escape(skill: &Skill, fault: Place) -> bool {
    skill.source(fault).starts_with(b"\\")
}

/// What to do where quoting one value does not mend it.
fn help(kind: YamlKind) -> &'static str {
    match kind {
        YamlKind::ColonInPlainScalar | YamlKind::ReservedFirstCharacter => "put the whole value in quotes",
        YamlKind::Tab => "indent with two spaces",
        YamlKind::OpenQuote => {
            "close the quote at the end of the value; a quote inside is written `\\\"` in double and `''` in single quotes"
        }
        YamlKind::OpenFlow => "close the bracket, or put the whole value in quotes if it is text",
        YamlKind::BadIndentation => "begin the keys of one map in one column, and indent what belongs to a key",
        YamlKind::ContinuationWithColon => "write `>-` behind the key and the whole text indented below it",
        YamlKind::ConflictMarker => "resolve the conflict: keep one side, and remove the three lines of markers",
        YamlKind::Other => "write `key: value` on each line, with text in quotes",
    }
}
