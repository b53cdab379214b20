//! Which files outside the skills directories may grant something: settings, definitions, and the scripts that either starts.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::places::Places;
use super::sessions::Session;
use super::starts::{Start, parts};
use super::{packages, project, runtimes};
use skilltree_front_matter::text;
use skilltree_skills::manifest;
use skilltree_skills::roots;
use skilltree_skills::source::{Error, Source};

/// Maximum number of directories above changed files whose settings are read (ours: 1,000). Of more files, any may grant something.
const DIRECTORIES: usize = 1_000;

/// Returns whether one of some files that differ may grant something. Files with other names are looked for only in the settings and
/// the manifests in the directories above them. Manifests themselves, and files that are gone, are for the caller.
///
/// # Errors
/// If settings cannot be read.
pub(super) fn may_read(source: &Source, paths: &BTreeSet<&BStr>) -> Result<bool, Error> {
    let project = Places::of_project();
    if paths.iter().any(|path| is_settings(path) || project.contain(path)) {
        return Ok(true);
    }
    let directories: BTreeSet<&BStr> = paths.iter().flat_map(|path| above(path)).collect();
    if directories.len() > DIRECTORIES {
        return Ok(true);
    }
    for directory in directories {
        let Some(session) = Session::at(source, directory)? else { continue };
        let starts = project::starts(source, &session)?.into_iter().chain(runtimes::starts(source, &session)?);
        let mut scripts = scripts(directory, starts.map(Start::in_project));
        for name in roots::manifest_paths().filter(|name| packages::is_manifest(name)) {
            let Some(path) = session.path(name) else { continue };
            for (_, package) in packages::packages(source, path.as_bstr(), directory, &parts(name))? {
                if packages::has_definitions(name) && paths.iter().any(|path| package.places.contain(path)) {
                    return Ok(true);
                }
                scripts.extend(self::scripts(package.directory.as_bstr(), package.starts.into_iter()));
            }
        }
        if paths.iter().any(|path| scripts.contains(*path)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the paths of the scripts that are started from a directory.
fn scripts(directory: &BStr, starts: impl Iterator<Item = Start>) -> BTreeSet<BString> {
    starts.filter_map(|start| manifest::below(directory, &start.script?)).collect()
}

/// Returns the directories above a file, with the top.
fn above(path: &BStr) -> impl Iterator<Item = &BStr> {
    std::iter::successors(Some(text::parent(path)), |directory| {
        (!directory.is_empty()).then(|| text::parent(directory))
    })
}

/// Returns whether a file is one of settings, at the top or below it.
fn is_settings(path: &BStr) -> bool {
    let is_code = || above(path).any(|directory| runtimes::CODE.iter().any(|code| ends(directory, code)));
    project::FILES.into_iter().chain(runtimes::paths_of_files()).any(|known| match known.split_once("/*") {
        Some((directory, end)) => path.ends_with(end.as_bytes()) && ends(text::parent(path), directory),
        None => ends(path, known),
    }) || is_code()
}

/// Returns whether a path ends with another one.
fn ends(path: &BStr, end: &str) -> bool {
    let start = path.strip_suffix(end.as_bytes());
    start.is_some_and(|start| start.is_empty() || start.ends_with(b"/"))
}
