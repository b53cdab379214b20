//! What skills cost: text for people, JSON for programs.

use std::collections::BTreeSet;
use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;

use super::{ListEntry, lists, write_lines};
use crate::render::{Look, count, escape};
use skilltree_front_matter::text::{self, grouped};
use skilltree_lint::cost::{Cost, ListCost, Over, RuntimeCost, SkillCost, Subject};
use skilltree_lint::rule::listed;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::ListScope;
use skilltree_skills::json;
use skilltree_skills::roots::RootId;

/// Name of the schema.
const SCHEMA: &str = "skilltree/cost/v1";

/// Widths of the columns: their headings are as wide.
const HEADINGS: [&str; 3] = ["always on", "on load", "with references"];

/// What to show of costs.
#[derive(Clone, Copy)]
pub struct View {
    /// Number of skills that are shown; `None` for all.
    pub most_skills: Option<usize>,
    /// Number of runtimes that are shown; `None` for all.
    pub most_runtimes: Option<usize>,
    /// Appearance.
    pub look: Look,
}

#[derive(Serialize)]
struct SkillEntry<'a> {
    path: String,
    always_on: Option<EntrySize<'a>>,
    body_tokens: usize,
    reference_tokens: usize,
    references: usize,
    unread_references: usize,
    entries: Vec<EntrySize<'a>>,
}

/// The entry of a skill in the list of a runtime.
#[derive(Serialize)]
struct EntrySize<'a> {
    target: &'a str,
    tokens: usize,
}

#[derive(Serialize)]
struct ListSize<'a> {
    skills: usize,
    tokens: usize,
    #[serde(flatten)]
    list: ListEntry<'a>,
}

#[derive(Serialize)]
struct OverEntry<'a> {
    limit: &'static str,
    most: u64,
    tokens: usize,
    path: Option<String>,
    target: Option<&'a str>,
    roots: Vec<String>,
}

/// Writes costs as JSON by schema/cost.json: one line per skill, one per list and one per number over a limit. `source` is the checked
/// source, as in [`Options::source`](crate::render::Options::source).
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_json(catalog: &Catalog, cost: &Cost<'_>, source: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"schema\":\"{SCHEMA}\",\n\"source\":")?;
    json::write_value(source, out)?;
    out.write_all(b",\n\"skills\":[")?;
    write_lines(&cost.skills, out, |skill| skill_entry(catalog, cost, skill))?;
    out.write_all(b"\n],\n\"lists\":[")?;
    let lists: Vec<(&RuntimeCost<'_>, &ListCost<'_>)> =
        cost.runtimes.iter().flat_map(|runtime| runtime.lists.iter().map(move |list| (runtime, list))).collect();
    write_lines(&lists, out, |(runtime, list)| ListSize {
        skills: list.skills,
        tokens: list.tokens,
        list: super::list_entry(catalog, runtime.forecast, list.list),
    })?;
    out.write_all(b"\n],\n\"over\":[")?;
    write_lines(&cost.over, out, |over| over_entry(catalog, cost, over))?;
    out.write_all(b"\n]}\n")
}

fn skill_entry<'a>(catalog: &Catalog, cost: &'a Cost<'_>, skill: &SkillCost) -> SkillEntry<'a> {
    let size = |(runtime, tokens): (&'a RuntimeCost<'_>, usize)| EntrySize { target: &runtime.profile.id, tokens };
    let entries = cost.runtimes.iter().filter_map(|runtime| Some((runtime, runtime.entry(skill.skill)?)));
    SkillEntry {
        path: text::lossless(catalog.path(skill.skill)),
        always_on: skill.entry.map(|(runtime, tokens)| size((&cost.runtimes[runtime], tokens))),
        body_tokens: skill.body,
        reference_tokens: skill.references,
        references: skill.reference_files,
        unread_references: skill.unread,
        entries: entries.map(size).collect(),
    }
}

fn over_entry<'a>(catalog: &Catalog, cost: &'a Cost<'_>, over: &Over) -> OverEntry<'a> {
    let path = |root: RootId| text::lossless(catalog.root(root).shown_path());
    let (skill, list) = match over.what {
        Subject::Skill(skill) => (Some(skill), None),
        Subject::List(runtime, list) => (None, Some((&cost.runtimes[runtime], list))),
    };
    OverEntry {
        limit: over.limit,
        most: over.most,
        tokens: over.tokens,
        path: skill.map(|skill| text::lossless(catalog.path(skill))),
        target: list.map(|(runtime, _)| runtime.profile.id.as_str()),
        roots: list.map_or_else(Vec::new, |(runtime, list)| {
            runtime.lists[list].list.roots.iter().copied().map(path).collect()
        }),
    }
}

/// Writes costs for people: a line per skill, the lists of the most used runtimes, and what is over a limit.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_text(catalog: &Catalog, cost: &Cost<'_>, view: View, out: &mut dyn Write) -> io::Result<()> {
    if cost.skills.is_empty() {
        return writeln!(out, "no skills");
    }
    write_skills(catalog, cost, view, out)?;
    let (shown, others) = cost.runtimes.split_at(cost.runtimes.len().min(view.most_runtimes.unwrap_or(usize::MAX)));
    if !shown.is_empty() {
        writeln!(out)?;
    }
    for runtime in shown {
        for list in &runtime.lists {
            write_list(catalog, runtime, list, view.look, out)?;
        }
    }
    if !others.is_empty() {
        writeln!(out, "{}: skilltree cost --all", count(others.len(), "more runtime"))?;
    }
    if !cost.over.is_empty() {
        writeln!(out)?;
    }
    for over in &cost.over {
        lists::write_wrapped("", &over_words(catalog, cost, over), view.look, out)?;
    }
    writeln!(out)?;
    lists::write_wrapped("", &legend(cost), view.look, out)
}

/// Writes a line per skill, the largest first, and the sums.
fn write_skills(catalog: &Catalog, cost: &Cost<'_>, view: View, out: &mut dyn Write) -> io::Result<()> {
    let [always, load, whole] = HEADINGS;
    writeln!(out, "{always}  {load}  {whole}")?;
    let mut line = |[always, load, whole]: [usize; 3], words: &str| {
        let [first, second, third] = HEADINGS.map(str::len);
        let [always, load, whole] = [always, load, whole].map(grouped);
        writeln!(out, "{always:>first$}  {load:>second$}  {whole:>third$}  {words}")
    };
    let numbers = |skill: &SkillCost| [skill.always(), skill.body, skill.whole()];
    let (shown, others) = cost.skills.split_at(cost.skills.len().min(view.most_skills.unwrap_or(usize::MAX)));
    for skill in shown {
        let path = catalog.path(skill.skill);
        let unread = match skill.unread {
            0 => String::new(),
            unread => format!(" ({} not read)", count(unread, "reference file")),
        };
        let path = escape::path(path.strip_suffix(b"/SKILL.md").unwrap_or(path).as_bstr());
        line(numbers(skill), &format!("{path}{unread}"))?;
    }
    let sum = |skills: &[SkillCost]| {
        skills.iter().map(numbers).fold([0; 3], |sum, next| [0, 1, 2].map(|column| sum[column] + next[column]))
    };
    if !others.is_empty() {
        line(sum(others), &format!("{}: skilltree cost --all", count(others.len(), "more skill")))?;
    }
    if cost.skills.len() > 1 {
        line(sum(&cost.skills), &format!("all {}", count(cost.skills.len(), "skill")))?;
    }
    Ok(())
}

/// Writes the size of a list, and what to cut so that it fits.
fn write_list(
    catalog: &Catalog,
    runtime: &RuntimeCost<'_>,
    list: &ListCost<'_>,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let listing = &list.list.listing;
    let size = lists::size(listing).map_or_else(|| ", no known limit".to_owned(), |size| format!("; {size}"));
    let words = format!(
        "{} lists {}: {} in about {}{size}",
        escape::text(&runtime.profile.title),
        label(catalog, runtime, list),
        count(list.skills, "skill"),
        count(list.tokens, "token"),
    );
    lists::write_wrapped("", &words, look, out)?;
    let small = listing.small.as_ref().map(lists::small_counts);
    let trim = listing.trim.as_ref().map(|trim| lists::advice(catalog, runtime.forecast, listing, trim));
    small.into_iter().chain(trim).try_for_each(|words| lists::write_wrapped("  ", &words, look, out))
}

/// Names what a list holds: skills directories, `plugin post (plugins/post)`, or a marketplace.
fn label(catalog: &Catalog, runtime: &RuntimeCost<'_>, list: &ListCost<'_>) -> String {
    match list.list.scope {
        ListScope::Package(number) => {
            let package = &runtime.forecast.found.all[number];
            let directory = escape::path(package.shown_directory());
            match &package.name {
                Some(name) => format!("{} {} ({directory})", package.format.noun, escape::text(name)),
                None => format!("{} {directory}", package.format.noun),
            }
        }
        ListScope::Marketplace(number) => format!("all of {}", escape::text(&catalog.manifest_path(number))),
        ListScope::ProjectWith(number) => {
            format!("the project with all of {}", escape::text(&catalog.manifest_path(number)))
        }
        ListScope::Directory => {
            let listing = &list.list.listing;
            let skills = listing.listed.iter().chain(&listing.shortened).chain(&listing.lost);
            let filled: BTreeSet<RootId> = skills.map(|&skill| catalog.skill(skill).root).collect();
            let path = |root: RootId| escape::path(catalog.root(root).shown_path());
            listed(&filled.into_iter().map(path).collect::<Vec<_>>())
        }
    }
}

/// Describes a number over a limit: `over limits.skill-tokens: about 1,210 tokens in .agents/skills/pdf; the limit is 1,000`.
fn over_words(catalog: &Catalog, cost: &Cost<'_>, over: &Over) -> String {
    let what = match over.what {
        Subject::Skill(skill) => {
            let path = catalog.path(skill);
            escape::path(path.strip_suffix(b"/SKILL.md").unwrap_or(path).as_bstr())
        }
        Subject::List(runtime, list) => {
            let runtime = &cost.runtimes[runtime];
            let label = label(catalog, runtime, &runtime.lists[list]);
            format!("the list of {label} in {}", escape::text(&runtime.profile.title))
        }
    };
    let (tokens, most) = (count(over.tokens, "token"), grouped(over.most));
    format!("over limits.{}: about {tokens} in {what}; the limit is {most}", over.limit)
}

/// Says what the numbers are.
fn legend(cost: &Cost<'_>) -> String {
    let runtimes: BTreeSet<usize> = cost.skills.iter().filter_map(|skill| Some(skill.entry?.0)).collect();
    let titles: Vec<String> =
        runtimes.into_iter().map(|runtime| escape::text(&cost.runtimes[runtime].profile.title)).collect();
    let always = match titles.as_slice() {
        [] => "no runtime lists the skills".to_owned(),
        [title] => format!("always on: the entry in the list of {title}"),
        titles => {
            format!("always on: the entry in the list of the first of {} that lists the skill", titles.join(", "))
        }
    };
    format!("estimated tokens: one per four characters; {always}")
}
