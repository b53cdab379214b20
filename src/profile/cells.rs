//! What can be known of a runtime, by dotted paths, so that what is not known can be named.

use toml::{Table, Value};

/// What a reader asks of a runtime, in the order of the questions: where it looks, what it takes, how it reads, what it
/// demands, what it shows.
pub const CELLS: [&str; 35] = [
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
    "loads.text.line-ends",
    "loads.fence.pattern",
    "loads.fence.absent",
    "loads.yaml.family",
    "loads.yaml.refused",
    "loads.yaml.not-a-map",
    "loads.repair",
    "loads.fields.name",
    "loads.fields.description",
    "loads.keys.known",
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
    "loads.says",
];

/// The value at a dotted path.
pub fn value<'a>(profile: &'a Table, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let value = profile.get(first)?;
    rest.map_or(Some(value), |rest| value_of(value, rest)).filter(|value| value.as_str() != Some("unknown"))
}

fn value_of<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, step| value.get(step))
}

/// Whether a runtime is known to have nothing of the kind.
pub fn is_without(profile: &Table, path: &str) -> bool {
    let names = value(profile, "loads.without").and_then(Value::as_array);
    let below = path.strip_prefix("loads.").unwrap_or(path);
    names.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(below)))
}

/// What nobody has established of a runtime: the paths without a value.
pub fn unknown(profile: &Table) -> Vec<&'static str> {
    CELLS.into_iter().filter(|path| value(profile, path).is_none() && !is_without(profile, path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_is_unknown() {
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
