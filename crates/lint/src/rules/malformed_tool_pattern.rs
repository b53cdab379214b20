//! Reports patterns of `Bash` that do not allow what they say.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Node, NodeKind};
use skilltree_skills::keys::tool_entries;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "malformed-tool-pattern",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a pattern of `Bash` allows other commands than it says",
    why: "a runtime silently takes a malformed pattern for no command, or for every command",
    explanation: include_str!("malformed_tool_pattern.md"),
    check: Check::Text(check),
    ..Rule::DEFAULT
};

/// The tool whose patterns are commands.
const TOOL: &str = "Bash";

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let knows = |tools: &[String]| tools.iter().any(|tool| tool == TOOL);
    let Some(profile) = facts.scope.of(skill.root).find(|profile| knows(&profile.loads.keys.tools)) else { return };
    let field = skill.field("allowed-tools").filter(|_| !facts.text.is_agent());
    let Some(field) = field else { return };
    let nodes = match &field.value.kind {
        NodeKind::List(items) => items.iter().collect(),
        _ => vec![&field.value],
    };
    for node in nodes {
        for (what, place, meant) in flaws(skill, node) {
            let shown = text::shortened(&what, 64);
            let allows = if what.starts_with("Bash (") { "every command" } else { "no command" };
            let finding = sink.report(place, format!("`{shown}` allows {allows} in {}", profile.actor()));
            match meant {
                // Unsafe, because it changes what is allowed.
                Some(meant) => {
                    finding.help(format!("write `{}`", text::shortened(&meant, 64))).unsafe_edit(place, meant)
                }
                None if is_open(&what) => finding.help("close the parenthesis"),
                None => finding.help("name the commands: `Bash(git:*)`; `Bash` allows every command"),
            };
        }
    }
}

/// Returns the malformed entries of a text, each with its place and what it means.
fn flaws(skill: &Skill, node: &Node) -> Vec<(String, Place, Option<String>)> {
    let (Some(_), Ok(source)) = (node.scalar(), skill.source(node.place).to_str()) else { return Vec::new() };
    let start = node.place.range().start;
    let mut found = Vec::new();
    let mut tool_at = None;
    for entry in tool_entries(source) {
        let at = entry.as_ptr() as usize - source.as_ptr() as usize;
        let bare = entry.trim_matches(['"', '\'']);
        let at = at + entry.find(bare).unwrap_or_default();
        let place = |from: usize| Place::new(skill.file, start + from..start + at + bare.len());
        if let Some(from) = tool_at.filter(|_| bare.starts_with('(') && bare.ends_with(')')) {
            let between = &source[from + TOOL.len()..at];
            if between.chars().all(|character| character == ' ') {
                found.push((format!("{TOOL} {bare}"), place(from), Some(format!("{TOOL}{bare}"))));
            }
        }
        tool_at = (bare == TOOL).then_some(at);
        let pattern = bare.strip_prefix(TOOL).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
        if bare.starts_with(TOOL) && is_open(bare) {
            found.push((bare.to_owned(), place(at), closed(bare)));
        } else if let Some(meant) = pattern.and_then(meant) {
            found.push((bare.to_owned(), place(at), meant));
        }
    }
    found
}

/// Returns whether the pattern of an entry has no end. The entries after it are then part of it.
fn is_open(entry: &str) -> bool {
    entry[TOOL.len()..].starts_with('(') && entry.matches('(').count() > entry.matches(')').count()
}

/// Returns an entry whose pattern has no end with one: after its first asterisk, or else at the end; `None` if that is not enough.
fn closed(entry: &str) -> Option<String> {
    let end = entry.find('*').map_or(entry.len(), |at| at + 1);
    let closed = format!("{}){}", &entry[..end], &entry[end..]);
    let is_separate = closed[end + 1..].chars().next().is_none_or(|next| next == ' ' || next == ',');
    (is_separate && !is_open(&closed)).then_some(closed)
}

/// Returns what a pattern that matches no command means; `Some(None)` if it names none, and `None` for any other pattern.
fn meant(pattern: &str) -> Option<Option<String>> {
    let whole = pattern.trim();
    if whole == ":*" {
        return Some(None);
    }
    let parts: Vec<&str> = whole.split(',').map(str::trim).collect();
    let is_list = parts.len() > 1 && parts[..parts.len() - 1].iter().all(|part| part.ends_with(":*"));
    let parts = if is_list { parts } else { vec![whole] };
    let fixed: Vec<String> = parts.iter().map(|part| joined(part)).collect();
    let is_changed = is_list || fixed[0] != pattern && (fixed[0].ends_with(":*") || is_split(whole));
    let is_named = fixed.iter().all(|part| !part.is_empty() && part != ":*");
    let written = fixed.iter().map(|part| format!("{TOOL}({part})")).collect::<Vec<_>>().join(" ");
    is_changed.then(|| is_named.then_some(written))
}

/// Returns a part of a pattern without spaces around its last colon, and with spaces between the words of the command.
fn joined(part: &str) -> String {
    let prefix = part.strip_suffix('*').and_then(|prefix| prefix.trim_end().strip_suffix(':'));
    let (command, end) = prefix.map_or((part, ""), |prefix| (prefix.trim_end(), ":*"));
    match command.split_once(' ').unwrap_or((command, "")) {
        (program, _) if !is_split(program) => format!("{command}{end}"),
        (program, "") => format!("{}{end}", program.replace(':', " ")),
        (program, rest) => format!("{} {rest}{end}", program.replace(':', " ")),
    }
}

/// Returns whether colons separate the words of a command: no program has such a name.
fn is_split(command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or(command);
    let program = program.strip_suffix(":*").unwrap_or(program);
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let is_path = |word: &str| {
        word.contains(['.', '/']) && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
    };
    let mut words = program.split(':');
    program.contains(':') && words.next().is_some_and(is_word) && words.all(|word| is_word(word) || is_path(word))
}
