//! What stands in the way of any edit of a file.

use bstr::{BStr, BString, ByteSlice};

use crate::config;
use crate::lint::Report;
use crate::roots;
use crate::snapshot::{Mode, Role};
use crate::text::{self, FileId};

/// What stands in the way of any edit of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It is reached through a symbolic link: nothing is written through one.
    Link,
    /// A signature stands beside it, in the file of this name: an edit would break it.
    Signature(BString),
    /// It is a configuration that the caller took from elsewhere, or that is not ours.
    Elsewhere,
}

/// The ends of the names of detached signatures: OpenPGP, minisign, Sigstore, CMS, and whatever calls itself one, such as
/// `skill.oms.sig`, which NVIDIA puts beside each of its skills.
const SIGNATURES: [&[u8]; 6] = [b".sig", b".asc", b".minisig", b".sigstore", b".sigstore.json", b".p7s"];

/// What stands in the way of edits of a file, if anything does. `settings` says whether skilltree.toml is the source's own.
pub(super) fn find(report: &Report, file: FileId, settings: bool) -> Option<Obstacle> {
    let catalog = &report.catalog;
    let file = catalog.file(file);
    if file.role == Role::Config {
        return (file.path != config::SETTINGS || !settings).then_some(Obstacle::Elsewhere);
    }
    if file.mode == Mode::Link || file.through.is_some() {
        return Some(Obstacle::Link);
    }
    let directory = text::parent(file.path.as_bstr());
    // Configuration files stand behind the sorted ones.
    let files = &catalog.parsed.files;
    let sorted = &files[..files.partition_point(|file| file.role != Role::Config)];
    let first = sorted.partition_point(|file| file.path.as_bstr() < directory);
    let mut within = sorted[first..].iter().take_while(|file| roots::is_within(file.path.as_bstr(), directory));
    let beside =
        within.find(|file| text::parent(file.path.as_bstr()) == directory && is_signature(file.path.as_bstr()));
    beside.map(|file| Obstacle::Signature(text::file_name(file.path.as_bstr()).to_owned()))
}

fn is_signature(path: &BStr) -> bool {
    let name = text::file_name(path).to_ascii_lowercase();
    SIGNATURES.iter().any(|end| name.ends_with(end))
}
