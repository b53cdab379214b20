//! Paths that a system cannot check out or reads as another path.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::components;
use skilltree_skills::name;
use skilltree_skills::roots::Owner;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unsafe-path",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a path below a skills directory is unsafe on some systems",
    why: "Git for Windows rejects such a checkout or writes elsewhere, and a line break in a path forges output",
    explanation: include_str!("unsafe_path.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

/// Maximum bytes of a name on ext4, APFS and NTFS: the minimum of 255 bytes, characters or UTF-16 units.
const NAME_BYTES: usize = 255;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for loss in components::losses(catalog, |name| flaw(name).is_some()) {
        let name = loss.component.name();
        let Some(flaw) = flaw(name).filter(|_| !is_shown(catalog, loss.file, name)) else {
            continue;
        };
        let shown = text::lossless(name);
        let message = format!("the path component `{}` {flaw}", text::shortened(&shown, NAME_BYTES));
        sink.about(loss.skill.map_or(Subject::Tree, Subject::Skill))
            .report(Place::whole(loss.file), message)
            .help("rename it with `git mv`; letters, digits, `-`, `_` and `.` inside a name are safe everywhere");
    }
}

/// Returns whether a name is part of the displayed path of a root outside the repository, not of a path on disk.
fn is_shown(catalog: &Catalog, file: FileId, name: &BStr) -> bool {
    let Some(root) = catalog.file(file).root.map(|root| catalog.root(root)) else { return false };
    root.owner != Owner::Repository && root.path.split_str(b"/").any(|component| component == name.as_bytes())
}

/// Returns the first problem of a name.
fn flaw(name: &BStr) -> Option<&'static str> {
    if matches!(name.as_bytes(), b"" | b"." | b"..") {
        return Some("leads to another directory");
    }
    if is_git_directory(name) {
        return Some("is equivalent to `.git` on some systems");
    }
    let Ok(text) = name.to_str() else { return Some("is not UTF-8") };
    if text.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Some("contains a control character");
    }
    if text.contains('\\') {
        return Some("contains a backslash, the directory separator on Windows");
    }
    if text.contains(['<', '>', ':', '"', '|', '?', '*']) {
        return Some("contains a character that Windows does not allow");
    }
    if text.ends_with(['.', ' ']) {
        return Some("ends with a dot or a space, which Windows removes");
    }
    if name::is_device(text) {
        return Some("is a device name on Windows");
    }
    (text.len() > NAME_BYTES).then_some("is longer than 255 bytes, the limit of common file systems")
}

/// Returns whether a file system treats a name as `.git`: in any letter case, with characters that HFS+ ignores, with the
/// trailing dots, spaces or stream that NTFS removes, or as its short name. `git fsck` rejects the same names.
fn is_git_directory(name: &BStr) -> bool {
    let seen: Cow<'_, str> = match name.to_str() {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => name.chars().filter(|&character| !name::is_ignored_by_hfs(character)).collect(),
    };
    let seen = seen.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    [".git", "git~1"].iter().any(|git| seen.eq_ignore_ascii_case(git))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_unsafe_names() {
        let unsafe_names: [&[u8]; 24] = [
            b"..",
            b".",
            b".GIT",
            b"git~1",
            ".g\u{200c}it".as_bytes(),
            b".git ",
            b".git::$INDEX_ALLOCATION",
            b"a\nb",
            b"a\x1b[31m",
            b"\x7f",
            "a\u{85}b".as_bytes(),
            "a\u{2028}b".as_bytes(),
            b"a\\b",
            b"c:x",
            b"what?.md",
            b"a.",
            b"a ",
            b"con",
            b"Aux.md",
            b"NUL .tar.gz",
            b"com1.txt",
            "LPT²".as_bytes(),
            b"\xff",
            &[b'a'; 256],
        ];
        for name in unsafe_names {
            assert!(flaw(name.as_bstr()).is_some(), "{:?}", name.as_bstr());
        }
    }

    #[test]
    fn accepts_safe_names() {
        let safe: [&str; 14] = [
            "SKILL.md",
            ".gitignore",
            ".github",
            "git~2",
            "console.md",
            "com10",
            "com",
            "lpt",
            "nullable",
            "a b",
            "ñ",
            "日本語.md",
            "…",
            "...a",
        ];
        for name in safe {
            assert_eq!(flaw(name.as_bytes().as_bstr()), None, "{name:?}");
        }
        assert_eq!(flaw([b'a'; 255].as_bstr()), None);
    }
}
