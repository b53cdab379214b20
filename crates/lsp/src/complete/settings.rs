//! Completion in skilltree.toml: tables, keys and values, each as valid TOML.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skilltree_lint::rule::Level;
use skilltree_report::schema;

use super::{Cursor, Kind};
use crate::settings::{Written, open_quote, resolved};

/// What a schema says about a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Value,
    Table,
    Tables,
}

impl Shape {
    fn of(schema: &Value, about: &Value) -> Self {
        let is_table = |value: &Value| resolved(schema, value)["type"] == "object";
        match about["type"] == "array" {
            true if is_table(&about["items"]) => Self::Tables,
            false if is_table(about) => Self::Table,
            _ => Self::Value,
        }
    }

    fn header(self, key: &str) -> String {
        if self == Self::Tables { format!("[[{key}]]") } else { format!("[{key}]") }
    }
}

impl Cursor<'_, '_> {
    /// Completes tables, keys and values.
    pub(super) fn settings(&self) -> Vec<Value> {
        let schemas = schema::all();
        let Some((_, schema)) = schemas.iter().find(|(name, _)| *name == "skilltree") else { return Vec::new() };
        let typed = self.before.trim_start();
        match self.written().value() {
            _ if typed.starts_with('#') => Vec::new(),
            Some((key, value)) => self.setting(&key, &value),
            None if typed.starts_with('[') => self.headers(schema, typed),
            None => {
                let mut items = self.keys_of(schema, typed);
                if self.rest.trim().is_empty() {
                    items.extend(self.headers(schema, typed));
                }
                items
            }
        }
    }

    fn written(&self) -> Written<'_> {
        Written { text: self.text, start: self.start, before: self.before }
    }

    /// Completes the keys that the table does not have yet.
    fn keys_of(&self, schema: &Value, typed: &str) -> Vec<Value> {
        let (table, lines) = self.written().table();
        let known: BTreeSet<&str> = lines.iter().filter_map(|line| Some(line.split_once('=')?.0.trim())).collect();
        let after = if self.rest[self.word().len()..].contains('=') { "" } else { " = " };
        let item = |kind, key: &str, detail: &str| {
            let mut item = self.item(kind, key, typed, detail);
            item["textEdit"]["newText"] = format!("{key}{after}").into();
            (!known.contains(key)).then_some(item)
        };
        if table == "rules" {
            return self
                .context
                .checked
                .config
                .rules()
                .filter_map(|rule| item(Kind::Value, rule.id(), rule.summary()))
                .collect();
        }
        let about = resolved(schema, if table.is_empty() { schema } else { &schema["properties"][table] });
        let about = if about["items"].is_object() { &about["items"] } else { about };
        let keys = about["properties"].as_object().into_iter().flatten();
        let keys = keys.filter(|(_, about)| !table.is_empty() || Shape::of(schema, about) == Shape::Value);
        keys.filter_map(|(key, about)| item(Kind::Property, key, about["description"].as_str().unwrap_or_default()))
            .collect()
    }

    /// Completes the headers of tables. A table has one, entries of a list have several.
    fn headers(&self, schema: &Value, typed: &str) -> Vec<Value> {
        let known: BTreeSet<&str> = self.text.lines().map(str::trim).collect();
        // An editor may have closed the brackets.
        let rest = &self.rest[..self.rest.len() - self.rest[self.word().len()..].trim_start_matches(']').len()];
        let keys = schema["properties"].as_object().into_iter().flatten();
        let headers = keys.filter_map(|(key, about)| {
            let shape = Shape::of(schema, about);
            let header = shape.header(key);
            let is_new = shape == Shape::Tables || shape == Shape::Table && !known.contains(&*header);
            let about = about["description"].as_str().unwrap_or_default();
            let mut item = self.item_over(Kind::Property, &header, (typed, rest), about);
            // An editor compares what was typed with this.
            item["filterText"] = json!(if typed.starts_with('[') { &header } else { key });
            is_new.then_some(item)
        });
        headers.collect()
    }

    /// Completes a value: a string, in quotes.
    fn setting(&self, key: &str, value: &str) -> Vec<Value> {
        let config = &self.context.checked.config;
        let (table, _) = self.written().table();
        let quote = open_quote(value);
        let typed = value.rsplit(['"', '\'', '[', ',', ' ', '\n', '{', '=']).next().unwrap_or_default();
        let ending = &self.rest[self.word().len()..];
        let item = |word: &str, detail: &str| {
            let mut item = self.item(Kind::Value, word, typed, detail);
            item["textEdit"]["newText"] = match quote {
                Some(quote) if ending.starts_with(quote) => word.into(),
                Some(quote) => format!("{word}{quote}").into(),
                None => format!("\"{word}\"").into(),
            };
            item
        };
        match (table, key) {
            ("rules", _) | (_, "severity" | "min-severity") => {
                Level::NAMES.iter().map(|(name, _)| item(name, "a severity")).collect()
            }
            (_, "targets" | "profile") => {
                let profiles = config.profiles.ids().filter_map(|id| config.profiles.find(id));
                profiles.map(|profile| item(&profile.id, &profile.title)).collect()
            }
            (_, "rule") => config.rules().map(|rule| item(rule.id(), rule.summary())).collect(),
            _ => Vec::new(),
        }
    }
}
