//! Commands that some runtimes run before the model reads the body: a code span after an exclamation mark, `` !`git status` ``,
//! also in a code block, and a code block whose info string is an exclamation mark.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::markdown::{Block, Structure};
use crate::skill::{Command, CommandForm, Mark, Marks};
use skilltree_front_matter::text::{self, FileId, Place};

/// Returns the commands in the body that begins at an offset, in its order.
pub(super) fn find<F: FnOnce() -> Structure>(
    file: FileId,
    text: &str,
    start: usize,
    structure: &LazyCell<Structure, F>,
) -> Marks<Command> {
    let mut found: Vec<(Range<usize>, CommandForm, &str)> = Vec::new();
    let mut may_have_blocks = false;
    for at in text.as_bytes().get(start..).unwrap_or_default().find_iter("!") {
        let mark = start + at;
        may_have_blocks |= ["```", "~~~"].iter().any(|fence| text[start..mark].ends_with(fence));
        let Some(range) = span(text, mark, structure) else { continue };
        let is_glued = text[start..mark].chars().next_back().is_some_and(|before| !before.is_whitespace());
        let form = match structure.block(mark) {
            Some(_) if is_glued => continue,
            Some((_, Block::Markdown)) => CommandForm::InExample,
            Some(_) => CommandForm::InBlock,
            None if is_glued => CommandForm::Glued,
            None => CommandForm::Span,
        };
        let inner = &text[mark + 2..range.end - 1];
        if inner.contains(|character: char| character.is_ascii_alphanumeric()) {
            found.push((mark..range.end, form, inner));
        }
    }
    if may_have_blocks {
        let blocks = structure.command_blocks().map(|range| (range.clone(), CommandForm::Block, inside(text, range)));
        let in_html =
            text.as_bytes()[start..].find_iter("```!").map(|at| start + at).filter(|at| structure.is_html(*at));
        let in_html = in_html.filter_map(|at| {
            let range = at..at + 4 + text[at + 4..].find("\n```")? + 4;
            Some((range.clone(), CommandForm::Block, inside(text, &range)))
        });
        found.extend(blocks.chain(in_html).filter(|(.., inner)| !inner.trim().is_empty()));
        found.sort_by_key(|(range, ..)| range.start);
    }
    let mut commands = Marks::default();
    for (range, form, inner) in found {
        let kept = if inner.len() > Command::BYTES { "" } else { inner.trim() };
        let written = &text[range.clone()];
        let command = Command { form, text: kept.to_owned() };
        let identity = text::digest(written.as_bytes());
        commands.add_within(Command::KEPT, Mark { value: command, place: Place::new(file, range), identity });
    }
    commands
}

/// Returns the range of the code span after the exclamation mark at an offset.
fn span<F: FnOnce() -> Structure>(text: &str, mark: usize, structure: &LazyCell<Structure, F>) -> Option<Range<usize>> {
    let opening = mark + 1;
    let after = text[opening..].strip_prefix('`')?;
    if after.starts_with('`') {
        return None;
    }
    if let Some((block, _)) = structure.block(mark) {
        // A code block has no spans: the command ends at the next backtick.
        let end = opening + 1 + text[opening + 1..block.end].find('`')?;
        return Some(opening..end + 1);
    }
    // What runs commands does not know HTML.
    if structure.is_html(mark) {
        let end = opening + 1 + text[opening + 1..].find('`')?;
        return Some(opening..end + 1);
    }
    // In `` `vec!` `` the second character ends a code span.
    structure.span(opening)
}

/// Returns the lines of a fenced code block without its fences.
fn inside<'t>(text: &'t str, block: &Range<usize>) -> &'t str {
    let whole = text[block.clone()].trim_end();
    let Some((_, rest)) = whole.split_once('\n') else { return "" };
    rest.rsplit_once('\n').map_or("", |(lines, _)| lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, CommandForm)> {
        let structure = LazyCell::new(|| Structure::new(text, 0));
        let found = find(FileId(0), text, 0, &structure);
        found.first.iter().map(|mark| (&text[mark.place.range()], mark.value.form)).collect()
    }

    #[test]
    fn finds_commands_and_text_before_them() {
        use CommandForm::{Glued, Span};
        let text =
            "!`a` b !`c`\n- !`d`\nKEY=!`e` (!`f`)\n\n`vec!` and `x!` ``!`g` `` !``h`` !` ` !`i\n\n<!-- !`l` -->\n";
        let expected =
            [("!`a`", Span), ("!`c`", Span), ("!`d`", Span), ("!`e`", Glued), ("!`f`", Glued), ("!`l`", Span)];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn finds_commands_in_code_blocks() {
        use CommandForm::{Block, InBlock, InExample};
        let text = "    !`j` x\n\n```\n- !`k`\nKEY=!`l`\nformat!`\n```\n~~~md\n!`m`\n~~~\n```!\nnpm test\n```\n\n<!--\n```!\nls\n```\n-->\n";
        let expected = [
            ("!`j`", InBlock),
            ("!`k`", InBlock),
            ("!`m`", InExample),
            ("```!\nnpm test\n```", Block),
            ("```!\nls\n```", Block),
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn keeps_texts_of_limited_length() {
        let text = format!("!`{}` !`b c`\n", "a".repeat(Command::BYTES + 1));
        let structure = LazyCell::new(|| Structure::new(&text, 0));
        let found = find(FileId(0), &text, 0, &structure);
        let texts: Vec<&str> = found.first.iter().map(|mark| mark.value.text.as_str()).collect();
        assert_eq!(texts, ["", "b c"]);
    }
}
