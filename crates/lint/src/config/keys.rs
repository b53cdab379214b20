//! Keys of the tables in skilltree.toml. Both the reader and the schema are made from them. `rows` has the keys of the file.

/// Name of the whole file in messages.
pub(super) const WHOLE: &str = "skilltree.toml";

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Key.
    pub name: &'static str,
    /// Description, in one sentence.
    pub about: &'static str,
    /// Type of the value.
    pub value: Value,
    /// Whether the table requires the key.
    pub required: bool,
}

/// Type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// `true` or `false`.
    Boolean,
    /// A string.
    Text,
    /// The path of a file or directory, or a glob, from the root of the repository.
    Path,
    /// A list of paths.
    Paths,
    /// A list of at least one path.
    SomePaths,
    /// A list of words.
    Words,
    /// A number of at least zero.
    Number,
    /// A regular expression.
    Pattern,
    /// A regular expression with a group.
    Group,
    /// The id of a rule that the file defines.
    OwnRule,
    /// The type of a value.
    Kind,
    /// Texts by path.
    Files,
    /// A list of lists of paths.
    Groups,
    /// A date.
    Date,
    /// The name of an edition.
    Edition,
    /// The name of a profile.
    Profile,
    /// A list of profile names.
    ProfileList,
    /// A severity other than `off`.
    Level,
    /// The id of a rule.
    Rule,
    /// A list of places of a version.
    VersionFields,
    /// Levels by rule id.
    Levels,
    /// Numbers by limit name.
    Limits,
    /// Profiles by name.
    OwnProfiles,
    /// A table with these keys.
    Table(&'static [Key]),
    /// An array of tables with these keys.
    Tables(&'static [Key]),
}

pub(super) const fn key(name: &'static str, value: Value, about: &'static str) -> Key {
    Key { name, about, value, required: false }
}

const fn required(name: &'static str, value: Value, about: &'static str) -> Key {
    Key { name, about, value, required: true }
}

/// An entry of `[[root]]`.
pub const ROOT: &[Key] = &[
    required(
        "path",
        Value::Path,
        "The directory, or a glob that matches several. Skill names are unique within each directory.",
    ),
    key(
        "profile",
        Value::Profile,
        "The profile that defines the layout and the identity of skills; the default is `agentskills`.",
    ),
];

/// An entry of `[[deploy]]`.
pub(crate) const DEPLOY: &[Key] = &[
    required("from", Value::Path, "The directory that is copied."),
    required(
        "to",
        Value::Path,
        "The directory that holds the copies. With a leading `~/`, it is one of the user's, and compared with `--user`.",
    ),
];

/// `[versions]`.
pub(crate) const VERSIONS: &[Key] = &[
    key("fields", Value::VersionFields, "The versions that count; all of them by default."),
    key(
        "ignored-files",
        Value::Paths,
        "Files that may change without a new version: paths and globs from the directory of the skill.",
    ),
];

/// `[prompt]`.
pub(crate) const PROMPT: &[Key] = &[key(
    "template",
    Value::Path,
    "The template whose macros build the block if the command line sets neither a template nor a profile.",
)];

/// An entry of `[[override]]`.
pub(crate) const OVERRIDE: &[Key] = &[
    required("paths", Value::SomePaths, "The files: paths or globs; a directory matches everything below it."),
    required("rules", Value::Levels, "The severities of rules for these files."),
];

/// An entry of `[[ignore]]`.
pub(crate) const IGNORE: &[Key] = &[
    required("rule", Value::Rule, "The id of the rule."),
    required("path", Value::Path, "The files: a path or a glob; a directory matches everything below it."),
    required("reason", Value::Text, "Why the finding is acceptable here."),
    key("until", Value::Date, "The last day on which the finding is ignored."),
];

/// An entry of `[[listing]]`.
pub(crate) const LISTING: &[Key] = &[
    required("file", Value::Path, "The file, such as `README.md`."),
    required(
        "pattern",
        Value::Group,
        "A regular expression for an entry; its first group is the name or the path of a skill.",
    ),
    key("paths", Value::SomePaths, "The skills that the file must list: paths or globs. The default is all skills."),
    key("ordered", Value::Boolean, "Whether the entries must be in alphabetical order."),
];

/// An entry of `[[route]]`.
pub(crate) const ROUTE: &[Key] = &[
    required("task", Value::Text, "The text of the task."),
    required("skills", Value::Words, "The skills that must have the first ranks, in any order: names or directories."),
    key("role", Value::Text, "The role of the agent; the default is all roles."),
];

/// An entry of `[[require]]`.
pub(crate) const REQUIRE: &[Key] = &[
    required("id", Value::OwnRule, "The id of the rule: two words joined by a slash, such as `acme/license-required`."),
    key("severity", Value::Level, "The severity of a finding; the default is `warning`."),
    key("message", Value::Text, "The fact that a finding states; by default it names the condition."),
    key("help", Value::Text, "The edit that fixes a finding."),
    key(
        "paths",
        Value::SomePaths,
        "The skills: paths or globs; a directory matches everything below it. The default is all skills.",
    ),
    key("key", Value::Table(KEY), "A condition on a key of the front matter."),
    key("allowed-keys", Value::Words, "The only keys that the front matter may have."),
    key("headings", Value::Words, "Headings that the body must have, of any level and in any letter case."),
    key("text", Value::Table(TEXT), "A condition on the text of SKILL.md, or of other Markdown files of the skill."),
    key("file", Value::Table(FILES), "A condition on files below the directory of the skill."),
    key("fires", Value::Files, "The files of a skill that the rule must report; `check --test-rules` runs it."),
    key("quiet", Value::Files, "The files of a skill that the rule must not report; `check --test-rules` runs it."),
];

/// `key` of `[[require]]`.
pub(crate) const KEY: &[Key] = &[
    required("name", Value::Text, "The key; a dot separates it from a key of a mapping, such as `metadata.owner`."),
    key("required", Value::Boolean, "Whether the key must be present and not empty."),
    key("forbidden", Value::Boolean, "Whether the key must be absent."),
    key("type", Value::Kind, "The type of the value."),
    key("values", Value::Words, "The only values; of a list, each entry must be one of them."),
    key("pattern", Value::Pattern, "A regular expression that the value matches; of a list, each entry."),
    key("min-length", Value::Number, "The minimum length: characters of a value, or entries of a list or mapping."),
    key("max-length", Value::Number, "The maximum length: characters of a value, or entries of a list or mapping."),
];

/// `text` of `[[require]]`.
pub(crate) const TEXT: &[Key] = &[
    key("required", Value::Pattern, "A regular expression that the text matches."),
    key("forbidden", Value::Pattern, "A regular expression that the text does not match."),
    key("words", Value::Words, "Whole words that the text does not contain, in any letter case."),
    key(
        "files",
        Value::Path,
        "The Markdown files that are searched: a path or a glob from the directory of the skill. The default is SKILL.md.",
    ),
];

/// `file` of `[[require]]`.
pub(crate) const FILES: &[Key] = &[
    required("path", Value::Path, "The files: a path or a glob from the directory of the skill."),
    key("required", Value::Boolean, "Whether such a file must exist."),
    key("forbidden", Value::Boolean, "Whether no such file may exist."),
    key("max-bytes", Value::Number, "The maximum size of each such file."),
];

/// Returns the names of keys.
pub fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}
