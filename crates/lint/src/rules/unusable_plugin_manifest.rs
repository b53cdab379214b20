//! Reports manifests of plugins that cannot be used.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{Place, grouped, shortened};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::{Manifest, ManifestProblem};
use skilltree_skills::source::CONFIG_BYTES;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unusable-plugin-manifest",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a manifest of plugins cannot be used",
    why: "an installation of the plugin can fail, and skills that only the manifest names are not checked",
    explanation: include_str!("unusable_plugin_manifest.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum length of a path or a name in a message, in code points.
const SHOWN: usize = 80;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for manifest in &catalog.parsed.manifests {
        report(manifest, sink);
    }
}

/// Reports the first fault, and the others as notes. A fault is an error if other programs reject it too, or if the manifest was not
/// read: what only it names would look checked.
fn report(Manifest { file, faults }: &Manifest, sink: &mut Sink) {
    let (theirs, ours): (Vec<_>, Vec<_>) = faults
        .iter()
        .filter(|fault| !matches!(fault.what, ManifestProblem::Gone { .. }))
        .partition(|fault| !fault.what.is_only_ours());
    let level = if theirs.is_empty() { Level::Warning } else { Level::Error };
    let mut sorted = theirs.into_iter().chain(ours);
    let Some(first) = sorted.next() else { return };
    let place = if first.range.is_empty() { Place::whole(*file) } else { Place::new(*file, first.range.clone()) };
    let finding = sink.about(Subject::Tree).report(place, described(&first.what));
    finding.at_most(level).help(help(&first.what));
    if !first.what.is_only_theirs() {
        finding.note("skilltree does not find the skills that only this manifest names");
    }
    for fault in sorted {
        finding.note(format!("also: {}", described(&fault.what)));
    }
}

fn described(what: &ManifestProblem) -> String {
    match what {
        ManifestProblem::Malformed(reason) => format!("the manifest is not valid JSON: {reason}"),
        ManifestProblem::ByteOrderMark => "the manifest starts with a byte order mark (BOM)".to_owned(),
        ManifestProblem::WrongType { key: "", expected } => format!("the manifest is not {expected}"),
        ManifestProblem::WrongType { key, expected } => format!("`{key}` is not {expected}"),
        ManifestProblem::Missing { key } => format!("the key `{key}` is missing"),
        ManifestProblem::Space { name } => format!("the name `{}` contains a space", shortened(name, SHOWN)),
        ManifestProblem::NotRelative { path } | ManifestProblem::Gone { path } => {
            format!("the path `{}` does not start with `./`", shortened(path, SHOWN))
        }
        ManifestProblem::Outside { path, base } if base.is_empty() => {
            format!("`{path}` is not a path below the top of the repository")
        }
        ManifestProblem::Outside { path, base } => format!("`{path}` is not a path below `{base}`"),
        ManifestProblem::Skipped { path } => format!("`{path}` is in a directory that is never searched"),
        ManifestProblem::Link => "the manifest is a symbolic link, which is not followed".to_owned(),
        ManifestProblem::Unmerged => "the manifest is unmerged in the index".to_owned(),
        ManifestProblem::TooLarge { bytes } => {
            format!("the manifest has {} bytes; the limit is {}", grouped(bytes), grouped(CONFIG_BYTES))
        }
        ManifestProblem::More { count, .. } => format!("{} more problems", grouped(count)),
    }
}

fn help(what: &ManifestProblem) -> String {
    let edit = match what {
        ManifestProblem::Malformed(_) => "correct the JSON here",
        ManifestProblem::ByteOrderMark => "save the file as UTF-8 without BOM",
        ManifestProblem::Missing { key } => return format!("add `{key}`"),
        ManifestProblem::Space { .. } => "write lowercase words joined by hyphens",
        ManifestProblem::NotRelative { path } | ManifestProblem::Gone { path } => {
            return format!("write `./{}`", shortened(path, SHOWN));
        }
        ManifestProblem::WrongType { expected, .. } => return format!("write {expected}"),
        ManifestProblem::Outside { .. } => "move the skills below it, and write a path that starts with `./`",
        ManifestProblem::Skipped { .. } => "move the skills to another directory",
        ManifestProblem::Link => "commit the file instead of the link",
        ManifestProblem::More { .. } => "correct the others first",
        ManifestProblem::Unmerged => "resolve the conflict, then run `git add`",
        ManifestProblem::TooLarge { .. } => {
            return format!("shorten it to at most {} bytes, so that it is read", grouped(CONFIG_BYTES));
        }
    };
    edit.to_owned()
}
