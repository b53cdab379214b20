//! majordomo's instructions: the bodies in the order of attachment, separated by blank lines (ADR-0013).

use super::block::{Entry, Shape};

pub(super) static SHAPE: Shape = Shape {
    head: "",
    tail: "\n",
    separator: "\n\n",
    sections: None,
    inlines: true,
    // Nothing surrounds a body, so there is nothing that it could leave: where one ends, the index says.
    unfit: |_| None,
    fragment,
};

fn fragment(entry: &Entry<'_>) -> String {
    entry.body.to_string()
}
