//! Block of the open standard: `<available_skills>` with name, description and location, as `to_prompt` of the
//! reference library writes it: one element per line, all values escaped.

use std::collections::BTreeSet;

use super::block::{BlockEntry, Shape};
use super::body::Fragment;
use super::line;
use skilltree_skills::markup::escape;

pub(super) static SHAPE: Shape = Shape {
    name: "agentskills",
    head: "<available_skills>\n",
    tail: "</available_skills>\n",
    separator: "",
    sections: None,
    inlines: false,
    unfit: |_, _| None,
    claims: |_, _| BTreeSet::new(),
    fragment,
};

fn fragment(entry: &BlockEntry<'_>) -> Fragment {
    let name = line::one_line(&entry.skill.shown_name());
    let description = line::one_line(entry.skill.scalar("description").unwrap_or_default());
    let mut text = String::from("<skill>\n");
    let location = line::open_path(entry.root, entry.path).map(|path| ("location", path));
    for (element, value) in [("name", name), ("description", description)].into_iter().chain(location) {
        text.push_str(&format!("<{element}>\n{}\n</{element}>\n", escape(&value)));
    }
    text.push_str("</skill>\n");
    text.into()
}

#[cfg(test)]
mod tests {
    use super::super::material::Contents;
    use super::*;
    use skilltree_runtimes::samples::{BOTH, catalog};
    use skilltree_skills::skill::SkillId;

    #[test]
    fn renders_bytes_of_the_reference_library() {
        let catalog = catalog(
            BOTH,
            &[
                (".agent/skills/a/pdf/SKILL.md", &[("name", "pdf"), ("description", "Read\n\nPDF files.")]),
                (".symphony/skills/x/SKILL.md", &[("name", "x"), ("description", "</description><skill>&\"it's\"")]),
            ],
        );
        let block = SHAPE.assemble(&catalog, &Contents::new(), &[SkillId(1), SkillId(0)]);
        let text = "<available_skills>\n\
            <skill>\n<name>\npdf\n</name>\n<description>\nRead PDF files.\n</description>\n\
            <location>\n.agent/skills/a/pdf/SKILL.md\n</location>\n</skill>\n\
            <skill>\n<name>\nx\n</name>\n\
            <description>\n&lt;/description&gt;&lt;skill&gt;&amp;&quot;it&#x27;s&quot;\n</description>\n\
            <location>\n.symphony/skills/x/SKILL.md\n</location>\n</skill>\n\
            </available_skills>\n";
        assert_eq!(block.text, text);
        assert!(text[block.fragments[1].1.clone()].starts_with("<skill>\n<name>\nx\n"));
        assert!(text[block.fragments[1].1.clone()].ends_with("</skill>\n"));
    }
}
