//! The skills that paths on the command line select, and the errors for paths that select none.
#![allow(clippy::disallowed_methods, reason = "a hint depends on the file at a path that the caller names")]

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;
use skilltree_lint::Report;
use skilltree_lint::config::Config;
use skilltree_lint::rule::{Finding, Group, Loaded, Severity, listed};
use skilltree_report::render::{self, escape};
use skilltree_runtimes::forecast::{Forecast, forecasts};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::scope;
use skilltree_skills::roots::{self, Exclude};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{File, Origin, Presence, Role};
use skilltree_skills::source::Source;

use super::args;
use crate::failure::Failure;
use crate::place::Place;
use crate::session::Session;

/// What the paths on the command line select.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    paths: Vec<BString>,
    /// Whether paths were named. Without any, everything is wanted.
    is_named: bool,
    /// Named paths that are in no skill and hold none.
    others: Vec<PathBuf>,
    /// Named paths that only the base has.
    deleted: Vec<PathBuf>,
}

impl Wanted {
    /// Returns whether a path is inside a wanted path.
    pub(super) fn contains(&self, path: &BStr) -> bool {
        !self.is_named || self.paths.iter().any(|wanted| roots::is_within(path, wanted.as_bstr()))
    }

    /// Returns whether a named path is of a skill.
    pub(super) fn has_skills(&self) -> bool {
        !self.paths.is_empty()
    }

    /// Returns the notes about skipped paths: lists of changed files contain other files and deleted ones, too.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let skipped = [(&self.others, "in no skill"), (&self.deleted, "deleted")].into_iter();
        skipped.filter(|(paths, _)| !paths.is_empty()).map(|(paths, why)| {
            let shown: Vec<String> =
                paths.iter().take(SHOWN).map(|path| escape::text(&path.to_string_lossy())).collect();
            let more = paths.len().saturating_sub(SHOWN);
            let more = if more == 0 { String::new() } else { format!(" and {} more", text::grouped(more)) };
            let are = if paths.len() == 1 { "it is" } else { "they are" };
            format!("skipped, because {are} {why}: {}{more}", shown.join(", "))
        })
    }
}

/// The maximum number of skipped paths that are named.
const SHOWN: usize = 3;

/// Keeps only the findings about the named paths, and what runtimes load of the skills there.
pub(super) fn filter(session: &mut Session, wanted: &Wanted) {
    if !wanted.is_named {
        return;
    }
    let Session { report, config, .. } = session;
    let skills: Vec<SkillId> =
        report.catalog.skills().map(|(id, _)| id).filter(|&id| wanted.contains(report.catalog.path(id))).collect();
    if skills.len() < report.catalog.skill_count() {
        report.loaded = loaded(report, config, &skills);
    }
    let files = &report.catalog.parsed.files;
    // A skill that is read through a link too counts once.
    let own = report.catalog.skills().map(|(_, skill)| report.catalog.file(skill.file));
    let own: BTreeSet<&BString> =
        own.filter(|file| wanted.contains(file.path.as_bstr())).map(File::shown_path).collect();
    report.reported = Some(own.len());
    // A path selects skills; what loosens the check concerns all of them.
    report.findings.retain(|finding| {
        finding.rule.always_shown || wanted.contains(files[finding.place.file.index()].reported_path().as_bstr())
    });
    if let Some(base) = &mut report.base {
        base.fixed.retain(|fixed| wanted.contains(fixed.path.as_bstr()));
    }
}

/// Number of runtimes whose forecasts are in memory at the same time.
const TOGETHER: usize = 4;

/// Returns what the runtimes of a report load of some skills.
fn loaded(report: &Report, config: &Config, skills: &[SkillId]) -> Vec<Loaded> {
    if skills.is_empty() {
        return Vec::new();
    }
    let profiles = report.loaded.iter().filter_map(|loaded| config.profiles.find(&loaded.runtime.id));
    let profiles: Vec<&Profile> = profiles.collect();
    let of = |(profile, forecast): (&&Profile, Forecast)| {
        Loaded::of_forecast(&report.catalog, profile, &forecast, skills, !config.targets.is_empty())
    };
    // A forecast has all skills, so only a few are in memory.
    let some = |profiles: &[&Profile]| -> Vec<Loaded> {
        profiles.iter().zip(forecasts(&report.catalog, profiles)).map(of).collect()
    };
    profiles.chunks(TOGETHER).flat_map(some).filter(|loaded| loaded.skills > 0).collect()
}

/// Returns what the named paths select. A path of a skill that was not read is an error, and so is a path that neither the source nor
/// its base has: a typo must not look like a clean skill. Other files are skipped.
pub(super) fn wanted(session: &Session, paths: &[PathBuf]) -> Result<Wanted, Failure> {
    let Session { typed_in: place, source, report, .. } = session;
    let mut wanted = Wanted { is_named: !paths.is_empty(), ..Wanted::default() };
    let revision = report.base.as_ref().map_or("HEAD", |base| base.revision.as_str());
    let base = LazyCell::new(|| base(&session.place, source, revision));
    for (at, path) in paths.iter().enumerate() {
        let missing = || no_skill_at(report, source, &paths[at..], place);
        let own = source.repository_path(&place.join(path)).ok_or_else(missing)?;
        // The whole source may have no skills.
        if own.is_empty() || is_read(report, own.as_bstr()) || is_root(report, source, &place.join(path), own.as_bstr())
        {
            wanted.paths.push(own);
        } else if is_other(source, &place.join(path), own.as_bstr()) {
            wanted.others.push(path.clone());
        } else if !has(source, own.as_bstr()) && base.as_ref().is_some_and(|base| has(base, own.as_bstr())) {
            wanted.deleted.push(path.clone());
        } else {
            return Err(missing());
        }
    }
    // Findings in a linked directory have the path of the file itself.
    let files = report.catalog.parsed.files.iter();
    let linked =
        files.filter(|file| file.through.is_some() && wanted.paths.iter().any(|wanted| is_in(file, wanted.as_bstr())));
    let linked: Vec<BString> = linked.map(|file| file.reported_path().clone()).collect();
    wanted.paths.extend(linked);
    Ok(wanted)
}

/// Returns whether a path exists, could have been read, and holds no skill. `own` is the path in the source, which may have it although
/// the file system does not.
fn is_other(source: &Source, path: &Path, own: &BStr) -> bool {
    let holds_skill = || holds_skill(path) || roots::is_skill_file(text::file_name(own));
    (path.exists() || has(source, own)) && unsearched(source, path).is_none() && !holds_skill()
}

/// Returns whether a source has a path.
fn has(source: &Source, path: &BStr) -> bool {
    source.presence(&[path.to_owned()]) == [Presence::Present]
}

/// Opens what a source is compared with; `None` without a commit.
fn base(place: &Place, source: &Source, revision: &str) -> Option<Source> {
    skilltree_git::open_base(place, revision, source, &place.environment).ok()
}

/// Returns whether a source, or the last commit, has a path.
pub(super) fn is_known(place: &Place, source: &Source, path: &Path) -> bool {
    let own = source.repository_path(&place.join(path));
    own.is_some_and(|own| {
        has(source, own.as_bstr()) || base(place, source, "HEAD").is_some_and(|base| has(&base, own.as_bstr()))
    })
}

/// Returns whether a path is a SKILL.md or a directory with one, up to three levels below it.
pub(super) fn holds_skill(path: &Path) -> bool {
    let is_skill_file =
        |path: &Path| path.file_name().is_some_and(|name| roots::is_skill_file(name.as_encoded_bytes().as_bstr()));
    if path.is_file() {
        return is_skill_file(path);
    }
    let mut level = vec![path.to_owned()];
    let mut budget = LISTED;
    for _ in 0..LEVELS {
        let mut next = Vec::new();
        for entry in level.iter().flat_map(fs::read_dir).flatten().flatten() {
            if budget == 0 || is_skill_file(&entry.path()) {
                return true;
            }
            budget -= 1;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                next.push(entry.path());
            }
        }
        level = next;
    }
    false
}

/// Levels of directories that are searched for a SKILL.md: the named one, `.claude`, `skills`, the skill.
const LEVELS: usize = 4;
/// The limit of entries that are searched (ours). A larger directory may hold a skill.
const LISTED: usize = 10_000;

/// Returns whether a file at a path or below it was read. Files next to the skills directories were not.
fn is_read(report: &Report, path: &BStr) -> bool {
    let mut read = report.catalog.parsed.files.iter();
    read.any(|file| !matches!(file.role, Role::Near | Role::Twin | Role::Unchecked | Role::Root) && is_in(file, path))
}

/// Returns whether a path holds a skills directory, and no skill that was not read.
fn is_root(report: &Report, source: &Source, path: &Path, own: &BStr) -> bool {
    let mut roots = report.catalog.parsed.files.iter().filter(|file| file.role == Role::Root);
    roots.any(|root| is_in(root, own)) && unsearched(source, path).is_none()
}

fn is_in(file: &File, path: &BStr) -> bool {
    roots::is_within(file.path.as_bstr(), path) || roots::is_within(file.shown_path().as_bstr(), path)
}

/// Opens a session again with more directories if the named paths hold skills that are in no skills directory.
pub(super) fn reopened(
    session: Session,
    paths: &[PathBuf],
    open: impl FnOnce(Vec<String>) -> Result<Session, Failure>,
) -> Result<Session, Failure> {
    let directories = unread(&session, paths)?;
    if directories.is_empty() { Ok(session) } else { open(directories) }
}

/// Returns the directories of skills at the named paths that are in no skills directory.
fn unread(session: &Session, paths: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let source = &session.source;
    let named = paths.iter().filter_map(|path| source.repository_path(&session.typed_in.join(path)));
    let named: Vec<BString> = named.filter(|path| !is_read(&session.report, path.as_bstr())).collect();
    let mut directories: BTreeSet<String> = BTreeSet::new();
    if !named.is_empty() {
        for skill in source.skill_files()? {
            if named.iter().any(|path| roots::is_within(skill.as_bstr(), path.as_bstr())) {
                let directory = text::parent(text::parent(skill.as_bstr())).to_str();
                directories.extend(directory.ok().map(str::to_owned));
            }
        }
    }
    // A directory inside another one is part of it.
    let all = directories.clone();
    let is_inside = |path: &String| {
        all.iter().any(|other| other != path && roots::is_within(BStr::new(path.as_str()), BStr::new(other.as_str())))
    };
    directories.retain(|path| !is_inside(path));
    Ok(directories.into_iter().collect())
}

/// Returns the error for the first of some paths, which has no skill.
fn no_skill_at(report: &Report, source: &Source, paths: &[PathBuf], place: &Path) -> Failure {
    let path = &paths[0];
    if !place.join(path).exists() && nearest_command(paths).is_some() {
        return nothing_at(paths);
    }
    let failure = Failure::new(format!("there is no skill at `{}`", path.display()));
    if let Some(why) = unsearched(source, &place.join(path)) {
        return failure.help(why);
    }
    let roots: Vec<String> =
        report.catalog.parsed.roots.iter().map(|root| format!("`{}`", root.shown_path())).collect();
    let read = if roots.is_empty() {
        "no skills directory was found".into()
    } else {
        format!("the skills directories are {}", listed(&roots))
    };
    failure
        .help(format!("{read}; pass a skill directory or its SKILL.md, or add a skills directory with `--root GLOB`"))
}

/// Returns why a path that exists is never searched.
fn unsearched(source: &Source, path: &Path) -> Option<String> {
    let real = fs::canonicalize(path).ok()?;
    let top = fs::canonicalize(source.top()?).ok()?;
    let Some(below) = real.strip_prefix(&top).ok() else {
        let leads = if path.starts_with(&top) { "the path leads" } else { "it is" };
        return Some(format!("{leads} out of the repository; check it from outside: `skilltree -C / check DIR`"));
    };
    if below.components().any(|name| name.as_os_str() == "node_modules") {
        return Some("`node_modules` is never searched; check a copy of the skill elsewhere".to_owned());
    }
    let mut above = below.ancestors().filter(|directory| !directory.as_os_str().is_empty());
    if above.any(|directory| top.join(directory).join(".git").symlink_metadata().is_ok()) {
        return Some("it is in another repository; check that one: `skilltree -C DIR check`".to_owned());
    }
    let is_skill = holds_skill(path);
    let state = match source.origin() {
        Origin::WorkTree => "Git ignores it",
        Origin::Index => "it is not in the index",
        _ => "it is not in the revision",
    };
    is_skill.then(|| format!("{state}; only files that Git can commit are checked"))
}

/// Returns the error for the first of some paths, which does not exist. They may be a mistyped command.
pub(super) fn nothing_at(paths: &[PathBuf]) -> Failure {
    let name = paths[0].display().to_string();
    match nearest_command(paths) {
        Some(command) => Failure::new(format!("no such file or command: `{name}`"))
            .help(format!("did you mean `skilltree {command}`?")),
        None => Failure::new(format!("no such file or directory: `{name}`"))
            .help("pass a skill directory, its SKILL.md or a skills directory"),
    }
}

/// Returns the command that some words mean.
fn nearest_command(words: &[PathBuf]) -> Option<String> {
    let word = words[0].to_string_lossy();
    let meant = |command: &str| command.to_owned();
    let known = args::typed::command(&word).map(meant);
    known.or_else(|| args::inner(words)).or_else(|| text::nearest(&word, args::words()).map(meant))
}

/// Returns a directory that runtimes search and whose skills Git ignores. No skill was found.
fn ignored(source: &Source, config: &Config) -> Option<String> {
    let top = source.directory().filter(|_| matches!(source.origin(), Origin::WorkTree) && !source.is_root())?;
    let profiles = config.profiles.ids().filter_map(|id| config.profiles.find(id));
    let paths = profiles.flat_map(scope::repository_roots).map(|root| root.path.as_str());
    let paths: BTreeSet<&str> = paths.filter(|path| !path.is_empty() && !roots::has_wildcard(path)).collect();
    // A repository in the place of a skill is not searched either.
    let is_repository = |path: &Path| {
        let entries = fs::read_dir(path).into_iter().flatten().flatten().take(LISTED);
        path.join(".git").exists() || entries.map(|entry| entry.path().join(".git")).any(|git| git.exists())
    };
    let is_ignored = |path: &&str| {
        let path = top.join(path);
        path.is_dir() && holds_skill(&path) && !is_repository(&path)
    };
    paths.into_iter().find(is_ignored).map(str::to_owned)
}

/// Returns the first directory in a skills directory that has files.
fn without_skill(report: &Report) -> Option<&BStr> {
    let files = report.catalog.files().filter(|(_, file)| file.role == Role::Other);
    let mut directories = files.filter_map(|(_, file)| {
        let root = report.catalog.root(file.root?).path.as_bstr();
        let (name, _) = roots::relative(file.path.as_bstr(), root)?.split_once_str("/")?;
        Some(file.path[..file.path.len().min(root.len() + 1 + name.len())].as_bstr())
    });
    directories.next()
}

/// Explains why there are no skills; `None` if a finding does.
pub(super) fn looked_in(source: &Source, config: &Config, report: &Report) -> Option<String> {
    let empty = "`--error-on-empty` exits with 1";
    let is_reported = || report.findings.iter().any(|finding| finding.rule.id() == "no-skills-checked");
    if report.catalog.files().any(|(_, file)| file.role == Role::Unchecked) || is_reported() {
        return None;
    }
    if config.roots.exclude != Exclude::default() {
        let excluded = source.skill_files().map_or(0, |files| files.len());
        if excluded > 0 {
            let files = render::count(excluded, "SKILL.md file");
            return Some(format!("nothing is checked: `exclude` in skilltree.toml covers {files}; {empty}"));
        }
    }
    // A finding about the place of files says why there is none, and what to do.
    let is_of_files = |finding: &Finding| matches!(finding.rule.group, Group::Layout | Group::Catalog);
    if report.findings.iter().any(is_of_files) {
        return (report.worst() != Some(Severity::Error)).then(|| format!("there is no SKILL.md to check; {empty}"));
    }
    if let Some(path) = ignored(source, config) {
        return Some(format!(
            "Git ignores the skills in `{path}`, so no clone has them: `skilltree check --root {path}` checks them; {empty}"
        ));
    }
    if config.roots.discovery.is_some() && !source.is_root() {
        let skipped = match source.origin() {
            Origin::WorkTree => "ignored files, `node_modules` and other repositories are not searched",
            _ => "`node_modules` and other repositories are not searched",
        };
        if let Some(directory) = without_skill(report) {
            let directory = escape::path(directory);
            return Some(format!(
                "there is no SKILL.md to check: add `{directory}/SKILL.md` with `name` and `description`; {empty}"
            ));
        }
        return Some(format!(
            "there is no SKILL.md to check ({skipped}): create a skill (`skilltree new NAME`); {empty}"
        ));
    }
    // A directory that is itself a skills directory is the only place. Otherwise missing default directories count too.
    let places: Vec<String> = if source.is_root() {
        report.catalog.parsed.roots.iter().map(|root| escape::path(root.shown_path())).collect()
    } else {
        config.roots.patterns.iter().map(|pattern| escape::text(&pattern.glob)).collect()
    };
    if places.is_empty() {
        return Some(format!(
            "no skills directory is checked: `default-roots` is false, and there is no `[[root]]`: add one to skilltree.toml, or use `--root GLOB`; {empty}"
        ));
    }
    let places = places.join(", ");
    Some(format!(
        "no skills found in {places}: add a skills directory (`--root GLOB`) or create a skill (`skilltree new NAME`); {empty}"
    ))
}
