//! Readers that split a block: third-party parsers, or a splitter that knows only the format of the block.

use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};
use skilltree_core::prompt::Artifact;

use super::{Original, collapsed, path, path_of, unescaped};
use crate::library::{block, fragments, index};

/// CommonMark: a heading, a paragraph and a list with an item a skill, and nothing else.
pub(super) fn symphony(what: &str, block: &str, shown: &[&Original]) {
    let (mut depth, mut top, mut items) = (0, Vec::new(), Vec::new());
    for (event, range) in Parser::new_ext(block, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    top.push(tag.clone());
                }
                if depth == 1 && tag == Tag::Item {
                    items.push(block[range].trim_end().to_owned());
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            other => assert!(depth > 0, "{what}: {other:?} is outside of any element"),
        }
    }
    let kinds = |tag: &Tag<'_>| match tag {
        Tag::Heading { .. } => "heading",
        Tag::Paragraph => "paragraph",
        Tag::List(None) => "list",
        _ => "something else",
    };
    assert_eq!(top.iter().map(kinds).collect::<Vec<_>>(), ["heading", "paragraph", "list"], "{what}: {block}");
    assert!(block.starts_with("## Available skills\n\n"));
    assert_eq!(items.len(), shown.len(), "{what}: {block}");
    for (item, original) in items.iter().zip(shown) {
        let line = item.strip_prefix("- ").unwrap();
        let text = format!("{} — {}", collapsed(&original.name), original.trigger());
        let line = if original.name == original.directory {
            line
        } else {
            let (line, path) = line.strip_suffix("`)").unwrap().rsplit_once(" (`").unwrap();
            assert_eq!(path_of(path), super::path(original), "{what}");
            line
        };
        assert_eq!(unescaped(line), text, "{what}");
    }
}

/// An XML parser: three elements a skill, and text in them.
pub(super) fn agentskills(what: &str, block: &str, shown: &[&Original]) {
    let document = roxmltree::Document::parse(block).unwrap_or_else(|error| panic!("{what}: {error}: {block}"));
    let elements = |node: roxmltree::Node<'_, '_>| -> Vec<(String, String)> {
        let children = node.children().filter(|child| !child.is_text() || !child.text().unwrap().trim().is_empty());
        let text = |child: roxmltree::Node<'_, '_>| child.text().unwrap_or_default().trim_matches('\n').to_owned();
        children.map(|child| (child.tag_name().name().to_owned(), text(child))).collect()
    };
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "available_skills");
    let skills: Vec<_> = root.children().filter(roxmltree::Node::is_element).collect();
    assert_eq!(elements(root).len(), shown.len(), "{what}: {block}");
    assert_eq!(skills.len(), shown.len(), "{what}: {block}");
    for (skill, original) in skills.into_iter().zip(shown) {
        assert_eq!(skill.tag_name().name(), "skill", "{what}");
        let found = elements(skill);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["name", "description", "location"], "{what}: {block}");
        assert_eq!(unescaped(&found[0].1), collapsed(&original.name), "{what}");
        assert_eq!(unescaped(&found[1].1), collapsed(&original.description), "{what}");
        assert_eq!(path_of(&found[2].1), path(original), "{what}");
    }
}

/// A JSON parser a line, and the element inside, which ends once.
pub(super) fn messages(what: &str, block: &str, shown: &[&Original]) {
    let lines: Vec<&str> = block.strip_suffix('\n').unwrap().split('\n').collect();
    assert_eq!(lines.len(), shown.len(), "{what}: {block}");
    for (line, original) in lines.into_iter().zip(shown) {
        let message: Value = serde_json::from_str(line).unwrap();
        assert_eq!(message["role"], "user");
        assert_eq!(message["meta_dict"], json!({"skill": true}));
        let keys: Vec<&String> = message.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 3, "{what}: {keys:?}");
        let content = message["content"].as_str().unwrap();
        let inner = content.strip_prefix("<skill>\n<name>").unwrap().strip_suffix("\n</skill>\n").unwrap();
        let (name, inner) = inner.split_once("</name>\n<path>").unwrap();
        let (path, body) = inner.split_once("</path>\n").unwrap();
        let plain = |text: &str| {
            let text = format!("<x>{text}</x>");
            let document = roxmltree::Document::parse(&text).unwrap();
            document.root_element().text().unwrap_or_default().to_owned()
        };
        assert_eq!(unescaped(&plain(name)), collapsed(&original.name), "{what}");
        assert_eq!(path_of(&plain(path)), super::path(original), "{what}");
        let dense: String =
            body.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\u{ad}' | '\u{200d}')).collect();
        assert!(!dense.to_lowercase().contains("</skill>"), "{what}: {body}");
        assert_eq!(unescaped(body).split('\n').collect::<Vec<_>>(), original.lines(), "{what}");
    }
}

/// A reader who looks for lines that begin with `### `, between two lines that he knows.
pub(super) fn swarm(what: &str, block: &str, shown: &[&Original]) {
    let tail = "--- End Agent Skills ---\nApply these skills to your review/implementation.\n";
    let inner = block.strip_prefix("--- Agent Skills ---\n").unwrap().strip_suffix(tail).unwrap();
    let is_wrapper = |line: &&str| line.starts_with("---") && line.to_lowercase().ends_with("agent skills ---");
    let wrappers = block.lines().filter(is_wrapper);
    assert_eq!(wrappers.count(), 2, "{what}: {block}");
    let mut skills: Vec<(String, Vec<String>)> = Vec::new();
    for line in inner.strip_suffix("\n\n").unwrap().split('\n') {
        match line.strip_prefix("### ") {
            Some(name) => skills.push((name.to_owned(), Vec::new())),
            None => skills.last_mut().unwrap().1.push(line.to_owned()),
        }
    }
    let last = skills.len() - 1;
    for (_, lines) in &mut skills[..last] {
        // The blank line between two skills.
        assert_eq!(lines.pop().unwrap(), "", "{what}: {block}");
    }
    headed(what, block, shown.len(), tail);
    bodies(what, &skills, shown);
}

/// A reader who splits at the separator, and then at the first heading.
pub(super) fn amacs(what: &str, block: &str, shown: &[&Original]) {
    let inner = block.strip_prefix("## Thread Skills\n\n").unwrap().strip_suffix('\n').unwrap();
    let skill = |part: &str| {
        let (name, body) = part.strip_prefix("### ").unwrap().split_once("\n\n").unwrap();
        (name.to_owned(), body.split('\n').map(str::to_owned).collect())
    };
    let skills: Vec<(String, Vec<String>)> = inner.split("\n\n---\n\n").map(skill).collect();
    let separators = block.split('\n').filter(|line| *line == "---").count();
    assert_eq!(separators, shown.len() - 1, "{what}: {block}");
    headed(what, block, shown.len(), "");
    // AMACS knows a skill by its directory.
    let known = |original: &&Original| Original {
        name: original.directory.rsplit('/').next().unwrap().to_owned(),
        ..(*original).clone()
    };
    let known: Vec<Original> = shown.iter().map(known).collect();
    bodies(what, &skills, &known.iter().collect::<Vec<_>>());
}

/// CommonMark: the headings of the skills are headings, and none is a part of the body before it.
fn headed(what: &str, block: &str, skills: usize, tail: &str) {
    let (mut depth, mut found, mut last) = (0, Vec::new(), "");
    for (event, range) in Parser::new_ext(block, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    last = &block[range.clone()];
                    if matches!(tag, Tag::Heading { .. }) && block[range.clone()].starts_with("### ") {
                        let starts_line = range.start == 0 || block.as_bytes()[range.start - 1] == b'\n';
                        found.extend(starts_line.then_some(range.start));
                    }
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    assert_eq!(found.len(), skills, "{what}: {block}");
    assert!(last.ends_with(tail), "{what}: {last}");
}

/// The texts: a line that would be one of the block's own has one space more.
fn bodies(what: &str, skills: &[(String, Vec<String>)], shown: &[&Original]) {
    assert_eq!(skills.len(), shown.len(), "{what}");
    for ((name, lines), original) in skills.iter().zip(shown) {
        assert_eq!(unescaped(name), collapsed(&original.name), "{what}");
        let expected = original.lines();
        assert_eq!(lines.len(), expected.len(), "{what}: {lines:?}");
        for (line, expected) in lines.iter().zip(&expected) {
            let line = unescaped(line);
            let bare = expected.trim_start_matches(['\u{200d}', '\u{ad}']).trim_end();
            let is_moved = bare.starts_with('#') || bare == "---";
            assert!(line == *expected || (is_moved && line == format!(" {expected}")), "{what}: {line:?}");
        }
    }
}

/// A body has no delimiters; the index has its range. Checks that the ranges cut out the bodies and that one blank line is
/// between them.
pub(super) fn majordomo(what: &str, artifact: &Artifact, shown: &[&Original]) {
    let parts: Vec<String> = fragments(artifact).into_iter().map(|(_, part)| part).collect();
    assert_eq!(format!("{}\n", parts.join("\n\n")), block(artifact), "{what}");
    for (part, original) in parts.iter().zip(shown) {
        assert_eq!(unescaped(part).split('\n').collect::<Vec<_>>(), original.lines(), "{what}");
    }
}

/// The index of every rendering.
pub(super) fn indexed(what: &str, artifact: &Artifact, shown: &[&Original]) {
    let index = index(artifact);
    let skills = index["skills"].as_array().unwrap();
    assert_eq!(skills.len(), shown.len(), "{what}");
    let mut end = 0;
    for (skill, original) in skills.iter().zip(shown) {
        let text = |key: &str| skill[key].as_str().unwrap_or_default();
        assert_eq!(unescaped(text("name")), collapsed(&original.name), "{what}");
        assert_eq!(unescaped(text("description")), collapsed(&original.description), "{what}");
        assert_eq!(path_of(text("body_path")), path(original), "{what}");
        let tags: Vec<String> =
            skill["tags"].as_array().unwrap().iter().map(|tag| unescaped(tag.as_str().unwrap())).collect();
        let expected: Vec<String> = original.tags.split(',').map(collapsed).collect();
        assert_eq!(tags, expected, "{what}");
        let (start, stop) = (&skill["fragment"]["start"], &skill["fragment"]["end"]);
        assert!(start.as_u64().unwrap() >= end && stop.as_u64() > start.as_u64(), "{what}: fragments overlap");
        end = stop.as_u64().unwrap();
    }
}
