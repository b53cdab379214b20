//! The commands by their words, and which of them is asked for.

use std::ffi::OsString;

use clap::{Args, CommandFactory, FromArgMatches};

use super::deferred;
use super::records::{Knowledge, Thread};
use super::{
    Arguments, Check, Common, Completions, Diff, Explain, Fix, Forecast, Hook, Init, List, Man, New, Profiles, Prompt,
    Schema, Show,
};

/// What adds its arguments to a command.
type Describe = fn(clap::Command) -> clap::Command;

/// The commands, each with what describes its arguments.
const COMMANDS: &[(&str, Describe)] = &[
    ("check", Check::augment_args),
    ("fix", Fix::augment_args),
    ("prompt", Prompt::augment_args),
    ("list", List::augment_args),
    ("show", Show::augment_args),
    ("new", New::augment_args),
    ("init", Init::augment_args),
    ("hook", Hook::augment_args),
    ("explain", Explain::augment_args),
    ("diff", Diff::augment),
    ("forecast", Forecast::augment_args),
    #[cfg(feature = "fleet")]
    ("fleet", super::Fleet::augment_args),
    ("profiles", Profiles::augment_args),
    ("thread", Thread::augment_args),
    ("knowledge", Knowledge::augment_args),
    ("completions", Completions::augment_args),
    ("man", Man::augment_args),
    ("schema", Schema::augment_args),
];

/// The words that are commands.
pub(in crate::cli) fn words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|&(name, _)| name).chain(["help"])
}

/// What is asked for by the first word that is neither a common option nor its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Asked {
    /// A command.
    Command(&'static str),
    /// `check`, which stands nowhere: this is where it has to be put in.
    Nothing(usize),
    /// Help about any command.
    Help,
    /// Something about the program, by an option: no command has a say.
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
            Some(word) => match COMMANDS.iter().find(|(name, _)| *name == word) {
                Some((name, _)) => return Asked::Command(name),
                None => break,
            },
            None => break,
        }
    }
    Asked::Nothing(position.min(words.len()))
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
    let wanted = COMMANDS.iter().filter(|(name, _)| is_wanted(name));
    wanted.fold(Arguments::command(), |all, &(name, arguments)| {
        all.mut_subcommand(name, |command| deferred::describe(command, arguments))
    })
}
