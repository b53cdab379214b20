//! Whether a runtime finds a skill at all: depth, directories, file name, links.

use bstr::{BStr, BString, ByteSlice};

use super::reason::{Reason, SkippedDirectory};
use super::{Outcome, SkillForecast};
use crate::catalog::{self, Catalog};
use crate::profile::files::{FileName, Follow, Visit};
use crate::profile::listing::{Limit, Measured};
use crate::profile::{Handling, Loads, Reported};
use skilltree_front_matter::text;
use skilltree_skills::roots::{self, RootId};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, File, Resolution, State};

/// Whether a runtime finds a skill.
pub(super) enum Found {
    /// Where it is.
    Here,
    /// Through a link in the skills directory, whose path replaces that of the skill directory.
    Through(BString),
    /// It does not read the text.
    Not(SkillForecast),
}

/// Forecasts whether the runtime finds a skill. A skill that several paths reach has the best fate of its paths.
pub(super) fn forecast(catalog: &Catalog, id: SkillId, loads: &Loads) -> Found {
    let Some(forecast) = direct(catalog, id, loads) else { return Found::Here };
    let is_hidden = matches!(forecast.reason, Some(Reason::TooDeep(_) | Reason::SkippedDirectory(_)));
    let is_nested = catalog.skill(id).depth > 0;
    if !is_hidden || !is_nested || is_ignored(catalog.file(catalog.skill(id).file)) {
        return Found::Not(forecast);
    }
    let own = catalog.skill(id).root;
    let paths = catalog.links().shortcuts(&catalog.parsed, id).into_iter();
    let visible =
        paths.filter(|(root, _)| *root == own).find(|(_, path)| is_visible(catalog, own, path.as_bstr(), loads));
    match (visible, loads.links.directory) {
        (Some((_, path)), Some(Follow::Followed)) => Found::Through(path),
        (Some(_), None | Some(Follow::Unknown)) => {
            Found::Not(SkillForecast::without_text(Outcome::Unknown, Reason::Link, None))
        }
        _ => Found::Not(forecast),
    }
}

/// Returns whether the runtime would find a skill directory at this path of a root.
pub(super) fn is_visible(catalog: &Catalog, root: RootId, path: &BStr, loads: &Loads) -> bool {
    let below = path.get(catalog.root(root).path.len()..).unwrap_or_default();
    let depth = below.split_str("/").filter(|name| !name.is_empty()).count();
    loads.depth.is_none_or(|most| depth <= most as usize)
        && skipped_by_name(catalog, root, below, loads).is_none()
        && (loads.files.below_skill != Some(Visit::Skipped) || depth == 1)
}

/// Forecasts a skill whose text the runtime does not read where it is; `None` if it reads it.
fn direct(catalog: &Catalog, id: SkillId, loads: &Loads) -> Option<SkillForecast> {
    let skill = catalog.skill(id);
    let file = catalog.file(skill.file);
    let nothing = Some(Reported::Nothing);
    let dropped = |reason, reported| Some(SkillForecast::without_text(Outcome::Drops, reason, reported));
    let unknown = |reason| Some(SkillForecast::without_text(Outcome::Unknown, reason, None));
    let link = file_link(catalog, id);
    let unfollowed = if matches!(link, Some(Link::Broken)) { Reason::BrokenLink } else { Reason::Link };
    let follow = match link {
        None => None,
        Some(Link::File) => loads.links.file.or(Some(Follow::Unknown)),
        Some(Link::Directory) => loads.links.directory.or(Some(Follow::Unknown)),
        Some(Link::Broken) => Some(Follow::Ignored),
        Some(Link::Outside) => return Some(outside(file.path.as_bstr(), loads)),
    };
    let follow = match (follow, loads.links.escape) {
        (Some(_), Some(escape @ (Follow::Ignored | Follow::Refused))) if leaves_root(catalog, id) => Some(escape),
        _ => follow,
    };
    match follow {
        Some(Follow::Ignored) => return dropped(unfollowed, nothing),
        Some(Follow::Refused) => return dropped(unfollowed, Some(Reported::Log)),
        Some(Follow::Unknown) => return unknown(unfollowed),
        Some(Follow::Followed) | None => {}
    }
    if let (Body::TooLarge { bytes }, Some(limit)) = (&file.body, file_limit(loads))
        && *bytes > limit.maximum
    {
        let reason = Reason::TooLong { of: limit.of, unit: limit.unit, length: *bytes, most: limit.maximum };
        return dropped(reason, limit.over_limit.reported);
    }
    let has_text = skill.body.is_some() || skill.agreement.after_header.is_some() || !skill.header.is_empty();
    if !has_text && skill.faults.is_empty() && skill.front_matter.is_none() {
        return unknown(Reason::NoText);
    }
    if is_ignored(file) && loads.files.ignored == Some(Visit::Skipped) {
        return dropped(Reason::SkippedDirectory(SkippedDirectory::Ignored), nothing);
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

/// Returns whether an ignore file excludes a file: one of Git, or one in the skills directory.
pub(super) fn is_ignored(file: &File) -> bool {
    file.state == State::Ignored || file.is_excluded
}

/// Returns the limit on the size of a file above which a skill does not load.
fn file_limit(loads: &Loads) -> Option<&Limit> {
    let drops = |limit: &&Limit| limit.of == Measured::File && limit.over_limit.handling == Handling::Drops;
    loads.limits.iter().find(drops)
}

/// Returns whether a link leads out of the skills directory.
fn leaves_root(catalog: &Catalog, id: SkillId) -> bool {
    let skill = catalog.skill(id);
    let through = catalog.file(skill.file).through.as_ref();
    through.is_some_and(|target| !roots::is_within(target.as_bstr(), real_root(catalog, skill.root)))
}

/// Returns the path of a root without links.
fn real_root(catalog: &Catalog, root: RootId) -> &BStr {
    let path = catalog.root(root).path.as_bstr();
    let files = catalog::sorted(&catalog.parsed.files);
    let at = files.partition_point(|file| file.path.as_bstr() < path);
    match files.get(at).filter(|file| file.path == path).map(|file| &file.body) {
        Some(Body::Symlink { resolution: Resolution::Directory(target), .. }) => target.as_bstr(),
        _ => path,
    }
}

/// Forecasts a skill behind a link that leaves the repository: its text is not read.
fn outside(path: &BStr, loads: &Loads) -> SkillForecast {
    let is_file = roots::is_skill_file(text::file_name(path));
    let follow = if is_file { loads.links.file } else { loads.links.directory };
    let follow = follow
        .filter(|follow| matches!(follow, Follow::Ignored | Follow::Refused))
        .or(loads.links.outside)
        .or(loads.links.escape);
    match follow {
        Some(Follow::Ignored) => SkillForecast::without_text(Outcome::Drops, Reason::Link, Some(Reported::Nothing)),
        Some(Follow::Refused) => SkillForecast::without_text(Outcome::Drops, Reason::Link, Some(Reported::Log)),
        Some(Follow::Followed) => SkillForecast::without_text(Outcome::Unknown, Reason::NoText, None),
        Some(Follow::Unknown) | None => SkillForecast::without_text(Outcome::Unknown, Reason::Link, None),
    }
}

/// Returns why the runtime skips a directory on the path of a skill.
fn skipped_directory(catalog: &Catalog, id: SkillId, loads: &Loads) -> Option<SkippedDirectory> {
    let skill = catalog.skill(id);
    let root = &catalog.root(skill.root).path;
    let below = text::parent(catalog.path(id)).get(root.len()..).unwrap_or_default();
    if let Some(skipped) = skipped_by_name(catalog, skill.root, below, loads) {
        return Some(skipped);
    }
    let takes_all = || loads.files.in_root == Some(Visit::Read) && catalog.is_skill(skill.root);
    let is_nested = || (skill.depth > 1 && catalog.is_nested(skill)) || takes_all();
    (loads.files.below_skill == Some(Visit::Skipped) && is_nested()).then_some(SkippedDirectory::BelowSkill)
}

/// Returns why the runtime skips one of the directories on a path below a root, if it does so because of a name.
fn skipped_by_name(catalog: &Catalog, root: RootId, below: &[u8], loads: &Loads) -> Option<SkippedDirectory> {
    let mut names = below.split_str("/").filter(|name| !name.is_empty());
    let skips = |name: &[u8]| loads.files.skipped.iter().any(|skipped| skipped.as_bytes() == name);
    if loads.files.hidden == Some(Visit::Skipped) && names.clone().any(|name| name.starts_with(b".")) {
        return Some(SkippedDirectory::Hidden);
    }
    let is_odd = |name: &[u8]| name.starts_with(b".") || name == b"node_modules";
    // The last name is that of the skill itself.
    let groups = || names.clone().zip(names.clone().skip(1)).map(|(group, _)| group);
    if loads.files.skips_groups && groups().any(is_odd) {
        return Some(SkippedDirectory::ByName);
    }
    let is_skipped = names.any(skips) || is_support(catalog, root, below, &loads.files.skipped_in_skill);
    is_skipped.then_some(SkippedDirectory::ByName)
}

/// Returns whether a directory on a path below a root has one of the names, and one above it is a skill.
fn is_support(catalog: &Catalog, root: RootId, below: &[u8], support: &[String]) -> bool {
    let names = || below.split_str("/").filter(|name| !name.is_empty());
    let is_named = |name: &[u8]| support.iter().any(|known| known.as_bytes() == name);
    if !names().any(is_named) {
        return false;
    }
    let mut directory = catalog.root(root).path.to_vec();
    let mut in_skill = catalog.is_skill(root);
    for name in names() {
        if in_skill && is_named(name) {
            return true;
        }
        directory.push(b'/');
        directory.extend_from_slice(name);
        in_skill |= catalog::has_skill_file(&catalog.parsed.files, directory.as_bstr());
    }
    false
}

/// Link on the path of a skill.
enum Link {
    /// SKILL.md is a link.
    File,
    /// The skill directory or one above it is a link.
    Directory,
    /// The link is broken.
    Broken,
    /// The link leads out of the repository.
    Outside,
}

fn file_link(catalog: &Catalog, id: SkillId) -> Option<Link> {
    let file = catalog.file(catalog.skill(id).file);
    let Body::Symlink { resolution, .. } = &file.body else {
        let skill = catalog.skill(id);
        let below = file.path.get(catalog.root(skill.root).path.len()..).unwrap_or_default();
        let is_below = |target: &[u8]| target.strip_prefix(&**real_root(catalog, skill.root)) == Some(below);
        return file.through.as_ref().filter(|target| !is_below(target)).map(|_| Link::Directory);
    };
    let is_file = roots::is_skill_file(text::file_name(file.path.as_bstr()));
    match resolution {
        Resolution::File(_) if is_file => Some(Link::File),
        Resolution::File(_) | Resolution::Directory(_) => Some(Link::Directory),
        Resolution::Absolute | Resolution::Outside => Some(Link::Outside),
        Resolution::Dangling
        | Resolution::Ignored
        | Resolution::Above
        | Resolution::Text
        | Resolution::Loop
        | Resolution::TooManyLinks => Some(Link::Broken),
    }
}
