//! Duplicate tools of merged skills.

use std::collections::BTreeMap;

use super::Refusal;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// Refuses each tool that is defined a second time, by the same or by another skill. Tool names must be unique in a
/// merged set, and a duplicate would otherwise surface only when the agent runs.
pub(super) fn duplicates(skills: &[SkillId], catalog: &Catalog) -> Vec<Refusal> {
    let mut brought: BTreeMap<&str, SkillId> = BTreeMap::new();
    let mut refused = Vec::new();
    for &id in skills {
        for tool in catalog.skill(id).words("tools") {
            let Some(&first) = brought.get(tool) else {
                brought.insert(tool, id);
                continue;
            };
            let tool = text::shortened(tool, 64);
            let shown = |id| text::shortened(&catalog.skill(id).shown_name(), 64).to_string();
            let fact = match first == id {
                true => format!("the skill `{}` lists the tool `{tool}` twice", shown(id)),
                false => format!("the skills `{}` and `{}` both list the tool `{tool}`", shown(first), shown(id)),
            };
            refused.push(Refusal::new(fact).help("remove the tool from `tools` of one skill, or leave one skill out"));
        }
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::samples::{BOTH, catalog};

    #[test]
    fn refuses_duplicate_tools_and_ignores_permissions() {
        let catalog = catalog(
            BOTH,
            &[
                (".agent/skills/a/SKILL.md", &[("name", "a"), ("tools", "[calc, clock]")]),
                (".agent/skills/b/SKILL.md", &[("name", "b"), ("tools", "clock, Calc, x, x")]),
                (".agent/skills/c/SKILL.md", &[("name", "c"), ("allowed-tools", "calc")]),
                (".agent/skills/d/SKILL.md", &[("name", "d")]),
            ],
        );
        let refused = |ids: &[u32]| -> Vec<String> {
            let skills: Vec<SkillId> = ids.iter().copied().map(SkillId).collect();
            duplicates(&skills, &catalog).into_iter().map(|refusal| refusal.message).collect()
        };
        assert_eq!(refused(&[0, 2, 3]), [""; 0]);
        assert_eq!(
            refused(&[0, 1]),
            ["the skills `a` and `b` both list the tool `clock`", "the skill `b` lists the tool `x` twice"]
        );
    }
}
