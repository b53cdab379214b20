//! A directory of bare mirrors, and the tables that a run makes of it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value};
use skilltree::Table;
use tempfile::TempDir;

use crate::common::{self, Run};

/// A skill without findings.
pub(crate) fn good(name: &str) -> (String, String) {
    (format!(".agents/skills/{name}/SKILL.md"), common::good(name))
}

/// A skill that runtimes drop.
pub(crate) fn bad(name: &str) -> (String, String) {
    let text = format!("---\nname: {name}\ndescription: Use when: {name} is wanted.\n---\nDo it.\n");
    (format!(".agents/skills/{name}/SKILL.md"), text)
}

/// Mirrors in `mirrors/`, and tables in `out/`.
pub(crate) struct Mirrors {
    directory: TempDir,
}

impl Mirrors {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("mirrors")).unwrap();
        Self { directory }
    }

    /// Mirrors with one to five skills each, some with findings. There are 20 different ones: git makes each once.
    pub(crate) fn many(count: usize) -> Self {
        let mirrors = Self::new();
        for number in 0..count {
            let name = format!("r{number:03}.git");
            if let Some(first) = number.checked_sub(20) {
                copy(&mirrors.mirror(&format!("r{:03}.git", first % 20)), &mirrors.mirror(&name));
                continue;
            }
            let skills = (0..=number % 5).map(|skill| {
                let name = format!("skill-{}", number * 7 + skill);
                if (number + skill) % 4 == 0 { bad(&name) } else { good(&name) }
            });
            mirrors.commit(&name, &skills.collect::<Vec<_>>(), "2026-11-20");
        }
        mirrors
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn mirror(&self, name: &str) -> PathBuf {
        self.path().join("mirrors").join(name)
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.path().join("out")
    }

    pub(crate) fn git(&self, name: &str, arguments: &[&str]) -> String {
        let output = common::git(&self.mirror(name), arguments, &[]);
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Commits files, and only these, to a bare mirror, which is created if there is none.
    pub(crate) fn commit(&self, name: &str, files: &[(String, String)], day: &str) {
        let is_new = !self.mirror(name).exists();
        if is_new {
            fs::create_dir(self.mirror(name)).unwrap();
            common::init(&self.mirror(name), &["--bare"]);
        }
        let mut stream = format!("commit refs/heads/main\ncommitter a <a@example.com> {day}T12:00:00Z\ndata 1\nx");
        let has_main = || common::git(&self.mirror(name), &["rev-parse", "--verify", "--quiet", "main"], &[]);
        if !is_new && has_main().status.success() {
            stream.push_str("\nfrom refs/heads/main^0");
        }
        stream.push_str("\ndeleteall\n");
        for (path, text) in files {
            stream.push_str(&format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len()));
        }
        let mut command = Command::new("git");
        common::isolate(&mut command).args(["fast-import", "--quiet", "--date-format=rfc2822"]);
        let stream = stream.replace(&format!("{day}T12:00:00Z"), &rfc2822(day));
        let mut child = command.current_dir(self.mirror(name)).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{stream}");
    }

    /// Removes all blobs: what still has rows after it was not read again.
    pub(crate) fn remove_blobs(&self, name: &str) {
        // fast-import leaves a pack; its objects are unpacked to be removed one by one.
        for entry in fs::read_dir(self.mirror(name).join("objects/pack")).unwrap() {
            let path = entry.unwrap().path();
            let moved = self.mirror(name).join(path.file_name().unwrap());
            fs::rename(&path, &moved).unwrap();
            if moved.extension().unwrap() == "pack" {
                let mut command = Command::new("git");
                common::isolate(&mut command).args(["unpack-objects", "-q"]).current_dir(self.mirror(name));
                assert!(command.stdin(File::open(&moved).unwrap()).status().unwrap().success());
            }
        }
        let objects = self.git(name, &["rev-list", "--objects", "--all", "--filter=object:type=blob"]);
        let mut removed = 0;
        for id in objects.lines().filter_map(|line| line.split_once(' ')).map(|(id, _)| id) {
            if self.git(name, &["cat-file", "-t", id]) == "blob" {
                fs::remove_file(self.mirror(name).join("objects").join(&id[..2]).join(&id[2..])).unwrap();
                removed += 1;
            }
        }
        assert!(removed > 0, "{name} has blobs");
    }

    /// Runs `skilltree fleet` on all mirrors.
    pub(crate) fn fleet(&self, more: &[&str]) -> Run {
        let arguments = ["fleet", "--repos", "mirrors", "--out", "out"];
        common::skilltree(self.path(), &[&arguments, more].concat(), &[])
    }

    /// Returns the sorted rows of a table, as JSON, without the seconds.
    pub(crate) fn rows(&self, table: Table) -> Vec<String> {
        let mut rows: Vec<String> = read(&self.out(), table).into_iter().map(|row| row.to_string()).collect();
        rows.sort();
        rows
    }

    /// Returns the sorted rows of all tables.
    pub(crate) fn tables(&self) -> Vec<Vec<String>> {
        Table::ALL.into_iter().map(|table| self.rows(table)).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn rfc2822(day: &str) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let parts: Vec<usize> = day.split('-').map(|part| part.parse().unwrap()).collect();
    format!("{} {} {} 12:00:00 +0000", parts[2], months[parts[1] - 1], parts[0])
}

/// Returns the rows of a table, without the seconds.
pub(crate) fn read(out: &Path, table: Table) -> Vec<Value> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(out.join(table.name())).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl") => {
                rows.extend(fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()));
            }
            Some("parquet") => {
                let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
                rows.extend(reader.get_row_iter(None).unwrap().map(|row| json(&row.unwrap())));
            }
            _ => panic!("{} is no part", path.display()),
        }
    }
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        if let Some(seconds) = row.remove("seconds") {
            assert!(seconds.as_f64().unwrap() >= 0.0);
        }
    }
    rows
}

fn json(row: &Row) -> Value {
    let value = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Str(text) => text.as_str().into(),
        Field::Long(number) => (*number).into(),
        Field::Double(number) => (*number).into(),
        Field::Bool(value) => (*value).into(),
        other => panic!("{other} has another type"),
    };
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect::<Map<_, _>>().into()
}

/// Returns the text of a member.
pub(crate) fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row[name].as_str().unwrap_or_else(|| panic!("{name} in {row}"))
}
