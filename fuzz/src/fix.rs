//! Fixes: a second run changes nothing, a finding that is reported as fixed is gone, and no field changes without a finding.

use std::collections::BTreeMap;
use std::convert::Infallible;

use bstr::{BString, ByteSlice};
use skilltree_front_matter::text::FileId;
use skilltree_front_matter::{self as front_matter, Bounds};
use skilltree_lint::Report;
use skilltree_lint::fix::{self, Outcome, Request, Rewrite, Why};
use skilltree_skills::snapshot::{File, Origin};
use skilltree_skills::source::{self, Source};

use super::files::{Linted, parts, skills};

/// Fixes two skills. The first byte decides whether unsafe edits are made.
pub fn fix(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let unsafe_edits = first % 2 == 1;
    let source = source::memory(Origin::Memory, skills(&parts(rest, 2)));
    let before = checked(&source);
    let outcome = fixed(&source, unsafe_edits);
    let texts: BTreeMap<BString, Vec<u8>> =
        outcome.rewrites.iter().map(|rewrite| (rewrite.path.clone(), rewrite.after.clone())).collect();
    let after = source.with(texts);
    check_fixed_findings(&before, &checked(&after), &outcome);
    if !outcome.skipped.iter().any(|left| left.why == Why::Unfinished) {
        let again = fixed(&after, unsafe_edits);
        assert!(again.rewrites.is_empty(), "a second run edits again: {:?}", again.fixed);
    }
    outcome.rewrites.iter().for_each(|rewrite| check_fields(rewrite, &outcome));
}

fn checked(source: &Source) -> Report {
    Linted::of(source.clone()).expect("no configuration is a configuration").report
}

fn fixed(source: &Source, unsafe_edits: bool) -> Outcome {
    let request = Request { unsafe_edits, signed: false, settings: true, is_wanted: &|_, _| true };
    let read = |files: &[File]| Ok(source.bodies(files).expect("memory can be read"));
    let again = |texts: &fix::Texts| Ok(checked(&source.with(texts.clone())));
    let outcome: Result<Outcome, Infallible> = fix::apply(checked(source), &request, read, again);
    match outcome {
        Ok(outcome) => outcome,
        Err(never) => match never {},
    }
}

/// In files whose fields could be read, each rule reports as many findings less as were fixed.
fn check_fixed_findings(before: &Report, after: &Report, outcome: &Outcome) {
    let count = |report: &Report, path: &BString, rule: &str| {
        report.active().filter(|finding| finding.rule.id() == rule && report.path(finding) == path.as_bstr()).count()
    };
    let unread: Vec<BString> = before
        .catalog
        .skills()
        .filter(|(_, skill)| !skill.has_fields())
        .map(|(id, _)| before.catalog.path(id).to_owned())
        .collect();
    for fixed in outcome.fixed.iter().filter(|fixed| !unread.contains(&fixed.path)) {
        let gone =
            outcome.fixed.iter().filter(|other| other.path == fixed.path && other.rule.id() == fixed.rule.id()).count();
        let (old, new) = (count(before, &fixed.path, fixed.rule.id()), count(after, &fixed.path, fixed.rule.id()));
        assert!(
            new + gone <= old || old == 0,
            "{}: {} had {old}, has {new}, fixed {gone}",
            fixed.path,
            fixed.rule.id()
        );
    }
}

/// Compares the fields with an independent parser: at most as many differ as findings were fixed.
fn check_fields(rewrite: &Rewrite, outcome: &Outcome) {
    let parse = |bytes: &[u8]| {
        let reading =
            front_matter::read(FileId(0), bytes, Bounds { bytes: 8 << 10, nodes: 400, depth: 12, ..Bounds::NONE });
        let found = reading.front_matter.as_ref()?;
        found.fields.as_ref()?;
        serde_yaml::from_slice::<serde_yaml::Mapping>(&bytes[found.yaml.range()]).ok()
    };
    let (Some(old), Some(new)) = (parse(&rewrite.before), parse(&rewrite.after)) else { return };
    let rules: Vec<&str> =
        outcome.fixed.iter().filter(|fixed| fixed.path == rewrite.path).map(|fixed| fixed.rule.id()).collect();
    let differ = old.iter().filter(|(key, value)| new.get(key) != Some(value)).count();
    let added = new.iter().filter(|(key, _)| !old.contains_key(key)).count();
    let text = rewrite.after.as_bstr();
    assert!(
        differ <= rules.len() && added <= rules.len(),
        "{}: {differ} fields differ and {added} are new after {rules:?}:\n{text}",
        rewrite.path
    );
}
