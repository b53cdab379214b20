//! Words that people type because other linters have them, and what they mean here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use skilltree_front_matter::text;

/// Options that do not exist, each with the commands that it is typed with and what to write. Without commands, it is typed with any.
const OPTIONS: &[(&[&str], &str, &str)] = &[
    (&[], "--json", "--format json"),
    (&[], "--markdown", "--format markdown"),
    (&[], "--no-color", "--color never"),
    (&[], "--no-colour", "--color never"),
    (&[], "--output-format", "--format"),
    (&[], "--runtime", "--target"),
    (&[], "--silent", "--quiet"),
    (&[], "--threads", "--jobs"),
    (&[], "--timeout", "--max-time"),
    (&["check"], "--agent", "--target"),
    (&["check"], "--apply", "skilltree fix"),
    (&["check"], "--autofix", "skilltree fix"),
    (&["check"], "--cached", "--staged"),
    (&["check"], "--changed", "--base REV"),
    (&["check"], "--diff", "skilltree fix --diff"),
    (&["check"], "--disable", "--rule ID=off"),
    (&["check"], "--enable", "--rule ID=warning"),
    (&["check"], "--error-on-warning", "--fail-on warning"),
    (&["check"], "--fail-on-warning", "--fail-on warning"),
    (&["check"], "--fix", "skilltree fix"),
    (&["check"], "--fix-dry-run", "skilltree fix --diff"),
    (&["check"], "--github", "--format github"),
    (&["check"], "--ignore", "--rule ID=off"),
    (&["check"], "--level", "--fail-on LEVEL"),
    (&["check"], "--max-warnings", "--fail-on warning"),
    (&["check"], "--new-only", "--base REV"),
    (&["check"], "--profile", "--target"),
    (&["check"], "--reporter", "--format"),
    (&["check"], "--sarif", "--format sarif"),
    (&["check"], "--select", "--rule ID=SEVERITY"),
    (&["check"], "--severity", "--rule ID=LEVEL"),
    (&["check"], "--since", "--base REV"),
    (&["check"], "--strict", "--fail-on warning"),
    (&["check"], "--warnings-as-errors", "--fail-on warning"),
    (&["check"], "--werror", "--fail-on warning"),
    (&["fix"], "--check", "--diff"),
    (&["fix"], "--dry-run", "--diff"),
    (&["fix"], "--safe", "skilltree fix"),
    (&["fix"], "--unsafe-fixes", "--unsafe"),
    (&["fix"], "--write", "skilltree fix"),
    (&["forecast"], "--profile", "--target"),
    (&["init"], "--hooks", "--hook"),
    (&["list"], "--runtime", "--profile"),
    (&["list"], "--target", "--profile"),
    (&["new"], "--dir", "--root"),
    (&["new"], "--path", "--root"),
];

/// Options of other linters that are a setting here.
const SETTINGS: [&str; 2] = ["--exclude", "--skip"];

/// Words in place of a command, each with the command.
const COMMANDS: &[(&str, &str)] = &[
    ("add", "new"),
    ("budget", "cost"),
    ("completion", "completions"),
    ("create", "new"),
    ("docs", "explain"),
    ("fmt", "fix"),
    ("format", "fix"),
    ("generate", "new"),
    ("ls", "list"),
    ("repair", "fix"),
    ("rule", "explain"),
    ("rules", "explain"),
    ("runtimes", "profiles"),
    ("scan", "check"),
    ("setup", "init"),
    ("targets", "profiles"),
    ("test", "check"),
    ("tokens", "cost"),
    ("validate", "check"),
    ("verify", "check"),
    ("why", "explain"),
];

/// Words in place of a command inside another one.
const INNER: &[(&str, &str, &str)] =
    &[("hook", "add", "hook install"), ("hook", "delete", "hook uninstall"), ("hook", "init", "hook install")];

/// Returns the command that a word means.
pub(in crate::cli) fn command(word: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(typed, _)| *typed == word).map(|(_, command)| *command)
}

/// Returns the error for words that begin with a command inside another one, which `check` takes for paths; `None` if they do not, or
/// if there is such a file.
pub(in crate::cli) fn inner_command(words: &[OsString], position: usize) -> Option<clap::Error> {
    let word = words.get(position)?.to_str()?;
    let meant = super::inner(&words[position..]).filter(|_| command(word).is_none())?;
    if directory(&words[..position]).join(word).exists() {
        return None;
    }
    Some(no_such("file or command", word, &meant))
}

/// Returns the error for a command that is further inside: `agent add` is `agent knowledge add`. `None` for other errors.
pub(in crate::cli) fn deeper_command(words: &[OsString], error: &clap::Error) -> Option<clap::Error> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let at = words.iter().position(|typed| *typed == **word)?;
    let outer = at.checked_sub(1).and_then(|outer| words[outer].to_str());
    let known = INNER.iter().find(|(of, typed, _)| Some(*of) == outer && typed == word);
    let meant = known.map(|(.., meant)| (*meant).to_owned()).or_else(|| super::inner(&words[at..]))?;
    Some(no_such("command", word, &meant))
}

fn no_such(what: &str, word: &str, meant: &str) -> clap::Error {
    let message = format!("no such {what}: `{word}`\n\n  tip: did you mean `skilltree {meant}`?\n");
    clap::Error::raw(ErrorKind::InvalidSubcommand, message)
}

/// Returns the directory of the last `-C`.
fn directory(words: &[OsString]) -> PathBuf {
    let named = words.iter().enumerate().rev().find_map(|(at, word)| match word.to_str()?.strip_prefix("-C")? {
        "" => words.get(at + 1).map(PathBuf::from),
        attached => Some(attached.into()),
    });
    named.unwrap_or_default()
}

/// Replaces the suggestion of an error about an unknown option, if what is meant is known.
pub(in crate::cli) fn suggest(mut error: clap::Error, command: &str) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
    let name = typed.split('=').next().unwrap_or_default();
    let is_meant = |(commands, option, _): &&(&[&str], &str, &str)| {
        *option == name && (commands.is_empty() || commands.contains(&command))
    };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let advice = match OPTIONS.iter().filter(is_meant).max_by_key(|(commands, ..)| commands.len()) {
        Some((.., meant)) => format!("use `{meant}`"),
        None if SETTINGS.contains(&name) => "use `exclude = [\"GLOB\"]` in skilltree.toml".to_owned(),
        None => match nearest(name, command) {
            Some(near) if near == "version" => "use `skilltree --version`".to_owned(),
            Some(near) => format!("use `--{near}`"),
            // What is proposed for it has hardly a letter of it.
            None => String::new(),
        },
    };
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::Usage);
    if !advice.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    }
    error
}

/// Returns the option of a command, or of every command, that a word is close to.
fn nearest(typed: &str, command: &str) -> Option<String> {
    let all = super::command(|_| true);
    let own = all.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
    let options = own.chain(all.get_arguments()).filter_map(clap::Arg::get_long).chain(["help", "version"]);
    text::nearest(typed.trim_start_matches('-'), options).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args;

    #[test]
    fn typed_words_are_no_commands_and_mean_some() {
        assert!(COMMANDS.is_sorted_by_key(|(typed, _)| *typed));
        for (typed, meant) in COMMANDS {
            assert!(args::words().all(|word| word != *typed), "{typed}");
            assert!(args::words().any(|word| meant.split(' ').next() == Some(word)), "{meant}");
        }
    }

    #[test]
    fn options_are_unknown_and_mean_known_ones() {
        let all = args::command(|_| true);
        let known = |command: &str, option: &str| {
            let long = option.trim_start_matches("--");
            let command = all.find_subcommand(command).expect("it is a command");
            let arguments = command.get_arguments().chain(all.get_arguments());
            arguments.filter_map(clap::Arg::get_long).any(|known| known == long)
        };
        for (commands, typed, meant) in OPTIONS {
            for command in if commands.is_empty() { &["check"] } else { *commands } {
                assert!(!known(command, typed), "{command} {typed}");
                let mut words = meant.split(' ');
                let command = if meant.starts_with("skilltree ") { words.nth(1).expect("a command") } else { command };
                assert!(words.next().is_none_or(|option| known(command, option)), "{meant}");
            }
        }
    }
}
