//! What agents learned, behind the skills of a task (RFC-009, "How Agents Contribute Knowledge"): a line an entry.
//!
//! An entry begins with a list's bullet and stays on its line, so that it is neither a heading nor a line of the wrapper.

use super::block::Block;
use super::line::one_line;
use super::recipe::Recipe;
use crate::catalog::Catalog;
use crate::records::{Entry, Knowledge};
use crate::select::{Caps, Selection, learned};

/// Entries of a block: they are hints beside the skills.
const MOST: usize = 5;

/// What introduces them.
const HEADING: &str = "### Shared knowledge\n";

/// Puts the entries that a task is about into its block, in front of what ends it: those that hold for all tasks, the best
/// first, each whole, as long as there is room beside the skills.
pub(super) fn insert(block: &mut Block, catalog: &Catalog, recipe: &Recipe, head: &str, tail: &str) {
    let Selection::Task(task) = &recipe.selection else { return };
    if !recipe.takes_knowledge() {
        return;
    }
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    let skills = if block.text.is_empty() { format!("{head}{tail}") } else { block.text.clone() };
    let before = &skills[..skills.len() - tail.len()];
    let mut lines = String::new();
    for found in learned(knowledge, &task.text, None).into_iter().take(MOST) {
        let more = format!("{lines}{}", line(found.entry));
        let text = format!("{before}{HEADING}{more}\n{tail}");
        let grown = Block { text, ..block.clone() };
        let is_over = |caps: &Caps| caps.exceeded(grown.size()).is_some();
        if !is_over(&recipe.limits) && !is_over(&recipe.budget) {
            let number = position(knowledge, found.entry);
            *block = Block { learned: [&block.learned[..], &[number]].concat(), ..grown };
            lines = more;
        }
    }
}

/// The number of an entry in its file.
fn position(knowledge: &Knowledge, entry: &Entry) -> usize {
    knowledge.entries.partition_point(|other| other.line < entry.line)
}

fn line(entry: &Entry) -> String {
    let (category, contributor) = (one_line(&entry.category.value), one_line(&entry.contributor.value));
    format!("- {category}: {} ({contributor})\n", one_line(&entry.content.value))
}
