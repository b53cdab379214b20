//! Reports variables in code that a runtime in scope replaces by arguments of the skill.

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink, Text, listed};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "replaced-variable",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope replaces a variable such as `$1` in code",
    why: "if the skill is started with arguments, the model reads code with words of the arguments in it",
    explanation: include_str!("replaced_variable.md"),
    check: Check::Text(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// The name of these variables in profiles.
const NUMBER: &str = "$N";

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(replaced) = skill.body.as_ref().map(|body| &body.replaced).filter(|replaced| replaced.count > 0) else {
        return;
    };
    let replacing = acting::runtimes(skill, facts, |profile| profile.loads.expands.iter().any(|name| name == NUMBER));
    if replacing.is_empty() {
        return;
    }
    let names = listed(&acting::names(&replacing));
    let message = |holder: &&str| format!("a variable of {holder} is replaced with an argument by {names}");
    let help = match facts.text {
        Text::Skill => "move the code to another file of the skill, and name that file here; only SKILL.md is changed",
        _ => "move the code to another file, and name that file here; only the command is changed",
    };
    let occurrences = several::of_marks(replaced, message).into_iter();
    several::report(sink, occurrences.map(|occurrence| occurrence.with_help(help)));
}
