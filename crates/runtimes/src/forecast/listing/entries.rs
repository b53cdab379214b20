//! Entries of a list: their sizes and their texts.

use std::collections::HashMap;

use super::template::Template;
use crate::catalog::Catalog;
use crate::forecast::{Forecast, Outcome};
use crate::profile::Profile;
use crate::profile::listing::Unit;
use skilltree_skills::skill::SkillId;

/// Returns the size in code points of the whole entry of each skill in the list of a runtime, in the order of all skills; `None` for
/// a skill that the runtime does not list.
pub fn entry_chars(catalog: &Catalog, profile: &Profile, forecast: &Forecast) -> Vec<Option<u64>> {
    let template = Template::of(profile, Unit::Chars);
    let sizes = catalog.skills().map(|(id, _)| {
        let skill = &forecast.skills[id.index()];
        let is_listed = skill.listed && matches!(skill.outcome(), Outcome::Loads | Outcome::Changes);
        is_listed.then(|| template.entry(catalog, id, skill).whole)
    });
    sizes.collect()
}

/// Returns the entry of each skill as the model sees it, in the order of all skills, as if the runtime read every skills directory.
/// `None` for a skill that is not listed, or whose entry is not known.
pub fn entry_texts(catalog: &Catalog, profile: &Profile, forecast: &Forecast) -> Vec<Option<String>> {
    let is_known = profile.loads.listing.entry.is_some();
    let template = Template::of(profile, Unit::Chars);
    // What a list shortens: the length of the shown description; `None` for a skill that it omits.
    let mut cut: HashMap<SkillId, Option<u64>> = HashMap::new();
    for list in forecast.lists.iter().map(|list| &list.listing).filter(|list| !list.by_use) {
        let shortened = list.shortened.iter().zip(&list.shown_chars).map(|(&id, &chars)| (id, Some(chars)));
        cut.extend(shortened.chain(list.lost.iter().map(|&id| (id, None))));
    }
    let text = |id: SkillId| {
        let skill = &forecast.skills[id.index()];
        let is_listed = skill.listed && matches!(skill.if_read, Outcome::Loads | Outcome::Changes);
        let is_lost = cut.get(&id).is_some_and(Option::is_none);
        let chars = cut.get(&id).copied().flatten();
        (is_known && is_listed && !is_lost).then(|| template.text(catalog, id, skill, chars))
    };
    catalog.skills().map(|(id, _)| text(id)).collect()
}
