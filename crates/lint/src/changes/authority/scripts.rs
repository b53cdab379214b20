//! Scripts of a skill that are new or differ. Comments, blank lines and tests that do nothing else are no authority.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::acts;
use super::texts::{self, Found, Text};
use crate::changes::{Read, Side, below};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_skills::skill::{Act, Power, ScriptChange, SkillId};
use skilltree_skills::snapshot::{File, Mode, ObjectId};
use skilltree_skills::source::{Error, Source};

/// Extensions of files that an interpreter runs.
const EXTENSIONS: [&str; 38] = [
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
    "go",
    "jar",
    "exe",
    "dll",
    "so",
    "dylib",
    "wasm",
    "class",
    "jl",
    "tcl",
    "exs",
    "groovy",
    "kts",
    "swift",
];

/// Files that a program runs that builds or installs what is next to them.
const BUILDS: [&str; 7] = ["Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "Rakefile", acts::PACKAGE];

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
    let scripts = before.iter().filter(|(path, entry)| has_name(path) || entry.file.mode == Mode::Executable);
    let ids: BTreeSet<&[u8]> = scripts.filter_map(|(_, entry)| Some(entry.id.as_ref()?.as_bytes())).collect();
    let mut gains = links(head, id, base, other)?;
    gains.extend(submodules(head, id, base, other));
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
        let power = power(path, entry, known)?;
        if let Some(power) = power.filter(|power| !is_harmless_test(power) || is_named(head, id, path)) {
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

/// Returns the submodules of a skill that are new or at another commit.
fn submodules(head: Of<'_>, id: SkillId, base: Of<'_>, other: Option<SkillId>) -> Vec<(Place, Power)> {
    fn of<'a>((_, side): Of<'a>, id: SkillId) -> impl Iterator<Item = (usize, &'a BStr, ObjectId)> {
        let own = side.catalog.skill(id).file;
        let file = side.catalog.file(own);
        // One in the place of the directory of the skill, too.
        let own = [(own.index(), text::file_name(file.path.as_bstr()), file)].into_iter();
        let files = own.chain(below(side.catalog, id)).filter(|(_, _, file)| file.mode == Mode::Submodule);
        files.filter_map(move |(number, path, file)| {
            Some((number, path, side.ids.get(number).copied().flatten().or(file.id)?))
        })
    }
    let known: BTreeSet<(&BStr, ObjectId)> =
        other.into_iter().flat_map(|other| of(base, other)).map(|(_, path, commit)| (path, commit)).collect();
    let new = of(head, id).filter(|&(_, path, commit)| !known.contains(&(path, commit)));
    new.map(|(number, path, commit)| {
        let commit = commit.to_string().chars().take(7).collect();
        (Place::whole(FileId(number as u32)), Power::Submodule { path: text::lossless(path), commit })
    })
    .collect()
}

/// Returns whether a file has the name of something that a program runs.
fn has_name(path: &BStr) -> bool {
    // At the top of a skill and next to its scripts, a program such as `make` finds a file by its name.
    let is_found = || matches!(text::parent(path).as_bytes(), b"" | b"scripts");
    let is_build = || is_found() && BUILDS.iter().any(|name| text::file_name(path) == *name);
    has_extension(path) || is_build()
}

fn has_extension(path: &BStr) -> bool {
    EXTENSIONS.iter().any(|extension| acts::ends_with(path, extension))
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
        let was_program = before.get(path).is_some_and(|old| old.mode == Mode::Executable);
        if !is_directory && !has_extension(path) && !was_program {
            continue;
        }
        let Some(target) = texts::target_of(read.0, file)? else { continue };
        let after = texts::found(read.0, file.path.as_bstr())?;
        let old = match before.get(path) {
            Some(old) => texts::found(other_read.0, old.path.as_bstr())?,
            None => Found::Nothing,
        };
        let is_unread = texts::unread(&after, &old).is_some();
        let [after, old] = [after, old].map(|found| found.text().map(|(text, _)| text));
        let target_before = before.get(path).map(|old| texts::target_of(other_read.0, old)).transpose()?.flatten();
        let was_same = target_before.as_ref() == Some(&target);
        let acts = match &after {
            Some(after) => acts::newly(path, after, old.as_deref().unwrap_or_default()),
            None => None,
        };
        let acts =
            if after.is_none() && is_directory { inside(read.0, file, path, (other_read.0, &before))? } else { acts };
        // A link to the same code changes nothing.
        if was_same && acts.is_none() && !is_unread || after.is_some() && after == old {
            continue;
        }
        gains.push((
            Place::whole(FileId(number as u32)),
            Power::Link { path: text::lossless(path), target, acts: acts.unwrap_or_default() },
        ));
    }
    Ok(gains)
}

/// Returns what the files of a linked directory newly do that replaces one; `None` if there was no file before.
fn inside(
    source: &Source,
    link: &File,
    path: &BStr,
    (other, before): (&Source, &BTreeMap<&BStr, &File>),
) -> Result<Option<Vec<Act>>, Error> {
    let start = [path.as_bytes(), b"/"].concat();
    let files = before.range(start.as_bstr()..).take_while(|(old, _)| old.starts_with(&start));
    let mut acts: Option<BTreeSet<Act>> = None;
    for (old, file) in files {
        let place = [link.path.as_bytes(), &old[path.len()..]].concat();
        let text = |source: &Source, path: &BStr| -> Result<Vec<u8>, Error> {
            Ok(texts::text_of(source, path)?.map(|(text, _)| text).unwrap_or_default())
        };
        let newly = acts::newly(old, &text(source, place.as_bstr())?, &text(other, file.path.as_bstr())?);
        acts.get_or_insert_default().extend(newly.into_iter().flatten());
    }
    Ok(acts.map(|acts| acts.into_iter().collect()))
}

fn power(path: &BStr, entry: Entry<'_>, known: Option<Entry<'_>>) -> Result<Option<Power>, Error> {
    let is_executable = entry.file.mode == Mode::Executable;
    let has_name = has_name(path);
    if !is_executable && !has_name && text::file_name(path).contains(&b'.') {
        return Ok(None);
    }
    let text = content(entry)?;
    let is_interpreted = match &text {
        Some(text) => text.starts_with(b"#!"),
        None => entry.source.begins_with(entry.file, b"#!")?,
    };
    let is_inert = text.as_ref().is_some_and(|text| acts::is_inert(path, text));
    if !is_executable && !has_name && !is_interpreted || is_inert {
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
    Ok(Some(Power::Script { path: text::lossless(path), change, acts }))
}

/// Returns that a program is new or does something else; `before` is its mode in the base, with its text.
pub(super) fn change(
    path: &BStr,
    after: Option<&Text>,
    before: Option<(Mode, Option<&Text>)>,
    is_executable: bool,
) -> Option<Power> {
    fn bytes(text: Option<&Text>) -> &[u8] {
        text.map(|(bytes, _)| bytes.as_slice()).unwrap_or_default()
    }
    let old = before.and_then(|(_, text)| text);
    let acts = acts::newly(path, bytes(after), bytes(old));
    let is_same_code = after.is_some() && old.is_some() && acts.is_none();
    let change = match before {
        None => ScriptChange::Added { is_executable },
        Some((Mode::File, _)) if is_same_code => ScriptChange::MadeExecutable,
        Some(_) if is_same_code => return None,
        Some(_) => ScriptChange::Changed,
    };
    Some(Power::Script { path: text::lossless(path), change, acts: acts.unwrap_or_default() })
}

/// Returns the bytes of a file; `None` for one that is too large to be a script.
fn content(entry: Entry<'_>) -> Result<Option<Vec<u8>>, Error> {
    entry.source.content(entry.file)
}

/// Returns whether a test only differs in what it tests.
fn is_harmless_test(power: &Power) -> bool {
    let Power::Script { path, change, acts } = power else { return false };
    let is_plain = matches!(change, ScriptChange::Added { is_executable: false } | ScriptChange::Changed);
    is_plain && acts.is_empty() && is_test(path.as_bytes().as_bstr())
}

/// Returns whether the SKILL.md names a file, so that an agent runs it.
fn is_named((read, side): Of<'_>, id: SkillId, path: &BStr) -> bool {
    let file = side.catalog.file(side.catalog.skill(id).file);
    let text = read.0.content(file).ok().flatten();
    text.is_some_and(|text| text.contains_str(text::file_name(path)))
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
