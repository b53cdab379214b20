//! SARIF 2.1.0 that GitHub code scanning accepts without errors or warnings.
//!
//! The types of serde-sarif leave many members untyped and optional, so one function of this module builds each kind of
//! object. Results are written one at a time: a result has about 2 KB, and there may be 25,000.

mod help;
mod results;
mod rules;
mod size;
pub(super) mod uri;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};
use serde_sarif::sarif;

use super::{Omitted, Options, Reason};
use results::Group;
use size::Size;
use skilltree_front_matter::text::grouped;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::{Report, Warning};
use skilltree_skills::json::write_value;

/// Schema URL from GitHub's examples.
const SCHEMA_URL: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Maximum number of results that GitHub accepts; it rejects files with more.
const RESULTS: usize = 25_000;
/// Maximum number of results that GitHub keeps of those, by severity.
const KEPT: usize = 5_000;
/// Base of the paths.
const ROOT: &str = "%SRCROOT%";

/// Writes the active findings and, if requested, the ignored ones as suppressed results. Findings of one rule on one
/// line form one result, because GitHub would merge their alerts. Returns the results over GitHub's limits.
pub(super) fn write(
    report: &Report,
    excerpts: &Excerpts,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<Omitted> {
    let mut groups = results::groups(report, excerpts, options);
    groups.sort_by_key(|group| std::cmp::Reverse(group.worst()));
    write_head(options, out)?;
    if let Some(provenance) = provenance(report, options) {
        member("versionControlProvenance", &[provenance], out)?;
    }
    out.write_all(b",\n\"results\":[")?;
    let omitted = write_results(report, excerpts, options, &groups, out)?;
    let mut notifications: Vec<_> = report.warnings.iter().map(warning).collect();
    let limits = [over_limit(omitted), over_kept(groups.len() - omitted.number)];
    notifications.extend(limits.into_iter().flatten().map(|text| notification("warning", &text)));
    out.write_all(b"\n]")?;
    member("invocations", &[invocation(true, notifications)], out)?;
    out.write_all(b"}]}\n")?;
    Ok(omitted)
}

/// Writes a run without results that says why it failed. Code scanning keeps the alerts of earlier runs.
pub(super) fn write_failed(reason: &Reason, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let help = reason.help.iter().map(String::as_str);
    let lines = std::iter::once(reason.message.as_str()).chain(reason.details.iter().map(String::as_str)).chain(help);
    let mut failure = notification("error", &lines.map(results::sentence).collect::<Vec<_>>().join(" "));
    failure.locations = reason.place.as_ref().map(|(path, at)| vec![results::point(path.as_ref(), *at)]);
    write_head(options, out)?;
    out.write_all(b",\n\"results\":[]")?;
    member("invocations", &[invocation(false, vec![failure])], out)?;
    out.write_all(b"}]}\n")
}

fn write_head(options: &Options, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"$schema\":\"{SCHEMA_URL}\",\"version\":\"2.1.0\",\"runs\":[{{\n\"tool\":")?;
    write_value(&rules::tool(&options.rules), out)?;
    member("columnKind", &json!("utf16CodeUnits"), out)?;
    member("defaultEncoding", &json!("utf-8"), out)?;
    member("newlineSequences", &json!(["\r\n", "\n", "\r"]), out)?;
    if let Some(category) = &options.sarif_category {
        // GitHub reads the part before the last slash as the category.
        let id = format!("{}/", category.trim_end_matches('/'));
        member("automationDetails", &sarif::RunAutomationDetails::builder().id(id).build(), out)?;
    }
    member("originalUriBaseIds", &base_ids(), out)
}

/// Writes the results until a limit is reached.
fn write_results(
    report: &Report,
    excerpts: &Excerpts,
    options: &Options,
    groups: &[Group<'_>],
    out: &mut dyn Write,
) -> io::Result<Omitted> {
    let mut size = Size::new();
    let mut result = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        result.clear();
        result.extend_from_slice(if number == 0 { b"\n" } else { b",\n" });
        write_value(&results::result(report, excerpts, options, group), &mut result)?;
        if number == RESULTS || !size.add(&result) {
            return Ok(Omitted::of(groups[number..].iter().map(Group::gravest)));
        }
        out.write_all(&result)?;
    }
    Ok(Omitted::default())
}

fn member<T: Serialize + ?Sized>(name: &str, value: &T, out: &mut dyn Write) -> io::Result<()> {
    write!(out, ",\n\"{name}\":")?;
    write_value(value, out)
}

/// Describes `%SRCROOT%` as text: an absolute URI would have to match the checkout of the uploader.
fn base_ids() -> BTreeMap<&'static str, sarif::ArtifactLocation> {
    let root = sarif::ArtifactLocation::builder().description(message("The root of the repository.")).build();
    BTreeMap::from([(ROOT, root)])
}

/// Returns the repository and the commit, if both are known.
fn provenance(report: &Report, options: &Options) -> Option<sarif::VersionControlDetails> {
    let commit = report.catalog.parsed.origin.commit()?;
    let details = sarif::VersionControlDetails::builder()
        .repository_uri(options.repository.as_deref()?)
        .revision_id(commit.to_string())
        .mapped_to(sarif::ArtifactLocation::builder().uri_base_id(ROOT).build());
    Some(details.build())
}

fn invocation(successful: bool, notifications: Vec<sarif::Notification>) -> sarif::Invocation {
    let mut invocation = sarif::Invocation::builder().execution_successful(successful).build();
    invocation.tool_execution_notifications = (!notifications.is_empty()).then_some(notifications);
    invocation
}

fn notification(level: &str, text: &str) -> sarif::Notification {
    sarif::Notification::builder().level(Value::from(level)).message(message(text)).build()
}

fn warning(warning: &Warning) -> sarif::Notification {
    let help = warning.help.iter().map(|help| format!(" {}", results::sentence(help))).collect::<String>();
    let level = if warning.fails { "error" } else { "warning" };
    notification(level, &format!("{}{help}", results::sentence(&warning.message)))
}

/// Describes the omitted results.
fn over_limit(omitted: Omitted) -> Option<String> {
    let Omitted { number, errors } = omitted;
    let (shown, limit) = (grouped(number), grouped(RESULTS));
    let errors = if errors > 0 { format!(" {} of them are errors.", grouped(errors)) } else { String::new() };
    (number > 0).then(|| {
        format!("{shown} results are omitted; the limit of a run is {limit} results and 10 MB compressed. The most severe ones are kept.{errors}")
    })
}

/// Describes the results that GitHub does not keep of those that are written.
fn over_kept(written: usize) -> Option<String> {
    let words = || format!("GitHub keeps the {} most severe of these {} results.", grouped(KEPT), grouped(written));
    (written > KEPT).then(words)
}

/// Creates a message. Its text is required, although optional in the type.
fn message(text: &str) -> sarif::Message {
    sarif::Message::builder().text(text).build()
}
