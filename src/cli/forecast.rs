//! `forecast`: what each runtime loads, changes and drops.

use skilltree_report::render::forecast as render;
use skilltree_runtimes::forecast::forecasts;

use super::Status;
use super::args::{self, Common, ForecastFormat};
use super::configuration;
use super::output;
use super::request::Request;
use super::session;
use crate::failure::Failure;
use crate::purpose::Purpose;

pub(super) fn run(common: &Common, arguments: &args::Forecast) -> Result<Status, Failure> {
    let request = Request {
        targets: &arguments.targets,
        all_runtimes: arguments.all,
        purpose: Purpose::Read,
        ..Request::default()
    };
    let session = session::open(common, &arguments.source, &request)?;
    let stderr = output::Stderr::new(common);
    configuration::report(&stderr, &session);
    let catalog = &session.report.catalog;
    let runtimes = session.runtimes();
    let forecasts = forecasts(catalog, &runtimes);
    let source = session.description()?;
    match arguments.format {
        ForecastFormat::Json => output::data(common, |out| render::write_json(catalog, &forecasts, &source, out))?,
        ForecastFormat::Table => {
            output::stdout(common, |out| {
                render::write_table(catalog, &runtimes, &forecasts, output::style(common), out)
            })?;
        }
    }
    if let Some(looked_in) = session.looked_in() {
        stderr.info(&looked_in);
    }
    Ok(Status::Clean)
}
