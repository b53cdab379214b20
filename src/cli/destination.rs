//! Where a run may write what it was told to write: neither through a link of the tree that it judges, nor over what git
//! keeps, nor over what was judged.
#![allow(clippy::disallowed_methods, reason = "the disk says where a path that the caller named leads")]

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use skilltree::roots::{self, Owner};
use skilltree::snapshot::Role;
use skilltree::{source, text};

use super::failure::Failure;
use super::session::Session;

/// Refuses paths at which a tree that was read, and nobody else, would decide what is lost.
///
/// # Errors
/// When one of them leads through a link inside of the work tree, into the directory of git, or to a file that was judged.
pub(super) fn refuse(session: &Session, paths: &[PathBuf]) -> Result<(), Failure> {
    if paths.is_empty() {
        return Ok(());
    }
    let hooks = source::hooks(&session.place, &session.place.environment);
    let git = hooks.ok().and_then(|hooks| fs::canonicalize(hooks.directory.parent()?).ok());
    paths.iter().try_for_each(|path| match odd(session, git.as_deref(), path) {
        Some(odd) => Err(Failure::new(format!("`{}` is not written: {odd}", path.display()))
            .help("name a path in a directory of its own, or outside of the repository")),
        None => Ok(()),
    })
}

/// Refuses paths in a root of skills: the artifact names the tree of each root, and there it would be a part of what it names,
/// so that it is never current.
///
/// # Errors
/// When one of them lies in a root of the repository.
pub(super) fn refuse_in_roots(session: &Session, paths: &[PathBuf]) -> Result<(), Failure> {
    let roots = &session.report.catalog.parsed.roots;
    // Where the repository itself is a root there is no other place in it.
    let roots = roots.iter().filter(|root| root.owner == Owner::Repository && !root.path.is_empty());
    let roots: Vec<&BStr> = roots.map(|root| root.path.as_bstr()).collect();
    paths.iter().try_for_each(|path| {
        let Some(below) = session.source.repository_path(&real(path)) else { return Ok(()) };
        match roots.iter().find(|root| roots::is_within(below.as_bstr(), root)) {
            Some(root) => Err(Failure::new(format!(
                "`{}` is not written: it lies in the root `{}`, whose skills it is made of",
                path.display(),
                text::lossless(root)
            ))
            .help("name a directory of its own: `--out prompt`")),
            None => Ok(()),
        }
    })
}

/// The file that a path means, links above it followed, whether it is there or not.
pub(super) fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path.ancestors().skip(1).find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    there.and_then(|(above, real)| Some(real.join(path.strip_prefix(above).ok()?))).unwrap_or(path)
}

/// Why nothing is written to a path, if there is a reason.
fn odd(session: &Session, git: Option<&Path>, path: &Path) -> Option<String> {
    if let Some(link) = session.source.top().and_then(|top| link_below(top, path)) {
        return Some(format!("`{}` is a symbolic link in the work tree", link.display()));
    }
    let real = real(path);
    let is_git = |component: std::path::Component<'_>| component.as_os_str().eq_ignore_ascii_case(".git");
    if git.is_some_and(|git| real.starts_with(git)) || real.components().any(is_git) {
        return Some("it lies in the directory of git".to_owned());
    }
    let below = session.source.repository_path(&real)?;
    let is_judged = session.report.catalog.parsed.files.iter().any(|file| {
        let is_read = !matches!(file.role, Role::Beside | Role::Near | Role::Root);
        is_read && is_same(file.path.as_bstr(), below.as_bstr())
    });
    is_judged.then(|| "it is a file that was judged".to_owned())
}

/// Whether two paths may be those of one file, as they are on a disk that knows no letter case.
fn is_same(one: &BStr, other: &BStr) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The first link above a path that stands in a directory or below it.
fn link_below(top: &Path, path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let is_ours = |link: &&Path| {
        let is_link = link.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        is_link && link.parent().and_then(|above| fs::canonicalize(above).ok()).is_some_and(|at| at.starts_with(top))
    };
    path.ancestors().skip(1).filter(is_ours).last().map(Path::to_owned)
}
