//! Where Claude Code finds commands and agents, and the programs of a plugin.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use serde_json::Value;

use super::texts;
use skilltree_skills::agents::{AGENTS, COMMANDS};
use skilltree_skills::manifest;
use skilltree_skills::roots;

/// What a file defines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Command,
    Agent,
    Program,
}

/// The places of definitions: of the project, or of a plugin, on one side.
#[derive(Clone, Default)]
pub(super) struct Places {
    pub(super) places: BTreeSet<(Kind, BString)>,
}

impl Places {
    /// Returns those of the project.
    pub(super) fn of_project() -> Self {
        Self { places: [(Kind::Command, COMMANDS.into()), (Kind::Agent, AGENTS.into())].into() }
    }

    /// Returns those of a plugin in a directory: the usual ones, and those that the keys of its manifest name.
    pub(super) fn of_plugin(directory: &BStr, keys: &Value) -> Self {
        let usual = [(Kind::Command, "commands"), (Kind::Agent, "agents"), (Kind::Program, "bin")];
        let mut places: BTreeSet<_> =
            usual.into_iter().map(|(kind, name)| (kind, manifest::join(directory, name))).collect();
        for (kind, name) in usual {
            let value = keys.get(name).filter(|_| kind != Kind::Program);
            let sources = value.and_then(Value::as_object).into_iter().flatten();
            let sources = sources.filter_map(|(_, value)| value.get("source")?.as_str());
            let named = value.into_iter().flat_map(texts::strings).chain(sources);
            places.extend(named.filter_map(|path| Some((kind, manifest::below(directory, path)?))));
        }
        Self { places }
    }

    /// Returns whether a file is in one of the places, or is one of them.
    pub(super) fn contain(&self, path: &BStr) -> bool {
        self.places.iter().any(|(_, place)| roots::is_within(path, place.as_bstr()))
    }

    /// Adds those of another manifest.
    pub(super) fn extend(&mut self, other: &Self) {
        self.places.extend(other.places.iter().cloned());
    }
}

/// The project, or a plugin, with the places of its definitions in the head and in the base.
pub(super) struct Owner {
    /// The name of the plugin; empty for the project.
    pub(super) name: String,
    pub(super) own: Places,
    pub(super) old: Places,
}
