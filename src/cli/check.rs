//! `check`: judge, say, and come to a verdict.

use std::collections::BTreeSet;
use std::io::Write;

use skilltree::render::{self, Format, Options, statistics};
use skilltree::rule::Level;

use super::Status;
use super::args::{Check, Common, Source};
use super::base;
use super::destination;
use super::failure::Failure;
use super::files::Files;
use super::output::{self, Stderr};
use super::session::{Request, Session};
use super::watch::Step;

pub(super) fn run(common: &Common, check: &Check) -> Result<Status, Failure> {
    judge(common, check, false)
}

/// The same, of the entries of the shared knowledge: by the rules about them alone.
pub(super) fn entries(common: &Common, check: &Check) -> Result<Status, Failure> {
    judge(common, check, true)
}

fn judge(common: &Common, check: &Check, entries: bool) -> Result<Status, Failure> {
    each_output_has_its_path(check)?;
    statistics_have_the_format(check)?;
    let stderr = Stderr::new(common);
    let (source, base) = asked(check);
    let request =
        Request { rules: &check.rules, targets: &check.targets, paths: &check.paths, base, ..Request::default() };
    let mut session = Session::open(common, &source, &request)?;
    let known = match base {
        Some(base) => {
            common.watch.step(Step::Compare);
            base::mark(&mut session, base, &source, &request, &stderr)?
        }
        None => None,
    };
    destination::refuse(&session, &check.outputs.iter().map(|(_, path)| path.clone()).collect::<Vec<_>>())?;
    session.keep(&check.paths)?;
    session.report.keep(|rule| !entries || rule.id.starts_with("knowledge-"));
    // Places are kept up to a bound, so that those of all findings may lack what those of a few have.
    let excerpts = match known.filter(|_| check.paths.is_empty()) {
        Some(known) => known,
        None => session.excerpts()?,
    };
    // A file depends neither on the terminal nor on what stands beside it on standard output.
    let for_files = Options {
        source: session.words()?,
        entries,
        shown_findings: session.config.limits.shown_findings,
        suppressed: check.show_ignored,
        ..Options::default()
    };
    let for_stdout = Options { look: output::look(common), ..for_files.clone() };
    let write = |format: Format, options: &Options, out: &mut dyn Write| {
        render::write(format, &session.report, &excerpts, options, out)
    };
    common.watch.step(Step::Write);
    let mut files = Files::new(&common.watch);
    for (format, path) in &check.outputs {
        files.add(path, |out| write(*format, &for_files, out))?;
    }
    match check.format {
        Format::Json if check.statistics => {
            output::data(common, |out| statistics::write_json(&session.report, &for_files.source, out))?;
        }
        _ if check.statistics => output::stdout(common, |out| statistics::write_text(&session.report, out))?,
        Format::Json | Format::Sarif => output::data(common, |out| write(check.format, &for_stdout, out))?,
        format => output::stdout(common, |out| write(format, &for_stdout, out))?,
    }
    files.persist()?;
    if common.verbose {
        session.details().iter().for_each(|line| stderr.say(line));
    }
    stderr.say(&render::summary(&session.report, &for_files));
    render::fixable(&session.report).iter().for_each(|line| stderr.say(line));
    if !entries {
        session.looked_in().iter().for_each(|line| stderr.say(line));
    }
    Ok(verdict(check, &session))
}

/// Two outputs to one path would leave the second alone, without a word.
fn each_output_has_its_path(check: &Check) -> Result<(), Failure> {
    let mut known = BTreeSet::new();
    for (_, path) in &check.outputs {
        if !known.insert(destination::real(path)) {
            return Err(Failure::new(format!("two outputs are to be written to `{}`", path.display()))
                .help("give each `--output FORMAT=PATH` a path of its own"));
        }
    }
    Ok(())
}

/// Counts are no findings, so only what can hold both takes them.
fn statistics_have_the_format(check: &Check) -> Result<(), Failure> {
    match check.format {
        _ if !check.statistics => Ok(()),
        Format::Full | Format::Concise | Format::Json => Ok(()),
        format => Err(Failure::new(format!("there are no statistics in the format {}", format.name()))
            .help("use `--format json` or none; `--output FORMAT=PATH` writes the findings beside them")),
    }
}

/// The source, and the base that it is compared with.
fn asked(check: &Check) -> (Source, Option<&str>) {
    match &check.range {
        Some(range) => (Source { rev: Some(range.head.clone()), ..check.source.clone() }, Some(&range.base)),
        None => (check.source.clone(), check.base.as_deref()),
    }
}

fn verdict(check: &Check, session: &Session) -> Status {
    let least = check.fail_on.0;
    let found = least.is_some_and(|least| session.report.worst() >= least && session.report.worst() != Level::Off);
    let empty = check.error_on_empty && session.report.catalog.listed.is_empty();
    if (found || empty) && !check.exit_zero { Status::Found } else { Status::Clean }
}
