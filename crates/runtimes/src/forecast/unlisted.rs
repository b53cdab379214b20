//! A setting of a project for one runtime, with which the model is shown no skill.

use super::{Outcome, Reason, SkillForecast};
use crate::catalog::Catalog;
use crate::definition::AboutSkills;
use crate::profile::Profile;
use skilltree_front_matter::text;
use skilltree_skills::agents::Owner;
use skilltree_skills::snapshot::Body;

/// Takes the skills in directories that the runtime searches from its list, if a setting does.
pub(super) fn apply(catalog: &Catalog, profile: &Profile, skills: &mut [SkillForecast]) {
    let Some(reason) = cause(catalog, profile) else { return };
    for forecast in skills.iter_mut().filter(|forecast| forecast.reads_root && forecast.is_loaded() && forecast.listed)
    {
        forecast.listed = false;
        match forecast.if_read {
            Outcome::Loads => forecast.reason = Some(reason.clone()),
            _ => forecast.also.push(reason.clone()),
        }
    }
}

/// Returns the setting because of which a runtime lists no skill in the project.
fn cause(catalog: &Catalog, profile: &Profile) -> Option<Reason> {
    catalog.parsed.definitions.iter().find_map(|definition| {
        let file = catalog.file(definition.skill.file);
        let (Owner::Other(path), Body::Text(bytes)) = (definition.owner, &file.body) else { return None };
        let rules = profile.loads.all_definitions();
        let mut about = rules.flat_map(|rule| rule.about_skills(path, definition.skill.file, bytes));
        let start = about.find_map(|about| match about {
            AboutSkills::Unlisted(place) => Some(place.range().start),
            AboutSkills::WithoutEffect(_) | AboutSkills::Servers(_) => None,
        })?;
        let line = bytes.iter().take(start).filter(|byte| **byte == b'\n').count() + 1;
        Some(Reason::Overridden { file: text::lossless(bstr::BStr::new(&file.path)), line, shows_name: false })
    })
}
