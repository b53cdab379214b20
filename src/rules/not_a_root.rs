//! A file where a root should be.

use bstr::ByteSlice;

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::snapshot::{Body, Resolution, Role};
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "not-a-root",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a root, or a part of its path, is a file",
    why: "no runtime finds a skill below a file, and a file that git wrote instead of a link looks like a root",
    explanation: include_str!("not_a_root.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Root) {
        let Some(number) = file.root else { continue };
        let what = match &file.body {
            Body::NotRead | Body::Text(_) | Body::TooLarge { .. } => "a file".to_owned(),
            Body::Special => "a pipe, a socket or a device".to_owned(),
            Body::Symlink { resolution: Resolution::File(target), .. } => {
                format!("a link to the file `{}`", text::lossless(target.as_bstr()))
            }
            _ => continue,
        };
        let (path, root) = (text::lossless(file.path.as_bstr()), text::lossless(catalog.root(number).path.as_bstr()));
        let message = if path == root {
            format!("the root `{path}` is {what}, not a directory")
        } else {
            format!("`{path}` is {what}, so there can be no root `{root}`")
        };
        sink.about(Subject::Root(number))
            .report(Place::whole(id), message)
            .help(format!("make `{path}` a directory; where it was meant to be a symbolic link, commit it as one"));
    }
}
