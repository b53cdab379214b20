//! Readers that split a block: third-party parsers, or a splitter that knows only the format of the block.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};
use skilltree_dispatch::prompt::Artifact;

use super::{Original, collapsed, path, path_of, unescaped};
use crate::seeds::library::{block, index};

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
        let inner = content.strip_prefix("<skill>\n<name>").unwrap().strip_suffix("</skill>\n").unwrap();
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
        let text = original.text();
        assert_eq!(body, if text.ends_with('\n') { text } else { text + "\n" }, "{what}");
    }
}

/// A reader who knows the two lines of the wrapper, and CommonMark.
pub(super) fn swarm(what: &str, artifact: &Artifact, shown: &[&Original]) {
    let (head, tail) =
        ("--- Agent Skills ---\n", "--- End Agent Skills ---\nApply these skills to your review/implementation.\n");
    let block = block(artifact);
    let parts = parts(what, artifact, shown);
    let text = parts.iter().map(|part| format!("### {}\n{}\n", part.name, part.ended)).collect::<String>();
    assert_eq!(block, format!("{head}{text}{tail}"), "{what}");
    let structure = Structure::new(block);
    let is_wrapper = |line: &str| line.starts_with("---") && line.to_lowercase().ends_with("agent skills ---");
    let wrappers: Vec<usize> = structure.lines(block).filter(|(_, line)| is_wrapper(line)).map(|(at, _)| at).collect();
    assert_eq!(wrappers, [0, block.len() - tail.len()], "{what}: {block}");
    assert_eq!(structure.last, block.len() - tail.len(), "{what}: the last paragraph is the end of the block: {block}");
    structure.assert_names(what, block, &parts);
}

/// A reader who knows the heading of the section, and CommonMark.
pub(super) fn amacs(what: &str, artifact: &Artifact, shown: &[&Original]) {
    let block = block(artifact);
    // AMACS knows a skill by its directory.
    let known = |(part, original): (Part, &&Original)| {
        let name = block[part.start..].lines().next().unwrap().strip_prefix("### ").unwrap().to_owned();
        assert_eq!(unescaped(&name), collapsed(original.directory.rsplit('/').next().unwrap()), "{what}");
        Part { name, ..part }
    };
    let parts: Vec<Part> = parts(what, artifact, shown).into_iter().zip(shown).map(known).collect();
    let text: Vec<String> = parts.iter().map(|part| format!("### {}\n\n{}", part.name, part.ended)).collect();
    assert_eq!(block, format!("## Thread Skills\n\n{}", text.join("\n---\n\n")), "{what}");
    let structure = Structure::new(block);
    let sections = structure
        .headings
        .iter()
        .filter(|heading| heading.level == HeadingLevel::H2 && heading.text.to_lowercase() == "thread skills");
    assert_eq!(sections.map(|heading| heading.start).collect::<Vec<_>>(), [0], "{what}: {block}");
    structure.assert_names(what, block, &parts);
    for part in &parts[1..] {
        assert!(structure.rules.contains(&(part.start - 5)), "{what}: the separator is a rule: {block}");
    }
}

/// The bodies with a blank line between them. None includes the next one.
pub(super) fn majordomo(what: &str, artifact: &Artifact, shown: &[&Original]) {
    let block = block(artifact);
    let parts = parts(what, artifact, shown);
    let bodies: Vec<&str> = parts.iter().map(|part| part.ended.as_str()).collect();
    assert_eq!(block, bodies.join("\n"), "{what}");
    let structure = Structure::new(block);
    for part in parts.iter().filter(|part| part.ended.starts_with("Do ")) {
        assert!(structure.tops.contains(&part.start), "{what}: {} is inside another body: {block}", part.name);
    }
}

/// A skill of a block with bodies.
struct Part {
    /// Start of its fragment.
    start: usize,
    name: String,
    /// Body with its final line feed.
    ended: String,
}

/// Cuts the skills out of the block by the ranges of the index, and checks that the bodies are unchanged.
fn parts(what: &str, artifact: &Artifact, shown: &[&Original]) -> Vec<Part> {
    let index = index(artifact);
    let skills = index["skills"].as_array().unwrap();
    assert_eq!(skills.len(), shown.len(), "{what}");
    let range = |value: &Value| {
        let edge = |key: &str| value[key].as_u64().unwrap() as usize;
        edge("start")..edge("end")
    };
    let part = |(skill, original): (&Value, &&Original)| {
        let body = &block(artifact)[range(&skill["body_range"])];
        assert_eq!(body, original.text(), "{what}: the body is unchanged");
        let ended = if body.ends_with('\n') { body.to_owned() } else { format!("{body}\n") };
        let name = skill["name"].as_str().unwrap().to_owned();
        assert_eq!(unescaped(&name), collapsed(&original.name), "{what}");
        Part { start: range(&skill["fragment"]).start, name, ended }
    };
    skills.iter().zip(shown).map(part).collect()
}

/// CommonMark structure of a block.
#[derive(Default)]
struct Structure {
    headings: Vec<Heading>,
    /// Starts of the blocks that are in no other block.
    tops: Vec<usize>,
    rules: Vec<usize>,
    code: Vec<std::ops::Range<usize>>,
    last: usize,
}

struct Heading {
    start: usize,
    level: HeadingLevel,
    text: String,
    is_top: bool,
}

impl Structure {
    fn new(block: &str) -> Self {
        let (mut structure, mut depth, mut is_heading) = (Self::default(), 0, false);
        for (event, range) in Parser::new_ext(block, Options::empty()).into_offset_iter() {
            if depth == 0 && !matches!(event, Event::End(_)) {
                structure.tops.push(range.start);
                structure.last = range.start;
            }
            match event {
                Event::Start(tag) => {
                    if let Tag::Heading { level, .. } = tag {
                        let text = String::new();
                        structure.headings.push(Heading { start: range.start, level, text, is_top: depth == 0 });
                        is_heading = true;
                    } else if let Tag::CodeBlock(_) = tag {
                        structure.code.push(range);
                    }
                    depth += 1;
                }
                Event::End(end) => {
                    depth -= 1;
                    is_heading &= !matches!(end, TagEnd::Heading(_));
                }
                Event::Text(text) | Event::Code(text) if is_heading => {
                    structure.headings.last_mut().unwrap().text.push_str(&text);
                }
                Event::Rule => structure.rules.push(range.start),
                _ => {}
            }
        }
        structure
    }

    /// The lines outside code, with their offsets.
    fn lines<'b>(&self, block: &'b str) -> impl Iterator<Item = (usize, &'b str)> {
        let mut at = 0;
        let lines = block.split_inclusive('\n').map(move |line| {
            at += line.len();
            (at - line.len(), line)
        });
        // The parser omits the spaces before indented code.
        let is_code =
            |at: usize, line: &str| self.code.iter().any(|code| code.start < at + line.len() && at < code.end);
        lines.filter(move |&(at, line)| !is_code(at, line)).map(|(at, line)| (at, line.trim()))
    }

    /// Checks that each skill begins with a heading, and that no other heading or line looks like it.
    fn assert_names(&self, what: &str, block: &str, parts: &[Part]) {
        for part in parts {
            let is_start = |heading: &&Heading| heading.is_top && heading.start == part.start;
            let heading = self.headings.iter().find(is_start);
            let heading = heading.unwrap_or_else(|| panic!("{what}: {} has no heading: {block}", part.name));
            assert_eq!(heading.level, HeadingLevel::H3, "{what}");
        }
        for name in ["alpha", "omega"] {
            let alike = |text: &str| {
                let text: String = text.chars().filter(|c| !matches!(c, '\u{200d}' | '\u{ad}')).collect();
                text.trim_matches(|c: char| !c.is_alphanumeric()) == name
            };
            let start = parts.iter().find(|part| part.name == name).map(|part| part.start);
            let headings =
                self.headings.iter().filter(|heading| heading.level == HeadingLevel::H3 && alike(&heading.text));
            let lines = self.lines(block).filter(|(_, line)| line.strip_prefix("### ").is_some_and(alike));
            assert_eq!(
                headings.map(|heading| heading.start).collect::<Vec<_>>(),
                Vec::from_iter(start),
                "{what}: {block}"
            );
            assert_eq!(lines.map(|(at, _)| at).collect::<Vec<_>>(), Vec::from_iter(start), "{what}: {block}");
        }
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
