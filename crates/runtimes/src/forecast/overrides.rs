//! Settings of a repository that keep skills, or their descriptions, from the model.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::overridden::{Effect, Override};
use super::{Outcome, SkillForecast, denials};
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::loads::{Overrides, Switches};
use crate::{scope, settings};
use skilltree_skills::manifest::Manifest;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::skill::SkillId;

/// Returns the settings that a runtime applies to skills, in the order of all skills.
pub fn overrides<'a>(catalog: &'a Catalog, profile: &Profile) -> Vec<Override<'a>> {
    match &profile.loads.overrides {
        Some(rule) => {
            let projects = projects(catalog, profile);
            let all = catalog.parsed.manifests.all.iter().filter(|manifest| rule.reads(&manifest.name));
            let mut applied: Vec<&Manifest> = all.filter(|manifest| settings::is_applied(manifest, profile)).collect();
            applied.sort_by_key(|manifest| rule.files.iter().position(|file| *file == manifest.name));
            let mut found = by_directory(catalog, &applied, &projects, rule);
            found.extend(denials::of_tool(catalog, &applied, &projects, &rule.tool));
            found
        }
        None if !profile.loads.denials.is_empty() => denials::by_name(catalog, &profile.loads.denials),
        None => profile.loads.switches.map(|rule| switched_off(catalog, profile, &rule)).unwrap_or_default(),
    }
}

/// Returns the skills that settings at the top switch off, by name or all of them.
fn switched_off<'a>(catalog: &'a Catalog, profile: &Profile, rule: &Switches) -> Vec<Override<'a>> {
    let mut all = catalog.parsed.manifests.all.iter();
    let manifest = all.find(|manifest| manifest.base.is_empty() && manifest.name == rule.file);
    let Some((manifest, json)) = manifest.and_then(|manifest| Some((manifest, manifest.content.as_ref().ok()?))) else {
        return Vec::new();
    };
    let items = |key: &&'static str| json.at(key).map(Json::items).unwrap_or_default();
    let switch = rule.enabled.and_then(|key| json.at(key)).filter(|value| value.value == Value::Boolean(false));
    let is_tool = |item: &&Json| item.text().is_some_and(|text| rule.tool.contains(&text));
    let everything = switch.or_else(|| rule.tools.iter().flat_map(items).find(is_tool));
    let names: BTreeMap<String, &Json> =
        rule.names.iter().flat_map(items).filter_map(|item| Some((item.text()?.to_lowercase(), item))).collect();
    if everything.is_none() && names.is_empty() {
        return Vec::new();
    }
    let projects = projects(catalog, profile);
    let of_skill = |(id, skill): (SkillId, &skilltree_skills::skill::Skill)| {
        projects[skill.root.index()].as_ref()?;
        let by_name = || skill.name().and_then(|name| names.get(&name.to_lowercase()).copied());
        let range = everything.or_else(by_name)?.range.clone();
        Some(Override { skill: id, manifest, range, effect: Effect::Hidden })
    };
    catalog.skills().filter_map(of_skill).collect()
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
    let mut settings: BTreeMap<&BStr, BTreeMap<&str, (&Manifest, &Json)>> = BTreeMap::new();
    for &manifest in applied {
        let Some(values) = manifest.content.as_ref().ok().and_then(|json| json.get(&rule.key)) else { continue };
        // The last one of duplicates counts.
        let values = values.members().iter().map(|member| (member.key.as_str(), (manifest, &member.value)));
        settings.entry(manifest.base.as_bstr()).or_default().extend(values);
    }
    if settings.is_empty() {
        return Vec::new();
    }
    let of_skill = |(id, skill): (SkillId, &skilltree_skills::skill::Skill)| {
        let base = projects[skill.root.index()].as_ref()?;
        let &(manifest, value) = settings.get(base.as_bstr())?.get(skill.directory.to_str().ok()?)?;
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
