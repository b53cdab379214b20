//! What a rule may say, and where it says it.

use super::{Level, Loss, Rule};
use crate::roots::RootId;
use crate::skill::SkillId;
use crate::text::Place;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A skill: an error takes it out of the prompt.
    Skill(SkillId),
    /// A root.
    Root(RootId),
    /// The configuration.
    Config,
    /// The tree as a whole.
    Tree,
}

/// What a finding is beside those of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// The base does not have it.
    New,
    /// The base has it already.
    Unchanged,
}

impl State {
    /// The word for it in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
        }
    }
}

/// What a rule said.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The level in force for this file.
    pub level: Level,
    /// What it is about.
    pub subject: Subject,
    /// Where it is.
    pub place: Place,
    /// The fact, in one line, lower case, no full stop.
    pub message: String,
    /// Other places that belong to it, with what stands there.
    pub related: Vec<(Place, String)>,
    /// More of the fact, a line each.
    pub notes: Vec<String>,
    /// The exact edit in words.
    pub help: Option<String>,
    /// The exact edit as bytes.
    pub edits: Vec<Edit>,
    /// The line end that every line of the file should have: a safe edit of more places than anybody would list.
    pub line_end: Option<LineEnd>,
    /// What the edits delete beside the places that they name: more than anybody would list.
    pub sweep: Option<Sweep>,
    /// Whether it takes the skill out of a prompt at any level.
    pub unusable: bool,
    /// How far it goes, where that is a number: the skills over a cap, the bytes of a block, the characters that hide. A
    /// base that has less of it does not have it.
    pub extent: u64,
    /// The runtimes that lose the skill by it, in the order of their profiles.
    pub losses: Vec<Loss>,
    /// What leaves it out, when an ignore does.
    pub ignored: Option<Ignored>,
    /// What it is beside a base; `None` when there was none.
    pub state: Option<State>,
}

/// Why a finding is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The reason given.
    pub reason: String,
    /// Where it is given.
    pub by: IgnoredBy,
}

/// Where somebody left a finding out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IgnoredBy {
    /// In the configuration.
    Configuration,
    /// In the skill itself.
    Comment,
}

/// A replacement of the bytes of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; an empty range at an offset inserts.
    pub place: Place,
    /// What stands there afterwards.
    pub text: String,
    /// Whether the meaning of the skill surely stays as meant.
    pub safe: bool,
}

/// Characters that are deleted wherever they stand: a report names the first ones, and a repair finds the rest in the file.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Finds them in the text of the whole file, with their offsets in bytes.
    pub find: fn(&str) -> Vec<(usize, char)>,
    /// Where they are deleted; `None` for the whole file.
    pub inside: Option<Place>,
    /// Where they stay: other findings are about them.
    pub outside: Vec<Place>,
}

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl LineEnd {
    /// Its bytes.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}

impl Finding {
    /// Adds another place.
    pub fn related(&mut self, place: Place, label: impl Into<String>) -> &mut Self {
        self.related.push((place, label.into()));
        self
    }

    /// Adds a line to the fact.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }

    /// Says the edit in words.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Adds an edit that keeps the meaning.
    pub fn edit(&mut self, place: Place, text: impl Into<String>) -> &mut Self {
        self.edits.push(Edit { place, text: text.into(), safe: true });
        self
    }

    /// Adds an edit that somebody should look at.
    pub fn unsafe_edit(&mut self, place: Place, text: impl Into<String>) -> &mut Self {
        self.edits.push(Edit { place, text: text.into(), safe: false });
        self
    }

    /// Says which line end every line of the file should have.
    pub fn line_end(&mut self, line_end: LineEnd) -> &mut Self {
        self.line_end = Some(line_end);
        self
    }

    /// Says what its edits delete beside the places that they name.
    pub fn sweep(&mut self, sweep: Sweep) -> &mut Self {
        self.sweep = Some(sweep);
        self
    }

    /// Says whether the finding takes the skill out of a prompt at any level, where that depends on the case.
    pub fn unusable(&mut self, unusable: bool) -> &mut Self {
        self.unusable = unusable;
        self
    }

    /// Says how far it goes.
    pub fn extent(&mut self, extent: usize) -> &mut Self {
        self.extent = extent as u64;
        self
    }
}

/// Where a rule says what it found. It knows the rule, so no rule can report under another's id.
#[derive(Debug)]
pub struct Sink {
    rule: &'static Rule,
    subject: Subject,
    findings: Vec<Finding>,
}

impl Sink {
    /// An empty sink for a rule, about a subject until [`Sink::about`] says otherwise.
    pub fn new(rule: &'static Rule, subject: Subject) -> Self {
        Self { rule, subject, findings: Vec::new() }
    }

    /// Says what the next findings are about.
    pub fn about(&mut self, subject: Subject) -> &mut Self {
        self.subject = subject;
        self
    }

    /// Reports a fact at a place.
    pub fn report(&mut self, place: Place, message: impl Into<String>) -> &mut Finding {
        self.findings.push(Finding {
            rule: self.rule,
            level: self.rule.level,
            subject: self.subject,
            place,
            message: message.into(),
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            edits: Vec::new(),
            line_end: None,
            sweep: None,
            unusable: self.rule.unusable,
            extent: 0,
            losses: Vec::new(),
            ignored: None,
            state: None,
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// What was said.
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}
