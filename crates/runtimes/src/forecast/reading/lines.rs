//! Line-by-line fallback for YAML that parses, but whose values the runtime rejects.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::View;
use crate::forecast::repair;
use crate::forecast::value::{Type, type_of};
use crate::profile::reading::{Repair, RepairMethod, RepairWhen};
use skilltree_front_matter::{Field, NodeKind};
use skilltree_skills::skill::Skill;

/// Fields that the model is shown.
const SHOWN: [&str; 2] = ["name", "description"];

/// Reads lines if name or description is not a string, or is a list or mapping, and the runtime falls back.
pub(super) fn fall_back(view: &mut View<'_>, skill: &Skill, repair: &Repair) {
    let types = SHOWN.map(|key| {
        let field = view.fields.iter().rfind(|field| field.key.value == key);
        field.map(|field| type_of(&field.value, view.family))
    });
    let reads_lines = repair.method == RepairMethod::ReadLines;
    if reads_lines && repair.when == RepairWhen::NoText && types.iter().any(|found| *found != Some(Type::Text)) {
        view.fields = Cow::Owned(repair::lines(&yaml(view, skill), repair));
        view.family = None;
    } else if let Some(line) = &repair.replaces
        && types.iter().any(|found| matches!(found, Some(Type::Null | Type::Map | Type::List { .. })))
    {
        let lines = repair::lines(&yaml(view, skill), &Repair { line: line.clone(), ..repair.clone() });
        for field in view.fields.to_mut().iter_mut().filter(|field| is_replaced(field)) {
            let line = lines.iter().rfind(|line| line.key.value == field.key.value);
            let is_null = matches!(field.value.kind, NodeKind::Scalar { .. });
            // A collection is text that looks like one if it has a colon.
            let is_text = |text: &str| !text.is_empty() && !text.contains('\n') && (is_null || text.contains(':'));
            if let Some(line) = line.filter(|line| line.value.scalar().is_some_and(is_text)) {
                field.value = line.value.clone();
            }
        }
    }
}

fn is_replaced(field: &Field) -> bool {
    SHOWN.contains(&field.key.value.as_str()) && field.value.scalar().is_none()
}

/// Parsed YAML: the runtime's, or the linter's if they are equal.
fn yaml<'v>(view: &'v View<'_>, skill: &'v Skill) -> Cow<'v, str> {
    let ours = || {
        let found = skill.front_matter.as_ref();
        found.map_or(Cow::Borrowed(""), |found| skill.source(found.yaml).to_str_lossy())
    };
    view.yaml.as_deref().map_or_else(ours, Cow::Borrowed)
}
