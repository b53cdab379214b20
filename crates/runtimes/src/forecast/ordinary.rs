//! Ordinary skills: every runtime reads their files alike, and transforms neither their name nor their description. A runtime loads
//! most of them unchanged, which a few comparisons show; the rest is followed through the parser as usual.

use super::{Outcome, Shown, SkillForecast, layout, nested};
use crate::catalog::{self, Catalog};
use crate::profile::fields::FieldRule;
use crate::profile::listing::{Escape, Measured, Unit};
use crate::profile::reading::{Family, RepairMethod};
use crate::profile::{Handling, Loads, Reported, Verdict};
use skilltree_skills::skill::{Plain, Skill, SkillId};
use skilltree_skills::snapshot::{Body, Role};

/// What decides whether a runtime loads an ordinary skill unchanged.
pub(crate) struct Ordinary<'a> {
    /// The name, which the directory has, too.
    name: &'a str,
    description: &'a str,
    /// The other keys.
    keys: Vec<&'a str>,
    plain: Plain,
    header_bytes: u64,
    chars: u64,
    file_bytes: u64,
    has_agent_file: bool,
    has_nested: bool,
}

/// Returns the ordinary skills of a catalog, in the order of all skills.
pub(crate) fn of_catalog(catalog: &Catalog) -> Vec<Option<Ordinary<'_>>> {
    catalog.skills().map(|(id, _)| Ordinary::new(catalog, id)).collect()
}

impl<'a> Ordinary<'a> {
    /// Returns the skill if it is ordinary.
    fn new(catalog: &'a Catalog, id: SkillId) -> Option<Self> {
        let skill = catalog.skill(id);
        let plain = skill.agreement.plain.filter(|_| is_found_alike(catalog, skill))?;
        let body = skill.body.as_ref()?;
        let text = |key| skill.field(key)?.value.scalar();
        let keys = skill.fields().map(|field| field.key.value.as_str());
        Some(Self {
            name: text("name")?,
            description: text("description")?,
            keys: keys.filter(|key| !matches!(*key, "name" | "description")).collect(),
            plain,
            header_bytes: skill.header.len() as u64,
            chars: u64::from(body.chars),
            file_bytes: u64::from(body.file_bytes),
            has_agent_file: skill.references.agent_file.is_some(),
            has_nested: nested::skill_file(catalog, skill).is_some(),
        })
    }

    /// Returns whether a runtime loads the skill unchanged. `false` only means that this does not show it.
    fn is_loaded_unchanged(&self, loads: &Loads) -> bool {
        let is_read = match (&loads.fence, &loads.yaml) {
            (Some(_), Some(yaml)) => yaml.family != Family::Strictyaml || !self.plain.has_collection,
            (Some(_), None) => {
                let reads_lines = loads.repair.as_ref().is_some_and(|repair| repair.method == RepairMethod::ReadLines);
                reads_lines && self.plain.is_read_by_lines
            }
            (None, _) => !loads.is_about_directories_only(),
        };
        is_read
            && loads.depth != Some(0)
            && !(self.has_agent_file && loads.keys.agent_file.is_some())
            && !(self.has_nested && loads.files.only_one)
            && !loads.files.skipped.iter().any(|skipped| skipped == self.name)
            && !loads.identity.reserved.iter().any(|reserved| reserved == self.name)
            && !self.keys.iter().any(|key| is_special(loads, key))
            && self.is_within_limits(loads)
            && loads.fields.iter().all(|(key, rule)| match key.as_str() {
                "name" => is_kept(self.name, rule),
                "description" => is_kept(self.description, rule) && self.has_no_tags(loads),
                _ => is_optional(rule),
            })
    }

    /// Returns whether no limit in bytes is exceeded; every other unit counts at most as many.
    fn is_within_limits(&self, loads: &Loads) -> bool {
        loads.limits.iter().all(|limit| {
            let length = match limit.of {
                Measured::Name | Measured::QualifiedName => self.name.len() as u64,
                Measured::Description | Measured::Entry => self.description.len() as u64,
                Measured::Body => self.chars,
                Measured::File => self.file_bytes,
                Measured::FrontMatter => self.header_bytes,
                _ => return true,
            };
            length <= limit.maximum && limit.unit != Unit::Lines
        })
    }

    fn has_no_tags(&self, loads: &Loads) -> bool {
        loads.listing.escape != Some(Escape::TagsRemoved) || !self.description.contains('<')
    }

    /// Returns the forecast of a runtime that loads the skill unchanged.
    pub(super) fn forecast(&self, loads: &Loads) -> Option<SkillForecast> {
        self.is_loaded_unchanged(loads).then_some(SkillForecast {
            reads_root: false,
            if_read: Outcome::Loads,
            name: Some(Shown::Written),
            description: Some(Shown::Written),
            label: None,
            cut_from: None,
            listed: true,
            reason: None,
            also: Vec::new(),
            reported: Some(Reported::Nothing),
        })
    }
}

/// Returns whether every runtime that searches the skills directory finds a skill: a tracked SKILL.md in a directory of the skills
/// directory, without links.
fn is_found_alike(catalog: &Catalog, skill: &Skill) -> bool {
    let file = catalog.file(skill.file);
    let is_file = file.role == Role::Skill && file.body == Body::NotRead && file.through.is_none();
    is_file
        && !layout::is_ignored(file)
        && skill.depth == 1
        && !skill.directory.starts_with(b".")
        && !catalog.is_skill(skill.root)
        && !catalog::is_misnamed(file)
}

/// Returns whether a key, other than the name and the description, makes a runtime treat a skill differently.
fn is_special(loads: &Loads, key: &str) -> bool {
    let keys = &loads.keys;
    let begins = |path: &String| path.split('.').next() == Some(key);
    let is_unknown =
        keys.unknown.is_some_and(|verdict| !is_loading(verdict)) && !keys.known.iter().any(|known| known == key);
    is_unknown
        || loads.fields.keys().any(begins)
        || keys.unlisting().any(begins)
        || keys.unlists_word.as_ref().is_some_and(|(word, _)| begins(word))
        || (key == "metadata" && keys.requirements.is_some())
        || keys.platforms.as_ref().is_some_and(|platforms| platforms.key == key)
        || keys.unlists_until.as_ref().is_some_and(|until| begins(&until.key))
        || (key == "when_to_use" && loads.listing.shown.iter().any(|shown| shown == key))
}

/// Returns whether a runtime accepts a text and shows it as written.
fn is_kept(text: &str, rule: &FieldRule) -> bool {
    let matches = |pattern: &crate::profile::Pattern| pattern.is_match(text);
    rule.text.is_none_or(is_loading)
        && !rule.lowercase
        && !text.starts_with(|character| rule.stripped.contains(character))
        && !text.ends_with(|character| rule.stripped.contains(character))
        && !rule.replaced.iter().any(|replaced| matches(&replaced.pattern))
        && rule.pattern.as_ref().is_none_or(&matches)
        && !rule.forbidden.as_ref().is_some_and(matches)
}

/// Returns whether a runtime loads a skill without a field.
fn is_optional(rule: &FieldRule) -> bool {
    rule.missing.is_none_or(is_loading) && rule.no_word.is_none_or(is_loading)
}

fn is_loading(verdict: Verdict) -> bool {
    matches!(verdict.handling, Handling::Loads | Handling::Repairs)
        && matches!(verdict.reported, None | Some(Reported::Nothing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;
    use crate::samples;

    /// Names, descriptions and other fields that a runtime treats differently, in all combinations.
    fn catalog() -> Catalog {
        let long = "a".repeat(65);
        let names = ["pdf", "a-b", "node_modules", "claude-tools", "synthetic", "name-42", "Pdf", &long];
        let lengths = [60, 240, 300, 500, 600, 1_024, 1_025, 1_536, 1_537, 4_097].map(|length| "d".repeat(length));
        let texts = [
            "Fills <b>forms</b>.",
            "'Quoted words' first",
            "Two  spaces.",
            "Ends with \"quotes\"",
            "NaN",
            "Uses \u{ad}soft.",
        ];
        let texts = texts.iter().map(ToString::to_string).chain(lengths);
        let quoted = |text: String| format!("\"{}\"", text.replace('"', "\\\""));
        let written =
            ["Plain words.", "Plain\n  lines.", "C# \"in\" 'it'", ">-\n  Folded\n  lines.", "|-\n  One line."];
        let texts: Vec<String> = texts.map(quoted).chain(written.map(str::to_owned)).collect();
        let others = [
            "",
            "license: MIT\n",
            "allowed-tools: Read, Write\n",
            "disable-model-invocation: true\n",
            "hidden: true\n",
            "when_to_use: Often.\n",
            "compatibility: All.\n",
            "compatibility: [a]\n",
            "license: [MIT]\n",
            "license: |\n  MIT\n",
            "license: ~\n",
            "metadata:\n  short-description: x\n  version: 1\n",
            "paths: docs\n",
            "version: 1.0\n",
            "created: 2026-02-30\n",
            "tags: [a, b]\n",
            "metadata: x\n",
            "metadata:\n  author: x\n",
            "triggers:\n  - a\n",
        ];
        let mut files = Vec::new();
        for (number, name) in names.iter().enumerate() {
            for (text, other) in texts.iter().flat_map(|text| others.iter().map(move |other| (text, other))) {
                let body = "Read it.\n".repeat(1 + 700 * (files.len() % 3) * usize::from(number == 1));
                let text = format!("---\nname: {name}\ndescription: {text}\n{other}---\n\n{body}");
                files.push((format!("r{:04}/skills/{name}/SKILL.md", files.len()), text));
            }
        }
        samples::read(&["*/skills"], files.iter().map(|(path, text)| (path.clone(), text.as_str())))
    }

    #[test]
    fn agrees_with_the_parser_of_every_runtime() {
        let (catalog, profiles) = (catalog(), Profiles::default());
        let ordinary = of_catalog(&catalog);
        let mut seen = 0;
        for profile in profiles.ids().filter_map(|id| profiles.find(id)) {
            for ((id, _), skill) in catalog.skills().zip(&ordinary) {
                if let Some(forecast) = skill.as_ref().and_then(|skill| skill.forecast(&profile.loads)) {
                    seen += 1;
                    let path = catalog.path(id);
                    let found = super::super::of_skill(&catalog, id, profile);
                    assert_eq!(forecast, SkillForecast { reads_root: false, ..found }, "{path} in {}", profile.id);
                }
            }
        }
        assert!(seen > 5_000, "only {seen} forecasts were compared");
    }
}
