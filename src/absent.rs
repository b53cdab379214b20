//! Files that a check need not read, so that the repository may lack their objects: a change of other files concerns neither them nor
//! what the rules compare with them.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text::{self, FileId};
use skilltree_lint::config::{self, Config};
use skilltree_lint::lint;
use skilltree_skills::roots::{self, RootSet};
use skilltree_skills::snapshot::{Body, File, ObjectId, Origin, Role};
use skilltree_skills::source::{self, Difference, Source};

use crate::failure::Failure;
use crate::options::Options;
use crate::place::Place;

/// Maximum number of changed files that are looked at one by one. Larger commits are checked in full.
pub(crate) const CHANGED: usize = 10_000;

/// Returns the ids of the objects that the repository lacks, if a check of the index need not read them: it is compared with `HEAD`,
/// and differs from it only in bodies and other files of skills that are there. `None` if it needs one, or if none is lacking.
pub(crate) fn unneeded(
    place: &Place,
    index: &Source,
    options: &Options,
    (config, roots): (&Config, &RootSet),
) -> Result<Option<BTreeSet<ObjectId>>, Failure> {
    if *index.origin() != Origin::Index || options.base.as_deref() != Some("HEAD") || lint::compares_bodies(config) {
        return Ok(None);
    }
    let files = index.listed(roots)?;
    let absent = index.absent(&files);
    let differences = skilltree_git::differences(place, &place.environment, CHANGED)?;
    let Some(differences) = differences.filter(|_| !absent.is_empty()) else { return Ok(None) };
    let lacking = |file: &&File| file.id.is_some_and(|id| absent.contains(&id));
    let lacking: Vec<&File> = files.iter().filter(lacking).collect();
    let is_own = |file: &&File| matches!(file.role, Role::Skill | Role::Other) && file.root.is_some();
    let own: BTreeMap<&BString, &File> = files.iter().filter(is_own).map(|file| (&file.path, file)).collect();
    let (of_skills, others): (Vec<Difference>, Vec<Difference>) =
        differences.into_iter().partition(|difference| difference.is_edit() && own.contains_key(&difference.path));
    if index.is_touched(&others, roots, &named(config))? {
        return Ok(None);
    }
    let head = skilltree_git::open(place, &skilltree_git::Revision::Tree("HEAD".to_owned()), &place.environment)?;
    for difference in &of_skills {
        let is_skill = own[&difference.path].role == Role::Skill;
        let concerns = |file: &&File| concerns(difference, is_skill, file);
        if lacking.iter().any(concerns) || (is_skill && !keeps_front_matter(index, &head, difference, config)?) {
            return Ok(None);
        }
    }
    for difference in of_skills.iter().chain(&others).filter(|difference| difference.edits_markdown()) {
        if lint::looks_for_anchors(config) && !keeps_anchors(index, &head, difference)? {
            return Ok(None);
        }
    }
    Ok(Some(absent))
}

/// Returns whether a rule compares an edited file with a file that is lacking: it is in the same directory, or a skill with the same name
/// or, before, the same text.
fn concerns(difference: &Difference, is_skill: bool, lacking: &File) -> bool {
    let name = |path: &BStr| text::file_name(text::parent(path)).to_owned();
    let (path, other) = (difference.path.as_bstr(), lacking.path.as_bstr());
    let is_copy = lacking.id.is_some() && lacking.id == difference.before.map(|(_, id)| id);
    let is_namesake = is_skill && lacking.role == Role::Skill && (name(path) == name(other) || is_copy);
    is_namesake || roots::is_within(other, text::parent(path)) || roots::is_within(path, text::parent(other))
}

/// Returns whether an edit of a SKILL.md keeps its front matter.
fn keeps_front_matter(
    index: &Source,
    head: &Source,
    difference: &Difference,
    config: &Config,
) -> Result<bool, source::Error> {
    let start = |text: Vec<u8>| {
        let body = skilltree_front_matter::read(FileId(0), &text, config.limits.bounds()).body_start;
        text[..body].to_vec()
    };
    let [before, after] = [content(head, difference)?, content(index, difference)?].map(|text| text.map(start));
    Ok(before.is_some() && before == after)
}

/// Returns whether an edit of a Markdown file keeps every section that a link of a skill can name.
pub(crate) fn keeps_anchors(index: &Source, head: &Source, difference: &Difference) -> Result<bool, source::Error> {
    let texts = content(head, difference)?.zip(content(index, difference)?);
    Ok(texts.is_some_and(|(before, after)| source::keeps_anchors(&before, &after)))
}

fn content(source: &Source, difference: &Difference) -> Result<Option<Vec<u8>>, source::Error> {
    let file = source.file(difference.path.as_bstr())?;
    Ok(file.and_then(|file| if let Body::Text(text) = file.body { Some(text) } else { None }))
}

/// Returns the files that the configuration names.
pub(crate) fn named(config: &Config) -> BTreeSet<BString> {
    let read = config.files.iter().map(|file| file.path.clone());
    let template = config.template.as_deref().map(BString::from);
    read.chain(template).chain([config::SETTINGS, config::WORKFLOW].map(BString::from)).collect()
}
