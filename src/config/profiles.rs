//! `[profile.NAME]`: runtimes that a repository describes itself, whole or by what differs from one that is known.

use std::collections::BTreeMap;

use serde::de::Deserialize as _;
use toml::de::DeTable;
use toml::{Table, Value};

use super::faults::{Faults, word_help};
use super::paths;
use super::table::Table as Read;
use crate::profile::{self, Described, Profile, Profiles};

/// Profiles that a repository describes (ours: 100): each is laid over a whole one.
const PROFILES: usize = 100;

/// The profiles of a file whose text was read once: it is read again as plain values only where there are any.
pub(super) fn read(text: &str, entries: &DeTable<'_>, faults: &mut Faults) -> BTreeMap<String, Described> {
    let mut own = BTreeMap::new();
    let Some(tables) = Read::new(entries).table("profile", "`[profile]`", faults) else { return own };
    let whole: Table = text.parse().unwrap_or_default();
    if let Some((name, _)) = tables.iter().nth(PROFILES) {
        let help = "describe the runtimes alone that are in `targets` or that a root names";
        faults.too_many(name.range, format!("more than {PROFILES} profiles"), help);
    }
    for (name, value) in tables.iter().take(PROFILES) {
        let written = whole.get("profile").and_then(|tables| tables.get(name.value)).and_then(Value::as_table);
        let Some(written) = written else {
            let message = format!("`profile.{}` is no table", name.value);
            faults.invalid(value.span(), message, format!("write `[profile.{}]`", name.value));
            continue;
        };
        match make(name.value, written.clone()) {
            Ok(mut described) => {
                normalise_roots(&tables, name.value, &mut described, faults);
                own.insert(name.value.to_owned(), described);
            }
            Err(Bad { message, help }) => faults.invalid(name.range, message, help),
        }
    }
    own
}

/// Brings the roots that a profile lists skills of into their one spelling, and leaves out what can be no root of a
/// repository. What it extends has none of those.
fn normalise_roots(tables: &Read<'_>, name: &str, described: &mut Described, faults: &mut Faults) {
    let Some(prompt) = &mut described.profile.prompt else { return };
    let written = tables.table(name, "`[profile.NAME]`", faults);
    let written = written.and_then(|table| table.table("prompt", "`[profile.NAME.prompt]`", faults));
    let Some(roots) = written.and_then(|table| table.strings("roots", faults)) else { return };
    let counted = roots.value.into_iter().filter(|root| faults.counts(&root.range)).collect::<Vec<_>>();
    let normal = counted.into_iter().filter_map(|root| {
        paths::root(root.value).map_err(|bad| faults.invalid(root.range, bad.message, bad.help)).ok()
    });
    prompt.roots = normal.collect();
}

/// Why a table is no profile.
struct Bad {
    message: String,
    help: String,
}

fn make(name: &str, written: Table) -> Result<Described, Bad> {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || !name.bytes().all(is_word) {
        return Err(Bad {
            message: format!("`{name}` is no name of a profile"),
            help: "take lower-case letters, digits and hyphens".to_owned(),
        });
    }
    let mut table = extended(name, written)?;
    table.insert("id".to_owned(), name.into());
    table.entry("title").or_insert_with(|| name.into());
    table.entry("about").or_insert_with(|| "described by this repository".into());
    let profile = Profile::deserialize(Value::Table(table.clone())).map_err(|error| Bad {
        message: format!("the profile `{name}` has a fault: {}", error.message().replace('\n', ", ")),
        help: "`skilltree profiles codex` prints one that has none".to_owned(),
    })?;
    match profile.malformed_pattern() {
        Some(pattern) => Err(Bad {
            message: format!("the profile `{name}` has a malformed regular expression: `{pattern}`"),
            help: "write it in the syntax of the `regex` crate".to_owned(),
        }),
        None => Ok(Described { profile, table }),
    }
}

/// The table with what it extends below it.
fn extended(name: &str, mut written: Table) -> Result<Table, Bad> {
    let Some(base) = written.remove("extends") else { return Ok(written) };
    let ours = base.as_str().and_then(profile::source);
    let Some(ours) = ours else {
        let word = base.as_str().unwrap_or_default();
        let known = Profiles::default();
        return Err(Bad {
            message: format!("the profile `{name}` extends `{word}`, which does not come with skilltree"),
            help: word_help(word, known.ids()),
        });
    };
    let mut table: Table = ours.parse().unwrap_or_default();
    // What it is called, what is said of it and what it was seen to do is about the other one.
    for key in ["title", "about", "notes", "cases"] {
        table.remove(key);
    }
    lay_over(&mut table, written);
    Ok(table)
}

/// Lays a table over another: tables key by key, anything else as a whole.
fn lay_over(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => lay_over(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}
