//! The commands. Only here is the environment read, a file written, or a word printed.
//!
//! The exit status is the same for every format: 0 nothing to say at the level asked for, 1 something is, 2 could not
//! run. What is not proven clean is never 0.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::FromArgMatches;

mod args;
mod base;
mod beside;
mod check;
mod configuration;
mod describe;
mod destination;
mod elsewhere;
mod environment;
mod explain;
mod failure;
mod files;
mod fix;
mod forecast;
mod hook;
mod init;
mod knowledge;
mod list;
mod new;
mod output;
mod paths;
mod place;
mod profiles;
mod prompt;
mod qmd_setup;
mod session;
mod show;
mod thread;
mod threads;
mod tree;
mod watch;

use args::{Arguments, Asked, Command};
use failure::Failure;

/// What a command comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Nothing at or above the level that fails.
    Clean,
    /// Something is.
    Found,
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let arguments = match parse(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap knows where help and errors go.
            let printed = output::taken(error.print());
            if let Err(failure) = &printed {
                output::Stderr::default().failure(failure);
            }
            return ExitCode::from(if error.use_stderr() || printed.is_err() { 2 } else { 0 });
        }
    };
    let stderr = output::Stderr::new(&arguments.common);
    let status = start(&arguments);
    arguments.common.watch.end();
    match status {
        Ok(Status::Clean) => ExitCode::SUCCESS,
        Ok(Status::Found) => ExitCode::from(1),
        Err(failure) => {
            stderr.failure(&failure);
            ExitCode::from(2)
        }
    }
}

/// Understands the words of the command line. An error shows some of them: they are shown so that none of them acts on a
/// terminal or begins a line of a log.
fn parse(words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let error = match understood(words.clone()) {
        Err(error) if error.use_stderr() => error,
        understood => return understood,
    };
    let shown: Vec<OsString> = words.iter().map(|word| output::harmless(&word.to_string_lossy()).into()).collect();
    if shown == words {
        return Err(error);
    }
    let unshown = || clap::Error::raw(error.kind(), "an argument holds invalid UTF-8 where text is asked for\n");
    Err(understood(shown).err().unwrap_or_else(unshown))
}

fn understood(mut words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let asked = args::asked(&words);
    if let Asked::Nothing(position) = asked {
        words.insert(position, "check".into());
    }
    let mut command = args::command(|name| match asked {
        Asked::Command(asked) => name == asked,
        Asked::Nothing(_) => name == "check",
        Asked::Help => true,
        Asked::Program => false,
    });
    if !environment::stdout_is_terminal() {
        // A file must not depend on the size of the window in which it was made.
        command = command.term_width(100);
    }
    Arguments::from_arg_matches(&command.try_get_matches_from(words)?)
}

fn start(arguments: &Arguments) -> Result<Status, Failure> {
    let helpers = threads::begin(arguments.common.jobs);
    arguments.common.watch.start(&arguments.common, helpers)?;
    match &arguments.command {
        Command::Check(check) => check::run(&arguments.common, check),
        Command::Fix(fix) => fix::run(&arguments.common, fix),
        Command::Prompt(prompt) => prompt::run(&arguments.common, prompt),
        Command::List(list) => list::run(&arguments.common, list),
        Command::Show(show) => show::run(&arguments.common, show),
        Command::New(new) => new::run(&arguments.common, new),
        Command::Init(init) => init::run(&arguments.common, init),
        Command::Hook(hook) => hook::run(&arguments.common, hook),
        Command::Explain(explain) => explain::run(&arguments.common, explain),
        Command::Forecast(forecast) => forecast::run(&arguments.common, forecast),
        Command::Profiles(profiles) => profiles::run(&arguments.common, profiles),
        Command::Knowledge(knowledge) => knowledge::run(&arguments.common, knowledge),
        Command::Thread(thread) => thread::run(&arguments.common, thread),
        Command::QmdSetup(setup) => qmd_setup::run(&arguments.common, setup),
        Command::Completions(completions) => describe::completions(&arguments.common, completions.shell),
        Command::Man => describe::man(&arguments.common),
        Command::Schema(schema) => describe::schema(&arguments.common, schema.name.as_deref()),
    }
}
