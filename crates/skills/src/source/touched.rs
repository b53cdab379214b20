//! Whether a rule may read one of some files that differ between two states. Only names are looked at, so no skill is read. In doubt the
//! answer is yes: then everything is read and compared.

use std::collections::{BTreeSet, HashSet};

use bstr::{BStr, BString, ByteSlice};
use globset::GlobMatcher;

use super::find::{Finder, Link};
use super::store::{self, Kind, Reader, Spot, Store};
use super::{Error, HashKind, agents, hash};
use crate::manifest;
use crate::name;
use crate::records::{KNOWLEDGE, THREADS};
use crate::roots::{self, RootSet};
use crate::skill::links;
use crate::skill::paths::is_markdown;
use crate::snapshot::{Mode, ObjectId, Resolution};
use skilltree_front_matter::text;

/// A file whose entries differ between two states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path from the top.
    pub path: BString,
    /// The entry before; `None` if the file is new.
    pub before: Option<(Mode, ObjectId)>,
    /// The entry after; `None` if the file was removed.
    pub after: Option<(Mode, ObjectId)>,
}

impl Difference {
    /// Returns whether only the content of a regular file differs.
    pub fn is_edit(&self) -> bool {
        self.before.zip(self.after).is_some_and(|((one, _), (two, _))| one == two && is_file(one))
    }

    /// Returns whether a regular file is new.
    fn is_addition(&self) -> bool {
        self.before.is_none() && self.after.is_some_and(|(mode, _)| is_file(mode))
    }

    /// Returns whether it is an edit of a Markdown file, whose headings a link can name.
    pub fn edits_markdown(&self) -> bool {
        self.is_edit() && is_markdown(self.path.as_bstr())
    }
}

/// Maximum number of directories outside the cone of a sparse checkout that are listed, and of names found in them.
const LISTED: usize = 200_000;

/// What the name of the manifest of a plugin ends with.
const PLUGIN: &str = "plugin.json";

/// Maximum number of links that are followed.
const LINKS: usize = 4_096;

/// Maximum number of links that are known by their ids only.
const UNREAD: usize = 256;

/// Maximum number of skills directories that a link which cannot be read is compared with.
const AROUND: usize = 1_000;

/// Returns whether a rule may read one of the files. A file that is removed or replaced by something else counts, because any skill may
/// refer to it. So does an entry that is neither a regular file nor was one. `named` are the files that the configuration names.
pub(super) fn any(
    store: &dyn Store,
    differences: &[Difference],
    set: &RootSet,
    named: &BTreeSet<BString>,
) -> Result<bool, Error> {
    let is_plain = |difference: &Difference| difference.is_edit() || difference.is_addition();
    let Some(places) = differences.iter().all(is_plain).then(|| Places::of(store, set)).transpose()?.flatten() else {
        return Ok(!differences.is_empty());
    };
    let touches = |difference: &Difference| {
        let path = difference.path.as_bstr();
        named.contains(path.as_bytes())
            || path == KNOWLEDGE
            || path == THREADS
            || agents::may_read(path)
            || places.may_read(path)
            || difference.is_addition() && !places.plugins.is_empty() && is_shared(path)
    };
    Ok(differences.iter().any(touches))
}

/// Where the rules read files. Paths are folded as any file system compares them, because another spelling of a skills directory counts.
struct Places<'a> {
    set: &'a RootSet,
    matchers: Vec<GlobMatcher>,
    /// Skill directories, the directories around them, and what links in skills directories lead to.
    read: HashSet<BString>,
    /// The directories above skill directories, without the top. A manifest can make them skills directories.
    above: HashSet<BString>,
    /// Directories of packages.
    packages: HashSet<BString>,
    /// Those of plugins.
    plugins: HashSet<BString>,
    /// The names of skill directories. A command with such a name hides the skill.
    names: HashSet<BString>,
    /// The directories around skill directories, as they are written.
    around: BTreeSet<BString>,
}

impl<'a> Places<'a> {
    /// Returns the places of a state; `None` if the whole repository is one, or if it is not known.
    fn of(store: &dyn Store, set: &'a RootSet) -> Result<Option<Self>, Error> {
        let Some(outline) = outline(store)? else { return Ok(None) };
        let matchers = set.patterns.iter().map(|pattern| pattern.matcher().ok()).collect::<Option<_>>();
        let Some(matchers) = matchers else { return Ok(None) };
        let (read, above, packages, plugins, names) = Default::default();
        let mut places = Self { set, matchers, read, above, packages, plugins, names, around: BTreeSet::new() };
        let mut links = Vec::new();
        for (spot, kind) in outline {
            let path = spot.path.as_bstr();
            if roots::is_skill_file(text::file_name(path)) {
                places.add_skill(text::parent(path));
            } else if let Some((base, name)) = roots::manifest(path) {
                places.packages.insert(folded(base));
                if name.ends_with(PLUGIN) {
                    places.plugins.insert(folded(base));
                }
            }
            if kind == Kind::Known(Mode::Link) {
                links.push(spot);
            }
        }
        let is_everything = places.read.contains(BStr::new(""));
        Ok((!is_everything && places.follow(store, links)?).then_some(places))
    }

    fn add_skill(&mut self, directory: &BStr) {
        self.read.insert(folded(directory));
        self.names.insert(folded(text::file_name(directory)));
        let parent = text::parent(directory);
        // Of the top, only skill directories are read.
        if !parent.is_empty() {
            self.read.insert(folded(parent));
            self.around.insert(parent.to_owned());
        }
        self.above.extend(ancestors(directory).skip(1).map(folded));
    }

    /// Adds what links in skills directories, and on the way to them, lead to. Returns `false` if there are too many, or one leads to
    /// the top.
    fn follow(&mut self, store: &dyn Store, links: Vec<Spot>) -> Result<bool, Error> {
        let mut finder = Finder::new(store);
        let leads =
            |spot: &Spot| self.may_read(spot.path.as_bstr()) || text::file_name(spot.path.as_bstr()).starts_with(b".");
        let links: Vec<Spot> = links.into_iter().filter(leads).collect();
        if links.len() > LINKS {
            return Ok(false);
        }
        let mut unread = 0;
        for link in links {
            match finder.follow(&link) {
                Ok(Link { resolution: Resolution::File(target) | Resolution::Directory(target), .. }) => {
                    self.read.insert(folded(target.as_bstr()));
                }
                Ok(_) => {}
                // Its bytes may not be fetched, but its id tells whether it leads to a known place.
                Err(_) if unread < UNREAD && self.leads_to_place(&link, store.hash()) => unread += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(!self.read.contains(BStr::new("")))
    }

    /// Returns whether a link, by its id, leads to a skills directory, or to a skill of the same name in one.
    fn leads_to_place(&self, link: &Spot, hash: HashKind) -> bool {
        let known =
            self.set.discovery.iter().flat_map(|discovery| &discovery.known).map(|known| known.as_bytes().as_bstr());
        let (from, name) = (text::parent(link.path.as_bstr()), text::file_name(link.path.as_bstr()));
        let has_id = |target: &BStr| {
            let written = links::relative(from, target);
            [written.clone(), format!("{written}/")]
                .iter()
                .any(|written| hash::blob(hash, written.as_bytes()) == link.id)
        };
        let mut places = known.chain(self.around.iter().map(|path| path.as_bstr())).take(AROUND);
        link.id.is_some() && places.any(|place| has_id(place) || has_id(store::join(place, name).as_bstr()))
    }

    /// Returns whether a rule may read a file.
    fn may_read(&self, path: &BStr) -> bool {
        let name = text::file_name(path);
        roots::is_skill_file(name)
            || roots::is_manifest_file(name)
            || self.is_in_place(path)
            || self.is_in_place(folded(path).as_bstr())
            || self.is_in_package(path)
    }

    /// Returns whether a path is in a place, or is a directory above one by its name.
    fn is_in_place(&self, path: &BStr) -> bool {
        let set = self.set;
        let known = set.discovery.iter().flat_map(|discovery| &discovery.known).chain(&set.near);
        let fixed = set.patterns.iter().map(|pattern| folded(pattern.fixed_prefix().as_bytes().as_bstr()));
        let is_above = known.clone().any(|known| is_parent(path, known.as_bytes().as_bstr()))
            || fixed.into_iter().any(|fixed| fixed == path || is_parent(path, fixed.as_bstr()));
        let is_place = |directory: &BStr| {
            self.read.contains(directory)
                || set.discovery.as_ref().is_some_and(|discovery| discovery.is_known(directory))
                || set.near.iter().any(|near| near.as_bytes() == directory)
                || set.patterns.iter().any(|pattern| folded(pattern.glob.as_bytes().as_bstr()) == directory)
                || self.matchers.iter().any(|matcher| matcher.is_match(&*directory.to_path_lossy()))
        };
        is_above || ancestors(path).any(is_place)
    }

    /// Returns whether a manifest may name a file that defines servers or hooks, a command, or a directory with Markdown files around
    /// skills.
    fn is_in_package(&self, path: &BStr) -> bool {
        if !ancestors(path).chain([BStr::new("")]).any(|directory| self.packages.contains(&folded(directory))) {
            return false;
        }
        let name = text::file_name(path);
        let is_data = name.ends_with(b".json") || !name.contains(&b'.');
        let is_by_manifest = || path.split_str("/").any(|name| roots::has_manifest(name.as_bstr()));
        let is_around = || ancestors(path).skip(1).any(|directory| self.above.contains(&folded(directory)));
        let is_started = || {
            let mut around = ancestors(path).chain([BStr::new("")]);
            is_script(path) && around.any(|directory| self.plugins.contains(&folded(directory)))
        };
        let is_command = || {
            let stem = name.rsplit_once_str(".").map_or(name.as_bytes(), |(stem, _)| stem);
            self.names.contains(&folded(stem.as_bstr()))
        };
        is_data || is_started() || is_markdown(path) && (is_command() || is_around()) || is_by_manifest()
    }
}

/// Returns a path and the directories above it, without the top.
pub(super) fn ancestors(path: &BStr) -> impl Iterator<Item = &BStr> {
    std::iter::successors(Some(path), |path| Some(text::parent(path))).take_while(|path| !path.is_empty())
}

/// Extensions of scripts, and directories with those that hooks and servers start by their path.
const SCRIPTS: [&str; 3] = [".bash", ".py", ".sh"];
const STARTED: [&str; 3] = ["bin", "hooks", "scripts"];

fn is_script(path: &BStr) -> bool {
    let has_component =
        |names: &[&str]| path.split_str("/").any(|part| names.iter().any(|name| part == name.as_bytes()));
    SCRIPTS.iter().any(|end| path.ends_with(end.as_bytes())) && has_component(&STARTED)
}

/// Returns whether a path may be one that several skills of a package name.
fn is_shared(path: &BStr) -> bool {
    path.split_str("/").any(|part| manifest::SHARED.iter().any(|name| part == name.as_bytes()))
}

fn is_parent(path: &BStr, of: &BStr) -> bool {
    path != of && !path.is_empty() && roots::is_within(of, path)
}

fn is_file(mode: Mode) -> bool {
    matches!(mode, Mode::File | Mode::Executable)
}

/// Folds a path as any file system compares it.
fn folded(path: &BStr) -> BString {
    let lowercase = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'/');
    if path.iter().all(lowercase) {
        return path.to_owned();
    }
    bstr::join("/", path.split_str("/").map(|component| name::on_disk(component.as_bstr()))).into()
}

/// Returns the SKILL.md files, the manifests and the links of a store. Directories outside the cone of a sparse checkout are listed by
/// their trees. `None` if there are too many directories.
fn outline(store: &dyn Store) -> Result<Option<Vec<(Spot, Kind)>>, Error> {
    if let Some(outline) = store.outlined() {
        return Ok(Some(outline));
    }
    let mut reader = store.reader();
    let mut found = Vec::new();
    let mut open = vec![store.top()];
    let mut listed = 0;
    while let Some(directory) = open.pop() {
        listed += 1;
        if listed > LISTED || found.len() > LISTED || open.len() > LISTED {
            return Ok(None);
        }
        list(&mut *reader, &directory, &mut found, &mut open)?;
    }
    Ok(Some(found))
}

fn list(
    reader: &mut dyn Reader,
    directory: &Spot,
    found: &mut Vec<(Spot, Kind)>,
    open: &mut Vec<Spot>,
) -> Result<(), Error> {
    for entry in reader.children(directory)? {
        let spot = Spot { path: store::join(directory.path.as_bstr(), entry.name.as_bstr()), id: entry.id };
        let name = entry.name.as_bstr();
        match entry.kind {
            Kind::Known(Mode::Directory) if super::is_skipped(name) => {}
            Kind::Known(Mode::Directory) => open.push(spot),
            Kind::Known(Mode::Link) => found.push((spot, entry.kind)),
            _ if roots::is_skill_file(name) || roots::is_manifest_file(name) => found.push((spot, entry.kind)),
            _ => {}
        }
    }
    Ok(())
}
