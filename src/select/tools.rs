//! Tools that come with skills into one set.

use std::collections::BTreeMap;

use super::{Refusal, name};
use crate::catalog::Catalog;
use crate::skill::SkillId;
use crate::text;

/// Refuses each tool that is brought a second time, by another skill or by the same: in one set of tools a name can mean
/// one of them only, and whoever built the set would find out when the agent runs.
pub(super) fn twice(skills: &[SkillId], catalog: &Catalog) -> Vec<Refusal> {
    let mut brought: BTreeMap<&str, SkillId> = BTreeMap::new();
    let mut refused = Vec::new();
    for &id in skills {
        for tool in catalog.skill(id).words("tools") {
            let Some(&first) = brought.get(tool) else {
                brought.insert(tool, id);
                continue;
            };
            let tool = text::shortened(tool, 64);
            let shown = |id| text::shortened(&name(catalog.skill(id)), 64).to_string();
            let fact = match first == id {
                true => format!("the skill `{}` brings the tool `{tool}` twice", shown(id)),
                false => format!("the skills `{}` and `{}` both bring the tool `{tool}`", shown(first), shown(id)),
            };
            refused.push(Refusal::new(fact).help("take the tool out of `tools` of one, or leave a skill out"));
        }
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{BOTH, catalog};

    #[test]
    fn a_tool_that_is_brought_twice_is_refused_and_a_permission_is_no_tool() {
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
            twice(&skills, &catalog).into_iter().map(|refusal| refusal.message).collect()
        };
        assert_eq!(refused(&[0, 2, 3]), [""; 0]);
        assert_eq!(
            refused(&[0, 1]),
            ["the skills `a` and `b` both bring the tool `clock`", "the skill `b` brings the tool `x` twice"]
        );
    }
}
