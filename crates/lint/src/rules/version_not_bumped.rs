//! Reports skills that changed while their version did not.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::Node;
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{Edited, Skill, VersionField};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "version-not-bumped",
    group: Group::Fields,
    since: E2026,
    level: Level::Off,
    summary: "a skill changed since the base, but its version did not",
    why: "programs that compare versions keep the old skill",
    explanation: include_str!("version_not_bumped.md"),
    check: Check::Catalog(check),
    reads: Reads::Base,
    ..Rule::DEFAULT
};

/// A version of a skill, before and now.
struct Version<'a> {
    /// Where it is, in words.
    key: String,
    place: Place,
    before: Option<&'a str>,
    after: Option<&'a str>,
}

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for edited in &catalog.parsed.edited {
        let versions = versions(catalog.skill(edited.skill), edited);
        if versions.iter().any(|version| version.before != version.after) {
            continue;
        }
        // A skill without a version is always read again.
        let Some(Version { key, place, after: Some(after), .. }) = versions.first() else { continue };
        let more = match edited.files - 1 {
            0 => String::new(),
            1 => " and 1 more file".to_owned(),
            more => format!(" and {} more files", text::grouped(more)),
        };
        let shown = text::shortened(after, 64);
        sink.about(Subject::Skill(edited.skill))
            .report(*place, format!("the skill changed since the base, but its {key} is still `{shown}`"))
            .note(format!("changed: `{}`{more}", edited.first))
            .help(format!("raise the {key}"));
    }
}

/// Returns the versions that a skill has now or had in the base: its own, then that of its plugin.
fn versions<'a>(skill: &'a Skill, edited: &'a Edited) -> Vec<Version<'a>> {
    let own = [
        (VersionField::Own, "`version`", skill.field("version").map(|field| &field.value), &edited.version),
        (VersionField::Metadata, "`metadata.version`", skill.metadata("version"), &edited.metadata_version),
    ];
    let counts = |field| edited.fields.contains(&field);
    let own = own.into_iter().filter(|(field, ..)| counts(*field)).map(|(_, key, value, before)| Version {
        key: key.to_owned(),
        place: value.map_or_else(|| skill.opener(), |value| value.place),
        before: before.as_deref(),
        after: value.and_then(Node::scalar).map(str::trim_ascii).filter(|text| !text.is_empty()),
    });
    let plugin = edited.plugin.iter().filter(|_| counts(VersionField::Plugin)).map(|plugin| Version {
        key: format!("version in `{}`", text::lossless(plugin.path.as_bstr())),
        place: skill.opener(),
        before: plugin.before.as_deref(),
        after: Some(&plugin.after),
    });
    own.chain(plugin).filter(|version| version.before.is_some() || version.after.is_some()).collect()
}
