//! What the environment says. Nothing outside this file asks it.
#![allow(clippy::disallowed_methods, reason = "this is the one reader of the environment")]

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use skilltree::source::{Environment, Temporaries};

/// The directory that paths on the command line are relative to.
pub(super) fn current_directory() -> PathBuf {
    env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// Git's own variables, and where a source notes the directories that it makes.
pub(super) fn git(temporaries: Temporaries) -> Environment {
    let path = |name: &str| variable(name).map(PathBuf::from);
    let paths = |name: &str| variable(name).map(|list| env::split_paths(&list).collect()).unwrap_or_default();
    Environment {
        temporaries,
        git_dir: path("GIT_DIR"),
        work_tree: path("GIT_WORK_TREE"),
        index_file: path("GIT_INDEX_FILE"),
        object_directory: path("GIT_OBJECT_DIRECTORY"),
        alternates: paths("GIT_ALTERNATE_OBJECT_DIRECTORIES"),
        ceilings: paths("GIT_CEILING_DIRECTORIES"),
    }
}

/// The directories in which programs are looked for.
pub(super) fn search_path() -> Vec<PathBuf> {
    variable("PATH").map(|list| env::split_paths(&list).collect()).unwrap_or_default()
}

/// Directories as a search path.
pub(super) fn joined(directories: &[PathBuf]) -> io::Result<OsString> {
    env::join_paths(directories).map_err(io::Error::other)
}

/// What no program can do without on Windows.
pub(super) fn system() -> Vec<(&'static str, OsString)> {
    let names = ["SystemRoot", "PATHEXT", "ComSpec"];
    let set = names.into_iter().filter_map(|name| Some((name, variable(name)?)));
    if cfg!(windows) { set.collect() } else { Vec::new() }
}

/// The variable that names the home directory.
pub(super) const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// The home directory of whoever runs this, as it is set.
pub(super) fn home() -> Option<PathBuf> {
    variable(HOME).map(PathBuf::from)
}

/// The path of this program, where the system tells it.
pub(super) fn program() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// Which state of the repository a hook is about, when this is one.
pub(super) enum Hook {
    /// A pre-push hook of pre-commit: the commit that is pushed.
    Pushed(String),
    /// A hook before a commit: the index.
    Commit,
}

/// Whether this runs inside a hook, and which state the hook is about.
pub(super) fn hook() -> Option<Hook> {
    // What is no text names no revision, and must not look as if nothing were named.
    let pushed = variable("PRE_COMMIT_TO_REF").map(|value| value.to_string_lossy().into_owned());
    pushed
        .map(Hook::Pushed)
        .or_else(|| (variable("GIT_INDEX_FILE").is_some() || variable("PRE_COMMIT").is_some()).then_some(Hook::Commit))
}

/// Whether standard output is a terminal.
pub(super) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Columns of the terminal behind standard output; 120 where there is none, so that a file does not depend on a window.
pub(super) fn width() -> usize {
    let columns = columns(&io::stdout());
    if stdout_is_terminal() { columns.unwrap_or(120).max(40) } else { 120 }
}

/// Whether standard error is a terminal on which a line can be drawn again and again, and at least that wide.
pub(super) fn stderr_can_redraw(width: usize) -> bool {
    let stderr = io::stderr();
    let is_wide = || columns(&stderr).is_some_and(|columns| columns >= width);
    stderr.is_terminal() && variable("TERM").is_none_or(|term| term != "dumb") && is_wide()
}

/// Columns of the terminal behind a stream, which may know nothing of its rows: a terminal that `script` or a test made
/// has none.
#[cfg(unix)]
fn columns(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

#[cfg(windows)]
fn columns(stream: &impl std::os::windows::io::AsHandle) -> Option<usize> {
    terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0))
}

/// Whether the locale can show characters beyond ASCII.
pub(super) fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name)).unwrap_or_default();
    let locale = locale.to_string_lossy().to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

/// A variable that is set to something.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}
