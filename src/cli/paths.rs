//! The skills that paths on the command line select, and the errors for paths that select none.
#![allow(clippy::disallowed_methods, reason = "a hint depends on the file at a path that the caller names")]

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use skilltree_core::config::Config;
use skilltree_core::render::escape;
use skilltree_core::roots;
use skilltree_core::snapshot::{Presence, Role};
use skilltree_core::source::Source;
use skilltree_core::{Report, text};

use super::args;
use crate::failure::Failure;

/// Skills directories of other tools, to suggest when no skills were found.
const OTHER_TOOLS: [&str; 5] = [".agents/skills", ".claude/skills", ".github/skills", ".codex/skills", "skills"];

/// Keeps only the findings about the named paths.
pub(super) fn filter(report: &mut Report, source: &Source, place: &Path, paths: &[PathBuf]) -> Result<(), Failure> {
    let wanted = wanted(report, source, place, paths)?;
    if !wanted.is_empty() {
        let files = &report.catalog.parsed.files;
        let paths = report.catalog.skills().map(|(id, _)| report.catalog.path(id));
        report.reported = Some(paths.filter(|path| is_wanted(&wanted, path)).count());
        report.findings.retain(|finding| is_wanted(&wanted, files[finding.place.file.index()].path.as_bstr()));
        if let Some(base) = &mut report.base {
            base.fixed.retain(|fixed| is_wanted(&wanted, fixed.path.as_bstr()));
        }
    }
    Ok(())
}

/// Returns whether a path is inside a wanted path. Every path is if none was named.
pub(super) fn is_wanted(wanted: &[BString], path: &BStr) -> bool {
    wanted.is_empty() || wanted.iter().any(|wanted| roots::is_within(path, wanted.as_bstr()))
}

/// Returns the named paths as paths of the source. A path without a skill is an error: a typo must not look like a clean skill.
pub(super) fn wanted(
    report: &Report,
    source: &Source,
    place: &Path,
    paths: &[PathBuf],
) -> Result<Vec<BString>, Failure> {
    let mut wanted: Vec<BString> = Vec::new();
    for path in paths {
        let missing = || no_skill_at(report, source, path, place);
        let path = source.repository_path(&place.join(path)).ok_or_else(missing)?;
        // Files next to the skills directories were not checked.
        let mut read = report.catalog.parsed.files.iter().filter(|file| !matches!(file.role, Role::Near | Role::Twin));
        if !read.any(|file| roots::is_within(file.path.as_bstr(), path.as_bstr())) {
            return Err(missing());
        }
        wanted.push(path);
    }
    Ok(wanted)
}

fn no_skill_at(report: &Report, source: &Source, path: &Path, place: &Path) -> Failure {
    if !place.join(path).exists() && nearest_command(&path.to_string_lossy()).is_some() {
        return nothing_at(path);
    }
    let roots = &report.catalog.parsed.roots;
    let outside = |below: &BString| !roots.iter().any(|root| roots::is_within(below.as_bstr(), root.path.as_bstr()));
    if let Some(root) = root_of(&place.join(path)).and_then(|root| source.repository_path(&root)).filter(outside)
        && !root.is_empty()
    {
        return Failure::new(format!("`{}` is not in a configured skills directory", path.display())).help(format!(
            "add it with `--root {root}`, or with `[[root]]` and `path = \"{root}\"` in skilltree.toml"
        ));
    }
    let roots: Vec<String> = roots.iter().map(|root| format!("`{}`", root.path)).collect();
    let read = if roots.is_empty() {
        "no skills directory was found".into()
    } else {
        format!("the skills directories are {}", roots.join(", "))
    };
    Failure::new(format!("there is no skill at `{}`", path.display()))
        .help(format!("{read}; pass a skill directory or its SKILL.md, or add a skills directory with `--root GLOB`"))
}

/// Returns the directory that would be the skills directory of the skills at a path; `None` if there are none.
fn root_of(path: &Path) -> Option<PathBuf> {
    let is_skill = |directory: &Path| directory.join("SKILL.md").is_file();
    let skill = if path.ends_with("SKILL.md") { path.parent()? } else { path };
    if is_skill(skill) {
        return skill.parent().map(Path::to_owned);
    }
    let mut children = fs::read_dir(path).ok()?.filter_map(Result::ok);
    children.any(|child| is_skill(&child.path())).then(|| path.to_owned())
}

/// Returns the error for a path that does not exist. It may be a mistyped command.
pub(super) fn nothing_at(path: &Path) -> Failure {
    let name = path.display().to_string();
    match nearest_command(&name) {
        Some(command) => Failure::new(format!("no such file or command: `{name}`"))
            .help(format!("did you mean `skilltree {command}`?")),
        None => Failure::new(format!("no such file or directory: `{name}`"))
            .help("pass a skill directory, its SKILL.md or a skills directory"),
    }
}

/// Returns the name of the command that is closest to a word.
fn nearest_command(word: &str) -> Option<&'static str> {
    text::nearest(word, args::words())
}

/// Lists the skills directories that were searched, and suggests another one.
pub(super) fn looked_in(source: &Source, config: &Config, report: &Report) -> String {
    // A directory that is itself a skills directory is the only place. Otherwise missing default directories count too.
    let places: Vec<String> = if source.is_root() {
        report.catalog.parsed.roots.iter().map(|root| escape::path(root.path.as_bstr())).collect()
    } else {
        config.roots.patterns.iter().map(|pattern| escape::text(&pattern.glob)).collect()
    };
    let places = places.join(", ");
    let known: Vec<BString> = OTHER_TOOLS.iter().map(|&path| path.into()).collect();
    let there = source.presence(&known);
    let is_new = |path: &str| !config.roots.patterns.iter().any(|pattern| pattern.glob == path);
    let mut others = OTHER_TOOLS.iter().zip(there).filter(|(path, there)| *there == Presence::Present && is_new(path));
    let root = others.next().map_or("GLOB", |(&path, _)| path);
    format!(
        "no skills found in {places}: add a skills directory (`--root {root}`) or create a skill (`skilltree new NAME`); \
         `--error-on-empty` exits with 1"
    )
}
