//! From arguments to a report: the source, the configuration, the skills, the verdict.
#![allow(clippy::disallowed_methods, reason = "a configuration file and standard input are named by the caller")]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use skilltree::config::{self, CommandLine, Config, Inputs};
use skilltree::excerpt::Excerpts;
use skilltree::lint;
use skilltree::render::escape;
use skilltree::roots::{self, Root};
use skilltree::skill::Parsed;
use skilltree::snapshot::{Body, File, Origin, Role};
use skilltree::source::{self, Revision, Source};
use skilltree::{Report, judge, text};

use super::args;
use super::environment::{self, Hook};
use super::failure::Failure;
use super::output;

/// Where other tools keep skills: the place that was probably meant, when none was found in a root.
const ELSEWHERE: [&str; 5] = [".agents/skills", ".claude/skills", ".github/skills", ".codex/skills", "skills"];

/// What a command works on.
pub(super) struct Session {
    /// The directory that paths of the command line are relative to.
    pub(super) place: PathBuf,
    pub(super) source: Source,
    pub(super) config: Config,
    pub(super) report: Report,
}

/// What the commands differ in.
#[derive(Default)]
pub(super) struct Request<'a> {
    /// `--rule ID=LEVEL`.
    pub(super) rules: &'a [String],
    /// Skills to report on; `-` is standard input.
    pub(super) paths: &'a [PathBuf],
}

impl Session {
    /// Opens the source, reads the configuration and the skills, and judges them.
    pub(super) fn open(
        common: &args::Common,
        arguments: &args::Source,
        request: &Request<'_>,
    ) -> Result<Self, Failure> {
        let place = place(common)?;
        let source = open(&place, arguments, request.paths)?;
        let config = configure(&place, &source, arguments, request)?;
        let parsed = source.read(&config.roots, lint::bounds(&config.limits))?;
        let parsed = Parsed { time: today(arguments)?.or(parsed.time), ..parsed };
        let report = judge(parsed, &config);
        Ok(Self { place, source, config, report })
    }

    /// Leaves the findings about some paths.
    pub(super) fn keep(&mut self, paths: &[PathBuf]) -> Result<(), Failure> {
        if matches!(self.source.origin(), Origin::StandardInput) {
            return Ok(());
        }
        filter(&mut self.report, &self.source, &self.place, paths)
    }

    /// The places of the report as a reader sees them; reads those files again.
    pub(super) fn excerpts(&self) -> Result<Excerpts, Failure> {
        Ok(Excerpts::new(&self.report, |files| self.source.bodies(files))?)
    }

    /// What was checked, in words: `the index (skills tree 3f2c1ab)`.
    pub(super) fn words(&self) -> Result<String, Failure> {
        let words = match self.source.origin() {
            Origin::Index => "the index".to_owned(),
            Origin::Tree { revision, commit: Some(commit) } => {
                let commit = commit.to_string();
                let short = &commit[..commit.len().min(7)];
                if commit.starts_with(revision.as_str()) { short.to_owned() } else { format!("{revision} at {short}") }
            }
            Origin::Tree { revision, commit: None } => revision.clone(),
            Origin::WorkTree => return Ok("the work tree".to_owned()),
            Origin::Directory => return Ok("the directory".to_owned()),
            Origin::StandardInput => return Ok("standard input".to_owned()),
            Origin::Memory => return Ok("memory".to_owned()),
        };
        let trees = self.source.trees(&self.report.catalog.parsed)?;
        let trees: Vec<String> = trees.into_iter().flatten().map(|tree| tree.to_string()[..7].to_owned()).collect();
        Ok(match trees.as_slice() {
            [] => words,
            [tree] => format!("{words} (skills tree {tree})"),
            trees => format!("{words} (skills trees {})", trees.join(", ")),
        })
    }

    /// Where skills were looked for, when there are none.
    pub(super) fn looked_in(&self) -> Option<String> {
        if !self.report.catalog.parsed.skills.is_empty() {
            return None;
        }
        // A directory that is a root itself is the only place; elsewhere a default root that is not there is one too.
        let places: Vec<String> = if self.source.is_root() {
            self.report.catalog.parsed.roots.iter().map(|root| escape::path(root.path.as_bstr())).collect()
        } else {
            self.config.roots.patterns.iter().map(|pattern| escape::text(&pattern.glob)).collect()
        };
        let places = places.join(", ");
        let known: Vec<BString> = ELSEWHERE.iter().map(|&path| path.into()).collect();
        // This is a hint: where it cannot be told what is there, nothing is said of it.
        let there = self.source.exists(&known).unwrap_or_default();
        let root = ELSEWHERE.iter().zip(there).find_map(|(&path, there)| there.then_some(path)).unwrap_or("GLOB");
        Some(format!(
            "no skill was found; looked in {places} (`--root {root}` adds a place, `--error-on-empty` makes it an error)"
        ))
    }

    /// What was read, for whoever wants to know more.
    pub(super) fn details(&self) -> Vec<String> {
        let catalog = &self.report.catalog;
        let read = |config: &File| format!("configuration {}", escape::path(config.path.as_bstr()));
        let root = |(id, root): (u32, &Root)| {
            let skills = catalog.parsed.skills.iter().filter(|skill| skill.root.0 == id).count();
            let skills = if skills == 1 { "1 skill".to_owned() } else { format!("{skills} skills") };
            format!("root {} ({}): {skills}", escape::path(root.path.as_bstr()), escape::text(&root.profile))
        };
        let configuration = self.config.files.iter().map(read);
        configuration.chain((0u32..).zip(&catalog.parsed.roots).map(root)).collect()
    }
}

fn place(common: &args::Common) -> Result<PathBuf, Failure> {
    let current = environment::current_directory();
    let Some(directory) = &common.directory else { return Ok(current) };
    let place = current.join(directory);
    if place.is_dir() {
        return Ok(place);
    }
    Err(Failure::new(format!("`{}` is no directory", directory.display()))
        .help("name a directory that exists: `-C DIR`"))
}

/// Opens what the arguments mean. Outside any repository a path that was named is read as a plain directory.
fn open(place: &Path, arguments: &args::Source, paths: &[PathBuf]) -> Result<Source, Failure> {
    if let [path] = paths
        && path.as_os_str() == "-"
    {
        return standard_input();
    }
    let explicit = explicit(arguments);
    let environment = environment::git();
    let revision = explicit.clone().unwrap_or_else(|| match environment::hook() {
        Some(Hook::Pushed(commit)) => Revision::Tree(commit),
        Some(Hook::Commit) => Revision::Index,
        None => Revision::WorkTree,
    });
    match source::open(place, &revision, &environment) {
        Err(source::Error::NoWorkTree) if explicit.is_none() => {
            Ok(source::open(place, &Revision::Tree("HEAD".into()), &environment)?)
        }
        Err(source::Error::NoRepository { .. }) if explicit.is_none() && !paths.is_empty() => {
            let [path] = paths else {
                return Err(Failure::new("outside a repository one path is read at a time")
                    .help("name the directory that holds them all, or run `git init` there"));
            };
            if place.join(path).exists() { Ok(source::directory(place, path)?) } else { Err(nothing_at(path)) }
        }
        opened => Ok(opened?),
    }
}

/// A path that is not there: perhaps a command was meant.
fn nothing_at(path: &Path) -> Failure {
    let name = path.display().to_string();
    let failure = Failure::new(format!("there is nothing at `{name}`"));
    match text::nearest(&name, args::COMMANDS) {
        Some(command) => failure.help(format!("was the command `skilltree {command}` meant?")),
        None => failure.help("name a skill's directory, its SKILL.md, or a directory of skills"),
    }
}

fn explicit(arguments: &args::Source) -> Option<Revision> {
    if arguments.staged {
        return Some(Revision::Index);
    }
    if arguments.worktree {
        return Some(Revision::WorkTree);
    }
    arguments.rev.clone().map(Revision::Tree)
}

fn standard_input() -> Result<Source, Failure> {
    let mut text = Vec::new();
    // One byte over any limit is enough to be too large.
    std::io::stdin()
        .lock()
        .take(64 << 20)
        .read_to_end(&mut text)
        .map_err(|error| Failure::new(format!("standard input cannot be read: {}", output::reason(&error))))?;
    Ok(source::standard_input(text))
}

/// The configuration that a source holds, or that the arguments name.
pub(super) fn configure(
    place: &Path,
    source: &Source,
    arguments: &args::Source,
    request: &Request<'_>,
) -> Result<Config, Failure> {
    let base;
    let from = match &arguments.config_from {
        Some(revision) => {
            base = source::open(place, &Revision::Tree(revision.clone()), &environment::git())?;
            &base
        }
        None => source,
    };
    let read = |name: &str| if arguments.no_config { Ok(None) } else { from.file(BStr::new(name)) };
    let settings = match &arguments.config {
        Some(path) => Some(named_file(place, path)?),
        None => read(config::SETTINGS)?,
    };
    let overrides = CommandLine { roots: arguments.roots.clone(), rules: request.rules.to_vec(), targets: Vec::new() };
    Ok(config::read(Inputs { settings, workflow: read(config::WORKFLOW)?, overrides })?)
}

fn named_file(place: &Path, path: &Path) -> Result<File, Failure> {
    let name = path.display().to_string();
    let text = fs::read(place.join(path)).map_err(|error| {
        Failure::new(format!("the configuration `{name}` cannot be read: {}", output::reason(&error)))
            .help("name a file that exists: `--config FILE`, or leave the option out")
    })?;
    Ok(File::new(BString::from(name), Role::Config, None, Body::Text(text)))
}

fn today(arguments: &args::Source) -> Result<Option<i64>, Failure> {
    let Some(day) = &arguments.today else { return Ok(None) };
    match config::day(day) {
        Some(day) => Ok(Some(day * 86_400)),
        None => Err(Failure::new(format!("`{day}` is no day")).help("write it as YYYY-MM-DD, for example 2026-11-20")),
    }
}

/// Leaves the findings about the paths that were named. A path that names no skill is an error: a word that was
/// mistyped must not look like a clean skill.
fn filter(report: &mut Report, source: &Source, place: &Path, paths: &[PathBuf]) -> Result<(), Failure> {
    let mut wanted: Vec<BString> = Vec::new();
    for path in paths {
        let missing = || no_skill_at(report, source, path, place);
        let path = source.repository_path(&place.join(path)).ok_or_else(missing)?;
        if !report.catalog.parsed.files.iter().any(|file| roots::is_within(file.path.as_bstr(), path.as_bstr())) {
            return Err(missing());
        }
        wanted.push(path);
    }
    if !wanted.is_empty() {
        let files = &report.catalog.parsed.files;
        let is_wanted = |path: &BString| wanted.iter().any(|wanted| roots::is_within(path.as_bstr(), wanted.as_bstr()));
        report.findings.retain(|finding| is_wanted(&files[finding.place.file.index()].path));
        if let Some(base) = &mut report.base {
            base.fixed.retain(|fixed| is_wanted(&fixed.path));
        }
    }
    Ok(())
}

fn no_skill_at(report: &Report, source: &Source, path: &Path, place: &Path) -> Failure {
    if !place.join(path).exists() && text::nearest(&path.to_string_lossy(), args::COMMANDS).is_some() {
        return nothing_at(path);
    }
    let roots = &report.catalog.parsed.roots;
    let outside = |below: &BString| !roots.iter().any(|root| roots::is_within(below.as_bstr(), root.path.as_bstr()));
    if let Some(root) = root_of(&place.join(path)).and_then(|root| source.repository_path(&root)).filter(outside)
        && !root.is_empty()
    {
        return Failure::new(format!("`{}` lies in no root", path.display())).help(format!(
            "add it with `--root {root}`, or with `[[root]]` and `path = \"{root}\"` in skilltree.toml"
        ));
    }
    let roots: Vec<String> = roots.iter().map(|root| format!("`{}`", root.path)).collect();
    let read =
        if roots.is_empty() { "no root was found".into() } else { format!("the roots read are {}", roots.join(", ")) };
    Failure::new(format!("there is no skill at `{}`", path.display()))
        .help(format!("{read}; name a skill's directory or its SKILL.md, or add a root with `--root GLOB`"))
}

/// The directory that would have to be a root for what stands at a path of the disk to be a skill, or skills; `None`
/// when there are none.
fn root_of(path: &Path) -> Option<PathBuf> {
    let is_skill = |directory: &Path| directory.join("SKILL.md").is_file();
    let skill = if path.ends_with("SKILL.md") { path.parent()? } else { path };
    if is_skill(skill) {
        return skill.parent().map(Path::to_owned);
    }
    let mut children = fs::read_dir(path).ok()?.filter_map(Result::ok);
    children.any(|child| is_skill(&child.path())).then(|| path.to_owned())
}
