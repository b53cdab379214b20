//! Runs `git` with input, and sequences of git commands.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::isolate;
use crate::index::Entry;
use crate::objects;

/// Runs git and returns its standard output. A failure fails the test.
pub(crate) fn git(directory: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut command = Command::new("git");
    isolate(&mut command).current_dir(directory).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Output that git prints while it reads must not fill the pipe.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// The ids of many blobs, made in one go.
pub(crate) fn fast_import(directory: &Path, texts: &[Vec<u8>]) -> Vec<String> {
    let mut stream = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        stream.extend(format!("blob\nmark :{}\ndata {}\n", number + 1, text.len()).into_bytes());
        stream.extend_from_slice(text);
        stream.push(b'\n');
    }
    let marks = directory.join(".git/marks");
    git(directory, &["fast-import", "--quiet", &format!("--export-marks={}", marks.display())], &stream);
    let lines = fs::read_to_string(&marks).unwrap();
    fs::remove_file(marks).unwrap();
    let ids: BTreeMap<usize, &str> = lines
        .lines()
        .filter_map(|line| line[1..].split_once(' '))
        .map(|(mark, id)| (mark.parse().unwrap(), id))
        .collect();
    ids.into_values().map(str::to_owned).collect()
}

/// The id of the tree of these entries; the deepest directories are made first. `git mktree` would refuse some.
pub(crate) fn make_trees(directory: &Path, mut entries: Vec<Entry>) -> String {
    let parent = |path: &[u8]| path.iter().rposition(|byte| *byte == b'/').map_or(Vec::new(), |at| path[..at].to_vec());
    let depth = |path: &[u8]| 1 + path.iter().filter(|byte| **byte == b'/').count();
    let deepest = entries.iter().map(|entry| depth(&entry.path)).max().unwrap_or(1);
    for level in (1..=deepest).rev() {
        let (below, rest): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| depth(&entry.path) == level);
        entries = rest;
        let mut trees: BTreeMap<Vec<u8>, Vec<Entry>> = BTreeMap::new();
        for entry in below {
            trees.entry(parent(&entry.path)).or_default().push(entry);
        }
        let bytes: Vec<Vec<u8>> = trees.values_mut().map(|entries| tree(entries)).collect();
        for (path, id) in trees.into_keys().zip(write_trees(directory, &bytes)) {
            if path.is_empty() {
                return id;
            }
            entries.push(Entry { mode: "40000".into(), path, id, stage: 0 });
        }
    }
    write_trees(directory, &[Vec::new()]).remove(0)
}

/// The bytes of a tree, in the order that git writes.
fn tree(entries: &mut [Entry]) -> Vec<u8> {
    let name = |entry: &Entry| entry.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_vec();
    entries.sort_by_key(|entry| [&name(entry)[..], if entry.mode == "40000" { b"/" } else { b"" }].concat());
    let named = entries.iter().map(|entry| (entry.mode.clone().into_bytes(), name(entry), entry.id.clone()));
    objects::tree(named)
}

/// Writes trees and gives their ids.
fn write_trees(directory: &Path, trees: &[Vec<u8>]) -> Vec<String> {
    let texts = tempfile::tempdir().unwrap();
    let mut paths = String::new();
    for (number, tree) in trees.iter().enumerate() {
        let path = texts.path().join(number.to_string());
        fs::write(&path, tree).unwrap();
        paths.push_str(&format!("{}\n", path.display()));
    }
    let arguments = ["hash-object", "-w", "-t", "tree", "--literally", "--stdin-paths"];
    git(directory, &arguments, paths.as_bytes()).lines().map(str::to_owned).collect()
}
