//! Whether a runtime finds a skill at all: depth, directories, file name, links.

use bstr::ByteSlice;

use super::reason::{Reason, SkippedDirectory};
use super::{Fate, SkillForecast};
use crate::catalog::{self, Catalog};
use crate::profile::files::{FileName, Follow, Visit};
use crate::profile::{Loads, Said};
use crate::skill::SkillId;
use crate::snapshot::{Body, Resolution};
use crate::text;

/// Forecasts a skill whose text the runtime does not read; `None` if it reads it.
pub(super) fn forecast(catalog: &Catalog, id: SkillId, loads: &Loads) -> Option<SkillForecast> {
    let skill = catalog.skill(id);
    let file = catalog.file(skill.file);
    let nothing = Some(Said::Nothing);
    let dropped = |reason, said| Some(SkillForecast::without_text(Fate::Dropped, reason, said));
    let unknown = |reason| Some(SkillForecast::without_text(Fate::Unknown, reason, None));
    let follow = match file_link(catalog, id) {
        None => None,
        Some(Link::File) => loads.links.file.or(Some(Follow::Unknown)),
        Some(Link::Directory) => loads.links.directory.or(Some(Follow::Unknown)),
        Some(Link::Broken) => Some(Follow::Ignored),
    };
    match follow {
        Some(Follow::Ignored) => return dropped(Reason::Link, nothing),
        Some(Follow::Refused) => return dropped(Reason::Link, Some(Said::Log)),
        Some(Follow::Unknown) => return unknown(Reason::Link),
        Some(Follow::Followed) | None => {}
    }
    if skill.header.is_empty() && skill.body.is_none() && skill.faults.is_empty() && skill.front_matter.is_none() {
        return unknown(Reason::NoText);
    }
    let is_named = match loads.files.name {
        Some(FileName::AnyCase) => true,
        Some(FileName::ExactOrLower) => {
            matches!(text::file_name(file.path.as_bstr()).as_bytes(), b"SKILL.md" | b"skill.md")
        }
        Some(FileName::Exact) | None => !catalog::is_misnamed(file),
    };
    if !is_named {
        return match loads.files.name {
            Some(_) => dropped(Reason::FileName, nothing),
            None => unknown(Reason::FileName),
        };
    }
    if skill.depth == 0 {
        return match loads.files.in_root {
            Some(Visit::Read) => None,
            Some(Visit::Skipped) => dropped(Reason::SkippedDirectory(SkippedDirectory::InRoot), nothing),
            None => unknown(Reason::SkippedDirectory(SkippedDirectory::InRoot)),
        };
    }
    if let Some(depth) = loads.depth.filter(|&depth| skill.depth > depth) {
        return dropped(Reason::TooDeep(depth), nothing);
    }
    skipped_directory(catalog, id, loads).and_then(|passed| dropped(Reason::SkippedDirectory(passed), nothing))
}

/// Returns why the runtime skips a directory on the path of a skill.
fn skipped_directory(catalog: &Catalog, id: SkillId, loads: &Loads) -> Option<SkippedDirectory> {
    let skill = catalog.skill(id);
    let root = &catalog.root(skill.root).path;
    let below = text::parent(catalog.path(id)).get(root.len()..).unwrap_or_default();
    let mut names = below.split_str("/").filter(|name| !name.is_empty());
    let skips = |name: &[u8]| loads.files.skipped.iter().any(|skipped| skipped.as_bytes() == name);
    if loads.files.hidden == Some(Visit::Skipped) && names.clone().any(|name| name.starts_with(b".")) {
        return Some(SkippedDirectory::Hidden);
    }
    if names.any(skips) {
        return Some(SkippedDirectory::ByName);
    }
    let is_nested = || skill.depth > 1 && catalog.is_nested(skill);
    (loads.files.below_skill == Some(Visit::Skipped) && is_nested()).then_some(SkippedDirectory::BelowSkill)
}

/// Link on the path of a skill.
enum Link {
    /// SKILL.md is a link.
    File,
    /// The skill directory or one above it is a link.
    Directory,
    /// The link is broken.
    Broken,
}

fn file_link(catalog: &Catalog, id: SkillId) -> Option<Link> {
    let file = catalog.file(catalog.skill(id).file);
    let Body::Symlink { resolution, .. } = &file.body else {
        return file.through.as_ref().map(|_| Link::Directory);
    };
    let is_file = crate::roots::is_skill_file(text::file_name(file.path.as_bstr()));
    match resolution {
        Resolution::File(_) if is_file => Some(Link::File),
        Resolution::File(_) | Resolution::Directory(_) => Some(Link::Directory),
        Resolution::Dangling | Resolution::Absolute | Resolution::Outside | Resolution::Loop => Some(Link::Broken),
    }
}
