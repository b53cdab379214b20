//! One SKILL.md: its fields, facts about its body, and its faults. Parsing cannot fail: a missing field is `None`, a
//! malformed one is a [`Fault`].

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::agents::{Agents, Owner};
use crate::keys::{DISABLE_MODEL_INVOCATION, USER_INVOCABLE};
use crate::manifest::Manifests;
use crate::records::Records;
use crate::roots::{self, Root, RootId};
use crate::snapshot::{self, Body, File, Names, Origin};
use skilltree_front_matter::text::{self, FileId, Place, Spanned};
use skilltree_front_matter::{self as front_matter, Bounds, Fault, Field, FrontMatter, Node, NodeKind};

pub(crate) mod agent_file;
mod agreement;
pub(crate) mod anchors;
mod answers;
mod body;
mod edited;
mod facts;
mod found_list;
mod gain;
mod flat;
mod headings;
mod ignores;
mod kept;
mod language;
pub mod links;
mod marked;
mod named;
pub mod paths;
pub mod references;
pub(crate) mod scripts;

pub use agent_file::{AGENT_FILE, AgentFile};
pub use agreement::{Agreement, Plain, Trailing, is_impossible_date};
pub(crate) use answers::answers_of_reference;
pub use answers::{Answer, answer};
pub use body::inner;
pub use edited::{Edited, PluginVersion, VersionField};
pub use facts::{
    BodyFacts, Command, CommandForm, Download, Found, HiddenText, Mark, Marks, Numbered, Placeholder, Rest, Unfinished,
};
pub(crate) use flat::is_of_directory;
pub use flat::{Flat, flat_name, is_flat_name, may_be_flat};
pub use found_list::ENTRIES as LIST_ENTRIES;
pub use found_list::{FoundList, UnreadList};
pub use gain::{Act, ActKind, Gain, Power, ScriptChange};
pub use ignores::{Flaw, IgnoreComment};
pub use language::Language;
pub use links::Links;
pub use marked::Marked;
pub use references::{Reference, References, Unread, UnreadReason};
pub use scripts::{Script, Shebang};

/// The number of a skill in [`Parsed::skills`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SkillId(pub u32);

impl SkillId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The text of the starter skill that asks for the steps.
pub const STARTER_STEPS: &str =
    "TODO: the steps in order: what to read first, what to run, and how to check the result.";

/// The fields that are rendered into a prompt block.
pub const RENDERED: [&str; 3] = ["name", "description", "when_to_use"];

/// A skill: usually a SKILL.md, sometimes another entry in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Its file.
    pub file: FileId,
    /// Its root.
    pub root: RootId,
    /// The name of its directory.
    pub directory: BString,
    /// Depth below the root: 1 for `ROOT/x/SKILL.md`, 0 for a SKILL.md in the root itself.
    pub depth: u32,
    /// The front matter; `None` if there is none, or the file was not read.
    pub front_matter: Option<FrontMatter>,
    /// Facts about the body; `None` if the file was not read or is not text.
    pub body: Option<BodyFacts>,
    /// Faults in the file, in its order.
    pub faults: Vec<Fault>,
    /// Ignore comments, in the order of the file.
    pub ignores: Vec<IgnoreComment>,
    /// The other Markdown files of its directory.
    pub references: References,
    /// What the rules of the repository found in the text.
    pub answers: Vec<Answer>,
    /// The bytes from the start of the file to the end of the closing fence's line. Edits are cut from them.
    pub header: BString,
    /// How far all runtimes read the file as this crate does.
    pub agreement: Agreement,
}

impl Skill {
    /// Returns the fields in the order of the file; none if they could not be read.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.front_matter.iter().filter_map(|front_matter| front_matter.fields.as_ref()).flatten()
    }

    /// Returns a field by name, with any value.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields().find(|field| field.key.value == key)
    }

    /// Returns the text of a field and its place, without leading and trailing ASCII whitespace, which every runtime
    /// trims; `None` if some YAML version does not read a string.
    pub fn text(&self, key: &str) -> Option<Spanned<&str>> {
        let node = &self.field(key)?.value;
        node.text().map(|value| Spanned { value: value.trim_ascii(), place: node.place })
    }

    /// Returns the text of a field as written, even if some YAML version reads a number or a date.
    pub fn scalar(&self, key: &str) -> Option<&str> {
        let value = self.field(key)?.value.scalar()?.trim_ascii();
        (!value.is_empty()).then_some(value)
    }

    /// Returns the words of a list or of a comma-separated string: `tags`, `roles`, `tools`. Words are trimmed and
    /// empty ones skipped.
    pub fn words(&self, key: &str) -> Vec<&str> {
        self.field(key).map(|field| field.value.words()).unwrap_or_default()
    }

    /// Returns the value of a key of `metadata`.
    pub fn metadata(&self, key: &str) -> Option<&Node> {
        let NodeKind::Map(fields) = &self.field("metadata")?.value.kind else { return None };
        fields.iter().find(|field| field.key.value == key).map(|field| &field.value)
    }

    /// Returns its `name`, as written.
    pub fn name(&self) -> Option<&str> {
        self.scalar("name")
    }

    /// Returns whether only a person may start it. Every word that some runtime reads as true counts, quoted or not.
    pub fn disables_model_invocation(&self) -> bool {
        let value = self.field(DISABLE_MODEL_INVOCATION).and_then(|field| field.value.scalar());
        value.is_some_and(|text| ["true", "yes", "on", "1"].iter().any(|word| text.trim().eq_ignore_ascii_case(word)))
    }

    /// Returns whether no person may start it.
    pub fn disables_user_invocation(&self) -> bool {
        let value = self.scalar(USER_INVOCABLE);
        value.is_some_and(|text| ["false", "no", "off", "0"].iter().any(|word| text.eq_ignore_ascii_case(word)))
    }

    /// Returns whether neither a person nor the model may start it.
    pub fn disables_invocation(&self) -> bool {
        self.disables_user_invocation() && self.disables_model_invocation()
    }

    /// Returns whether its fields could be read, so that an absent one is really missing.
    pub fn has_fields(&self) -> bool {
        self.front_matter.as_ref().is_some_and(|front_matter| front_matter.fields.is_some())
    }

    /// Returns the place to show if a field is missing: the opening fence.
    pub fn opener(&self) -> Place {
        self.front_matter.as_ref().map_or(Place::whole(self.file), |front_matter| front_matter.opener)
    }

    /// Returns the links of each of its Markdown files that may lead nowhere, SKILL.md first.
    pub fn links(&self) -> impl Iterator<Item = (FileId, &Links)> {
        let own = self.body.iter().map(|body| (self.file, &body.links));
        own.chain(self.references.read.iter().map(|reference| (reference.file, &reference.links)))
    }

    /// Returns the paths in prose and code of a file that exist nowhere.
    pub fn missing_paths(&self, file: FileId) -> impl Iterator<Item = &links::Link> {
        let own = self.links().filter(move |(id, _)| *id == file);
        own.flat_map(|(_, links)| &links.mentions).filter(|mention| mention.end == links::End::Nothing)
    }

    fn links_mut(&mut self) -> impl Iterator<Item = &mut Links> {
        let own = self.body.iter_mut().map(|body| &mut body.links);
        own.chain(self.references.read.iter_mut().map(|reference| &mut reference.links))
    }

    /// Returns the ignore comments of each of its Markdown files, SKILL.md first.
    pub fn comments(&self) -> impl Iterator<Item = (FileId, &[IgnoreComment])> {
        let references = self.references.read.iter().map(|reference| (reference.file, reference.ignores.as_slice()));
        std::iter::once((self.file, self.ignores.as_slice())).chain(references)
    }

    fn comments_mut(&mut self) -> impl Iterator<Item = &mut IgnoreComment> {
        self.ignores.iter_mut().chain(self.references.read.iter_mut().flat_map(|reference| &mut reference.ignores))
    }

    /// Returns the bytes of a place in the front matter.
    pub fn source(&self, place: Place) -> &BStr {
        self.header.get(place.range()).unwrap_or_default().as_bstr()
    }
}

/// The definition of an agent, read as a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its front matter.
    pub skill: Skill,
    /// What has it.
    pub owner: Owner,
}

/// A command, read as a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandFile {
    /// Its text.
    pub skill: Skill,
    /// The directory of the plugin that has it; `None` for one of the project.
    pub plugin: Option<BString>,
    /// Whether it names a SKILL.md: it starts a skill on purpose.
    pub starts_skill: bool,
}

/// The files that were read, with the skills parsed and their bodies dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Where it comes from.
    pub origin: Origin,
    /// The committer time of the checked state, in seconds since 1970.
    pub time: Option<i64>,
    /// The roots in their order.
    pub roots: Vec<Root>,
    /// The files, sorted by path; configuration files may follow, unsorted.
    pub files: Vec<File>,
    /// The skills, sorted by root, then by path.
    pub skills: Vec<Skill>,
    /// Files directly in a skills directory that have the front matter of a skill, by path.
    pub flat: Vec<Flat>,
    /// Markdown files that are the skill of a directory without a SKILL.md, by path.
    pub misnamed: Vec<FileId>,
    /// The record files that agents write.
    pub records: Records,
    /// The agents that name skills.
    pub agents: Agents,
    /// Definitions of agents in which something may have no effect.
    pub definitions: Vec<Definition>,
    /// Commands in which a rule may find something, by path.
    pub commands: Vec<CommandFile>,
    /// The manifests of packages.
    pub manifests: Manifests,
    /// Configurations that are not read, sorted by path: below the top, hidden or misspelled.
    pub settings: Vec<BString>,
    /// Why skills outside the skills directories were not searched.
    pub unsearched: Option<String>,
    /// What could not be read and was skipped, sorted by path: only with [`RootSet::skips_unreadable`](crate::roots::RootSet).
    pub unread: Vec<snapshot::Unread>,
    /// Skills that differ from the base, if a rule compares with it.
    pub edited: Vec<Edited>,
    /// What the change since the base newly lets an agent do, if a rule asks for it.
    pub gains: Vec<Gain>,
    /// Files that list skills, with their entries.
    pub lists: Vec<FoundList>,
    /// Sizes of the files below skills that a rule of the repository limits.
    pub sizes: BTreeMap<FileId, u64>,
}

impl Parsed {
    /// Returns a file by its number.
    pub fn file(&self, file: FileId) -> &File {
        &self.files[file.index()]
    }
}

/// Sorts skills by root, then by path. Other code relies on this order.
pub fn sort(skills: &mut [Skill], files: &[File]) {
    skills.sort_by_cached_key(|skill| (skill.root, &files[skill.file.index()].path));
}

/// Parses the file of a skill. A file that was not read gives a skill without fields or body. Links that the names
/// resolve are dropped; the rest are for `links::settle`. Without names, links are not searched.
pub fn parse(id: FileId, file: &File, root: &Root, names: Option<Names<'_>>, bounds: Bounds) -> Skill {
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
        references: References::default(),
        answers: Vec::new(),
        header: BString::default(),
        agreement: Agreement::default(),
    };
    if let Body::Text(bytes) = &file.body {
        let reading = front_matter::read(id, bytes, bounds);
        skill.body = reading.text.map(|text| body::measure(id, file, text, reading.body_start, names, bounds));
        skill.ignores = reading
            .text
            .map(|text| ignores::find(id, text, reading.front_matter.as_ref(), reading.body_start))
            .unwrap_or_default();
        skill.header = bytes[..reading.body_start].into();
        skill.front_matter = reading.front_matter;
        skill.faults = reading.faults;
        skill.agreement = Agreement::new(&skill, &bytes[reading.body_start..]);
    }
    skill
}

/// Stores the start of a file over our limit, for forecasts: how runtimes read it does not depend on our limit. The skill
/// has no fields.
pub(crate) fn set_runtime_text(skill: &mut Skill, bytes: &[u8]) {
    let front_matter = front_matter::read(skill.file, bytes, Bounds { bytes: 0, nodes: 0, depth: 0, ..Bounds::NONE });
    let end = bytes.len().min(front_matter.body_start + agreement::AFTER_HEADER_BYTES);
    skill.agreement.after_header = Some(bytes[..end].into());
}

/// Returns every path that a Markdown file of a skill names, in the text from an offset on.
pub fn targets(
    (id, file): (FileId, &File),
    skill_file: &File,
    text: (&str, usize),
    names: Names<'_>,
) -> Vec<links::Target> {
    body::targets(id, file, skill_file, text, names)
}

/// Returns the directory of a skill: the parent of its SKILL.md, or the path itself if another entry is in the place of
/// the directory.
fn directory(path: &BStr) -> &BStr {
    if roots::is_skill_file(text::file_name(path)) { text::parent(path) } else { path }
}

/// Returns the depth of a directory below a root.
fn depth(directory: &BStr, root: &BStr) -> u32 {
    let below = if roots::is_within(directory, root) { directory[root.len()..].as_bstr() } else { directory };
    let components = below.split_str("/").filter(|component| !component.is_empty()).count();
    u32::try_from(components).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
