//! What a runtime demands of a field, and what stands in for one that is not there.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::fields::Judge;
use super::reading::End;
use super::reason::Reason;
use super::texts::{first_paragraph, transformed};
use super::value::{Type, shown, type_of};
use crate::front_matter::{Node, NodeKind};
use crate::profile::fields::{FieldRule, Instead};
use crate::profile::identity::IdentityBy;
use crate::profile::listing::Measured;
use crate::profile::{Outcome, Verdict};

/// Nothing is demanded.
const LOADS: Option<Verdict> = Some(Verdict { outcome: Outcome::Loads, said: None });

impl<'a> Judge<'a> {
    /// The text of `name` or `description` as the runtime has it; `None` where there is none and the skill loads.
    pub(super) fn field(&mut self, key: &str) -> Result<Option<Cow<'a, str>>, End> {
        let loads = self.loads;
        let Some(rule) = loads.fields.get(key) else {
            let node = self.node(key);
            if node.is_none() && loads.identity.by != Some(IdentityBy::Directory) {
                return Err(End::Unknown(Reason::Missing(key.to_owned())));
            }
            return Ok(node.map(|node| shown(node, self.view.family)));
        };
        let node = self.node(key);
        let is_there = self.demand(key, node, rule, None)?;
        let Some(node) = node.filter(|_| is_there) else { return Ok(self.instead(rule)) };
        let text = transformed(shown(node, self.view.family), rule);
        if text.is_empty() && rule.instead.is_some() {
            return Ok(self.instead(rule));
        }
        Ok(Some(text))
    }

    /// Whether a field has a value that is taken. `otherwise` is the verdict where the profile has none.
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
            Type::Null => return self.follow(rule.null.or(otherwise), missing).map(|()| false),
            Type::Text if node.scalar().is_some_and(str::is_empty) => {
                self.follow(rule.empty.or(rule.blank).or(otherwise), missing)?;
                return Ok(rule.instead.is_none());
            }
            Type::Text if node.is_blank() => {
                return self.follow(rule.blank.or(otherwise), missing).map(|()| true);
            }
            Type::List { empty: true } if rule.blank.is_some() => {
                return self.follow(rule.blank, missing).map(|()| false);
            }
            Type::Text => (rule.text.or(LOADS), "a text"),
            Type::Number => (rule.number, "a number"),
            Type::Boolean => (rule.boolean, "a boolean"),
            Type::Date => (rule.date, "a date"),
            Type::List { .. } => (rule.list, "a list"),
            Type::Map => (rule.map, "a map"),
        };
        self.follow(verdict.or(otherwise), || Reason::WrongType(key.to_owned(), what))?;
        Ok(true)
    }

    /// What stands in for a value.
    fn instead(&self, rule: &FieldRule) -> Option<Cow<'a, str>> {
        Some(match rule.instead? {
            Instead::Directory => self.skill.directory.to_str_lossy(),
            Instead::Empty => Cow::Borrowed(""),
            Instead::Text => Cow::Owned(rule.instead_text.clone().unwrap_or_default()),
            Instead::FirstParagraph => Cow::Owned(first_paragraph(self.view.body.as_deref().unwrap_or_default())),
            Instead::Body => Cow::Owned(self.view.body.as_deref().unwrap_or_default().trim().to_owned()),
        })
    }

    /// Every other field of which the runtime demands something.
    pub(super) fn others(&mut self) -> Result<(), End> {
        let loads = self.loads;
        for (key, rule) in loads.fields.iter().filter(|(key, _)| !matches!(key.as_str(), "name" | "description")) {
            let node = self.node(key);
            self.demand(key, node, rule, LOADS)?;
            if rule.no_word.is_some() && !node.is_some_and(|node| has_word(node, rule)) {
                // A value that says nothing is no wrong word.
                let is_wrong = node.is_some_and(|node| !node.is_wordless());
                let reason = if is_wrong { Reason::NoKnownWord } else { Reason::Missing };
                self.follow(rule.no_word, || reason(key.clone()))?;
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

/// Whether a list, or a text with commas, holds one of the words.
fn has_word(node: &Node, rule: &FieldRule) -> bool {
    let known = |word: &str| rule.words.iter().any(|known| known.eq_ignore_ascii_case(word.trim()));
    match &node.kind {
        NodeKind::List(items) => items.iter().filter_map(Node::scalar).any(known),
        _ => node.scalar().is_some_and(|text| text.split(',').any(known)),
    }
}
