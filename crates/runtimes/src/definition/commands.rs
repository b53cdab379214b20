//! Commands in TOML.

use toml::de::{DeTable, DeValue};

use super::{Flaw, flaw, table};
use skilltree_front_matter::text::{FileId, Place};
use skilltree_skills::keys;

const PROMPT: &str = "prompt";

/// Returns why Gemini CLI 0.61.0 skips a command: `FileCommandLoader` needs `prompt`, and takes a `description`, as strings.
#[must_use]
pub fn flaws(file: FileId, bytes: &[u8]) -> Vec<Flaw> {
    let table = match table(file, bytes) {
        Ok(table) => table,
        Err(flaw) => return vec![flaw],
    };
    let mut flaws = Vec::new();
    let find = |key: &str| table.get_ref().iter().find(|(known, _)| known.get_ref() == key);
    for key in [PROMPT, "description"] {
        match find(key) {
            Some((_, value)) if !matches!(value.get_ref(), DeValue::String(_)) => {
                let place = Place::new(file, value.span());
                flaws.push(flaw(place, format!("`{key}` is not a string"), "write a string"));
            }
            None if key == PROMPT => flaws.push(without_prompt(file, table.get_ref())),
            _ => {}
        }
    }
    flaws
}

/// Returns the flaw of a command whose text has another key, or is in a table, or is missing.
fn without_prompt(file: FileId, table: &DeTable<'_>) -> Flaw {
    let what = "it has no `prompt`";
    let is_meant = |key: &str| key.eq_ignore_ascii_case(PROMPT) || keys::is_slip(key, PROMPT) || OTHERS.contains(&key);
    if let Some((key, _)) = table.iter().find(|(key, _)| is_meant(key.get_ref())) {
        return flaw(Place::new(file, key.span()), what, format!("rename `{}` to `prompt`", key.get_ref()));
    }
    let inside = table.iter().find(|(_, value)| match value.get_ref() {
        DeValue::Table(inside) => inside.iter().any(|(key, _)| key.get_ref() == PROMPT),
        _ => false,
    });
    match inside {
        Some((key, _)) => flaw(Place::new(file, key.span()), what, "move `prompt` above the first table"),
        None => flaw(Place::whole(file), what, "add `prompt = \"…\"`"),
    }
}

/// Keys that other programs and authors give to the text.
const OTHERS: [&str; 4] = ["body", "content", "instructions", "text"];
