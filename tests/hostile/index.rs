//! Writes index files entry by entry: git rejects most of these indexes.

use crate::objects::{checksum, raw};

/// An entry of an index or of a tree.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) mode: String,
    pub(crate) path: Vec<u8>,
    pub(crate) id: String,
    /// 1 to 3 where it is unmerged.
    pub(crate) stage: u16,
}

/// An index of version 2 with these entries, in their order.
pub(crate) fn file(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = b"DIRC\0\0\0\x02".to_vec();
    bytes.extend(u32::try_from(entries.len()).expect("they are few").to_be_bytes());
    for entry in entries {
        let start = bytes.len();
        // Times, device and inode are not known; git would look at the file again.
        bytes.extend([0; 24]);
        bytes.extend(u32::from_str_radix(&entry.mode, 8).expect("an octal mode").to_be_bytes());
        bytes.extend([0; 12]);
        bytes.extend(raw(&entry.id));
        let length = u16::try_from(entry.path.len()).unwrap_or(0xfff).min(0xfff);
        bytes.extend((entry.stage << 12 | length).to_be_bytes());
        bytes.extend_from_slice(&entry.path);
        let padded = (bytes.len() - start) / 8 * 8 + 8;
        bytes.resize(start + padded, 0);
    }
    seal(bytes)
}

/// The same with the checksum that belongs to it.
pub(crate) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(checksum(&bytes));
    bytes
}
