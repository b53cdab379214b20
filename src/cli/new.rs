//! `new`: a skill to begin with, that `check` has nothing to say of.

use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree::catalog;
use skilltree::limits;
use skilltree::name;
use skilltree::quote;
use skilltree::render::{self, escape};
use skilltree::roots;
use skilltree::snapshot::Mode;
use skilltree::text;

use super::Status;
use super::args::{self, Common, New};
use super::failure::Failure;
use super::output::Stderr;
use super::session::{Request, Session};
use super::tree;

const TEMPLATE: &str = include_str!("templates/SKILL.md");

/// The letters of a word that can be a tag (SwarmAssistant: three).
const TAG: usize = 3;

/// The root of a repository that has none yet: what the open standard names.
const FIRST_ROOT: &str = ".agent/skills";

pub(super) fn run(common: &Common, new: &New) -> Result<Status, Failure> {
    let source = args::Source { roots: new.root.iter().cloned().collect(), ..args::Source::default() };
    let open = || Session::open(common, &source, &Request { work_tree: true, here: true, ..Request::default() });
    let session = open()?;
    let Some(top) = session.source.directory().map(Path::to_owned) else {
        return Err(Failure::new("there is no work tree to write a skill to").help("run it in a checkout"));
    };
    let root = root(new, &session)?;
    let directory = format!("{root}/{}", new.name);
    refuse(new, &session, &directory)?;
    let path = format!("{directory}/SKILL.md");
    if top.join(&directory).symlink_metadata().is_ok() {
        return Err(
            Failure::new(format!("`{directory}` is there already")).help("take another name, or edit what is there")
        );
    }
    tree::create(&common.watch, &top, Path::new(&path), text(&new.name, &session, &root).as_bytes(), Mode::File)?;
    let stderr = Stderr::new(common);
    stderr.say(&format!("wrote {}: say in it what to do, then run `skilltree check`", escape::text(&path)));
    // The repository may have limits or rules of its own that a template cannot know.
    let mut session = open()?;
    session.keep(&[top.join(PathBuf::from(&path))])?;
    let mut found: Vec<&str> = session.report.standing().map(|finding| finding.rule.id).collect();
    let known = found.len();
    // That git does not know a new file is no surprise.
    found.retain(|id| *id != "untracked-skill");
    if found.len() < known {
        stderr.say(&format!("`git add {}` makes it known to git", escape::text(&path)));
    }
    if !found.is_empty() {
        let count = render::count(found.len(), "finding");
        stderr.warn(&format!("`skilltree check` has {count} about it: {}", found.join(", ")), None);
    }
    Ok(Status::Clean)
}

/// The skill to begin with: what every runtime reads, and what the runtime of its root lists or asks for beside that.
fn text(name: &str, session: &Session, root: &str) -> String {
    let patterns = session.config.roots.patterns.iter().map(|pattern| (pattern.glob.as_bytes(), &pattern.profile));
    let roots = session.report.catalog.parsed.roots.iter().map(|root| (root.path.as_slice(), &root.profile));
    let profile = roots.chain(patterns).find(|(path, _)| *path == root.as_bytes()).map(|(_, profile)| profile);
    let loads = profile.and_then(|profile| session.config.profiles.find(profile)).map(|profile| &profile.loads);
    let mut more = String::new();
    if loads.is_some_and(|loads| loads.listing.shown.iter().any(|key| key == "when_to_use")) {
        more.push_str("when_to_use: When a task asks for it, in the words that people use.\n");
    }
    if loads.is_some_and(|loads| loads.fields.contains_key("tags")) {
        let is_tag = |word: &&str| word.len() >= TAG && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let tags: Vec<&str> = name.split('-').filter(is_tag).collect();
        more.push_str(&format!("tags: [{}]\n", if tags.is_empty() { "task".to_owned() } else { tags.join(", ") }));
    }
    if loads.is_some_and(|loads| loads.fields.contains_key("roles")) {
        more.push_str("roles: [builder, reviewer]\n");
    }
    TEMPLATE.replace("MORE", &more).replace("VALUE", &quote::name(name)).replace("NAME", name)
}

/// Where the skill is written: below the root that was named, else the first root that is there.
fn root(new: &New, session: &Session) -> Result<String, Failure> {
    let Some(root) = &new.root else {
        let first = session.report.catalog.parsed.roots.first();
        return Ok(first.map_or(FIRST_ROOT.to_owned(), |root| text::lossless(root.path.as_bstr())));
    };
    let path = root.rsplit_once('=').map_or(root.as_str(), |(path, _)| path);
    let known = &session.config.roots.patterns;
    let path = roots::normalise(path).filter(|path| known.iter().any(|known| known.glob == *path && !known.is_glob()));
    path.ok_or_else(|| {
        Failure::new(format!("`{root}` is no directory of the repository"))
            .help("write a path from the repository's root, without `..` and wildcards: `--root .agent/skills`")
    })
}

/// Refuses a name that would be found fault with.
fn refuse(new: &New, session: &Session, directory: &str) -> Result<(), Failure> {
    let name = &new.name;
    if !name::is_well_formed(name) {
        let failure = Failure::new(format!("`{name}` is no name for a skill"));
        return Err(match name::slug(name) {
            Some(slug) => failure.help(format!("write `{slug}`: small letters and digits, joined by single hyphens")),
            None => failure.help("use words of `a` to `z` and `0` to `9`, joined by single hyphens"),
        });
    }
    if name::is_device(name) {
        return Err(Failure::new(format!("`{name}` is a device on Windows, where no directory can be called so"))
            .help("say what it is about: two words are enough"));
    }
    let length = text::length(name).chars;
    if let Some(limit) =
        session.config.limits.name_chars.filter(|_| limits::over(session.config.limits.name_chars, length))
    {
        return Err(
            Failure::new(format!("the name has {length} characters; {limit} are allowed")).help("take a shorter one")
        );
    }
    let catalog = &session.report.catalog;
    let is_taken = |known: &str| catalog::identity(known) == catalog::identity(name);
    let taken = catalog.skills().find(|(_, skill)| skill.name().is_some_and(is_taken));
    if let Some((id, _)) = taken.filter(|(id, _)| !roots::is_within(catalog.path(*id), directory.into())) {
        let path = text::lossless(catalog.path(id));
        return Err(Failure::new(format!("`{name}` is already the name of `{path}`"))
            .help("take another name: an agent could not tell the two apart"));
    }
    Ok(())
}
