//! Objects by id: found, checked against the id, decoded strictly.

use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use gix::objs::{Find, FindHeader, Kind as ObjectKind, TreeRefIter};
use gix::odb::pack::cache::lru::MemoryCappedHashmap;
use skilltree_skills::snapshot::{Mode, ObjectId, State};
use skilltree_skills::source::store::{Content, Entry, Kind, Position, Reader, Spot, Store};
use skilltree_skills::source::{BadObject, Damage, Error, HashKind};

use super::delta;
use super::loose::Loose;
use crate::hash;

/// Cache of delta bases per reader (16 MiB: hundreds of skills, of which few are between a delta and its base).
const BASES_BYTES: usize = 16 << 20;

/// Cache of delta bases of all readers together (128 MiB), however many processors there are.
const ALL_BASES_BYTES: usize = 128 << 20;

/// The objects of a repository, for many threads.
pub(crate) struct Objects {
    pub(crate) repository: gix::ThreadSafeRepository,
    /// Whether this is a partial clone, whose missing objects only git fetches.
    pub(super) partial: bool,
    pub(super) loose: Arc<Loose>,
    /// The temporary directory for a quarantine, removed when the objects are dropped.
    pub(super) _quarantine: Option<tempfile::TempDir>,
}

impl Objects {
    /// Returns a reader for one thread.
    pub(super) fn reader(&self) -> ObjectReader {
        let mut repository = self.repository.to_thread_local();
        // Pack positions must stay valid while a reader lives.
        repository.objects.prevent_pack_unload();
        repository.objects.ignore_replacements = true;
        // Each reader caches the bases of the next objects.
        let bases = BASES_BYTES.min(ALL_BASES_BYTES / rayon::current_num_threads());
        repository.objects.set_pack_cache(move || Box::new(MemoryCappedHashmap::new(bases)));
        let loose = Arc::clone(&self.loose);
        ObjectReader { repository, loose, buffer: Vec::new(), last: None, partial: self.partial }
    }
}

/// A reader of objects on one thread.
pub(super) struct ObjectReader {
    pub(super) repository: gix::Repository,
    loose: Arc<Loose>,
    buffer: Vec<u8>,
    /// The object whose checked bytes are in the buffer: copied files and directories follow each other.
    last: Option<(ObjectId, ObjectKind)>,
    partial: bool,
}

impl ObjectReader {
    /// Returns the kind and the bytes of an object, checked against its id.
    pub(super) fn object(&mut self, path: &BStr, id: ObjectId) -> Result<(ObjectKind, &[u8]), Error> {
        if let Some((_, kind)) = self.last.filter(|(last, _)| *last == id) {
            return Ok((kind, &self.buffer));
        }
        self.last = None;
        let partial = self.partial;
        let bad = |damage| bad(path, id, damage, partial);
        let oid = oid(&id).map_err(|()| bad(Damage::Undecodable))?;
        if self.loose.is_irregular(oid) {
            return Err(bad(Damage::Undecodable));
        }
        let data = match self.repository.objects.try_find(oid, &mut self.buffer) {
            Ok(Some(data)) => data,
            Ok(None) => return Err(bad(Damage::Missing)),
            Err(error) => return Err(bad(damage(&error))),
        };
        data.verify_checksum(oid).map_err(|_| bad(Damage::Mismatch))?;
        let (kind, length) = (data.kind, data.data.len());
        self.last = (length == self.buffer.len()).then_some((id, kind));
        Ok((kind, &self.buffer[..length]))
    }

    /// Returns the size of an object from its header.
    fn size(&self, path: &BStr, id: ObjectId) -> Result<u64, Error> {
        if self.last.is_some_and(|(last, _)| last == id) {
            return Ok(self.buffer.len() as u64);
        }
        let bad = |damage| bad(path, id, damage, self.partial);
        let oid = oid(&id).map_err(|()| bad(Damage::Undecodable))?;
        if self.loose.is_irregular(oid) {
            return Err(bad(Damage::Undecodable));
        }
        match self.repository.objects.try_header(oid) {
            Ok(Some(header)) => Ok(header.size),
            Ok(None) => Err(bad(Damage::Missing)),
            Err(error) => Err(bad(damage(&error))),
        }
    }

    /// Returns the entries of a tree.
    pub(super) fn tree(&mut self, path: &BStr, id: ObjectId) -> Result<Vec<Entry>, Error> {
        let hash = self.repository.object_hash();
        let partial = self.partial;
        let (kind, data) = self.object(path, id)?;
        if kind != ObjectKind::Tree {
            return Err(bad(path, id, Damage::Mistyped, partial));
        }
        entries(TreeRefIter::from_bytes(data, hash)).ok_or_else(|| bad(path, id, Damage::MalformedTree, partial))
    }

    /// Returns the bytes of a blob, unless there are more than `limit`.
    pub(super) fn blob(&mut self, path: &BStr, id: ObjectId, limit: u64) -> Result<Content, Error> {
        let size = self.size(path, id)?;
        if size > limit {
            return Ok(Content::TooLarge { bytes: size });
        }
        let partial = self.partial;
        match self.object(path, id)? {
            (ObjectKind::Blob, data) => Ok(Content::Bytes { bytes: data.to_vec(), id }),
            _ => Err(bad(path, id, Damage::Mistyped, partial)),
        }
    }
}

/// Returns the entries of a tree, sorted by name; `None` if one is malformed, has a mode or a name that git does not
/// write, is a duplicate or out of order: readers disagree on the contents of such a tree.
fn entries(tree: TreeRefIter<'_>) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut before: Option<gix::objs::tree::EntryRef<'_>> = None;
    for entry in tree {
        let entry = entry.ok()?;
        let mode = match entry.mode.value() {
            0o040_000 => Mode::Directory,
            // Git has written no group-writable files since 2005, but old histories contain them.
            0o100_644 | 0o100_664 => Mode::File,
            0o100_755 => Mode::Executable,
            0o120_000 => Mode::Link,
            0o160_000 => Mode::Submodule,
            _ => return None,
        };
        let is_component = !entry.filename.is_empty() && !entry.filename.contains(&b'/');
        if !is_component || before.is_some_and(|before| before.cmp(&entry).is_ge()) {
            return None;
        }
        let id = Some(ObjectId::new(entry.oid.as_bytes()));
        entries.push(Entry {
            name: entry.filename.into(),
            kind: Kind::Known(mode),
            id,
            state: State::Tracked,
            stamp: None,
        });
        before = Some(entry);
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    // A file and a directory of the same name are not adjacent in tree order.
    entries.windows(2).all(|pair| pair[0].name != pair[1].name).then_some(entries)
}

pub(super) fn oid(id: &ObjectId) -> Result<&gix::oid, ()> {
    gix::oid::try_from_bytes(id.as_bytes()).map_err(|_| ())
}

/// `ENFILE` and `EMFILE` on Linux and macOS.
const TOO_MANY_OPEN: [i32; 2] = [23, 24];

fn is_of_descriptors(error: &(dyn std::error::Error + 'static)) -> bool {
    let code = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::raw_os_error);
    code.is_some_and(|code| TOO_MANY_OPEN.contains(&code))
}

fn damage(error: &gix::Error) -> Damage {
    if error.is_resource_exhausted() {
        Damage::Oversized
    } else if error.is_not_found() {
        Damage::Missing
    } else if error.iter_errors().any(is_of_descriptors) {
        Damage::TooManyOpen
    } else if error.is_permission_denied() {
        Damage::Denied
    } else {
        Damage::Undecodable
    }
}

pub(super) fn bad(path: &BStr, id: ObjectId, damage: Damage, partial: bool) -> Error {
    let damage = if partial && damage == Damage::Missing { Damage::NotFetched } else { damage };
    Error::Objects(vec![BadObject { path: BString::from(path), id, damage }])
}

/// A tree of a repository.
pub(super) struct Tree {
    pub(super) objects: Objects,
    pub(super) top: ObjectId,
}

impl Store for Tree {
    fn top(&self) -> Spot {
        Spot { path: BString::default(), id: Some(self.top) }
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(self.objects.reader())
    }

    fn hash(&self) -> HashKind {
        hash::kind(self.objects.repository.objects.object_hash())
    }
}

impl Reader for ObjectReader {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        match directory.id {
            Some(id) => self.tree(directory.path.as_bstr(), id),
            None => Ok(Vec::new()),
        }
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        match file.id {
            Some(id) => self.blob(file.path.as_bstr(), id, limit),
            None => Err(Error::Changed { path: file.path.clone() }),
        }
    }

    fn position(&mut self, file: &Spot) -> Option<Position> {
        self.last = None;
        delta::position(&self.repository.objects, oid(&file.id?).ok()?, &mut self.buffer)
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        Ok(file.id)
    }
}
