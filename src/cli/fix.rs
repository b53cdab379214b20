//! `fix`: make the edits that findings offer, in the work tree or as a patch.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};
use skilltree::fix::{self, Left, Mended, Obstacle, Repair, Why};
use skilltree::render::{self, escape};
use skilltree::snapshot::Origin;
use skilltree::source::Source;

use super::Status;
use super::args::{Common, Fix};
use super::failure::Failure;
use super::output::{self, Stderr};
use super::paths;
use super::session::{self, Request, Session};
use super::tree;
use super::watch::{Step, Watch};

pub(super) fn run(common: &Common, fix: &Fix) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let request = Request { paths: &fix.paths, work_tree: true, ..Request::default() };
    let session = Session::open(common, &fix.source, &request)?;
    if matches!(session.source.origin(), Origin::StandardInput) {
        return Err(
            Failure::new("standard input cannot be rewritten").help("name a SKILL.md, its directory, or nothing")
        );
    }
    if session.source.directory().is_none() && !fix.diff {
        let judged = session.words()?;
        return Err(Failure::new(format!("{judged} cannot be rewritten: only a work tree is"))
            .help("add `--diff` to get a patch, or leave the source out"));
    }
    let wanted = paths::wanted(&session.report, &session.source, &session.typed_in, &fix.paths)?;
    let edits = fix::Request {
        unsafe_edits: fix.unsafe_edits,
        signed: fix.signed,
        settings: fix.source.config.is_none() && fix.source.config_from.is_none(),
        is_wanted: &|path| paths::is_wanted(&wanted, path),
    };
    let shown = session.config.limits.shown_findings;
    let judged = session.words()?;
    let Session { place, source, report, .. } = session;
    let again = |texts: &fix::Texts| -> Result<_, Failure> {
        Ok(session::judged(common, &place, &source.with(texts.clone()), &fix.source, &request)?.1)
    };
    let mut repair = fix::repair(report, &edits, |files| source.bodies(files).map_err(Failure::from), again)?;
    let mut failures = Vec::new();
    common.watch.step(Step::Write);
    let status = if fix.diff {
        let mut patch = Vec::new();
        fix::patch(&repair.rewrites, &mut patch).expect("memory takes what it is given");
        output::bytes(common, &patch)?;
        if repair.rewrites.is_empty() { Status::Clean } else { Status::Found }
    } else {
        failures = write(&common.watch, &source, &mut repair, &stderr);
        if !failures.is_empty() {
            // What remains is what is found in the files as they are.
            repair.report = again(&texts(&repair))?;
        }
        output::stdout(common, |out| lines(&repair, shown).iter().try_for_each(|line| writeln!(out, "{line}")))?;
        Status::Clean
    };
    summary(&repair, fix, &judged).iter().for_each(|line| stderr.say(line));
    failed(failures, &stderr)?;
    Ok(status)
}

/// What the files hold that are other ones now.
fn texts(repair: &Repair) -> fix::Texts {
    repair.rewrites.iter().map(|rewrite| (rewrite.path.clone(), rewrite.after.clone())).collect()
}

/// Writes every file that can be written. Nothing is mended in those that cannot.
fn write(watch: &Watch, source: &Source, repair: &mut Repair, stderr: &Stderr) -> Vec<Failure> {
    let Some(top) = source.directory() else { return Vec::new() };
    let mut failures = Vec::new();
    let mended = &mut repair.mended;
    repair.rewrites.retain(|rewrite| {
        let path = rewrite.path.to_path_lossy();
        let written = tree::rewrite((watch, stderr), top, &path, &rewrite.before, &rewrite.after);
        let is_written = written.map_err(|failure| failures.push(failure)).is_ok();
        if !is_written {
            mended.retain(|mended| mended.path != rewrite.path);
        }
        is_written
    });
    failures
}

/// Says every failure; one is enough for the run to have failed.
fn failed(mut failures: Vec<Failure>, stderr: &Stderr) -> Result<(), Failure> {
    let Some(last) = failures.pop() else { return Ok(()) };
    failures.iter().for_each(|failure| stderr.failure(failure));
    Err(last)
}

/// What was mended, a line each, and what is left for a reason that is its own.
fn lines(repair: &Repair, shown: Option<u64>) -> Vec<String> {
    let path = |path: &BStr| escape::path(path);
    let mended = |mended: &Mended| {
        let message = escape::text(&mended.message);
        format!("{}: fixed {}: {message}", path(mended.path.as_bstr()), mended.rule.id)
    };
    let left = |left: &Left| {
        let why = words(&left.why)?;
        Some(format!("{}: left {}: {why}", path(left.path.as_bstr()), left.rule.id))
    };
    let lines = repair.mended.iter().map(mended).chain(repair.left.iter().filter_map(left));
    let mut lines: Vec<String> = lines.collect();
    let room = shown.and_then(|shown| usize::try_from(shown).ok()).unwrap_or(usize::MAX);
    if let Some(more) = lines.len().checked_sub(room).filter(|&more| more > 0) {
        lines.truncate(room);
        lines.push(format!("{more} more are not shown (limits.shown-findings)"));
    }
    lines
}

/// Why an edit was not made, where the reason is one of the finding's own.
fn words(why: &Why) -> Option<String> {
    match why {
        Why::Harm(harm) => Some(format!("the edit {}", escape::text(harm))),
        Why::Obstacle(Obstacle::Link) => Some("the file is reached through a symbolic link".to_owned()),
        Why::Obstacle(Obstacle::Signature(name)) => {
            Some(format!("`{}` signs the skill; `--signed` edits it all the same", escape::path(name.as_bstr())))
        }
        Why::Obstacle(Obstacle::Elsewhere) => Some("the configuration is not the work tree's own".to_owned()),
        Why::Unsafe | Why::Unfinished => None,
    }
}

/// What was done, and what is left to do.
fn summary(repair: &Repair, fix: &Fix, judged: &str) -> Vec<String> {
    let files = render::count(repair.rewrites.len(), "file");
    let mended = render::count(repair.mended.len(), "finding");
    let done = if fix.diff { "would be fixed" } else { "fixed" };
    let first = match repair.mended.len() {
        0 => format!("nothing to fix in {judged}"),
        _ => format!("{mended} {done} in {files} of {judged}"),
    };
    let remain = match repair.report.standing().count() {
        0 => "nothing remains".to_owned(),
        1 => "1 finding remains: `skilltree check` shows it".to_owned(),
        remain => format!("{remain} findings remain: `skilltree check` shows them"),
    };
    let mut summary = vec![format!("{first}; {remain}")];
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for Left { why, .. } in &repair.left {
        let how = match why {
            Why::Unsafe => "fixable with `--unsafe`: these edits may change what a skill means",
            Why::Obstacle(Obstacle::Signature(_)) => "fixable with `--signed`: a signature stands beside the skill",
            Why::Unfinished if fix.unsafe_edits => "fixable by running `skilltree fix --unsafe` again",
            Why::Unfinished => "fixable by running `skilltree fix` again",
            Why::Obstacle(_) | Why::Harm(_) => continue,
        };
        *left.entry(how).or_default() += 1;
    }
    summary.extend(left.into_iter().map(|(how, number)| format!("{number} more {how}")));
    summary
}
