//! Findings and the sink that collects them.

use super::limited::Limited;
use super::{Elsewhere, Level, Loss, Occurrence, RuleRef, Severity};
use skilltree_front_matter::text::{FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Begins a note about evidence.
const SOURCE: &str = "source: ";

/// Subject of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A skill: an error removes it from the prompt.
    Skill(SkillId),
    /// A root.
    Root(RootId),
    /// The configuration.
    Config,
    /// The whole tree.
    Tree,
}

/// State of a finding relative to a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Missing in the base.
    New,
    /// Present in the base.
    Unchanged,
}

impl State {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
        }
    }
}

/// A finding of a rule.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: RuleRef,
    /// Severity in force for this file.
    pub severity: Severity,
    /// Whether the rule is off for this file. Such a finding can only keep its skill out of a prompt; no report has it.
    pub is_off: bool,
    /// Subject of the finding.
    pub subject: Subject,
    /// Place of the finding.
    pub place: Place,
    /// The fact, in one line, lowercase, without a full stop.
    pub message: String,
    /// Every known place of a finding that merges several, in the order of the file, the place of the finding among them. Empty
    /// for a finding about one place.
    pub occurrences: Vec<Occurrence>,
    /// Where the finding is shown instead if a change did not touch its own file.
    pub elsewhere: Elsewhere,
    /// Related places with their labels.
    pub related: Vec<(Place, String)>,
    /// Further facts, one per line.
    pub notes: Vec<String>,
    /// The edit as text. Alternatives to [`Self::edits`] follow `, or `.
    pub help: Option<String>,
    /// The edit in bytes.
    pub edits: Vec<Edit>,
    /// Line ending that every line of the file should have: a safe edit of too many places to list.
    pub line_ending: Option<LineEnding>,
    /// Characters that the edits delete elsewhere: too many to list.
    pub sweep: Option<Sweep>,
    /// Whether the finding removes the skill from the prompt at any level.
    pub unusable: bool,
    /// The highest level, unless the configuration sets one for the rule.
    pub ceiling: Level,
    /// Size of the problem, if it has one: skills over a cap, bytes of a block, hidden characters. A finding that is
    /// larger than in the base is new.
    pub extent: u64,
    /// Whether it counts the findings of its rule and file that are over the limit, instead of listing them. The extent is their number.
    pub is_rest: bool,
    /// Of those that it counts, how many a fix removes: with safe edits, and with edits that may change the meaning.
    pub rest_fixable: [usize; 2],
    /// Runtimes that lose the skill because of the finding, in the order of their profiles.
    pub losses: Vec<Loss>,
    /// Rank among the findings of its rule: the least is shown first.
    pub rank: u8,
    /// Pairs of files whose differing lines a note counts: see [`crate::differences`].
    pub(crate) compared: Vec<[FileId; 2]>,
    /// The ignore that suppresses the finding.
    pub ignored: Option<Ignored>,
    /// State relative to the base; `None` without a base.
    pub state: Option<State>,
}

/// Ignore of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// Reason of the ignore.
    pub reason: String,
    /// Source of the ignore.
    pub by: IgnoredBy,
}

/// Source of an ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredBy {
    /// An entry of the configuration.
    Configuration,
    /// A comment in the skill.
    Comment,
}

/// Replacement of the bytes at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes to replace; an empty range inserts.
    pub place: Place,
    /// New text.
    pub text: String,
    /// Whether the edit preserves the meaning of the skill.
    pub safe: bool,
}

/// Characters to delete throughout a file. The finding lists only the first ones; a fix finds the others.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Finds the characters in the text of the whole file, with byte offsets.
    pub find: fn(&str) -> Vec<(usize, char)>,
    /// Place to search; `None` for the whole file.
    pub inside: Option<Place>,
    /// Places to skip, because other findings cover them.
    pub outside: Vec<Place>,
}

/// Line ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl LineEnding {
    /// Returns the bytes of the line ending.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}

impl Finding {
    /// Returns the skill that it is about. Of a finding about all skills of a skills directory, that is the one at its place.
    pub(crate) fn skill(&self, catalog: &Catalog) -> Option<SkillId> {
        match self.subject {
            Subject::Skill(skill) => Some(skill),
            Subject::Root(_) => catalog.skills().find(|(_, skill)| skill.file == self.place.file).map(|(id, _)| id),
            _ => None,
        }
    }

    /// Returns a finding that counts this one and later ones, without their details.
    pub(super) fn into_rest(self) -> Self {
        Self {
            is_rest: true,
            extent: 1,
            rest_fixable: self.fixable(),
            occurrences: Vec::new(),
            elsewhere: Elsewhere::Nowhere,
            related: Vec::new(),
            notes: Vec::new(),
            help: Some("fix those that are listed, and run again".to_owned()),
            edits: Vec::new(),
            line_ending: None,
            sweep: None,
            compared: Vec::new(),
            ..self
        }
    }

    /// Returns whether it has edits within its file.
    pub(crate) fn offers_edit(&self) -> bool {
        let is_elsewhere = self.edits.iter().any(|edit| edit.place.file != self.place.file);
        self.line_ending.is_some() || (!self.edits.is_empty() && !is_elsewhere)
    }

    /// Returns what its edits do, as an imperative. A help with alternatives begins with the one that the edits make.
    pub fn action(&self) -> Option<&str> {
        self.help.as_deref()?.split(", or ").next()
    }

    /// Returns whether all edits preserve the meaning.
    pub(crate) fn is_safe(&self) -> bool {
        self.edits.iter().all(|edit| edit.safe)
    }

    /// Returns how many findings a fix removes, those that it counts included: with safe edits, and with others.
    pub(crate) fn fixable(&self) -> [usize; 2] {
        match (self.offers_edit(), self.is_safe()) {
            (false, _) => self.rest_fixable,
            (true, true) => [1, 0],
            (true, false) => [0, 1],
        }
    }

    /// Sets the severity, or that the rule is off.
    pub(crate) fn set_level(&mut self, level: Level) {
        self.is_off = level == Level::Off;
        self.severity = level.severity().unwrap_or(Severity::Note);
    }

    /// Adds a related place.
    pub fn related(&mut self, place: Place, label: impl Into<String>) -> &mut Self {
        self.related.push((place, label.into()));
        self
    }

    /// Sets the places that the finding merges. Those after its own become related places, with the fact about each.
    pub(crate) fn occurrences(&mut self, occurrences: Vec<Occurrence>) -> &mut Self {
        let others = occurrences.iter().filter(|occurrence| occurrence.place != self.place);
        self.related.extend(others.map(|other| (other.place, other.message.clone())));
        self.occurrences = occurrences;
        self
    }

    /// Sets where a comparison shows the finding if the change did not touch its own file.
    pub(crate) fn or_at(&mut self, elsewhere: Elsewhere) -> &mut Self {
        self.elsewhere = elsewhere;
        self
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a note about the evidence for a claim: the version of a runtime and where its behavior was seen.
    pub(crate) fn source(&mut self, evidence: &str) -> &mut Self {
        self.note(format!("{SOURCE}{evidence}"))
    }

    /// Returns the notes without evidence, which people see on request only.
    pub fn facts(&self) -> impl Iterator<Item = &String> {
        self.notes.iter().filter(|note| !note.starts_with(SOURCE))
    }

    /// Sets the help text.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a safe edit.
    pub fn edit(&mut self, place: Place, text: impl Into<String>) -> &mut Self {
        self.edits.push(Edit { place, text: text.into(), safe: true });
        self
    }

    /// Adds an edit that may change the meaning.
    pub(crate) fn unsafe_edit(&mut self, place: Place, text: impl Into<String>) -> &mut Self {
        self.edits.push(Edit { place, text: text.into(), safe: false });
        self
    }

    /// Sets the line ending for the whole file.
    pub fn line_ending(&mut self, line_ending: LineEnding) -> &mut Self {
        self.line_ending = Some(line_ending);
        self
    }

    /// Sets the characters to delete throughout the file.
    pub(crate) fn sweep(&mut self, sweep: Sweep) -> &mut Self {
        self.sweep = Some(sweep);
        self
    }

    /// Sets whether the finding removes the skill from the prompt at any level.
    pub fn unusable(&mut self, unusable: bool) -> &mut Self {
        self.unusable = unusable;
        self
    }

    /// Sets the highest level, unless the configuration sets one for the rule.
    pub(crate) fn at_most(&mut self, level: Level) -> &mut Self {
        self.ceiling = self.ceiling.min(level);
        self
    }

    /// Sets the size of the problem.
    pub(crate) fn extent(&mut self, extent: usize) -> &mut Self {
        self.extent = extent as u64;
        self
    }
}

/// Collects the findings of one rule. The sink knows the rule, so a check cannot report under another id.
#[derive(Debug)]
pub struct Sink {
    rule: RuleRef,
    subject: Subject,
    findings: Limited,
    /// The last finding, which the check may still change.
    last: Option<Finding>,
}

impl Sink {
    /// Creates an empty sink. Findings are about `subject` until [`Sink::about`] changes it.
    pub fn new(rule: impl Into<RuleRef>, subject: Subject) -> Self {
        Self { rule: rule.into(), subject, findings: Limited::default(), last: None }
    }

    /// Sets the subject of the next findings.
    pub fn about(&mut self, subject: Subject) -> &mut Self {
        self.subject = subject;
        self
    }

    /// Adds a finding.
    pub fn report(&mut self, place: Place, message: impl Into<String>) -> &mut Finding {
        self.findings.extend(self.last.take());
        self.last.insert(Finding {
            rule: self.rule.clone(),
            severity: self.rule.level.severity().unwrap_or(Severity::Note),
            is_off: self.rule.level == Level::Off,
            subject: self.subject,
            place,
            message: message.into(),
            occurrences: Vec::new(),
            elsewhere: Elsewhere::Nowhere,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            edits: Vec::new(),
            line_ending: None,
            sweep: None,
            unusable: self.rule.unusable,
            ceiling: Level::Error,
            extent: 0,
            is_rest: false,
            rest_fixable: [0; 2],
            rank: 0,
            losses: Vec::new(),
            compared: Vec::new(),
            ignored: None,
            state: None,
        })
    }

    /// Returns the findings.
    pub fn into_findings(mut self) -> Vec<Finding> {
        if self.last.is_none() {
            return Vec::new();
        }
        self.findings.extend(self.last.take());
        self.findings.into_findings()
    }
}
