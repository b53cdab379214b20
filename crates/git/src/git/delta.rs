//! Objects that a pack stores as deltas.
//!
//! Reading a delta costs as much as its whole chain, unless its base is cached. Git caches 96 MiB of bases and reads in
//! any order; reading in the order of delta chains needs only a few MiB per thread.

use gix::odb::Header as _;
use gix::odb::pack::Find as _;
use gix::odb::pack::data::Entry;
use gix::odb::pack::data::entry::{Header, Location};
use skilltree_skills::source::store::Position;

/// Maximum bytes of a pack entry's header: a size of at most ten, and a distance of at most ten.
const HEAD_BYTES: usize = 20;

/// Maximum length of a delta chain. Git creates chains of at most 4,095.
const LINKS: usize = 4_096;

/// Returns the pack of an object and the offsets from the root of its chain down to it; `None` if it is not a delta, or
/// its base is not: then finding the position costs as much as it saves. In the order of positions a delta directly
/// follows its base, before further deltas of that base.
pub(super) fn position(objects: &gix::OdbHandle, id: &gix::oid, buffer: &mut Vec<u8>) -> Option<Position> {
    objects.try_header(id).ok()??.num_deltas().filter(|&deltas| deltas > 1)?;
    let Location { pack_id, pack_offset, .. } = objects.location_by_oid(id, buffer).ok()??;
    let mut offset = pack_offset;
    let mut position = vec![offset];
    while let Some(base) = base(objects, pack_id, offset)
        && position.len() < LINKS
    {
        position.push(base);
        offset = base;
    }
    position.push(u64::from(pack_id));
    position.reverse();
    Some(position)
}

/// Returns the offset of the base of a delta, if the pack stores it as an offset.
fn base(objects: &gix::OdbHandle, pack_id: u32, pack_offset: u64) -> Option<u64> {
    let head = objects.entry_by_location(&Location { pack_id, pack_offset, entry_size: HEAD_BYTES })?;
    let entry = Entry::from_bytes(&head.data, pack_offset, objects.store_ref().object_hash()).ok()?;
    match entry.header {
        Header::OfsDelta { base_distance } => Header::verified_base_pack_offset(pack_offset, base_distance),
        _ => None,
    }
}
