//! `forecast`: what each runtime makes of the skills.

use skilltree::forecast::forecasts;
use skilltree::profile::Profile;
use skilltree::render::forecast as render;

use super::Status;
use super::args::{self, Common, ForecastFormat};
use super::configuration;
use super::failure::Failure;
use super::output;
use super::session::{Request, Session};

pub(super) fn run(common: &Common, arguments: &args::Forecast) -> Result<Status, Failure> {
    let request = Request { targets: &arguments.targets, unjudged: true, ..Request::default() };
    let session = Session::open(common, &arguments.source, &request)?;
    let stderr = output::Stderr::new(common);
    configuration::tell(&stderr, &session);
    let (catalog, config) = (&session.report.catalog, &session.config);
    let is_asked = |id: &&str| config.targets.is_empty() || config.targets.iter().any(|target| target == id);
    let targets: Vec<&Profile> =
        config.profiles.ids().filter(is_asked).filter_map(|id| config.profiles.find(id)).collect();
    let forecasts = forecasts(catalog, &targets);
    let source = session.words()?;
    match arguments.format {
        ForecastFormat::Json => output::data(common, |out| render::write_json(catalog, &forecasts, &source, out))?,
        ForecastFormat::Table => {
            output::stdout(common, |out| render::write_table(catalog, &forecasts, output::look(common), out))?;
        }
    }
    if let Some(looked_in) = session.looked_in() {
        stderr.say(&looked_in);
    }
    Ok(Status::Clean)
}
