//! The schema of skilltree.toml.

use serde_json::{Map, Value as Json, json};

use super::{head, with};
use crate::config::keys::{FILE, Key, Value};
use crate::limits;
use crate::profile::Profiles;
use crate::rule::{EDITIONS, Level};
use crate::rules;

/// The name of a repository's own profile.
const PROFILE_NAME: &str = "^[a-z0-9-]+$";

pub(super) fn schema() -> Json {
    let definitions = json!({
        "definitions": {
            "level": { "enum": Level::NAMES.map(|(name, _)| name) },
            "rule": { "enum": rules::ALL.iter().map(|rule| rule.id).collect::<Vec<_>>() },
            "levels": levels(),
            "limits": limits(),
            "path": { "type": "string", "minLength": 1 },
            "profile": profile(),
            "own-profile": own_profile(),
        }
    });
    with(with(head("skilltree", "skilltree.toml"), object(FILE)), definitions)
}

/// A table with these keys and no others.
fn object(keys: &[Key]) -> Json {
    let properties: Map<String, Json> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let object = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    // Draft 4 allows no empty list here.
    if required.is_empty() { object } else { with(object, json!({ "required": required })) }
}

fn property(key: &Key) -> Json {
    with(json!({ "description": key.about }), value(key.value))
}

fn value(value: Value) -> Json {
    let reference = |name: &str| json!({ "allOf": [{ "$ref": format!("#/definitions/{name}") }] });
    let list = |items: Json| json!({ "type": "array", "items": items });
    match value {
        Value::Boolean => json!({ "type": "boolean" }),
        Value::Text => json!({ "type": "string", "minLength": 1 }),
        Value::Path => reference("path"),
        Value::Paths => with(list(reference("path")), json!({ "minItems": 1 })),
        Value::Groups => list(with(list(reference("path")), json!({ "minItems": 2, "uniqueItems": true }))),
        Value::Date => json!({ "type": "string", "format": "date" }),
        Value::Edition => json!({ "enum": EDITIONS.iter().map(|edition| edition.0).collect::<Vec<_>>() }),
        Value::Profile => reference("profile"),
        Value::ProfileList => list(reference("profile")),
        Value::Rule => reference("rule"),
        Value::Levels => reference("levels"),
        Value::Limits => reference("limits"),
        Value::OwnProfiles => json!({
            "type": "object",
            "patternProperties": { PROFILE_NAME: { "$ref": "#/definitions/own-profile" } },
            "additionalProperties": false,
        }),
        Value::Table(keys) => object(keys),
        Value::Tables(keys) => list(object(keys)),
    }
}

fn levels() -> Json {
    let level = |rule: &&crate::rule::Rule| {
        let level = json!({ "description": rule.summary, "default": rule.level.name() });
        (rule.id.to_owned(), with(level, json!({ "allOf": [{ "$ref": "#/definitions/level" }] })))
    };
    let properties: Map<String, Json> = rules::ALL.iter().map(level).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn limits() -> Json {
    let limit = |&(name, default, about): &(&str, Option<u64>, &str)| {
        let limit = json!({ "description": about.trim(), "type": "integer", "minimum": 1 });
        let default = default.map_or(json!({}), |default| json!({ "default": default }));
        (name.to_owned(), with(limit, default))
    };
    let properties: Map<String, Json> = limits::TABLE.iter().map(limit).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// A profile that comes with skilltree, or one of the file's own.
fn profile() -> Json {
    json!({ "anyOf": [{ "enum": known_profiles() }, { "type": "string", "pattern": PROFILE_NAME }] })
}

/// The parts of a profile. What stands in them is judged when the file is read.
fn own_profile() -> Json {
    json!({
        "type": "object",
        "properties": {
            "extends": { "description": "The profile that this one differs from.", "enum": known_profiles() },
            "title": { "description": "Its name as its makers write it.", "type": "string" },
            "about": { "description": "What it is, in one line.", "type": "string" },
            "notes": { "description": "What its page says besides.", "type": "array", "items": { "type": "string" } },
            "loads": { "description": "What the program does with a skill.", "type": "object" },
            "prompt": { "description": "What the artifact for it looks like.", "type": "object" },
            "evidence": { "description": "Where the values come from.", "type": "object" },
            "cases": { "description": "What the program was seen to do with files.", "type": "array", "items": { "type": "object" } },
        },
    })
}

fn known_profiles() -> Vec<String> {
    Profiles::default().ids().map(str::to_owned).collect()
}
