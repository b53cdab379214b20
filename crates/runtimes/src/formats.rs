//! Formats of packages of skills as data: plugins, extensions and the marketplaces that list them, and what each runtime makes of
//! them. Each format is one TOML file. The same manifest means different things to different runtimes, so each has its own row.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::profile::files::{Follow, Visit};
use crate::profile::identity::{IdentityBy, Winner};
use crate::profile::loads;
use crate::profile::{Evidence, Pattern};

/// A format of packages.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Format {
    /// Id; equals the file stem.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// What the format calls a package: `plugin`, `extension`, `package`.
    pub noun: String,
    /// The profile whose program it was made for; `None` for a specification.
    #[serde(default)]
    pub owner: Option<String>,
    /// The runtimes that read it.
    #[serde(default)]
    pub readers: Vec<Package>,
    /// The runtimes that read its list of packages.
    #[serde(default)]
    pub marketplaces: Vec<Marketplaces>,
    /// Sources of the rows, by runtime.
    #[serde(default)]
    pub evidence: BTreeMap<String, Evidence>,
}

/// What a runtime makes of a package.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Package {
    /// Id of the profile.
    pub runtime: String,
    /// Place among the formats that the runtime reads: a lower one decides first.
    pub rank: u32,
    /// Manifests, from the directory of the package. The first that exists, over all formats in order, decides.
    pub manifests: Vec<String>,
    /// Whether a byte order mark is skipped; otherwise nothing loads.
    pub byte_order_mark: bool,
    /// Whether a manifest that is not a JSON object counts as an empty one; otherwise nothing loads.
    pub malformed: bool,
    /// Required beginning of `$schema`: a manifest without it has another format.
    pub schema: Option<String>,
    /// Whether a directory without a manifest is a package.
    pub without_manifest: WithoutManifest,
    /// Keys that have to be strings; otherwise nothing loads.
    pub required: Vec<String>,
    /// Form of the name; otherwise nothing loads.
    pub name: Option<Pattern>,
    /// Accepted forms of keys; otherwise nothing loads.
    pub types: BTreeMap<String, Vec<Form>>,
    /// Key that names directories of skills, as keys joined by dots; `None` if the format has none.
    pub key: Option<String>,
    /// Effect of the key on the default directories.
    pub effect: Effect,
    /// Whether an empty list counts; otherwise it is as good as no key.
    pub empty_list: bool,
    /// Accepted paths.
    pub entry: Entry,
    /// What a path leads to.
    pub holds: Holds,
    /// Directories that are searched without the key.
    pub default: Vec<String>,
    /// Maximum depth of a skill below such a directory; `None` for any depth (`"any"` in the file).
    #[serde(deserialize_with = "loads::depth")]
    pub depth: Option<u32>,
    /// Directories whose names begin with a dot.
    pub hidden: Option<Visit>,
    /// A SKILL.md in a searched directory itself.
    pub in_root: InRoot,
    /// A SKILL.md next to the manifest.
    pub own_skill: OwnSkill,
    /// Other Markdown files in a searched directory: whether each is a skill.
    pub loose: Option<Visit>,
    /// Symbolic links; as in skills directories if absent.
    pub links: Option<Links>,
    /// Whether a command of the package takes the place of a skill whose directory has its name.
    pub command_wins: bool,
    /// When names are qualified by the name of the package.
    pub qualified: Qualified,
    /// Source of the name of a skill; as in skills directories if absent.
    pub by: Option<IdentityBy>,
    /// Which of two packages with a skill of one name keeps it, if names are not qualified.
    pub clash: Option<Winner>,
    /// Fields without which the model is not offered a skill.
    pub unlisted_without: Vec<String>,
    /// Whether a skill whose name is not that of its directory is skipped.
    pub strict: bool,
    /// Whether the manifest does not name the package.
    pub nameless: bool,
    /// Whether the manifest is the settings of a project, which join the directories that they name to its list.
    pub settings: bool,
    /// Directories that an installer searches, in order.
    pub search: Vec<Search>,
    /// Depth of the search of everything, if nothing was found.
    pub fallback_depth: Option<u32>,
    /// Directories that an installer does not enter.
    pub skipped: Vec<String>,
}

/// A step of an installer's search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Search {
    /// Directories, in order; `*` stands for one name.
    pub paths: Vec<String>,
    /// Maximum depth of a skill below them.
    pub depth: u32,
    /// Whether the directories are those of the plugins at the top.
    pub plugins: bool,
}

/// Whether a directory without a manifest is a package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WithoutManifest {
    /// It is not.
    #[default]
    Refused,
    /// It is, if a marketplace lists it.
    Listed,
    /// It is.
    Accepted,
    /// It is, if it has one of the default directories.
    Skills,
    /// It is, if it has a SKILL.md.
    OwnSkill,
    /// The program searches any repository.
    Installer,
}

/// Effect of the key that names directories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// They are searched, too.
    #[default]
    Adds,
    /// They are searched instead.
    Replaces,
}

/// Accepted paths of the key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// Any path in the package; others are ignored.
    #[default]
    Any,
    /// Any path in the package; with another, nothing loads.
    Inside,
    /// A path below the package that begins with `./` and has no `..`; others are ignored, and a key without a path counts as
    /// absent.
    Relative,
    /// A path in the package that begins with `./`; with another, nothing loads.
    RelativeOnly,
}

/// What a path of the key leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// A skill or a directory of skills.
    #[default]
    Both,
    /// A skill.
    Skill,
    /// A SKILL.md.
    File,
}

/// A SKILL.md in a searched directory itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InRoot {
    /// It loads, and nothing else of the directory.
    #[default]
    Alone,
    /// It loads like its neighbors.
    Beside,
    /// It is skipped.
    Skipped,
}

/// A SKILL.md next to the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnSkill {
    /// It is not read.
    #[default]
    Never,
    /// It loads if no other skill was found.
    IfEmpty,
    /// It loads if there are neither default directories nor the key.
    WithoutOthers,
    /// It loads, and nothing else.
    Alone,
}

/// Symbolic links in a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Links {
    /// All are followed.
    Followed,
    /// Those that stay in the package are followed.
    Inside,
    /// None is followed, or the installation drops them.
    Dropped,
}

impl Links {
    /// Returns how a link is handled.
    pub fn follow(self) -> Follow {
        if self == Self::Dropped { Follow::Ignored } else { Follow::Followed }
    }
}

/// When names are qualified by the name of the package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Qualified {
    /// Never.
    #[default]
    Never,
    /// Always.
    Always,
    /// Always, with a hyphen for each dot of the skill's name.
    Hyphenated,
    /// If two packages have a skill of the name.
    OnClash,
}

/// Accepted form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A string.
    String,
    /// `true` or `false`.
    Boolean,
    /// An object.
    Object,
    /// A list.
    List,
    /// A list of strings.
    Strings,
    /// A path that begins with `./`.
    Path,
    /// A list of paths that begin with `./`.
    Paths,
    /// A path of a Markdown file that begins with `./`, or a list of them.
    Markdown,
    /// A path of a TypeScript declaration file that begins with `./`.
    Declarations,
    /// An object of commands.
    Commands,
    /// A list of plugins.
    Dependencies,
    /// An object of options that the user sets.
    Options,
    /// A list of channels.
    Channels,
    /// A path of a JSON file that begins with `./`, or a list of monitors.
    Monitors,
    /// Keys that may change; another value than an object counts as absent.
    Experimental,
    /// A path of a JSON file that begins with `./`, an object of language servers, or a list of both.
    LanguageServers,
    /// A path of a JSON or MCPB file, an object of MCP servers, or a list of both.
    Servers,
    /// A path of a JSON file that begins with `./`, an object with lists of hooks, or a list of both.
    Hooks,
    /// An object with a name.
    Person,
    /// How the users of a marketplace come to a plugin.
    Policy,
    /// How a marketplace is shown.
    Interface,
    /// An address.
    Url,
}

/// Marketplaces that the program reads.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Marketplaces {
    /// Id of the profile.
    pub runtime: String,
    /// Files, from the directory of the marketplace; the first that exists decides.
    pub files: Vec<String>,
    /// Whether a byte order mark is skipped; otherwise nothing is installed.
    pub byte_order_mark: bool,
    /// Keys of the marketplace that have to exist; otherwise nothing is installed.
    pub required: Vec<String>,
    /// Form of the name of the marketplace; otherwise nothing is installed.
    pub name: Option<Pattern>,
    /// Names that no marketplace may have; otherwise nothing is installed.
    pub reserved: Option<Pattern>,
    /// Exceptions: the marketplaces of the vendor.
    pub official: Vec<String>,
    /// Accepted forms of the keys of the marketplace, joined by dots; otherwise nothing is installed.
    pub own_types: BTreeMap<String, Vec<Form>>,
    /// Keys of an entry that have to exist; otherwise it is not installed.
    pub entry_required: Vec<String>,
    /// Form of the name of an entry; otherwise it is not installed.
    pub entry_name: Option<Pattern>,
    /// Accepted forms of the keys of an entry; otherwise it is not installed.
    pub types: BTreeMap<String, Vec<Form>>,
    /// Kinds of sources that are objects; all are accepted if there are none.
    pub sources: Vec<String>,
    /// What the list of skills of an entry does.
    pub skills: EntrySkills,
    /// Meaning of a source without `./`.
    pub bare_source: Source,
    /// Meaning of a source with `./`.
    pub dotted_source: Source,
    /// A manifest whose name is not that of the entry.
    pub other_name: OtherName,
    /// Whether an entry that has only a name and a source needs a manifest.
    pub needs_manifest: bool,
    /// Whether only the first entry with a skill has it.
    pub once: bool,
    /// Whether an entry without a required key, or with a value of another form, costs all entries.
    pub whole: bool,
    /// Whether a submodule stays empty when the marketplace is fetched.
    pub empty_submodules: bool,
    /// Keys of an entry that lose the plugin if `strict` is false and there is a manifest.
    pub strict_conflicts: Vec<String>,
}

/// What the list of skills of an entry does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntrySkills {
    /// Nothing.
    #[default]
    Ignored,
    /// Without a manifest, it replaces the default directories.
    WithoutManifest,
    /// It adds to the default directories; at the top of the marketplace, it replaces them.
    Adds,
}

/// Meaning of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A path from the directory of the marketplace.
    #[default]
    Top,
    /// A path from the directory of the marketplace, without `.` and `..` in it.
    Normal,
    /// A path below `metadata.pluginRoot`, if that exists.
    PluginRoot,
    /// A path below `metadata.pluginRoot`, or from the directory of the marketplace.
    PluginRootOrTop,
    /// No source: the entry cannot be installed.
    Refused,
}

/// A manifest whose name is not that of the entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherName {
    /// The name of the manifest counts.
    #[default]
    Renames,
    /// Nothing loads.
    Refused,
}

/// The formats, in alphabetical order.
pub static FORMATS: LazyLock<Vec<Format>> = LazyLock::new(|| {
    serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/formats.json"))).expect("a test parses every format")
});

/// What one runtime reads.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// The formats of packages, by rank.
    pub packages: Vec<(&'static Format, &'static Package)>,
    /// The marketplaces.
    pub marketplaces: Vec<(&'static Format, &'static Marketplaces)>,
}

static BY_RUNTIME: LazyLock<BTreeMap<&'static str, Readings>> = LazyLock::new(|| {
    let mut by_runtime: BTreeMap<&str, Readings> = BTreeMap::new();
    for format in &*FORMATS {
        for package in &format.readers {
            by_runtime.entry(&package.runtime).or_default().packages.push((format, package));
        }
        for marketplaces in &format.marketplaces {
            by_runtime.entry(&marketplaces.runtime).or_default().marketplaces.push((format, marketplaces));
        }
    }
    by_runtime.values_mut().for_each(|readings| readings.packages.sort_by_key(|(_, package)| package.rank));
    by_runtime
});

/// Returns what a runtime reads; `None` if it reads no packages, or none are known.
pub fn of(profile: &str) -> Option<&'static Readings> {
    BY_RUNTIME.get(profile)
}

/// Returns whether a runtime reads a manifest or a marketplace in this file, from its directory.
pub fn reads(profile: &str, file: &str) -> bool {
    let is_it = |name: &String| name == file;
    of(profile).is_some_and(|all| {
        all.packages.iter().any(|(_, one)| one.manifests.iter().any(is_it))
            || all.marketplaces.iter().any(|(_, one)| one.files.iter().any(is_it))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Kind, Profiles};
    use skilltree_skills::roots;

    #[test]
    fn every_format_is_read_by_known_runtimes() {
        let profiles = Profiles::default();
        for format in &*FORMATS {
            let runtimes: Vec<&str> = format
                .readers
                .iter()
                .map(|package| package.runtime.as_str())
                .chain(format.marketplaces.iter().map(|marketplaces| marketplaces.runtime.as_str()))
                .collect();
            assert!(!runtimes.is_empty(), "{}", format.id);
            for runtime in runtimes {
                assert!(profiles.find(runtime).is_some_and(|profile| profile.kind != Kind::Design), "{runtime}");
                assert!(format.evidence.contains_key(runtime), "{}: no evidence for {runtime}", format.id);
            }
            let manifests = format.readers.iter().flat_map(|package| &package.manifests);
            for manifest in manifests.chain(format.marketplaces.iter().flat_map(|marketplaces| &marketplaces.files)) {
                let found = roots::manifest(manifest.as_bytes().into()).map(|(_, name)| name);
                assert_eq!(found, Some(manifest.as_str()), "the search does not look for it");
            }
        }
    }
}
