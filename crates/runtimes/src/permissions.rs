//! Rules about tools in the settings of Claude Code that it does not apply, as 2.1.332 says when it starts.

use skilltree_front_matter::text;
use skilltree_skills::manifest::RULES;

/// A rule that is not applied as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Idle {
    /// What is wrong.
    pub(crate) what: String,
    /// The rule that is meant.
    pub(crate) meant: Option<String>,
}

/// Tools whose paths are those of another tool.
const OF_PATHS: [(&str, &str); 4] =
    [("Glob", "Read"), ("MultiEdit", "Edit"), ("NotebookEdit", "Edit"), ("Write", "Edit")];

/// The list whose rules allow tools.
pub(crate) const ALLOWED: &str = RULES[2];

/// Maximum length of a rule that is shown, in bytes.
const SHOWN: usize = 64;

/// Returns why a rule of a list is not applied; `None` if it is, as far as is known.
pub(crate) fn idle(list: &str, rule: &str) -> Option<Idle> {
    let shown = text::shortened(rule, SHOWN);
    let idle = |what: String, meant: Option<String>| Some(Idle { what, meant });
    if rule.trim().is_empty() {
        return idle("a rule is empty".to_owned(), None);
    }
    let Some((tool, rest)) = rule.split_once('(') else {
        let is_wide = list == ALLOWED && rule == "mcp__*";
        return if is_wide { idle(format!("`{shown}` allows nothing: name the server"), None) } else { None };
    };
    // What is wrong with a rule about skills is said with their names.
    if tool.eq_ignore_ascii_case("skill") {
        return None;
    }
    let Some(inside) = rest.strip_suffix(')') else {
        let meant = (!rest.contains(')')).then(|| format!("{rule})"));
        return idle(format!("`{shown}` does not end with `)`"), meant);
    };
    if tool.starts_with("mcp__") {
        return idle(format!("`{shown}`: a tool of a server has no pattern"), Some(tool.to_owned()));
    }
    if tool.starts_with(|first: char| first.is_ascii_lowercase()) {
        let capital = format!("{}{}", tool[..1].to_ascii_uppercase(), &tool[1..]);
        return idle(format!("`{shown}` begins with a lowercase letter"), Some(format!("{capital}({inside})")));
    }
    match (tool, inside) {
        ("Bash", "") => idle(format!("`{shown}` has empty parentheses"), None),
        (_, "") => idle(format!("`{shown}` has empty parentheses"), Some(tool.to_owned())),
        ("Bash", ":*") => idle(format!("`{shown}` has no command before `:*`"), None),
        ("Bash", _) => {
            let prefix = inside.strip_suffix(":*").filter(|prefix| prefix.contains('*'))?;
            let meant = format!("Bash({prefix}*)").replace("**", "*");
            idle(format!("`{shown}`: with `:*`, another `*` is no wildcard"), Some(meant))
        }
        ("WebFetch", _) if !inside.starts_with("domain:") => {
            let host = inside.split_once("://").map_or(inside, |(_, rest)| rest);
            let host = host.split('/').next().filter(|host| !host.is_empty() && !host.contains('*'));
            let meant = host.map(|host| format!("WebFetch(domain:{host})"));
            idle(format!("`{shown}` has no `domain:`"), meant)
        }
        _ => {
            let (_, other) = OF_PATHS.iter().find(|(known, _)| *known == tool && inside != "*")?;
            idle(format!("`{shown}` matches no path: only `{other}` does"), Some(format!("{other}({inside})")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules that `claude` 2.1.332 skips or does not match, with the rule that is meant.
    const SEEN: [(&str, Option<&str>); 14] = [
        ("Write(site/**)", Some("Edit(site/**)")),
        ("NotebookEdit(a)", Some("Edit(a)")),
        ("MultiEdit(a/**)", Some("Edit(a/**)")),
        ("Glob(src/**)", Some("Read(src/**)")),
        ("Bash(git:*", Some("Bash(git:*)")),
        ("bash(git:*)", Some("Bash(git:*)")),
        ("Bash(git:*) x", None),
        ("WebFetch(example.com)", Some("WebFetch(domain:example.com)")),
        ("WebFetch(https://x.com/*)", Some("WebFetch(domain:x.com)")),
        ("mcp__x__y(z)", Some("mcp__x__y")),
        ("Bash(:*)", None),
        ("Bash()", None),
        ("Bash(git*:*)", Some("Bash(git*)")),
        ("", None),
    ];

    #[test]
    fn knows_rules_without_effect() {
        for (rule, meant) in SEEN {
            for list in RULES {
                let found = idle(list, rule).unwrap_or_else(|| panic!("{rule}"));
                assert_eq!(found.meant.as_deref(), meant, "{rule}");
                assert_eq!(found.meant.and_then(|meant| idle(list, &meant)), None, "{rule}");
            }
        }
        assert!(idle(ALLOWED, "mcp__*").is_some() && idle(RULES[0], "mcp__*").is_none());
        for rule in [
            "Read(src/**)",
            "Edit(a)",
            "Skill(a)",
            "skill(a)",
            "WebFetch(domain:*.x.com)",
            "mcp__x__*",
            "Bash(*)",
            "Bash(git :*)",
            "Write",
            "Write(*)",
            "Grep(x)",
            "Task(reviewer)",
            "Bash(npm run test|build)",
            "Bash(echo (a))",
            "*",
        ] {
            assert_eq!(idle(ALLOWED, rule), None, "{rule}");
        }
    }
}
