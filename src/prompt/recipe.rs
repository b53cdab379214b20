//! What a prompt is made by.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::template::Template;
use crate::catalog::Catalog;
use crate::limits::{DEFAULT_PROMPT_SKILLS, Limits};
use crate::profile::files::Visit;
use crate::profile::{Profile, Rendering, Room};
use crate::roots::{Owner, Root, RootId};
use crate::select::{Caps, Selection};
use crate::skill::SkillId;

/// What a prompt is made by. The same skills and the same recipe give the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The id of the profile.
    pub profile: String,
    /// The form of the block.
    pub rendering: Rendering,
    /// The template that stands in the place of the form.
    pub template: Option<Template>,
    /// The form of a block of skills that a text mentions.
    pub mentioned: Rendering,
    /// How many skills a task gets, where nothing is said.
    pub top: Option<usize>,
    /// The roots whose skills are wanted, in their order.
    pub roots: Vec<RootId>,
    /// How deep below a root a skill may lie; `None` when as deep as the root's own profile reads.
    pub depth: Option<u32>,
    /// Whether skills below hidden directories are left out.
    pub skips_hidden: bool,
    /// Whether skills behind symbolic links are left out.
    pub skips_links: bool,
    /// Names that are left out.
    pub reserved: Vec<String>,
    /// Which mode of a command line suits which role: what the index says beside the block.
    pub modes: BTreeMap<String, String>,
    /// Whether a tool that two skills bring is refused.
    pub merges_tools: bool,
    /// How the skills are chosen.
    pub selection: Selection,
    /// What the repository allows.
    pub limits: Caps,
    /// What the runtime has room for.
    pub budget: Caps,
    /// What the runtime has room for in one skill.
    pub each: Caps,
    /// Whether there is to be a block at all: `agent.skills.enabled` of WORKFLOW.md.
    pub enabled: bool,
}

impl Recipe {
    /// The recipe when no profile is asked for: Symphony's block over every root.
    pub fn everywhere(roots: &[Root]) -> Self {
        Self {
            profile: "symphony".to_owned(),
            rendering: Rendering::Symphony,
            template: None,
            mentioned: Rendering::Symphony,
            top: None,
            roots: numbered(roots).map(|(id, _)| id).collect(),
            depth: None,
            skips_hidden: false,
            skips_links: false,
            reserved: Vec::new(),
            modes: BTreeMap::new(),
            merges_tools: false,
            selection: Selection::All,
            limits: Caps { skills: Some(DEFAULT_PROMPT_SKILLS), ..Caps::default() },
            budget: Caps::default(),
            each: Caps::default(),
            enabled: true,
        }
    }

    /// The recipe of a profile: over the roots that it names, those that the configuration gives it, and those that
    /// somebody asked for beside the repository's. `None` when
    /// the profile has no `[prompt]`: nothing is rendered for it.
    pub fn of(profile: &Profile, roots: &[Root]) -> Option<Self> {
        let prompt = profile.prompt.as_ref()?;
        let is_its = |root: &Root| {
            root.owner != Owner::Repository
                || root.profile == profile.id
                || prompt.roots.iter().any(|path| root.path == *path)
        };
        let caps = |room: Room| Caps { skills: room.skills, bytes: room.bytes, chars: room.chars, tokens: room.tokens };
        Some(Self {
            profile: profile.id.clone(),
            rendering: prompt.rendering,
            mentioned: prompt.mentioned.unwrap_or(prompt.rendering),
            top: prompt.top,
            roots: numbered(roots).filter(|(_, root)| is_its(root)).map(|(id, _)| id).collect(),
            depth: prompt.depth,
            skips_hidden: prompt.hidden == Some(Visit::Skipped),
            skips_links: prompt.links == Some(Visit::Skipped),
            reserved: prompt.reserved.clone(),
            modes: prompt.modes.clone(),
            merges_tools: prompt.merges_tools,
            budget: caps(prompt.budget),
            each: caps(prompt.each),
            ..Self::everywhere(&[])
        })
    }

    /// The recipes of the blocks that a repository is dispatched with when nothing is asked for: one over the roots
    /// that stand for themselves, and one for each root that a pattern matched, which is a scope of its own.
    pub fn defaults(roots: &[Root]) -> Vec<Self> {
        let (matched, own): (Vec<_>, Vec<_>) = numbered(roots).partition(|(_, root)| root.matched);
        let own: Vec<RootId> = own.into_iter().map(|(id, _)| id).collect();
        let groups = (!own.is_empty()).then_some(own).into_iter().chain(matched.into_iter().map(|(id, _)| vec![id]));
        groups.map(|roots| Self { roots, ..Self::everywhere(&[]) }).collect()
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

    /// Whether what agents learned has a say: in SwarmAssistant's block for a task.
    pub fn takes_knowledge(&self) -> bool {
        let renders_it = self.template.is_none() && self.rendering == Rendering::Swarm;
        self.enabled && renders_it && matches!(self.selection, Selection::Task(_))
    }

    /// Whether a skill would be in the block if it were accepted and there were room: when it is not accepted, it
    /// belongs into [`super::Material::skipped`].
    pub fn covers(&self, catalog: &Catalog, id: SkillId) -> bool {
        let skill = catalog.skill(id);
        self.roots.contains(&skill.root)
            && self.depth.is_none_or(|depth| skill.depth <= depth)
            && !self.skips(catalog, id)
    }

    /// Whether a skill is left out because of the way that leads to it.
    pub(super) fn skips(&self, catalog: &Catalog, id: SkillId) -> bool {
        let skill = catalog.skill(id);
        let below = catalog.path(id).strip_prefix(catalog.root(skill.root).path.as_bytes()).unwrap_or_default();
        let is_hidden = || below.contains_str(b"/.");
        (self.skips_hidden && is_hidden()) || (self.skips_links && catalog.file(skill.file).through.is_some())
    }
}

fn numbered(roots: &[Root]) -> impl Iterator<Item = (RootId, &Root)> {
    (0u32..).map(RootId).zip(roots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;
    use crate::samples::{BOTH, catalog};

    fn roots() -> Vec<Root> {
        catalog(BOTH, &[]).parsed.roots
    }

    #[test]
    fn a_profile_takes_its_own_roots_and_no_profile_takes_all() {
        let profiles = Profiles::default();
        let of = |id: &str, roots: &[Root]| Recipe::of(profiles.find(id).unwrap(), roots).unwrap();
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
}
