//! Links that resolve only on case-insensitive file systems.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::Skill;
use skilltree_skills::skill::links::{Link, Links};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "wrong-case-link",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a link differs from its file only in letter case",
    why: "the link works on macOS and Windows, but not on Linux, where most agents run",
    explanation: include_str!("wrong_case_link.md"),
    check: Check::Skill(check),
    reads: Reads::Repository,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    skill.links().for_each(|(_, links)| report(links, sink));
}

/// Reports the links of one file.
fn report(links: &Links, sink: &mut Sink) {
    let found: Vec<(&Link, &BStr)> = links.misspelled().collect();
    let occurrences = found.iter().map(|(link, path)| {
        let (written, name) = (text::shortened(&link.written, 80), text::lossless(text::file_name(path)));
        let message = format!("`{written}` does not exist; `{name}` differs only in case");
        Occurrence::new(link.place, message, link.written.as_bytes())
    });
    let Some(finding) = several::report(sink, occurrences) else { return };
    finding.help("write the path with the same letter case as the file");
    for (link, path) in found {
        finding.edit(link.place, respelled(&link.written, path));
    }
}

/// Returns the link target with the letter case of the existing path. Components are compared from the end, up to the last
/// `..`, because components before it do not occur in the path.
fn respelled(written: &str, path: &BStr) -> String {
    let (target, rest) = written.split_at(written.find(['#', '?']).unwrap_or(written.len()));
    let mut real = path.rsplit_str("/");
    let mut is_in_path = true;
    let mut components: Vec<Cow<'_, str>> = target
        .rsplit('/')
        .map(|component| {
            is_in_path &= component != "..";
            if !is_in_path || matches!(component, "" | ".") {
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

/// Characters that a link target must percent-encode.
const RESERVED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'%').add(b'#').add(b'?').add(b'(').add(b')').add(b'<').add(b'>').add(b'\\').add(b'"');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn respells_only_components_that_differ() {
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
