//! Installed skills: whether each is as skills-lock.json records it, with the hash that `npx skills` 1.7.4 computes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use bstr::{BStr, BString, ByteSlice};
use sha2::{Digest, Sha256};

use super::Error;
use super::read;
use super::store::{Content, Reader, Store};
use super::walk::Walked;
use crate::collation;
use crate::manifest::json::Json;
use crate::manifest::{self, Drifted};
use crate::roots;
use crate::snapshot::{Body, File, Role};

/// Directories with the files of an installed skill: the shared one, and those of single agents.
const PLACES: [&str; 3] = [".agents/skills", ".claude/skills", "skills"];

/// Maximum files of an installed skill, and bytes of one (the limits of the program: 1,000 and 25 MiB).
const FILES: usize = 1_000;
const BYTES: u64 = 25 << 20;

/// Maximum bytes of all installed skills (ours: 256 MiB, some 200 ms).
const ALL_BYTES: u64 = 256 << 20;

/// Directories whose files the program does not hash.
const SKIPPED: [&str; 2] = [".git", "node_modules"];

/// Compares the installed skills with the hashes in the lock. `walked` has all files, sorted.
pub(super) fn compare(store: &dyn Store, walked: &mut Walked) -> Result<(), Error> {
    let Walked { files, manifests, .. } = walked;
    let (mut reader, mut left) = (store.reader(), ALL_BYTES);
    // Many names of a lock may mean one directory.
    let mut known: HashMap<BString, Option<String>> = HashMap::new();
    for (number, lock) in manifests.all.iter().enumerate().filter(|(_, manifest)| manifest.name == roots::LOCK) {
        let Some(skills) = lock.content.as_ref().ok().and_then(|json| json.get("skills")) else { continue };
        for member in skills.members() {
            let Some(hash) = member.value.get("computedHash") else { continue };
            let Some(recorded) = hash.text().filter(|text| is_hash(text)) else { continue };
            let Some((directory, files)) = installed(files, lock.base.as_bstr(), &member.key) else { continue };
            let found = match known.entry(directory.clone()) {
                Entry::Occupied(found) => found.into_mut(),
                Entry::Vacant(new) => new.insert(hashed(&mut *reader, directory.as_bstr(), files, &mut left)?),
            };
            match found {
                Some(found) if found == recorded => {}
                Some(_) => manifests.drifted.push(Drifted {
                    manifest: number,
                    range: hash.range.clone(),
                    name: member.key.clone(),
                    from: member.value.get("source").and_then(Json::text).map(str::to_owned),
                    directory,
                }),
                None => manifests.uncompared += 1,
            }
        }
    }
    Ok(())
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Returns the directory into which the program installs a skill, with its files; `None` if it is not there, or if it is in no skills
/// directory that is checked: then only its SKILL.md is known.
fn installed<'a>(files: &'a [File], base: &BStr, name: &str) -> Option<(BString, &'a [File])> {
    let name = directory_name(name)?;
    PLACES.iter().find_map(|place| {
        let directory = manifest::join(base, &format!("{place}/{name}"));
        let inside = [directory.as_bytes(), b"/"].concat();
        let start = files.partition_point(|file| file.path.as_slice() < inside.as_slice());
        let end = start + files[start..].partition_point(|file| file.path.starts_with(&inside));
        let (files, skill) = (&files[start..end], [inside.as_slice(), b"SKILL.md"].concat());
        let first = files.partition_point(|file| file.path.as_slice() < skill.as_slice());
        let mut at_path = files[first..].iter().take_while(|file| file.path == skill);
        at_path.any(|file| file.role != Role::Unchecked).then_some((directory, files))
    })
}

/// Returns the name of the directory of an installed skill.
fn directory_name(name: &str) -> Option<String> {
    let mut directory = String::new();
    for character in name.to_lowercase().chars() {
        match character {
            'a'..='z' | '0'..='9' | '.' | '_' => directory.push(character),
            _ if directory.ends_with('-') => {}
            _ => directory.push('-'),
        }
    }
    let directory = directory.trim_matches(['.', '-']);
    (!directory.is_empty() && directory.len() <= 255).then(|| directory.to_owned())
}

/// Returns the hash of the files of a skill: of each path and content, by path as JavaScript sorts them. `None` if it is too large or
/// has entries that the program does not install.
fn hashed(reader: &mut dyn Reader, directory: &BStr, files: &[File], left: &mut u64) -> Result<Option<String>, Error> {
    let is_skipped =
        |path: &BStr| path.split_str("/").any(|name| SKIPPED.iter().any(|skipped| name == skipped.as_bytes()));
    let mut paths = Vec::new();
    for file in files {
        let path = roots::relative(file.path.as_bstr(), directory).unwrap_or_default();
        // A directory with skills may be a skills directory, too.
        if is_skipped(path) || matches!(file.body, Body::Directory) || matches!(file.role, Role::Root) {
            continue;
        }
        let is_plain = file.through.is_none() && !matches!(file.body, Body::Symlink { .. } | Body::Unmerged);
        let Some(path) = path.to_str().ok().filter(|_| is_plain && paths.len() < FILES) else { return Ok(None) };
        paths.push((path, file));
    }
    paths.sort_by_cached_key(|(path, _)| collation::key(path));
    // A skill may be in two skills directories.
    paths.dedup_by(|(one, _), (other, _)| one == other);
    let mut hasher = Sha256::new();
    let mut own_left = BYTES;
    for (path, file) in paths {
        let Content::Bytes { bytes, .. } = reader.content(&read::spot(file), own_left.min(*left))? else {
            return Ok(None);
        };
        own_left = own_left.saturating_sub(bytes.len() as u64);
        *left = left.saturating_sub(bytes.len() as u64);
        hasher.update(path.as_bytes());
        hasher.update(&bytes);
    }
    Ok(Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_directories_as_the_program_does() {
        let names =
            ["PDF", "My Skill!", "a_b.c", "../x", "--", "ä"].map(|name| directory_name(name).unwrap_or_default());
        assert_eq!(names, ["pdf", "my-skill", "a_b.c", "x", "", ""]);
    }
}
