//! Reports what a change newly lets an agent do.

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{Gain, Power};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "authority-widened",
    group: Group::Security,
    since: E2026,
    level: Level::Note,
    summary: "the change lets an agent do more than the base did",
    why: "a reviewer must see what newly runs, and what is no longer asked for",
    explanation: include_str!("authority_widened.md"),
    check: Check::Catalog(check),
    reads: Reads::Base,
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Maximum number of files that a finding names after the first one.
const NAMED: usize = 8;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let is_script = |gain: &Gain| matches!(gain.power, Power::Script { .. });
    // The scripts of a skill are one finding: a new skill can have many.
    for of_one in catalog
        .parsed
        .gains
        .chunk_by(|one, next| (one.skill, &one.path, &one.name) == (next.skill, &next.path, &next.name))
    {
        // A file has a limited number of findings: the worst ones count.
        let mut others: Vec<&Gain> = of_one.iter().filter(|gain| !is_script(gain)).collect();
        others.sort_by_key(|gain| gain.power.rank());
        for gain in others {
            report(gain, sink);
        }
        let mut scripts = of_one.iter().filter(|gain| is_script(gain));
        let Some(first) = scripts.next() else { continue };
        let finding = report(first, sink);
        let rest: Vec<&Gain> = scripts.collect();
        for gain in rest.iter().take(NAMED) {
            finding.note(format!("it also {}", gain.power));
        }
        let more = rest.len().saturating_sub(NAMED);
        if more > 0 {
            finding.note(format!("scripts that are new or differ: {more} more"));
        }
    }
}

fn report<'s>(gain: &Gain, sink: &'s mut Sink) -> &'s mut crate::rule::Finding {
    let subject = gain.skill.map_or(Subject::Tree, Subject::Skill);
    let finding = sink.about(subject).report(gain.place, format!("{} {}", gain.subject(), gain.power));
    finding.rank = gain.power.rank();
    finding
}
