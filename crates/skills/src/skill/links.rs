//! Links of a body that may be broken. Links that the names below the roots resolve are dropped with the body. The
//! other targets are looked up in the source by name, once for all skills, before the rules run.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::Skill;
use super::anchors::Anchors;
use crate::roots;
use crate::snapshot::{Body, File, Mode, Presence};
use skilltree_front_matter::text::{self, FileId, Place};

/// The links of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Links that may be broken, in the order of the file; at most `Links::KEPT`.
    pub unresolved: Vec<Link>,
    /// Links to existing or unknown targets outside the skill's directory, in the order of the file; at most `Links::KEPT`.
    pub leaving: Vec<Leaving>,
    /// Links to sections of Markdown files that may not exist; at most `Links::KEPT`.
    pub sections: Vec<SectionLink>,
    /// Paths in prose and code spans that may name missing files of the skill; at most `Links::KEPT`.
    pub mentions: Vec<Link>,
    /// Paths in prose and code that lead out of the skill, or are those of another directory, in the order of the file; at most `Links::KEPT`.
    pub ways: Vec<Way>,
    /// Names of other skills; at most `Links::KEPT`.
    pub partners: Vec<Partner>,
    /// Names of skills with that of their plugin, unless a command has the name; at most `Links::KEPT`.
    pub qualified: Vec<Qualified>,
    /// Commands that run a script of the skill; at most `Links::KEPT`.
    pub calls: Vec<Call>,
    /// Missing files that the commands of a body need; at most `Links::KEPT`.
    pub inputs: Vec<Input>,
    /// The first link, path or name after as many as are kept: those from here on are not checked.
    pub unchecked: Option<Place>,
    /// Whether something was looked up outside the skill's directory: another state may have another answer.
    pub looked_up: bool,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its target as written.
    pub place: Place,
    /// The text of the target.
    pub written: String,
    /// Where it leads.
    pub end: End,
}

/// A link to a section of a Markdown file: its target ends with an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionLink {
    /// The anchor as written, with its `#`.
    pub place: Place,
    /// The text of the target.
    pub written: String,
    /// The text after `#`, without escapes.
    pub fragment: String,
    /// The files that the target may name; empty for a target in the same file.
    pub paths: Vec<BString>,
    /// The anchor of the file that is closest to the fragment.
    pub nearest: Option<String>,
}

/// A link that leaves the skill's directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Its target as written.
    pub place: Place,
    /// The text of the target.
    pub written: String,
    /// The path that it leads to.
    pub path: BString,
}

/// A path in a text that is not one of the skill's directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The path as written, with its variable.
    pub place: Place,
    /// The text of it.
    pub written: String,
    /// Where it leads.
    pub to: To,
}

/// Where a path in a text leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// Out of the repository.
    Outside,
    /// To a path with `..` from the directory of the plugin.
    FromPlugin(String),
    /// With `..`, to this path from the top.
    Path(BString),
    /// With `..`, to one of these paths, which have not been looked up yet.
    Unknown(Vec<BString>),
    /// Not to a file of the skill, but to the first of these paths around it that exists; not looked up yet.
    Around(Vec<BString>),
    /// Not to a file of the skill, but to this one around it.
    Above(BString),
    /// To this file of the skill, by a path in a skills directory that does not contain it.
    Own(String),
}

/// A path that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The path as written.
    pub place: Place,
    /// The path from the top of the repository.
    pub path: BString,
    /// Whether it exists below the skills directories.
    pub exists: bool,
    /// Whether it is the target of a link or an image.
    pub is_link: bool,
}

/// The name of another skill in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partner {
    /// The name without `$` or `/`.
    pub place: Place,
    /// The name.
    pub name: String,
    /// Whether `$` or `/` precedes it.
    pub is_sigil: bool,
    /// Whether the words before it ask for the skill: "then use the `deploy` skill".
    pub is_order: bool,
}

/// The name of a skill in a text, with that of its plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qualified {
    /// The name without that of the plugin.
    pub place: Place,
    /// The name of the plugin.
    pub plugin: String,
    /// The name of the skill.
    pub name: String,
    /// Where a command of this name would be, in the order of paths.
    pub commands: Vec<BString>,
}

/// A command that runs a script of the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The path of the script as written.
    pub place: Place,
    /// The path of the script from the top of the repository.
    pub path: BString,
    /// Whether the script itself is the program: no interpreter precedes it.
    pub is_direct: bool,
}

/// A file that a command needs which a runtime runs before the model reads the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The path as written.
    pub place: Place,
    /// The path without quotes.
    pub written: String,
    /// Where it leads from the directory in which the command runs.
    pub end: End,
    /// The path from the directory of the skill, if the skill has the file.
    pub own: Option<String>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// To an absolute path that exists on one machine only.
    Machine,
    /// Out of the repository.
    Outside,
    /// To one of these paths, which have not been looked up yet.
    Unknown {
        /// The candidate paths: relative to the text, and relative to the directory that lists the skill.
        paths: Vec<BString>,
        /// Whether they are outside the skill's directory.
        leaves: bool,
    },
    /// To a path that differs from an existing one in letter case.
    Misspelled(BString),
    /// Nowhere.
    Nothing,
}

impl Links {
    /// Maximum number of links kept per body, of sections, of paths and of names (ours). Further ones are not checked.
    pub const KEPT: usize = 1_000;

    /// Keeps a link if the cap is not reached.
    pub(super) fn push(&mut self, link: Link) {
        match self.unresolved.len() < Self::KEPT {
            true => self.unresolved.push(link),
            false => self.note(link.place),
        }
    }

    /// Keeps a link that leaves the skill if the cap is not reached.
    pub(super) fn leave(&mut self, link: Leaving) {
        match self.leaving.len() < Self::KEPT {
            true => self.leaving.push(link),
            false => self.note(link.place),
        }
    }

    /// Keeps a link to a section if the cap is not reached.
    pub(super) fn push_section(&mut self, link: SectionLink) {
        match self.sections.len() < Self::KEPT {
            true => self.sections.push(link),
            false => self.note(link.place),
        }
    }

    /// Drops the paths and names over the cap.
    pub(super) fn limit(&mut self) {
        let places = [
            self.mentions.get(Self::KEPT).map(|mention| mention.place),
            self.partners.get(Self::KEPT).map(|partner| partner.place),
            self.qualified.get(Self::KEPT).map(|name| name.place),
            self.calls.get(Self::KEPT).map(|call| call.place),
            self.ways.get(Self::KEPT).map(|way| way.place),
            self.inputs.get(Self::KEPT).map(|input| input.place),
        ];
        places.into_iter().flatten().for_each(|place| self.note(place));
        self.mentions.truncate(Self::KEPT);
        self.partners.truncate(Self::KEPT);
        self.qualified.truncate(Self::KEPT);
        self.calls.truncate(Self::KEPT);
        self.ways.truncate(Self::KEPT);
        self.inputs.truncate(Self::KEPT);
    }

    /// Notes a place that is not checked.
    fn note(&mut self, place: Place) {
        let first = self.unchecked.filter(|first| first.start < place.start);
        self.unchecked = first.or(Some(place));
    }

    /// Returns the links that lead nowhere.
    pub fn broken(&self) -> impl Iterator<Item = &Link> {
        self.unresolved.iter().filter(|link| matches!(link.end, End::Nothing | End::Outside))
    }

    /// Returns the links that differ in letter case from an existing path, with that path.
    pub fn misspelled(&self) -> impl Iterator<Item = (&Link, &BStr)> {
        self.unresolved.iter().filter_map(|link| match &link.end {
            End::Misspelled(path) => Some((link, path.as_bstr())),
            _ => None,
        })
    }
}

/// Anchors that files do not have, by path, each with the closest anchor of its file. A file without an entry does not exist or is
/// unknown.
pub(crate) type Missing = BTreeMap<BString, BTreeMap<String, Option<String>>>;

/// Returns the anchors that links seek in other files, by path. These have to be read again, because their bodies were dropped.
pub(crate) fn sections(skills: &[Skill]) -> BTreeMap<BString, BTreeSet<String>> {
    let mut sought: BTreeMap<BString, BTreeSet<String>> = BTreeMap::new();
    for link in skills.iter().flat_map(Skill::links).flat_map(|(_, links)| &links.sections) {
        for path in &link.paths {
            sought.entry(path.clone()).or_default().insert(link.fragment.clone());
        }
    }
    sought
}

/// Maximum number of missing anchors of a file for which the nearest is searched.
const COMPARED: usize = 16;

/// Returns the anchors that a text does not have, each with the closest one.
pub(crate) fn missing(sought: &BTreeSet<String>, text: &[u8]) -> BTreeMap<String, Option<String>> {
    let anchors = Anchors::new(&text.to_str_lossy());
    let missing = sought.iter().filter(|fragment| !anchors.has(fragment)).enumerate();
    let nearest = |number, fragment: &String| if number < COMPARED { anchors.nearest(fragment) } else { None };
    missing.map(|(number, fragment)| (fragment.clone(), nearest(number, fragment))).collect()
}

/// Keeps only the links to sections that do not exist.
pub(crate) fn settle_sections(skills: &mut [Skill], files: &[File], missing: &Missing) {
    for skill in skills {
        let directory = text::parent(files[skill.file.index()].path.as_bstr());
        for links in skill.links_mut() {
            settle_sections_of(links, directory, missing);
        }
    }
}

fn settle_sections_of(links: &mut Links, directory: &BStr, missing: &Missing) {
    let Links { sections, looked_up, .. } = links;
    sections.retain_mut(|link| {
        if link.paths.is_empty() {
            return true;
        }
        *looked_up |= link.paths.iter().any(|path| !roots::is_within(path.as_bstr(), directory));
        let of_file = link.paths.iter().find_map(|path| missing.get(path));
        let nearest = of_file.and_then(|missing| missing.get(&link.fragment));
        link.nearest = nearest.cloned().flatten();
        nearest.is_some()
    });
}

/// Returns the regular file at a path.
pub(crate) fn regular(files: &[File], path: &BStr) -> Option<FileId> {
    let first = files.partition_point(|file| file.path.as_bstr() < path);
    let at_path = files[first..].iter().zip(first..).take_while(|(file, _)| file.path == path);
    let is_regular = |file: &File| {
        matches!(file.mode, Mode::File | Mode::Executable) && matches!(file.body, Body::NotRead | Body::Text(_))
    };
    at_path.filter(|(file, _)| is_regular(file)).map(|(_, number)| FileId(number as u32)).next()
}

/// Returns the relative path from a directory to a file.
pub fn relative(directory: &BStr, file: &BStr) -> String {
    fn components(path: &BStr) -> Vec<&[u8]> {
        path.split_str("/").filter(|component| !component.is_empty()).collect()
    }
    let (from, to) = (components(directory), components(file));
    let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n(b"..".as_slice(), from.len() - common);
    let path = bstr::join("/", up.chain(to[common..].iter().copied()));
    path.to_str_lossy().into_owned()
}

/// Returns the paths that have to be looked up for the links, sorted.
pub(crate) fn sought(skills: &[Skill]) -> BTreeSet<&BStr> {
    let all = skills.iter().flat_map(Skill::links).flat_map(|(_, links)| {
        let ends = links.unresolved.iter().chain(&links.mentions).map(|link| &link.end);
        let paths = ends.chain(links.inputs.iter().map(|input| &input.end)).filter_map(|end| match end {
            End::Unknown { paths, .. } => Some(paths),
            _ => None,
        });
        paths.chain(links.qualified.iter().map(|name| &name.commands))
    });
    let ways = skills.iter().flat_map(Skill::links).flat_map(|(_, links)| &links.ways);
    let of_ways = ways.flat_map(|way| match &way.to {
        To::Unknown(paths) | To::Around(paths) => paths.as_slice(),
        To::Outside | To::FromPlugin(_) | To::Path(_) | To::Above(_) | To::Own(_) => &[],
    });
    all.flatten().chain(of_ways).map(|path| path.as_bstr()).collect()
}

/// Resolves the links with the results for the paths of [`sought`].
pub(crate) fn settle(skills: &mut [Skill], files: &[File], found: impl Fn(&BStr) -> Presence) {
    let elsewhere = named_elsewhere(skills, files);
    for links in skills.iter_mut().flat_map(Skill::links_mut) {
        settle_links(links, &found);
        let Links { mentions, qualified, ways, inputs, looked_up, .. } = links;
        inputs.retain_mut(|input| {
            let End::Unknown { paths, .. } = &input.end else { return true };
            *looked_up = true;
            answer(paths, &found).map(|end| input.end = end).is_some()
        });
        mentions.retain_mut(|mention| {
            let End::Unknown { paths, .. } = &mention.end else { return true };
            *looked_up = true;
            let end = answer(paths, &found).filter(|_| !elsewhere.contains(&mention.written));
            end.map(|end| mention.end = end).is_some()
        });
        *looked_up |= !qualified.is_empty();
        qualified.retain(|name| answer(&name.commands, &found) == Some(End::Nothing));
        let is_there = |path: &&BString| found(path.as_bstr()) == Presence::Present;
        ways.retain_mut(|way| {
            let to = match &way.to {
                To::Unknown(paths) => paths.iter().find(is_there).cloned().map(To::Path),
                To::Around(paths) => paths.iter().find(is_there).cloned().map(To::Above),
                To::Outside | To::FromPlugin(_) | To::Path(_) | To::Above(_) | To::Own(_) => return true,
            };
            *looked_up = true;
            to.map(|to| way.to = to).is_some()
        });
    }
}

fn settle_links(links: &mut Links, found: &impl Fn(&BStr) -> Presence) {
    let mut gone = Vec::new();
    let Links { unresolved, looked_up, .. } = links;
    unresolved.retain_mut(|link| {
        let End::Unknown { paths, leaves } = &link.end else { return true };
        *looked_up = true;
        match answer(paths, found) {
            Some(end) => link.end = end,
            None if *leaves => {
                let is_there = |path: &&BString| found(path.as_bstr()) == Presence::Present;
                let path = paths.iter().find(is_there).or(paths.first()).cloned().unwrap_or_default();
                gone.push(Leaving { place: link.place, written: std::mem::take(&mut link.written), path });
            }
            None => {}
        }
        !matches!(link.end, End::Unknown { .. })
    });
    gone.into_iter().for_each(|link| links.leave(link));
    links.leaving.sort_by_key(|link| link.place.start);
}

/// Returns the mentioned paths that exist in another directory of the files.
fn named_elsewhere(skills: &[Skill], files: &[File]) -> HashSet<String> {
    let mentions = skills.iter().flat_map(Skill::links).flat_map(|(_, links)| &links.mentions);
    let mut by_name: HashMap<BString, BTreeSet<String>> = HashMap::new();
    for mention in mentions {
        let name = text::file_name(mention.written.as_bytes().as_bstr()).to_owned();
        by_name.entry(name).or_default().insert(mention.written.clone());
    }
    let mut elsewhere = HashSet::new();
    if by_name.is_empty() {
        return elsewhere;
    }
    for file in files {
        let path = file.path.as_bstr();
        let ends = |written: &&String| {
            path.strip_suffix(written.as_bytes()).is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
        };
        let named = by_name.get(text::file_name(path)).into_iter().flatten();
        elsewhere.extend(named.filter(ends).cloned());
    }
    elsewhere
}

/// Returns the end of a link with these candidate paths; `None` if one exists or is unknown.
fn answer(paths: &[BString], found: impl Fn(&BStr) -> Presence) -> Option<End> {
    let mut end = End::Nothing;
    for path in paths {
        match found(path.as_bstr()) {
            Presence::Present | Presence::Unknown => return None,
            Presence::Spelled(path) if end == End::Nothing => end = End::Misspelled(path),
            Presence::Spelled(_) | Presence::Absent => {}
        }
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_relative_paths() {
        for (directory, file, expected) in [
            ("", "references/a.md", "references/a.md"),
            ("references", "references/a.md", "a.md"),
            ("references/x", "references/a.md", "../a.md"),
            ("references", "a.md", "../a.md"),
            ("a/b", "c/d", "../../c/d"),
        ] {
            assert_eq!(relative(directory.into(), file.into()), expected);
        }
    }
}
