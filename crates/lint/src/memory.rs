//! Lints files in memory as the program lints a repository: their own configuration, and a base if there is one.

use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Entry, Source};

use crate::compare::{Loosened, Pairs};
use crate::config::{self, CommandLine, Config, Inputs};
use crate::differences;
use crate::fix::{self, Outcome, Request, Texts};
use crate::lint::{self, Report};
use crate::versions;

/// Files to lint.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The files.
    pub head: Vec<Entry>,
    /// Files of the base; empty without a base.
    pub base: Vec<Entry>,
    /// Day of the check, in days since 1970-01-01.
    pub today: Option<i64>,
    /// Options of the command line.
    pub overrides: CommandLine,
}

/// Files with their report.
pub struct Linted {
    /// Source, to read texts again.
    pub source: Source,
    /// Configuration.
    pub config: Config,
    /// Report.
    pub report: Report,
}

/// Why files cannot be linted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration is malformed.
    #[error(transparent)]
    Config(#[from] config::Error),
    /// A file exceeds a limit.
    #[error(transparent)]
    Source(#[from] source::Error),
}

impl Files {
    /// Lints the files.
    ///
    /// # Errors
    /// If the configuration is malformed, or a limit is exceeded.
    pub fn lint(&self) -> Result<Linted, Error> {
        let source = source::memory(Origin::Memory, self.head.clone());
        let (config, report) = self.report(&source)?;
        Ok(Linted { source, config, report })
    }

    /// Makes the edits of a report.
    ///
    /// # Errors
    /// As [`Files::lint`].
    pub fn fix(&self, linted: Linted, request: &Request<'_>) -> Result<Outcome, Error> {
        let Linted { source, report, .. } = linted;
        let read = |files: &[_]| source.bodies(files).map_err(Error::from);
        let again = |texts: &Texts| Ok(self.report(&source.with(texts.clone()))?.1);
        fix::apply(report, request, read, again)
    }

    fn report(&self, source: &Source) -> Result<(Config, Report), Error> {
        let config = self.configure(source)?;
        let mut parsed = source.read(&lint::roots(&config), config.limits.bounds())?;
        parsed.time = self.today.map(|day| day * 86_400);
        let base = source::memory(Origin::Memory, self.base.clone());
        if let Some(before) = base.records()?.knowledge {
            parsed.records.compare(before, &mut parsed.files);
        }
        if versions::is_wanted(&config) && !self.base.is_empty() {
            let before = Catalog::new(base.read(&config.roots, config.limits.bounds())?);
            let after = Catalog::new(parsed);
            let compared = versions::compared((source, &after), (&base, &before), &config)?;
            parsed = versions::with(after.parsed, source, compared)?;
        }
        let mut report = lint::lint(parsed, &config);
        if !self.base.is_empty() {
            let base_config = self.configure(&base)?;
            let before = lint::lint(base.read(&config.roots, config.limits.bounds())?, &config);
            let configs = Some((&config, &base_config));
            let loosened = Loosened::new(configs, &report, &before, &Pairs::new(&report, &before));
            loosened.apply(&mut report, &base_config.levels);
        }
        differences::add(&mut report, |files| source.bodies(files))?;
        Ok((config, report))
    }

    /// Reads the configuration of a source.
    fn configure(&self, source: &Source) -> Result<Config, Error> {
        let settings = source.file(config::SETTINGS.into())?;
        let policy = match settings.as_ref().and_then(config::extended) {
            Some((path, _)) => source.file(path.as_str().into())?,
            None => None,
        };
        Ok(config::read(Inputs {
            policies: policy.into_iter().collect(),
            settings,
            workflow: source.file(config::WORKFLOW.into())?,
            overrides: self.overrides.clone(),
        })?)
    }
}
