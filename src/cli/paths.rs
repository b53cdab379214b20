//! Which skills the paths of the command line mean, and what to say when they mean none.
#![allow(clippy::disallowed_methods, reason = "a hint says what stands at a path that the caller named")]

use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use skilltree::config::Config;
use skilltree::render::escape;
use skilltree::roots;
use skilltree::snapshot::{Presence, Role};
use skilltree::source::Source;
use skilltree::{Report, text};

use super::args;
use super::failure::Failure;

/// Where other tools keep skills: the place that was probably meant, when none was found in a root.
const ELSEWHERE: [&str; 5] = [".agents/skills", ".claude/skills", ".github/skills", ".codex/skills", "skills"];

/// Leaves the findings about the paths that were named.
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

/// Whether a path lies in what was named, which nothing may have been.
pub(super) fn is_wanted(wanted: &[BString], path: &BStr) -> bool {
    wanted.is_empty() || wanted.iter().any(|wanted| roots::is_within(path, wanted.as_bstr()))
}

/// The paths of the source that were named. One that names no skill is an error: a word that was mistyped must not look
/// like a clean skill.
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
        // What was only looked at beside the roots was not judged.
        let mut read = report.catalog.parsed.files.iter().filter(|file| !matches!(file.role, Role::Near | Role::Twin));
        if !read.any(|file| roots::is_within(file.path.as_bstr(), path.as_bstr())) {
            return Err(missing());
        }
        wanted.push(path);
    }
    Ok(wanted)
}

fn no_skill_at(report: &Report, source: &Source, path: &Path, place: &Path) -> Failure {
    if !place.join(path).exists() && text::nearest(&path.to_string_lossy(), args::words()).is_some() {
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

/// A path that is not there: perhaps a command was meant.
pub(super) fn nothing_at(path: &Path) -> Failure {
    let name = path.display().to_string();
    let failure = Failure::new(format!("there is nothing at `{name}`"));
    match text::nearest(&name, args::words()) {
        Some(command) => failure.help(format!("was the command `skilltree {command}` meant?")),
        None => failure.help("name a skill's directory, its SKILL.md, or a directory of skills"),
    }
}

/// Where skills were looked for, and how to look elsewhere.
pub(super) fn looked_in(source: &Source, config: &Config, report: &Report) -> String {
    // A directory that is a root itself is the only place; elsewhere a default root that is not there is one too.
    let places: Vec<String> = if source.is_root() {
        report.catalog.parsed.roots.iter().map(|root| escape::path(root.path.as_bstr())).collect()
    } else {
        config.roots.patterns.iter().map(|pattern| escape::text(&pattern.glob)).collect()
    };
    let places = places.join(", ");
    let known: Vec<BString> = ELSEWHERE.iter().map(|&path| path.into()).collect();
    let there = source.presence(&known);
    let is_new = |path: &str| !config.roots.patterns.iter().any(|pattern| pattern.glob == path);
    let mut elsewhere = ELSEWHERE.iter().zip(there).filter(|(path, there)| *there == Presence::Present && is_new(path));
    let root = elsewhere.next().map_or("GLOB", |(&path, _)| path);
    format!(
        "no skill was found; looked in {places} (`--root {root}` adds a place, `skilltree new NAME` writes a skill, \
         `--error-on-empty` makes it an error)"
    )
}
