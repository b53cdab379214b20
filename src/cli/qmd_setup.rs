//! `qmd-setup`: prints the commands that create a qmd collection per skills directory, one of the project's documents and one
//! of its code. It never runs them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bstr::ByteSlice;
use skilltree_core::characters;
use skilltree_core::render::escape;
use skilltree_core::snapshot::{Body, Role};

use super::Status;
use super::args::{Common, QmdSetup};
use super::output::{self, Stderr};
use super::request::Request;
use super::session;
use crate::failure::Failure;

/// The documents of a project (RFC-009, Layer 2: `docs/` and AGENTS.md).
const PROJECT: &str = "{*.md,docs/**/*.md}";

/// Prints the commands, relative to the repository root (qmd 2: `collection add DIR --name N --mask GLOB`, and
/// `search QUERY -c N -n COUNT --json`).
pub(super) fn run(common: &Common, arguments: &QmdSetup) -> Result<Status, Failure> {
    let session = session::open(common, &arguments.source, &Request::default())?;
    let stderr = Stderr::new(common);
    let parsed = &session.report.catalog.parsed;
    let is_absent = |path| {
        parsed.files.iter().any(|file| file.role == Role::Root && file.path == path && file.body == Body::Absent)
    };
    let (mut names, mut commands) = (BTreeSet::new(), String::new());
    for root in parsed.roots.iter().filter(|root| !is_absent(root.path.as_bstr())) {
        // A line break would start a second command.
        let path = root.path.to_str().ok().filter(|path| characters::visible(path) == **path);
        let Some(path) = path else {
            stderr.warn(
                &format!(
                    "the skills directory {} was skipped: its path has hidden characters or is not UTF-8",
                    escape::path(root.path.as_bstr())
                ),
                None,
            );
            continue;
        };
        let name = free_name(path, &mut names);
        let directory = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
        commands.push_str(&format!("qmd collection add {} --name {name} --mask '**/SKILL.md'\n", quoted(&directory)));
        commands.push_str(&format!("qmd search {} -c {name} -n 5 --json\n", quoted(&arguments.query)));
    }
    for (name, mask) in [("project", PROJECT), ("codebase", arguments.code.as_str())] {
        let name = free_name(name, &mut names);
        commands.push_str(&format!("qmd collection add . --name {name} --mask {}\n", quoted(mask)));
        commands.push_str(&format!("qmd search {} -c {name} -n 5 --json\n", quoted(&arguments.query)));
    }
    output::bytes(common, commands.as_bytes())?;
    Ok(Status::Clean)
}

/// Returns a free name for a collection: the words of a path joined by hyphens, with a number if it is taken.
fn free_name(path: &str, names: &mut BTreeSet<String>) -> String {
    let words: Vec<&str> = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = if words.is_empty() { "skills".to_owned() } else { words.join("-").to_ascii_lowercase() };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
