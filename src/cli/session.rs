//! From arguments to a report: the source, the configuration, the skills, the verdict.
#![allow(clippy::disallowed_methods, reason = "a configuration file and standard input are named by the caller")]

use std::io::Read;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString};
use skilltree::config::{self, CommandLine, Config, Inputs};
use skilltree::date;
use skilltree::excerpt::Excerpts;
use skilltree::lint;
use skilltree::profile::Profiles;
use skilltree::skill::Parsed;
use skilltree::snapshot::{Body, File, Origin, Role};
use skilltree::source::{self, CONFIG_BYTES, Progress, Revision, Source, Unread};
use skilltree::{Report, judge};

mod words;

use super::args;
use super::args::beside::Beside;
use super::base;
use super::beside;
use super::elsewhere;
use super::environment::{self, Hook};
use super::failure::Failure;
use super::files;
use super::output::{self, Stderr};
use super::paths;
use super::place::Place;
use super::watch::Step;

/// What a command works on.
pub(super) struct Session {
    /// The directory that paths of the command line are relative to.
    pub(super) typed_in: Place,
    /// A directory of the repository, if there is one: other revisions of it are found from here.
    pub(super) place: Place,
    pub(super) source: Source,
    pub(super) config: Config,
    pub(super) report: Report,
    /// What of the directories beside the repository could not be read.
    pub(super) unread: Vec<Unread>,
}

/// Where a command was typed, and where it works.
pub(super) struct Places {
    /// The directory that paths of the command line are relative to.
    pub(super) typed_in: Place,
    /// A directory of the repository, if there is one.
    pub(super) place: Place,
}

/// What the commands differ in.
#[derive(Default)]
pub(super) struct Request<'a> {
    /// `--rule ID=LEVEL`.
    pub(super) rules: &'a [String],
    /// `--target PROFILE`.
    pub(super) targets: &'a [String],
    /// `prompt --profile PROFILE`.
    pub(super) profile: Option<&'a str>,
    /// Skills to report on; `-` is standard input.
    pub(super) paths: &'a [PathBuf],
    /// Whether the work tree is meant in a hook too, where nothing else is said.
    pub(super) work_tree: bool,
    /// Whether this directory is meant where there is no repository.
    pub(super) here: bool,
    /// `--base REV`: what it is compared with.
    pub(super) base: Option<&'a str>,
    /// Directories that are read beside the repository.
    pub(super) beside: Option<&'a Beside>,
    /// Whether nobody asks for a verdict: then no rule judges the skills.
    pub(super) unjudged: bool,
}

impl Session {
    /// Opens the source, reads the configuration and the skills, and judges them.
    pub(super) fn open(
        common: &args::Common,
        arguments: &args::Source,
        request: &Request<'_>,
    ) -> Result<Self, Failure> {
        let typed_in = Place::typed_in(common)?;
        let own = open(&typed_in, arguments, request)?;
        if let Some(session) = elsewhere::open(common, &typed_in, own.as_ref(), arguments, request)? {
            return Ok(session);
        }
        let place = typed_in.clone();
        let Some(source) = own else { return Err(paths::nothing_at(&request.paths[0])) };
        Self::judged(common, Places { typed_in, place }, source, arguments, request)
    }

    /// Reads the configuration and the skills of a source, and judges them.
    pub(super) fn judged(
        common: &args::Common,
        Places { typed_in, place }: Places,
        source: Source,
        arguments: &args::Source,
        request: &Request<'_>,
    ) -> Result<Self, Failure> {
        let config = configure(&place, &source, arguments, request)?;
        let volumes = request.beside.map(|beside| beside::volumes(&typed_in, beside, request.profile));
        let (source, unread) = source.beside(&volumes.transpose()?.unwrap_or_default(), &config.roots);
        let report = report(common, &place, &source, arguments, (request, &config))?;
        if *source.origin() == Origin::WorkTree
            && report.catalog.parsed.skills.is_empty()
            && !source::is_checked_out(&place, &place.environment)
        {
            let help = "judge what was committed: `--rev HEAD`";
            Stderr::new(common).warn("nothing of this repository was checked out: it has no index", Some(help));
        }
        Ok(Self { typed_in, place, source, config, report, unread })
    }

    /// Leaves the findings about some paths.
    pub(super) fn keep(&mut self, paths: &[PathBuf]) -> Result<(), Failure> {
        if matches!(self.source.origin(), Origin::StandardInput) {
            return Ok(());
        }
        paths::filter(&mut self.report, &self.source, &self.typed_in, paths)
    }

    /// The places of the report as a reader sees them; reads those files again.
    pub(super) fn excerpts(&self) -> Result<Excerpts, Failure> {
        Ok(Excerpts::new(&self.report, |files| self.source.bodies(files))?)
    }
}

/// Reads the configuration and the skills of a source, and judges them.
pub(super) fn judged(
    common: &args::Common,
    place: &Place,
    source: &Source,
    arguments: &args::Source,
    request: &Request<'_>,
) -> Result<(Config, Report), Failure> {
    let config = configure(place, source, arguments, request)?;
    let report = report(common, place, source, arguments, (request, &config))?;
    Ok((config, report))
}

/// Reads the skills of a source and judges them.
fn report(
    common: &args::Common,
    place: &Place,
    source: &Source,
    arguments: &args::Source,
    (request, config): (&Request<'_>, &Config),
) -> Result<Report, Failure> {
    common.watch.step(Step::Read);
    let parsed = read(place, source, arguments, config, common.watch.progress())?;
    let mut parsed = Parsed { time: today(arguments)?.or(parsed.time), ..parsed };
    if let Some(before) = request.base.and_then(|revision| base::knowledge(place, revision, source)) {
        parsed.records.compare(before, &mut parsed.files);
    }
    common.watch.step(Step::Judge);
    Ok(if request.unjudged { lint::unjudged(parsed, config) } else { judge(parsed, config) })
}

/// The profiles that are known where the command runs: ours alone outside of any repository.
pub(super) fn profiles(common: &args::Common, arguments: &args::Source) -> Result<Profiles, Failure> {
    let place = Place::typed_in(common)?;
    let explicit = explicit(arguments).is_some() || arguments.config.is_some() || arguments.config_from.is_some();
    match source::open(&place, &Revision::WorkTree, &place.environment) {
        Err(source::Error::NoRepository { .. }) if !explicit => Ok(Profiles::default()),
        _ => {
            let request = Request::default();
            let Some(source) = open(&place, arguments, &request)? else { return Ok(Profiles::default()) };
            Ok(configure(&place, &source, arguments, &request)?.profiles)
        }
    }
}

/// Opens what the arguments mean here; `None` when there is no repository, and paths were named that may lie elsewhere.
fn open(place: &Place, arguments: &args::Source, request: &Request<'_>) -> Result<Option<Source>, Failure> {
    let paths = request.paths;
    if let [path] = paths
        && path.as_os_str() == "-"
    {
        return Ok(Some(source::standard_input(standard_input()?)));
    }
    let explicit = explicit(arguments);
    let revision = explicit.clone().unwrap_or_else(|| match environment::hook().filter(|_| !request.work_tree) {
        Some(Hook::Pushed(commit)) => Revision::Tree(commit),
        Some(Hook::Commit) => Revision::Index,
        None => Revision::WorkTree,
    });
    match source::open(place, &revision, &place.environment) {
        Err(source::Error::NoWorkTree) if explicit.is_none() => {
            Ok(Some(source::open(place, &Revision::Tree("HEAD".into()), &place.environment)?))
        }
        Err(source::Error::NoRepository { .. }) if request.here => Ok(Some(source::top(place))),
        Err(source::Error::NoRepository { .. }) if explicit.is_none() && !paths.is_empty() => Ok(None),
        opened => Ok(Some(opened?)),
    }
}

pub(super) fn explicit(arguments: &args::Source) -> Option<Revision> {
    if arguments.staged {
        return Some(Revision::Index);
    }
    if arguments.worktree {
        return Some(Revision::WorkTree);
    }
    arguments.rev.clone().map(Revision::Tree)
}

/// What stands on standard input. One byte over any limit is enough to be too large.
pub(super) fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(64 << 20).read_to_end(&mut text);
    read.map_err(|error| Failure::new(format!("standard input cannot be read: {}", output::reason(&error))))?;
    Ok(text)
}

/// The configuration that a source holds, or that the arguments name.
pub(super) fn configure(
    place: &Place,
    source: &Source,
    arguments: &args::Source,
    request: &Request<'_>,
) -> Result<Config, Failure> {
    let base;
    let from = match &arguments.config_from {
        Some(revision) => {
            base = source::open(place, &Revision::Tree(revision.clone()), &place.environment)?;
            &base
        }
        None => source,
    };
    let read = |name: &str| if arguments.no_config { Ok(None) } else { from.file(BStr::new(name)) };
    let settings = match &arguments.config {
        Some(path) => Some(named_file(place, path)?),
        None => read(config::SETTINGS)?,
    };
    let overrides = CommandLine {
        roots: arguments.roots.clone(),
        profile: request.profile.map(str::to_owned),
        rules: request.rules.to_vec(),
        targets: request.targets.to_vec(),
        preview: arguments.preview,
    };
    Ok(config::read(Inputs { settings, workflow: read(config::WORKFLOW)?, overrides })?)
}

/// The skills of a source. Where the configuration is taken from another revision, only the ignores count that its skills
/// have as well: what a change brings with it cannot excuse it.
pub(super) fn read(
    place: &Place,
    source: &Source,
    arguments: &args::Source,
    config: &Config,
    progress: &Progress,
) -> Result<Parsed, source::Error> {
    let bounds = lint::bounds(&config.limits);
    let mut parsed = source.read_counted(&config.roots, bounds, progress)?;
    if let Some(revision) = &arguments.config_from
        && parsed.ignores().next().is_some()
    {
        let from = source::open(place, &Revision::Tree(revision.clone()), &place.environment)?;
        parsed.count_ignores_of(&from.read(&config.roots, bounds)?);
    }
    Ok(parsed)
}

fn named_file(place: &Path, path: &Path) -> Result<File, Failure> {
    let name = path.display().to_string();
    let text = files::read(&place.join(path), CONFIG_BYTES + 1).map_err(|error| {
        Failure::new(format!("the configuration `{name}` cannot be read: {}", output::reason(&error)))
            .help("name a file that exists: `--config FILE`, or leave the option out")
    })?;
    if text.len() as u64 > CONFIG_BYTES {
        return Err(Failure::new(format!("the configuration `{name}` is longer than 1 MiB"))
            .help("name a skilltree.toml: `--config FILE`, or leave the option out"));
    }
    Ok(File::new(BString::from(name), Role::Config, None, Body::Text(text)))
}

fn today(arguments: &args::Source) -> Result<Option<i64>, Failure> {
    let Some(day) = &arguments.today else { return Ok(None) };
    match date::parse(day) {
        Some(day) => Ok(Some(day * 86_400)),
        None => {
            Err(Failure::new(format!("`{day}` is not a date")).help("write it as YYYY-MM-DD, for example 2026-11-20"))
        }
    }
}
