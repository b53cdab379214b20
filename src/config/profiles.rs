//! `[profile.NAME]`: runtimes that a repository describes itself, whole or by what differs from one that is known.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use bstr::ByteSlice;
use serde::de::Deserialize as _;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::Error;
use super::faults::{Faults, word_help};
use super::paths;
use super::table::{At, Table as Read};
use crate::forecast::Followed;
use crate::profile::{self, Described, Faulty, Pattern, Profile, Profiles};
use crate::snapshot::File;
use crate::text;

/// Profiles that a repository describes (ours: 100): each is laid over a whole one.
const PROFILES: usize = 100;

/// Cases of all of them together (ours: 500): each is judged whenever the configuration is read.
const CASES: usize = 500;

/// The profiles of a file whose text was read once: it is read again as plain values only where there are any.
pub(super) fn read(file: &File, whole: &str, entries: &DeTable<'_>, faults: &mut Faults) -> Profiles {
    let mut profiles = Profiles::default();
    let Some(tables) = Read::new(entries).table("profile", "`[profile]`", faults) else { return profiles };
    let whole: Table = whole.parse().unwrap_or_default();
    if let Some((name, _)) = tables.iter().nth(PROFILES) {
        let help = "describe the runtimes alone that are in `targets` or that a root names";
        faults.too_many(name.range, format!("more than {PROFILES} profiles"), help);
    }
    let file_name = text::lossless(file.path.as_bstr());
    let mut maker = Maker { file: file_name, bases: BTreeMap::new(), patterns: BTreeMap::new() };
    let shared = Arc::new(file.clone());
    let mut cases = 0;
    for (name, value) in tables.iter().take(PROFILES) {
        let written = whole.get("profile").and_then(|tables| tables.get(name.value)).and_then(Value::as_table);
        let made = match written {
            Some(written) => maker.make(&name, written.clone(), value),
            None => Err(Bad {
                range: value.span(),
                message: format!("`profile.{}` is no table", name.value),
                help: format!("write `[profile.{}]`", name.value),
            }),
        };
        match made {
            Ok(mut described) => {
                cases += described.profile.cases.len();
                if cases > CASES {
                    let help = "keep the cases that hold a value which this repository changed";
                    faults.too_many(name.range, format!("more than {CASES} cases of profiles"), help);
                    break;
                }
                normalise_roots(&tables, name.value, &mut described, faults);
                judge_cases(&name, &described.profile, value, faults);
                profiles.own.insert(name.value.to_owned(), described);
            }
            Err(Bad { range, message, help }) => {
                faults.invalid(range.clone(), message.clone(), help.clone());
                let faulty = Faulty { file: Arc::clone(&shared), range, message, help };
                profiles.faulty.insert(name.value.to_owned(), faulty);
            }
        }
    }
    profiles
}

/// Says which cases a profile does not bear out. It is in force all the same: nobody can say which of the two is wrong.
fn judge_cases(name: &At<&str>, profile: &Profile, written: &Spanned<DeValue<'_>>, faults: &mut Faults) {
    let places = written.get_ref().get("cases").and_then(|cases| cases.get_ref().as_array());
    for (number, case) in profile.cases.iter().enumerate() {
        let range = places.and_then(|cases| cases.get(number)).map_or(name.range.clone(), |case| case.span());
        let fault = match Followed::new(profile, case) {
            None => format!("has no skill at the path of its case `{}`", case.what),
            Some(told) if !told.agrees(case) => format!("does not bear out its case `{}`: it says {told}", case.what),
            Some(_) => continue,
        };
        let message = format!("the profile `{}` {}", name.value, fault.replace('\n', " "));
        faults.invalid(range, message, "change the value that is wrong, or the case to what was seen");
    }
}

/// Why there is no profile of a name that somebody asks for, where a table was meant as one and has a fault.
pub fn faulty(profiles: &Profiles, id: &str) -> Option<Error> {
    let Faulty { file, range, message, help } = profiles.faulty.get(id)?;
    Some(Error::at(File::clone(file), range.clone(), message.clone(), Some(help.clone())))
}

/// What to do about a word that is no profile: the table may be there, and have a fault.
pub(super) fn help(profiles: &Profiles, id: &str) -> String {
    match profiles.faulty.get(id) {
        Some(_) => format!("mend the fault of `[profile.{id}]`"),
        None => word_help(id, profiles.ids()),
    }
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
    range: Range<usize>,
    message: String,
    help: String,
}

/// Makes profiles. Many may extend one: its text is parsed once, and an expression that several have is compiled once.
struct Maker {
    /// The file in which they are written.
    file: String,
    bases: BTreeMap<String, Table>,
    patterns: BTreeMap<String, Pattern>,
}

impl Maker {
    fn make(
        &mut self,
        At { value: name, range }: &At<&str>,
        written: Table,
        place: &Spanned<DeValue<'_>>,
    ) -> Result<Described, Bad> {
        let bad = |message: String, help: &str| Bad { range: range.clone(), message, help: help.to_owned() };
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || !name.bytes().all(is_word) {
            let message = format!("`{name}` is no name of a profile");
            return Err(bad(message, "take lower-case letters, digits and hyphens"));
        }
        let mut table = self.extended(name, written).map_err(|(message, help)| bad(message, &help))?;
        table.insert("id".to_owned(), (*name).into());
        table.entry("title").or_insert_with(|| (*name).into());
        table.entry("about").or_insert_with(|| "described by this repository".into());
        let mut profile = Profile::deserialize(Value::Table(table.clone())).map_err(|error| Bad {
            range: where_it_stands(&error, place).unwrap_or_else(|| range.clone()),
            message: format!("the profile `{name}` has a fault: {}", error.message().replace('\n', ", ")),
            help: "`skilltree profiles codex` prints one that has none".to_owned(),
        })?;
        for pattern in profile.patterns() {
            match self.patterns.entry(pattern.source().to_owned()) {
                Entry::Occupied(known) => *pattern = known.get().clone(),
                Entry::Vacant(place) => {
                    place.insert(pattern.clone());
                }
            }
            if pattern.regex().is_none() {
                let message =
                    format!("the profile `{name}` has a malformed regular expression: `{}`", pattern.source());
                return Err(bad(message, "write it in the syntax of the `regex` crate"));
            }
        }
        Ok(Described { profile, table })
    }

    /// The table with what it extends below it, or a fact and an edit.
    fn extended(&mut self, name: &str, mut written: Table) -> Result<Table, (String, String)> {
        let Some(base) = written.remove("extends") else { return Ok(written) };
        let word = base.as_str().unwrap_or_default();
        let Some(text) = profile::source(word) else {
            let message = format!("the profile `{name}` extends `{word}`, which does not come with skilltree");
            return Err((message, word_help(word, Profiles::default().ids())));
        };
        let changed = changed(&written);
        let mut table = self.bases.entry(word.to_owned()).or_insert_with(|| text.parse().unwrap_or_default()).clone();
        // What it was seen to do is about the other one. So is what it is called and what is said of it, unless this is
        // the same runtime with other values.
        let others: &[&str] = if word == name { &["cases"] } else { &["title", "about", "notes", "cases"] };
        for key in others {
            table.remove(*key);
        }
        lay_over(&mut table, written);
        if let Some(evidence) = table.get_mut("evidence").and_then(Value::as_table_mut) {
            let source = Table::from_iter([("source".to_owned(), self.file.as_str().into())]);
            evidence.extend(changed.into_iter().map(|path| (path, source.clone().into())));
        }
        Ok(table)
    }
}

/// The values that a table sets without an entry of evidence, by their dotted paths: what they were known from is about
/// the other ones. A path ends where forecasts ask for evidence, three steps down at most.
fn changed(written: &Table) -> Vec<String> {
    let mut changed = Vec::new();
    let mut open: Vec<(String, &Value)> =
        written.get("loads").map(|loads| ("loads".to_owned(), loads)).into_iter().collect();
    while let Some((path, value)) = open.pop() {
        match value.as_table().filter(|_| path.split('.').count() < 3) {
            Some(table) => open.extend(table.iter().map(|(key, value)| (format!("{path}.{key}"), value))),
            None => changed.push(path),
        }
    }
    let known = written.get("evidence").and_then(Value::as_table);
    let has_evidence = |path: &String| {
        let speaks = |known: &String| {
            path.strip_prefix(known.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        known.is_some_and(|known| known.keys().any(speaks))
    };
    changed.retain(|path| !has_evidence(path));
    changed
}

/// The bytes at which a fault stands: what is written is read again with its places, without what it extends.
fn where_it_stands(fault: &toml::de::Error, written: &Spanned<DeValue<'_>>) -> Option<Range<usize>> {
    let mut table = written.get_ref().as_table()?.clone();
    table.remove("extends");
    for key in ["id", "title", "about"] {
        let key = Spanned::new(0..0, key.into());
        table.entry(key).or_insert_with(|| Spanned::new(0..0, DeValue::String("".into())));
    }
    let place = Spanned::new(written.span(), table);
    let again = Profile::deserialize(toml::de::Deserializer::from(place)).err()?;
    again.span().filter(|range| again.message() == fault.message() && !range.is_empty())
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
