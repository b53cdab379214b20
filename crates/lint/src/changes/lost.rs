//! Skills that the change takes out of every skills directory, although their files are still there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};

use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::Role;

/// A skill that no runtime reads any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Its name in the base.
    pub name: String,
    /// Its path in the base.
    pub before: BString,
    /// Its path now, outside the skills directories.
    pub after: BString,
}

/// Returns the skills of the base that the head has only outside the skills directories: with the same content, or else in a
/// directory of the same name that is new there.
pub fn lost(head: &Catalog, base: &Catalog, base_of: &HashMap<SkillId, SkillId>) -> Vec<Lost> {
    let outside = |catalog: &'_ Catalog| -> BTreeSet<BString> {
        let files = catalog.parsed.files.iter().filter(|file| file.role == Role::Unchecked);
        files.map(|file| file.path.clone()).collect()
    };
    let known = outside(base);
    let new = || {
        let files = head.parsed.files.iter().filter(|file| file.role == Role::Unchecked);
        files.filter(|file| !known.contains(&file.path))
    };
    let by_content: HashMap<&[u8], &BString> =
        new().filter_map(|file| Some((file.id.as_ref()?.as_bytes(), &file.path))).collect();
    let by_name: BTreeMap<&BStr, &BString> =
        new().map(|file| (text::file_name(text::parent(file.path.as_bstr())), &file.path)).collect();
    let kept: BTreeSet<SkillId> = base_of.values().copied().collect();
    let gone = base.skills().filter(|(id, _)| !kept.contains(id));
    let lost = gone.filter_map(|(id, skill)| {
        let content = base.file(skill.file).id.and_then(|id| by_content.get(id.as_bytes()).copied());
        let after = content.or_else(|| by_name.get(skill.directory.as_bstr()).copied())?;
        let (name, before) = (skill.shown_name().into_owned(), base.path(id).to_owned());
        Some(Lost { name, before, after: after.clone() })
    });
    lost.collect()
}
