//! Links to skills: several paths can lead to one skill, which is read and checked once.

use std::collections::BTreeMap;
use std::sync::RwLock;

use bstr::{BStr, BString, ByteSlice};

use skilltree_front_matter::text::{self, FileId};
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Parsed, SkillId};
use skilltree_skills::snapshot::{Body, File, Resolution, Role};

/// The links of a tree that lead to skills.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Links directly in a skills directory that are not followed, by target: it has the target, too.
    shortcuts: Vec<(BString, FileId)>,
    /// The skills that are one file, by the first of them.
    same: BTreeMap<SkillId, Vec<SkillId>>,
    /// The first skill with the same file, by each other one.
    first: BTreeMap<SkillId, SkillId>,
    /// The skill with the best fate of those that are one file and that a runtime reads, by runtime and the first of them.
    best: RwLock<BTreeMap<(String, SkillId), Option<SkillId>>>,
}

impl Links {
    pub(crate) fn new(parsed: &Parsed) -> Self {
        let (same, first) = same(parsed);
        Self { shortcuts: shortcuts(parsed), same, first, best: RwLock::default() }
    }

    /// Returns the other paths of a skill's directory that are no skills of their own: through a link in a skills directory around it
    /// that leads to it or to a directory above it. Each has the skills directory of the link.
    pub(crate) fn shortcuts(&self, parsed: &Parsed, skill: SkillId) -> Vec<(RootId, BString)> {
        if self.shortcuts.is_empty() {
            return Vec::new();
        }
        let directory = text::parent(parsed.file(parsed.skills[skill.index()].file).shown_path().as_bstr());
        let mut paths = Vec::new();
        let mut next = Some(directory);
        while let Some(above) = next {
            let at = self.shortcuts.partition_point(|(target, _)| target.as_bstr() < above);
            let leading = self.shortcuts[at..].iter().take_while(|(target, _)| target == above);
            paths.extend(leading.filter_map(|&(_, link)| {
                let link = parsed.file(link);
                Some((link.root?, BString::from([&link.path[..], &directory[above.len()..]].concat())))
            }));
            next = Some(text::parent(above)).filter(|parent| !parent.is_empty());
        }
        paths
    }

    /// Returns the skills that are the same file as this one, with itself; none if it is the only one.
    pub(crate) fn same(&self, skill: SkillId) -> &[SkillId] {
        let first = self.first.get(&skill).copied().unwrap_or(skill);
        self.same.get(&first).map_or(&[], Vec::as_slice)
    }

    /// Returns the skill with the best fate of those that are one file, which is computed once for each runtime.
    pub(crate) fn best(
        &self,
        profile: &str,
        first: SkillId,
        compute: impl FnOnce() -> Option<SkillId>,
    ) -> Option<SkillId> {
        let key = (profile.to_owned(), first);
        if let Some(known) = self.best.read().ok().and_then(|known| known.get(&key).copied()) {
            return known;
        }
        let best = compute();
        if let Ok(mut known) = self.best.write() {
            known.insert(key, best);
        }
        best
    }

    /// Returns the skill that is the same file as this one and has no link in its path; the first one if all have.
    pub(crate) fn original(&self, parsed: &Parsed, skill: SkillId) -> SkillId {
        let is_original = |id: &&SkillId| parsed.file(parsed.skills[id.index()].file).through.is_none();
        let same = self.same(skill);
        same.iter().find(is_original).or(same.first()).copied().unwrap_or(skill)
    }

    /// Returns the skills that are one file, in groups of two or more.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[SkillId]> {
        self.same.values().map(Vec::as_slice)
    }
}

fn shortcuts(parsed: &Parsed) -> Vec<(BString, FileId)> {
    let files = (0u32..).map(FileId).zip(&parsed.files).filter(|(_, file)| file.role == Role::Other);
    // What is below a link that was followed is listed.
    let is_followed = |link: &File| {
        let below = [link.path.as_slice(), b"/"].concat();
        let listed = &parsed.files[..parsed.files.partition_point(|file| file.role != Role::Config)];
        let at = listed.partition_point(|file| file.path.as_slice() < below.as_slice());
        listed.get(at).is_some_and(|file| file.path.starts_with(&below))
    };
    let links = files.filter_map(|(id, file)| match (&file.body, file.root) {
        (Body::Symlink { resolution: Resolution::Directory(target), .. }, Some(_)) if !is_followed(file) => {
            Some((target.clone(), id))
        }
        _ => None,
    });
    let mut links: Vec<(BString, FileId)> = links.collect();
    links.sort();
    links
}

/// Skills that are one file by the first of them, and the first by each other one.
type Same = (BTreeMap<SkillId, Vec<SkillId>>, BTreeMap<SkillId, SkillId>);

fn same(parsed: &Parsed) -> Same {
    let skills = || (0u32..).map(SkillId).zip(&parsed.skills);
    let file = |id: SkillId| parsed.file(parsed.skills[id.index()].file);
    let mut by_file: BTreeMap<&BStr, Vec<SkillId>> = BTreeMap::new();
    for (id, _) in skills().filter(|(id, _)| file(*id).through.is_some()) {
        by_file.entry(file(id).shown_path().as_bstr()).or_default().push(id);
    }
    if by_file.is_empty() {
        return Same::default();
    }
    for (id, _) in skills().filter(|(id, _)| file(*id).through.is_none()) {
        if let Some(skills) = by_file.get_mut(file(id).path.as_bstr()) {
            skills.push(id);
        }
    }
    let (mut same, mut first) = Same::default();
    for mut skills in by_file.into_values().filter(|skills| skills.len() > 1) {
        skills.sort_unstable();
        first.extend(skills[1..].iter().map(|&other| (other, skills[0])));
        same.insert(skills[0], skills);
    }
    (same, first)
}
