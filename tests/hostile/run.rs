//! Runs the program with limits of time and memory.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::case::Place;
use crate::common::{isolate, program};
use crate::workshop::Workshop;

/// Every format except the one on standard output.
pub(crate) const FILES: [&str; 10] =
    ["full", "json", "sarif", "github", "markdown", "gitlab", "rdjson", "junit", "counts", "html"];

/// Seconds of processor time, after which the system ends a run.
const SECONDS: u32 = 10;

/// Kibibytes that a run may allocate (512 MiB).
const KIBIBYTES: u32 = 512 << 10;

/// How long is waited for a run that does nothing: no other run takes as long, on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// One command line, and where it runs.
pub(crate) struct Run {
    pub(crate) directory: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) variables: Vec<(String, String)>,
}

impl Run {
    /// The run that reads a repository in one way; `server` is an empty repository.
    pub(crate) fn new(place: Place, workshop: &Workshop, server: &Path) -> Self {
        let here = |arguments: &[&str]| Self {
            directory: workshop.repository.clone(),
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            variables: Vec::new(),
        };
        match place {
            Place::Index => here(&["--staged"]),
            Place::Head => here(&["--rev", "HEAD"]),
            Place::Disk => here(&["--worktree"]),
            Place::Commit => here(&["--rev", &workshop.commit()]),
            Place::Quarantine => {
                let objects = workshop.repository.join(".git/objects");
                let own = server.join("objects");
                let variables = [
                    ("GIT_DIR", Path::new(".")),
                    ("GIT_OBJECT_DIRECTORY", &objects),
                    ("GIT_QUARANTINE_PATH", &objects),
                    ("GIT_ALTERNATE_OBJECT_DIRECTORIES", &own),
                ];
                let variables = variables.map(|(name, path)| (name.to_owned(), path.to_str().unwrap().to_owned()));
                Self {
                    directory: server.to_owned(),
                    variables: variables.into(),
                    ..here(&["--rev", &workshop.commit()])
                }
            }
            Place::Push => unreachable!("git runs the program"),
        }
    }

    /// The run as a line of JSON, for other programs that run it.
    pub(crate) fn described(&self, status: i32) -> Value {
        json!({
            "directory": self.directory,
            "arguments": self.arguments,
            "environment": self.variables.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<serde_json::Map<_, _>>(),
            "status": status,
        })
    }

    /// Runs a command of the program. Its output goes to files, so that no pipe fills.
    pub(crate) fn command(&self, command: &[&str], into: &Path) -> Result<Output, String> {
        fs::create_dir_all(into).unwrap();
        let limits = format!("ulimit -t {SECONDS} && ulimit -d {KIBIBYTES} && exec \"$0\" \"$@\"");
        let mut child = Command::new("sh");
        isolate(&mut child).current_dir(&self.directory).args(["-c", &limits]).arg(program());
        child.args(command).args(&self.arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        let (stdout, stderr) = (into.join("stdout"), into.join("stderr"));
        child.stdin(Stdio::null()).stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        let mut child = child.spawn().unwrap();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > PATIENCE {
                child.kill().unwrap();
                child.wait().unwrap();
                return Err("it does not end".into());
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let text = |path| String::from_utf8(fs::read(path).unwrap()).map_err(|_| "its output is not UTF-8".to_owned());
        let (stdout, stderr) = (text(stdout)?, text(stderr)?);
        match status.code() {
            Some(status @ 0..=2) => Ok(Output { status, stdout, stderr }),
            _ => Err(format!("it ended with {status}: {stderr}")),
        }
    }

    /// Arguments that write these formats into a directory.
    pub(crate) fn outputs(formats: &[&str], into: &Path) -> Vec<String> {
        formats.iter().map(|format| format!("--output={format}={}/{format}", into.display())).collect()
    }
}

/// Result of a run.
pub(crate) struct Output {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Text with every file below a directory and all metadata that a run could change.
pub(crate) fn state(directory: &Path) -> Vec<String> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    use std::os::unix::fs::MetadataExt;
    let mut found = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(path) = left.pop() {
        let metadata = path.symlink_metadata().unwrap();
        let mut hasher = DefaultHasher::new();
        if metadata.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if metadata.is_symlink() {
            fs::read_link(&path).unwrap().hash(&mut hasher);
        } else if metadata.is_file() && metadata.len() < 64 << 20 {
            fs::read(&path).unwrap().hash(&mut hasher);
        }
        let name = path.as_os_str().as_bytes().escape_ascii();
        let (mode, size, time) = (metadata.mode(), metadata.len(), (metadata.mtime(), metadata.mtime_nsec()));
        found.push(format!("{name} {mode:o} {size} {time:?} {:x}", hasher.finish()));
    }
    found.sort();
    found
}
