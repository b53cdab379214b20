//! Templates: any text either renders within the limits or is refused, and always the same way.

use skilltree_dispatch::prompt::{Contents, Material, Name, Recipe, Template, build, wanted};
use skilltree_skills::source::Entry;

use super::files::{Linted, entry};

/// Maximum size of a block: 16 MiB, as the template engine promises.
const BLOCK_BYTES: usize = 16 << 20;

/// Renders two skills with a template. The first byte selects its extension, which selects the escaping.
pub fn template(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else { return };
    let extension = ["md", "xml", "json", "txt"][usize::from(first % 4)];
    let template = Template { path: format!("block.{extension}"), text: String::from_utf8_lossy(text).into_owned() };
    let linted = Linted::new(&two_skills()).expect("no configuration is a configuration");
    let accepted = linted.report.accepted();
    let recipe = Recipe { template: Some(template), ..Recipe::everywhere(&linted.report.catalog.parsed.roots) };
    let ids = wanted(&accepted, &recipe);
    let files: Vec<_> = ids.iter().map(|&id| linted.report.catalog.file(id).clone()).collect();
    let texts = linted.source.bodies(&files).expect("memory can be read");
    let contents: Contents = ids.into_iter().zip(texts).collect();
    let material = Material { contents, ..Material::default() };
    let artifact = build(&accepted, &recipe, &material, None);
    assert_eq!(artifact, build(&accepted, &recipe, &material, None), "the second block differs");
    let block = artifact.block();
    assert!(block.len() <= BLOCK_BYTES, "the block has {} bytes", block.len());
    assert!(artifact.refused.is_empty() || block.is_empty(), "it is refused, and there is a block");
    let text = std::str::from_utf8(block).expect("a block is UTF-8");
    let is_hidden = |c: char| c != '\n' && c != '\t' && c.is_control();
    assert_eq!(text.find(is_hidden), None, "a control character is in the block: {text:?}");
    let index = artifact.file(Name::Index).expect("there is an index");
    let index: serde_json::Value = serde_json::from_slice(index).expect("the index is JSON");
    let listed = index["skills"].as_array().map_or(0, Vec::len);
    assert!(artifact.refused.is_empty() || listed == 0, "a refused block lists no skills");
    for skill in index["skills"].as_array().into_iter().flatten() {
        let at = |key: &str| skill["fragment"][key].as_u64().and_then(|at| usize::try_from(at).ok());
        let (start, end) = (at("start").expect("it has a start"), at("end").expect("it has an end"));
        assert!(text.get(start..end).is_some(), "the fragment {start}..{end} is not in the block");
    }
}

fn two_skills() -> [Entry; 2] {
    [
        entry(
            ".agent/skills/forms/SKILL.md",
            b"---\nname: forms\ndescription: Fills in <forms> & \"more\". Use when a form is due.\ntags: [a, b]\n---\nRead {{ it }}.\n",
        ),
        entry(
            ".agent/skills/pdf/SKILL.md",
            b"---\nname: pdf\ndescription: Reads PDF files.\nwhen_to_use: A PDF file is given.\n---\n# Steps\n\n1. Open it.\n",
        ),
    ]
}
