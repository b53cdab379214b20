//! What follows the runtimes: reasons by skill, and the lists that models see.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use bstr::ByteSlice;

use super::{Column, View, shown_name, skill_path};
use crate::render::{Look, count, escape, wrap};
use skilltree_front_matter::text::{self, grouped};
use skilltree_lint::rule::{Phrase, by_phrase, listed};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{
    Forecast, ListForecast, ListScope, Outcome, Reason, RootForecast, SmallWindow, Trim, plural,
};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Maximum number of names in a list.
const SHOWN_NAMES: usize = 10;
/// Maximum number of skills that a heading names.
const NAMED: usize = 3;

/// Skills that a runtime handles in one way for one reason.
struct Group<'a> {
    outcome: Outcome,
    reason: Reason,
    /// The most used of the runtimes, by its place in the order of use.
    column: usize,
    skills: Vec<SkillId>,
    /// Least and greatest length that is over a limit.
    lengths: (u64, u64),
    /// Runtimes with the same skills for the same reason.
    runtimes: Vec<(Phrase, &'a str)>,
}

/// Writes the skills that are not loaded as they are, and below each what the runtimes do for which reason. Skills with the same
/// reasons are one heading; those that a runtime drops come first.
pub(super) fn write_reasons(
    catalog: &Catalog,
    skills: &[SkillId],
    columns: &[Column<'_>],
    view: View<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let look = view.look;
    // A repair that keeps every text is no loss.
    let is_shown = |group: &Group<'_>| {
        let is_told = matches!(group.reason, Reason::Namesake { .. } | Reason::Overridden { .. });
        let is_told = is_told || group.reason.hides().is_some();
        view.verbose || group.outcome != Outcome::Loads || is_told
    };
    let mut groups: BTreeMap<(u8, String, Vec<SkillId>), Group<'_>> = BTreeMap::new();
    let is_known = |column: &Column<'_>| !column.profile.loads.is_about_directories_only();
    let columns = columns.iter().enumerate().filter(|(_, column)| is_known(column));
    for group in columns.flat_map(|(number, column)| groups_of(skills, number, column)).filter(is_shown) {
        let key = (rank(group.outcome), group.reason.to_string(), group.skills.clone());
        match groups.get_mut(&key) {
            Some(known) => known.runtimes.extend(group.runtimes),
            None => drop(groups.insert(key, group)),
        }
    }
    let mut headings: Vec<(&[SkillId], Vec<&Group<'_>>)> = Vec::new();
    let mut known: BTreeMap<&[SkillId], usize> = BTreeMap::new();
    for group in groups.values() {
        let next = headings.len();
        let number = *known.entry(&group.skills).or_insert(next);
        if number == next {
            headings.push((&group.skills, Vec::new()));
        }
        headings[number].1.push(group);
    }
    headings.iter_mut().for_each(|(_, groups)| groups.sort_by_key(|group| (rank(group.outcome), group.column)));
    headings.sort_by_key(|(skills, groups)| (rank(groups[0].outcome), skills[0]));
    for (skills, groups) in headings {
        writeln!(out)?;
        write_wrapped("", &heading(catalog, skills), look, out)?;
        for group in groups {
            write_wrapped("  ", &escape::text(&line(group)), look, out)?;
        }
    }
    Ok(())
}

/// Names the skills of a heading by their paths: `.agents/skills/pdf`, or `40 skills: csv, docx, pdf and 37 more`.
fn heading(catalog: &Catalog, skills: &[SkillId]) -> String {
    if let [skill] = skills {
        let path = catalog.path(*skill);
        return escape::path(path.strip_suffix(b"/SKILL.md").unwrap_or(path).as_bstr());
    }
    let path = |&id: &SkillId| skill_path(catalog, catalog.root(catalog.skill(id).root), id);
    let full = |&id: &SkillId| escape::path(text::parent(catalog.path(id)));
    let mut names: Vec<String> = skills.iter().map(path).collect();
    // In several skills directories, only the whole path tells two skills apart.
    if names.iter().collect::<BTreeSet<_>>().len() < names.len() {
        names = skills.iter().map(full).collect();
    }
    let names = some(names.into_iter(), NAMED);
    format!("{}: {names}", count(skills.len(), "skill"))
}

/// Groups the skills of the directories that a runtime reads.
fn groups_of<'a>(skills: &[SkillId], number: usize, column: &Column<'a>) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(u8, String, Phrase), Group<'a>> = BTreeMap::new();
    let skills: BTreeSet<SkillId> = skills.iter().map(|&id| column.forecast.best(id)).collect();
    for id in skills {
        let forecast = column.forecast.skill(id);
        let hidden = forecast.hidden().filter(|hidden| forecast.reason.as_ref() != Some(*hidden));
        let own = forecast.reason.iter().map(|reason| (forecast.outcome(), reason));
        let reasons = own.chain(hidden.map(|reason| (Outcome::Loads, reason)));
        for (outcome, reason) in reasons.filter(|_| forecast.reads_root) {
            let (reason, length) = reason.without_length();
            let (phrase, length) = (Phrase::new(forecast), length.unwrap_or_default());
            let group = groups.entry((rank(outcome), reason.to_string(), phrase)).or_insert_with(|| Group {
                outcome,
                reason,
                column: number,
                skills: Vec::new(),
                lengths: (length, length),
                runtimes: vec![(phrase, column.profile.actor())],
            });
            group.skills.push(id);
            group.lengths = (group.lengths.0.min(length), group.lengths.1.max(length));
        }
    }
    groups.into_values().collect()
}

/// Describes a group: `silently dropped by goose: the name is reserved`.
fn line(group: &Group<'_>) -> String {
    let actors = || listed(&group.runtimes.iter().map(|(_, actor)| *actor).collect::<Vec<_>>());
    let effects = match group.outcome {
        Outcome::Drops | Outcome::Changes => by_phrase(group.runtimes.iter().copied()),
        Outcome::Loads => format!("loaded by {}", actors()),
        Outcome::Unknown | Outcome::NotRead => format!("unknown in {}", actors()),
    };
    format!("{effects}: {}", group.reason.describe(group.lengths))
}

/// Returns the sort order of outcomes, worst first.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Drops => 0,
        Outcome::Changes => 1,
        Outcome::Unknown => 2,
        Outcome::Loads => 3,
        Outcome::NotRead => 4,
    }
}

/// Writes how many Markdown files directly in skills directories each runtime takes for skills: they are not forecast.
pub(super) fn write_flat(catalog: &Catalog, profiles: &[&Profile], look: Look, out: &mut dyn Write) -> io::Result<()> {
    for profile in profiles {
        let mut files: BTreeMap<RootId, usize> = BTreeMap::new();
        let roots = catalog.flat_skills(profile).filter_map(|(_, file)| file.root);
        roots.for_each(|root| *files.entry(root).or_default() += 1);
        for (root, number) in files {
            let path = escape::shown_path(catalog.root(root).path.as_bstr());
            let (title, files) = (escape::text(&profile.title), count(number, "Markdown file"));
            let words = format!("not forecast: {files} in {path}, each a skill in {title} without a skill directory");
            write_wrapped("", &words, look, out)?;
        }
    }
    Ok(())
}

/// Writes how much of the skills that a runtime reads together its list shows.
pub(super) fn write_budgets(
    catalog: &Catalog,
    columns: &[Column<'_>],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mut over, mut fitting, mut unlimited) = (Vec::new(), Vec::new(), Vec::new());
    let mut small = Vec::new();
    for column in columns {
        let mut lists = column.forecast.lists.iter().filter(|list| list.listing.reads).peekable();
        if lists.peek().is_none() {
            continue;
        }
        let title = &column.profile.title;
        let mut worst: Option<&SmallWindow> = None;
        let lists = lists.inspect(|list| {
            worst = worst.into_iter().chain(&list.listing.small).max_by_key(|small| (small.lost, small.shortened));
        });
        let (squeezed, whole): (Vec<_>, Vec<_>) = lists.partition(|list| list.is_squeezed());
        let fullest = whole.iter().max_by_key(|list| list.listing.fullness());
        match (fullest.and_then(|list| size(&list.listing)), squeezed.is_empty()) {
            (Some(size), true) => fitting.push(format!("{title} ({size})")),
            (None, true) => unlimited.push(title.clone()),
            (_, false) => over.extend(squeezed.into_iter().map(|list| (column, list))),
        }
        small.extend(worst.map(|worst| (title, worst)));
    }
    if !(over.is_empty() && fitting.is_empty() && unlimited.is_empty()) {
        writeln!(out)?;
    }
    for (column, list) in over {
        write_list(catalog, column, list, look, out)?;
    }
    for (title, list) in small {
        write_wrapped("", &escape::text(&format!("{title} {}", small_counts(list))), look, out)?;
    }
    for (words, titles) in [("listed in full by", fitting), ("no known limit of the list in", unlimited)] {
        if !titles.is_empty() {
            write_wrapped("", &escape::text(&format!("{words} {}", titles.join(", "))), look, out)?;
        }
    }
    Ok(())
}

/// Writes a list that does not show all skills in full.
fn write_list(
    catalog: &Catalog,
    column: &Column<'_>,
    list: &ListForecast,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let listing = &list.listing;
    let path = |&root: &RootId| escape::shown_path(catalog.root(root).path.as_bstr());
    let roots: Vec<String> = list.roots.iter().filter(|root| catalog.has_skills(**root)).map(path).collect();
    let names = listing.lost.iter().map(|&skill| listed_name(catalog, column.forecast, skill));
    let lost = if listing.lost.is_empty() {
        String::new()
    } else {
        format!("{}: {}", order(listing), some(names, SHOWN_NAMES))
    };
    let title = escape::text(&column.profile.title);
    let with = match list.scope {
        ListScope::ProjectWith(market) => format!(", with all of {}", escape::text(&catalog.manifest_path(market))),
        _ => String::new(),
    };
    write_wrapped("", &format!("{title} lists {}{with}: {}{lost}", listed(&roots), counts(listing)), look, out)?;
    match &listing.trim {
        Some(trim) => write_wrapped("  ", &advice(catalog, column.forecast, listing, trim), look, out),
        None => Ok(()),
    }
}

/// Returns how much of a list is shown: `9,000 of 8,000 characters, 2 in full, 1 shortened, 0 left out`.
pub(in crate::render) fn counts(listing: &RootForecast) -> String {
    let [whole, shortened, lost] =
        [&listing.listed, &listing.shortened, &listing.lost].map(|skills| grouped(skills.len()));
    let by_use = if listing.by_use { " (which ones depends on use)" } else { "" };
    let listed = format!("{whole} in full, {shortened} shortened{by_use}, {lost} left out");
    let window =
        listing.window.map_or(String::new(), |window| format!(" (context window: {} tokens)", grouped(window)));
    match size(listing) {
        Some(size) => format!("{size}{window}, {listed}"),
        None => listed,
    }
}

/// Returns what a list loses with models of a smaller window.
pub(super) fn small_counts(small: &SmallWindow) -> String {
    let [window, shortened, lost] = [small.window as usize, small.shortened, small.lost].map(grouped);
    format!("with a context window of {window} tokens: {shortened} shortened, {lost} left out")
}

/// Returns the size of all entries and the limit: `yours 385 + bundled 6,081 = 6,466 of 8,000 characters`; `None` without a known
/// limit.
pub(super) fn size(listing: &RootForecast) -> Option<String> {
    let (budget, unit) = (listing.budget?, listing.unit?);
    let parts = match listing.bundled {
        0 => String::new(),
        bundled => format!("yours {} + bundled {} = ", grouped(listing.own()), grouped(bundled)),
    };
    Some(format!("{parts}{} of {} {}", grouped(listing.wanted), grouped(budget), plural(unit)))
}

/// Returns a note about the order in which names are dropped.
fn order(listing: &RootForecast) -> &'static str {
    if listing.is_ordered { "" } else { " (by name; its own order is unknown)" }
}

/// Returns advice on what to remove so that all other skills are listed in full.
pub(in crate::render) fn advice(catalog: &Catalog, forecast: &Forecast, listing: &RootForecast, trim: &Trim) -> String {
    let mut steps = Vec::new();
    let all = listing.listed.len() + listing.shortened.len() + listing.lost.len();
    if trim.remove > 0 {
        let over = match listing.most_skills {
            Some(most) if trim.to.is_some() || trim.remove as u64 == (all as u64).saturating_sub(most) => {
                format!("the limit is {}", grouped(most))
            }
            _ => "the names alone use up the budget".to_owned(),
        };
        steps.push(format!("remove {} of {} skills ({over})", grouped(trim.remove), grouped(all)));
    }
    if let Some(to) = trim.to {
        let named = |&(skill, chars): &(SkillId, u64)| {
            format!("{} ({})", listed_name(catalog, forecast, skill), grouped(chars))
        };
        let names = some(trim.descriptions.iter().map(named), SHOWN_NAMES);
        let characters = count(usize::try_from(trim.cut).unwrap_or(usize::MAX), "character");
        steps.push(format!(
            "shorten the longest descriptions to {} characters each, by {characters} in total: {names}",
            grouped(to)
        ));
    }
    let instead = match trim.to {
        Some(_) => format!("; or remove {} of {} skills", grouped(trim.instead), grouped(all)),
        None => String::new(),
    };
    format!("to list all remaining skills in full, {}{instead}", steps.join(", then "))
}

/// Returns the listed name of a skill, escaped.
pub(in crate::render) fn listed_name(catalog: &Catalog, forecast: &Forecast, skill: SkillId) -> String {
    escape::text(&shown_name(catalog, forecast, skill))
}

/// Lists the first names and the number of others.
fn some(names: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<String> = names.take(most).collect();
    if more == 0 { shown.join(", ") } else { format!("{} and {} more", shown.join(", "), grouped(more)) }
}

/// Writes wrapped text. Lines after the first are indented by two more columns.
pub(super) fn write_wrapped(indent: &str, text: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let width = look.width.saturating_sub(indent.len());
    for (number, line) in wrap::lines(text, width, width.saturating_sub(2)).iter().enumerate() {
        let deeper = if number == 0 { "" } else { "  " };
        writeln!(out, "{indent}{deeper}{line}")?;
    }
    Ok(())
}
