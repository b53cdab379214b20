//! Settings of a repository that keep skills, or their descriptions, from the model.

use std::collections::BTreeMap;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use super::reason::Reason;
use super::{Outcome, SkillForecast};
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::loads::Overrides;
use crate::scope;
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{self, Manifest};
use skilltree_skills::skill::SkillId;

/// A setting about one skill.
#[derive(Clone, Debug)]
pub struct Override<'a> {
    /// The skill.
    pub skill: SkillId,
    /// The settings file.
    pub manifest: &'a Manifest,
    /// The bytes of the value.
    pub range: Range<usize>,
    /// Whether the model is still shown the name.
    pub shows_name: bool,
}

impl Override<'_> {
    /// Returns the reason that a forecast gives.
    fn reason(&self) -> Reason {
        let file: BString = manifest::join(self.manifest.base.as_bstr(), &self.manifest.name);
        Reason::Overridden {
            file: text::lossless(file.as_bstr()),
            line: self.manifest.line(self.range.start),
            shows_name: self.shows_name,
        }
    }
}

/// Returns the settings that a runtime applies to skills, in the order of all skills.
pub fn overrides<'a>(catalog: &'a Catalog, profile: &Profile) -> Vec<Override<'a>> {
    match &profile.loads.overrides {
        Some(rule) => by_directory(catalog, profile, rule),
        None if profile.loads.denials.is_empty() => Vec::new(),
        None => denied(catalog, &profile.loads.denials),
    }
}

/// A permission, and what has it.
struct Permission<'a> {
    pattern: GlobMatcher,
    is_denied: bool,
    range: Range<usize>,
    manifest: &'a Manifest,
}

/// Returns the skills that permissions in one of some files at the top deny, by name: the last pattern that matches decides.
fn denied<'a>(catalog: &'a Catalog, files: &[String]) -> Vec<Override<'a>> {
    let of_top = |file: &String| {
        let mut all = catalog.parsed.manifests.all.iter();
        all.find(|manifest| manifest.name == **file && manifest.base.is_empty())
    };
    let permissions: Vec<Permission<'_>> = files.iter().filter_map(of_top).flat_map(permissions).collect();
    if permissions.iter().all(|permission| !permission.is_denied) {
        return Vec::new();
    }
    let of_skill = |(id, skill): (SkillId, &skilltree_skills::skill::Skill)| {
        let name = skill.field("name")?.value.scalar()?;
        let last = permissions.iter().rfind(|permission| permission.pattern.is_match(name))?;
        let (manifest, range) = (last.manifest, last.range.clone());
        last.is_denied.then_some(Override { skill: id, manifest, range, shows_name: false })
    };
    catalog.skills().filter_map(of_skill).collect()
}

/// Returns the permissions for skills in the order of a file.
fn permissions(manifest: &Manifest) -> impl Iterator<Item = Permission<'_>> {
    manifest.permissions().filter_map(|(pattern, value)| {
        let escaped = globset::escape(pattern).replace("[*]", "*").replace("[?]", "?");
        let pattern = GlobBuilder::new(&escaped).build().ok()?.compile_matcher();
        Some(Permission { pattern, is_denied: value.text()? == "deny", range: value.range.clone(), manifest })
    })
}

/// Returns the settings about the directories of skills. They count for the skills directory next to their file.
fn by_directory<'a>(catalog: &'a Catalog, profile: &Profile, rule: &Overrides) -> Vec<Override<'a>> {
    let mut settings: BTreeMap<&BStr, (&Manifest, BTreeMap<&str, &Json>)> = BTreeMap::new();
    for manifest in catalog.parsed.manifests.all.iter().filter(|manifest| manifest.name == rule.file) {
        let Some(values) = manifest.content.as_ref().ok().and_then(|json| json.get(&rule.key)) else { continue };
        // The last one of duplicates counts.
        let values = values.members().iter().map(|member| (member.key.as_str(), &member.value)).collect();
        settings.insert(manifest.base.as_bstr(), (manifest, values));
    }
    if settings.is_empty() {
        return Vec::new();
    }
    let bases: Vec<Option<BString>> = catalog
        .parsed
        .roots
        .iter()
        .map(|root| scope::ranks(profile, root).next().map(|rank| rank.base.to_owned()))
        .collect();
    let of_skill = |(id, skill): (SkillId, &skilltree_skills::skill::Skill)| {
        let base = bases[skill.root.index()].as_ref()?;
        let &(manifest, ref values) = settings.get(base.as_bstr())?;
        let value = *values.get(skill.directory.to_str().ok()?)?;
        let word = value.text()?;
        let is = |words: &[String]| words.iter().any(|known| known == word);
        let shows_name = is(&rule.names);
        (shows_name || is(&rule.hides)).then(|| Override {
            skill: id,
            manifest,
            range: value.range.clone(),
            shows_name,
        })
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
        match setting.shows_name {
            true => forecast.description = None,
            false => forecast.listed = false,
        }
        match forecast.if_read {
            Outcome::Loads => forecast.reason = Some(setting.reason()),
            _ => forecast.also.push(setting.reason()),
        }
    }
}
