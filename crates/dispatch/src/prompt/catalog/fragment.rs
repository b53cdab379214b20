//! What a skill adds to a block, in parts: the text before its body, the body, and the text after it.

use std::collections::BTreeSet;

use crate::prompt::block::{BlockEntry, Shape};
use crate::prompt::body::BodyText;
use crate::prompt::material::Contents;
use crate::select::Names;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// The parts of a fragment around the body, which ends with a line feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) before: String,
    pub(super) after: String,
    /// Why the rendering never contains the skill.
    pub(super) dropped: Option<String>,
    /// Names of other skills whose headings the body contains: with one of them, the skill is dropped.
    pub(super) claims: BTreeSet<String>,
}

/// Splits the fragment of a skill around its body. All of it is `before` if the rendering contains no body.
pub(super) fn parts(shape: &Shape, catalog: &Catalog, contents: &Contents, names: &Names, id: SkillId) -> Parts {
    let entry = shape.entry(catalog, contents, id);
    let dropped = (shape.unfit)(&entry, &Names::default());
    let claims = if dropped.is_none() { (shape.claims)(&entry, names) } else { BTreeSet::new() };
    let with = |text: &str| {
        let body = BodyText::from(text.to_owned());
        (shape.fragment)(&BlockEntry { body, skill: entry.skill, root: entry.root, path: entry.path }).text
    };
    if !shape.inlines {
        return Parts { before: with(""), after: String::new(), dropped, claims };
    }
    let (before, after) = around(&with(""), with);
    Parts { before, after, dropped, claims }
}

/// Returns the text before and after the body. `empty` is the fragment of an empty body.
fn around(empty: &str, with: impl Fn(&str) -> String) -> (String, String) {
    // A mark that the rest of the fragment does not contain.
    let mut mark = "body".to_owned();
    while empty.contains(&mark) {
        mark.push('y');
    }
    let marked = with(&format!("{mark}\n"));
    let (before, rest) = marked.split_once(&mark).unwrap_or((&marked, ""));
    // In JSON, the line feed is escaped.
    let after = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\\n")).unwrap_or(rest);
    (before.to_owned(), after.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::{amacs, messages, swarm};
    use skilltree_runtimes::samples::{BOTH, catalog};

    #[test]
    fn splits_around_a_body_that_names_resemble() {
        let path = ".agent/skills/body-bodyy-y/SKILL.md";
        let catalog = catalog(BOTH, &[(path, &[("name", "body-bodyy-y"), ("description", "A.")])]);
        let split = |shape| parts(shape, &catalog, &Contents::new(), &Names::default(), SkillId(0));
        let (swarm, amacs, message) = (split(&swarm::SHAPE), split(&amacs::SHAPE), split(&messages::SHAPE));
        assert_eq!((&*swarm.before, &*swarm.after), ("### body-bodyy-y\n", "\n"));
        assert_eq!((&*amacs.before, &*amacs.after), ("### body-bodyy-y\n\n", ""));
        let start = "{\"role\":\"user\",\"content\":\"<skill>\\n<name>body-bodyy-y</name>\\n<path>";
        assert!(message.before.starts_with(start) && message.before.ends_with("SKILL.md</path>\\n"), "{message:?}");
        assert_eq!(message.after, "</skill>\\n\",\"meta_dict\":{\"skill\":true}}\n");
    }
}
