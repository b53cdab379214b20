//! Git conflict markers: `<<<<<<<`, later `=======`, and then `>>>>>>>`, each at the start of a line.

use std::cell::LazyCell;

use bstr::ByteSlice;

use super::markdown::Structure;
use crate::skill::Marks;
use skilltree_front_matter::text::{FileId, Place};

/// The start of a conflict.
const START: &str = "<<<<<<<";

/// Returns the first lines of the conflicts in the text from an offset on. A conflict that is whole inside one code block is an
/// example.
pub(super) fn find<F: FnOnce() -> Structure>(
    file: FileId,
    text: &str,
    start: usize,
    structure: &LazyCell<Structure, F>,
) -> Marks<()> {
    let body = text.get(start..).unwrap_or_default();
    if !may_be_in(body.as_bytes()) {
        return Marks::default();
    }
    let starts = body.split_inclusive('\n').scan(start, |at, line| Some(std::mem::replace(at, *at + line.len())));
    let lines = starts.zip(body.split_inclusive('\n'));
    of_lines(file, lines, |first, last| structure.block(first).is_some_and(|(block, _)| block.contains(&last)))
}

/// Returns whether a text can have a conflict.
pub(crate) fn may_be_in(text: &[u8]) -> bool {
    text.contains_str(START)
}

/// Returns the first lines of the conflicts in lines with their offsets. The function returns whether the lines from one offset to
/// another are an example.
pub(crate) fn of_lines<'t>(
    file: FileId,
    lines: impl Iterator<Item = (usize, &'t str)>,
    is_example: impl Fn(usize, usize) -> bool,
) -> Marks<()> {
    let mut marks = Marks::default();
    let (mut opened, mut is_halved) = (None, false);
    for (at, line) in lines {
        let content = line.trim_end();
        if is_marker(content, START) {
            (opened, is_halved) = (Some((at, content)), false);
        } else if content == "=======" {
            is_halved = opened.is_some();
        } else if is_marker(content, ">>>>>>>") && is_halved {
            let whole = opened.take().filter(|&(first, _)| !is_example(first, at));
            is_halved = false;
            if let Some((first, written)) = whole {
                marks.push((), Place::new(file, first..first + written.len()), written);
            }
        }
    }
    marks
}

/// Returns whether a line is seven of one character, alone or before a label.
fn is_marker(line: &str, marker: &str) -> bool {
    line.strip_prefix(marker).is_some_and(|label| label.is_empty() || label.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        let structure = LazyCell::new(|| Structure::new(text, 0));
        find(FileId(0), text, 0, &structure).first.iter().map(|mark| &text[mark.place.range()]).collect()
    }

    #[test]
    fn finds_whole_conflicts() {
        assert_eq!(lines("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n"), ["<<<<<<< HEAD"]);
        assert_eq!(
            lines("<<<<<<<\r\nb\r\n=======\r\n>>>>>>>\r\n<<<<<<< y\n=======\n>>>>>>> z"),
            ["<<<<<<<", "<<<<<<< y"]
        );
        for part in [
            "<<<<<<< HEAD\nb\n",
            "a\n=======\n>>>>>>> x\n",
            "<<<<<<< HEAD\n>>>>>>> x\n",
            " <<<<<<< a\n=======\n>>>>>>> x\n",
        ] {
            assert_eq!(lines(part), [""; 0], "{part:?}");
        }
    }

    #[test]
    fn leaves_examples_in_code_blocks_alone() {
        assert_eq!(lines("```\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n```\n"), [""; 0]);
        let around = "<<<<<<< HEAD\n```\nb\n```\n=======\n```\nc\n```\n>>>>>>> x\n";
        assert_eq!(lines(around), ["<<<<<<< HEAD"]);
    }
}
