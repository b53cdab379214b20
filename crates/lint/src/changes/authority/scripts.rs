//! Scripts of a skill that are new or differ. Comments, blank lines and tests that do nothing else are no authority.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::{acts, packages};
use crate::changes::{Read, Side, below};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_skills::skill::{Power, ScriptChange, SkillId};
use skilltree_skills::snapshot::{Body, File, Mode, ObjectId};
use skilltree_skills::source::{Error, Source};

/// Extensions of files that an interpreter runs.
const EXTENSIONS: [&str; 24] = [
    "sh",
    "bash",
    "zsh",
    "fish",
    "ksh",
    "ps1",
    "psm1",
    "bat",
    "cmd",
    "py",
    "js",
    "mjs",
    "cjs",
    "ts",
    "mts",
    "cts",
    "rb",
    "pl",
    "php",
    "lua",
    "r",
    "awk",
    "applescript",
    "vbs",
];

/// A file of one side.
#[derive(Clone, Copy)]
struct Entry<'a> {
    source: &'a Source,
    number: usize,
    file: &'a File,
    id: Option<ObjectId>,
}

type Of<'a> = (Read<'a>, Side<'a>);

/// Returns the scripts that a skill newly has or that do something else.
pub(super) fn gains(
    head: Of<'_>,
    id: SkillId,
    base: Of<'_>,
    other: Option<SkillId>,
) -> Result<Vec<(Place, Power)>, Error> {
    let before: BTreeMap<&BStr, Entry<'_>> = other.map(|other| entries(base, other)).into_iter().flatten().collect();
    let scripts = before.iter().filter(|(path, entry)| is_script_name(path) || entry.file.mode == Mode::Executable);
    let ids: BTreeSet<&[u8]> = scripts.filter_map(|(_, entry)| Some(entry.id.as_ref()?.as_bytes())).collect();
    let mut gains = links(head, id, base, other)?;
    for (path, entry) in entries(head, id) {
        let known = before.get(path).copied();
        let is_same = known.is_some_and(|known| known.id.is_some() && known.id == entry.id);
        let was_executable = known.is_some_and(|known| known.file.mode == Mode::Executable);
        let ran = || before.values().any(|known| known.id == entry.id && known.file.mode == Mode::Executable);
        let is_executable = entry.file.mode == Mode::Executable;
        // A file that only moved within its skill is no news.
        let is_moved = known.is_none() && entry.id.as_ref().is_some_and(|id| ids.contains(id.as_bytes()));
        if is_same && is_executable == was_executable || is_moved && (!is_executable || ran()) {
            continue;
        }
        if let Some(power) = power(path, entry, known)? {
            gains.push((Place::whole(FileId(entry.number as u32)), power));
        }
    }
    Ok(gains)
}

/// Returns the regular files of a skill besides the SKILL.md, with their paths.
fn entries<'a>((read, side): Of<'a>, id: SkillId) -> impl Iterator<Item = (&'a BStr, Entry<'a>)> {
    let files = below(side.catalog, id).filter(|(_, _, file)| matches!(file.mode, Mode::File | Mode::Executable));
    files.map(move |(number, path, file)| {
        let id = side.ids.get(number).copied().flatten().or(file.id);
        (path, Entry { source: read.0, number, file, id })
    })
}

/// Returns whether a path ends like that of a file that an interpreter runs.
fn is_script_name(path: &BStr) -> bool {
    EXTENSIONS.iter().any(|extension| acts::ends_with(path, extension)) || !text::file_name(path).contains(&b'.')
}

/// Returns where a link leads, as it is written.
fn target_of(source: &Source, file: &File) -> Result<Option<String>, Error> {
    Ok(source.file(file.path.as_bstr())?.and_then(|file| match file.body {
        Body::Symlink { target, .. } => Some(text::lossless(target.as_bstr())),
        _ => None,
    }))
}

/// Directories whose files run.
const OF_SCRIPTS: [&[u8]; 3] = [b"scripts", b"bin", b"hooks"];

/// Returns the scripts, and the directories of scripts, that newly are links, or lead to another place.
fn links(
    (read, side): Of<'_>,
    id: SkillId,
    (other_read, other_side): Of<'_>,
    other: Option<SkillId>,
) -> Result<Vec<(Place, Power)>, Error> {
    let before: BTreeMap<&BStr, &File> = match other {
        Some(other) => below(other_side.catalog, other).map(|(_, path, file)| (path, file)).collect(),
        None => BTreeMap::new(),
    };
    let mut gains = Vec::new();
    for (number, path, file) in below(side.catalog, id).filter(|(_, _, file)| file.mode == Mode::Link) {
        let is_directory = OF_SCRIPTS.contains(&text::file_name(path).as_bytes());
        let has_extension = EXTENSIONS.iter().any(|extension| acts::ends_with(path, extension));
        if !is_directory && !has_extension {
            continue;
        }
        let Some(target) = target_of(read.0, file)? else { continue };
        let after = packages::text_of(read.0, file.path.as_bstr())?.map(|(text, _)| text);
        let old = match before.get(path) {
            Some(old) => packages::text_of(other_read.0, old.path.as_bstr())?.map(|(text, _)| text),
            None => None,
        };
        let target_before = before.get(path).map(|old| target_of(other_read.0, old)).transpose()?.flatten();
        let was_same = target_before.as_ref() == Some(&target);
        let acts = match &after {
            Some(after) => acts::newly(path, after, old.as_deref().unwrap_or_default()),
            None => None,
        };
        // A link to the same code is no news.
        if was_same && acts.is_none() || after.is_some() && after == old {
            continue;
        }
        gains.push((
            Place::whole(FileId(number as u32)),
            Power::Link { path: text::lossless(path), target, acts: acts.unwrap_or_default() },
        ));
    }
    Ok(gains)
}

fn power(path: &BStr, entry: Entry<'_>, known: Option<Entry<'_>>) -> Result<Option<Power>, Error> {
    let is_executable = entry.file.mode == Mode::Executable;
    let has_extension = EXTENSIONS.iter().any(|extension| acts::ends_with(path, extension));
    if !is_executable && !has_extension && text::file_name(path).contains(&b'.') {
        return Ok(None);
    }
    let text = content(entry)?;
    let is_interpreted = text.as_ref().is_some_and(|text| text.starts_with(b"#!"));
    if !is_executable && !has_extension && !is_interpreted {
        return Ok(None);
    }
    let before = known.map(content).transpose()?.flatten();
    let acts = acts::newly(path, text.as_deref().unwrap_or_default(), before.as_deref().unwrap_or_default());
    let is_same_code = text.is_some() && before.is_some() && acts.is_none();
    let acts = acts.unwrap_or_default();
    let change = match known {
        None => ScriptChange::Added { is_executable },
        Some(known) if is_same_code && is_executable && known.file.mode != Mode::Executable => {
            ScriptChange::MadeExecutable
        }
        Some(_) if is_same_code => return Ok(None),
        Some(_) => ScriptChange::Changed,
    };
    let is_new_program = is_executable && known.is_none_or(|known| known.file.mode != Mode::Executable);
    if is_test(path) && acts.is_empty() && !is_new_program {
        return Ok(None);
    }
    Ok(Some(Power::Script { path: text::lossless(path), change, acts }))
}

/// Returns the bytes of a file; `None` for one that is too large to be a script.
fn content(entry: Entry<'_>) -> Result<Option<Vec<u8>>, Error> {
    entry.source.content(entry.file)
}

/// Returns whether a path is that of a test.
fn is_test(path: &BStr) -> bool {
    let is_directory = |name: &[u8]| matches!(name, b"test" | b"tests" | b"__tests__" | b"spec" | b"evals");
    let name = text::file_name(path);
    let stem = name.split_once_str(".").map_or(name.as_bytes(), |(stem, _)| stem);
    let has_part = [".test.", ".spec."].iter().any(|part| name.contains_str(part));
    text::parent(path).split_str("/").any(is_directory)
        || stem.starts_with(b"test_")
        || stem.ends_with(b"_test")
        || has_part
}
