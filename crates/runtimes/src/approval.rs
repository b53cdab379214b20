//! Whether a runtime runs a command of a body without asking: it does if each simple command is read-only or allowed by the skill.

mod outside;

use crate::profile::loads::Approval;

/// A command that a runtime does not run without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unapproved {
    /// It contains a variable or a substitution, so that the runtime cannot check it: this one.
    Variable(String),
    /// No entry allows this simple command.
    NoEntry {
        /// The simple command.
        command: String,
        /// The entry that allows it.
        entry: String,
    },
    /// It reads this file or directory, which is outside the project.
    Outside {
        /// The path, as written.
        path: String,
        /// The entry that allows it; `None` if only the whole tool does.
        entry: Option<String>,
    },
}

/// Maximum number of simple commands of a command that are read (ours: 64).
const SIMPLE: usize = 64;

/// Programs whose second word is a command of its own.
const WITH_COMMANDS: [&str; 24] = [
    "brew",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "conda",
    "deno",
    "docker",
    "dotnet",
    "gh",
    "git",
    "go",
    "helm",
    "kubectl",
    "make",
    "mvn",
    "npm",
    "npx",
    "pip",
    "pnpm",
    "poetry",
    "terraform",
    "uv",
    "yarn",
];

/// Returns why a runtime does not run a command without asking; `None` if it does, or if that cannot be told without a shell: a command
/// with a redirection to a file or a here document. With arguments, words of the user replace variables such as `$1` before.
pub fn unapproved(approval: &Approval, command: &str, entries: &[&str], has_arguments: bool) -> Option<Unapproved> {
    let patterns: Vec<String> =
        entries.iter().filter_map(|entry| pattern(entry, &approval.tool)).map(without_quotes).collect();
    if patterns.iter().any(|pattern| matches!(pattern.as_str(), "" | "*" | ":*")) {
        return None;
    }
    if let Some(variable) = argument(command).filter(|_| !has_arguments) {
        return Some(Unapproved::Variable(variable.to_owned()));
    }
    if has_substitution(command) && !patterns.contains(&without_quotes(command.trim())) {
        return Some(Unapproved::Variable("$(...)".to_owned()));
    }
    let plain = ["2>/dev/null", ">/dev/null", "2>&1", "2> /dev/null", "> /dev/null"]
        .iter()
        .fold(command.replace("$HOME/", "~/"), |text, redirection| text.replace(redirection, " "));
    // The runtime replaces these in the command and in the entries.
    let mut open = approval.placeholders.iter().fold(plain.clone(), |text, placeholder| text.replace(placeholder, ""));
    while let Some(variable) = argument(&open).map(str::to_owned) {
        open = open.replace(&variable, "");
    }
    if open.contains(['`', '>', '<', '(', '{', '#', '\\', '$']) {
        return None;
    }
    let simple: Vec<String> = simple(&plain)?.iter().map(|command| without_quotes(command)).collect();
    let outside = |command: &String| outside::outside(approval, unwrapped(approval, command), entries);
    if let Some(found) = simple.iter().find_map(outside) {
        return Some(found);
    }
    let is_free = |command: &str| {
        approval.alone.iter().any(|known| known == command)
            || approval.read_only.iter().any(|known| is_prefix(known, command))
    };
    let is_allowed = |command: &str| patterns.iter().any(|pattern| covers(pattern, command));
    // An entry may also be the whole command.
    if patterns.contains(&without_quotes(command.trim())) {
        return None;
    }
    let command = simple.into_iter().find(|command| !is_free(unwrapped(approval, command)) && !is_allowed(command))?;
    let entry = format!("{}({}:*)", approval.tool, stem(&command));
    Some(Unapproved::NoEntry { command, entry })
}

/// Returns a command without double quotes, which change no path without spaces.
fn without_quotes(text: &str) -> String {
    text.replace('"', "")
}

/// Returns the pattern of an entry for a tool: empty if the entry is the whole tool.
fn pattern<'a>(entry: &'a str, tool: &str) -> Option<&'a str> {
    let rest = entry.trim().strip_prefix(tool)?;
    if rest.is_empty() { Some("") } else { Some(rest.strip_prefix('(')?.strip_suffix(')')?.trim()) }
}

/// Returns the first variable such as `$1` in a command.
fn argument(command: &str) -> Option<&str> {
    let number = |at: usize| {
        let digits = command[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let next = command.as_bytes().get(at + 1 + digits);
        let is_longer = next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        (digits > 0 && !is_longer).then(|| &command[at..=at + digits])
    };
    command.match_indices('$').find_map(|(at, _)| number(at))
}

/// Returns whether a command has `$(...)` outside single quotes. Backticks end the code span that holds a command.
fn has_substitution(command: &str) -> bool {
    let (mut single, mut double, mut before) = (false, false, ' ');
    let mut rest = command.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' if !single => drop(rest.next()),
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '(' if before == '$' && !single => return rest.peek() != Some(&'('),
            _ => {}
        }
        before = character;
    }
    false
}

/// Splits a command into simple commands at operators outside quotes; `None` if a quote is never closed or there are too many.
fn simple(command: &str) -> Option<Vec<String>> {
    let (mut found, mut current, mut quote) = (Vec::new(), String::new(), None);
    for character in command.chars() {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None if matches!(character, '|' | '&' | ';' | '\n') => {
                found.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(character);
    }
    found.push(current);
    let found: Vec<String> = found.iter().map(|command| command.trim().to_owned()).collect();
    let found: Vec<String> = found.into_iter().filter(|command| !command.is_empty()).collect();
    (quote.is_none() && found.len() <= SIMPLE).then_some(found)
}

/// Returns the command that a simple command starts: after variables that change no meaning, `timeout 5` and `command`.
fn unwrapped<'c>(approval: &Approval, command: &'c str) -> &'c str {
    let Some((first, rest)) = command.split_once(char::is_whitespace) else { return command };
    let rest = rest.trim_start();
    let is_variable =
        first.split_once('=').is_some_and(|(name, _)| approval.variables.iter().any(|known| known == name));
    match first {
        "command" if !rest.starts_with('-') => unwrapped(approval, rest),
        "timeout" => match rest.split_once(char::is_whitespace) {
            Some((seconds, rest)) if seconds.starts_with(|first: char| first.is_ascii_digit()) => rest.trim_start(),
            _ => command,
        },
        _ if is_variable => unwrapped(approval, rest),
        _ => command,
    }
}

/// Returns whether a command begins with some words, or with an option and its value.
fn is_prefix(words: &str, command: &str) -> bool {
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    command.strip_prefix(words).is_some_and(|rest| is_end(rest) || words.contains(" --") && rest.starts_with('='))
}

/// Returns whether a pattern covers a command: `npm test`, `npm test:*`, `npm run *`.
fn covers(pattern: &str, command: &str) -> bool {
    match pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *")) {
        Some(prefix) if !prefix.contains('*') => is_prefix(prefix, command),
        _ => matches(pattern.as_bytes(), command.as_bytes()),
    }
}

/// Matches a pattern in which `*` stands for any text.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let mut parts = pattern.split(|byte| *byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&[u8]> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        let Some(at) = bstr::ByteSlice::find(rest, part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Returns the words of a command that an entry names: the program, and its command if it has some.
fn stem(command: &str) -> String {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let is_word = |word: &&str| word.starts_with(|first: char| first.is_ascii_lowercase());
    match words.next().filter(is_word).filter(|_| WITH_COMMANDS.contains(&program)) {
        Some(second) if matches!((program, second), ("npm" | "pnpm" | "yarn" | "bun", "run")) => {
            words.next().map_or_else(|| format!("{program} run"), |script| format!("{program} run {script}"))
        }
        Some(second) => format!("{program} {second}"),
        None => program.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    fn entry(command: &str, entries: &[&str]) -> Option<String> {
        entry_with(command, entries, false)
    }

    fn entry_with(command: &str, entries: &[&str], has_arguments: bool) -> Option<String> {
        let profiles = Profiles::default();
        let approval = profiles.find("claude-code").and_then(|profile| profile.loads.approval.clone()).unwrap();
        unapproved(&approval, command, entries, has_arguments).map(|found| match found {
            Unapproved::Variable(variable) => variable,
            Unapproved::NoEntry { entry, .. } => entry,
            Unapproved::Outside { path, entry } => entry.unwrap_or(path),
        })
    }

    #[test]
    fn approves_read_only_and_allowed_commands() {
        for command in [
            "git status --short",
            "git branch --show-current 2>/dev/null || echo none",
            "ls -la | grep -v '|' | head -5",
            "cat a; pwd && date",
            "grep '$(x)' a",
            "npm test > log",
            "npm test $FILES",
            "cat \"${CLAUDE_SKILL_DIR}/words.txt\"",
            "git branch",
            "git branch --sort=-committerdate",
            "LC_ALL=C sort a | timeout 5 cat b",
            "command git status",
            "grep /etc a",
            "[ -d /tmp ] && echo ~/a",
        ] {
            assert_eq!(entry(command, &[]), None, "{command}");
        }
        for (command, allowed) in [
            ("npm test", "Bash"),
            ("npm test", "Bash(*)"),
            ("npm test -- a", "Bash(npm test:*)"),
            ("npm run lint", "Bash(npm run *)"),
            ("npm test", "Bash(npm test)"),
            ("git push origin a && npm test", "Bash(git push origin a && npm test)"),
            ("node a/b/c.js", "Bash(node *c.js)"),
            ("gh pr view $1", "Bash"),
            ("ls $(pwd)", "Bash"),
            ("ls $(pwd)", "Bash(ls $(pwd))"),
            ("\"${CLAUDE_SKILL_DIR}/x.sh\" --all", "Bash(${CLAUDE_SKILL_DIR}/x.sh:*)"),
        ] {
            assert_eq!(entry(command, &["Read", allowed]), None, "{command} with {allowed}");
        }
    }

    #[test]
    fn names_the_entry_that_is_missing() {
        for (command, allowed, expected) in [
            ("npm test", "", "Bash(npm test:*)"),
            ("basename \"$(pwd)\"", "", "$(...)"),
            ("ls $(pwd)", "Bash(ls:*)", "$(...)"),
            ("npm run build -- --x", "Bash(npm test:*)", "Bash(npm run build:*)"),
            ("git push --dry-run", "Bash(git status)", "Bash(git push:*)"),
            ("cat a | node x.js", "Bash(cat:*)", "Bash(node:*)"),
            ("npm tests", "Bash(npm test:*)", "Bash(npm tests:*)"),
            ("./scripts/x.sh 2>&1", "Read", "Bash(./scripts/x.sh:*)"),
            ("gh pr view $1", "Bash(gh:*)", "$1"),
            ("\"${CLAUDE_SKILL_DIR}/x.sh\" --all", "Read", "Bash(${CLAUDE_SKILL_DIR}/x.sh:*)"),
            ("git branch -D a", "Read", "Bash(git branch:*)"),
            ("command -v node", "Bash(node:*)", "Bash(command:*)"),
            ("timeout 5 npm test", "Read", "Bash(timeout:*)"),
        ] {
            assert_eq!(entry(command, &[allowed]).as_deref(), Some(expected), "{command}");
        }
    }

    #[test]
    fn names_the_file_outside_the_project() {
        for (command, allowed, expected) in [
            ("cat ~/.bashrc", "Bash(cat:*)", Some("Read(~/.bashrc)")),
            ("cat $HOME/notes/a.md 2>/dev/null || echo none", "Bash(cat:*)", Some("Read(~/notes/a.md)")),
            ("ls -la ~/.claude", "Bash(ls:*)", Some("Read(~/.claude/**)")),
            ("cat ~/.claude/a.json", "Read(~/.claude/**)", None),
            ("cat ~/.claude/a.json", "Bash(cat ~/.claude/a.json)", Some("Read(~/.claude/a.json)")),
            ("head -1 /etc/hosts", "Bash(head:*)", Some("Read(//etc/hosts)")),
            ("cat /etc/hosts", "Read(//etc)", None),
            ("grep /etc /etc/hosts | wc -l", "Read", Some("Read(//etc/hosts)")),
            ("cat ../a", "Bash(cat:*)", Some("../a")),
            ("cat ../a", "Bash", None),
            ("ls /home/me/project", "Read", None),
        ] {
            assert_eq!(entry(command, &[allowed]).as_deref(), expected, "{command} with {allowed}");
        }
    }

    #[test]
    fn approves_arguments_of_the_user() {
        assert_eq!(entry_with("gh pr view $1 $22", &["Bash(gh pr view:*)"], true), None);
        assert_eq!(entry_with("git log $1", &[], true), None);
        assert_eq!(entry_with("gh pr merge $1", &["Read"], true).as_deref(), Some("Bash(gh pr:*)"));
        assert_eq!(entry_with("gh pr view $1$FILES", &["Read"], true), None);
    }
}
