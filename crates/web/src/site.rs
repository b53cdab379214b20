//! The pages of the documentation that are made from data: rules, runtimes and commands.
//!
//! The repository has the tables (docs/rules.md, docs/runtimes.md, docs/cli.md). The site has a page for each runtime and each command
//! too, and each example of a rule page leads to the playground.

use serde::Serialize;
use skilltree_report::explain::Explanation;
use skilltree_skills::json;

mod commands;
mod rules;
mod runtimes;

pub use commands::{Command, table as commands};
pub use rules::table as rules;
pub use runtimes::{REPOSITORY, matrix as runtimes};

/// A file of the site, by its path in `docs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The path.
    pub path: String,
    /// The text.
    pub text: String,
}

impl Page {
    fn new(path: impl Into<String>, text: String) -> Self {
        Self { path: path.into(), text }
    }

    fn json(path: &str, value: &impl Serialize) -> Self {
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = json::write_value(value, &mut text);
        Self::new(path, String::from_utf8_lossy(&text).into_owned())
    }
}

/// Returns the pages that the site has in addition to those of the repository, or instead of them.
pub fn pages(explanations: &[Explanation<'_>], commands: &[Command]) -> Vec<Page> {
    let mut pages = rules::pages(explanations);
    pages.extend(runtimes::pages());
    pages.extend(commands::pages(commands));
    pages
}

/// Returns a table, or nothing if it has no rows.
fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("\n| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    rows.iter().for_each(|row| text.push_str(&format!("| {} |\n", row.join(" | "))));
    text
}

/// The front matter of a page with a wide table: without the list of its headings.
const WIDE: &str = "---\nhide:\n  - toc\n---\n";

/// Returns the front matter of a page with a description.
fn described(description: &str) -> String {
    let quoted = serde_json::Value::from(description).to_string();
    format!("---\ndescription: {quoted}\n---\n")
}
