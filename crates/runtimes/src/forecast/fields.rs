//! Forecast of fields: requirements, substitutes, truncation, and the text that the model is shown.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use unicode_normalization::UnicodeNormalization;

use super::reading::{self, End, View};
use super::reason::Reason;
use super::texts::without_tags;
use super::value::{is_absent, shown};
use super::{Outcome, Shown, SkillForecast, measure};
use crate::catalog::Catalog;
use crate::profile::identity::{Equal, IdentityBy};
use crate::profile::listing::{Escape, Measured};
use crate::profile::{Handling, Loads, Reported, Verdict};
use skilltree_front_matter::{FaultKind, Node, NodeKind, What};
use skilltree_skills::skill::{Skill, SkillId};

/// Forecasts a skill whose file the runtime reads.
pub(super) fn forecast(catalog: &Catalog, id: SkillId, loads: &Loads) -> SkillForecast {
    of(catalog.skill(id), catalog.path(id), loads)
}

/// Forecasts a skill with this path.
pub(super) fn of(skill: &Skill, path: &BStr, loads: &Loads) -> SkillForecast {
    let result = reading::read(skill, loads).and_then(|view| Evaluation::new(skill, path, loads, &view).finish());
    result.unwrap_or_else(|end| match end {
        End::Dropped(reason, reported) => SkillForecast::without_text(Outcome::Drops, reason, reported),
        End::Unknown(reason) => SkillForecast::without_text(Outcome::Unknown, reason, None),
    })
}

/// Forecast in progress for one file.
pub(super) struct Evaluation<'a> {
    pub(super) skill: &'a Skill,
    path: &'a BStr,
    pub(super) loads: &'a Loads,
    pub(super) view: &'a View<'a>,
    /// First change of the skill.
    altered: Option<(Reason, Option<Reported>)>,
    /// Further ones.
    also: Vec<Reason>,
    /// What is reported of a skill that loads unchanged.
    noted: Option<Reported>,
    cut_from: Option<u64>,
}

impl<'a> Evaluation<'a> {
    fn new(skill: &'a Skill, path: &'a BStr, loads: &'a Loads, view: &'a View<'a>) -> Self {
        Self { skill, path, loads, view, altered: view.altered.clone(), also: Vec::new(), noted: None, cut_from: None }
    }

    fn finish(mut self) -> Result<SkillForecast, End> {
        self.keys()?;
        let name = self.field("name")?;
        let directory = self.skill.directory.to_str_lossy();
        let is_labeled = self.loads.listing.labeled_entry.is_some() && !directory.is_empty();
        let label = name.as_ref().filter(|name| is_labeled && **name != directory);
        // Compiled for a label only, because Unicode classes take long to compile.
        let pattern = || self.loads.listing.label_pattern.as_ref().and_then(|pattern| pattern.regex());
        let is_shown =
            |label: &&Cow<'_, str>| !label.is_empty() && pattern().is_none_or(|pattern| pattern.is_match(label));
        let label = label.filter(is_shown).map(|label| Box::from(&**label));
        let name = match self.loads.identity.by {
            Some(IdentityBy::Directory) if !directory.is_empty() => Some(directory),
            _ => name,
        };
        let name = name.map(|name| self.name(name)).transpose()?;
        let description = self.field("description")?;
        description.iter().try_for_each(|text| self.forbidden("description", text))?;
        let description = description.map(|text| self.within_limits(text, Measured::Description)).transpose()?;
        let description = description.map(|text| match self.loads.listing.escape {
            Some(Escape::TagsRemoved) => Cow::Owned(without_tags(&text)),
            _ => text,
        });
        self.others()?;
        self.body()?;
        let difference = self.shown_difference(name.as_deref(), description.as_deref());
        let description = description.map(|text| self.entry(text)).transpose()?;
        let is_reserved = |name: &Cow<'_, str>| self.loads.identity.reserved.iter().any(|one| **one == **name);
        let unlisted =
            self.unlisted().or_else(|| name.as_ref().filter(|name| is_reserved(name)).map(|_| Reason::Reserved));
        Ok(SkillForecast { label, ..self.sum_up(name, description, difference, unlisted) })
    }

    /// Applies a verdict: drops the skill, or records the change.
    pub(super) fn follow(&mut self, verdict: Option<Verdict>, reason: impl FnOnce() -> Reason) -> Result<(), End> {
        match verdict {
            None => Err(End::Unknown(reason())),
            Some(Verdict { handling: Handling::Loads | Handling::Repairs, reported }) => {
                self.noted = self.noted.or(reported.filter(|reported| *reported != Reported::Nothing));
                Ok(())
            }
            Some(Verdict { handling: Handling::Drops | Handling::AbortsScan, reported }) => {
                // The change that hid the fields is the reason why one is missing.
                let (reason, _) = self.altered.take().unwrap_or_else(|| (reason(), reported));
                Err(End::Dropped(reason, reported))
            }
            Some(Verdict { reported, .. }) => {
                match &self.altered {
                    Some(_) => self.also.push(reason()),
                    None => self.altered = Some((reason(), reported)),
                }
                Ok(())
            }
        }
    }

    /// Checks for keys that are unknown to the runtime.
    fn keys(&mut self) -> Result<(), End> {
        let keys = &self.loads.keys;
        if keys.unknown.is_none_or(|verdict| verdict.handling == Handling::Loads) {
            return Ok(());
        }
        let pattern = keys.unknown_pattern.as_ref().and_then(|pattern| pattern.regex());
        let is_unknown = |key: &&str| {
            !keys.known.iter().any(|known| known == key) && pattern.is_none_or(|pattern| pattern.is_match(key))
        };
        let unknown = self.view.fields.iter().map(|field| field.key.value.as_str()).find(is_unknown);
        unknown.map_or(Ok(()), |key| self.follow(keys.unknown, || Reason::UnknownKey(key.to_owned())))
    }

    /// Returns the value of a field; the last one of duplicates. A dot separates a nested key.
    pub(super) fn node(&self, key: &str) -> Option<&'a Node> {
        let mut fields = &*self.view.fields;
        let mut steps = key.split('.').peekable();
        loop {
            let step = steps.next()?;
            let node = &fields.iter().rfind(|field| field.key.value == step)?.value;
            if steps.peek().is_none() {
                return Some(node);
            }
            let NodeKind::Map(inner) = &node.kind else { return None };
            fields = inner;
        }
    }

    /// Checks a name against its pattern, limit, directory and the reserved names.
    fn name(&mut self, name: Cow<'a, str>) -> Result<Cow<'a, str>, End> {
        let loads = self.loads;
        let name = self.within_limits(name, Measured::Name)?;
        let compared = match loads.identity.equal {
            Some(Equal::Nfkc) if !name.is_ascii() => Cow::Owned(name.nfkc().collect::<String>()),
            _ => Cow::Borrowed(&*name),
        };
        let rule = loads.fields.get("name");
        let pattern = rule.and_then(|rule| rule.pattern.as_ref()).and_then(|pattern| pattern.regex());
        if pattern.is_some_and(|pattern| !pattern.is_match(&compared)) {
            self.follow(rule.and_then(|rule| rule.malformed), || Reason::Malformed("name".to_owned()))?;
        }
        self.forbidden("name", &name)?;
        // The directory of a SKILL.md at the top of the repository has another name on every machine.
        let has_directory = !self.skill.directory.is_empty();
        if loads.identity.differs_from_directory.is_some() && has_directory && !self.is_directory(&compared) {
            self.follow(loads.identity.differs_from_directory, || Reason::DiffersFromDirectory)?;
        }
        drop(compared);
        Ok(name)
    }

    /// Checks that no part of a value matches the pattern that its field forbids.
    fn forbidden(&mut self, key: &str, text: &str) -> Result<(), End> {
        let Some(rule) = self.loads.fields.get(key) else { return Ok(()) };
        let pattern = rule.forbidden.as_ref().and_then(|pattern| pattern.regex());
        if let Some(found) = pattern.and_then(|pattern| pattern.find(text)) {
            self.follow(rule.malformed, || Reason::Forbidden(key.to_owned(), found.as_str().to_owned()))?;
        }
        Ok(())
    }

    /// Returns whether a name is that of the directory. The directory of a skill that is a whole repository has no name yet.
    fn is_directory(&self, name: &str) -> bool {
        if self.skill.directory.is_empty() {
            return true;
        }
        let identity = &self.loads.identity;
        identity.compared(self.skill.directory.to_str_lossy()) == identity.compared(Cow::Borrowed(name))
    }

    /// Checks a text against the limits of its kind; truncates it if the runtime does.
    pub(super) fn within_limits(&mut self, text: Cow<'a, str>, of: Measured) -> Result<Cow<'a, str>, End> {
        let mut text = text;
        for limit in self.loads.limits.iter().filter(|limit| limit.of == of) {
            let Some(length) = measure::over(&text, limit) else { continue };
            let too_long = || Reason::TooLong { of, unit: limit.unit, length, most: limit.maximum };
            self.follow(Some(limit.over_limit), too_long)?;
            if limit.over_limit.handling == Handling::Truncates {
                if of == Measured::Description {
                    self.cut_from.get_or_insert(length);
                }
                let is_own = self.node("description").is_some_and(|node| !node.is_blank());
                text = Cow::Owned(match limit.middle.as_ref().filter(|_| is_own) {
                    Some(middle) => measure::cut_middle(&text, limit, &self.notice(middle)),
                    None => measure::cut(&text, limit),
                });
            }
        }
        Ok(text)
    }

    /// Returns the notice in a truncated text, with the absolute path of the file.
    fn notice(&self, template: &str) -> String {
        let repository = self.loads.listing.repository.as_deref().unwrap_or_default();
        template.replace("{path}", &format!("{repository}/{}", self.path.to_str_lossy()))
    }

    /// Joins a description and the trigger, if the runtime shows both, and checks them against the limit of an entry.
    fn entry(&mut self, text: Cow<'a, str>) -> Result<Cow<'a, str>, End> {
        let listing = &self.loads.listing;
        let trigger = listing.shown.iter().any(|field| field == "when_to_use").then(|| self.node("when_to_use"));
        let rule = self.loads.fields.get("when_to_use");
        let is_shown =
            |node: &&Node| !node.is_blank() && rule.is_none_or(|rule| !is_absent(node, rule, self.view.family));
        let trigger = trigger.flatten().filter(is_shown).map(|node| match rule {
            Some(rule) => self.text(node, rule),
            None => shown(node, None),
        });
        let whole = match trigger {
            Some(trigger) => {
                let separator = listing.separator.as_deref().unwrap_or_default();
                Cow::Owned([&*text, separator, &trigger].concat())
            }
            None => text,
        };
        let limit = self.loads.limits.iter().find(|limit| limit.of == Measured::Entry);
        let Some((limit, length)) = limit.and_then(|limit| Some((limit, measure::over(&whole, limit)?))) else {
            return Ok(whole);
        };
        let too_long = || Reason::TooLong { of: Measured::Entry, unit: limit.unit, length, most: limit.maximum };
        self.follow(Some(limit.over_limit), too_long)?;
        self.cut_from.get_or_insert(length);
        Ok(Cow::Owned(measure::cut(&whole, limit)))
    }

    /// Checks the presence and the length of the body.
    fn body(&mut self) -> Result<(), End> {
        let Some(facts) = &self.skill.body else { return Ok(()) };
        if self.loads.empty_body.is_some() && self.has_empty_body() {
            self.follow(self.loads.empty_body, || Reason::EmptyBody)?;
        }
        for limit in &self.loads.limits {
            let length = match limit.of {
                Measured::Body => u64::from(facts.chars),
                Measured::File => u64::from(facts.file_bytes),
                _ => continue,
            };
            if length > limit.maximum {
                let too_long = || Reason::TooLong { of: limit.of, unit: limit.unit, length, most: limit.maximum };
                self.follow(Some(limit.over_limit), too_long)?;
            }
        }
        Ok(())
    }

    /// Returns whether the runtime finds no text in the body.
    pub(super) fn has_empty_body(&self) -> bool {
        let Some(facts) = &self.skill.body else { return false };
        let after = self.skill.agreement.after_header.as_ref().map_or(0, |after| after.len());
        let is_whole = self.skill.header.len() + after >= facts.file_bytes as usize;
        match &self.view.body {
            Some(body) => is_whole && body.trim().is_empty(),
            None => facts.blank,
        }
    }

    fn sum_up(
        self,
        name: Option<Cow<'_, str>>,
        text: Option<Cow<'_, str>>,
        difference: Option<Reason>,
        unlisted: Option<Reason>,
    ) -> SkillForecast {
        let altered = self.altered.or_else(|| difference.map(|reason| (reason, Some(Reported::Nothing))));
        let if_read = if altered.is_some() { Outcome::Changes } else { Outcome::Loads };
        let listed = unlisted.is_none();
        let mut also = self.also;
        let (reason, reported) = match altered {
            Some((reason, reported)) => {
                also.extend(unlisted);
                (Some(reason), reported.filter(|reported| *reported != Reported::Nothing).or(self.noted).or(reported))
            }
            None => (unlisted.or_else(|| self.view.repaired.clone()), self.noted.or(Some(Reported::Nothing))),
        };
        let name = name.map(|name| stored(self.skill, "name", name));
        let description = text.map(|text| stored(self.skill, "description", text));
        SkillForecast {
            reads_root: false,
            if_read,
            name,
            description,
            label: None,
            cut_from: self.cut_from,
            listed,
            reason,
            also,
            reported,
        }
    }

    /// Returns the first field whose shown text differs from the written text, ignoring whitespace.
    fn shown_difference(&self, name: Option<&str>, description: Option<&str>) -> Option<Reason> {
        let differs = |key: &str, text: &str| {
            // Fast path: most texts are shown as written.
            let same = |written: &str| {
                let is_same = |text: &str| written == text || written.split_whitespace().eq(text.split_whitespace());
                // A model reads an escape of XML as the character.
                is_same(text) || text.contains('&') && is_same(&without_escapes(text))
            };
            self.skill.scalar(key).is_some_and(|written| !same(written))
        };
        let cut = |fault: &&skilltree_front_matter::Fault| matches!(&fault.what, What::CutByComment { left, .. } if Some(left.trim()) == description.map(str::trim));
        let by_directory = self.loads.identity.by == Some(IdentityBy::Directory);
        if description.is_some_and(|text| differs("description", text)) {
            return Some(Reason::ShownDifferently("description"));
        }
        if self.skill.faults.iter().any(|fault| cut(&fault)) {
            return Some(Reason::Fault(FaultKind::CutByComment));
        }
        name.filter(|name| !by_directory && differs("name", name)).map(|_| Reason::ShownDifferently("name"))
    }
}

/// Replaces the escapes of XML by their characters.
fn without_escapes(text: &str) -> String {
    let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&#x27;", "'")];
    let text = escapes.iter().fold(text.to_owned(), |text, (escape, character)| text.replace(escape, character));
    text.replace("&amp;", "&")
}

/// Stores a shown text without copying text of the file.
fn stored(skill: &Skill, key: &str, text: Cow<'_, str>) -> Shown {
    if skill.scalar(key) == Some(&*text) {
        Shown::Written
    } else if key == "name" && *skill.directory == *text.as_bytes() {
        Shown::Directory
    } else {
        Shown::Other(text.into())
    }
}
