//! SwarmAssistant's block: the bodies of the skills that fit a task, between two lines of its own (RFC-009, "Injection
//! into RolePromptFactory").

use super::block::{Entry, Shape};
use super::{body, line};
use crate::select;

const HEAD: &str = "--- Agent Skills ---\n";
const TAIL: &str = "--- End Agent Skills ---\nApply these skills to your review/implementation.\n";

/// The lines of the wrapper. A body that holds one of them would end the block for who looks for it.
const WRAPPER: [&str; 3] =
    ["--- Agent Skills ---", "--- End Agent Skills ---", "Apply these skills to your review/implementation."];

pub(super) static SHAPE: Shape =
    Shape { head: HEAD, tail: TAIL, separator: "", sections: None, inlines: true, unfit, fragment };

fn unfit(entry: &Entry<'_>) -> Option<String> {
    body::unfit(&entry.body, &WRAPPER)
}

fn fragment(entry: &Entry<'_>) -> String {
    let name = line::one_line(&select::name(entry.skill));
    format!("### {name}\n{}\n\n", body::indented(&entry.body))
}
