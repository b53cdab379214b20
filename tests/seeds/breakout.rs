//! Whatever a skill holds, it stays in its place: `attacks.toml` against every rendering. Each block is taken apart by
//! somebody else's parser, or by a splitter that knows only what a reader of the block knows, and must give back exactly
//! the skills that were not dropped, with exactly their texts.
//!
//! No rule has a say here: every skill is accepted, as if somebody had left every finding out.

use bstr::ByteSlice;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde::Deserialize;
use serde_json::{Value, json};
use skilltree::prompt::Artifact;
use skilltree::select::Reason;

use crate::library::{RENDERINGS, ROOT, Sample, artifact, block, catalog, fragments, index, quoted};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    attack: Vec<Attack>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    place: String,
    text: String,
    #[serde(default)]
    dropped: Vec<String>,
}

/// A skill as its author meant it.
#[derive(Clone)]
struct Meant {
    directory: String,
    name: String,
    description: String,
    when_to_use: Option<String>,
    tags: String,
    body: String,
}

impl Meant {
    fn plain(name: &str) -> Self {
        Self {
            directory: name.to_owned(),
            name: name.to_owned(),
            description: format!("Does {name}."),
            when_to_use: None,
            tags: "a".to_owned(),
            body: format!("Do {name}.\n\nAnd *again*."),
        }
    }

    fn attacked(attack: &Attack) -> Self {
        let mut meant = Self::plain("middle");
        let text = attack.text.clone();
        match attack.place.as_str() {
            "name" => meant.name = text,
            "description" => meant.description = text,
            "when_to_use" => meant.when_to_use = Some(text),
            "tags" => meant.tags = text,
            "directory" => meant.directory = text,
            "body" => meant.body = text,
            other => panic!("there is no place `{other}`"),
        }
        meant
    }

    fn sample(&self) -> Sample {
        let when = self.when_to_use.as_ref().map(|text| format!("when_to_use: {}\n", quoted(text)));
        let (name, description, tags) = (quoted(&self.name), quoted(&self.description), quoted(&self.tags));
        let text = format!(
            "---\nname: {name}\ndescription: {description}\n{}tags: {tags}\n---\n{}",
            when.unwrap_or_default(),
            self.body
        );
        (self.directory.clone(), text)
    }

    /// The trigger, where there is one that says something.
    fn trigger(&self) -> String {
        let trigger = self.when_to_use.as_deref().map(collapsed).filter(|text| !text.is_empty());
        trigger.unwrap_or_else(|| collapsed(&self.description))
    }

    /// The lines of the body: whatever ends them, without blank ones around them.
    fn lines(&self) -> Vec<String> {
        let text = self.body.replace("\r\n", "\n").replace('\r', "\n");
        let mut lines: Vec<&str> = text.trim_end().split('\n').collect();
        while lines.first().is_some_and(|line| line.trim().is_empty()) {
            lines.remove(0);
        }
        lines.into_iter().map(str::to_owned).collect()
    }
}

#[test]
fn whatever_a_skill_holds_it_stays_in_its_place() {
    let table: Table = toml::from_str(include_str!("attacks.toml")).unwrap();
    assert!(table.attack.len() > 50);
    for attack in &table.attack {
        let meant = [Meant::plain("alpha"), Meant::attacked(attack), Meant::plain("omega")];
        let samples: Vec<Sample> = meant.iter().map(Meant::sample).collect();
        for (word, rendering) in RENDERINGS {
            let what = format!("{word}: {} {:?}", attack.place, attack.text);
            let artifact = artifact(&samples, rendering, |recipe| recipe);
            let is_dropped = attack.dropped.iter().any(|dropped| dropped == word);
            let reasons: Vec<Reason> = artifact.selected.dropped.iter().map(|dropped| dropped.reason).collect();
            let expected: &[Reason] = if is_dropped { &[Reason::Wrapper] } else { &[] };
            assert_eq!(reasons, expected, "{what}: {}", block(&artifact));
            let shown = shown(&samples, &meant, &artifact);
            let hides = |c: char| {
                (c.is_control() && !matches!(c, '\n' | '\t'))
                    || matches!(c, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
            };
            assert_eq!(block(&artifact).find(hides), None, "{what}");
            match word {
                "symphony" => symphony(&what, block(&artifact), &shown),
                "agentskills" => agentskills(&what, block(&artifact), &shown),
                "messages" => messages(&what, block(&artifact), &shown),
                "swarm" => swarm(&what, block(&artifact), &shown),
                "amacs" => amacs(&what, block(&artifact), &shown),
                _ => majordomo(&what, &artifact, &shown),
            }
            indexed(&what, &artifact, &shown);
        }
    }
}

/// The skills that came into the block, in its order, as their authors meant them. Of two of one name the first by path
/// is there.
fn shown<'a>(samples: &[Sample], meant: &'a [Meant], artifact: &Artifact) -> Vec<&'a Meant> {
    let catalog = catalog(samples);
    let meant_by = |id: skilltree::skill::SkillId| {
        let path = catalog.path(id).to_str().unwrap();
        meant.iter().find(|meant| path == format!("{ROOT}/{}/SKILL.md", meant.directory)).unwrap()
    };
    let shown: Vec<&Meant> = artifact.selected.skills.iter().map(|&id| meant_by(id)).collect();
    let lost = artifact.selected.dropped.len() + artifact.selected.shadowed.len();
    assert_eq!(shown.len() + lost, meant.len(), "every skill is accounted for");
    shown
}

/// What a value is on one line.
fn collapsed(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in which every escape is the character again.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut whole = parts.next().unwrap().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('}').unwrap();
        whole.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
        whole.push_str(rest);
    }
    whole
}

/// A path as it is shown, again as it is.
fn path_of(shown: &str) -> String {
    unescaped(shown).replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
}

fn path(meant: &Meant) -> String {
    format!("{ROOT}/{}/SKILL.md", meant.directory)
}

/// CommonMark: a heading, a paragraph and a list with an item a skill, and nothing else.
fn symphony(what: &str, block: &str, shown: &[&Meant]) {
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
            other => assert!(depth > 0, "{what}: {other:?} stands by itself"),
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
    for (item, meant) in items.iter().zip(shown) {
        let line = item.strip_prefix("- ").unwrap();
        let text = format!("{} — {}", collapsed(&meant.name), meant.trigger());
        let line = if meant.name == meant.directory {
            line
        } else {
            let (line, path) = line.strip_suffix("`)").unwrap().rsplit_once(" (`").unwrap();
            assert_eq!(path_of(path), self::path(meant), "{what}");
            line
        };
        assert_eq!(unescaped(line), text, "{what}");
    }
}

/// An XML parser: three elements a skill, and text in them.
fn agentskills(what: &str, block: &str, shown: &[&Meant]) {
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
    for (skill, meant) in skills.into_iter().zip(shown) {
        assert_eq!(skill.tag_name().name(), "skill", "{what}");
        let found = elements(skill);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["name", "description", "location"], "{what}: {block}");
        assert_eq!(unescaped(&found[0].1), collapsed(&meant.name), "{what}");
        assert_eq!(unescaped(&found[1].1), collapsed(&meant.description), "{what}");
        assert_eq!(path_of(&found[2].1), path(meant), "{what}");
    }
}

/// A JSON parser a line, and the element inside, which ends once.
fn messages(what: &str, block: &str, shown: &[&Meant]) {
    let lines: Vec<&str> = block.strip_suffix('\n').unwrap().split('\n').collect();
    assert_eq!(lines.len(), shown.len(), "{what}: {block}");
    for (line, meant) in lines.into_iter().zip(shown) {
        let message: Value = serde_json::from_str(line).unwrap();
        assert_eq!(message["role"], "user");
        assert_eq!(message["meta"], json!({"skill": true}));
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
        assert_eq!(unescaped(&plain(name)), collapsed(&meant.name), "{what}");
        assert_eq!(path_of(&plain(path)), self::path(meant), "{what}");
        let dense: String =
            body.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\u{ad}' | '\u{200d}')).collect();
        assert!(!dense.to_lowercase().contains("</skill>"), "{what}: {body}");
        assert_eq!(unescaped(body).split('\n').collect::<Vec<_>>(), meant.lines(), "{what}");
    }
}

/// A reader who looks for lines that begin with `### `, between two lines that he knows.
fn swarm(what: &str, block: &str, shown: &[&Meant]) {
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
fn amacs(what: &str, block: &str, shown: &[&Meant]) {
    let inner = block.strip_prefix("## Thread Skills\n\n").unwrap().strip_suffix('\n').unwrap();
    let skill = |part: &str| {
        let (name, body) = part.strip_prefix("### ").unwrap().split_once("\n\n").unwrap();
        (name.to_owned(), body.split('\n').map(str::to_owned).collect())
    };
    let skills: Vec<(String, Vec<String>)> = inner.split("\n\n---\n\n").map(skill).collect();
    let separators = block.split('\n').filter(|line| *line == "---").count();
    assert_eq!(separators, shown.len() - 1, "{what}: {block}");
    headed(what, block, shown.len(), "");
    bodies(what, &skills, shown);
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
fn bodies(what: &str, skills: &[(String, Vec<String>)], shown: &[&Meant]) {
    assert_eq!(skills.len(), shown.len(), "{what}");
    for ((name, lines), meant) in skills.iter().zip(shown) {
        assert_eq!(unescaped(name), collapsed(&meant.name), "{what}");
        let expected = meant.lines();
        assert_eq!(lines.len(), expected.len(), "{what}: {lines:?}");
        for (line, expected) in lines.iter().zip(&expected) {
            let line = unescaped(line);
            let bare = expected.trim_start_matches(['\u{200d}', '\u{ad}']).trim_end();
            let is_moved = bare.starts_with('#') || bare == "---";
            assert!(line == *expected || (is_moved && line == format!(" {expected}")), "{what}: {line:?}");
        }
    }
}

/// Nothing surrounds a body, so a reader cannot know where it ends: the index says. What is proved is that the ranges of
/// the index cut out the bodies, and that nothing but one blank line is between them.
fn majordomo(what: &str, artifact: &Artifact, shown: &[&Meant]) {
    let parts: Vec<String> = fragments(artifact).into_iter().map(|(_, part)| part).collect();
    assert_eq!(format!("{}\n", parts.join("\n\n")), block(artifact), "{what}");
    for (part, meant) in parts.iter().zip(shown) {
        assert_eq!(unescaped(part).split('\n').collect::<Vec<_>>(), meant.lines(), "{what}");
    }
}

/// The index of every rendering.
fn indexed(what: &str, artifact: &Artifact, shown: &[&Meant]) {
    let index = index(artifact);
    let skills = index["skills"].as_array().unwrap();
    assert_eq!(skills.len(), shown.len(), "{what}");
    let mut end = 0;
    for (skill, meant) in skills.iter().zip(shown) {
        let text = |key: &str| skill[key].as_str().unwrap_or_default();
        assert_eq!(unescaped(text("name")), collapsed(&meant.name), "{what}");
        assert_eq!(unescaped(text("description")), collapsed(&meant.description), "{what}");
        assert_eq!(path_of(text("body_path")), path(meant), "{what}");
        let tags: Vec<String> =
            skill["tags"].as_array().unwrap().iter().map(|tag| unescaped(tag.as_str().unwrap())).collect();
        let expected: Vec<String> = meant.tags.split(',').map(collapsed).collect();
        assert_eq!(tags, expected, "{what}");
        let (start, stop) = (&skill["fragment"]["start"], &skill["fragment"]["end"]);
        assert!(start.as_u64().unwrap() >= end && stop.as_u64() > start.as_u64(), "{what}: fragments overlap");
        end = stop.as_u64().unwrap();
    }
}
