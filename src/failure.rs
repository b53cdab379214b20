//! Why something could not be read, checked or built, and what to do about it.

use std::fmt;

use bstr::{BString, ByteSlice, ByteVec};
use skilltree_front_matter::text;
use skilltree_lint::Report;
use skilltree_lint::config;
use skilltree_lint::excerpt::{Excerpts, Position};
use skilltree_lint::lint;
#[cfg(feature = "cli")]
use skilltree_report::render::Reason;
use skilltree_skills::source;

/// An error: the fact in one line, and what to do next. The program exits with status 2.
#[derive(Debug)]
pub struct Failure {
    pub(crate) message: String,
    /// More lines, each about one object.
    pub(crate) details: Vec<String>,
    /// A report with the place of the error, for an error in a configuration file.
    pub(crate) report: Option<Box<Report>>,
    pub(crate) help: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), details: Vec::new(), report: None, help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Names the revision of the configuration file that the error is in, as Git does: `main:skilltree.toml`. The checked side may
    /// have the same path.
    pub(crate) fn of_revision(mut self, revision: &str) -> Self {
        for file in self.report.iter_mut().flat_map(|report| &mut report.catalog.parsed.files) {
            // A file that an option names is in no tree.
            if file.id.is_some() {
                file.path.insert_str(0, format!("{revision}:"));
            }
        }
        self
    }
}

impl Failure {
    /// Returns the error for the formats that say why a run failed.
    #[cfg(feature = "cli")]
    pub(crate) fn reason(&self) -> Reason {
        Reason {
            message: self.message.clone(),
            details: self.details.clone(),
            help: self.help.clone(),
            place: self.report.as_deref().and_then(place),
        }
    }

    /// Returns the error in one line, with the place of an error in a configuration file.
    pub(crate) fn in_one_line(&self) -> String {
        let mut line = match self.report.as_deref().and_then(place) {
            Some((path, at)) => format!("{}:{}:{}: ", text::lossless(path.as_bstr()), at.line, at.column),
            None => String::new(),
        };
        line.push_str(&self.message);
        self.details.iter().enumerate().for_each(|(number, detail)| {
            line.push_str(if number == 0 { ": " } else { "; " });
            line.push_str(detail);
        });
        line.replace('\n', " ")
    }

    /// Returns what to do next.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        self.details.iter().try_for_each(|line| write!(formatter, "\n  {line}"))
    }
}

impl std::error::Error for Failure {}

impl From<source::Error> for Failure {
    fn from(error: source::Error) -> Self {
        Self { message: error.to_string(), details: error.details(), report: None, help: error.help() }
    }
}

/// Returns the place of the one finding of a report. Its file holds its text, so nothing is read.
fn place(report: &Report) -> Option<(BString, Position)> {
    let finding = report.findings.first()?;
    let excerpts = Excerpts::new(report, |_| Err(())).ok()?;
    Some((report.path(finding).to_owned(), excerpts.get(finding.place).start))
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        match error.place.clone() {
            Some(place) => {
                let (file, range) = *place;
                let report = lint::misconfigured(file, range, &error);
                Self { report: Some(Box::new(report)), ..Self::new(error.message) }
            }
            None => Self { help: error.help, ..Self::new(error.message) },
        }
    }
}

/// Returns `; did you mean X?` for a word that is close to a known one, and an empty string otherwise.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    text::nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
