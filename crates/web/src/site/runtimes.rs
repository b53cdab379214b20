//! The facts about every runtime, as tables. Values come from the profiles. The effect of a fault is forecast, so a page cannot
//! contradict the program.

use toml::{Table, Value};

use skilltree_runtimes::profile::{Kind, Profile, Profiles, cells};

use super::{Page, WIDE, described, table};

mod words;
mod costs;
mod matrix;
mod section;
mod compare;

const LEAD: &str = "\
# Runtimes

<!-- Generated from crates/runtimes/src/profiles. To regenerate: SNAPSHOTS=overwrite cargo test --test it generated -->

A runtime is a program that loads skills. This table compares what each does with a SKILL.md: where it looks, which name it takes, what
it drops, and what the model sees.

- **unknown**: not established. skilltree assumes nothing in its place.
- **none**: the runtime is known not to have it.
- The order is our estimate of use. A message that cannot name all runtimes names the first ones.
- The column *bad YAML* is the forecast for `description: Build for AWS: ECS`, without quotes.
- A *design* is in [scope](targets.md#scope) only as a target or as the `profile` of a root. A *specification* is in scope unless `targets`
  omits it.

`skilltree profiles codex` prints all values of a runtime with their sources, and `skilltree profiles --format json` those of all
runtimes. Is a value wrong, or a runtime missing? Change one file: see [Adding a runtime](adding-a-runtime.md).
";

/// Where the repository has the profiles.
pub const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/crates/runtimes/src/profiles/");

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
}

/// Returns all runtimes, the most used ones first.
fn all(profiles: &Profiles) -> Vec<Runtime<'_>> {
    let runtime = |id: &str| Some(Runtime { profile: profiles.find(id)?, table: profiles.table(id)? });
    let mut runtimes: Vec<Runtime<'_>> = profiles.ids().filter_map(runtime).collect();
    runtimes.sort_by_key(|runtime| {
        (runtime.profile.kind != Kind::Runtime, runtime.profile.usage_rank, runtime.profile.title.to_lowercase())
    });
    runtimes
}

/// Returns docs/runtimes.md: a table of all runtimes. `link` returns the address of a runtime by its id.
pub fn matrix(link: impl Fn(&str) -> String) -> String {
    let profiles = Profiles::default();
    format!("{LEAD}{}", matrix::table(&all(&profiles), &link))
}

/// Returns the pages of the site: the table, a page for each runtime, and the comparison of two.
pub(super) fn pages() -> Vec<Page> {
    let profiles = Profiles::default();
    let runtimes = all(&profiles);
    let mut pages = vec![Page::new("runtimes.md", format!("{WIDE}{}", matrix(|id| format!("runtimes/{id}.md"))))];
    pages.extend(runtimes.iter().map(|runtime| {
        Page::new(format!("runtimes/{}.md", runtime.profile.id), section::page(runtime, &costs::of(runtime.profile)))
    }));
    pages.push(Page::new("runtimes/compare.md", compare::PAGE.to_owned()));
    pages.push(Page::json("runtimes/compare.json", &compare::data(&runtimes)));
    pages
}
