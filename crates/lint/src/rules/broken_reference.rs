//! Reports paths in prose and code spans that name missing files of the skill.

use std::collections::HashSet;

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Reads, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::skill::Skill;
use skilltree_skills::skill::links::{End, Link};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "broken-reference",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a path in the text names a file that does not exist",
    why: "an agent that reads or runs the file finds nothing",
    explanation: include_str!("broken_reference.md"),
    check: Check::Skill(check),
    reads: Reads::Repository,
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let has_inputs = skill.links().any(|(_, links)| !links.inputs.is_empty());
    // Where the command stops the skill, that is the finding.
    let is_run = has_inputs && !acting::runtimes(skill, facts, |profile| profile.loads.approval.is_some()).is_empty();
    for (_, links) in skill.links() {
        let inputs: HashSet<Place> = links.inputs.iter().filter(|_| is_run).map(|input| input.place).collect();
        let mentions = links.mentions.iter().filter(|mention| !inputs.contains(&mention.place));
        several::report(sink, mentions.map(occurrence));
    }
}

fn occurrence(mention: &Link) -> Occurrence {
    let written = text::shortened(&mention.written, 80);
    let (message, help) = match &mention.end {
        End::Misspelled(path) => {
            let name = text::lossless(text::file_name(path.as_ref()));
            (
                format!("`{written}` does not exist; `{name}` differs only in case"),
                "write the path as the file is named",
            )
        }
        _ => (
            format!("`{written}` does not exist in the skill or the repository"),
            "add the file, or correct or remove the path",
        ),
    };
    Occurrence::new(mention.place, message, mention.written.as_bytes()).with_help(help)
}
