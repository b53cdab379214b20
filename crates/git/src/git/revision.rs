//! Resolution of a revision to a tree id.
//!
//! gix resolves names too, but trusts commits and tags on the way: it does not check that their bytes match their ids,
//! and a malformed one ends the program. So gix only looks up names, and each step is made here.

mod name;

use bstr::{BStr, ByteSlice};
use gix::objs::commit::ref_iter::Token;
use gix::objs::{CommitRefIter, Kind, TagRefIter};
use skilltree_skills::snapshot::{Mode, ObjectId};
use skilltree_skills::source::store::{self, Kind as EntryKind};
use skilltree_skills::source::{Damage, Error};

use self::name::{Step, Unsupported};
use super::objects::{ObjectReader, bad};
use super::reftable::Tables;
use super::{references, upstream};

/// Maximum length of a chain of tags.
const TAGS: usize = 16;

/// Minimum digits of an abbreviated id (git: 4).
const DIGITS: usize = 4;

/// A resolved revision.
pub(super) struct Resolved {
    /// The tree to read.
    pub tree: ObjectId,
    /// Its commit, if it has one.
    pub commit: Option<ObjectId>,
    /// The committer time of the commit, in seconds since 1970.
    pub time: Option<i64>,
}

/// Resolves a revision once; everything else is read by id.
pub(super) fn resolve(reader: &mut ObjectReader, revision: &str) -> Result<Resolved, Error> {
    walk(reader, revision).map_err(|error| match error {
        Error::Objects(_) => beyond(error, reader, revision),
        error => error,
    })
}

fn walk(reader: &mut ObjectReader, revision: &str) -> Result<Resolved, Error> {
    let (name, steps) = name::parse(revision).map_err(|refused| match refused {
        Unsupported::Malformed => none(revision),
        Unsupported::Search => Error::Search { revision: revision.to_owned() },
    })?;
    let start = start(&reader.repository, name, revision)?;
    let mut walk = Walk { reader, revision, id: ObjectId::new(start.as_bytes()), commit: None, time: None };
    for step in &steps {
        walk.step(step)?;
    }
    walk.tree()
}

/// Follows a commit to its tree.
pub(super) fn peel(reader: &mut ObjectReader, start: ObjectId, revision: &str) -> Result<Resolved, Error> {
    Walk { reader, revision, id: start, commit: None, time: None }.tree()
}

/// Returns the object with a name: a full id, a reference, the output of `git describe`, or an abbreviated id.
fn start(repository: &gix::Repository, name: &str, revision: &str) -> Result<gix::ObjectId, Error> {
    if name.len() == repository.object_hash().len_in_hex()
        && let Ok(id) = gix::ObjectId::from_hex(name.as_bytes())
    {
        return Ok(id);
    }
    let upstream = upstream::name(repository, name);
    let name = upstream.as_deref().unwrap_or(if name == "@" { "HEAD" } else { name });
    if name.contains("@{") {
        if Tables::are_used(repository) {
            return Err(Error::Reflogs { revision: revision.to_owned() });
        }
        references::validate_all(repository)?;
        let logged = name.split("@{").next().filter(|logged| !logged.is_empty());
        logged.map_or(Ok(None), |logged| references::find(repository, logged))?;
        let id = repository.rev_parse_single(BStr::new(name)).map_err(|_| none(revision))?;
        return Ok(id.detach());
    }
    if let Some(id) = references::find(repository, name)? {
        return Ok(id);
    }
    let digits = name.rsplit_once("-g").map_or(name, |(_, digits)| digits);
    if let Some(id) = abbreviated(repository, digits) {
        return Ok(id);
    }
    if name == "HEAD" && references::head_name(repository).is_some() {
        return Err(Error::Unborn { revision: revision.to_owned() });
    }
    Err(Error::Revision { revision: revision.to_owned(), nearest: references::nearest(repository, name) })
}

/// Returns the only object whose id begins with these digits.
fn abbreviated(repository: &gix::Repository, digits: &str) -> Option<gix::ObjectId> {
    let is_prefix = digits.len() >= DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let prefix = gix::hash::Prefix::from_hex(digits).ok().filter(|_| is_prefix)?;
    repository.objects.lookup_prefix(prefix, None).ok()??.ok()
}

fn none(revision: &str) -> Error {
    Error::Revision { revision: revision.to_owned(), nearest: Vec::new() }
}

/// A walk through objects, each checked against its id.
struct Walk<'a> {
    reader: &'a mut ObjectReader,
    revision: &'a str,
    id: ObjectId,
    commit: Option<ObjectId>,
    time: Option<i64>,
}

impl Walk<'_> {
    fn step(&mut self, step: &Step) -> Result<(), Error> {
        match step {
            Step::Untagged => self.untagged().map(|_| ()),
            Step::Commit | Step::Parent(0) => self.at_commit(),
            Step::Tree => {
                let tree = self.untagged().and_then(|kind| self.tree_of(kind))?;
                self.id = tree;
                Ok(())
            }
            Step::Parent(number) => self.parent(*number),
            Step::Ancestor(generations) => {
                self.at_commit()?;
                (0..*generations).try_for_each(|_| self.parent(1))
            }
            Step::Path(path) => self.path(path.as_bstr()),
        }
    }

    /// Returns the tree of the current object.
    fn tree(mut self) -> Result<Resolved, Error> {
        let tree = self.untagged().and_then(|kind| self.tree_of(kind))?;
        Ok(Resolved { tree, commit: self.commit, time: self.time })
    }

    fn malformed(&self) -> Error {
        bad(BStr::new(self.revision), self.id, Damage::Undecodable, false)
    }

    /// Follows tags to their target, and returns its kind.
    fn untagged(&mut self) -> Result<Kind, Error> {
        let hash = self.reader.repository.object_hash();
        for _ in 0..TAGS {
            let (kind, data) = self.reader.object(BStr::new(self.revision), self.id)?;
            if kind != Kind::Tag {
                return Ok(kind);
            }
            let target = TagRefIter::from_bytes(data, hash).target_id().map_err(|_| self.malformed())?;
            self.id = ObjectId::new(target.as_bytes());
        }
        Err(none(self.revision))
    }

    fn at_commit(&mut self) -> Result<(), Error> {
        if self.untagged()? == Kind::Commit { Ok(()) } else { Err(none(self.revision)) }
    }

    fn tree_of(&mut self, kind: Kind) -> Result<ObjectId, Error> {
        match kind {
            Kind::Tree => return Ok(self.id),
            Kind::Commit => {}
            Kind::Blob | Kind::Tag => return Err(none(self.revision)),
        }
        let hash = self.reader.repository.object_hash();
        let (_, data) = self.reader.object(BStr::new(self.revision), self.id)?;
        let time = CommitRefIter::from_bytes(data, hash).committer().ok().and_then(|by| by.time().ok());
        let tree = CommitRefIter::from_bytes(data, hash).tree_id().map_err(|_| self.malformed())?;
        (self.commit, self.time) = (Some(self.id), time.map(|time| time.seconds));
        Ok(ObjectId::new(tree.as_bytes()))
    }

    fn parent(&mut self, number: usize) -> Result<(), Error> {
        self.at_commit()?;
        let hash = self.reader.repository.object_hash();
        let (_, data) = self.reader.object(BStr::new(self.revision), self.id)?;
        let parents = parents(CommitRefIter::from_bytes(data, hash)).ok_or_else(|| self.malformed())?;
        let parent = number.checked_sub(1).and_then(|number| parents.get(number)).ok_or_else(|| none(self.revision))?;
        self.id = ObjectId::new(parent.as_bytes());
        Ok(())
    }

    /// Descends to a directory. Its tree has no commit, and its paths are relative to it.
    fn path(&mut self, path: &BStr) -> Result<(), Error> {
        self.id = self.untagged().and_then(|kind| self.tree_of(kind))?;
        (self.commit, self.time) = (None, None);
        for name in path.split_str(b"/").filter(|name| !name.is_empty()) {
            let entries = self.reader.tree(BStr::new(self.revision), self.id)?;
            let found = store::named(&entries, name.as_bstr()).first();
            let directory = found.filter(|entry| entry.kind == EntryKind::Known(Mode::Directory));
            self.id = directory.and_then(|entry| entry.id).ok_or_else(|| none(self.revision))?;
        }
        Ok(())
    }
}

/// Returns the parents of a commit; `None` if it is malformed before they end.
fn parents(commit: CommitRefIter<'_>) -> Option<Vec<gix::ObjectId>> {
    let mut parents = Vec::new();
    for token in commit {
        match token.ok()? {
            Token::Tree { .. } => {}
            Token::Parent { id } => parents.push(id),
            _ => return Some(parents),
        }
    }
    None
}

/// Returns the time of `HEAD`'s commit; `None` before the first one and on an error: it only decides whether an ignore
/// has expired.
pub(super) fn head_time(reader: &mut ObjectReader) -> Option<i64> {
    walk(reader, "HEAD").ok()?.time
}

/// Converts a missing object into [`Error::Shallow`] in a shallow clone.
pub(super) fn beyond(error: Error, reader: &ObjectReader, revision: &str) -> Error {
    let is_missing = match &error {
        Error::Revision { .. } => true,
        Error::Objects(bad) => bad.iter().all(|object| object.damage == Damage::Missing),
        _ => false,
    };
    if is_missing && reader.repository.is_shallow().unwrap_or(false) {
        return Error::Shallow { revision: revision.to_owned() };
    }
    error
}
