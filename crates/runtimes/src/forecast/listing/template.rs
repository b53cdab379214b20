//! Template of a listing entry, to compute the size of an entry.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::ListEntry;
use crate::catalog::Catalog;
use crate::forecast::{SkillForecast, measure};
use crate::profile::Profile;
use crate::profile::listing::{Escape, Unit};
use skilltree_skills::skill::{Skill, SkillId};

/// Template of an entry, split into parts.
pub(super) struct Template<'a> {
    whole: Vec<Part<'a>>,
    short: Vec<Part<'a>>,
    labeled: Vec<Part<'a>>,
    repository: Option<&'a str>,
    escape: Option<Escape>,
    separator: Option<&'a str>,
    unit: Unit,
}

/// Maximum length of a value of a skill of the runtime (ours: 64 KiB).
const LONGEST: usize = 1 << 16;

/// Part of a template: literal text or the name of a field.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Field(&'a str),
}

impl<'a> Template<'a> {
    pub(super) fn of(profile: &'a Profile, unit: Unit) -> Self {
        let listing = &profile.loads.listing;
        let whole = listing.entry.as_deref().unwrap_or("{name}{description}");
        let short = listing.short_entry.as_deref().map_or_else(|| without_description(whole), parts);
        let labeled = parts(listing.labeled_entry.as_deref().unwrap_or(whole));
        let repository = listing.repository.as_deref();
        let separator = listing.separator.as_deref();
        Self { whole: parts(whole), short, labeled, repository, escape: listing.escape, separator, unit }
    }

    /// Returns the size of an entry with values of these lengths.
    pub(super) fn sized(&self, name: &str, description: u64, path: u64) -> u64 {
        let parts = if description == 0 { &self.short } else { &self.whole };
        let filler = |length: u64| "x".repeat(usize::try_from(length).unwrap_or_default().min(LONGEST));
        let (description, path) = (filler(description), filler(path));
        self.length(parts, |field| match field {
            "name" => name,
            "description" => &description,
            "path" | "below" => &path,
            _ => "",
        })
    }

    pub(super) fn entry<'c>(&self, catalog: &'c Catalog, id: SkillId, forecast: &'c SkillForecast) -> ListEntry<'c> {
        let skill = catalog.skill(id);
        let description =
            forecast.description.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "description"));
        let name = forecast.name.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "name"));
        let chars = measure::length(&description, Unit::Chars);
        let whole = self.filled(self.whole(forecast), catalog, id, &name, (&description, forecast));
        let short = self.filled(&self.short, catalog, id, &name, ("", forecast));
        // Names in one line are separated by a comma and a space.
        let in_line = measure::length(&name, Unit::Chars) + 2;
        let first_line = measure::length(self.first_line(&description, skill), Unit::Chars);
        ListEntry { skill: id, name, chars, first_line, whole, short, in_line, bundled_path: None }
    }

    /// Returns the size of an entry with at most the given number of code points of its description.
    pub(super) fn shortened(&self, catalog: &Catalog, id: SkillId, forecast: &SkillForecast, chars: u64) -> u64 {
        let skill = catalog.skill(id);
        let name = forecast.name.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "name"));
        if chars == 0 {
            return self.filled(&self.short, catalog, id, &name, ("", forecast));
        }
        let description =
            forecast.description.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "description"));
        let chars = usize::try_from(chars).unwrap_or(usize::MAX);
        let end = description.char_indices().nth(chars).map_or(description.len(), |(at, _)| at);
        self.filled(self.whole(forecast), catalog, id, &name, (&description[..end], forecast))
    }

    /// Returns the entry as the model sees it, with at most the given number of code points of its description.
    pub(super) fn text(&self, catalog: &Catalog, id: SkillId, forecast: &SkillForecast, chars: Option<u64>) -> String {
        let skill = catalog.skill(id);
        let name = forecast.name.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "name"));
        let description =
            forecast.description.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "description"));
        let chars = chars.map_or(usize::MAX, |chars| usize::try_from(chars).unwrap_or(usize::MAX));
        let end = description.char_indices().nth(chars).map_or(description.len(), |(at, _)| at);
        let parts = if end == 0 { &self.short } else { self.whole(forecast) };
        let mut text = String::new();
        self.fill(parts, catalog, id, &name, (&description[..end], forecast), &mut |part| text.push_str(part));
        text
    }

    /// Returns the first line of a shown description, without the `when_to_use` that follows it.
    fn first_line<'t>(&self, description: &'t str, skill: &Skill) -> &'t str {
        let trigger = skill.scalar("when_to_use").filter(|trigger| !trigger.trim().is_empty());
        let alone = trigger.zip(self.separator).and_then(|(trigger, separator)| {
            let later = trigger.matches(separator).count();
            description.rmatch_indices(separator).nth(later).map(|(at, _)| &description[..at])
        });
        alone.unwrap_or(description).lines().next().unwrap_or_default().trim()
    }

    /// Returns the template of a whole entry.
    fn whole(&self, forecast: &SkillForecast) -> &[Part<'a>] {
        if forecast.label.is_some() { &self.labeled } else { &self.whole }
    }

    fn filled(
        &self,
        parts: &[Part<'_>],
        catalog: &Catalog,
        id: SkillId,
        name: &str,
        shown: (&str, &SkillForecast),
    ) -> u64 {
        let unit = self.counted();
        let mut length = 0;
        self.fill(parts, catalog, id, name, shown, &mut |part| length += measure::length(part, unit));
        self.rounded(length)
    }

    /// Passes each part of an entry with its values to a function.
    fn fill(
        &self,
        parts: &[Part<'_>],
        catalog: &Catalog,
        id: SkillId,
        name: &str,
        (description, forecast): (&str, &SkillForecast),
        take: &mut dyn FnMut(&str),
    ) {
        let below = catalog.path(id).to_str_lossy();
        let path = self.repository.map_or(Cow::Borrowed(&*below), |top| Cow::Owned(format!("{top}/{below}")));
        let root = catalog.root(catalog.skill(id).root).path.len() + 1;
        let field = |field: &str| match field {
            "name" => name,
            "label" => forecast.label.as_deref().unwrap_or_default(),
            "description" => description,
            "path" => &*path,
            "below" => below.get(root..).unwrap_or_default(),
            "when_to_use" => catalog.skill(id).scalar("when_to_use").unwrap_or_default(),
            _ => "",
        };
        self.each(parts, field, take);
    }

    /// Returns the size of an entry. Tokens are counted over the whole entry.
    fn length<'v>(&self, parts: &[Part<'_>], field: impl Fn(&str) -> &'v str) -> u64 {
        let unit = self.counted();
        let mut length = 0;
        self.each(parts, field, &mut |part| length += measure::length(part, unit));
        self.rounded(length)
    }

    /// Passes each part with its values to a function.
    fn each<'v>(&self, parts: &[Part<'_>], field: impl Fn(&str) -> &'v str, take: &mut dyn FnMut(&str)) {
        for part in parts {
            match part {
                Part::Text(text) => take(text),
                Part::Field(name) => take(&escaped(field(name), self.escape)),
            }
        }
    }

    /// Returns the unit that parts are counted in.
    fn counted(&self) -> Unit {
        if self.unit == Unit::Tokens { Unit::Bytes } else { self.unit }
    }

    /// Converts the size of all parts into the unit.
    fn rounded(&self, length: u64) -> u64 {
        if self.unit == Unit::Tokens { measure::tokens(length) } else { length }
    }
}

fn without_description(template: &str) -> Vec<Part<'_>> {
    parts(template).into_iter().filter(|part| *part != Part::Field("description")).collect()
}

/// Splits a template with fields in braces into parts.
fn parts(template: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((field, after)) = after.split_once('}') else { break };
        parts.extend([Part::Text(before), Part::Field(field)]);
        rest = after;
    }
    parts.push(Part::Text(rest));
    parts
}

/// Escapes a value as the listing does.
fn escaped(value: &str, escape: Option<Escape>) -> Cow<'_, str> {
    let entities = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")];
    let entities = match escape {
        Some(Escape::Xml) => &entities[..],
        Some(Escape::XmlText) => &entities[..3],
        Some(Escape::None | Escape::TagsRemoved) | None => return Cow::Borrowed(value),
    };
    if !value.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(entities.iter().fold(value.to_owned(), |text, (character, entity)| text.replace(*character, entity)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_entry_as_rendered() {
        let expected = [Part::Text("- "), Part::Field("name"), Part::Text(": "), Part::Field("x"), Part::Text(" {")];
        assert_eq!(parts("- {name}: {x} {"), expected);
        assert_eq!(
            without_description("{name}{description}"),
            [Part::Text(""), Part::Field("name"), Part::Text(""), Part::Text("")]
        );
        let template = Template {
            whole: parts("- {name}"),
            short: Vec::new(),
            labeled: Vec::new(),
            repository: None,
            escape: Some(Escape::Xml),
            separator: None,
            unit: Unit::Tokens,
        };
        assert_eq!(template.length(&template.whole, |_| "a & <b>"), 5);
        assert_eq!(escaped("a & <b>", Some(Escape::Xml)), "a &amp; &lt;b&gt;");
        assert_eq!(escaped("\"a\" & b", Some(Escape::XmlText)), "\"a\" &amp; b");
    }
}
