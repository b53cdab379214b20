//! SARIF 2.1.0 that GitHub's code scanning takes without an error or a warning.
//!
//! The types of serde-sarif leave much untyped and optional, so each object is made by one function of this layer.
//! Results are written one by one: a result takes 2 KB, and there may be 25,000 of them.

mod results;
mod rules;
mod uri;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};
use serde_sarif::sarif;

use super::Options;
use super::json::write_value;
use crate::excerpt::Excerpts;
use crate::lint::Report;
use crate::snapshot::Origin;
use results::Group;

/// The schema that GitHub names in its own examples.
const SCHEMA_URL: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Results of a run that GitHub takes; a file with more is refused.
const RESULTS: usize = 25_000;
/// What the paths are relative to.
const ROOT: &str = "%SRCROOT%";
/// The category of the run: a second upload of the same category in one job is refused.
const CATEGORY: &str = "skilltree/";

/// Writes the findings that stand, and the ignored ones as suppressed results when the options ask for them. Findings
/// of one rule on one line are one result, because GitHub would take them for one alert.
pub(super) fn write(report: &Report, excerpts: &Excerpts, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut groups = results::groups(report, excerpts, options);
    let left_out = groups.len().saturating_sub(RESULTS);
    if left_out > 0 {
        groups.sort_by_key(|group| std::cmp::Reverse(group.first.level));
        groups.truncate(RESULTS);
    }
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
    member("invocations", &[invocation(left_out)], out)?;
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

/// What `%SRCROOT%` means, in words: an absolute address would have to match the uploader's checkout.
fn base_ids() -> BTreeMap<&'static str, sarif::ArtifactLocation> {
    let root = sarif::ArtifactLocation::builder().description(message("The root of the repository.")).build();
    BTreeMap::from([(ROOT, root)])
}

/// Where the checked commit is from, when both are known.
fn provenance(report: &Report, options: &Options) -> Option<sarif::VersionControlDetails> {
    let Origin::Tree { commit: Some(commit), .. } = &report.catalog.parsed.origin else { return None };
    let details = sarif::VersionControlDetails::builder()
        .repository_uri(options.repository.as_deref()?)
        .revision_id(commit.to_string())
        .mapped_to(sarif::ArtifactLocation::builder().uri_base_id(ROOT).build());
    Some(details.build())
}

fn invocation(left_out: usize) -> sarif::Invocation {
    if left_out == 0 {
        return sarif::Invocation::builder().execution_successful(true).build();
    }
    let text = format!("{left_out} results are left out: a run holds at most {RESULTS}. The worst ones are kept.");
    let notification = sarif::Notification::builder().level(Value::from("warning")).message(message(&text)).build();
    sarif::Invocation::builder().execution_successful(true).tool_execution_notifications(vec![notification]).build()
}

/// A message of a text, which is required though the type says it is not.
fn message(text: &str) -> sarif::Message {
    sarif::Message::builder().text(text).build()
}
