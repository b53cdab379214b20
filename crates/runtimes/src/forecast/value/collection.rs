//! Formats a list or mapping as a language does in place of a string: JSON in JavaScript, `repr` in Python.

use super::{Type, shown, type_of};
use crate::profile::reading::Family;
use skilltree_front_matter::{Node, NodeKind};

/// Returns a list or mapping on one line.
pub(super) fn written(node: &Node, family: Option<Family>, in_python: bool) -> String {
    let (comma, colon) = if in_python { (", ", ": ") } else { (",", ":") };
    match &node.kind {
        NodeKind::List(items) => {
            let items: Vec<String> = items.iter().map(|item| written(item, family, in_python)).collect();
            format!("[{}]", items.join(comma))
        }
        NodeKind::Map(fields) => {
            let pair = |key: &str, value: &Node| {
                format!("{}{colon}{}", quoted(key, in_python), written(value, family, in_python))
            };
            let pairs: Vec<String> = fields.iter().map(|field| pair(&field.key.value, &field.value)).collect();
            format!("{{{}}}", pairs.join(comma))
        }
        NodeKind::Scalar { .. } => match type_of(node, family) {
            Type::Null => if in_python { "None" } else { "null" }.to_owned(),
            Type::Number | Type::Boolean => shown(node, family).into_owned(),
            _ => quoted(&shown(node, family), in_python),
        },
    }
}

/// Returns a list as its items joined by commas, and a mapping as JavaScript turns it into a string.
pub(in crate::forecast) fn joined(node: &Node, family: Option<Family>) -> String {
    match &node.kind {
        NodeKind::List(items) => items.iter().map(|item| joined(item, family)).collect::<Vec<_>>().join(","),
        NodeKind::Map(_) => "[object Object]".to_owned(),
        NodeKind::Scalar { .. } if type_of(node, family) == Type::Null => String::new(),
        NodeKind::Scalar { .. } => shown(node, family).into_owned(),
    }
}

/// Quotes a string as the language does.
fn quoted(text: &str, in_python: bool) -> String {
    let prefers_double = !in_python || (text.contains('\'') && !text.contains('"'));
    let quote = if prefers_double { '"' } else { '\'' };
    let mut line = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => line.push_str("\\n"),
            '\t' => line.push_str("\\t"),
            '\\' => line.push_str("\\\\"),
            _ if character == quote => line.extend(['\\', quote]),
            _ => line.push(character),
        }
    }
    line.push(quote);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_strings_per_language() {
        assert_eq!(quoted("it's", true), "\"it's\"");
        assert_eq!(quoted("a \"b\"", true), "'a \"b\"'");
        assert_eq!(quoted("it's \"b\"\n", true), "'it\\'s \"b\"\\n'");
        assert_eq!(quoted("it's", false), "\"it's\"");
    }
}
