//! majordomo instructions: the bodies in the order of attachment, separated by blank lines (ADR-0013).

use super::block::{BlockEntry, Shape};

pub(super) static SHAPE: Shape = Shape {
    head: "",
    tail: "\n",
    separator: "\n\n",
    sections: None,
    inlines: true,
    // No wrapper surrounds a body, so it cannot break out; the index has the end of each body.
    unfit: |_| None,
    fragment,
};

fn fragment(entry: &BlockEntry<'_>) -> String {
    entry.body.to_string()
}
