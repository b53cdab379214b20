//! The base of a check: read and checked like its head, and compared with it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use bstr::BStr;
use skilltree_front_matter::text;
use skilltree_git::Revision;
use skilltree_lint::Report;
use skilltree_lint::changes::{Lost, lost, skill_pairs};
use skilltree_lint::compare::{Comparison, Loosened, Old, Outlines, Pairs, Side, compare, name_deleted, old};
use skilltree_lint::config::{Config, Ignore};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint;
use skilltree_lint::lint::Base;
use skilltree_report::render::Format;
use skilltree_skills::markdown;
use skilltree_skills::roots;
use skilltree_skills::skill::{Parsed, SkillId};
use skilltree_skills::snapshot::{File, Origin};
use skilltree_skills::source::{Error, PAGES, Source};

use crate::failure::Failure;
use crate::hidden;
use crate::options::{Observer, Options, Overrides};
use crate::place::Place;
use crate::session::{self, Session};

/// Marks the findings that the base has too as existing. Without a readable base, every finding counts. Returns the places of
/// the report for some formats, if the comparison computed them.
pub(crate) fn mark(
    session: &mut Session,
    revision: &str,
    options: &Options,
    formats: &[Format],
    observer: &dyn Observer,
) -> Result<Option<Excerpts>, Failure> {
    if matches!(session.source.origin(), Origin::Directory | Origin::StandardInput | Origin::Memory) {
        return Err(Failure::new("`--base` needs a Git repository").help("remove `--base`, or run in a repository"));
    }
    if is_null(revision) {
        missing(session, revision, observer, "there is no base yet, so every finding counts".to_owned(), None);
        return Ok(None);
    }
    let base = match skilltree_git::open_base(&session.place, revision, &session.source, &session.place.environment) {
        Err(error @ (Error::Unborn { .. } | Error::Empty)) => {
            missing(session, revision, observer, format!("{error}, so every finding counts"), None);
            return Ok(None);
        }
        Err(error @ Error::Shallow { .. }) => {
            missing(session, revision, observer, format!("{error}, so every finding counts"), error.help());
            return Ok(None);
        }
        opened => opened?.without_those_of(&session.source),
    };
    let own = session.excerpts_for(formats)?;
    let (report, excerpts) = match checked(session, &own, &base, options) {
        Ok(checked) => checked,
        // A change may fix an unreadable base, so that must not block it.
        Err(error) => {
            let message = format!("the base `{revision}` cannot be checked, so every finding counts: {error}");
            missing(session, revision, observer, message, error.help());
            return Ok(None);
        }
    };
    let mut change = compared(session, &own, &base, (&report, &excerpts), options)?;
    if let Err(error) = add_others(session, &own, (&base, revision), options, &mut change) {
        let message = format!("a merged commit cannot be checked, so its findings count: {}", error.message);
        session::warn(&mut session.report, observer, message, error.help);
    }
    if !change.loosened.is_empty() {
        hidden::warn(session, &base, options, observer);
    }
    warn_of_lost(session, &change.lost, observer);
    warn_of_old(session, &change.old, observer);
    let moved = change.findings.apply(&mut session.report, &report);
    let unknown = name_deleted(&mut session.report, |paths| base.presence(paths));
    if unknown > 0 {
        let message = format!("{} paths of broken links were not looked up in the base", text::grouped(unknown));
        session::warn(&mut session.report, observer, message, None);
    }
    let levels = session::configure(&session.place, &base, options).map(|config| config.levels).unwrap_or_default();
    let loosened = change.loosened.apply(&mut session.report, &levels);
    Ok((!moved && !loosened).then_some(own))
}

/// `--config-from` with this word takes the configuration from the base of the comparison.
const FROM_BASE: &str = "base";

/// Returns whether the configuration is that of the base.
pub(crate) fn takes_configuration(overrides: &Overrides) -> bool {
    overrides.config_from.as_deref() == Some(FROM_BASE)
}

/// Returns the revision whose configuration `--config-from base` takes. If there is no base yet, it is the checked side's own.
///
/// # Errors
/// When there is a base that cannot be read: the checked side must not choose how it is checked.
pub(crate) fn configuration(base: Option<&str>, place: &Place) -> Result<Option<String>, Failure> {
    let Some(base) = base.filter(|base| !is_null(base)) else { return Ok(None) };
    match skilltree_git::open(place, &Revision::Tree(base.to_owned()), &place.environment) {
        Ok(_) => Ok(Some(base.to_owned())),
        Err(Error::Unborn { .. } | Error::Empty) => Ok(None),
        Err(error) => {
            let message = format!("the configuration of the base cannot be read: {error}");
            Err(Failure { help: error.help(), ..Failure::new(message) })
        }
    }
}

/// What a run says if `--config-from base` finds no base: the checked side then chooses how it is checked.
pub(crate) const WITHOUT_CONFIGURATION: &str =
    "there is no base for `--config-from base`, so the checked side's own configuration applies";

/// Returns options whose configuration is that of a base, if they ask for it.
pub(crate) fn with_configuration(
    options: &Options,
    base: Option<&str>,
    place: &Place,
    observer: &dyn Observer,
) -> Result<Options, Failure> {
    let mut options = options.clone();
    if takes_configuration(&options.overrides) {
        options.overrides.config_from = configuration(base, place)?;
        if options.overrides.config_from.is_none() {
            observer.warn(WITHOUT_CONFIGURATION, None);
        }
    }
    Ok(options)
}

/// What a change adds to a base.
struct Change {
    findings: Comparison,
    loosened: Loosened,
    lost: Vec<Lost>,
    old: Vec<Old>,
}

/// Maximum number of lost skills with a warning each; more of them are one warning.
const LOST: usize = 8;

/// Warns of skills that no runtime reads any more: no finding is about a file that is no skill.
fn warn_of_lost(session: &mut Session, lost: &[Lost], observer: &dyn Observer) {
    for lost in lost.iter().take(LOST) {
        let [before, after] = [&lost.before, &lost.after].map(|path| markdown::code(&text::lossless(path.as_ref())));
        let name = markdown::code(&text::shortened(&lost.name, 64));
        let message = format!("no runtime reads the skill {name} any more: {after} is in no skills directory");
        let help = format!("move it back to {before}, or remove it if it is to go");
        session::warn(&mut session.report, observer, message, Some(help));
    }
    let more = lost.len().saturating_sub(LOST);
    if more > 0 {
        let message =
            format!("no runtime reads {} more skills: they are in no skills directory any more", text::grouped(more));
        session::warn(&mut session.report, observer, message, None);
    }
}

/// Maximum number of places that are named per skill.
const PLACES: usize = 3;

/// Maximum number of renamed and removed skills whose old names are searched for.
const OLD: usize = 64;

/// Warns of texts that still use the name or the path of a skill which the change renamed or removed.
fn warn_of_old(session: &mut Session, old: &[Old], observer: &dyn Observer) {
    let is_there = |old: &&Old| old.file().is_some_and(|path| session.source.has(path).unwrap_or(false));
    let old: Vec<&Old> = old.iter().filter(|old| !is_there(old)).collect();
    if old.is_empty() {
        return;
    }
    let (old, more) = old.split_at(old.len().min(OLD));
    let catalog = &session.report.catalog;
    let by_name: BTreeMap<Cow<'_, str>, &BStr> =
        catalog.skills().map(|(id, skill)| (skill.shown_name(), text::parent(catalog.path(id)))).collect();
    let mut places: Vec<Vec<String>> = vec![Vec::new(); old.len()];
    let searched = session.source.each_page(false, |path, text| {
        for (old, places) in old.iter().zip(&mut places) {
            // What a skill says about itself names no other skill.
            let own = old.renamed.as_deref().and_then(|name| by_name.get(name));
            if own.is_some_and(|own| roots::is_within(path.as_ref(), own)) {
                continue;
            }
            places.extend(old.line(text).map(|line| format!("{}:{line}", text::lossless(path.as_ref()))));
        }
    });
    for (old, places) in old.iter().zip(places).filter(|(_, places)| !places.is_empty()) {
        let name = markdown::code(&text::shortened(&old.name, 64));
        let (shown, more) = places.split_at(places.len().min(PLACES));
        let mut named: Vec<String> = shown.iter().map(|place| markdown::code(place)).collect();
        if !more.is_empty() {
            named.push(format!("{} more files", text::grouped(more.len())));
        }
        let (fate, help) = match &old.renamed {
            Some(renamed) if *renamed != old.name => {
                let renamed = markdown::code(&text::shortened(renamed, 64));
                (format!("was renamed to {renamed}"), format!("write {renamed} there"))
            }
            Some(_) => ("was moved".to_owned(), "write the new path there".to_owned()),
            None => ("was removed".to_owned(), "remove it there, or name another skill".to_owned()),
        };
        let message = format!("the skill {name} {fate}, but its old name or path is in {}", text::joined(&named));
        session::warn(&mut session.report, observer, message, Some(help));
    }
    if !more.is_empty() {
        let message = format!("old names of {} more skills were not searched for", text::grouped(more.len()));
        session::warn(&mut session.report, observer, message, None);
    }
    let unsearched = match searched {
        Ok(true) => return,
        Ok(false) => format!("only {} Markdown files were searched for old names of skills", text::grouped(PAGES)),
        Err(error) => format!("not all Markdown files were searched for old names of skills: {error}"),
    };
    session::warn(&mut session.report, observer, unsearched, None);
}

/// Records that there is no base to compare with, so that every format says why all findings count.
pub(crate) fn missing(
    session: &mut Session,
    revision: &str,
    observer: &dyn Observer,
    message: String,
    help: Option<String>,
) {
    let missing = Some(message.clone());
    session.report.base = Some(Base { revision: revision.to_owned(), commit: None, fixed: Vec::new(), missing });
    session::warn(&mut session.report, observer, message, help);
}

/// Adds the other merge bases, and the commits of the merge in progress, each of which is a parent of the next commit: their
/// findings are not new. Only what every merge base has can be fixed.
fn add_others(
    session: &Session,
    own: &Excerpts,
    (base, revision): (&Source, &str),
    options: &Options,
    change: &mut Change,
) -> Result<(), Failure> {
    let (place, source) = (&session.place, &session.source);
    let compare = |other: &Source| {
        let (report, excerpts) = checked(session, own, other, options)?;
        compared(session, own, other, (&report, &excerpts), options)
    };
    for other in skilltree_git::open_other_bases(place, revision, source, &place.environment)? {
        let other = compare(&other.without_those_of(source))?;
        change.findings.add(&other.findings);
        change.findings.keep_fixed(&other.findings);
        change.loosened.keep(&other.loosened);
    }
    for merged in skilltree_git::open_merged(place, source, base, &place.environment)? {
        let merged = compare(&merged.without_those_of(source))?;
        change.findings.add(&merged.findings);
        change.loosened.keep(&merged.loosened);
    }
    Ok(())
}

/// Returns whether a revision is the id that a push gives for a new or deleted branch.
pub(crate) fn is_null(revision: &str) -> bool {
    matches!(revision.len(), 40 | 64) && revision.bytes().all(|byte| byte == b'0')
}

/// Checks the base with the configuration of the head, on the same day. Errors in the base's own configuration are findings of
/// the base.
fn checked(session: &Session, own: &Excerpts, base: &Source, options: &Options) -> Result<(Report, Excerpts), Error> {
    let config = &session.config;
    let parsed =
        session::read_base(&session.place, base, options, session.purpose, config, &session.report.catalog.parsed)?;
    let parsed = Parsed { time: session.report.catalog.parsed.time, ..parsed };
    let mut theirs = session::configure(&session.place, base, options).ok();
    theirs
        .iter_mut()
        .for_each(|theirs| session::add_own_faults(&session.place, base, options, session.purpose, theirs));
    let Config { files, faults, ignores: entries, template, template_text, .. } = theirs.unwrap_or_default();
    // The ignores of the head apply; each has its place in the base.
    let place = |ignore: &Ignore| entries.iter().find(|theirs| theirs.is_equivalent(ignore))?.written.clone();
    let ignores = config.ignores.iter().map(|ignore| Ignore { written: place(ignore), ..ignore.clone() }).collect();
    let is_same_template = template_text == config.template_text;
    let config = Config { files, faults, ignores, template, template_text, ..config.clone() };
    if is_same_template && session.report.is_about(&parsed, &config) {
        return Ok((session.report.of_base(parsed), own.clone()));
    }
    let report = lint(parsed, &config);
    let excerpts = Excerpts::without_line_hashes(&report, |files| base.bodies(files))?;
    Ok((report, excerpts))
}

/// Compares the findings and the settings of a session with those of a base.
fn compared(
    session: &Session,
    own: &Excerpts,
    base: &Source,
    (report, excerpts): (&Report, &Excerpts),
    options: &Options,
) -> Result<Change, Failure> {
    let mut pairs = Pairs::new(&session.report, report);
    let (heads, bases) = pairs.unpaired();
    let heads = Outlines::new(&session.report.catalog, heads, |files| session.source.bodies(files))?;
    let bases = Outlines::new(&report.catalog, bases, |files| base.bodies(files))?;
    pairs.pair_similar(&heads, &bases);
    let head = Side { report: &session.report, excerpts: own };
    let configs = own_configuration(&session.place, &session.source, options).zip(own_configuration(
        &session.place,
        base,
        options,
    ));
    let configs = configs.as_ref().map(|(head, base)| (head, base));
    let loosened = Loosened::new(configs, &session.report, report, &pairs);
    let base_of = base_of(session, base, report, &pairs)?;
    let lost = lost(&session.report.catalog, &report.catalog, &base_of);
    let old = old(&session.report.catalog, &report.catalog, &base_of);
    Ok(Change { findings: compare(head, Side { report, excerpts }, &pairs), loosened, lost, old })
}

/// Returns the counterpart of each skill of the head. Findings need fewer pairs: a skill without any may look removed in theirs.
fn base_of(
    session: &Session,
    base: &Source,
    report: &Report,
    pairs: &Pairs<'_>,
) -> Result<HashMap<SkillId, SkillId>, Failure> {
    let (head, other) = (&session.report.catalog, &report.catalog);
    let base_of = skill_pairs(head, other, pairs);
    if base_of.len() == head.parsed.skills.len().min(other.parsed.skills.len()) {
        return Ok(base_of);
    }
    let all = Pairs::of_catalogs(
        (head, |files: &[File]| session.source.bodies(files)),
        (other, |files: &[File]| base.bodies(files)),
    )?;
    Ok(skill_pairs(head, other, &all))
}

/// Returns the configuration that a revision itself has. `None` if it is malformed, and if the caller chose another one.
fn own_configuration(place: &Place, source: &Source, options: &Options) -> Option<Config> {
    let is_chosen = options.overrides.no_config || options.overrides.config.is_some();
    (!is_chosen).then(|| session::configure(place, source, &Options::default()).ok())?
}
