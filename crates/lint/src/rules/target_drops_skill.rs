//! Skills that a target does not load.

use crate::rule::{Check, E2026, Facts, Group, Level, Lost, Outlook, Remedy, Rule, Sink, Subject};
use crate::rules::rarely_used;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Outcome, Reason};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "target-drops-skill",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    summary: "a runtime in scope would drop a skill",
    why: "the runtime is in `targets` or reads the skills directory, but would not load the skill",
    explanation: include_str!("target_drops_skill.md"),
    check: Check::Target(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, outlook: &Outlook<'_>, sink: &mut Sink) {
    let fact = |titles: &str, skills: &str| format!("{titles} would drop {skills}");
    for lost in rarely_used::report(catalog, outlook, Outcome::Drops, sink, fact) {
        let message = format!("{} would drop the skill: {}", lost.titles(), lost.reason);
        let finding = sink.about(Subject::Skill(lost.skill)).report(lost.place(catalog.skill(lost.skill)), message);
        finding.losses = lost.losses();
        for evidence in lost.targets.iter().filter_map(|(target, _)| target.evidence(lost.reason)) {
            finding.source(&evidence);
        }
        if let Some(known) = known_keys(&lost) {
            finding.note(known);
        }
        let remedy = Remedy::new(catalog, &lost);
        let edit = &remedy.help;
        if outlook.is_explicit() {
            finding.help(format!("{edit}, or remove {} from `targets`", lost.words()));
        } else {
            finding.help(format!("{edit}, or {}", rarely_used::HELP));
        }
        remedy.apply(finding);
    }
}

/// Maximum number of keys in a note.
const NAMED: usize = 12;

/// Lists the keys that a runtime accepts, if an unknown key is the reason.
fn known_keys(lost: &Lost<'_>) -> Option<String> {
    let (Reason::UnknownKey(_), [(target, _)]) = (lost.reason, lost.targets.as_slice()) else { return None };
    let known = &target.profile.loads.keys.known;
    let keys: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
    (!keys.is_empty() && keys.len() <= NAMED).then(|| format!("its keys are {}", text::joined(&keys)))
}
