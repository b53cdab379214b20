//! Fixes of findings, one by one and all at once, and ignore comments. Each edit is checked before it is offered.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use gen_lsp_types::{Range, TextEdit};
use serde_json::{Value, json};
use skilltree_lint::Report;
use skilltree_lint::fix::{self, Outcome, Request, Texts};
use skilltree_lint::rule::Finding;
use skilltree_report::render::escape;

use crate::context::Context;
use crate::host::Refusal;
use crate::position::{self, Lines};

/// The kind of the action that makes all safe fixes of a file.
pub(crate) const FIX_ALL: &str = "source.fixAll.skilltree";

/// Maximum number of findings whose edits are offered at once (ours): each is checked.
const OFFERED: usize = 8;

/// Answers `textDocument/codeAction`. It does not depend on the diagnostics that the client sends: some send none.
pub(crate) fn actions(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    let Some(text) = context.document() else { return Ok(json!([])) };
    let range: Range =
        serde_json::from_value(params["range"].clone()).map_err(|_| "the request has no range".to_owned())?;
    let only: Option<Vec<&str>> =
        params["context"]["only"].as_array().map(|kinds| kinds.iter().filter_map(Value::as_str).collect());
    let is_asked = |kind: &str| {
        let is_within =
            |asked: &&str| kind == *asked || kind.strip_prefix(*asked).is_some_and(|rest| rest.starts_with('.'));
        only.as_ref().is_none_or(|only| only.iter().any(|asked| asked.is_empty() || is_within(asked)))
    };
    let mut actions = Vec::new();
    if is_asked("quickfix") {
        let lines = Lines::new(&text);
        let asked = lines.offset(range.start)..lines.offset(range.end).max(lines.offset(range.start));
        let findings: Vec<&Finding> = at(context, &asked).into_iter().take(OFFERED).collect();
        actions.extend(findings.iter().filter_map(|finding| fixed(context, finding)));
        let mut seen = BTreeSet::new();
        let first = findings.iter().filter(|finding| seen.insert((finding.rule.id(), finding.place.start)));
        actions.extend(first.filter_map(|finding| ignored(context, finding, &text)));
    }
    // Who asks for any action gets this one only where it does something; who asks for it gets it alone.
    if is_asked(FIX_ALL)
        && let Some(edit) = fix(context, false, &|_| true).and_then(|outcome| edit_of(context, &outcome))
    {
        actions.push(json!({ "title": "Fix all findings with safe fixes", "kind": FIX_ALL, "edit": edit }));
    }
    Ok(Value::Array(actions))
}

/// Returns the findings of the document that touch a range.
fn at<'a>(context: &Context<'a>, asked: &std::ops::Range<usize>) -> Vec<&'a Finding> {
    let report = &context.checked.report;
    let touches = |finding: &&Finding| {
        let is_here = context.top.is_none() || report.text_path(finding) == context.path;
        let mut places = finding.places();
        is_here && places.any(|place| (place.start as usize) <= asked.end && asked.start <= place.end as usize)
    };
    report.active().filter(touches).collect()
}

/// Returns the action that makes the edits of a finding.
fn fixed(context: &Context<'_>, finding: &Finding) -> Option<Value> {
    let is_safe = finding.edits.iter().all(|edit| edit.safe);
    if finding.edits.is_empty() && finding.line_ending.is_none() {
        return None;
    }
    let is_same = |other: &Finding| {
        other.rule == finding.rule && other.place == finding.place && other.message == finding.message
    };
    let outcome = fix(context, !is_safe, &is_same)?;
    let edit = edit_of(context, &outcome)?;
    let help = escape::text(finding.action().unwrap_or(&finding.message));
    let mut letters = help.chars();
    let help: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let title = if is_safe { help } else { format!("{help} (may change what the skill means)") };
    Some(json!({
        "title": title,
        "kind": "quickfix",
        "isPreferred": is_safe,
        "edit": edit,
    }))
}

/// Makes the edits of some findings of the document.
fn fix(context: &Context<'_>, unsafe_edits: bool, is_wanted: &dyn Fn(&Finding) -> bool) -> Option<Outcome> {
    let checked = context.checked;
    let is_here = |path: &BStr| context.top.is_none() || path == context.path;
    let request = Request {
        unsafe_edits,
        signed: false,
        settings: true,
        is_wanted: &|finding, path| is_here(path) && is_wanted(finding),
    };
    let read = |files: &[_]| {
        checked.source.bodies(files).map_err(|error| Refusal { message: error.to_string(), ..Refusal::default() })
    };
    fix::apply(checked.report.clone(), &request, read, |texts: &Texts| checked.relint(texts)).ok()
}

/// Returns the edit that makes the files of an outcome; `None` if nothing changes, or if the check is older than the document: a
/// configuration that is refused leaves the last one.
fn edit_of(context: &Context<'_>, outcome: &Outcome) -> Option<Value> {
    let document = context.document();
    let is_stale = |rewrite: &&fix::Rewrite| {
        rewrite.path == context.path && document.as_ref().is_some_and(|text| rewrite.before != text.as_bytes())
    };
    if outcome.rewrites.iter().any(|rewrite| is_stale(&rewrite)) {
        return None;
    }
    let edits = outcome.rewrites.iter().filter_map(|rewrite| {
        let edit = position::edit(rewrite.before.to_str().ok()?, rewrite.after.to_str().ok()?)?;
        Some((rewrite.path.clone(), vec![edit]))
    });
    let edits: Vec<(BString, Vec<TextEdit>)> = edits.collect();
    (!edits.is_empty()).then(|| context.workspace_edit(&edits))
}

/// Returns the action that ignores a finding, with a reason to be written.
fn ignored(context: &Context<'_>, finding: &Finding, text: &str) -> Option<Value> {
    let report = &context.checked.report;
    let rule = finding.rule.id();
    let owned = context.owned().filter(|owned| owned.file == finding.place.file)?;
    let skill = owned.skill;
    let header = if owned.file == skill.file { skill.header.len() } else { 0 };
    let has_front_matter = skill.front_matter.is_some() && header > 0;
    let start = (finding.place.start as usize).min(text.len());
    let line = text.get(..start)?.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let first = text.find('\n').map_or(text.len(), |end| end + 1);
    let comment = format!("skilltree: ignore[{rule}] TODO: why this is fine here");
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let in_body = (start.max(header), format!("<!-- {comment} -->{end}{end}"));
    let candidates = match (has_front_matter, start < header) {
        // In a block scalar, a comment is text: it belongs above the key.
        (true, true) if start >= first => {
            let keys = skill.fields().map(|field| field.key.place.start as usize);
            let key = keys.filter(|key| *key <= start).max().unwrap_or(line);
            [line, key].into_iter().map(|at| (at, format!("# {comment}{end}"))).collect()
        }
        (true, true) => vec![(first, format!("# {comment}{end}"))],
        (_, _) => vec![(line.max(header), format!("<!-- {comment} -->{end}")), (line.max(header), in_body.1)],
    };
    let count = |report: &Report| {
        report
            .active()
            .filter(|other| report.text_path(other) == path_of(context, report, finding) && other.rule.id() == rule)
            .map(|other| other.places().count())
            .sum::<usize>()
    };
    let known: BTreeSet<&str> = report.active().map(|other| other.rule.id()).collect();
    let edit = candidates.into_iter().find_map(|(at, inserted)| {
        let after = [&text[..at], &inserted, &text[at..]].concat();
        let path = report.text_path(finding).to_owned();
        let relinted = context.checked.relint(&[(path.clone(), after.into_bytes())].into()).ok()?;
        let is_harmless = relinted.active().all(|other| known.contains(other.rule.id()));
        (is_harmless && count(&relinted) < count(report)).then_some((path, at, inserted))
    });
    let (path, at, inserted) = edit?;
    let range = Lines::new(text).range(at..at);
    let edit = context.workspace_edit(&[(path, vec![TextEdit { range, new_text: inserted }])]);
    Some(json!({ "title": format!("Ignore {rule} here, with a reason"), "kind": "quickfix", "edit": edit }))
}

/// Returns the path of a finding in a later report.
fn path_of<'r>(context: &Context<'_>, report: &'r Report, finding: &Finding) -> &'r BStr {
    let path = context.checked.report.text_path(finding);
    let mut files = report.catalog.parsed.files.iter();
    files.find(|file| file.shown_path() == path).map_or(BStr::new(""), |file| file.shown_path().as_bstr())
}
