//! Schema of skilltree.toml.

use serde_json::{Map, Value as Json, json};

use super::{head, with};
use skilltree_lint::config::keys::{Key, Value};
use skilltree_lint::config::require::Kind;
use skilltree_lint::config::rows;
use skilltree_lint::rule::{EDITIONS, Level, OWN_ID};
use skilltree_lint::rules;
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::limits;
use skilltree_skills::skill::VersionField;

/// Pattern of the name of a profile in a repository.
const PROFILE_NAME: &str = "^[a-z0-9-]+$";

pub(super) fn schema() -> Json {
    let definitions = json!({
        "definitions": {
            "level": { "enum": Level::NAMES.map(|(name, _)| name) },
            "rule": {
                "anyOf": [
                    { "enum": rules::ALL.iter().map(|rule| rule.id()).collect::<Vec<_>>() },
                    { "type": "string", "pattern": OWN_ID },
                ],
            },
            "levels": levels(),
            "limits": limits(),
            "path": { "type": "string", "minLength": 1 },
            "profile": profile(),
            "own-profile": own_profile(),
        }
    });
    with(with(head("skilltree", "skilltree.toml"), object(&rows::keys())), definitions)
}

/// Returns the schema of a table with only these keys.
fn object(keys: &[Key]) -> Json {
    let properties: Map<String, Json> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let object = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    // Draft 4 does not allow an empty list.
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
        Value::Paths => list(reference("path")),
        Value::SomePaths => with(list(reference("path")), json!({ "minItems": 1 })),
        Value::Groups => list(with(list(reference("path")), json!({ "minItems": 2, "uniqueItems": true }))),
        Value::Words => {
            with(list(json!({ "type": "string", "minLength": 1 })), json!({ "minItems": 1, "maxItems": 100 }))
        }
        Value::Number => json!({ "type": "integer", "minimum": 0 }),
        Value::Group => json!({ "type": "string", "pattern": r"\(" }),
        Value::Pattern => json!({ "type": "string", "minLength": 1 }),
        Value::OwnRule => json!({ "type": "string", "pattern": OWN_ID, "maxLength": 64 }),
        Value::Kind => json!({ "enum": Kind::NAMES.map(|(name, _)| name) }),
        Value::Files => json!({
            "type": "object",
            "properties": { "SKILL.md": { "type": "string" } },
            "required": ["SKILL.md"],
            "additionalProperties": { "type": "string" },
        }),
        Value::Date => json!({ "type": "string", "format": "date" }),
        Value::Edition => json!({ "enum": EDITIONS.iter().map(|edition| edition.0).collect::<Vec<_>>() }),
        Value::Profile => reference("profile"),
        Value::ProfileList => list(reference("profile")),
        Value::Level => {
            let names = Level::NAMES.iter().filter(|(_, level)| *level != Level::Off);
            json!({ "enum": names.map(|(name, _)| name).collect::<Vec<_>>() })
        }
        Value::Rule => reference("rule"),
        Value::VersionFields => {
            with(list(json!({ "enum": VersionField::NAMES.map(|(name, _)| name) })), json!({ "minItems": 1 }))
        }
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
    let level = |rule: &&skilltree_lint::rule::Rule| {
        let level = json!({ "description": rule.summary(), "default": rule.level.name() });
        (rule.id().to_owned(), with(level, json!({ "allOf": [{ "$ref": "#/definitions/level" }] })))
    };
    let properties: Map<String, Json> = rules::ALL.iter().map(level).collect();
    let own = json!({ OWN_ID: { "$ref": "#/definitions/level" } });
    json!({ "type": "object", "properties": properties, "patternProperties": own, "additionalProperties": false })
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

/// Returns the schema of a profile name, built-in or of the file.
fn profile() -> Json {
    json!({ "anyOf": [{ "enum": known_profiles() }, { "type": "string", "pattern": PROFILE_NAME }] })
}

/// Returns the schema of the parts of a profile. Their content is checked when the file is read.
fn own_profile() -> Json {
    json!({
        "type": "object",
        "properties": {
            "extends": { "description": "The built-in profile that this one is based on.", "enum": known_profiles() },
            "actor": { "description": "The name of the runtime in a sentence, if the title does not fit there.", "type": "string" },
            "title": { "description": "The name of the runtime, as its vendor writes it.", "type": "string" },
            "about": { "description": "A description of the runtime, in one line.", "type": "string" },
            "kind": {
                "description": "What the profile describes. `runtime` is in scope of the skills directories that it reads, `design` only as a target or as the profile of a root, `specification` always, unless `targets` omits it.",
                "enum": ["runtime", "design", "specification"],
                "default": "runtime",
            },
            "usage-rank": { "description": "Position in the order of use. A long message names the most used runtimes.", "type": "integer" },
            "observed": { "description": "The version of the program that was observed, and the day.", "type": "object", "additionalProperties": false, "required": ["date"], "properties": { "version": { "type": "string" }, "date": { "type": "string" } } },
            "read": { "description": "The version of the source code that the profile was written from, and the day.", "type": "object", "additionalProperties": false, "required": ["date"], "properties": { "version": { "type": "string" }, "date": { "type": "string" } } },
            "documented": { "description": "The version of the documentation that the profile follows, and the day.", "type": "object", "additionalProperties": false, "required": ["date"], "properties": { "version": { "type": "string" }, "date": { "type": "string" } } },
            "notes": { "description": "More facts for the documentation.", "type": "array", "items": { "type": "string" } },
            "loads": { "description": "How the runtime finds, reads and lists skills.", "type": "object" },
            "prompt": { "description": "How skilltree renders the prompt block for this runtime.", "type": "object" },
            "evidence": { "description": "The sources of the values.", "type": "object" },
            "cases": { "description": "Observed results for example files. Each must agree with the profile.", "type": "array", "items": { "type": "object" } },
        },
    })
}

fn known_profiles() -> Vec<String> {
    Profiles::default().ids().map(str::to_owned).collect()
}
