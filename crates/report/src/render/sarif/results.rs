//! Findings as SARIF results.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};
use serde_json::Value;
use serde_sarif::sarif;

use super::{ROOT, message, rules, uri};
use crate::render::{Options, edits, escape, redact, sources};
use skilltree_front_matter::text::{FileId, Place, grouped};
use skilltree_lint::excerpt::{Excerpt, Excerpts, Line, Position};
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Finding, Ignored, IgnoredBy, RuleRef, Severity};

/// Maximum number of related places that GitHub keeps per result.
const RELATED: usize = 100;
/// Maximum number of bytes of a snippet. Code scanning reads none, and the text of a long description would be in a result
/// several times.
const SNIPPET_BYTES: usize = 400;

/// Maximum number of other facts on a line that a result names.
const FACTS: usize = 8;

/// Findings of one rule on one line.
pub(super) struct Group<'r> {
    /// First finding, which the result is about.
    pub(super) first: Cow<'r, Finding>,
    /// Other findings.
    pub(super) others: Vec<Cow<'r, Finding>>,
}

impl Group<'_> {
    /// Returns the first finding of the highest severity.
    pub(super) fn gravest(&self) -> &Finding {
        let others = self.others.iter().map(AsRef::as_ref);
        others
            .fold(self.first.as_ref(), |gravest, other| if other.severity > gravest.severity { other } else { gravest })
    }

    /// Returns the highest severity.
    pub(super) fn worst(&self) -> Severity {
        self.gravest().severity
    }
}

/// Groups the findings by rule and line, in report order, with each place of a finding by itself: GitHub shows a result only at
/// its first place. Active and ignored findings are in separate groups.
pub(super) fn groups<'r>(report: &'r Report, excerpts: &Excerpts, options: &Options) -> Vec<Group<'r>> {
    let mut groups: Vec<Group<'r>> = Vec::new();
    let mut known: BTreeMap<(FileId, u32, RuleRef, bool), usize> = BTreeMap::new();
    for finding in &report.findings {
        let ignored = finding.ignored.is_some();
        if ignored && !options.suppressed {
            continue;
        }
        for finding in finding.each() {
            let line = excerpts.get(finding.place).start.line;
            let next = groups.len();
            let group = *known.entry((finding.place.file, line, finding.rule.clone(), ignored)).or_insert(next);
            match groups.get_mut(group) {
                Some(group) => group.others.push(finding),
                None => groups.push(Group { first: finding, others: Vec::new() }),
            }
        }
    }
    groups
}

/// Converts a group to a result.
pub(super) fn result(report: &Report, excerpts: &Excerpts, options: &Options, group: &Group<'_>) -> sarif::Result {
    let finding = group.first.as_ref();
    let line_hash = excerpts.get(finding.place).line_hash;
    let fingerprints = BTreeMap::from([
        ("primaryLocationLineHash".to_string(), line_hash.to_string()),
        ("skilltree/v1".to_string(), excerpts.fingerprint(finding).to_string()),
    ]);
    let result = sarif::Result::builder()
        .rule_id(finding.rule.id())
        .level(level(group.worst()))
        .message(message(&words(group)))
        .locations(vec![location(report, excerpts, finding.place)])
        .partial_fingerprints(fingerprints);
    let mut result = result.build();
    let index = options.rules.iter().position(|rule| rule.id() == finding.rule.id());
    result.rule_index = index.and_then(|index| i64::try_from(index).ok());
    let related = finding.related.iter().take(RELATED).zip(1..);
    let related: Vec<_> = related
        .map(|((place, label), id)| {
            let location = location(report, excerpts, *place);
            sarif::Location { id: Some(id), message: Some(message(&sentence(label))), ..location }
        })
        .collect();
    result.related_locations = (!related.is_empty()).then_some(related);
    let members = || std::iter::once(finding).chain(group.others.iter().map(AsRef::as_ref));
    // A group with a new finding is new.
    result.baseline_state = members().filter_map(|finding| finding.state).min().map(|state| state.name().into());
    let fixes: Vec<_> = members().filter_map(|finding| fix(report, excerpts, finding)).collect();
    result.fixes = (!fixes.is_empty()).then_some(fixes);
    result.suppressions = finding.ignored.as_ref().map(|ignored| vec![suppression(ignored)]);
    let runtimes = sources::known(members().flat_map(|finding| &finding.losses));
    result.properties = (!runtimes.is_empty()).then(|| properties(runtimes));
    result
}

/// Returns the runtimes that lose the skill, each with its version and how it is known.
fn properties(runtimes: Vec<String>) -> sarif::PropertyBag {
    let runtimes = BTreeMap::from([("runtimes".to_string(), Value::from(runtimes))]);
    sarif::PropertyBag::builder().additional_properties(runtimes).build()
}

fn level(severity: Severity) -> sarif::ResultLevel {
    match severity {
        Severity::Note => sarif::ResultLevel::Note,
        Severity::Warning => sarif::ResultLevel::Warning,
        Severity::Error => sarif::ResultLevel::Error,
    }
}

/// Returns the facts, notes and help of a group. GitHub shows the first sentence as the title.
fn words(group: &Group<'_>) -> String {
    let finding = &group.first;
    let mut words = sentence(&finding.message);
    let mut facts = BTreeSet::from([&finding.message]);
    let others = group.others.iter().filter(|other| facts.insert(&other.message)).take(FACTS);
    let others: Vec<String> = others.map(|other| sentence(&other.message)).collect();
    others.iter().for_each(|other| words.extend([" ", other]));
    let more = group.others.len() - others.len();
    if more > 0 {
        words.push_str(&format!(" Reported {} more on this line.", times(more)));
    }
    let links: Vec<String> = finding
        .related
        .iter()
        .take(RELATED)
        .zip(1..)
        .map(|((_, label), id)| format!("[{}]({id})", text(label)))
        .collect();
    if !links.is_empty() {
        words.push_str(&format!(" See {}.", links.join(", ")));
    }
    for more in finding.notes.iter().chain(&finding.help) {
        words.push(' ');
        words.push_str(&sentence(more));
    }
    words
}

fn times(number: usize) -> String {
    if number == 1 { "once".into() } else { format!("{} times", grouped(number)) }
}

/// Escapes the link syntax of SARIF.
fn text(text: &str) -> String {
    escape::text(text).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// Formats a text as a sentence without links.
pub(super) fn sentence(words: &str) -> String {
    rules::sentence(&text(words))
}

fn suppression(ignored: &Ignored) -> sarif::Suppression {
    let kind = match ignored.by {
        IgnoredBy::Configuration => "external",
        IgnoredBy::Comment => "inSource",
    };
    sarif::Suppression::builder().kind(Value::from(kind)).justification(escape::text(&ignored.reason)).build()
}

fn artifact(report: &Report, file: FileId) -> sarif::ArtifactLocation {
    let path = report.catalog.file(file).shown_path();
    sarif::ArtifactLocation::builder().uri(uri::encode(path.as_bstr())).uri_base_id(ROOT).build()
}

/// Returns a point in a file.
pub(super) fn point(path: &BStr, at: Position) -> sarif::Location {
    let artifact = sarif::ArtifactLocation::builder().uri(uri::encode(path)).uri_base_id(ROOT).build();
    let physical = sarif::PhysicalLocation::builder().artifact_location(artifact).region(region(at, at)).build();
    sarif::Location::builder().physical_location(physical).build()
}

/// Converts a place, cut to its first line: GitHub shows a region in a pull request only if all its lines changed.
fn location(report: &Report, excerpts: &Excerpts, place: Place) -> sarif::Location {
    let excerpt = excerpts.get(place);
    let (start, end) = visible(excerpt);
    let mut shown = region(start, end);
    shown.snippet = snippet(excerpt, start, end).filter(|snippet| snippet.len() <= SNIPPET_BYTES).map(content);
    let mut physical =
        sarif::PhysicalLocation::builder().artifact_location(artifact(report, place.file)).region(shown).build();
    // The context must be larger than the region: a file with a single, fully marked line has none.
    let surrounds = |context: &sarif::Region| extent(context) != physical.region.as_ref().and_then(extent);
    physical.context_region = context(excerpt).filter(surrounds);
    sarif::Location::builder().physical_location(physical).build()
}

/// Returns the first line of a place. Of an empty place, such as a file, it is the text of its whole line: viewers mark
/// nothing for an empty region.
fn visible(excerpt: &Excerpt) -> (Position, Position) {
    let (start, end) = (excerpt.start, excerpt.first_end);
    let whole = excerpt.lines.iter().find(|line| line.number == start.line && line.is_whole());
    match whole {
        Some(line) if start.utf16 >= end.utf16 => {
            let utf16 = utf16_length(line) + 1;
            (Position { utf16: 1, byte: line.start, ..start }, Position { utf16, byte: line.end(), ..start })
        }
        _ => (start, end),
    }
}

fn utf16_length(line: &Line) -> u32 {
    line.text.to_str_lossy().encode_utf16().count() as u32
}

/// Returns the region that an edit replaces. A byte order mark has no column in SARIF, so only bytes can name it.
fn deleted(excerpt: &Excerpt) -> sarif::Region {
    let (start, end) = (excerpt.start, excerpt.end);
    if start.byte == end.byte || (start.line, start.utf16) != (end.line, end.utf16) {
        return region(start, end);
    }
    let (offset, length) = (i64::from(start.byte), i64::from(end.byte - start.byte));
    sarif::Region::builder().byte_offset(offset).byte_length(length).build()
}

fn region(start: Position, end: Position) -> sarif::Region {
    sarif::Region::builder()
        .start_line(i64::from(start.line))
        .start_column(i64::from(start.utf16))
        .end_line(i64::from(end.line))
        .end_column(i64::from(end.utf16))
        .build()
}

/// Returns the lines and columns of a region.
fn extent(region: &sarif::Region) -> Option<[i64; 4]> {
    Some([region.start_line?, region.start_column?, region.end_line?, region.end_column?])
}

/// Returns the text of a place on its first line. `None` if it is incomplete or touches a secret.
fn snippet(excerpt: &Excerpt, start: Position, end: Position) -> Option<String> {
    let line = excerpt.lines.iter().find(|line| line.number == start.line)?;
    if line.cut_after && end.byte > line.end() {
        return None;
    }
    let start = start.byte.checked_sub(line.start)? as usize;
    let end = end.byte.min(line.end()).checked_sub(line.start)? as usize;
    let text = line.text.get(start..end).filter(|text| !text.is_empty())?;
    let tells = redact::secrets(&line.text).iter().any(|secret| secret.start < end && start < secret.end);
    Some(if tells { redact::REDACTED.into() } else { text.to_str_lossy().into_owned() })
}

/// Returns the lines around a place if they are complete and short.
fn context(excerpt: &Excerpt) -> Option<sarif::Region> {
    let (first, last) = (excerpt.lines.first()?, excerpt.lines.last()?);
    let is_long = excerpt.lines.iter().map(|line| line.text.len()).sum::<usize>() > SNIPPET_BYTES;
    if is_long || !excerpt.lines.iter().all(Line::is_whole) {
        return None;
    }
    let lines: Vec<String> = excerpt.lines.iter().map(|line| redacted(&line.text)).collect();
    let end = utf16_length(last) + 1;
    let start = Position { line: first.number, ..Position::default() };
    let mut region = region(start, Position { line: last.number, utf16: end, ..start });
    region.snippet = Some(content(redact::text(&lines.join("\n")).into_owned()));
    Some(region)
}

fn redacted(bytes: &[u8]) -> String {
    redact::text(&bytes.to_str_lossy()).into_owned()
}

fn content(text: String) -> sarif::ArtifactContent {
    sarif::ArtifactContent::builder().text(text).build()
}

/// Converts the edits of a finding. SARIF cannot mark a fix as unsafe, and review bots offer every fix as a suggestion, so
/// only safe ones are written.
fn fix(report: &Report, excerpts: &Excerpts, finding: &Finding) -> Option<sarif::Fix> {
    let edits = edits(finding);
    if edits.is_empty() || edits.iter().any(|edit| !edit.safe) {
        return None;
    }
    let mut by_file: BTreeMap<FileId, Vec<sarif::Replacement>> = BTreeMap::new();
    for edit in edits {
        let excerpt = excerpts.get(edit.place);
        let replacement = sarif::Replacement::builder()
            .deleted_region(deleted(excerpt))
            .inserted_content(content(edit.text.clone()))
            .build();
        by_file.entry(edit.place.file).or_default().push(replacement);
    }
    let change = |(file, replacements): (FileId, Vec<_>)| {
        sarif::ArtifactChange::builder().artifact_location(artifact(report, file)).replacements(replacements).build()
    };
    let changes: Vec<_> = by_file.into_iter().map(change).collect();
    let what = finding.help.as_deref().unwrap_or("edit the file");
    Some(sarif::Fix::builder().artifact_changes(changes).description(message(&sentence(what))).build())
}
