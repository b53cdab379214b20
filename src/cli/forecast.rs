//! `forecast`: what each runtime loads, changes and drops.

use std::path::PathBuf;

use skilltree_report::render::forecast::{self as render, View};
use skilltree_runtimes::forecast::forecasts;
use skilltree_runtimes::profile::{Profiles, meant};

use super::Status;
use super::again::Again;
use super::args::external::External;
use super::args::{self, Common, ReadFormat, Source};
use super::configuration;
use super::external;
use super::output;
use super::paths;
use super::request::Request;
use super::session;
use crate::failure::{Failure, did_you_mean};
use crate::purpose::Purpose;

/// Number of runtimes that are shown without `--all`.
const SHOWN: usize = 5;

pub(super) fn run(common: &Common, arguments: &args::Forecast) -> Result<Status, Failure> {
    let (targets, paths) = words(common, &arguments.source, &arguments.external, &arguments.targets, &arguments.words)?;
    let request = Request {
        targets: &targets,
        all_runtimes: arguments.all,
        paths: &paths,
        external: Some(&arguments.external),
        here: arguments.external.is_wanted(),
        purpose: Purpose::Read,
        ..Request::default()
    };
    let session = session::open(common, &arguments.source, &request)?;
    let stderr = output::Stderr::new(common);
    configuration::report(&stderr, &session);
    external::warn_home(&stderr, &arguments.external, None);
    let catalog = &session.report.catalog;
    external::report(&stderr, catalog, &[], &session.unread, common.verbose);
    let wanted = paths::wanted(&session, &paths)?;
    wanted.notes().for_each(|note| stderr.info(&note));
    let is_wanted = |skill| wanted.contains(catalog.path(skill));
    let runtimes = session.runtimes();
    let forecasts = forecasts(catalog, &runtimes);
    match arguments.format {
        ReadFormat::Json => {
            let source = session.description()?;
            output::data(common, |out| render::write_json(catalog, &forecasts, &is_wanted, &source, out))?;
        }
        ReadFormat::Text => {
            let is_explicit = !session.config.targets.is_empty() && !arguments.all;
            let again = Again {
                external: Some(&arguments.external),
                targets: &targets,
                paths: &paths,
                ..Again::of(common, &arguments.source)
            };
            let all = again.command("forecast --all");
            let view = View {
                is_wanted: &is_wanted,
                is_explicit,
                most: (!is_explicit && !arguments.all).then_some(SHOWN),
                all: &all,
                verbose: common.verbose,
                look: output::style(common),
            };
            output::stdout(common, |out| render::write_text(catalog, &runtimes, &forecasts, view, out))?;
        }
    }
    session.explain_empty(&stderr);
    Ok(Status::Clean)
}

/// Splits the words into runtimes and paths. Outside a repository, the path is the current directory unless there is another.
pub(super) fn words(
    common: &Common,
    source: &Source,
    external: &External,
    targets: &[String],
    words: &[PathBuf],
) -> Result<(Vec<String>, Vec<PathBuf>), Failure> {
    let typed_in = session::typed_in(common)?;
    let mut targets = targets.to_vec();
    let mut paths: Vec<PathBuf> = Vec::new();
    let profiles = match words {
        [] => Profiles::default(),
        _ => session::profiles(common, source)?.0,
    };
    let is_path = |word: &PathBuf| {
        let opened = || session::source(&typed_in, source, &Request::default()).ok().flatten();
        typed_in.join(word).exists() || opened().is_some_and(|source| paths::is_known(&typed_in, &source, word))
    };
    for word in words {
        match word.to_str() {
            Some(id) if profiles.contains(id) => targets.push(id.to_owned()),
            Some(id) if !id.contains(['/', '\\']) && !is_path(word) => return Err(unknown(id, &profiles)),
            _ => paths.push(word.clone()),
        }
    }
    if paths.is_empty() && !external.is_wanted() && session::is_outside(common, source)? {
        paths.push(".".into());
    }
    Ok((targets, paths))
}

/// Returns the error for a word that is neither a runtime nor a path.
fn unknown(word: &str, profiles: &Profiles) -> Failure {
    let near = match meant(word) {
        [] => did_you_mean(word, profiles.ids()),
        meant => format!("; did you mean `{}`?", meant.join("` or `")),
    };
    Failure::new(format!("there is no runtime and no path `{word}`{near}"))
        .help("run `skilltree profiles` to list the runtimes")
}
