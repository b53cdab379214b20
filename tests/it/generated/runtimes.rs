//! Generates docs/runtimes.md: the facts about every runtime, as tables. Values come from the profiles. The effect of a fault
//! is forecast, so the page cannot contradict the program.

use toml::{Table, Value};

use skilltree_runtimes::profile::{Profile, Profiles, cells};

mod costs;
mod overview;
mod section;
mod words;

const LEAD: &str = "\
# Runtimes

<!-- Generated from crates/runtimes/src/profiles. To regenerate: SNAPSHOTS=overwrite cargo test --test it generated -->

A runtime is a program that loads skills. A skills directory is a directory whose subdirectories are skills. This page shows
what each runtime does with a SKILL.md: where it looks, what it accepts and requires, what it silently drops, and what the
model sees. The first tables compare the runtimes. After them, each runtime has a section with the source and version of
every value.

- **unknown**: not established. skilltree assumes nothing in its place.
- **none**: the runtime is known not to have it.
- The effects of faults are computed: skilltree runs an example through the parser that the profile describes.
  `skilltree forecast` does the same with your skills.
- A message that cannot name all runtimes names the most used ones. Their order is our estimate (`usage-rank`).
- A *design* is in [scope](targets.md#scope) only as a target or as the `profile` of a root. A *specification* is in scope unless `targets`
  omits it.

Is a value wrong, or a runtime missing? Change one file: see [Add a runtime](adding-a-runtime.md).
`skilltree profiles codex` prints a profile. `skilltree profiles --format json` prints all of them.
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

    /// Text of the value at a path.
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
pub(super) fn page() -> String {
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

/// A table, or nothing if it has no rows.
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
    fn finds_heading_by_anchor() {
        assert_eq!(anchor("VS Code Copilot"), "vs-code-copilot");
        assert_eq!(anchor("pi (0.2)"), "pi-02");
    }
}
