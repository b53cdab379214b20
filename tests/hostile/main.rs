//! Hostile repositories as data: each file of `cases/` is a family, each paragraph one repository with its steps and expected
//! findings. Each is read as index, as tree and in quarantine, in every format. The program must end with the expected status
//! within its time and memory limits, print nothing unescaped, reveal nothing from outside the repository and change nothing.
//!
//! With `HOSTILE_KEEP=DIRECTORY` the test only creates the repositories in this directory, each with a `runs.json` that lists
//! the runs: `benches/faults` reads them.
#![cfg_attr(
    unix,
    allow(
        clippy::unwrap_used,
        clippy::disallowed_methods,
        clippy::print_stderr,
        reason = "a test creates the files that it checks, and fails by panicking"
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
