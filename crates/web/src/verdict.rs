//! The verdict about a skill in one line.

use skilltree_lint::rule::listed;
use skilltree_runtimes::forecast::SkillForecast;
use skilltree_runtimes::profile::{Kind, Outcome, Profile, Reported};

/// Number of runtimes that the line names.
const NAMED: usize = 3;

/// Describes what the runtimes do with a skill. The forecasts are in the order of use.
pub(crate) fn verdict(name: &str, forecasts: &[(&Profile, &SkillForecast)]) -> String {
    let programs = || forecasts.iter().filter(|(profile, _)| profile.kind == Kind::Runtime);
    let count = |outcome: Outcome| programs().filter(|(_, forecast)| forecast.if_read == outcome).count();
    let (all, changes, drops) = (programs().count(), count(Outcome::Changes), count(Outcome::Drops));
    let loads = count(Outcome::Loads) + changes;
    let mut parts = vec![format!("{loads} of {all} runtimes load {name}")];
    if changes > 0 {
        parts[0].push_str(&format!(", {changes} of them with changes"));
    }
    if drops > 0 {
        let silent = programs()
            .filter(|(_, forecast)| forecast.if_read == Outcome::Drops && forecast.reported == Some(Reported::Nothing));
        let mut names: Vec<String> = silent.map(|(profile, _)| profile.title.clone()).collect();
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        let silent = if names.is_empty() { String::new() } else { format!(", silently: {}", listed(&names)) };
        parts.push(format!("{drops} drop it{silent}"));
    }
    match count(Outcome::Unknown) {
        0 => {}
        unknown => parts.push(format!("{unknown} unknown")),
    }
    parts.join("; ")
}
