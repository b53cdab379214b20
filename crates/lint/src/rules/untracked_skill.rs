//! Skills that exist only in the working tree.

use bstr::{BStr, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::manifest::Ignored;
use skilltree_skills::roots;
use skilltree_skills::snapshot::State;

/// See the page next to this file.
pub static RULE: Rule = Rule {
    id: "untracked-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "Git does not track a skill of the working tree",
    why: "the skill exists only on this machine, so clones and dispatchers do not have it",
    explanation: include_str!("untracked_skill.md"),
    check: Check::Catalog(check),
    one_source: true,
    reads: Reads::Index,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in catalog.skills() {
        let (message, help) = match catalog.file(skill.file).state {
            State::Tracked => continue,
            State::Untracked => ("the file is untracked", "add it with `git add`"),
            State::Ignored => (
                "the file is ignored by Git",
                "change the ignore pattern, which `git check-ignore --verbose` shows, or move the skill",
            ),
        };
        sink.about(Subject::Skill(id)).report(Place::whole(skill.file), message).help(help);
    }
    if catalog.parsed.skills.is_empty() {
        let of_project = catalog.parsed.manifests.ignored.iter().filter(|(_, ignored)| !ignored.is_of_package);
        of_project.for_each(|(directory, ignored)| report(directory.as_bstr(), ignored, sink));
    }
}

/// Reports that the skills of a directory are not part of the repository. Some are meant for one machine.
fn report(directory: &BStr, ignored: &Ignored, sink: &mut Sink) {
    let shown = text::lossless(directory);
    let (count, shown) = (text::grouped(ignored.count), text::shortened(&shown, 80));
    let message = match ignored.count {
        1 => format!("Git ignores the skill in `{shown}`, so nobody else gets it"),
        2..1_000 => format!("Git ignores {count} skills in `{shown}`, so nobody else gets them"),
        _ => format!("Git ignores {count} skills or more in `{shown}`, so nobody else gets them"),
    };
    sink.about(Subject::Tree).report(place(ignored), message).at_most(Level::Note).help(help(directory, ignored));
}

/// Returns the place of the pattern, or else of the directory.
pub(super) fn place(ignored: &Ignored) -> Place {
    let pattern = ignored.by.as_ref();
    pattern.map_or(Place::whole(ignored.file), |pattern| Place::new(ignored.file, pattern.range.clone()))
}

/// Returns the edit with which Git no longer ignores the skills of a directory.
pub(super) fn help(directory: &BStr, ignored: &Ignored) -> String {
    let known = ignored.by.as_ref().and_then(|pattern| {
        // Patterns start at the directory of their file.
        let base = text::parent(pattern.path.as_bstr());
        let below = |path: &BStr| Some(roots::relative(path, base)?.to_str().ok()?.to_owned());
        let (inside, excluded) = (below(directory)?, below(ignored.excluded.as_bstr())?);
        let is_plain = |path: &String| path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte));
        Some((&pattern.text, inside, excluded)).filter(|(_, inside, _)| is_plain(inside))
    });
    let Some((pattern, inside, excluded)) = known else {
        let path = text::lossless(ignored.first.as_bstr());
        return format!(
            "change the ignore pattern, which `git check-ignore --verbose {}` shows",
            text::shortened(&path, 80)
        );
    };
    let pattern = text::shortened(pattern, 64);
    if !roots::is_within(directory, ignored.excluded.as_bstr()) {
        let all = if inside.is_empty() { "!**".to_owned() } else { format!("!{inside}/**") };
        return format!("add the line `{all}` after `{pattern}`");
    }
    // A pattern for everything matches the entries of the directory, too.
    let all = (pattern == "*" || pattern.ends_with("**")).then(|| format!("`!/{inside}/**`"));
    if excluded == inside {
        let lines: Vec<String> = [format!("`!/{inside}/`")].into_iter().chain(all).collect();
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        return format!("add the {noun} {} after `{pattern}`", text::joined(&lines));
    }
    // Git does not look into an ignored directory: each one on the way is taken back, and its other entries stay ignored.
    let mut lines = vec![format!("`!/{excluded}/`")];
    let mut above = excluded.clone();
    for name in inside[excluded.len()..].split('/').filter(|name| !name.is_empty()) {
        lines.push(format!("`/{above}/*`"));
        above = format!("{above}/{name}");
        lines.push(format!("`!/{above}/`"));
    }
    lines.extend(all);
    if pattern.trim_matches('/') == excluded {
        return format!("write the lines {} instead of `{pattern}`", text::joined(&lines[1..]));
    }
    format!("add the lines {} after `{pattern}`", text::joined(&lines))
}
