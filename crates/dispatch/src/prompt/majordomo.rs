//! majordomo instructions: the bodies in the order of attachment, separated by blank lines (ADR-0013).

use std::collections::BTreeSet;

use super::block::{BlockEntry, Shape};
use super::body::{Fragment, Guard};
use crate::select::Names;

pub(super) static SHAPE: Shape = Shape {
    name: "majordomo",
    head: "",
    tail: "",
    separator: "\n",
    sections: None,
    inlines: true,
    unfit,
    claims: |_, _| BTreeSet::new(),
    fragment,
};

/// The block has no lines of its own. A body only must not include the next one.
const GUARD: Guard = Guard { lines: &[], heading: None, names: false };

fn unfit(entry: &BlockEntry<'_>, others: &Names) -> Option<String> {
    entry.body.unfit(Some(GUARD), others, &entry.skill.shown_name())
}

fn fragment(entry: &BlockEntry<'_>) -> Fragment {
    Fragment::around("", &entry.body.text, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Contents;
    use skilltree_runtimes::samples::{SYMPHONY, catalog};
    use skilltree_skills::skill::SkillId;

    #[test]
    fn rejects_body_that_includes_the_next_one() {
        let catalog = catalog(SYMPHONY, &[(".symphony/skills/pdf/SKILL.md", &[("name", "pdf")])]);
        let names = Names::new(&[SkillId(0)], &catalog, false);
        let unfit = |text: &str| {
            let contents: Contents = [(catalog.skill(SkillId(0)).file, text.into())].into_iter().collect();
            (SHAPE.unfit)(&SHAPE.entry(&catalog, &contents, SkillId(0)), &names)
        };
        assert_eq!(unfit("## Read\n\n```\nx\n```\n"), None);
        let open = "line 3 of its file opens a code block, comment or element that includes the text after the body";
        assert_eq!(unfit("Read.\n\n```\nx\n").as_deref(), Some(open));
    }
}
