//! Arguments by their numbers that begin with `$1`, as in a shell.

use std::cell::LazyCell;

use bstr::ByteSlice;

use super::markdown::Structure;
use super::replaced::{is_price, variable};
use crate::skill::Numbered;
use skilltree_front_matter::text::{FileId, Place};

/// Maximum number of variables of a body that are looked at (ours: 4,096).
const LOOKED: usize = 4_096;

/// Maximum bytes after a variable that may make it a price.
const AFTER_BYTES: usize = 4;

/// Returns the arguments `$1` to `$N` outside of code blocks, if there is no `$0`: at least two, and all between them.
pub(super) fn find<F: FnOnce() -> Structure>(
    file: FileId,
    text: &str,
    start: usize,
    structure: &LazyCell<Structure, F>,
) -> Option<Numbered> {
    let (mut first, mut found) = (None, 0_u16);
    let body = text.as_bytes().get(start..).unwrap_or_default();
    for at in body.find_iter("$").map(|at| start + at).take(LOOKED) {
        if text[at..].starts_with("$ARGUMENTS[0]") {
            return None;
        }
        let Some(range) = variable(text.as_bytes(), at).filter(|range| range.len() == 2) else { continue };
        let after = &text.as_bytes()[range.end..];
        if is_price(&after[..after.len().min(AFTER_BYTES)]) {
            continue;
        }
        let number = text.as_bytes()[at + 1] - b'0';
        if number == 0 {
            return None;
        }
        if !structure.is_block(at) {
            found |= 1 << number;
            first = first.or((number == 1).then(|| Place::new(file, range)));
        }
    }
    let most = u8::try_from(found.count_ones()).unwrap_or_default();
    let is_whole = found == (1 << (most + 1)) - 2;
    Some(Numbered { first: first.filter(|_| most >= 2 && is_whole)?, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_arguments_that_begin_with_one() {
        for (text, expected) in [
            ("Review #$1 with $2.", Some(2)),
            ("Review `$1`, $2 and $3. Again $1.", Some(3)),
            ("Review $0, $1 and $2.", None),
            ("Review $ARGUMENTS[0], $1 and $2.", None),
            ("Review $1.", None),
            ("Review $1 and $3.", None),
            ("It costs $1.50 or $2 a month.", None),
            ("Run it:\n\n    f() { echo $1 $2; }\n", None),
            ("Then \\$1 and \\$2.", None),
        ] {
            let structure = LazyCell::new(|| Structure::new(text, 0));
            assert_eq!(find(FileId(0), text, 0, &structure).map(|found| found.most), expected, "{text}");
        }
    }
}
