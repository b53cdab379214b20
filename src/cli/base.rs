//! The base of a check: opened, judged as its head is, and compared with it.

use skilltree::compare::{Outlines, Pairs, Side, compare};
use skilltree::config::{Config, Ignore};
use skilltree::excerpt::Excerpts;
use skilltree::records::Knowledge;
use skilltree::skill::Parsed;
use skilltree::snapshot::Origin;
use skilltree::source::{self, Error, Progress, Source};
use skilltree::{Report, judge};

use super::args;
use super::failure::Failure;
use super::output::Stderr;
use super::place::Place;
use super::session::{self, Request, Session};

/// Marks the findings of a session that the base has already. Where there is no base to know, all of them count: what
/// cannot be compared is not excused. Gives the places of the report, where the comparison had to know them.
pub(super) fn mark(
    session: &mut Session,
    revision: &str,
    arguments: &args::Source,
    request: &Request<'_>,
    stderr: &Stderr,
) -> Result<Option<Excerpts>, Failure> {
    if matches!(session.source.origin(), Origin::Directory | Origin::StandardInput | Origin::Memory) {
        return Err(Failure::new("a base needs a repository: what is checked here is in none")
            .help("leave `--base` out, or run in the repository"));
    }
    if is_null(revision) {
        stderr.warn("there is no base yet: every finding counts", None);
        return Ok(None);
    }
    let base = match source::open_base(&session.place, revision, &session.source, &session.place.environment) {
        Err(error @ (Error::Shallow { .. } | Error::Unborn { .. })) => {
            stderr.warn(&format!("{error}: every finding counts"), error.help().as_deref());
            return Ok(None);
        }
        opened => opened?,
    };
    match judged(session, &base, arguments, request) {
        Ok((report, excerpts)) => set_beside(session, &base, &report, &excerpts).map(Some),
        // A base may be the very reason for a change: a tree that nobody could read must not stand in the way of its repair.
        Err(error) => {
            let message = format!("the base `{revision}` cannot be judged, so every finding counts: {error}");
            stderr.warn(&message, error.help().as_deref());
            Ok(None)
        }
    }
}

/// What the base holds of shared knowledge. Where it cannot be read, [`mark`] says so.
pub(super) fn knowledge(place: &Place, revision: &str, source: &Source) -> Option<Knowledge> {
    let base = source::open_base(place, revision, source, &place.environment).ok()?;
    base.records().ok()?.knowledge
}

/// The id that a push gives for a branch that is new or gone.
fn is_null(revision: &str) -> bool {
    matches!(revision.len(), 40 | 64) && revision.bytes().all(|byte| byte == b'0')
}

/// The base judged under the configuration of the head, on the same day. What is wrong with its own configuration is
/// said of its own.
fn judged(
    session: &Session,
    base: &Source,
    arguments: &args::Source,
    request: &Request<'_>,
) -> Result<(Report, Excerpts), Error> {
    let config = &session.config;
    let parsed = session::read(&session.place, base, arguments, config, &Progress::default())?;
    let parsed = Parsed { time: session.report.catalog.parsed.time, ..parsed };
    let own = session::configure(&session.place, base, arguments, request).ok();
    let (files, faults, entries) = own.map(|own| (own.files, own.faults, own.ignores)).unwrap_or_default();
    // The ignores of the head hold, and each is shown where the base has it.
    let place = |ignore: &Ignore| entries.iter().find(|own| own.says_the_same(ignore))?.written.clone();
    let ignores = config.ignores.iter().map(|ignore| Ignore { written: place(ignore), ..ignore.clone() }).collect();
    let report = judge(parsed, &Config { files, faults, ignores, ..config.clone() });
    let excerpts = Excerpts::new(&report, |files| base.bodies(files))?;
    Ok((report, excerpts))
}

fn set_beside(session: &mut Session, base: &Source, report: &Report, excerpts: &Excerpts) -> Result<Excerpts, Failure> {
    let own = session.excerpts()?;
    let mut pairs = Pairs::new(&session.report, report);
    let (heads, bases) = pairs.unpaired();
    let heads = Outlines::new(&session.report, heads, |files| session.source.bodies(files))?;
    let bases = Outlines::new(report, bases, |files| base.bodies(files))?;
    pairs.pair_similar(&heads, &bases);
    let head = Side { report: &session.report, excerpts: &own };
    let comparison = compare(head, Side { report, excerpts }, &pairs);
    comparison.apply(&mut session.report, report);
    Ok(own)
}
