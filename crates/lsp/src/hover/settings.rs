//! Hover in skilltree.toml: what a table, a key, a rule and a runtime are.

use std::ops::Range;

use serde_json::Value;
use skilltree_lint::rule::RuleRef;
use skilltree_report::render::{self, escape};
use skilltree_report::schema;

use crate::context::Context;
use crate::settings::{self, Setting};

/// Returns what is said about the word at an offset, and its range.
pub(super) fn about(context: &Context<'_>, text: &str, offset: usize) -> Option<(Vec<String>, Range<usize>)> {
    let schemas = schema::all();
    let (_, schema) = schemas.iter().find(|(name, _)| *name == "skilltree")?;
    let (setting, range) = settings::setting_at(text, offset)?;
    let word = &text[range.clone()];
    let config = &context.checked.config;
    let (path, is_rule, is_profile) = match &setting {
        Setting::Table(table) => (table.clone(), false, false),
        Setting::Key(table, key) => (format!("{table}.{key}"), table == "rules", false),
        Setting::Value(table, key) => {
            (format!("{table}.{key}"), key == "rule", matches!(key.as_str(), "targets" | "profile"))
        }
    };
    if let Some(rule) = config.rules().find(|rule| is_rule && rule.id() == word) {
        return Some((of_rule(rule), range));
    }
    if let Some(profile) = config.profiles.find(word).filter(|_| is_profile) {
        return Some((vec![format!("**{word}**: {}", escape::text(&profile.title))], range));
    }
    let about = found(schema, &path)?;
    let description = about["description"].as_str()?;
    let name = path.trim_start_matches('.');
    let mut words = vec![format!("**{name}**: {description}")];
    words.extend((!about["default"].is_null()).then(|| format!("Default: `{}`", about["default"])));
    Some((words, range))
}

fn of_rule(rule: RuleRef) -> Vec<String> {
    let words = format!("**{}**: {}", escape::text(rule.id()), escape::text(rule.summary()));
    vec![words, format!("Default: `{}`. [Documentation]({})", rule.level.name(), render::rule_url(&rule))]
}

/// Returns what the schema says at a path of keys.
fn found<'s>(schema: &'s Value, path: &str) -> Option<&'s Value> {
    let mut about = schema;
    for key in path.split('.').filter(|key| !key.is_empty()) {
        let inside = settings::resolved(schema, about);
        let inside = if inside["items"].is_object() { settings::resolved(schema, &inside["items"]) } else { inside };
        about = inside["properties"].get(key)?;
    }
    Some(about)
}
