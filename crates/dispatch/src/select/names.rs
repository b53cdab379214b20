//! Names of the skills that a selection chose, as a reader of headings compares them.

use std::collections::{BTreeMap, BTreeSet};

use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::characters;
use skilltree_skills::skill::SkillId;

/// Names of the skills that were chosen for one block, by appearance.
#[derive(Debug, Default)]
pub struct Names(BTreeMap<String, BTreeSet<String>>);

impl Names {
    /// Collects the names of some skills.
    pub fn new(skills: &[SkillId], catalog: &Catalog, by_directory: bool) -> Self {
        let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for &id in skills {
            let name = catalog.skill(id).known_as(by_directory);
            names.entry(appearance(&name)).or_default().insert(name.into_owned());
        }
        Self(names)
    }

    /// Returns the name of another skill that looks like a heading in the body of the skill `own`.
    pub(crate) fn taken<'a>(&'a self, heading: &str, own: &'a str) -> Option<&'a str> {
        self.all_taken(heading, own).next()
    }

    /// Returns the names of all other skills that look like a heading in the body of the skill `own`.
    pub(crate) fn all_taken<'a>(&'a self, heading: &str, own: &'a str) -> impl Iterator<Item = &'a str> {
        let alike = if heading.trim() == own { None } else { self.0.get(&appearance(heading)) };
        alike.into_iter().flatten().map(String::as_str).filter(move |other| *other != own)
    }
}

/// Returns what a text looks like: without look-alikes, markup around it and invisible characters. Case counts:
/// `### Security` is an ordinary heading, and names are lowercase.
fn appearance(text: &str) -> String {
    let shown: String = text.chars().filter(|&character| !characters::is_ignorable(character)).collect();
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = words.trim_matches(|character: char| !character.is_alphanumeric());
    characters::skeleton(bare)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::samples::{SYMPHONY, catalog};

    #[test]
    fn finds_heading_of_another_skill() {
        let skills = [("a", "omega"), ("b", "alpha"), ("c", "Alpha")];
        let paths: Vec<String> = skills.iter().map(|(path, _)| format!(".symphony/skills/{path}/SKILL.md")).collect();
        let fields: Vec<[(&str, &str); 1]> = skills.iter().map(|(_, name)| [("name", *name)]).collect();
        let samples: Vec<(&str, &[(&str, &str)])> =
            paths.iter().zip(&fields).map(|(path, fields)| (path.as_str(), fields.as_slice())).collect();
        let catalog = catalog(SYMPHONY, &samples);
        let names = Names::new(&[SkillId(0), SkillId(1), SkillId(2)], &catalog, false);
        for heading in ["omega", " omega ", "[omega]", "om\u{200d}ega", "ome\u{261}a", "_omega_:"] {
            assert_eq!(names.taken(heading, "alpha"), Some("omega"), "{heading:?}");
            assert_eq!(names.taken(heading, "omega"), None, "{heading:?}");
        }
        assert_eq!(names.taken("alpha", "alpha"), None, "its own heading");
        assert_eq!(names.taken("Alpha", "alpha"), Some("Alpha"));
        assert_eq!(names.taken("Omega", "alpha"), None);
        assert_eq!(names.taken("omegas", "alpha"), None);
        assert_eq!(names.taken("", "alpha"), None);
    }
}
