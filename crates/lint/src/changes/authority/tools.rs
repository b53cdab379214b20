//! Lists of tools: which entry covers which.

use std::collections::BTreeSet;

use skilltree_front_matter::{Node, NodeKind};
use skilltree_skills::keys::tool_entries;
use skilltree_skills::skill::Skill;

/// Returns the entries of a field. Of a key that is there twice, some runtimes take the last value.
pub(super) fn of<'a>(skill: &'a Skill, key: &str) -> Vec<&'a str> {
    let fields = skill.fields().filter(|field| field.key.value == key);
    fields.flat_map(|field| entries(&field.value)).collect()
}

/// Returns the entries that no known one covers. Both are sorted, so that an entry is compared only with those that it begins with.
pub(super) fn uncovered<'a>(tools: impl IntoIterator<Item = &'a str>, known: &[&str]) -> BTreeSet<&'a str> {
    let mut known: Vec<(String, &str)> =
        known.iter().copied().collect::<BTreeSet<_>>().into_iter().map(|known| (start(known), known)).collect();
    known.sort_unstable();
    let mut known = known.into_iter().peekable();
    let mut tools: Vec<(String, &str)> =
        tools.into_iter().collect::<BTreeSet<_>>().into_iter().map(|tool| (whole(tool), tool)).collect();
    tools.sort_unstable();
    let mut open: Vec<(String, &str)> = Vec::new();
    let mut uncovered = BTreeSet::new();
    for (text, tool) in tools {
        while let Some(next) = known.next_if(|(start, _)| *start <= text) {
            open.truncate(prefixes(&open, &next.0));
            open.push(next);
        }
        open.truncate(prefixes(&open, &text));
        if !open.iter().any(|(_, known)| covers(known, tool)) {
            uncovered.insert(tool);
        }
    }
    uncovered
}

/// Returns how many of some texts, each of which begins with the one before it, a text begins with.
fn prefixes(open: &[(String, &str)], text: &str) -> usize {
    open.iter().rposition(|(start, _)| text.starts_with(start.as_str())).map_or(0, |last| last + 1)
}

/// Returns an entry as its tool and its pattern.
fn whole(entry: &str) -> String {
    let (name, pattern) = parts(entry);
    pattern.map_or_else(|| name.to_owned(), |pattern| format!("{name}({pattern}"))
}

/// Returns what each entry that another one covers begins with, as [`whole`] writes it.
fn start(entry: &str) -> String {
    let (name, pattern) = parts(entry);
    if name == "*" {
        return String::new();
    }
    let fixed = pattern.map(|pattern| {
        let ends = ["/**", ":*", " *", "*"];
        ends.iter().find_map(|end| pattern.strip_suffix(end)).unwrap_or(pattern)
    });
    fixed.map_or_else(|| name.to_owned(), |fixed| format!("{name}({fixed}"))
}

/// Returns the entries of a list, or of a text that separates them with spaces or commas outside parentheses.
pub(super) fn entries(node: &Node) -> Vec<&str> {
    match &node.kind {
        NodeKind::List(items) => items.iter().filter_map(Node::scalar).flat_map(tool_entries).collect(),
        _ => node.scalar().map(tool_entries).unwrap_or_default(),
    }
}

/// Returns whether an entry allows all that another one allows.
pub(super) fn covers(known: &str, tool: &str) -> bool {
    let ((name, pattern), (own, wanted)) = (parts(known), parts(tool));
    if name != own {
        // `mcp__github` and `@github` mean all tools of the server.
        let has_end = |end: &str| own.strip_prefix(name).is_some_and(|rest| rest.starts_with(end));
        let is_of_server = || name.starts_with("mcp__") && has_end("__") || name.starts_with('@') && has_end("/");
        return name == "*" || pattern.is_none() && is_of_server();
    }
    match (pattern, wanted) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(pattern), Some(wanted)) => pattern == wanted || begins(pattern, wanted),
    }
}

/// Splits an entry into the tool and the pattern of its arguments; a pattern that allows all is none.
fn parts(entry: &str) -> (&str, Option<&str>) {
    let Some((name, rest)) = entry.split_once('(') else { return (entry, None) };
    let pattern = rest.strip_suffix(')').unwrap_or(rest).trim();
    let pattern = if name == "Bash" { pattern } else { pattern.strip_prefix("./").unwrap_or(pattern) };
    (name, Some(pattern).filter(|pattern| !matches!(*pattern, "" | "*" | "**")))
}

/// Returns whether a pattern such as `git:*` allows all that a longer one such as `git push:*` allows.
fn begins(pattern: &str, wanted: &str) -> bool {
    if let Some(prefix) = ["/**", "*"].iter().find_map(|end| pattern.strip_suffix(end))
        && !prefix.is_empty()
        && !prefix.ends_with([':', ' '])
        && !prefix.contains('*')
    {
        let is_whole = |rest: &str| !pattern.ends_with("/**") || rest.is_empty() || rest.starts_with('/');
        let is_plain = |rest: &str| !rest.contains([';', '&', '|', '`', '$']) && !rest.contains("..");
        return wanted.strip_prefix(prefix).is_some_and(|rest| is_whole(rest) && is_plain(rest));
    }
    let prefix = [":*", " *"].iter().find_map(|end| pattern.strip_suffix(end));
    let rest = prefix.filter(|prefix| !prefix.is_empty()).and_then(|prefix| wanted.strip_prefix(prefix));
    // Another command after the first one is not covered.
    rest.is_some_and(|rest| {
        (rest.is_empty() || rest.starts_with([' ', ':'])) && !rest.contains([';', '&', '|', '`', '$'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_no_entry_covers() {
        let found = |tools: &[&'static str], known: &[&str]| -> Vec<&str> {
            uncovered(tools.iter().copied(), known).into_iter().collect()
        };
        assert_eq!(found(&["Read", "Bash(git log)", "Bash(ls)"], &["Bash(git *)", "Bash", "Read(a)"]), ["Read"]);
        assert_eq!(found(&["Bash(gitk)", "Bash(git)", "Bash(git push:*)"], &["Bash(git:*)"]), ["Bash(gitk)"]);
        assert_eq!(found(&["Write", "mcp__a__b"], &["*"]), [""; 0]);
        assert_eq!(found(&["mcp__ab", "mcp__a__b", "Edit(b)"], &["mcp__a", "Edit(a)"]), ["Edit(b)", "mcp__ab"]);
    }

    #[test]
    fn compares_long_lists_in_little_time() {
        let list =
            |from: usize| -> Vec<String> { (from..from + 50_000).map(|number| format!("Bash(a{number}:*)")).collect() };
        let (own, known) = (list(0), list(25_000));
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        // Of `a2500:*`, no longer number is part.
        assert_eq!(uncovered(own.iter().map(String::as_str), &known).len(), 25_000);
    }

    #[test]
    fn knows_which_entry_allows_more() {
        for (known, tool, expected) in [
            ("Bash", "Bash(git:*)", true),
            ("Bash(*)", "Bash", true),
            ("Bash(:*)", "Bash", false),
            ("Bash(git:*)", "Bash(git push:*)", true),
            ("Bash(git:*)", "Bash(git:*)", true),
            ("Bash(git *)", "Bash(git log)", true),
            ("Bash(git:*)", "Bash(gitk:*)", false),
            ("Bash(git:*)", "Bash(git log; rm:*)", false),
            ("Bash(git push:*)", "Bash(git:*)", false),
            ("Bash(git:*)", "Bash", false),
            ("Bash(git:*)", "Bash(*)", false),
            ("Read", "Write", false),
            ("*", "Write", true),
            ("mcp__github", "mcp__github__get_issue", true),
            ("mcp__git", "mcp__github__get_issue", false),
            ("@github", "@github/get_issue", true),
            ("@git", "@github/get_issue", false),
            ("Edit(src/**)", "Edit(src/docs/**)", true),
            ("Edit(src/docs/**)", "Edit(src/**)", false),
            ("Edit(src/**)", "Edit(srcs/**)", false),
            ("Edit(src/**)", "Edit(src/../**)", false),
            ("Bash(npm run test*)", "Bash(npm run test:unit)", true),
            ("Bash(npm run test*)", "Bash(npm run test; rm)", false),
            ("Read(./.env*)", "Read(.env)", true),
            ("Read(.env)", "Read(./.env*)", false),
        ] {
            assert_eq!(covers(known, tool), expected, "{known} {tool}");
        }
    }
}
