//! Repositories: finding one, opening it with nothing of it trusted, and resolving what was asked for to object ids.
#![allow(clippy::disallowed_methods, reason = "this is the one place that opens repositories")]

mod index;
mod objects;

use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use gix::objs::{CommitRefIter, Kind, TagRefIter};

pub(super) use self::index::Entries;
use self::index::Index;
pub(super) use self::objects::Objects;
use self::objects::{OBJECT_BYTES, ObjectReader, Tree};
use super::directory::{Base, Directory};
use super::store::Store;
use super::{Damage, Environment, Error, Revision, Source};
use crate::snapshot::{ObjectId, Origin};

/// How many tags may lead from one to the next.
const TAGS: usize = 16;

/// Opens what a revision means in the repository that a place lies in.
pub(super) fn open(place: &Path, revision: &Revision, environment: &Environment) -> Result<Source, Error> {
    let repository = repository(place, environment)?;
    let workdir = repository.work_tree.clone();
    let git_dir = repository.refs.git_dir().to_owned();
    let objects = objects(repository, place, environment)?;
    let mut reader = objects.reader();
    let index = || {
        let file = match &environment.index_file {
            // Git enters the top of the work tree before it opens a relative index.
            Some(path) => workdir.as_deref().unwrap_or(place).join(path),
            // `gitoxide.core.indexFile` of a hostile configuration would name another one.
            None => git_dir.join("index"),
        };
        Entries::open(&file, objects.repository.to_thread_local().object_hash())
    };
    let (origin, time, store): (_, _, Box<dyn Store>) = match revision {
        Revision::Index => {
            let (time, entries) = (head_time(&mut reader), index()?);
            (Origin::Index, time, Box::new(Index { objects, entries }))
        }
        Revision::WorkTree => {
            let directory = workdir.clone().ok_or(Error::NoWorkTree)?;
            let (time, entries) = (head_time(&mut reader), index()?);
            (Origin::WorkTree, time, Box::new(Directory::work_tree(directory, objects, entries)))
        }
        Revision::Tree(name) => {
            let found = resolve(&mut reader, name)?;
            let origin = Origin::Tree { revision: name.clone(), commit: found.commit };
            (origin, found.time, Box::new(Tree { objects, top: found.tree }))
        }
    };
    let base = Base::new(workdir.as_deref().unwrap_or(place));
    Ok(Source { origin, time, store, base: Some(base), own: None })
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

/// Whether some remote promises to send the objects that are missing.
fn is_partial(repository: &gix::Repository) -> bool {
    let config = repository.config_snapshot();
    let mut remotes = config.plumbing().sections_by_name("remote").into_iter().flatten();
    config.string("extensions.partialClone").is_some() || remotes.any(|remote| remote.value("promisor").is_some())
}

/// What a revision resolved to.
struct Resolved {
    tree: ObjectId,
    commit: Option<ObjectId>,
    time: Option<i64>,
}

/// Resolves a revision once: whatever is read later is read by id.
fn resolve(reader: &mut ObjectReader, revision: &str) -> Result<Resolved, Error> {
    // The last step to a tree is made here, by code that takes nothing for granted.
    let name = ["^{tree}", "^{commit}", "^{}"].iter().find_map(|end| revision.strip_suffix(end)).unwrap_or(revision);
    let hash = reader.repository.object_hash();
    let is_id = name.len() == hash.len_in_hex();
    let start = match gix::ObjectId::from_hex(name.as_bytes()) {
        Ok(id) if is_id => id,
        _ if is_reftable(&reader.repository) => return Err(Error::References),
        _ => match reader.repository.rev_parse_single(BStr::new(name)) {
            Ok(id) => id.detach(),
            Err(_) if name == "HEAD" && reader.repository.head().is_ok_and(|head| head.is_unborn()) => {
                return Err(Error::Unborn { revision: revision.to_owned() });
            }
            Err(_) => return Err(unknown(&reader.repository, revision)),
        },
    };
    peel(reader, ObjectId::new(start.as_bytes()), revision)
}

/// Follows tags and a commit to a tree.
fn peel(reader: &mut ObjectReader, start: ObjectId, revision: &str) -> Result<Resolved, Error> {
    let hash = reader.repository.object_hash();
    let mut id = start;
    let mut found = Resolved { tree: start, commit: None, time: None };
    for _ in 0..TAGS {
        let (kind, data) = reader.object(BStr::new(""), id)?;
        let next = match kind {
            Kind::Tree => return Ok(Resolved { tree: id, ..found }),
            Kind::Blob => break,
            Kind::Tag => TagRefIter::from_bytes(data, hash).target_id(),
            Kind::Commit => {
                found.commit = Some(id);
                found.time = CommitRefIter::from_bytes(data, hash).committer().ok().and_then(|by| seconds(&by));
                CommitRefIter::from_bytes(data, hash).tree_id()
            }
        };
        let next = next.map_err(|_| objects::bad(BStr::new(""), id, Damage::Undecodable, false))?;
        id = ObjectId::new(next.as_bytes());
    }
    Err(Error::Revision { revision: revision.to_owned(), nearest: None })
}

fn seconds(signature: &gix::actor::SignatureRef<'_>) -> Option<i64> {
    signature.time().ok().map(|time| time.seconds)
}

/// The time of the last commit; `None` before the first, and where it cannot be told: it decides about nothing but
/// the end of an ignore.
fn head_time(reader: &mut ObjectReader) -> Option<i64> {
    let id = reader.repository.head_id().ok()?.detach();
    peel(reader, ObjectId::new(id.as_bytes()), "HEAD").ok()?.time
}

fn is_reftable(repository: &gix::Repository) -> bool {
    repository.config_snapshot().string("extensions.refStorage").is_some_and(|format| format.as_bstr() == "reftable")
}

/// An unknown revision, with the branches and tags that it may have been meant for.
fn unknown(repository: &gix::Repository, revision: &str) -> Error {
    let mut names: Vec<String> = Vec::new();
    if let Ok(references) = repository.references()
        && let Ok(all) = references.all()
    {
        // Servers hold references by the hundred thousand; a suggestion is not worth reading them all.
        let shorts = all
            .filter_map(Result::ok)
            .take(10_000)
            .map(|reference| reference.name().shorten().to_str_lossy().into_owned());
        names.extend(shorts);
    }
    let nearest = crate::text::nearest(revision, names.iter().map(String::as_str));
    Error::Revision { revision: revision.to_owned(), nearest: nearest.map(str::to_owned) }
}
