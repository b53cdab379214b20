//! `show`: the body of one skill that can go into a prompt.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use serde::Serialize;
use skilltree_dispatch::prompt::{self, Recipe};
use skilltree_front_matter::text;
use skilltree_report::render;
use skilltree_skills::skill::SkillId;

use super::Status;
use super::again::Again;
use super::args::{Common, Show, ShowFormat};
use super::configuration;
use super::external;
use super::graph;
use super::list;
use super::output::{self, Stderr};
use super::request::Request;
use super::session;
use crate::failure::{Failure, did_you_mean};
use crate::prompt as dispatch;
use crate::purpose::Purpose;
use crate::session::Session;

pub(super) fn run(common: &Common, show: &Show) -> Result<Status, Failure> {
    let profile = show.profile.as_deref();
    let here = show.external.is_wanted() || profile.is_some();
    // A graph also reads the other files of a skill.
    let purpose = if show.graph { Purpose::Check } else { Purpose::List };
    let paths = if !here && session::is_outside(common, &show.source)? { vec![".".into()] } else { Vec::new() };
    let request =
        Request { external: Some(&show.external), profile, here, purpose, paths: &paths, ..Request::default() };
    let session = session::open(common, &show.source, &request)?;
    let stderr = Stderr::new(common);
    configuration::report(&stderr, &session);
    external::warn_home(&stderr, &show.external, profile);
    external::report(&stderr, &session.report.catalog, &[], &session.unread, common.verbose);
    let recipe = profile.map(|id| dispatch::of_profile(&session, id)).transpose()?;
    let again = Again { external: Some(&show.external), ..Again::of(common, &show.source) };
    let id = find(&session, recipe.as_ref(), show, again)?;
    if show.graph {
        return graph::write(common, show.format, &session, id).map(|()| Status::Clean);
    }
    let catalog = &session.report.catalog;
    let skill = catalog.skill(id);
    let contents = session.source.bodies(&[catalog.file(skill.file).clone()])?;
    let start = skill.body.as_ref().map_or(0, |body| body.start as usize);
    let body = contents.first().and_then(|content| content.get(start..)).unwrap_or_default();
    match show.format {
        ShowFormat::Dot => {
            return Err(Failure::new("the format dot needs `--graph`").help("add `--graph`, or use `--format text`"));
        }
        ShowFormat::Text => output::bytes(common, body)?,
        ShowFormat::Json => output::stdout(common, |out| {
            let shown = Shown {
                schema: "skilltree/show/v1",
                name: skill.name().unwrap_or_default(),
                description: skill.scalar("description").unwrap_or_default(),
                short_description: prompt::short_description(skill),
                path: catalog.root(skill.root).open_path(catalog.path(id)).map(text::lossless),
                body: String::from_utf8_lossy(body),
            };
            render::write_pretty(&shown, out)
        })?,
    }
    Ok(Status::Clean)
}

/// The JSON of `show`.
#[derive(Serialize)]
struct Shown<'a> {
    schema: &'static str,
    name: &'a str,
    description: &'a str,
    short_description: Option<String>,
    path: Option<String>,
    body: Cow<'a, str>,
}

/// Finds the skill with this name, directory or path. An ambiguous name is a failure, and a rejected skill too, unless its graph is
/// wanted.
fn find(session: &Session, recipe: Option<&Recipe>, show: &Show, again: Again<'_>) -> Result<SkillId, Failure> {
    let catalog = &session.report.catalog;
    let name = show.name.as_str();
    let path = session.source.repository_path(&session.typed_in.join(name));
    let is_named = |id: &SkillId| catalog.skill(*id).name() == Some(name);
    let is_directory = |id: &SkillId| catalog.skill(*id).directory == name;
    let is_at = |id: &SkillId| {
        let own = catalog.path(*id);
        path.as_ref().is_some_and(|path| path == own || path.as_bstr() == text::parent(own))
    };
    let accepted = match show.graph {
        true => catalog.skills().map(|(id, _)| id).collect(),
        false => external::visible(&session.report.accepted(), recipe).0,
    };
    let ways: [&dyn Fn(&SkillId) -> bool; 3] = [&is_named, &is_directory, &is_at];
    let found = |is: &&dyn Fn(&SkillId) -> bool| -> Vec<SkillId> { accepted.iter().copied().filter(is).collect() };
    let found = ways.iter().map(found).find(|found| !found.is_empty()).unwrap_or_default();
    // A skill that links lead to is one skill.
    let found: Vec<SkillId> = list::by_file(catalog, &found).into_iter().map(|(id, _)| id).collect();
    match found.as_slice() {
        [id] => Ok(*id),
        [] => Err(missing(session, name, &accepted, again)),
        several => {
            let paths: Vec<String> = several.iter().map(|&id| format!("`{}`", catalog.path(id))).collect();
            Err(Failure::new(format!("`{name}` is the name of {} skills: {}", several.len(), paths.join(", ")))
                .help("choose one by its path"))
        }
    }
}

fn missing(session: &Session, name: &str, accepted: &[SkillId], again: Again<'_>) -> Failure {
    let catalog = &session.report.catalog;
    let rejected = catalog.skills().find(|(id, skill)| {
        !accepted.contains(id) && (skill.name() == Some(name) || skill.directory.as_bstr() == BStr::new(name))
    });
    match rejected {
        Some((id, _)) => Failure::new(format!("`{name}` cannot go into a prompt: see `{}`", catalog.path(id)))
            .help(format!("run `{}` to see why", again.command("check"))),
        None => {
            if let Some(unread) = session.unread.iter().find(|unread| unread.is_skill(name.into())) {
                return Failure::new(format!("the skill `{name}` is skipped: {}", unread.message))
                    .help("make it readable");
            }
            let near = did_you_mean(name, accepted.iter().filter_map(|&id| catalog.skill(id).name()));
            Failure::new(format!("there is no skill `{name}`{near}"))
                .help(format!("run `{}` to list the skills", again.command("list")))
        }
    }
}
