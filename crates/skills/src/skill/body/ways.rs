//! Paths in a text that climb out of the skill, such as `${CLAUDE_PLUGIN_ROOT}/../x.sh`.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::bases::Bases;
use super::markdown::Structure;
use super::variables::{self, Variable};
use super::{calls, mentions};
use crate::manifest;
use crate::skill::links::{To, Way};
use skilltree_front_matter::text::Place;

/// Maximum number of paths per text that are looked at (ours: 4,096).
const LOOKED: usize = 4_096;

/// Returns the paths of a text that climb out of the skill; at most `most`.
pub(super) fn climbing<F: FnOnce() -> Structure>(
    text: &str,
    start: usize,
    bases: &Bases<'_>,
    structure: &LazyCell<Structure, F>,
    most: usize,
) -> Vec<Way> {
    let (mut ways, mut from, mut looked) = (Vec::new(), start, 0);
    while let Some(at) = text.as_bytes().get(from..).and_then(|rest| rest.find("../")) {
        let token = mentions::token(text.as_bytes(), from + at, start);
        from = token.end.max(from + at + 3);
        let Some((range, to)) = way(text, &token, bases) else { continue };
        looked += 1;
        if looked > LOOKED || ways.len() == most {
            break;
        }
        let is_example = mentions::is_quiet_line(text, &range) || structure.is_html(range.start);
        let path = token.start + usize::from(text.as_bytes()[token.start] == b'/')..range.end;
        if !is_example && (!structure.is_block(range.start) || calls::is_command(text, &path, structure)) {
            let written = text[range.clone()].to_owned();
            ways.push(Way { place: Place::new(bases.file(), range), written, to });
        }
    }
    ways
}

/// Returns the range of the path in a token, with its variable, and where it leads; `None` if it stays in the skill.
fn way(text: &str, token: &Range<usize>, bases: &Bases<'_>) -> Option<(Range<usize>, To)> {
    let before = &text.as_bytes()[..token.start];
    let written = text.get(token.clone())?.trim_end_matches('.');
    if mentions::is_placeholder(written) || !mentions::is_alone(text, &(token.start..token.start + written.len())) {
        return None;
    }
    let end = token.start + written.len();
    match (variables::at_end(before), written.strip_prefix('/')) {
        (Some((variable, length)), Some(path)) => {
            let to = match variable {
                Variable::Skill => bases.below_skill(path)?,
                Variable::Plugin => {
                    manifest::below("".into(), path).is_none().then(|| To::FromPlugin(path.to_owned()))?
                }
                Variable::Project | Variable::Home => return None,
            };
            Some((token.start - length..end, to))
        }
        (None, None) if written.starts_with("../") && mentions::is_file(written) => {
            Some((token.start..end, bases.climbing(written)?))
        }
        _ => None,
    }
}
