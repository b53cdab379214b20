//! Prompt blocks: the names that a reader finds in a block are the names of the skills that were put in.

use bstr::ByteSlice;
use skilltree_dispatch::prompt::{Artifact, Contents, Material, Name, Recipe, build, wanted};
use skilltree_dispatch::select::Selection;
use skilltree_lint::rule::Level;
use skilltree_lint::rules;
use skilltree_runtimes::profile::Rendering;
use skilltree_skills::characters::is_plain;

use super::files::{Linted, entry, parts};

const RENDERINGS: [Rendering; 6] = [
    Rendering::Symphony,
    Rendering::Agentskills,
    Rendering::Messages,
    Rendering::Swarm,
    Rendering::Amacs,
    Rendering::Majordomo,
];

/// Builds the blocks of up to three skills. A part is a name, a line feed, a description, a line feed and a body. If the first byte
/// is odd, no rule keeps a skill out of the block unless it is unusable.
pub fn prompt(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let texts: Vec<Vec<u8>> = parts(rest, 3).into_iter().map(text).collect();
    let numbered = (0..).zip(&texts);
    let mut files: Vec<_> =
        numbered.map(|(n, text)| entry(format!(".agent/skills/skill-{n}/SKILL.md"), text)).collect();
    let is_lax = first % 2 == 1;
    if is_lax {
        files.push(entry("skilltree.toml", lax_settings().as_bytes()));
    }
    let linted = Linted::new(&files).expect("the configuration is valid");
    for rendering in RENDERINGS {
        check(&linted, rendering, is_lax);
    }
}

/// Settings that make every error a warning.
fn lax_settings() -> String {
    let errors = rules::ALL.iter().filter(|rule| rule.level == Level::Error);
    let lines: String = errors.map(|rule| format!("{} = \"warning\"\n", rule.id())).collect();
    format!("[rules]\n{lines}")
}

/// Quotes the values as JSON, which is YAML, so that any text is a name or a description.
fn text(part: &[u8]) -> Vec<u8> {
    let mut lines = part.splitn(3, |&byte| byte == b'\n');
    let mut next = || lines.next().unwrap_or_default();
    let quoted = |text: &[u8]| serde_json::Value::from(text.to_str_lossy()).to_string();
    let (name, description, body) = (quoted(next()), quoted(next()), next());
    [format!("---\nname: {name}\ndescription: {description}\n---\n").as_bytes(), body].concat()
}

fn check(linted: &Linted, rendering: Rendering, is_lax: bool) {
    let accepted = linted.report.accepted();
    let catalog = &linted.report.catalog;
    let recipe = Recipe {
        rendering,
        mentioned: rendering,
        by_directory: rendering == Rendering::Amacs,
        selection: Selection::All,
        ..Recipe::everywhere(&catalog.parsed.roots)
    };
    let ids = wanted(&accepted, &recipe);
    let files: Vec<_> = ids.iter().map(|&id| catalog.file(id).clone()).collect();
    let texts = linted.source.bodies(&files).expect("memory can be read");
    let contents: Contents = ids.into_iter().zip(texts).collect();
    let material = Material { contents, ..Material::default() };
    let artifact = build(&accepted, &recipe, &material, None);
    assert_eq!(artifact, build(&accepted, &recipe, &material, None), "{rendering:?}: the second block differs");
    if !artifact.refused.is_empty() {
        return;
    }
    let block = artifact.block().to_str().expect("a block is UTF-8");
    let is_hidden = |c: char| c != '\n' && c != '\t' && c.is_control();
    assert_eq!(block.find(is_hidden), None, "{rendering:?}: a control character is in the block: {block:?}");
    let fragments = check_index(&artifact, block, rendering);
    let mut names: Vec<String> =
        artifact.selected.skills.iter().map(|&id| shown(&recipe.known_as(catalog.skill(id)))).collect();
    assert_eq!(fragments.len(), names.len(), "{rendering:?}: the index lists other skills");
    let Some(mut found) = found(rendering, block, &fragments) else { return };
    assert_eq!(found.len(), names.len(), "{rendering:?}: another reader finds other skills in\n{block}");
    // A name with hidden characters is escaped. Only a name that no rule accepts has such characters, or a dash in spaces.
    let is_usual = |name: &String| name.chars().all(|c| is_plain(c) && c != '—');
    if !is_lax || names.iter().all(is_usual) {
        names.sort();
        found.sort();
        assert_eq!(found, names, "{rendering:?}: another reader finds other names in\n{block}");
    }
}

fn shown(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the fragments that the index lists, in order.
fn check_index<'b>(artifact: &Artifact, block: &'b str, rendering: Rendering) -> Vec<&'b str> {
    let index = artifact.file(Name::Index).expect("there is an index");
    let index: serde_json::Value = serde_json::from_slice(index).expect("the index is JSON");
    let mut last = 0;
    let skills = index["skills"].as_array().expect("it lists the skills").iter();
    let fragment = |skill: &serde_json::Value| {
        let at =
            |key: &str| usize::try_from(skill["fragment"][key].as_u64().expect("it is a number")).expect("it is small");
        let range = at("start")..at("end");
        assert!(range.start >= last, "{rendering:?}: fragments overlap");
        last = range.end;
        block.get(range).expect("a fragment is in the block")
    };
    skills.map(fragment).collect()
}

/// Reads the names back as a consumer of the block does. `None` if the block has no names.
fn found(rendering: Rendering, block: &str, fragments: &[&str]) -> Option<Vec<String>> {
    Some(match rendering {
        Rendering::Agentskills if block.is_empty() => Vec::new(),
        Rendering::Agentskills => {
            let document = roxmltree::Document::parse(block).expect("the block is XML");
            let skills = document.root_element().children().filter(|node| node.has_tag_name("skill"));
            let name = |skill: roxmltree::Node<'_, '_>| {
                let name = skill.children().find(|node| node.has_tag_name("name"));
                name.and_then(|name| name.text()).unwrap_or_default().trim().to_owned()
            };
            skills.map(name).collect()
        }
        Rendering::Messages => block
            .lines()
            .map(|line| {
                let message: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
                let content = message["content"].as_str().expect("it has a content");
                let name = content.strip_prefix("<skill>\n<name>").and_then(|rest| rest.split_once("</name>"));
                unescaped(name.expect("it has a name").0)
            })
            .collect(),
        Rendering::Symphony => {
            let lines = block.lines().filter_map(|line| line.strip_prefix("- "));
            lines
                .map(|line| line.split(" — ").next().unwrap_or(line).split(" (`").next().unwrap_or(line).to_owned())
                .collect()
        }
        Rendering::Swarm | Rendering::Amacs => {
            let heading = |fragment: &&str| fragment.strip_prefix("### ")?.split('\n').next().map(str::to_owned);
            fragments.iter().filter_map(heading).collect()
        }
        Rendering::Majordomo => return None,
    })
}

fn unescaped(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
