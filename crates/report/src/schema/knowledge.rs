//! Schema of a line of .agent/knowledge.jsonl.

use serde_json::{Value, json};

use super::{head, with};
use skilltree_skills::records::CATEGORIES;

pub(super) fn schema() -> Value {
    let text = |about: &str| json!({ "description": about, "type": "string", "pattern": "\\S" });
    let more = json!({
        "description": "An entry of .agent/knowledge.jsonl, which has one entry per line. Entries are only appended.",
        "type": "object",
        "properties": {
            "content": text("What the agent learned, as text."),
            "category": { "description": "The kind of entry.", "enum": CATEGORIES },
            "contributor": text("The agent or person who wrote the entry."),
            "scope": {
                "description": "Where the entry applies: `global`, or `task:` followed by a task id.",
                "type": "string",
                "pattern": "^(global|task:.*\\S.*)$",
            },
            "task_ref": { "description": "The id of the task in which it was learned.", "type": ["string", "null"], "pattern": "\\S" },
            "created_at": {
                "description": "The date and time at which the entry was written.",
                "type": "string",
                "format": "date-time",
            },
            "content_hash": {
                "description": "SHA-256 over content and scope, each preceded by its length in bytes as a big-endian 64-bit integer.",
                "type": "string",
                "pattern": "^[0-9a-f]{64}$",
            },
        },
        "required": ["content", "category", "contributor", "scope", "created_at", "content_hash"],
        "additionalProperties": false,
    });
    with(head("knowledge", "A line of .agent/knowledge.jsonl"), more)
}
