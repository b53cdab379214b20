//! Why a block has no skills. A dispatcher that injects nothing must be able to see the reason.

use std::collections::BTreeSet;

use bstr::ByteSlice;
use skilltree_dispatch::prompt::{Artifact, Recipe};
use skilltree_dispatch::select::{Dropped, Reason, Selected, Selection};
use skilltree_lint::rule::listed;
use skilltree_report::render::{self, escape};

use super::selection;
use crate::cli::output::Stderr;
use crate::session::Session;

/// Reports why a block has no skills, unless the messages about skills that exceed a limit do.
pub(super) fn report(stderr: &Stderr, session: &Session, artifact: &Artifact, recipe: &Recipe, check: &str) {
    let Selected { skills, dropped, scores, .. } = &artifact.selected;
    if !skills.is_empty() || dropped.iter().any(|dropped| dropped.reason.is_loss()) {
        return;
    }
    if !recipe.enabled {
        stderr.info("the block is empty: `agent.skills` in WORKFLOW.md is disabled");
        return;
    }
    let catalog = &session.report.catalog;
    let accepted = session.report.accepted().skills;
    let accepted = accepted.into_iter().filter(|&skill| recipe.covers(catalog, skill)).count();
    if accepted == 0 {
        stderr.info(&format!("the block is empty: {}", nothing_accepted(session, recipe, check)));
        return;
    }
    let is_disabled = |dropped: &&Dropped| dropped.reason == Reason::ModelInvocationDisabled;
    if dropped.iter().filter(is_disabled).count() == accepted {
        stderr.info("the block is empty: only a person may start the skills (`disable-model-invocation: true`)");
        return;
    }
    let accepted = render::count(accepted, "accepted skill");
    match &recipe.selection {
        Selection::Task(_) => stderr.info(&selection::nothing_fits(scores, &accepted)),
        Selection::Mentioned(_) => stderr.info(&format!("the text mentions none of {accepted}")),
        // An unbound thread, and each bound skill that is missing, is reported.
        Selection::Bound { .. } => {}
        Selection::All | Selection::Named(_) => {
            let reserved: Vec<String> =
                recipe.reserved.iter().map(|name| format!("`{}`", escape::text(name))).collect();
            stderr.info(&format!("the block is empty: the runtime always includes {}", listed(&reserved)));
        }
    }
}

fn nothing_accepted(session: &Session, recipe: &Recipe, check: &str) -> String {
    let catalog = &session.report.catalog;
    let found = catalog.skills().filter(|(id, _)| recipe.covers(catalog, *id)).count();
    if found > 0 {
        return format!("{} found, but none is accepted; run `{check}` to see why", render::count(found, "skill"));
    }
    let profile = session.config.profiles.find(&recipe.profile).and_then(|profile| profile.prompt.as_ref());
    let known = profile.filter(|_| session.config.block.is_some()).into_iter().flat_map(|prompt| &prompt.roots);
    let read = recipe.roots.iter().map(|&root| escape::path(catalog.root(root).shown_path()));
    let places: BTreeSet<String> = known.map(|path| escape::path(path.as_bytes().as_bstr())).chain(read).collect();
    match places.is_empty() {
        true => "no skills directory has a skill".to_owned(),
        false => format!("there is no skill in {}", listed(&places.into_iter().collect::<Vec<_>>())),
    }
}
