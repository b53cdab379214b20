//! From the name of a revision to the id of a tree.

use bstr::{BStr, ByteSlice};
use gix::objs::{CommitRefIter, Kind, TagRefIter};

use super::objects::{ObjectReader, bad};
use crate::snapshot::ObjectId;
use crate::source::{Damage, Error};
use crate::text;

/// How many tags may lead from one to the next.
const TAGS: usize = 16;

/// What a revision resolved to.
pub(super) struct Resolved {
    /// The tree to read.
    pub tree: ObjectId,
    /// The commit on the way to it.
    pub commit: Option<ObjectId>,
    /// The committer time of the commit, in seconds since 1970.
    pub time: Option<i64>,
}

/// Resolves a revision once: whatever is read later is read by id.
pub(super) fn resolve(reader: &mut ObjectReader, revision: &str) -> Result<Resolved, Error> {
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
pub(super) fn peel(reader: &mut ObjectReader, start: ObjectId, revision: &str) -> Result<Resolved, Error> {
    let hash = reader.repository.object_hash();
    let mut id = start;
    let mut found = Resolved { tree: start, commit: None, time: None };
    for _ in 0..TAGS {
        let (kind, data) = reader.object(BStr::new(revision), id)?;
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
        let next = next.map_err(|_| bad(BStr::new(revision), id, Damage::Undecodable, false))?;
        id = ObjectId::new(next.as_bytes());
    }
    Err(Error::Revision { revision: revision.to_owned(), nearest: None })
}

fn seconds(signature: &gix::actor::SignatureRef<'_>) -> Option<i64> {
    signature.time().ok().map(|time| time.seconds)
}

/// The time of the last commit; `None` before the first, and where it cannot be told: it decides about nothing but
/// the end of an ignore.
pub(super) fn head_time(reader: &mut ObjectReader) -> Option<i64> {
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
    let nearest = text::nearest(revision, names.iter().map(String::as_str));
    Error::Revision { revision: revision.to_owned(), nearest: nearest.map(str::to_owned) }
}
