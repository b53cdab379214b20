//! Commands that some runtimes run before the model reads the body: a code span after an exclamation mark, `` !`git status` ``.

use std::cell::LazyCell;

use bstr::ByteSlice;

use super::markdown::Structure;
use crate::skill::Marks;
use skilltree_front_matter::text::{FileId, Place};

/// Returns the commands in the body that begins at an offset, and whether other text is right before each.
pub(super) fn find<F: FnOnce() -> Structure>(
    file: FileId,
    text: &str,
    start: usize,
    structure: &LazyCell<Structure, F>,
) -> Marks<bool> {
    let mut commands = Marks::default();
    for at in text.as_bytes().get(start..).unwrap_or_default().find_iter("!`") {
        let (mark, span) = (start + at, start + at + 1);
        // In `` `vec!` `` the second character ends a code span.
        let Some(range) = structure.span(span).filter(|_| !structure.is_html(mark)) else { continue };
        let is_single = !text[span + 1..].starts_with('`');
        if is_single && text[range.clone()].contains(|character: char| character.is_ascii_alphanumeric()) {
            let is_glued = text[start..mark].chars().next_back().is_some_and(|before| !before.is_whitespace());
            commands.push(is_glued, Place::new(file, mark..range.end), &text[mark..range.end]);
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_commands_outside_code_and_text_before_them() {
        let text = "!`a` b !`c`\n- !`d`\nKEY=!`e` (!`f`)\n\n`vec!` and `x!` ``!`g` `` !``h`` !` ` !`i\n\n    !`j`\n\n```\n!`k`\n```\n<!-- !`l` -->\n";
        let structure = LazyCell::new(|| Structure::new(text, 0));
        let found = find(FileId(0), text, 0, &structure);
        let written: Vec<(&str, bool)> =
            found.first.iter().map(|mark| (&text[mark.place.range()], mark.value)).collect();
        let expected = [("!`a`", false), ("!`c`", false), ("!`d`", false), ("!`e`", true), ("!`f`", true)];
        assert_eq!(written, expected);
    }
}
