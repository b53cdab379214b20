//! AMACS section of the skills bound to a thread (IMP-023, "Thread Skills").

use super::block::{BlockEntry, Shape};
use super::{body, line};
use crate::select;

pub(super) static SHAPE: Shape = Shape {
    head: "## Thread Skills\n\n",
    tail: "\n",
    separator: "\n\n---\n\n",
    sections: None,
    inlines: true,
    // Headings and separators of a body are indented, and the section ends at the next heading of the prompt.
    unfit: |entry| body::unfit(&entry.body, &[]),
    fragment,
};

fn fragment(entry: &BlockEntry<'_>) -> String {
    let name = line::one_line(&select::known_as(entry.skill, true));
    format!("### {name}\n\n{}", body::indented(&entry.body))
}
