//! The comparison of two runtimes: a page, and the data that its script reads.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Runtime, costs, matrix, section};

/// The page. Without scripts, it leads to the table.
pub(super) const PAGE: &str = "---
description: \"Compare two runtimes: what each does with the same SKILL.md.\"
---
# Compare two runtimes

[Every runtime](../runtimes.md) has a page with the same facts, also without scripts.

<div id=\"compare\"></div>
";

/// The facts of all runtimes, in one order.
#[derive(Serialize)]
pub(super) struct Data {
    labels: Vec<String>,
    runtimes: BTreeMap<String, Facts>,
}

#[derive(Serialize)]
struct Facts {
    title: String,
    values: Vec<String>,
}

/// Returns the facts of all runtimes: values of their profiles, then the effects of faults.
pub(super) fn data(runtimes: &[Runtime<'_>]) -> Data {
    let mut labels: Vec<String> = Vec::new();
    let mut all = BTreeMap::new();
    for runtime in runtimes {
        let costs = costs::of(runtime.profile);
        let mut facts = section::values(runtime);
        facts.extend(costs.iter().map(|cost| (cost.fault.to_owned(), matrix::effect(cost).to_owned())));
        if labels.is_empty() {
            labels = facts.iter().map(|(label, _)| label.clone()).collect();
        }
        let values = facts.into_iter().map(|(_, value)| value.replace("<br>", ", ").replace("\\\\|", "|")).collect();
        all.insert(runtime.profile.id.clone(), Facts { title: runtime.profile.title.clone(), values });
    }
    Data { labels, runtimes: all }
}
