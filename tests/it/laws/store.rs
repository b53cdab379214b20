//! A tree in memory whose directories have ids, as in Git: equal directories are one object. It counts what is read.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bstr::{BStr, BString, ByteSlice};
use skilltree_skills::snapshot::{Mode, ObjectId, State};
use skilltree_skills::source::store::{Content as Read, Entry, Kind, Position, Reader, Spot, Store};
use skilltree_skills::source::{Content, Error, HashKind};

use super::generate::{self, Files};

/// A fault that a law must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    /// A directory is listed at the first path only that has its id.
    HidesCopies,
    /// A directory has at most a few entries.
    ListsFirstEntries,
    /// A file that is too large is cut.
    CutsFiles,
    /// Files have other bytes if there are several threads.
    DependsOnThreads,
    /// A file costs as much as its directory has entries.
    ListsForEachFile,
}

/// An object. Entries are sorted by name.
pub(super) enum Object {
    Tree(Vec<Entry>),
    Blob(Vec<u8>),
}

/// A tree with its objects.
pub(super) struct Tree {
    pub(super) objects: BTreeMap<ObjectId, Object>,
    pub(super) top: ObjectId,
    fault: Fault,
    copies: bool,
    shown: Mutex<BTreeMap<ObjectId, BString>>,
    work: AtomicUsize,
}

impl Tree {
    pub(super) fn new(files: &Files, fault: Fault) -> Self {
        let (top, work) = (ObjectId::new(&[0; 20]), AtomicUsize::new(0));
        let mut tree = Self { objects: BTreeMap::new(), top, fault, copies: false, shown: Mutex::default(), work };
        let all: Vec<(&BStr, &Content)> = files.iter().map(|(path, content)| (path.as_bstr(), content)).collect();
        tree.top = tree.add_directory(&all);
        tree
    }

    /// Returns whether several directories are one object.
    pub(super) fn has_copies(&self) -> bool {
        self.copies
    }

    /// Returns the calls, and the entries that they returned.
    pub(super) fn work(&self) -> usize {
        self.work.load(Ordering::Relaxed)
    }

    /// Adds a directory of these files, which are sorted by path.
    fn add_directory(&mut self, files: &[(&BStr, &Content)]) -> ObjectId {
        let first = |path: &BStr| BString::from(path.split_str("/").next().unwrap_or_default());
        let mut below: BTreeMap<BString, Vec<(&BStr, &Content)>> = BTreeMap::new();
        for (path, content) in files {
            below.entry(first(path)).or_default().push((path, content));
        }
        let mut entries = Vec::new();
        for (name, files) in below {
            let (mode, id) = match files.as_slice() {
                [(path, content)] if **path == name => self.add_file(content),
                _ => {
                    let rest =
                        |(path, content)| (BStr::new(&<BStr as AsRef<[u8]>>::as_ref(path)[name.len() + 1..]), content);
                    (Mode::Directory, self.add_directory(&files.into_iter().map(rest).collect::<Vec<_>>()))
                }
            };
            entries.push(Entry { name, kind: Kind::Known(mode), id: Some(id), state: State::Tracked, stamp: None });
        }
        let id = hash("tree", &tree_bytes(&entries));
        self.copies |= self.objects.insert(id, Object::Tree(entries)).is_some();
        id
    }

    fn add_file(&mut self, content: &Content) -> (Mode, ObjectId) {
        let mode = match content {
            Content::Submodule => return (Mode::Submodule, hash("commit", b"")),
            Content::Link(_) => Mode::Link,
            Content::Executable(_) => Mode::Executable,
            _ => Mode::File,
        };
        let bytes = generate::bytes(content).unwrap_or_default();
        let id = hash("blob", bytes);
        self.objects.insert(id, Object::Blob(bytes.to_vec()));
        (mode, id)
    }

    fn object(&self, spot: &Spot) -> Result<&Object, Error> {
        self.work.fetch_add(1, Ordering::Relaxed);
        let found = spot.id.and_then(|id| self.objects.get(&id));
        found.ok_or_else(|| Error::Unreadable { path: spot.path.clone(), reason: "it has no object".to_owned() })
    }

    /// Returns whether a directory is listed at this path.
    fn is_shown(&self, spot: &Spot) -> bool {
        let Some(id) = spot.id.filter(|_| self.fault == Fault::HidesCopies) else { return true };
        *self.shown.lock().unwrap().entry(id).or_insert_with(|| spot.path.clone()) == spot.path
    }
}

/// Returns the bytes of a tree object.
pub(super) fn tree_bytes(entries: &[Entry]) -> Vec<u8> {
    let mode = |entry: &Entry| match entry.kind {
        Kind::Known(Mode::Directory) => "40000",
        Kind::Known(Mode::Executable) => "100755",
        Kind::Known(Mode::Link) => "120000",
        Kind::Known(Mode::Submodule) => "160000",
        _ => "100644",
    };
    // Git sorts a directory as if its name ended in a slash.
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by_key(|entry| {
        let slash = if entry.kind == Kind::Known(Mode::Directory) { "/" } else { "" };
        [entry.name.as_bytes(), slash.as_bytes()].concat()
    });
    let mut bytes = Vec::new();
    for entry in sorted {
        bytes.extend([mode(entry).as_bytes(), b" ", &entry.name, b"\0"].concat());
        bytes.extend(entry.id.iter().flat_map(|id| id.as_bytes()));
    }
    bytes
}

/// Returns the id of an object.
pub(super) fn hash(kind: &str, bytes: &[u8]) -> ObjectId {
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(format!("{kind} {}\0", bytes.len()).as_bytes());
    hasher.update(bytes);
    let digest: [u8; 20] = hasher.finalize().unwrap().into();
    ObjectId::new(&digest)
}

impl Store for Tree {
    fn top(&self) -> Spot {
        Spot { path: BString::default(), id: Some(self.top) }
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(self)
    }

    fn hash(&self) -> HashKind {
        HashKind::Sha1
    }
}

impl Reader for &Tree {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        let Object::Tree(entries) = self.object(directory)? else { return Ok(Vec::new()) };
        let most = if self.fault == Fault::ListsFirstEntries { 3 } else { usize::MAX };
        let most = if self.is_shown(directory) { most } else { 0 };
        self.work.fetch_add(entries.len(), Ordering::Relaxed);
        Ok(entries.iter().take(most).cloned().collect())
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Read, Error> {
        let Object::Blob(bytes) = self.object(file)? else { return Err(Error::NoWorkTree) };
        let id = hash("blob", bytes);
        let mut bytes = bytes.clone();
        match self.fault {
            Fault::CutsFiles => bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX)),
            Fault::DependsOnThreads if rayon::current_num_threads() > 1 => bytes.extend(b"\xff"),
            Fault::ListsForEachFile => {
                let all = self.objects.len();
                self.work.fetch_add(all, Ordering::Relaxed);
            }
            _ => {}
        }
        let size = bytes.len() as u64;
        Ok(if size > limit { Read::TooLarge { bytes: size } } else { Read::Bytes { bytes, id } })
    }

    /// As in a pack, files are read in another order than that of their paths.
    fn position(&mut self, file: &Spot) -> Option<Position> {
        file.id.map(|id| vec![u64::from(id.as_bytes()[0])])
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        Ok(file.id)
    }
}
