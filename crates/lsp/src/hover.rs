//! Hover: what each runtime makes of a field, and what the model sees; keys of manifests, and settings.

mod manifests;
mod settings;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use skilltree_front_matter::Field;
use skilltree_lint::config;
use skilltree_report::render::escape;
use skilltree_report::schema;
use skilltree_runtimes::profile::Basis;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::skill::SkillId;

use crate::context::{self, Context};
use crate::position::Lines;
use crate::runtimes::{self, Readers};

/// Number of runtimes that are named in one line.
const NAMED: usize = 8;

/// Maximum length of a text that is shown, in characters.
const SHOWN: usize = 2_000;

/// Answers `textDocument/hover`.
pub(crate) fn hover(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    let Some(text) = context.document() else { return Ok(Value::Null) };
    let offset = context::offset(params, &text)?;
    let Some((id, skill)) = context.skill() else {
        let found = match context.path == config::SETTINGS {
            true => settings::about(context, &text, offset),
            false => manifests::about(context, offset),
        };
        return Ok(found.map_or(Value::Null, |(words, range)| shown_at(&text, &words, range)));
    };
    let is_at = |field: &&Field| {
        let (key, value) = (field.key.place.range(), field.value.place.range());
        key.start <= offset && offset <= key.end.max(value.end)
    };
    let Some(field) = skill.fields().find(is_at) else { return Ok(Value::Null) };
    let key = field.key.value.as_str();
    let mut words = vec![about(key)];
    words.extend(readers(context, key));
    if matches!(key, "name" | "description") {
        words.extend(shown(context, id, key));
    }
    Ok(shown_at(&text, &words, field.key.place.range()))
}

/// Returns the answer: paragraphs about a range.
fn shown_at(text: &str, words: &[String], range: std::ops::Range<usize>) -> Value {
    let range = Lines::new(text).range(range);
    json!({ "contents": { "kind": "markdown", "value": words.join("\n\n") }, "range": range })
}

/// Returns the key with its description in the schema.
pub(crate) fn about(key: &str) -> String {
    let schemas = schema::all();
    let schema = schemas.iter().find(|(name, _)| *name == "skill").map(|(_, schema)| schema);
    let description = schema.and_then(|schema| schema["properties"][key]["description"].as_str());
    let key = escape::text(key);
    description.map_or_else(|| format!("**{key}**"), |description| format!("**{key}**: {description}"))
}

/// Says which runtimes read, need, ignore and reject a key, with their versions.
fn readers(context: &Context<'_>, key: &str) -> Vec<String> {
    let readers = Readers::of(&context.checked.config, key);
    let all = readers.count();
    let mut lines = vec![match readers.read.len() {
        0 => format!("None of {all} runtimes reads it."),
        count => format!("Read by {count} of {all} runtimes: {}.", versions(&readers.read)),
    }];
    let mut add = |what: &str, profiles: &[&Profile]| {
        if !profiles.is_empty() {
            lines.push(format!("{what} {}.", runtimes::names(profiles, NAMED)));
        }
    };
    add("Dropped or changed without it by", &readers.need);
    add("Ignored by", &readers.ignore);
    add("A skill with it is dropped or changed by", &readers.reject);
    lines
}

/// Names runtimes with the versions that are known.
fn versions(profiles: &[&Profile]) -> String {
    let name = |profile: &&Profile| Basis::of(profile).map_or_else(|| profile.title.clone(), |basis| basis.to_string());
    let mut names: Vec<String> = profiles.iter().take(NAMED).map(name).collect();
    if profiles.len() > NAMED {
        names.push(format!("and {} more", profiles.len() - NAMED));
    }
    names.join("; ")
}

/// Says what the model sees of a field, by runtime.
fn shown(context: &Context<'_>, id: SkillId, key: &str) -> Vec<String> {
    let catalog = &context.checked.report.catalog;
    let skill = catalog.skill(id);
    let profiles = runtimes::reading(context.checked, id);
    let mut texts: BTreeMap<String, Vec<&Profile>> = BTreeMap::new();
    let mut lost: BTreeMap<String, Vec<&Profile>> = BTreeMap::new();
    for (profile, forecast) in runtimes::forecasts(catalog, id, &profiles) {
        let field = if key == "name" { &forecast.name } else { &forecast.description };
        let why = forecast.hidden().or(forecast.reason.as_ref().filter(|_| field.is_none()));
        match (why, field) {
            (Some(reason), _) => lost.entry(reason.to_string()).or_default().push(profile),
            (None, Some(field)) => texts.entry(field.text(skill, key).into_owned()).or_default().push(profile),
            (None, None) => {}
        }
    }
    let mut texts: Vec<_> = texts.into_iter().collect();
    texts.sort_by_key(|(_, profiles)| std::cmp::Reverse(profiles.len()));
    let seen = texts
        .into_iter()
        .map(|(text, profiles)| format!("The model sees in {}:\n{}", runtimes::names(&profiles, NAMED), fenced(&text)));
    let lost = lost.into_iter().map(|(reason, profiles)| {
        format!("Not shown by {}: {}.", runtimes::names(&profiles, NAMED), escape::text(&reason))
    });
    seen.chain(lost).collect()
}

/// Returns a text as a code block that it cannot end.
fn fenced(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let shown: String = text.chars().take(SHOWN).collect();
    let escaped: Vec<String> = shown.lines().map(escape::text).collect();
    format!("{fence}text\n{}\n{fence}", escaped.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_text_that_contains_fences() {
        assert_eq!(fenced("a"), "```text\na\n```");
        assert_eq!(fenced("a\n````\nb"), "`````text\na\n````\nb\n`````");
        assert!(!fenced("a\u{202e}b").contains('\u{202e}'));
    }
}
