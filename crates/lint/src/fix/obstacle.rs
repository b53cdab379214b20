//! Obstacles that prevent every edit of a file.

use bstr::{BStr, BString, ByteSlice};

use crate::config;
use crate::lint::Report;
use skilltree_front_matter::text::{self, FileId};
use skilltree_skills::manifest;
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::{Mode, Role};

/// Obstacle that prevents every edit of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The file is a symbolic link. skilltree does not write through links.
    Link,
    /// A signature file with this name is next to the file: an edit would invalidate it.
    Signature(BString),
    /// The configuration comes from elsewhere, or is not skilltree.toml.
    Elsewhere,
}

/// Suffixes of detached signatures: OpenPGP, minisign, Sigstore, CMS, and others such as `skill.oms.sig`, which NVIDIA
/// adds to each of its skills.
const SIGNATURES: [&[u8]; 6] = [b".sig", b".asc", b".minisig", b".sigstore", b".sigstore.json", b".p7s"];

/// Returns the obstacle to edits of a file. `settings` says whether skilltree.toml comes from the source itself.
pub(super) fn find(report: &Report, file: FileId, settings: bool) -> Option<Obstacle> {
    let catalog = &report.catalog;
    let (id, file) = (file, catalog.file(file));
    if file.role == Role::Config {
        let Parsed { commands, definitions, .. } = &catalog.parsed;
        let is_command = commands.binary_search_by_key(&id, |command| command.skill.file).is_ok();
        if is_command || definitions.binary_search_by_key(&id, |agent| agent.skill.file).is_ok() {
            return None;
        }
        return (file.path != config::SETTINGS || !settings).then_some(Obstacle::Elsewhere);
    }
    // In a linked directory, the file itself is edited. Its neighbors are listed below the link.
    if file.mode == Mode::Link {
        return Some(Obstacle::Link);
    }
    let directory = text::parent(file.path.as_bstr());
    // Configuration files follow the sorted files.
    let files = &catalog.parsed.files;
    let sorted = &files[..files.partition_point(|file| file.role != Role::Config)];
    // Between a directory and what is in it, siblings such as `a-b` can follow `a`.
    let inside = manifest::join(directory, "");
    let first = sorted.partition_point(|file| file.path < inside);
    let mut files = sorted[first..].iter().take_while(|file| file.path.starts_with(&inside));
    let signature =
        files.find(|file| text::parent(file.path.as_bstr()) == directory && is_signature(file.path.as_bstr()));
    signature.map(|file| Obstacle::Signature(text::file_name(file.path.as_bstr()).to_owned()))
}

fn is_signature(path: &BStr) -> bool {
    let name = text::file_name(path).to_ascii_lowercase();
    SIGNATURES.iter().any(|end| name.ends_with(end))
}
