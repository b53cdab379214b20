//! `new`: create a starter skill whose only findings ask for its text.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree_front_matter::text;
use skilltree_lint::rule::listed;
use skilltree_lint::rules::{placeholder_text, untracked_skill};
use skilltree_report::render::{self, escape};
use skilltree_runtimes::catalog;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_runtimes::scope;
use skilltree_skills::limits;
use skilltree_skills::name;
use skilltree_skills::quote;
use skilltree_skills::roots::{self, Discovery, Root, RootId};
use skilltree_skills::skill::STARTER_STEPS;
use skilltree_skills::snapshot::{Mode, Origin};

use super::Status;
use super::again::{self, Again};
use super::args::{self, Common, New};
use super::output::Stderr;
use super::request::Request;
use super::session;
use super::tree;
use crate::failure::Failure;
use crate::options::Overrides;
use crate::session::Session;

const TEMPLATE: &str = include_str!("templates/SKILL.md");

/// The minimum length of a tag, in letters. Source: SwarmAssistant.
const TAG: usize = 3;

/// The directory for the first skill next to a directory that exists already, each with the one that has it; else the one that most
/// runtimes read.
const FIRST_ROOTS: &[(&str, &str)] =
    &[(".claude", ".claude/skills"), (".symphony", ".symphony/skills"), (".agent", ".agent/skills")];
const FIRST_ROOT: &str = ".agents/skills";

pub(super) fn run(common: &Common, new: &New) -> Result<Status, Failure> {
    let request = Request { worktree: true, here: true, ..Request::default() };
    let session = session::open(common, &args::Source::default(), &request)?;
    let Some(top) = session.source.directory().map(Path::to_owned) else {
        return Err(Failure::new("there is no working tree to write a skill to").help("run it in a checkout"));
    };
    let root = root(new, &session)?;
    let overrides = Overrides { roots: new.root.iter().cloned().collect(), ..Overrides::default() };
    let source = args::Source { overrides, ..args::Source::default() };
    let open = || session::open(common, &source, &request);
    let session = if new.root.is_some() { open()? } else { session };
    let directory = if root.is_empty() { new.name.clone() } else { format!("{root}/{}", new.name) };
    refuse(new, &session, &directory)?;
    let path = format!("{directory}/SKILL.md");
    if top.join(&directory).symlink_metadata().is_ok() {
        return Err(Failure::new(format!("`{directory}` already exists"))
            .help("choose another name, or edit the existing skill"));
    }
    tree::create(&common.watch, &top, Path::new(&path), text(&new.name, &session, &root).as_bytes(), Mode::File)?;
    let stderr = Stderr::new(common);
    // The new skill makes its directory one that a check finds.
    let mut found = source.clone();
    found.overrides.roots.clear();
    let is_outside = matches!(session.source.origin(), Origin::Directory);
    let paths = if is_outside { vec![PathBuf::from(".")] } else { Vec::new() };
    let check = Again { paths: &paths, ..Again::of(common, &found) }.command("check");
    stderr.info(&format!("wrote {}: fill it in, then run `{check}`", escape::text(&path)));
    // The template cannot know the limits and rules of the repository.
    let mut session = open()?;
    stderr.info(&readers(&session, &root));
    session::keep(&mut session, &[top.join(PathBuf::from(&path))])?;
    let mut found: Vec<&str> = session.report.active().map(|finding| finding.rule.id()).collect();
    let all = found.len();
    // A new file is always untracked.
    found.retain(|id| *id != untracked_skill::RULE.id());
    if found.len() < all {
        stderr.info(&format!(
            "run `{}` to add it to the index",
            again::git_add(common, &session, &[path.as_bytes().as_bstr()])
        ));
    }
    let all = found.len();
    found.retain(|id| *id != placeholder_text::RULE.id());
    if found.len() < all {
        stderr.info(&format!("`{check}` warns until you replace each TODO"));
    }
    if !found.is_empty() {
        let count = render::count(found.len(), "finding");
        stderr.warn(&format!("`{check}` reports {count} for it: {}", found.join(", ")), None);
    }
    Ok(Status::Clean)
}

/// Returns the text of the starter skill: the common keys, and those that the profile of its skills directory lists or requires.
fn text(name: &str, session: &Session, root: &str) -> String {
    let patterns = session.config.roots.patterns.iter().map(|pattern| (pattern.glob.as_bytes(), &pattern.profile));
    let roots = session.report.catalog.parsed.roots.iter().map(|root| (root.path.as_slice(), &root.profile));
    let profile = roots.chain(patterns).find(|(path, _)| *path == root.as_bytes()).map(|(_, profile)| profile);
    let loads = profile.and_then(|profile| session.config.profiles.find(profile)).map(|profile| &profile.loads);
    let mut more = String::new();
    if loads.is_some_and(|loads| loads.listing.shown.iter().any(|key| key == "when_to_use")) {
        more.push_str("when_to_use: \"TODO: the tasks that need NAME.\"\n");
    }
    if loads.is_some_and(|loads| loads.fields.contains_key("tags")) {
        let is_tag = |word: &&str| word.len() >= TAG && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let tags: Vec<&str> = name.split('-').filter(is_tag).collect();
        more.push_str(&format!("tags: [{}]\n", if tags.is_empty() { "task".to_owned() } else { tags.join(", ") }));
    }
    if loads.is_some_and(|loads| loads.fields.contains_key("roles")) {
        more.push_str("roles: [builder, reviewer]\n");
    }
    TEMPLATE
        .replace("STEPS", STARTER_STEPS)
        .replace("MORE", &more)
        .replace("VALUE", &quote::name(name))
        .replace("NAME", name)
}

/// Returns the skills directory: the one that `--root` names, or else the one with the most skills.
fn root(new: &New, session: &Session) -> Result<String, Failure> {
    let parsed = &session.report.catalog.parsed;
    let Some(named) = &new.root else {
        let skills = |id: RootId| parsed.skills.iter().filter(|skill| skill.root == id).count();
        let ids = (0u32..).map(RootId).zip(&parsed.roots);
        // A pattern that matches no directory is no place for a skill.
        let is_one = |root: &Root| root.configured && !roots::has_wildcard(&root.path.to_str_lossy());
        // The top with skills in directories is a collection; with one of its own, it is a skill.
        let is_skill = |id: RootId| parsed.skills.iter().any(|skill| skill.root == id && skill.depth == 0);
        let is_used = |id: RootId, root: &Root| skills(id) > 0 && !(root.path.is_empty() && is_skill(id));
        let used = ids.filter(|(id, root)| is_one(root) || is_used(*id, root));
        let targets = targets(session);
        let readers = |id: RootId| targets.iter().filter(|target| session.report.catalog.reads(target, id)).count();
        let used = used.filter(|(id, _)| targets.is_empty() || readers(*id) > 0);
        let most = used.max_by_key(|(id, _)| (readers(*id), skills(*id), Reverse(*id)));
        if let (None, Some(pattern)) = (most, session.config.roots.patterns.iter().find(|pattern| pattern.is_glob())) {
            let fact = format!("no directory matches the root `{}`", escape::text(&pattern.glob));
            return Err(Failure::new(fact).help("name the directory that it should match: `--root PATH`"));
        }
        return Ok(most.map_or_else(|| first_root(session), |(_, root)| text::lossless(root.path.as_bstr())));
    };
    let config = &session.config.roots;
    let path = named.rsplit_once('=').map_or(named.as_str(), |(path, _)| path);
    let path = if path == "." { Some(String::new()) } else { roots::normalise(path) };
    let is_root = |path: &String| {
        let is_known = |known: &Discovery| known.is_known(path.as_bytes().as_bstr());
        parsed.roots.iter().any(|root| root.paths().any(|known| known == path.as_str()))
            || config.patterns.iter().any(|pattern| pattern.glob == *path && !pattern.is_glob())
            || config.discovery.as_ref().is_some_and(is_known)
    };
    path.filter(is_root).ok_or_else(|| {
        let known: Vec<String> =
            parsed.roots.iter().map(|root| format!("`{}`", escape::path(root.shown_path()))).collect();
        let known = if known.is_empty() { format!("`{FIRST_ROOT}`") } else { listed(&known) };
        Failure::new(format!("`{named}` is not a skills directory: `skilltree check` would not read it")).help(format!(
            "use {known}, or add `[[root]]` with `path = \"{}\"` to skilltree.toml first",
            named.trim_start_matches("./")
        ))
    })
}

/// Returns the runtimes that the configuration names.
fn targets(session: &Session) -> Vec<&Profile> {
    session.config.targets.iter().filter_map(|id| session.config.profiles.find(id)).collect()
}

/// Returns the directory that most targets read, of several the one that most runtimes read, else the first of the first target.
fn root_of_targets(session: &Session) -> Option<String> {
    let targets = targets(session);
    let paths = targets.iter().flat_map(|profile| scope::repository_roots(profile)).map(|known| known.path.as_str());
    let paths: Vec<&str> = paths.filter(|path| !roots::has_wildcard(path)).collect();
    let readers = |path: &&str| {
        let root = Root { path: (*path).into(), ..Root::default() };
        targets.iter().filter(|profile| scope::searches(profile, &root)).count()
    };
    let most = paths.iter().map(&readers).max()?;
    let mut best = paths.iter().filter(|path| readers(path) == most);
    let first = best.clone().find(|path| **path == FIRST_ROOT).or_else(|| best.next());
    first.map(|path| (*path).to_owned())
}

/// Returns the skills directory of a repository without skills.
fn first_root(session: &Session) -> String {
    if let Some(root) = root_of_targets(session) {
        return root;
    }
    let top = session.source.directory().map(Path::to_owned).unwrap_or_default();
    let is_there = |(directory, _): &&(&str, &str)| top.join(directory).is_dir();
    FIRST_ROOTS.iter().find(is_there).map_or(FIRST_ROOT, |(_, root)| root).to_owned()
}

/// Says which runtimes read a skills directory, the most used first: they search it, or people install from it.
fn readers(session: &Session, path: &str) -> String {
    let (profiles, catalog) = (&session.config.profiles, &session.report.catalog);
    let mut ids = (0u32..).map(RootId).zip(&catalog.parsed.roots);
    let known = ids.find(|(_, root)| root.paths().any(|known| known == path)).map(|(id, _)| id);
    let root = Root { path: path.into(), ..Root::default() };
    let reads =
        |profile: &Profile| known.map_or_else(|| scope::searches(profile, &root), |id| catalog.reads(profile, id));
    let is_reader = |profile: &&Profile| profile.kind == Kind::Runtime && reads(profile);
    let mut readers: Vec<&Profile> = profiles.ids().filter_map(|id| profiles.find(id)).filter(is_reader).collect();
    readers.sort_by_key(|profile| profile.usage_rank);
    let readers: Vec<&str> = readers.into_iter().map(|profile| profile.title.as_str()).collect();
    let is_published = known.is_some_and(|id| catalog.published()[id.index()]);
    match readers.as_slice() {
        readers if is_published => format!("people install it for {}", escape::text(&listed(readers))),
        [] => format!("no known runtime reads {}", escape::text(path)),
        readers => format!("read by {}", escape::text(&listed(readers))),
    }
}

/// Refuses a name that would have findings.
fn refuse(new: &New, session: &Session, directory: &str) -> Result<(), Failure> {
    let name = &new.name;
    if !name::is_well_formed(name) {
        let failure = Failure::new(format!("`{name}` is not a valid skill name"));
        return Err(match name::slug(name) {
            Some(slug) => failure.help(format!("use `{slug}`: lowercase letters and digits, joined by single hyphens")),
            None => failure.help("use lowercase letters `a` to `z` and digits, joined by single hyphens"),
        });
    }
    if name::is_device(name) {
        return Err(Failure::new(format!("`{name}` is a reserved device name on Windows"))
            .help("choose a more specific name of two words"));
    }
    let length = text::length(name).chars;
    if let Some(limit) =
        session.config.limits.name_chars.filter(|_| limits::over(session.config.limits.name_chars, length))
    {
        return Err(Failure::new(format!(
            "the name has {} characters; the limit is {}",
            text::grouped(length),
            text::grouped(limit)
        ))
        .help("choose a shorter name"));
    }
    let catalog = &session.report.catalog;
    let is_taken = |known: &str| catalog::identity(known) == catalog::identity(name);
    let taken = catalog.skills().find(|(_, skill)| skill.name().is_some_and(is_taken));
    if let Some((id, _)) = taken.filter(|(id, _)| !roots::is_within(catalog.path(*id), directory.into())) {
        let path = text::lossless(catalog.path(id));
        return Err(Failure::new(format!("`{path}` already has the name `{name}`"))
            .help("choose another name: skill names must be unique"));
    }
    Ok(())
}
