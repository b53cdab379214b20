//! Validation of the bytes of an index before decoding: a few bytes can request more memory, or a deeper stack, than
//! there is.

use gix::index::Version;

/// Maximum bytes of an index, and of all its paths (ours: 128 MiB, a million files).
pub(super) const INDEX_BYTES: u64 = 128 << 20;

/// Maximum nesting of a cache extension: the depth of the longest path.
const DEPTH: usize = skilltree_skills::source::PATH_BYTES / 2;

/// The reason that an index is invalid, as the end of a sentence.
type Reason = &'static str;

/// Validates an index, and returns the id of its shared index if it is split.
pub(super) fn scan(bytes: &[u8], hash: gix::hash::Kind) -> Result<Option<gix::ObjectId>, Reason> {
    let hash_bytes = hash.len_in_bytes();
    let body = bytes.len().checked_sub(hash_bytes).map(|end| &bytes[..end]).ok_or("it is truncated")?;
    let (b"DIRC", rest) = body.split_at_checked(4).ok_or("it is truncated")? else {
        return Err("it is not an index file");
    };
    let (version, rest) = number(rest).ok_or("it is truncated")?;
    let (count, rest) = number(rest).ok_or("it is truncated")?;
    let version = match version {
        2 => Version::V2,
        3 => Version::V3,
        4 => Version::V4,
        _ => return Err("its version is not supported"),
    };
    let extensions = Entries { rest, version, hash_bytes, path_bytes: 0, all_path_bytes: 0 }.skip(count)?;
    link(extensions, hash)
}

/// The remaining entries. Only version 4 stores paths as differences from the previous one.
struct Entries<'a> {
    rest: &'a [u8],
    version: Version,
    hash_bytes: usize,
    /// Bytes of the previous path.
    path_bytes: usize,
    all_path_bytes: u64,
}

impl<'a> Entries<'a> {
    fn skip(mut self, count: u32) -> Result<&'a [u8], Reason> {
        for _ in 0..count {
            self.next().ok_or("it is truncated or has a malformed entry")?;
            self.all_path_bytes += self.path_bytes as u64;
            if self.path_bytes > skilltree_skills::source::PATH_BYTES {
                return Err("a path is longer than 4,096 bytes");
            }
            if self.all_path_bytes > INDEX_BYTES {
                return Err("its paths have more than 128 MiB in total");
            }
        }
        Ok(self.rest)
    }

    fn next(&mut self) -> Option<()> {
        // Ten 4-byte stat fields, including the mode, precede the id.
        let fixed = 40 + self.hash_bytes;
        let flags = self.rest.get(fixed..fixed + 2)?;
        let is_extended = flags[0] & 0x40 != 0;
        let short = usize::from(u16::from_be_bytes([flags[0], flags[1]]) & 0xfff);
        let start = fixed + if is_extended { 4 } else { 2 };
        let path = self.rest.get(start..)?;
        if self.version == Version::V4 {
            let (cut, path) = varint(path)?;
            let (suffix, rest) = split_at_zero(path)?;
            self.path_bytes = self.path_bytes.checked_sub(usize::try_from(cut).ok()?)? + suffix.len();
            self.rest = rest;
            return Some(());
        }
        self.path_bytes = if short < 0xfff { short } else { split_at_zero(path)?.0.len() };
        // One to eight zero bytes pad an entry to a multiple of eight.
        let length = (start + self.path_bytes + 8) & !7;
        self.rest = self.rest.get(length..)?;
        Some(())
    }
}

/// Validates the extensions after the entries, and returns the id in `link`.
fn link(mut rest: &[u8], hash: gix::hash::Kind) -> Result<Option<gix::ObjectId>, Reason> {
    let mut link = None;
    while !rest.is_empty() {
        let (signature, after) = rest.split_at_checked(4).ok_or("unexpected bytes follow its extensions")?;
        let (length, after) = number(after).ok_or("an extension is truncated")?;
        let (data, after) = after.split_at_checked(length as usize).ok_or("an extension is truncated")?;
        // Zeros in place of entries would be read as optional extensions.
        if !signature[0].is_ascii_alphabetic() {
            return Err("unexpected bytes follow its entries");
        }
        match signature {
            b"TREE" if is_too_deep(data, |data| tree_node(data, hash.len_in_bytes())) => {
                return Err("its tree cache is nested too deeply");
            }
            b"UNTR" if untracked(data, hash).is_some_and(|data| is_too_deep(data, untracked_node)) => {
                return Err("its untracked cache is nested too deeply");
            }
            b"link" => {
                let id = data.get(..hash.len_in_bytes()).ok_or("its link extension is truncated")?;
                link = Some(gix::ObjectId::from_bytes_or_panic(id)).filter(|id| !id.is_null());
            }
            _ => {}
        }
        rest = after;
    }
    Ok(link)
}

/// Returns whether nodes, each followed by its children, are nested deeper than directories can be. gix parses them
/// recursively.
fn is_too_deep(mut rest: &[u8], node: impl Fn(&[u8]) -> Option<(usize, &[u8])>) -> bool {
    let mut open: Vec<usize> = Vec::new();
    loop {
        let Some((children, after)) = node(rest) else { return false };
        rest = after;
        open.push(children);
        if open.len() > DEPTH {
            return true;
        }
        while open.last() == Some(&0) {
            open.pop();
        }
        let Some(last) = open.last_mut() else { return false };
        *last -= 1;
    }
}

/// Parses a node of the tree cache: its name, the number of entries and of subdirectories, and its id.
fn tree_node(data: &[u8], hash_bytes: usize) -> Option<(usize, &[u8])> {
    let (_, data) = split_at_zero(data)?;
    let end = data.iter().position(|byte| *byte == b'\n')?;
    let (entries, children) = std::str::from_utf8(&data[..end]).ok()?.split_once(' ')?;
    let id_bytes = if entries.starts_with('-') { 0 } else { hash_bytes };
    Some((children.parse().ok()?, data.get(end + 1 + id_bytes..)?))
}

/// Returns the root node of the untracked cache, after its header.
fn untracked(data: &[u8], hash: gix::hash::Kind) -> Option<&[u8]> {
    let (length, data) = varint(data)?;
    let data = data.get(usize::try_from(length).ok()?..)?;
    let (_, data) = split_at_zero(data.get(36 + 36 + 4 + 2 * hash.len_in_bytes()..)?)?;
    varint(data).map(|(_, data)| data)
}

/// Parses a node of the untracked cache: the number of names and of subdirectories, its name, and the names.
fn untracked_node(data: &[u8]) -> Option<(usize, &[u8])> {
    let (names, data) = varint(data)?;
    let (children, data) = varint(data)?;
    let (_, mut data) = split_at_zero(data)?;
    for _ in 0..names {
        data = split_at_zero(data)?.1;
    }
    Some((usize::try_from(children).ok()?, data))
}

fn number(data: &[u8]) -> Option<(u32, &[u8])> {
    data.split_first_chunk().map(|(bytes, rest)| (u32::from_be_bytes(*bytes), rest))
}

fn split_at_zero(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bstr::ByteSlice::find_byte(data, 0)?;
    Some((&data[..end], &data[end + 1..]))
}

/// Parses a variable-length number, in the encoding of pack offsets.
fn varint(data: &[u8]) -> Option<(u64, &[u8])> {
    let (mut byte, mut rest) = data.split_first()?;
    let mut value = u64::from(byte & 127);
    while byte & 128 != 0 {
        (byte, rest) = rest.split_first()?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(byte & 127))?;
    }
    Some((value, rest))
}
