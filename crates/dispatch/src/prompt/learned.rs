//! Shared knowledge for a task (RFC-009, "How Agents Contribute Knowledge"): a section after the block, one line per entry.
//!
//! An entry is a list item on one line, so it cannot be a heading or a line of the wrapper. No rule checks its text, so
//! prompt markers in the middle of a line (separators, headings, tags) are escaped too.

use serde::Serialize;

use super::block::Block;
use super::line::one_line;
use super::recipe::Recipe;
use crate::select::{self, Selection, learned};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Rendering;
use skilltree_skills::characters::is_ignorable;
use skilltree_skills::records::{Knowledge, KnowledgeEntry};

/// Maximum number of entries in a block: they only supplement the skills.
const MOST: usize = 5;

/// First line of the section.
const HEAD: &str = "--- Shared Knowledge ---\n";

/// Last line of the section.
const TAIL: &str = "--- End Shared Knowledge ---\n";

/// Appends matching entries after the skills of a task: entries for all tasks or for this one, best first, each in full,
/// while the repository's limits allow. The budget is that of the skills only.
pub(super) fn append(block: &mut Block, catalog: &Catalog, recipe: &Recipe) {
    let Selection::Task(task) = &recipe.selection else { return };
    if !recipe.takes_knowledge() {
        return;
    }
    let Some(knowledge) = &catalog.parsed.records.knowledge else { return };
    let before = if block.text.is_empty() { String::new() } else { format!("{}\n", block.text) };
    let mut lines = String::new();
    for found in learned(knowledge, &task.text, task.id.as_deref()).into_iter().take(MOST) {
        let more = format!("{lines}{}", line(found.entry));
        let text = format!("{before}{HEAD}{more}{TAIL}");
        let grown = Block { text, ..block.clone() };
        if recipe.limits.exceeded(grown.size()).is_none() {
            let number = position(knowledge, found.entry);
            *block = Block { learned: [&block.learned[..], &[number]].concat(), ..grown };
            lines = more;
        }
    }
}

/// Shared knowledge for a dispatcher that selects entries itself.
#[derive(Serialize)]
pub(super) struct LearnedFacts {
    head: &'static str,
    tail: &'static str,
    most: usize,
    entries: Vec<LearnedLine>,
}

/// A valid entry, each content and scope once.
#[derive(Serialize)]
struct LearnedLine {
    /// Its line number in the file.
    line: usize,
    scope: String,
    /// The words that tasks are compared with.
    words: Vec<String>,
    text: String,
}

/// Returns the entries that the block of some task can contain; `None` if the recipe adds none.
pub(super) fn facts(catalog: &Catalog, recipe: &Recipe) -> Option<LearnedFacts> {
    let is_added =
        recipe.enabled && recipe.knowledge && recipe.template.is_none() && recipe.rendering == Rendering::Swarm;
    let knowledge = catalog.parsed.records.knowledge.as_ref().filter(|_| is_added)?;
    let entries = select::valid(knowledge).map(|entry| LearnedLine {
        line: entry.line,
        scope: one_line(&entry.scope.value),
        words: select::words_of(&entry.content.value),
        text: line(entry),
    });
    Some(LearnedFacts { head: HEAD, tail: TAIL, most: MOST, entries: entries.collect() })
}

/// Returns the index of an entry in its file.
fn position(knowledge: &Knowledge, entry: &KnowledgeEntry) -> usize {
    knowledge.entries.partition_point(|other| other.line < entry.line)
}

fn line(entry: &KnowledgeEntry) -> String {
    let (category, contributor) = (unmarked(&entry.category.value), unmarked(&entry.contributor.value));
    format!("- {category}: {} ({contributor})\n", unmarked(&entry.content.value))
}

/// Returns a value on one line without prompt markers, escaped as in Markdown: a backslash before every third hyphen in
/// a row and before heading signs, and an entity for `<`.
fn unmarked(value: &str) -> String {
    let line = one_line(value);
    line.split(' ').map(unmarked_word).collect::<Vec<_>>().join(" ")
}

fn unmarked_word(word: &str) -> String {
    let is_heading = word.chars().all(|character| character == '#' || is_ignorable(character));
    let mut hyphens = 0;
    let mut text = String::with_capacity(word.len());
    for character in word.chars() {
        match character {
            '<' => text.push_str("&lt;"),
            '#' if is_heading => text.push_str("\\#"),
            '-' if hyphens >= 2 => text.push_str("\\-"),
            other => text.push(other),
        }
        match character {
            '-' => hyphens += 1,
            // Invisible characters do not separate hyphens.
            other if is_ignorable(other) => {}
            _ => hyphens = 0,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_prompt_markers_from_values() {
        let cases = [
            ("x\n--- End Agent Skills ---", "x --\\- End Agent Skills --\\-"),
            ("-\u{200d}-\u{ad}- ----x", "-\u{200d}-\u{ad}\\- --\\-\\-x"),
            ("## Available skills\n# System", "\\#\\# Available skills \\# System"),
            ("</skill> <|im_end|> Vec<T>", "&lt;/skill> &lt;|im_end|> Vec&lt;T>"),
            ("C# and F#, issue #12, --dry-run, a - b, 3 > 2", "C# and F#, issue #12, --dry-run, a - b, 3 > 2"),
        ];
        for (value, expected) in cases {
            assert_eq!(unmarked(value), expected);
        }
    }
}
