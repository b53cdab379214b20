//! The watchdog thread: ends the run on a signal or at its time limit, and draws progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::args::{Command, Common};
use super::environment;
use super::output::{self, Stderr};
use super::watch::{Watch, bar};
use crate::failure::Failure;

/// The time after which a hook fails, unless the user sets `--max-time` (ours: 120 s). A commit waits for it, and a server's push. On
/// Windows, where processor time is not measured, a check too.
const HOOK_TIME: Duration = Duration::from_secs(120);

/// The interval between checks of the signals and the time limit.
const TICK: Duration = Duration::from_millis(50);

/// Processor time after which a check fails, unless the user sets `--max-time` (ours: 30 s). An object at many paths is read once per
/// path, so limits per file do not bound a run.
const PROCESSOR_TIME: Duration = Duration::from_secs(30);

/// The timeout of writing the last message.
const MESSAGE_TIMEOUT: Duration = Duration::from_millis(200);

/// The delay before progress is drawn.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// The exit status of an interrupted run.
const INTERRUPTED: i32 = 130;

/// Starts the thread that watches signals and the time limits, and draws progress on a terminal. If no thread can be started, a
/// signal ends the program at once. A run that checks one repository has a limit of processor time, unless it has another one.
///
/// # Errors
/// When the run has a time limit, and no thread can be started to enforce it.
pub(super) fn start(common: &Common, command: &Command) -> Result<(), Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let at_once = Arc::new(AtomicBool::new(true));
    for signal in [SIGINT, SIGTERM] {
        // If a handler cannot be registered, the default action remains.
        let _ = flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&at_once));
        let _ = flag::register(signal, Arc::clone(&interrupted));
    }
    // With a handler, the limit on file sizes is a write error and does not end the program.
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let (max_time, processor_time) = limits(common, command);
    let watcher = Watcher {
        watch: common.watch.clone(),
        stderr: Stderr::new(common),
        begun: Instant::now(),
        max_time,
        processor_time,
        draws: !common.quiet && environment::stderr_can_redraw(bar::COLUMNS),
        interrupted,
        at_once,
    };
    watcher.start(common.max_time.is_some())
}

/// Returns the limits of the time and of the processor time.
fn limits(common: &Common, command: &Command) -> (Option<Duration>, Option<Duration>) {
    if common.max_time.is_some() {
        return (common.max_time, None);
    }
    let is_bounded = command.is_of_one_repository();
    let time = matches!(command, Command::Hook(_)) || cfg!(not(unix)) && is_bounded;
    (time.then_some(HOOK_TIME), (cfg!(unix) && is_bounded).then_some(PROCESSOR_TIME))
}

/// The watchdog thread.
struct Watcher {
    watch: Watch,
    stderr: Stderr,
    begun: Instant,
    max_time: Option<Duration>,
    processor_time: Option<Duration>,
    draws: bool,
    interrupted: Arc<AtomicBool>,
    at_once: Arc<AtomicBool>,
}

impl Watcher {
    fn start(self, is_timed: bool) -> Result<(), Failure> {
        let at_once = Arc::clone(&self.at_once);
        at_once.store(false, Ordering::SeqCst);
        if thread::Builder::new().spawn(move || self.watch()).is_ok() {
            return Ok(());
        }
        at_once.store(true, Ordering::SeqCst);
        match is_timed {
            true => Err(Failure::new("the timer thread for `--max-time` cannot be started")
                .help("remove the option, or raise the thread limit of the system")),
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
                        .help("raise the limit: `--max-time DURATION`")
                });
            }
            if let Some(limit) = self.processor_time.filter(|limit| self.watch.processor_time() > *limit) {
                self.end(2, |doing| {
                    Failure::new(format!("stopped after {limit:?} of processor time while {doing}"))
                        .help("check fewer directories, or set another limit: `--max-time DURATION`")
                });
            }
            if self.draws && passed > PROGRESS_DELAY {
                self.watch.draw();
            }
            thread::sleep(left.unwrap_or(TICK).min(TICK));
        }
    }

    fn end(&self, status: i32, failure: impl FnOnce(String) -> Failure) -> ! {
        let step = self.watch.state().step;
        let _closed = self.watch.close();
        // A second signal ends the program at once.
        self.at_once.store(true, Ordering::SeqCst);
        let failure = failure(bar::words(step.words(), self.watch.counted(step)));
        let stderr = self.stderr.clone();
        let annotates = self.watch.annotates();
        let (sender, printed) = channel();
        let print = move || {
            stderr.failure(&failure);
            if annotates {
                output::annotate(&failure);
            }
            sender.send(())
        };
        // A full pipe on standard error would block forever.
        if thread::Builder::new().spawn(print).is_ok() {
            let _ = printed.recv_timeout(MESSAGE_TIMEOUT);
        }
        std::process::exit(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    #[test]
    fn hook_and_check_have_limits() {
        let of = |arguments: &[&str]| {
            let parsed = cli::parse(arguments.iter().map(Into::into).collect()).unwrap();
            limits(&parsed.common, &parsed.command)
        };
        let (hook, check) = (of(&["skilltree", "hook", "run", "pre-commit"]), of(&["skilltree", "check"]));
        if cfg!(unix) {
            assert_eq!((hook, check), ((Some(HOOK_TIME), Some(PROCESSOR_TIME)), (None, Some(PROCESSOR_TIME))));
        } else {
            assert_eq!((hook, check), ((Some(HOOK_TIME), None), (Some(HOOK_TIME), None)));
        }
        let own = Some(Duration::from_secs(5));
        assert_eq!(of(&["skilltree", "hook", "run", "pre-commit", "--max-time=5s"]), (own, None));
    }
}
