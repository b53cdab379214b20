//! The `[[root]]` tables that name the skills directories that were found. With one of them the search ends, so advice lists
//! all of them.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use super::Catalog;
use skilltree_skills::roots::{self, Root, RootId};

/// A plugin's skills directory, as a pattern.
const PLUGINS: &str = "plugins/*/skills";

/// Plugins with skills from which on one pattern names them.
const MANY: usize = 3;

/// Maximum tables in a message (ours: 6): a note is short, and `--verbose` lists all directories.
const TABLES: usize = 6;

/// Maximum bytes of the tables in a message (ours: 600): a message is truncated at 1,000 characters.
const BYTES: usize = 600;

/// Returns the patterns of the skills directories with skills that are neither configured nor defaults, and of their links, sorted.
/// A path that is not UTF-8 cannot be configured.
pub fn patterns(catalog: &Catalog) -> BTreeSet<String> {
    let used: BTreeSet<RootId> = catalog.skills().map(|(_, skill)| skill.root).collect();
    of_roots(used.into_iter().map(|root| catalog.root(root)))
}

/// Returns the patterns like [`patterns`], of these skills directories.
pub fn of_roots<'r>(roots: impl Iterator<Item = &'r Root>) -> BTreeSet<String> {
    let paths = roots.flat_map(|root| root.paths().skip(usize::from(!root.discovered)));
    let mut patterns: BTreeSet<String> = paths.filter_map(pattern).collect();
    let of_plugins = |pattern: &&String| is_of_plugin(pattern);
    if patterns.iter().filter(of_plugins).count() >= MANY {
        patterns.retain(|pattern| !is_of_plugin(pattern));
        patterns.insert(PLUGINS.to_owned());
    }
    patterns
}

/// Returns the pattern that names only this directory; `None` if it is not UTF-8.
pub fn pattern(path: &BStr) -> Option<String> {
    let path = path.to_str().ok()?;
    Some(if path.is_empty() { ".".to_owned() } else { roots::escaped(path) })
}

/// Writes patterns as an edit: ``add to skilltree.toml: `[[root]]` with `path = "skills"` ``.
pub fn edit(patterns: &BTreeSet<String>) -> String {
    let mut bytes = 0;
    let shown = patterns.iter().map(|path| format!("`path = {}`", quoted(path)));
    let mut lines: Vec<String> = shown
        .take(TABLES)
        .take_while(|line| {
            bytes += line.len();
            bytes <= BYTES
        })
        .collect();
    if let Some(more @ 1..) = patterns.len().checked_sub(lines.len()) {
        lines.push(format!("and {more} more that `skilltree --verbose` lists"));
    }
    match lines.as_slice() {
        [one] => format!("add to skilltree.toml: `[[root]]` with {one}"),
        lines => format!("add to skilltree.toml, one `[[root]]` each: {}", lines.join(", ")),
    }
}

/// Returns a TOML string.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn is_of_plugin(pattern: &str) -> bool {
    let name = pattern.strip_prefix("plugins/").and_then(|rest| rest.strip_suffix("/skills"));
    name.is_some_and(|name| !name.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit_of(patterns: &[&str]) -> String {
        edit(&patterns.iter().map(|&pattern| pattern.to_owned()).collect())
    }

    #[test]
    fn lists_every_table() {
        assert_eq!(edit_of(&["a"]), "add to skilltree.toml: `[[root]]` with `path = \"a\"`");
        let both = "add to skilltree.toml, one `[[root]]` each: `path = \".\"`, `path = 'a\"b'`";
        assert_eq!(edit_of(&[".", "a\"b"]), both);
        let many = |count: u32| edit(&(0..count).map(|number| format!("directory-{number}")).collect());
        assert!(many(6).ends_with("`"));
        assert!(many(60).contains("and 54 more that `skilltree --verbose`"), "{}", many(60));
        let long = edit(&(0..6).map(|number| format!("{number}{}", "d".repeat(250))).collect());
        assert!(long.contains("and 4 more that `skilltree --verbose`"), "{long}");
    }

    #[test]
    fn escapes_wildcards() {
        assert_eq!(pattern(BStr::new("a[1]")).as_deref(), Some("a[[]1[]]"));
        assert_eq!(pattern(BStr::new("")).as_deref(), Some("."));
        assert_eq!(pattern(BStr::new(b"\xff")), None);
    }
}
