//! Recipe of a prompt.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::template::Template;
use crate::select::{Caps, Selection};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::files::Visit;
use skilltree_runtimes::profile::identity::IdentityBy;
use skilltree_runtimes::profile::{BlockLimits, Profile, Rendering, RoleModes};
use skilltree_skills::limits::{DEFAULT_PROMPT_SKILLS, Limits};
use skilltree_skills::roots::{Owner, Packages, Root, RootId};
use skilltree_skills::skill::{Skill, SkillId};

/// Recipe of a prompt. The same skills and the same recipe give the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Id of the profile.
    pub profile: String,
    /// Command-line options that lead to this recipe, for the index.
    pub options: Vec<String>,
    /// Rendering of the block.
    pub rendering: Rendering,
    /// Template that replaces the rendering.
    pub template: Option<Template>,
    /// Rendering for skills that a text mentions.
    pub mentioned: Rendering,
    /// Default maximum number of skills for a task.
    pub top: Option<usize>,
    /// Roots to select from, in order.
    pub roots: Vec<RootId>,
    /// Maximum depth of a skill below its root; `None` for the depth that the root's profile reads.
    pub depth: Option<u32>,
    /// Whether to skip skills below hidden directories.
    pub skips_hidden: bool,
    /// Whether to skip skills that a symbolic link leads to.
    pub skips_links: bool,
    /// Whether a skill is known by its directory instead of its name.
    pub by_directory: bool,
    /// Whether a skill without roles is skipped for a role.
    pub requires_role: bool,
    /// Whether to render shared knowledge after the skills of a task.
    pub knowledge: bool,
    /// Names that are skipped.
    pub reserved: Vec<String>,
    /// Command-line modes for each role, written to the index.
    pub modes: Vec<RoleModes>,
    /// Whether to refuse a tool that two skills define.
    pub merges_tools: bool,
    /// How skills are selected.
    pub selection: Selection,
    /// Caps of the repository.
    pub limits: Caps,
    /// Caps of the runtime.
    pub budget: Caps,
    /// Caps of the runtime for one skill.
    pub each: Caps,
    /// Whether to render a block: `agent.skills.enabled` of WORKFLOW.md.
    pub enabled: bool,
}

impl Recipe {
    /// Recipe without a profile: Symphony's block over every root, configured or discovered.
    pub fn everywhere(roots: &[Root]) -> Self {
        Self {
            profile: "symphony".to_owned(),
            options: Vec::new(),
            rendering: Rendering::Symphony,
            template: None,
            mentioned: Rendering::Symphony,
            top: None,
            roots: numbered(roots).map(|(id, _)| id).collect(),
            depth: None,
            skips_hidden: false,
            skips_links: false,
            by_directory: false,
            requires_role: false,
            knowledge: true,
            reserved: Vec::new(),
            modes: Vec::new(),
            merges_tools: false,
            selection: Selection::All,
            limits: Caps { skills: Some(DEFAULT_PROMPT_SKILLS), ..Caps::default() },
            budget: Caps::default(),
            each: Caps::default(),
            enabled: true,
        }
    }

    /// Recipe of a profile: the roots that it names, those configured for it, and requested roots outside the
    /// repository. `None` if the profile has no `[prompt]`.
    pub fn of(profile: &Profile, roots: &[Root]) -> Option<Self> {
        let prompt = profile.prompt.as_ref()?;
        let is_its = |root: &Root| {
            root.owner != Owner::Repository
                || root.profile == profile.id && !root.discovered
                || !root.discovered && prompt.lists(root)
        };
        let caps =
            |room: BlockLimits| Caps { skills: room.skills, bytes: room.bytes, chars: room.chars, tokens: room.tokens };
        Some(Self {
            profile: profile.id.clone(),
            rendering: prompt.rendering,
            mentioned: prompt.mentioned.unwrap_or(prompt.rendering),
            top: prompt.top,
            roots: numbered(roots).filter(|(_, root)| is_its(root)).map(|(id, _)| id).collect(),
            depth: prompt.depth,
            skips_hidden: prompt.hidden == Some(Visit::Skipped),
            skips_links: prompt.links == Some(Visit::Skipped),
            by_directory: profile.loads.identity.by == Some(IdentityBy::Directory),
            requires_role: prompt.requires_role,
            reserved: prompt.reserved.clone(),
            modes: prompt.modes.clone(),
            merges_tools: prompt.merges_tools,
            budget: caps(prompt.budget),
            each: caps(prompt.each),
            ..Self::everywhere(&[])
        })
    }

    /// Blocks that rules look at: one for the roots that are configured or defaults, and one for each of them in a package next to
    /// others, which is a separate scope. Discovered roots count only if the repository limits its blocks: most repositories with
    /// skills use no prompt block.
    pub fn defaults(roots: &[Root], limits: &Limits, cap: Option<u64>) -> Vec<Self> {
        let recipe = Self::everywhere(&[]).limited(limits, cap);
        let is_limited = recipe.limits.measures() || cap.or(limits.prompt_skills).is_some();
        let roots: Vec<(RootId, &Root)> = numbered(roots).filter(|(_, root)| is_limited || !root.discovered).collect();
        let mut packages = Packages::default();
        roots.iter().for_each(|(_, root)| packages.add(root, ()));
        let (matched, own): (Vec<_>, Vec<_>) = roots.into_iter().partition(|(_, root)| packages.has_apart(root));
        let own: Vec<RootId> = own.into_iter().map(|(id, _)| id).collect();
        let groups = (!own.is_empty()).then_some(own).into_iter().chain(matched.into_iter().map(|(id, _)| vec![id]));
        groups.map(|roots| Self { roots, ..recipe.clone() }).collect()
    }

    /// Applies the limits of a repository. `cap` is the configured number of skills, if any; the fallbacks are
    /// `prompt-skills` and then 50.
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

    /// Returns the rendering of the selected skills.
    pub(super) fn rendering_of_selection(&self) -> Rendering {
        if matches!(self.selection, Selection::Mentioned(_)) { self.mentioned } else { self.rendering }
    }

    /// Returns whether the block includes shared knowledge: only SwarmAssistant's block for a task.
    pub fn takes_knowledge(&self) -> bool {
        let renders_it = self.template.is_none() && self.rendering == Rendering::Swarm;
        self.enabled && self.knowledge && renders_it && matches!(self.selection, Selection::Task(_))
    }

    /// Returns the name by which the runtime knows a skill.
    pub fn known_as<'s>(&self, skill: &'s Skill) -> Cow<'s, str> {
        skill.known_as(self.by_directory)
    }

    /// Returns whether the runtime always includes a skill, so that nothing selects it.
    pub fn is_reserved(&self, skill: &Skill) -> bool {
        let name = self.known_as(skill);
        self.reserved.iter().any(|reserved| *reserved == name)
    }

    /// Returns whether a skill would be in the block if it were accepted and the caps allowed it. If it is not
    /// accepted, it belongs in [`super::Material::skipped`].
    pub fn covers(&self, catalog: &Catalog, id: SkillId) -> bool {
        let skill = catalog.skill(id);
        self.roots.contains(&skill.root)
            && self.depth.is_none_or(|depth| skill.depth <= depth)
            && !self.skips(catalog, id)
    }

    /// Returns whether a skill is skipped because of its path.
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
    use crate::select::{Matcher, Task};
    use skilltree_runtimes::profile::Profiles;
    use skilltree_runtimes::samples::{BOTH, catalog};

    fn roots() -> Vec<Root> {
        catalog(BOTH, &[]).parsed.roots
    }

    #[test]
    fn profile_selects_its_roots() {
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
    fn takes_the_settings_of_its_profile() {
        let profiles = Profiles::default();
        let of = |id: &str| Recipe::of(profiles.find(id).unwrap(), &roots()).unwrap();
        let (amacs, majordomo, swarm) = (of("amacs"), of("majordomo"), of("swarm"));
        assert_eq!(amacs.budget, Caps { skills: Some(3), tokens: Some(4_500), ..Caps::default() });
        assert_eq!(amacs.each, Caps { tokens: Some(1_500), ..Caps::default() });
        assert_eq!((&amacs.reserved, amacs.skips_hidden), (&vec!["core".to_owned()], true));
        assert_eq!((majordomo.merges_tools, majordomo.depth, majordomo.top), (true, None, None));
        assert_eq!((swarm.merges_tools, swarm.depth, swarm.top), (false, None, Some(5)));
        assert_eq!((swarm.requires_role, majordomo.requires_role), (true, false));
        assert_eq!(swarm.budget, Caps { chars: Some(4_000), ..Caps::default() });
        assert_eq!((swarm.modes.is_empty(), majordomo.modes.is_empty()), (false, true));
    }

    #[test]
    fn packages_have_separate_blocks() {
        let samples = [
            (".a/skills", "symphony", None),
            ("p/x", "agentskills", Some(1)),
            ("p/y", "agentskills", None),
            (".b/skills", "x", None),
        ];
        let recipes = Recipe::defaults(&catalog(&samples, &[]).parsed.roots, &Limits::default(), None);
        let roots: Vec<&[RootId]> = recipes.iter().map(|recipe| recipe.roots.as_slice()).collect();
        assert_eq!(roots, [&[RootId(0), RootId(3)][..], &[RootId(1)], &[RootId(2)]]);
        assert_eq!(Recipe::defaults(&[], &Limits::default(), None), []);
    }

    #[test]
    fn cap_falls_back_to_limit_then_fifty() {
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
    fn only_swarm_block_for_task_takes_knowledge() {
        let task =
            Task { text: "x".into(), id: None, role: None, requires_role: false, top: None, matcher: Matcher::Tags };
        let swarm = Recipe {
            rendering: Rendering::Swarm,
            knowledge: true,
            selection: Selection::Task(task),
            enabled: true,
            ..Recipe::everywhere(&[])
        };
        assert!(swarm.takes_knowledge());
        let template = Template { path: "t.txt".to_owned(), text: String::new() };
        for other in [
            Recipe { rendering: Rendering::Symphony, ..swarm.clone() },
            Recipe { template: Some(template), ..swarm.clone() },
            Recipe { knowledge: false, ..swarm.clone() },
            Recipe { enabled: false, ..swarm.clone() },
            Recipe { selection: Selection::All, ..swarm },
        ] {
            assert!(!other.takes_knowledge(), "{other:?}");
        }
    }

    #[test]
    fn skips_reserved_names_and_paths() {
        let root = [(".agent/skills", "agentskills", None)];
        let skills: [(&str, &[(&str, &str)]); 3] = [
            (".agent/skills/.old/pdf/SKILL.md", &[("name", "pdf")]),
            (".agent/skills/core/SKILL.md", &[("name", "core")]),
            (".agent/skills/docs/SKILL.md", &[("name", "docs")]),
        ];
        let catalog = catalog(&root, &skills);
        let recipe =
            Recipe { reserved: vec!["core".into()], skips_hidden: true, ..Recipe::everywhere(&catalog.parsed.roots) };
        let reserved: Vec<bool> = catalog.skills().map(|(_, skill)| recipe.is_reserved(skill)).collect();
        assert_eq!(reserved, [false, true, false]);
        let covered =
            |recipe: &Recipe| -> Vec<bool> { catalog.skills().map(|(id, _)| recipe.covers(&catalog, id)).collect() };
        assert_eq!(covered(&recipe), [false, true, true]);
        assert_eq!(covered(&Recipe { skips_hidden: false, ..recipe.clone() }), [true; 3]);
        assert_eq!(covered(&Recipe { depth: Some(1), skips_hidden: false, ..recipe.clone() }), [false, true, true]);
        assert_eq!(covered(&Recipe { roots: Vec::new(), ..recipe }), [false; 3]);
    }
}
