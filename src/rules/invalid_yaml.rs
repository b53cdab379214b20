//! A front matter that does not parse.

use bstr::ByteSlice;

use crate::front_matter::{FaultKind, What, YamlKind};
use crate::quote;
use crate::rule::{Check, E2026, Edit, Facts, Finding, Group, Level, Rule, Sink};
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
        let What::Yaml { kind, quote: value } = fault.what else { continue };
        let text = message(skill, kind, fault.place, value.unwrap_or(fault.place));
        let holds_lines =
            value.is_some_and(|value| skill.source(value).to_str_lossy().contains(quote::LINE_ENDS_OF_YAML_1_1));
        let help = if holds_lines { SEVERAL_LINES } else { help(skill, kind, fault.place) };
        let finding = sink.report(fault.place, text).help(help);
        if let Some(value) = value {
            offer_quotes(skill, kind, value, finding);
        }
    }
}

/// Offers to put a value in quotes, where that is what its author would do.
fn offer_quotes(skill: &Skill, kind: YamlKind, value: Place, finding: &mut Finding) {
    let Some(quoted) = quote::plain(skill, value) else { return };
    if skill.source(value).starts_with_str(">") || skill.source(value).starts_with_str("|") {
        // The header of a block scalar that was written wrongly: in quotes it would become part of the text.
        return;
    }
    let one_line = !quoted.contains(['\n', '\r']);
    if one_line {
        finding.help(format!("put the whole value in quotes: `{}`", text::shortened(&quoted, 80)));
    }
    // Nobody reads the file as it is, so there is no meaning to lose. But a further line may have been meant as a key,
    // and what stands behind ` #` as a comment.
    let usual = matches!(kind, YamlKind::ColonInPlainScalar | YamlKind::ReservedFirstCharacter);
    let safe = usual && one_line && !quoted.contains(" #");
    finding.edits.push(Edit { place: value, text: quoted, safe });
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

/// What to do.
fn help(skill: &Skill, kind: YamlKind, fault: Place) -> &'static str {
    match kind {
        YamlKind::ReservedFirstCharacter if skill.source(fault).starts_with_str(">") => BLOCK,
        YamlKind::ReservedFirstCharacter if skill.source(fault).starts_with_str("|") => BLOCK,
        YamlKind::ColonInPlainScalar | YamlKind::ReservedFirstCharacter => "put the whole value in quotes",
        YamlKind::Tab => "indent with two spaces",
        YamlKind::OpenQuote => {
            "close the quote at the end of the value; a quote inside is written `\\\"` in double and `''` in single quotes"
        }
        YamlKind::OpenFlow => "close the bracket, or put the whole value in quotes if it is text",
        YamlKind::BadIndentation => "begin the keys of one map in one column, and indent what belongs to a key",
        YamlKind::ContinuationWithColon => {
            "put the whole value in quotes if this is text; begin the line in the column of the key above if it is a key"
        }
        YamlKind::ConflictMarker => "resolve the conflict: keep one side, and remove the three lines of markers",
        YamlKind::Other if is_escape(skill, fault) => "double the backslash, or use single quotes",
        YamlKind::Other => "write `key: value` on each line, with text in quotes",
    }
}

const SEVERAL_LINES: &str = "write a line end or a blank for each U+0085, U+2028 and U+2029: they end the line for some parsers, so quotes would hide a key from those";
const BLOCK: &str = "put the text on the lines below, indented, or all of it in quotes";
