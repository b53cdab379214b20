//! The schema of .agent/threads.json.

use serde_json::{Value, json};

use super::{head, with};
use crate::records::{BOUND, THREADS};

pub(super) fn schema() -> Value {
    let thread = json!({
        "type": "object",
        "properties": {
            BOUND: {
                "description": "The names of the skills that the thread binds, the last one bound first.",
                "type": "array",
                "items": { "type": "string" },
                "uniqueItems": true,
            },
        },
    });
    let more = json!({
        "description": "Which skills each thread of an agent binds; other keys are somebody else's.",
        "type": "object",
        "properties": {
            "threads": {
                "description": "The threads by their ids.",
                "type": "object",
                "patternProperties": { "\\S": thread },
                "additionalProperties": false,
            },
        },
        "required": ["threads"],
    });
    with(head("threads", THREADS), more)
}
