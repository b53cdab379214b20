//! Schema of the front matter of SKILL.md, with the default limits.

use serde_json::{Map, Value, json};

use super::{head, with};
use skilltree_skills::keys;
use skilltree_skills::limits::Limits;
use skilltree_skills::name;

pub(super) fn schema() -> Value {
    let properties: Map<String, Value> = keys::KEYS.iter().map(|&key| (key.to_owned(), property(key))).collect();
    let more = json!({
        "description": "The limits are the defaults. A skilltree.toml can change them.",
        "type": "object",
        "properties": properties,
        "required": ["name", "description"],
        "additionalProperties": true,
    });
    with(head("skill", "The front matter of a SKILL.md"), more)
}

/// Returns the schema of a key. A key without a known type accepts any value.
fn property(key: &str) -> Value {
    let limits = Limits::default();
    let text = |about: &str, more: Value| with(json!({ "description": about, "type": "string" }), more);
    let most = |limit: Option<u64>| limit.map_or(json!({}), |limit| json!({ "maxLength": limit }));
    let filled = |limit| with(most(limit), json!({ "minLength": 1, "pattern": "\\S" }));
    match key {
        "name" => text(
            "The name of the skill. It equals the name of the skill directory: lowercase letters, digits and single hyphens.",
            with(most(limits.name_chars), json!({ "pattern": name::PATTERN })),
        ),
        "description" => text("What the skill does and when to use it.", filled(limits.description_chars)),
        "when_to_use" => text("When to use the skill, in one line.", json!({ "pattern": "^[^\\r\\n]*[\\r\\n]*$" })),
        "license" => text("The license: its name, or the file that contains it.", json!({})),
        "compatibility" => text("What the skill requires of the environment.", filled(limits.compatibility_chars)),
        "metadata" => json!({
            "description": "Additional properties of the skill.",
            "type": ["object", "null"],
            "properties": {
                "short-description":
                    text("A short description for menus, in one line.", most(limits.short_description_chars)),
            },
        }),
        "argument-hint" => json!({ "description": "A hint that is shown when the user types arguments." }),
        "allowed-tools" => json!({ "description": "Tools that the skill may use without asking." }),
        "disallowed-tools" => json!({ "description": "Tools that the skill may not use." }),
        "disable-model-invocation" => {
            json!({ "description": "Whether only users may invoke the skill, not the model.", "type": "boolean" })
        }
        "user-invocable" => json!({ "description": "Whether users may invoke the skill.", "type": "boolean" }),
        _ => json!({}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_every_key() {
        for key in keys::KEYS {
            assert!(property(key)["description"].is_string(), "{key}");
        }
    }
}
