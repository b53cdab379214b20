//! Objects that a pack stores as the difference from another one.
//!
//! Such an object costs as much as the whole chain of what it differs from, unless its base was decoded just before.
//! Git keeps 96 MiB of bases and takes objects as they come; we take them in the order of their families, so that a
//! few MiB are enough on every thread.

use gix::odb::Header as _;
use gix::odb::pack::Find as _;
use gix::odb::pack::data::Entry;
use gix::odb::pack::data::entry::{Header, Location};

use crate::source::store::Position;

/// Bytes that hold the head of any entry of a pack: a size of at most ten, and a distance of at most ten.
const HEAD_BYTES: usize = 20;

/// Links of a chain that are looked at. Git makes chains of at most 4,095.
const LINKS: usize = 4_096;

/// The pack of an object and the offsets from the root of its family down to its own; `None` when it is stored whole, or
/// as the difference from something whole: finding its place would cost as much as it saves. In the order of positions
/// an object stands right behind what it differs from, before what differs from that too.
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

/// The offset of what the entry at an offset differs from, where the pack says it by an offset.
fn base(objects: &gix::OdbHandle, pack_id: u32, pack_offset: u64) -> Option<u64> {
    let head = objects.entry_by_location(&Location { pack_id, pack_offset, entry_size: HEAD_BYTES })?;
    let entry = Entry::from_bytes(&head.data, pack_offset, objects.store_ref().object_hash()).ok()?;
    match entry.header {
        Header::OfsDelta { base_distance } => Header::verified_base_pack_offset(pack_offset, base_distance),
        _ => None,
    }
}
