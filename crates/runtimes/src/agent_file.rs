//! What runtimes make of `agents/openai.yaml`: its keys, its mistakes, and whether it keeps the skill from the model.

use skilltree_front_matter::text::Place;
use skilltree_front_matter::{Fault, FaultKind, Field, Node, NodeKind, ScalarKind, Style};
use skilltree_skills::skill::{AgentFile, Skill};

use crate::profile::fields::AgentFileRule;

/// Path of the value that keeps the skill from the model if it is false.
pub const IMPLICIT: &str = "policy.allow_implicit_invocation";

/// Path of the list of products that are offered the skill.
const PRODUCTS: &str = "policy.products";

/// The product that is the command-line program.
const PRODUCT: &str = "codex";

/// A mistake in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Where it is.
    pub place: Place,
    /// Dotted path of the value or the key; empty for the file.
    pub path: String,
    /// What is wrong.
    pub what: FlawKind,
}

/// The kinds of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// It does not parse.
    Yaml(FaultKind),
    /// A value has another type.
    Type {
        /// The expected type.
        expected: Expected,
        /// The type that it has.
        found: &'static str,
    },
    /// A value is not one of the known ones.
    Value(&'static [&'static str]),
    /// A key is unknown; these are known.
    Key(&'static [&'static str]),
}

/// An expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A mapping.
    Mapping,
    /// A list.
    List,
    /// `true` or `false`.
    Boolean,
    /// A text.
    Text,
}

impl Expected {
    /// Returns the type as a noun.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Mapping => "a mapping",
            Self::List => "a list",
            Self::Boolean => "`true` or `false`",
            Self::Text => "a string",
        }
    }
}

impl FlawKind {
    /// Returns whether a program that checks the whole file ignores all of it because of this.
    #[must_use]
    pub fn discards_file(self) -> bool {
        !matches!(self, Self::Key(_))
    }
}

/// The form of a value.
enum Form {
    Text,
    Boolean,
    Words(&'static [&'static str]),
    Map(&'static [&'static str], fn(&str) -> Form),
    List(fn() -> Form),
}

const SECTIONS: [&str; 3] = ["interface", "dependencies", "policy"];
const INTERFACE: [&str; 6] =
    ["display_name", "short_description", "icon_small", "icon_large", "brand_color", "default_prompt"];
const POLICY: [&str; 2] = ["allow_implicit_invocation", "products"];
const TOOL: [&str; 6] = ["type", "value", "description", "transport", "command", "url"];
const PRODUCT_NAMES: [&str; 3] = ["chatgpt", "codex", "atlas"];

fn section(key: &str) -> Form {
    match key {
        "interface" => Form::Map(&INTERFACE, |_| Form::Text),
        "dependencies" => Form::Map(&["tools"], |_| Form::List(|| Form::Map(&TOOL, |_| Form::Text))),
        _ => Form::Map(&POLICY, |key| match key {
            "products" => Form::List(|| Form::Words(&PRODUCT_NAMES)),
            _ => Form::Boolean,
        }),
    }
}

/// Returns the section that a key belongs to.
pub fn section_of(key: &str) -> Option<&'static str> {
    let sections: [(&str, &[&str]); 3] = [("interface", &INTERFACE), ("dependencies", &["tools"]), ("policy", &POLICY)];
    sections.into_iter().find(|(_, keys)| keys.contains(&key)).map(|(section, _)| section)
}

/// Returns the mistakes in the file, in its order.
pub fn flaws(file: &AgentFile) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    if let Some(fault) = file.faults.iter().find(|fault| is_refused(fault)) {
        flaws.push(Flaw { place: fault.place, path: String::new(), what: FlawKind::Yaml(fault.kind()) });
    }
    if let Some(root) = &file.root {
        check(root, &Form::Map(&SECTIONS, section), String::new(), &mut flaws);
    }
    flaws
}

/// Returns whether a strict YAML parser refuses the file because of a fault.
fn is_refused(fault: &Fault) -> bool {
    matches!(
        fault.kind(),
        FaultKind::Yaml(_)
            | FaultKind::DuplicateKey
            | FaultKind::SecondDocument
            | FaultKind::TooComplex
            | FaultKind::NotUtf8
            | FaultKind::ControlCharacter
            | FaultKind::LfsPointer
    )
}

fn check(node: &Node, form: &Form, path: String, flaws: &mut Vec<Flaw>) {
    if matches!(node.kind, NodeKind::Scalar { kind: ScalarKind::Null, .. }) {
        return;
    }
    let mut wrong = |expected| {
        let what = FlawKind::Type { expected, found: type_of(node) };
        flaws.push(Flaw { place: node.place, path: path.clone(), what });
    };
    match (form, &node.kind) {
        (Form::Map(known, inside), NodeKind::Map(fields)) => {
            for Field { key, value } in fields {
                let below = if path.is_empty() { key.value.clone() } else { format!("{path}.{}", key.value) };
                match known.iter().find(|known| **known == key.value) {
                    Some(known) => check(value, &inside(known), below, flaws),
                    None => flaws.push(Flaw { place: key.place, path: below, what: FlawKind::Key(known) }),
                }
            }
        }
        (Form::List(inside), NodeKind::List(items)) => {
            items.iter().for_each(|item| check(item, &inside(), path.clone(), flaws));
        }
        (Form::Map(..), _) => wrong(Expected::Mapping),
        (Form::List(_), _) => wrong(Expected::List),
        (Form::Boolean, _) if boolean(node).is_none() => wrong(Expected::Boolean),
        (Form::Text | Form::Words(_), NodeKind::List(_) | NodeKind::Map(_)) => wrong(Expected::Text),
        (Form::Words(words), NodeKind::Scalar { text, .. })
            if !words.iter().any(|word| text.eq_ignore_ascii_case(word)) =>
        {
            flaws.push(Flaw { place: node.place, path, what: FlawKind::Value(words) });
        }
        _ => {}
    }
}

/// Returns the value that every YAML version reads as a boolean.
fn boolean(node: &Node) -> Option<bool> {
    match &node.kind {
        NodeKind::Scalar { text, style: Style::Plain, kind: ScalarKind::Boolean } => match text.as_str() {
            "true" | "True" | "TRUE" => Some(true),
            "false" | "False" | "FALSE" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn type_of(node: &Node) -> &'static str {
    match &node.kind {
        NodeKind::List(_) => "a list",
        NodeKind::Map(_) => "a mapping",
        NodeKind::Scalar { kind: ScalarKind::Number, .. } => "a number",
        NodeKind::Scalar { kind: ScalarKind::Timestamp, .. } => "a date",
        NodeKind::Scalar { kind: ScalarKind::Boolean, .. } if boolean(node).is_some() => "a boolean",
        NodeKind::Scalar { .. } => "a string",
    }
}

/// Returns the value at a dotted path; the last one of duplicate keys.
pub fn value<'a>(file: &'a AgentFile, path: &str) -> Option<&'a Node> {
    path.split('.').try_fold(file.root.as_ref()?, |node, step| match &node.kind {
        NodeKind::Map(fields) => fields.iter().rfind(|field| field.key.value == step).map(|field| &field.value),
        _ => None,
    })
}

/// Returns whether a runtime keeps a skill from its model because of the file; never if it does not read one.
pub fn hides(skill: &Skill, rule: Option<AgentFileRule>) -> bool {
    skill.references.agent_file.as_ref().zip(rule).is_some_and(|(file, rule)| is_hiding(file, rule))
}

fn is_hiding(file: &AgentFile, rule: AgentFileRule) -> bool {
    let flaws = flaws(file);
    let is_off = value(file, IMPLICIT).and_then(boolean) == Some(false);
    match rule {
        AgentFileRule::IgnoresInvalid => {
            let products = value(file, PRODUCTS).map(Node::words).unwrap_or_default();
            let is_elsewhere = !products.is_empty() && !products.iter().any(|one| one.eq_ignore_ascii_case(PRODUCT));
            !flaws.iter().any(|flaw| flaw.what.discards_file()) && (is_off || is_elsewhere)
        }
        AgentFileRule::HidesInvalid => is_off || flaws.iter().any(|flaw| is_invalid_policy(file, flaw)),
    }
}

/// Returns whether a mistake makes the policy invalid for a program that reads nothing else.
fn is_invalid_policy(file: &AgentFile, flaw: &Flaw) -> bool {
    let is_in_policy = flaw.path == "policy" || flaw.path.starts_with("policy.");
    match flaw.what {
        FlawKind::Yaml(kind) => kind != FaultKind::DuplicateKey,
        FlawKind::Type { expected: Expected::Boolean, .. } => {
            // YAML 1.1 reads `no` as a boolean.
            let is_boolean = |node: &Node| matches!(node.kind, NodeKind::Scalar { kind: ScalarKind::Boolean, .. });
            !value(file, &flaw.path).is_some_and(is_boolean) || value(file, &flaw.path).is_some_and(is_false)
        }
        FlawKind::Value(_) => false,
        FlawKind::Type { .. } => flaw.path.is_empty() || is_in_policy,
        FlawKind::Key(_) => is_in_policy,
    }
}

/// Returns whether YAML 1.1 reads false.
fn is_false(node: &Node) -> bool {
    node.scalar().is_some_and(|text| ["n", "no", "off", "false"].iter().any(|word| text.eq_ignore_ascii_case(word)))
}
