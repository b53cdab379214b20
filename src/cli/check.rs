//! `check`: lint the skills, report the findings and set the exit status.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use skilltree_front_matter::text;
use skilltree_git::Revision;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Warning;
use skilltree_lint::rule::{Reads, Severity};
use skilltree_lint::versions;
use skilltree_report::render::{self, Format, Omitted, Options, escape, statistics};
use skilltree_runtimes::graph::Graphs;
use skilltree_skills::snapshot::Origin;

use super::Status;
use super::again::Again;
use super::args::{Check, Common, Source};
use super::ci;
use super::destination;
use super::environment;
use super::failed;
use super::files::Files;
use super::graph;
use super::links;
use super::next;
use super::offers;
use super::output::{self, Printer, Stderr};
use super::repaired;
use super::request::{self, Request};
use super::routes;
use super::session;
use super::trials;
use super::watch::Step;
use crate::base;
use crate::changes;
use crate::failure::Failure;
use crate::options;
use crate::session::Session;

pub(super) fn run(common: &Common, check: &Check) -> Result<Status, Failure> {
    if check.test_rules {
        return trials::run(common, check);
    }
    if check.test_routes {
        return routes::run(common, check);
    }
    match &check.stdin_filename {
        Some(path) => Ok(compared(common, &typed(check, path)?, &mut Printer::default())?.status),
        None => Ok(compared(common, check, &mut Printer::default())?.status),
    }
}

/// Returns the check of one file whose text is on standard input.
fn typed(check: &Check, path: &Path) -> Result<Check, Failure> {
    if check.paths != [Path::new("-")] {
        return Err(Failure::new(
            "`--stdin-filename` replaces the path of standard input, but `-` is not the only path",
        )
        .help("run `skilltree check - --stdin-filename PATH`"));
    }
    let typed = Some((path.to_owned(), session::standard_input()?));
    Ok(Check { typed, paths: vec![path.to_owned()], ..check.clone() })
}

/// The result of a check that was compared with a base.
pub(super) struct Compared {
    pub(super) status: Status,
    /// The highest severity of the findings.
    pub(super) worst: Option<Severity>,
}

/// Checks as [`run`] does, and also returns the highest severity.
pub(super) fn compared(common: &Common, check: &Check, printer: &mut Printer) -> Result<Compared, Failure> {
    lint(common, check, false, printer)
}

/// Checks the entries of the shared knowledge, with the rules about them only.
pub(super) fn entries(common: &Common, check: &Check) -> Result<Status, Failure> {
    Ok(lint(common, check, true, &mut Printer::default())?.status)
}

fn lint(common: &Common, check: &Check, entries: bool, printer: &mut Printer) -> Result<Compared, Failure> {
    require_distinct_outputs(check)?;
    require_statistics_format(check)?;
    common.watch.annotate(check.format == Format::Github);
    let checked = checked(common, check, entries).inspect_err(|failure| failed::report(common, check, failure))?;
    let paths: Vec<PathBuf> = check.outputs.iter().map(|(_, path)| path.clone()).collect();
    destination::refuse(&checked.session, &paths).inspect_err(|failure| failed::to_stdout(common, check, failure))?;
    let Checked { session, status, .. } = &checked;
    let for_files = Options {
        source: printer.named(session.description()?),
        place: printer.named(session.name()),
        commands: again(common, check, &checked).commands(!checked.session.config.targets.is_empty()),
        ..options(common, check, &checked, entries)?
    };
    write(common, check, &checked, &for_files, printer).inspect_err(|failure| {
        // The other formats are one document, which may be written already.
        if check.format == Format::Github {
            failed::to_stdout(common, check, failure);
        }
    })?;
    let lines = match printer.all().map(str::to_owned) {
        Some(all) if session.report.active().next().is_none() => vec![passed(session, &for_files, &all)],
        all => verdict(common, check, &checked, &for_files, all.as_deref()),
    };
    let has_paths = session.report.active().next().is_some() && !check.format.is_data();
    if let Some(line) = session.explain_paths().filter(|_| has_paths) {
        printer.info(common, &line);
    }
    let verbose = if common.verbose { details(session, &for_files, entries) } else { Vec::new() };
    verbose.iter().chain(&lines).for_each(|line| printer.info(common, line));
    Ok(Compared { status: *status, worst: session.report.worst() })
}

/// Returns the line of a hook that lets the change pass: `no new findings in 3 skills (index); 2 existing: skilltree check --staged`.
fn passed(session: &Session, options: &Options, all: &str) -> String {
    let existing = match session.report.existing() {
        0 => String::new(),
        existing => format!("; {} existing: {all}", text::grouped(existing)),
    };
    format!("{}{existing}", render::found(&session.report, options))
}

/// Returns the last lines of a run: the counts, what the runtimes load, and what to do next. `all` is the command that reports
/// existing findings, in a hook.
fn verdict(common: &Common, check: &Check, checked: &Checked, options: &Options, all: Option<&str>) -> Vec<String> {
    let (report, width) = (&checked.session.report, environment::message_width());
    let mut lines = render::wrapped(&render::summary(report, options), width);
    if !options.entries {
        lines.extend(render::verdict(report, &options.commands, width));
    }
    let request = request(check, checked.base.as_deref());
    lines.extend(repaired::lines(common, &checked.source, &request, &checked.session, &options.commands));
    let again = again(common, check, checked);
    lines.extend(checked.session.explain_user(&check.external));
    lines.extend(offers::outside(report, &again, &checked.session.typed_in, &options.commands));
    if let Some(all) = all.filter(|_| report.existing() > 0) {
        lines.push(format!("{} existing: {all}", text::grouped(report.existing())));
    }
    if !options.entries {
        lines.extend(checked.session.looked_in());
    }
    lines
}

/// Returns the options of this run, for the commands that it proposes.
fn again<'a>(common: &'a Common, check: &'a Check, checked: &'a Checked) -> Again<'a> {
    Again {
        external: Some(&check.external),
        targets: &check.targets,
        paths: &check.paths,
        ..Again::of(common, &checked.source)
    }
}

/// Returns the lines of `--verbose`: what was read, who reads it, and how the runtimes are known.
fn details(session: &Session, options: &Options, entries: bool) -> Vec<String> {
    let mut lines = session.details();
    lines.push(format!("checked {}", escape::text(&options.source)));
    if !entries {
        lines.extend(render::places(&session.report, &session.config.profiles));
        lines.extend(render::sources(&session.report));
        lines.extend(render::old_sources(&session.report, &session.config.profiles));
    }
    lines
}

/// A session whose findings are the ones to report.
struct Checked {
    source: Source,
    base: Option<String>,
    asked: options::Options,
    session: Session,
    excerpts: Excerpts,
    status: Status,
}

/// Opens the source, checks it, and keeps the findings to report.
fn checked(common: &Common, check: &Check, entries: bool) -> Result<Checked, Failure> {
    let (source, base, gone) = revisions(common, check)?;
    let request = request(check, base.as_deref());
    let mut session = session::open(common, &source, &request)?;
    let asked = request::options(&source, &request);
    if base::takes_configuration(&check.source.overrides) && source.overrides.config_from.is_none() {
        crate::session::warn(&mut session.report, common, base::WITHOUT_CONFIGURATION.to_owned(), None);
    }
    let formats: Vec<Format> = check.outputs.iter().map(|(format, _)| *format).chain([check.format]).collect();
    let compared = match &base {
        Some(base) => {
            common.watch.step(Step::Compare);
            base::mark(&mut session, base, &asked, &formats, common)?
        }
        None => None,
    };
    if let Some(gone) = gone {
        let message = format!("this clone does not have the base `{gone}`, so every finding counts");
        base::missing(&mut session, &gone, common, message, None);
    }
    if !entries {
        warn_without_base(common, check, base.is_some(), &mut session);
    }
    let notes = session::keep(&mut session, &check.paths)?;
    notes.iter().for_each(|note| Stderr::new(common).info(note));
    session.report.keep(|rule| !entries || rule.reads == Reads::Knowledge);
    if fails_on_empty(check, &session) {
        let message = "there is no skill to check, and `error-on-empty` fails a run without one".to_owned();
        // A text for people has it with the findings.
        if check.statistics || !check.format.shows_most_severe() {
            Stderr::new(common).warn(&message, None);
        }
        session.report.warnings.push(Warning { message, help: None, fails: true });
    }
    let status = status(check, &session);
    // Excerpts are capped: those of all findings may omit some that a few selected findings have.
    let excerpts = match compared.filter(|_| check.paths.is_empty()) {
        Some(excerpts) => excerpts,
        None if formats.iter().all(|format| format.shows_most_severe()) => {
            hide(check, &mut session);
            session.excerpts_of_most_severe()?
        }
        // Counts show no place, so no file is read again.
        None if formats.iter().all(|&format| format == Format::Counts) => Excerpts::default(),
        // The number in a fingerprint counts hidden findings, too.
        None => session.excerpts_for(&formats)?,
    };
    hide(check, &mut session);
    Ok(Checked { source, base, asked, session, excerpts, status })
}

/// Warns that a rule which the configuration names needs a base, if none was asked for. An editor's run has none.
fn warn_without_base(common: &Common, check: &Check, is_compared: bool, session: &mut Session) {
    let has_base = is_compared || check.base.is_some();
    let is_typed = check.typed.is_some() || matches!(session.source.origin(), Origin::StandardInput);
    let Some(rule) = versions::expected(&session.config).filter(|_| !has_base && !is_typed) else { return };
    let message = format!("`{}` did not run, because it compares the skills with a base", rule.id());
    let help = "add `--base REV`, for example `--base HEAD` or the branch that you merge into".to_owned();
    crate::session::warn(&mut session.report, common, message, Some(help));
}

pub(super) fn request<'a>(check: &'a Check, base: Option<&'a str>) -> Request<'a> {
    Request {
        rules: &check.rules,
        targets: &check.targets,
        all_runtimes: check.all,
        paths: &check.paths,
        base,
        typed: check.typed.as_ref(),
        external: Some(&check.external),
        here: check.external.is_wanted(),
        ..Request::default()
    }
}

/// Number of warnings, and of notes, of one rule that have a frame in a text (ours: 5). What a rule finds more often has one cause, or is
/// a habit: each further finding is a line.
const FRAMED: usize = 5;

/// Returns the options of files, which depend neither on the terminal nor on the format of standard output.
fn options(common: &Common, check: &Check, checked: &Checked, entries: bool) -> Result<Options, Failure> {
    let session = &checked.session;
    Ok(Options {
        entries,
        shown_findings: session.config.limits.shown_findings,
        evidence: common.verbose,
        framed: if common.verbose { usize::MAX } else { FRAMED },
        fail_on: check.fail_on.0,
        suppressed: check.show_ignored,
        sarif_category: check.sarif_category.clone(),
        rules: session.config.rules().collect(),
        ..if entries { Options::default() } else { of_pages(common, check, checked)? }
    })
}

/// Returns the options that only Markdown, the page and the counts use.
fn of_pages(common: &Common, check: &Check, checked: &Checked) -> Result<Options, Failure> {
    let mut formats = check.outputs.iter().map(|(format, _)| *format).chain([check.format]);
    let has_page = formats.clone().any(|format| format == Format::Html);
    if !formats.any(|format| matches!(format, Format::Markdown | Format::Html | Format::Counts)) {
        return Ok(Options::default());
    }
    let changes = changes::since_base(&checked.session, &checked.asked, common);
    let is_outside = matches!(checked.session.source.origin(), Origin::Directory | Origin::StandardInput);
    let links = if is_outside { None } else { links::below(checked.session.source.origin().commit()) };
    let profiles = checked.session.config.profiles.clone();
    let session = &checked.session;
    let graphs =
        if has_page { Graphs::new(&session.report.catalog, |id| graph::read(session, id))? } else { Graphs::default() };
    Ok(Options { time: session.source.time(), changes, links, graphs, profiles, ..Options::default() })
}

/// Writes the findings to the files and to standard output, and warns about SARIF results over the limits.
fn write(
    common: &Common,
    check: &Check,
    checked: &Checked,
    for_files: &Options,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let Checked { session, excerpts, .. } = checked;
    let text_bytes = printer.limit().unwrap_or(for_files.text_bytes);
    let for_stdout = Options { look: output::style(common), text_bytes, ..for_files.clone() };
    let omitted = Cell::new(Omitted::default());
    let write = |format: Format, options: &Options, out: &mut dyn Write| {
        render::write(format, &session.report, excerpts, options, out).map(|more| omitted.set(omitted.get().max(more)))
    };
    common.watch.step(Step::Write);
    let mut files = Files::new(&common.watch);
    for (format, path) in &check.outputs {
        files.add(path, |out| write(*format, for_files, out))?;
    }
    match check.format {
        Format::Json if check.statistics => {
            output::data(common, |out| statistics::write_json(&session.report, &for_files.source, out))?;
        }
        _ if check.statistics => printer.stdout(common, |out| statistics::write_text(&session.report, out))?,
        format if format.is_data() => output::data(common, |out| write(format, &for_stdout, out))?,
        format => printer.stdout(common, |out| write(format, &for_stdout, out))?,
    }
    files.persist()?;
    let limits = "GitHub accepts 25,000 results and 10 MB compressed; `--format json` contains every finding";
    if let Some(words) = omitted.get().words() {
        Stderr::new(common).warn(&format!("the SARIF is not complete: {words}"), Some(limits));
    }
    Ok(())
}

/// Drops the findings below the lowest severity that is shown.
fn hide(check: &Check, session: &mut Session) {
    if let Some(least) = check.min_severity {
        session.report.keep_from(least, |_| false);
    } else if let Some(least) = session.config.min_severity {
        // The change can have raised it to hide that it did.
        session.report.keep_from(least, |rule| rule.always_shown);
    }
}

/// Refuses two outputs with the same path: the second would silently replace the first.
fn require_distinct_outputs(check: &Check) -> Result<(), Failure> {
    let mut known = BTreeSet::new();
    for (_, path) in &check.outputs {
        if !known.insert(destination::real(path)) {
            return Err(Failure::new(format!("two outputs have the path `{}`", path.display()))
                .help("give each `--output FORMAT=PATH` a different path"));
        }
    }
    Ok(())
}

/// Refuses `--statistics` with a format that cannot hold counts.
fn require_statistics_format(check: &Check) -> Result<(), Failure> {
    if !check.statistics {
        return Ok(());
    }
    match check.format {
        Format::Full | Format::Concise | Format::Json => Ok(()),
        format => Err(Failure::new(format!("`--statistics` does not support the format {}", format.name()))
            .help("use `--format json`, or omit `--format`; `--output FORMAT=PATH` also writes the findings")),
    }
}

/// Returns the source to check, the base to compare it with, and a base that the clone lacks.
fn revisions(common: &Common, check: &Check) -> Result<(Source, Option<String>, Option<String>), Failure> {
    let (mut source, base) = match &check.range {
        Some(range) => (Source { rev: Some(range.head.clone()), ..check.source.clone() }, Some(range.base.clone())),
        None => (check.source.clone(), check.base.clone()),
    };
    let place = session::typed_in(common)?;
    let takes_base = base::takes_configuration(&source.overrides);
    let (base, gone) = match base {
        Some(base) if base == ci::AUTO && (!check.all || takes_base) => {
            match ci::base(&place, source.rev.as_deref(), common)? {
                ci::Base::Revision(base) => (Some(base), None),
                ci::Base::Gone(base) => (None, Some(base)),
                ci::Base::Unnamed => (None, None),
            }
        }
        Some(base) => (Some(base), None),
        None => (base_in_hook(common, check)?, None),
    };
    if takes_base {
        source.overrides.config_from =
            base::configuration(base.as_ref().or(gone.as_ref()).map(String::as_str), &place)?;
    }
    let of_comparison = |base: Option<String>| base.filter(|_| !check.all);
    Ok((source, of_comparison(base), of_comparison(gone)))
}

/// Returns the base of a check that a hook runs with the paths of changed files, as lint-staged does: existing findings do not block.
fn base_in_hook(common: &Common, check: &Check) -> Result<Option<String>, Failure> {
    let names_paths = !check.paths.is_empty() && check.typed.is_none() && check.paths != [Path::new("-")];
    if !names_paths || check.all || request::explicit(&check.source).is_some() || environment::hook().is_none() {
        return Ok(None);
    }
    let place = session::typed_in(common)?;
    match skilltree_git::open(&place, &Revision::Index, &place.environment) {
        Ok(_) => Ok(next::commit(&place)?.base),
        // Paths outside a repository have no base.
        Err(_) => Ok(None),
    }
}

fn status(check: &Check, session: &Session) -> Status {
    let least = check.fail_on.0;
    let found = least.is_some_and(|least| session.report.worst().is_some_and(|worst| worst >= least));
    if (found || fails_on_empty(check, session)) && !check.exit_zero { Status::Found } else { Status::Clean }
}

/// Returns whether there is no skill although the caller or the configuration wants one.
fn fails_on_empty(check: &Check, session: &Session) -> bool {
    (check.error_on_empty || session.config.error_on_empty) && session.report.catalog.listed.is_empty()
}
