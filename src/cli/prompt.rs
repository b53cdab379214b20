//! `prompt`: the block that a dispatcher injects, its index, and a comment about skipped skills.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree_dispatch::prompt::{Artifact, Name, Recipe, Skipped};
use skilltree_dispatch::select::{Reason, Selection};
use skilltree_report::render::escape;
use skilltree_skills::characters;
use skilltree_skills::keys::DISABLE_MODEL_INVOCATION;
use skilltree_skills::roots::{self, RootId};
use skilltree_skills::skill::SkillId;

mod empty;
mod selection;
mod unchanged;
mod verify;

use super::Status;
use super::again::Again;
use super::args::{Common, Prompt, PromptFormat};
use super::configuration;
use super::destination;
use super::elsewhere;
use super::external;
use super::files;
use super::output::{self, Stderr};
use super::request::{self, Request};
use super::session;
use crate::failure::Failure;
use crate::options::CatalogFile;
use crate::prompt::{self as dispatch, Given};
use crate::purpose::Purpose;
use crate::session::Session;
use crate::skipped::SkippedSkills;

/// The cap of reported faults in records. Our choice; an agent can repeat a faulty line many times.
const SHOWN_FAULTS: usize = 20;

pub(super) fn run(common: &Common, arguments: &Prompt) -> Result<Status, Failure> {
    let recorded = verify::recorded(arguments)?;
    let arguments = recorded.as_ref().unwrap_or(arguments);
    let stderr = Stderr::new(common);
    let external = Some(&arguments.external);
    let profile = arguments.profile.as_deref();
    let here = arguments.external.is_wanted() || profile.is_some();
    let rules = &arguments.rules;
    let request = Request { rules, external, profile, here, purpose: Purpose::Prompt, ..Request::default() };
    let wanted = selection::options(arguments)?;
    let options = request::options(&arguments.source, &request);
    if let Some(digest) = &arguments.if_changed
        && unchanged::is(common, &arguments.source, &request, &wanted, digest)?
    {
        return Ok(Status::Clean);
    }
    let session = session::open(common, &arguments.source, &request)?;
    configuration::report(&stderr, &session);
    external::warn_home(&stderr, &arguments.external, profile);
    let excerpts = session.excerpts()?;
    let recipe = dispatch::recipe(&session, &options, &wanted)?;
    let is_block = arguments.out.is_none() && arguments.verify.is_none() && arguments.format == PromptFormat::Block;
    // A block alone shows neither trees nor a digest.
    let trees = if is_block { Vec::new() } else { session.source.trees(&session.report.catalog.parsed)? };
    let digest = if is_block { None } else { dispatch::digest(&session, &options, &wanted)? };
    selection::warn_role(&stderr, &session, &arguments.selection);
    selection::warn_task_id(&stderr, &arguments.selection, &recipe);
    let recipes = if arguments.per_root { split(&session, &recipe)? } else { vec![(None, recipe)] };

    let check = check(common, arguments);
    // Everything is built before anything is written: a failure does not change an existing artifact.
    let mut built = Vec::new();
    for (folder, recipe) in recipes {
        let unread = dispatch::unread(&session, &recipe);
        let skipped = SkippedSkills::new(&session.report, &unread, &excerpts, &recipe);
        report_skipped(&stderr, &skipped.skipped);
        let artifact = {
            let given = Given { trees: trees.clone(), digest: digest.clone(), ..Given::default() };
            build(&session, skipped, given, wanted.catalog, &recipe)?
        };
        report_dropped(&stderr, &session, &artifact);
        report_missing(&stderr, &artifact, &recipe);
        report_faults(&stderr, &session, &recipe, &check);
        empty::report(&stderr, &session, &artifact, &recipe, &check);
        external::report(&stderr, &session.report.catalog, &artifact.selected.shadowed, &unread, common.verbose);
        built.push((folder, artifact));
    }
    if matches!(wanted.selection, crate::options::Selection::All) {
        report_elsewhere(&stderr, &session, profile)?;
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
        return verify::report(&stderr, directory, &in_directories(directory));
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

/// Returns the command that says why the block does not contain a skill. A profile takes what its runtime loads.
fn check(common: &Common, arguments: &Prompt) -> String {
    let targets: Vec<String> = arguments.profile.iter().cloned().collect();
    let external = Some(&arguments.external);
    Again { external, targets: &targets, ..Again::of(common, &arguments.source) }.command("check")
}

/// Reports skills in directories that the block does not contain.
fn report_elsewhere(stderr: &Stderr, session: &Session, profile: Option<&str>) -> Result<(), Failure> {
    if !session.config.dispatch.enabled {
        return Ok(());
    }
    let found = || session.source.elsewhere(&Purpose::List.roots(&session.config));
    Ok(elsewhere::report_found(stderr, &session.config, profile, found)?)
}

/// Splits a recipe by skills directory, each with the path of its artifact. These paths come from the repository: a path outside
/// the output directory is refused.
fn split(session: &Session, recipe: &Recipe) -> Result<Vec<(Option<String>, Recipe)>, Failure> {
    let options = [&recipe.options[..], &[verify::PER_ROOT.to_owned()]].concat();
    let part = |&root: &RootId| {
        let path = session.report.catalog.root(root).path.to_str().ok().and_then(roots::normalise);
        match path.filter(|path| characters::visible(path) == *path && !path.contains('\\')) {
            Some(path) => Ok((Some(path), Recipe { roots: vec![root], options: options.clone(), ..recipe.clone() })),
            None => Err(Failure::new("the path of a skills directory cannot be used as an output directory")
                .help("run `skilltree check` to see which")),
        }
    };
    recipe.roots.iter().map(part).collect()
}

fn build(
    session: &Session,
    skipped: SkippedSkills,
    given: Given,
    catalog: CatalogFile,
    recipe: &Recipe,
) -> Result<Artifact, Failure> {
    let accepted = session.report.accepted();
    let contents = dispatch::contents(session, &accepted, recipe);
    let given = Given { contents, catalog: dispatch::describe(session, recipe, catalog), ..given };
    dispatch::build(session, skipped, given, recipe)
}

/// Reports skills with errors, and the rules that report them.
fn report_skipped(stderr: &Stderr, skipped: &[Skipped]) {
    for Skipped { path, problems } in skipped {
        let mut rules: Vec<&str> = problems.iter().map(|problem| problem.rule.as_str()).collect();
        rules.dedup();
        stderr.info(&format!("skipped {}: {}", escape::path(path.as_bstr()), rules.join(", ")));
    }
}

/// Reports accepted skills that a limit keeps out of the block.
fn report_dropped(stderr: &Stderr, session: &Session, artifact: &Artifact) {
    let catalog = &session.report.catalog;
    for dropped in artifact.selected.dropped.iter().filter(|dropped| dropped.reason.is_loss()) {
        let name = catalog.skill(dropped.skill).shown_name();
        let path = escape::path(catalog.path(dropped.skill));
        stderr.info(&format!("dropped {} ({path}): {}", escape::text(&name), escape::text(&dropped.detail)));
    }
    report_disabled(stderr, session, artifact);
}

/// Reports skills that only a person may start.
fn report_disabled(stderr: &Stderr, session: &Session, artifact: &Artifact) {
    let dropped = artifact.selected.dropped.iter();
    let disabled = dropped.filter(|dropped| dropped.reason == Reason::ModelInvocationDisabled);
    let skills: Vec<SkillId> = disabled.map(|dropped| dropped.skill).collect();
    if !skills.is_empty() {
        let names = session.report.catalog.name_list(&skills, SHOWN_FAULTS);
        stderr.info(&format!("skipped {names}: `{DISABLE_MODEL_INVOCATION}` is true, so only a person can start them"));
    }
}

/// Reports faults of threads and shared knowledge.
fn report_faults(stderr: &Stderr, session: &Session, recipe: &Recipe, check: &str) {
    let faults = dispatch::faults(session, recipe);
    for (file, fault) in faults.iter().take(SHOWN_FAULTS) {
        stderr.info(&format!("{file}: {}", escape::text(&fault.message)));
    }
    if let Some(more @ 1..) = faults.len().checked_sub(SHOWN_FAULTS) {
        stderr.info(&format!("and {more} more: run `{check}` to see them"));
    }
}

/// Reports bound skills that are missing from the block.
fn report_missing(stderr: &Stderr, artifact: &Artifact, recipe: &Recipe) {
    let Selection::Bound { thread, names } = &recipe.selection else { return };
    if names.is_empty() {
        stderr.info(&format!("the thread {} has no bound skills", escape::text(thread)));
    }
    for name in &artifact.selected.missing {
        stderr.info(&format!("skipped {}: it is bound, but no accepted skill has this name", escape::text(name)));
    }
}
