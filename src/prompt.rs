//! The prompt artifact: which skills it contains, and what it is built from.

use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Artifact, Contents, Described, Material, Recipe, SourceError};
use skilltree_dispatch::select::{self, Caps, Names, Refusal, Task};
use skilltree_front_matter::text::FileId;
use skilltree_lint::config;
use skilltree_lint::rule::{Finding, Subject};
use skilltree_runtimes::profile::Rendering;
use skilltree_skills::records::{Fault, KNOWLEDGE, Knowledge, Records, THREADS, Threads};
use skilltree_skills::snapshot::{Body, File, ObjectId, Unread};

use crate::digest::{self, Asked, Cover};
use crate::failure::{Failure, did_you_mean};
use crate::options::{CatalogFile, Matcher, Options, PromptOptions, Selection};
use crate::recorded;
use crate::session::Session;
use crate::skipped::SkippedSkills;
use crate::template;

/// The profile of a tree whose WORKFLOW.md has `agent.skills`.
pub(crate) const SYMPHONY: &str = "symphony";

/// Returns the recipe of the block: from the profile, the configuration and the options.
pub(crate) fn recipe(session: &Session, options: &Options, wanted: &PromptOptions) -> Result<Recipe, Failure> {
    let roots = &session.report.catalog.parsed.roots;
    let recipe = match &options.profile {
        None if session.config.dispatch.workflow => of_profile(session, SYMPHONY)?,
        None => Recipe::everywhere(roots),
        Some(id) => of_profile(session, id)?,
    };
    let budget = wanted.budget;
    let mut recipe = recipe.limited(&session.config.limits, session.config.dispatch.cap);
    // A number that nobody set does not limit one that somebody asks for.
    if budget.skills.is_some() && session.config.dispatch.cap.or(session.config.limits.prompt_skills).is_none() {
        recipe.limits.skills = None;
    }
    let recipe = Recipe {
        selection: selection(&wanted.selection, &recipe, session)?,
        knowledge: !wanted.without_knowledge,
        budget: Caps {
            skills: budget.skills.or(recipe.budget.skills),
            bytes: budget.bytes.or(recipe.budget.bytes),
            chars: budget.chars.or(recipe.budget.chars),
            tokens: budget.tokens.or(recipe.budget.tokens),
        },
        each: Caps {
            skills: None,
            bytes: budget.each_bytes.or(recipe.each.bytes),
            chars: budget.each_chars.or(recipe.each.chars),
            tokens: budget.each_tokens.or(recipe.each.tokens),
        },
        ..recipe
    };
    let (rendering, mentioned) = match wanted.messages {
        true => (Rendering::Messages, Rendering::Messages),
        false => (recipe.rendering, recipe.mentioned),
    };
    let template = template::chosen(&session.place, &session.source, &session.config, options, wanted)?;
    let enabled = session.config.dispatch.enabled;
    let options = recorded::options(options, wanted);
    Ok(Recipe { enabled, rendering, mentioned, template, options, ..recipe })
}

/// Returns the recipe of a profile with a prompt block.
///
/// # Errors
/// When there is no such profile.
pub(crate) fn of_profile(session: &Session, id: &str) -> Result<Recipe, Failure> {
    let profiles = &session.config.profiles;
    let renders = || profiles.ids().filter(|id| profiles.find(id).is_some_and(|profile| profile.prompt.is_some()));
    let found = profiles.find(id).and_then(|profile| Recipe::of(profile, &session.report.catalog.parsed.roots));
    let unknown = || {
        let known = renders().collect::<Vec<_>>().join(", ");
        Failure::new(format!("there is no profile `{id}` with a prompt block{}", did_you_mean(id, renders())))
            .help(format!("the profiles with a prompt block are {known}"))
    };
    found.ok_or_else(|| config::faulty(profiles, id).map_or_else(unknown, Failure::from))
}

fn selection(wanted: &Selection, recipe: &Recipe, session: &Session) -> Result<select::Selection, Failure> {
    let records = &session.report.catalog.parsed.records;
    Ok(match wanted {
        Selection::All => select::Selection::All,
        Selection::Task { text, matcher, top, role, id } => {
            let matcher = match matcher {
                Matcher::Auto if has_tags(session, recipe) => select::Matcher::Tags,
                Matcher::Tags => select::Matcher::Tags,
                Matcher::Auto | Matcher::Bm25 => select::Matcher::Bm25,
            };
            let (text, id, role) = (text.clone(), id.clone(), role.clone());
            let top = top.or(recipe.top);
            select::Selection::Task(Task { text, id, role, requires_role: recipe.requires_role, top, matcher })
        }
        Selection::Mention(text) => select::Selection::Mentioned(text.clone()),
        Selection::Skills(names) => select::Selection::Named(names.clone()),
        Selection::Thread(_) | Selection::ActiveThread => {
            require_threads(session)?;
            let active = records.threads.as_ref().and_then(|threads| threads.active.as_deref());
            let thread = match wanted {
                Selection::Thread(thread) => thread.as_str(),
                _ => active.ok_or_else(no_active_thread)?,
            };
            let found = records.threads.as_ref().and_then(|threads| threads.find(thread));
            let names = found.map(|found| found.bound.iter().map(|name| name.value.clone()).collect());
            select::Selection::Bound { thread: thread.to_owned(), names: names.unwrap_or_default() }
        }
    })
}

/// Returns whether some skill that the block can contain has tags.
fn has_tags(session: &Session, recipe: &Recipe) -> bool {
    let catalog = &session.report.catalog;
    session.report.accepted().iter().any(|(id, skill)| recipe.covers(catalog, id) && !skill.words("tags").is_empty())
}

/// Fails if the file of threads exists and could not be read.
pub(crate) fn require_threads(session: &Session) -> Result<(), Failure> {
    let mut unread = session.report.catalog.parsed.records.unread.iter();
    match unread.find(|unread| unread.path == THREADS) {
        Some(unread) => Err(Failure::new(unread.message.clone()).help("make it readable")),
        None => Ok(()),
    }
}

/// Returns the files that the block of a recipe would contain, but that could not be read.
pub(crate) fn unread(session: &Session, recipe: &Recipe) -> Vec<Unread> {
    let records = session.report.catalog.parsed.records.unread.iter();
    let records = records.filter(|unread| unread.path == KNOWLEDGE && recipe.takes_knowledge());
    session.unread.iter().chain(records).cloned().collect()
}

fn no_active_thread() -> Failure {
    Failure::new(format!("`{THREADS}` names no active thread"))
        .help("name the thread: `--thread ID`, or run `skilltree agent thread activate ID`")
}

/// Data of an artifact that its skills do not hold.
#[derive(Default)]
pub(crate) struct Given {
    /// Contents of the files that the block needs.
    pub(crate) contents: Contents,
    /// The ids of the trees of the roots, in their order.
    pub(crate) trees: Vec<Option<ObjectId>>,
    /// The digest of everything that the artifact depends on.
    pub(crate) digest: Option<String>,
    /// The skills of the catalog.
    pub(crate) catalog: Option<Vec<Described>>,
}

/// Returns the digest of everything that an artifact depends on.
pub(crate) fn digest(session: &Session, options: &Options, wanted: &PromptOptions) -> Result<Option<String>, Failure> {
    let Session { place, source, config, report, .. } = session;
    let parsed = &report.catalog.parsed;
    // A link that leads nowhere counts too: its target can appear.
    if !parsed.unread.is_empty() {
        return Ok(None);
    }
    let is_link = |file: &File| file.through.is_some() || matches!(file.body, Body::Symlink { .. });
    let links = parsed.files.iter().any(is_link);
    let asked = Asked { place, source, config, options, wanted };
    Ok(digest::digests(&asked, &[Cover { links, day: session.has_until() }])?
        .and_then(|digests| digests.into_iter().next()))
}

/// The number of files that are read at a time for a catalog: their contents are in memory together.
const CHUNK: usize = 512;

/// Describes the skills of a catalog.
pub(crate) fn describe(session: &Session, recipe: &Recipe, wanted: CatalogFile) -> Option<Vec<Described>> {
    let has_bodies = match wanted {
        CatalogFile::Absent => return None,
        CatalogFile::WithoutBodies => false,
        CatalogFile::WithBodies => true,
    };
    let catalog = &session.report.catalog;
    let skills = prompt::selectable(&session.report.accepted(), recipe);
    let names = Names::new(&skills, catalog, recipe.by_directory);
    let described = skills.chunks(CHUNK).flat_map(|skills| {
        let contents = read(session, &skills.iter().map(|&id| catalog.skill(id).file).collect::<Vec<_>>());
        prompt::describe(catalog, recipe, skills, &names, &contents, has_bodies)
    });
    Some(described.collect())
}

/// Builds the artifact of a recipe.
///
/// # Errors
/// When the recipe refuses the selection, for example two skills that bring the same tool, or a template fails.
pub(crate) fn build(
    session: &Session,
    skipped: SkippedSkills,
    given: Given,
    recipe: &Recipe,
) -> Result<Artifact, Failure> {
    let (threads, knowledge) = records(session, recipe);
    let records = [threads.map(|threads| threads.file), knowledge.map(|knowledge| knowledge.file)];
    let records = records.into_iter().flatten().map(|file| session.report.catalog.file(file));
    let faults = faults(session, recipe).into_iter();
    let faults = faults.map(|(file, fault)| SourceError { source: file.to_owned(), message: fault.message.clone() });
    let material = Material {
        contents: given.contents,
        trees: given.trees,
        digest: given.digest,
        config: session.config.files.iter().chain(records).map(|file| (file.path.clone(), file.id)).collect(),
        skipped: skipped.skipped,
        settings: skipped.settings,
        errors: skipped.errors.into_iter().chain(faults).collect(),
    };
    let artifact = prompt::build(&session.report.accepted(), recipe, &material, given.catalog.as_deref());
    match artifact.refused.first() {
        Some(refusal) => {
            let failure = Failure::new(refusal.message.clone());
            let failure = refusal.help.iter().fold(failure, |failure, help| failure.help(help.clone()));
            Err(Failure { details: reasons(session, refusal), ..failure })
        }
        None => Ok(artifact),
    }
}

/// Returns the errors of a skill that a request names.
fn reasons(session: &Session, refusal: &Refusal) -> Vec<String> {
    let Some(skill) = refusal.skill else { return Vec::new() };
    let is_its = |finding: &&Finding| finding.subject == Subject::Skill(skill);
    let found = session.report.rejecting().filter(is_its);
    found.map(|finding| format!("{}: {}", finding.rule.id(), finding.message)).collect()
}

/// Reads the files that a recipe needs again. A file that can no longer be read is missing; the artifact reports it.
pub(crate) fn contents(session: &Session, accepted: &Accepted<'_>, recipe: &Recipe) -> Contents {
    read(session, &prompt::wanted(accepted, recipe))
}

fn read(session: &Session, wanted: &[FileId]) -> Contents {
    let files: Vec<_> = wanted.iter().map(|&file| session.report.catalog.file(file).clone()).collect();
    let wanted = wanted.iter().copied();
    match session.source.bodies(&files) {
        Ok(bodies) => wanted.zip(bodies).collect(),
        Err(_) => {
            let body = |(id, file)| Some((id, session.source.bodies(std::slice::from_ref(file)).ok()?.pop()?));
            wanted.zip(&files).filter_map(body).collect()
        }
    }
}

/// Returns the threads, if the recipe selects by thread, and the shared knowledge, if the block contains it.
fn records<'s>(session: &'s Session, recipe: &Recipe) -> (Option<&'s Threads>, Option<&'s Knowledge>) {
    let Records { threads, knowledge, .. } = &session.report.catalog.parsed.records;
    let is_bound = matches!(recipe.selection, select::Selection::Bound { .. });
    (threads.as_ref().filter(|_| is_bound), knowledge.as_ref().filter(|_| recipe.takes_knowledge()))
}

/// Returns the faults of these records, each with its file.
pub(crate) fn faults<'s>(session: &'s Session, recipe: &Recipe) -> Vec<(&'static str, &'s Fault)> {
    let (threads, knowledge) = records(session, recipe);
    let threads = threads.into_iter().flat_map(|threads| &threads.faults).map(|fault| (THREADS, fault));
    let knowledge = knowledge.into_iter().flat_map(|knowledge| &knowledge.faults).map(|fault| (KNOWLEDGE, fault));
    threads.chain(knowledge).collect()
}
