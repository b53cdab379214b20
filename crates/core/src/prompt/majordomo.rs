//! majordomo instructions: the bodies in the order of attachment, separated by blank lines (ADR-0013).

use std::collections::BTreeSet;

use super::block::{BlockEntry, Shape};
use super::body::{Fragment, Guard};
use crate::select::{self, Names};

pub(super) static SHAPE: Shape = Shape {
    head: "",
    tail: "",
    separator: "\n",
    sections: None,
    inlines: true,
    unfit,
    claims: |_, _| BTreeSet::new(),
    fragment,
};

/// The block has no lines of its own. A body only must not include the next one.
const GUARD: Guard = Guard { lines: &[], heading: None, names: false };

fn unfit(entry: &BlockEntry<'_>, others: &Names) -> Option<String> {
    entry.body.unfit(Some(GUARD), others, &select::name(entry.skill))
}

fn fragment(entry: &BlockEntry<'_>) -> Fragment {
    Fragment::around("", &entry.body.text, "")
}
