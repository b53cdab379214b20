//! Lists of tools: which entry covers which.

use skilltree_front_matter::{Node, NodeKind};
use skilltree_skills::keys::tool_entries;

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
        // `mcp__github` means all tools of the server.
        let is_of_server = || own.strip_prefix(name).is_some_and(|rest| rest.starts_with("__"));
        return name == "*" || name.starts_with("mcp__") && pattern.is_none() && is_of_server();
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
