//! SwarmAssistant block: bodies of the skills that match a task, between two wrapper lines (RFC-009, "Injection into
//! RolePromptFactory").

use super::block::{BlockEntry, Shape};
use super::{body, line};
use crate::select;

const HEAD: &str = "--- Agent Skills ---\n";
const TAIL: &str = "--- End Agent Skills ---\nApply these skills to your review/implementation.\n";

/// Lines of the wrapper. A body that contains one of them would end the block for a parser.
const WRAPPER: [&str; 3] =
    ["--- Agent Skills ---", "--- End Agent Skills ---", "Apply these skills to your review/implementation."];

pub(super) static SHAPE: Shape =
    Shape { head: HEAD, tail: TAIL, separator: "", sections: None, inlines: true, unfit, fragment };

fn unfit(entry: &BlockEntry<'_>) -> Option<String> {
    body::unfit(&entry.body, &WRAPPER)
}

fn fragment(entry: &BlockEntry<'_>) -> String {
    let name = line::one_line(&select::name(entry.skill));
    format!("### {name}\n{}\n\n", body::indented(&entry.body))
}
