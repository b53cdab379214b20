//! JSON Schemas for editors: skilltree.toml, the front matter of SKILL.md, threads and knowledge. They are made from
//! the tables of the readers and the rules, so that they cannot disagree.
//!
//! All use only what draft 4 and draft 7 of JSON Schema share, which language servers for TOML and YAML support.

mod knowledge;
mod settings;
mod skill;
mod threads;

use serde_json::{Value, json};

/// Returns the schemas by name.
pub fn all() -> [(&'static str, Value); 4] {
    [
        ("knowledge", knowledge::schema()),
        ("skill", skill::schema()),
        ("skilltree", settings::schema()),
        ("threads", threads::schema()),
    ]
}

/// Returns the head of a schema.
fn head(name: &str, title: &str) -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": format!(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/schema/{}.json"), name),
        "title": title,
    })
}

/// Adds members to an object.
fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut object, more) {
        members.extend(more);
    }
    object
}
