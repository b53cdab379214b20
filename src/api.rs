//! The library's interface: plain results of the commands `check`, `prompt` and `forecast`.

use std::path::Path;
use std::sync::Mutex;

use skilltree_dispatch::prompt::{Artifact as Built, Name};
use skilltree_front_matter::text;
use skilltree_git::Environment;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::rule::{self, Severity};
use skilltree_report::render::{self, Format};
use skilltree_runtimes::forecast::{self, Outcome};
use skilltree_skills::source::Progress;

use crate::base;
use crate::changes;
use crate::failure::Failure;
use crate::options::{Observer, Options, PromptOptions};
use crate::place::Place;
use crate::prompt as dispatch;
use crate::purpose::Purpose;
use crate::session::{self, Session};
use crate::skipped::SkippedSkills;

/// Reads the skills of a repository and checks them.
///
/// # Errors
/// When there is no repository at `path` or the revision or configuration cannot be read.
pub fn open(path: &Path, options: &Options) -> Result<Skills, Failure> {
    open_for(path, options, Purpose::Check)
}

fn open_for(path: &Path, options: &Options, purpose: Purpose) -> Result<Skills, Failure> {
    let observer = Collector::default();
    let place = Place::new(path.to_owned(), Environment::default());
    let options = base::with_configuration(options, options.base.as_deref(), &place, &observer)?;
    let source = session::open(&place, &options)?;
    let mut session = Session::new(place.clone(), place, source, &options, purpose, &observer)?;
    let compared = match &options.base {
        Some(base) => base::mark(&mut session, base, &options, &[Format::Sarif], &observer)?,
        None => None,
    };
    let excerpts = compared.map_or_else(|| session.excerpts(), Ok)?;
    let warnings = observer.into_warnings();
    Ok(Skills { session, options, excerpts, warnings })
}

/// Checks the skills of a repository: `skilltree check`.
///
/// # Errors
/// As [`open`].
pub fn check(path: &Path, options: &Options) -> Result<Report, Failure> {
    Ok(open(path, options)?.check())
}

/// Builds the prompt artifact of a repository: `skilltree prompt`.
///
/// # Errors
/// As [`open`], and as [`Skills::prompt`].
pub fn prompt(path: &Path, options: &Options, wanted: &PromptOptions) -> Result<Artifact, Failure> {
    open_for(path, options, Purpose::Prompt)?.prompt(wanted)
}

/// Forecasts which skills of a repository each runtime in scope loads, changes and drops: `skilltree forecast`.
///
/// # Errors
/// As [`open`].
pub fn forecast(path: &Path, options: &Options) -> Result<Vec<Forecast>, Failure> {
    Ok(open_for(path, options, Purpose::Read)?.forecast())
}

/// The skills of a repository, read and checked.
pub struct Skills {
    session: Session,
    options: Options,
    excerpts: Excerpts,
    warnings: Vec<Warning>,
}

impl Skills {
    /// Returns the findings.
    #[must_use]
    pub fn check(&self) -> Report {
        let report = &self.session.report;
        Report {
            findings: report.active().map(|finding| self.finding(finding)).collect(),
            skills: report.catalog.skill_count(),
            warnings: self.warnings.clone(),
        }
    }

    fn finding(&self, finding: &rule::Finding) -> Finding {
        let start = self.excerpts.get(finding.place).start;
        Finding {
            rule: finding.rule.id().to_owned(),
            severity: finding.severity,
            path: text::lossless(self.session.report.path(finding)),
            line: start.line,
            column: start.column,
            message: finding.message.clone(),
            notes: finding.notes.clone(),
            help: finding.help.clone(),
            state: finding.state.map(State::of),
            runtimes: finding.losses.iter().map(|loss| loss.runtime.id.clone()).collect(),
        }
    }

    /// Renders the findings: the bytes that `skilltree check --output FORMAT=PATH` writes outside of a runner, where Markdown has no
    /// links to files.
    ///
    /// # Errors
    /// When a file changed since it was read.
    pub fn render(&self, format: Format) -> Result<Vec<u8>, Failure> {
        let changes = match format {
            Format::Markdown | Format::Html => changes::since_base(&self.session, &self.options, &Collector::default()),
            _ => None,
        };
        let options = render::Options {
            changes,
            source: self.session.description()?,
            place: self.session.name(),
            time: self.session.source.time(),
            shown_findings: self.session.config.limits.shown_findings,
            profiles: self.session.config.profiles.clone(),
            rules: self.session.config.rules().collect(),
            ..render::Options::default()
        };
        let mut bytes = Vec::new();
        let written = render::write(format, &self.session.report, &self.excerpts, &options, &mut bytes);
        written.map_err(|error| Failure::new(error.to_string()))?;
        Ok(bytes)
    }

    /// Builds the prompt artifact of the accepted skills.
    ///
    /// # Errors
    /// When the profile or the template does not exist, or refuses the selection.
    pub fn prompt(&self, wanted: &PromptOptions) -> Result<Artifact, Failure> {
        let recipe = dispatch::recipe(&self.session, &self.options, wanted)?;
        let report = &self.session.report;
        let skipped = SkippedSkills::new(report, &self.session.unread, &self.excerpts, &recipe);
        let given = dispatch::Given {
            trees: self.session.source.trees(&report.catalog.parsed)?,
            contents: dispatch::contents(&self.session, &report.accepted(), &recipe),
            digest: dispatch::digest(&self.session, &self.options, wanted)?,
            catalog: dispatch::describe(&self.session, &recipe, wanted.catalog),
        };
        let names = skipped.skipped.iter().map(|skill| Skipped {
            path: text::lossless(skill.path.as_ref()),
            rules: skill.problems.iter().map(|problem| problem.rule.clone()).collect(),
        });
        let names = names.collect();
        Ok(Artifact { skipped: names, built: dispatch::build(&self.session, skipped, given, &recipe)? })
    }

    /// Forecasts which skills each target loads, changes and drops. Without targets, it forecasts the runtimes that read a skills
    /// directory; with [`Options::all_runtimes`], every known runtime.
    #[must_use]
    pub fn forecast(&self) -> Vec<Forecast> {
        let catalog = &self.session.report.catalog;
        let forecasts = forecast::forecasts(catalog, &self.session.runtimes());
        let skill = |forecast: &forecast::Forecast, id| {
            let skill = forecast.skill(id);
            let reason = skill.reason.as_ref().filter(|_| skill.reads_root);
            SkillForecast {
                path: text::lossless(catalog.path(id)),
                outcome: skill.outcome(),
                reason: reason.map(ToString::to_string),
            }
        };
        let forecasts = forecasts.iter().map(|forecast| Forecast {
            runtime: forecast.profile.clone(),
            skills: catalog.skills().map(|(id, _)| skill(forecast, id)).collect(),
        });
        forecasts.collect()
    }

    /// Returns warnings about the run itself, such as a base that cannot be read.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// The findings of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The findings that count: neither ignored nor existing in the base. They are sorted by path and place.
    pub findings: Vec<Finding>,
    /// The number of skills that were checked.
    pub skills: usize,
    /// Warnings about the run itself, such as a base that cannot be read.
    pub warnings: Vec<Warning>,
}

impl Report {
    /// Returns the highest severity of the findings.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// A problem, with its place and its fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule.
    pub rule: String,
    /// The severity.
    pub severity: Severity,
    /// The path in the repository; bytes that are not UTF-8 are `\xNN`.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters (code points), from 1.
    pub column: u32,
    /// The fact, in one line.
    pub message: String,
    /// More about it, such as the runtimes that drop the skill.
    pub notes: Vec<String>,
    /// The edit, as an imperative.
    pub help: Option<String>,
    /// Whether the base has it; `None` without a base.
    pub state: Option<State>,
    /// The ids of the runtimes that drop or change the skill because of it.
    pub runtimes: Vec<String>,
}

/// Whether the base of a comparison has a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The base does not have it.
    New,
    /// The base has it.
    Existing,
}

impl State {
    fn of(state: rule::State) -> Self {
        match state {
            rule::State::New => Self::New,
            rule::State::Unchanged => Self::Existing,
        }
    }
}

/// A warning about a run: the result means less than it seems to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The fact, in one line.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// The files that `skilltree prompt --out` writes.
pub struct Artifact {
    built: Built,
    skipped: Vec<Skipped>,
}

impl Artifact {
    /// Returns the prompt block.
    #[must_use]
    pub fn block(&self) -> &[u8] {
        self.built.block()
    }

    /// Returns a file of the artifact; `None` for a comment when no skill was skipped.
    #[must_use]
    pub fn file(&self, name: Name) -> Option<&[u8]> {
        self.built.file(name)
    }

    /// Returns the skills that errors keep out of the block.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }
}

/// A skill that errors keep out of a prompt block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The path of its SKILL.md.
    pub path: String,
    /// The ids of the rules that report the errors.
    pub rules: Vec<String>,
}

/// The forecast of one runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// The id of the runtime's profile.
    pub runtime: String,
    /// Every skill, sorted by path.
    pub skills: Vec<SkillForecast>,
}

/// The forecast of one skill in one runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillForecast {
    /// The path of its SKILL.md.
    pub path: String,
    /// The outcome in this runtime.
    pub outcome: Outcome,
    /// Why, unless it loads unchanged.
    pub reason: Option<String>,
}

/// Collects warnings for the caller.
#[derive(Default)]
pub(crate) struct Collector {
    progress: Progress,
    warnings: Mutex<Vec<Warning>>,
}

impl Collector {
    /// Returns the warnings.
    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        self.warnings.into_inner().unwrap_or_default()
    }
}

impl Observer for Collector {
    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn warn(&self, message: &str, help: Option<&str>) {
        if let Ok(mut warnings) = self.warnings.lock() {
            warnings.push(Warning { message: message.to_owned(), help: help.map(str::to_owned) });
        }
    }
}
