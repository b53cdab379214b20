//! Small Git repositories, written without Git: a directory with `HEAD`, `config`, loose objects and references.
#![allow(clippy::disallowed_methods, reason = "a target writes what it reads")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use skilltree_git::{Environment, Revision};
use skilltree_lint::config::Config;
use skilltree_lint::lint;
use skilltree_skills::snapshot::{Mode, ObjectId, Role};
use skilltree_skills::source::{Error, Source};
use tempfile::TempDir;

/// A repository in a temporary directory.
pub(crate) struct Repository {
    directory: TempDir,
    /// Ids of the objects that were written, with their kinds.
    pub(crate) objects: BTreeMap<String, &'static str>,
}

impl Repository {
    pub(crate) fn new() -> Self {
        let repository =
            Self { directory: tempfile::tempdir().expect("a directory can be made"), objects: BTreeMap::new() };
        repository.write("HEAD", b"ref: refs/heads/main\n");
        repository.write("config", b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n");
        for directory in ["objects/info", "objects/pack", "refs/heads", "refs/tags"] {
            fs::create_dir_all(repository.path(directory)).expect("a directory can be made");
        }
        repository
    }

    pub(crate) fn top(&self) -> &Path {
        self.directory.path()
    }

    /// Returns a path in `.git`.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(".git").join(name)
    }

    /// Writes a file in `.git`.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a parent")).expect("a directory can be made");
        fs::write(path, bytes).expect("a file can be written");
    }

    /// Removes a file in `.git`, if it exists.
    pub(crate) fn remove(&self, name: &str) {
        drop(fs::remove_file(self.path(name)));
    }

    /// Writes a loose object and returns its id.
    pub(crate) fn object(&mut self, kind: &'static str, bytes: &[u8]) -> ObjectId {
        let whole = [format!("{kind} {}\0", bytes.len()).as_bytes(), bytes].concat();
        let id = sha1(&whole);
        self.write(&loose(&id), &miniz_oxide::deflate::compress_to_vec_zlib(&whole, 1));
        self.objects.insert(id.to_string(), kind);
        id
    }

    /// Removes the objects that were written.
    pub(crate) fn remove_objects(&mut self) {
        for id in std::mem::take(&mut self.objects).into_keys() {
            self.remove(&format!("objects/{}/{}", &id[..2], &id[2..]));
        }
    }

    pub(crate) fn open(&self, revision: &Revision) -> Result<Source, Error> {
        skilltree_git::open(self.top(), revision, &Environment::default())
    }

    /// Opens, reads and checks a revision; returns what a user sees.
    pub(crate) fn check(&self, revision: &Revision) -> Result<Checked, Error> {
        let source = self.open(revision)?;
        let config = Config::new();
        let parsed = source.read(&lint::roots(&config), config.limits.bounds())?;
        let files = parsed
            .files
            .iter()
            .filter(|file| file.role == Role::Skill && matches!(file.mode, Mode::File | Mode::Executable))
            .filter_map(|file| Some((file.path.to_string(), file.id?.to_string())));
        let files = files.collect();
        let report = lint(parsed, &config);
        let finding = |finding: &skilltree_lint::rule::Finding| {
            format!("{} {} {:?}", report.path(finding), finding.rule.id(), finding.place.range())
        };
        let findings = report.findings.iter().map(finding).collect();
        Ok(Checked { commit: source.origin().commit().map(|id| id.to_string()), files, findings })
    }
}

/// Result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) commit: Option<String>,
    /// Regular files of skills, with their ids.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) findings: Vec<String>,
}

/// Returns the path of a loose object in `.git`.
pub(crate) fn loose(id: &ObjectId) -> String {
    let id = id.to_string();
    format!("objects/{}/{}", &id[..2], &id[2..])
}

/// Returns the SHA-1 of bytes.
pub(crate) fn sha1(bytes: &[u8]) -> ObjectId {
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(bytes);
    let digest: [u8; 20] = hasher.finalize().expect("no input is a collision attack").into();
    ObjectId::new(&digest)
}

/// A skill without findings.
pub(crate) const SKILL: &[u8] =
    b"---\nname: pdf\ndescription: Fills in forms. Use when a form is due.\n---\nRead it.\n";
