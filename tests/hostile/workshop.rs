//! State of the steps of a case, and the values that their texts name.
//!
//! A step is a verb and its arguments, separated by one space. The last argument takes the rest of the line.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::change::write;
use crate::common::good;
use crate::git::{git, make_trees};
use crate::index::{self, Entry};
use crate::text::decode;

/// Secret text next to the repository. It must never be printed.
pub(crate) const CANARY: &str = "canary-4b1d-not-to-be-read";

/// A repository while it is made.
pub(crate) struct Workshop {
    /// The directory of the case.
    pub(crate) place: PathBuf,
    /// The working tree.
    pub(crate) repository: PathBuf,
    pub(crate) values: BTreeMap<String, Vec<u8>>,
    pub(crate) entries: Vec<Entry>,
    /// Entries that are only in the tree or in the index.
    pub(crate) in_tree: Vec<Entry>,
    pub(crate) in_index: Vec<Entry>,
    pub(crate) is_sorted: bool,
    pub(crate) is_built: bool,
}

impl Workshop {
    /// An empty repository in an empty directory, and the secret next to it.
    pub(crate) fn new(place: &Path) -> Self {
        let repository = place.join("repository");
        fs::create_dir_all(place.join("outside/skills/secret")).unwrap();
        fs::create_dir_all(&repository).unwrap();
        let secret = place.join("outside/skills/secret/SKILL.md");
        let text = format!("---\nname: secret\ndescription: {CANARY}\n---\n{CANARY}\n");
        fs::write(&secret, text).unwrap();
        git(&repository, &["init", "-q", "--template=", "--initial-branch=main"], b"");
        let paths = [("secret", secret), ("outside", place.join("outside")), ("repository", repository.clone())];
        let values = paths.map(|(name, path)| (name.to_owned(), path.as_os_str().as_bytes().to_vec()));
        let mut values = BTreeMap::from(values);
        values.insert("zero".into(), "0".repeat(40).into());
        values.insert("gone".into(), "1234567890".repeat(4).into());
        let (entries, in_tree, in_index) = (Vec::new(), Vec::new(), Vec::new());
        let place = place.to_owned();
        Self { place, repository, values, entries, in_tree, in_index, is_sorted: true, is_built: false }
    }

    /// Does one step.
    pub(crate) fn step(&mut self, line: &str) {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if verb == "repeat" {
            // The numbers of this turn and of the next one are put in before anything else is read.
            let [count, step] = arguments(rest);
            for turn in 0..count.parse().unwrap() {
                let (next, turn): (usize, usize) = (turn + 1, turn);
                self.step(&step.replace("\\#", &turn.to_string()).replace("\\+", &next.to_string()));
            }
            return;
        }
        if !self.collects(verb, rest) {
            self.build();
            self.changes(verb, rest);
        }
    }

    /// The id of the commit that was made.
    pub(crate) fn commit(&self) -> String {
        self.id("head")
    }

    /// Writes the collected entries as tree, commit and index. Runs implicitly before the first other step.
    pub(crate) fn build(&mut self) {
        if std::mem::replace(&mut self.is_built, true) {
            return;
        }
        let top = make_trees(&self.repository, [&self.entries[..], &self.in_tree[..]].concat());
        let commit = git(&self.repository, &["commit-tree", "-m", "A commit", &top], b"");
        self.name("top", top);
        self.move_head(commit);
        let mut entries = [&self.entries[..], &self.in_index[..]].concat();
        if self.is_sorted {
            entries.sort_by(|a, b| (&a.path, a.stage).cmp(&(&b.path, b.stage)));
        }
        fs::write(self.repository.join(".git/index"), index::file(&entries)).unwrap();
    }

    pub(crate) fn move_head(&mut self, commit: String) {
        let path = self.repository.join(".git/refs/heads/main");
        fs::write(path, format!("{commit}\n")).unwrap();
        self.name("head", commit);
    }

    pub(crate) fn push(&mut self, mode: &str, path: Vec<u8>, id: String) {
        self.entries.push(Entry { mode: mode.to_owned(), path, id, stage: 0 });
    }

    pub(crate) fn name(&mut self, name: &str, id: String) {
        if id.len() == 40 {
            self.values.insert(format!("{name}.path"), format!(".git/objects/{}/{}", &id[..2], &id[2..]).into());
        }
        self.values.insert(name.to_owned(), id.into());
    }

    pub(crate) fn value(&self, name: &str) -> Vec<u8> {
        match name.strip_prefix("good ") {
            Some(skill) => good(skill).into_bytes(),
            None => self.values.get(name).unwrap_or_else(|| panic!("nothing is called `{name}`")).clone(),
        }
    }

    /// Bytes of a text of a case.
    pub(crate) fn text(&self, text: &str) -> Vec<u8> {
        decode(text, &|name| self.value(name))
    }

    /// The same where it is text.
    pub(crate) fn string(&self, text: &str) -> String {
        String::from_utf8(self.text(text)).unwrap()
    }

    pub(crate) fn id(&self, name: &str) -> String {
        String::from_utf8(self.value(name)).unwrap()
    }

    pub(crate) fn blob(&self, bytes: &[u8]) -> String {
        self.hash("blob", &["-w"], bytes)
    }

    pub(crate) fn hash(&self, kind: &str, options: &[&str], bytes: &[u8]) -> String {
        git(&self.repository, &[&["hash-object", "--literally", "-t", kind, "--stdin"], options].concat(), bytes)
    }

    pub(crate) fn write_object(&self, id: &str, bytes: &[u8]) {
        write(&self.repository.join(".git/objects").join(&id[..2]).join(&id[2..]), bytes);
    }
}

/// The arguments of a step.
pub(crate) fn arguments<const COUNT: usize>(rest: &str) -> [&str; COUNT] {
    let arguments: Vec<&str> = rest.splitn(COUNT, ' ').collect();
    arguments.try_into().unwrap_or_else(|_| panic!("`{rest}` should be {COUNT} arguments"))
}
