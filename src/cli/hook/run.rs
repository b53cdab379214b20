//! Runs as a hook: checks the index or each pushed commit, and reports what it adds.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::BufReader;

use clap::error::ErrorKind;
use skilltree_front_matter::text;
use skilltree_git::{Inputs, Pair};
use skilltree_report::render::Format;

use super::pushed::{self, Update};
use super::results::{self, Results};
use crate::cli::Status;
use crate::cli::again::Again;
use crate::cli::args::{self, Check, Common, HookName, Source};
use crate::cli::check;
use crate::cli::next::{self, Next};
use crate::cli::output::Printer;
use crate::cli::request;
use crate::cli::session;
use crate::failure::Failure;
use crate::place::Place;
use crate::untouched;

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
        HookName::Commit | HookName::MergeCommit => match next::commit(&place)? {
            Next { rev: None, base: Some(_) } if adds_nothing(&place, &asked) => return Ok(Status::Clean),
            Next { rev, base } => vec![Change { rev, base, names: None }],
        },
        HookName::Push => {
            // Git passes the URL of a remote that has no name.
            let remote = passed.first().and_then(|remote| remote.to_str()).filter(|remote| is_name(remote));
            let remote = remote.unwrap_or("origin");
            let default = ["HEAD", "main", "master"].map(|branch| format!("refs/remotes/{remote}/{branch}"));
            pushed(&place, name, &asked, &default)?
        }
        HookName::Receive => pushed(&place, name, &asked, &["HEAD".to_owned()])?,
    };
    let first_push = name == HookName::Receive && !changes.is_empty() && asked.source.overrides.config_from.is_some();
    let is_first_push = first_push && !skilltree_git::has_references(&place, &place.environment)?;
    let mut status = Status::Clean;
    let mut results = Results::default();
    let limit = results::share(changes.len());
    for change in changes {
        common.watch.next_check();
        let mut check = change.check(&asked);
        if is_first_push {
            // No revision can have a configuration yet.
            check.source.overrides.config_from = None;
        }
        let mut printer = match &change.names {
            Some(names) if results::holds(check.format) => Printer::held(names.clone(), limit),
            _ => Printer::default(),
        };
        printer = printer.of_hook(all(common, &check));
        let compared = match check::compared(common, &check, &mut printer) {
            Ok(compared) => compared,
            Err(failure) => {
                results.print(common)?;
                return Err(change.named(failure));
            }
        };
        if compared.status == Status::Found {
            status = Status::Found;
        }
        printer.into_held().into_iter().for_each(|held| results.add(compared.worst, held));
    }
    results.print(common)?;
    Ok(status)
}

fn is_name(remote: &str) -> bool {
    remote.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Returns the command that reports existing findings, too.
fn all(common: &Common, check: &Check) -> String {
    let rev = check.source.rev.as_deref().map(|rev| short(rev).to_owned());
    let source = Source { staged: rev.is_none(), rev, ..check.source.clone() };
    Again { external: Some(&check.external), targets: &check.targets, ..Again::of(common, &source) }.command("check")
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

/// Returns whether the next commit changes nothing that a rule reads, so that nothing is read, checked and printed. Options that ask for
/// more than new findings on the terminal are carried out.
fn adds_nothing(place: &Place, asked: &Check) -> bool {
    let is_terse = matches!(asked.format, Format::Full | Format::Concise) && asked.outputs.is_empty();
    let is_about_state = asked.all || asked.error_on_empty || asked.statistics || asked.external.is_wanted();
    let is_plain = is_terse && !is_about_state && asked.base.is_none() && asked.paths.is_empty();
    is_plain && untouched::is_untouched(place, &request::options(&asked.source, &check::request(asked, None)))
}

/// What a hook checks, and compares it with.
struct Change {
    /// A pushed commit; `None` for the index.
    rev: Option<String>,
    /// Without a base, every finding counts.
    base: Option<String>,
    /// The references that were pushed.
    names: Option<String>,
}

impl Change {
    fn check(&self, asked: &Check) -> Check {
        let source = Source { staged: self.rev.is_none(), rev: self.rev.clone(), ..asked.source.clone() };
        Check { source, base: asked.base.clone().or_else(|| self.base.clone()), ..asked.clone() }
    }

    /// Adds the references to a failure.
    fn named(&self, mut failure: Failure) -> Failure {
        failure.details.extend(self.names.iter().map(|names| format!("pushed as {names}")));
        failure
    }
}

/// Returns the pushed commits, each compared with what its reference pointed to, or else with the first existing default branch.
/// References with the same tree and the same tree of the base are one change.
fn pushed(place: &Place, name: HookName, asked: &Check, default: &[String]) -> Result<Vec<Change>, Failure> {
    let updates = pushed::read(name, BufReader::new(std::io::stdin().lock()))?;
    let mut default_base = None;
    for branch in if updates.is_empty() { &[] } else { default } {
        if place.has(branch)? {
            default_base = Some(branch.clone());
            break;
        }
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for Update { new, old, .. } in &updates {
        // Another clone may have pushed the old value, which is then unknown here.
        let old = match old {
            Some(old) if name == HookName::Receive || place.has(old)? => Some(old),
            _ => default_base.as_ref(),
        };
        pairs.push((new.clone(), asked.base.as_ref().or(old).cloned().filter(|_| !asked.all)));
    }
    let names: Vec<&str> = updates.iter().map(|update| update.name.as_str()).collect();
    Ok(groups(&pairs, &names, skilltree_git::inputs(place, &pairs, &place.environment)?))
}

/// Groups the comparisons with the same inputs, in the order of the push.
fn groups(pairs: &[Pair], names: &[&str], inputs: Vec<Option<Inputs>>) -> Vec<Change> {
    let mut groups: Vec<(String, Option<String>, Vec<&str>)> = Vec::new();
    let mut known = BTreeMap::new();
    for (((new, base), name), inputs) in pairs.iter().zip(names).zip(inputs) {
        let (rev, key) = match inputs {
            Some(Inputs { commit, tree, bases, day }) => {
                (commit.map_or_else(|| new.clone(), |commit| commit.to_string()), Ok((tree, bases, day)))
            }
            None => (new.clone(), Err((new, base))),
        };
        let next = groups.len();
        match groups.get_mut(*known.entry(key).or_insert(next)) {
            Some((.., names)) => names.push(name),
            None => groups.push((rev, base.clone(), vec![name])),
        }
    }
    let change = |(rev, base, names): (String, Option<String>, Vec<&str>)| Change {
        rev: Some(rev),
        base,
        names: Some(listed(&names)),
    };
    groups.into_iter().map(change).collect()
}

/// Names some references: `main, v1 and 298 more`.
fn listed(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(SHOWN));
    let shown: Vec<String> = shown.iter().map(|name| text::shortened(name, NAME_CHARS).into_owned()).collect();
    match more.len() {
        0 => text::joined(&shown),
        more => format!("{} and {} more", shown.join(", "), text::grouped(more)),
    }
}

/// Maximum number of references that are named.
const SHOWN: usize = 4;
/// Maximum length of the name of a reference, in code points.
const NAME_CHARS: usize = 80;
