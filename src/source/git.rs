//! Repositories: finding one, opening it with nothing of it trusted, and resolving what was asked for to object ids.
#![allow(clippy::disallowed_methods, reason = "this is the one place that opens repositories")]

mod delta;
mod index;
mod merge_base;
mod objects;
mod revision;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) use self::index::Entries;
use self::index::Index;
pub(super) use self::merge_base::open as open_base;
use self::objects::Tree;
pub(super) use self::objects::{OBJECT_BYTES, Objects};
use self::revision::{Resolved, head_time, resolve};
use super::base::Base;
use super::{Environment, Error, Source};
use crate::snapshot::Origin;

/// Opens the index of the repository that a place lies in.
pub(super) fn index(place: &Path, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let time = head_time(&mut opened.objects.reader());
    let (base, entries) = (opened.base(place), opened.index(place, environment)?);
    let store = Arc::new(Index { objects: opened.objects, entries });
    Ok(Source { origin: Origin::Index, time, store, base: Some(base), own: None })
}

/// Opens the tree that a revision names in the repository that a place lies in.
pub(super) fn tree(place: &Path, revision: &str, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let found = resolve(&mut opened.objects.reader(), revision)?;
    Ok(opened.tree(place, revision, found))
}

/// What a work tree is read with: what git knows of its files.
pub(super) struct Checkout {
    /// The top of the work tree.
    pub top: PathBuf,
    /// `HEAD`'s committer time.
    pub time: Option<i64>,
    pub objects: Objects,
    pub entries: Entries,
}

/// Opens what git knows of the work tree that a place lies in.
pub(super) fn checkout(place: &Path, environment: &Environment) -> Result<Checkout, Error> {
    let opened = Opened::new(place, environment)?;
    let top = opened.work_tree.clone().ok_or(Error::NoWorkTree)?;
    let time = head_time(&mut opened.objects.reader());
    let entries = opened.index(place, environment)?;
    Ok(Checkout { top, time, objects: opened.objects, entries })
}

/// A repository, before it is known what of it is read.
struct Opened {
    objects: Objects,
    work_tree: Option<PathBuf>,
    git_dir: PathBuf,
}

impl Opened {
    fn new(place: &Path, environment: &Environment) -> Result<Self, Error> {
        let repository = repository(place, environment)?;
        let work_tree = repository.work_tree.clone();
        let git_dir = repository.refs.git_dir().to_owned();
        Ok(Self { objects: objects(repository, place, environment)?, work_tree, git_dir })
    }

    fn base(&self, place: &Path) -> Base {
        Base::new(self.work_tree.as_deref().unwrap_or(place))
    }

    fn tree(self, place: &Path, revision: &str, found: Resolved) -> Source {
        let origin = Origin::Tree { revision: revision.to_owned(), commit: found.commit };
        let base = Some(self.base(place));
        let store = Arc::new(Tree { objects: self.objects, top: found.tree });
        Source { origin, time: found.time, store, base, own: None }
    }

    fn index(&self, place: &Path, environment: &Environment) -> Result<Entries, Error> {
        let file = match &environment.index_file {
            // Git enters the top of the work tree before it opens a relative index.
            Some(path) => self.work_tree.as_deref().unwrap_or(place).join(path),
            // An index that is not there is empty before the first `git add`; a bare repository never has one.
            None if self.work_tree.is_none() && !self.git_dir.join("index").exists() => return Err(Error::NoWorkTree),
            // `gitoxide.core.indexFile` of a hostile configuration would name another one.
            None => self.git_dir.join("index"),
        };
        Entries::open(&file, self.objects.repository.to_thread_local().object_hash())
    }
}

fn repository(place: &Path, environment: &Environment) -> Result<gix::ThreadSafeRepository, Error> {
    let opened = match &environment.git_dir {
        Some(directory) => options().open_path_as_is(true).open(place.join(directory)),
        None => {
            let upwards = gix::discover::upwards::Options {
                ceiling_dirs: environment.ceilings.clone(),
                match_ceiling_dir_or_error: false,
                ..Default::default()
            };
            let trust = gix::sec::trust::Mapping { full: options(), reduced: options() };
            gix::ThreadSafeRepository::discover_opts(place, upwards, trust)
        }
    };
    let place = || place.to_owned();
    opened.map_err(|error| {
        if error.is_permission_denied() {
            Error::Untrusted { place: place() }
        } else if error.is_not_found() {
            Error::NoRepository { place: place() }
        } else if error.is_unsupported() {
            Error::Format { place: place(), reason: "a version, or a hash, of the future".to_owned() }
        } else {
            Error::Repository { place: place(), reason: "its configuration or its layout is damaged" }
        }
    })
}

/// Nothing is taken from the environment, a repository of somebody else is refused, no object is larger than
/// [`OBJECT_BYTES`], and no object is replaced by another one: the id is what is judged.
fn options() -> gix::open::Options {
    let mut permissions = gix::open::Permissions::isolated();
    permissions.config = gix::open::permissions::Config { env: false, ..gix::open::permissions::Config::all() };
    permissions.env.home = gix::sec::Permission::Allow;
    permissions.env.xdg_config_home = gix::sec::Permission::Allow;
    gix::open::Options::default().permissions(permissions).bail_if_untrusted(true).config_overrides([
        format!("gitoxide.objects.allocLimit={OBJECT_BYTES}"),
        "core.useReplaceRefs=false".to_owned(),
    ])
}

/// The objects of a repository: those of the quarantine too, when a push is being received.
fn objects(repository: gix::ThreadSafeRepository, place: &Path, environment: &Environment) -> Result<Objects, Error> {
    let mut repository = repository.to_thread_local();
    if let Some(reason) = unknown_format(&repository) {
        return Err(Error::Format { place: place.to_owned(), reason });
    }
    let partial = is_partial(&repository);
    let mut quarantine = None;
    if let Some(pushed) = &environment.object_directory {
        let directories = std::iter::once(pushed).chain(&environment.alternates).map(|path| place.join(path));
        let joined = join_directories(directories, repository.object_hash());
        let (directory, joined) = joined.ok_or_else(|| Error::Repository {
            place: place.to_owned(),
            reason: "the objects that `GIT_OBJECT_DIRECTORY` names cannot be read",
        })?;
        (repository.objects, quarantine) = (joined, Some(directory));
    }
    Ok(Objects { repository: repository.into_sync(), partial, _quarantine: quarantine })
}

/// One object database over several directories, which git names in the environment and gix does not look at.
fn join_directories(
    directories: impl Iterator<Item = PathBuf>,
    hash: gix::hash::Kind,
) -> Option<(tempfile::TempDir, gix::OdbHandle)> {
    let mut alternates = Vec::new();
    for directory in directories {
        let directory = std::path::absolute(directory).ok()?;
        let bytes = gix::path::into_bstr(directory.as_path()).ok()?;
        if bytes.contains(&b'\n') {
            return None;
        }
        alternates.extend_from_slice(&bytes);
        alternates.push(b'\n');
    }
    let over = tempfile::tempdir().ok()?;
    std::fs::create_dir(over.path().join("info")).ok()?;
    std::fs::write(over.path().join("info/alternates"), alternates).ok()?;
    let options =
        gix::odb::store::init::Options { alloc_limit_bytes: usize::try_from(OBJECT_BYTES).ok(), ..Default::default() };
    let mut objects = gix::OdbHandle::new(gix::odb::at_opts(over.path(), hash, None, options).ok()?, hash);
    objects.take_object_memory();
    Some((over, objects))
}

/// The extensions of the repository format that do not change what is read here, or that are seen to.
const EXTENSIONS: &[&str] = &[
    "compatObjectFormat",
    "noop",
    "noop-v1",
    "objectFormat",
    "partialClone",
    "preciousObjects",
    "refStorage",
    "relativeWorktrees",
    "worktreeConfig",
];

/// An extension that git's rules for repository formats forbid to ignore; the version is seen to by gix.
fn unknown_format(repository: &gix::Repository) -> Option<String> {
    let config = repository.config_snapshot();
    let is_versioned = config.integer("core.repositoryFormatVersion") == Some(1);
    let extensions = config.plumbing().sections_by_name("extensions").into_iter().flatten();
    let mut names = extensions.flat_map(|section| section.value_names().collect::<Vec<_>>());
    let is_unknown = |name: &String| !EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(name));
    names.find(is_unknown).filter(|_| is_versioned).map(|name| format!("extensions.{name}"))
}

/// Whether some remote promises to send the objects that are missing.
fn is_partial(repository: &gix::Repository) -> bool {
    let config = repository.config_snapshot();
    let mut remotes = config.plumbing().sections_by_name("remote").into_iter().flatten();
    config.string("extensions.partialClone").is_some() || remotes.any(|remote| remote.value("promisor").is_some())
}
