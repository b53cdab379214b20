//! More skills than the cap of a prompt block.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, report_dropped};
use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Contents};
use skilltree_dispatch::select::Caps;
use skilltree_front_matter::text;
use skilltree_skills::limits::DEFAULT_PROMPT_SKILLS;
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "too-many-skills",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "there are more skills than the cap of the prompt block",
    why: "a dispatcher drops the skills over its cap, and the agent never sees them",
    explanation: include_str!("too_many_skills.md"),
    check: Check::Set(check),
    ..Rule::DEFAULT
};

fn check(accepted: &Accepted<'_>, facts: &Facts<'_>, sink: &mut Sink) {
    let cap = facts.dispatch.cap;
    let allowed = cap.unwrap_or(DEFAULT_PROMPT_SKILLS);
    for mut recipe in super::blocks::defaults(facts) {
        // The default of 50 is Symphony's. Without a configured cap it applies to Symphony roots only.
        recipe.roots.retain(|root| cap.is_some() || facts.roots[root.index()].profile == "symphony");
        recipe.limits = Caps { skills: Some(allowed), ..Caps::default() };
        let selected = prompt::choose(accepted, &recipe, &Contents::new());
        let dropped: Vec<SkillId> = selected.dropped.iter().map(|dropped| dropped.skill).collect();
        let all = selected.skills.len() + dropped.len();
        let fact =
            format!("the prompt would list {} skills, but the cap is {}", text::grouped(all), text::grouped(allowed));
        if let Some(finding) = report_dropped(sink, accepted, &recipe.roots, &dropped, &fact) {
            finding.extent(dropped.len()).help(
                "remove unused skills, or raise `agent.skills.max_skills_in_prompt` in WORKFLOW.md or `limits.prompt-skills` in skilltree.toml",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Copies, Dispatch, Finding, Subject, Text};
    use skilltree_runtimes::profile::Profiles;
    use skilltree_runtimes::samples::{BOTH, RootSample, SYMPHONY, catalog};
    use skilltree_runtimes::scope::Scope;
    use skilltree_skills::limits::Limits;
    use skilltree_skills::roots::RootId;

    fn lint(roots: &[RootSample], paths: &[String], cap: Option<u64>) -> Vec<Finding> {
        let names: Vec<[(&str, &str); 1]> =
            paths.iter().map(|path| [("name", path.rsplit('/').nth(1).unwrap())]).collect();
        let skills: Vec<(&str, &[(&str, &str)])> =
            paths.iter().zip(&names).map(|(p, n)| (p.as_str(), &n[..])).collect();
        let catalog = catalog(roots, &skills);
        let accepted = Accepted::new(&catalog, &vec![false; skills.len()]);
        let profiles = Profiles::default();
        let facts = Facts {
            files: &catalog.parsed.files,
            roots: &catalog.parsed.roots,
            limits: &Limits::default(),
            profiles: &profiles,
            dispatch: &Dispatch { enabled: true, cap, workflow: false },
            targets: &[],
            scope: &Scope::new(&catalog.parsed.roots, &[], &profiles),
            copies: &Copies::default(),
            root_option: false,
            text: Text::Skill,
        };
        let mut sink = Sink::new(&RULE, Subject::Tree);
        check(&accepted, &facts, &mut sink);
        sink.into_findings()
    }

    fn skills(root: &str, count: usize) -> Vec<String> {
        (0..count).map(|number| format!("{root}/s{number:03}/SKILL.md")).collect()
    }

    #[test]
    fn caps_only_symphony_at_fifty_by_default() {
        assert_eq!(lint(SYMPHONY, &skills(".symphony/skills", 50), None).len(), 0);
        assert_eq!(lint(BOTH, &skills(".agent/skills", 51), None).len(), 0);
        let findings = lint(SYMPHONY, &skills(".symphony/skills", 51), None);
        let [finding] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!(finding.message, "the prompt would list 51 skills, but the cap is 50, so a dispatcher drops `s050`");
        assert_eq!(finding.subject, Subject::Root(RootId(0)));
    }

    #[test]
    fn applies_configured_cap_to_the_whole_block() {
        let both = [skills(".symphony/skills", 2), vec![".agent/skills/a/SKILL.md".to_owned()]].concat();
        assert_eq!(lint(BOTH, &both, Some(3)).len(), 0);
        let findings = lint(BOTH, &both, Some(1));
        let [finding] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!(
            finding.message,
            "the prompt would list 3 skills, but the cap is 1, so a dispatcher drops `s000` and `s001`"
        );
        assert_eq!((finding.subject, finding.related.len()), (Subject::Config, 1));
    }

    #[test]
    fn names_the_first_skills_and_counts_the_rest() {
        let findings = lint(SYMPHONY, &skills(".symphony/skills", 90), Some(0));
        let [finding] = findings.as_slice() else { panic!("{findings:?}") };
        assert!(finding.message.ends_with("`s018`, `s019` and 70 more"), "{}", finding.message);
        assert_eq!(finding.related.len(), 20);
    }

    #[test]
    fn caps_each_root_of_a_pattern_separately() {
        let roots = [("p/a", "agentskills", Some(0)), ("p/b", "agentskills", Some(0))];
        let paths = [skills("p/a", 2), skills("p/b", 3)].concat();
        assert_eq!(lint(&roots, &paths, Some(3)).len(), 0);
        assert_eq!(lint(&roots, &paths, Some(2))[0].subject, Subject::Root(RootId(1)));
    }
}
