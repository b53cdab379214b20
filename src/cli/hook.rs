//! `hook`: install, remove and run Git hooks. It never overwrites or removes a hook that skilltree did not install, and it runs
//! nothing from the repository.
#![allow(clippy::disallowed_methods, reason = "hooks are files, and Git passes them lines on standard input")]

mod pushed;
mod results;
mod run;
mod script;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree_git::Hooks;
use skilltree_skills::snapshot::Mode;
use skilltree_skills::source;

use self::script::Known;
use super::Status;
use super::args::{Common, Hook, HookAction, HookName};
use super::output::Stderr;
use super::session;
use super::tree;
use crate::failure::Failure;
use crate::file;

/// The limit of a hook file that skilltree can update; more bytes than any options have.
const HOOK_BYTES: u64 = 256 << 10;

pub(super) fn run(common: &Common, hook: &Hook) -> Result<Status, Failure> {
    match &hook.action {
        HookAction::Install { names, options } => install(common, names, options),
        HookAction::Uninstall { names } => uninstall(common, names),
        HookAction::Run { name, arguments, options } => run::run(common, *name, arguments, options),
    }
}

/// Writes the hooks, and updates those that skilltree wrote. An existing hook from another source is a failure: it is not
/// changed, so commits would not be checked.
pub(super) fn install(common: &Common, names: &[HookName], options: &[OsString]) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    run::parse(options)?;
    let words = script::words(options).ok_or_else(|| Failure::new("an option is not valid UTF-8"))?;
    let words = Some(words).filter(|_| !options.is_empty());
    let hooks = find(common)?;
    if let Some(instead) = &hooks.instead {
        let names: Vec<String> = wanted(&hooks, names).iter().map(|name| format!("`{}`", command(*name))).collect();
        return Err(Failure::new(format!(
            "`core.hooksPath` makes Git run the hooks in `{}` instead",
            file::shown(instead)
        ))
        .help(format!("add {} to the hook with the same name there", names.join(" and "))));
    }
    let directory = real_directory(&hooks)?;
    for name in wanted(&hooks, names) {
        install_one(common, &stderr, &directory, name, words.as_deref())?;
    }
    Ok(Status::Clean)
}

/// Writes or updates a hook with these options; without any, an update keeps those of the hook.
fn install_one(
    common: &Common,
    stderr: &Stderr,
    directory: &Path,
    name: HookName,
    words: Option<&str>,
) -> Result<(), Failure> {
    let below = Path::new(name.as_str());
    let path = directory.join(below);
    let shown = file::shown(&path);
    if path.symlink_metadata().is_err() {
        let script = script::script(name, words.unwrap_or_default());
        tree::create(&common.watch, directory, below, script.as_bytes(), Mode::Executable)?;
        stderr.info(&format!("wrote {shown}"));
        return Ok(());
    }
    let before = text(&path);
    let script = match before.as_deref().map(|before| script::recognize(name, before)) {
        Some(Known::Foreign) if script::runs(name, before.as_deref().unwrap_or_default()) => {
            stderr.info(&format!("{shown} already runs `{}`", command(name)));
            return Ok(());
        }
        None | Some(Known::Foreign) => return Err(foreign(&path, name, before.as_deref().unwrap_or_default())),
        Some(Known::Edited) if words.is_none() => {
            stderr.info(&format!("{shown} is already installed; it was edited, so it is not updated"));
            return Ok(());
        }
        Some(Known::Edited) => {
            return Err(Failure::new(format!("`{shown}` was edited, so its options cannot be changed"))
                .help("change it by hand, or delete it and run this again"));
        }
        Some(Known::Written(own)) => script::script(name, words.unwrap_or(&own)),
    };
    let before = before.unwrap_or_default();
    if script.as_bytes() == before {
        stderr.info(&format!("{shown} is already installed"));
        return Ok(());
    }
    tree::rewrite(&common.watch, stderr, directory, below, &before, script.as_bytes())?;
    stderr.info(&format!("updated {shown}"));
    Ok(())
}

/// Returns the text of a hook, if it is a regular file. Opening a pipe would block.
fn text(path: &Path) -> Option<Vec<u8>> {
    let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    if is_file { file::read(path, HOOK_BYTES).ok() } else { None }
}

/// Returns the directory of the hooks, with its link resolved. A link must stay inside the Git directory: otherwise a hook would
/// also run for other repositories, or be a file of the working tree.
fn real_directory(hooks: &Hooks) -> Result<PathBuf, Failure> {
    let directory = &hooks.directory;
    if !directory.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return Ok(directory.clone());
    }
    let git = directory.parent().and_then(|git| fs::canonicalize(git).ok());
    match (fs::canonicalize(directory), git) {
        (Ok(real), Some(git)) if real.starts_with(&git) => Ok(real),
        (real, _) => {
            let leads = real.map_or("to a missing target".to_owned(), |real| format!("to `{}`", file::shown(&real)));
            Err(Failure::new(format!(
                "`{}` is a symbolic link {leads}, not inside the Git directory",
                file::shown(directory)
            ))
            .help("make it a directory, or write hooks that run `skilltree hook run NAME`"))
        }
    }
}

/// Removes the hooks that skilltree installed.
fn uninstall(common: &Common, names: &[HookName]) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let hooks = find(common)?;
    let names = if names.is_empty() { HookName::ALL.to_vec() } else { names.to_vec() };
    for name in names {
        let path = hooks.directory.join(name.as_str());
        let known = text(&path).map(|text| script::recognize(name, &text));
        if known == Some(Known::Edited) {
            stderr.info(&format!("{} was edited and was not removed; delete it by hand", file::shown(&path)));
        } else if matches!(known, Some(Known::Written(_))) {
            fs::remove_file(&path).map_err(|error| {
                Failure::new(format!("`{}` cannot be removed: {}", file::shown(&path), file::reason(&error)))
            })?;
            stderr.info(&format!("removed {}", file::shown(&path)));
        } else if path.symlink_metadata().is_ok() {
            stderr.info(&format!("{} was not installed by skilltree and was not removed", file::shown(&path)));
        }
    }
    Ok(Status::Clean)
}

/// Programs that write hooks and replace them again, each with a word in its hooks and the file that lists what they run.
const MANAGERS: &[(&str, &str, &str)] = &[
    ("lefthook", "lefthook", "lefthook.yml"),
    ("pre-commit", "generated by pre-commit", ".pre-commit-config.yaml"),
    ("prek", "generated by prek", ".pre-commit-config.yaml"),
];

fn foreign(path: &Path, name: HookName, text: &[u8]) -> Failure {
    let command = command(name);
    let manager = MANAGERS.iter().find(|(_, word, _)| text.contains_str(word));
    let help = match manager {
        Some((program, _, file)) => {
            format!("{program} writes it: add `{command}` to {file} instead; docs/hooks.md shows how")
        }
        None => format!("add this line to it: `{command} || exit $?`"),
    };
    Failure::new(format!("`{}` exists and was not installed by skilltree", file::shown(path))).help(help)
}

fn find(common: &Common) -> Result<Hooks, Failure> {
    let place = session::typed_in(common)?;
    skilltree_git::hooks(&place, &place.environment).map_err(|error| {
        let is_outside = matches!(error, source::Error::NoRepository { .. });
        let failure = Failure::from(error);
        if is_outside { failure.help("run it inside a repository, or run `git init` first") } else { failure }
    })
}

/// Returns the named hooks, or else those that together check every commit.
fn wanted(hooks: &Hooks, names: &[HookName]) -> Vec<HookName> {
    match names {
        [] if hooks.bare => vec![HookName::Receive],
        [] => vec![HookName::Commit, HookName::MergeCommit],
        names => names.to_vec(),
    }
}

fn command(name: HookName) -> String {
    format!("skilltree hook run {}", name.as_str())
}
