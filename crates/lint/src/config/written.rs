//! Where settings are written in the configuration files.

use std::ops::Range;

use bstr::ByteSlice;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, SETTINGS, WORKFLOW, workflow};
use skilltree_skills::snapshot::Body;

/// The configuration files of a configuration, to look up places in them.
pub(super) struct Written<'a> {
    settings: Option<Spanned<DeTable<'a>>>,
    workflow: &'a [u8],
}

impl<'a> Written<'a> {
    pub(super) fn new(config: &'a Config) -> Self {
        let text = |path: &str| {
            let file = config.files.iter().find(|file| file.path == path);
            file.and_then(|file| if let Body::Text(bytes) = &file.body { Some(bytes.as_slice()) } else { None })
        };
        let settings = text(SETTINGS).and_then(|bytes| DeTable::parse(bytes.to_str().ok()?).ok());
        Self { settings, workflow: text(WORKFLOW).unwrap_or_default() }
    }

    /// Returns the places of one settings file.
    pub(super) fn of(settings: &'a [u8]) -> Self {
        let settings = settings.to_str().ok().and_then(|text| DeTable::parse(text).ok());
        Self { settings, workflow: b"" }
    }

    /// Returns the place of a setting: the last of its keys that is written. A key is also an element of an array, or the `path` of
    /// an entry. Without any, it is the file itself.
    pub(super) fn place(&self, keys: &[&str]) -> Range<usize> {
        let Some(settings) = &self.settings else { return 0..0 };
        let Some((first, rest)) = keys.split_first() else { return 0..0 };
        let Some((key, value)) = entry(settings.get_ref(), first) else { return 0..0 };
        rest.first().and_then(|next| below(value, next)).unwrap_or_else(|| header(key, value))
    }

    /// Returns the place of a key of `agent.skills` in WORKFLOW.md, or the file itself.
    pub(super) fn workflow_place(&self, key: &str) -> Range<usize> {
        workflow::place(self.workflow, key).unwrap_or(0..0)
    }
}

fn entry<'t, 'a>(table: &'t DeTable<'a>, name: &str) -> Option<(Range<usize>, &'t Spanned<DeValue<'a>>)> {
    table.iter().find(|(key, _)| &**key.get_ref() == name).map(|(key, value)| (key.span(), value))
}

/// Returns the place of a key of a table, or of an element of an array.
fn below(value: &Spanned<DeValue<'_>>, name: &str) -> Option<Range<usize>> {
    match value.get_ref() {
        DeValue::Table(table) => entry(table, name).map(|(key, _)| key),
        DeValue::Array(elements) => elements.iter().find_map(|element| match element.get_ref() {
            DeValue::String(text) => (&**text == name).then(|| element.span()),
            DeValue::Table(table) => {
                let (_, path) = entry(table, "path")?;
                path.get_ref().as_str().is_some_and(|path| path == name).then(|| path.span())
            }
            _ => None,
        }),
        _ => None,
    }
}

/// Returns the key, or the header of the first table of an array of tables.
fn header(key: Range<usize>, value: &Spanned<DeValue<'_>>) -> Range<usize> {
    let first = value.get_ref().as_array().and_then(|elements| elements.iter().next());
    first.filter(|element| element.get_ref().is_table()).map_or(key, Spanned::span)
}
