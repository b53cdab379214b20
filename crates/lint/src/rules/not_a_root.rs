//! Reports files in place of a skills directory.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::{Body, Resolution, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "not-a-root",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a skills directory, or part of its path, is a file",
    why: "a file cannot contain skills; git may have written it instead of a symbolic link",
    explanation: include_str!("not_a_root.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Root) {
        let Some(number) = file.root else { continue };
        let what = match &file.body {
            Body::NotRead | Body::Text(_) | Body::TooLarge { .. } => "a file".to_owned(),
            Body::Special => "a pipe, a socket or a device".to_owned(),
            Body::Symlink { resolution: Resolution::File(target), .. } => {
                format!("a symbolic link to the file `{}`", text::lossless(target.as_bstr()))
            }
            _ => continue,
        };
        let (path, root) = (text::lossless(file.path.as_bstr()), text::lossless(catalog.root(number).path.as_bstr()));
        let message = if path == root {
            format!("the skills directory `{path}` is {what}")
        } else {
            format!("`{path}` is {what}, so the skills directory `{root}` cannot exist")
        };
        sink.about(Subject::Root(number))
            .report(Place::whole(id), message)
            .help(format!("make `{path}` a directory, or commit it as a symbolic link"));
    }
}
