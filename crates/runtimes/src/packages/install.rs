//! Installers: the skills that a program offers from a repository, in the order of its search.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::Member;
use super::members::Index;
use crate::formats::{OwnSkill, Package as Rule, Search};
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{self, Manifests};
use skilltree_skills::roots;
use skilltree_skills::skill::{Parsed, SkillId};
use skilltree_skills::snapshot::Body;

/// Returns the skills that an installer finds.
pub(super) fn of(parsed: &Parsed, index: &Index<'_>, rule: &Rule) -> Vec<Member> {
    let mut found =
        Found { parsed, index, rule, locked: locked(&parsed.manifests), seen: BTreeSet::new(), members: Vec::new() };
    let top = index.at(BStr::new(""));
    if rule.own_skill == OwnSkill::Alone
        && let Some(top) = top
    {
        found.add(BStr::new(""), top);
        return found.members;
    }
    for step in &rule.search {
        let mut searched = BTreeSet::new();
        for directory in directories(parsed, index, step).into_iter().filter(|path| searched.insert(path.clone())) {
            found.below(directory.as_bstr(), step.depth, true);
        }
    }
    if let Some(depth) = rule.fallback_depth.filter(|_| found.members.is_empty()) {
        found.below(BStr::new(""), depth, false);
    }
    found.members
}

struct Found<'a> {
    parsed: &'a Parsed,
    index: &'a Index<'a>,
    rule: &'a Rule,
    /// Names of skills that were installed from elsewhere.
    locked: BTreeSet<String>,
    seen: BTreeSet<SkillId>,
    members: Vec<Member>,
}

impl Found<'_> {
    /// Adds the skills below a directory. A skill may shadow those below it.
    fn below(&mut self, directory: &BStr, depth: u32, shadows: bool) {
        let mut above: Option<BString> = None;
        for (path, skill) in self.index.below(directory) {
            let inside = roots::relative(path, directory).unwrap_or(path);
            let parents: Vec<&[u8]> = inside.split_str("/").collect();
            let (_, parents) = parents.split_last().unwrap_or((&&b""[..], &[]));
            let is_skipped =
                parents.iter().any(|name| self.rule.skipped.iter().any(|skipped| skipped.as_bytes() == *name));
            let is_shadowed = shadows && above.as_ref().is_some_and(|above| roots::is_within(path, above.as_bstr()));
            if parents.len() as u32 + 1 > depth || is_skipped || is_shadowed || self.is_linked(skill) {
                continue;
            }
            above = Some(path.to_owned());
            self.add(path, skill);
        }
    }

    /// Returns whether a link leads to the directory of a skill.
    fn is_linked(&self, skill: SkillId) -> bool {
        let file = self.parsed.file(self.parsed.skills[skill.index()].file);
        file.through.is_some() && !matches!(file.body, Body::Symlink { .. })
    }

    fn add(&mut self, directory: &BStr, skill: SkillId) {
        let name = self.parsed.skills[skill.index()].name().map(normalized);
        let is_locked = || {
            let own = normalized(&text::file_name(directory).to_str_lossy());
            self.locked.contains(&own) || name.as_ref().is_some_and(|name| self.locked.contains(name))
        };
        let is_installed = directory.starts_with(b".") && !self.locked.is_empty() && is_locked();
        if !is_installed && self.seen.insert(skill) {
            self.members.push(Member { skill, lost: None, is_own: directory.is_empty(), through: None });
        }
    }
}

/// Returns the directories of a step, in its order.
fn directories(parsed: &Parsed, index: &Index<'_>, step: &Search) -> Vec<BString> {
    if step.plugins {
        return of_plugins(&parsed.manifests);
    }
    let expand = |path: &String| match path.split_once("/*/") {
        _ if path == "." => vec![BString::default()],
        None => vec![path.as_str().into()],
        Some((before, after)) => {
            let names = index.below(before.into()).filter_map(|(path, _)| {
                let inside = roots::relative(path, before.into())?;
                inside.split_str("/").next().map(ToOwned::to_owned)
            });
            let names: BTreeSet<Vec<u8>> = names.collect();
            let path = |name: Vec<u8>| [before.as_bytes(), b"/", &name, b"/", after.as_bytes()].concat().into();
            names.into_iter().map(path).collect()
        }
    };
    step.paths.iter().flat_map(expand).collect()
}

/// Returns the directories of the plugins at the top: `skills/`, and those around the directories that the manifests name.
fn of_plugins(manifests: &Manifests) -> Vec<BString> {
    let mut found = Vec::new();
    let mut plugin = |directory: Option<BString>, json: &Json| {
        let Some(directory) = directory else { return };
        let named = json.get("skills").map(|skills| skills.items()).unwrap_or_default();
        for path in named.iter().filter_map(Json::text).filter(|path| path.starts_with("./")) {
            let target = manifest::below(directory.as_bstr(), path);
            found.extend(
                target.filter(|target| !target.is_empty()).map(|target| text::parent(target.as_bstr()).to_owned()),
            );
        }
        found.push(manifest::join(directory.as_bstr(), "skills"));
    };
    let at_top = |name: &str| {
        let manifest = manifests.all.iter().find(|manifest| manifest.base.is_empty() && manifest.name == name)?;
        manifest.content.as_ref().ok()
    };
    if let Some(json) = at_top(".claude-plugin/marketplace.json") {
        let root = json.at("metadata.pluginRoot").and_then(Json::text);
        let is_usable = |path: &str| path.starts_with("./");
        if root.is_none_or(is_usable) {
            let base = root.map_or(Some(BString::default()), |root| manifest::below(BStr::new(""), root));
            for entry in json.get("plugins").map_or(&[][..], Json::items) {
                match entry.get("source") {
                    None => plugin(base.clone(), entry),
                    Some(source) => {
                        let path = source.text().filter(|path| is_usable(path));
                        plugin(path.and_then(|path| manifest::below(base.as_ref()?.as_bstr(), path)), entry);
                    }
                }
            }
        }
    }
    if let Some(json) = at_top(roots::CLAUDE_PLUGIN) {
        plugin(Some(BString::default()), json);
    }
    found
}

fn locked(manifests: &Manifests) -> BTreeSet<String> {
    let lock = manifests.all.iter().find(|manifest| manifest.base.is_empty() && manifest.name == roots::LOCK);
    let json = lock.and_then(|manifest| manifest.content.as_ref().ok());
    let skills = json.and_then(|json| json.get("skills")).map(Json::members).unwrap_or_default();
    skills.iter().map(|member| normalized(&member.key)).collect()
}

fn normalized(name: &str) -> String {
    name.to_lowercase()
        .split(|character: char| character.is_whitespace() || character == '_')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}
