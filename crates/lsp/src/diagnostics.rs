//! Findings as diagnostics, by file. What did not change since the last check is not made again.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message, Position,
    Range, Uri,
};
use skilltree_front_matter::text::Place;
use skilltree_lint::Report;
use skilltree_lint::config;
use skilltree_lint::excerpt::{self, Excerpts};
use skilltree_lint::rule::{Finding, Group, Severity};
use skilltree_report::render::{self, escape};
use skilltree_skills::roots;
use skilltree_skills::snapshot::{Body, Resolution, Role};

use crate::host::{Checked, Refusal};

/// The diagnostics of a file, and a hash that changes with them.
pub(crate) type OfFile = (u64, Arc<Vec<Diagnostic>>);

/// The diagnostics of each file that has some, by path.
pub(crate) type ByPath = BTreeMap<BString, OfFile>;

/// Maximum number of files that a finding is shown in (ours).
const COPIES: usize = 8;

/// Makes diagnostics, and keeps those of the last check.
#[derive(Default)]
pub(crate) struct Diagnostics {
    known: HashMap<BString, OfFile>,
}

impl Diagnostics {
    /// Makes the diagnostics of a check. `uri` returns the address of a path.
    ///
    /// # Errors
    /// If a file changed since it was checked.
    pub(crate) fn of(&mut self, checked: &Checked, uri: &dyn Fn(&BStr) -> Uri) -> Result<ByPath, Refusal> {
        let report = &checked.report;
        // The places in a configuration that is not in force are those of an earlier text.
        let faulty = checked
            .fault
            .as_ref()
            .and_then(|fault| fault.report.as_deref())
            .map(|report| report.path(&report.findings[0]));
        let mut files: BTreeMap<&BStr, Vec<Shown<'_>>> = BTreeMap::new();
        for finding in report.active() {
            for shown in Shown::of(report, finding) {
                if let Some(file) = shown.file(report) {
                    files.entry(file).or_default().push(shown);
                }
            }
        }
        files.retain(|path, _| Some(*path) != faulty);
        let hashes: BTreeMap<&BStr, u64> = files.iter().map(|(path, shown)| (*path, hash(report, shown))).collect();
        let is_known = |path: &BStr| self.known.get(path).is_some_and(|(hash, _)| *hash == hashes[path]);
        let changed = files.iter().filter(|(path, _)| !is_known(path)).flat_map(|(_, shown)| shown);
        let read = |files: &[_]| checked.source.bodies(files);
        let changed = changed.map(|shown| shown.finding);
        let excerpts = Excerpts::of_findings(report, changed, read).map_err(|error| refused(&error.to_string()))?;
        let mut by_path = ByPath::new();
        for (path, shown) in &files {
            let of_file = match self.known.get(*path).filter(|(hash, _)| *hash == hashes[path]) {
                Some(known) => known.clone(),
                None => (hashes[path], Arc::new(diagnostics(report, &excerpts, shown, uri))),
            };
            by_path.insert((*path).to_owned(), of_file);
        }
        if let Some(report) = checked.fault.as_ref().and_then(|fault| fault.report.as_deref()) {
            by_path.extend(of_fault(report, uri));
        }
        self.known = by_path.iter().map(|(path, of_file)| (path.clone(), of_file.clone())).collect();
        Ok(by_path)
    }
}

/// Returns the diagnostic of a malformed configuration. Its file holds its text.
pub(crate) fn of_fault(report: &Report, uri: &dyn Fn(&BStr) -> Uri) -> Option<(BString, OfFile)> {
    let finding = report.findings.first()?;
    let excerpts = Excerpts::of_findings(report, [finding], |_| Err(())).ok()?;
    let shown = [Shown { finding, at: None }];
    let hash = hash(report, &shown);
    Some((report.path(finding).to_owned(), (hash, Arc::new(diagnostics(report, &excerpts, &shown, uri)))))
}

fn refused(message: &str) -> Refusal {
    Refusal { message: message.to_owned(), ..Refusal::default() }
}

/// A finding at its own place, or at a related one in another file.
struct Shown<'r> {
    finding: &'r Finding,
    at: Option<Place>,
}

impl<'r> Shown<'r> {
    /// Returns where a finding is shown. One that compares skills is shown in each of their files: any of them can be changed.
    fn of(report: &Report, finding: &'r Finding) -> Vec<Self> {
        let own = report.catalog.file(finding.place.file).shown_path();
        let mut seen = vec![own];
        let mut shown = vec![Self { finding, at: None }];
        for (place, _) in finding.related.iter().filter(|_| finding.rule.group == Group::Catalog) {
            let path = report.catalog.file(place.file).shown_path();
            if shown.len() < COPIES && !seen.contains(&path) {
                seen.push(path);
                shown.push(Self { finding, at: Some(*place) });
            }
        }
        shown
    }

    /// Returns the path that it is about.
    fn path<'c>(&self, report: &'c Report) -> &'c BStr {
        match self.at {
            Some(place) => report.catalog.file(place.file).shown_path().as_bstr(),
            None => report.text_path(self.finding),
        }
    }

    /// Returns the file to show it in. An editor opens no directory: the first skill below it has the finding, or else skilltree.toml.
    fn file<'c>(&self, report: &'c Report) -> Option<&'c BStr> {
        let file = report.catalog.file(self.at.unwrap_or(self.finding.place).file);
        let path = self.path(report);
        let is_directory = match &file.body {
            Body::Directory | Body::Submodule | Body::Absent => true,
            Body::Symlink { resolution, .. } => matches!(resolution, Resolution::Directory(_)),
            _ => false,
        };
        if !is_directory {
            return Some(path);
        }
        let mut skills = report.catalog.skills().map(|(_, skill)| report.catalog.file(skill.file));
        let below = skills.find(|file| roots::is_within(file.path.as_bstr(), path));
        let mut files = report.catalog.parsed.files.iter();
        let settings = || files.find(|file| file.role == Role::Config && file.path == config::SETTINGS);
        below.or_else(settings).map(|file| file.shown_path().as_bstr())
    }
}

/// Hashes everything that the diagnostics of a file depend on.
fn hash(report: &Report, shown: &[Shown<'_>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for Shown { finding, at } in shown {
        let Finding { severity, place, message, notes, help, related, occurrences, .. } = finding;
        (at.map(|at| (at.file, at.start)), finding.rule.id(), severity, message, notes, help).hash(&mut hasher);
        let places = std::iter::once(place).chain(related.iter().map(|(place, _)| place));
        for place in places.chain(occurrences.iter().map(|occurrence| &occurrence.place)) {
            let file = report.catalog.file(place.file);
            (place.start, place.end, &file.path, file.id, file.stamp).hash(&mut hasher);
            if let Body::Text(text) = &file.body {
                text.hash(&mut hasher);
            }
        }
        related.iter().for_each(|(_, label)| label.hash(&mut hasher));
    }
    hasher.finish()
}

fn diagnostics(
    report: &Report,
    excerpts: &Excerpts,
    shown: &[Shown<'_>],
    uri: &dyn Fn(&BStr) -> Uri,
) -> Vec<Diagnostic> {
    let each = shown.iter().flat_map(|shown| {
        let Shown { finding, at } = shown;
        let path = shown.path(report);
        let is_here = shown.file(report) == Some(path);
        let own = |finding: &Finding| {
            let diagnostic = diagnostic(report, excerpts, finding, uri);
            let message = format!("{}: {}", escape::path(path), message(finding));
            if is_here { diagnostic } else { Diagnostic { message: Message::String(message), ..diagnostic } }
        };
        match at {
            None => finding.each().iter().map(|finding| own(finding)).collect(),
            Some(at) => vec![copy(report, excerpts, (finding, *at), uri)],
        }
    });
    each.collect()
}

/// Returns the diagnostic of a finding in another file.
fn copy(
    report: &Report,
    excerpts: &Excerpts,
    (finding, at): (&Finding, Place),
    uri: &dyn Fn(&BStr) -> Uri,
) -> Diagnostic {
    let path = report.text_path(finding);
    let here = format!("{}: {}", escape::path(path), escape::text(&finding.message));
    let location = Location { uri: uri(path), range: range(excerpts, finding.place) };
    let related = DiagnosticRelatedInformation { location, message: "the finding is about this place, too".to_owned() };
    Diagnostic {
        range: range(excerpts, at),
        message: Message::String(here),
        related_information: Some(vec![related]),
        ..diagnostic(report, excerpts, finding, uri)
    }
}

fn diagnostic(report: &Report, excerpts: &Excerpts, finding: &Finding, uri: &dyn Fn(&BStr) -> Uri) -> Diagnostic {
    let related = finding.related.iter().map(|(place, label)| DiagnosticRelatedInformation {
        location: Location {
            uri: uri(report.catalog.file(place.file).shown_path().as_bstr()),
            range: range(excerpts, *place),
        },
        message: escape::text(label),
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: range(excerpts, finding.place),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        }),
        code: Some(Code::String(finding.rule.id().to_owned())),
        code_description: Some(CodeDescription { href: Uri(render::rule_url(&finding.rule)) }),
        source: Some("skilltree".to_owned()),
        message: Message::String(message(finding)),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// Returns the fact, the notes and the help, one per line.
fn message(finding: &Finding) -> String {
    let mut message = escape::text(&finding.message);
    for note in &finding.notes {
        message.push('\n');
        message.push_str(&escape::text(note));
    }
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(&escape::text(help));
    }
    message
}

/// Returns the range of a place. That of a whole file is its first character, so that it can be seen.
pub(crate) fn range(excerpts: &Excerpts, place: Place) -> Range {
    let excerpt = excerpts.get(place);
    let (start, mut end) = (position(excerpt.start), position(excerpt.end));
    if start == end {
        end.character += 1;
    }
    Range { start, end }
}

fn position(at: excerpt::Position) -> Position {
    Position { line: at.line.saturating_sub(1), character: at.utf16.saturating_sub(1) }
}
