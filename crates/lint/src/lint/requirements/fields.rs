//! Conditions on the front matter.

use super::Check;
use crate::config::require::{KeyCondition, Kind};
use skilltree_front_matter::text::{grouped, joined, shortened};
use skilltree_front_matter::{Field, Node, NodeKind, ScalarKind};
use skilltree_skills::skill::Skill;

/// Maximum length of a value in a message, in code points.
const SHOWN: usize = 60;

/// Maximum number of values that a message names.
const NAMED: usize = 10;

impl Check<'_> {
    pub(super) fn key(&mut self, condition: &KeyCondition) {
        let name = &condition.name;
        let skill = self.skill;
        let Some(field) = find(skill, name) else {
            if condition.required {
                self.report(skill.opener(), format!("the key `{name}` is missing"));
            }
            return;
        };
        if condition.forbidden {
            return self.report(field.key.place, format!("the key `{name}` is not allowed"));
        }
        if field.value.is_blank() {
            if condition.required {
                self.report(field.value.place, format!("`{name}` is empty"));
            }
            return;
        }
        if let Some(kind) = condition.kind.filter(|&kind| !is_kind(&field.value, kind)) {
            let message = format!("`{name}` must be {}, but it is {}", kind.described(), described(&field.value));
            return self.report(field.value.place, message);
        }
        self.length(condition, &field.value);
        match &field.value.kind {
            NodeKind::List(items) => items.iter().for_each(|item| self.value(condition, item)),
            _ => self.value(condition, &field.value),
        }
    }

    fn length(&mut self, condition: &KeyCondition, node: &Node) {
        let (length, unit) = match &node.kind {
            NodeKind::List(items) => (items.len(), "entries"),
            NodeKind::Map(fields) => (fields.len(), "entries"),
            NodeKind::Scalar { text, .. } => (text.trim().chars().count(), "characters"),
        };
        let (name, length) = (&condition.name, length as u64);
        let fact = match (condition.min_length, condition.max_length) {
            (Some(least), _) if length < least => format!("the minimum is {}", grouped(least)),
            (_, Some(most)) if length > most => format!("the limit is {}", grouped(most)),
            _ => return,
        };
        self.report(node.place, format!("`{name}` has {} {unit}; {fact}", grouped(length)));
    }

    fn value(&mut self, condition: &KeyCondition, node: &Node) {
        let name = &condition.name;
        let wants_value = !condition.values.is_empty() || condition.pattern.is_some();
        let Some(value) = node.scalar().map(str::trim) else {
            if wants_value {
                self.report(node.place, format!("`{name}` must be a single value, but it is {}", described(node)));
            }
            return;
        };
        let shown = shortened(value, SHOWN);
        if !condition.values.is_empty() && !condition.values.iter().any(|allowed| allowed == value) {
            let mut allowed: Vec<String> =
                condition.values.iter().take(NAMED).map(|value| format!("`{value}`")).collect();
            if condition.values.len() > NAMED {
                allowed.push(format!("{} more", condition.values.len() - NAMED));
            }
            self.report(node.place, format!("`{name}` is `{shown}`; allowed are {}", joined(&allowed)));
        }
        if let Some(pattern) = condition.pattern.as_ref().filter(|pattern| !pattern.0.is_match(value)) {
            let pattern = pattern.0.as_str();
            self.report(node.place, format!("`{name}` is `{shown}`, which does not match `{pattern}`"));
        }
    }

    pub(super) fn allowed_keys(&mut self, allowed: &[String]) {
        if allowed.is_empty() {
            return;
        }
        let skill = self.skill;
        for field in skill.fields().filter(|field| !allowed.contains(&field.key.value)) {
            let key = shortened(&field.key.value, SHOWN);
            self.report(field.key.place, format!("the key `{key}` is not allowed"));
        }
    }
}

/// Returns a field by name, or by the names that dots separate.
fn find<'s>(skill: &'s Skill, name: &str) -> Option<&'s Field> {
    if let Some(field) = skill.field(name) {
        return Some(field);
    }
    let mut names = name.split('.');
    let mut field = skill.field(names.next()?)?;
    for name in names {
        field = field.value.field(name)?;
    }
    Some(field)
}

fn kind(node: &Node) -> Option<Kind> {
    Some(match &node.kind {
        NodeKind::List(_) => Kind::List,
        NodeKind::Map(_) => Kind::Mapping,
        NodeKind::Scalar { kind, .. } => match kind {
            ScalarKind::Text => Kind::Text,
            ScalarKind::Boolean => Kind::Boolean,
            ScalarKind::Number => Kind::Number,
            ScalarKind::Timestamp => Kind::Date,
            ScalarKind::Null => return None,
        },
    })
}

fn is_kind(node: &Node, wanted: Kind) -> bool {
    kind(node) == Some(wanted)
}

fn described(node: &Node) -> &'static str {
    kind(node).map_or("empty", Kind::described)
}
