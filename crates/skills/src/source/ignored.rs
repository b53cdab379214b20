//! Skills of a working tree that Git ignores where no other skill is: how many, and which pattern it is.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::store::{self, Content, IgnoredBy, Kind, Reader, Spot, Store};
use super::{CONFIG_BYTES, Error};
use crate::manifest::{self, Ignored, Manifests, Pattern};
use crate::roots;
use crate::snapshot::{Body, File, Mode, Role, State};
use skilltree_front_matter::text::{self, FileId};

/// Maximum number of ignored skills of a directory that are counted (ours: 1,000).
const COUNTED: usize = 1_000;

/// Returns the directories of skills that have ignored skills only: among those of packages, and those of the project. `skills` are all
/// SKILL.md files that Git does not ignore, sorted.
pub(super) fn find<'p>(
    finder: &mut Finder<'_>,
    of_packages: impl Iterator<Item = &'p BString>,
    of_project: &[BString],
    skills: &[BString],
) -> Result<BTreeMap<BString, Ignored>, Error> {
    let mut ignored = BTreeMap::new();
    let packages: BTreeSet<&BString> = of_packages.filter(|place| !place.is_empty()).collect();
    let of_project = of_project.iter().filter(|place| !packages.contains(place));
    let places = packages.iter().map(|&place| (place, true)).chain(of_project.map(|place| (place, false)));
    for (place, is_of_package) in places {
        let inside = manifest::join(place.as_bstr(), "");
        let start = skills.partition_point(|skill| *skill < inside);
        let has_skill = skills.get(start).is_some_and(|skill| skill.starts_with(&inside));
        let Some(spot) = finder.directory(place.as_bstr())?.filter(|_| !has_skill) else { continue };
        let mut found: Option<Ignored> = None;
        for entry in finder.children(&spot)?.iter().filter(|entry| entry.kind == Kind::Known(Mode::Directory)) {
            let inside = spot.child(entry);
            if finder.skill_state(&inside)? != Some(State::Ignored) {
                continue;
            }
            let first = || store::join(inside.path.as_bstr(), "SKILL.md".into());
            let found = found.get_or_insert_with(|| Ignored { is_of_package, ..Ignored::new(first()) });
            found.count += 1;
            // Of a package, one skill is enough to say so.
            if is_of_package || found.count == COUNTED {
                break;
            }
        }
        ignored.extend(found.map(|found| (place.clone(), found)));
    }
    Ok(ignored)
}

/// Adds the patterns, and the files in which they are.
pub(super) fn explain(store: &dyn Store, manifests: &mut Manifests, files: &mut Vec<File>) {
    let (mut reader, mut known) = (store.reader(), BTreeMap::new());
    for (directory, ignored) in &mut manifests.ignored {
        if let Some((excluded, by)) = pattern(&mut *reader, ignored.first.as_bstr()) {
            ignored.excluded = excluded;
            let text = lines(&mut *reader, &by.file);
            let found = text.and_then(|text| Some((line(&text, by.line)?, text)));
            if let Some((range, text)) = found {
                let written = text[range.clone()].to_str_lossy().into_owned();
                let file = File::new(by.file.clone(), Role::Config, None, Body::Text(text));
                let id = *known.entry(by.file.clone()).or_insert_with(|| push(files, file));
                ignored.by = Some(Pattern { path: by.file, range, text: written });
                ignored.file = id;
                continue;
            }
        }
        let file = File::new(directory.clone(), Role::Config, None, Body::Directory);
        ignored.file = push(files, file);
    }
}

fn push(files: &mut Vec<File>, file: File) -> FileId {
    files.push(file);
    FileId((files.len() - 1) as u32)
}

/// Returns the first directory or file on the way to a path that a pattern matches, and that pattern.
fn pattern(reader: &mut dyn Reader, path: &BStr) -> Option<(BString, IgnoredBy)> {
    let ends = path.find_iter("/").map(|end| (end, true)).chain([(path.len(), false)]);
    let mut found = ends.filter_map(|(end, is_directory)| {
        let inner = path[..end].as_bstr();
        Some((inner.to_owned(), reader.ignored_by(inner, is_directory)?))
    });
    found.next()
}

/// Returns the text of an ignore file of the tree.
fn lines(reader: &mut dyn Reader, path: &BString) -> Option<Vec<u8>> {
    let is_of_tree =
        text::file_name(path.as_bstr()) == ".gitignore" && roots::normalise(&path.to_str_lossy()).is_some();
    match reader.content(&Spot { path: path.clone(), id: None }, CONFIG_BYTES).ok().filter(|_| is_of_tree)? {
        Content::Bytes { bytes, .. } => Some(bytes),
        Content::TooLarge { .. } => None,
    }
}

/// Returns the range of a line without its end and whitespace around it; `None` if it has nothing else.
fn line(text: &[u8], number: usize) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for _ in 1..number {
        start += text[start..].find_byte(b'\n')? + 1;
    }
    let end = start + text[start..].find_byte(b'\n').unwrap_or(text.len() - start);
    let line = &text[start..end];
    let (inner, before) = (line.trim_ascii(), line.len() - line.trim_ascii_start().len());
    (!inner.is_empty()).then(|| start + before..start + before + inner.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_lines() {
        let text = b"a\r\n b \n\n*.md";
        let found: Vec<_> = (1..=5).map(|number| line(text, number).map(|range| text[range].as_bstr())).collect();
        assert_eq!(found, [Some("a".into()), Some("b".into()), None, Some("*.md".into()), None]);
    }
}
