//! Invariants of every fix.

use std::collections::BTreeMap;
use std::convert::Infallible;

use bstr::{BString, ByteSlice};
use skilltree_front_matter as front_matter;
use skilltree_front_matter::text::FileId;
use skilltree_lint::Report;
use skilltree_lint::config::{self, CommandLine, Inputs};
use skilltree_lint::fix::{self, FixedFinding, Outcome, Request, Why};
use skilltree_lint::lint;
use skilltree_lint::rule::{Check, Severity};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Entry, Source};

/// Files in memory as a source.
pub(crate) fn memory(files: &[Entry]) -> Source {
    source::memory(Origin::Memory, files.to_vec())
}

/// Checks a source with its own configuration, and with rules that are off by default.
pub(crate) fn checked(source: &Source, on: &[&str]) -> Report {
    let file = |name: &str| source.file(name.into()).expect("memory can be read");
    let overrides =
        CommandLine { rules: on.iter().map(|id| format!("{id}=warning")).collect(), ..CommandLine::default() };
    let (settings, workflow) = (file(config::SETTINGS), file(config::WORKFLOW));
    let inputs = Inputs { settings, workflow, overrides, ..Inputs::default() };
    let config = config::read(inputs).expect("the configuration can be understood");
    lint(source.read(&config.roots, config.limits.bounds()).expect("memory can be read"), &config)
}

/// Fixes a source.
pub(crate) fn repair(source: &Source, unsafe_edits: bool, on: &[&str]) -> Outcome {
    let request = Request { unsafe_edits, signed: false, settings: true, is_wanted: &|_, _| true };
    let read = |files: &[skilltree_skills::snapshot::File]| Ok(source.bodies(files).expect("memory can be read"));
    let again = |texts: &fix::Texts| Ok(checked(&source.with(texts.clone()), on));
    let repaired: Result<Outcome, Infallible> = fix::apply(checked(source, on), &request, read, again);
    match repaired {
        Ok(repair) => repair,
        Err(never) => match never {},
    }
}

/// Fixes a source, checks all invariants and returns the result.
pub(crate) fn proved(source: &Source, unsafe_edits: bool, on: &[&str]) -> Result<Outcome, String> {
    let before = checked(source, on);
    let repair = repair(source, unsafe_edits, on);
    let texts: BTreeMap<BString, Vec<u8>> =
        repair.rewrites.iter().map(|rewrite| (rewrite.path.clone(), rewrite.after.clone())).collect();
    let fixed = source.with(texts);
    nothing_is_worse(&before, &checked(&fixed, on), &repair)?;
    if !repair.skipped.iter().any(|left| left.why == Why::Unfinished) {
        let again = self::repair(&fixed, unsafe_edits, on);
        if !again.rewrites.is_empty() {
            return Err(format!("a second run edits again: {:?}", again.fixed));
        }
    }
    repair.rewrites.iter().try_for_each(|rewrite| changes_only_reported_fields(rewrite, &repair))?;
    Ok(repair)
}

/// Counts findings by path and rule: none increases, except in a file that could not be parsed before, and by less severe ones about such a
/// file elsewhere. Every fixed finding is gone.
fn nothing_is_worse(before: &Report, after: &Report, repair: &Outcome) -> Result<(), String> {
    let (old, new) = (counts(before), counts(after));
    let dark = dark(before);
    for ((path, id), (count, severity)) in &new {
        let was = old.get(&(path.clone(), id)).map_or(0, |(count, _)| *count);
        let fixed: Vec<_> = repair.fixed.iter().filter(|fixed| fixed.path == *path).collect();
        let is_uncovered = fixed.iter().any(|fixed| fixed.severity > *severity);
        let is_of_the_set = matches!(skilltree_lint::rules::find(id).map(|rule| rule.check), Some(Check::Set(_)));
        let is_revealed = |fixed: &FixedFinding| fixed.path == *path || fixed.severity > *severity;
        let was_unreadable = repair.fixed.iter().any(|fixed| dark.contains(&fixed.path) && is_revealed(fixed));
        if *count > was && !is_uncovered && !is_of_the_set && !was_unreadable {
            return Err(format!("{path} has {count} of {id} and had {was}"));
        }
        let gone = fixed.iter().filter(|fixed| fixed.rule.id() == *id).count();
        // A target names one reason at a time.
        let is_of_a_target = matches!(skilltree_lint::rules::find(id).map(|rule| rule.check), Some(Check::Target(_)));
        if !dark.contains(path) && !is_of_a_target && gone > 0 && *count + gone > was {
            return Err(format!("{path} has {count} of {id}, had {was}, and {gone} are reported as fixed"));
        }
    }
    Ok(())
}

fn counts(report: &Report) -> BTreeMap<(BString, &str), (usize, Severity)> {
    let mut counts = BTreeMap::new();
    for finding in report.active() {
        let entry = counts.entry((report.path(finding).to_owned(), finding.rule.id())).or_insert((0, finding.severity));
        entry.0 += 1;
    }
    counts
}

/// Files whose fields could not be parsed.
fn dark(report: &Report) -> Vec<BString> {
    let skills = report.catalog.skills().filter(|(_, skill)| !skill.has_fields());
    skills.map(|(id, _)| report.catalog.path(id).to_owned()).collect()
}

/// If the fields could be parsed before, at most as many differ as findings were fixed, and the body differs only if a fix
/// changed it. Uses an independent YAML parser.
fn changes_only_reported_fields(rewrite: &fix::Rewrite, repair: &Outcome) -> Result<(), String> {
    let bounds = skilltree_skills::limits::Limits::default().bounds();
    let (old, new) = (&rewrite.before, &rewrite.after);
    let parts = |bytes: &[u8]| {
        let reading = front_matter::read(FileId(0), bytes, bounds);
        let yaml = reading.front_matter.as_ref()?.yaml.range();
        let fields: serde_yaml::Mapping = serde_yaml::from_slice(&bytes[yaml]).ok()?;
        Some((fields, bytes[reading.body_start..].to_vec()))
    };
    let (Some((old, old_body)), Some((new, new_body))) = (parts(old), parts(new)) else { return Ok(()) };
    let fixed: Vec<&str> =
        repair.fixed.iter().filter(|fixed| fixed.path == rewrite.path).map(|fixed| fixed.rule.id()).collect();
    // A sentence that was read as a key becomes part of a value.
    let is_text_now = |key: &serde_yaml::Value| {
        let text = |value: &serde_yaml::Value| value.as_str().zip(key.as_str()).is_some_and(|(v, k)| v.contains(k));
        !new.contains_key(key) && key.as_str().is_some_and(|key| key.contains(' ')) && new.values().any(text)
    };
    let differ = old.iter().filter(|(key, value)| new.get(key) != Some(value) && !is_text_now(key)).count();
    let added = new.iter().filter(|(key, _)| !old.contains_key(key)).count();
    if differ > fixed.len() || added > fixed.len() {
        return Err(format!("{}: {differ} fields differ and {added} are new after {fixed:?}", rewrite.path));
    }
    let about_body = [
        "hidden",
        "line-endings",
        "unicode",
        "bidi",
        "control",
        "link",
        "path",
        "ignore",
        "fence",
        "unclosed-front-matter",
        "plugin-option",
        "plugin-skill",
    ];
    if old_body != new_body && !fixed.iter().any(|id| about_body.iter().any(|word| id.contains(word))) {
        return Err(format!("{}: the body differs after {fixed:?}:\n{}", rewrite.path, new_body.as_bstr()));
    }
    Ok(())
}
