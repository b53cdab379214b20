//! One SKILL.md: its fields, facts about its body, and what is wrong with it. Parsing cannot fail: a field that is
//! missing is `None`, a field that is malformed is a [`Fault`].

use bstr::{BStr, BString, ByteSlice};

use crate::front_matter::{self, Bounds, Fault, Field, FrontMatter, Node, NodeKind, ScalarKind};
use crate::records::Records;
use crate::roots::{self, Root, RootId};
use crate::snapshot::{Body, File, Names, Origin, Presence, Role, Snapshot};
use crate::text::{self, FileId, Place, Spanned};

mod agreed;
mod body;
mod facts;
mod flat;
mod ignores;
pub mod links;
mod marked;

pub use facts::{BodyFacts, Download, HiddenText, Marks};
pub use flat::{is_flat, may_be_flat};
pub use ignores::{Flaw, IgnoreComment};
pub use links::Links;
pub use marked::Marked;

/// The number of a skill in [`Parsed::skills`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SkillId(pub u32);

impl SkillId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The fields whose text enters a prompt block.
pub const RENDERED: [&str; 3] = ["name", "description", "when_to_use"];

/// What stands at a skill's place: usually a SKILL.md, sometimes what should have been one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its file.
    pub file: FileId,
    /// Its root.
    pub root: RootId,
    /// The name of its directory.
    pub directory: BString,
    /// How many directories below the root it lies: 1 for `ROOT/x/SKILL.md`, 0 for a SKILL.md in the root itself.
    pub depth: u32,
    /// What stands between the fences; `None` when there are none, or the file was not read.
    pub front_matter: Option<FrontMatter>,
    /// Facts about the body; `None` when the file was not read or is no text.
    pub body: Option<BodyFacts>,
    /// What is wrong with the bytes, in the order of the file.
    pub faults: Vec<Fault>,
    /// What its comments say about findings, in the order of the file.
    pub ignores: Vec<IgnoreComment>,
    /// The bytes from the start of the file to the end of the closing fence's line: what edits are cut from.
    pub header: BString,
    /// What stands behind the header, as far as a runtime may look for front matter there; `None` when every runtime finds
    /// the same fences and the same fields as we do, so that nothing of it matters.
    pub behind: Option<BString>,
}

impl Skill {
    /// The fields in the order of the file; none where they could not be read.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.front_matter.iter().filter_map(|front_matter| front_matter.fields.as_ref()).flatten()
    }

    /// The field of that name, whatever its value.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields().find(|field| field.key.value == key)
    }

    /// The text of a field and its place: trimmed of ASCII white space, which is all that every runtime trims, and only if
    /// every YAML family reads text there.
    pub fn text(&self, key: &str) -> Option<Spanned<&str>> {
        let node = &self.field(key)?.value;
        node.text().map(|value| Spanned { value: value.trim_ascii(), place: node.place })
    }

    /// The text of a field as written, also where some YAML family reads a number or a date.
    pub fn scalar(&self, key: &str) -> Option<&str> {
        let value = self.field(key)?.value.scalar()?.trim_ascii();
        (!value.is_empty()).then_some(value)
    }

    /// The words of a field that is a list, or a text with commas: `tags`, `roles`, `tools`. White space around a word
    /// and empty words are left out.
    pub fn words(&self, key: &str) -> Vec<&str> {
        let Some(field) = self.field(key) else { return Vec::new() };
        let words: Vec<&str> = match &field.value.kind {
            NodeKind::List(items) => items.iter().filter_map(Node::scalar).collect(),
            _ => field.value.scalar().unwrap_or_default().split(',').collect(),
        };
        words.into_iter().map(str::trim).filter(|word| !word.is_empty()).collect()
    }

    /// The name that the skill goes by in a prompt: its `name`, as written.
    pub fn name(&self) -> Option<&str> {
        self.scalar("name")
    }

    /// Whether its fields could be read, so that a missing one is missing.
    pub fn has_fields(&self) -> bool {
        self.front_matter.as_ref().is_some_and(|front_matter| front_matter.fields.is_some())
    }

    /// The place to show when a field is missing: the opening fence.
    pub fn opener(&self) -> Place {
        self.front_matter.as_ref().map_or(Place::whole(self.file), |front_matter| front_matter.opener)
    }

    /// The text of a place in the front matter.
    pub fn source(&self, place: Place) -> &BStr {
        self.header.get(place.range()).unwrap_or_default().as_bstr()
    }
}

impl Node {
    /// The field of that name, where this is a map that has it.
    pub fn field(&self, key: &str) -> Option<&Field> {
        match &self.kind {
            NodeKind::Map(fields) => fields.iter().find(|field| field.key.value == key),
            _ => None,
        }
    }

    /// The text, if every YAML family reads text here.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { text, kind: ScalarKind::Text, .. } => Some(text),
            _ => None,
        }
    }

    /// The scalar as written, whatever a YAML family makes of it; `None` for null, lists and maps.
    pub fn scalar(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { kind: ScalarKind::Null, .. } => None,
            NodeKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether there is nothing: null, or a text of white space.
    pub fn is_blank(&self) -> bool {
        match &self.kind {
            NodeKind::Scalar { kind: ScalarKind::Null, .. } => true,
            NodeKind::Scalar { text, .. } => text.trim().is_empty(),
            _ => false,
        }
    }

    /// Whether a list of words, or a text with commas, holds no word: nothing is there, or nothing but commas and blanks.
    pub fn is_wordless(&self) -> bool {
        match &self.kind {
            NodeKind::Map(_) => false,
            NodeKind::List(items) => items.iter().all(Self::is_blank),
            NodeKind::Scalar { text, .. } => self.is_blank() || text.split(',').all(|word| word.trim().is_empty()),
        }
    }
}

/// A snapshot with its skills parsed and their bodies dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Where it comes from.
    pub origin: Origin,
    /// The committer time of what is judged, in seconds since 1970.
    pub time: Option<i64>,
    /// The roots in their order.
    pub roots: Vec<Root>,
    /// The files, sorted by path; configuration files may follow, out of order.
    pub files: Vec<File>,
    /// The skills, sorted by root, then by path.
    pub skills: Vec<Skill>,
    /// What agents wrote down beside them.
    pub records: Records,
}

impl Parsed {
    /// A file by its number.
    pub fn file(&self, file: FileId) -> &File {
        &self.files[file.index()]
    }

    /// Parses a snapshot that holds its texts: what tests and small callers do. A source parses as it reads.
    pub fn new(snapshot: Snapshot, bounds: Bounds) -> Self {
        let Snapshot { origin, time, roots, mut files } = snapshot;
        let mut skills: Vec<Skill> = (0u32..)
            .map(FileId)
            .zip(&files)
            .filter(|(_, file)| file.role == Role::Skill)
            .filter_map(|(id, file)| Some(parse(id, file, &roots[file.root?.index()], Names::new(&files, id), bounds)))
            .collect();
        // Below the roots every name is known; of what lies elsewhere nobody can tell.
        let is_known = |path: &BStr| roots.iter().any(|root| roots::is_within(path, root.path.as_bstr()));
        links::settle(&mut skills, |path| if is_known(path) { Presence::Absent } else { Presence::Unknown });
        sort(&mut skills, &files);
        for file in files.iter_mut().filter(|file| may_be_flat(file, &roots)) {
            if matches!(&file.body, Body::Text(bytes) if is_flat(bytes, bounds)) {
                file.role = Role::Flat;
            }
        }
        for file in &mut files {
            if file.role == Role::Skill && matches!(file.body, Body::Text(_)) {
                file.body = Body::NotRead;
            }
        }
        Self { origin, time, roots, files, skills, records: Records::default() }
    }
}

/// Puts skills in the order that everything else relies on: by root, then by path.
pub fn sort(skills: &mut [Skill], files: &[File]) {
    skills.sort_by(|a, b| (a.root, &files[a.file.index()].path).cmp(&(b.root, &files[b.file.index()].path)));
}

/// Parses what stands at a skill's place. A file that was not read gives a skill without fields or body. Links to what
/// the names have are dropped with the body; the rest are for [`links::settle`].
pub fn parse(id: FileId, file: &File, root: &Root, names: Names<'_>, bounds: Bounds) -> Skill {
    let directory = directory(file.path.as_bstr());
    let mut skill = Skill {
        file: id,
        root: file.root.unwrap_or(RootId(0)),
        directory: text::file_name(directory).to_owned(),
        depth: depth(directory, root.path.as_bstr()),
        front_matter: None,
        body: None,
        faults: Vec::new(),
        ignores: Vec::new(),
        header: BString::default(),
        behind: None,
    };
    if let Body::Text(bytes) = &file.body {
        let reading = front_matter::read(id, bytes, bounds);
        skill.body = reading.text.map(|text| body::measure(id, file, text, reading.body_start, names));
        skill.ignores = reading
            .text
            .map(|text| ignores::find(id, text, reading.front_matter.as_ref(), reading.body_start))
            .unwrap_or_default();
        skill.header = bytes[..reading.body_start].into();
        skill.front_matter = reading.front_matter;
        skill.faults = reading.faults;
        if !agreed::is_agreed(&skill) {
            let end = bytes.len().min(reading.body_start + agreed::BEHIND_BYTES);
            skill.behind = Some(bytes[reading.body_start..end].into());
        }
    }
    skill
}

/// The directory of a skill: that of its SKILL.md, or the path itself where something else took the directory's place.
fn directory(path: &BStr) -> &BStr {
    if roots::is_skill_file(text::file_name(path)) { text::parent(path) } else { path }
}

/// How many directories a directory lies below a root.
fn depth(directory: &BStr, root: &BStr) -> u32 {
    let below = if roots::is_within(directory, root) { directory[root.len()..].as_bstr() } else { directory };
    let components = below.split_str("/").filter(|component| !component.is_empty()).count();
    u32::try_from(components).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
