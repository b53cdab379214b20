//! What a change does for the model: skills that are added, removed or edited, the size of the prompt block, and what each
//! runtime then drops, changes or no longer lists.
//!
//! Both sides are plain values: their catalogs, the ids of their files, and their prompt blocks.

use std::collections::{BTreeSet, HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use crate::compare::Pairs;
use crate::fix::{self, Rewrite};
use skilltree_front_matter::text::{self, FileId};
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_runtimes::profile::artifact::BLOCK_FILE;
use skilltree_runtimes::profile::{self, Profile};
use skilltree_skills::roots;
use skilltree_skills::skill::{Gain, Power, Skill, SkillId};
use skilltree_skills::snapshot::{Body, File, Mode, ObjectId, Role, State};
use skilltree_skills::source::{self, Source};

pub mod authority;
mod entries;
mod files;
mod lost;
mod readings;
mod runtimes;
mod summary;

use entries::Entries;
pub use files::Changed;
pub use lost::{Lost, lost};
pub use readings::Reading;
pub use runtimes::{Affected, Impact, InList, RuntimeChange};

/// A source with the catalog that was read from it.
pub type Read<'a> = (&'a Source, &'a Catalog);

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// All skills.
    pub catalog: &'a Catalog,
    /// The object id of each file of the catalog; `None` for an entry without one, such as a directory.
    pub ids: &'a [Option<ObjectId>],
    /// The prompt block.
    pub block: &'a str,
}

/// The changes between two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What an agent may newly do: by skill, then by package.
    pub authority: Vec<Authority>,
    /// Changed skills: added, removed, renamed, rewritten and edited ones, each by path.
    pub skills: Vec<SkillChange>,
    /// Size of the prompt block in the base.
    pub list_before: usize,
    /// Size of the prompt block in the head, in tokens.
    pub list: usize,
    /// Whether the prompt blocks differ.
    pub is_block_changed: bool,
    /// Runtimes that handle skills in another way, the most used first.
    pub runtimes: Vec<RuntimeChange>,
    /// The unified diff of the prompt blocks; empty if they are equal.
    pub patch: Vec<u8>,
}

/// What a skill or a package newly lets an agent do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The subject of the sentences, with the name as a code span.
    pub subject: String,
    /// The name.
    pub name: String,
    /// The path of the SKILL.md or of the manifest.
    pub path: BString,
    /// What is granted; never empty.
    pub powers: Vec<Power>,
}

impl Authority {
    /// Groups what is granted by its subject. A skill that several skills directories show is one subject.
    pub fn of(gains: &[Gain]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut known: HashMap<(&BStr, &str), usize> = HashMap::new();
        let mut granted: HashSet<(usize, &Power)> = HashSet::new();
        for gain in gains {
            let number = *known.entry((gain.path.as_bstr(), &gain.name)).or_insert_with(|| {
                let (subject, name, path) = (gain.subject(), gain.name.clone(), gain.path.clone());
                all.push(Self { subject, name, path, powers: Vec::new() });
                all.len() - 1
            });
            if granted.insert((number, &gain.power)) {
                all[number].powers.push(gain.power.clone());
            }
        }
        all
    }

    /// Describes it in one sentence: `` `pdf` may use `Bash(*)` without asking; runs `send.sh` on `Stop` ``.
    pub fn sentence(&self, most: usize) -> String {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut numbered = |power| {
            let count = counts.entry(Power::word(power)).or_default();
            *count += 1;
            (*count, power)
        };
        let mut powers: Vec<&Power> = self.powers.iter().collect();
        if powers.len() > most {
            powers.sort_by_key(|power| power.rank());
        }
        let mut powers: Vec<(usize, &Power)> = powers.into_iter().map(&mut numbered).collect();
        // Many of one kind must not hide one of another.
        if powers.len() > most {
            powers.sort_by_key(|(number, _)| *number);
        }
        let mut words: Vec<String> = powers.iter().take(most).map(|(_, power)| power.to_string()).collect();
        let more = self.powers.len().saturating_sub(most);
        if more > 0 {
            words.push(format!("{} more", text::grouped(more)));
        }
        format!("{} {}", self.subject, words.join("; "))
    }
}

/// A changed skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillChange {
    /// The skill in the base; `None` if it was added.
    pub before: Option<SkillState>,
    /// The skill in the head; `None` if it was removed.
    pub after: Option<SkillState>,
    /// Changed files in its directory besides the SKILL.md.
    pub files: usize,
    /// Whether its file is still there, although the head does not check it any more: an `exclude`, a `[[root]]` or an ignore hides it.
    pub is_unchecked: bool,
}

/// A skill as the model sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillState {
    /// The path of its file.
    pub path: BString,
    /// Its name, or the name of its directory.
    pub name: String,
    /// Its description, as the most used runtime that loads it reads it.
    pub description: String,
    /// Each description and the runtimes that read it, if they differ; else empty.
    pub readings: Vec<Reading>,
    /// Its `when_to_use`.
    pub when_to_use: Option<String>,
    /// The estimated tokens of its entry in the list of the most used runtime that lists it in the base or the head, which are always
    /// in the context; 0 if that runtime does not list it here.
    pub always_on: usize,
    /// The estimated tokens of its body.
    pub body_tokens: usize,
}

/// The main change of a skill, in the order of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The base does not have it.
    Added,
    /// The head does not have it.
    Removed,
    /// Its name or its path differs.
    Renamed,
    /// Its description or its `when_to_use` differs.
    Rewritten,
    /// Only other fields, its body or other files in its directory differ.
    Edited,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 5] = [Self::Added, Self::Removed, Self::Renamed, Self::Rewritten, Self::Edited];

    /// Returns the word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::Rewritten => "rewritten",
            Self::Edited => "edited",
        }
    }
}

impl SkillChange {
    /// Returns the main change.
    pub fn kind(&self) -> Kind {
        match (&self.before, &self.after) {
            (None, _) => Kind::Added,
            (_, None) => Kind::Removed,
            _ if self.is_renamed() => Kind::Renamed,
            _ if self.is_rewritten() => Kind::Rewritten,
            _ => Kind::Edited,
        }
    }

    /// Returns the word for it in text.
    pub fn word(&self) -> &'static str {
        if self.is_unchecked { "no longer checked" } else { self.kind().word() }
    }

    /// Returns whether the name or the path differs.
    pub fn is_renamed(&self) -> bool {
        self.differs(|a, b| a.name != b.name || a.path != b.path)
    }

    /// Returns whether a text that the model is shown besides the name differs.
    pub fn is_rewritten(&self) -> bool {
        let key = |state: &SkillState| (state.description.clone(), state.readings.clone(), state.when_to_use.clone());
        self.differs(|a, b| key(a) != key(b))
    }

    fn differs(&self, differ: impl Fn(&SkillState, &SkillState) -> bool) -> bool {
        matches!((&self.before, &self.after), (Some(before), Some(after)) if differ(before, after))
    }

    /// Returns the path in the head, or the one in the base of a removed skill.
    pub fn path(&self) -> &BStr {
        let state = self.after.as_ref().or(self.before.as_ref());
        state.map(|state| state.path.as_bstr()).unwrap_or_default()
    }
}

impl SkillState {
    fn new(catalog: &Catalog, id: SkillId, runtimes: &[&Profile], always_on: usize) -> Self {
        let skill = catalog.skill(id);
        let readings = readings::of_skill(catalog, id, runtimes);
        let description = readings.first().map(|reading| reading.description.clone()).unwrap_or_default();
        Self {
            path: catalog.path(id).to_owned(),
            name: skill.shown_name().into_owned(),
            description,
            readings: if readings.len() > 1 { readings } else { Vec::new() },
            when_to_use: skill.scalar("when_to_use").map(str::to_owned),
            always_on,
            body_tokens: skill.body.as_ref().map_or(0, |body| text::tokens(body.chars as usize)),
        }
    }
}

impl Changes {
    /// Compares two sides. `runtimes` are those whose handling of the skills is compared.
    pub fn new(head: Side<'_>, base: Side<'_>, pairs: &Pairs<'_>, runtimes: &[&Profile]) -> Self {
        let base_of = skill_pairs(head.catalog, base.catalog, pairs);
        let skills = skills(head, base, &base_of, runtimes);
        let same_roots = head.catalog.parsed.roots == base.catalog.parsed.roots;
        // Without a changed skill or manifest, every runtime handles them as before.
        let runtimes = match skills.is_empty() && same_roots && manifests(head).eq(manifests(base)) {
            true => Vec::new(),
            false => runtimes::compare(head.catalog, base.catalog, &base_of, &by_use(runtimes)),
        };
        let tokens = |block: &str| text::tokens(block.chars().count());
        Self {
            authority: Vec::new(),
            skills,
            list_before: tokens(base.block),
            list: tokens(head.block),
            is_block_changed: head.block != base.block,
            runtimes,
            patch: patch(base.block, head.block),
        }
    }

    /// Returns what runtimes newly do, the worst first: those that do the same with the same skills for the same reasons in one
    /// sentence, without the skills.
    pub fn impacts(&self) -> Vec<(String, &Impact)> {
        summary::groups(self).iter().map(|group| (summary::sentence(group), group.0)).collect()
    }

    /// Adds what the change newly lets an agent do.
    #[must_use]
    pub fn with_gains(self, gains: &[Gain]) -> Self {
        Self { authority: Authority::of(gains), ..self }
    }

    /// Notes which removed skills are still there, by their paths.
    ///
    /// # Errors
    /// If a file of the head cannot be read.
    pub fn with_unchecked(mut self, head: &Source) -> Result<Self, source::Error> {
        for change in self.skills.iter_mut().filter(|change| change.kind() == Kind::Removed) {
            change.is_unchecked = head.has(change.path())?;
        }
        Ok(self)
    }

    /// Returns the number of skills with a main change.
    pub fn count(&self, kind: Kind) -> usize {
        self.skills.iter().filter(|change| change.kind() == kind).count()
    }

    /// Returns the tokens of the entries of the changed skills in a list, before and after.
    pub fn always_on(&self) -> (usize, usize) {
        let sum = |state: fn(&SkillChange) -> Option<&SkillState>| {
            self.skills.iter().filter_map(state).map(|state| state.always_on).sum()
        };
        (sum(|change| change.before.as_ref()), sum(|change| change.after.as_ref()))
    }

    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.authority.is_empty() && self.skills.is_empty() && self.runtimes.is_empty() && !self.is_block_changed
    }

    /// Summarizes the changes in one line: `+2 skills, -1; list 1,210 to 1,480 tokens; Codex now shortens 4 descriptions`.
    /// Everything in it is plain words: names of skills are not, so it has none.
    pub fn summary(&self) -> String {
        summary::line(self)
    }
}

/// Returns the runtimes, the most used first.
fn by_use<'a>(runtimes: &[&'a Profile]) -> Vec<&'a Profile> {
    let mut runtimes = runtimes.to_vec();
    runtimes.sort_by_key(|profile| (profile.kind != profile::Kind::Runtime, profile.usage_rank.unwrap_or(u32::MAX)));
    runtimes
}

/// Returns the manifests of packages with their contents.
fn manifests(side: Side<'_>) -> impl Iterator<Item = (&BStr, Option<ObjectId>)> {
    let files = side.catalog.files().filter(|(_, file)| file.role == Role::Manifest);
    files.map(move |(id, file)| (file.path.as_bstr(), side.ids.get(id.index()).copied().flatten()))
}

/// Returns the counterpart of each skill of the head that has one in the base.
pub fn skill_pairs(head: &Catalog, base: &Catalog, pairs: &Pairs<'_>) -> HashMap<SkillId, SkillId> {
    let by_file: HashMap<FileId, SkillId> = base.skills().map(|(id, skill)| (skill.file, id)).collect();
    let pair = |(id, skill): (SkillId, &Skill)| Some((id, *by_file.get(&pairs.base_of(skill.file)?)?));
    head.skills().filter_map(pair).collect()
}

fn skills(
    head: Side<'_>,
    base: Side<'_>,
    base_of: &HashMap<SkillId, SkillId>,
    runtimes: &[&Profile],
) -> Vec<SkillChange> {
    let kept: BTreeSet<SkillId> = base_of.values().copied().collect();
    let (of_head, of_base) = (Entries::new(head.catalog, runtimes), Entries::new(base.catalog, runtimes));
    let change = |other: Option<SkillId>, id: Option<SkillId>, files: usize| {
        let [in_base, in_head] = entries::tokens([(&of_base, other), (&of_head, id)]);
        SkillChange {
            before: other.map(|other| SkillState::new(base.catalog, other, runtimes, in_base)),
            after: id.map(|id| SkillState::new(head.catalog, id, runtimes, in_head)),
            files,
            is_unchecked: false,
        }
    };
    let mut changes = Vec::new();
    let paired = head.catalog.skills().map(|(id, _)| id).filter(|id| base_of.contains_key(id));
    let own: BTreeSet<&BStr> = paired.map(|id| head.catalog.path(id)).collect();
    let mut linked: BTreeSet<&BStr> = BTreeSet::new();
    for (id, skill) in head.catalog.skills() {
        let Some(&other) = base_of.get(&id) else {
            changes.push(change(None, Some(id), 0));
            continue;
        };
        let changed = Changed::new(head, id, base, other, |_| true);
        let is_moved = head.catalog.path(id) != base.catalog.path(other);
        // An edit shows at each path that leads to the skill, and is one change.
        let through = head.catalog.file(skill.file).through.as_ref().map(|path| path.as_bstr()).filter(|_| !is_moved);
        if through.is_some_and(|real| own.contains(real) || linked.contains(real)) {
            continue;
        }
        linked.extend(through);
        if changed.skill_file || changed.others > 0 || is_moved {
            changes.push(change(Some(other), Some(id), changed.others));
        }
    }
    let removed = base.catalog.skills().filter(|(id, _)| !kept.contains(id));
    changes.extend(removed.map(|(id, _)| change(Some(id), None, 0)));
    changes.sort_by(|a, b| (a.kind(), a.path()).cmp(&(b.kind(), b.path())));
    changes
}

/// Returns the unified diff of two prompt blocks, as `git apply` reads it.
fn patch(before: &str, after: &str) -> Vec<u8> {
    let mut patch = Vec::new();
    if before != after {
        let path = BString::from(BLOCK_FILE);
        let rewrite = Rewrite { path, before: before.into(), after: after.into() };
        // Writing to memory cannot fail.
        let _ = fix::patch(&[rewrite], &mut patch);
    }
    patch
}

/// Returns the files in the directory of a skill, with their numbers. A SKILL.md in the skills directory itself has none, because
/// the directory belongs to the other skills, nor does a link or a submodule in the place of a directory.
fn below(catalog: &Catalog, id: SkillId) -> impl Iterator<Item = (usize, &BStr, &File)> {
    let skill = catalog.skill(id);
    let sorted = catalog::sorted(&catalog.parsed.files);
    let directory = BString::from([text::parent(catalog.path(id)).as_bytes(), b"/"].concat());
    let is_own = skill.depth > 0 && roots::is_skill_file(text::file_name(catalog.path(id)));
    let first = if is_own { sorted.partition_point(|file| file.path < directory) } else { sorted.len() };
    let rest = sorted[first..].iter().zip(first..);
    let files = rest.map_while(move |(file, number)| {
        let inside = file.path.strip_prefix(directory.as_slice())?;
        Some((number, inside.as_bstr(), file))
    });
    files.filter(move |(number, _, file)| *number != skill.file.index() && is_entry(file))
}

/// Returns whether Git records an entry: neither a directory nor a file that it ignores.
fn is_entry(file: &File) -> bool {
    let is_recorded = file.state != State::Ignored && file.body != Body::Special;
    is_recorded && file.mode != Mode::Directory && file.role != Role::Root
}
