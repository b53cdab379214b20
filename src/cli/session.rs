//! Opens the session that the arguments describe.

use std::io::Read;
use std::path::PathBuf;

use skilltree_git::Revision;
use skilltree_lint::config::Config;
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Progress, Source};

mod details;

use super::again;
use super::args;
use super::environment::{self, Hook};
use super::output::Stderr;
use super::outside;
use super::paths;
use super::request::{Request, explicit, options};
use super::watch::Step;
use crate::failure::Failure;
use crate::file;
use crate::options::{Observer, Options};
use crate::place::Place;
use crate::purpose::Purpose;
use crate::session::{self, Session};

/// Opens the source that the arguments name, reads its configuration and skills, and checks them.
pub(super) fn open(common: &args::Common, arguments: &args::Source, request: &Request<'_>) -> Result<Session, Failure> {
    let typed_in = typed_in(common)?;
    let options = options(arguments, request);
    let own = source(&typed_in, arguments, request)
        .map_err(|failure| as_directory(common, &typed_in, failure, &options, request))?;
    if let Some(session) = outside::open(common, &typed_in, own.as_ref(), &options, request)? {
        return Ok(session);
    }
    let Some(source) = own else { return Err(paths::nothing_at(request.paths)) };
    let session = Session::new(typed_in.clone(), typed_in.clone(), source, &options, request.purpose, common)?;
    if matches!(session.source.origin(), Origin::StandardInput) {
        return Ok(session);
    }
    paths::reopened(session, request.paths, |directories| {
        let Some(source) = self::source(&typed_in, arguments, request)? else {
            return Err(paths::nothing_at(request.paths));
        };
        Session::new(
            typed_in.clone(),
            typed_in.clone(),
            source,
            &Options { directories, ..options },
            request.purpose,
            common,
        )
    })
}

/// Names the command that reads the current directory if it holds skills and is in no repository.
fn as_directory(
    common: &args::Common,
    typed_in: &Place,
    failure: Failure,
    options: &Options,
    request: &Request<'_>,
) -> Failure {
    let opened = skilltree_git::open(typed_in, &Revision::WorkTree, &typed_in.environment);
    let is_outside = matches!(opened, Err(source::Error::NoRepository { .. }));
    let is_plain = request.purpose == Purpose::Check && options.revision.is_none() && options.base.is_none();
    if !is_outside || !is_plain || !paths::holds_skill(typed_in) {
        return failure;
    }
    let word = if request.worktree { "fix ." } else { "check ." };
    failure.help(format!("run `{}` to read it as a directory, or `git init`", again::here(common, None, word)))
}

/// Returns the directory that paths on the command line are relative to: the current one, or `-C`.
///
/// # Errors
/// When `-C` names no directory.
pub(super) fn typed_in(common: &args::Common) -> Result<Place, Failure> {
    let mut directory = environment::current_directory();
    if let Some(named) = &common.directory {
        directory.push(named);
        if !directory.is_dir() {
            return Err(Failure::new(format!("`{}` is not a directory", named.display()))
                .help("pass an existing directory: `-C DIR`"));
        }
    }
    Ok(Place::new(directory, environment::git(common.watch.directories())))
}

/// Keeps only the findings about some paths. Returns notes about paths that are skipped.
pub(super) fn keep(session: &mut Session, paths: &[PathBuf]) -> Result<Vec<String>, Failure> {
    if matches!(session.source.origin(), Origin::StandardInput) {
        return Ok(Vec::new());
    }
    let wanted = paths::wanted(session, paths)?;
    paths::filter(session, &wanted);
    Ok(wanted.notes().collect())
}

impl Observer for args::Common {
    fn progress(&self) -> &Progress {
        self.watch.progress()
    }

    fn read(&self) {
        self.watch.step(Step::Read);
    }

    fn lint(&self) {
        self.watch.step(Step::Lint);
    }

    fn warn(&self, message: &str, help: Option<&str>) {
        Stderr::new(self).warn(message, help);
    }
}

/// Returns the profiles: outside a repository only the built-in ones.
pub(super) fn profiles(common: &args::Common, arguments: &args::Source) -> Result<(Profiles, Option<i64>), Failure> {
    let (config, today) = configuration(common, arguments, &[])?;
    Ok((config.profiles, today))
}

/// Returns the configuration without reading a skill: outside a repository the default one.
pub(super) fn configuration(
    common: &args::Common,
    arguments: &args::Source,
    rules: &[String],
) -> Result<(Config, Option<i64>), Failure> {
    let place = typed_in(common)?;
    let given = &arguments.overrides;
    let explicit = explicit(arguments).is_some() || given.config.is_some() || given.config_from.is_some();
    match skilltree_git::open(&place, &Revision::WorkTree, &place.environment) {
        Err(source::Error::NoRepository { .. }) if !explicit && given.policy.is_none() => Ok((Config::new(), None)),
        _ => {
            // A policy has a meaning outside a repository, too.
            let request = Request { rules, here: given.policy.is_some(), ..Request::default() };
            let Some(source) = source(&place, arguments, &request)? else { return Ok((Config::new(), None)) };
            let options = options(arguments, &request);
            let today = session::today(&options)?.or(source.time()).map(|seconds| seconds.div_euclid(86_400));
            Ok((session::configure(&place, &source, &options)?, today))
        }
    }
}

/// Returns whether the current directory is in no repository but holds skills, and the arguments name no source.
pub(super) fn is_outside(common: &args::Common, arguments: &args::Source) -> Result<bool, Failure> {
    let place = typed_in(common)?;
    let opened = skilltree_git::open(&place, &Revision::WorkTree, &place.environment);
    let is_outside = explicit(arguments).is_none() && matches!(opened, Err(source::Error::NoRepository { .. }));
    Ok(is_outside && paths::holds_skill(&place))
}

/// Opens the source in the current directory; `None` without a repository if the named paths may be in another one.
pub(super) fn source(
    place: &Place,
    arguments: &args::Source,
    request: &Request<'_>,
) -> Result<Option<Source>, Failure> {
    let paths = request.paths;
    if let [path] = paths
        && path.as_os_str() == "-"
    {
        return Ok(Some(source::standard_input(standard_input()?)));
    }
    let explicit = explicit(arguments);
    let revision = explicit.clone().unwrap_or_else(|| match environment::hook().filter(|_| !request.worktree) {
        Some(Hook::Pushed(commit)) => Revision::Tree(commit),
        Some(Hook::Commit) => Revision::Index,
        None => Revision::WorkTree,
    });
    match skilltree_git::open(place, &revision, &place.environment) {
        Err(source::Error::NoWorkTree) if explicit.is_none() => {
            Ok(Some(skilltree_git::open(place, &Revision::Tree("HEAD".into()), &place.environment)?))
        }
        Err(source::Error::NoRepository { .. }) if request.here => Ok(Some(skilltree_git::top(place))),
        Err(source::Error::NoRepository { .. }) if explicit.is_none() && !paths.is_empty() => Ok(None),
        opened => Ok(Some(opened?)),
    }
}

/// Returns a text of the command line, or standard input for `-`.
pub(super) fn text(word: &str) -> Result<String, Failure> {
    if word != "-" {
        return Ok(word.to_owned());
    }
    String::from_utf8(standard_input()?).map_err(|_| Failure::new("standard input is not UTF-8"))
}

/// Reads standard input, up to 64 MiB, which is over every limit of a file.
pub(super) fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(64 << 20).read_to_end(&mut text);
    read.map_err(|error| Failure::new(format!("standard input cannot be read: {}", file::reason(&error))))?;
    Ok(text)
}
