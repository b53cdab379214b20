//! Reports a SKILL.md without an opening fence.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_front_matter::{FaultKind, Instead, What};
use skilltree_runtimes::catalog;
use skilltree_skills::skill::{Language, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "missing-front-matter",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NoFence],
    summary: "a SKILL.md does not begin with front matter",
    why: "a file without front matter has no name and no description, so a runtime has nothing to list",
    explanation: include_str!("missing_front_matter.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let language = skill.language().map(|(language, _)| language);
    if language == Some(Language::JavaScript) || catalog::is_step(skill, facts.files, facts.roots) {
        return;
    }
    for fault in &skill.faults {
        let What::NoFence(instead) = fault.what else { continue };
        let (message, help) = match instead {
            Instead::Nothing => (
                "the file is empty",
                "begin it with `---`, `name: …`, `description: …` and `---`, then write the instructions",
            ),
            Instead::BareKeys => (
                "the front matter has no fences",
                "put `---` on its own line before the first key and after the last one",
            ),
            Instead::FormattedHeading => (
                "the front matter is a heading, probably because of a Markdown formatter",
                "restore `---`, `name: …`, `description: …` and `---`, and exclude SKILL.md from the formatter",
            ),
            Instead::Toml => (
                "the front matter is TOML; skills use YAML",
                "replace both `+++` with `---`, and write `key: value` instead of `key = value`",
            ),
            Instead::OnFence => (
                "the first line has keys after `---`, so it is not a fence",
                "put `---`, each key and the closing `---` on lines of their own",
            ),
            Instead::Marks => (
                "the first line is not exactly `---`, so the keys below it are text",
                "replace the lines above and below the keys with exactly `---`",
            ),
            Instead::Path => (
                "the file holds only a path: a symbolic link was committed as text",
                "commit a symbolic link in its place, or the file that it leads to",
            ),
            Instead::Text if language.is_some() => (
                "the first line has text after `---`, so it is not a fence",
                "make the first line exactly `---`, and write the fields as YAML",
            ),
            Instead::Text => (
                "the file does not begin with `---`",
                "begin it with `---`, `name: …`, `description: …` and `---`, before any other line",
            ),
        };
        let finding = sink.report(fault.place, message).help(help);
        if let (Instead::Text, Some(title)) = (instead, language.and_then(|_| title(skill))) {
            finding.help(format!("write only `---` on the first line, and `{title}` below the closing `---`"));
        }
    }
}

/// Returns the heading on the line of the opening fence: `---# Title`.
fn title(skill: &Skill) -> Option<String> {
    let text = skill.agreement.after_header.as_ref()?.to_str_lossy();
    let text = text.lines().next()?.trim_start_matches('\u{feff}').strip_prefix("---")?.trim();
    text.starts_with('#').then(|| text::shortened(text, 64).into_owned())
}
