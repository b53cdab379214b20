//! AMACS section of the skills bound to a thread (IMP-023, "Thread Skills").

use std::collections::BTreeSet;

use super::block::{BlockEntry, Shape};
use super::body::{Fragment, Guard};
use super::line;
use crate::select::{self, Names};

pub(super) static SHAPE: Shape = Shape {
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
    entry.body.unfit(Some(GUARD), others, &select::known_as(entry.skill, true))
}

fn claims(entry: &BlockEntry<'_>, others: &Names) -> BTreeSet<String> {
    entry.body.claims(others, &select::known_as(entry.skill, true))
}

fn fragment(entry: &BlockEntry<'_>) -> Fragment {
    let name = line::one_line(&select::known_as(entry.skill, true));
    Fragment::around(&format!("### {name}\n\n"), &entry.body.text, "")
}
