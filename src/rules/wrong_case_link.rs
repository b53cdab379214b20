//! A link that works where letter case does not count.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::skill::links::Link;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "wrong-case-link",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a link differs in letter case from the file it means",
    why: "it works on macOS and Windows, where nobody notices, and leads nowhere on Linux, where agents run",
    explanation: include_str!("wrong_case_link.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(body) = &skill.body else { return };
    let found: Vec<(&Link, &BStr)> = body.links.misspelled().collect();
    let Some((first, path)) = found.first() else { return };
    let (written, name) = (text::shortened(&first.written, 80), text::lossless(text::file_name(path)));
    let message = format!("`{written}` is not in the tree, but `{name}` is, in other letter case");
    let places = found.iter().map(|(link, _)| link.place);
    let Some(finding) = several::report(sink, places, found.len(), &message) else { return };
    finding.help("write the path as the file is called");
    for (link, path) in found {
        finding.edit(link.place, respelled(&link.written, path));
    }
}

/// A target with the letters of the path that is there. Components are compared from the end, as far as the target says them:
/// what stands before `..` is another way to the same place.
fn respelled(written: &str, path: &BStr) -> String {
    let (target, rest) = written.split_at(written.find(['#', '?']).unwrap_or(written.len()));
    let mut real = path.rsplit_str("/");
    let mut is_said = true;
    let mut components: Vec<Cow<'_, str>> = target
        .rsplit('/')
        .map(|component| {
            is_said &= component != "..";
            if !is_said || matches!(component, "" | ".") {
                return Cow::Borrowed(component);
            }
            let name = real.next().unwrap_or_default();
            let is_same = percent_decode_str(component).eq(name.iter().copied());
            if is_same { Cow::Borrowed(component) } else { Cow::Owned(percent_encode(name, RESERVED).to_string()) }
        })
        .collect();
    components.reverse();
    components.join("/") + rest
}

/// What a target cannot hold as such.
const RESERVED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'%').add(b'#').add(b'?').add(b'(').add(b')').add(b'<').add(b'>').add(b'\\').add(b'"');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_respelled() {
        for (written, path, expected) in [
            ("./references/security.md#top", "s/a/references/Security.md", "./references/Security.md#top"),
            ("../B/x%20y.md", "s/b/x y.md", "../b/x%20y.md"),
            ("docs//readme.MD", "Docs/README (1).md", "Docs//README%20%281%29.md"),
            ("wrong/../a.md", "s/A.md", "wrong/../A.md"),
        ] {
            assert_eq!(respelled(written, path.into()), expected);
        }
    }
}
