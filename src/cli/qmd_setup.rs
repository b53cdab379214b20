//! `qmd-setup`: the commands that make a collection of each root in qmd, the search engine for Markdown. They are printed
//! and never run: whoever reads them decides.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bstr::ByteSlice;
use skilltree::characters;
use skilltree::render::escape;
use skilltree::snapshot::{Body, Role};

use super::Status;
use super::args::{Common, QmdSetup};
use super::failure::Failure;
use super::output::{self, Stderr};
use super::session::{Request, Session};

/// Prints the commands, from the root of the repository on (qmd 2: `collection add DIR --name N --mask GLOB`, and
/// `search QUERY -c N -n COUNT --json`).
pub(super) fn run(common: &Common, arguments: &QmdSetup) -> Result<Status, Failure> {
    let session = Session::open(common, &arguments.source, &Request::default())?;
    let stderr = Stderr::new(common);
    let parsed = &session.report.catalog.parsed;
    let is_absent = |path| {
        parsed.files.iter().any(|file| file.role == Role::Root && file.path == path && file.body == Body::Absent)
    };
    let (mut names, mut commands) = (BTreeSet::new(), String::new());
    for root in parsed.roots.iter().filter(|root| !is_absent(root.path.as_bstr())) {
        // A line break in a command is a second command.
        let path = root.path.to_str().ok().filter(|path| characters::visible(path) == **path);
        let Some(path) = path else {
            stderr.warn(
                &format!("the root {} is left out: its path is no plain text", escape::path(root.path.as_bstr())),
                None,
            );
            continue;
        };
        let name = free_name(path, &mut names);
        let directory = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
        commands.push_str(&format!("qmd collection add {} --name {name} --mask '**/SKILL.md'\n", quoted(&directory)));
        commands.push_str(&format!("qmd search {} -c {name} -n 5 --json\n", quoted(&arguments.query)));
    }
    output::bytes(common, commands.as_bytes())?;
    Ok(Status::Clean)
}

/// A name for a collection: the words of a path joined by hyphens, with a number where it is taken.
fn free_name(path: &str, names: &mut BTreeSet<String>) -> String {
    let words: Vec<&str> = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = if words.is_empty() { "skills".to_owned() } else { words.join("-").to_ascii_lowercase() };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}

/// A word as a POSIX shell takes it.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
