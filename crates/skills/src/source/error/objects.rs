//! Missing and damaged objects.

use std::fmt;

use bstr::{BStr, BString, ByteSlice};

use crate::roots;
use crate::snapshot::ObjectId;
use skilltree_front_matter::text;

/// An object that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BadObject {
    /// The path or the revision that refers to it; empty for the top tree.
    pub path: BString,
    /// Its id.
    pub id: ObjectId,
    /// What is wrong with it.
    pub damage: Damage,
}

/// What is wrong with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// It does not exist.
    Missing,
    /// It does not exist in this partial clone, and only git fetches it.
    NotFetched,
    /// It cannot be decoded.
    Undecodable,
    /// This user cannot read it.
    Denied,
    /// It cannot be opened, because the process has no free file descriptor.
    TooManyOpen,
    /// Its content does not match its id.
    Mismatch,
    /// Its type differs from the type in the tree.
    Mistyped,
    /// It is larger than [`crate::source::OBJECT_BYTES`].
    Oversized,
    /// It is a tree with a duplicate name, unsorted names, or an invalid name.
    MalformedTree,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing",
            Self::NotFetched => "not fetched",
            Self::Undecodable => "cannot be decoded",
            Self::Denied => "permission denied",
            Self::TooManyOpen => "too many open files",
            Self::Mismatch => "its content does not match its id",
            Self::Mistyped => "is not of the type in its tree",
            Self::Oversized => "is larger than 16 MiB",
            Self::MalformedTree => "is a malformed tree",
        })
    }
}

impl BadObject {
    fn words(&self) -> String {
        format!("{} ({}): {}", text::lossless(self.path.as_bstr()), self.id, self.damage)
    }
}

/// Maximum number of damaged objects in a message.
const SHOWN: usize = 20;

/// Formats the objects in one line: a single one with the path that refers to it, several as their number.
pub(super) fn words(bad: &[BadObject]) -> String {
    match bad {
        [one] => format!("1 object cannot be read: {}", one.words()),
        bad => format!("{} objects cannot be read", text::grouped(bad.len())),
    }
}

/// Returns what to do about damaged objects.
pub(super) fn help(bad: &[BadObject]) -> String {
    let has = |damage: Damage| bad.iter().any(|object| object.damage == damage);
    if has(Damage::NotFetched) {
        fetch(bad)
    } else if has(Damage::TooManyOpen) {
        "raise the limit of open files: `ulimit -n 1024`".to_owned()
    } else if has(Damage::Denied) {
        "run as a user who can read the repository".to_owned()
    } else {
        "run `git fsck`".to_owned()
    }
}

/// Returns the command that fetches the objects of a partial clone which are not there, and only them.
fn fetch(bad: &[BadObject]) -> String {
    let missing: Vec<&BadObject> = bad.iter().filter(|object| object.damage == Damage::NotFetched).collect();
    if let [one] = missing.as_slice() {
        return format!("this is a partial clone: run `git cat-file -p {}`, which fetches it", one.id);
    }
    let each = "run `git cat-file -p ID` for each, which fetches it";
    // The suggested command must be safe to paste into a shell.
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._/-".contains(byte);
    match common_directory(&missing) {
        Some(directory) if directory.iter().all(is_plain) && !directory.starts_with(b"-") => {
            format!("in a sparse checkout, run `git sparse-checkout add {directory}`; in another partial clone, {each}")
        }
        _ => format!("this is a partial clone: {each}"),
    }
}

/// Returns the deepest directory around some objects; `None` if it is the top.
fn common_directory<'a>(objects: &[&'a BadObject]) -> Option<&'a BStr> {
    let (first, rest) = objects.split_first()?;
    let mut directory = text::parent(first.path.as_bstr());
    while !directory.is_empty() {
        if rest.iter().all(|object| roots::is_within(object.path.as_bstr(), directory)) {
            return Some(directory);
        }
        directory = text::parent(directory);
    }
    None
}

/// Lists several objects, each with the path that refers to it.
pub(super) fn lines(bad: &[BadObject]) -> Vec<String> {
    if bad.len() < 2 {
        return Vec::new();
    }
    let mut lines: Vec<String> = bad.iter().take(SHOWN).map(BadObject::words).collect();
    if bad.len() > SHOWN {
        lines.push(format!("and {} more", text::grouped(bad.len() - SHOWN)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(path: &str) -> BadObject {
        BadObject { path: path.into(), id: ObjectId::new(&[0xab; 20]), damage: Damage::NotFetched }
    }

    #[test]
    fn names_the_command_that_fetches_only_what_is_missing() {
        let id = "ab".repeat(20);
        assert!(fetch(&[missing("a/SKILL.md")]).contains(&format!("`git cat-file -p {id}`")));
        let of = |paths: [&str; 2]| fetch(&paths.map(missing));
        assert!(
            of([".claude/skills/a/SKILL.md", ".claude/skills/b/x.md"])
                .contains("`git sparse-checkout add .claude/skills`")
        );
        for paths in [["a/SKILL.md", "b/SKILL.md"], ["$(x)/a", "$(x)/b"], ["-x/a", "-x/b"]] {
            let help = of(paths);
            assert!(!help.contains("sparse-checkout") && help.contains("git cat-file -p ID"), "{help}");
        }
        let mut damaged = missing("b/SKILL.md");
        damaged.damage = Damage::Mismatch;
        assert!(fetch(&[missing("a/SKILL.md"), damaged]).contains(&id), "only one is not fetched");
    }
}
