//! The edit that removes the reason why runtimes drop or change a skill.

use super::{Edit, Finding, Lost, higher, listed};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Field, Node, NodeKind, ScalarKind, Style};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Reason, SkippedDirectory, plural};
use skilltree_runtimes::profile::fields::FieldRule;
use skilltree_runtimes::profile::files::{Follow, Links};
use skilltree_runtimes::profile::{Handling, Profile, Verdict};
use skilltree_skills::quote;
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::Origin;

/// Maximum number of keys that a help names.
const NAMED: usize = 6;

/// An edit as text and, if its bytes are known, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Remedy {
    /// The edit as an imperative.
    pub(crate) help: String,
    /// Its bytes.
    edit: Option<Edit>,
}

impl Remedy {
    /// Returns the edit for a skill that runtimes lose.
    pub(crate) fn new(catalog: &Catalog, lost: &Lost<'_>) -> Self {
        let skill = catalog.skill(lost.skill);
        let text = |help: String| Self { help, edit: None };
        match lost.reason {
            Reason::Missing(field) => text(missing(field, &rules(lost, field))),
            Reason::WrongType(field, _) if is_filter(lost, field) => {
                text(format!("write `{field}` as a list of patterns, each in quotes, or remove the key"))
            }
            Reason::WrongType(field, _) => of_type(skill, field, &rules(lost, field)),
            Reason::NoKnownWord(field) => of_choice(skill, field, &rules(lost, field)),
            Reason::NoEffect { field, without, value } => {
                text(format!("add `{without}: {value}`, or remove `{field}`"))
            }
            Reason::Malformed(field) => {
                let rules = rules(lost, field);
                let has_words =
                    rules.iter().any(|rule| rule.pattern.as_ref().is_some_and(|one| !one.words().is_empty()));
                match (is_truth(&rules), has_words) {
                    (true, _) => of_type(skill, field, &rules),
                    (false, true) => of_choice(skill, field, &rules),
                    (false, false) => text(format!("write `{field}` in a form that every target accepts")),
                }
            }
            Reason::Forbidden(field, found) if found.starts_with('<') => {
                text(format!("remove the tag `{}` from `{field}`", text::shortened(found, 64)))
            }
            Reason::Forbidden(field, found) => text(format!("remove `{}` from `{field}`", text::shortened(found, 64))),
            Reason::UnknownKey(_) => text(unknown_keys(skill, lost)),
            Reason::FlowCollection => text("write the list or mapping without brackets, one entry per line".to_owned()),
            Reason::DiffersFromDirectory => text("rename the skill to match its directory".to_owned()),
            Reason::TooDeep(depth) => text(higher_directory(catalog, skill, lost, *depth)),
            Reason::TooLong { unit, most, .. } => {
                text(format!("shorten it to {} {}", text::grouped(most), plural(*unit)))
            }
            Reason::SkippedDirectory(why) => text(skipped(*why).to_owned()),
            Reason::FileName => text("rename the file to `SKILL.md`".to_owned()),
            Reason::EmptyBody => text("add instructions for the agent".to_owned()),
            Reason::Link | Reason::BrokenLink => text(unlink(lost).to_owned()),
            Reason::SecondSkillFile => text("move the other SKILL.md out of the directory".to_owned()),
            Reason::Namesake { .. } => text("rename one of the two skills and its directory, or remove one".to_owned()),
            _ => text("fix the cause".to_owned()),
        }
    }

    /// Adds the bytes of the edit to a finding.
    pub(crate) fn apply(self, finding: &mut Finding) {
        finding.edits.extend(self.edit);
    }
}

/// Returns the edit for a skill that is too deep: the runtime that reads the least decides.
fn higher_directory(catalog: &Catalog, skill: &Skill, lost: &Lost<'_>, depth: u32) -> String {
    let depths = lost.targets.iter().filter_map(|(_, forecast)| match forecast.reason {
        Some(Reason::TooDeep(depth)) => Some(depth),
        _ => None,
    });
    let depth = depths.min().unwrap_or(depth);
    let is_git = catalog.parsed.origin != Origin::Directory;
    higher::edit(&catalog.parsed.files, catalog.root(skill.root), skill, depth, is_git)
}

/// Returns the edit for a link: a runtime that follows no linked file may follow a linked directory.
fn unlink(lost: &Lost<'_>) -> &'static str {
    let follows = |links: &Links| {
        links.directory == Some(Follow::Followed) && links.file.is_some_and(|follow| follow != Follow::Followed)
    };
    match lost.targets.iter().all(|(target, _)| follows(&target.profile.loads.links)) {
        true => "link the skill directory instead",
        false => "replace the link with a file",
    }
}

fn skipped(why: SkippedDirectory) -> &'static str {
    match why {
        SkippedDirectory::InRoot => "move it to a directory of its own in the skills directory",
        SkippedDirectory::BelowSkill => "move it next to the skill that contains it",
        SkippedDirectory::Hidden => "rename the directory without the leading dot",
        SkippedDirectory::ByName => "rename the directory",
        SkippedDirectory::Ignored => "remove it from the ignore file",
    }
}

/// Returns whether a runtime lists the skill only for the files that the field names: another value would hide it from the model.
fn is_filter(lost: &Lost<'_>, field: &str) -> bool {
    let hides = |profile: &Profile| profile.loads.keys.unlists_until.as_ref().is_some_and(|until| until.key == field);
    lost.targets.iter().any(|(target, _)| hides(target.profile))
}

/// The requirements of the runtimes on a field.
fn rules<'a>(lost: &'a Lost<'_>, field: &str) -> Vec<&'a FieldRule> {
    lost.targets.iter().filter_map(|(target, _)| target.profile.loads.fields.get(field)).collect()
}

/// Returns whether all runtimes accept a type.
fn accept(rules: &[&FieldRule], verdict: impl Fn(&FieldRule) -> Option<Verdict>) -> bool {
    let is_loading = |verdict: Verdict| matches!(verdict.handling, Handling::Loads | Handling::Repairs);
    rules.iter().all(|rule| verdict(rule).is_none_or(is_loading))
}

/// Returns whether the field is true or false to the runtimes.
fn is_truth(rules: &[&FieldRule]) -> bool {
    let of_words = |rule: &&FieldRule| {
        rule.pattern.as_ref().is_some_and(|pattern| {
            let words = pattern.words();
            words.contains(&"true") && words.contains(&"false")
        })
    };
    !rules.is_empty()
        && (rules.iter().any(of_words) || !accept(rules, |rule| rule.text) && accept(rules, |rule| rule.boolean))
}

fn missing(field: &str, rules: &[&FieldRule]) -> String {
    let is_optional =
        !rules.is_empty() && accept(rules, |rule| rule.missing) && !matches!(field, "name" | "description");
    match (is_truth(rules), is_optional) {
        (true, _) => format!("write `true` or `false` for `{field}`, or remove the key"),
        (false, true) => format!("write a value for `{field}`, or remove the key"),
        (false, false) => format!("write a value for `{field}`"),
    }
}

/// Returns the edit to a type that the runtimes accept.
fn of_type(skill: &Skill, field: &str, rules: &[&FieldRule]) -> Remedy {
    let node = skill.field(field).map(|field| &field.value);
    // Something in a list or a mapping is wrong, not the value itself.
    let is_inside = match node.map(|node| &node.kind) {
        Some(NodeKind::List(_)) => accept(rules, |rule| rule.list),
        Some(NodeKind::Map(_)) => accept(rules, |rule| rule.mapping),
        _ => false,
    };
    if !is_inside && is_truth(rules) {
        let meant = node.and_then(meant_truth);
        return match (node, meant) {
            (Some(node), Some(meant)) => replace(node.place, field, meant),
            _ => Remedy { help: format!("write `{field}` as `true` or `false`"), edit: None },
        };
    }
    if accept(rules, |rule| rule.text) {
        if let Some((node, tools)) = node.and_then(|node| Some((node, tools(field, node)?))) {
            return replace(node.place, field, &tools);
        }
        return match node.and_then(|node| Some((node, quoted(skill, node)?))) {
            Some((node, text)) => replace(node.place, field, &text),
            None => Remedy { help: format!("write `{field}` as a string"), edit: None },
        };
    }
    let types = [
        (accept(rules, |rule| rule.list), "a list"),
        (accept(rules, |rule| rule.mapping), "a mapping"),
        (accept(rules, |rule| rule.number), "a number"),
    ];
    let accepted: Vec<&str> = types.into_iter().filter(|(is_accepted, _)| *is_accepted).map(|(_, noun)| noun).collect();
    let help = match (accepted.first(), node.map(|node| &node.kind)) {
        // The value has the type: something in it has not.
        (Some(&"a list"), Some(NodeKind::List(_))) => format!("write every item of `{field}` as a string"),
        (Some(&"a mapping"), Some(NodeKind::Map(fields))) => of_values(field, fields),
        (Some(noun), _) => format!("write `{field}` as {noun}"),
        (None, _) => format!("remove `{field}`"),
    };
    Remedy { help, edit: None }
}

/// Returns the edit to a mapping of strings.
fn of_values(field: &str, fields: &[Field]) -> String {
    let is_collection = |one: &&Field| !matches!(one.value.kind, NodeKind::Scalar { .. });
    match fields.iter().find(is_collection) {
        Some(one) => {
            let key = text::shortened(&one.key.value, 64);
            format!("write `{field}.{key}` as one string, or move it to a separate file next to SKILL.md")
        }
        None => format!("write every value of `{field}` in quotes"),
    }
}

/// Returns the edit to a value that the runtimes know.
fn of_choice(skill: &Skill, field: &str, rules: &[&FieldRule]) -> Remedy {
    let words = rules.iter().find_map(|rule| Some(rule.pattern.as_ref()?.words()).filter(|words| !words.is_empty()));
    let Some(words) = words else {
        let known: Vec<String> = rules.iter().flat_map(|rule| &rule.words).map(|word| format!("`{word}`")).collect();
        let help = match known.is_empty() {
            true => format!("write a known value for `{field}`"),
            false => format!("write one of {} for `{field}`", listed(&known)),
        };
        return Remedy { help, edit: None };
    };
    if is_truth(rules) {
        return of_type(skill, field, rules);
    }
    let node = skill.field(field).map(|field| &field.value);
    let meant = node.and_then(Node::scalar).and_then(|typed| text::nearest(typed, words.iter().copied()));
    match (node, meant, words.as_slice()) {
        (Some(node), Some(meant), _) => replace(node.place, field, meant),
        (_, None, [word]) => Remedy { help: format!("write `{field}: {word}`, or remove the key"), edit: None },
        _ => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            Remedy { help: format!("write one of {} for `{field}`, or remove the key", listed(&words)), edit: None }
        }
    }
}

/// Replaces a value.
fn replace(place: Place, field: &str, value: &str) -> Remedy {
    let help = format!("write `{field}: {}`", text::shortened(value, 64));
    Remedy { help, edit: Some(Edit { place, text: value.to_owned(), safe: true }) }
}

/// Returns the boolean that a text or a number stands for.
fn meant_truth(node: &Node) -> Option<&'static str> {
    let is = |words: &[&str]| {
        node.scalar().is_some_and(|text| words.iter().any(|word| text.trim().eq_ignore_ascii_case(word)))
    };
    let item = match &node.kind {
        NodeKind::List(items) => items.first().filter(|_| items.len() == 1).and_then(meant_truth),
        _ => None,
    };
    if is(&["true", "yes", "on", "y", "1"]) {
        Some("true")
    } else if is(&["false", "no", "off", "n", "0"]) {
        Some("false")
    } else {
        item
    }
}

/// Returns a value in quotes: a plain scalar that is not a string, or a list or mapping in brackets on one line.
fn quoted(skill: &Skill, node: &Node) -> Option<String> {
    let source = || quote::plain(skill, node.place).filter(|text| !text.contains('\n'));
    match &node.kind {
        NodeKind::Scalar {
            style: Style::Plain,
            kind: ScalarKind::Boolean | ScalarKind::Number | ScalarKind::Timestamp,
            ..
        } => source(),
        NodeKind::List(_) | NodeKind::Map(_) if matches!(skill.source(node.place).first(), Some(b'[' | b'{')) => {
            source()
        }
        _ => None,
    }
}

/// Returns a list of tools as one string, as the specification wants it: separated by spaces.
fn tools(field: &str, node: &Node) -> Option<String> {
    let NodeKind::List(items) = &node.kind else { return None };
    let names: Option<Vec<&str>> = items.iter().map(Node::scalar).collect();
    let names = names.filter(|names| !names.is_empty() && field.ends_with("allowed-tools"))?.join(" ");
    let is_plain = names.chars().next().is_some_and(|first| first.is_ascii_alphabetic())
        && !names.contains(": ")
        && !names.contains(" #")
        && !names.ends_with(':');
    Some(if is_plain { names } else { quote::quoted(&names) })
}

/// Names every key that the runtimes do not know.
fn unknown_keys(skill: &Skill, lost: &Lost<'_>) -> String {
    let known = |key: &str| {
        lost.targets.iter().any(|(target, _)| target.profile.loads.keys.known.iter().any(|known| known == key))
    };
    let unknown = skill.fields().map(|field| field.key.value.as_str()).filter(|key| !known(key));
    let keys: Vec<String> = unknown.map(|key| format!("`{}`", text::shortened(key, 64))).collect();
    let shown = if keys.len() > NAMED {
        format!("{} and {} more", keys[..NAMED].join(", "), keys.len() - NAMED)
    } else {
        listed(&keys)
    };
    format!("move {shown} under `metadata`")
}
