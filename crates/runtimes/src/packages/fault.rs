//! Faults of manifests and entries, and the skills that they cost.

use std::ops::Range;

use super::{HookFault, ServerFault};
use crate::formats::Form;

/// What is wrong with a manifest or an entry, for one runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The manifest, by its number among all manifests.
    pub manifest: usize,
    /// The bytes; empty for the whole file.
    pub range: Range<usize>,
    /// What is wrong.
    pub what: Wrong,
    /// What is lost.
    pub costs: Costs,
}

/// What a fault of a manifest costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Costs {
    /// The whole package.
    Package,
    /// The skills of a path, or the key.
    Entry,
}

/// What is wrong with a manifest or an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// The file starts with a byte order mark.
    ByteOrderMark,
    /// A required key is missing.
    Missing(String),
    /// A value has none of the accepted forms.
    Type(String, Vec<Form>),
    /// A value inside that of a key is no such value; or an inner key, which is then named.
    Shape(String, String),
    /// A key that an object must not have.
    Unknown(String),
    /// A name has a form that is refused.
    Name(String),
    /// The name of a marketplace is reserved.
    Reserved(String),
    /// A source is an address, not a path.
    Address(String),
    /// A source has a form that is refused; with the source that is meant, and whether `pluginRoot` has to go.
    Source(String, String, bool),
    /// An entry is a path, not an object.
    Entry(String),
    /// A source leads nowhere; with the one that is meant.
    Nowhere(String, Option<String>),
    /// A source leads out of the marketplace; with the one that is meant.
    Leaves(String, Option<String>),
    /// A source is a submodule, of which the installation has no file.
    Submodule(String),
    /// A source leads nowhere, and would below `pluginRoot`; with the source that is meant.
    BelowRoot(String, String),
    /// A source without `./` leads nowhere below `pluginRoot`; with the one that is meant, which is not there.
    NotBelowRoot(String, String),
    /// A source leads to a directory of plugins; with the one that is meant.
    Above(String, String),
    /// A path does not start with `./`.
    NotRelative(String),
    /// A path has `.` or `..` in it; with the directory to which it leads.
    Indirect(String, String),
    /// Paths of entries are looked for below this directory, although they contain it.
    DoubledRoot(String),
    /// A path leads to the whole package.
    Top(String),
    /// A path leaves the package or the marketplace; with the path inside that was probably meant.
    Outside(String, Option<String>),
    /// A path leads nowhere; with the path that was probably meant.
    Gone(String, Option<String>),
    /// A path of settings leads nowhere; with the directory at which such paths start, and the path that was probably meant.
    NoPlace(String, &'static str, Option<String>),
    /// A path leads to a file instead of its directory.
    File(String),
    /// A path leads to a directory without a skill.
    Empty(String),
    /// The source of an entry leads to a plugin that has no part of any kind.
    Nothing(String),
    /// A path leads to a directory of skills, but has to lead to a skill; with the path that was probably meant.
    NotASkill(String, Option<String>),
    /// A directory has no manifest.
    NoManifest(NoManifest),
    /// The entry and the manifest have different names; and whether another entry has the same source.
    OtherName(String, String, bool),
    /// `strict` is false, and the manifest names components, too.
    Strict,
    /// Another entry has the name already.
    SecondEntry(String),
    /// The plugin needs another one that its marketplace does not list; with the value that was probably meant.
    Dependency(String, Option<String>),
    /// The hooks of a plugin are wrong.
    Hook(HookFault),
    /// A server is wrong.
    Server(ServerFault),
    /// A source has a kind that the runtime does not know; with those that it knows.
    Kind(String, Vec<String>),
}

impl Wrong {
    /// Returns whether it is about hooks or servers.
    pub fn is_about_part(&self) -> bool {
        matches!(self, Self::Hook(_) | Self::Server(_))
    }

    /// Returns whether it is about where a path leads.
    pub fn is_about_path(&self) -> bool {
        matches!(
            self,
            Self::NotRelative(_)
                | Self::Indirect(..)
                | Self::Outside(..)
                | Self::Gone(..)
                | Self::Source(..)
                | Self::BelowRoot(..)
                | Self::NotBelowRoot(..)
                | Self::Nowhere(..)
                | Self::Leaves(..)
                | Self::Submodule(_)
                | Self::Above(..)
                | Self::File(_)
                | Self::Empty(_)
                | Self::Nothing(_)
                | Self::NotASkill(..)
                | Self::NoManifest(_)
        )
    }
}

/// A directory without a manifest that a runtime needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoManifest {
    /// The directory.
    pub directory: String,
    /// The manifest to add, from the directory.
    pub manifest: String,
    /// Whether the directory is a skill, which the runtime would not read next to the manifest.
    pub is_skill: bool,
}
