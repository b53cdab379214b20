//! Objects that git never writes: trees byte by byte, loose files with false sizes, packs with expanding deltas.

/// The bytes of a tree from modes, names and ids, in their order.
pub(crate) fn tree(entries: impl IntoIterator<Item = (Vec<u8>, Vec<u8>, String)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (mode, name, id) in entries {
        bytes.extend(mode);
        bytes.push(b' ');
        bytes.extend(name);
        bytes.push(0);
        bytes.extend(raw(&id));
    }
    bytes
}

/// The bytes of an id in hexadecimal digits.
pub(crate) fn raw(id: &str) -> Vec<u8> {
    let pairs = id.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap_or_else(|_| panic!("`{id}` is not an id"))).collect()
}

/// A loose object with any header.
pub(crate) fn loose(kind: &str, size: &str, bytes: &[u8]) -> Vec<u8> {
    let mut content = format!("{kind} {size}\0").into_bytes();
    content.extend_from_slice(bytes);
    stored(&content)
}

/// A pack of a base and its delta: `count` copies of the base.
pub(crate) fn delta_pack(base: &[u8], base_id: &str, count: u64) -> Vec<u8> {
    let mut delta = size(base.len() as u64);
    delta.extend(size(base.len() as u64 * count));
    // Copy from offset 0: the flags say which bytes of the length follow; none is 65,536.
    assert_eq!(base.len(), 0x1_0000);
    delta.extend((0..count).map(|_| 0x80));
    let mut pack = b"PACK\0\0\0\x02\0\0\0\x02".to_vec();
    pack.extend(entry(3, base.len()));
    pack.extend(stored(base));
    pack.extend(entry(7, delta.len()));
    pack.extend(raw(base_id));
    pack.extend(stored(&delta));
    pack.extend(checksum(&pack));
    pack
}

/// The SHA-1 of bytes.
pub(crate) fn checksum(bytes: &[u8]) -> Vec<u8> {
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(bytes);
    let digest: [u8; 20] = hasher.finalize().expect("these bytes are not a collision attack").into();
    digest.to_vec()
}

/// The header of an object in a pack.
fn entry(kind: u8, length: usize) -> Vec<u8> {
    let mut rest = length >> 4;
    let mut bytes = vec![kind << 4 | (length & 15) as u8];
    while rest > 0 {
        *bytes.last_mut().expect("it has one byte") |= 0x80;
        bytes.push((rest & 127) as u8);
        rest >>= 7;
    }
    bytes
}

/// A length as deltas write it.
fn size(mut length: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let more = length > 127;
        bytes.push((length & 127) as u8 | u8::from(more) << 7);
        length >>= 7;
        if !more {
            return bytes;
        }
    }
}

/// A zlib stream that compresses nothing.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = bytes.chunks(0xffff).peekable();
    if blocks.peek().is_none() {
        stream.extend([1, 0, 0, 0xff, 0xff]);
    }
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).expect("a block is short");
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    let (mut a, mut b) = (1u32, 0u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}
