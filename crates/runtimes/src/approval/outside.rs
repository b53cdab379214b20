//! Files outside the project that a command reads. A runtime asks about them even if it knows the command to be read-only.

use super::Unapproved;
use crate::profile::loads::Approval;

/// Programs whose first argument is an expression.
const WITH_EXPRESSION: [&str; 4] = ["grep", "jq", "rg", "sed"];

/// Programs whose arguments are directories.
const OF_DIRECTORIES: [&str; 3] = ["cd", "find", "ls"];

/// The tool whose entries allow files.
const READ: &str = "Read";

/// Returns the first file outside the project that a simple command reads, if no entry allows it.
pub(super) fn outside(approval: &Approval, command: &str, entries: &[&str]) -> Option<Unapproved> {
    let mut words = command.split_whitespace();
    let program = words.next().filter(|program| approval.readers.iter().any(|known| known == program))?;
    let arguments = words.filter(|word| !word.starts_with('-'));
    let path = arguments.skip(usize::from(WITH_EXPRESSION.contains(&program))).find(|word| is_outside(word))?;
    (!entries.iter().any(|entry| allows(entry, path)))
        .then(|| Unapproved::Outside { path: path.to_owned(), entry: entry(program, path) })
}

/// Returns whether a path leaves the project in every clone. An absolute path in a home directory may be the project of the author.
fn is_outside(path: &str) -> bool {
    let of_author = ["/home/", "/Users/", "/dev/"].iter().any(|home| path.starts_with(home));
    path == "~"
        || path == ".."
        || path.starts_with("~/")
        || path.starts_with("../")
        || path.starts_with('/') && !of_author
}

/// Returns the entry that allows a program a path; `None` if there is none.
fn entry(program: &str, path: &str) -> Option<String> {
    let path = path.trim_end_matches('/');
    match path.strip_prefix('/') {
        Some(rest) => Some(format!("{READ}(//{rest})")),
        None if !path.starts_with("~/") => None,
        None if OF_DIRECTORIES.contains(&program) => Some(format!("{READ}({path}/**)")),
        None => Some(format!("{READ}({path})")),
    }
}

/// Returns whether an entry of the field allows a path: it names it, or a directory around it.
fn allows(entry: &str, path: &str) -> bool {
    let Some(pattern) = super::pattern(entry, READ).filter(|pattern| !pattern.is_empty()) else { return false };
    let base = pattern.trim_end_matches('*').trim_end_matches('/');
    let base = if pattern.starts_with("//") { base.strip_prefix('/').unwrap_or_default() } else { base };
    path.trim_end_matches('/').strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
