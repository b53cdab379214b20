//! A skill from a file.

use super::*;
use crate::roots::RootPattern;

const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16 };

fn root(path: &str) -> Root {
    let pattern = RootPattern { glob: path.into(), profile: "agentskills".into(), depth: None, configured: true };
    pattern.root(0, path.into())
}

fn skill(path: &str, body: Body) -> Skill {
    parse(FileId(3), &File::new(path, Role::Skill, Some(RootId(0)), body), &root(".agent/skills"), BOUNDS)
}

fn facts(text: &str) -> BodyFacts {
    skill(".agent/skills/pdf/SKILL.md", Body::Text(text.into())).body.expect("it is text")
}

#[test]
fn a_skill_knows_its_fields_and_its_header() {
    let text = "---\r\nname: pdf\r\ndescription: ' Reads. '\r\nversion: 2.0\r\n---\r\nBody\r\n";
    let skill = skill(".agent/skills/pdf/SKILL.md", Body::Text(text.into()));
    assert_eq!((skill.name(), skill.directory.as_bstr(), skill.depth), (Some("pdf"), "pdf".into(), 1));
    assert_eq!(skill.faults, []);
    assert_eq!(skill.header, "---\r\nname: pdf\r\ndescription: ' Reads. '\r\nversion: 2.0\r\n---\r\n");
    let description = skill.text("description").expect("it is text");
    assert_eq!((description.value, skill.source(description.place)), ("Reads.", "' Reads. '".into()));
    assert_eq!((skill.text("version"), skill.scalar("version")), (None, Some("2.0")));
    assert_eq!(skill.source(skill.opener()), "---");
}

#[test]
fn where_a_skill_lies_is_counted_from_its_root() {
    let cases = [
        (".agent/skills/SKILL.md", Body::NotRead, "skills", 0),
        (".agent/skills/pdf/skill.MD", Body::NotRead, "pdf", 1),
        (".agent/skills/a/b/SKILL.md", Body::Directory, "b", 2),
        (".agent/skills/pdf", Body::Submodule, "pdf", 1),
        (".agent/skills/a/pdf", Body::Submodule, "pdf", 2),
        ("elsewhere/x/SKILL.md", Body::NotRead, "x", 2),
    ];
    for (path, body, directory, depth) in cases {
        let skill = skill(path, body);
        assert_eq!((skill.directory.as_bstr(), skill.depth), (directory.into(), depth), "{path}");
        assert!(skill.front_matter.is_none() && skill.body.is_none() && skill.faults.is_empty());
    }
    let file = File::new("pdf/SKILL.md", Role::Skill, Some(RootId(0)), Body::NotRead);
    assert_eq!(parse(FileId(0), &file, &root(""), BOUNDS).depth, 1);
}

#[test]
fn a_body_is_measured_without_its_outer_blank_lines() {
    let header = "---\nname: pdf\n---\n";
    let cases = [
        ("", 0, 0, true),
        (" \n\u{a0}\n", 0, 0, true),
        ("\n\nOne — é\nTwo\n\n\n", 2, 11, false),
        ("a\r\nb\r\n", 2, 4, false),
        ("a\rb\n", 2, 3, false),
        ("a", 1, 1, false),
    ];
    for (body, lines, chars, blank) in cases {
        let facts = facts(&format!("{header}{body}"));
        assert_eq!((facts.lines, facts.chars, facts.blank), (lines, chars, blank), "{body:?}");
        assert_eq!((facts.start as usize, facts.file_bytes as usize), (header.len(), header.len() + body.len()));
    }
    let long = facts(&format!("{header}{}", "é\n".repeat(70_000)));
    assert_eq!((long.lines, long.chars), (70_000, 139_999));
}

#[test]
fn marks_are_of_the_whole_file() {
    let text = format!("\u{feff}---\nname: p\u{200b}df\n---\n{}\u{202e}\n", "\u{200b}".repeat(40));
    let facts = facts(&text);
    assert_eq!((facts.hidden.count, facts.hidden.first.len()), (41, Marks::SHOWN));
    assert_eq!(facts.bidi.count, 1);
    let first = &facts.hidden.first[0];
    assert_eq!((first.value, &text[first.place.range()]), ('\u{200b}', "\u{200b}"));
}

#[test]
fn what_is_no_text_has_no_body() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n";
    let skill = skill(".agent/skills/pdf/SKILL.md", Body::Text(pointer.into()));
    assert!(skill.body.is_none() && skill.faults.len() == 1);
}
