//! Mutations of profiles: each changes one value, and some case should then differ. A mutation that no case catches is a value
//! that nothing checks.
//!
//! `conformance/run --mutate` runs this; `CONFORMANCE_MUTATE` names the profiles, `all` for every executed one.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use skilltree_runtimes::forecast::CaseForecast;
use skilltree_runtimes::profile::Profile;
use toml::{Table, Value};

use crate::conformance::cases::Cases;
use crate::conformance::cells::Cells;
use crate::conformance::observation::{self, Observation};
use crate::conformance::uncounted::Uncounted;
use crate::conformance::{budgets, lists, roots, skills, trees};

/// Alternatives of a word or an expression that are tried, from other profiles.
const ALTERNATIVES: usize = 2;
/// What a skill can come to, as a profile writes it, if it loads with changes.
const CHANGES: [&str; 7] =
    ["changes", "repairs", "truncates", "loses-fields", "loses-description", "loses-body", "ignores-front-matter"];

/// Units of a text.
const UNITS: [&str; 3] = ["bytes", "chars", "utf16"];

/// Changed value.
pub(crate) struct Mutation {
    /// Path in the profile, and the change.
    pub(crate) what: String,
    profile: Profile,
}

/// Values of other profiles, by key.
pub(crate) type Alternatives = BTreeMap<String, BTreeSet<String>>;

/// Returns the strings that profiles have, by key.
pub(crate) fn alternatives() -> Alternatives {
    let mut found = Alternatives::new();
    observation::profiles().iter().for_each(|id| collect("", &Value::Table(loads(id)), &mut found));
    found
}

fn collect(key: &str, value: &Value, found: &mut Alternatives) {
    match value {
        Value::String(text) => drop(found.entry(key.to_owned()).or_default().insert(text.clone())),
        Value::Table(table) => table.iter().for_each(|(key, value)| collect(key, value, found)),
        Value::Array(items) => items.iter().filter(|item| item.is_table()).for_each(|item| collect(key, item, found)),
        _ => {}
    }
}

fn table(id: &str) -> Table {
    observation::source(id).parse().unwrap()
}

fn loads(id: &str) -> Table {
    table(id).remove("loads").and_then(|loads| loads.as_table().cloned()).unwrap_or_default()
}

/// Returns every mutation of a profile that is a valid profile and differs from it, and the values that are not counted, by reason.
pub(crate) fn of(
    observation: &Observation,
    alternatives: &Alternatives,
) -> (Vec<Mutation>, BTreeMap<&'static str, usize>) {
    let id = &observation.runtime;
    let (original, loads) = (observation::profile(id), loads(id));
    let mut changed = Vec::new();
    mutate("loads", &Value::Table(loads.clone()), alternatives, &mut |what, value| changed.push((what, value)));
    let uncounted = Uncounted { loads: &loads, observation };
    let profile = |(what, loads): (String, Value)| {
        let mut table = table(id);
        table.insert("loads".to_owned(), loads);
        let profile = observation::parse(&toml::to_string(&table).unwrap()).ok()?;
        (profile.loads != original.loads).then(|| (uncounted.why(&what), Mutation { what, profile }))
    };
    let all: Vec<(Option<&str>, Mutation)> = changed.into_par_iter().filter_map(profile).collect();
    let mut reasons = BTreeMap::new();
    all.iter().filter_map(|(why, _)| *why).for_each(|why| *reasons.entry(why).or_default() += 1);
    (all.into_iter().filter(|(why, _)| why.is_none()).map(|(_, mutation)| mutation).collect(), reasons)
}

/// Calls a function with every mutation of a value: what it is, and the changed value. A member of a table is removed only if it
/// cannot be changed: the forecast assumes the usual of what a profile leaves open.
fn mutate(path: &str, value: &Value, alternatives: &Alternatives, found: &mut dyn FnMut(String, Value)) {
    match value {
        Value::Table(members) => {
            for (key, inner) in members {
                let (path, mut is_changed) = (format!("{path}.{key}"), false);
                mutate(&path, inner, alternatives, &mut |what, inner| {
                    let mut members = members.clone();
                    members.insert(key.clone(), inner);
                    found(what, Value::Table(members));
                    is_changed = true;
                });
                if !is_changed {
                    let mut rest = members.clone();
                    rest.remove(key);
                    found(format!("{path} removed"), Value::Table(rest));
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let path = format!("{path}[{at}]");
                mutate(&path, item, alternatives, &mut |what, item| {
                    let mut items = items.clone();
                    items[at] = item;
                    found(what, Value::Array(items));
                });
                let mut rest = items.clone();
                rest.remove(at);
                found(format!("{path} removed"), Value::Array(rest));
            }
        }
        Value::Boolean(is) => found(format!("{path} = {}", !is), Value::Boolean(!is)),
        Value::Integer(number) => {
            // The limit of a list is measured in whole entries, next to text of the program itself.
            let step = if path.starts_with("loads.budget.") { number / 2 } else { 1 };
            for other in [number - step, number + step] {
                found(format!("{path} = {other}"), Value::Integer(other));
            }
        }
        Value::Float(number) => found(format!("{path} = {}", number * 1.5), Value::Float(number * 1.5)),
        Value::String(text) => {
            let key = path.rsplit('.').next().unwrap_or(path);
            for other in words(key, text, alternatives) {
                found(format!("{path} = {other:?}"), Value::String(other));
            }
        }
        Value::Datetime(_) => {}
    }
}

/// Returns other values of a string: other outcomes, other words of other profiles, and changed expressions.
fn words(key: &str, text: &str, alternatives: &Alternatives) -> Vec<String> {
    let words: &[&str] = match text {
        "loads" => &["drops"],
        "drops" | "aborts-scan" => &["loads"],
        _ if CHANGES.contains(&text) => &["loads", "drops"],
        _ => &[],
    };
    if !words.is_empty() {
        return words.iter().map(|&word| word.to_owned()).collect();
    }
    if UNITS.contains(&text) {
        return UNITS.iter().filter(|&&unit| unit != text).map(|&unit| unit.to_owned()).collect();
    }
    let others = alternatives.get(key).into_iter().flatten().filter(|other| *other != text);
    let mut all: Vec<String> = others.take(ALTERNATIVES).cloned().collect();
    if text.contains(['*', '\\', '[', ']']) {
        let changes = [("*", "+"), ("+", "*"), ("?", ""), (r"\A", ""), (r"\z", ""), (r"\s", " ")];
        let changed = changes.iter().map(|(from, to)| text.replacen(from, to, 1));
        all.extend(changed.filter(|changed| changed != text));
    }
    all
}

/// Cells that differ, for a profile and all cases.
pub(crate) type Differing = BTreeSet<(String, String, String)>;

/// Returns the cells that differ.
fn differing(cells: Cells) -> Differing {
    cells.different.into_iter().map(|one| (one.case, one.cell, one.what)).collect()
}

type Comparison = fn(&Profile, &Observation, &Cases, &mut Cells);

/// The comparisons, those that take least time first.
const COMPARISONS: [Comparison; 5] = [
    |profile, observation, cases, cells| lists::compare(profile, observation, cases, cells),
    |profile, observation, cases, cells| roots::compare(profile, observation, cases, cells),
    |profile, observation, cases, cells| trees::compare(profile, observation, cases, cells),
    |profile, observation, cases, cells| budgets::compare(profile, observation, cases, cells),
    |profile, observation, cases, cells| skills::compare(profile, observation, &cases.skills, cells),
];

/// What the original profile differs in, by comparison.
pub(crate) struct Baseline(Vec<Differing>);

impl Baseline {
    pub(crate) fn of(profile: &Profile, observation: &Observation, cases: &Cases) -> Self {
        Self(COMPARISONS.iter().map(|compare| compared(*compare, profile, observation, cases)).collect())
    }

    /// Returns whether a case notices a mutation.
    pub(crate) fn catches(&self, mutation: &Mutation, observation: &Observation, cases: &Cases) -> bool {
        let profile = &mutation.profile;
        let disagrees = |case| CaseForecast::new(profile, case).is_none_or(|forecast| !forecast.agrees(case));
        profile.cases.iter().any(disagrees)
            || COMPARISONS
                .iter()
                .zip(&self.0)
                .any(|(compare, before)| compared(*compare, profile, observation, cases) != *before)
    }
}

fn compared(compare: Comparison, profile: &Profile, observation: &Observation, cases: &Cases) -> Differing {
    let mut cells = Cells::default();
    compare(profile, observation, cases, &mut cells);
    differing(cells)
}

/// What the mutations of a profile showed.
pub(crate) struct Count {
    /// Number of mutations.
    pub(crate) all: usize,
    /// Those that no case catches.
    pub(crate) missed: Vec<String>,
    /// Number of mutations that are not counted, by reason.
    pub(crate) uncounted: BTreeMap<&'static str, usize>,
}

/// Counts the mutations of a profile, and names those that no case catches.
pub(crate) fn count(observation: &Observation, cases: &Cases, alternatives: &Alternatives) -> Count {
    let baseline = Baseline::of(&observation::profile(&observation.runtime), observation, cases);
    let (mutations, uncounted) = of(observation, alternatives);
    let all = mutations.len();
    let missed = mutations.into_par_iter().filter(|mutation| !baseline.catches(mutation, observation, cases));
    Count { all, missed: missed.map(|mutation| mutation.what).collect(), uncounted }
}
