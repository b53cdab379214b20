//! Search for the files of skills that no text of their skill names. It reads every file of every skill, so it runs only if the
//! rule about them does.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::Error;
use super::read::spot;
use super::store::{Content, Reader, Store};
use crate::parallel;
use crate::roots::RootSet;
use crate::skill::{Skill, paths, references};
use crate::snapshot::{Body, File, Mode, Role};
use skilltree_front_matter::text::{self, FileId};

/// Records the files that no other file of the skill names.
pub(super) fn find(store: &dyn Store, files: &[File], skills: &mut [Skill], set: &RootSet) -> Result<(), Error> {
    if !set.finds_unreferenced {
        return Ok(());
    }
    let is_regular = |file: &File| {
        let is_text = file.body == Body::NotRead && matches!(file.mode, Mode::File | Mode::Executable);
        file.role == Role::Other && is_text
    };
    let mut of_skill: Vec<Vec<FileId>> = skills.iter().map(|skill| vec![skill.file]).collect();
    for (id, skill) in references::owned_if(files, skills, is_regular) {
        of_skill[skill].push(id);
    }
    let found = parallel::map_init(
        &of_skill,
        || store.reader(),
        |reader, own| match own.len() {
            1 => Ok(Vec::new()),
            _ => unreferenced(&mut **reader, files, own, set.reference_bytes),
        },
    );
    for (skill, unreferenced) in skills.iter_mut().zip(Error::collect(found)?) {
        skill.references.unreferenced = unreferenced;
    }
    Ok(())
}

/// Returns the files of a skill that no other one names. The first is its SKILL.md.
fn unreferenced(reader: &mut dyn Reader, files: &[File], own: &[FileId], limit: u64) -> Result<Vec<FileId>, Error> {
    let directory = text::parent(files[own[0].index()].path.as_bstr());
    let below = |id: FileId| files[id.index()].path[directory.len()..].trim_start_with(|slash| slash == '/').as_bstr();
    let candidates: Vec<FileId> =
        own[1..].iter().copied().filter(|&id| !paths::needs_no_reference(below(id))).collect();
    let numbers: HashMap<FileId, usize> = candidates.iter().copied().zip(0..).collect();
    let mut names = Names::default();
    for (number, &id) in candidates.iter().enumerate() {
        names.add(below(id), number);
    }
    for &id in own {
        let file = &files[id.index()];
        if matches!(file.body, Body::NotRead)
            && let Content::Bytes { bytes, .. } = reader.content(&spot(file), limit)?
        {
            names.read(&bytes, numbers.get(&id).copied());
        }
    }
    let is_named = |number: usize, id: FileId| {
        let mut parents = text::parent(below(id)).split_str("/");
        names.seen[number] || parents.any(|parent| names.directories.contains(&parent.to_ascii_lowercase()))
    };
    Ok((0..).zip(candidates).filter(|&(number, id)| !is_named(number, id)).map(|(_, id)| id).collect())
}

/// The names of files, and which of them were seen in a text.
#[derive(Default)]
struct Names {
    /// Files by lowercase name, by name without extension, and Python modules by `directory.module`.
    files: HashMap<BString, Vec<usize>>,
    seen: Vec<bool>,
    /// Directories that a text names as a whole: followed by a slash, or alone in a code span.
    directories: HashSet<Vec<u8>>,
}

impl Names {
    fn add(&mut self, path: &BStr, number: usize) {
        let name = text::file_name(path).to_ascii_lowercase();
        let stem = name.rsplit_once_str(".").map_or(name.as_slice(), |(stem, _)| stem).to_owned();
        // A name with other characters is not one word of a text, so the search cannot find it.
        self.seen.push(!name.iter().all(is_part));
        let package = text::file_name(text::parent(path)).to_ascii_lowercase();
        let is_module = name.ends_with(b".py") && !package.is_empty();
        let module = is_module.then(|| [package.as_slice(), stem.as_slice()].join(&b'.'));
        for key in [name, stem].into_iter().chain(module) {
            let numbers = self.files.entry(key.into()).or_default();
            if numbers.last() != Some(&number) {
                numbers.push(number);
            }
        }
    }

    /// Reads the words of a text. A file does not name itself.
    fn read(&mut self, text: &[u8], own: Option<usize>) {
        let mut rest = text;
        // Whether the last word was the `from` of a Python import.
        let mut is_from = false;
        while let Some(start) = rest.iter().position(is_part) {
            let before = rest[..start].last().copied();
            let is_import = rest[..start].ends_with(b" ") && is_from;
            rest = &rest[start..];
            let end = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
            let word = rest[..end].trim_end_with(|dot| dot == '.').to_ascii_lowercase();
            rest = &rest[end..];
            is_from = word == b"from";
            let is_directory = match rest {
                [b'/', after @ ..] => !after.first().is_some_and(is_part),
                [b'`', ..] => matches!(before, Some(b'`' | b'/')),
                _ => false,
            };
            if is_directory && !word.is_empty() {
                self.directories.insert(word.clone());
            }
            let without_extension = word.rsplit_once_str(".").map(|(stem, _)| stem);
            let relative = is_import.then(|| word.trim_start_with(|dot| dot == '.'));
            let keys = std::iter::once(word.as_slice()).chain(without_extension).chain(relative).chain(pairs(&word));
            for key in keys {
                let Some(numbers) = self.files.get_mut(key.as_bstr()) else { continue };
                numbers.iter().filter(|&&number| Some(number) != own).for_each(|&number| self.seen[number] = true);
                // Each is seen now, so that a word is not followed twice; only the text itself may still be unseen.
                numbers.retain(|&number| Some(number) == own);
            }
        }
    }
}

/// Returns every two adjacent parts of a word with dots: of `a.b.c`, `a.b` and `b.c`.
fn pairs(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts = std::iter::once(0).chain(word.find_iter(".").map(|dot| dot + 1));
    let ends = word.find_iter(".").skip(1).chain(std::iter::once(word.len()));
    let has_pair = word.contains(&b'.');
    starts.zip(ends).filter(move |_| has_pair).map(|(start, end)| &word[start..end])
}

/// Returns whether a byte can be part of the name of a file in a text.
fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(byte)
}
