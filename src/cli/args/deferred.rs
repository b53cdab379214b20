//! Arguments that are described when they are needed.

use std::ops::Deref;

use clap::builder::Resettable;
use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// The arguments of a command, which [`describe`] adds to it. All commands have two hundred: to describe them takes longer
/// than to judge a small repository, and a run wants those of one.
#[derive(Debug)]
pub(in crate::cli) struct Deferred<T>(Box<T>);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Box::new).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: FromArgMatches> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Adds its arguments to a command. What is said of the command itself stays as it is: an argument group would replace it.
pub(super) fn describe(command: Command, arguments: fn(Command) -> Command) -> Command {
    let (about, long) = (command.get_about().cloned(), command.get_long_about().cloned());
    arguments(command).about(Resettable::from(about)).long_about(Resettable::from(long))
}
