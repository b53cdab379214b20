//! From options to a report: configuration, skills, findings.

use bstr::BStr;
use skilltree_front_matter::text;
use skilltree_git::Revision;
use skilltree_lint::Report;
use skilltree_lint::config::{self, CommandLine, Config, ConfigFault, Inputs};
use skilltree_lint::differences;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint;
use skilltree_lint::lint::Warning;
use skilltree_lint::rule::{self, Level, RuleRef};
use skilltree_lint::rules::invalid_configuration;
use skilltree_lint::versions;
use skilltree_report::render::{self, Format};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::scope::Scope;
use skilltree_skills::date;
use skilltree_skills::markdown;
use skilltree_skills::records::Knowledge;
use skilltree_skills::roots::RootSet;
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::{File, Origin};
use skilltree_skills::source::{self, Progress, Source, Unread};

use crate::absent;
use crate::external;
use crate::failure::Failure;
use crate::named::{self, Named};
use crate::options::{Observer, Options, Overrides};
use crate::place::Place;
use crate::purpose::Purpose;

/// The cap of trees in the description of a source: a pattern can match thousands of skills directories.
const SHOWN_TREES: usize = 8;

/// The cap of named files that the repository lacks.
const SHOWN_UNREAD: usize = 3;

/// Skills that were read and checked.
pub(crate) struct Session {
    /// The directory that paths of the caller are relative to.
    pub(crate) typed_in: Place,
    /// A directory of the repository, if there is one; other revisions of it are found from here.
    pub(crate) place: Place,
    pub(crate) source: Source,
    pub(crate) config: Config,
    pub(crate) report: Report,
    /// Why the skills were read.
    pub(crate) purpose: Purpose,
    /// Files that could not be read and are skipped: outside the repository, and for a prompt in it.
    pub(crate) unread: Vec<Unread>,
}

impl Session {
    /// Reads the configuration and the skills of a source, and checks them.
    pub(crate) fn new(
        typed_in: Place,
        place: Place,
        source: Source,
        options: &Options,
        purpose: Purpose,
        observer: &dyn Observer,
    ) -> Result<Self, Failure> {
        let source = typed(&typed_in, source, options);
        let mut config = configure(&place, &source, options)?;
        add_own_faults(&place, &source, options, purpose, &mut config);
        let mut volumes = external::volumes(&typed_in, options, purpose)?;
        if purpose.reads_nothing(&config) {
            // The design: no walk. Without skills directories, nothing is opened.
            config.roots = RootSet { patterns: Vec::new(), discovery: None, near: Vec::new(), ..config.roots };
            volumes.clear();
        }
        config.roots.elsewhere = external::users(&source, &volumes);
        let (source, unread) = skilltree_git::mount(source, &volumes, &config.roots);
        let (source, mut report) = complete(&place, source, options, (purpose, &config), observer)?;
        let unread = unread.into_iter().chain(report.catalog.parsed.unread.iter().cloned()).collect();
        if matches!(source.origin(), Origin::WorkTree | Origin::Index)
            && !purpose.reads_nothing(&config)
            && report.catalog.parsed.skills.is_empty()
            && !skilltree_git::is_checked_out(&place, &place.environment)
        {
            // Its skills are in the commit: an empty report would look like a clean one.
            return Err(Failure::new("no files of this repository are checked out: it has no index")
                .help("check the last commit instead: `--rev HEAD`"));
        }
        if let Some((message, help)) = unread_settings(&report, &config, options, purpose) {
            warn(&mut report, observer, message, Some(help));
        }
        let dated = if report.catalog.parsed.time.is_none() { dated(&report, &config) } else { 0 };
        if dated > 0 {
            let help =
                "add `--today YYYY-MM-DD`; in a repository with commits, the day of the commit counts".to_owned();
            let count = render::count(dated, "ignore");
            let message = format!("there is no commit and no date, so `until` of {count} has no effect");
            warn(&mut report, observer, message, Some(help));
        }
        Ok(Self { typed_in, place, source, config, report, purpose, unread })
    }

    /// Runs the rules that can keep skills out of a prompt, in a session that was opened without rules.
    pub(crate) fn reject(self) -> Self {
        let mut parsed = self.report.catalog.parsed;
        // The report of no rules has the files of the configuration already.
        parsed.files.truncate(parsed.files.len().saturating_sub(self.config.files.len()));
        Self { report: lint::rejections(parsed, &self.config), ..self }
    }

    /// Names what was checked: `index`, `main at 3f2c1ab`.
    pub(crate) fn name(&self) -> String {
        match self.source.origin() {
            Origin::Index => "index".to_owned(),
            Origin::Tree { revision, commit: Some(commit) } => {
                let commit = commit.to_string();
                let short = &commit[..commit.len().min(7)];
                if commit.starts_with(revision.as_str()) { short.to_owned() } else { format!("{revision} at {short}") }
            }
            Origin::Tree { revision, commit: None } => revision.clone(),
            Origin::WorkTree => "working tree".to_owned(),
            Origin::Directory => "directory".to_owned(),
            Origin::StandardInput => "standard input".to_owned(),
            Origin::Memory => "memory".to_owned(),
        }
    }

    /// Describes what was checked: `the index (skills tree 3f2c1ab)`.
    pub(crate) fn description(&self) -> Result<String, Failure> {
        let name = match self.source.origin() {
            Origin::Index => "the index".to_owned(),
            Origin::Tree { .. } => self.name(),
            Origin::WorkTree | Origin::Directory => return Ok(format!("the {}", self.name())),
            Origin::StandardInput | Origin::Memory => return Ok(self.name()),
        };
        let trees = self.source.trees(&self.report.catalog.parsed)?;
        let trees: Vec<String> = trees.into_iter().flatten().map(|tree| tree.to_string()[..7].to_owned()).collect();
        Ok(match trees.as_slice() {
            [] => name,
            [tree] => format!("{name} (skills tree {tree})"),
            trees if trees.len() <= SHOWN_TREES => format!("{name} (skills trees {})", trees.join(", ")),
            trees => {
                let (shown, more) = trees.split_at(SHOWN_TREES);
                format!("{name} (skills trees {} and {} more)", shown.join(", "), more.len())
            }
        })
    }

    /// Returns the runtimes to forecast: those in scope of a skills directory, or all of them if the caller asks for them.
    pub(crate) fn runtimes(&self) -> Vec<&Profile> {
        let (parsed, profiles) = (&self.report.catalog.parsed, &self.config.profiles);
        if self.config.all_runtimes {
            return profiles.ids().filter_map(|id| profiles.find(id)).collect();
        }
        let catalog = &self.report.catalog;
        let packages = |profile: &Profile| catalog.packages(profile);
        let scope = Scope::with(&parsed.roots, &self.config.targets, profiles, &packages, catalog.published());
        let files = catalog.flat_files().filter(|_| parsed.skills.is_empty()).filter_map(|(_, file)| file.root);
        scope.profiles(parsed.skills.iter().map(|skill| skill.root).chain(files))
    }

    /// Returns whether an ignore ends on a day, so that the findings depend on the day.
    pub(crate) fn has_until(&self) -> bool {
        let skills = &self.report.catalog.parsed.skills;
        self.config.ignores.iter().any(|ignore| ignore.until.is_some())
            || skills
                .iter()
                .flat_map(|skill| skill.comments())
                .flat_map(|(_, ignores)| ignores)
                .any(|ignore| ignore.until.is_some())
    }

    /// Reads the lines around findings again, and computes their lines and columns.
    pub(crate) fn excerpts(&self) -> Result<Excerpts, Failure> {
        Ok(Excerpts::new(&self.report, |files| self.source.bodies(files))?)
    }

    /// Returns the excerpts for some formats: only SARIF has hashes of lines.
    pub(crate) fn excerpts_for(&self, formats: &[Format]) -> Result<Excerpts, Failure> {
        match formats.contains(&Format::Sarif) {
            true => self.excerpts(),
            false => Ok(Excerpts::without_line_hashes(&self.report, |files| self.source.bodies(files))?),
        }
    }

    /// Returns the excerpts for texts that show the most severe findings only: of thousands of others, no file is read again.
    pub(crate) fn excerpts_of_most_severe(&self) -> Result<Excerpts, Failure> {
        let limit = self.config.limits.shown_findings;
        let most = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        Ok(Excerpts::of_most_severe(&self.report, most, |files| self.source.bodies(files))?)
    }
}

/// Reads and checks a source. If the repository lacks objects, those that the change does not concern are left unread.
fn complete(
    place: &Place,
    source: Source,
    options: &Options,
    (purpose, config): (Purpose, &Config),
    observer: &dyn Observer,
) -> Result<(Source, Report), Failure> {
    let failure = match report(place, &source, options, purpose, (config, None), observer) {
        Ok(report) => return Ok((source, report)),
        Err(failure) => failure,
    };
    let Ok(Some(unneeded)) = absent::unneeded(place, &source, options, (config, &purpose.roots(config))) else {
        return Err(failure);
    };
    let source = source.without(unneeded);
    let mut report = report(place, &source, options, purpose, (config, None), observer)?;
    let files = &report.catalog.parsed.unread;
    let shown = files.iter().take(SHOWN_UNREAD).map(|file| markdown::code(&text::lossless(file.path.as_ref())));
    let mut shown: Vec<String> = shown.collect();
    if files.len() > SHOWN_UNREAD {
        shown.push(format!("{} more files", text::grouped(files.len() - SHOWN_UNREAD)));
    }
    let message =
        format!("not checked: {}; this clone lacks them, and the change does not concern them", text::joined(&shown));
    warn(&mut report, observer, message, failure.help);
    Ok((source, report))
}

/// Replaces the text that the caller types.
fn typed(typed_in: &Place, source: Source, options: &Options) -> Source {
    let Some((path, text)) = &options.typed else { return source };
    let Some(path) = source.repository_path(&typed_in.join(path)) else { return source };
    source.with([(path, text.clone())].into())
}

/// Reads the configuration and the skills of a source, and checks them.
pub(crate) fn checked(
    place: &Place,
    source: &Source,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Report, Failure> {
    let config = configure(place, source, options)?;
    report(place, source, options, Purpose::Check, (&config, None), observer)
}

/// Checks a source with a configuration that was read. Skills that another state has too are not read again; its configuration files
/// are the same.
pub(crate) fn checked_again(
    place: &Place,
    source: &Source,
    options: &Options,
    (config, known): (&Config, Option<&Parsed>),
    observer: &dyn Observer,
) -> Result<Report, Failure> {
    report(place, source, options, Purpose::Check, (config, known), observer)
}

fn report(
    place: &Place,
    source: &Source,
    options: &Options,
    purpose: Purpose,
    (config, known): (&Config, Option<&Parsed>),
    observer: &dyn Observer,
) -> Result<Report, Failure> {
    observer.read();
    let parsed = match known {
        Some(known) => source.read_changed(&purpose.roots(config), config.limits.bounds(), known)?,
        None => read(place, source, options, purpose, config, observer.progress())?,
    };
    let mut parsed = Parsed { time: today(options)?.or(parsed.time), ..parsed };
    if let Some(before) = options.base.as_deref().and_then(|revision| base_knowledge(place, revision, source)) {
        parsed.records.compare(before, &mut parsed.files);
    }
    let parsed = match &options.base {
        Some(revision) if versions::is_wanted(config) => {
            with_edited(place, (source, revision), options, purpose, config, parsed)?
        }
        _ => parsed,
    };
    observer.lint();
    let mut report = purpose.lint(parsed, config);
    if report.is_incomplete {
        let message = format!("there are more than {} findings", text::grouped(rule::FINDINGS));
        return Err(Failure::new(message).help("exclude directories, or turn off the rule that reports most of them"));
    }
    differences::add(&mut report, |files| source.bodies(files))?;
    report.warnings.iter().for_each(|warning| observer.warn(&warning.message, warning.help.as_deref()));
    if let Some(message) = source.warning() {
        warn(&mut report, observer, message, None);
    }
    if let Some(reason) = &report.catalog.parsed.unsearched {
        let message = format!("skills outside the skills directories were not searched: {reason}");
        warn(&mut report, observer, message, None);
    }
    Ok(report)
}

/// Returns the warning about the first configuration that is not read, if none is.
fn unread_settings(report: &Report, config: &Config, options: &Options, purpose: Purpose) -> Option<(String, String)> {
    let Overrides { config_from, no_config, .. } = &options.overrides;
    let is_read = !config.files.is_empty() || config_from.is_some() || *no_config || !purpose.reports_settings();
    let settings = &report.catalog.parsed.settings;
    let first = settings.first().filter(|_| !is_read)?;
    let path = text::lossless(first.as_ref());
    let are_not = match settings.len() - 1 {
        0 => "is not".to_owned(),
        more => format!("and {} more are not", text::grouped(more)),
    };
    let (is_nested, is_yaml) = (path.contains('/'), !path.to_ascii_lowercase().ends_with(".toml"));
    let message = format!("{} {are_not} read: only `{}` at the top is", markdown::code(&path), config::SETTINGS);
    let help = match (is_nested, is_yaml) {
        (true, _) => "move it to the top, or pass it with `--config`".to_owned(),
        (false, true) => format!("write its settings as TOML in `{}`", config::SETTINGS),
        (false, false) => format!("rename it to `{}`", config::SETTINGS),
    };
    Some((message, help))
}

/// Counts the ignores with a last day.
fn dated(report: &Report, config: &Config) -> usize {
    let comments = report.catalog.parsed.skills.iter().flat_map(|skill| skill.comments());
    let comments = comments.flat_map(|(_, comments)| comments).filter(|comment| comment.until.is_some()).count();
    comments + config.ignores.iter().filter(|ignore| ignore.until.is_some()).count()
}

/// Warns now, and in every format of the report.
pub(crate) fn warn(report: &mut Report, observer: &dyn Observer, message: String, help: Option<String>) {
    observer.warn(&message, help.as_deref());
    report.warnings.push(Warning { message, help, fails: false });
}

/// Adds what differs from the base; a base that cannot be read is reported when it is compared.
fn with_edited(
    place: &Place,
    (source, revision): (&Source, &str),
    options: &Options,
    purpose: Purpose,
    config: &Config,
    parsed: Parsed,
) -> Result<Parsed, source::Error> {
    let before = || -> Result<_, source::Error> {
        let base = skilltree_git::open_base(place, revision, source, &place.environment)?.without_those_of(source);
        if base.tree().is_some() && base.tree() == source.tree() {
            return Ok(None);
        }
        let before = Catalog::new(read_base(place, &base, options, purpose, config, &parsed)?);
        Ok(Some((base, before)))
    };
    let Ok(Some((base, before))) = before() else { return Ok(parsed) };
    let after = Catalog::new(parsed);
    let compared = versions::compared((source, &after), (&base, &before), config)?;
    versions::with(after.parsed, source, compared)
}

/// Reads the shared knowledge of the base; a base that cannot be read is reported when it is compared.
fn base_knowledge(place: &Place, revision: &str, source: &Source) -> Option<Knowledge> {
    let base = skilltree_git::open_base(place, revision, source, &place.environment).ok()?;
    base.records().ok()?.knowledge
}

/// Opens the revision that the options name, or the default one.
pub(crate) fn open(place: &Place, options: &Options) -> Result<Source, source::Error> {
    let revision = options.revision.clone().unwrap_or(Revision::WorkTree);
    match skilltree_git::open(place, &revision, &place.environment) {
        Err(source::Error::NoWorkTree) if options.revision.is_none() => {
            skilltree_git::open(place, &Revision::Tree("HEAD".into()), &place.environment)
        }
        // With a profile, or skills outside a repository, none is needed.
        Err(source::Error::NoRepository { .. }) if options.revision.is_none() && options.is_for_any_directory() => {
            Ok(skilltree_git::top(place))
        }
        opened => opened,
    }
}

/// Reads the configuration of a source, or the one that the options name.
pub(crate) fn configure(place: &Place, source: &Source, options: &Options) -> Result<Config, Failure> {
    let Some(revision) = &options.overrides.config_from else { return configured(place, source, options) };
    let from = skilltree_git::open(place, &Revision::Tree(revision.clone()), &place.environment)?;
    configured(place, &from, options).map_err(|failure| failure.of_revision(revision))
}

/// Reads the configuration of a source, apart from the files that the options name.
fn configured(place: &Place, from: &Source, options: &Options) -> Result<Config, Failure> {
    let read = |name: &str| if options.overrides.no_config { Ok(None) } else { from.file(BStr::new(name)) };
    let settings = match &options.overrides.config {
        Some(path) => Some(named::file(place, path, &Named::CONFIG)?),
        None => read(config::SETTINGS)?,
    };
    let policies = named::policies(place, from, settings.as_ref(), options)?;
    let overrides = CommandLine {
        roots: options.overrides.roots.clone(),
        found: options.directories.clone(),
        profile: options.profile.clone(),
        rules: options.rules.clone(),
        targets: options.targets.clone(),
        all_runtimes: options.all_runtimes,
        preview: options.overrides.preview,
    };
    let mut config = config::read(Inputs { policies, settings, workflow: read(config::WORKFLOW)?, overrides })?;
    if let Some(path) = &config.template {
        config.add_template(from.file(BStr::new(path))?);
    }
    Ok(config)
}

/// Adds the faults of the configuration that a source itself has, if the configuration comes from another revision: the change would
/// be accepted, and break every later run.
pub(crate) fn add_own_faults(place: &Place, source: &Source, options: &Options, purpose: Purpose, config: &mut Config) {
    let Overrides { config_from, config: named, no_config, .. } = &options.overrides;
    let is_own = config_from.is_none() || named.is_some() || *no_config;
    if is_own || !purpose.reports_settings() {
        return;
    }
    let overrides = Overrides { config_from: None, ..options.overrides.clone() };
    let own = Options { overrides, ..options.clone() };
    match configure(place, source, &own) {
        Ok(own) if own.files != config.files => {
            let first = config.files.len();
            // A policy that both have is reported once.
            let is_known = |fault: &ConfigFault| config.files.contains(&own.files[fault.file]);
            let faults: Vec<ConfigFault> = own.faults.iter().filter(|fault| !is_known(fault)).cloned().collect();
            config.files.extend(own.files);
            config.faults.extend(faults.into_iter().map(|fault| ConfigFault { file: first + fault.file, ..fault }));
        }
        Ok(_) => {}
        Err(failure) => {
            config.faults.extend(failure.report.as_deref().and_then(|report| malformed(report, &mut config.files)))
        }
    }
}

/// Converts the report of a malformed configuration into a fault, and adds its file.
fn malformed(report: &Report, files: &mut Vec<File>) -> Option<ConfigFault> {
    let finding = report.findings.first()?;
    files.push(report.catalog.file(finding.place.file).clone());
    Some(ConfigFault {
        rule: RuleRef::from(&invalid_configuration::NOT_USED),
        file: files.len() - 1,
        range: finding.place.range(),
        ceiling: Level::Error,
        message: finding.message.clone(),
        help: finding.help.clone(),
    })
}

/// Reads the skills of a source. With a configuration from another revision, only ignore comments that this revision has too
/// count: a change cannot excuse itself.
fn read(
    place: &Place,
    source: &Source,
    options: &Options,
    purpose: Purpose,
    config: &Config,
    progress: &Progress,
) -> Result<Parsed, source::Error> {
    let parsed = purpose.read(source, &purpose.roots(config), config.limits.bounds(), progress)?;
    with_counted_ignores(place, source, options, (purpose, config), parsed)
}

/// Reads the skills of a base like [`read`]; `head` is what the base is compared with, which has most of its skills.
pub(crate) fn read_base(
    place: &Place,
    base: &Source,
    options: &Options,
    purpose: Purpose,
    config: &Config,
    head: &Parsed,
) -> Result<Parsed, source::Error> {
    let parsed = base.read_changed(&purpose.roots(config), config.limits.bounds(), head)?;
    with_counted_ignores(place, base, options, (purpose, config), parsed)
}

/// Marks the ignore comments that count.
fn with_counted_ignores(
    place: &Place,
    source: &Source,
    options: &Options,
    (purpose, config): (Purpose, &Config),
    mut parsed: Parsed,
) -> Result<Parsed, source::Error> {
    if let Some(revision) = &options.overrides.config_from
        && parsed.ignores().next().is_some()
    {
        let from = skilltree_git::open(place, &Revision::Tree(revision.clone()), &place.environment)?;
        let from = from.without_those_of(source);
        parsed.count_ignores_of(&from.read(&purpose.roots(config), config.limits.bounds())?);
    }
    Ok(parsed)
}

pub(crate) fn today(options: &Options) -> Result<Option<i64>, Failure> {
    let Some(day) = &options.overrides.today else { return Ok(None) };
    match date::parse(day) {
        Some(day) => Ok(Some(day * 86_400)),
        None => {
            Err(Failure::new(format!("`{day}` is not a valid date"))
                .help("write it as YYYY-MM-DD, for example 2026-11-20"))
        }
    }
}
