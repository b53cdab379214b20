//! `forecast`: what each runtime loads, changes and drops.

use skilltree_core::forecast::forecasts;
use skilltree_core::profile::Profile;
use skilltree_core::render::forecast as render;

use super::Status;
use super::args::{self, Common, ForecastFormat};
use super::configuration;
use super::output;
use super::request::Request;
use super::session;
use crate::failure::Failure;

pub(super) fn run(common: &Common, arguments: &args::Forecast) -> Result<Status, Failure> {
    let request = Request { targets: &arguments.targets, without_rules: true, ..Request::default() };
    let session = session::open(common, &arguments.source, &request)?;
    let stderr = output::Stderr::new(common);
    configuration::report(&stderr, &session);
    let (catalog, config) = (&session.report.catalog, &session.config);
    let is_target = |id: &&str| config.targets.is_empty() || config.targets.iter().any(|target| target == id);
    let targets: Vec<&Profile> =
        config.profiles.ids().filter(is_target).filter_map(|id| config.profiles.find(id)).collect();
    let forecasts = forecasts(catalog, &targets);
    let source = session.description()?;
    match arguments.format {
        ForecastFormat::Json => output::data(common, |out| render::write_json(catalog, &forecasts, &source, out))?,
        ForecastFormat::Table => {
            output::stdout(common, |out| render::write_table(catalog, &forecasts, output::style(common), out))?;
        }
    }
    if let Some(looked_in) = session.looked_in() {
        stderr.info(&looked_in);
    }
    Ok(Status::Clean)
}
