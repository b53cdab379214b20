//! The commands. Only this module reads the environment, writes files and prints.
//!
//! The exit status does not depend on the format: 0 means no finding at the requested severity, 1 findings, 2 failed. A run that
//! cannot check everything never exits with 0.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::FromArgMatches;
use skilltree_report::render::Format;

mod again;
mod args;
mod check;
mod ci;
mod configuration;
mod cost;
mod describe;
mod destination;
mod diff;
mod elsewhere;
mod environment;
mod explain;
mod external;
mod failed;
mod files;
mod fix;
#[cfg(feature = "fleet")]
mod fleet;
mod forecast;
mod graph;
mod hook;
mod init;
mod knowledge;
mod links;
mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod new;
mod next;
mod offers;
mod output;
mod outside;
mod paths;
mod profiles;
mod prompt;
mod repaired;
mod request;
mod routes;
mod session;
mod show;
mod thread;
mod threads;
mod tree;
mod trials;
mod watch;
mod watchdog;

use crate::failure::Failure;
use args::records::AgentRecords;
use args::{Arguments, Asked, Command};

/// The result of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Exit status 0: nothing that fails the run.
    Clean,
    /// Exit status 1: findings, or a difference.
    Found,
}

/// Runs the program.
pub(super) fn run() -> ExitCode {
    let arguments = match parse(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap chooses standard output for help, and standard error for errors.
            let printed = output::ignore_closed_pipe(error.print());
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

/// Parses the command line. An error quotes its words, so they are escaped: they cannot act on a terminal or start a line of a
/// log.
fn parse(words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let error = match parse_words(words.clone()) {
        Err(error) if error.use_stderr() => error,
        parsed => return parsed,
    };
    let escaped: Vec<OsString> = words.iter().map(|word| output::escaped(&word.to_string_lossy()).into()).collect();
    if escaped == words {
        return Err(error);
    }
    let not_utf8 = || clap::Error::raw(error.kind(), "an argument is not valid UTF-8\n");
    Err(parse_words(escaped).err().unwrap_or_else(not_utf8))
}

fn parse_words(mut words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let asked = args::asked(&words);
    let typed = words.clone();
    if let Asked::Nothing(position) = asked {
        words.insert(position, "check".into());
    }
    let mut command = args::command(|name| match asked {
        Asked::Command(asked) => name == asked,
        Asked::Nothing(_) => name == "check",
        Asked::Help => true,
        Asked::Program => false,
    });
    if matches!(asked, Asked::Help | Asked::Program) {
        command = args::first_page(command);
    }
    if !environment::stdout_is_terminal() {
        // A file must not depend on the size of the window in which it was made.
        command = command.term_width(100);
    }
    let name = match asked {
        Asked::Command(name) => name,
        Asked::Nothing(_) => "check",
        Asked::Help | Asked::Program => "",
    };
    let meant = |error| match asked {
        Asked::Nothing(position) => args::typed::inner_command(&typed, position).unwrap_or(error),
        _ => args::typed::deeper_command(&typed, &error).unwrap_or(error),
    };
    let parsed = command.try_get_matches_from(words);
    let matches = parsed.map_err(|error| meant(args::typed::suggest(error, name)))?;
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    if let Command::Hook(hook) = &arguments.command {
        // Invalid options are reported when the hook runs.
        let options = args::check_options(hook.options());
        options.iter().for_each(|(common, _)| arguments.common.adopt(common));
    }
    Ok(arguments)
}

fn start(arguments: &Arguments) -> Result<Status, Failure> {
    let _pool = threads::start(arguments.common.jobs)?;
    if let Command::Check(check) = &arguments.command {
        // The time limit may pass before the check begins.
        arguments.common.watch.annotate(check.format == Format::Github);
    }
    watchdog::start(&arguments.common, &arguments.command)?;
    match &arguments.command {
        Command::Check(check) => check::run(&arguments.common, check),
        Command::Fix(fix) => fix::run(&arguments.common, fix),
        Command::Prompt(prompt) => prompt::run(&arguments.common, prompt),
        Command::List(list) => list::run(&arguments.common, list),
        #[cfg(feature = "lsp")]
        Command::Lsp(_) => lsp::run(),
        Command::Show(show) => show::run(&arguments.common, show),
        Command::New(new) => new::run(&arguments.common, new),
        Command::Init(init) => init::run(&arguments.common, init),
        Command::Hook(hook) => hook::run(&arguments.common, hook),
        Command::Explain(explain) => explain::run(&arguments.common, explain),
        Command::Diff(diff) => diff::run(&arguments.common, diff),
        Command::Cost(cost) => cost::run(&arguments.common, cost),
        Command::Forecast(forecast) => forecast::run(&arguments.common, forecast),
        #[cfg(feature = "fleet")]
        Command::Fleet(fleet) => fleet::run(&arguments.common, fleet),
        Command::Profiles(profiles) => profiles::run(&arguments.common, profiles),
        Command::Agent(agent) => match &agent.records {
            AgentRecords::Thread(thread) => thread::run(&arguments.common, thread),
            AgentRecords::Knowledge(knowledge) => knowledge::run(&arguments.common, knowledge),
        },
        Command::Completions(completions) => describe::completions(&arguments.common, completions.shell),
        Command::Man(man) => describe::man(&arguments.common, man),
        Command::Schema(schema) => describe::schema(&arguments.common, schema.name.as_deref()),
    }
}
