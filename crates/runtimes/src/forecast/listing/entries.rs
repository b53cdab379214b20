//! Sizes of the entries of a list.

use super::template::Template;
use crate::catalog::Catalog;
use crate::forecast::{Forecast, Outcome};
use crate::profile::Profile;
use crate::profile::listing::Unit;

/// Returns the size in code points of the whole entry of each skill in the list of a runtime, in the order of all skills; `None` for
/// a skill that the runtime does not list.
pub fn entry_chars(catalog: &Catalog, profile: &Profile, forecast: &Forecast) -> Vec<Option<u64>> {
    let template = Template::of(profile, Unit::Chars);
    let sizes = catalog.skills().map(|(id, _)| {
        let skill = forecast.skill(id);
        let is_listed = skill.listed && matches!(skill.outcome(), Outcome::Loads | Outcome::Changes);
        is_listed.then(|| template.entry(catalog, id, skill).whole)
    });
    sizes.collect()
}
