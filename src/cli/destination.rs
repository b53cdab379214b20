//! Refuses output paths that would damage the repository: paths through links in the working tree, the Git directory, and checked
//! files.
#![allow(clippy::disallowed_methods, reason = "the caller names the path, which may contain links")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use bstr::{BStr, ByteSlice};
use skilltree_front_matter::text;
use skilltree_report::render::Format;
use skilltree_skills::roots::{self, Owner};
use skilltree_skills::snapshot::Role;

use super::args::Common;
use super::session;
use crate::failure::Failure;
use crate::file;
use crate::session::Session;

/// Refuses paths where the content of the repository, not the user, would decide which file is overwritten.
///
/// # Errors
/// When a path leads through a link in the working tree, into the Git directory, or to a checked file.
pub(super) fn refuse(session: &Session, paths: &[PathBuf]) -> Result<(), Failure> {
    if paths.is_empty() {
        return Ok(());
    }
    let hooks = skilltree_git::hooks(&session.place, &session.place.environment);
    let git = hooks.ok().and_then(|hooks| fs::canonicalize(hooks.directory.parent()?).ok());
    paths.iter().try_for_each(|path| match obstacle(session, git.as_deref(), path) {
        Some(obstacle) => Err(Failure::new(format!("`{}` was not written: {obstacle}", path.display()))
            .help("choose a path in a separate directory, or outside the repository")),
        None => Ok(()),
    })
}

/// Returns whether a failed run may write its reason to a path. Without a session it is not known which files are checked, so only
/// a new file, an empty one or an earlier report is written, and none through a link or into the Git directory.
pub(super) fn may_report_failure(common: &Common, format: Format, path: &Path) -> bool {
    let Ok(place) = session::typed_in(common) else { return false };
    let has_git = |directory: &&Path| directory.join(".git").exists();
    let top = place.ancestors().find(has_git).unwrap_or(&place);
    if link_below(top, path).is_some() || real(path).components().any(is_git) {
        return false;
    }
    match file::read(path, Format::START_BYTES) {
        Ok(start) => start.is_empty() || format.is_report(&start),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn is_git(component: Component<'_>) -> bool {
    component.as_os_str().eq_ignore_ascii_case(".git")
}

/// Refuses paths in a skills directory. The artifact contains the tree id of each skills directory, so it would change the tree
/// that it describes and never be current.
///
/// # Errors
/// When a path is inside a skills directory of the repository.
pub(super) fn refuse_in_roots(session: &Session, paths: &[PathBuf]) -> Result<(), Failure> {
    let roots = &session.report.catalog.parsed.roots;
    // If the repository itself is the skills directory, every path in it is inside.
    let roots = roots.iter().filter(|root| root.owner == Owner::Repository && !root.path.is_empty());
    let roots: Vec<&BStr> = roots.map(|root| root.path.as_bstr()).collect();
    paths.iter().try_for_each(|path| {
        let Some(below) = session.source.repository_path(&real(path)) else { return Ok(()) };
        match roots.iter().find(|root| roots::is_within(below.as_bstr(), root)) {
            Some(root) => Err(Failure::new(format!(
                "`{}` was not written: it is inside the skills directory `{}` that it is built from",
                path.display(),
                text::lossless(root)
            ))
            .help("choose a separate directory: `--out prompt`")),
            None => Ok(()),
        }
    })
}

/// Resolves the links above a path. The path itself need not exist, and a link at its end is not followed.
pub(super) fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path.ancestors().skip(1).find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    there.and_then(|(above, real)| Some(real.join(path.strip_prefix(above).ok()?))).unwrap_or(path)
}

/// Returns why a path must not be written, if there is a reason.
fn obstacle(session: &Session, git: Option<&Path>, path: &Path) -> Option<String> {
    if let Some(link) = session.source.top().and_then(|top| link_below(top, path)) {
        return Some(format!("`{}` is a symbolic link in the working tree", link.display()));
    }
    let real = real(path);
    if git.is_some_and(|git| real.starts_with(git)) || real.components().any(is_git) {
        return Some("it is inside the Git directory".to_owned());
    }
    let below = session.source.repository_path(&real)?;
    let parsed = &session.report.catalog.parsed;
    let references = parsed.skills.iter().flat_map(|skill| &skill.references.read);
    let references: BTreeSet<usize> = references.map(|reference| reference.file.index()).collect();
    let is_checked = parsed.files.iter().enumerate().any(|(number, file)| {
        let is_read = !matches!(file.role, Role::Other | Role::Near | Role::Root) || references.contains(&number);
        is_read && is_same(file.path.as_bstr(), below.as_bstr())
    });
    is_checked.then(|| "it is one of the checked files".to_owned())
}

/// Returns whether two paths may name one file on a case-insensitive file system.
fn is_same(one: &BStr, other: &BStr) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Returns the first link on the way to a path that is inside `top`.
fn link_below(top: &Path, path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let is_ours = |link: &&Path| {
        let is_link = link.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        is_link && link.parent().and_then(|above| fs::canonicalize(above).ok()).is_some_and(|at| at.starts_with(top))
    };
    path.ancestors().skip(1).filter(is_ours).last().map(Path::to_owned)
}
