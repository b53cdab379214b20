//! Which accepted skills a prompt gets, and in what order.
//!
//! It knows nothing of bytes: what a skill adds to a block is asked of whoever renders it.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use crate::accept::Accepted;
use crate::catalog::{self, Catalog};
use crate::limits::over;
use crate::roots::RootId;
use crate::skill::{Skill, SkillId};
use crate::text::{self, Place};

/// How the skills are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All of them, bytewise by name, then by path.
    #[default]
    All,
}

/// What a block may hold; `None` limits nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// Skills.
    pub skills: Option<u64>,
    /// Bytes of the block.
    pub bytes: Option<u64>,
    /// Code points of the block.
    pub chars: Option<u64>,
    /// Estimated tokens of the block.
    pub tokens: Option<u64>,
}

/// How large a piece of a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Bytes of UTF-8.
    pub bytes: usize,
    /// Code points.
    pub chars: usize,
}

/// Where a skill would come to stand in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It is the first of all: what surrounds the block comes with it.
    First,
    /// It is the first of its root: what introduces the root comes with it.
    FirstOfRoot,
    /// It stands beside others of its root.
    Beside,
}

/// What is wanted.
pub struct Request<'a> {
    /// The roots whose skills are wanted.
    pub roots: &'a [RootId],
    /// How deep below a root a skill may lie; `None` when at any depth.
    pub depth: Option<u32>,
    /// Names that are left out.
    pub reserved: &'a [String],
    /// How the skills are chosen.
    pub selection: &'a Selection,
    /// What the repository allows.
    pub limits: Caps,
    /// What the runtime has room for.
    pub budget: Caps,
    /// What a block grows by when a skill enters it.
    pub growth: &'a dyn Fn(SkillId, Stand) -> Size,
}

/// What a prompt gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// The skills in their order.
    pub skills: Vec<SkillId>,
    /// The skills that were wanted and had no room, in their order.
    pub dropped: Vec<Dropped>,
    /// The skills that another of the same name stands before, in the order of roots and paths.
    pub shadowed: Vec<Shadowed>,
}

/// A skill that had no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The skill.
    pub skill: SkillId,
    /// Why.
    pub reason: Reason,
    /// Why, with the numbers.
    pub detail: String,
}

/// Why a skill that may enter a prompt does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are as many skills as the repository allows.
    Cap,
    /// The block would be larger than the repository or the runtime allows.
    Budget,
}

impl Reason {
    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cap => "cap",
            Self::Budget => "budget",
        }
    }
}

/// A skill that another of the same name stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadowed {
    /// The skill.
    pub skill: SkillId,
    /// The one that stays.
    pub by: SkillId,
}

/// Chooses, orders and cuts to size.
pub fn select(accepted: &Accepted<'_>, request: &Request<'_>) -> Selected {
    let (mut skills, shadowed) = unshadowed(accepted, request);
    match request.selection {
        Selection::All => by_name(&mut skills, accepted.catalog),
    }
    let (skills, dropped) = fit(&skills, accepted.catalog, request);
    Selected { skills, dropped, shadowed }
}

/// The name that a skill has in a prompt. An accepted skill has one; the directory stands in for what was let through.
pub fn name(skill: &Skill) -> Cow<'_, str> {
    skill.name().map_or_else(|| Cow::Owned(text::lossless(skill.directory.as_bstr())), Cow::Borrowed)
}

/// Where a skill says what its name is: the place to show when a skill is one of many.
pub fn name_place(skill: &Skill) -> Place {
    skill.field("name").map_or_else(|| skill.opener(), |field| field.value.place)
}

/// The skills that are asked for, less those that another of the same name stands before. Of duplicates the first by
/// the order of the roots, then by path, stays. Roots that one pattern matched are scopes of their own beside each
/// other: `packages/a` and `packages/b` may each have a skill of one name.
fn unshadowed(accepted: &Accepted<'_>, request: &Request<'_>) -> (Vec<SkillId>, Vec<Shadowed>) {
    let catalog = accepted.catalog;
    let mut winners: BTreeMap<String, (SkillId, SkillId)> = BTreeMap::new();
    let (mut skills, mut shadowed) = (Vec::new(), Vec::new());
    let roots: BTreeSet<RootId> = request.roots.iter().copied().collect();
    for (id, skill) in accepted.iter() {
        let name = name(skill);
        let wanted = roots.contains(&skill.root)
            && request.depth.is_none_or(|depth| skill.depth <= depth)
            && !request.reserved.iter().any(|reserved| *reserved == name);
        if !wanted {
            continue;
        }
        match winners.entry(catalog::identity(&name)) {
            Entry::Vacant(vacant) => {
                vacant.insert((id, id));
                skills.push(id);
            }
            Entry::Occupied(mut occupied) => {
                let (first, last) = *occupied.get();
                // Winners of one name are all brothers, and skills come root by root: the last one speaks for its root.
                if is_brother(catalog, skill.root, catalog.skill(last).root) {
                    occupied.insert((first, id));
                    skills.push(id);
                } else {
                    let same_root = catalog.skill(last).root == skill.root;
                    shadowed.push(Shadowed { skill: id, by: if same_root { last } else { first } });
                }
            }
        }
    }
    (skills, shadowed)
}

/// Whether two roots are scopes of their own that one pattern matched.
fn is_brother(catalog: &Catalog, a: RootId, b: RootId) -> bool {
    let (one, other) = (catalog.root(a), catalog.root(b));
    a != b && one.matched && other.matched && one.pattern == other.pattern
}

fn by_name(skills: &mut [SkillId], catalog: &Catalog) {
    skills.sort_by_cached_key(|&id| (name(catalog.skill(id)).into_owned(), catalog.path(id)));
}

/// Takes skills in their order while there is room, whole ones only: one that does not fit is left out, and the next
/// that fits is taken.
fn fit(skills: &[SkillId], catalog: &Catalog, request: &Request<'_>) -> (Vec<SkillId>, Vec<Dropped>) {
    let measured = request.limits.measures() || request.budget.measures();
    let mut begun = vec![false; catalog.parsed.roots.len()];
    let mut total = Size::default();
    let (mut taken, mut dropped) = (Vec::new(), Vec::new());
    for &skill in skills {
        let root = catalog.skill(skill).root.index();
        let stand = match begun[root] {
            true => Stand::Beside,
            false if taken.is_empty() => Stand::First,
            false => Stand::FirstOfRoot,
        };
        let growth = if measured { (request.growth)(skill, stand) } else { Size::default() };
        let size = Size { bytes: total.bytes + growth.bytes, chars: total.chars + growth.chars };
        match refusal(taken.len() + 1, size, request) {
            Some((reason, detail)) => dropped.push(Dropped { skill, reason, detail }),
            None => {
                total = size;
                begun[root] = true;
                taken.push(skill);
            }
        }
    }
    (taken, dropped)
}

/// Why a block may not grow to so many skills and that size.
fn refusal(skills: usize, size: Size, request: &Request<'_>) -> Option<(Reason, String)> {
    let (limits, budget) = (&request.limits, &request.budget);
    if let Some(allowed) = limits.skills.filter(|&allowed| over(Some(allowed), skills)) {
        return Some((Reason::Cap, allows(allowed, "skill")));
    }
    if let Some(allowed) = budget.skills.filter(|&allowed| over(Some(allowed), skills)) {
        return Some((Reason::Budget, allows(allowed, "skill")));
    }
    let excess = limits.exceeded(size).or_else(|| budget.exceeded(size))?;
    Some((Reason::Budget, format!("with it the block would have {excess}")))
}

fn allows(allowed: u64, unit: &str) -> String {
    let plural = if allowed == 1 { "" } else { "s" };
    format!("{allowed} {unit}{plural} {} allowed", is_or_are(allowed))
}

fn is_or_are(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

impl Caps {
    /// Whether the size of a block matters.
    pub fn measures(&self) -> bool {
        self.bytes.is_some() || self.chars.is_some() || self.tokens.is_some()
    }

    /// The first cap that a block of that size is over, in words: "5200 bytes; 4000 are allowed".
    pub fn exceeded(&self, size: Size) -> Option<String> {
        let measures = [
            ("bytes", self.bytes, size.bytes),
            ("characters", self.chars, size.chars),
            ("estimated tokens", self.tokens, text::tokens(size.chars)),
        ];
        measures.into_iter().find_map(|(unit, cap, count)| {
            let allowed = cap.filter(|&allowed| over(Some(allowed), count))?;
            Some(format!("{count} {unit}; {allowed} {} allowed", is_or_are(allowed)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, RootSample};

    /// Ten bytes a skill, and five more for each root: what the tests below count with.
    fn growth(_: SkillId, stand: Stand) -> Size {
        let bytes = if stand == Stand::Beside { 10 } else { 15 };
        Size { bytes, chars: bytes }
    }

    /// The paths of the skills that are taken, dropped and shadowed; `!` marks a skill that is not accepted.
    fn run(roots: &[RootSample], paths: &[(&str, &str)], request: &Request<'_>) -> [Vec<String>; 3] {
        let names: Vec<[(&str, &str); 1]> =
            paths.iter().map(|(_, name)| [("name", name.trim_start_matches('!'))]).collect();
        let skills: Vec<(&str, &[(&str, &str)])> =
            paths.iter().zip(&names).map(|((path, _), f)| (*path, &f[..])).collect();
        let catalog = samples::catalog(roots, &skills);
        let is_bad = |skill: &Skill| {
            paths.iter().any(|(path, name)| name.starts_with('!') && catalog.file(skill.file).path == *path)
        };
        let rejected: Vec<bool> = catalog.parsed.skills.iter().map(is_bad).collect();
        let selected = select(&Accepted::new(&catalog, &rejected), request);
        let path = |id: SkillId| catalog.path(id).to_string();
        [
            selected.skills.iter().map(|&id| path(id)).collect(),
            selected.dropped.iter().map(|d| format!("{} {} {}", path(d.skill), d.reason.word(), d.detail)).collect(),
            selected.shadowed.iter().map(|s| format!("{} {}", path(s.skill), path(s.by))).collect(),
        ]
    }

    fn all() -> Request<'static> {
        Request {
            roots: &[RootId(0), RootId(1), RootId(2)],
            depth: None,
            reserved: &[],
            selection: &Selection::All,
            limits: Caps::default(),
            budget: Caps::default(),
            growth: &growth,
        }
    }

    const PLAIN: &[RootSample] = &[("a", "agentskills", None), ("b", "agentskills", None)];

    #[test]
    fn skills_stand_bytewise_by_name_then_by_path() {
        let skills = [("a/1/SKILL.md", "z"), ("a/2/SKILL.md", "a"), ("b/1/SKILL.md", "Z"), ("b/2/SKILL.md", "é")];
        let [taken, dropped, shadowed] = run(PLAIN, &skills, &all());
        assert_eq!(taken, ["a/2/SKILL.md", "a/1/SKILL.md", "b/2/SKILL.md"]);
        assert_eq!(dropped, [""; 0]);
        assert_eq!(shadowed, ["b/1/SKILL.md a/1/SKILL.md"], "`Z` and `z` are one name to some runtimes");
    }

    #[test]
    fn only_accepted_skills_of_the_wanted_roots_depth_and_names_count() {
        let skills = [("a/x/SKILL.md", "x"), ("a/y/SKILL.md", "!y"), ("a/d/z/SKILL.md", "z"), ("b/w/SKILL.md", "w")];
        let request = Request { roots: &[RootId(0)], depth: Some(1), ..all() };
        assert_eq!(run(PLAIN, &skills, &request)[0], ["a/x/SKILL.md"]);
        let request = Request { reserved: &["x".to_owned(), "w".to_owned()], ..all() };
        assert_eq!(run(PLAIN, &skills, &request)[0], ["a/d/z/SKILL.md"]);
    }

    #[test]
    fn of_one_name_the_first_by_root_and_path_stays() {
        let skills = [("a/1/SKILL.md", "x"), ("a/2/SKILL.md", "x"), ("b/0/SKILL.md", "x"), ("a/0/SKILL.md", "!x")];
        let [taken, _, shadowed] = run(PLAIN, &skills, &all());
        assert_eq!(taken, ["a/1/SKILL.md"]);
        assert_eq!(shadowed, ["a/2/SKILL.md a/1/SKILL.md", "b/0/SKILL.md a/1/SKILL.md"]);
    }

    #[test]
    fn roots_of_one_pattern_are_scopes_of_their_own() {
        let roots = [("p/a", "agentskills", Some(0)), ("p/b", "agentskills", Some(0)), ("q", "agentskills", None)];
        let skills = [("p/a/x/SKILL.md", "x"), ("p/b/x/SKILL.md", "x"), ("p/b/y/SKILL.md", "x"), ("q/x/SKILL.md", "x")];
        let [taken, _, shadowed] = run(&roots, &skills, &all());
        assert_eq!(taken, ["p/a/x/SKILL.md", "p/b/x/SKILL.md"]);
        assert_eq!(shadowed, ["p/b/y/SKILL.md p/b/x/SKILL.md", "q/x/SKILL.md p/a/x/SKILL.md"]);
    }

    #[test]
    fn a_cap_drops_the_last_by_name_of_all_roots() {
        let skills = [("a/z/SKILL.md", "z"), ("b/x/SKILL.md", "x"), ("b/y/SKILL.md", "y")];
        let request = Request { limits: Caps { skills: Some(2), ..Caps::default() }, ..all() };
        let [taken, dropped, _] = run(PLAIN, &skills, &request);
        assert_eq!(taken, ["b/x/SKILL.md", "b/y/SKILL.md"]);
        assert_eq!(dropped, ["a/z/SKILL.md cap 2 skills are allowed"]);
        let request = Request { limits: Caps { skills: Some(0), ..Caps::default() }, ..all() };
        assert_eq!(run(PLAIN, &skills, &request)[0], [""; 0]);
    }

    #[test]
    fn a_size_drops_whole_skills_and_takes_the_next_that_fits() {
        let skills = [("a/w/SKILL.md", "w"), ("b/x/SKILL.md", "x"), ("a/y/SKILL.md", "y"), ("a/z/SKILL.md", "z")];
        let request = Request { limits: Caps { bytes: Some(25), ..Caps::default() }, ..all() };
        let [taken, dropped, _] = run(PLAIN, &skills, &request);
        assert_eq!(taken, ["a/w/SKILL.md", "a/y/SKILL.md"]);
        assert_eq!(
            dropped,
            [
                "b/x/SKILL.md budget with it the block would have 30 bytes; 25 are allowed",
                "a/z/SKILL.md budget with it the block would have 35 bytes; 25 are allowed",
            ]
        );
        let request = Request { budget: Caps { tokens: Some(4), skills: Some(1), ..Caps::default() }, ..all() };
        let [taken, dropped, _] = run(PLAIN, &skills[..2], &request);
        assert_eq!(taken, ["a/w/SKILL.md"]);
        assert_eq!(dropped, ["b/x/SKILL.md budget 1 skill is allowed"]);
    }

    #[test]
    fn the_unit_of_a_size_is_said() {
        let size = Size { bytes: 9, chars: 5 };
        let caps = |bytes, chars, tokens| Caps { skills: None, bytes, chars, tokens };
        assert_eq!(caps(Some(9), Some(5), Some(2)).exceeded(size), None);
        assert_eq!(caps(Some(8), None, None).exceeded(size).unwrap(), "9 bytes; 8 are allowed");
        assert_eq!(caps(None, Some(4), None).exceeded(size).unwrap(), "5 characters; 4 are allowed");
        assert_eq!(caps(None, None, Some(1)).exceeded(size).unwrap(), "2 estimated tokens; 1 is allowed");
    }
}
