//! Comparison of the front matter before and after edits, to detect changes outside the edits.

use std::ops::Range;

use super::splice::Spliced;
use skilltree_front_matter::{Field, Node, NodeKind};
use skilltree_skills::skill::Skill;

/// Returns whether every field that no edit touches keeps its value, and the body keeps its start.
pub(super) fn are_kept(before: &Skill, after: &Skill, spliced: &Spliced) -> bool {
    let untouched = |skill: &Skill, ranges: Vec<Range<usize>>| -> Vec<Field> {
        let fields = skill.front_matter.as_ref().and_then(|front_matter| front_matter.fields.clone());
        fields
            .unwrap_or_default()
            .into_iter()
            .filter(|field| !ranges.iter().any(|range| touches(field, range)))
            .collect()
    };
    let old = untouched(before, spliced.spans.iter().map(|span| span.before.clone()).collect());
    let new = untouched(after, spliced.spans.iter().map(|span| span.after.clone()).collect());
    are_equal(&old, &new) && body_stays(before, after, spliced)
}

/// Returns whether the body starts at the old offset plus the change in length of the edits before it. If all line
/// endings changed, the offset is not compared.
fn body_stays(before: &Skill, after: &Skill, spliced: &Spliced) -> bool {
    let (Some(old), Some(new)) = (&before.body, &after.body) else {
        return before.body.is_some() == after.body.is_some();
    };
    let mut start = i64::from(old.start);
    for span in spliced.spans.iter().filter(|span| span.before.end <= old.start as usize) {
        start += span.after.len() as i64 - span.before.len() as i64;
    }
    spliced.spans.is_empty() || start == i64::from(new.start)
}

fn touches(field: &Field, range: &Range<usize>) -> bool {
    let (key, value) = (field.key.place.range(), field.value.place.range());
    let (start, end) = (key.start.min(value.start), key.end.max(value.end));
    range.start <= end && start <= range.end
}

fn are_equal(one: &[Field], other: &[Field]) -> bool {
    let same = |(a, b): (&Field, &Field)| a.key.value == b.key.value && is_same(&a.value, &b.value);
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Returns whether two values are equal, apart from their places and notation.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (NodeKind::Scalar { text: a, kind: k, .. }, NodeKind::Scalar { text: b, kind: l, .. }) => a == b && k == l,
        (NodeKind::List(a), NodeKind::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(one, other)| is_same(one, other))
        }
        (NodeKind::Map(a), NodeKind::Map(b)) => are_equal(a, b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::splice::Span;
    use skilltree_front_matter::text::FileId;
    use skilltree_skills::limits::Limits;
    use skilltree_skills::roots::{Owner, Root, RootId};
    use skilltree_skills::skill;
    use skilltree_skills::snapshot::{Body, File, Names, Role};

    fn parsed(text: &str) -> Skill {
        let root = Root {
            path: "s".into(),
            owner: Owner::Repository,
            profile: "agentskills".into(),
            depth: None,
            pattern: 0,
            configured: true,
            matched: false,
            package: None,
            ..Root::default()
        };
        let file = File::new("s/x/SKILL.md", Role::Skill, Some(RootId(0)), Body::Text(text.into()));
        skill::parse(FileId(0), &file, &root, Some(Names::new(&[])), Limits::default().bounds())
    }

    #[test]
    fn detects_changes_outside_the_edits() {
        let text = "---\nname: a\nb: yes\nc: d\n---\nbody\n---\n";
        // Old text, new text, and whether everything else is kept.
        let cases = [
            ("yes", "\"yes\"", true),
            ("yes", "yes\ne: f", true),
            ("name: a\n", "", true),
            ("yes", "|\n  several\n  lines", true),
            ("yes", "\"yes", false),
            ("yes", "yes #\n---\n", false),
            ("yes", "&x", false),
            ("yes\n", "yes ", false),
            ("name: a", "name: [", false),
            ("c: d\n---\n", "c: d\n", false),
            ("---\nname", "----\nname", true),
        ];
        for (old, new, expected) in cases {
            let start = text.find(old).expect("the text to replace is there");
            let edited = text.replacen(old, new, 1);
            let span = Span { before: start..start + old.len(), after: start..start + new.len(), group: 0 };
            let spliced = Spliced { bytes: edited.as_bytes().to_vec(), spans: vec![span] };
            assert_eq!(are_kept(&parsed(text), &parsed(&edited), &spliced), expected, "{edited}");
        }
    }

    #[test]
    fn detects_moved_body() {
        let text = "---\nname: a\n---\n# Title\n---\n";
        let fence = text.find("---\n#").expect("the closing fence");
        let edited = text.replacen("---\n#", "#", 1);
        let spliced = |spans| Spliced { bytes: edited.clone().into_bytes(), spans };
        let deletion = Span { before: fence..fence + 4, after: fence..fence, group: 0 };
        assert!(!are_kept(&parsed(text), &parsed(&edited), &spliced(vec![deletion])), "the title became a comment");
        assert!(are_kept(&parsed(text), &parsed(text), &spliced(Vec::new())));
    }

    #[test]
    fn compares_values_without_their_notation() {
        let fields = |yaml: &str| {
            let skill = parsed(&format!("---\n{yaml}---\nbody\n"));
            skill.front_matter.and_then(|front_matter| front_matter.fields).expect("it is a mapping")
        };
        for (one, other, expected) in [
            ("a: x\n", "a: 'x'\n", true),
            ("a: x\n", "a: y\n", false),
            ("a: 1\n", "a: '1'\n", false),
            ("a: x\n", "b: x\n", false),
            ("a: x\n", "a: x\nb: y\n", false),
            ("a: [x, y]\n", "a:\n- x\n- y\n", true),
            ("a: [x, y]\n", "a: [x]\n", false),
            ("a: [x, y]\n", "a: [x, z]\n", false),
            ("a: {b: c}\n", "a:\n  b: c\n", true),
            ("a: {b: c}\n", "a: {b: d}\n", false),
            ("a: {b: c}\n", "a: [c]\n", false),
        ] {
            assert_eq!(are_equal(&fields(one), &fields(other)), expected, "{one}{other}");
        }
    }
}
