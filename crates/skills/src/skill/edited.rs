//! Skills that differ from their counterparts in the base.

use bstr::BString;

use super::SkillId;

/// A skill of which any file differs from the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The skill.
    pub skill: SkillId,
    /// The number of changed files in its directory.
    pub files: usize,
    /// The first of them, from the directory of the skill.
    pub first: String,
    /// Its `version` in the base.
    pub version: Option<String>,
    /// Its `metadata.version` in the base.
    pub metadata_version: Option<String>,
    /// The version of the plugin that it belongs to, if any.
    pub plugin: Option<PluginVersion>,
    /// The versions that count.
    pub fields: Vec<VersionField>,
}

/// Where the version of a skill is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionField {
    /// `version` in SKILL.md.
    Own,
    /// `metadata.version` in SKILL.md.
    Metadata,
    /// `version` in the manifest of the plugin.
    Plugin,
}

impl VersionField {
    /// The words for them in a configuration.
    pub const NAMES: [(&str, Self); 3] =
        [("version", Self::Own), ("metadata.version", Self::Metadata), ("plugin", Self::Plugin)];
}

/// The version in the manifest of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginVersion {
    /// The path of the manifest.
    pub path: BString,
    /// The version in the base.
    pub before: Option<String>,
    /// The version now.
    pub after: String,
}
