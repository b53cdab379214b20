//! The skills below the directories that a package searches.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use super::{Lost, Member, Package, Way};
use crate::formats::{InRoot, Links as Rule, OwnSkill};
use crate::links::Links;
use crate::profile::Loads;
use crate::profile::files::{Follow, Visit};
use skilltree_front_matter::text;
use skilltree_skills::roots::{self, Owner};
use skilltree_skills::skill::{Parsed, SkillId};
use skilltree_skills::snapshot::Role;

/// Number of files that are in no skills directory and that are looked at in a package (ours: 16): its manifests.
const MANIFESTS: usize = 16;

/// The skills of a tree, by directory.
#[derive(Clone, Copy)]
pub(super) struct Index<'a> {
    parsed: &'a Parsed,
    /// One skill of each directory, sorted by directory.
    order: &'a [SkillId],
    links: &'a Links,
}

/// Returns one skill of each directory, sorted by directory.
pub(super) fn order(parsed: &Parsed) -> Vec<SkillId> {
    let name = |id: &SkillId| text::file_name(parsed.file(parsed.skills[id.index()].file).path.as_bstr());
    let ids = (0u32..).map(SkillId).take(parsed.skills.len());
    // Elsewhere, only installed packages have manifests.
    let is_there = |id: &SkillId| {
        let root = &parsed.roots[parsed.skills[id.index()].root.index()];
        root.owner == Owner::Repository || root.package.is_some()
    };
    let is_named = |id: &SkillId| name(id) == "SKILL.md" || !roots::is_skill_file(name(id));
    let mut order: Vec<SkillId> = ids.filter(|id| is_there(id) && is_named(id)).collect();
    order.sort_by_key(|id| (directory(parsed, *id), *id));
    order.dedup_by_key(|id| directory(parsed, *id));
    order
}

/// Returns the directory of a skill: of its SKILL.md, or the broken link or the submodule in the place of the directory.
fn directory(parsed: &Parsed, id: SkillId) -> &BStr {
    let path = parsed.file(parsed.skills[id.index()].file).path.as_bstr();
    if roots::is_skill_file(text::file_name(path)) { text::parent(path) } else { path }
}

impl<'a> Index<'a> {
    pub(super) fn new(parsed: &'a Parsed, order: &'a [SkillId], links: &'a Links) -> Self {
        Self { parsed, order, links }
    }

    fn directory(&self, id: SkillId) -> &'a BStr {
        directory(self.parsed, id)
    }

    /// Returns the skill in a directory itself.
    pub(super) fn at(&self, directory: &BStr) -> Option<SkillId> {
        let found = self.order.binary_search_by(|id| self.directory(*id).cmp(directory));
        found.ok().map(|number| self.order[number])
    }

    /// Returns the skills below a directory, with their directories.
    pub(super) fn below(&self, directory: &BStr) -> impl Iterator<Item = (&'a BStr, SkillId)> + use<'a> {
        let inside = if directory.is_empty() { Vec::new() } else { [directory.as_bytes(), b"/"].concat() };
        let start = self.order.partition_point(|id| self.directory(*id).as_bytes() < inside.as_slice());
        let index = *self;
        let found = self.order[start..].iter().map(move |id| (index.directory(*id), *id));
        found.take_while(move |(path, _)| path.starts_with(&inside)).filter(|(path, _)| !path.is_empty())
    }

    /// Returns whether every skill of the tree was read.
    pub(super) fn is_complete(&self) -> bool {
        self.parsed.unsearched.is_none() && self.parsed.files.iter().all(|file| file.role != Role::Unchecked)
    }

    /// Returns the first path of a skill's directory through a link that the search of a place sees. `unseen` is why it does not.
    fn shortcut(&self, skill: SkillId, place: &BStr, unseen: impl Fn(&BStr) -> Option<Lost>) -> Option<BString> {
        let mut paths = self.links.shortcuts(self.parsed, skill).into_iter().map(|(_, path)| path);
        paths.find(|path| roots::is_within(path.as_bstr(), place) && unseen(path.as_bstr()).is_none())
    }

    /// Returns whether skills directories have a file in a directory or below it.
    pub(super) fn has_files(&self, directory: &BStr) -> bool {
        let files = &self.parsed.files;
        let sorted = &files[..files.partition_point(|file| file.role != Role::Config)];
        let inside = if directory.is_empty() { Vec::new() } else { [directory.as_bytes(), b"/"].concat() };
        let start = sorted.partition_point(|file| file.path.as_slice() < inside.as_slice());
        let below = sorted[start..].iter().take_while(|file| file.path.starts_with(&inside));
        // Of a directory with many manifests it is not known.
        below.enumerate().any(|(number, file)| number == MANIFESTS || file.root.is_some() && file.role != Role::Root)
    }

    /// Returns whether a directory or one below it has a skill.
    pub(super) fn has(&self, directory: &BStr) -> bool {
        self.at(directory).is_some() || self.below(directory).next().is_some()
    }
}

/// Returns the Markdown files in a searched directory itself that the runtime takes for skills.
pub(super) fn flat(parsed: &Parsed, package: &Package) -> Vec<usize> {
    if package.rule.loose != Some(Visit::Read) || package.is_lost() || parsed.flat.is_empty() {
        return Vec::new();
    }
    // A SKILL.md next to it hides it like the directories.
    let is_hidden = |place: &BStr| {
        package.rule.in_root == InRoot::Alone
            && parsed.skills.iter().any(|skill| {
                let path = parsed.file(skill.file).path.as_bstr();
                text::parent(path) == place && text::file_name(path) == "SKILL.md"
            })
    };
    let is_searched = |directory: &BStr| {
        let mut places = package.places.iter().filter(|place| !place.is_skill && place.lost.is_none());
        places.any(|place| place.directory == directory)
    };
    let directory = |number: &usize| text::parent(parsed.file(parsed.flat[*number].file).path.as_bstr());
    let found = (0..parsed.flat.len()).filter(|number| is_searched(directory(number)) && !is_hidden(directory(number)));
    found.collect()
}

/// Returns why a package that searches a place does not see a directory below it; `None` if it does.
fn unseen(package: &Package, place: &BStr, directory: &BStr) -> Option<Lost> {
    let inside = roots::relative(directory, place).unwrap_or(directory);
    let depth = inside.find_iter("/").count() as u32 + 1;
    let is_dotted = inside.split_str("/").any(|name| name.starts_with(b"."));
    match package.rule.depth {
        Some(most) if depth > most => Some(Lost::TooDeep(most)),
        _ => (is_dotted && package.rule.hidden == Some(Visit::Skipped)).then_some(Lost::Dotted),
    }
}

/// Returns the skills of a package. `loads` is what its runtime does with skills in skills directories.
pub(super) fn of(parsed: &Parsed, index: &Index<'_>, package: &Package, loads: &Loads) -> Vec<Member> {
    let follow = package.rule.links.map_or(loads.links.directory, |links| Some(links.follow()));
    let is_followed = !matches!(follow, Some(Follow::Ignored | Follow::Refused));
    let mut members: BTreeMap<SkillId, Member> = BTreeMap::new();
    let mut add = |skill, lost: Option<Lost>, is_own, through| {
        let member = Member { skill, lost, is_own, through };
        // Of two directories with one skill, the one that gives it to the runtime counts.
        let known = members.entry(skill).or_insert_with(|| member.clone());
        if known.lost.is_some() && (lost.is_none() || lost < known.lost) {
            *known = member;
        }
    };
    for place in &package.places {
        let lost = place.lost;
        let own = index.at(place.directory.as_bstr());
        if place.is_skill {
            own.into_iter().for_each(|skill| add(skill, lost, true, None));
            continue;
        }
        let in_root = package.rule.in_root;
        if let Some(own) = own {
            add(own, lost.or((in_root == InRoot::Skipped).then_some(Lost::InRoot)), true, None);
        }
        let hides = own.is_some() && in_root == InRoot::Alone;
        for (directory, skill) in index.below(place.directory.as_bstr()) {
            let unseen = |path: &BStr| unseen(package, place.directory.as_bstr(), path);
            let reason = if hides { Some(Lost::Hidden) } else { unseen(directory) };
            let through = match reason {
                Some(Lost::TooDeep(_) | Lost::Dotted) if is_followed => {
                    index.shortcut(skill, place.directory.as_bstr(), unseen)
                }
                _ => None,
            };
            let reason = reason.filter(|_| through.is_none());
            let leaves = package.rule.links == Some(Rule::Inside) && {
                let file = parsed.file(parsed.skills[skill.index()].file);
                file.through.as_ref().is_some_and(|real| !roots::is_within(real.as_bstr(), package.directory.as_bstr()))
            };
            add(skill, lost.or(reason).or(leaves.then_some(Lost::Linked)), false, through);
        }
    }
    // In a skills directory of the project, it is an ordinary skill.
    let own = index.at(package.directory.as_bstr()).filter(|_| package.way != Way::Project);
    if let Some(own) = own.filter(|_| !package.places.is_empty() || !package.is_lost()) {
        let has_others = members.values().any(|member| member.lost.is_none() && member.skill != own);
        let is_read = match package.rule.own_skill {
            OwnSkill::Never => false,
            OwnSkill::IfEmpty => !has_others,
            OwnSkill::Alone => true,
            OwnSkill::WithoutOthers => package.places.is_empty(),
        };
        let member = Member { skill: own, lost: (!is_read).then_some(Lost::Own), is_own: true, through: None };
        members.entry(own).or_insert(member);
    }
    let is_lost = package.is_lost();
    let is_replaced = |skill| package.command(text::file_name(index.directory(skill))).is_some();
    let lost = |member: &Member| match member.lost {
        _ if is_lost => Some(Lost::Package),
        None if is_replaced(member.skill) => Some(Lost::Command),
        lost => lost,
    };
    members.into_values().map(|member| Member { lost: lost(&member), ..member }).collect()
}
