//! Runs as a hook: checks the index or each pushed commit, and reports what it adds.

use std::ffi::OsString;
use std::io::BufReader;

use clap::error::ErrorKind;
use skilltree_core::render;

use super::pushed::{self, Update};
use crate::cli::Status;
use crate::cli::args::{self, Check, Common, HookName, Source};
use crate::cli::check;
use crate::cli::environment;
use crate::cli::output::Stderr;
use crate::cli::request;
use crate::cli::session;
use crate::failure::Failure;
use crate::place::Place;

/// Runs a hook with the arguments that Git passes to it, and the options of `check` from its script.
pub(super) fn run(
    common: &Common,
    name: HookName,
    passed: &[OsString],
    options: &[OsString],
) -> Result<Status, Failure> {
    let asked = parse(options)?;
    let place = session::typed_in(common)?;
    let changes = match name {
        HookName::Commit | HookName::MergeCommit => vec![commit(&place)?],
        HookName::Push => {
            // Git passes the URL of a remote that has no name.
            let remote = passed.first().and_then(|remote| remote.to_str()).filter(|remote| is_name(remote));
            let remote = remote.unwrap_or("origin");
            let default = ["HEAD", "main", "master"].map(|branch| format!("refs/remotes/{remote}/{branch}"));
            pushed(&place, name, &default)?
        }
        HookName::Receive => pushed(&place, name, &["HEAD".to_owned()])?,
    };
    let first_push = name == HookName::Receive && !changes.is_empty() && asked.source.config_from.is_some();
    let is_first_push = first_push && !skilltree_git::has_references(&place, &place.environment)?;
    let mut worst = Status::Clean;
    for change in changes {
        let mut check = change.check(&asked);
        if is_first_push {
            // No revision can have a configuration yet.
            check.source.config_from = None;
        }
        if run_one(common, &check)? == Status::Found {
            worst = Status::Found;
        }
    }
    Ok(worst)
}

/// Checks, and prints how many existing findings there are and how to see them.
fn run_one(common: &Common, check: &Check) -> Result<Status, Failure> {
    let compared = check::compared(common, check)?;
    if compared.existing > 0 {
        let source = check.source.rev.as_ref().map_or("--staged".to_owned(), |rev| format!("--rev {}", short(rev)));
        let existing = render::count(compared.existing, "existing finding");
        let them = if compared.existing == 1 { "it" } else { "them" };
        let line = format!("{existing} did not count; to see {them}, run `skilltree check {source}`");
        Stderr::new(common).info(&line);
    }
    Ok(compared.status)
}

fn is_name(remote: &str) -> bool {
    remote.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

fn short(revision: &str) -> &str {
    let is_id = matches!(revision.len(), 40 | 64) && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_id { &revision[..12] } else { revision }
}

/// Parses the options of `check` that a hook runs with.
///
/// # Errors
/// When they are not options of `check`, or choose what the hook checks.
pub(super) fn parse(options: &[OsString]) -> Result<Check, Failure> {
    let help = "pass only options of `skilltree check` after `--`";
    let (common, check) = args::check_options(options).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp => Failure::new("`--help` is not an option of a hook").help(help),
        _ => {
            let fact = error.to_string();
            Failure::new(fact.lines().next().unwrap_or_default().trim_start_matches("error: ")).help(help)
        }
    })?;
    if common.directory.is_some() {
        return Err(Failure::new("`-C` is not an option of a hook").help("Git runs hooks at the top of the repository"));
    }
    if request::explicit(&check.source).is_some() || check.range.is_some() {
        return Err(Failure::new("the hook chooses the source that it checks")
            .help("remove `--staged`, `--rev`, `--worktree` and `--range`; `--all` reports existing findings"));
    }
    Ok(check)
}

/// What a hook checks, and compares it with.
struct Change {
    /// A pushed commit; `None` for the index.
    rev: Option<String>,
    /// Without a base, every finding counts.
    base: Option<String>,
}

impl Change {
    fn check(&self, asked: &Check) -> Check {
        let source = Source { staged: self.rev.is_none(), rev: self.rev.clone(), ..asked.source.clone() };
        Check { source, base: asked.base.clone().or_else(|| self.base.clone()), ..asked.clone() }
    }
}

/// Returns the next commit, compared with `HEAD`. Before the first commit, and if nothing is staged, there is nothing to compare:
/// then a person or a workflow asks about everything. Git sets `GIT_INDEX_FILE` when it commits, even if a commit changes no file.
fn commit(place: &Place) -> Result<Change, Failure> {
    if let Some(pushed) = environment::pushed() {
        return Ok(Change { rev: Some(pushed.to), base: pushed.from });
    }
    let is_unborn = !place.has("HEAD")?;
    let is_committing = place.environment.index_file.is_some();
    let compares = !is_unborn && (is_committing || !skilltree_git::is_committed(place, &place.environment)?);
    Ok(Change { rev: None, base: compares.then(|| "HEAD".to_owned()) })
}

/// Returns the pushed commits, each compared with what its reference pointed to, or else with the first existing default branch.
fn pushed(place: &Place, name: HookName, default: &[String]) -> Result<Vec<Change>, Failure> {
    let updates = pushed::read(name, BufReader::new(std::io::stdin().lock()))?;
    let mut default_base = None;
    for branch in if updates.is_empty() { &[] } else { default } {
        if place.has(branch)? {
            default_base = Some(branch.clone());
            break;
        }
    }
    let change = |Update { new, old }| {
        // Another clone may have pushed the old value, which is then unknown here.
        let old = match old {
            Some(old) if name == HookName::Receive || place.has(&old)? => Some(old),
            _ => default_base.clone(),
        };
        Ok(Change { rev: Some(new), base: old })
    };
    updates.into_iter().map(change).collect()
}
