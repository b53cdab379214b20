//! `list`: the accepted skills, and which of them no prompt block contains.

use std::collections::HashMap;
use std::io::{self, Write};

use bstr::{BString, ByteSlice};
use serde::Serialize;
use skilltree_dispatch::prompt::{self, Recipe};
use skilltree_dispatch::select::Shadowed;
use skilltree_front_matter::text;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::rule::{Finding, Subject};
use skilltree_report::render::{self, escape};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::Owner;
use skilltree_skills::skill::SkillId;

use super::Status;
use super::again::Again;
use super::args::{Common, List, ReadFormat};
use super::configuration;
use super::elsewhere;
use super::environment;
use super::external;
use super::output;
use super::request::Request;
use super::session;
use crate::failure::Failure;
use crate::prompt as dispatch;
use crate::purpose::Purpose;
use crate::session::Session;

/// The JSON of `list`.
#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    skills: Vec<ListedSkill>,
    shadowed: Vec<Hidden>,
    errors: Vec<Problem>,
}

#[derive(Serialize)]
struct ListedSkill {
    name: String,
    description: String,
    short_description: Option<String>,
    root: Option<String>,
    path: Option<String>,
    /// Its other paths, through links.
    links: Vec<String>,
}

/// A skill outside the repository that another one with the same name shadows.
#[derive(Serialize)]
struct Hidden {
    name: String,
    path: String,
    by: String,
}

/// Why a file is rejected: a finding, or a read error.
#[derive(Serialize)]
struct Problem {
    path: String,
    rule: Option<String>,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    /// Whether the summary counts it: it is about a skill; those of the system count only with `--verbose`.
    #[serde(skip)]
    is_rejected: bool,
}

pub(super) fn run(common: &Common, list: &List) -> Result<Status, Failure> {
    let profile = list.profile.as_deref();
    let here = list.external.is_wanted() || profile.is_some();
    let paths = if !here && session::is_outside(common, &list.source)? { vec![".".into()] } else { Vec::new() };
    let request = Request {
        external: Some(&list.external),
        profile,
        here,
        paths: &paths,
        purpose: Purpose::List,
        ..Request::default()
    };
    let session = session::open(common, &list.source, &request)?;
    let stderr = output::Stderr::new(common);
    configuration::report(&stderr, &session);
    external::warn_home(&stderr, &list.external, profile);
    let recipe = profile.map(|id| dispatch::of_profile(&session, id)).transpose()?;
    let (skills, shadowed) = external::visible(&session.report.accepted(), recipe.as_ref());
    let catalog = &session.report.catalog;
    let by_directory = recipe.as_ref().is_some_and(|recipe| recipe.by_directory);
    let name = |id: SkillId| catalog.skill(id).known_as(by_directory).into_owned();
    let listing = Listing {
        schema: "skilltree/list/v1",
        skills: by_file(catalog, &skills).into_iter().map(|(id, links)| entry(catalog, id, name(id), &links)).collect(),
        shadowed: shadowed.iter().map(|shadowed| hidden(catalog, *shadowed, name(shadowed.skill))).collect(),
        errors: problems(&session, recipe.as_ref(), &session.excerpts()?, common.verbose),
    };
    external::report(&stderr, catalog, &shadowed, &session.unread, common.verbose);
    elsewhere::report(&stderr, &session.config, profile, catalog);
    output::stdout(common, |out| match list.format {
        ReadFormat::Json => render::write_pretty(&listing, out),
        ReadFormat::Text => write_text(out, &listing),
    })?;
    if let ReadFormat::Text = list.format {
        let check = Again { external: Some(&list.external), ..Again::of(common, &list.source) }.command("check");
        stderr.info(&summary(&listing, &session.description()?, &check));
        session.explain_empty(&stderr);
    }
    Ok(Status::Clean)
}

/// Returns each skill once, with the skills that are links to it. A skill stands for its links if it is listed too, and otherwise the
/// first of them.
pub(super) fn by_file(catalog: &Catalog, skills: &[SkillId]) -> Vec<(SkillId, Vec<SkillId>)> {
    let file = |id: SkillId| catalog.file(catalog.skill(id).file);
    let mut places: HashMap<&BString, usize> = HashMap::new();
    let mut all: Vec<(SkillId, Vec<SkillId>)> = Vec::with_capacity(skills.len());
    for &id in skills {
        let place = *places.entry(file(id).shown_path()).or_insert(all.len());
        match all.get_mut(place) {
            None => all.push((id, Vec::new())),
            Some((first, links)) if file(id).through.is_none() => links.push(std::mem::replace(first, id)),
            Some((_, links)) => links.push(id),
        }
    }
    all
}

fn entry(catalog: &Catalog, id: SkillId, name: String, links: &[SkillId]) -> ListedSkill {
    let skill = catalog.skill(id);
    let root = catalog.root(skill.root);
    let open_path = |path| root.open_path(path).map(text::lossless);
    let link = |&id: &SkillId| catalog.root(catalog.skill(id).root).open_path(catalog.path(id)).map(text::lossless);
    ListedSkill {
        name,
        description: skill.scalar("description").unwrap_or_default().to_owned(),
        short_description: prompt::short_description(skill),
        root: open_path(root.path.as_bstr()),
        path: open_path(catalog.path(id)),
        links: links.iter().filter_map(link).collect(),
    }
}

fn hidden(catalog: &Catalog, shadowed: Shadowed, name: String) -> Hidden {
    Hidden { name, path: text::lossless(catalog.path(shadowed.skill)), by: text::lossless(catalog.path(shadowed.by)) }
}

fn problems(session: &Session, recipe: Option<&Recipe>, excerpts: &Excerpts, verbose: bool) -> Vec<Problem> {
    let report = &session.report;
    let is_reported = |owner: Owner| verbose || owner != Owner::System;
    let problem = |finding: &Finding| {
        let start = excerpts.get(finding.place).start;
        let is_rejected = match finding.subject {
            Subject::Skill(skill) => is_reported(external::owner(&report.catalog, skill)),
            Subject::Root(_) | Subject::Tree | Subject::Config => false,
        };
        Problem {
            path: text::lossless(report.path(finding)),
            rule: Some(finding.rule.id().to_owned()),
            message: finding.message.clone(),
            line: Some(start.line),
            column: Some(start.column),
            is_rejected,
        }
    };
    let unread = session.unread.iter().map(|unread| Problem {
        path: text::lossless(unread.path.as_bstr()),
        rule: None,
        message: unread.message.clone(),
        line: None,
        column: None,
        is_rejected: is_reported(unread.owner),
    });
    let is_its = |finding: &&Finding| match (recipe, finding.subject) {
        (Some(recipe), Subject::Skill(skill)) => recipe.covers(&report.catalog, skill),
        _ => true,
    };
    report.rejecting().filter(is_its).map(problem).chain(unread).collect()
}

fn write_text(out: &mut dyn Write, listing: &Listing) -> io::Result<()> {
    // Rules about names can be off, and a name starts a line: it must not be a workflow command.
    let names: Vec<String> = listing.skills.iter().map(|skill| escape::path(skill.name.as_bytes().as_bstr())).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, skill) in names.iter().zip(&listing.skills) {
        let description = skill.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let columns = environment::width().saturating_sub(width + 2).max(20);
        writeln!(out, "{name:width$}  {}", escape::text(&shorten(&description, columns)))?;
    }
    Ok(())
}

/// Truncates a text to `limit` characters (code points), including an ellipsis.
fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}

/// Maximum number of links that the summary names.
const LINKS: usize = 2;

/// Names links to listed skills: ` (also read through .claude/skills/pdf/SKILL.md and 4 more links)`.
fn links(listing: &Listing) -> String {
    let links: Vec<&String> = listing.skills.iter().flat_map(|skill| &skill.links).collect();
    if links.is_empty() {
        return String::new();
    }
    let mut named: Vec<String> = links.iter().take(LINKS).map(|link| escape::path(link.as_bytes().as_bstr())).collect();
    let more = links.len() - named.len();
    if more > 0 {
        named.push(format!("{} more {}", text::grouped(more), if more == 1 { "link" } else { "links" }));
    }
    format!(" (also read through {})", text::joined(&named))
}

fn summary(listing: &Listing, source: &str, check: &str) -> String {
    let skills = format!("{}{}", render::count(listing.skills.len(), "skill"), links(listing));
    let source = escape::text(source);
    let mut paths: Vec<&str> =
        listing.errors.iter().filter(|problem| problem.is_rejected).map(|problem| problem.path.as_str()).collect();
    paths.dedup();
    match paths.len() {
        0 => format!("{skills} in {source}"),
        out => {
            format!("{skills} in {source}; {} rejected: run `{check}` to see why", render::count(out, "file"))
        }
    }
}
