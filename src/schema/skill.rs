//! The schema of the front matter of a SKILL.md, under the numbers that hold where a repository sets none.

use serde_json::{Map, Value, json};

use super::{head, with};
use crate::keys;
use crate::limits::Limits;
use crate::name;

pub(super) fn schema() -> Value {
    let properties: Map<String, Value> = keys::KEYS.iter().map(|&key| (key.to_owned(), property(key))).collect();
    let more = json!({
        "description": "The limits are those that hold where a skilltree.toml sets no others.",
        "type": "object",
        "properties": properties,
        "required": ["name", "description"],
        "additionalProperties": true,
    });
    with(head("skill", "The front matter of a SKILL.md"), more)
}

/// What a key says and what may stand behind it. A key of which nothing is known but that runtimes read it may hold
/// anything.
fn property(key: &str) -> Value {
    let limits = Limits::default();
    let text = |about: &str, more: Value| with(json!({ "description": about, "type": "string" }), more);
    let most = |limit: Option<u64>| limit.map_or(json!({}), |limit| json!({ "maxLength": limit }));
    let filled = |limit| with(most(limit), json!({ "minLength": 1, "pattern": "\\S" }));
    match key {
        "name" => text(
            "What the skill is called: the name of its directory, in small letters and digits, joined by single hyphens.",
            with(most(limits.name_chars), json!({ "pattern": name::PATTERN })),
        ),
        "description" => text("What the skill does, and when to use it.", filled(limits.description_chars)),
        "when_to_use" => text("When to use the skill, in one line.", json!({ "pattern": "^[^\\r\\n]*[\\r\\n]*$" })),
        "license" => text("The licence: its name, or the file that holds it.", json!({})),
        "compatibility" => {
            text("What the skill needs of the machine it is used on.", filled(limits.compatibility_chars))
        }
        "metadata" => json!({
            "description": "What else is known of the skill.",
            "type": ["object", "null"],
            "properties": {
                "short-description":
                    text("The description in a line, for menus.", most(limits.short_description_chars)),
            },
        }),
        "argument-hint" => json!({ "description": "What is shown where the arguments are typed." }),
        "allowed-tools" => json!({ "description": "The tools that may be used without asking." }),
        "disallowed-tools" => json!({ "description": "The tools that may not be used." }),
        "disable-model-invocation" => {
            json!({ "description": "Whether only people may call the skill.", "type": "boolean" })
        }
        "user-invocable" => json!({ "description": "Whether people may call the skill.", "type": "boolean" }),
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_said_of_every_key() {
        for key in keys::KEYS {
            assert!(property(key)["description"].is_string(), "{key}");
        }
    }
}
