//! A name that an earlier skill has already.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::skill::{Skill, SkillId};
use crate::snapshot::File;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "duplicate-name",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "two skills have one name",
    why: "Codex resolves a name that two skills share to neither, opencode to whichever it happens to read last",
    explanation: include_str!("duplicate_name.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (first, later) in duplicates(catalog) {
        report(catalog, first, later, sink);
    }
}

/// The later skills of a name, each with the first that it stands in the way of. The first of all is the one that stays,
/// so nothing else outside a skill's own root need be compared with it: ten thousand namesakes take twenty thousand looks.
fn duplicates(catalog: &Catalog) -> Vec<(SkillId, SkillId)> {
    let mut duplicates = Vec::new();
    for namesakes in catalog.namesakes() {
        for siblings in namesakes.chunk_by(|&a, &b| catalog.skill(a).root == catalog.skill(b).root) {
            for &later in siblings {
                let earlier = [namesakes[0], siblings[0]];
                let first = earlier.into_iter().find(|&earlier| is_duplicate(catalog, earlier, later));
                duplicates.extend(first.map(|first| (first, later)));
            }
        }
    }
    duplicates
}

/// Whether two skills of one name stand in each other's way.
fn is_duplicate(catalog: &Catalog, earlier: SkillId, later: SkillId) -> bool {
    let (one, other) = (catalog.skill(earlier).root, catalog.skill(later).root);
    if one == other {
        // A link to a skill of the same root is that skill.
        return earlier != later && file(catalog, earlier).shown_path() != file(catalog, later).shown_path();
    }
    let (one, other) = (catalog.root(one), catalog.root(other));
    let is_one_pattern = one.matched && other.matched && one.pattern == other.pattern;
    !is_one_pattern && !are_copies(catalog, earlier, later)
}

/// Whether two skills have the same bytes. What has no id was not hashed and is like nothing else.
fn are_copies(catalog: &Catalog, one: SkillId, other: SkillId) -> bool {
    let id = file(catalog, one).id;
    id.is_some() && id == file(catalog, other).id
}

fn report(catalog: &Catalog, first: SkillId, later: SkillId, sink: &mut Sink) {
    let (name, first_name) = (catalog.skill(later).name(), catalog.skill(first).name());
    let (name, first_name) = (name.unwrap_or_default(), first_name.unwrap_or_default());
    let path = text::lossless(catalog.path(first));
    let message = if name == first_name {
        format!("`{name}` is already the name of `{path}`")
    } else {
        format!("`{name}` is the same name as `{first_name}` of `{path}`")
    };
    sink.about(Subject::Skill(later))
        .report(place(catalog.skill(later)), message)
        .related(place(catalog.skill(first)), "first defined here")
        .help("give one of the two another name and rename its directory to match, or remove it");
}

/// The name's value.
fn place(skill: &Skill) -> Place {
    skill.field("name").map_or(Place::whole(skill.file), |field| field.value.place)
}

fn file(catalog: &Catalog, skill: SkillId) -> &File {
    catalog.file(catalog.skill(skill).file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::Bounds;
    use crate::roots::{Root, RootId};
    use crate::skill::Parsed;
    use crate::snapshot::{Body, ObjectId, Origin, Role, Snapshot};

    /// Skills of one name, each by its root and its bytes. One pattern found the roots `a` and `b`.
    fn catalog(skills: &[(&str, &str)]) -> Catalog {
        let root = |(pattern, path): (u32, &&str)| Root {
            path: (*path).into(),
            profile: "agentskills".into(),
            depth: None,
            pattern,
            configured: true,
            matched: pattern == 0,
        };
        let paths = ["a", "b", "c", "d"];
        let file = |(number, (root, text)): (usize, &(&str, &str))| {
            let id = paths.iter().position(|path| path == root).map(|id| RootId(id as u32));
            let text = format!("---\nname: same\ndescription: {text}\n---\n").into_bytes();
            let hash = ObjectId::new(&text[text.len() - 20..]);
            let path = format!("{root}/{number}/SKILL.md");
            File { id: Some(hash), ..File::new(path, Role::Skill, id, Body::Text(text)) }
        };
        let snapshot = Snapshot {
            origin: Origin::Memory,
            time: None,
            roots: [0, 0, 1, 2].into_iter().zip(&paths).map(root).collect(),
            files: skills.iter().enumerate().map(file).collect(),
        };
        Catalog::new(Parsed::new(snapshot, Bounds { bytes: 1_000, nodes: 100, depth: 10 }))
    }

    #[test]
    fn namesakes_that_stand_in_each_others_way() {
        type Case = (&'static [(&'static str, &'static str)], &'static [(u32, u32)]);
        let cases: [Case; 7] = [
            (&[("a", "1"), ("a", "2"), ("a", "1")], &[(0, 1), (0, 2)]),
            (&[("a", "1"), ("b", "2")], &[]),
            (&[("a", "1"), ("b", "2"), ("b", "3")], &[(1, 2)]),
            (&[("a", "1"), ("b", "2"), ("c", "2")], &[(0, 2)]),
            (&[("c", "1"), ("d", "1")], &[]),
            (&[("c", "1"), ("d", "1"), ("d", "1")], &[(1, 2)]),
            (&[("c", "1"), ("c", "2"), ("d", "3")], &[(0, 1), (0, 2)]),
        ];
        for (skills, expected) in cases {
            let found: Vec<_> = duplicates(&catalog(skills)).iter().map(|(first, later)| (first.0, later.0)).collect();
            assert_eq!(found, expected, "{skills:?}");
        }
    }
}
