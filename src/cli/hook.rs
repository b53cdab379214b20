//! `hook`: install, remove and run Git hooks. It never overwrites or removes a hook that skilltree did not install, and it runs
//! nothing from the repository.
#![allow(clippy::disallowed_methods, reason = "hooks are files, and Git passes them lines on standard input")]

use crate::file;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::FromArgMatches;
use skilltree_core::snapshot::Mode;
use skilltree_git::Hooks;

use super::Status;
use super::args::{self, Arguments, Command, Common, Hook, HookAction, HookName};
use super::check;
use super::environment;
use super::output::Stderr;
use super::tree;
use crate::cli::session;
use crate::failure::Failure;

const TEMPLATE: &str = include_str!("templates/hook.sh");
/// The line that marks hooks written by skilltree.
const MARK: &str = "# Written by `skilltree hook install`";
/// The limit of references in one push. Our choice; 100,000 lines of 4 KiB are 400 MiB.
const LINES: usize = 100_000;

pub(super) fn run(common: &Common, hook: &Hook) -> Result<Status, Failure> {
    match &hook.action {
        HookAction::Install { names } => install(common, names),
        HookAction::Uninstall { names } => uninstall(common, names),
        HookAction::Run { name, arguments } => as_hook(common, *name, arguments),
    }
}

/// Writes the hooks that do not exist yet. An existing hook from another source is a failure: it is not changed, so commits would
/// not be checked.
pub(super) fn install(common: &Common, names: &[HookName]) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let hooks = find(common)?;
    if let Some(instead) = &hooks.instead {
        let names: Vec<String> = wanted(&hooks, names).iter().map(|name| format!("`{}`", command(*name))).collect();
        return Err(Failure::new(format!(
            "`core.hooksPath` makes Git run the hooks in `{}` instead",
            instead.display()
        ))
        .help(format!("add {} to the hook with the same name there", names.join(" and "))));
    }
    let directory = real_directory(&hooks)?;
    for name in wanted(&hooks, names) {
        let path = directory.join(name.as_str());
        if !is_free(&path, name)? {
            stderr.info(&format!("{} is already installed", path.display()));
            continue;
        }
        tree::create(&common.watch, &directory, Path::new(name.as_str()), script(name).as_bytes(), Mode::Executable)?;
        stderr.info(&format!("wrote {}", path.display()));
    }
    Ok(Status::Clean)
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
            let leads = real.map_or("to a missing target".to_owned(), |real| format!("to `{}`", real.display()));
            Err(Failure::new(format!(
                "`{}` is a symbolic link {leads}, not inside the Git directory",
                directory.display()
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
        if is_ours(&path) {
            fs::remove_file(&path).map_err(|error| {
                Failure::new(format!("`{}` cannot be removed: {}", path.display(), file::reason(&error)))
            })?;
            stderr.info(&format!("removed {}", path.display()));
        } else if path.symlink_metadata().is_ok() {
            stderr.info(&format!("{} was not installed by skilltree and was not removed", path.display()));
        }
    }
    Ok(Status::Clean)
}

/// Returns whether no hook exists, or `false` if skilltree installed it. Another hook is a failure.
fn is_free(path: &Path, name: HookName) -> Result<bool, Failure> {
    if path.symlink_metadata().is_err() {
        return Ok(true);
    }
    if is_ours(path) {
        return Ok(false);
    }
    Err(Failure::new(format!("`{}` exists and was not installed by skilltree", path.display()))
        .help(format!("add this line to it: `{} || exit $?`", command(name))))
}

/// Returns whether skilltree wrote a file: a regular file with the mark in its first 1,024 bytes.
fn is_ours(path: &Path) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let mut text = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(1_024).read_to_end(&mut text));
    is_file && read.is_ok() && String::from_utf8_lossy(&text).contains(MARK)
}

fn find(common: &Common) -> Result<Hooks, Failure> {
    let place = session::typed_in(common)?;
    Ok(skilltree_git::hooks(&place, &place.environment)?)
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

/// Returns the script of a hook. It runs this program, or if that is gone, the one in PATH.
fn script(name: HookName) -> String {
    let program = environment::program().unwrap_or_else(|| PathBuf::from("skilltree"));
    let quoted = format!("'{}'", program.display().to_string().replace('\'', r"'\''"));
    TEMPLATE.replace("PROGRAM", &quoted).replace("NAME", name.as_str())
}

/// Runs as a hook: checks the index, or each pushed commit.
fn as_hook(common: &Common, name: HookName, arguments: &[OsString]) -> Result<Status, Failure> {
    let mut worst = Status::Clean;
    for source in sources(name)? {
        let words = ["skilltree", "check"].into_iter().map(OsString::from);
        let words = words.chain(source).chain(arguments.iter().cloned());
        let found = args::command(|name| name == "check").try_get_matches_from(words);
        let parsed = found.and_then(|found| Arguments::from_arg_matches(&found));
        let parsed = parsed.map_err(|error| {
            let fact = error.to_string();
            let fact = fact.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
            Failure::new(fact).help("pass only options of `skilltree check` after `--`")
        })?;
        if let Command::Check(check) = &parsed.command
            && check::run(common, check)? == Status::Found
        {
            worst = Status::Found;
        }
    }
    Ok(worst)
}

/// Returns the options of `check` for each source: the index, or each pushed commit once.
fn sources(name: HookName) -> Result<Vec<Vec<OsString>>, Failure> {
    let column = match name {
        HookName::Commit | HookName::MergeCommit => return Ok(vec![vec!["--staged".into()]]),
        // `old new reference` (githooks(5)).
        HookName::Receive => 1,
        // `local-reference local-object remote-reference remote-object` (githooks(5)).
        HookName::Push => 1,
    };
    let unreadable = |why: &str| {
        Failure::new(format!("standard input is not what Git passes to {}: {why}", name.as_str()))
            .help("let Git run this command, as the hook with that name")
    };
    let mut seen = BTreeSet::new();
    let mut commits = Vec::new();
    for (number, line) in BufReader::new(std::io::stdin().lock()).split(b'\n').enumerate() {
        let line = line.map_err(|error| unreadable(&file::reason(&error)))?;
        if number >= LINES {
            return Err(unreadable("too many lines"));
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        let object = line.split(' ').nth(column).unwrap_or_default();
        let is_object = matches!(object.len(), 40 | 64) && object.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_object {
            return Err(unreadable("a line has no object id"));
        }
        // An id of zeros deletes a reference: there is nothing to check.
        if object.bytes().any(|byte| byte != b'0') && seen.insert(object.to_owned()) {
            commits.push(vec!["--rev".into(), object.into()]);
        }
    }
    Ok(commits)
}
