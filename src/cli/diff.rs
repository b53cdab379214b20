//! `diff`: what a change does for the model.

use skilltree_git::Revision;
use skilltree_report::render::changes::{self as render, Between, Format};
use skilltree_skills::source::{self, Source};

use super::Status;
use super::args::{self, Common, DiffFormat};
use super::configuration;
use super::elsewhere;
use super::links;
use super::output::{self, Stderr};
use super::request::{self, Request};
use super::session;
use super::watch::Step;
use crate::base;
use crate::changes;
use crate::failure::Failure;
use crate::place::Place;

pub(super) fn run(common: &Common, diff: &args::Diff) -> Result<Status, Failure> {
    let place = session::typed_in(common)?;
    let request = Request {
        targets: &diff.targets,
        all_runtimes: diff.all,
        profile: diff.profile.as_deref(),
        ..Request::default()
    };
    let named = diff.range.as_ref().map(|range| &range.base).or(diff.base.as_ref()).map_or("HEAD", String::as_str);
    let options = base::with_configuration(&request::options(&diff.source, &request), Some(named), &place, common)?;
    let head = head(&place, diff)?;
    let base = match &diff.range {
        Some(range) if !range.is_symmetric => changes::exact_base(&place, named)?,
        _ => changes::base(&place, named, &head, common)?,
    };
    let compared = changes::between(&place, head, base, &options, common)?;
    compared.warn_of_hidden(&options, common)?;
    common.watch.step(Step::Write);
    let links = compared.commits.map(links::below);
    let between = Between { links, look: output::style(common), ..compared.between };
    let write = |format: Format, out: &mut dyn std::io::Write| render::write(format, &compared.changes, &between, out);
    match diff.format {
        DiffFormat::Text => output::stdout(common, |out| write(Format::Text, out))?,
        DiffFormat::Markdown => output::stdout(common, |out| write(Format::Markdown, out))?,
        DiffFormat::Json => output::data(common, |out| write(Format::Json, out))?,
    }
    let stderr = Stderr::new(common);
    configuration::report(&stderr, &compared.head);
    let head = &compared.head;
    elsewhere::report(&stderr, &head.config, diff.profile.as_deref(), &head.report.catalog);
    stderr.info(&between.summary());
    if compared.changes.is_empty() && is_default(diff) {
        stderr.info("nothing staged changes a skill; `--worktree` compares the working tree");
    }
    Ok(Status::Clean)
}

/// Opens the state that is compared: the index, unless the arguments name another one. A bare repository has none: then it is `HEAD`.
fn head(place: &Place, diff: &args::Diff) -> Result<Source, Failure> {
    let named = match &diff.range {
        Some(range) => Some(Revision::Tree(range.head.clone())),
        None => request::explicit(&diff.source),
    };
    let revision = named.clone().unwrap_or(Revision::Index);
    match skilltree_git::open(place, &revision, &place.environment) {
        Err(source::Error::NoWorkTree) if named.is_none() && diff.base.is_some() => {
            Ok(skilltree_git::open(place, &Revision::Tree("HEAD".into()), &place.environment)?)
        }
        Err(source::Error::NoWorkTree) if named.is_none() => {
            Err(Failure::new("a bare repository has no index").help("name two revisions: `skilltree diff main..topic`"))
        }
        opened => Ok(opened?),
    }
}

/// Returns whether no argument names a state.
fn is_default(diff: &args::Diff) -> bool {
    diff.range.is_none() && diff.base.is_none() && request::explicit(&diff.source).is_none()
}
