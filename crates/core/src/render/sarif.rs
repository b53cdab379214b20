//! SARIF 2.1.0 that GitHub code scanning accepts without errors or warnings.
//!
//! The types of serde-sarif leave many members untyped and optional, so one function of this module builds each kind of
//! object. Results are written one at a time: a result has about 2 KB, and there may be 25,000.

mod results;
mod rules;
mod uri;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};
use serde_sarif::sarif;

use super::Options;
use crate::excerpt::Excerpts;
use crate::json::write_value;
use crate::lint::Report;
use crate::snapshot::Origin;
use crate::text::grouped;
use results::Group;

/// Schema URL from GitHub's examples.
const SCHEMA_URL: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Maximum number of results that GitHub accepts; it rejects files with more.
const RESULTS: usize = 25_000;
/// Base of the paths.
const ROOT: &str = "%SRCROOT%";
/// Category of the run. GitHub rejects a second upload of the same category in one job.
const CATEGORY: &str = "skilltree/";

/// Writes the active findings and, if requested, the ignored ones as suppressed results. Findings of one rule on one
/// line form one result, because GitHub would merge their alerts.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut groups = results::groups(report, excerpts, options);
    let omitted = groups.len().saturating_sub(RESULTS);
    groups.sort_by_key(|group| std::cmp::Reverse(group.first.level));
    groups.truncate(RESULTS);
    write!(out, "{{\"$schema\":\"{SCHEMA_URL}\",\"version\":\"2.1.0\",\"runs\":[{{\n\"tool\":")?;
    write_value(&rules::tool(options.rules), out)?;
    member("columnKind", &json!("utf16CodeUnits"), out)?;
    member("defaultEncoding", &json!("utf-8"), out)?;
    member("newlineSequences", &json!(["\r\n", "\n", "\r"]), out)?;
    member("automationDetails", &sarif::RunAutomationDetails::builder().id(CATEGORY).build(), out)?;
    member("originalUriBaseIds", &base_ids(), out)?;
    if let Some(provenance) = provenance(report, options) {
        member("versionControlProvenance", &[provenance], out)?;
    }
    member("invocations", &[invocation(omitted)], out)?;
    out.write_all(b",\n\"results\":[")?;
    write_results(report, excerpts, options, &groups, out)?;
    out.write_all(b"\n]}]}\n")
}

fn write_results(
    report: &Report,
    excerpts: &Excerpts,
    options: &Options,
    groups: &[Group<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    for (number, group) in groups.iter().enumerate() {
        out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
        write_value(&results::result(report, excerpts, options, group), out)?;
    }
    Ok(())
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
    let Origin::Tree { commit: Some(commit), .. } = &report.catalog.parsed.origin else { return None };
    let details = sarif::VersionControlDetails::builder()
        .repository_uri(options.repository.as_deref()?)
        .revision_id(commit.to_string())
        .mapped_to(sarif::ArtifactLocation::builder().uri_base_id(ROOT).build());
    Some(details.build())
}

fn invocation(omitted: usize) -> sarif::Invocation {
    if omitted == 0 {
        return sarif::Invocation::builder().execution_successful(true).build();
    }
    let (omitted, limit) = (grouped(omitted), grouped(RESULTS));
    let text = format!("{omitted} results are omitted; the limit of a run is {limit}. The most severe ones are kept.");
    let notification = sarif::Notification::builder().level(Value::from("warning")).message(message(&text)).build();
    sarif::Invocation::builder().execution_successful(true).tool_execution_notifications(vec![notification]).build()
}

/// Creates a message. Its text is required, although optional in the type.
fn message(text: &str) -> sarif::Message {
    sarif::Message::builder().text(text).build()
}
