//! Steps that change existing files of the working tree and of `.git`.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::git::git;
use crate::index;
use crate::workshop::{Workshop, arguments};

impl Workshop {
    /// Does a step that changes something.
    pub(crate) fn changes(&mut self, verb: &str, rest: &str) {
        let (path, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let path = found(&self.repository.join(OsStr::from_bytes(&self.text(path))));
        let number = || text.parse::<i64>().unwrap();
        match verb {
            "build" => {}
            "head-is" => self.move_head(self.string(rest)),
            "git" => {
                let arguments: Vec<String> = rest.split(' ').map(|argument| self.string(argument)).collect();
                git(&self.repository, &arguments.iter().map(String::as_str).collect::<Vec<_>>(), b"");
            }
            "pack" => self.pack(),
            "write" => write(&path, &self.text(text)),
            "append" => write(&path, &[fs::read(&path).unwrap(), self.text(text)].concat()),
            "set" => {
                let [at, text] = arguments(text);
                let file = OpenOptions::new().write(true).open(&path).unwrap();
                let at: i64 = at.parse().unwrap();
                let length = i64::try_from(file.metadata().unwrap().len()).unwrap();
                file.write_all_at(&self.text(text), u64::try_from(if at < 0 { length + at } else { at }).unwrap())
                    .unwrap();
            }
            "cut" => {
                let mut bytes = fs::read(&path).unwrap();
                let length = i64::try_from(bytes.len()).unwrap();
                let kept = if number() < 0 { length + number() } else { number() };
                bytes.truncate(usize::try_from(kept).unwrap());
                write(&path, &bytes);
            }
            "seal" => {
                let mut bytes = fs::read(&path).unwrap();
                bytes.truncate(bytes.len() - 20);
                write(&path, &index::seal(bytes));
            }
            "size" => OpenOptions::new().write(true).open(&path).unwrap().set_len(number().unsigned_abs()).unwrap(),
            "remove" if path.is_dir() => fs::remove_dir_all(&path).unwrap(),
            "remove" => fs::remove_file(&path).unwrap(),
            "pipe" => {
                make_room(&path);
                assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            }
            "symlink" => {
                make_room(&path);
                symlink(OsStr::from_bytes(&self.text(text)), &path).unwrap();
            }
            "mkdir" => {
                make_room(&path);
                fs::create_dir(&path).unwrap();
            }
            "mode" => {
                fs::set_permissions(&path, fs::Permissions::from_mode(u32::from_str_radix(text, 8).unwrap())).unwrap()
            }
            other => panic!("`{other}` is not a step"),
        }
    }

    fn pack(&mut self) {
        git(&self.repository, &["repack", "-adq"], b"");
        let directory = self.repository.join(".git/objects/pack");
        let mut files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        let pack = files.find(|path| path.extension() == Some(OsStr::new("pack"))).unwrap();
        let pack = pack.with_extension("").into_os_string().into_string().unwrap();
        self.name("pack", pack);
    }
}

/// The one path that begins so, where a path ends in `*`.
fn found(path: &Path) -> PathBuf {
    let Some(start) = path.as_os_str().as_bytes().strip_suffix(b"*") else { return path.to_owned() };
    let mut files = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.as_os_str().as_bytes().starts_with(start)).unwrap()
}

fn make_room(path: &Path) {
    let _ = fs::remove_file(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
}

/// Replaces a file. Objects and packs of git are read-only, so it is deleted first.
pub(crate) fn write(path: &Path, bytes: &[u8]) {
    make_room(path);
    fs::write(path, bytes).unwrap();
}
