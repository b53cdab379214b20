//! A generated repository on the disk, written without Git: loose objects, an index and a working tree.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use bstr::BStr;
use skilltree_skills::source::Content;
use tempfile::TempDir;

use super::generate::{self, Files};
use super::store::{Fault, Object, Tree, hash, tree_bytes};
use crate::common;

/// A repository with one commit, whose index and working tree are those of the commit.
pub(super) struct Disk(TempDir);

impl Disk {
    /// Writes a repository. The fault [`Fault::HidesCopies`] leaves the last file out of the index.
    pub(super) fn new(files: &Files, fault: Fault) -> Self {
        let disk = Self(tempfile::tempdir().unwrap());
        common::init(disk.top(), &[]);
        let tree = Tree::new(files, Fault::None);
        for object in tree.objects.values() {
            match object {
                Object::Tree(entries) => disk.write_object("tree", &tree_bytes(entries)),
                Object::Blob(bytes) => disk.write_object("blob", bytes),
            };
        }
        let author = "C <c@example.com> 1700000000 +0000";
        let commit = format!("tree {}\nauthor {author}\ncommitter {author}\n\nA commit\n", tree.top);
        let commit = disk.write_object("commit", commit.as_bytes());
        fs::write(disk.top().join(".git/refs/heads/main"), format!("{commit}\n")).unwrap();
        let left_out = if fault == Fault::HidesCopies { files.last_key_value() } else { None };
        let indexed = files.iter().filter(|(path, _)| left_out.is_none_or(|(last, _)| last != *path));
        fs::write(disk.top().join(".git/index"), index(indexed.map(|(path, content)| (path.as_ref(), content))))
            .unwrap();
        files.iter().for_each(|(path, content)| disk.check_out(path.as_ref(), content));
        disk
    }

    pub(super) fn top(&self) -> &Path {
        self.0.path()
    }

    fn write_object(&self, kind: &str, bytes: &[u8]) -> String {
        let id = hash(kind, bytes).to_string();
        let path = self.top().join(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let whole = [format!("{kind} {}\0", bytes.len()).as_bytes(), bytes].concat();
        fs::write(path, miniz_oxide::deflate::compress_to_vec_zlib(&whole, 1)).unwrap();
        id
    }

    fn check_out(&self, path: &BStr, content: &Content) {
        let path = self.top().join(std::ffi::OsStr::from_bytes(path));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match content {
            Content::Link(target) => symlink(std::ffi::OsStr::from_bytes(target), path).unwrap(),
            Content::Submodule => fs::create_dir(path).unwrap(),
            _ => {
                fs::write(&path, generate::bytes(content).unwrap_or_default()).unwrap();
                if matches!(content, Content::Executable(_)) {
                    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
                }
            }
        }
    }
}

/// Returns an index of version 2, without anything that the file system noted.
fn index<'a>(files: impl Iterator<Item = (&'a BStr, &'a Content)>) -> Vec<u8> {
    let files: Vec<_> = files.collect();
    let mut bytes = [b"DIRC".as_slice(), &2_u32.to_be_bytes(), &(files.len() as u32).to_be_bytes()].concat();
    for (path, content) in files {
        let (mode, id) = match content {
            Content::Submodule => (0o160_000_u32, hash("commit", b"")),
            Content::Link(target) => (0o120_000, hash("blob", target)),
            Content::Executable(bytes) => (0o100_755, hash("blob", bytes)),
            _ => (0o100_644, hash("blob", generate::bytes(content).unwrap_or_default())),
        };
        let start = bytes.len();
        bytes.extend([0; 24]);
        bytes.extend(mode.to_be_bytes());
        bytes.extend([0; 12]);
        bytes.extend(id.as_bytes());
        bytes.extend((path.len().min(0xfff) as u16).to_be_bytes());
        bytes.extend_from_slice(path);
        // One to eight zeros end an entry.
        bytes.resize(start + (bytes.len() - start + 8) / 8 * 8, 0);
    }
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(&bytes);
    let digest: [u8; 20] = hasher.finalize().unwrap().into();
    bytes.extend(digest);
    bytes
}
