//! What can be known of a runtime, by dotted paths, so that what is not known can be named.

use toml::{Table, Value};

/// What a reader asks of a runtime, in the order of the questions: where it looks, what it takes, how it reads, what it
/// demands, what it shows.
pub const CELLS: [&str; 32] = [
    "loads.roots",
    "loads.depth",
    "loads.files.name",
    "loads.files.hidden",
    "loads.files.below-skill",
    "loads.files.in-root",
    "loads.links.directory",
    "loads.links.file",
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
    "loads.listing.order",
    "loads.listing.shown",
    "loads.listing.entry",
    "loads.listing.escape",
    "loads.budget",
    "loads.mentions.forms",
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

/// What nobody has established of a runtime, or what it has nothing of: the paths without a value.
pub fn unknown(profile: &Table) -> Vec<&'static str> {
    CELLS.into_iter().filter(|path| value(profile, path).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_is_unknown() {
        let table: Table =
            "[loads]\ndepth = 1\n[loads.links]\nfile = 'unknown'\ndirectory = 'followed'".parse().unwrap();
        let unknown = unknown(&table);
        assert!(unknown.contains(&"loads.links.file") && unknown.contains(&"loads.roots"));
        assert!(!unknown.contains(&"loads.links.directory") && !unknown.contains(&"loads.depth"));
    }
}
