//! Skills directories that are made for distribution: no widely used runtime reads them in place, no manifest names a reader, and an
//! installer offers them.

use std::sync::LazyLock;

use bstr::ByteSlice;

use crate::places;
use crate::profile::files::Visit;
use crate::profile::{Kind, Loads, Profile, Profiles};
use skilltree_skills::roots::{self, Owner, Root, RootId};
use skilltree_skills::skill::Parsed;

use super::Table;

/// The installer that most repositories name in their README.
const INSTALLER: &str = "npx-skills";

/// Number of the most used runtimes whose forecasts show what becomes of installed skills (ours: 5).
const SHOWN: u32 = 5;

static PROFILES: LazyLock<Profiles> = LazyLock::new(Profiles::default);

/// Returns the profile of the installer.
pub(crate) fn installer() -> Option<&'static Profile> {
    PROFILES.find(INSTALLER)
}

/// Returns whether forecasts of a runtime show what becomes of installed skills.
pub fn is_published_for(profile: &Profile) -> bool {
    profile.kind == Kind::Runtime && profile.usage_rank.is_some_and(|rank| rank <= SHOWN)
}

/// Returns what a runtime does with an installed skill: it is directly in a skills directory.
pub(crate) fn loads(profile: &Profile) -> Loads {
    let mut loads = profile.loads.clone();
    loads.depth = None;
    loads.files.hidden = Some(Visit::Read);
    loads
}

/// Returns which skills directories are made for distribution.
pub(super) fn of(parsed: &Parsed, table: &Table) -> Vec<bool> {
    let Some(installer) = installer() else { return vec![false; parsed.roots.len()] };
    let candidates = |root: &Root| {
        let is_hidden = root.path.split_str("/").any(|name| name.starts_with(b"."));
        let is_design = PROFILES.find(&root.profile).is_some_and(|profile| profile.kind == Kind::Design);
        // Examples and files that a program ships are not what a repository publishes.
        root.owner == Owner::Repository && !is_hidden && !is_design && !roots::is_packaged(root.path.as_bstr())
    };
    let mut published: Vec<bool> = parsed.roots.iter().map(candidates).collect();
    let ids = || (0u32..).map(RootId).zip(&parsed.roots);
    let runtimes = PROFILES.ids().filter_map(|id| PROFILES.find(id)).filter(|profile| profile.kind == Kind::Runtime);
    let (widely_used, others): (Vec<&Profile>, Vec<&Profile>) = runtimes.partition(|profile| is_published_for(profile));
    for ((_, root), published) in ids().zip(&mut published) {
        *published &= !widely_used.iter().any(|profile| places::reads(profile, root));
    }
    // A manifest names the readers of a directory. Most directories have one of the most used runtimes.
    for profile in widely_used.iter().chain(&others) {
        if !published.contains(&true) {
            return published;
        }
        let packages = table.of(parsed, &profile.id, &profile.loads);
        ids().zip(&mut published).for_each(|((id, _), published)| *published &= !packages.reads(id));
    }
    let offered = table.of(parsed, &installer.id, &installer.loads);
    ids().zip(&mut published).for_each(|((id, _), published)| *published &= offered.reads(id));
    published
}
