//! What was started before, so that each start is compared with all of it in one step.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::starts::Start;
use skilltree_skills::skill::Power;

/// What is started, by what makes two of them the same.
pub(super) struct Known<'a> {
    starts: HashSet<(&'a Power, &'a Value)>,
    hooks: HashSet<&'a Power>,
    /// Hooks that may refuse a tool, by event, words and definition: the tools for which they run.
    guards: HashMap<(&'a str, &'a str, &'a Value), Tools<'a>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(starts: impl Iterator<Item = &'a Start>) -> Self {
        let mut known = Self { starts: HashSet::new(), hooks: HashSet::new(), guards: HashMap::new() };
        for start in starts {
            known.starts.insert((&start.power, &start.definition));
            if let Power::Hook { event, .. } = &start.power {
                known.hooks.insert(&start.power);
                if start.is_guard {
                    let (event, tools) = parts(event);
                    let guards = known.guards.entry((event, start.words(), &start.definition)).or_default();
                    guards.are_all |= tools.is_empty();
                    guards.names.extend(tools);
                }
            }
        }
        known
    }

    /// Returns whether something was started before, perhaps for fewer or for other tools.
    pub(super) fn has(&self, start: &Start) -> bool {
        let is_guard = || {
            let (tools, guards) = self.guards(start)?;
            Some(guards.are_all || tools.is_empty() || tools.iter().any(|tool| guards.names.contains(tool)))
        };
        self.starts.contains(&(&start.power, &start.definition))
            || self.hooks.contains(&start.power)
            || is_guard() == Some(true)
    }

    /// Returns whether hooks refuse all that another one does: they run the same for the same tools, or for more.
    pub(super) fn guards_like(&self, start: &Start) -> bool {
        self.guards(start).is_some_and(|(tools, guards)| {
            guards.are_all || !tools.is_empty() && tools.iter().all(|tool| guards.names.contains(tool))
        })
    }

    /// Returns the tools for which a guard runs, and those for which guards with its event and words do.
    fn guards<'s>(&'s self, start: &'s Start) -> Option<(BTreeSet<&'s str>, &'s Tools<'s>)> {
        let Power::Hook { event, .. } = &start.power else { return None };
        let (event, tools) = parts(event);
        let guards = self.guards.get(&(event, start.words(), &start.definition));
        guards.filter(|_| start.is_guard).map(|guards| (tools, guards))
    }
}

/// Tools of several matchers.
#[derive(Default)]
struct Tools<'a> {
    are_all: bool,
    names: HashSet<&'a str>,
}

/// Returns whether an event with its matcher, `PreToolUse(Bash|Write)`, happens whenever another one does.
pub(super) fn runs_for(event: &str, other: &str) -> bool {
    let ((event, tools), (known, wanted)) = (parts(event), parts(other));
    event == known && (tools.is_empty() || !wanted.is_empty() && wanted.is_subset(&tools))
}

/// Splits an event into its name and the tools of its matcher; none means all.
fn parts(label: &str) -> (&str, BTreeSet<&str>) {
    let (event, matcher) = label.split_once('(').unwrap_or((label, ""));
    let matcher = matcher.strip_suffix(')').unwrap_or(matcher);
    (event, matcher.split('|').filter(|tool| !matches!(*tool, "" | "*")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::authority::starts::hooks;

    fn starts(written: impl Iterator<Item = (String, &'static str)>) -> Vec<Start> {
        let hook = |(matcher, command)| serde_json::json!({ "matcher": matcher, "hooks": [{ "command": command }] });
        let mut starts = Vec::new();
        hooks(&serde_json::json!({ "PreToolUse": written.map(hook).collect::<Vec<_>>() }), &mut starts);
        starts
    }

    /// How many of some hooks are kept, and how many of the kept ones are known, with the number of entries to look them up in.
    fn counts(before: &[Start], own: &[Start]) -> (usize, usize, usize) {
        let (known, kept) = (Known::new(before.iter()), Known::new(own.iter()));
        let has = own.iter().filter(|start| known.has(start)).count();
        let keeps = before.iter().filter(|start| kept.guards_like(start)).count();
        (has, keeps, known.guards.len())
    }

    #[test]
    fn looks_up_many_hooks_with_one_command_in_one_entry() {
        let of = |from: usize| starts((from..from + 50_000).map(|number| (format!("T{number}"), "guard")));
        assert_eq!(counts(&of(0), &of(0)), (50_000, 50_000, 1));
        assert_eq!(counts(&of(0), &of(25_000)), (25_000, 25_000, 1));
        assert_eq!(counts(&of(0), &of(50_000)), (0, 0, 1));
    }

    #[test]
    fn compares_the_tools_of_matchers() {
        for (before, own, expected) in [
            (&["Bash"] as &[&str], &["Bash|Write"] as &[&str], (1, 1, 1)),
            (&["Bash|Write"], &["Bash", "Write"], (2, 1, 1)),
            (&["Bash|Write"], &["Bash"], (1, 0, 1)),
            (&[""], &["Bash"], (1, 0, 1)),
            (&["Bash"], &["*"], (1, 1, 1)),
            (&["Bash"], &["Write"], (0, 0, 1)),
        ] {
            let of = |matchers: &[&str]| starts(matchers.iter().map(|matcher| ((*matcher).to_owned(), "guard")));
            assert_eq!(counts(&of(before), &of(own)), expected, "{before:?} {own:?}");
        }
    }
}
