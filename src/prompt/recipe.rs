//! What a prompt is made by, and what it is made of besides the skills.

use std::collections::BTreeMap;

use bstr::BString;

use crate::limits::{DEFAULT_PROMPT_SKILLS, Limits};
use crate::profile::{Profile, Rendering};
use crate::roots::{Root, RootId};
use crate::select::{Caps, Selection};
use crate::skill::Skill;
use crate::snapshot::ObjectId;
use crate::text::FileId;

/// What a prompt is made by. The same skills and the same recipe give the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The id of the profile.
    pub profile: String,
    /// The form of the block.
    pub rendering: Rendering,
    /// The roots whose skills are wanted, in their order.
    pub roots: Vec<RootId>,
    /// How deep below a root a skill may lie; `None` when as deep as the root's own profile reads.
    pub depth: Option<u32>,
    /// Names that are left out.
    pub reserved: Vec<String>,
    /// How the skills are chosen.
    pub selection: Selection,
    /// What the repository allows.
    pub limits: Caps,
    /// What the runtime has room for.
    pub budget: Caps,
    /// Whether there is to be a block at all: `agent.skills.enabled` of WORKFLOW.md.
    pub enabled: bool,
}

impl Recipe {
    /// The recipe when no profile is asked for: Symphony's block over every root.
    pub fn everywhere(roots: &[Root]) -> Self {
        Self {
            profile: "symphony".to_owned(),
            rendering: Rendering::Symphony,
            roots: numbered(roots).map(|(id, _)| id).collect(),
            depth: None,
            reserved: Vec::new(),
            selection: Selection::All,
            limits: Caps { skills: Some(DEFAULT_PROMPT_SKILLS), ..Caps::default() },
            budget: Caps::default(),
            enabled: true,
        }
    }

    /// The recipe of a profile: over the roots that it names and those that the configuration gives it. `None` when
    /// the profile has no `[prompt]`: nothing is rendered for it.
    pub fn of(profile: &Profile, roots: &[Root]) -> Option<Self> {
        let prompt = profile.prompt.as_ref()?;
        let is_its = |root: &Root| root.profile == profile.id || prompt.roots.iter().any(|path| root.path == *path);
        let room = prompt.budget;
        Some(Self {
            profile: profile.id.clone(),
            rendering: prompt.rendering,
            roots: numbered(roots).filter(|(_, root)| is_its(root)).map(|(id, _)| id).collect(),
            depth: prompt.depth,
            reserved: prompt.reserved.clone(),
            budget: Caps { skills: room.skills, bytes: room.bytes, chars: room.chars, tokens: room.tokens },
            ..Self::everywhere(&[])
        })
    }

    /// The recipes of the blocks that a repository is dispatched with when nothing is asked for: one over the roots
    /// that stand for themselves, and one for each root that a pattern matched, which is a scope of its own.
    pub fn defaults(roots: &[Root]) -> Vec<Self> {
        let everywhere = Self::everywhere(roots);
        let (matched, own): (Vec<RootId>, Vec<RootId>) =
            everywhere.roots.iter().partition(|root| roots[root.index()].matched);
        let groups = (!own.is_empty()).then_some(own).into_iter().chain(matched.into_iter().map(|root| vec![root]));
        groups.map(|roots| Self { roots, ..everywhere.clone() }).collect()
    }

    /// The same within the limits of a repository. `cap` is the number of skills that is in force, where one is set;
    /// else `prompt-skills`, else the default of 50.
    #[must_use]
    pub fn limited(mut self, limits: &Limits, cap: Option<u64>) -> Self {
        self.limits = Caps {
            skills: cap.or(limits.prompt_skills).or(Some(DEFAULT_PROMPT_SKILLS)),
            bytes: limits.prompt_bytes,
            chars: limits.prompt_chars,
            tokens: limits.prompt_tokens,
        };
        self
    }

    /// Whether a skill would be in the block if it were accepted and there were room: when it is not accepted, it
    /// belongs into [`Material::skipped`].
    pub fn covers(&self, skill: &Skill) -> bool {
        self.roots.contains(&skill.root) && self.depth.is_none_or(|depth| skill.depth <= depth)
    }
}

/// What is read again or known to the caller alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// The contents of the files that [`super::wanted`] names. One that is missing becomes an entry of `errors`.
    pub contents: BTreeMap<FileId, Vec<u8>>,
    /// The tree ids of the roots that exist; a directory outside git has none.
    pub trees: BTreeMap<RootId, ObjectId>,
    /// The configuration files that had a say, by path, with their blob ids; outside git there are none.
    pub config: BTreeMap<BString, Option<ObjectId>>,
    /// The skills that were not accepted, with the reasons.
    pub skipped: Vec<Skipped>,
    /// What could not be read.
    pub errors: Vec<SourceError>,
}

/// A skill that was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The path of its file.
    pub path: BString,
    /// Why.
    pub problems: Vec<Problem>,
}

/// A finding that keeps a skill out of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1.
    pub column: u32,
    /// The id of the rule.
    pub rule: String,
    /// The fact.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceError {
    /// What: a path, or the name of a source.
    pub source: String,
    /// Why.
    pub message: String,
}

/// What was skipped, sorted by path, line and column, each file once and each problem once.
pub(super) fn in_order(skipped: &[Skipped]) -> Vec<Skipped> {
    let mut by_path: BTreeMap<&BString, Vec<Problem>> = BTreeMap::new();
    for entry in skipped {
        by_path.entry(&entry.path).or_default().extend(entry.problems.iter().cloned());
    }
    by_path
        .into_iter()
        .map(|(path, mut problems)| {
            problems.sort();
            problems.dedup();
            Skipped { path: path.clone(), problems }
        })
        .collect()
}

fn numbered(roots: &[Root]) -> impl Iterator<Item = (RootId, &Root)> {
    (0u32..).map(RootId).zip(roots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile;
    use crate::samples::{BOTH, catalog};

    fn roots() -> Vec<Root> {
        catalog(BOTH, &[]).parsed.roots
    }

    #[test]
    fn a_profile_takes_its_own_roots_and_no_profile_takes_all() {
        let profiles = profile::builtin();
        let of = |id: &str, roots: &[Root]| Recipe::of(profile::find(&profiles, id).unwrap(), roots).unwrap();
        assert_eq!(Recipe::everywhere(&roots()).roots, [RootId(0), RootId(1)]);
        assert_eq!(of("symphony", &roots()).roots, [RootId(0)]);
        assert_eq!(of("agentskills", &roots()).roots, [RootId(1)]);
        assert_eq!(of("symphony", &roots()).depth, Some(1));
        let mut moved = roots();
        moved[0].path = "team/skills".into();
        assert_eq!(of("symphony", &moved).roots, [RootId(0)], "WORKFLOW.md's path replaces the root of the profile");
    }

    #[test]
    fn a_root_that_a_pattern_matched_has_a_block_of_its_own() {
        let samples = [
            ("a", "symphony", None),
            ("p/x", "agentskills", Some(1)),
            ("p/y", "agentskills", Some(1)),
            ("b", "x", None),
        ];
        let recipes = Recipe::defaults(&catalog(&samples, &[]).parsed.roots);
        let roots: Vec<&[RootId]> = recipes.iter().map(|recipe| recipe.roots.as_slice()).collect();
        assert_eq!(roots, [&[RootId(0), RootId(3)][..], &[RootId(1)], &[RootId(2)]]);
        assert_eq!(Recipe::defaults(&[]), []);
    }

    #[test]
    fn the_cap_that_is_set_decides_then_the_limit_then_fifty() {
        let skills = |cap, limit| {
            let limits = Limits { prompt_skills: limit, prompt_bytes: Some(9), ..Limits::default() };
            let recipe = Recipe::everywhere(&[]).limited(&limits, cap);
            assert_eq!(recipe.limits.bytes, Some(9));
            recipe.limits.skills
        };
        assert_eq!(skills(Some(2), Some(3)), Some(2));
        assert_eq!(skills(None, Some(3)), Some(3));
        assert_eq!(skills(None, None), Some(50));
    }

    #[test]
    fn what_was_skipped_is_told_once_and_in_order() {
        let problem = |line| Problem { line, column: 1, rule: "x".into(), message: "y".into(), help: None };
        let skipped = |path: &str, lines: &[u32]| Skipped {
            path: path.into(),
            problems: lines.iter().map(|&line| problem(line)).collect(),
        };
        let sorted = in_order(&[skipped("b", &[1]), skipped("a", &[2, 1]), skipped("a", &[2])]);
        assert_eq!(sorted, [skipped("a", &[1, 2]), skipped("b", &[1])]);
    }
}
