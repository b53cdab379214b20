//! The changes in one line.

use super::{Changes, Impact, InList, Kind};
use skilltree_front_matter::text::{grouped, joined};
use skilltree_runtimes::forecast::Outcome;

/// Maximum groups of runtimes that the line names.
const GROUPS: usize = 4;
/// Maximum runtimes of a group that the line names.
const RUNTIMES: usize = 3;

pub(super) fn line(changes: &Changes) -> String {
    let mut parts: Vec<String> = authority(changes).into_iter().chain(skills(changes)).chain(list(changes)).collect();
    parts.extend(always_on(changes));
    parts.extend(runtimes(changes));
    if parts.is_empty() { "no changes for the model".to_owned() } else { parts.join("; ") }
}

/// Returns how much more an agent may do.
fn authority(changes: &Changes) -> Option<String> {
    match changes.authority.iter().map(|authority| authority.powers.len()).sum() {
        0 => None,
        1 => Some("1 gain of authority".to_owned()),
        more => Some(format!("{} gains of authority", grouped(more))),
    }
}

/// Returns the numbers of changed skills; the first has the noun: `+2 skills, -1, 3 edited`.
fn skills(changes: &Changes) -> Option<String> {
    let mut words = Vec::new();
    for (kind, count) in Kind::ALL.map(|kind| (kind, changes.count(kind))) {
        if count == 0 {
            continue;
        }
        let noun = match (words.is_empty(), count) {
            (true, 1) => " skill",
            (true, _) => " skills",
            (false, _) => "",
        };
        let count = grouped(count);
        words.push(match kind {
            Kind::Added => format!("+{count}{noun}"),
            Kind::Removed => removed(changes, noun),
            _ => format!("{count}{noun} {}", kind.word()),
        });
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// Returns the numbers of skills that are gone, and of those that are there and no longer checked: `-1 skill, 2 no longer checked`.
fn removed(changes: &Changes, noun: &str) -> String {
    let hidden = changes.skills.iter().filter(|change| change.is_unchecked).count();
    let gone = changes.count(Kind::Removed) - hidden;
    let noun = match (noun.is_empty(), if gone == 0 { hidden } else { gone }) {
        (true, _) => "",
        (false, 1) => " skill",
        (false, _) => " skills",
    };
    match (gone, hidden) {
        (0, hidden) => format!("{}{noun} no longer checked", grouped(hidden)),
        (gone, 0) => format!("-{}{noun}", grouped(gone)),
        (gone, hidden) => format!("-{}{noun}, {} no longer checked", grouped(gone), grouped(hidden)),
    }
}

fn list(changes: &Changes) -> Option<String> {
    let (before, after) = (grouped(changes.list_before), grouped(changes.list));
    match changes.is_block_changed {
        false => None,
        true if before == after => Some(format!("list changed, still {after} tokens")),
        true => Some(format!("list {before} to {after} tokens")),
    }
}

/// Returns how the entries of the changed skills grow or shrink: `always in the context: +61 tokens`.
fn always_on(changes: &Changes) -> Option<String> {
    let (before, after) = changes.always_on();
    let sign = if after > before { '+' } else { '-' };
    (after != before).then(|| format!("always in the context: {sign}{} tokens", grouped(after.abs_diff(before))))
}

/// An impact, and the runtimes that have it.
type Group<'a> = (&'a Impact, Vec<&'a str>);

/// Returns what runtimes newly do, those that do the same with the same skills for the same reasons in one group: the worst first.
pub(super) fn groups(changes: &Changes) -> Vec<Group<'_>> {
    grouped_by(changes, |one, other| one == other)
}

fn grouped_by(changes: &Changes, is_same: impl Fn(&Impact, &Impact) -> bool) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for runtime in &changes.runtimes {
        for impact in &runtime.impacts {
            match groups.iter_mut().find(|(known, _)| is_same(known, impact)) {
                Some((_, actors)) => actors.push(&runtime.actor),
                None => groups.push((impact, vec![&runtime.actor])),
            }
        }
    }
    // Of one kind, that of the most used runtime is first.
    groups.sort_by_key(|(impact, _)| impact.rank());
    groups
}

/// Returns what runtimes newly do, whatever the reasons are.
fn runtimes(changes: &Changes) -> Vec<String> {
    let groups = grouped_by(changes, is_same);
    let words = groups.iter().take(GROUPS).map(|(impact, actors)| clause(&named(actors), actors.len(), impact));
    let mut words: Vec<String> = words.collect();
    match groups.len().saturating_sub(GROUPS) {
        0 => {}
        1 => words.push("1 more change in a runtime".to_owned()),
        more => words.push(format!("{} more changes in runtimes", grouped(more))),
    }
    words
}

/// Returns whether two impacts are the same, of the same skills.
fn is_same(one: &Impact, other: &Impact) -> bool {
    let paths = one.skills.iter().map(|skill| &skill.path);
    (one.outcome, one.in_list) == (other.outcome, other.in_list)
        && one.count == other.count
        && paths.eq(other.skills.iter().map(|skill| &skill.path))
}

/// Describes a group with the names of all runtimes: `Codex and goose now drop 2 skills`.
pub(super) fn sentence((impact, actors): &Group<'_>) -> String {
    clause(&joined(actors), actors.len(), impact)
}

fn named(actors: &[&str]) -> String {
    match actors.len() {
        0..=RUNTIMES => joined(actors),
        all => {
            let shown = RUNTIMES - 1;
            format!("{} and {} more runtimes", actors[..shown].join(", "), grouped(all - shown))
        }
    }
}

fn clause(named: &str, runtimes: usize, impact: &Impact) -> String {
    let count = grouped(impact.count);
    let plural = |word: &str| if impact.count == 1 { word.to_owned() } else { format!("{word}s") };
    let verb = |one: &'static str, many: &'static str| if runtimes == 1 { one } else { many };
    let skills = plural("skill");
    match (impact.outcome, impact.in_list) {
        (Outcome::NotRead, _) => format!("{named} no longer {} {count} {skills}", verb("reads", "read")),
        (Outcome::Loads, None) => format!("{named} now {} {count} {skills}", verb("reads", "read")),
        (Outcome::Drops, _) => format!("{named} now {} {count} {skills}", verb("drops", "drop")),
        (_, Some(InList::Omitted)) => {
            format!("{named} now {} {count} {skills} from {}", verb("omits", "omit"), verb("its list", "their lists"))
        }
        (Outcome::Changes, _) => format!("{named} now {} {count} {skills} with changes", verb("loads", "load")),
        (_, Some(InList::Shortened)) => {
            format!("{named} now {} {count} {}", verb("shortens", "shorten"), plural("description"))
        }
        _ => format!("{named} {} {count} {skills} in full again", verb("lists", "list")),
    }
}
