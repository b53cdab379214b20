//! Requirements of a runtime on fields, and substitutes for missing fields.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::fields::Evaluation;
use super::measure;
use super::reading::End;
use super::reason::Reason;
use super::texts::{body_text, first_line, first_line_as_written, first_paragraph, first_text_line, transformed};
use super::value::{Type, is_absent, joined, shown, type_of};
use crate::agent_file;
use crate::profile::fields::{Fallback, FieldRule, Platforms, Requirements, Until};
use crate::profile::identity::IdentityBy;
use crate::profile::listing::Measured;
use crate::profile::{Handling, Verdict};
use skilltree_front_matter::{Node, NodeKind, ScalarKind};

/// Verdict without a requirement.
const LOADS: Option<Verdict> = Some(Verdict { handling: Handling::Loads, reported: None });

impl<'a> Evaluation<'a> {
    /// Returns the text of `name` or `description` as the runtime reads it; `None` if it is missing and the skill
    /// loads.
    pub(super) fn field(&mut self, key: &str) -> Result<Option<Cow<'a, str>>, End> {
        let loads = self.loads;
        let Some(rule) = loads.fields.get(key) else {
            let node = self.node(key);
            if node.is_none() && loads.identity.by != Some(IdentityBy::Directory) {
                return Err(End::Unknown(Reason::Missing(key.to_owned())));
            }
            return Ok(node.map(|node| shown(node, self.view.family)));
        };
        let node = self.node(key).filter(|node| !is_absent(node, rule, self.view.family));
        let is_there = self.demand(key, node, rule, None)?;
        let Some(node) = node.filter(|_| is_there) else { return Ok(self.fallback(rule)) };
        let text = self.text(node, rule);
        if text.is_empty() && rule.fallback.is_some() && !rule.fallback_if_absent {
            return Ok(self.fallback(rule));
        }
        Ok(Some(text))
    }

    /// Returns whether the runtime accepts the value of a field. `otherwise` is the verdict if the profile has none.
    fn demand(
        &mut self,
        key: &str,
        node: Option<&Node>,
        rule: &FieldRule,
        otherwise: Option<Verdict>,
    ) -> Result<bool, End> {
        let missing = || Reason::Missing(key.to_owned());
        let Some(node) = node else {
            return self.follow(rule.missing.or(otherwise), missing).map(|()| false);
        };
        let (verdict, what) = match type_of(node, self.view.family) {
            Type::Null => return self.follow(rule.null.or(otherwise), missing).map(|()| rule.null_text.is_some()),
            Type::Text if node.scalar().is_some_and(str::is_empty) => {
                self.follow(rule.empty.or(rule.blank).or(otherwise), missing)?;
                return Ok(rule.fallback.is_none() || rule.fallback_if_absent);
            }
            Type::Text if is_blank(node) => {
                return self.follow(rule.blank.or(otherwise), missing).map(|()| true);
            }
            Type::List { empty: true } if rule.blank.is_some() => {
                return self.follow(rule.blank, missing).map(|()| false);
            }
            Type::Text => (rule.text.or(LOADS), "a string"),
            Type::Number => (rule.number, "a number"),
            Type::Boolean => (rule.boolean, "a boolean"),
            Type::Date => (rule.date, "a date"),
            Type::List { .. } if rule.mapping_item.is_some() && has_mapping(node) => {
                (rule.mapping_item, "a list with a mapping")
            }
            Type::List { .. } if rule.item.is_some() && !self.has_text_items(node) => {
                (rule.item, "a list with an item that is not a string")
            }
            Type::List { .. } => (rule.list, "a list"),
            Type::Map if rule.nested.is_some() && has_collection(node) => {
                (rule.nested, "a mapping with a list or a mapping in it")
            }
            Type::Map if rule.typed_value.is_some() && !self.has_text_values(node) => {
                (rule.typed_value, "a mapping with a value that is not a string")
            }
            Type::Map => (rule.mapping, "a mapping"),
        };
        self.follow(verdict.or(otherwise), || Reason::WrongType(key.to_owned(), what))?;
        Ok(true)
    }

    fn has_text_items(&self, node: &Node) -> bool {
        let NodeKind::List(items) = &node.kind else { return false };
        items.iter().all(|item| type_of(item, self.view.family) == Type::Text)
    }

    fn has_text_values(&self, node: &Node) -> bool {
        let NodeKind::Map(fields) = &node.kind else { return false };
        fields.iter().all(|field| matches!(type_of(&field.value, self.view.family), Type::Text | Type::Date))
    }

    /// Returns the text of a value as the runtime shows it.
    pub(super) fn text(&self, node: &'a Node, rule: &FieldRule) -> Cow<'a, str> {
        if let (Type::Null, Some(text)) = (type_of(node, self.view.family), &rule.null_text) {
            return Cow::Owned(text.clone());
        }
        let is_collection = !matches!(node.kind, NodeKind::Scalar { .. });
        let text = if rule.joined && is_collection {
            Cow::Owned(joined(node, self.view.family))
        } else {
            shown(node, self.view.family)
        };
        transformed(text, rule)
    }

    /// Returns the substitute for a missing value.
    fn fallback(&self, rule: &FieldRule) -> Option<Cow<'a, str>> {
        let body = || self.view.body.as_deref().unwrap_or_default();
        let text = match rule.fallback? {
            Fallback::Directory => self.skill.directory.to_str_lossy(),
            Fallback::Empty => Cow::Borrowed(""),
            Fallback::Text => Cow::Owned(rule.fallback_text.clone().unwrap_or_default()),
            Fallback::FirstParagraph => Cow::Owned(first_paragraph(body())),
            Fallback::FirstLine => Cow::Borrowed(first_line(body())),
            Fallback::FirstLineAsWritten => Cow::Borrowed(first_line_as_written(body())),
            Fallback::FirstTextLine => Cow::Borrowed(first_text_line(body())),
            Fallback::BodyText => Cow::Owned(body_text(body(), rule.fallback_lines.unwrap_or(usize::MAX))),
            Fallback::Body => Cow::Borrowed(body().trim()),
        };
        let text = match rule.fallback_limit.as_ref().filter(|limit| measure::over(&text, limit).is_some()) {
            Some(limit) => Cow::Owned(measure::cut(&text, limit)),
            None => text,
        };
        let text = if rule.fallback == Some(Fallback::Directory) { text } else { transformed(text, rule) };
        Some(if text.is_empty() { Cow::Owned(rule.fallback_text.clone().unwrap_or_default()) } else { text })
    }

    /// Returns why the skill is not in the listing: a key, or an empty body.
    pub(super) fn unlisted(&self) -> Option<Reason> {
        if self.loads.listing.needs_body && self.has_empty_body() {
            return Some(Reason::EmptyBody);
        }
        let keys = &self.loads.keys;
        if let Some(key) = keys.hiding(|key| self.node(key)) {
            return Some(Reason::Unlisted(key.to_owned()));
        }
        if agent_file::hides(self.skill, keys.agent_file) {
            return Some(Reason::UnlistedByFile);
        }
        if let Some(platforms) = keys.platforms.as_ref().filter(|platforms| self.has_no_platform(platforms)) {
            return Some(Reason::Unlisted(platforms.key.clone()));
        }
        if let Some(key) = keys.requirements.as_ref().and_then(|requirements| self.required(requirements)) {
            return Some(Reason::UnlistedUnless(key));
        }
        let until = keys.unlists_until.as_ref()?;
        let waits = match &self.node(&until.key)?.kind {
            NodeKind::List(items) => items.iter().any(|item| self.is_waited_for(item, until)),
            NodeKind::Scalar { kind: ScalarKind::Null, .. } => false,
            NodeKind::Scalar { .. } => self.is_waited_for(self.node(&until.key)?, until),
            NodeKind::Map(_) => false,
        };
        waits.then(|| Reason::UnlistedUntil(until.key.clone()))
    }

    /// Returns whether a pattern keeps the skill from the listing until a file matches it.
    fn is_waited_for(&self, pattern: &Node, until: &Until) -> bool {
        if until.only_text && type_of(pattern, self.view.family) != Type::Text {
            return false;
        }
        let is_always = |text: &str| until.always.iter().any(|all| all == text);
        pattern.scalar().is_none_or(|text| !text.trim().is_empty() && !is_always(text.trim()))
    }

    /// Returns whether the skill names platforms of which the runtime knows none.
    fn has_no_platform(&self, platforms: &Platforms) -> bool {
        match self.node(&platforms.key).map(|node| &node.kind) {
            Some(NodeKind::List(items)) => {
                !items.is_empty() && !items.iter().filter_map(Node::scalar).any(|value| platforms.knows(value))
            }
            Some(NodeKind::Scalar { text, .. }) => !platforms.knows(text),
            _ => false,
        }
    }

    /// Returns the key with requirements on the machine.
    fn required(&self, requirements: &Requirements) -> Option<String> {
        let block = requirements.blocks.iter().find(|block| self.node(&format!("metadata.{block}")).is_some())?;
        let os = format!("metadata.{block}.os");
        let names: Vec<&str> = self.node(&os).map(Node::words).unwrap_or_default();
        let has_all = requirements.platforms.iter().all(|platform| names.iter().any(|name| name == platform));
        if !names.is_empty() && !has_all {
            return Some(os);
        }
        let requires = format!("metadata.{block}.requires");
        let is_listed = |key: &String| self.node(&format!("{requires}.{key}")).is_some_and(|node| !node.has_no_words());
        let is_always = self.node(&format!("metadata.{block}.always")).and_then(Node::scalar) == Some("true");
        (!is_always && requirements.keys.iter().any(is_listed)).then_some(requires)
    }

    /// Checks all other fields on which the runtime has requirements.
    pub(super) fn others(&mut self) -> Result<(), End> {
        let loads = self.loads;
        for (key, rule) in loads.fields.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description")) {
            let node = self.node(key);
            self.demand(key, node, rule, LOADS)?;
            let is_malformed = |node: &Node| {
                let written = rule.pattern.as_ref().zip(node.scalar());
                written.is_some_and(|(pattern, text)| !pattern.is_match(text) && pattern.regex().is_some())
            };
            if node.is_some_and(is_malformed) {
                let is_choice = rule.pattern.as_ref().is_some_and(|pattern| !pattern.words().is_empty());
                let reason = if is_choice { Reason::NoKnownWord } else { Reason::Malformed };
                self.follow(rule.malformed, || reason(key.clone()))?;
            }
            if rule.no_word.is_some() && !node.is_some_and(|node| has_word(node, rule)) {
                // A value without words counts as missing, not as a wrong word.
                let is_wrong = node.is_some_and(|node| !node.has_no_words());
                let reason = if is_wrong { Reason::NoKnownWord } else { Reason::Missing };
                self.follow(rule.no_word, || reason(key.clone()))?;
            }
            if let Some((without, value)) = rule.needs.as_ref().filter(|_| node.is_some())
                && self.node(without).and_then(Node::scalar) != Some(value)
            {
                let (field, without, value) = (key.clone(), without.clone(), value.clone());
                self.follow(Some(Verdict::CHANGES_SILENTLY), || Reason::NoEffect { field, without, value })?;
            }
            let measured = match key.as_str() {
                "compatibility" => Measured::Compatibility,
                "metadata.short-description" => Measured::ShortDescription,
                _ => continue,
            };
            if let Some(node) = node {
                self.within_limits(shown(node, self.view.family), measured)?;
            }
        }
        Ok(())
    }
}

/// Returns whether a string is only whitespace. A library may read `null` as a string.
fn is_blank(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Scalar { text, .. } if text.trim().is_empty())
}

fn has_mapping(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::List(items) if items.iter().any(|item| matches!(item.kind, NodeKind::Map(_))))
}

fn has_collection(node: &Node) -> bool {
    let is_collection = |node: &Node| !matches!(node.kind, NodeKind::Scalar { .. });
    matches!(&node.kind, NodeKind::Map(fields) if fields.iter().any(|field| is_collection(&field.value)))
}

/// Returns whether a list or a comma-separated string contains one of the words.
fn has_word(node: &Node, rule: &FieldRule) -> bool {
    let known = |word: &str| rule.words.iter().any(|known| known.eq_ignore_ascii_case(word.trim()));
    match &node.kind {
        NodeKind::List(items) => items.iter().filter_map(Node::scalar).any(known),
        _ => node.scalar().is_some_and(|text| text.split(',').any(known)),
    }
}
