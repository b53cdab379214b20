//! Why the program could not run, and what to do about it.

use skilltree::{Report, config, lint, source, text};

/// A reason for exit status 2: the fact in one line, and what to do next.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    /// The same as a report, when it is about a place in a configuration file.
    pub(super) report: Option<Box<Report>>,
    pub(super) help: Option<String>,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), report: None, help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<source::Error> for Failure {
    fn from(error: source::Error) -> Self {
        Self { message: error.to_string(), report: None, help: error.help() }
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        match error.place.clone() {
            Some(place) => {
                let (file, range) = *place;
                let report = lint::misconfigured(file, range, &error);
                Self { message: error.message, report: Some(Box::new(report)), help: None }
            }
            None => Self { message: error.message, report: None, help: error.help },
        }
    }
}

/// `; did you mean X?` when a known word is near, and nothing otherwise.
pub(super) fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    text::nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
