//! Markdown files anywhere in a source, for a search of their texts.

use bstr::{BString, ByteSlice};

use super::Error;
use super::store::{self, Content, Kind, Spot, Store};
use crate::skill::paths::is_markdown;
use crate::snapshot::{Mode, State};
use skilltree_front_matter::text;

/// Maximum number of Markdown files that are searched.
pub const PAGES: usize = 2_000;

/// Maximum number of directories that are listed, and of pages in them: trees that share children have more paths than fit in memory.
const LISTED: usize = 100_000;

/// Maximum bytes of a page, and of all pages together.
const PAGE_BYTES: u64 = 1 << 20;
const ALL_BYTES: usize = 32 << 20;

/// Calls a function with the path and the text of each Markdown file that Git tracks, and maybe of those that were not added, without
/// files that record history, such as CHANGELOG.md. Files that cannot be read, or are too large, are skipped. Returns whether all files
/// were read.
///
/// # Errors
/// If a directory cannot be read.
pub(super) fn each(
    store: &dyn Store,
    with_untracked: bool,
    mut visit: impl FnMut(&BString, &[u8]),
) -> Result<bool, Error> {
    let mut reader = store.reader();
    let (mut open, mut pages) = (vec![store.top()], Vec::new());
    let mut listed = 0;
    while listed < LISTED && pages.len() < LISTED && open.len() < LISTED {
        let Some(directory) = open.pop() else { break };
        listed += 1;
        for entry in reader.children(&directory)? {
            let path = store::join(directory.path.as_bstr(), entry.name.as_bstr());
            let is_added = entry.state == State::Tracked || with_untracked && entry.state == State::Untracked;
            let is_own = is_added && !super::is_skipped(entry.name.as_bstr());
            match entry.kind {
                Kind::Known(Mode::Directory) if is_own => open.push(Spot { path, id: entry.id }),
                Kind::Known(Mode::File | Mode::Executable) if is_own && is_page(&path) => {
                    pages.push(Spot { path, id: entry.id });
                }
                _ => {}
            }
        }
    }
    // The files at the top, such as README.md and AGENTS.md, come first.
    pages.sort_by_key(|page| (page.path.find_iter("/").count(), page.path.clone()));
    let mut left = ALL_BYTES;
    for page in pages.iter().take(PAGES) {
        if let Ok(Content::Bytes { bytes, .. }) = reader.content(page, PAGE_BYTES) {
            let Some(rest) = left.checked_sub(bytes.len()) else { return Ok(false) };
            left = rest;
            visit(&page.path, &bytes);
        }
    }
    Ok(pages.len() <= PAGES && open.is_empty())
}

fn is_page(path: &BString) -> bool {
    let name = text::file_name(path.as_bstr()).to_ascii_lowercase();
    let is_history =
        ["changelog", "changes", "history", "news", "release"].iter().any(|word| name.starts_with(word.as_bytes()));
    is_markdown(path.as_bstr()) && !is_history
}
