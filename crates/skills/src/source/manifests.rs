//! Manifests of packages: reading them, and looking up the paths that they name.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::store::{self, Content, Entry, Kind, Spot};
use super::{CONFIG_BYTES, Error, expand, ignored, unnamed};
use crate::manifest::json::{self, Json, Refused, Value};
use crate::manifest::{self, Ignored, Manifest, Manifests, Part, Published, Unread};
use crate::roots;
use crate::skill::AGENT_FILE;
use crate::snapshot::{Body, File, Mode, ObjectId, Resolution, Role};
use skilltree_front_matter::text::{self, FileId};

/// Maximum manifests that are read (ours: 10,000).
const MANIFESTS: usize = 10_000;

/// Maximum bytes of all manifests together (ours: 64 MiB).
const MANIFESTS_BYTES: usize = 64 << 20;

/// Maximum values that all manifests together hold (ours: 500,000).
const VALUES: usize = 500_000;

/// Maximum entries of all marketplaces together (ours: 20,000). Each is a package of every runtime that reads marketplaces.
const ENTRIES: usize = 20_000;

/// Maximum permissions for skills in settings (ours: 1,000). Each is compared with every name.
const PERMISSIONS: usize = 1_000;

/// Maximum number of packages without skills whose other parts are looked up (ours: 1,000).
const WITHOUT_SKILLS: usize = 1_000;

/// Maximum paths that all manifests together name (ours: 160,000).
const NAMED: usize = 160_000;

/// Maximum bytes of these paths from the top (ours: 8 MiB): a short one below a deep directory is long.
const NAMED_BYTES: usize = 8 << 20;

/// Maximum patterns of all distinct `.npmignore` together (ours: 10,000), and bytes (ours: 1 MiB). Each text is compiled for each package.
const IGNORED: usize = 10_000;
const IGNORED_BYTES: usize = 1 << 20;

/// Maximum skills of all packages together, each counted for every package around it (ours: 200,000).
const PACKAGED: usize = 200_000;

/// Spellings of the name of a skill's file.
const SKILL_FILES: [&str; 4] = ["SKILL.md", "skill.md", "Skill.md", "SKILL.MD"];

/// Keys without which a package.json is not about skills.
const PACKAGE_KEYS: [&str; 3] = ["pi", "contributes.chatSkills", "openclaw.extensions"];

/// What the manifests of a tree say.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The manifests, with their files.
    pub(super) manifests: Vec<(File, Manifest)>,
    /// Where the paths that they name lead.
    pub(super) paths: BTreeMap<BString, Resolution>,
    /// The paths among them where skills are looked for.
    places: BTreeSet<BString>,
    /// The skills directories that they name.
    pub(super) named: BTreeSet<BString>,
    /// Files of commands that have the name of a skill's directory.
    commands: BTreeSet<BString>,
    /// Scripts that are started by their path, and have no executable bit.
    not_executable: BTreeSet<BString>,
    /// Scripts that are started by their path, and whose first line ends in CR.
    carriage_returns: BTreeSet<BString>,
    /// Parts of plugins next to a manifest.
    misplaced: BTreeSet<BString>,
    /// Files that a key of a manifest keeps from being read.
    unnamed: BTreeSet<BString>,
    /// Paths among them that are submodules or in one.
    submodules: BTreeSet<BString>,
    /// Skills that Git ignores, by their directory, which has no other.
    ignored: BTreeMap<BString, Ignored>,
    /// The text of each `.npmignore` next to a package.json without `files`, by its directory.
    npm_ignores: BTreeMap<BString, Arc<str>>,
}

impl Found {
    /// Returns the manifests with the numbers of their files, and the files.
    pub(super) fn split(self) -> (Vec<File>, Manifests) {
        let (files, all) = self.manifests.into_iter().unzip();
        (
            files,
            Manifests {
                all,
                paths: self.paths,
                commands: self.commands,
                not_executable: self.not_executable,
                carriage_returns: self.carriage_returns,
                misplaced: self.misplaced,
                unnamed: self.unnamed,
                submodules: self.submodules,
                ignored: self.ignored,
                npm_ignores: self.npm_ignores,
                ..Manifests::default()
            },
        )
    }
}

/// Sets the file of each manifest, by its path among sorted files.
pub(super) fn number(files: &[File], manifests: &mut Manifests) {
    let ids: BTreeMap<&BStr, FileId> = (0u32..)
        .map(FileId)
        .zip(files)
        .filter(|(_, file)| file.role == Role::Manifest)
        .map(|(id, file)| (file.path.as_bstr(), id))
        .collect();
    manifests.all.retain_mut(|manifest| {
        let path = manifest::join(manifest.base.as_bstr(), &manifest.name);
        ids.get(path.as_bstr()).map(|&id| manifest.file = id).is_some()
    });
}

/// Reads manifests. `skills` are all SKILL.md files, sorted, and `of_project` the directories at the top that runtimes search.
pub(super) fn read(
    finder: &mut Finder<'_>,
    manifests: &[(Spot, Kind)],
    skills: &[BString],
    of_project: &[BString],
) -> Result<Found, Error> {
    let known = manifests.iter().filter_map(|(spot, kind)| Some((spot, kind, roots::manifest(spot.path.as_bstr())?)));
    let is_wanted = |base: &BStr, name: &str| {
        (!roots::is_common(name) || holds_skill(base, skills)) && (base.is_empty() || roots::settings(name).is_none())
    };
    let known: Vec<_> = known.filter(|(.., (base, name))| is_wanted(base, name)).collect();
    if known.len() > MANIFESTS {
        return Err(Error::TooManyManifests { limit: MANIFESTS });
    }
    let mut found = Found::default();
    let (mut bytes_left, mut values_left) = (MANIFESTS_BYTES, VALUES);
    for (spot, kind, (base, name)) in known {
        let Read { body, id, content, has_bom, lines } =
            content(finder, spot, *kind, &mut bytes_left, &mut values_left)?;
        // What the settings of the project allow is compared.
        let is_of_project = name == roots::CLAUDE_SETTINGS && base.is_empty() && content.is_ok();
        if is_other(name, &content) && !is_of_project {
            continue;
        }
        let file = File { id, ..File::new(spot.path.clone(), Role::Manifest, None, body) };
        let (name, part) = (name.into(), Part::of(name));
        let manifest = Manifest { file: FileId(0), base: base.to_owned(), name, part, content, has_bom, lines };
        if !manifest.is_settings() || manifest.is_about_skills() {
            found.manifests.push((file, manifest));
        }
    }
    if found
        .manifests
        .iter()
        .map(|(_, manifest)| manifest.permissions().count() + manifest.denied_tools().len())
        .sum::<usize>()
        > PERMISSIONS
    {
        return Err(Error::TooManyPermissions { limit: PERMISSIONS });
    }
    if found.manifests.iter().map(|(_, manifest)| manifest.entries().len()).sum::<usize>() > ENTRIES {
        return Err(Error::TooManyEntries { limit: ENTRIES });
    }
    if !skills.is_empty() {
        read_project_hooks(finder, &mut found, &mut bytes_left, &mut values_left)?;
    }
    leave_samples(&mut found);
    leave_other_parts(&mut found);
    look_up(finder, &mut found, skills)?;
    for sign in roots::SIGNS.into_iter().chain([AGENT_FILE]).map(BString::from).filter(|_| !skills.is_empty()) {
        let resolution = finder.resolve(BStr::new(""), sign.as_bstr())?;
        found.paths.insert(sign, resolution);
    }
    found.manifests.retain(|(_, manifest)| matters(manifest, &found.paths));
    read_named_parts(finder, &mut found, skills, (&mut bytes_left, &mut values_left))?;
    found.named = named(&found, skills);
    if packaged(&found, skills) > PACKAGED {
        return Err(Error::TooManyPackaged { limit: PACKAGED });
    }
    found.commands = commands(finder, &found, skills)?;
    (found.not_executable, found.carriage_returns) = direct_scripts(finder, &found, &mut bytes_left)?;
    found.submodules = submodules(finder, &found)?;
    found.misplaced = misplaced(finder, &found)?;
    found.unnamed = unnamed::find(finder, found.manifests.iter().map(|(_, manifest)| manifest))?;
    // Who records what is installed, or publishes a plugin, can keep other skills out of Git.
    let has_lock = manifests.iter().any(|(spot, _)| spot.path == roots::LOCK);
    let is_installed = has_lock || found.manifests.iter().any(|(_, manifest)| !manifest.is_settings());
    let of_project = if skills.is_empty() && !is_installed { of_project } else { &[] };
    found.ignored = ignored::find(finder, found.places.iter(), of_project, skills)?;
    found.npm_ignores = npm_ignores(finder, &found, &mut bytes_left)?;
    Ok(found)
}

/// Returns the text of each `.npmignore` next to a package.json. With `files`, npm does not read it.
fn npm_ignores(
    finder: &mut Finder<'_>,
    found: &Found,
    bytes_left: &mut usize,
) -> Result<BTreeMap<BString, Arc<str>>, Error> {
    let (mut ignores, mut known) = (BTreeMap::new(), HashSet::<Arc<str>>::new());
    let (mut left, mut ignored_bytes_left) = (IGNORED, IGNORED_BYTES);
    for (_, manifest) in found.manifests.iter().filter(|(_, manifest)| manifest.name == roots::NPM_PACKAGE) {
        let path = manifest::join(manifest.base.as_bstr(), manifest::NPM_IGNORE);
        let has_list = manifest.content.as_ref().map_or(true, |json| json.get("files").is_some());
        let file = if has_list { None } else { finder.at(path.as_bstr())? };
        let Some((spot, _)) = file.filter(|(_, entry)| entry.kind == Kind::Known(Mode::File)) else { continue };
        let Content::Bytes { bytes, .. } = finder.content(&spot, MANIFESTS_BYTES as u64)? else {
            return Err(Error::TooLongManifests { limit: MANIFESTS_BYTES });
        };
        *bytes_left = bytes_left.checked_sub(bytes.len()).ok_or(Error::TooLongManifests { limit: MANIFESTS_BYTES })?;
        let Ok(text) = bytes.to_str() else { continue };
        let text = match known.get(text) {
            Some(text) => Arc::clone(text),
            None => {
                let (lines, bytes) = Published::patterns(text).fold((0, 0), |(n, sum), line| (n + 1, sum + line.len()));
                left = left.checked_sub(lines).ok_or(Error::TooManyPatterns { limit: IGNORED })?;
                let limit = Error::TooLongPatterns { limit: IGNORED_BYTES };
                ignored_bytes_left = ignored_bytes_left.checked_sub(bytes).ok_or(limit)?;
                let text: Arc<str> = text.into();
                known.insert(Arc::clone(&text));
                text
            }
        };
        ignores.insert(manifest.base.clone(), text);
    }
    Ok(ignores)
}

/// Returns the scripts that hooks and servers start by their path, and that have no executable bit; and those whose first line ends in CR.
fn direct_scripts(
    finder: &mut Finder<'_>,
    found: &Found,
    bytes_left: &mut usize,
) -> Result<(BTreeSet<BString>, BTreeSet<BString>), Error> {
    let (mut scripts, mut with_returns, mut seen) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (_, manifest) in found.manifests.iter().filter(|(_, manifest)| !manifest.is_marketplace()) {
        let Ok(json) = &manifest.content else { continue };
        for path in manifest::direct_scripts(json, manifest.part.is_some()) {
            let path = manifest::below(manifest.base.as_bstr(), path);
            let real = path.and_then(|path| match found.paths.get(&path) {
                Some(Resolution::File(real)) => Some((path, real)),
                _ => None,
            });
            let Some((path, real)) = real.filter(|(path, _)| seen.insert(path.clone())) else { continue };
            let Some((spot, entry)) = finder.at(real.as_bstr())? else { continue };
            if let Content::Bytes { bytes, .. } = finder.content(&spot, CONFIG_BYTES)? {
                let limit = Error::TooLongManifests { limit: MANIFESTS_BYTES };
                *bytes_left = bytes_left.checked_sub(bytes.len()).ok_or(limit)?;
                let line = bytes.lines_with_terminator().next().unwrap_or_default();
                if line.starts_with(b"#!") && line.ends_with(b"\r\n") {
                    with_returns.insert(path.clone());
                }
            }
            if entry.kind == Kind::Known(Mode::File) {
                scripts.insert(path);
            }
        }
    }
    Ok((scripts, with_returns))
}

/// Returns the paths that are submodules or in one: a link that leaves the repository leads nowhere, either.
fn submodules(finder: &mut Finder<'_>, found: &Found) -> Result<BTreeSet<BString>, Error> {
    let mut submodules = BTreeSet::new();
    for (path, _) in found.paths.iter().filter(|(_, resolution)| **resolution == Resolution::Outside) {
        for end in path.find_iter("/").chain([path.len()]) {
            match finder.at(path[..end].as_bstr())?.map(|(_, entry)| entry.kind) {
                Some(Kind::Known(Mode::Directory)) => {}
                Some(Kind::Known(Mode::Submodule)) => {
                    submodules.insert(path.clone());
                    break;
                }
                _ => break,
            }
        }
    }
    Ok(submodules)
}

/// Returns the parts of plugins next to a manifest that no key of it names, and an `mcp.json` in place of `.mcp.json`.
fn misplaced(finder: &mut Finder<'_>, found: &Found) -> Result<BTreeSet<BString>, Error> {
    let mut misplaced = BTreeSet::new();
    let others = found.manifests.iter().map(|(_, manifest)| manifest);
    let others = others.filter(|other| other.name.ends_with("plugin.json") && *other.name != *roots::CLAUDE_PLUGIN);
    let shared: BTreeSet<&BStr> = others.map(|other| other.base.as_bstr()).collect();
    for (file, manifest) in found.manifests.iter().filter(|(_, manifest)| *manifest.name == *roots::CLAUDE_PLUGIN) {
        let directory = text::parent(file.path.as_bstr());
        let Ok(json) = &manifest.content else { continue };
        let Some(spot) = finder.directory(directory)? else { continue };
        let named: Vec<BString> = manifest::PATH_KEYS
            .iter()
            .filter_map(|key| json.get(key))
            .flat_map(manifest::named_paths)
            .filter_map(|path| manifest::below(manifest.base.as_bstr(), path.text))
            .collect();
        for entry in finder.children(&spot)?.iter() {
            let path = store::join(directory, entry.name.as_bstr());
            let is_part = manifest::MISPLACED.iter().any(|(name, _)| entry.name == *name);
            if is_part && !named.iter().any(|named| roots::is_within(named.as_bstr(), path.as_bstr())) {
                misplaced.insert(path);
            }
        }
        // Other programs read a file with this name in their plugins.
        let base = manifest.base.as_bstr();
        let undotted = manifest::join(base, manifest::UNDOTTED_SERVERS);
        let is_file = |entry: &Entry| matches!(entry.kind, Kind::Known(Mode::File | Mode::Executable));
        if json.get(manifest::SERVERS).is_none()
            && finder.at(undotted.as_bstr())?.is_some_and(|(_, entry)| is_file(&entry))
            && finder.at(manifest::join(base, roots::SERVERS).as_bstr())?.is_none()
            && !shared.contains(base)
        {
            misplaced.insert(undotted);
        }
    }
    Ok(misplaced)
}

/// Returns the files of commands that have the name of a skill's directory. Links are not commands.
fn commands(finder: &mut Finder<'_>, found: &Found, skills: &[BString]) -> Result<BTreeSet<BString>, Error> {
    let mut places: BTreeSet<BString> = BTreeSet::new();
    let mut add = |directory: &BStr, keys: &Json| {
        places.insert(manifest::join(directory, manifest::COMMANDS));
        places.extend(manifest::command_places(directory, keys));
    };
    for (_, manifest) in found.manifests.iter().filter(|(_, manifest)| manifest.part.is_none()) {
        manifest.each_package(&mut add);
    }
    let leads = |path: &BString| match found.paths.get(path) {
        Some(Resolution::Directory(real)) => real == path,
        _ => false,
    };
    places.retain(leads);
    if places.is_empty() {
        return Ok(BTreeSet::new());
    }
    let names: HashSet<&BStr> = skills.iter().map(|skill| text::file_name(text::parent(skill.as_bstr()))).collect();
    let mut commands = BTreeSet::new();
    for place in places {
        let Some(spot) = finder.directory(place.as_bstr())? else { continue };
        for entry in finder.children(&spot)?.iter() {
            let path = store::join(place.as_bstr(), entry.name.as_bstr());
            match entry.kind {
                Kind::Known(Mode::File | Mode::Executable) => {
                    let stem = entry.name.strip_suffix(b".md");
                    commands.extend(stem.filter(|stem| names.contains(stem.as_bstr())).map(|_| path));
                }
                Kind::Known(Mode::Directory) if names.contains(entry.name.as_bstr()) => {
                    let file = manifest::join(path.as_bstr(), SKILL_FILES[0]);
                    commands.extend(Some(file).filter(|file| skills.binary_search(file).is_ok()));
                }
                _ => {}
            }
        }
    }
    Ok(commands)
}

/// Reads the files with hooks or servers that manifests name. Their scripts are looked up, too.
fn read_named_parts(
    finder: &mut Finder<'_>,
    found: &mut Found,
    skills: &[BString],
    (bytes_left, values_left): (&mut usize, &mut usize),
) -> Result<(), Error> {
    let mut named: BTreeMap<BString, (BString, Part)> = BTreeMap::new();
    let plugins = found.manifests.iter().map(|(_, manifest)| manifest);
    for manifest in plugins.filter(|manifest| manifest.part.is_none() && !manifest.is_marketplace()) {
        let Ok(json) = &manifest.content else { continue };
        let base = manifest.base.as_bstr();
        let paths = Part::KEYS.iter().flat_map(|&(key, part)| {
            let written = json.get(key).into_iter().flat_map(manifest::written);
            written.filter_map(move |written| Some((manifest::below(base, written.text)?, part)))
        });
        // Runtimes take JSON files only, and a manifest is none of its parts.
        let is_file = |path: &BString| matches!(found.paths.get(path), Some(Resolution::File(_)));
        let is_read = |path: &BString| path.ends_with(b".json") && roots::manifest(path.as_bstr()).is_none();
        for (path, part) in paths.filter(|(path, _)| is_file(path) && is_read(path)) {
            named.entry(path).or_insert_with(|| (manifest.base.clone(), part));
        }
    }
    if named.is_empty() {
        return Ok(());
    }
    for (path, (base, part)) in named {
        let Some((spot, entry)) = finder.at(path.as_bstr())? else { continue };
        let Read { body, id, content, has_bom, lines } = content(finder, &spot, entry.kind, bytes_left, values_left)?;
        let inside = roots::relative(path.as_bstr(), base.as_bstr()).unwrap_or(path.as_bstr());
        let name = text::lossless(inside).into();
        let file = File { id, ..File::new(path.clone(), Role::Manifest, None, body) };
        let manifest = Manifest { file: FileId(0), base, name, part: Some(part), content, has_bom, lines };
        found.manifests.push((file, manifest));
    }
    found.manifests.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    look_up(finder, found, skills)
}

/// Reads the files of hooks at the top that have any name.
fn read_project_hooks(
    finder: &mut Finder<'_>,
    found: &mut Found,
    bytes_left: &mut usize,
    values_left: &mut usize,
) -> Result<(), Error> {
    let Some(directory) = finder.directory(BStr::new(roots::GITHUB_HOOKS))? else { return Ok(()) };
    let entries: Vec<_> =
        finder.children(&directory)?.iter().filter(|entry| entry.name.ends_with(b".json")).cloned().collect();
    for entry in entries {
        if found.manifests.len() >= MANIFESTS {
            return Err(Error::TooManyManifests { limit: MANIFESTS });
        }
        if !matches!(entry.kind, Kind::Known(Mode::File | Mode::Executable)) {
            continue;
        }
        let spot = directory.child(&entry);
        let Read { body, id, content, has_bom, lines } = content(finder, &spot, entry.kind, bytes_left, values_left)?;
        let name = text::lossless(spot.path.as_bstr()).into();
        let file = File { id, ..File::new(spot.path, Role::Manifest, None, body) };
        let manifest =
            Manifest { file: FileId(0), base: BString::default(), name, part: None, content, has_bom, lines };
        found.manifests.push((file, manifest));
    }
    found.manifests.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    Ok(())
}

/// Removes the manifests below directories of samples and copies, without those that a marketplace elsewhere lists.
fn leave_samples(found: &mut Found) {
    let is_sample = |manifest: &Manifest| roots::is_sample(manifest.base.as_bstr());
    if !found.manifests.iter().any(|(_, manifest)| is_sample(manifest)) {
        return;
    }
    let markets = found.manifests.iter().map(|(_, manifest)| manifest);
    let markets = markets.filter(|manifest| manifest.is_marketplace() && !is_sample(manifest));
    let bases: BTreeSet<BString> = found.manifests.iter().map(|(_, manifest)| manifest.base.clone()).collect();
    let mut listed = BTreeSet::new();
    for market in markets {
        market.each_wanted(&mut |wanted| {
            if !wanted.is_place && bases.contains(&wanted.path) {
                listed.insert(wanted.path);
            }
        });
    }
    found.manifests.retain(|(_, manifest)| !is_sample(manifest) || listed.contains(&manifest.base));
}

/// Removes the files of hooks and servers that are in no plugin or extension: a directory with a manifest, or one that a marketplace lists.
fn leave_other_parts(found: &mut Found) {
    let all = || found.manifests.iter().map(|(_, manifest)| manifest);
    if !all().any(|manifest| manifest.part.is_some()) {
        return;
    }
    let bases: BTreeSet<BString> =
        all().filter(|manifest| manifest.part.is_some()).map(|manifest| manifest.base.clone()).collect();
    let mut plugins: BTreeSet<BString> = BTreeSet::new();
    for manifest in all() {
        if manifest.is_marketplace() {
            manifest.each_wanted(&mut |wanted| {
                if bases.contains(&wanted.path) {
                    plugins.insert(wanted.path);
                }
            });
        } else if manifest.name.ends_with("plugin.json") || manifest.name == "gemini-extension.json" {
            plugins.insert(manifest.base.clone());
        }
    }
    // The servers at the top are those of the project.
    let is_of_project = |manifest: &Manifest| manifest.base.is_empty() && manifest.part == Some(Part::Servers);
    found
        .manifests
        .retain(|(_, manifest)| manifest.part.is_none() || plugins.contains(&manifest.base) || is_of_project(manifest));
}

/// Returns the number of skills in the directories of all packages: entries may share one.
fn packaged(found: &Found, skills: &[BString]) -> usize {
    let below = |directory: &BStr| skills_in(directory, skills).len();
    let of = |manifest: &Manifest| match &manifest.content {
        Ok(json) if manifest.is_marketplace() => {
            let entries = json.get("plugins").map_or(&[][..], Json::items);
            let directories = entries.iter().filter_map(|entry| {
                let (plain, below_root) = manifest::sources(manifest, json, entry);
                plain.or(below_root)
            });
            directories.map(|directory| below(directory.as_bstr())).sum()
        }
        _ if manifest.part.is_some() || manifest.is_settings() => 0,
        _ => below(manifest.base.as_bstr()),
    };
    found.manifests.iter().map(|(_, manifest)| of(manifest)).fold(0, usize::saturating_add)
}

/// Returns whether a SKILL.md is in a directory or below it.
fn holds_skill(directory: &BStr, skills: &[BString]) -> bool {
    !skills_in(directory, skills).is_empty()
}

/// Returns the files in a directory or below it, of sorted ones.
fn skills_in<'s>(directory: &BStr, skills: &'s [BString]) -> &'s [BString] {
    // Between a directory and what is in it, siblings such as `a-b` can follow `a`.
    let inside = manifest::join(directory, "");
    let start = skills.partition_point(|skill| *skill < inside);
    let count = skills[start..].partition_point(|skill| skill.starts_with(&inside));
    &skills[start..start + count]
}

/// A manifest as it was read.
struct Read {
    body: Body,
    id: Option<ObjectId>,
    content: Result<Json, Unread>,
    has_bom: bool,
    lines: Vec<(usize, usize)>,
}

impl Read {
    /// A manifest whose text is not read.
    fn unread(body: Body, id: Option<ObjectId>, why: Unread) -> Self {
        Self { body, id, content: Err(why), has_bom: false, lines: Vec::new() }
    }
}

/// Reads one manifest.
fn content(
    finder: &mut Finder<'_>,
    spot: &Spot,
    kind: Kind,
    bytes_left: &mut usize,
    values_left: &mut usize,
) -> Result<Read, Error> {
    match kind {
        Kind::Known(Mode::Link) => {
            let link = finder.follow(spot)?;
            let body = Body::Symlink { target: link.target, resolution: link.resolution };
            return Ok(Read::unread(body, link.id, Unread::Link));
        }
        Kind::Unmerged => return Ok(Read::unread(Body::Unmerged, spot.id, Unread::Unmerged)),
        _ => {}
    }
    match finder.content(spot, CONFIG_BYTES)? {
        Content::TooLarge { bytes } => Ok(Read::unread(Body::TooLarge { bytes }, spot.id, Unread::TooLarge(bytes))),
        Content::Bytes { bytes, id } => {
            *bytes_left =
                bytes_left.checked_sub(bytes.len()).ok_or(Error::TooLongManifests { limit: MANIFESTS_BYTES })?;
            let has_bom = bytes.starts_with(b"\xef\xbb\xbf");
            let content = parsed(&bytes, spot.path.as_bstr(), values_left)?;
            let lines = content.as_ref().map(|json| lines(json, &bytes)).unwrap_or_default();
            Ok(Read { body: Body::NotRead, id: Some(id), content, has_bom, lines })
        }
    }
}

/// Returns the offsets and lines of the values of [`manifest::OVERRIDES`], of lists of names, of `skills` and of permissions.
fn lines(json: &Json, bytes: &[u8]) -> Vec<(usize, usize)> {
    let keys = [manifest::OVERRIDES, manifest::PERMISSION].into_iter().filter_map(|key| json.get(key));
    let lists = [manifest::DENIED, manifest::DISABLED].into_iter().chain(manifest::EXCLUDED);
    let values = keys
        .flat_map(Json::members)
        .flat_map(|member| std::iter::once(&member.value).chain(member.value.members().iter().map(|one| &one.value)))
        .chain(lists.into_iter().filter_map(|key| json.at(key)).flat_map(Json::items))
        .chain(json.at("skills").into_iter().flat_map(Json::members).map(|member| &member.value));
    let mut starts: Vec<usize> = values.map(|value| value.range.start).collect();
    starts.sort_unstable();
    let (mut before, mut line) = (0, 1);
    let place = |at: usize| {
        line += bytes.get(before..at).unwrap_or_default().find_iter(b"\n").count();
        before = at;
        (at, line)
    };
    starts.into_iter().map(place).collect()
}

/// Returns whether a text is nothing but the path of a JSON file, as Git writes a link on a file system without links.
fn is_path(text: &str) -> bool {
    let text = text.trim_ascii();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./@+ ".contains(&byte);
    text.ends_with(".json") && text.bytes().all(is_part)
}

fn parsed(bytes: &[u8], path: &BStr, left: &mut usize) -> Result<Result<Json, Unread>, Error> {
    let has_comments = || path != roots::CODEX_HOOKS && path.to_str().is_ok_and(|path| roots::settings(path).is_some());
    let text = match bytes.to_str() {
        Ok(text) if path == roots::GEMINI_SETTINGS => Cow::Owned(json::with_commas(text)),
        Ok(text) if has_comments() => Cow::Owned(json::without_comments(text)),
        Ok(text) => Cow::Borrowed(text),
        Err(error) => return Ok(Err(Unread::Malformed("not UTF-8".to_owned(), error.valid_up_to()))),
    };
    match Json::parse(&text, left) {
        Ok(Json { value: Value::Object(_), .. }) | Err(_) if text.trim().is_empty() => {
            Ok(Err(Unread::Malformed(manifest::EMPTY.to_owned(), 0)))
        }
        Ok(json @ Json { value: Value::Object(_), .. }) => Ok(Ok(json)),
        Ok(_) => Ok(Err(Unread::NotAnObject)),
        Err(Refused::Malformed(..)) if is_path(&text) => Ok(Err(Unread::Malformed(manifest::ONLY_PATH.to_owned(), 0))),
        Err(Refused::Malformed(reason, at)) => Ok(Err(Unread::Malformed(reason, at))),
        Err(Refused::TooMany) => Err(Error::TooManyValues { limit: VALUES }),
    }
}

/// Returns whether a file with a common name is about something else.
fn is_other(name: &str, content: &Result<Json, Unread>) -> bool {
    let is_misplaced = roots::belongs(name).is_some();
    let Ok(json) = content else {
        // One that is not read may be about skills.
        let is_read = !matches!(content, Err(Unread::TooLarge(_)));
        return is_misplaced || is_read && matches!(name, roots::NPM_PACKAGE | "marketplace.json");
    };
    match name {
        _ if is_misplaced && name.ends_with("plugin.json") => json.get("name").and_then(Json::text).is_none(),
        _ if is_misplaced => json.get("plugins").is_none(),
        roots::NPM_PACKAGE => !PACKAGE_KEYS.iter().any(|key| json.at(key).is_some()),
        roots::CLAUDE_SETTINGS | roots::LOCAL_SETTINGS => {
            let keys = [
                manifest::ENABLED,
                manifest::HOOKS,
                manifest::OVERRIDES,
                manifest::PERMISSIONS,
                manifest::MARKETPLACES,
            ];
            keys.iter().all(|key| json.get(key).is_none())
        }
        "marketplace.json" => json.get("plugins").is_none(),
        _ => false,
    }
}

/// Returns whether a manifest is about skills: many programs have a plugin.json.
fn matters(manifest: &Manifest, paths: &BTreeMap<BString, Resolution>) -> bool {
    if manifest.name != "plugin.json" {
        return true;
    }
    let base = manifest.base.as_bstr();
    let exists =
        |name| matches!(paths.get(&manifest::join(base, name)), Some(Resolution::Directory(_) | Resolution::File(_)));
    let has_key = manifest.content.as_ref().is_ok_and(|json| json.get("skills").is_some());
    has_key || exists("skills") || exists("SKILL.md")
}

/// Looks up the paths that the manifests name. A path in a directory that cannot be read is unknown.
fn look_up(finder: &mut Finder<'_>, found: &mut Found, skills: &[BString]) -> Result<(), Error> {
    let (mut count, mut bytes, mut failed) = (0, 0, None);
    let (manifests, places, paths) = (&found.manifests, &mut found.places, &mut found.paths);
    for (_, manifest) in manifests {
        manifest.each_wanted(&mut |manifest::Wanted { path, is_place }| {
            (count, bytes) = (count + 1, bytes + path.len());
            if count > NAMED || bytes > NAMED_BYTES {
                return;
            }
            if is_place {
                places.insert(path.clone());
            }
            if failed.is_none() && !paths.contains_key(&path) {
                match finder.resolve(BStr::new(""), path.as_bstr()) {
                    Ok(resolution) => drop(paths.insert(path, resolution)),
                    Err(error) => failed = Some(error),
                }
            }
        });
    }
    match (count, bytes) {
        _ if failed.is_some() => failed.map_or(Ok(()), Err),
        (count, _) if count > NAMED => Err(Error::TooManyNamed { limit: NAMED }),
        (_, bytes) if bytes > NAMED_BYTES => Err(Error::TooLongNamed { limit: NAMED_BYTES }),
        _ => look_up_parts(finder, found, skills),
    }
}

/// Looks up what packages without skills have instead.
fn look_up_parts(finder: &mut Finder<'_>, found: &mut Found, skills: &[BString]) -> Result<(), Error> {
    let is_missing = |path: &&BString| {
        let leads_to_skill = |resolution: &Resolution| match resolution {
            Resolution::Directory(real) => holds_skill(real.as_bstr(), skills),
            _ => false,
        };
        text::file_name(path.as_bstr()) == "skills" && !found.paths.get(*path).is_some_and(leads_to_skill)
    };
    let without: Vec<BString> =
        found.places.iter().filter(is_missing).map(|path| text::parent(path.as_bstr()).to_owned()).collect();
    // What was not looked up is unknown.
    for directory in without.iter().filter(|_| without.len() <= WITHOUT_SKILLS) {
        for name in manifest::PART_PLACES {
            let path = manifest::join(directory.as_bstr(), name);
            let resolution = finder.resolve(BStr::new(""), path.as_bstr())?;
            found.paths.insert(path, resolution);
        }
    }
    Ok(())
}

/// Returns the skills directories that manifests name: one with skills, or the one around a skill.
fn named(found: &Found, skills: &[BString]) -> BTreeSet<BString> {
    // A wrong letter case has its own finding.
    let is_file = |path: &BStr, name: &str| skills.binary_search(&manifest::join(path, name)).is_ok();
    let is_skill = |path: &BStr| SKILL_FILES.iter().any(|name| is_file(path, name));
    let is_searched = |path: &BStr| !path.split_str("/").any(|name| expand::is_skipped(name.as_bstr()));
    let directories = found.paths.iter().filter(|(_, resolution)| matches!(resolution, Resolution::Directory(_)));
    let named = directories.filter(|(path, _)| is_searched(path.as_bstr())).filter_map(|(path, _)| {
        // A SKILL.md in the directory for skills does not make it a skill.
        let holds_skills = text::file_name(path.as_bstr()) == "skills";
        match is_skill(path.as_bstr()) && !holds_skills {
            true => Some(text::parent(path.as_bstr()).to_owned()),
            false => found.places.contains(path).then(|| path.clone()),
        }
    });
    named.collect()
}
