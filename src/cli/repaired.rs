//! Fixable findings of the index that the working tree no longer has: they need `git add`, not a fix.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bstr::{BStr, BString};
use skilltree_front_matter::text;
use skilltree_lint::Report;
use skilltree_lint::fix::{self, Offers};
use skilltree_lint::rule::{Finding, RuleRef};
use skilltree_report::render::{self, Commands};
use skilltree_skills::snapshot::Origin;

use super::again;
use super::args::{Common, Source};
use super::request::Request;
use super::session;
use crate::session::Session;

/// The maximum number of paths in the message.
const SHOWN: usize = 3;

/// Returns the lines about findings that can be fixed. For the index, those that the working tree no longer has are
/// listed separately.
pub(super) fn lines(
    common: &Common,
    source: &Source,
    request: &Request<'_>,
    session: &Session,
    commands: &Commands,
) -> Vec<String> {
    let report = &session.report;
    let is_index = *session.source.origin() == Origin::Index;
    if !is_index || common.quiet || fix::fixable(report).next().is_none() {
        return render::fixable(report, commands).into_iter().collect();
    }
    let source = Source { staged: false, worktree: true, rev: None, ..source.clone() };
    let request = Request { rules: request.rules, targets: request.targets, worktree: true, ..Request::default() };
    match session::open(common, &source, &request) {
        Ok(worktree) => compared(report, &worktree.report, |paths| again::git_add(common, session, paths), commands),
        // A working tree that cannot be read changes nothing about the index.
        Err(_) => render::fixable(report, commands).into_iter().collect(),
    }
}

/// Returns the lines for the findings of the index and of the working tree.
fn compared(index: &Report, worktree: &Report, add: impl Fn(&[&BStr]) -> String, commands: &Commands) -> Vec<String> {
    // Place by place: with a base, a finding about several places names another place than without one.
    let left: BTreeSet<Key> = worktree.active().flat_map(|finding| keys(worktree, finding)).collect();
    let (left, repaired): (Vec<&Finding>, Vec<&Finding>) =
        fix::fixable(index).partition(|finding| keys(index, finding).iter().any(|key| left.contains(key)));
    let mut lines = Vec::new();
    if !repaired.is_empty() {
        let paths: BTreeSet<BString> = repaired.iter().map(|finding| index.path(finding).to_owned()).collect();
        let shown: Vec<&BStr> = paths.iter().take(SHOWN).map(|path| path.as_ref()).collect();
        let (all, add) = (paths.len(), add(&shown));
        let more = if all > SHOWN { format!(" and {} more", text::grouped(all - SHOWN)) } else { String::new() };
        let count = render::count(repaired.len(), "finding");
        lines.push(format!("{count} already fixed in the working tree: run `{add}`{more}"));
    }
    lines.extend(render::offered(Offers::of(left.into_iter()), commands));
    lines
}

/// Path, rule and message.
type Key = (BString, RuleRef, String);

/// Returns what identifies each place of a finding in both.
fn keys(report: &Report, finding: &Finding) -> Vec<Key> {
    let key = |one: Cow<'_, Finding>| (report.path(finding).to_owned(), finding.rule.clone(), one.message.clone());
    finding.each().into_iter().map(key).collect()
}
