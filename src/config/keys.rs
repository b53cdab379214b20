//! The keys of skilltree.toml: what its reader knows, and what its schema says. Both are made from these tables.

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// What it says, in a sentence.
    pub about: &'static str,
    /// What may stand behind it.
    pub value: Value,
    /// Whether a table without it says nothing.
    pub required: bool,
}

/// What may stand behind a key.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// `true` or `false`.
    Boolean,
    /// A text.
    Text,
    /// The path of a file, or of a directory or a glob, from the repository's root.
    Path,
    /// Several of them.
    Paths,
    /// Groups of several of them.
    Groups,
    /// A day.
    Date,
    /// The name of an edition.
    Edition,
    /// The name of a profile.
    Profile,
    /// Several of them.
    ProfileList,
    /// The id of a rule.
    Rule,
    /// Levels by the ids of rules.
    Levels,
    /// Numbers by the names of limits.
    Limits,
    /// Profiles by their names.
    OwnProfiles,
    /// A table with these keys.
    Table(&'static [Key]),
    /// An array of tables with these keys.
    Tables(&'static [Key]),
}

const fn key(name: &'static str, value: Value, about: &'static str) -> Key {
    Key { name, about, value, required: false }
}

const fn required(name: &'static str, value: Value, about: &'static str) -> Key {
    Key { name, about, value, required: true }
}

/// The whole file.
pub const FILE: &[Key] = &[
    key("edition", Value::Edition, "Freezes the set of rules and their levels; without it the newest edition holds."),
    key("targets", Value::ProfileList, "The runtimes that the skills must work in."),
    key("mirrors", Value::Groups, "Groups of roots that hold copies of the same skills."),
    key("default-roots", Value::Boolean, "Whether `.symphony/skills` and `.agent/skills` are read."),
    key("root", Value::Tables(ROOT), "A directory of skills, or a pattern of such directories."),
    key("profile", Value::OwnProfiles, "Runtimes that the repository describes itself."),
    key("deploy", Value::Tables(DEPLOY), "A directory whose skills are copied to another one."),
    key("prompt", Value::Table(PROMPT), "How the prompt block is made where the command line does not say."),
    key("limits", Value::Limits, "The numbers that the rules go by."),
    key("rules", Value::Levels, "The levels of rules."),
    key("override", Value::Tables(OVERRIDE), "The levels of rules for some files; a later entry wins."),
    key("ignore", Value::Tables(IGNORE), "Findings that somebody answers for."),
];

/// An entry of `[[root]]`.
pub const ROOT: &[Key] = &[
    required("path", Value::Path, "The directory, or a glob that matches several, each a scope of names of its own."),
    key("profile", Value::Profile, "The profile whose layout and identity hold there; `agentskills` if none is named."),
];

/// An entry of `[[deploy]]`.
pub const DEPLOY: &[Key] = &[
    required("from", Value::Path, "The directory that is copied."),
    required("to", Value::Path, "The directory that holds the copies."),
];

/// `[prompt]`.
pub const PROMPT: &[Key] = &[key(
    "template",
    Value::Path,
    "The template whose macros make the block where the command line names neither a template nor a profile.",
)];

/// An entry of `[[override]]`.
pub const OVERRIDE: &[Key] = &[
    required("paths", Value::Paths, "The files: paths or globs; a directory stands for everything below it."),
    required("rules", Value::Levels, "Their levels."),
];

/// An entry of `[[ignore]]`.
pub const IGNORE: &[Key] = &[
    required("rule", Value::Rule, "The rule."),
    required("path", Value::Path, "The files: a path or a glob; a directory stands for everything below it."),
    required("reason", Value::Text, "Why it is no mistake here."),
    key("until", Value::Date, "The last day on which it holds."),
];

/// The names of keys.
pub fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}
