//! A runtime that does not start in the project loads none of its skills.

use bstr::{BStr, ByteSlice};

use super::{Outcome, Reason, SkillForecast};
use crate::catalog::Catalog;
use crate::profile::{Profile, Reported};
use skilltree_front_matter::text;
use skilltree_skills::agents::Owner;
use skilltree_skills::skill::Definition;
use skilltree_skills::snapshot::Body;

/// Drops the skills in directories that the runtime searches, if it does not start.
pub(super) fn apply(catalog: &Catalog, profile: &Profile, skills: &mut [SkillForecast]) {
    let Some(path) = cause(catalog, profile) else { return };
    let file = text::lossless(path);
    for forecast in skills.iter_mut().filter(|forecast| forecast.reads_root && forecast.is_loaded()) {
        let reason = Reason::NotStarted(file.clone());
        *forecast = SkillForecast {
            reads_root: true,
            ..SkillForecast::without_text(Outcome::Drops, reason, Some(Reported::Error))
        };
    }
}

/// Returns the file because of which a runtime does not start in the project.
fn cause<'a>(catalog: &'a Catalog, profile: &Profile) -> Option<&'a BStr> {
    let in_json = profile.loads.required.and_then(|rule| {
        let mut files = catalog.parsed.manifests.all.iter().filter(|manifest| rule.reads(manifest));
        files.find(|manifest| !rule.flaws(manifest).is_empty())
    });
    if let Some(manifest) = in_json {
        return Some(catalog.file(manifest.file).path.as_bstr());
    }
    let stops = |definition: &&Definition| {
        let Owner::Other(path) = definition.owner else { return false };
        let (skill, file) = (&definition.skill, catalog.file(definition.skill.file));
        let Body::Text(bytes) = &file.body else { return false };
        let of_settings = profile.loads.required.filter(|rule| rule.files.contains(&path));
        let mut of_agents =
            profile.loads.all_definitions().filter(|rule| rule.stops && rule.reads(file.path.as_bstr()));
        of_settings.is_some_and(|rule| !rule.of_toml(skill.file, bytes).is_empty())
            || of_agents.any(|rule| !rule.flaws(skill, bytes).is_empty())
    };
    let definition = catalog.parsed.definitions.iter().find(stops)?;
    Some(catalog.file(definition.skill.file).path.as_bstr())
}
