//! `fix`: apply the fixes of findings to the working tree, or print them as a patch.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};
use skilltree_lint::fix::{self, FixedFinding, Obstacle, Outcome, SkippedFinding, Why};
use skilltree_report::render::{self, escape};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::Source;

use super::Status;
use super::again::Again;
use super::args::{Common, Fix};
use super::output::{self, Stderr};
use super::paths;
use super::request::{self, Request};
use super::session;
use super::tree;
use super::watch::{Step, Watch};
use crate::failure::Failure;
use crate::session::Session;

pub(super) fn run(common: &Common, fix: &Fix) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let proposed = Again { targets: &fix.targets, paths: &fix.paths, ..Again::of(common, &fix.source) };
    let request = Request { targets: &fix.targets, paths: &fix.paths, worktree: true, ..Request::default() };
    let session = session::open(common, &fix.source, &request)?;
    if matches!(session.source.origin(), Origin::StandardInput) {
        return Err(Failure::new("standard input cannot be fixed").help("pass a SKILL.md or its directory, or no path"));
    }
    if session.source.directory().is_none() && !fix.diff {
        let checked_source = session.description()?;
        return Err(Failure::new(format!("{checked_source} cannot be fixed: `fix` writes only to the working tree"))
            .help("add `--diff` to print a patch, or remove the source option"));
    }
    let wanted = paths::wanted(&session, &fix.paths)?;
    wanted.notes().chain(session.explain_paths()).for_each(|note| stderr.info(&note));
    let edits = fix::Request {
        unsafe_edits: fix.unsafe_edits,
        signed: fix.signed,
        settings: fix.source.overrides.config.is_none() && fix.source.overrides.config_from.is_none(),
        is_wanted: &|_, path| wanted.contains(path),
    };
    let shown = session.config.limits.shown_findings;
    let checked_source = session.description()?;
    let Session { place, source, report, .. } = session;
    let options = request::options(&fix.source, &request);
    let again = |texts: &fix::Texts| -> Result<_, Failure> {
        crate::session::checked(&place, &source.with(texts.clone()), &options, common)
    };
    let mut repair = fix::apply(report, &edits, |files| source.bodies(files).map_err(Failure::from), again)?;
    let mut failures = Vec::new();
    common.watch.step(Step::Write);
    let status = if fix.diff {
        let mut patch = Vec::new();
        fix::patch(&repair.rewrites, &mut patch).expect("memory takes what it is given");
        let shown = escape::patch(&patch);
        output::bytes(common, &shown)?;
        if shown != patch {
            let help = format!("run `{}` instead of `git apply`", proposed.command("fix"));
            let message = "the patch shows hidden characters and workflow commands escaped, so Git rejects it";
            stderr.warn(message, Some(&help));
        }
        if repair.rewrites.is_empty() { Status::Clean } else { Status::Found }
    } else {
        failures = write(&common.watch, &source, &mut repair, &stderr);
        if !failures.is_empty() {
            // Findings in the files that were not written remain.
            repair.report = again(&texts(&repair))?;
        }
        output::stdout(common, |out| lines(&repair, shown).iter().try_for_each(|line| writeln!(out, "{line}")))?;
        Status::Clean
    };
    summary(&repair, fix, &proposed, &checked_source).iter().for_each(|line| stderr.info(line));
    failed(failures, &stderr)?;
    Ok(status)
}

/// Returns the new texts of the edited files.
fn texts(repair: &Outcome) -> fix::Texts {
    repair.rewrites.iter().map(|rewrite| (rewrite.path.clone(), rewrite.after.clone())).collect()
}

/// Writes every file that can be written. Findings in the others are not fixed.
fn write(watch: &Watch, source: &Source, repair: &mut Outcome, stderr: &Stderr) -> Vec<Failure> {
    let Some(top) = source.directory() else { return Vec::new() };
    let mut failures = Vec::new();
    let fixed = &mut repair.fixed;
    repair.rewrites.retain(|rewrite| {
        let path = rewrite.path.to_path_lossy();
        let written = tree::rewrite(watch, stderr, top, &path, &rewrite.before, &rewrite.after);
        let is_written = written.map_err(|failure| failures.push(failure)).is_ok();
        if !is_written {
            fixed.retain(|fixed| fixed.path != rewrite.path);
        }
        is_written
    });
    failures
}

/// Reports every failure. One failure fails the run.
fn failed(mut failures: Vec<Failure>, stderr: &Stderr) -> Result<(), Failure> {
    let Some(last) = failures.pop() else { return Ok(()) };
    failures.iter().for_each(|failure| stderr.failure(failure));
    Err(last)
}

/// Lists the fixed findings, one per line, and the skipped edits that have a specific reason.
fn lines(repair: &Outcome, shown: Option<u64>) -> Vec<String> {
    let path = |path: &BStr| escape::path(path);
    let fixed = |fixed: &FixedFinding| {
        let message = escape::text(&fixed.message);
        format!("{}: fixed {}: {message}", path(fixed.path.as_bstr()), fixed.rule.id())
    };
    let skipped = |skipped: &SkippedFinding| {
        let why = reason(&skipped.why)?;
        Some(format!("{}: skipped {}: {why}", path(skipped.path.as_bstr()), skipped.rule.id()))
    };
    let lines = repair.fixed.iter().map(fixed).chain(repair.skipped.iter().filter_map(skipped));
    let mut lines: Vec<String> = lines.collect();
    let cap = shown.and_then(|shown| usize::try_from(shown).ok()).unwrap_or(usize::MAX);
    if let Some(more) = lines.len().checked_sub(cap).filter(|&more| more > 0) {
        lines.truncate(cap);
        lines.push(format!("{more} more are not shown (limits.shown-findings)"));
    }
    lines
}

/// Returns why an edit was skipped; `None` for reasons that the summary counts.
fn reason(why: &Why) -> Option<String> {
    match why {
        Why::Rejected(harm) => Some(format!("the edit {}", escape::text(harm))),
        Why::Obstacle(Obstacle::Link) => Some("the file is a symbolic link".to_owned()),
        Why::Obstacle(Obstacle::Signature(name)) => {
            Some(format!("`{}` signs the skill; use `--signed` to edit it anyway", escape::path(name.as_bstr())))
        }
        Why::Obstacle(Obstacle::Elsewhere) => Some("the configuration does not come from the working tree".to_owned()),
        Why::Unsafe | Why::Unfinished => None,
    }
}

/// Summarizes what was fixed and what remains.
fn summary(repair: &Outcome, fix: &Fix, proposed: &Again<'_>, checked_source: &str) -> Vec<String> {
    let files = render::count(repair.rewrites.len(), "file");
    let findings = render::count(repair.fixed.len(), "finding");
    let done = if fix.diff { "would be fixed" } else { "fixed" };
    let first = match repair.fixed.len() {
        0 => format!("nothing to fix in {checked_source}"),
        _ => format!("{findings} {done} in {files} of {checked_source}"),
    };
    let remain = match repair.report.active().count() {
        0 => "no findings remain".to_owned(),
        1 => format!("1 finding remains: run `{}` to see it", proposed.command("check")),
        remain => format!("{remain} findings remain: run `{}` to see them", proposed.command("check")),
    };
    let mut summary = vec![format!("{first}; {remain}")];
    let mut fixable: BTreeMap<&str, usize> = BTreeMap::new();
    for SkippedFinding { why, .. } in &repair.skipped {
        let how = match why {
            Why::Unsafe => "fixable with `--unsafe`: these edits may change what a skill means",
            Why::Obstacle(Obstacle::Signature(_)) => "fixable with `--signed`: the skill has a signature file",
            Why::Unfinished => "fixable by running the same command again",
            Why::Obstacle(_) | Why::Rejected(_) => continue,
        };
        *fixable.entry(how).or_default() += 1;
    }
    summary.extend(fixable.into_iter().map(|(how, number)| format!("{number} more {how}")));
    summary
}
