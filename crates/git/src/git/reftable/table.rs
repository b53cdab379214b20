//! One table: a file of sorted references. Nothing in it is trusted: it is read from start to end once, so that each way of looking
//! a name up finds the same value.

use bstr::{BStr, BString, ByteSlice};

use super::block::{Block, Cursor, ENDS_EARLY, Fault, Records, require_order};

const MAGIC: &[u8] = b"REFT";

/// The positions of sections and the checksum, after a copy of the header.
const FOOTER_BYTES: usize = 5 * 8 + 4;

const REFERENCES: u8 = b'r';
const INDEX: u8 = b'i';
const LOGS: u8 = b'g';

const POSITIONS: Fault = "the positions of its sections are malformed";
const PADDING: Fault = "there is something else than padding between its blocks";
const INDEXED: Fault = "its index does not match its blocks";

/// The value of a reference in one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// It was deleted, whatever older tables contain.
    Deleted,
    /// The id of an object. A tag may have the id of its target, too, which is not read: a tag is followed by its bytes.
    Id(gix::ObjectId),
    /// The name of another reference.
    Symbolic(BString),
}

/// A table whose bytes were checked.
#[derive(Debug)]
pub(super) struct Table {
    bytes: Vec<u8>,
    header: Header,
    /// The blocks with references.
    blocks: Vec<Place>,
}

/// A block in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    start: usize,
    /// Its last key.
    last: BString,
}

/// The header of a table.
#[derive(Clone, Copy, Debug)]
struct Header {
    bytes: usize,
    /// The alignment of blocks; 0 without one.
    block: usize,
    /// The length of an id.
    digest: usize,
}

impl Header {
    fn new(bytes: &[u8], hash: gix::hash::Kind) -> Result<Self, Fault> {
        let mut cursor = Cursor::new(bytes, 0);
        if cursor.take(MAGIC.len())? != MAGIC {
            return Err("it is not a reftable");
        }
        let version = cursor.number(1)?;
        let block = cursor.number(3)?;
        cursor.take(16)?;
        let (bytes, named) = match version {
            1 => (24, &b"sha1"[..]),
            2 => (28, cursor.take(4)?),
            _ => return Err("its version is unknown"),
        };
        let expected = if hash == gix::hash::Kind::Sha256 { &b"s256"[..] } else { &b"sha1"[..] };
        if named != expected {
            return Err("it has ids of another hash function than the repository");
        }
        Ok(Self { bytes, block, digest: hash.len_in_bytes() })
    }
}

impl Table {
    /// Reads a table from the bytes of its file.
    pub(super) fn new(bytes: Vec<u8>, hash: gix::hash::Kind) -> Result<Self, Fault> {
        let header = Header::new(&bytes, hash)?;
        let end = bytes.len().checked_sub(header.bytes + FOOTER_BYTES).ok_or(ENDS_EARLY)?;
        let (data, footer) = bytes.split_at(end);
        let (data, footer) = if end < header.bytes { return Err(ENDS_EARLY) } else { (data, footer) };
        let sections = Sections::new(data, footer, header)?;
        let blocks = sections.blocks(data, header)?;
        Ok(Self { bytes, header, blocks })
    }

    /// Returns the value of a reference; `None` if this table does not have it.
    pub(super) fn get(&self, name: &BStr) -> Result<Option<Value>, Fault> {
        let number = self.blocks.partition_point(|block| block.last.as_bstr() < name);
        let Some(place) = self.blocks.get(number) else { return Ok(None) };
        let mut records = self.records(place)?;
        while let Some(kind) = records.advance()? {
            let value = value(&mut records, kind, self.header.digest)?;
            if records.key == name.as_bytes() {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Visits every reference in the order of names, until the visitor returns `false`.
    pub(super) fn visit(&self, mut visit: impl FnMut(&BStr, Value) -> bool) -> Result<(), Fault> {
        for place in &self.blocks {
            let mut records = self.records(place)?;
            while let Some(kind) = records.advance()? {
                let value = value(&mut records, kind, self.header.digest)?;
                if !visit(records.key.as_bstr(), value) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn records(&self, place: &Place) -> Result<Records<'_>, Fault> {
        let skip = if place.start == 0 { self.header.bytes } else { 0 };
        Ok(Block::new(&self.bytes[place.start..], skip, REFERENCES)?.records())
    }
}

/// Returns the value of the current record.
fn value(records: &mut Records<'_>, kind: u8, digest: usize) -> Result<Value, Fault> {
    // When it was written does not matter: the order of the tables decides.
    records.value.varint()?;
    let mut id = || {
        let id = records.value.take(digest)?;
        gix::ObjectId::try_from(id).map_err(|_| "it contains a malformed id")
    };
    Ok(match kind {
        0 => Value::Deleted,
        1 => Value::Id(id()?),
        2 => {
            let own = id()?;
            id()?;
            Value::Id(own)
        }
        3 => {
            let length = records.value.varint()?;
            Value::Symbolic(records.value.take(length)?.into())
        }
        _ => return Err("it contains a value of an unknown type"),
    })
}

/// Where the sections of a table are.
struct Sections {
    /// The first block of the highest level of the index; 0 without one.
    index: usize,
    /// The end of the references and of their index.
    end: usize,
    /// Whether the log is the first section.
    is_log: bool,
}

impl Sections {
    /// Reads and validates the footer. `data` is everything before it.
    fn new(data: &[u8], footer: &[u8], header: Header) -> Result<Self, Fault> {
        let (rest, checksum) = footer.split_last_chunk::<4>().ok_or(ENDS_EARLY)?;
        if crc32fast::hash(rest) != u32::from_be_bytes(*checksum) {
            return Err("its checksum is wrong");
        }
        if rest[..header.bytes] != data[..header.bytes] {
            return Err("its footer does not match its header");
        }
        let mut positions = Cursor::new(rest, header.bytes);
        let [index, objects, _, logs, _] =
            [positions.number(8), positions.number(8), positions.number(8), positions.number(8), positions.number(8)];
        // The low five bits are the length of abbreviated ids.
        let (index, objects, logs) = (index?, objects? >> 5, logs?);
        let is_in = |&position: &usize| position == 0 || (header.bytes..data.len()).contains(&position);
        if ![index, objects, logs].iter().all(is_in) {
            return Err(POSITIONS);
        }
        let end = [objects, logs].into_iter().filter(|&position| position > 0).min().unwrap_or(data.len());
        let is_log = data.get(header.bytes) == Some(&LOGS);
        Ok(Self { index, end, is_log })
    }

    /// Returns the blocks with references, after reading all of them and their index.
    fn blocks(&self, data: &[u8], header: Header) -> Result<Vec<Place>, Fault> {
        if self.is_log {
            // Only logs: deflated bytes, which no block with references has in this place.
            let is_deflated = data.get(header.bytes + 4).is_some_and(|byte| byte & 0x0f == 8);
            let is_first = self.index == 0 && (self.end == data.len() || self.end == header.bytes);
            return if is_deflated && is_first { Ok(Vec::new()) } else { Err(POSITIONS) };
        }
        let data = &data[..self.end];
        let mut blocks: Vec<Place> = Vec::new();
        let mut start = 0;
        let mut next = header.bytes;
        while data.get(next) == Some(&REFERENCES) {
            let skip = next - start;
            let block = Block::new(&data[start..], skip, REFERENCES)?;
            let mut records = block.records();
            let mut is_first = true;
            while let Some(kind) = records.advance()? {
                if std::mem::take(&mut is_first) {
                    require_order(blocks.last().map(|block| block.last.as_bytes()), &records.key)?;
                }
                value(&mut records, kind, header.digest)?;
            }
            blocks.push(Place { start, last: records.key.into() });
            next = after(data, start, block.length, header.block)?;
            start = next;
        }
        self.validate_index(data, header, next, &blocks)?;
        Ok(blocks)
    }

    /// Rejects an index that does not lead to exactly the blocks before it. Its lowest level comes first; each level lists the
    /// blocks of the level below it.
    fn validate_index(&self, data: &[u8], header: Header, first: usize, blocks: &[Place]) -> Result<(), Fault> {
        let mut listed = blocks.to_vec();
        let mut level: Vec<Place> = Vec::new();
        let (mut number, mut start) = (0, first);
        while start < data.len() {
            if number == listed.len() {
                listed = std::mem::take(&mut level);
                number = 0;
            }
            let block = Block::new(&data[start..], 0, INDEX)?;
            let mut records = block.records();
            while records.advance()?.is_some() {
                let position = records.value.varint()?;
                let is_next = |place: &&Place| place.start == position && place.last == records.key;
                listed.get(number).filter(is_next).ok_or(INDEXED)?;
                number += 1;
            }
            level.push(Place { start, last: records.key.into() });
            start = after(data, start, block.length, header.block)?;
        }
        let is_complete = if self.index == 0 { level.is_empty() } else { number == listed.len() };
        let is_root = level.first().map_or(0, |place| place.start) == self.index;
        if is_complete && is_root { Ok(()) } else { Err(INDEXED) }
    }
}

/// Returns the start of the block after one: directly after it, or after padding up to the alignment.
fn after(data: &[u8], start: usize, length: usize, alignment: usize) -> Result<usize, Fault> {
    let next = start + length;
    if data.get(next).is_none_or(|&byte| byte != 0) {
        return Ok(next);
    }
    let aligned = start.saturating_add(alignment);
    let padding = data.get(next..aligned).ok_or(PADDING)?;
    if padding.is_empty() || padding.iter().any(|&byte| byte != 0) { Err(PADDING) } else { Ok(aligned) }
}
