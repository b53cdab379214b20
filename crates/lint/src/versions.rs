//! What the rules that compare skills with the base need: versions of skills that differ, and what a change newly lets an agent do.

use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};

use crate::changes::{Changed, Read, Side, authority, skill_pairs};
use crate::compare::Pairs;
use crate::config::{Config, Versions};
use crate::rule::{Level, Reads, Rule, RuleRef};
use crate::rules;
use skilltree_front_matter::Node;
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::manifest;
use skilltree_skills::roots::CLAUDE_PLUGIN;
use skilltree_skills::skill::{Edited, Gain, Parsed, PluginVersion, SkillId};
use skilltree_skills::snapshot::{Body, File, Role};
use skilltree_skills::source::{Error, Source};

/// Returns the rules that compare skills with the base and that a configuration runs.
pub fn wanted(config: &Config) -> impl Iterator<Item = RuleRef> {
    config.rules().filter(|rule| rule.reads == Reads::Base && config.levels.may_run(rule))
}

/// Returns the first of these rules whose silence without a base would surprise: one that the configuration turns on, or makes an error.
pub fn expected(config: &Config) -> Option<RuleRef> {
    wanted(config).find(|rule| rule.level == Level::Off || config.levels.may_fail(rule))
}

/// Returns whether a configuration runs a rule that compares skills with the base.
pub fn is_wanted(config: &Config) -> bool {
    wanted(config).next().is_some()
}

/// Adds to a state what the rules that run compare with the base.
///
/// # Errors
/// If a file cannot be read.
pub fn compared(head: Read<'_>, base: Read<'_>, config: &Config) -> Result<(Vec<Edited>, Vec<Gain>), Error> {
    let runs = |rule: &'static Rule| wanted(config).any(|wanted| wanted.id() == rule.id);
    if has_same_files(head.1, base.1) {
        // A package also starts what files next to its manifest name, and the settings of a project need not be valid.
        let gains = if runs(&rules::authority_widened::RULE) {
            authority::of_packages(head, base, config)?
        } else {
            Vec::new()
        };
        return Ok((Vec::new(), gains));
    }
    let pairs = Pairs::of_catalogs(
        (head.1, |files: &[File]| head.0.bodies(files)),
        (base.1, |files: &[File]| base.0.bodies(files)),
    )?;
    let (ids, ids_before) = (head.0.ids(&head.1.parsed)?, base.0.ids(&base.1.parsed)?);
    let after = Side { catalog: head.1, ids: &ids, block: "" };
    let before = Side { catalog: base.1, ids: &ids_before, block: "" };
    let base_of = skill_pairs(head.1, base.1, &pairs);
    let edited = match runs(&rules::version_not_bumped::RULE) {
        true => edited((head, after), (base, before), &base_of, &config.versions)?,
        false => Vec::new(),
    };
    let gains = match runs(&rules::authority_widened::RULE) {
        true => authority::gains((head, after), (base, before), &base_of, config)?,
        false => Vec::new(),
    };
    Ok((edited, gains))
}

/// Adds to a state what differs from the base, with the files of gains that the state does not list.
///
/// # Errors
/// If a file cannot be read.
pub fn with(parsed: Parsed, source: &Source, (edited, gains): (Vec<Edited>, Vec<Gain>)) -> Result<Parsed, Error> {
    let mut parsed = Parsed { edited, gains, ..parsed };
    let is_unplaced = |gain: &&mut Gain| gain.place.file == authority::NO_FILE;
    let wanted: BTreeSet<BString> = parsed.gains.iter_mut().filter(is_unplaced).map(|gain| gain.path.clone()).collect();
    let mut files: HashMap<BString, FileId> = HashMap::new();
    for (number, file) in parsed.files.iter().enumerate().filter(|(_, file)| wanted.contains(&file.path)) {
        files.entry(file.path.clone()).or_insert(FileId(number as u32));
    }
    for path in wanted {
        if files.contains_key(&path) {
            continue;
        }
        if let Some(file) = source.file(path.as_bstr())? {
            files.insert(path, FileId(parsed.files.len() as u32));
            parsed.files.push(File { role: Role::Config, root: None, ..file });
        }
    }
    for gain in parsed.gains.iter_mut().filter(is_unplaced) {
        // A file that is gone has no place of its own.
        gain.place = match files.get(&gain.path) {
            Some(&file) => Place { file, ..gain.place },
            None => Place::whole(FileId(0)),
        };
    }
    Ok(parsed)
}

/// Returns whether the walked files of two catalogs are the same, by their ids. The id of a file that a working tree did not read is not
/// known, so two such files count as different.
fn has_same_files(head: &Catalog, base: &Catalog) -> bool {
    let walked =
        |catalog: &'_ Catalog| catalog.parsed.files.iter().take_while(|file| file.role != Role::Config).count();
    let (one, two) = (&head.parsed.files[..walked(head)], &base.parsed.files[..walked(base)]);
    let is_same = |(one, two): (&File, &File)| {
        let has_same_id = one.id == two.id && (one.id.is_some() || matches!(one.body, Body::Directory | Body::Absent));
        has_same_id && (&one.path, &one.through, one.root, one.mode) == (&two.path, &two.through, two.root, two.mode)
    };
    head.parsed.roots == base.parsed.roots && one.len() == two.len() && one.iter().zip(two).all(is_same)
}

/// Returns the skills of which any file that counts differs from the base, in their order. A renamed skill is compared with its
/// counterpart.
fn edited(
    (head, after): (Read<'_>, Side<'_>),
    (base, before): (Read<'_>, Side<'_>),
    base_of: &HashMap<SkillId, SkillId>,
    config: &Versions,
) -> Result<Vec<Edited>, Error> {
    let (mut plugins, mut plugins_before) = (Plugins::new(head.0), Plugins::new(base.0));
    let mut edited = Vec::new();
    for (id, _) in head.1.skills() {
        let Some(&other) = base_of.get(&id) else { continue };
        let changed = Changed::new(after, id, before, other, |path| !config.ignored.contains(path));
        if !changed.skill_file && changed.others == 0 {
            continue;
        }
        let skill_file = || text::lossless(text::file_name(head.1.path(id)));
        let skill = base.1.skill(other);
        let plugin = plugins.of_skill(head.1, id)?;
        let plugin_before = plugins_before.of_skill(base.1, other)?.map(|(_, version)| version);
        edited.push(Edited {
            skill: id,
            files: changed.others + usize::from(changed.skill_file),
            first: changed.first.filter(|_| !changed.skill_file).unwrap_or_else(skill_file),
            version: skill.scalar("version").map(str::to_owned),
            metadata_version: skill.metadata("version").and_then(Node::scalar).map(str::to_owned),
            plugin: plugin.map(|(path, after)| PluginVersion { path, before: plugin_before, after }),
            fields: config.fields.clone(),
        });
    }
    Ok(edited)
}

/// The versions of plugins, by directory: each manifest is read once.
struct Plugins<'a> {
    source: &'a Source,
    known: HashMap<BString, Option<String>>,
}

impl<'a> Plugins<'a> {
    fn new(source: &'a Source) -> Self {
        Self { source, known: HashMap::new() }
    }

    /// Returns the innermost plugin around a skill that has a version: around its path, or around its real path if a link
    /// leads to its directory.
    fn of_skill(&mut self, catalog: &Catalog, id: SkillId) -> Result<Option<(BString, String)>, Error> {
        let file = catalog.file(catalog.skill(id).file);
        let found = self.of(file.path.as_bstr())?;
        if file.reported_path() == &file.path {
            return Ok(found);
        }
        let real = self.of(file.reported_path().as_bstr())?;
        let depth = |(manifest, _): &(BString, String)| manifest.find_iter("/").count();
        Ok(real.into_iter().chain(found).max_by_key(depth))
    }

    /// Returns the innermost plugin around a file that has a version: its manifest, and the version.
    fn of(&mut self, path: &BStr) -> Result<Option<(BString, String)>, Error> {
        let mut directory = text::parent(path);
        loop {
            let manifest = manifest::join(directory, CLAUDE_PLUGIN);
            let version = match self.known.get(directory) {
                Some(version) => version.clone(),
                None => {
                    let version = version(self.source.file(manifest.as_bstr())?);
                    self.known.insert(directory.to_owned(), version.clone());
                    version
                }
            };
            match version {
                Some(version) => return Ok(Some((manifest, version))),
                None if directory.is_empty() => return Ok(None),
                None => directory = text::parent(directory),
            }
        }
    }
}

/// Returns the `version` in a manifest.
fn version(file: Option<File>) -> Option<String> {
    let Body::Text(text) = file?.body else { return None };
    let manifest: serde_json::Value = serde_json::from_slice(&text).ok()?;
    manifest.get("version")?.as_str().map(str::to_owned)
}
