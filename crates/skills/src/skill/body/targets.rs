//! Every path of a text that a graph shows: targets of links, and paths of the skill in prose and code.

use std::cell::LazyCell;

use super::bases::Bases;
use super::links::written;
use super::markdown::Structure;
use super::{hints, mentions, target};
use crate::skill::links::Target;
use skilltree_front_matter::text::Place;

/// Returns the targets of a text, in its order.
pub(super) fn find(text: &str, start: usize, bases: &Bases<'_>) -> Vec<Target> {
    let structure = LazyCell::new(|| Structure::new(text.get(start..).unwrap_or_default(), start));
    let links = hints::MARKS.find(text, start).filter_map(|hint| {
        let range = written(text, &hint)?;
        let meant = target::unescaped(&text[range.clone()]);
        let (path, exists) = bases.first(target::classify(&meant))?;
        let place = Place::new(bases.file(), range.clone());
        structure.is_target(&range, &meant).then_some(Target { place, path, exists, is_link: true })
    });
    let mentions = mentions::paths(text, start).filter_map(|range| {
        let path = bases.script(&text[range.clone()])?;
        Some(Target { place: Place::new(bases.file(), range), path, exists: true, is_link: false })
    });
    let mut targets: Vec<Target> = links.chain(mentions).collect();
    targets.sort_by_key(|target| target.place);
    targets
}
