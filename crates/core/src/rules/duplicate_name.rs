//! Reports skills with the name of an earlier skill.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::namesakes::{Namesakes, Way, place};
use crate::skill::SkillId;
use crate::text;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "duplicate-name",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    faults: &[],
    summary: "two skills have the same name",
    why: "a skill is selected by its name, so an agent may get the wrong skill or neither",
    explanation: include_str!("duplicate_name.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (first, later) in duplicates(catalog, facts) {
        report(catalog, first, later, sink);
    }
}

/// Returns pairs of the first and a later skill whose names clash.
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
        format!("`{name}` is equivalent to `{first_name}`, the name of `{path}`")
    };
    sink.about(Subject::Skill(later))
        .report(place(catalog.skill(later)), message)
        .related(place(catalog.skill(first)), "first defined here")
        .help("rename one of the two skills and its directory, or remove it");
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

    /// Builds a catalog of skills with the same name, from their roots and descriptions. The roots `a` and `b` match one
    /// pattern.
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
        Catalog::new(Parsed::new(snapshot, Bounds { bytes: 1_000, nodes: 100, depth: 10, ..Bounds::NONE }))
    }

    #[test]
    fn pairs_later_skills_with_the_first_they_clash_with() {
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
