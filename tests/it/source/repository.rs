//! Repositories created by git, without the configuration of the user.
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common;
use skilltree_git::{Environment, Revision};
use skilltree_skills::source::{Error, Source};

/// An entry of a tree: its mode, its name, its id.
pub(crate) type Entry<'a> = (&'a str, &'a str, &'a str);

pub(crate) struct Repository {
    directory: tempfile::TempDir,
}

impl Repository {
    /// A new repository with a working tree.
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// A new repository made with these options of `git init`.
    pub(crate) fn with(options: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a directory can be made");
        let repository = Self { directory };
        common::init(repository.path(), options);
        repository
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(self.path(), arguments, &[])
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a file has a parent")).expect("a directory can be made");
        fs::write(&path, text).expect("a file can be written");
        path
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, path: &str, target: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a link has a parent")).expect("a directory can be made");
        std::os::unix::fs::symlink(target, path).expect("a link can be made");
    }

    /// Adds everything and commits it.
    pub(crate) fn commit(&self) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "test", "--allow-empty"]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Puts an entry into the index by its mode, its id and its path.
    pub(crate) fn stage(&self, mode: &str, id: &str, path: &str) {
        self.git(&["update-index", "--add", "--cacheinfo", &format!("{mode},{id},{path}")]);
    }

    /// Writes a tree as it is given, which git itself would refuse to.
    pub(crate) fn tree(&self, entries: &[Entry<'_>]) -> String {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            let pairs = id.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("hexadecimal"));
            bytes.extend(pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")));
        }
        let arguments = ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"];
        let mut git = command(self.path())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("git is installed");
        git.stdin.take().expect("it is piped").write_all(&bytes).expect("git reads");
        let output = git.wait_with_output().expect("git ends");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(crate) fn open(&self, revision: &Revision) -> Source {
        self.try_open(revision).expect("the repository can be opened")
    }

    pub(crate) fn try_open(&self, revision: &Revision) -> Result<Source, Error> {
        skilltree_git::open(self.path(), revision, &Environment::default())
    }
}

/// Runs git in a directory with these variables and returns its output.
pub(crate) fn git(directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let output = command(directory).args(arguments).envs(variables.iter().copied()).output().expect("git is installed");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

fn command(directory: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", common::GIT_CONFIG)
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_AUTHOR_NAME", "a")
        .env("GIT_AUTHOR_EMAIL", "a@example.com")
        .env("GIT_COMMITTER_NAME", "c")
        .env("GIT_COMMITTER_EMAIL", "c@example.com")
        .env("GIT_AUTHOR_DATE", "1700000000 +0000")
        .env("GIT_COMMITTER_DATE", "1700000001 +0100");
    command
}

/// Creates a pipe. Opening it for reading blocks until a writer opens it.
#[cfg(unix)]
pub(crate) fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().expect("a pipe is in a directory")).expect("a directory can be made");
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo is installed").success());
}
