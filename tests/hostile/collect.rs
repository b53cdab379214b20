//! Steps that collect entries for the tree and the index.

use std::fs;
use std::path::PathBuf;

use crate::common::good;
use crate::git::{fast_import, git};
use crate::index::Entry;
use crate::objects;
use crate::text::decode_turn;
use crate::workshop::{Workshop, arguments};

impl Workshop {
    /// Does a step that gathers; `false` when it is none.
    pub(crate) fn collects(&mut self, verb: &str, rest: &str) -> bool {
        match verb {
            "file" => self.add("100644", rest),
            "program" => self.add("100755", rest),
            "link" => self.add("120000", rest),
            "skill" => {
                let path = self.text(rest);
                let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
                let id = self.blob(good(&String::from_utf8_lossy(name)).as_bytes());
                self.push("100644", [&path[..], b"/SKILL.md"].concat(), id);
            }
            "files" => self.add_many(rest),
            "entry" => {
                let [mode, path, id] = arguments(rest);
                self.push(mode, self.text(path), self.string(id));
            }
            "mount" => {
                let [path, tree] = arguments(rest);
                let (mode, path, id) = ("40000".to_owned(), self.text(path), self.id(tree));
                self.in_tree.push(Entry { mode, path, id, stage: 0 });
            }
            "stage" => {
                let [stage, mode, path, id] = arguments(rest);
                let (mode, path, id) = (mode.to_owned(), self.text(path), self.string(id));
                self.in_index.push(Entry { mode, path, id, stage: stage.parse().unwrap() });
            }
            "unsorted" => self.is_sorted = false,
            "blob" => {
                let [name, text] = arguments(rest);
                let id = self.blob(&self.text(text));
                self.name(name, id);
            }
            "tree" => self.tree(rest),
            "object" => {
                let [name, kind, text] = arguments(rest);
                let id = self.hash(kind, &["-w"], &self.text(text));
                self.name(name, id);
            }
            "forge" => {
                let [id, kind, text] = arguments(rest);
                let bytes = self.text(text);
                self.write_object(&self.string(id), &objects::loose(kind, &bytes.len().to_string(), &bytes));
            }
            "loose" => {
                let [name, kind, size, text] = arguments(rest);
                let id = self.hash("blob", &[], &self.text(text));
                self.write_object(&id, &objects::loose(kind, size, &self.text(text)));
                self.name(name, id);
            }
            "zeros" => self.zeros(rest),
            "swell" => self.swell(rest),
            _ => return false,
        }
        true
    }

    fn add(&mut self, mode: &str, rest: &str) {
        let [path, text] = arguments(rest);
        let id = self.blob(&self.text(text));
        self.push(mode, self.text(path), id);
    }

    fn add_many(&mut self, rest: &str) {
        let [count, path, text] = arguments(rest);
        let turns = 0..count.parse().unwrap();
        let values = |name: &str| self.value(name);
        let texts: Vec<_> = turns.clone().map(|turn| decode_turn(text, &values, turn)).collect();
        let paths: Vec<_> = turns.map(|turn| decode_turn(path, &values, turn)).collect();
        for (path, id) in paths.into_iter().zip(fast_import(&self.repository, &texts)) {
            self.push("100644", path, id);
        }
    }

    /// A tree byte by byte: `NAME MODE ENTRY ID | MODE ENTRY ID`.
    fn tree(&mut self, rest: &str) {
        let (name, entries) = rest.split_once(' ').unwrap_or((rest, ""));
        let mut read = Vec::new();
        for entry in entries.split(" | ").filter(|entry| !entry.is_empty()) {
            let [mode, name, id] = arguments(entry);
            read.push((self.text(mode), self.text(name), self.string(id)));
        }
        let id = self.hash("tree", &["-w"], &objects::tree(read));
        self.name(name, id);
    }

    /// A loose blob of zeros.
    fn zeros(&mut self, rest: &str) {
        let [name, size] = arguments(rest);
        let file = self.zero_file(size.parse().unwrap());
        let file = file.to_str().unwrap();
        let settings = ["-c", "core.looseCompression=1", "-c", "core.bigFileThreshold=4g"];
        let id = git(&self.repository, &[&settings[..], &["hash-object", "-w", file]].concat(), b"");
        fs::remove_file(file).unwrap();
        self.name(name, id);
    }

    /// A packed blob of zeros that is a few bytes of delta.
    fn swell(&mut self, rest: &str) {
        let [name, size] = arguments(rest);
        let size = size.parse().unwrap();
        let file = self.zero_file(size);
        let id = git(&self.repository, &["hash-object", file.to_str().unwrap()], b"");
        fs::remove_file(file).unwrap();
        let base = vec![0; 0x1_0000];
        let pack = objects::delta_pack(&base, &self.hash("blob", &[], &base), size / 0x1_0000);
        git(&self.repository, &["index-pack", "--stdin"], &pack);
        self.name(name, id);
    }

    fn zero_file(&self, size: u64) -> PathBuf {
        let path = self.place.join("zeros");
        fs::File::create(&path).unwrap().set_len(size).unwrap();
        path
    }
}
