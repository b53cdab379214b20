//! Results as dictionaries. Their keys are the fields of the dataclasses in `skilltree/__init__.py`.

use pyo3::IntoPyObject;
use skilltree::{ArtifactFile, State};

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

impl From<skilltree::Report> for Report {
    fn from(report: skilltree::Report) -> Self {
        Self {
            findings: report.findings.into_iter().map(Finding::from).collect(),
            skills: report.skills,
            warnings: report
                .warnings
                .into_iter()
                .map(|warning| Warning { message: warning.message, help: warning.help })
                .collect(),
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
