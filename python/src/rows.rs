//! Results as dictionaries. Their keys are the fields of the dataclasses in `skilltree/__init__.py`.

use pyo3::IntoPyObject;
use skilltree::{ArtifactFile, ChangeKind, InList, State};

#[derive(IntoPyObject)]
pub(crate) struct Report {
    findings: Vec<Finding>,
    skills: usize,
    warnings: Vec<Warning>,
}

#[derive(IntoPyObject)]
struct Finding {
    rule: String,
    severity: &'static str,
    path: String,
    line: u32,
    column: u32,
    message: String,
    notes: Vec<String>,
    help: Option<String>,
    state: Option<&'static str>,
    runtimes: Vec<String>,
}

#[derive(IntoPyObject)]
struct Warning {
    message: String,
    help: Option<String>,
}

#[derive(IntoPyObject)]
pub(crate) struct Forecast {
    runtime: String,
    skills: Vec<SkillForecast>,
}

#[derive(IntoPyObject)]
struct SkillForecast {
    path: String,
    outcome: &'static str,
    reason: Option<String>,
}

/// The files of a prompt artifact, and the skills that are not in it.
#[derive(IntoPyObject)]
pub(crate) struct Artifact {
    block: Vec<u8>,
    index: Option<Vec<u8>>,
    catalog: Option<Vec<u8>>,
    comment: Option<Vec<u8>>,
    statement: Option<Vec<u8>>,
    skipped: Vec<Skipped>,
}

#[derive(IntoPyObject)]
struct Skipped {
    path: String,
    rules: Vec<String>,
}

/// What a change does for the model.
#[derive(IntoPyObject)]
pub(crate) struct Diff {
    summary: String,
    skills: Vec<SkillChange>,
    authority: Vec<Authority>,
    runtimes: Vec<RuntimeChange>,
    tokens_before: usize,
    tokens: usize,
    patch: Vec<u8>,
    warnings: Vec<Warning>,
}

#[derive(IntoPyObject)]
struct SkillChange {
    kind: &'static str,
    before: Option<SkillState>,
    after: Option<SkillState>,
    unchecked: bool,
}

#[derive(IntoPyObject)]
struct SkillState {
    path: String,
    name: String,
    description: String,
    body_tokens: usize,
}

#[derive(IntoPyObject)]
struct Authority {
    name: String,
    path: String,
    powers: Vec<String>,
}

#[derive(IntoPyObject)]
struct RuntimeChange {
    runtime: String,
    outcome: &'static str,
    in_list: Option<&'static str>,
    count: usize,
    skills: Vec<String>,
}

impl From<&skilltree::Diff> for Diff {
    fn from(diff: &skilltree::Diff) -> Self {
        let (tokens_before, tokens) = diff.tokens();
        Self {
            summary: diff.summary(),
            skills: diff.skills().into_iter().map(SkillChange::from).collect(),
            authority: diff.authority().into_iter().map(Authority::from).collect(),
            runtimes: diff.runtimes().into_iter().map(RuntimeChange::from).collect(),
            tokens_before,
            tokens,
            patch: diff.patch().to_vec(),
            warnings: diff.warnings().iter().cloned().map(Warning::from).collect(),
        }
    }
}

impl From<skilltree::SkillChange> for SkillChange {
    fn from(change: skilltree::SkillChange) -> Self {
        let kind = match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Renamed => "renamed",
            ChangeKind::Rewritten => "rewritten",
            ChangeKind::Edited => "edited",
        };
        let (before, after) = (change.before.map(SkillState::from), change.after.map(SkillState::from));
        Self { kind, before, after, unchecked: change.is_unchecked }
    }
}

impl From<skilltree::SkillState> for SkillState {
    fn from(state: skilltree::SkillState) -> Self {
        let skilltree::SkillState { path, name, description, body_tokens } = state;
        Self { path, name, description, body_tokens }
    }
}

impl From<skilltree::Authority> for Authority {
    fn from(authority: skilltree::Authority) -> Self {
        let skilltree::Authority { name, path, powers } = authority;
        Self { name, path, powers }
    }
}

impl From<skilltree::RuntimeChange> for RuntimeChange {
    fn from(change: skilltree::RuntimeChange) -> Self {
        let skilltree::RuntimeChange { runtime, outcome, in_list, count, skills } = change;
        Self { runtime, outcome: outcome.word(), in_list: in_list.map(InList::word), count, skills }
    }
}

impl From<skilltree::Warning> for Warning {
    fn from(warning: skilltree::Warning) -> Self {
        let skilltree::Warning { message, help } = warning;
        Self { message, help }
    }
}

impl From<skilltree::Report> for Report {
    fn from(report: skilltree::Report) -> Self {
        Self {
            findings: report.findings.into_iter().map(Finding::from).collect(),
            skills: report.skills,
            warnings: report.warnings.into_iter().map(Warning::from).collect(),
        }
    }
}

impl From<skilltree::Finding> for Finding {
    fn from(finding: skilltree::Finding) -> Self {
        let skilltree::Finding { rule, severity, path, line, column, message, notes, help, state, runtimes } = finding;
        let severity = severity.name();
        let state = state.map(|state| match state {
            State::New => "new",
            State::Existing => "existing",
        });
        Self { rule, severity, path, line, column, message, notes, help, state, runtimes }
    }
}

impl From<skilltree::Forecast> for Forecast {
    fn from(forecast: skilltree::Forecast) -> Self {
        let skills = forecast.skills.into_iter().map(|skill| SkillForecast {
            path: skill.path,
            outcome: skill.outcome.word(),
            reason: skill.reason,
        });
        Self { runtime: forecast.runtime, skills: skills.collect() }
    }
}

impl From<&skilltree::Artifact> for Artifact {
    fn from(artifact: &skilltree::Artifact) -> Self {
        let file = |name| artifact.file(name).map(<[u8]>::to_vec);
        let skipped = artifact.skipped().iter();
        Self {
            block: artifact.block().to_vec(),
            index: file(ArtifactFile::Index),
            catalog: file(ArtifactFile::Catalog),
            comment: file(ArtifactFile::Comment),
            statement: file(ArtifactFile::Statement),
            skipped: skipped.map(|skill| Skipped { path: skill.path.clone(), rules: skill.rules.clone() }).collect(),
        }
    }
}
