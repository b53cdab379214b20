//! Who watches over a run: it ends the run when somebody interrupts it or its time is over, and draws how far it has come
//! for whoever waits at a terminal. Ended in this way, a run leaves nothing temporary behind, and nothing half-written.
#![allow(clippy::disallowed_methods, reason = "it removes what the run wrote")]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use skilltree::source::{Progress, Starter, Temporaries};

use super::args::Common;
use super::environment;
use super::failure::Failure;
use super::output::Stderr;
use super::threads::Helpers;

mod bar;

/// How often the watch looks up.
const TICK: Duration = Duration::from_millis(50);

/// How long a message may take to be written before the program ends without it.
const PATIENCE: Duration = Duration::from_millis(200);

/// How long a run has to take before its progress is drawn.
const UNSEEN: Duration = Duration::from_secs(1);

/// The exit status of a run that somebody interrupted.
const INTERRUPTED: i32 = 130;

/// What a run is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Step {
    #[default]
    Open,
    Read,
    Judge,
    Compare,
    Write,
}

impl Step {
    fn words(self) -> &'static str {
        match self {
            Self::Open => "opening what is to be checked",
            Self::Read => "reading the skills",
            Self::Judge => "judging the skills",
            Self::Compare => "comparing with the base",
            Self::Write => "writing the output",
        }
    }
}

/// The watch over a run, for the run itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Whether a line of progress stands on the terminal.
    drawn: Mutex<bool>,
    progress: Progress,
    directories: Temporaries,
    /// Starts the thread that watches.
    starter: Starter,
}

impl Default for Shared {
    fn default() -> Self {
        let starter = Starter::default();
        Self {
            state: Mutex::default(),
            drawn: Mutex::default(),
            progress: Progress::new(starter.clone()),
            directories: Temporaries::new(starter.clone()),
            starter,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    step: Step,
    /// Files that go with the run.
    temporaries: Vec<PathBuf>,
}

impl Watch {
    /// Begins to watch. Who waits at a terminal is shown how far the run has come, and time may be limited: then a thread
    /// watches from now on. Else it is started, and the helpers with it, when there is much to be read or something that has
    /// to be removed; until then a signal ends the program at once.
    ///
    /// # Errors
    /// When the run has a time to keep to, and there is no thread to look at the clock.
    pub(super) fn start(&self, common: &Common, helpers: Helpers) -> Result<(), Failure> {
        let interrupted = Arc::new(AtomicBool::new(false));
        let at_once = Arc::new(AtomicBool::new(true));
        for signal in [SIGINT, SIGTERM] {
            // Where a signal cannot be caught it does what it does to any program.
            let _ = flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&at_once));
            let _ = flag::register(signal, Arc::clone(&interrupted));
        }
        // A limit on the size of files is an error of writing then, and does not end the program.
        #[cfg(unix)]
        let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
        let watcher = Watcher {
            watch: self.clone(),
            stderr: Stderr::new(common),
            begun: Instant::now(),
            max_time: common.max_time,
            draws: !common.quiet && environment::stderr_can_redraw(bar::COLUMNS),
            interrupted,
            at_once,
        };
        if watcher.draws || watcher.max_time.is_some() {
            return watcher.start(helpers);
        }
        // Where there is no thread for it a signal still ends the program.
        self.0.starter.set(move || drop(watcher.start(helpers)));
        Ok(())
    }

    /// Says what is done from now on.
    pub(super) fn step(&self, step: Step) {
        self.state().step = step;
        if step == Step::Write {
            self.clear();
        }
    }

    /// What counts the skills that were read.
    pub(super) fn progress(&self) -> &Progress {
        &self.0.progress
    }

    /// What knows the directories that sources make.
    pub(super) fn directories(&self) -> Temporaries {
        self.0.directories.clone()
    }

    /// Makes a file that is removed if it is still there when the run ends, however it ends.
    pub(super) fn temporary<T, E>(
        &self,
        make: impl FnOnce() -> Result<T, E>,
        path: impl FnOnce(&T) -> PathBuf,
    ) -> Result<T, E> {
        self.0.starter.start();
        let mut state = self.state();
        let made = make()?;
        state.temporaries.push(path(&made));
        Ok(made)
    }

    /// Does what has to be done wholly or not at all: nothing ends the run in the middle of it.
    pub(super) fn undisturbed<T>(&self, work: impl FnOnce() -> T) -> T {
        self.0.starter.start();
        let _state = self.state();
        work()
    }

    /// Takes the line of progress away, before something else is written where it stands.
    pub(super) fn clear(&self) {
        let mut drawn = self.0.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut *drawn) {
            bar::clear();
        }
    }

    /// Removes what is temporary: the run is over.
    pub(super) fn end(&self) {
        drop(self.close());
    }

    /// The same; what is given keeps the run from making more.
    fn close(&self) -> MutexGuard<'_, State> {
        self.step(Step::Write);
        let state = self.state();
        for path in &state.temporaries {
            // Most of it is where it belongs by now.
            let _ = fs::remove_file(path);
        }
        self.0.directories.remove();
        state
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a panic left behind is still what has to be removed.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws what is done, unless it is the writing: that has the terminal for itself.
    fn draw(&self) {
        let mut drawn = self.0.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let step = self.state().step;
        if step != Step::Write {
            bar::draw(step.words(), self.counted(step));
            *drawn = true;
        }
    }

    /// What counts how much of a step is done.
    fn counted(&self, step: Step) -> Option<&Progress> {
        (step == Step::Read).then_some(&self.0.progress)
    }
}

/// The thread that watches.
struct Watcher {
    watch: Watch,
    stderr: Stderr,
    begun: Instant,
    max_time: Option<Duration>,
    draws: bool,
    interrupted: Arc<AtomicBool>,
    at_once: Arc<AtomicBool>,
}

impl Watcher {
    fn start(self, helpers: Helpers) -> Result<(), Failure> {
        let (at_once, is_timed) = (Arc::clone(&self.at_once), self.max_time.is_some());
        at_once.store(false, Ordering::SeqCst);
        if thread::Builder::new().spawn(move || self.watch()).is_ok() {
            helpers.start();
            return Ok(());
        }
        at_once.store(true, Ordering::SeqCst);
        match is_timed {
            true => Err(Failure::new("no thread can be started to keep to `--max-time`")
                .help("leave the option out, or let the system give one thread more")),
            false => Ok(()),
        }
    }

    fn watch(self) {
        loop {
            let passed = self.begun.elapsed();
            let left = self.max_time.map(|max_time| max_time.saturating_sub(passed));
            if self.interrupted.load(Ordering::SeqCst) {
                self.end(INTERRUPTED, |doing| Failure::new(format!("interrupted while {doing}")));
            }
            if let (Some(Duration::ZERO), Some(max_time)) = (left, self.max_time) {
                self.end(2, |doing| {
                    Failure::new(format!("stopped after {max_time:?} while {doing}"))
                        .help("give it more time: `--max-time DURATION`")
                });
            }
            if self.draws && passed > UNSEEN {
                self.watch.draw();
            }
            thread::sleep(left.unwrap_or(TICK).min(TICK));
        }
    }

    fn end(&self, status: i32, failure: impl FnOnce(String) -> Failure) -> ! {
        let step = self.watch.state().step;
        let _closed = self.watch.close();
        // Whoever interrupts once more is not asked to wait.
        self.at_once.store(true, Ordering::SeqCst);
        let failure = failure(bar::words(step.words(), self.watch.counted(step)));
        let stderr = self.stderr.clone();
        let (said, is_said) = channel();
        let say = move || {
            stderr.failure(&failure);
            said.send(())
        };
        // Where nobody reads standard error the message would wait for ever.
        if thread::Builder::new().spawn(say).is_ok() {
            let _ = is_said.recv_timeout(PATIENCE);
        }
        std::process::exit(status)
    }
}
