//! Reports files that must list the skills and could not be read.

use std::collections::BTreeSet;

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{FileId, Place, grouped, shortened};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{LIST_ENTRIES, UnreadList};
use skilltree_skills::source::CONFIG_BYTES;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unread-listing",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "a file that lists the skills was not read",
    why: "the list was not compared with the skills, so the absence of findings about it means nothing",
    explanation: include_str!("unread_listing.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum length of a path in a message, in code points.
const SHOWN: usize = 80;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let mut reported: BTreeSet<FileId> = BTreeSet::new();
    for list in &catalog.parsed.lists {
        let Some(unread) = &list.unread else { continue };
        // Two entries of the configuration can name one file.
        if reported.insert(list.file) {
            let place = match *unread {
                UnreadList::NotUtf8 { at } => Place::new(list.file, at..at + 1),
                _ => Place::whole(list.file),
            };
            let (fact, help) = described(unread, &list.list.file);
            sink.about(Subject::Tree).report(place, fact).help(help);
        }
    }
}

/// Returns the fact and the edit.
fn described(unread: &UnreadList, path: &str) -> (String, String) {
    let file = shortened(path, SHOWN);
    let (fact, help) = match unread {
        UnreadList::Missing { near: Some(near) } => {
            let help = format!("write `file = \"{}\"` in `[[listing]]`", shortened(near, SHOWN));
            return (format!("`{file}` does not exist"), help);
        }
        UnreadList::Link { to: Some(to) } => {
            let help = format!("write `file = \"{}\"` in `[[listing]]`", shortened(&to.to_str_lossy(), SHOWN));
            return (format!("`{file}` is a symbolic link, which is not followed"), help);
        }
        UnreadList::TooLarge { bytes } => {
            let limit = grouped(CONFIG_BYTES);
            let help = format!("shorten it to at most {limit} bytes, or list the skills in another file");
            return (format!("`{file}` has {} bytes; the limit is {limit}", grouped(*bytes)), help);
        }
        UnreadList::TooMany { count } => {
            let (count, limit) = (grouped(*count), grouped(LIST_ENTRIES));
            (format!("the pattern finds {count} entries in `{file}`; the limit is {limit}"), "write a narrower pattern")
        }
        UnreadList::Missing { near: None } => {
            (format!("`{file}` does not exist"), "create it, or remove the `[[listing]]`")
        }
        UnreadList::Link { to: None } => {
            (format!("`{file}` is a symbolic link, which is not followed"), "replace the link with a file")
        }
        UnreadList::Unmerged => {
            (format!("`{file}` is unmerged in the index"), "resolve the conflict, then run `git add`")
        }
        UnreadList::LfsPointer => {
            (format!("`{file}` is a Git LFS pointer"), "remove the file from Git LFS, and commit its text")
        }
        UnreadList::NotAFile => (format!("`{file}` is not a regular file"), "name a text file in `[[listing]]`"),
        UnreadList::NotUtf8 { .. } => (format!("`{file}` is not UTF-8 from here on"), "save the file as UTF-8"),
    };
    (fact, help.to_owned())
}
