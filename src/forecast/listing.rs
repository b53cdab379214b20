//! The list that a runtime shows the model, and what of it fits: which skills are listed whole, which are shortened, and
//! which fall off.

use std::borrow::Cow;

use super::{Fate, SkillForecast, measure};
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::profile::listing::{Budget, Escape, OrderBy, Squeeze, Unit};
use crate::roots::RootId;
use crate::skill::SkillId;
use crate::text;

/// What is listed of a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootForecast {
    /// Whether the runtime reads the root.
    pub reads: bool,
    /// How much fits, in `unit`; `None` when nothing is limited or nobody knows.
    pub budget: Option<u64>,
    /// The unit of `budget`.
    pub unit: Option<Unit>,
    /// How much all entries together take, in `unit`.
    pub wanted: u64,
    /// The skills that are listed whole, in the order of the list.
    pub listed: Vec<SkillId>,
    /// The skills whose descriptions are shortened or left out.
    pub shortened: Vec<SkillId>,
    /// The skills that are not listed at all.
    pub lost: Vec<SkillId>,
}

/// An entry of the list.
struct Entry {
    skill: SkillId,
    name: String,
    /// The length of the whole entry.
    whole: u64,
    /// The length of the entry without its description.
    short: u64,
}

/// What is listed of each root. Each is judged as if it were the only one: what other roots take away depends on the
/// directory that the runtime is started in.
pub(super) fn of_roots(
    catalog: &Catalog,
    profile: &Profile,
    skills: &[SkillForecast],
    reads: &[bool],
) -> Vec<RootForecast> {
    let budget = profile.loads.budget.as_ref();
    let unit = budget.map_or(Unit::Chars, |budget| budget.unit.unwrap_or(Unit::Chars));
    let mut entries: Vec<Vec<Entry>> = reads.iter().map(|_| Vec::new()).collect();
    for (id, skill) in catalog.skills() {
        let told = &skills[id.index()];
        if told.listed && matches!(told.fate, Fate::Loads | Fate::Altered) {
            entries[skill.root.index()].push(entry(catalog, profile, id, told, unit));
        }
    }
    (0u32..)
        .map(RootId)
        .zip(entries)
        .map(|(root, mut entries)| {
            // The path decides between equal names, and skills stand in its order already.
            if profile.loads.listing.order.contains(&OrderBy::Name) || budget.is_some() {
                entries.sort_by(|a, b| a.name.cmp(&b.name));
            }
            fit(entries, budget, unit, reads[root.index()])
        })
        .collect()
}

fn entry(catalog: &Catalog, profile: &Profile, id: SkillId, told: &SkillForecast, unit: Unit) -> Entry {
    let skill = catalog.skill(id);
    let listing = &profile.loads.listing;
    let name = told.name.as_ref().map_or(Cow::Borrowed(""), |name| name.text(skill, "name"));
    if profile.loads.budget.is_none() {
        return Entry { skill: id, name: name.into_owned(), whole: 0, short: 0 };
    }
    let description =
        told.description.as_ref().map_or(Cow::Borrowed(""), |description| description.text(skill, "description"));
    let path = text::lossless(catalog.path(id));
    let trigger = skill.scalar("when_to_use").unwrap_or_default();
    let length = |template: &str, description: &str| {
        let value = |part: &str| match part {
            "name" => escaped(&name, listing.escape),
            "description" => escaped(description, listing.escape),
            "path" => escaped(&path, listing.escape),
            "when_to_use" => escaped(trigger, listing.escape),
            _ => Cow::Borrowed(""),
        };
        measure::length(&filled(template, value), unit)
    };
    let template = listing.entry.as_deref().unwrap_or("{name}{description}");
    let short = length(listing.short_entry.as_deref().unwrap_or(template), "");
    Entry { skill: id, whole: length(template, &description), short, name: name.into_owned() }
}

/// A template with its parts in braces filled in.
fn filled<'a>(template: &str, value: impl Fn(&str) -> Cow<'a, str>) -> String {
    let mut text = String::with_capacity(template.len() + 256);
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((part, behind)) = behind.split_once('}') else { break };
        text.push_str(before);
        text.push_str(&value(part));
        rest = behind;
    }
    text.push_str(rest);
    text
}

/// A value as the list holds it.
fn escaped(value: &str, escape: Option<Escape>) -> Cow<'_, str> {
    if escape != Some(Escape::Xml) || !value.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(value);
    }
    let entities = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")];
    Cow::Owned(entities.iter().fold(value.to_owned(), |text, (character, entity)| text.replace(*character, entity)))
}

/// What of the entries fits.
fn fit(entries: Vec<Entry>, budget: Option<&Budget>, unit: Unit, reads: bool) -> RootForecast {
    let mut told = RootForecast {
        reads,
        budget: budget.and_then(Budget::limit),
        unit: budget.and_then(|budget| budget.unit),
        wanted: entries.iter().map(|entry| entry.whole).sum(),
        listed: Vec::new(),
        shortened: Vec::new(),
        lost: Vec::new(),
    };
    let most =
        budget.and_then(|budget| budget.skills).map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let (kept, over) = entries.split_at(entries.len().min(most));
    told.lost.extend(over.iter().map(|entry| entry.skill));
    let Some((budget, limit)) = budget.zip(told.budget).filter(|_| unit != Unit::Count) else {
        told.listed.extend(kept.iter().map(|entry| entry.skill));
        return told;
    };
    let mut sizes: Vec<u64> = kept.iter().map(|entry| entry.whole).collect();
    for squeeze in &budget.beyond {
        if sizes.iter().sum::<u64>() <= limit {
            break;
        }
        match squeeze {
            Squeeze::ShortenDescriptions => shorten(kept, &mut sizes, limit),
            Squeeze::DropDescriptions => drop_from_end(kept, &mut sizes, limit),
            Squeeze::NamesOnly => sizes = kept.iter().map(|entry| entry.short).collect(),
            Squeeze::Omit => {}
        }
    }
    let mut room = limit;
    let mut is_full = false;
    for (entry, size) in kept.iter().zip(sizes) {
        is_full |= budget.beyond.contains(&Squeeze::Omit) && size > room;
        room = room.saturating_sub(size);
        let list = match () {
            () if is_full => &mut told.lost,
            () if size < entry.whole => &mut told.shortened,
            () => &mut told.listed,
        };
        list.push(entry.skill);
    }
    told
}

/// Shortens all descriptions to one length, the longest that fits; where none fits they stay, and the next step decides.
fn shorten(entries: &[Entry], sizes: &mut [u64], limit: u64) {
    let fixed: u64 = entries.iter().map(|entry| entry.short).sum();
    let mut lengths: Vec<u64> = entries.iter().map(|entry| entry.whole.saturating_sub(entry.short)).collect();
    let Some(mut room) = limit.checked_sub(fixed) else { return };
    lengths.sort_unstable();
    let mut level = 0;
    for (number, length) in lengths.iter().enumerate() {
        let share = room / (lengths.len() - number) as u64;
        level = share.max(level);
        if *length > share {
            level = share;
            break;
        }
        room -= length;
    }
    for (entry, size) in entries.iter().zip(sizes) {
        *size = entry.short + entry.whole.saturating_sub(entry.short).min(level);
    }
}

/// Leaves out descriptions from the end of the list until it fits.
fn drop_from_end(entries: &[Entry], sizes: &mut [u64], limit: u64) {
    let mut total: u64 = sizes.iter().sum();
    for (entry, size) in entries.iter().zip(sizes).rev() {
        if total <= limit {
            break;
        }
        total -= size.saturating_sub(entry.short);
        *size = entry.short;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(sizes: &[(u64, u64)]) -> Vec<Entry> {
        let entry = |(number, &(whole, short)): (u32, &(u64, u64))| Entry {
            skill: SkillId(number),
            name: number.to_string(),
            whole,
            short,
        };
        (0u32..).zip(sizes).map(entry).collect()
    }

    fn told(sizes: &[(u64, u64)], limit: u64, beyond: &[Squeeze]) -> [usize; 3] {
        let budget =
            Budget { unit: Some(Unit::Chars), amount: Some(limit), beyond: beyond.to_vec(), ..Budget::default() };
        let told = fit(entries(sizes), Some(&budget), Unit::Chars, true);
        [told.listed.len(), told.shortened.len(), told.lost.len()]
    }

    #[test]
    fn what_does_not_fit_is_squeezed_step_by_step() {
        let sizes = [(10, 4), (100, 4), (100, 4)];
        assert_eq!(told(&sizes, 210, &[Squeeze::Omit]), [3, 0, 0]);
        assert_eq!(told(&sizes, 209, &[Squeeze::Omit]), [2, 0, 1]);
        assert_eq!(told(&sizes, 100, &[Squeeze::ShortenDescriptions]), [1, 2, 0]);
        assert_eq!(told(&sizes, 100, &[Squeeze::DropDescriptions]), [1, 2, 0]);
        assert_eq!(told(&sizes, 114, &[Squeeze::DropDescriptions]), [2, 1, 0]);
        assert_eq!(told(&sizes, 9, &[Squeeze::ShortenDescriptions, Squeeze::NamesOnly, Squeeze::Omit]), [0, 2, 1]);
        assert_eq!(told(&sizes, 12, &[Squeeze::NamesOnly, Squeeze::Omit]), [0, 3, 0]);
    }

    #[test]
    fn a_cap_of_skills_counts_skills() {
        let budget = Budget { skills: Some(2), ..Budget::default() };
        let told = fit(entries(&[(1, 1), (1, 1), (1, 1)]), Some(&budget), Unit::Chars, true);
        assert_eq!((told.listed.len(), told.lost), (2, vec![SkillId(2)]));
    }

    #[test]
    fn an_entry_is_measured_as_it_is_rendered() {
        let value = |part: &str| Cow::Owned(part.to_uppercase());
        assert_eq!(filled("- {name}: {x} {", value), "- NAME: X {");
        assert_eq!(escaped("a & <b>", Some(Escape::Xml)), "a &amp; &lt;b&gt;");
    }
}
