//! SwarmAssistant block: bodies of the skills that match a task, between two wrapper lines (RFC-009, "Injection into
//! RolePromptFactory").

use std::collections::BTreeSet;

use super::block::{BlockEntry, Shape};
use super::body::{Fragment, Guard};
use super::line;
use crate::select::Names;

const HEAD: &str = "--- Agent Skills ---\n";
const TAIL: &str = "--- End Agent Skills ---\nApply these skills to your review/implementation.\n";

/// A line of the wrapper in a body would end or reopen the block for a reader of lines.
const GUARD: Guard = Guard { lines: &["--- Agent Skills ---", "--- End Agent Skills ---"], heading: None, names: true };

pub(super) static SHAPE: Shape = Shape {
    name: "swarm",
    head: HEAD,
    tail: TAIL,
    separator: "",
    sections: None,
    inlines: true,
    unfit,
    claims,
    fragment,
};

fn unfit(entry: &BlockEntry<'_>, others: &Names) -> Option<String> {
    entry.body.unfit(Some(GUARD), others, &entry.skill.shown_name())
}

fn claims(entry: &BlockEntry<'_>, others: &Names) -> BTreeSet<String> {
    entry.body.claims(others, &entry.skill.shown_name())
}

fn fragment(entry: &BlockEntry<'_>) -> Fragment {
    let name = line::one_line(&entry.skill.shown_name());
    Fragment::around(&format!("### {name}\n"), &entry.body.text, "\n")
}
