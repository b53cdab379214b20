//! Files in usual directories of plugins, which a key of the manifest replaces.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};

use super::agents;
use super::find::Finder;
use super::store::{Content, Spot};
use super::{CONFIG_BYTES, Error};
use crate::manifest::{self, Manifest};

/// Maximum entries of these directories, and of the directories below them (ours: 100,000).
const ENTRIES: usize = 100_000;

/// Maximum bytes of these files (ours: 16 MiB).
const BYTES: usize = 16 << 20;

/// Returns the files with front matter in the directories. One without is not an agent or a command that its author misses.
pub(super) fn find<'m>(
    finder: &mut Finder<'_>,
    manifests: impl Iterator<Item = &'m Manifest>,
) -> Result<BTreeSet<BString>, Error> {
    let mut directories: BTreeSet<BString> = BTreeSet::new();
    let mut named: BTreeSet<BString> = BTreeSet::new();
    for manifest in manifests {
        for (_, value, directory) in manifest.replacing() {
            directories.insert(directory);
            let paths = manifest::named_paths(value);
            named.extend(paths.filter_map(|path| manifest::below(manifest.base.as_bstr(), path.text)));
        }
    }
    if directories.is_empty() {
        return Ok(BTreeSet::new());
    }
    let pages = agents::pages(finder, directories.iter().map(|directory| directory.as_bstr()), ENTRIES)?;
    let (mut found, mut bytes_left) = (BTreeSet::new(), BYTES);
    for (spot, _) in pages.into_iter().filter(|(spot, _)| !named.contains(&spot.path)) {
        if has_front_matter(finder, &spot, &mut bytes_left)? {
            found.insert(spot.path);
        }
    }
    Ok(found)
}

fn has_front_matter(finder: &mut Finder<'_>, spot: &Spot, bytes_left: &mut usize) -> Result<bool, Error> {
    let Content::Bytes { bytes, .. } = finder.content(spot, CONFIG_BYTES)? else { return Ok(false) };
    *bytes_left = bytes_left.checked_sub(bytes.len()).ok_or(Error::TooLongAgents { limit: BYTES })?;
    Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).starts_with(b"---"))
}
