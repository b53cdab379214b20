//! Reports prompt blocks that exceed a size limit.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_dropped};
use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Contents, Recipe};
use skilltree_dispatch::select::{Caps, Reason};
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "prompt-block-too-large",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "the rendered prompt block exceeds a size limit",
    why: "skills that do not fit are omitted from the prompt, and the agent never sees them",
    explanation: include_str!("prompt_block_too_large.md"),
    check: Check::Set(check),
    ..Rule::DEFAULT
};

fn check(accepted: &Accepted<'_>, facts: &Facts<'_>, sink: &mut Sink) {
    for recipe in super::blocks::defaults(facts) {
        if !recipe.limits.measures() {
            return;
        }
        measure(accepted, &recipe, sink);
    }
}

/// Renders the block without the limits on its size, but with the cap on skills, which another rule reports.
fn measure(accepted: &Accepted<'_>, recipe: &Recipe, sink: &mut Sink) {
    let unlimited = Recipe { limits: Caps { skills: recipe.limits.skills, ..Caps::default() }, ..recipe.clone() };
    let nothing = Contents::new();
    let block = prompt::render(accepted, &unlimited, &prompt::choose(accepted, &unlimited, &nothing), &nothing);
    let size = block.size();
    let Some(excess) = recipe.limits.exceeded(size) else { return };

    let selected = prompt::choose(accepted, recipe, &nothing);
    let over_budget = selected.dropped.iter().filter(|dropped| dropped.reason == Reason::Budget);
    let dropped: Vec<SkillId> = over_budget.map(|dropped| dropped.skill).collect();
    let fact = format!("the prompt block has {excess}");
    if let Some(finding) = report_dropped(sink, accepted, &recipe.roots, &dropped, &fact) {
        finding
            .extent(size.bytes)
            .help("shorten descriptions and when_to_use, remove unused skills, or raise the limit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Copies, Dispatch, Subject, Text};
    use skilltree_runtimes::profile::Profiles;
    use skilltree_runtimes::samples::{SYMPHONY, catalog};
    use skilltree_runtimes::scope::Scope;
    use skilltree_skills::limits::Limits;

    fn messages(limits: &Limits, cap: Option<u64>) -> Vec<String> {
        let fields = |name| [("name", name), ("description", "Does it.")];
        let catalog = catalog(
            SYMPHONY,
            &[
                (".symphony/skills/a/SKILL.md", &fields("a")),
                (".symphony/skills/b/SKILL.md", &fields("b")),
                (".symphony/skills/c/SKILL.md", &fields("c")),
            ],
        );
        let profiles = Profiles::default();
        let facts = Facts {
            files: &catalog.parsed.files,
            roots: &catalog.parsed.roots,
            limits,
            profiles: &profiles,
            dispatch: &Dispatch { enabled: true, cap, workflow: false },
            targets: &[],
            scope: &Scope::new(&catalog.parsed.roots, &[], &profiles),
            copies: &Copies::default(),
            root_option: false,
            text: Text::Skill,
        };
        let mut sink = Sink::new(&RULE, Subject::Tree);
        check(&Accepted::new(&catalog, &[false; 3]), &facts, &mut sink);
        sink.into_findings().into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn measures_the_rendered_block_in_each_unit() {
        // 107 bytes of headings, and 17 bytes or 15 characters per skill.
        let limits = |bytes, chars, tokens| Limits {
            prompt_bytes: bytes,
            prompt_chars: chars,
            prompt_tokens: tokens,
            ..Limits::default()
        };
        assert_eq!(messages(&limits(None, None, None), None), [""; 0]);
        assert_eq!(messages(&limits(Some(158), Some(152), Some(38)), None), [""; 0]);
        let expected = |unit: &str| vec![format!("the prompt block has {unit}, so a dispatcher drops `c`")];
        assert_eq!(messages(&limits(Some(157), None, None), None), expected("158 bytes; the limit is 157"));
        assert_eq!(messages(&limits(None, Some(151), None), None), expected("152 characters; the limit is 151"));
        assert_eq!(messages(&limits(None, None, Some(37)), None), expected("38 estimated tokens; the limit is 37"));
    }

    #[test]
    fn skips_skills_over_the_cap() {
        let limits = Limits { prompt_bytes: Some(141), ..Limits::default() };
        assert_eq!(messages(&limits, Some(2)), [""; 0]);
        assert_eq!(messages(&limits, Some(3)).len(), 1);
    }
}
