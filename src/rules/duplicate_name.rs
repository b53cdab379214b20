//! A name that an earlier skill has already.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::namesakes::{Namesakes, Way, place};
use crate::skill::SkillId;
use crate::text;

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

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (first, later) in duplicates(catalog, facts) {
        report(catalog, first, later, sink);
    }
}

/// The later skills of a name, each with the first that it stands in the way of.
fn duplicates(catalog: &Catalog, facts: &Facts<'_>) -> Vec<(SkillId, SkillId)> {
    let groups = catalog.namesakes();
    if groups.is_empty() {
        return Vec::new();
    }
    let namesakes = Namesakes::new(catalog, facts);
    catalog.clashes(&groups, |earlier, later| matches!(namesakes.way(earlier, later), Way::Clash))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::Bounds;
    use crate::limits::Limits;
    use crate::profile::Profiles;
    use crate::roots::{Owner, Root, RootId};
    use crate::rule::{Copies, Dispatch};
    use crate::skill::Parsed;
    use crate::snapshot::{Body, File, ObjectId, Origin, Role, Snapshot};

    /// Skills of one name, each by its root and its bytes. One pattern found the roots `a` and `b`.
    fn catalog(skills: &[(&str, &str)]) -> Catalog {
        let root = |(pattern, path): (u32, &&str)| Root {
            path: (*path).into(),
            owner: Owner::Repository,
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
            let catalog = catalog(skills);
            let facts = Facts {
                files: &catalog.parsed.files,
                roots: &catalog.parsed.roots,
                limits: &Limits::default(),
                profiles: &Profiles::default(),
                dispatch: &Dispatch { enabled: true, cap: None },
                targets: &[],
                copies: &Copies::default(),
            };
            let found: Vec<_> = duplicates(&catalog, &facts).iter().map(|(first, later)| (first.0, later.0)).collect();
            assert_eq!(found, expected, "{skills:?}");
        }
    }
}
