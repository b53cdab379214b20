//! The walk, on files that were never on a disk.

use bstr::ByteSlice;
use skilltree_skills::roots::RootSet;
use skilltree_skills::snapshot::{Body, Origin, Presence};
use skilltree_skills::source::{self, Content, Entry, Error, Source};

use crate::source::shown::{BOUNDS, default_roots, roots, shown};

/// A source of `PATH`, `PATH -> TARGET`, `PATH @` (submodule), `PATH /` (directory), `PATH <` (unmerged), `PATH *`
/// (executable).
fn memory(lines: &[&str]) -> Source {
    let entry = |line: &&str| {
        let (path, content) = match line.split_once(' ') {
            None => (*line, Content::File(format!("text of {line}").into_bytes())),
            Some((path, "@")) => (path, Content::Submodule),
            Some((path, "/")) => (path, Content::Directory),
            Some((path, "<")) => (path, Content::Unmerged),
            Some((path, "*")) => (path, Content::Executable(b"text".to_vec())),
            Some((path, link)) => (path, Content::Link(link.strip_prefix("-> ").expect("a link").into())),
        };
        Entry { path: path.into(), content }
    };
    source::memory(Origin::Memory, lines.iter().map(entry).collect())
}

fn read(lines: &[&str], set: &RootSet) -> String {
    shown(&memory(lines).read(set, BOUNDS).expect("memory can be read"))
}

#[track_caller]
fn assert_shown(set: &RootSet, lines: &[&str], expected: &[&str]) {
    let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(read(lines, set), expected);
}

#[test]
fn lists_exactly_files_below_root() {
    assert_shown(
        &default_roots(),
        &[
            "README.md",
            ".agent/skills/a/SKILL.md",
            ".agent/skills/a/run.sh *",
            ".agent/skills/g/b/skill.MD",
            ".agent/skills/SKILL.md",
            ".agent/skills/a/docs/x.md",
            ".agent/skills-old/z/SKILL.md",
            ".agent/other",
        ],
        &[
            "root   .agent/skills",
            "other  .agent/skills-old/z/SKILL.md",
            "skill  .agent/skills/SKILL.md",
            "skill  .agent/skills/a/SKILL.md",
            "beside .agent/skills/a/docs/x.md",
            "beside .agent/skills/a/run.sh executable",
            "skill  .agent/skills/g/b/skill.MD",
        ],
    );
}

#[test]
fn lists_non_files_named_skill() {
    assert_shown(
        &roots(&["s"]),
        &[
            "s/dir/SKILL.md/x",
            "s/sub @",
            "s/deep/sub @",
            "s/in/SKILL.md @",
            "s/merge/SKILL.md <",
            "s/merge/x <",
            "s/gone -> nowhere",
            "s/etc -> /etc",
            "s/up -> ../..",
            "s/round -> round",
            "s/self -> .",
            "s/x/l -> gone",
        ],
        &[
            "root   s",
            "beside s/deep/sub Submodule",
            "skill  s/dir/SKILL.md Directory",
            "beside s/dir/SKILL.md/x",
            "skill  s/etc -> /etc: Absolute",
            "skill  s/gone -> nowhere: Dangling",
            "skill  s/in/SKILL.md Submodule",
            "skill  s/merge/SKILL.md Unmerged",
            "beside s/merge/x Unmerged",
            "skill  s/round -> round: Loop",
            "skill  s/self -> .: Above",
            "skill  s/sub Submodule",
            "skill  s/up -> ../..: Outside",
            "beside s/x/l link",
        ],
    );
}

#[test]
fn follows_links_once() {
    assert_shown(
        &roots(&["s"]),
        &[
            "lib/x/SKILL.md",
            "lib/x/more -> ../y",
            "lib/y/z",
            "lib/one.md",
            "s/a/SKILL.md",
            "s/alias -> a",
            "s/file.md -> ../lib/one.md",
            "s/l/SKILL.md -> ../../lib/one.md",
            "s/x -> ../lib/x",
            "s/d/SKILL.md -> ../a",
            "s/g/SKILL.md -> gone",
        ],
        &[
            "root   s",
            "skill  s/a/SKILL.md",
            "beside s/alias -> a: Directory(\"s/a\")",
            "skill  s/d/SKILL.md -> ../a: Directory(\"s/a\")",
            "beside s/file.md -> ../lib/one.md: File(\"lib/one.md\")",
            "skill  s/g/SKILL.md -> gone: Dangling",
            "skill  s/l/SKILL.md -> ../../lib/one.md: File(\"lib/one.md\") through lib/one.md",
            "beside s/x -> ../lib/x: Directory(\"lib/x\")",
            "skill  s/x/SKILL.md through lib/x/SKILL.md",
            "beside s/x/more link through lib/x/more",
        ],
    );
}

#[test]
fn requires_configured_roots_only() {
    assert_shown(&default_roots(), &["README.md"], &[]);
    assert_shown(&roots(&["s", "p/*/s"]), &["README.md"], &["root   p/*/s Absent", "root   s Absent"]);
}

#[test]
fn reports_obstacle_of_root() {
    for (lines, expected) in [
        (&[".agent @"][..], "root   .agent of .agent/skills Submodule\n"),
        (&[".agent/skills @"], "root   .agent/skills Submodule\n"),
        // Rules that a program reads are no obstacle; a file with a path is a link that Git wrote as text.
        (&[".agent"], ""),
        (&[".agent/skills <"], "root   .agent/skills Unmerged\n"),
        (&[".agent -> gone"], "root   .agent of .agent/skills -> gone: Dangling\n"),
        (&[".agent/skills -> /etc"], "root   .agent/skills -> /etc: Absolute\n"),
    ] {
        assert_eq!(read(lines, &default_roots()), expected, "{lines:?}");
    }
    assert_shown(&roots(&["p/*/s"]), &["p @"], &["root   p of p/*/s Submodule"]);
}

#[test]
fn reaches_root_through_links() {
    assert_shown(
        &default_roots(),
        &[".agent -> .claude", ".claude/skills/a/SKILL.md", ".symphony/skills -> ../.claude/skills"],
        &[
            "root   .agent of .symphony/skills -> .claude: Directory(\".claude\")",
            "root   .symphony/skills -> ../.claude/skills: Directory(\".claude/skills\")",
            "skill  .symphony/skills/a/SKILL.md through .claude/skills/a/SKILL.md",
        ],
    );
}

#[test]
fn follows_named_links_of_root_only() {
    for (lines, expected) in [
        (
            &[".agent -> one", "one -> two", "two -> lib", "lib/skills/a/SKILL.md"][..],
            &[
                "root   .agent of .agent/skills -> one: Directory(\"lib\")",
                "root   .agent/skills through lib/skills",
                "skill  .agent/skills/a/SKILL.md through lib/skills/a/SKILL.md",
            ][..],
        ),
        (
            // `..` after a link is the parent of the link's target.
            &[".agent/skills -> ../deep/in/../skills", "deep/in -> ../lib/x", "lib/x/y", "lib/skills/a/SKILL.md"],
            &[
                "root   .agent/skills -> ../deep/in/../skills: Directory(\"lib/skills\")",
                "skill  .agent/skills/a/SKILL.md through lib/skills/a/SKILL.md",
            ],
        ),
        (&[".agent -> .agent"], &["root   .agent of .agent/skills -> .agent: Loop"]),
        (&[".agent -> b", "b -> .agent"], &["root   .agent of .agent/skills -> b: Loop"]),
        (&[".agent/skills -> ../.."], &["root   .agent/skills -> ../..: Outside"]),
        (&[".agent/skills -> ../sub/x", "sub @"], &["root   .agent/skills -> ../sub/x: Outside"]),
        (&[".agent/skills -> C:/x"], &["root   .agent/skills -> C:/x: Absolute"]),
        (&[".agent/skills -> ../f", "f"], &["root   .agent/skills -> ../f: File(\"f\")"]),
        (
            // A chain of skills that link to skills: the last file is read.
            &[".agent/skills/a/SKILL.md -> ../../../b", "b -> c", "c -> d/SKILL.md", "d/SKILL.md"],
            &[
                "root   .agent/skills",
                "skill  .agent/skills/a/SKILL.md -> ../../../b: File(\"d/SKILL.md\") through d/SKILL.md",
            ],
        ),
        (
            // A link below a linked directory is not followed a second time.
            &[".agent/skills/a -> ../../lib", "lib/SKILL.md", "lib/more -> ../other", "other/SKILL.md"],
            &[
                "root   .agent/skills",
                "beside .agent/skills/a -> ../../lib: Directory(\"lib\")",
                "skill  .agent/skills/a/SKILL.md through lib/SKILL.md",
                "beside .agent/skills/a/more link through lib/more",
                "other  other/SKILL.md",
            ],
        ),
    ] {
        assert_shown(&default_roots(), lines, expected);
    }
}

#[test]
fn expands_patterns_to_roots() {
    let lines = [
        "p/a/s/x/SKILL.md",
        "p/b/s/y/SKILL.md",
        "p/c/t/SKILL.md",
        "p/a/deep/s/z/SKILL.md",
        "p/f",
        "p/l -> a",
        "p/node_modules/s/n/SKILL.md",
        "p/m @",
    ];
    for (globs, expected) in [
        (&["p/*/s"][..], &["p/a/s", "p/b/s", "p/node_modules/s"][..]),
        (&["p/{a,b}/s"], &["p/a/s", "p/b/s"]),
        (&["p/{a/deep,b}/s"], &["p/a/deep/s", "p/b/s"]),
        (&["p/**/s"], &["p/a/deep/s", "p/a/s", "p/b/s"]),
        (&["**/s"], &["p/a/deep/s", "p/a/s", "p/b/s"]),
        (&["p/b/s", "p/*/s"], &["p/b/s", "p/a/s", "p/node_modules/s"]),
        (&["p/?"], &["p/a", "p/b", "p/c", "p/m"]),
        (&["p/*/deep/*"], &["p/a/deep/s"]),
        (&["*/b/**"], &["p/b/s", "p/b/s/y"]),
        (&["q/**/s"], &["q/**/s"]),
    ] {
        let parsed = memory(&lines).read(&roots(globs), BOUNDS).expect("memory can be read");
        let paths: Vec<String> = parsed.roots.iter().map(|root| root.path.to_string()).collect();
        assert_eq!(paths, expected, "{globs:?}");
    }
}

#[test]
fn nested_root_owns_its_files() {
    assert_shown(
        &roots(&["s", "s/inner"]),
        &["s/a/SKILL.md", "s/inner/b/SKILL.md"],
        &["root   s", "skill  s/a/SKILL.md", "root   s/inner", "skill  s/inner/b/SKILL.md"],
    );
    let parsed = memory(&["s/a/SKILL.md", "s/inner/b/SKILL.md"]).read(&roots(&["s", "s/inner"]), BOUNDS);
    let parsed = parsed.expect("memory can be read");
    let owners: Vec<u32> = parsed.skills.iter().map(|skill| skill.root.0).collect();
    assert_eq!(owners, [0, 1]);
}

#[test]
fn sorts_skills_by_root_and_path() {
    let parsed = memory(&["z/a/SKILL.md", "a/b/SKILL.md", "a/a/SKILL.md"]).read(&roots(&["z", "a"]), BOUNDS);
    let parsed = parsed.expect("memory can be read");
    let paths: Vec<String> = parsed.skills.iter().map(|skill| parsed.file(skill.file).path.to_string()).collect();
    assert_eq!(paths, ["z/a/SKILL.md", "a/a/SKILL.md", "a/b/SKILL.md"]);
}

#[test]
fn rejects_more_than_limits() {
    let mut set = roots(&["s"]);
    set.files = 2;
    let many = memory(&["s/a/SKILL.md", "s/b/SKILL.md", "s/c"]).read(&set, BOUNDS).unwrap_err();
    assert_eq!(many, Error::TooMany { root: "s".into(), limit: 2 });
    set.files = 100;
    set.depth = 1;
    let deep = memory(&["s/a/b/SKILL.md"]).read(&set, BOUNDS).unwrap_err();
    assert_eq!(deep, Error::TooDeep { path: "s/a/b".into(), limit: 1 });
    set.file_bytes = 3;
    let large = memory(&["s/a/SKILL.md", "s/b/SKILL.md -> ../a/SKILL.md"]).read(&set, BOUNDS).expect("it can be read");
    let bodies: Vec<&Body> = large.files.iter().skip(1).map(|file| &file.body).collect();
    assert_eq!(bodies, [&Body::TooLarge { bytes: 20 }, &Body::TooLarge { bytes: 20 }]);
}

#[test]
fn rereads_file_by_object_id() {
    let source = memory(&["s/a/SKILL.md", "s/b/SKILL.md -> ../a/SKILL.md", "skilltree.toml"]);
    let parsed = source.read(&roots(&["s"]), BOUNDS).expect("memory can be read");
    let config = source.file(b"skilltree.toml".as_bstr()).expect("it can be read").expect("it is there");
    assert_eq!(config.body, Body::Text(b"text of skilltree.toml".to_vec()));
    let files = [parsed.files[1].clone(), parsed.files[2].clone(), config];
    assert_eq!(files[0].id, files[1].id);
    let text = b"text of s/a/SKILL.md";
    assert_eq!(source.bodies(&files).expect("they are there"), [&text[..], text, b"text of skilltree.toml"]);
    assert_eq!(source.file(b"nothing".as_bstr()), Ok(None));
}

#[test]
fn finds_path_through_links() {
    let source = memory(&["a/b/c", "l -> a/b", "sub @", "out -> /etc", "Docs/Guide.md"]);
    for (path, expected) in [
        ("a", Presence::Present),
        ("", Presence::Present),
        ("a/b/c", Presence::Present),
        ("l/c", Presence::Present),
        ("l/../b", Presence::Present),
        ("sub", Presence::Present),
        ("sub/x", Presence::Unknown),
        ("out/passwd", Presence::Unknown),
        ("../a", Presence::Unknown),
        ("x", Presence::Absent),
        ("a/b/c/d", Presence::Absent),
        ("docs/guide.md", Presence::Spelled("Docs/Guide.md".into())),
        ("L/C", Presence::Spelled("l/c".into())),
        ("docs/guide.txt", Presence::Absent),
    ] {
        assert_eq!(source.presence(&[path.into()]), [expected], "{path}");
    }
}
