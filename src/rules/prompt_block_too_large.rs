//! A prompt block that is larger than it may be.

use crate::accept::Accepted;
use crate::prompt::{self, Contents, Recipe};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_dropped};
use crate::select::{Caps, Reason};
use crate::skill::SkillId;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "prompt-block-too-large",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "the rendered prompt block is larger than it may be",
    why: "skills that do not fit are left out of the prompt whole, and the agent never hears of them",
    explanation: include_str!("prompt_block_too_large.md"),
    check: Check::Set(check),
};

fn check(accepted: &Accepted<'_>, facts: &Facts<'_>, sink: &mut Sink) {
    for recipe in Recipe::defaults(facts.roots) {
        let recipe = recipe.limited(facts.limits, facts.dispatch.cap);
        if !recipe.limits.measures() {
            return;
        }
        judge(accepted, &recipe, sink);
    }
}

/// Renders the block without the caps on its size; that a cap on skills is obeyed first is another rule's to say.
fn judge(accepted: &Accepted<'_>, recipe: &Recipe, sink: &mut Sink) {
    let roomy = Recipe { limits: Caps { skills: recipe.limits.skills, ..Caps::default() }, ..recipe.clone() };
    let nothing = Contents::new();
    let block = prompt::render(accepted, &roomy, &prompt::choose(accepted, &roomy, &nothing), &nothing);
    let size = block.size();
    let Some(excess) = recipe.limits.exceeded(size) else { return };

    let selected = prompt::choose(accepted, recipe, &nothing);
    let no_room = selected.dropped.iter().filter(|dropped| dropped.reason == Reason::Budget);
    let dropped: Vec<SkillId> = no_room.map(|dropped| dropped.skill).collect();
    let fact = format!("the prompt block has {excess}");
    if let Some(finding) = report_dropped(sink, accepted, &recipe.roots, &dropped, &fact) {
        finding
            .extent(size.bytes)
            .help("shorten descriptions and when_to_use, remove skills that nobody needs, or raise the limit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::profile::Profiles;
    use crate::rule::{Copies, Dispatch, Subject};
    use crate::samples::{SYMPHONY, catalog};

    fn judge(limits: &Limits, cap: Option<u64>) -> Vec<String> {
        let fields = |name| [("name", name), ("description", "Does it.")];
        let catalog = catalog(
            SYMPHONY,
            &[
                (".symphony/skills/a/SKILL.md", &fields("a")),
                (".symphony/skills/b/SKILL.md", &fields("b")),
                (".symphony/skills/c/SKILL.md", &fields("c")),
            ],
        );
        let facts = Facts {
            files: &catalog.parsed.files,
            roots: &catalog.parsed.roots,
            limits,
            profiles: &Profiles::default(),
            dispatch: &Dispatch { enabled: true, cap },
            targets: &[],
            copies: &Copies::default(),
        };
        let mut sink = Sink::new(&RULE, Subject::Tree);
        check(&Accepted::new(&catalog, &[false; 3]), &facts, &mut sink);
        sink.into_findings().into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn the_rendered_block_is_measured_in_each_unit() {
        // 107 bytes of headings, and 17 bytes or 15 characters a skill.
        let limits = |bytes, chars, tokens| Limits {
            prompt_bytes: bytes,
            prompt_chars: chars,
            prompt_tokens: tokens,
            ..Limits::default()
        };
        assert_eq!(judge(&limits(None, None, None), None), [""; 0]);
        assert_eq!(judge(&limits(Some(158), Some(152), Some(38)), None), [""; 0]);
        let said = |unit: &str| vec![format!("the prompt block has {unit} allowed: a dispatcher drops `c`")];
        assert_eq!(judge(&limits(Some(157), None, None), None), said("158 bytes; 157 are"));
        assert_eq!(judge(&limits(None, Some(151), None), None), said("152 characters; 151 are"));
        assert_eq!(judge(&limits(None, None, Some(37)), None), said("38 estimated tokens; 37 are"));
    }

    #[test]
    fn a_skill_beyond_the_cap_does_not_count() {
        let limits = Limits { prompt_bytes: Some(141), ..Limits::default() };
        assert_eq!(judge(&limits, Some(2)), [""; 0]);
        assert_eq!(judge(&limits, Some(3)).len(), 1);
    }
}
