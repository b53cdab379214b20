//! Report of a run that failed, in the formats that a reviewer or a server reads without standard error.

use std::io::{self, Write};

use bstr::{BString, ByteSlice};

use super::{Format, escape};
use skilltree_lint::excerpt::Position;

/// Why a run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The fact, in one line.
    pub message: String,
    /// More lines, each about one object.
    pub details: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// The place in a configuration file, for a fault there.
    pub place: Option<(BString, Position)>,
}

impl Reason {
    /// Returns the fact with its place, escaped, in one line.
    pub(super) fn fact(&self) -> String {
        let place = self.place.as_ref().map_or_else(String::new, |(path, at)| {
            format!("{}:{}:{}: ", escape::path(path.as_ref()), at.line, at.column)
        });
        format!("{place}{}", escape::text(&self.message))
    }

    /// Returns the details and the help, escaped, one per line.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let help = self.help.iter().map(|help| format!("help: {}", escape::text(help)));
        self.details.iter().map(|line| escape::text(line)).chain(help)
    }
}

impl Format {
    /// Bytes at the start of a report that are enough to recognize it.
    pub const START_BYTES: u64 = 2_048;

    /// Returns whether a file begins as a report in this format does.
    pub fn is_report(self, start: &[u8]) -> bool {
        self.row().failure.as_ref().is_some_and(|failure| start.contains_str(failure.mark))
    }

    /// Returns whether the format can say why a run failed.
    pub fn reports_failure(self) -> bool {
        self.row().failure.is_some()
    }
}

/// Writes why a run failed. Writes nothing in a format that cannot say so.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_failed(format: Format, reason: &Reason, options: &super::Options, out: &mut dyn Write) -> io::Result<()> {
    match &format.row().failure {
        Some(failure) => (failure.write)(reason, options, out),
        None => Ok(()),
    }
}
