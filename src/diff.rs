//! The library's interface to `skilltree diff`.

use std::path::Path;

use skilltree_front_matter::text;
use skilltree_git::{Environment, Revision};
use skilltree_lint::changes::{self as core, InList, Kind};
use skilltree_report::render::changes::{self as render, Format};
use skilltree_report::render::redact;
use skilltree_runtimes::forecast::Outcome;

use crate::api::{Collector, Warning};
use crate::base;
use crate::changes::{self, Compared};
use crate::failure::Failure;
use crate::options::Options;
use crate::place::Place;
use crate::session;

/// Compares the skills of a repository with those of its base: `skilltree diff`. Without [`Options::revision`] that is the index, and
/// without [`Options::base`] the base is `HEAD`.
///
/// # Errors
/// As [`crate::open`], and when the base cannot be read or a prompt block cannot be built.
pub fn diff(path: &Path, options: &Options) -> Result<Diff, Failure> {
    let observer = Collector::default();
    let place = Place::new(path.to_owned(), Environment::default());
    let revision = options.revision.clone().or(Some(Revision::Index));
    let named = options.base.as_deref().unwrap_or("HEAD");
    let options = base::with_configuration(options, Some(named), &place, &observer)?;
    let head = session::open(&place, &Options { revision, ..options.clone() })?;
    let base = changes::base(&place, named, &head, &observer)?;
    let compared = changes::between(&place, head, base, &options, &observer)?;
    Ok(Diff { compared, warnings: observer.into_warnings() })
}

/// What a change does for the model.
pub struct Diff {
    compared: Compared,
    warnings: Vec<Warning>,
}

impl Diff {
    /// Summarizes it in one line: `+2 skills, -1; list 1,210 to 1,480 tokens`.
    #[must_use]
    pub fn summary(&self) -> String {
        self.compared.changes.summary()
    }

    /// Returns the changed skills: first added ones, then removed, renamed, rewritten and edited ones, each by path.
    #[must_use]
    pub fn skills(&self) -> Vec<SkillChange> {
        let changes = self.compared.changes.skills.iter().map(|change| SkillChange {
            kind: ChangeKind::of(change.kind()),
            before: change.before.as_ref().map(SkillState::of),
            after: change.after.as_ref().map(SkillState::of),
            is_unchecked: change.is_unchecked,
        });
        changes.collect()
    }

    /// Returns the skills that only the head has, by path.
    #[must_use]
    pub fn added(&self) -> Vec<SkillState> {
        self.skills()
            .into_iter()
            .filter(|change| change.kind == ChangeKind::Added)
            .filter_map(|change| change.after)
            .collect()
    }

    /// Returns the skills that only the base has, by path.
    #[must_use]
    pub fn removed(&self) -> Vec<SkillState> {
        let skills = self.skills().into_iter().filter(|change| change.kind == ChangeKind::Removed);
        skills.filter_map(|change| change.before).collect()
    }

    /// Returns what the change newly lets an agent do: by skill, then by package.
    #[must_use]
    pub fn authority(&self) -> Vec<Authority> {
        let authority = self.compared.changes.authority.iter().map(|authority| Authority {
            name: authority.name.clone(),
            path: text::lossless(authority.path.as_ref()),
            powers: authority.powers.iter().map(|power| redact::text(&power.to_string()).into_owned()).collect(),
        });
        authority.collect()
    }

    /// Returns what runtimes in scope newly do, by runtime.
    #[must_use]
    pub fn runtimes(&self) -> Vec<RuntimeChange> {
        let of = |runtime: &core::RuntimeChange, impact: &core::Impact| RuntimeChange {
            runtime: runtime.id.clone(),
            outcome: impact.outcome,
            in_list: impact.in_list,
            count: impact.count,
            skills: impact.skills.iter().map(|skill| text::lossless(skill.path.as_ref())).collect(),
        };
        let runtimes = self.compared.changes.runtimes.iter();
        runtimes.flat_map(|runtime| runtime.impacts.iter().map(move |impact| of(runtime, impact))).collect()
    }

    /// Returns the estimated tokens of the prompt block, in the base and now.
    #[must_use]
    pub fn tokens(&self) -> (usize, usize) {
        (self.compared.changes.list_before, self.compared.changes.list)
    }

    /// Returns the unified diff of the prompt blocks, which `git apply` reads; empty if they are equal.
    #[must_use]
    pub fn patch(&self) -> &[u8] {
        &self.compared.changes.patch
    }

    /// Renders it: the bytes that `skilltree diff --format FORMAT` prints outside of a runner.
    #[must_use]
    pub fn render(&self, format: Format) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = render::write(format, &self.compared.changes, &self.compared.between, &mut bytes);
        bytes
    }

    /// Returns warnings about the run itself, such as a base that does not exist yet.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// A changed skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillChange {
    /// The main change.
    pub kind: ChangeKind,
    /// The skill in the base; `None` if it was added.
    pub before: Option<SkillState>,
    /// The skill now; `None` if it was removed.
    pub after: Option<SkillState>,
    /// Whether the file of a removed skill is still there, but no longer checked: an `exclude`, a `[[root]]` or an ignore hides it.
    pub is_unchecked: bool,
}

/// What a skill or a package newly lets an agent do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The name of the skill or of the package.
    pub name: String,
    /// The path of the SKILL.md or of the manifest.
    pub path: String,
    /// Each power, as it follows the name in a sentence: ``may use `Bash(*)` without asking``. Never empty. Secrets are redacted.
    pub powers: Vec<String>,
}

/// The main change of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The base does not have it.
    Added,
    /// Only the base has it.
    Removed,
    /// Its name or its path differs.
    Renamed,
    /// Its description or its `when_to_use` differs.
    Rewritten,
    /// Only other fields, its body or other files in its directory differ.
    Edited,
}

impl ChangeKind {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Added => Self::Added,
            Kind::Removed => Self::Removed,
            Kind::Renamed => Self::Renamed,
            Kind::Rewritten => Self::Rewritten,
            Kind::Edited => Self::Edited,
        }
    }
}

/// A skill as the model sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillState {
    /// The path of its SKILL.md.
    pub path: String,
    /// Its name, or the name of its directory.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The estimated tokens of its body.
    pub body_tokens: usize,
}

impl SkillState {
    fn of(state: &core::SkillState) -> Self {
        Self {
            path: text::lossless(state.path.as_ref()),
            name: state.name.clone(),
            description: state.description.clone(),
            body_tokens: state.body_tokens,
        }
    }
}

/// What a runtime newly does with some skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeChange {
    /// The id of the runtime's profile.
    pub runtime: String,
    /// What it does with them. [`Outcome::Loads`] with [`InList::Full`] means that it did something worse before.
    pub outcome: Outcome,
    /// How much its list shows of them; `None` if it drops them.
    pub in_list: Option<InList>,
    /// The number of skills.
    pub count: usize,
    /// The paths of their SKILL.md files; empty if only their number is known.
    pub skills: Vec<String>,
}
