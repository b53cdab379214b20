//! Template of a listing entry, to compute the size of an entry.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::ListEntry;
use crate::catalog::Catalog;
use crate::forecast::{SkillForecast, measure};
use crate::profile::Profile;
use crate::profile::listing::{Escape, Unit};
use crate::skill::SkillId;

/// Template of an entry, split into parts.
pub(super) struct Template<'a> {
    whole: Vec<Part<'a>>,
    short: Vec<Part<'a>>,
    escape: Option<Escape>,
    unit: Unit,
}

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
        Self { whole: parts(whole), short, escape: listing.escape, unit }
    }

    pub(super) fn entry<'c>(&self, catalog: &'c Catalog, id: SkillId, forecast: &'c SkillForecast) -> ListEntry<'c> {
        let skill = catalog.skill(id);
        let description =
            forecast.description.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "description"));
        let name = forecast.name.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "name"));
        let chars = measure::length(&description, Unit::Chars);
        let whole = self.filled(&self.whole, catalog, id, &name, &description);
        let short = self.filled(&self.short, catalog, id, &name, "");
        ListEntry { skill: id, name, chars, whole, short }
    }

    /// Returns the size of an entry with at most the given number of code points of its description.
    pub(super) fn shortened(&self, catalog: &Catalog, id: SkillId, forecast: &SkillForecast, chars: u64) -> u64 {
        let skill = catalog.skill(id);
        let name = forecast.name.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "name"));
        if chars == 0 {
            return self.filled(&self.short, catalog, id, &name, "");
        }
        let description =
            forecast.description.as_ref().map_or(Cow::Borrowed(""), |shown| shown.text(skill, "description"));
        let chars = usize::try_from(chars).unwrap_or(usize::MAX);
        let end = description.char_indices().nth(chars).map_or(description.len(), |(at, _)| at);
        self.filled(&self.whole, catalog, id, &name, &description[..end])
    }

    fn filled(&self, parts: &[Part<'_>], catalog: &Catalog, id: SkillId, name: &str, description: &str) -> u64 {
        let path = catalog.path(id).to_str_lossy();
        let field = |field: &str| match field {
            "name" => name,
            "description" => description,
            "path" => &*path,
            "when_to_use" => catalog.skill(id).scalar("when_to_use").unwrap_or_default(),
            _ => "",
        };
        self.length(parts, field)
    }

    /// Returns the size of an entry. Tokens are counted over the whole entry.
    fn length<'v>(&self, parts: &[Part<'_>], field: impl Fn(&str) -> &'v str) -> u64 {
        let unit = if self.unit == Unit::Tokens { Unit::Bytes } else { self.unit };
        let length = |part: &Part<'_>| match part {
            Part::Text(text) => measure::length(text, unit),
            Part::Field(name) => measure::length(&escaped(field(name), self.escape), unit),
        };
        let length = parts.iter().map(length).sum();
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
    if escape != Some(Escape::Xml) || !value.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(value);
    }
    let entities = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")];
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
        let template =
            Template { whole: parts("- {name}"), short: Vec::new(), escape: Some(Escape::Xml), unit: Unit::Tokens };
        assert_eq!(template.length(&template.whole, |_| "a & <b>"), 5);
        assert_eq!(escaped("a & <b>", Some(Escape::Xml)), "a &amp; &lt;b&gt;");
    }
}
