//! Keys of skilltree.toml. Both the reader and the schema are made from these tables.

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

const fn key(name: &'static str, value: Value, about: &'static str) -> Key {
    Key { name, about, value, required: false }
}

const fn required(name: &'static str, value: Value, about: &'static str) -> Key {
    Key { name, about, value, required: true }
}

/// The whole file.
pub const FILE: &[Key] = &[
    key("edition", Value::Edition, "Pins the rules and their severities; the default is the newest edition."),
    key(
        "min-severity",
        Value::Level,
        "The lowest severity that is shown; `note`, which shows everything, is the default.",
    ),
    key("targets", Value::ProfileList, "The runtimes that the skills must work in."),
    key("mirrors", Value::Groups, "Groups of skills directories that hold copies of the same skills."),
    key("default-roots", Value::Boolean, "Whether `.symphony/skills` and `.agent/skills` are read."),
    key(
        "root",
        Value::Tables(ROOT),
        "A skills directory (its subdirectories are skills), or a glob that matches several.",
    ),
    key("exclude", Value::Paths, "Paths and globs that are not searched for skills, such as test data."),
    key("error-on-empty", Value::Boolean, "Whether `check` fails if there are no skills."),
    key("profile", Value::OwnProfiles, "Profiles of runtimes, defined by the repository."),
    key("deploy", Value::Tables(DEPLOY), "A skills directory whose skills are copied to another one."),
    key("prompt", Value::Table(PROMPT), "Defaults for building the prompt block."),
    key("limits", Value::Limits, "The limits that rules check."),
    key("rules", Value::Levels, "The severities of rules."),
    key("override", Value::Tables(OVERRIDE), "The severities of rules for some files; a later entry wins."),
    key("ignore", Value::Tables(IGNORE), "Findings to ignore, each with a reason."),
];

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
    required("to", Value::Path, "The directory that holds the copies."),
];

/// `[prompt]`.
pub(crate) const PROMPT: &[Key] = &[key(
    "template",
    Value::Path,
    "The template whose macros build the block if the command line sets neither a template nor a profile.",
)];

/// An entry of `[[override]]`.
pub(crate) const OVERRIDE: &[Key] = &[
    required("paths", Value::Paths, "The files: paths or globs; a directory matches everything below it."),
    required("rules", Value::Levels, "The severities of rules for these files."),
];

/// An entry of `[[ignore]]`.
pub(crate) const IGNORE: &[Key] = &[
    required("rule", Value::Rule, "The id of the rule."),
    required("path", Value::Path, "The files: a path or a glob; a directory matches everything below it."),
    required("reason", Value::Text, "Why the finding is acceptable here."),
    key("until", Value::Date, "The last day on which the finding is ignored."),
];

/// Returns the names of keys.
pub fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}
