//! The skills below the directories that a package searches.

use std::collections::BTreeMap;
use std::ops::Bound;

use bstr::{BStr, BString, ByteSlice};

use super::{Lost, Member, Package, Way};
use crate::formats::{InRoot, Links, OwnSkill};
use crate::profile::files::Visit;
use skilltree_front_matter::text;
use skilltree_skills::roots;
use skilltree_skills::skill::{Parsed, SkillId};

/// The skills of a tree, by directory.
pub(super) struct Index<'a>(BTreeMap<&'a BStr, Vec<SkillId>>);

impl<'a> Index<'a> {
    pub(super) fn new(parsed: &'a Parsed) -> Self {
        let mut index: BTreeMap<&BStr, Vec<SkillId>> = BTreeMap::new();
        for (id, skill) in (0u32..).map(SkillId).zip(&parsed.skills) {
            let path = parsed.file(skill.file).path.as_bstr();
            if text::file_name(path) == "SKILL.md" {
                index.entry(text::parent(path)).or_default().push(id);
            }
        }
        Self(index)
    }

    /// Returns the skills in a directory itself.
    pub(super) fn at(&self, directory: &BStr) -> Option<SkillId> {
        self.0.get(directory).and_then(|skills| skills.first()).copied()
    }

    /// Returns the skills below a directory, with their directories.
    pub(super) fn below(&self, directory: &BString) -> impl Iterator<Item = (&'a BStr, SkillId)> + use<'a> {
        let start = if directory.is_empty() { directory.clone() } else { [directory.as_bytes(), b"/"].concat().into() };
        let own = directory.as_bstr();
        let range = self.0.range::<BStr, _>((Bound::Included(start.as_bstr()), Bound::Unbounded));
        let inside =
            range.map(|(path, skills)| (*path, skills)).take_while(move |(path, _)| roots::is_within(path, own));
        let found: Vec<_> = inside
            .filter(|(path, _)| !path.is_empty())
            .filter_map(|(path, skills)| Some((path, *skills.first()?)))
            .collect();
        found.into_iter()
    }
}

/// Returns whether a tree has a SKILL.md below a directory.
pub(super) fn exists(parsed: &Parsed, directory: &BStr) -> bool {
    parsed.skills.iter().any(|skill| roots::is_within(parsed.file(skill.file).path.as_bstr(), directory))
}

/// Returns whether a directory has a SKILL.md.
pub(super) fn exists_at(parsed: &Parsed, directory: &BStr) -> bool {
    parsed.skills.iter().any(|skill| {
        let path = parsed.file(skill.file).path.as_bstr();
        text::parent(path) == directory && text::file_name(path) == "SKILL.md"
    })
}

/// Returns the skills of a package.
pub(super) fn of(parsed: &Parsed, index: &Index<'_>, package: &Package) -> Vec<Member> {
    let mut members: BTreeMap<SkillId, Member> = BTreeMap::new();
    let mut add = |skill, lost: Option<Lost>, is_own| {
        let member = Member { skill, lost, is_own };
        // Of two directories with one skill, the one that gives it to the runtime counts.
        let known = members.entry(skill).or_insert_with(|| member.clone());
        if known.lost.is_some() && (lost.is_none() || lost < known.lost) {
            *known = member;
        }
    };
    for place in &package.places {
        let lost = place.is_replaced.then_some(Lost::Replaced);
        let own = index.at(place.directory.as_bstr());
        if place.is_skill {
            own.into_iter().for_each(|skill| add(skill, lost, true));
            continue;
        }
        let in_root = package.rule.in_root;
        if let Some(own) = own {
            add(own, lost.or((in_root == InRoot::Skipped).then_some(Lost::InRoot)), true);
        }
        let hides = own.is_some() && in_root == InRoot::Alone;
        for (directory, skill) in index.below(&place.directory) {
            let inside = roots::relative(directory, place.directory.as_bstr()).unwrap_or(directory);
            let depth = inside.find_iter("/").count() as u32 + 1;
            let is_dotted = inside.split_str("/").any(|name| name.starts_with(b"."));
            let reason = match package.rule.depth {
                _ if hides => Some(Lost::Hidden),
                Some(most) if depth > most => Some(Lost::TooDeep(most)),
                _ => (is_dotted && package.rule.hidden == Some(Visit::Skipped)).then_some(Lost::Dotted),
            };
            let leaves = package.rule.links == Some(Links::Inside) && {
                let file = parsed.file(parsed.skills[skill.index()].file);
                file.through.as_ref().is_some_and(|real| !roots::is_within(real.as_bstr(), package.directory.as_bstr()))
            };
            add(skill, lost.or(reason).or(leaves.then_some(Lost::Linked)), false);
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
        let member = Member { skill: own, lost: (!is_read).then_some(Lost::Own), is_own: true };
        members.entry(own).or_insert(member);
    }
    let is_lost = package.is_lost();
    members
        .into_values()
        .map(|member| Member { lost: if is_lost { Some(Lost::Package) } else { member.lost }, ..member })
        .collect()
}
