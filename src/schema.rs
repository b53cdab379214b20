//! JSON Schemas for editors: of skilltree.toml, of the front matter of a SKILL.md, and of what agents write beside the skills. They are made from the tables that
//! the readers and the rules go by, so that they cannot say anything else.
//!
//! All keep to what draft 4 and draft 7 of JSON Schema share: that is what the language servers for TOML and YAML know.

mod knowledge;
mod settings;
mod skill;
mod threads;

use serde_json::{Value, json};

/// The schemas by name, each with its JSON.
pub fn all() -> [(&'static str, Value); 4] {
    [
        ("knowledge", knowledge::schema()),
        ("skill", skill::schema()),
        ("skilltree", settings::schema()),
        ("threads", threads::schema()),
    ]
}

/// The head of a schema.
fn head(name: &str, title: &str) -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": format!(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/schema/{}.json"), name),
        "title": title,
    })
}

/// An object with more members.
fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut object, more) {
        members.extend(more);
    }
    object
}
