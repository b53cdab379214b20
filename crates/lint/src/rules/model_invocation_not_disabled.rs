//! Reports skills that only people may start, if a runtime in scope lists them to its model all the same.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, listed};
use skilltree_runtimes::agent_file::{self, IMPLICIT};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys::DISABLE_MODEL_INVOCATION as KEY;
use skilltree_skills::skill::{AGENT_FILE, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "model-invocation-not-disabled",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope does not honor `disable-model-invocation: true`",
    why: "the model of such a runtime can start a skill that only a person may start",
    explanation: include_str!("model_invocation_not_disabled.md"),
    check: Check::Skill(check),
    reads: Reads::Directory,
    ..Rule::DEFAULT
};

/// The cell of a profile that is known to have no such key.
const CELL: &str = "keys.unlists";

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(field) = skill.field(KEY).filter(|_| skill.disables_model_invocation()) else { return };
    let ignores = facts.scope.of(skill.root).filter(|profile| profile.loads.without.iter().any(|cell| cell == CELL));
    let mut ignoring: Vec<&Profile> =
        ignores.filter(|profile| !agent_file::hides(skill, profile.loads.keys.agent_file)).collect();
    if ignoring.is_empty() {
        return;
    }
    ignoring.sort_by_key(|profile| profile.usage_rank);
    let names: Vec<&str> = ignoring.iter().map(|profile| profile.actor()).collect();
    let message = format!("`{KEY}` is not honored by {}", listed(&names));
    let finding = sink.report(field.value.place, message);
    let reads_file = |profile: &&&Profile| profile.loads.keys.agent_file.is_some();
    let file_readers: Vec<&str> = ignoring.iter().filter(reads_file).map(|profile| profile.actor()).collect();
    let has_others = file_readers.len() < ignoring.len();
    let by_file = (!file_readers.is_empty()).then(|| by_file(skill, &file_readers));
    let others = match facts.scope.is_explicit() {
        true => "move the skill to a skills directory that these runtimes do not read",
        // Whether the runtimes are in use is unknown.
        false => "list the runtimes that you use in `targets`",
    };
    match by_file {
        Some(help) if has_others => finding.help(format!("{help}; for the others, {others}")),
        Some(help) => finding.help(help),
        None => finding.help(others),
    };
    if let Some(value) = skill.references.agent_file.as_ref().and_then(|file| agent_file::value(file, IMPLICIT))
        && !file_readers.is_empty()
    {
        finding.related(value.place, "the value that these runtimes read");
    }
    if !facts.scope.is_explicit() {
        finding.at_most(Level::Note);
    }
}

/// Returns the edit for runtimes that read `agents/openai.yaml`.
fn by_file(skill: &Skill, readers: &[&str]) -> String {
    let file = skill.references.agent_file.as_ref();
    let has_policy = file.is_some_and(|file| agent_file::value(file, "policy").is_some());
    let lines = if has_policy {
        "`allow_implicit_invocation: false` below `policy:`"
    } else {
        "`policy: {allow_implicit_invocation: false}`"
    };
    let write = if file.is_some() { "set" } else { "write" };
    let read = if readers.len() == 1 { "reads" } else { "read" };
    format!("{write} {lines} in `{AGENT_FILE}` next to SKILL.md, which {} {read}", listed(readers))
}
