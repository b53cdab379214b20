//! Reports front matter that is not valid YAML.

mod next;

use bstr::ByteSlice;

use super::required::{TYPOGRAPHIC, separator_name};
use crate::rule::{Check, E2026, Edit, Facts, Finding, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{FaultKind, Slip, What, YamlKind};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::keys;
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
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
    summary: "the front matter is not valid YAML",
    why: "front matter that does not parse has neither a name nor a description",
    explanation: include_str!("invalid_yaml.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::Yaml(None) | Reason::Repaired(None))),
    ..Rule::DEFAULT
};

/// Returns the help and the edits of the first mistake in the front matter of a file that is no skill.
pub(super) fn edits(skill: &Skill) -> Option<(String, Vec<Edit>)> {
    let mut sink = Sink::new(&RULE, Subject::Tree);
    report(skill, None, &mut sink);
    let first = sink.into_findings().into_iter().next()?;
    let edits = first.edits.into_iter().map(|edit| Edit { safe: false, ..edit });
    Some((first.help?, edits.collect()))
}

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    report(skill, Some(facts), sink);
}

/// `facts` is `None` for a file that is no skill: it has no skills directory, so no runtimes.
fn report(skill: &Skill, facts: Option<&Facts<'_>>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::Yaml { kind, quote: value, slip } = fault.what else { continue };
        if let Some(slip) = slip {
            report_slip(skill, slip, fault.place, sink);
            continue;
        }
        if kind == YamlKind::BadIndentation && is_unindented_text(skill, fault.place) {
            report_continued(skill, fault.place, sink);
            continue;
        }
        let text = message(skill, kind, fault.place, value.unwrap_or(fault.place));
        let holds_lines =
            value.is_some_and(|value| skill.source(value).to_str_lossy().contains(quote::LINE_ENDS_OF_YAML_1_1));
        let help = if holds_lines { SEVERAL_LINES } else { help(skill, kind, fault.place) };
        let finding = sink.report(fault.place, text).help(help);
        match value.map(|value| (value, joined_key(skill, value))) {
            Some((_, Some((gap, key)))) => {
                finding.help(format!("write `{key}` on a line of its own")).unsafe_edit(gap, "\n");
            }
            Some((value, None)) => {
                if let Some(facts) = facts {
                    next::note(skill, facts, value, finding);
                }
                offer_quotes(skill, kind, value, finding);
            }
            None => {}
        }
    }
}

/// Reports a common mistake with its correction.
fn report_slip(skill: &Skill, slip: Slip, fault: Place, sink: &mut Sink) {
    let written = skill.source(fault).to_str_lossy();
    match slip {
        Slip::TightColon => {
            let key = written.trim_end_matches(':');
            let end = fault.range().end;
            let shown = text::shortened(key, 64);
            let next = skill.header.get(end..).and_then(|rest| rest.chars().next());
            let odd = next.filter(|next| next.is_whitespace() && !next.is_ascii());
            let (message, help) = match odd {
                Some(odd) => (
                    format!("the colon of `{shown}` is followed by U+{:04X}, not by a space", u32::from(odd)),
                    "replace it with a space",
                ),
                None => (format!("missing space after the colon of `{shown}`"), "add a space after the colon"),
            };
            let place = Place::new(fault.file, end..end + odd.map_or(0, char::len_utf8));
            // An unknown word may be the start of a sentence.
            let safe = keys::KEYS.contains(&key);
            sink.report(fault, message).help(help).edits.push(Edit { place, text: " ".to_owned(), safe });
        }
        Slip::Separator { separator } => report_separator(skill, separator, fault, sink),
        Slip::TightDash => {
            let (word, start) = (written.trim_start_matches('-'), fault.range().start + 1);
            let finding =
                sink.report(fault, format!("missing space after the dash of `{}`", text::shortened(&written, 64)));
            let place = Place::new(fault.file, start..start);
            finding.help(format!("write `- {}`", text::shortened(word, 64))).edit(place, " ");
        }
        Slip::DeepKey { extra } => {
            sink.report(fault, format!("`{}` is indented deeper than the key above it", text::shortened(&written, 64)))
                .help("indent it like the line above")
                .unsafe_edit(extra, "");
        }
        Slip::Apostrophe { value } => {
            let finding = sink
                .report(fault, "the apostrophe ends the value, because the value is in single quotes")
                .help("double the apostrophe, or put the value in double quotes");
            let inner =
                value.and_then(|value| skill.source(value).strip_prefix(b"'")?.strip_suffix(b"'")?.to_str().ok());
            if let (Some(place), Some(inner)) = (value, inner) {
                let text = quote::quoted(&inner.replace("''", "'"));
                finding.edits.push(Edit { place, safe: !text.contains(" #"), text });
            }
        }
        Slip::Margin if is_closed_after(skill, fault) => report_margin("the value in quotes", fault, sink),
        Slip::Margin => {
            sink.report(fault, "the quote above this line is never closed, and the line is not indented")
                .help("close the quote after the value, and indent its lines");
        }
        Slip::Escape => {
            sink.report(fault, format!("`{written}` is not a valid escape in double quotes"))
                .help("double each backslash, or put the value in single quotes");
        }
    }
}

/// Reports a key with something else in place of its colon.
fn report_separator(skill: &Skill, separator: Place, fault: Place, sink: &mut Sink) {
    let (start, end) = (fault.range().start, separator.range().start);
    let key = skill.source(Place::new(fault.file, start..end)).to_str_lossy();
    let shown = text::shortened(&key, 64);
    let typed = separator_name(skill, separator);
    let rest = skill.header.get(separator.range().end..).unwrap_or_default();
    let value = rest.lines().next().unwrap_or_default().to_str_lossy();
    let finding = sink.report(fault, format!("{typed} follows `{shown}`, not a colon and a space"));
    finding.help(format!("write `{shown}: {}`", text::shortened(&value, 64)));
    let safe = keys::KEYS.contains(&&*key);
    finding.edits.push(Edit { place: separator, text: ": ".to_owned(), safe });
}

/// Returns whether a quote follows a place.
fn is_closed_after(skill: &Skill, place: Place) -> bool {
    skill.header.get(place.range().start..).is_some_and(|rest| rest.contains(&b'"') || rest.contains(&b'\''))
}

/// Returns whether a place begins a line, and the line has no key.
fn is_unindented_text(skill: &Skill, place: Place) -> bool {
    let (before, rest) = skill.header.split_at(place.range().start.min(skill.header.len()));
    before.ends_with(b"\n") && rest.lines().next().is_some_and(|line| !line.contains(&b':') && !line.starts_with(b"-"))
}

fn report_margin(value: &str, fault: Place, sink: &mut Sink) {
    let start = fault.range().start;
    sink.report(fault, format!("{value} continues on this line, which is not indented"))
        .help("indent the line by one space")
        .unsafe_edit(Place::new(fault.file, start..start), " ");
}

/// Reports text at the margin below a value. The edit is only offered if the text surely goes on with the value above it.
fn report_continued(skill: &Skill, fault: Place, sink: &mut Sink) {
    let (before, rest) = skill.header.split_at(fault.range().start.min(skill.header.len()));
    let above = before.trim_end().rsplit_str("\n").next().unwrap_or_default();
    let value = above.find(": ").map_or(above, |at| &above[at + 2..]);
    let is_closed =
        value.starts_with(b"\"") || value.starts_with(b"'") || value.ends_with(b"]") || value.ends_with(b"}");
    let word = rest.fields().next().unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default().to_str_lossy();
    let is_key = keys::KEYS.iter().any(|key| key.as_bytes() == word);
    if let Some((key, value)) = line.split_once(' ').filter(|_| is_key) {
        let help = format!("write `{key}: {}`", text::shortened(value.trim(), 64));
        sink.report(fault, format!("only a space follows `{key}`, not a colon and a space")).help(help);
        return;
    }
    if is_key || is_closed || value.contains_str(" #") || value.contains_str(": ") {
        sink.report(fault, "the line has no key, and is not indented as part of the value above it")
            .help("indent the line and quote the whole value if it is text; write `key: value` if it is a field");
        return;
    }
    report_margin("the value", fault, sink);
}

/// Returns whether a value goes on at the margin of the next line, so that quotes around its first line do not help.
fn goes_on(skill: &Skill, value: Place) -> bool {
    let mut lines = skill.header[value.range().end.min(skill.header.len())..].lines().skip(1);
    let next = lines.find(|line| !line.trim().is_empty());
    let is_text = |line: &[u8]| !line.starts_with(b"---") && !line.starts_with(b"#") && !line.starts_with(b" ");
    next.is_some_and(|line| !line.contains(&b':') && is_text(line))
}

/// Returns a required key that a value contains and that begins no line, and the space before it: the line holds two keys.
fn joined_key(skill: &Skill, value: Place) -> Option<(Place, &'static str)> {
    let text = skill.source(value);
    let begins_line = |key: &&str| {
        skill.header.lines().any(|line| line.strip_prefix(key.as_bytes()).is_some_and(|rest| rest.starts_with(b":")))
    };
    ["name", "description"].into_iter().filter(|key| !begins_line(key)).find_map(|key| {
        let at = text.find(format!(" {key}: "))?;
        let (start, from) = (value.range().start, text[..at].trim_end().len());
        Some((Place::new(value.file, start + from..start + at + 1), key))
    })
}

/// What precedes a value that must not be a string.
const MAPPING: &str = "metadata: ";

/// Offers to put a value in quotes, unless it begins a block scalar.
fn offer_quotes(skill: &Skill, kind: YamlKind, value: Place, finding: &mut Finding) {
    let Some(mut quoted) = quote::plain(skill, value) else { return };
    if let Some(inner) = within_typographic_quotes(&skill.source(value).to_str_lossy()) {
        finding.note(format!("{TYPOGRAPHIC}, so the value has none"));
        quoted = quote::quoted(inner);
    }
    if skill.source(value).starts_with_str(">") || skill.source(value).starts_with_str("|") {
        // The malformed header of a block scalar: quotes would make it part of the text.
        return;
    }
    if goes_on(skill, value) {
        finding.help("put the whole value in quotes, with its next lines, and indent those");
        return;
    }
    let start = value.range().start;
    let is_mapping = start
        .checked_sub(MAPPING.len())
        .is_some_and(|from| skill.source(Place::new(value.file, from..start)) == MAPPING);
    if is_mapping {
        // Quotes would make it a string, which is another error.
        finding.help("write each entry on a line of its own below `metadata:`, indented by two spaces");
        return;
    }
    let one_line = !quoted.contains(['\n', '\r']);
    if one_line {
        finding.help(format!("put the whole value in quotes: `{}`", text::shortened(&quoted, 80)));
    }
    // A file that does not parse has no meaning to lose. But a further line may be a key, and text after ` #` a comment.
    let usual = matches!(kind, YamlKind::ColonInPlainScalar | YamlKind::ReservedFirstCharacter);
    let safe = usual && one_line && !quoted.contains(" #");
    finding.edits.push(Edit { place: value, text: quoted, safe });
}

/// Returns a text on one line without the typographic quotes around it; `None` if it has none, or others inside.
fn within_typographic_quotes(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix(keys::QUOTES)?.strip_suffix(keys::QUOTES)?;
    // The same character is an apostrophe.
    let is_quote = |character| character != '\u{2019}' && keys::QUOTES.contains(&character);
    (!inner.contains(is_quote) && !inner.contains(['\n', '\r'])).then_some(inner)
}

/// Returns the message, for a reader who does not know the grammar of YAML.
fn message(skill: &Skill, kind: YamlKind, fault: Place, value: Place) -> String {
    let words = match kind {
        YamlKind::ColonInPlainScalar => "the value contains `: `, so YAML reads a second key here",
        YamlKind::ReservedFirstCharacter => match skill.source(value).chars().next() {
            Some(first) if value.start == fault.start => {
                return format!("a value cannot begin with `{first}` unless it is in quotes");
            }
            Some(first) => return format!("the value begins with `{first}`, so YAML does not read it as a string"),
            None => "a value begins with a character that has a special meaning in YAML",
        },
        YamlKind::Tab => "the line is indented with a tab; YAML allows only spaces",
        YamlKind::OpenQuote => "a quote is never closed, or text follows the closing quote",
        YamlKind::OpenFlow => "a `[` or `{` is never closed, or text follows the closing bracket",
        YamlKind::BadIndentation => "the indentation of this line matches no line above it",
        YamlKind::ContinuationWithColon => "this line continues the value above, but its `: ` makes YAML read a key",
        YamlKind::ConflictMarker => "the front matter contains a git conflict marker",
        YamlKind::Other => "the front matter is not valid YAML from here on",
    };
    words.to_owned()
}

/// Returns the help text.
fn help(skill: &Skill, kind: YamlKind, fault: Place) -> &'static str {
    match kind {
        YamlKind::ReservedFirstCharacter if skill.source(fault).starts_with_str(">") => BLOCK,
        YamlKind::ReservedFirstCharacter if skill.source(fault).starts_with_str("|") => BLOCK,
        YamlKind::ColonInPlainScalar | YamlKind::ReservedFirstCharacter => "put the whole value in quotes",
        YamlKind::Tab => "indent with two spaces",
        YamlKind::OpenQuote => {
            "close the quote after the value; escape inner quotes as `\\\"` in double or `''` in single quotes"
        }
        YamlKind::OpenFlow => "close the bracket, or put the whole value in quotes if it is text",
        YamlKind::BadIndentation => "start all keys of a mapping in the same column, and indent nested keys",
        YamlKind::ContinuationWithColon => {
            "if this is text, quote the whole value; if it is a key, align it with the key above"
        }
        YamlKind::ConflictMarker => "keep one side of the conflict, and remove the three marker lines",
        YamlKind::Other => "write one `key: value` per line, with text in quotes",
    }
}

const SEVERAL_LINES: &str =
    "replace each U+0085, U+2028 and U+2029 with a newline or a space; some parsers end the line there";
const BLOCK: &str = "put the text on the next lines, indented, or put all of it in quotes";
