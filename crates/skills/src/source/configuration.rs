//! Reading configuration files.

use bstr::BStr;

use super::find::Finder;
use super::store::{self, Kind};
use super::{CONFIG_BYTES, Error, OBJECT_BYTES, Source, read};
use crate::snapshot::{Body, File, Mode, Role};

impl Source {
    /// Returns a configuration file, with its text if it is a regular file of at most [`CONFIG_BYTES`], otherwise with
    /// its kind. Links are not followed. `None` if the source is a root or one skill.
    ///
    /// # Errors
    /// If it, or a directory above it, cannot be read.
    pub fn file(&self, path: &BStr) -> Result<Option<File>, Error> {
        self.file_within(path, CONFIG_BYTES)
    }

    /// Returns a configuration file of at most `limit` bytes.
    pub(super) fn file_within(&self, path: &BStr, most: u64) -> Result<Option<File>, Error> {
        if self.is_root() {
            return Ok(None);
        }
        let Some((spot, entry)) = Finder::new(&*self.store).at(path)? else { return Ok(None) };
        let mut reader = self.store.reader();
        let mut id = entry.id;
        let (mode, body) = match entry.kind {
            Kind::Known(mode @ (Mode::File | Mode::Executable)) => match reader.content(&spot, most)? {
                store::Content::Bytes { bytes, id: read } => {
                    id = Some(read);
                    (mode, Body::Text(bytes))
                }
                store::Content::TooLarge { bytes } => {
                    id = id.map_or_else(|| reader.id(&spot), |id| Ok(Some(id)))?;
                    (mode, Body::TooLarge { bytes })
                }
            },
            Kind::Known(Mode::Link) => {
                let link = Finder::new(&*self.store).follow(&spot)?;
                (Mode::Link, Body::Symlink { target: link.target, resolution: link.resolution })
            }
            Kind::Known(Mode::Submodule) => (Mode::Submodule, Body::Submodule),
            Kind::Known(Mode::Directory) => (Mode::Directory, Body::Directory),
            Kind::Unmerged => (Mode::File, Body::Unmerged),
            Kind::Special => (Mode::File, Body::Special),
        };
        Ok(Some(File { id, mode, state: entry.state, ..File::new(path, Role::Config, None, body) }))
    }

    /// Returns whether there is an entry at a path. Links are not followed, and nothing is read. `false` if the source is a root or one
    /// skill.
    ///
    /// # Errors
    /// If a directory above it cannot be read.
    pub fn has(&self, path: &BStr) -> Result<bool, Error> {
        Ok(!self.is_root() && Finder::new(&*self.store).at(path)?.is_some())
    }

    /// Returns the bytes of a regular file that was listed before; `None` if it has more than [`CONFIG_BYTES`]. No directory is read.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn content(&self, file: &File) -> Result<Option<Vec<u8>>, Error> {
        Ok(match self.store.reader().content(&read::spot(file), CONFIG_BYTES)? {
            store::Content::Bytes { bytes, .. } => Some(bytes),
            store::Content::TooLarge { .. } => None,
        })
    }

    /// Returns whether a regular file that was listed before begins with some bytes. In doubt it does: if it has more than
    /// [`OBJECT_BYTES`].
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn begins_with(&self, file: &File, start: &[u8]) -> Result<bool, Error> {
        Ok(match self.store.reader().content(&read::spot(file), OBJECT_BYTES)? {
            store::Content::Bytes { bytes, .. } => bytes.starts_with(start),
            store::Content::TooLarge { .. } => true,
        })
    }
}
