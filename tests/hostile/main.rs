//! Hostile repositories as data: each file of `cases/` is a family, each paragraph of it one repository, the steps that
//! make it, and what must be said of it. Each is read as index, as tree and in quarantine, in every format; whatever it
//! holds, the program ends by itself with the status of the case, within its time and memory, prints nothing raw, tells
//! nothing of what lies outside, and changes nothing.
//!
//! With `HOSTILE_KEEP=DIRECTORY` the repositories are only made, and stay there, each with a `runs.json` that says what
//! to run: `benches/faults` reads them.
#![cfg_attr(
    unix,
    allow(
        clippy::unwrap_used,
        clippy::disallowed_methods,
        clippy::print_stderr,
        reason = "a test makes what it judges, and fails by panicking"
    )
)]

#[cfg(unix)]
mod case;
#[cfg(unix)]
mod change;
#[cfg(unix)]
mod check;
#[cfg(unix)]
mod collect;
#[cfg(unix)]
#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod git;
#[cfg(unix)]
mod index;
#[cfg(unix)]
mod objects;
#[cfg(unix)]
mod output;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod text;
#[cfg(unix)]
mod workshop;

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
fn main() {
    use libtest_mimic::{Arguments, Trial};

    let mut trials = vec![Trial::test("every case is one of its own, and can fail", || check::check_cases(&cases()))];
    for case in cases() {
        let (name, slow) = (format!("{}: {}", case.family, case.name), case.is_slow);
        trials.push(Trial::test(name, move || check::check(&case)).with_ignored_flag(slow));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

#[cfg(unix)]
fn cases() -> Vec<case::Case> {
    macro_rules! families {
        ($($family:literal),+ $(,)?) => {
            [$(case::Case::read($family, include_str!(concat!("cases/", $family, ".txt")))),+]
        };
    }
    families![
        "trees",
        "blobs",
        "commits",
        "refs",
        "index",
        "config",
        "alternates",
        "links",
        "front_matter",
        "words",
        "floods",
        "settings",
        "pushes",
        "disk"
    ]
    .into_iter()
    .flatten()
    .collect()
}
