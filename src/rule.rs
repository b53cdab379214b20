//! What a rule is, what it sees, and what it may say.
//!
//! A rule is a value: the driver, `explain`, docs/rules.md, the SARIF rule table and the tests read the same fields.

use bstr::ByteSlice;

use crate::accept::Accepted;
use crate::catalog::Catalog;
use crate::front_matter::FaultKind;
use crate::limits::Limits;
use crate::profile::Profile;
use crate::roots::{Root, RootId};
use crate::skill::{Skill, SkillId};
use crate::snapshot::{File, Role};
use crate::text::{self, FileId, Place};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not judged.
    Off,
    /// Advice.
    Note,
    /// A runtime shows or reads it wrongly.
    Warning,
    /// Some runtime that people use loses the skill, or the repository's own cap is broken.
    Error,
}

impl Level {
    /// The levels by their names in configuration and output.
    pub const NAMES: [(&'static str, Self); 4] =
        [("off", Self::Off), ("note", Self::Note), ("warning", Self::Warning), ("error", Self::Error)];

    /// The word for it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The level of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|&(_, level)| level)
    }
}

/// The chapters of the catalogue of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Fences and encoding.
    Fences,
    /// Fields of the front matter.
    Fields,
    /// Skills side by side.
    Catalog,
    /// Where files lie.
    Layout,
    /// The body.
    Body,
    /// What hides or breaks out.
    Security,
    /// The configuration itself.
    Configuration,
}

impl Group {
    /// The chapters in their order, with their titles.
    pub const TITLES: [(Self, &'static str); 7] = [
        (Self::Fences, "Fences and encoding"),
        (Self::Fields, "Fields"),
        (Self::Catalog, "Side by side"),
        (Self::Layout, "Layout"),
        (Self::Body, "Body"),
        (Self::Security, "Security"),
        (Self::Configuration, "Configuration"),
    ];

    /// The title of the chapter.
    pub fn title(self) -> &'static str {
        Self::TITLES[self as usize].1
    }
}

/// A frozen set of rules and levels: a repository that names one is not surprised by an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edition(pub &'static str);

/// The first edition.
pub const E2026: Edition = Edition("2026");

/// The editions, oldest first.
pub const EDITIONS: &[Edition] = &[E2026];

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The id: it names the wrong and reads well after "allow".
    pub id: &'static str,
    /// Its chapter.
    pub group: Group,
    /// The edition that took it.
    pub since: Edition,
    /// Its level; one rule has one level.
    pub level: Level,
    /// Whether it takes a skill out of a prompt at any level.
    pub unusable: bool,
    /// The faults that it says aloud: the key into a profile's table, so that who drops the skill is data.
    pub faults: &'static [FaultKind],
    /// The wrong, in half a line.
    pub summary: &'static str,
    /// Why it matters, in a sentence: who drops the skill, or what breaks.
    pub why: &'static str,
    /// Its page, which is also its test.
    pub explanation: &'static str,
    /// How it judges.
    pub check: Check,
}

/// How a rule judges.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Each skill by itself, in any order, on any thread.
    Skill(fn(&Skill, &Facts<'_>, &mut Sink)),
    /// All of them side by side: uniqueness, roots, paths.
    Catalog(fn(&Catalog, &Facts<'_>, &mut Sink)),
    /// The accepted ones: caps and the rendered block. It never changes the set.
    Set(fn(&Accepted<'_>, &Facts<'_>, &mut Sink)),
    /// Not here: the configuration's reader or the driver says it.
    Reported,
}

/// What a rule may look at beside its subject.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// Every file.
    pub files: &'a [File],
    /// Every root.
    pub roots: &'a [Root],
    /// The numbers in force.
    pub limits: &'a Limits,
    /// The profiles known.
    pub profiles: &'a [Profile],
    /// What decides about the prompt block.
    pub dispatch: &'a Dispatch,
}

/// What decides about the prompt block: WORKFLOW.md's `agent.skills`, and the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// `agent.skills.enabled`: `false` writes an empty block.
    pub enabled: bool,
    /// The cap of skills in a block; `None` when nothing sets one, and the default of 50 holds for symphony's roots.
    pub cap: Option<u64>,
}

impl<'a> Facts<'a> {
    /// A file by its number.
    pub fn file(&self, file: FileId) -> &'a File {
        &self.files[file.index()]
    }

    /// The root of a skill.
    pub fn root(&self, skill: &Skill) -> &'a Root {
        &self.roots[skill.root.index()]
    }

    /// Whether a skill lies below another skill's directory. A SKILL.md in the root itself has no directory of its own,
    /// so nothing is nested in it.
    pub fn is_nested(&self, skill: &Skill) -> bool {
        // Configuration files stand behind the sorted ones.
        let sorted = &self.files[..self.files.partition_point(|file| file.role != Role::Config)];
        let root = &self.root(skill).path;
        let mut directory = text::parent(text::parent(self.file(skill.file).path.as_bstr()));
        while directory.len() > root.len() {
            let above = [directory.as_bytes(), b"/SKILL.md"].concat();
            if sorted.binary_search_by(|file| file.path.as_slice().cmp(&above)).is_ok() {
                return true;
            }
            directory = text::parent(directory);
        }
        false
    }
}

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

/// Every root and every skill with the file at its place: what stands in the way of the one stands in the way of the
/// other.
pub fn places(catalog: &Catalog) -> impl Iterator<Item = (Subject, FileId, &File)> {
    let roots = catalog.files().filter(|(_, file)| file.role == Role::Root);
    let roots = roots.filter_map(|(id, file)| Some((Subject::Root(file.root?), id, file)));
    let skills = (0u32..).map(SkillId).zip(&catalog.parsed.skills);
    roots.chain(skills.map(|(id, skill)| (Subject::Skill(id), skill.file, catalog.file(skill.file))))
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
    /// Whether it takes the skill out of a prompt at any level.
    pub unusable: bool,
    /// How far it goes, where that is a number: the skills over a cap, the bytes of a block, the characters that hide. A
    /// base that has less of it does not have it.
    pub extent: u64,
    /// The reason given for leaving it out, when an ignore does.
    pub ignored: Option<String>,
    /// What it is beside a base; `None` when there was none.
    pub state: Option<State>,
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
            unusable: self.rule.unusable,
            extent: 0,
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

#[cfg(test)]
mod tests {
    use bstr::BString;

    use super::*;
    use crate::snapshot::Body;

    fn skill(file: u32) -> Skill {
        Skill {
            file: FileId(file),
            root: RootId(0),
            directory: BString::default(),
            depth: 1,
            front_matter: None,
            body: None,
            faults: Vec::new(),
            header: BString::default(),
        }
    }

    #[test]
    fn a_skill_is_nested_below_a_skill_and_not_below_a_plain_directory() {
        let root = Root {
            path: "s".into(),
            profile: "agentskills".into(),
            depth: None,
            pattern: 0,
            configured: false,
            matched: false,
        };
        let paths = ["s/SKILL.md", "s/a/SKILL.md", "s/a/b/c/SKILL.md", "s/group/d/SKILL.md", "SKILL.md"];
        let roles = [Role::Skill, Role::Skill, Role::Skill, Role::Skill, Role::Config];
        let files: Vec<File> = paths
            .iter()
            .zip(roles)
            .map(|(path, role)| File::new(*path, role, Some(RootId(0)), Body::NotRead))
            .collect();
        let facts = Facts {
            files: &files,
            roots: &[root],
            limits: &Limits::default(),
            profiles: &[],
            dispatch: &Dispatch { enabled: true, cap: None },
        };
        let nested: Vec<bool> = (0..4).map(|file| facts.is_nested(&skill(file))).collect();
        assert_eq!(nested, [false, false, true, false]);
    }
}
