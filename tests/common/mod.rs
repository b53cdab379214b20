//! Creates repositories with `git` and runs skilltree, both without the settings of the machine.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use snapbox::Data;
use snapbox::data::DataFormat;
use tempfile::TempDir;

/// Settings of git for all tests: no template with sample hooks, no processes that tidy up, no waiting for the disk.
pub(crate) const GIT_CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/gitconfig");

/// A repository in a temporary directory.
pub(crate) struct Repository {
    directory: TempDir,
}

impl Repository {
    /// An empty repository.
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// An empty repository, created with these options of `git init`.
    pub(crate) fn with(options: &[&str]) -> Self {
        let repository = Self { directory: tempfile::tempdir().unwrap() };
        init(repository.path(), options);
        repository
    }

    /// The directory of the working tree.
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file of the working tree.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Writes a skill without findings.
    pub(crate) fn skill(&self, root: &str, name: &str) -> &Self {
        self.write(&format!("{root}/{name}/SKILL.md"), good(name))
    }

    /// Runs git and returns its standard output. A failure fails the test.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = git(self.path(), arguments, &[]);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Adds everything.
    pub(crate) fn add(&self) -> &Self {
        self.git(&["add", "--all"]);
        self
    }

    /// Adds everything and commits it.
    pub(crate) fn commit(&self) -> &Self {
        self.add();
        self.git(&["commit", "--quiet", "--message", "A commit"]);
        self
    }

    /// Runs skilltree here.
    pub(crate) fn skilltree(&self, arguments: &[&str]) -> Run {
        skilltree(self.path(), arguments, &[])
    }
}

/// Returns a skill without findings.
pub(crate) fn good(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Does what {name} says. Use when {name} is wanted.\nwhen_to_use: The task mentions {name}.\n---\n# {name}\n\nDo it.\n"
    )
}

/// Returns a body as a block contains it: with LF line endings, without the blank lines around it.
pub(crate) fn inner(body: &str) -> String {
    let body = body.replace("\r\n", "\n");
    let lines: Vec<&str> = body.split_inclusive('\n').collect();
    let has_text = |line: &&str| !line.trim().is_empty();
    let first = lines.iter().position(has_text);
    let last = lines.iter().rposition(has_text);
    first.zip(last).map(|(first, last)| lines[first..=last].concat()).unwrap_or_default()
}

/// What `git init` creates: paths, and the bytes of the files among them.
type Skeleton = Vec<(PathBuf, Option<Vec<u8>>)>;

static EMPTY: LazyLock<Skeleton> = LazyLock::new(|| skeleton(&[]));
static EMPTY_BARE: LazyLock<Skeleton> = LazyLock::new(|| skeleton(&["--bare"]));

/// Creates a repository in a directory, as `git init` does. git runs once in this process for each of the usual shapes.
pub(crate) fn init(directory: &Path, options: &[&str]) {
    let skeleton = match options {
        [] => &EMPTY,
        ["--bare"] => &EMPTY_BARE,
        _ => return run_init(directory, options),
    };
    for (path, bytes) in skeleton.iter() {
        let path = directory.join(path);
        match bytes {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            None => fs::create_dir_all(path).unwrap(),
        }
    }
}

fn run_init(directory: &Path, options: &[&str]) {
    let arguments = [&["init", "--quiet", "--initial-branch=main"], options].concat();
    let output = git(directory, &arguments, &[]);
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    // Directories of the usual template.
    let git = if options.contains(&"--bare") { directory.to_owned() } else { directory.join(".git") };
    for name in ["hooks", "info"].map(|name| git.join(name)).iter().filter(|_| git.is_dir()) {
        fs::create_dir_all(name).unwrap();
    }
}

fn skeleton(options: &[&str]) -> Skeleton {
    let directory = tempfile::tempdir().unwrap();
    run_init(directory.path(), options);
    let mut found = Skeleton::new();
    let mut open = vec![directory.path().to_owned()];
    while let Some(parent) = open.pop() {
        for path in fs::read_dir(parent).unwrap().map(|entry| entry.unwrap().path()) {
            let bytes = (!path.is_dir()).then(|| fs::read(&path).unwrap());
            found.push((path.strip_prefix(directory.path()).unwrap().to_owned(), bytes));
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    found
}

/// Compares bytes with a committed file. If `SNAPSHOTS` is `overwrite`, writes the file instead.
pub(crate) fn snapshot(path: &Path, actual: &[u8]) -> snapbox::assert::Result<()> {
    // Only binary data keeps its CR.
    let (format, actual) = match std::str::from_utf8(actual) {
        Ok(text) if !text.contains('\r') => (DataFormat::Text, Data::text(text)),
        _ => (DataFormat::Binary, Data::binary(actual)),
    };
    let expected = Data::read_from(path, Some(format)).raw();
    snapbox::Assert::new().action_env("SNAPSHOTS").try_eq(None, actual, expected)
}

/// Returns whether this system can store a file at this path. The names of Windows have fewer characters.
pub(crate) fn is_storable(path: &str) -> bool {
    cfg!(unix) || !path.contains(['\0', '\n', ':', '\\', '"', '<', '>', '|', '?', '*'])
}

/// Stages a blob at a path, without a file in the working tree.
pub(crate) fn stage(repository: &Repository, mode: &str, path: &str, content: impl AsRef<[u8]>) {
    let blob = tempfile::NamedTempFile::new().unwrap();
    fs::write(blob.path(), content).unwrap();
    let id = repository.git(&["hash-object", "-w", "--no-filters", blob.path().to_str().unwrap()]);
    let entry = format!("{mode},{id},{path}");
    repository.git(&["-c", "core.protectNTFS=false", "update-index", "--add", "--cacheinfo", &entry]);
}

/// Creates a symbolic link in the working tree.
#[cfg(unix)]
pub(crate) fn link(repository: &Repository, path: &str, target: &str) {
    let path = repository.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, path).unwrap();
}

/// Creates a symbolic link as Git does without permission to create one: a file with the target. The index says that it is a link.
#[cfg(not(unix))]
pub(crate) fn link(repository: &Repository, path: &str, target: &str) {
    repository.git(&["config", "core.symlinks", "false"]);
    repository.write(path, target);
    stage(repository, "120000", path, target);
}

/// Runs git without user settings, with additional environment variables.
pub(crate) fn git(directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new("git");
    isolate(&mut command).current_dir(directory).args(arguments).envs(variables.iter().copied());
    command.output().unwrap()
}

/// Result of a run of skilltree.
pub(crate) struct Run {
    /// The exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

/// Runs skilltree in a directory with additional environment variables.
pub(crate) fn skilltree(directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    skilltree_with_input(directory, arguments, variables, b"")
}

/// Runs skilltree with text on standard input.
pub(crate) fn skilltree_with_input(
    directory: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
    input: &[u8],
) -> Run {
    use std::io::Write;
    let mut command = Command::new(program());
    isolate(&mut command).current_dir(directory).args(arguments).envs(variables.iter().copied());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().expect("the program ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("output is UTF-8"),
    }
}

/// Returns every command and subcommand, as the manual lists them: each by its words, in alphabetical order.
pub(crate) fn commands() -> Vec<Vec<String>> {
    let directory = tempfile::tempdir().unwrap();
    let run = skilltree(directory.path(), &["man", "--out", "man1"], &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let pages = fs::read_dir(directory.path().join("man1")).unwrap();
    let words = |name: String| name.trim_end_matches(".1").split('-').skip(1).map(str::to_owned).collect();
    let mut commands: Vec<Vec<String>> =
        pages.map(|page| words(page.unwrap().file_name().into_string().unwrap())).collect();
    commands.retain(|words| !words.is_empty());
    commands.sort();
    commands
}

/// Fails the test if a program that it needs is not installed.
pub(crate) fn require(program: &str, debian_package: &str) {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(found.is_ok(), "`{program}` is not installed; it is in the Debian package `{debian_package}`");
}

/// Returns whether the test runs as root. Without root, a test cannot change the owner of a file.
#[cfg(unix)]
pub(crate) fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// The program under test.
pub(crate) fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_skilltree"))
}

/// Removes settings of the machine from the environment and sets a fixed author and date.
pub(crate) fn isolate(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("GIT_")
            || name.starts_with("GITHEAD_")
            || name.starts_with("GITHUB_")
            || name.starts_with("PRE_COMMIT")
            || name.starts_with("CLICOLOR")
            || name.starts_with("FORCE_COLOR")
        {
            command.env_remove(name);
        }
    }
    command
        .env_remove("NO_COLOR")
        .env_remove("NO_GRAPHICS")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", GIT_CONFIG)
        .env("GIT_AUTHOR_NAME", "A U Thor")
        .env("GIT_AUTHOR_EMAIL", "author@example.com")
        .env("GIT_AUTHOR_DATE", "2026-11-20T12:00:00Z")
        .env("GIT_COMMITTER_NAME", "C O Mitter")
        .env("GIT_COMMITTER_EMAIL", "committer@example.com")
        .env("GIT_COMMITTER_DATE", "2026-11-20T12:00:00Z")
}

/// Copies the program under test.
pub(crate) fn copy_program(to: &Path) {
    assert!(Command::new("cp").arg(program()).arg(to).status().unwrap().success());
}

/// Writes a script that can be executed.
///
/// As in [`copy_program`], another process writes it: a child process inherits the files that other tests are writing, and Linux
/// refuses to execute a file that is open for writing.
pub(crate) fn write_script(path: &Path, script: &str) {
    use std::io::Write;
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

/// Copies the contents of a directory into another one.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}
