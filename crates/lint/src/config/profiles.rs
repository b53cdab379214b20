//! `[profile.NAME]`: runtimes that a repository defines, completely or by their differences from a known profile.

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
use skilltree_front_matter::text;
use skilltree_runtimes::forecast::CaseForecast;
use skilltree_runtimes::profile::extend::overlay;
use skilltree_runtimes::profile::{self, DefinedProfile, InvalidProfile, Pattern, Profile, Profiles, meant};
use skilltree_skills::snapshot::File;

/// Maximum number of profiles in a repository (ours: 100): each is merged with a complete one.
const PROFILES: usize = 100;

/// Maximum number of cases in all of them (ours: 500): each runs whenever the configuration is read.
const CASES: usize = 500;

/// Reads the profiles of a parsed file. The file is parsed again as plain values only if it has profiles.
pub(super) fn read(file: &File, whole: &str, entries: &DeTable<'_>, faults: &mut Faults) -> Profiles {
    let mut profiles = Profiles::default();
    let Some(tables) = Read::new(entries).table("profile", "`[profile]`", faults) else { return profiles };
    let whole: Table = whole.parse().unwrap_or_default();
    if let Some((name, _)) = tables.iter().nth(PROFILES) {
        let help = "define only profiles that `targets` or a root uses";
        faults.fatal(name.range, format!("there are more than {PROFILES} profiles"), help);
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
                message: format!("`profile.{}` is not a table", name.value),
                help: format!("write `[profile.{}]`", name.value),
            }),
        };
        match made {
            Ok(mut described) => {
                cases += described.profile.cases.len();
                if cases > CASES {
                    let help = "keep only the cases for values that this repository changed";
                    faults.fatal(name.range, format!("the profiles have more than {CASES} cases"), help);
                    break;
                }
                normalize_roots(&tables, name.value, &mut described, faults);
                check_cases(&name, &described.profile, value, faults);
                profiles.own.insert(name.value.to_owned(), described);
            }
            Err(Bad { range, message, help }) => {
                faults.invalid(range.clone(), message.clone(), help.clone());
                let faulty = InvalidProfile { file: Arc::clone(&shared), range, message, help };
                profiles.invalid.insert(name.value.to_owned(), faulty);
            }
        }
    }
    profiles
}

/// Reports the cases that a profile contradicts. The profile stays in force, because either of the two may be wrong.
fn check_cases(name: &At<&str>, profile: &Profile, written: &Spanned<DeValue<'_>>, faults: &mut Faults) {
    let places = written.get_ref().get("cases").and_then(|cases| cases.get_ref().as_array());
    for (number, case) in profile.cases.iter().enumerate() {
        let range = places.and_then(|cases| cases.get(number)).map_or(name.range.clone(), |case| case.span());
        let fault = match CaseForecast::new(profile, case) {
            None => format!("has no skill at the path of its case `{}`", case.what),
            Some(predicted) if !predicted.agrees(case) => {
                format!("contradicts its case `{}`: it predicts {predicted}", case.what)
            }
            Some(_) => continue,
        };
        let message = format!("the profile `{}` {}", name.value, fault.replace('\n', " "));
        faults.invalid(range, message, "correct the profile, or change the case to the observed result");
    }
}

/// Returns why a requested profile is missing, if its table exists but has a fault.
pub fn faulty(profiles: &Profiles, id: &str) -> Option<Error> {
    let InvalidProfile { file, range, message, help } = profiles.invalid.get(id)?;
    Some(Error::at(File::clone(file), range.clone(), message.clone(), Some(help.clone())))
}

/// Returns the help for an unknown profile, whose table may exist but have a fault.
pub(super) fn help(profiles: &Profiles, id: &str) -> String {
    match profiles.invalid.get(id) {
        Some(_) => format!("fix the error in `[profile.{id}]`"),
        None => {
            let meant: Vec<String> = meant(id).iter().map(|id| format!("`{id}`")).collect();
            if meant.is_empty() { word_help(id, profiles.ids()) } else { format!("write {}", meant.join(" or ")) }
        }
    }
}

/// Normalizes the roots that a profile lists skills of, and drops those that are invalid in a repository. A base
/// profile has none of those.
fn normalize_roots(tables: &Read<'_>, name: &str, described: &mut DefinedProfile, faults: &mut Faults) {
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

/// Fault of a profile.
struct Bad {
    range: Range<usize>,
    message: String,
    help: String,
}

/// Builds profiles. Many may extend one base: its text is parsed once, and a shared expression is compiled once.
struct Maker {
    /// Path of the file that defines them.
    file: String,
    bases: BTreeMap<String, Option<Table>>,
    patterns: BTreeMap<String, Pattern>,
}

impl Maker {
    fn make(
        &mut self,
        At { value: name, range }: &At<&str>,
        written: Table,
        place: &Spanned<DeValue<'_>>,
    ) -> Result<DefinedProfile, Bad> {
        let bad = |message: String, help: &str| Bad { range: range.clone(), message, help: help.to_owned() };
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || !name.bytes().all(is_word) {
            let message = format!("`{name}` is not a valid profile name");
            return Err(bad(message, "use lowercase letters, digits and hyphens"));
        }
        let mut table = self.extended(name, written).map_err(|(message, help)| bad(message, &help))?;
        table.insert("id".to_owned(), (*name).into());
        table.entry("title").or_insert_with(|| (*name).into());
        table.entry("about").or_insert_with(|| "defined by this repository".into());
        let merged = toml::to_string(&table).unwrap_or_default();
        let mut profile: Profile = toml::from_str(&merged).map_err(|error| Bad {
            range: fault_range(&error, place).unwrap_or_else(|| range.clone()),
            message: format!("the profile `{name}` is not valid: {}", error.message().replace('\n', ", ")),
            help: "run `skilltree profiles agentskills` to see a valid profile".to_owned(),
        })?;
        for pattern in profile.patterns() {
            match self.patterns.entry(pattern.source().to_owned()) {
                Entry::Occupied(known) => *pattern = known.get().clone(),
                Entry::Vacant(place) => {
                    place.insert(pattern.clone());
                }
            }
            if pattern.regex().is_none() {
                let message = format!("the profile `{name}` has an invalid regular expression: `{}`", pattern.source());
                return Err(bad(message, "use the syntax of the Rust `regex` crate"));
            }
        }
        Ok(DefinedProfile { profile, table })
    }

    /// Merges a table with its base, or returns a fact and an edit.
    fn extended(&mut self, name: &str, mut written: Table) -> Result<Table, (String, String)> {
        let Some(base) = written.remove("extends") else { return Ok(written) };
        let word = base.as_str().unwrap_or_default();
        let base = self.bases.entry(word.to_owned()).or_insert_with(|| profile::table(word));
        let Some(mut table) = base.clone() else {
            let message = format!("the profile `{name}` extends `{word}`, which is not a built-in profile");
            return Err((message, word_help(word, Profiles::default().ids())));
        };
        let changed = changed(&written);
        // Observations belong to the base. So do its title and its descriptions, unless this profile is the same
        // runtime with other values.
        let others: &[&str] = if word == name {
            &["cases"]
        } else {
            &["title", "actor", "about", "kind", "usage-rank", "notes", "cases"]
        };
        for key in others {
            table.remove(*key);
        }
        overlay(&mut table, written);
        if let Some(evidence) = table.get_mut("evidence").and_then(Value::as_table_mut) {
            let source = Table::from_iter([("source".to_owned(), self.file.as_str().into())]);
            evidence.extend(changed.into_iter().map(|path| (path, source.clone().into())));
        }
        Ok(table)
    }
}

/// Returns the dotted paths of values that a table sets without an evidence entry: the evidence of the base does not
/// cover them. A path has at most three components, as in forecasts.
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
        let covers = |known: &String| {
            path.strip_prefix(known.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        known.is_some_and(|known| known.keys().any(covers))
    };
    changed.retain(|path| !has_evidence(path));
    changed
}

/// Returns the byte range of a fault by parsing the table again with places, without its base.
fn fault_range(fault: &toml::de::Error, written: &Spanned<DeValue<'_>>) -> Option<Range<usize>> {
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
