//! Settings of a repository that keep skills, or their descriptions, from the model.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::overridden::{Effect, Override};
use super::{Outcome, SkillForecast, denials};
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::loads::Overrides;
use crate::{scope, settings};
use skilltree_skills::manifest::Manifest;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::skill::SkillId;

/// Returns the settings that a runtime applies to skills, in the order of all skills.
pub fn overrides<'a>(catalog: &'a Catalog, profile: &Profile) -> Vec<Override<'a>> {
    match &profile.loads.overrides {
        Some(rule) => {
            let projects = projects(catalog, profile);
            let all = catalog.parsed.manifests.all.iter().filter(|manifest| manifest.name == rule.file);
            let applied: Vec<&Manifest> = all.filter(|manifest| settings::is_applied(manifest, profile)).collect();
            let mut found = by_directory(catalog, &applied, &projects, rule);
            found.extend(denials::of_tool(catalog, &applied, &projects, &rule.tool));
            found
        }
        None if profile.loads.denials.is_empty() => Vec::new(),
        None => denials::by_name(catalog, &profile.loads.denials),
    }
}

/// Returns for each skills directory the directory of the project that it belongs to.
fn projects(catalog: &Catalog, profile: &Profile) -> Vec<Option<BString>> {
    let base = |root| scope::ranks(profile, root).next().map(|rank| rank.base.to_owned());
    catalog.parsed.roots.iter().map(base).collect()
}

/// Returns the settings about the directories of skills. They count for the skills directory next to their file.
fn by_directory<'a>(
    catalog: &'a Catalog,
    applied: &[&'a Manifest],
    projects: &[Option<BString>],
    rule: &Overrides,
) -> Vec<Override<'a>> {
    let mut settings: BTreeMap<&BStr, (&Manifest, BTreeMap<&str, &Json>)> = BTreeMap::new();
    for &manifest in applied {
        let Some(values) = manifest.content.as_ref().ok().and_then(|json| json.get(&rule.key)) else { continue };
        // The last one of duplicates counts.
        let values = values.members().iter().map(|member| (member.key.as_str(), &member.value)).collect();
        settings.insert(manifest.base.as_bstr(), (manifest, values));
    }
    if settings.is_empty() {
        return Vec::new();
    }
    let of_skill = |(id, skill): (SkillId, &skilltree_skills::skill::Skill)| {
        let base = projects[skill.root.index()].as_ref()?;
        let &(manifest, ref values) = settings.get(base.as_bstr())?;
        let value = *values.get(skill.directory.to_str().ok()?)?;
        let word = value.text()?;
        let is = |words: &[String]| words.iter().any(|known| known == word);
        let effect = match is(&rule.names) {
            true => Effect::NameOnly,
            false => is(&rule.hides).then_some(Effect::Hidden)?,
        };
        Some(Override { skill: id, manifest, range: value.range.clone(), effect })
    };
    catalog.skills().filter_map(of_skill).collect()
}

/// Applies the settings to the skills that load.
pub(super) fn apply(catalog: &Catalog, profile: &Profile, skills: &mut [SkillForecast]) {
    for setting in overrides(catalog, profile) {
        let forecast = &mut skills[setting.skill.index()];
        let is_there = matches!(forecast.if_read, Outcome::Loads | Outcome::Changes);
        if !forecast.reads_root || !is_there || !forecast.listed {
            continue;
        }
        match setting.effect {
            Effect::NameOnly => forecast.description = None,
            Effect::Hidden => forecast.listed = false,
            Effect::Refused => continue,
        }
        match forecast.if_read {
            Outcome::Loads => forecast.reason = Some(setting.reason()),
            _ => forecast.also.push(setting.reason()),
        }
    }
}
