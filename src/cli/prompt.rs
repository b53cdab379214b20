//! `prompt`: the block that a dispatcher injects, its index, and a comment about what was skipped.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree::accept::Accepted;
use skilltree::config;
use skilltree::profile::Rendering;
use skilltree::prompt::{self, Artifact, Contents, Material, Name, Recipe, Skipped, SourceError};
use skilltree::records::{Fault, KNOWLEDGE, Knowledge, Records, THREADS, Threads};
use skilltree::render::{self, escape};
use skilltree::roots::{self, RootId};
use skilltree::select::{Selected, Selection};
use skilltree::snapshot::ObjectId;
use skilltree::{characters, select};

mod left_out;
mod qmd;
mod selection;
mod template;

use left_out::LeftOut;

use super::Status;
use super::args::{Common, Prompt, PromptFormat};
use super::beside;
use super::configuration;
use super::destination;
use super::failure::{Failure, did_you_mean};
use super::files;
use super::output::{self, Stderr};
use super::session::{Request, Session};

/// Faults of the records that are told (ours: 20; agents write the file, and a line is soon repeated).
const SHOWN_FAULTS: usize = 20;

pub(super) fn run(common: &Common, arguments: &Prompt) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let beside = Some(&arguments.beside);
    let request = Request { beside, profile: arguments.profile.as_deref(), ..Request::default() };
    let session = Session::open(common, &arguments.source, &request)?;
    configuration::tell(&stderr, &session);
    beside::tell_home(&stderr, &arguments.beside, arguments.profile.as_deref());
    let excerpts = session.excerpts()?;
    let trees = session.source.trees(&session.report.catalog.parsed)?;
    let whole = recipe(&session, arguments)?;
    selection::tell_role(&stderr, &session, &arguments.selection);
    selection::tell_task_id(&stderr, &arguments.selection, &whole);
    let recipes = if arguments.per_root { split(&session, &whole)? } else { vec![(None, whole)] };

    // Everything is built before anything is written: a failure leaves the old artifact as it was.
    let mut built = Vec::new();
    for (folder, recipe) in recipes {
        let left_out = LeftOut::new(&session.report, &session.unread, &excerpts, &recipe);
        tell_skipped(&stderr, &left_out.skipped);
        let artifact = build(common, &session, left_out, &trees, &recipe)?;
        tell_dropped(&stderr, &session, &artifact);
        tell_missing(&stderr, &artifact, &recipe);
        tell_faults(&stderr, &session, &recipe);
        tell_nothing(&stderr, &session, &artifact, &recipe);
        let shadowed = &artifact.selected.shadowed;
        beside::tell(&stderr, &session.report.catalog, shadowed, &session.unread, common.verbose);
        built.push((folder, artifact));
    }
    let in_directories = |directory: &Path| -> Vec<(PathBuf, &Artifact)> {
        let place = |folder: &Option<String>| folder.as_ref().map_or(directory.to_owned(), |path| directory.join(path));
        built.iter().map(|(folder, artifact)| (place(folder), artifact)).collect()
    };
    if let Some(directory) = &arguments.out {
        let artifacts = in_directories(directory);
        let places = artifacts.iter().flat_map(|(place, _)| Name::ALL.map(|name| place.join(name.as_str())));
        let places: Vec<PathBuf> = places.collect();
        destination::refuse(&session, &places)?;
        destination::refuse_in_roots(&session, &places)?;
        files::artifacts(&common.watch, &artifacts)?;
        return Ok(Status::Clean);
    }
    if let Some(directory) = &arguments.verify {
        return verify(&stderr, directory, &in_directories(directory));
    }
    if arguments.selection.explain {
        let tables = built.iter().map(|(_, artifact)| selection::table(&session.report, artifact));
        output::stdout(common, |out| tables.into_iter().try_for_each(|table| out.write_all(table.as_bytes())))?;
        return Ok(Status::Clean);
    }
    let name = if arguments.format == PromptFormat::Json { Name::Index } else { Name::Block };
    built.iter().try_for_each(|(_, artifact)| output::bytes(common, artifact.file(name).unwrap_or_default()))?;
    Ok(Status::Clean)
}

fn verify(stderr: &Stderr, directory: &Path, built: &[(PathBuf, &Artifact)]) -> Result<Status, Failure> {
    let mut status = Status::Clean;
    for (directory, artifact) in built {
        for difference in files::differences(directory, artifact)? {
            stderr.line(&escape::text(&difference));
            status = Status::Found;
        }
    }
    if let Status::Found = status {
        let name = escape::text(&directory.display().to_string());
        stderr.say(&format!("`skilltree prompt --out {name}`, with the same options, writes it anew"));
    }
    Ok(status)
}

fn recipe(session: &Session, arguments: &Prompt) -> Result<Recipe, Failure> {
    let roots = &session.report.catalog.parsed.roots;
    let profiles = &session.config.profiles;
    let renders = || profiles.ids().filter(|id| profiles.find(id).is_some_and(|profile| profile.prompt.is_some()));
    let recipe = match &arguments.profile {
        None => Recipe::everywhere(roots),
        Some(id) => {
            let found = profiles.find(id).and_then(|profile| Recipe::of(profile, roots));
            let unknown = || {
                let known = renders().collect::<Vec<_>>().join(", ");
                Failure::new(format!("there is no profile `{id}` that renders a prompt{}", did_you_mean(id, renders())))
                    .help(format!("the profiles that do are {known}"))
            };
            found.ok_or_else(|| config::faulty(profiles, id).map_or_else(unknown, Failure::from))?
        }
    };
    let recipe = recipe.limited(&session.config.limits, session.config.dispatch.cap);
    let recipe =
        selection::apply(recipe, &arguments.selection, &arguments.budget, &session.report.catalog.parsed.records)?;
    let rendering = match (arguments.format, &recipe.selection) {
        (PromptFormat::Messages, _) => Rendering::Messages,
        (_, Selection::Mentioned(_)) => recipe.mentioned,
        _ => recipe.rendering,
    };
    let template = template::chosen(session, arguments)?;
    Ok(Recipe { enabled: session.config.dispatch.enabled, rendering, template, ..recipe })
}

/// A recipe for each root, and the directory that its artifact goes to. The path of a root comes from the tree: one that
/// would lead out of the directory is refused.
fn split(session: &Session, whole: &Recipe) -> Result<Vec<(Option<String>, Recipe)>, Failure> {
    let part = |&root: &RootId| {
        let path = session.report.catalog.root(root).path.to_str().ok().and_then(roots::normalise);
        match path.filter(|path| characters::visible(path) == *path && !path.contains('\\')) {
            Some(path) => Ok((Some(path), Recipe { roots: vec![root], ..whole.clone() })),
            None => {
                Err(Failure::new("a root has a path that cannot be a directory's").help("`skilltree check` says which"))
            }
        }
    };
    whole.roots.iter().map(part).collect()
}

fn build(
    common: &Common,
    session: &Session,
    left_out: LeftOut,
    trees: &[Option<ObjectId>],
    recipe: &Recipe,
) -> Result<Artifact, Failure> {
    let accepted = session.report.accepted();
    let contents = contents(session, &accepted, recipe);
    let (threads, knowledge) = records(session, recipe);
    let records = [threads.map(|threads| threads.file), knowledge.map(|knowledge| knowledge.file)];
    let records = records.into_iter().flatten().map(|file| session.report.catalog.file(file));
    let faults = faults(session, recipe);
    let recipe = &qmd::asked(common, session, &accepted, &contents, recipe)?;
    let material = Material {
        contents,
        trees: trees.to_vec(),
        config: session.config.files.iter().chain(records).map(|file| (file.path.clone(), file.id)).collect(),
        skipped: left_out.skipped,
        errors: left_out
            .quiet
            .into_iter()
            .chain(
                faults
                    .into_iter()
                    .map(|(file, fault)| SourceError { source: file.to_owned(), message: fault.message.clone() }),
            )
            .collect(),
    };
    let artifact = prompt::build(&accepted, recipe, &material);
    match artifact.refused.first() {
        Some(refusal) => {
            let failure = Failure::new(refusal.message.clone());
            Err(refusal.help.iter().fold(failure, |failure, help| failure.help(help.clone())))
        }
        None => Ok(artifact),
    }
}

/// The files that the recipe wants again. One that cannot be read any more is not among them: the artifact says so, and
/// the others are handed over.
fn contents(session: &Session, accepted: &Accepted<'_>, recipe: &Recipe) -> Contents {
    let wanted = prompt::wanted(accepted, recipe);
    let files: Vec<_> = wanted.iter().map(|&file| accepted.catalog.file(file).clone()).collect();
    match session.source.bodies(&files) {
        Ok(bodies) => wanted.into_iter().zip(bodies).collect(),
        Err(_) => {
            let body = |(id, file)| Some((id, session.source.bodies(std::slice::from_ref(file)).ok()?.pop()?));
            wanted.into_iter().zip(&files).filter_map(body).collect()
        }
    }
}

/// Says on standard error which skills were not accepted, and by which rule.
fn tell_skipped(stderr: &Stderr, skipped: &[Skipped]) {
    for Skipped { path, problems } in skipped {
        let mut rules: Vec<&str> = problems.iter().map(|problem| problem.rule.as_str()).collect();
        rules.dedup();
        stderr.say(&format!("skipped {}: {}", escape::path(path.as_bstr()), rules.join(", ")));
    }
}

/// Says on standard error which accepted skills had no room.
fn tell_dropped(stderr: &Stderr, session: &Session, artifact: &Artifact) {
    let catalog = &session.report.catalog;
    for dropped in artifact.selected.dropped.iter().filter(|dropped| dropped.reason.is_loss()) {
        let name = select::name(catalog.skill(dropped.skill));
        let path = escape::path(catalog.path(dropped.skill));
        stderr.say(&format!("dropped {} ({path}): {}", escape::text(&name), escape::text(&dropped.detail)));
    }
}

/// Says on standard error why a block is empty for which there are skills.
fn tell_nothing(stderr: &Stderr, session: &Session, artifact: &Artifact, recipe: &Recipe) {
    let Selected { skills, dropped, scores, .. } = &artifact.selected;
    let has_room = !dropped.iter().any(|dropped| dropped.reason.is_loss());
    let accepted = session.report.accepted().skills;
    let covered = accepted.into_iter().filter(|&skill| recipe.covers(&session.report.catalog, skill)).count();
    if !skills.is_empty() || !has_room || !recipe.enabled || covered == 0 {
        return;
    }
    let covered = render::count(covered, "accepted skill");
    match recipe.selection {
        Selection::Task(_) => stderr.say(&selection::nothing_fits(scores, &covered)),
        Selection::Mentioned(_) => stderr.say(&format!("the text mentions none of {covered}")),
        Selection::All | Selection::Named(_) | Selection::Bound { .. } => {}
    }
}

/// The records that have a say: threads where a thread is asked for, knowledge where the block takes it.
fn records<'s>(session: &'s Session, recipe: &Recipe) -> (Option<&'s Threads>, Option<&'s Knowledge>) {
    let Records { threads, knowledge, .. } = &session.report.catalog.parsed.records;
    let is_bound = matches!(recipe.selection, Selection::Bound { .. });
    (threads.as_ref().filter(|_| is_bound), knowledge.as_ref().filter(|_| recipe.takes_knowledge()))
}

/// What of them cannot be understood, and in which file.
fn faults<'s>(session: &'s Session, recipe: &Recipe) -> Vec<(&'static str, &'s Fault)> {
    let (threads, knowledge) = records(session, recipe);
    let threads = threads.into_iter().flat_map(|threads| &threads.faults).map(|fault| (THREADS, fault));
    let knowledge = knowledge.into_iter().flat_map(|knowledge| &knowledge.faults).map(|fault| (KNOWLEDGE, fault));
    threads.chain(knowledge).collect()
}

/// Says the same on standard error.
fn tell_faults(stderr: &Stderr, session: &Session, recipe: &Recipe) {
    let faults = faults(session, recipe);
    for (file, fault) in faults.iter().take(SHOWN_FAULTS) {
        stderr.say(&format!("{file}: {}", escape::text(&fault.message)));
    }
    if let Some(more @ 1..) = faults.len().checked_sub(SHOWN_FAULTS) {
        stderr.say(&format!("and {more} more; `skilltree check` shows each where it stands"));
    }
}

/// Says on standard error what a thread binds and does not get.
fn tell_missing(stderr: &Stderr, artifact: &Artifact, recipe: &Recipe) {
    let Selection::Bound { thread, names } = &recipe.selection else { return };
    if names.is_empty() {
        stderr.say(&format!("the thread {} binds nothing", escape::text(thread)));
    }
    for name in &artifact.selected.missing {
        stderr.say(&format!("left out {}: no accepted skill has the name that the thread binds", escape::text(name)));
    }
}
