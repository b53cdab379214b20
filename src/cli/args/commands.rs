//! The commands by their words, and which of them is asked for.

use std::ffi::{OsStr, OsString};

use clap::{Args, CommandFactory, FromArgMatches};

use super::deferred;
use super::records::Agent;
use super::{
    Arguments, Check, Common, Completions, Cost, Diff, Explain, Fix, Forecast, Hook, Init, List, Man, New, Profiles,
    Prompt, Schema, Show,
};

/// What adds its arguments to a command.
type Describe = fn(clap::Command) -> clap::Command;

/// A command: its name, its group on the first page of the help, and what adds its arguments.
type Row = (&'static str, Option<Group>, Describe);

/// A group of commands on the first page of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Check,
    SetUp,
    Dispatch,
    Many,
}

impl Group {
    const ALL: [(Self, &str); 4] =
        [(Self::Check, "Check"), (Self::SetUp, "Set up"), (Self::Dispatch, "Dispatch"), (Self::Many, "Many")];
}

/// The commands, in the order of the help.
const COMMANDS: &[Row] = &[
    ("check", Some(Group::Check), Check::augment_args),
    ("fix", Some(Group::Check), Fix::augment_args),
    ("explain", Some(Group::Check), Explain::augment_args),
    ("forecast", Some(Group::Check), Forecast::augment_args),
    ("diff", Some(Group::Check), Diff::augment),
    ("cost", Some(Group::Check), Cost::augment_args),
    ("init", Some(Group::SetUp), Init::augment_args),
    ("new", Some(Group::SetUp), New::augment_args),
    ("hook", Some(Group::SetUp), Hook::augment_args),
    #[cfg(feature = "lsp")]
    ("lsp", Some(Group::SetUp), super::Lsp::augment_args),
    ("completions", None, Completions::augment_args),
    ("man", None, Man::augment_args),
    ("schema", None, Schema::augment_args),
    ("prompt", Some(Group::Dispatch), Prompt::augment_args),
    ("list", Some(Group::Dispatch), List::augment_args),
    ("show", Some(Group::Dispatch), Show::augment_args),
    ("agent", Some(Group::Dispatch), Agent::augment_args),
    #[cfg(feature = "fleet")]
    ("fleet", Some(Group::Many), super::Fleet::augment_args),
    ("profiles", Some(Group::Many), Profiles::augment_args),
];

/// The other name of `check`, as other linters call it.
const LINT: &str = "lint";

/// The words that are commands.
pub(in crate::cli) fn words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|&(name, ..)| name).chain(["help"])
}

/// What is asked for by the first word that is neither a common option nor its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Asked {
    /// A command.
    Command(&'static str),
    /// No command, so `check`; the position to insert it at.
    Nothing(usize),
    /// Help about any command.
    Help,
    /// Help or the version of the program.
    Program,
}

pub(in crate::cli) fn asked(words: &[OsString]) -> Asked {
    let mut position = 1;
    while let Some(word) = words.get(position) {
        match word.to_str() {
            Some("-C" | "--color" | "--jobs" | "--max-time") => position += 2,
            Some("-q" | "--quiet" | "-v" | "--verbose") => position += 1,
            Some(word) if ["--color=", "--jobs=", "--max-time="].iter().any(|option| word.starts_with(option)) => {
                position += 1;
            }
            Some(word) if word.starts_with("-C") => position += 1,
            Some("-h" | "--help" | "-V" | "--version") => return Asked::Program,
            Some("help") => return Asked::Help,
            Some(LINT) => return Asked::Command("check"),
            Some(word) => match COMMANDS.iter().find(|(name, ..)| *name == word) {
                Some((name, ..)) => return Asked::Command(name),
                None => break,
            },
            None => break,
        }
    }
    Asked::Nothing(position.min(words.len()))
}

/// Returns the command inside another one that some words begin with: `knowledge add` is `agent knowledge add`.
pub(in crate::cli) fn inner<W: AsRef<OsStr>>(words: &[W]) -> Option<String> {
    let words: Vec<&str> = words.iter().map_while(|word| word.as_ref().to_str()).collect();
    let program = command(|_| true);
    let path = program.get_subcommands().find_map(|outer| below(outer, &words));
    path.map(|path| path.join(" "))
}

/// Returns the names from a command to the one below it that some words begin with.
fn below<'c>(outer: &'c clap::Command, words: &[&str]) -> Option<Vec<&'c str>> {
    let path = match outer.find_subcommand(words.first()?) {
        Some(inner) => followed(inner, &words[1..]),
        None => outer.get_subcommands().find_map(|inner| below(inner, words))?,
    };
    Some([vec![outer.get_name()], path].concat())
}

/// Returns the names from a command to the one that some words lead to.
fn followed<'c>(command: &'c clap::Command, words: &[&str]) -> Vec<&'c str> {
    let next = words.first().and_then(|word| command.find_subcommand(word));
    let path = next.map_or_else(Vec::new, |next| followed(next, &words[1..]));
    [vec![command.get_name()], path].concat()
}

/// Parses words that are options of `check`.
pub(in crate::cli) fn check_options(words: &[OsString]) -> Result<(Common, Check), clap::Error> {
    let words = ["skilltree", "check"].into_iter().map(OsString::from).chain(words.iter().cloned());
    let matches = command(|name| name == "check").try_get_matches_from(words)?;
    let common = Common::from_arg_matches(&matches)?;
    match matches.subcommand() {
        Some(("check", matches)) => Ok((common, Check::from_arg_matches(matches)?)),
        _ => Err(command(|name| name == "check").error(clap::error::ErrorKind::InvalidSubcommand, "not `check`")),
    }
}

/// The command line, with the arguments of the commands that are wanted.
pub(in crate::cli) fn command(is_wanted: impl Fn(&str) -> bool) -> clap::Command {
    let wanted = COMMANDS.iter().filter(|(name, ..)| is_wanted(name));
    wanted.fold(Arguments::command(), |all, &(name, _, arguments)| {
        all.mut_subcommand(name, |command| deferred::describe(command, arguments))
    })
}

/// Sets the help of the program: its commands by group, one line each.
pub(in crate::cli) fn first_page(program: clap::Command) -> clap::Command {
    let header = *program.get_styles().get_header();
    let literal = *program.get_styles().get_literal();
    let mut groups = String::new();
    for (group, title) in Group::ALL {
        groups.push_str(&format!("\n{header}{title}:{header:#}\n"));
        for (name, ..) in COMMANDS.iter().filter(|(_, of, _)| *of == Some(group)) {
            let about = program.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            groups.push_str(&format!("  {literal}{name:11}{literal:#}  {about}\n"));
        }
    }
    program.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n{header}Options:{header:#}\n{{options}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_every_command() {
        let program = Arguments::command();
        let declared: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        let mut known: Vec<&str> = COMMANDS.iter().map(|&(name, ..)| name).collect();
        assert_eq!(known.len(), declared.len());
        known.retain(|name| !declared.contains(name));
        assert!(known.is_empty(), "{known:?}");
    }
}
