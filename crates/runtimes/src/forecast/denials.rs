//! Permissions in the settings of a repository that keep skills from the model.

use std::collections::BTreeSet;
use std::ops::Range;

use bstr::{BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use super::overridden::{Effect, Override};
use crate::catalog::Catalog;
use skilltree_skills::manifest::Manifest;
use skilltree_skills::roots;
use skilltree_skills::skill::{Skill, SkillId};

/// A permission, and what has it.
struct Permission<'a> {
    pattern: GlobMatcher,
    is_denied: bool,
    range: Range<usize>,
    manifest: &'a Manifest,
}

/// Returns the skills that permissions in one of some files at the top deny, by name: the last pattern that matches decides.
pub(super) fn by_name<'a>(catalog: &'a Catalog, files: &[String]) -> Vec<Override<'a>> {
    let of_top = |file: &String| {
        let mut all = catalog.parsed.manifests.all.iter();
        all.find(|manifest| manifest.name == **file && manifest.base.is_empty())
    };
    let permissions: Vec<Permission<'_>> = files.iter().filter_map(of_top).flat_map(permissions).collect();
    if permissions.iter().all(|permission| !permission.is_denied) {
        return Vec::new();
    }
    let of_skill = |(id, skill): (SkillId, &Skill)| {
        let name = skill.field("name")?.value.scalar()?;
        let last = permissions.iter().rfind(|permission| permission.pattern.is_match(name))?;
        let (manifest, range) = (last.manifest, last.range.clone());
        last.is_denied.then_some(Override { skill: id, manifest, range, effect: Effect::Hidden })
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

/// What a rule against the tool that starts skills denies.
#[derive(Debug, PartialEq, Eq)]
enum Denied<'a> {
    /// The tool, so that the model is shown no skill.
    Everything,
    /// The skill of a name.
    Name(&'a str),
    /// Skills whose names begin so.
    Prefix(&'a str),
}

impl<'a> Denied<'a> {
    /// Reads `TOOL`, `TOOL(NAME)`, `TOOL(PREFIX:*)` and `TOOL(PREFIX *)`; `None` for a rule about other tools.
    fn read(rule: &'a str, tool: &str) -> Option<Self> {
        let Some((named, rest)) = rule.split_once('(') else {
            let pattern = GlobBuilder::new(&globset::escape(rule).replace("[*]", "*")).build().ok()?;
            return pattern.compile_matcher().is_match(tool).then_some(Self::Everything);
        };
        let inside = rest.strip_suffix(')').filter(|_| named == tool)?;
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        Some(match inside.strip_suffix(":*").or_else(|| inside.strip_suffix(" *")) {
            _ if inside == "*" => Self::Everything,
            Some(prefix) => Self::Prefix(prefix),
            None => Self::Name(inside),
        })
    }

    /// Returns whether it denies a skill by its name or its directory.
    fn applies(&self, skill: &Skill) -> bool {
        let mut names = [skill.name(), skill.directory.to_str().ok()].into_iter().flatten();
        names.any(|name| match self {
            Self::Everything => true,
            Self::Name(known) => name == *known,
            Self::Prefix(prefix) => name.starts_with(prefix),
        })
    }
}

/// Returns the skills of projects that rules against a tool deny. `projects` are the directories of the projects, by skills directory.
pub(super) fn of_tool<'a>(
    catalog: &'a Catalog,
    applied: &[&'a Manifest],
    projects: &[Option<BString>],
    tool: &str,
) -> Vec<Override<'a>> {
    let mut found = Vec::new();
    // The first rule of each kind counts.
    let mut known = BTreeSet::new();
    for &manifest in applied {
        for rule in manifest.denied_tools() {
            let Some(denied) = rule.text().and_then(|text| Denied::read(text, tool)) else { continue };
            let effect = if denied == Denied::Everything { Effect::Hidden } else { Effect::Refused };
            let is_inside = |project: &BString| roots::is_within(project.as_bstr(), manifest.base.as_bstr());
            let is_denied =
                |skill: &Skill| projects[skill.root.index()].as_ref().is_some_and(is_inside) && denied.applies(skill);
            let skills = catalog.skills().filter(|(_, skill)| is_denied(skill));
            let new = skills.map(|(skill, _)| skill).filter(|&skill| known.insert((skill, effect)));
            found.extend(new.map(|skill| Override { skill, manifest, range: rule.range.clone(), effect }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rules_against_a_tool() {
        let read = |rule| Denied::read(rule, "Skill");
        for rule in ["Skill", "Skill(*)", "*", "Sk*"] {
            assert_eq!(read(rule), Some(Denied::Everything), "{rule}");
        }
        assert_eq!(read("Skill(deploy)"), Some(Denied::Name("deploy")));
        assert_eq!(read("Skill(/deploy)"), Some(Denied::Name("deploy")));
        assert_eq!(read("Skill(ops:*)"), Some(Denied::Prefix("ops")));
        assert_eq!(read("Skill(ops *)"), Some(Denied::Prefix("ops")));
        for rule in ["Bash", "Bash(skill)", "skill(deploy)", "Skill(deploy", "Skills"] {
            assert_eq!(read(rule), None, "{rule}");
        }
    }
}
