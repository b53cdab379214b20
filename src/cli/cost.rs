//! `cost`: the tokens that skills take in the context of a model.

use skilltree_lint::cost::Cost;
use skilltree_report::render::forecast::cost::{self as render, View};
use skilltree_runtimes::forecast::forecasts;

use super::Status;
use super::args::{self, Common, ReadFormat};
use super::configuration;
use super::external;
use super::forecast::words;
use super::output;
use super::paths;
use super::request::Request;
use super::session;
use crate::failure::Failure;
use crate::purpose::Purpose;

/// Number of runtimes that are shown without `--all`.
const RUNTIMES: usize = 5;
/// Number of skills that are shown without `--all`.
const SKILLS: usize = 20;

pub(super) fn run(common: &Common, arguments: &args::Cost) -> Result<Status, Failure> {
    let (targets, paths) = words(common, &arguments.source, &arguments.external, &arguments.targets, &arguments.words)?;
    let request = Request {
        targets: &targets,
        paths: &paths,
        external: Some(&arguments.external),
        here: arguments.external.is_wanted(),
        purpose: Purpose::Measure,
        ..Request::default()
    };
    let session = session::open(common, &arguments.source, &request)?;
    let stderr = output::Stderr::new(common);
    let faults = configuration::report(&stderr, &session);
    external::warn_home(&stderr, &arguments.external, None);
    let catalog = &session.report.catalog;
    external::report(&stderr, catalog, &[], &session.unread, common.verbose);
    let wanted = paths::wanted(&session, &paths)?;
    wanted.notes().for_each(|note| stderr.info(&note));
    let runtimes = session.runtimes();
    let forecasts = forecasts(catalog, &runtimes);
    let is_wanted = |skill| wanted.contains(catalog.path(skill));
    let cost = Cost::new(catalog, &runtimes, &forecasts, &is_wanted, &session.config.limits);
    match arguments.format {
        ReadFormat::Json => {
            let source = session.description()?;
            output::data(common, |out| render::write_json(catalog, &cost, &source, out))?;
        }
        ReadFormat::Text => {
            let is_explicit = arguments.all || !session.config.targets.is_empty();
            let view = View {
                most_skills: (!arguments.all).then_some(SKILLS),
                most_runtimes: (!is_explicit).then_some(RUNTIMES),
                look: output::style(common),
            };
            output::stdout(common, |out| render::write_text(catalog, &cost, view, out))?;
        }
    }
    session.explain_empty(&stderr);
    // An invalid limit was not checked.
    Ok(if cost.over.is_empty() && faults == 0 { Status::Clean } else { Status::Found })
}
