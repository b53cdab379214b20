//! The edit for a directory whose name is close to one that a runtime reads.

use bstr::{BStr, ByteSlice};

use crate::rule::{Facts, listed};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::near;
use skilltree_skills::roots::RootId;

/// Returns the edit: `rename `a` to `b`, which R reads`; `None` if the directory is not misspelled.
pub(super) fn rename(catalog: &Catalog, facts: &Facts<'_>, path: &BStr) -> Option<String> {
    let meant = near::meant(path, facts.profiles)?;
    let titles: Vec<&str> = meant.readers.iter().map(|profile| profile.title.as_str()).collect();
    let read = if titles.len() == 1 { "reads" } else { "read" };
    let (to, readers, path) = (&meant.path, listed(&titles), text::lossless(path));
    let mut roots = (0u32..).map(RootId).zip(&catalog.parsed.roots);
    let has_skills = roots.any(|(id, root)| root.path == to.as_bytes().as_bstr() && catalog.has_skills(id));
    Some(match has_skills {
        true => format!("move the skills of `{path}` to `{to}`, which {readers} {read}"),
        false => format!("rename `{path}` to `{to}`, which {readers} {read}"),
    })
}
