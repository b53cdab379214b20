//! The answer to a request, as JSON.

use serde::Serialize;
use serde_json::value::RawValue;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::fix::{self, Offers, Outcome as Fixed, Why};
use skilltree_lint::memory::{Error, Linted};
use skilltree_report::render::{self, Options, forecast as written};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, Reason, Shown, SkillForecast, entry_texts, forecasts};
use skilltree_runtimes::profile::{Basis, Kind, Profile, Reported};
use skilltree_skills::json;
use skilltree_skills::skill::SkillId;

use crate::request::{Bytes, Fix, Mistake, Request};
use crate::verdict::verdict;

/// Maximum number of skills whose runtimes are described one by one.
const SKILLS: usize = 20;

#[derive(Serialize)]
struct Answer {
    version: &'static str,
    /// schema/report.json.
    report: Box<RawValue>,
    /// schema/forecast.json, of all runtimes.
    forecast: Box<RawValue>,
    runtimes: Vec<Runtime>,
    skills: Vec<Skill>,
    omitted: usize,
    /// Number of findings with a safe edit, and with another one.
    fixable: [usize; 2],
    fixed: Option<Edited>,
}

#[derive(Serialize)]
struct Runtime {
    id: String,
    title: String,
    kind: &'static str,
    rank: Option<u32>,
    basis: Option<String>,
}

#[derive(Serialize)]
struct Skill {
    path: String,
    verdict: String,
    /// One per runtime, in their order.
    runtimes: Vec<Seen>,
}

/// What a runtime does with a skill in one of its skills directories, and what its model sees.
#[derive(Serialize)]
struct Seen {
    outcome: &'static str,
    /// Whether the runtime reads the skills directory.
    reads: bool,
    reasons: Vec<String>,
    reported: Option<&'static str>,
    evidence: Option<String>,
    /// The entry in its list.
    entry: Option<String>,
    name: Option<String>,
    description: Option<String>,
    /// Length of the description before it was truncated.
    cut_from: Option<u64>,
}

/// The result of a fix.
#[derive(Serialize)]
struct Edited {
    files: Vec<Rewrite>,
    fixed: Vec<Line>,
    skipped: Vec<Line>,
}

#[derive(Serialize)]
struct Rewrite {
    path: Bytes,
    text: Bytes,
}

#[derive(Serialize)]
struct Line {
    path: String,
    rule: String,
    text: String,
}

#[derive(Serialize)]
struct Failure {
    error: String,
    help: Option<String>,
}

/// Answers a request. The same request gives the same bytes.
pub fn answer(request: &str) -> String {
    match answered(request) {
        Ok(answer) => text(&answer),
        Err(failure) => text(&failure),
    }
}

fn answered(json: &str) -> Result<Answer, Failure> {
    let request = Request::read(json)?;
    let files = request.files()?;
    let linted = files.lint()?;
    let Linted { source, config, report } = &linted;
    let excerpts = Excerpts::new(report, |files| source.bodies(files)).map_err(Error::from)?;
    let options = Options::default();
    let catalog = &report.catalog;
    let all: Vec<&Profile> = config.profiles.ids().filter_map(|id| config.profiles.find(id)).collect();
    let found = forecasts(catalog, &all);
    let mut report_json = Vec::new();
    let mut forecast_json = Vec::new();
    // Writing to memory cannot fail.
    let _ = render::write_json(report, &excerpts, &options, &mut report_json);
    let _ = written::write_json(catalog, &found, &|_| true, &options.source, &mut forecast_json);
    let mut ranked: Vec<Ranked<'_>> = all.into_iter().zip(found).map(|pair| Ranked::new(catalog, pair)).collect();
    ranked.sort_by_key(|ranked| (ranked.profile.kind != Kind::Runtime, ranked.profile.usage_rank));
    let skills: Vec<Skill> = catalog.skills().take(SKILLS).map(|(id, _)| skill(catalog, id, &ranked)).collect();
    let runtimes = ranked.iter().map(|ranked| runtime(ranked.profile)).collect();
    let Offers { safe, unsafe_edits } = fix::offers(report);
    let omitted = catalog.parsed.skills.len() - skills.len();
    let fixed = match request.fix {
        Some(fix) => Some(edited(files.fix(linted, &edits(fix))?)),
        None => None,
    };
    Ok(Answer {
        version: env!("CARGO_PKG_VERSION"),
        report: raw(report_json)?,
        forecast: raw(forecast_json)?,
        runtimes,
        skills,
        omitted,
        fixable: [safe, unsafe_edits],
        fixed,
    })
}

/// A runtime with its forecast and the entries of its list.
struct Ranked<'a> {
    profile: &'a Profile,
    forecast: Forecast,
    entries: Vec<Option<String>>,
}

impl<'a> Ranked<'a> {
    fn new(catalog: &Catalog, (profile, forecast): (&'a Profile, Forecast)) -> Self {
        Self { profile, entries: entry_texts(catalog, profile, &forecast), forecast }
    }
}

fn runtime(profile: &Profile) -> Runtime {
    Runtime {
        id: profile.id.clone(),
        title: profile.title.clone(),
        kind: match profile.kind {
            Kind::Runtime => "runtime",
            Kind::Design => "design",
            Kind::Specification => "specification",
            Kind::Installer => "installer",
        },
        rank: profile.usage_rank,
        basis: Basis::of(profile).map(|basis| basis.to_string()),
    }
}

fn skill(catalog: &Catalog, id: SkillId, ranked: &[Ranked<'_>]) -> Skill {
    let each: Vec<(&Profile, &SkillForecast)> =
        ranked.iter().map(|ranked| (ranked.profile, ranked.forecast.skill(id))).collect();
    let path = catalog.path(id).to_string();
    Skill {
        verdict: verdict(&path, &each),
        runtimes: ranked.iter().map(|ranked| seen(catalog, id, ranked)).collect(),
        path,
    }
}

fn seen(catalog: &Catalog, id: SkillId, ranked: &Ranked<'_>) -> Seen {
    let (skill, forecast) = (catalog.skill(ranked.forecast.best(id)), ranked.forecast.skill(id));
    let shown = |shown: &Option<Shown>, key| shown.as_ref().map(|shown| shown.text(skill, key).into_owned());
    let source = |reason: &Reason| {
        let evidence = reason.evidence(ranked.profile)?;
        let version = evidence.version.as_ref().map_or_else(String::new, |version| format!(" ({version})"));
        Some(format!("{}{version}", evidence.source))
    };
    Seen {
        outcome: forecast.if_read.word(),
        reads: forecast.reads_root,
        reasons: forecast.reason.iter().chain(&forecast.also).map(ToString::to_string).collect(),
        reported: forecast.reported.map(Reported::word),
        evidence: forecast.reason.as_ref().and_then(source),
        entry: ranked.entries[id.index()].clone(),
        name: shown(&forecast.name, "name"),
        description: shown(&forecast.description, "description"),
        cut_from: forecast.cut_from,
    }
}

fn edits(fix: Fix) -> fix::Request<'static> {
    fix::Request { unsafe_edits: fix == Fix::Unsafe, signed: false, settings: true, is_wanted: &|_, _| true }
}

fn edited(Fixed { rewrites, fixed, skipped, .. }: Fixed) -> Edited {
    let skipped = skipped.into_iter().map(|skipped| {
        let text = match skipped.why {
            Why::Unsafe => "the edit may change the meaning".to_owned(),
            Why::Obstacle(_) => "the file cannot be edited".to_owned(),
            Why::Rejected(harm) => format!("the edit {harm}"),
            Why::Unfinished => "there were too many edits".to_owned(),
        };
        Line { path: skipped.path.to_string(), rule: skipped.rule.id().to_owned(), text }
    });
    Edited {
        files: rewrites
            .into_iter()
            .map(|rewrite| Rewrite { path: Bytes::of(&rewrite.path), text: Bytes::of(&rewrite.after) })
            .collect(),
        fixed: fixed
            .into_iter()
            .map(|fixed| Line { path: fixed.path.to_string(), rule: fixed.rule.id().to_owned(), text: fixed.message })
            .collect(),
        skipped: skipped.collect(),
    }
}

fn raw(json: Vec<u8>) -> Result<Box<RawValue>, Failure> {
    let text = String::from_utf8(json).map_err(|error| Failure { error: error.to_string(), help: None })?;
    Ok(RawValue::from_string(text).map_err(Mistake::from)?)
}

fn text(answer: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let _ = json::write_value(answer, &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

impl From<Mistake> for Failure {
    fn from(mistake: Mistake) -> Self {
        Self { error: mistake.to_string(), help: None }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (help, place) = match &error {
            Error::Config(config) => (config.help.clone(), config.place.as_deref()),
            Error::Source(_) => (None, None),
        };
        let at =
            place.map_or_else(String::new, |(file, range)| format!("{}, byte {}: ", file.shown_path(), range.start));
        Self { error: format!("{at}{error}"), help }
    }
}
