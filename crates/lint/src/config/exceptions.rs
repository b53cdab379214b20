//! Exceptions of the repository: levels by rule, levels by path, and ignores.

use std::collections::BTreeMap;

use super::faults::{Faults, level_help, word_help};
use super::table::{self, At, Date, Table};
use super::{Ignore, Override, keys, paths};
use crate::rule::{Level, RuleRef, Severity};
use skilltree_skills::date;

/// Reads a severity that can be shown.
pub(super) fn severity(word: &At<&str>, faults: &mut Faults) -> Option<Severity> {
    let severity = Severity::parse(word.value);
    if severity.is_none() {
        let help = word_help(word.value, ["note", "warning", "error"]);
        faults.invalid(word.range.clone(), format!("`{}` is not `note`, `warning` or `error`", word.value), help);
    }
    severity
}

/// Reads levels by rule id.
pub(super) fn levels(table: &Table<'_>, faults: &mut Faults) -> BTreeMap<RuleRef, Level> {
    let mut levels = BTreeMap::new();
    for (id, value) in table.iter() {
        let rule = faults.rule(id.range, id.value);
        if let Some(word) = value.get_ref().as_bool().filter(|_| rule.is_some()) {
            faults.wrong_type(value.span(), format!("there is no severity `{word}`"), "write `\"off\"` or `\"error\"`");
            continue;
        }
        let Some(word) = table::string(id.value, value, faults) else { continue };
        let level = Level::parse(word.value);
        if level.is_none() {
            faults.invalid(word.range, format!("there is no severity `{}`", word.value), level_help(word.value));
        }
        if let (Some(rule), Some(level)) = (rule, level) {
            levels.insert(rule, level);
        }
    }
    levels
}

/// Reads an entry of `[[override]]`.
pub(super) fn override_of(table: &Table<'_>, faults: &mut Faults) -> Option<Override> {
    table.only(&keys::names(keys::OVERRIDE), faults);
    let paths = table.strings("paths", faults);
    let rules = table.table("rules", "`rules` of `[[override]]`", faults);
    let levels = rules.as_ref().map(|rules| levels(rules, faults)).unwrap_or_default();
    if paths.as_ref().is_none_or(|paths| paths.value.is_empty()) {
        let range = paths.as_ref().map_or(&table.range, |paths| &paths.range);
        faults.invalid(range.clone(), "the override has no `paths`", "add `paths = [\"…\"]`");
    }
    if rules.is_none() {
        faults.invalid(table.range.clone(), "the override has no `rules`", "add `rules = { RULE = \"LEVEL\" }`");
    }
    let (patterns, globs) = paths::list(paths?.value, faults);
    if !faults.is_within_limits() {
        return None;
    }
    match paths::set(globs) {
        Ok(paths) => Some(Override { paths, patterns, written: table.extent(), levels }),
        Err(bad) => {
            faults.invalid(table.range.clone(), bad.message, bad.help);
            None
        }
    }
}

/// Reads an entry of `[[ignore]]`. An entry with a fault has no effect, so its findings remain visible. A rule reports
/// a missing reason.
pub(super) fn ignore(table: &Table<'_>, faults: &mut Faults) -> Option<Ignore> {
    table.only(&keys::names(keys::IGNORE), faults);
    let id = table.required("rule", faults);
    let path = table.required("path", faults);
    let reason = table.string("reason", faults).map_or("", |reason| reason.value.trim()).to_owned();
    let until = table.date("until", faults);
    let rule = id.and_then(|id| faults.rule(id.range, id.value));
    let pattern = path.as_ref().map(|path| path.value.to_owned());
    let path = path.filter(|path| faults.counts(&path.range)).and_then(|path| {
        let set = paths::files(path.value).and_then(paths::set);
        set.map_err(|bad| faults.invalid(path.range, bad.message, bad.help)).ok()
    });
    let until = match until {
        None => None,
        Some(date) => Some(read_date(&date, faults)?),
    };
    let written = Some((faults.file, table.extent()));
    Some(Ignore { rule: rule?, path: path?, pattern: pattern?, reason, until, written })
}

fn read_date(date: &At<Date<'_>>, faults: &mut Faults) -> Option<i64> {
    let days = match date.value {
        Date::Written(year, month, day) => date::days(year, month, day),
        Date::Text(text) => date::parse(text),
        Date::WithTime => None,
    };
    if days.is_none() {
        let message = "`until` is not a valid date";
        faults.invalid(date.range.clone(), message, "write the last day of the ignore, such as 2027-01-01");
    }
    days
}
