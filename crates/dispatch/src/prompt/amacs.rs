//! AMACS section of the skills bound to a thread (IMP-023, "Thread Skills").

use std::collections::BTreeSet;

use super::block::{BlockEntry, Shape};
use super::body::{Fragment, Guard};
use super::line;
use crate::select::Names;

pub(super) static SHAPE: Shape = Shape {
    name: "amacs",
    head: "## Thread Skills\n\n",
    tail: "",
    separator: "\n---\n\n",
    sections: None,
    inlines: true,
    unfit,
    claims,
    fragment,
};

const GUARD: Guard = Guard { lines: &["## Thread Skills"], heading: Some("Thread Skills"), names: true };

fn unfit(entry: &BlockEntry<'_>, others: &Names) -> Option<String> {
    entry.body.unfit(Some(GUARD), others, &entry.skill.known_as(true))
}

fn claims(entry: &BlockEntry<'_>, others: &Names) -> BTreeSet<String> {
    entry.body.claims(others, &entry.skill.known_as(true))
}

fn fragment(entry: &BlockEntry<'_>) -> Fragment {
    let name = line::one_line(&entry.skill.known_as(true));
    Fragment::around(&format!("### {name}\n\n"), &entry.body.text, "")
}
