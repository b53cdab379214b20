//! Reports paths of plugin manifests that lead nowhere.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{FileId, Place, shortened};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::{ManifestFault, ManifestProblem};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "dead-plugin-path",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a manifest of plugins names a path that does not exist",
    why: "the plugin cannot be installed, or is installed without these skills",
    explanation: include_str!("dead_plugin_path.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum length of a path in a message, in code points.
const SHOWN: usize = 80;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for manifest in &catalog.parsed.manifests {
        let occurrences: Vec<Occurrence> =
            manifest.faults.iter().filter_map(|fault| occurrence(manifest.file, fault)).collect();
        sink.about(Subject::Tree);
        if let Some(finding) = several::report(sink, occurrences) {
            finding.help("correct the path, or remove the entry");
        }
    }
}

fn occurrence(file: FileId, fault: &ManifestFault) -> Option<Occurrence> {
    let ManifestProblem::Gone { path } = &fault.what else { return None };
    let place = if fault.range.is_empty() { Place::whole(file) } else { Place::new(file, fault.range.clone()) };
    Some(Occurrence::new(place, format!("`{}` does not exist", shortened(path, SHOWN)), path.as_bytes()))
}
