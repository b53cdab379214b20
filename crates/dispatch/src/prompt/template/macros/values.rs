//! Values that a template receives.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, Serde};

use crate::prompt::facts::SkillFacts;

/// Body of a skill: prints as its text, and has the sizes of the index as keys.
#[derive(Debug)]
pub(super) struct BodyValue {
    text: Value,
    sizes: Value,
}

impl BodyValue {
    /// Returns the text, to be escaped like other texts.
    pub(super) fn text(&self) -> Value {
        self.text.clone()
    }
}

impl Object for BodyValue {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.sizes.get_item(key).ok().filter(|value| !value.is_undefined())
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&["chars", "lines", "tokens"])
    }
}

/// Returns a skill with the keys of the index, sorted for templates that iterate over them.
pub(super) fn skill(facts: &SkillFacts, body: &str) -> Value {
    let facts = serde_json::to_value(facts).unwrap_or_default();
    let facts = facts.as_object().into_iter().flatten();
    let value = |(key, value): (&String, &serde_json::Value)| {
        let value = Value::from(Serde(value.clone()));
        let value = match key.as_str() {
            "body" => Value::from_object(BodyValue { text: Value::from(body), sizes: value }),
            _ => value,
        };
        (key.clone(), value)
    };
    Value::from(facts.map(value).collect::<BTreeMap<String, Value>>())
}
