//! One block of a table: records whose keys share prefixes, sorted, and the offsets of the records where a reader may start.

/// What is wrong with a table, as the end of a sentence.
pub(super) type Fault = &'static str;

pub(super) const ENDS_EARLY: Fault = "it ends too early";
const UNSORTED: Fault = "its records are not sorted";
const NUMBER: Fault = "it contains a malformed number";
const RESTARTS: Fault = "a block has malformed restart offsets";

/// The bytes of the type and the length of a block.
const HEADER_BYTES: usize = 4;

/// A sequence of bytes that is read from its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Returns the next bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let rest = self.bytes.get(self.at..).ok_or(ENDS_EARLY)?;
        let taken = rest.get(..length).ok_or(ENDS_EARLY)?;
        self.at += length;
        Ok(taken)
    }

    /// Returns a number of so many bytes, the highest first.
    pub(super) fn number(&mut self, length: usize) -> Result<usize, Fault> {
        let number = self.take(length)?.iter().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
        usize::try_from(number).map_err(|_| NUMBER)
    }

    /// Returns a number of variable length: seven bits per byte, where each further byte adds one to the bits before it.
    pub(super) fn varint(&mut self) -> Result<usize, Fault> {
        let mut number = 0u64;
        loop {
            let &[byte] = self.take(1)? else { return Err(ENDS_EARLY) };
            number |= u64::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return usize::try_from(number).map_err(|_| NUMBER);
            }
            number = number.checked_add(1).filter(|number| number >> 57 == 0).ok_or(NUMBER)? << 7;
        }
    }
}

/// A block, found by its header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    /// The bytes from the start of the block to the end of its records. Restart offsets count from here.
    bytes: &'a [u8],
    /// Where the records start.
    records: usize,
    restarts: &'a [u8],
    /// The length of the block without padding.
    pub(super) length: usize,
}

impl<'a> Block<'a> {
    /// Reads the block of a type at the start of some bytes. `skip` is the length of the header of the file, which is a part of
    /// the first block.
    pub(super) fn new(bytes: &'a [u8], skip: usize, kind: u8) -> Result<Self, Fault> {
        let mut header = Cursor::new(bytes, skip);
        if header.take(1)? != [kind] {
            return Err("a block has another type than expected");
        }
        let length = header.number(3)?;
        let records = skip + HEADER_BYTES;
        let block = bytes.get(..length).ok_or(ENDS_EARLY)?;
        let (rest, count) = block.split_last_chunk::<2>().ok_or(RESTARTS)?;
        let restarts = 3 * usize::from(u16::from_be_bytes(*count));
        let end = rest.len().checked_sub(restarts).filter(|&end| end > records && restarts > 0).ok_or(RESTARTS)?;
        Ok(Self { bytes: &rest[..end], records, restarts: &rest[end..], length })
    }

    /// Returns the records, from the first one.
    pub(super) fn records(&self) -> Records<'a> {
        Records { value: Cursor::new(self.bytes, self.records), key: Vec::new(), restarts: self.restarts }
    }
}

/// The records of a block, read one after another.
pub(super) struct Records<'a> {
    /// The value of the current record, which the caller reads before it advances.
    pub(super) value: Cursor<'a>,
    /// The key of the current record.
    pub(super) key: Vec<u8>,
    /// The offsets of the records ahead whose keys are complete.
    restarts: &'a [u8],
}

impl Records<'_> {
    /// Advances to the next record and returns the type of its value; `None` after the last one. Reading from a restart must lead
    /// to the same records, so this checks the restarts, too.
    pub(super) fn advance(&mut self) -> Result<Option<u8>, Fault> {
        let start = self.value.at;
        if start == self.value.bytes.len() {
            return if self.restarts.is_empty() { Ok(None) } else { Err(RESTARTS) };
        }
        let prefix = self.value.varint()?;
        let length = self.value.varint()?;
        let suffix = self.value.take(length >> 3)?;
        if suffix <= self.key.get(prefix..).ok_or("a key shares more bytes than the key before it has")? {
            return Err(UNSORTED);
        }
        if let Some((restart, rest)) = self.restarts.split_at_checked(3) {
            let restart = Cursor::new(restart, 0).number(3)?;
            if restart < start || (restart == start && prefix > 0) {
                return Err(RESTARTS);
            }
            if restart == start {
                self.restarts = rest;
            }
        }
        self.key.truncate(prefix);
        self.key.extend_from_slice(suffix);
        Ok(Some((length & 7) as u8))
    }
}

/// Rejects a key that does not follow the one before it, in another block.
pub(super) fn require_order(before: Option<&[u8]>, key: &[u8]) -> Result<(), Fault> {
    if before.is_none_or(|before| before < key) { Ok(()) } else { Err(UNSORTED) }
}
