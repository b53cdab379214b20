//! Reads the environment: variables, terminals, the current directory. No other module does.
#![allow(clippy::disallowed_methods, reason = "this is the one reader of the environment")]

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use skilltree_git::{Environment, Temporaries};

use crate::file;

/// Returns the directory that paths on the command line are relative to.
pub(super) fn current_directory() -> PathBuf {
    env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// Returns Git's variables. `temporaries` records the temporary directories of a source.
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
        merge_heads: merge_heads(),
    }
}

/// Returns the ids that `git merge` puts into the names of variables: `GITHEAD_ID`.
fn merge_heads() -> Vec<String> {
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut ids: Vec<String> = names.filter_map(|name| Some(name.strip_prefix("GITHEAD_")?.to_owned())).collect();
    ids.sort();
    ids
}

/// Returns the processor time that all threads of the program have used; zero on Windows, where safe Rust cannot ask.
pub(super) fn processor_time() -> Duration {
    #[cfg(unix)]
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().unwrap_or_default();
    #[cfg(not(unix))]
    let used = Duration::ZERO;
    used
}

/// The variable that names the home directory.
pub(super) const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// Returns the home directory as it is set, not validated.
pub(super) fn home() -> Option<PathBuf> {
    variable(HOME).map(PathBuf::from)
}

/// Returns the path of this program, if the system reports it.
pub(super) fn program() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// What a runner of GitHub Actions, or a compatible one, says about its run.
pub(super) struct Runner {
    /// The address of the server.
    pub(super) server: String,
    /// The repository: `OWNER/NAME`.
    pub(super) repository: String,
    /// The commit that the run is about.
    pub(super) commit: Option<String>,
}

/// Returns what the runner says; `None` outside of one.
pub(super) fn runner() -> Option<Runner> {
    let text = |name: &str| variable(name).and_then(|value| value.into_string().ok());
    Some(Runner {
        server: text("GITHUB_SERVER_URL")?,
        repository: text("GITHUB_REPOSITORY")?,
        commit: text("GITHUB_SHA"),
    })
}

/// The commits that pre-commit names with `--from-ref` and `--to-ref`, and in a pre-push hook.
pub(super) struct Pushed {
    pub(super) from: Option<String>,
    pub(super) to: String,
}

/// Returns the commits that pre-commit names.
pub(super) fn pushed() -> Option<Pushed> {
    // A value that is not UTF-8 must fail as a revision, not look unset.
    let revision = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
    Some(Pushed { from: revision("PRE_COMMIT_FROM_REF"), to: revision("PRE_COMMIT_TO_REF")? })
}

/// What a CI system says about its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CiRun {
    /// GitHub Actions: `GITHUB_EVENT_NAME`, `GITHUB_SHA` and the file `GITHUB_EVENT_PATH`.
    Github { event: String, sha: String, payload: Vec<u8> },
    /// GitLab CI/CD: `CI_MERGE_REQUEST_DIFF_BASE_SHA`, `CI_COMMIT_BEFORE_SHA`, `CI_COMMIT_BRANCH` and `CI_DEFAULT_BRANCH`.
    Gitlab { diff_base: Option<String>, before: Option<String>, branch: Option<String>, default_branch: Option<String> },
}

/// Returns what the CI system says about its run: GitHub Actions, or GitLab CI/CD. Of the event, at most `limit` bytes are read.
pub(super) fn ci(limit: u64) -> Option<CiRun> {
    let text = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
    if let Some(event) = text("GITHUB_EVENT_NAME") {
        let file = variable("GITHUB_EVENT_PATH").map(PathBuf::from);
        let payload = file.and_then(|path| file::read(&path, limit).ok()).unwrap_or_default();
        return Some(CiRun::Github { event, sha: text("GITHUB_SHA").unwrap_or_default(), payload });
    }
    text("GITLAB_CI").map(|_| CiRun::Gitlab {
        diff_base: text("CI_MERGE_REQUEST_DIFF_BASE_SHA"),
        before: text("CI_COMMIT_BEFORE_SHA"),
        branch: text("CI_COMMIT_BRANCH"),
        default_branch: text("CI_DEFAULT_BRANCH"),
    })
}

/// The state that a hook checks.
pub(super) enum Hook {
    /// The commit that pre-commit names.
    Pushed(String),
    /// A hook before a commit: the index.
    Commit,
}

/// Returns the state to check if the program runs in a hook.
pub(super) fn hook() -> Option<Hook> {
    pushed()
        .map(|pushed| Hook::Pushed(pushed.to))
        .or_else(|| (variable("GIT_INDEX_FILE").is_some() || variable("PRE_COMMIT").is_some()).then_some(Hook::Commit))
}

/// Returns whether standard output is a terminal.
pub(super) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Returns the columns of standard output, at least 40; 120 without a terminal, so that files do not depend on a window.
pub(super) fn width() -> usize {
    let columns = columns(&io::stdout());
    if stdout_is_terminal() { columns.unwrap_or(120).max(40) } else { 120 }
}

/// Returns the columns of standard error, at least 40; 120 without a terminal.
pub(super) fn message_width() -> usize {
    columns(&io::stderr()).filter(|_| io::stderr().is_terminal()).unwrap_or(120).max(40)
}

/// Returns whether FORCE_COLOR asks for colors, and NO_COLOR does not forbid them.
pub(super) fn forces_color() -> bool {
    let forced = variable("FORCE_COLOR").is_some_and(|value| value != "0" && value != "false");
    forced && variable("NO_COLOR").is_none()
}

/// Returns whether standard error is a terminal that can redraw a line and has at least `width` columns.
pub(super) fn stderr_can_redraw(width: usize) -> bool {
    let stderr = io::stderr();
    let is_wide = || columns(&stderr).is_some_and(|columns| columns >= width);
    stderr.is_terminal() && variable("TERM").is_none_or(|term| term != "dumb") && is_wide()
}

/// Returns the columns of a terminal; `None` for a stream that is not a terminal.
fn columns(stream: &impl Stream) -> Option<usize> {
    terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0))
}

#[cfg(unix)]
use std::os::fd::AsFd as Stream;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Stream;

/// Returns whether the locale can show characters beyond ASCII.
pub(super) fn shows_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name)).unwrap_or_default();
    let locale = locale.to_string_lossy().to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

/// Returns a variable that is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}
