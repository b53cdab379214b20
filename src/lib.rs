//! Checks agent skills (`SKILL.md` files in git) and builds the prompt block of the skills that pass.
//!
//! The functions do exactly what the commands of the program `skilltree` do, with the same configuration, the same findings and the
//! same bytes:
//!
//! ```
//! use skilltree::{Options, Revision};
//!
//! # fn main() -> Result<(), skilltree::Error> {
//! let options = Options { revision: Some(Revision::Index), ..Options::default() };
//! let report = skilltree::check(".".as_ref(), &options)?;
//! for finding in &report.findings {
//!     println!("{}:{}: {}", finding.path, finding.line, finding.message);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`open`] reads the skills once, for several results:
//!
//! ```
//! use skilltree::{Format, Options, PromptOptions};
//!
//! # fn main() -> Result<(), skilltree::Error> {
//! let skills = skilltree::open(".".as_ref(), &Options::default())?;
//! let sarif: Vec<u8> = skills.render(Format::Sarif)?;
//! let artifact = skills.prompt(&PromptOptions::default())?;
//! println!("{}", String::from_utf8_lossy(artifact.block()));
//! # Ok(())
//! # }
//! ```
//!
//! An error is the program's exit status 2: the skills were not checked.
//! See docs/policy.md of the repository for what semantic versioning covers.
#![cfg_attr(
    not(feature = "fleet"),
    allow(dead_code, reason = "the program uses the session in more ways than the library")
)]

mod failure;
mod place;
mod file;
mod options;
mod named;
mod purpose;
mod external;
mod absent;
mod session;
mod untouched;
mod hidden;
mod base;
mod skipped;
mod template;
mod digest;
mod recorded;
mod prompt;
mod changes;
mod api;
mod diff;
mod rows;
#[cfg(feature = "lsp")]
mod live;
#[cfg(feature = "cli")]
mod cli;

pub use self::api::{
    Artifact, Finding, Forecast, Report, SkillForecast, Skills, Skipped, State, Warning, check, forecast, open, prompt,
};
pub use self::diff::{Authority, ChangeKind, Diff, RuntimeChange, SkillChange, SkillState, diff};
pub use self::failure::Failure as Error;
pub use self::options::{Budget, CatalogFile, Home, Matcher, Options, Overrides, PromptOptions, Selection};
pub use self::rows::rows;
pub use skilltree_dispatch::prompt::Name as ArtifactFile;
pub use skilltree_fleet::tables::{Column, Kind, Row, Rows, Table, Value, schema as rows_schema};
pub use skilltree_git::Revision;
pub use skilltree_lint::changes::InList;
pub use skilltree_lint::rule::Severity;
pub use skilltree_report::render::Format;
pub use skilltree_report::render::changes::Format as DiffFormat;
pub use skilltree_runtimes::forecast::Outcome;

/// Serves the language server protocol on a connection. Returns whether the client asked the server to shut down.
#[cfg(feature = "lsp")]
#[doc(hidden)]
#[must_use]
pub fn serve(connection: &skilltree_lsp::Connection) -> bool {
    skilltree_lsp::serve(connection, Box::new(live::Live))
}

/// Runs the command line and returns its exit status.
#[cfg(feature = "cli")]
#[doc(hidden)]
#[must_use]
pub fn main() -> std::process::ExitCode {
    cli::run()
}
