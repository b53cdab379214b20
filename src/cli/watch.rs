//! The state of a run: its step, its progress, and the temporary files to remove when it ends.
#![allow(clippy::disallowed_methods, reason = "it removes what the run wrote")]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use skilltree_git::Temporaries;
use skilltree_skills::source::Progress;

use super::environment;

pub(super) mod bar;

/// The current step of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Step {
    #[default]
    Open,
    Read,
    Lint,
    Compare,
    Fleet,
    Write,
}

impl Step {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Open => "opening the source",
            Self::Read => "reading the skills",
            Self::Lint => "checking the skills",
            Self::Compare => "comparing with the base",
            Self::Fleet => "reading the repositories",
            Self::Write => "writing the output",
        }
    }
}

/// A shared handle on the state of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Whether the terminal shows a line of progress.
    drawn: Mutex<bool>,
    progress: Progress,
    directories: Temporaries,
    /// Whether standard output has annotations of GitHub.
    annotates: AtomicBool,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) step: Step,
    /// When the step began.
    since: Option<Instant>,
    /// Processor time of the program when the current check began.
    processor_time: Duration,
    /// Files to remove at the end.
    temporaries: Vec<PathBuf>,
}

impl Watch {
    /// Begins a step.
    pub(super) fn step(&self, step: Step) {
        let mut state = self.state();
        (state.step, state.since) = (step, Some(Instant::now()));
        drop(state);
        if step == Step::Write {
            self.clear();
        }
    }

    /// Begins the next of several checks, each of which has its own limit of processor time.
    pub(super) fn next_check(&self) {
        self.state().processor_time = environment::processor_time();
    }

    /// Returns the processor time of the current check.
    pub(super) fn processor_time(&self) -> Duration {
        environment::processor_time().saturating_sub(self.state().processor_time)
    }

    /// Sets whether standard output has annotations of GitHub, and must have one if the run fails.
    pub(super) fn annotate(&self, annotates: bool) {
        self.0.annotates.store(annotates, Ordering::SeqCst);
    }

    /// Returns whether standard output has annotations of GitHub.
    pub(super) fn annotates(&self) -> bool {
        self.0.annotates.load(Ordering::SeqCst)
    }

    /// Returns the counter of read skills.
    pub(super) fn progress(&self) -> &Progress {
        &self.0.progress
    }

    /// Returns the temporary directories of sources.
    pub(super) fn directories(&self) -> Temporaries {
        self.0.directories.clone()
    }

    /// Creates a temporary file, which is removed at the end of the run if it still exists.
    pub(super) fn temporary<T, E>(
        &self,
        create: impl FnOnce() -> Result<T, E>,
        path: impl FnOnce(&T) -> PathBuf,
    ) -> Result<T, E> {
        let mut state = self.state();
        let created = create()?;
        state.temporaries.push(path(&created));
        Ok(created)
    }

    /// Does work that a signal or the time limit must not interrupt.
    pub(super) fn uninterrupted<T>(&self, work: impl FnOnce() -> T) -> T {
        let _state = self.state();
        work()
    }

    /// Clears the line of progress before other output.
    pub(super) fn clear(&self) {
        let mut drawn = self.0.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut *drawn) {
            bar::clear();
        }
    }

    /// Ends the run: removes temporary files and directories.
    pub(super) fn end(&self) {
        drop(self.close());
    }

    /// Ends the run. The guard prevents new temporary files.
    pub(super) fn close(&self) -> MutexGuard<'_, State> {
        self.step(Step::Write);
        let state = self.state();
        for path in &state.temporaries {
            // Most files were renamed already.
            let _ = fs::remove_file(path);
        }
        self.0.directories.remove();
        state
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // The files must be removed even after a panic.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws the progress, except while output is written.
    pub(super) fn draw(&self) {
        let mut drawn = self.0.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let (step, since) = {
            let state = self.state();
            (state.step, state.since)
        };
        if step == Step::Write {
            return;
        }
        match (step, since) {
            (Step::Fleet, Some(since)) => bar::draw_rate(&self.0.progress, since.elapsed()),
            _ => bar::draw(step.words(), self.counted(step)),
        }
        *drawn = true;
    }

    /// Returns the counter of a step, if it has one.
    pub(super) fn counted(&self, step: Step) -> Option<&Progress> {
        matches!(step, Step::Read | Step::Fleet).then_some(&self.0.progress)
    }
}
