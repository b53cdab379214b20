//! Runs a program in a private directory, with a clean environment and a timeout.
#![allow(clippy::disallowed_methods, reason = "the one place that starts a program")]

use crate::file;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use skilltree_core::render::escape;
use skilltree_core::text;

use crate::cli::environment;
use crate::failure::Failure;

/// The timeout of all runs together. Our choice; a search takes 1 second, and indexing 1,500 bodies takes 10 seconds.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The limit of output of a run: 16 MiB. Our choice.
const PRINTED_BYTES: u64 = 16 << 20;

/// The interval between checks of a run.
const TICK: Duration = Duration::from_millis(5);

/// A program and its surroundings.
pub(super) struct Child<'a> {
    program: &'a Path,
    /// The PATH of the program.
    path: &'a [PathBuf],
    /// The current and home directory of the program.
    private: &'a Path,
    /// The end of the timeout.
    deadline: Instant,
}

impl<'a> Child<'a> {
    pub(super) fn new(program: &'a Path, path: &'a [PathBuf], private: &'a Path) -> Self {
        Self { program, path, private, deadline: Instant::now() + TIMEOUT }
    }

    /// Runs the program and returns its output. The output goes to a file, because a full pipe would block the program.
    pub(super) fn run(&self, arguments: &[&OsStr]) -> Result<Vec<u8>, Failure> {
        let cannot = |error: io::Error| Failure::new(format!("`qmd` cannot be run: {}", file::reason(&error)));
        let (printed, errors) = (self.private.join("stdout"), self.private.join("stderr"));
        let mut command = self.command(arguments).map_err(cannot)?;
        command.stdout(File::create(&printed).map_err(cannot)?).stderr(File::create(&errors).map_err(cannot)?);
        let mut child = command.spawn().map_err(cannot)?;
        let too_much =
            || [&printed, &errors].iter().any(|file| fs::metadata(file).is_ok_and(|it| it.len() > PRINTED_BYTES));
        let status = loop {
            if let Some(status) = child.try_wait().map_err(cannot)? {
                break status;
            }
            let fact = match (Instant::now() > self.deadline, too_much()) {
                (true, _) => format!("`qmd` was stopped: it took longer than {} seconds", TIMEOUT.as_secs()),
                (_, true) => "`qmd` was stopped: it printed more than 16 MiB".to_owned(),
                _ => {
                    thread::sleep(TICK);
                    continue;
                }
            };
            kill(&mut child);
            return Err(Failure::new(fact).help("use `--matcher bm25`, which needs no other program"));
        };
        match status.success() && !too_much() {
            true => fs::read(&printed).map_err(cannot),
            false => Err(failed(status, &errors)),
        }
    }

    /// Returns the command with an environment without the user's settings and indexes.
    fn command(&self, arguments: &[&OsStr]) -> io::Result<Command> {
        let mut command = Command::new(self.program);
        command.args(arguments).current_dir(self.private).stdin(Stdio::null()).env_clear();
        for name in ["HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"] {
            command.env(name, self.private);
        }
        let path = environment::joined(self.path)?;
        command.env("PATH", path).env("NO_COLOR", "1").envs(environment::system());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(command)
    }
}

/// Kills a program, and on Unix its process group.
fn kill(child: &mut process::Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have exited already.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns the failure of a run, with the first line of its error output.
fn failed(status: ExitStatus, errors: &Path) -> Failure {
    let mut words = Vec::new();
    if let Ok(file) = File::open(errors) {
        // The exit status is reported even without output.
        let _ = file.take(4_096).read_to_end(&mut words);
    }
    let words = String::from_utf8_lossy(&words);
    let line = words.lines().find(|line| !line.trim().is_empty()).unwrap_or("no error message");
    let line = text::shortened(line.trim(), 200).into_owned();
    Failure::new(format!("`qmd` failed ({status}): {}", escape::text(&line)))
        .help("use `--matcher bm25`, which needs no other program")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn kills_program_at_timeout() {
        let private = tempfile::tempdir().unwrap();
        let path = [PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
        let child =
            Child { program: Path::new("/bin/sh"), path: &path, private: private.path(), deadline: Instant::now() };
        // The shell waits for a child process, which must be killed too.
        let failure = child.run(&["-c", "sleep 600; echo late"].map(AsRef::as_ref)).unwrap_err();
        assert!(failure.message.contains("took longer than 120 seconds"), "{}", failure.message);
        let child = Child::new(Path::new("/bin/sh"), &path, private.path());
        let printed = child.run(&["-c", "echo done"].map(AsRef::as_ref)).unwrap();
        assert_eq!(printed, b"done\n");
        assert!(Child::new(Path::new("/nowhere/qmd"), &path, private.path()).run(&[]).is_err());
    }
}
