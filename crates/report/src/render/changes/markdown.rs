//! Changes as Markdown: the body of a comment on a pull request.
//!
//! What does not fit into a comment is left out from the end, and counted: first of the diff of the prompt block, then of the
//! skills. The summary and what runtimes lose come first.

use std::io::{self, Write};

use super::text::{POWERS, Text, texts};
use super::{Between, named, shown_patch, sizes, widened};
use crate::render::escape;
use crate::render::pieces::{BYTES, path, prose};
use skilltree_front_matter::text::{grouped, shortened};
use skilltree_lint::changes::{Affected, Changes, Kind, SkillChange};
use skilltree_skills::markdown::{self, code, marker};

/// Topic of the comment, in its marker.
const TOPIC: &str = "diff";
/// Maximum number of skills of a runtime that are named.
const AFFECTED: usize = 10;
/// Maximum number of characters shown of a text.
const SHOWN_CHARS: usize = 300;
/// Bytes for what is newly allowed, for the runtimes, and for the skills after them; what they leave is for the diff of the prompt block.
const AUTHORITY_BYTES: usize = 8_000;
const RUNTIME_BYTES: usize = 12_000;
const SKILL_BYTES: usize = 24_000;
/// Bytes for the line that counts what is left out.
const COUNT_BYTES: usize = 100;

/// Writes the comment.
pub(super) fn write(changes: &Changes, between: &Between, out: &mut dyn Write) -> io::Result<()> {
    let mut text = marker(TOPIC);
    text.push_str(&format!("### {}\n\n", prose(&escape::text(&changes.summary()))));
    text.push_str(&format!("{}.\n", prose(&escape::text(&between.sentence()))));
    authority(&mut text, changes, AUTHORITY_BYTES);
    section(&mut text, "Runtimes", RUNTIME_BYTES, &changes.impacts(), |(words, impact)| {
        format!("- {}: {}\n", prose(&escape::text(words)), named(impact, AFFECTED, affected))
    });
    section(&mut text, "Skills", SKILL_BYTES, &changes.skills, |change| skill(change, between));
    diff(&mut text, &shown_patch(changes));
    out.write_all(text.as_bytes())
}

/// Adds what a change newly lets an agent do, and which skills it adds, removes, renames and rewrites: for above the findings.
pub(in crate::render) fn consequences(changes: &Changes, links: Option<&str>, bytes: usize) -> String {
    let mut text = String::new();
    authority(&mut text, changes, bytes / 2);
    let between = Between { links: [None, links.map(str::to_owned)], ..Between::default() };
    // What only the body or other files tell is in the findings and in `skilltree diff`.
    let shown: Vec<&SkillChange> = changes.skills.iter().filter(|change| change.kind() != Kind::Edited).collect();
    section(&mut text, "Skills", bytes / 2, &shown, |change| skill(change, &between));
    text
}

fn authority(text: &mut String, changes: &Changes, bytes: usize) {
    section(text, "Newly allowed", bytes, &changes.authority, |authority| {
        format!("- {}\n", prose(&widened(authority, POWERS)))
    });
}

/// Adds a heading and as many items as fit into a number of bytes.
fn section<T>(text: &mut String, title: &str, bytes: usize, items: &[T], entry: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    text.push_str(&format!("\n#### {title}\n\n"));
    let mut left = bytes;
    let mut shown = 0;
    for entry in items.iter().map(entry) {
        if entry.len() > left {
            break;
        }
        left -= entry.len();
        text.push_str(&entry);
        shown += 1;
    }
    if shown < items.len() {
        text.push_str(&format!("- and {} more, which are not shown\n", grouped(items.len() - shown)));
    }
}

fn affected(skill: &Affected) -> String {
    match &skill.reason {
        Some(reason) => format!("{} ({})", short(&skill.name), prose(&shortened(&escape::text(reason), SHOWN_CHARS))),
        None => short(&skill.name),
    }
}

fn skill(change: &SkillChange, between: &Between) -> String {
    let kind = change.kind();
    let [base, head] = between.links.each_ref().map(Option::as_deref);
    let side = if change.after.is_some() { head } else { base };
    let mut place = path(change.path(), side);
    if let (Some(before), Some(after)) = (&change.before, &change.after)
        && kind == Kind::Renamed
    {
        if before.path != after.path {
            place = format!("{} to {place}", path(before.path.as_ref(), base));
        }
        if before.name != after.name {
            place.push_str(&format!(", name {} to {}", short(&before.name), short(&after.name)));
        }
    }
    let mut text = format!("- **{}** {place}: {}\n", change.word(), sizes(change));
    for Text { is_new, key, runtimes, text: value } in texts(change) {
        let side = match (&change.before, is_new) {
            (None, _) => "",
            (Some(_), false) => " before",
            (Some(_), true) => " after",
        };
        text.push_str(&format!("  - {key}{side}{}: {}\n", prose(&runtimes), short(value)));
    }
    text
}

/// Formats a text of a skill; front matter that cannot be read has none.
fn short(text: &str) -> String {
    if text.is_empty() {
        return "none".to_owned();
    }
    code(&shortened(&escape::text(text), SHOWN_CHARS))
}

/// Adds as many lines of the diff of the prompt block as fit.
fn diff(text: &mut String, patch: &str) {
    if patch.is_empty() {
        return;
    }
    text.push_str("\n#### Prompt block\n\n");
    let lines: Vec<&str> = patch.split_inclusive('\n').collect();
    let mut left = BYTES.saturating_sub(text.len() + COUNT_BYTES);
    let mut shown = 0;
    let mut fence = 3;
    for line in &lines {
        // The fences grow with the longest run of backticks.
        let ticks = line.split(|character| character != '`').map(str::len).max().unwrap_or_default() + 1;
        let wider = 2 * ticks.saturating_sub(fence);
        let fences = if shown == 0 { 2 * fence + "diff\n\n".len() } else { 0 };
        let Some(rest) = left.checked_sub(line.len() + wider + fences) else { break };
        left = rest;
        fence = fence.max(ticks);
        shown += 1;
    }
    if shown > 0 {
        text.push_str(&markdown::block("diff", &lines[..shown].concat()));
    }
    if shown < lines.len() {
        let more = grouped(lines.len() - shown);
        text.push_str(&format!("\n{more} more lines of the diff are not shown.\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_the_diff_at_a_line_and_counts_the_rest() {
        let patch = "+`````x\n".repeat(20_000);
        let mut text = String::new();
        diff(&mut text, &patch);
        assert!(text.len() <= BYTES && text.len() > BYTES - 200, "{}", text.len());
        let shown = text.matches("+`````x\n").count();
        assert!(text.contains("\n``````diff\n+`````x\n"), "the fence is longer than the text");
        assert!(
            text.ends_with(&format!("\n``````\n\n{} more lines of the diff are not shown.\n", grouped(20_000 - shown)))
        );
    }
}
