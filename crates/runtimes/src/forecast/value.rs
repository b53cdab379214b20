//! Values as a YAML library reads them: the type, and the text that the runtime shows.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::profile::fields::{FieldRule, ValueType};
use crate::profile::reading::Family;
use skilltree_front_matter::{Node, NodeKind, ScalarKind, Style};

mod collection;
mod number;

pub(super) use collection::joined;
use number::formatted;

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Null,
    Text,
    Number,
    Boolean,
    Date,
    List { empty: bool },
    Map,
}

/// Plain scalars that a library does not read as strings: anchored expressions.
struct Types {
    boolean: Regex,
    number: Regex,
    date: Option<Regex>,
}

impl Types {
    fn new(boolean: &str, number: &str, date: Option<&str>) -> Self {
        let compile = |expression: &str| {
            Regex::new(&format!("^(?:{expression})$")).expect("a test compiles the expressions of every library")
        };
        Self { boolean: compile(boolean), number: compile(number), date: date.map(compile) }
    }
}

const TRUE_FALSE: &str = "true|True|TRUE|false|False|FALSE";

const YES_NO: &str = "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF";

const DATE: &str = "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?";

/// PyYAML 6, resolver.py.
static PYYAML: LazyLock<Types> = LazyLock::new(|| {
    Types::new(
        YES_NO,
        "[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+\
         |[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?\
         |[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)",
        Some(DATE),
    )
});

/// js-yaml 3.14, type/int.js, float.js and timestamp.js.
static JS_YAML_3: LazyLock<Types> = LazyLock::new(|| {
    Types::new(
        TRUE_FALSE,
        "[-+]?0b[01][01_]*|[-+]?0x[0-9a-fA-F][0-9a-fA-F_]*|[-+]?0[0-7_]*|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])*\
         |[-+]?(?:0|[1-9][0-9_]*)(?:\\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\\.[0-9_]+(?:[eE][-+]?[0-9]+)?\
         |[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)",
        Some(DATE),
    )
});

/// js-yaml 4.1, type/int.js, float.js and timestamp.js.
static JS_YAML_4: LazyLock<Types> = LazyLock::new(|| {
    Types::new(
        TRUE_FALSE,
        "[-+]?0b[01_]+|[-+]?0x[0-9a-fA-F_]+|[-+]?0o[0-7_]+|[-+]?[0-9][0-9_]*\
         |[-+]?[0-9][0-9_]*(?:\\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\\.[0-9_]+(?:[eE][-+]?[0-9]+)?\
         |[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)",
        Some(DATE),
    )
});

/// yaml 2, the core schema (YAML 1.2, section 10.3.2).
static CORE: LazyLock<Types> = LazyLock::new(|| {
    Types::new(
        TRUE_FALSE,
        "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\
         |[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)",
        None,
    )
});

/// yaml_serde, de.rs: the core schema without integers that begin with a zero.
static SERDE_YAML: LazyLock<Types> = LazyLock::new(|| {
    Types::new(
        TRUE_FALSE,
        "[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+|0b[01]+\
         |[-+]?(?:\\.[0-9]+|(?:0|[1-9][0-9]*)(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\
         |[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)",
        None,
    )
});

/// Returns the type of a value in a library. Without a library, the strictest type of any library.
pub(super) fn type_of(node: &Node, family: Option<Family>) -> Type {
    match &node.kind {
        NodeKind::List(items) => Type::List { empty: items.is_empty() },
        NodeKind::Map(_) => Type::Map,
        // strictyaml reads `null` and `~` as strings.
        NodeKind::Scalar { text, kind: ScalarKind::Null, .. }
            if matches!(family, Some(Family::Strictyaml | Family::VsCode)) && !text.is_empty() =>
        {
            Type::Text
        }
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => Type::Null,
        NodeKind::Scalar { kind: ScalarKind::Text, .. } => Type::Text,
        NodeKind::Scalar { text, kind, .. } => match family {
            Some(family) => plain(text, family),
            None => match kind {
                ScalarKind::Boolean => Type::Boolean,
                ScalarKind::Timestamp => Type::Date,
                _ => Type::Number,
            },
        },
    }
}

/// Returns whether a value counts as absent because of its type.
pub(super) fn is_absent(node: &Node, rule: &FieldRule, family: Option<Family>) -> bool {
    let is = |name| rule.absent_types.contains(&name);
    match type_of(node, family) {
        Type::Number => is(ValueType::Number),
        Type::Boolean => is(ValueType::Boolean),
        Type::Date => is(ValueType::Date),
        Type::List { .. } => is(ValueType::List),
        Type::Map => is(ValueType::Mapping),
        Type::Null | Type::Text => false,
    }
}

/// Returns the type of a plain scalar that at least one library does not read as a string.
fn plain(text: &str, family: Family) -> Type {
    let types = match family {
        Family::SerdeYaml | Family::GoYaml3 | Family::Strictyaml | Family::VsCode | Family::YamlDotNet => {
            return Type::Text;
        }
        Family::Libyaml | Family::Pyyaml => &PYYAML,
        Family::JsYaml3 => &JS_YAML_3,
        Family::JsYaml4 => &JS_YAML_4,
        Family::SerdeYamlValues => &SERDE_YAML,
        Family::Yaml2 | Family::Bun => &CORE,
    };
    if types.boolean.is_match(text) {
        Type::Boolean
    } else if types.date.as_ref().is_some_and(|date| date.is_match(text)) {
        Type::Date
    } else if types.number.is_match(text) {
        Type::Number
    } else {
        Type::Text
    }
}

/// Returns the text that a runtime shows for a value, formatted as in its language.
pub(super) fn shown(node: &Node, family: Option<Family>) -> Cow<'_, str> {
    let in_python = is_python(family);
    let NodeKind::Scalar { text, style, .. } = &node.kind else {
        return Cow::Owned(collection::written(node, family, in_python));
    };
    let Some(family) = family.filter(|_| *style == Style::Plain) else { return Cow::Borrowed(text) };
    match type_of(node, Some(family)) {
        Type::Boolean if in_python => Cow::Borrowed(if is_true(text) { "True" } else { "False" }),
        Type::Boolean => Cow::Borrowed(if is_true(text) { "true" } else { "false" }),
        Type::Number => formatted(text, in_python).map_or(Cow::Borrowed(text), Cow::Owned),
        _ => Cow::Borrowed(text),
    }
}

/// Returns whether a library is written for Python.
fn is_python(family: Option<Family>) -> bool {
    matches!(family, Some(Family::Libyaml | Family::Pyyaml | Family::Strictyaml))
}

fn is_true(text: &str) -> bool {
    ["true", "yes", "on"].iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;
    use skilltree_front_matter::text::{FileId, Place};

    #[test]
    fn takes_strictest_type_without_a_library() {
        let of = |text: &str, kind| {
            let kind = NodeKind::Scalar { text: text.to_owned(), style: Style::Plain, kind };
            type_of(&Node { kind, place: Place::whole(FileId(0)) }, None)
        };
        assert_eq!(of("2026-01-01", ScalarKind::Timestamp), Type::Date);
        assert_eq!(of("yes", ScalarKind::Boolean), Type::Boolean);
        assert_eq!(of("42", ScalarKind::Number), Type::Number);
    }

    #[test]
    fn types_plain_scalars_per_library() {
        let cases = [
            ("yes", Family::Pyyaml, Type::Boolean),
            ("yes", Family::JsYaml3, Type::Text),
            ("yes", Family::Yaml2, Type::Text),
            ("yes", Family::SerdeYaml, Type::Text),
            ("true", Family::JsYaml4, Type::Boolean),
            ("42", Family::Yaml2, Type::Number),
            ("42", Family::SerdeYaml, Type::Text),
            ("1e3", Family::Pyyaml, Type::Text),
            ("1e3", Family::JsYaml3, Type::Number),
            ("1_000", Family::Yaml2, Type::Text),
            ("1_000", Family::Pyyaml, Type::Number),
            ("12:30", Family::JsYaml3, Type::Number),
            ("12:30", Family::JsYaml4, Type::Text),
            ("2026-01-01", Family::JsYaml4, Type::Date),
            ("2026-01-01", Family::Yaml2, Type::Text),
        ];
        for (text, family, expected) in cases {
            assert_eq!(plain(text, family), expected, "{text} {family:?}");
        }
    }

    /// A rule for a type that never occurs says nothing.
    #[test]
    fn profiles_have_rules_for_types_of_their_library() {
        let profiles = Profiles::default();
        for profile in profiles.ids().filter_map(|id| profiles.find(id)) {
            let Some(yaml) = &profile.loads.yaml else { continue };
            let has = |text: &str, expected: Type| plain(text, yaml.family) == expected;
            for (key, rule) in &profile.loads.fields {
                let place = format!("{}: loads.fields.{key}", profile.id);
                assert!(rule.number.is_none() || has("42", Type::Number), "{place}.number");
                assert!(rule.boolean.is_none() || has("true", Type::Boolean), "{place}.boolean");
                assert!(rule.date.is_none() || has("2026-01-31", Type::Date), "{place}.date");
            }
        }
    }
}
