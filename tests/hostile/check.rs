//! Checks that apply to every case.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use serde_json::{Value, json};

use crate::case::{Case, Expected, Place};
use crate::common::{isolate, program, write_script};
use crate::git::git;
use crate::output;
use crate::run::{FILES, Output, Run, state};
use crate::workshop::{CANARY, Workshop};

/// How many repositories there must be.
const CASES: usize = 150;

/// Checks that each case has a unique name, unique steps and expectations.
pub(crate) fn check_cases(cases: &[Case]) -> Result<(), Failed> {
    let (mut names, mut makings) = (BTreeSet::new(), BTreeSet::new());
    for case in cases {
        if !names.insert(case.name) || !makings.insert((case.steps.clone(), case.arguments.clone())) {
            return Err(format!("{}: there are two of it", case.name).into());
        }
        if case.expected.is_empty() || case.expected.iter().any(|expected| expected.words.is_empty()) {
            return Err(format!("{}: it cannot fail, as nothing must be said", case.name).into());
        }
    }
    if cases.len() < CASES { Err(format!("there are {} cases, not {CASES}", cases.len()).into()) } else { Ok(()) }
}

/// Creates the repository of a case, reads it in every way and returns the problems.
pub(crate) fn check(case: &Case) -> Result<(), Failed> {
    if let Some(directory) = std::env::var_os("HOSTILE_KEEP") {
        keep(case, &PathBuf::from(directory).join(case.name));
        return Ok(());
    }
    let temporary = tempfile::tempdir().unwrap();
    let place = temporary.path();
    let (workshop, server) = make(case, place);
    let state = || ["repository", "server.git", "outside"].map(|part| state(&place.join(part)));
    let before = state();
    let mut checked = Checked { faults: Vec::new(), reports: Vec::new() };
    for expected in case.expected.iter().filter(|expected| expected.place != Place::Push) {
        checked.read(case, expected, &workshop, &server);
    }
    checked.compare();
    let after = state();
    if before != after {
        checked.faults.push(format!("something was changed:\n{before:#?}\n{after:#?}"));
    }
    if let Some(expected) = case.expected.iter().find(|expected| expected.place == Place::Push) {
        checked.push(expected, &workshop, &server);
    }
    if checked.faults.is_empty() { Ok(()) } else { Err(checked.faults.join("\n").into()) }
}

/// The id that a push gives for a branch that does not exist yet.
const NO_COMMIT: &str = "0000000000000000000000000000000000000000";

/// Creates the repository of a case, and the empty one that receives pushes.
fn make(case: &Case, place: &Path) -> (Workshop, PathBuf) {
    let server = place.join("server.git");
    fs::create_dir_all(&server).unwrap();
    git(&server, &["init", "-q", "--bare", "--template="], b"");
    let mut workshop = Workshop::new(place);
    for step in &case.steps {
        workshop.step(step);
    }
    workshop.build();
    (workshop, server)
}

/// Creates the repository of a case and keeps it, with the list of runs.
fn keep(case: &Case, place: &Path) {
    let (workshop, server) = make(case, place);
    let places = case.expected.iter().filter(|expected| expected.place != Place::Push);
    let runs: Vec<Value> =
        places.map(|expected| run(case, expected.place, &workshop, &server).described(expected.status)).collect();
    let text =
        json!({"family": case.family, "name": case.name, "secret": CANARY, "follows": case.follows, "runs": runs})
            .to_string();
    fs::write(place.join("runs.json"), text).unwrap();
}

fn run(case: &Case, place: Place, workshop: &Workshop, server: &Path) -> Run {
    let mut run = Run::new(place, workshop, server);
    run.arguments.extend(case.arguments.iter().map(|argument| workshop.string(argument)));
    run
}

/// Results of a case so far.
struct Checked {
    faults: Vec<String>,
    /// The findings, by the way that the repository was read in.
    reports: Vec<(Place, String)>,
}

impl Checked {
    fn read(&mut self, case: &Case, expected: &Expected, workshop: &Workshop, server: &Path) {
        let place = expected.place;
        let run = run(case, place, workshop, server);
        let into = workshop.place.join(format!("printed-{place:?}"));
        // All ways to read give the same findings. In a debug build, only the first writes every format. `judge` reads the JSON.
        let formats: &[&str] = if cfg!(debug_assertions) && !self.reports.is_empty() { &["json"] } else { &FILES };
        let outputs = Run::outputs(formats, &into);
        let mut command = vec!["check", "--format", "concise"];
        command.extend(outputs.iter().map(String::as_str));
        let output = match run.command(&command, &into) {
            Err(fault) => return self.faults.push(format!("{place:?}: {fault}")),
            Ok(output) => output,
        };
        self.judge(expected, &output, &into);
        if output.status != 2 {
            self.formats(formats, place, &into);
        }
        self.reports.push((place, output.stdout));
        // Another command reads the same, and prints another part of it.
        match place {
            Place::Head | Place::Commit | Place::Disk => {
                self.other(&["prompt"], expected, &run, &into);
                // Compared with nothing, everything is new.
                for format in ["text", "markdown"] {
                    self.other(&["diff", "--base", NO_COMMIT, "--format", format], expected, &run, &into);
                }
            }
            Place::Index | Place::Quarantine | Place::Push => {}
        }
    }

    fn other(&mut self, command: &[&str], expected: &Expected, run: &Run, into: &Path) {
        let place = expected.place;
        match run.command(command, &into.join(command[0])) {
            Err(fault) => self.faults.push(format!("{place:?}: {command:?}: {fault}")),
            Ok(output) => {
                if expected.status == 2 && output.status != 2 {
                    self.faults.push(format!("{place:?}: {command:?} ends with {}", output.status));
                }
                self.printed(place, command[0], &output.stdout);
                self.printed(place, "stderr", &output.stderr);
            }
        }
    }

    /// Compares the status and the text of a run; `reads COUNT` is the number of skills in the report.
    fn judge(&mut self, expected: &Expected, output: &Output, into: &Path) {
        let Expected { place, status, words } = expected;
        let printed = format!("{}{}", output.stdout, output.stderr);
        if output.status != *status {
            self.faults.push(format!("{place:?}: status {} instead of {status}:\n{printed}", output.status));
        }
        for words in words {
            let is_printed = match words.strip_prefix("reads ") {
                Some(count) => skills(&into.join("json")) == count.parse().ok(),
                None => printed.contains(words),
            };
            if !is_printed {
                self.faults.push(format!("{place:?}: `{words}` is not printed:\n{printed}"));
            }
        }
        self.printed(*place, "concise", &output.stdout);
        self.printed(*place, "stderr", &output.stderr);
    }

    fn formats(&mut self, formats: &[&str], place: Place, into: &Path) {
        for &format in formats {
            let text = fs::read_to_string(into.join(format)).unwrap();
            self.printed(place, format, &text);
            let is_json = ["json", "sarif", "gitlab", "rdjson"].contains(&format);
            if is_json && serde_json::from_str::<Value>(&text).is_err() {
                self.faults.push(format!("{place:?}: {format} does not parse"));
            }
            if format == "junit" && roxmltree::Document::parse(&text).is_err() {
                self.faults.push(format!("{place:?}: {format} does not parse"));
            }
        }
    }

    fn printed(&mut self, place: Place, format: &str, text: &str) {
        self.faults.extend(output::faults(format, text).into_iter().map(|fault| format!("{place:?}: {fault}")));
    }

    /// All ways to read a repository must give the same findings.
    fn compare(&mut self) {
        for pair in self.reports.windows(2) {
            if pair[0].1 != pair[1].1 && pair.iter().all(|(place, _)| *place != Place::Disk) {
                let [(first, one), (second, other)] = [&pair[0], &pair[1]];
                self.faults.push(format!("{first:?} and {second:?} differ:\n{one}\n{other}"));
            }
        }
    }

    /// Pushes to a repository whose hook runs the program.
    fn push(&mut self, expected: &Expected, workshop: &Workshop, server: &Path) {
        let hook = server.join("hooks/pre-receive");
        let text = format!(
            "#!/bin/sh\nwhile read -r old new ref; do\n  {} check --rev \"$new\" --format concise || exit 1\ndone\n",
            program().display()
        );
        write_script(&hook, &text);
        let mut git = std::process::Command::new("git");
        isolate(&mut git).current_dir(&workshop.repository).args(["push", "-q"]).arg(server).arg("main:main");
        let pushed = git.output().unwrap();
        // Git pads each line of the server with spaces.
        let printed = String::from_utf8_lossy(&pushed.stderr).replace("remote: ", "");
        let status = pushed.status.code().unwrap();
        if status != expected.status {
            self.faults.push(format!("Push: status {status} instead of {}:\n{printed}", expected.status));
        }
        for words in expected.words.iter().filter(|words| !printed.contains(**words)) {
            self.faults.push(format!("Push: `{words}` is not printed:\n{printed}"));
        }
        let arrived = server.join("refs/heads/main").exists();
        if arrived != (status == 0) {
            self.faults.push(format!("Push: the branch is there ({arrived}), the status is {status}"));
        }
    }
}

/// The skills that a report counts.
fn skills(report: &Path) -> Option<u64> {
    serde_json::from_str::<Value>(&fs::read_to_string(report).ok()?).ok()?["summary"]["skills"].as_u64()
}
