//! docs/runtimes.md: what is known of every runtime, as tables. Values stand there as the profiles have them; what a fault
//! costs is forecast, so that the page cannot say what the program does not do.

use toml::{Table, Value};

use crate::profile::{Profile, Profiles, cells};

mod costs;
mod overview;
mod section;
mod words;

const LEAD: &str = "\
# Runtimes

<!-- Generated from src/profiles. To write it anew: SNAPSHOTS=overwrite cargo test --test generated -->

What programs do with a SKILL.md: where they look for one, what they take for front matter, what they demand, what they drop
without a word, and how much of it a model is shown. The tables compare; below them each runtime has a section, where every
value has its source and its version.

- **unknown**: nobody has established it, and nothing is assumed in its place.
- **none**: the program is known to have no such thing.
- What a fault costs is not written by hand: an example of it is followed through the parser that the profile describes, as
  `skilltree forecast` does with your skills.

A value is wrong, or a runtime is missing? It is one file to change: [adding a runtime](adding-a-runtime.md).
`skilltree profiles codex` prints a profile, and `skilltree profiles --format json` all of them.
";

/// A profile, and the table that it is written as.
struct Runtime<'a> {
    profile: &'a Profile,
    table: Table,
}

impl Runtime<'_> {
    fn value(&self, path: &str) -> Option<&Value> {
        cells::value(&self.table, path)
    }

    /// The value at a path in words.
    fn words(&self, path: &str) -> String {
        match self.value(path) {
            Some(value) => words::of(path, value),
            None if cells::is_without(&self.table, path) => "none".to_owned(),
            None => "unknown".to_owned(),
        }
    }

    /// Its name, with the way to its section.
    fn link(&self) -> String {
        format!("[{}](#{})", self.profile.title, anchor(&self.profile.title))
    }
}

/// docs/runtimes.md.
pub fn runtimes() -> String {
    let profiles = Profiles::default();
    let runtime = |id: &str| Some(Runtime { profile: profiles.find(id)?, table: profiles.table(id)? });
    let mut runtimes: Vec<Runtime<'_>> = profiles.ids().filter_map(runtime).collect();
    runtimes.sort_by_key(|runtime| runtime.profile.title.to_lowercase());
    let costs: Vec<_> = runtimes.iter().map(|runtime| costs::of(runtime.profile)).collect();
    let mut page = LEAD.to_owned();
    overview::write(&mut page, &runtimes, &costs);
    for (runtime, costs) in runtimes.iter().zip(&costs) {
        section::write(&mut page, runtime, costs);
    }
    page
}

/// How GitHub calls a heading in addresses.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|character| character.is_alphanumeric() || matches!(character, ' ' | '-'));
    kept.map(|character| if character == ' ' { '-' } else { character }).collect()
}

/// A table; nothing where there is no row.
fn table(page: &mut String, heads: &[&str], rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    page.push_str(&format!("\n| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len())));
    for row in rows {
        page.push_str(&format!("| {} |\n", row.join(" | ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_found_by_its_anchor() {
        assert_eq!(anchor("VS Code Copilot"), "vs-code-copilot");
        assert_eq!(anchor("pi (0.2)"), "pi-02");
    }
}
