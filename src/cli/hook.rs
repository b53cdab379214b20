//! `hook`: write, remove and be the hooks of a repository. Nothing that is not ours is written over or removed, and
//! nothing of the repository is run.
#![allow(clippy::disallowed_methods, reason = "hooks lie on the disk, and git hands them its lines on standard input")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::FromArgMatches;
use skilltree::snapshot::Mode;
use skilltree::source::{self, Hooks};

use super::Status;
use super::args::{self, Arguments, Command, Common, Hook, HookAction, HookName};
use super::check;
use super::environment;
use super::failure::Failure;
use super::output::{self, Stderr};
use super::place::Place;
use super::tree;

const TEMPLATE: &str = include_str!("templates/hook.sh");
/// By this line a hook is known to be ours.
const MARK: &str = "# Written by `skilltree hook install`";
/// References that a push is read of (ours: 100,000 lines of at most 4 KiB would be 400 MiB).
const LINES: usize = 100_000;

pub(super) fn run(common: &Common, hook: &Hook) -> Result<Status, Failure> {
    match &hook.action {
        HookAction::Install { names } => install(common, names),
        HookAction::Uninstall { names } => uninstall(common, names),
        HookAction::Run { name, arguments } => as_hook(common, *name, arguments),
    }
}

/// Writes the hooks that are not there yet. One that somebody else wrote is left alone, and that is a failure: the skills
/// are not guarded as was asked.
pub(super) fn install(common: &Common, names: &[HookName]) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let hooks = find(common)?;
    if let Some(instead) = &hooks.instead {
        let names: Vec<String> = wanted(&hooks, names).iter().map(|name| format!("`{}`", command(*name))).collect();
        return Err(Failure::new(format!(
            "`core.hooksPath` makes git run the hooks of `{}` instead",
            instead.display()
        ))
        .help(format!("add {} there, to the hook of that name", names.join(" and "))));
    }
    let directory = own(&hooks)?;
    for name in wanted(&hooks, names) {
        let path = directory.join(name.as_str());
        if !is_free(&path, name)? {
            stderr.say(&format!("{} is installed already", path.display()));
            continue;
        }
        tree::create(&common.watch, &directory, Path::new(name.as_str()), script(name).as_bytes(), Mode::Executable)?;
        stderr.say(&format!("wrote {}", path.display()));
    }
    Ok(Status::Clean)
}

/// The directory that the hooks are written to. Where a link stands in its place it is the one that the link leads to,
/// which has to be git's too: a hook would be one of other repositories, or a file of the work tree.
fn own(hooks: &Hooks) -> Result<PathBuf, Failure> {
    let directory = &hooks.directory;
    if !directory.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return Ok(directory.clone());
    }
    let git = directory.parent().and_then(|git| fs::canonicalize(git).ok());
    match (fs::canonicalize(directory), git) {
        (Ok(real), Some(git)) if real.starts_with(&git) => Ok(real),
        (real, _) => {
            let leads = real.map_or("nowhere".to_owned(), |real| format!("to `{}`", real.display()));
            Err(Failure::new(format!(
                "`{}` is a symbolic link {leads}, outside of git's directory",
                directory.display()
            ))
            .help("make it a directory, or write the hooks there yourself: `skilltree hook run NAME` is one"))
        }
    }
}

/// Removes the hooks that are ours.
fn uninstall(common: &Common, names: &[HookName]) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let hooks = find(common)?;
    let names = if names.is_empty() { HookName::ALL.to_vec() } else { names.to_vec() };
    for name in names {
        let path = hooks.directory.join(name.as_str());
        if is_ours(&path) {
            fs::remove_file(&path).map_err(|error| {
                Failure::new(format!("`{}` cannot be removed: {}", path.display(), output::reason(&error)))
            })?;
            stderr.say(&format!("removed {}", path.display()));
        } else if path.symlink_metadata().is_ok() {
            stderr.say(&format!("{} is not ours, and stays", path.display()));
        }
    }
    Ok(Status::Clean)
}

/// Whether nothing is there. What is there and ours is installed; what is there and somebody else's stays.
fn is_free(path: &Path, name: HookName) -> Result<bool, Failure> {
    if path.symlink_metadata().is_err() {
        return Ok(true);
    }
    if is_ours(path) {
        return Ok(false);
    }
    Err(Failure::new(format!("`{}` is there already, and is somebody else's", path.display()))
        .help(format!("add a line to it: `{} || exit $?`", command(name))))
}

/// Whether a file was written by us: a regular one with our line near its beginning.
fn is_ours(path: &Path) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let mut text = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(1_024).read_to_end(&mut text));
    is_file && read.is_ok() && String::from_utf8_lossy(&text).contains(MARK)
}

fn find(common: &Common) -> Result<Hooks, Failure> {
    let place = Place::typed_in(common)?;
    Ok(source::hooks(&place, &place.environment)?)
}

/// The hooks that were named, else those that see whatever comes in.
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

/// The program that installs is the program that runs; when it is gone, the one on the PATH.
fn script(name: HookName) -> String {
    let program = environment::program().unwrap_or_else(|| PathBuf::from("skilltree"));
    let quoted = format!("'{}'", program.display().to_string().replace('\'', r"'\''"));
    TEMPLATE.replace("PROGRAM", &quoted).replace("NAME", name.as_str())
}

/// Judges what git is about to do.
fn as_hook(common: &Common, name: HookName, arguments: &[OsString]) -> Result<Status, Failure> {
    let mut worst = Status::Clean;
    for source in judged(name)? {
        let words = ["skilltree", "check"].into_iter().map(OsString::from);
        let words = words.chain(source).chain(arguments.iter().cloned());
        let found = args::command(|name| name == "check").try_get_matches_from(words);
        let parsed = found.and_then(|found| Arguments::from_arg_matches(&found));
        let parsed = parsed.map_err(|error| {
            let fact = error.to_string();
            let fact = fact.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
            Failure::new(fact).help("what stands behind `--` are options of `skilltree check`")
        })?;
        if let Command::Check(check) = &parsed.command
            && check::run(common, check)? == Status::Found
        {
            worst = Status::Found;
        }
    }
    Ok(worst)
}

/// The options that name what is judged: the index, or each commit that is pushed, once.
fn judged(name: HookName) -> Result<Vec<Vec<OsString>>, Failure> {
    let column = match name {
        HookName::Commit | HookName::MergeCommit => return Ok(vec![vec!["--staged".into()]]),
        // `old new reference` (githooks(5)).
        HookName::Receive => 1,
        // `local-reference local-object remote-reference remote-object` (githooks(5)).
        HookName::Push => 1,
    };
    let unreadable = |why: &str| {
        Failure::new(format!("standard input is not what git hands to {}: {why}", name.as_str()))
            .help("this is run by git, as a hook of that name")
    };
    let mut seen = BTreeSet::new();
    let mut commits = Vec::new();
    for (number, line) in BufReader::new(std::io::stdin().lock()).split(b'\n').enumerate() {
        let line = line.map_err(|error| unreadable(&output::reason(&error)))?;
        if number >= LINES {
            return Err(unreadable("too many lines"));
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        let object = line.split(' ').nth(column).unwrap_or_default();
        let is_object = matches!(object.len(), 40 | 64) && object.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_object {
            return Err(unreadable("a line names no object"));
        }
        // Nothing but zeroes deletes a reference: there is nothing to judge.
        if object.bytes().any(|byte| byte != b'0') && seen.insert(object.to_owned()) {
            commits.push(vec!["--rev".into(), object.into()]);
        }
    }
    Ok(commits)
}
