//! What every repair has to hold, whatever it was made from.

use std::collections::BTreeMap;
use std::convert::Infallible;

use bstr::{BString, ByteSlice};
use skilltree::config::{self, CommandLine, Inputs};
use skilltree::fix::{self, Repair, Request, Why};
use skilltree::front_matter;
use skilltree::rule::{Check, Level};
use skilltree::snapshot::Origin;
use skilltree::source::{self, Entry, Source};
use skilltree::text::FileId;
use skilltree::{Report, judge, lint};

/// Files in memory as a source.
pub(crate) fn memory(files: &[Entry]) -> Source {
    source::memory(Origin::Memory, files.to_vec())
}

/// Judges a source under the configuration that it holds, with rules that are off switched on.
pub(crate) fn judged(source: &Source, on: &[&str]) -> Report {
    let file = |name: &str| source.file(name.into()).expect("memory can be read");
    let overrides =
        CommandLine { rules: on.iter().map(|id| format!("{id}=warning")).collect(), ..CommandLine::default() };
    let inputs = Inputs { settings: file(config::SETTINGS), workflow: file(config::WORKFLOW), overrides };
    let config = config::read(inputs).expect("the configuration can be understood");
    judge(source.read(&config.roots, lint::bounds(&config.limits)).expect("memory can be read"), &config)
}

/// Mends a source.
pub(crate) fn repair(source: &Source, unsafe_edits: bool, on: &[&str]) -> Repair {
    let request = Request { unsafe_edits, signed: false, settings: true, is_wanted: &|_| true };
    let read = |files: &[skilltree::snapshot::File]| Ok(source.bodies(files).expect("memory can be read"));
    let again = |texts: &fix::Texts| Ok(judged(&source.with(texts.clone()), on));
    let repaired: Result<Repair, Infallible> = fix::repair(judged(source, on), &request, read, again);
    match repaired {
        Ok(repair) => repair,
        Err(never) => match never {},
    }
}

/// Mends a source, checks everything that must hold of it, and gives the repair.
pub(crate) fn proved(source: &Source, unsafe_edits: bool, on: &[&str]) -> Result<Repair, String> {
    let before = judged(source, on);
    let repair = repair(source, unsafe_edits, on);
    let texts: BTreeMap<BString, Vec<u8>> =
        repair.rewrites.iter().map(|rewrite| (rewrite.path.clone(), rewrite.after.clone())).collect();
    let mended = source.with(texts);
    nothing_is_worse(&before, &judged(&mended, on), &repair)?;
    if !repair.left.iter().any(|left| left.why == Why::Unfinished) {
        let again = self::repair(&mended, unsafe_edits, on);
        if !again.rewrites.is_empty() {
            return Err(format!("a second run edits again: {:?}", again.mended));
        }
    }
    repair.rewrites.iter().try_for_each(|rewrite| only_what_is_said(rewrite, &repair))?;
    Ok(repair)
}

/// Counts by path and rule: none is higher, but where something could not be judged before. Each finding that was mended
/// is gone.
fn nothing_is_worse(before: &Report, after: &Report, repair: &Repair) -> Result<(), String> {
    let (old, new) = (counts(before), counts(after));
    let dark = dark(before);
    for ((path, id), (count, level)) in &new {
        let was = old.get(&(path.clone(), id)).map_or(0, |(count, _)| *count);
        let mended: Vec<_> = repair.mended.iter().filter(|mended| mended.path == *path).collect();
        let is_uncovered = mended.iter().any(|mended| mended.level > *level);
        let is_of_the_set = matches!(skilltree::rules::find(id).map(|rule| rule.check), Some(Check::Set(_)));
        let beside_dark = repair.mended.iter().any(|mended| dark.contains(&mended.path));
        if *count > was && !is_uncovered && !is_of_the_set && !beside_dark {
            return Err(format!("{path} has {count} of {id} and had {was}"));
        }
        let gone = mended.iter().filter(|mended| mended.rule.id == *id).count();
        if !dark.contains(path) && gone > 0 && *count + gone > was {
            return Err(format!("{path} has {count} of {id}, had {was}, and {gone} are said to be mended"));
        }
    }
    Ok(())
}

fn counts(report: &Report) -> BTreeMap<(BString, &'static str), (usize, Level)> {
    let mut counts = BTreeMap::new();
    for finding in report.standing() {
        let entry = counts.entry((report.path(finding).to_owned(), finding.rule.id)).or_insert((0, finding.level));
        entry.0 += 1;
    }
    counts
}

/// The files whose fields nobody could read.
fn dark(report: &Report) -> Vec<BString> {
    let skills = report.catalog.skills().filter(|(_, skill)| !skill.has_fields());
    skills.map(|(id, _)| report.catalog.path(id).to_owned()).collect()
}

/// Where the fields could be read before, no more of them differ than findings were mended, and the body differs only
/// where something in it was mended. A reader of YAML that is not ours says so.
fn only_what_is_said(rewrite: &fix::Rewrite, repair: &Repair) -> Result<(), String> {
    let bounds = lint::bounds(&Default::default());
    let (old, new) = (&rewrite.before, &rewrite.after);
    let parts = |bytes: &[u8]| {
        let reading = front_matter::read(FileId(0), bytes, bounds);
        let yaml = reading.front_matter.as_ref()?.yaml.range();
        let fields: serde_yaml::Mapping = serde_yaml::from_slice(&bytes[yaml]).ok()?;
        Some((fields, bytes[reading.body_start..].to_vec()))
    };
    let (Some((old, old_body)), Some((new, new_body))) = (parts(old), parts(new)) else { return Ok(()) };
    let mended: Vec<&str> =
        repair.mended.iter().filter(|mended| mended.path == rewrite.path).map(|mended| mended.rule.id).collect();
    let differ = old.iter().filter(|(key, value)| new.get(key) != Some(value)).count();
    let added = new.iter().filter(|(key, _)| !old.contains_key(key)).count();
    if differ > mended.len() || added > mended.len() {
        return Err(format!("{}: {differ} fields differ and {added} are new after {mended:?}", rewrite.path));
    }
    let about_body = ["hidden", "line-ends", "unicode", "bidi", "control", "link", "path", "ignore", "fence"];
    if old_body != new_body && !mended.iter().any(|id| about_body.iter().any(|word| id.contains(word))) {
        return Err(format!("{}: the body differs after {mended:?}:\n{}", rewrite.path, new_body.as_bstr()));
    }
    Ok(())
}
