//! The thread that checks. It has at most one job per project: the latest wins.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use bstr::{BStr, BString};
use crossbeam_channel::{Receiver, Sender, unbounded};
use gen_lsp_types::Uri;

use crate::diagnostics::{ByPath, Diagnostics, of_fault};
use crate::host::{Checked, Refusal, Repository, Texts};
use crate::uri;

/// What the worker is told.
pub(crate) enum Job {
    /// A new project with the next number.
    Add {
        /// What checks it.
        repository: Box<dyn Repository>,
        /// The directory that paths are relative to; `None` for a document without a file.
        top: Option<PathBuf>,
    },
    /// Check a project.
    Check(Check),
}

/// A check to make.
pub(crate) struct Check {
    pub(crate) project: usize,
    /// The number of the check: a later state has a greater one.
    pub(crate) generation: u64,
    /// The texts of the open documents.
    pub(crate) texts: Texts,
    /// The addresses and versions of the open documents.
    pub(crate) open: BTreeMap<BString, (Uri, i32)>,
    /// Whether files on disk may have changed.
    pub(crate) forget: bool,
}

/// A check that was made.
pub(crate) struct Done {
    pub(crate) project: usize,
    pub(crate) generation: u64,
    /// The addresses and versions of the documents that were open.
    pub(crate) open: BTreeMap<BString, (Uri, i32)>,
    pub(crate) result: Result<(Arc<Checked>, ByPath), Failed>,
}

/// Why a check failed.
pub(crate) enum Failed {
    /// It could not be made. The diagnostics are those of a malformed configuration.
    Refused(Refusal, ByPath),
    /// It panicked: the message.
    Panicked(String),
}

/// Starts the worker. It ends when the sender of jobs is dropped.
pub(crate) fn start() -> (Sender<Job>, Receiver<Done>) {
    let (jobs, todo) = unbounded();
    let (done, results) = unbounded();
    thread::spawn(move || run(&todo, &done));
    (jobs, results)
}

/// A project of the worker.
struct Project {
    repository: Box<dyn Repository>,
    top: Option<PathBuf>,
    diagnostics: Diagnostics,
}

fn run(todo: &Receiver<Job>, done: &Sender<Done>) {
    let mut projects: Vec<Project> = Vec::new();
    for job in todo {
        match job {
            Job::Add { repository, top } => {
                projects.push(Project { repository, top, diagnostics: Diagnostics::default() });
            }
            Job::Check(check) => {
                let Some(project) = projects.get_mut(check.project) else { continue };
                let result = catch_unwind(AssertUnwindSafe(|| project.check(&check))).unwrap_or_else(|panic| {
                    // What it kept may be half of something.
                    project.repository.forget();
                    project.diagnostics = Diagnostics::default();
                    Err(Failed::Panicked(words(&*panic)))
                });
                let Check { project, generation, open, .. } = check;
                if done.send(Done { project, generation, open, result }).is_err() {
                    break;
                }
            }
        }
    }
}

impl Project {
    fn check(&mut self, check: &Check) -> Result<(Arc<Checked>, ByPath), Failed> {
        let Self { repository, top, diagnostics } = self;
        let top = top.as_deref();
        let uri = |path: &BStr| match (check.open.get(path), top) {
            (Some((uri, _)), _) => uri.clone(),
            (None, Some(top)) => uri::below(top, path),
            // A document without a file is the only one.
            (None, None) => {
                check.open.values().next().map_or_else(|| uri::of_path(path_of(path)), |(uri, _)| uri.clone())
            }
        };
        if check.forget {
            repository.forget();
        }
        let mut again = |repository: &mut Box<dyn Repository>| {
            let checked = repository.check(&check.texts)?;
            let found = diagnostics.of(&checked, &uri)?;
            Ok((checked, found))
        };
        let result = again(repository).or_else(|refusal: Refusal| match refusal.report {
            Some(_) => Err(refusal),
            // A file may have changed since it was listed.
            None => {
                repository.forget();
                again(repository)
            }
        });
        result.map_err(|refusal| {
            let of_fault = refusal.report.as_deref().and_then(|report| of_fault(report, &uri));
            Failed::Refused(refusal, of_fault.into_iter().collect())
        })
    }
}

fn path_of(path: &BStr) -> &std::path::Path {
    std::path::Path::new(std::str::from_utf8(path).unwrap_or_default())
}

/// Returns the message of a panic.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no message").chars().take(500).collect()
}
