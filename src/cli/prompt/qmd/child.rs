//! A program that is run in a directory of its own, with nothing of this one's environment and not for ever.
#![allow(clippy::disallowed_methods, reason = "the one place that starts a program")]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use skilltree::render::escape;
use skilltree::text;

use crate::cli::environment;
use crate::cli::failure::Failure;
use crate::cli::output;

/// How long all runs together may take (ours: 120 s). A search takes a second, putting 1,500 bodies into an index ten.
const PATIENCE: Duration = Duration::from_secs(120);

/// Bytes that a run may print (ours: 16 MiB).
const PRINTED_BYTES: u64 = 16 << 20;

/// How often a run is looked at.
const TICK: Duration = Duration::from_millis(5);

/// What a program is run by.
pub(super) struct Child<'a> {
    program: &'a Path,
    /// The directories in which it finds other programs.
    path: &'a [PathBuf],
    /// The directory that it may write to.
    private: &'a Path,
    /// When the last run has to have ended.
    end: Instant,
}

impl<'a> Child<'a> {
    pub(super) fn new(program: &'a Path, path: &'a [PathBuf], private: &'a Path) -> Self {
        Self { program, path, private, end: Instant::now() + PATIENCE }
    }

    /// Runs it and gives what it printed. It goes through files: what is in a pipe stops a program that nobody reads.
    pub(super) fn run(&self, arguments: &[&OsStr]) -> Result<Vec<u8>, Failure> {
        let cannot = |error: io::Error| Failure::new(format!("`qmd` cannot be run: {}", output::reason(&error)));
        let (printed, said) = (self.private.join("printed"), self.private.join("said"));
        let mut command = self.command(arguments).map_err(cannot)?;
        command.stdout(File::create(&printed).map_err(cannot)?).stderr(File::create(&said).map_err(cannot)?);
        let mut child = command.spawn().map_err(cannot)?;
        let too_much =
            || [&printed, &said].iter().any(|file| fs::metadata(file).is_ok_and(|it| it.len() > PRINTED_BYTES));
        let status = loop {
            if let Some(status) = child.try_wait().map_err(cannot)? {
                break status;
            }
            let fact = match (Instant::now() > self.end, too_much()) {
                (true, _) => format!("`qmd` took longer than {} seconds and was ended", PATIENCE.as_secs()),
                (_, true) => "`qmd` printed more than 16 MiB and was ended".to_owned(),
                _ => {
                    thread::sleep(TICK);
                    continue;
                }
            };
            end(&mut child);
            return Err(Failure::new(fact).help("`--matcher bm25` needs no other program"));
        };
        match status.success() && !too_much() {
            true => fs::read(&printed).map_err(cannot),
            false => Err(failed(status, &said)),
        }
    }

    /// The program with an environment in which it finds no settings and no index but its own.
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

/// Ends a program, and on Unix what it started.
fn end(child: &mut process::Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// A run that failed, in its own words as far as they fit a line.
fn failed(status: ExitStatus, said: &Path) -> Failure {
    let mut words = Vec::new();
    if let Ok(file) = File::open(said) {
        // Without its words there is still the status.
        let _ = file.take(4_096).read_to_end(&mut words);
    }
    let words = String::from_utf8_lossy(&words);
    let line = words.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
    let line = text::shortened(line.trim(), 200).into_owned();
    Failure::new(format!("`qmd` failed ({status}): {}", escape::text(&line)))
        .help("`--matcher bm25` needs no other program")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let private = tempfile::tempdir().unwrap();
        let path = [PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
        let child = Child { program: Path::new("/bin/sh"), path: &path, private: private.path(), end: Instant::now() };
        // The shell waits for a program of its own, so that ending the shell alone would leave that one.
        let failure = child.run(&["-c", "sleep 600; echo late"].map(AsRef::as_ref)).unwrap_err();
        assert!(failure.message.contains("took longer than 120 seconds"), "{}", failure.message);
        let child = Child::new(Path::new("/bin/sh"), &path, private.path());
        let printed = child.run(&["-c", "echo done"].map(AsRef::as_ref)).unwrap();
        assert_eq!(printed, b"done\n");
        assert!(Child::new(Path::new("/nowhere/qmd"), &path, private.path()).run(&[]).is_err());
    }
}
