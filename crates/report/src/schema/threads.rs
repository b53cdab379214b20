//! Schema of .agent/threads.json.

use serde_json::{Value, json};

use super::{head, with};
use skilltree_skills::records::{BOUND, THREADS};

pub(super) fn schema() -> Value {
    let thread = json!({
        "type": "object",
        "properties": {
            BOUND: {
                "description": "The names of the skills that the thread binds, most recently bound first.",
                "type": "array",
                "items": { "type": "string" },
                "uniqueItems": true,
            },
        },
    });
    let more = json!({
        "description": "The skills that each thread of an agent binds. skilltree ignores other keys.",
        "type": "object",
        "properties": {
            "threads": {
                "description": "The threads, by id.",
                "type": "object",
                "patternProperties": { "\\S": thread },
                "additionalProperties": false,
            },
        },
        "required": ["threads"],
    });
    with(head("threads", THREADS), more)
}
