//! The schema of a line of .agent/knowledge.jsonl.

use serde_json::{Value, json};

use super::{head, with};
use crate::records::CATEGORIES;

pub(super) fn schema() -> Value {
    let text = |about: &str| json!({ "description": about, "type": "string", "pattern": "\\S" });
    let more = json!({
        "description": "An entry of .agent/knowledge.jsonl, which has one a line and only grows.",
        "type": "object",
        "properties": {
            "content": text("What was learned, in words."),
            "category": { "description": "What it is.", "enum": CATEGORIES },
            "contributor": text("Who says so."),
            "scope": {
                "description": "What it holds for: `global`, or `task:` and the id of a task.",
                "type": "string",
                "pattern": "^(global|task:.*\\S.*)$",
            },
            "task_ref": { "description": "The task in which it was learned.", "type": ["string", "null"], "pattern": "\\S" },
            "created_at": {
                "description": "When it was written.",
                "type": "string",
                "format": "date-time",
            },
            "content_hash": {
                "description": "SHA-256 over the content and the scope, each behind its length in bytes as a big-endian number of eight bytes.",
                "type": "string",
                "pattern": "^[0-9a-f]{64}$",
            },
        },
        "required": ["content", "category", "contributor", "scope", "created_at", "content_hash"],
        "additionalProperties": false,
    });
    with(head("knowledge", "A line of .agent/knowledge.jsonl"), more)
}
