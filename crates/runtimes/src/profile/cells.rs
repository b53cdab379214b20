//! Dotted paths of all facts that can be known about a runtime, to list the unknown ones.

use toml::{Table, Value};

/// Facts about a runtime in reading order: where it looks, which files it reads, how it parses, what it requires, what
/// it shows.
pub const CELLS: [&str; 38] = [
    "loads.roots",
    "loads.depth",
    "loads.files.name",
    "loads.files.hidden",
    "loads.files.below-skill",
    "loads.files.in-root",
    "loads.links.directory",
    "loads.links.file",
    "loads.links.escape",
    "loads.text.byte-order-mark",
    "loads.text.not-utf8",
    "loads.text.line-endings",
    "loads.fence.pattern",
    "loads.fence.absent",
    "loads.yaml.family",
    "loads.yaml.refused",
    "loads.yaml.not-a-mapping",
    "loads.repair",
    "loads.fields.name",
    "loads.fields.description",
    "loads.keys.known",
    "loads.keys.unlists",
    "loads.commands",
    "loads.expands",
    "loads.empty-body",
    "loads.limits",
    "loads.identity.by",
    "loads.identity.differs-from-directory",
    "loads.duplicates.same-root",
    "loads.duplicates.across-roots",
    "loads.duplicates.loser",
    "loads.listing.order",
    "loads.listing.shown",
    "loads.listing.entry",
    "loads.listing.escape",
    "loads.budget",
    "loads.mentions.forms",
    "loads.reports",
];

/// Returns the value at a dotted path.
pub fn value<'a>(profile: &'a Table, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let value = profile.get(first)?;
    rest.map_or(Some(value), |rest| value_of(value, rest)).filter(|value| value.as_str() != Some("unknown"))
}

fn value_of<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, step| value.get(step))
}

/// Returns whether the runtime is known to lack this feature.
pub fn is_without(profile: &Table, path: &str) -> bool {
    let names = value(profile, "loads.without").and_then(Value::as_array);
    let below = path.strip_prefix("loads.").unwrap_or(path);
    names.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(below)))
}

/// Returns the unknown facts of a runtime: the paths without a value.
pub fn unknown(profile: &Table) -> Vec<&'static str> {
    CELLS.into_iter().filter(|path| value(profile, path).is_none() && !is_without(profile, path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_cells_without_value_as_unknown() {
        let table: Table =
            "[loads]\ndepth = 1\nwithout = ['budget']\n[loads.links]\nfile = 'unknown'\ndirectory = 'followed'"
                .parse()
                .unwrap();
        let unknown = unknown(&table);
        assert!(unknown.contains(&"loads.links.file") && unknown.contains(&"loads.roots"));
        assert!(!unknown.contains(&"loads.budget") && !unknown.contains(&"loads.links.directory"));
        assert!(!unknown.contains(&"loads.depth"));
    }
}
