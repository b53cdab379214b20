//! Reports skills with the name of an earlier skill.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Elsewhere, Facts, Finding, Group, Level, Rule, Sink, Subject};
use crate::rules::namesakes::{self, Namesakes, Way, place};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::identity::Winner;
use skilltree_skills::skill::SkillId;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "duplicate-name",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "two skills have the same name",
    why: "a skill is selected by its name, so an agent may get the wrong skill or neither",
    explanation: include_str!("duplicate_name.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let groups = namesakes::groups(catalog);
    if groups.is_empty() {
        return;
    }
    let namesakes = Namesakes::new(catalog, facts);
    for (first, later) in duplicates(catalog, facts, &groups, &namesakes) {
        match namesakes.way(first, later) {
            Way::Clash(runtimes) => {
                report(catalog, facts, (first, later), &runtimes, sink);
            }
            Way::Copies(runtimes) => {
                let finding = report(catalog, facts, (first, later), &runtimes, sink);
                finding
                    .at_most(Level::Warning)
                    .help("remove one of the two copies, or link its directory to the other");
            }
            Way::Apart | Way::Drifted | Way::Ordered(_) => {}
        }
    }
}

/// Returns pairs of a skill that keeps its name and another one whose name clashes with it.
fn duplicates(
    catalog: &Catalog,
    facts: &Facts<'_>,
    groups: &[Vec<SkillId>],
    namesakes: &Namesakes<'_>,
) -> Vec<(SkillId, SkillId)> {
    catalog
        .clashes(facts.scope, groups, |one, other| matches!(namesakes.way(one, other), Way::Clash(_) | Way::Copies(_)))
}

/// `runtimes` read the directories of both skills.
fn report<'s>(
    catalog: &Catalog,
    facts: &Facts<'_>,
    (first, later): (SkillId, SkillId),
    runtimes: &[(&Profile, Option<Winner>)],
    sink: &'s mut Sink,
) -> &'s mut Finding {
    let is_nested = [first, later].iter().any(|&id| facts.is_nested(catalog.skill(id)));
    let is_dispatched = facts.scope.is_dispatched(catalog.skill(later).root);
    let elsewhere = Elsewhere::Other {
        subject: Subject::Skill(first),
        place: place(catalog.skill(first)),
        message: message(catalog, first, later),
    };
    let finding = sink.about(Subject::Skill(later)).report(place(catalog.skill(later)), message(catalog, later, first));
    finding.or_at(elsewhere).related(place(catalog.skill(first)), "first defined here").help(help(
        catalog,
        facts,
        [later, first],
    ));
    // A forecast loses neither of them: the upper one where the runtime starts at the top, and each in its package.
    if facts.scope.is_of_packages(catalog.skill(first).root, catalog.skill(later).root) {
        finding.at_most(Level::Warning);
    }
    // `nested-skill` states which runtimes load it. Most are files of the skill around it.
    if is_nested && !is_dispatched && !facts.scope.is_explicit() {
        finding.at_most(Level::Warning);
    }
    for (way, words) in [(Winner::All, "both skills"), (Winner::Any, "either skill"), (Winner::None, "neither skill")] {
        let titles: Vec<&str> =
            runtimes.iter().filter(|(_, taken)| *taken == Some(way)).map(|(one, _)| &*one.title).collect();
        if !titles.is_empty() {
            finding.note(namesakes::loaded(&titles, words));
        }
    }
    finding
}

/// Says how to tell two skills apart: one whose name is not that of its directory was probably copied.
fn help(catalog: &Catalog, facts: &Facts<'_>, skills: [SkillId; 2]) -> String {
    let own = skills.into_iter().find_map(|id| {
        let skill = catalog.skill(id);
        let directory = facts.directory_name(skill).filter(|directory| skill.name() != Some(directory))?;
        Some(format!("write `name: {directory}` in `{}`", text::lossless(catalog.path(id))))
    });
    let edit = own.as_deref().unwrap_or("rename one of the two skills and its directory");
    format!("{edit}, or remove one of the two")
}

/// Returns the fact about a skill whose name another one has.
fn message(catalog: &Catalog, skill: SkillId, other: SkillId) -> String {
    let name = |id| catalog.skill(id).name().unwrap_or_default();
    // The real path: a skill and a link to it have one finding.
    let path = text::lossless(catalog.file(catalog.skill(other).file).reported_path().as_bstr());
    let (name, other_name) = (name(skill), name(other));
    if name == other_name {
        format!("`{name}` is already the name of `{path}`")
    } else {
        format!("`{name}` is equivalent to `{other_name}`, the name of `{path}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Copies, Dispatch, Text};
    use skilltree_runtimes::profile::Profiles;
    use skilltree_runtimes::samples;
    use skilltree_runtimes::scope::Scope;
    use skilltree_skills::limits::Limits;
    use skilltree_skills::snapshot::State;

    /// Builds a catalog of skills, each from its directory, its name and its description.
    fn catalog(roots: &[&str], skills: &[(&str, &str, &str)]) -> Catalog {
        let file = |(directory, name, text): &(&str, &str, &str)| {
            (format!("{directory}/SKILL.md"), format!("---\nname: {name}\ndescription: {text}\n---\n"))
        };
        let files: Vec<(String, String)> = skills.iter().map(file).collect();
        samples::read(roots, files.iter().map(|(path, text)| (path.clone(), text.as_str())))
    }

    /// Pairs of the skill that keeps its name and the one that is reported, for Codex.
    fn found(catalog: &Catalog) -> Vec<String> {
        let profiles = Profiles::default();
        let facts = Facts {
            files: &catalog.parsed.files,
            roots: &catalog.parsed.roots,
            limits: &Limits::default(),
            profiles: &profiles,
            dispatch: &Dispatch { enabled: true, cap: None, workflow: false },
            targets: &[],
            scope: &Scope::new(&catalog.parsed.roots, &["codex".to_owned()], &profiles),
            copies: &Copies::default(),
            root_option: false,
            text: Text::Skill,
        };
        let (groups, namesakes) = (namesakes::groups(catalog), Namesakes::new(catalog, &facts));
        let pairs = duplicates(catalog, &facts, &groups, &namesakes).into_iter();
        let directory = |id| text::lossless(text::parent(catalog.path(id)));
        pairs.map(|(first, later)| format!("{} < {}", directory(first), directory(later))).collect()
    }

    #[test]
    fn compares_directories_that_one_runtime_merges() {
        let (agents, codex, plugins) = (".agents/skills", ".codex/skills", ["plugins/a/skills", "plugins/b/skills"]);
        let same = |directory: &'static str, text: &'static str| (directory, "same", text);
        let one = [same(".agents/skills/x", "1"), same(".agents/skills/y", "2"), same(".agents/skills/z", "1")];
        let pairs = [".agents/skills/x < .agents/skills/y", ".agents/skills/x < .agents/skills/z"];
        assert_eq!(found(&catalog(&[agents], &one)), pairs);
        let both = [same("plugins/a/skills/same", "1"), same("plugins/b/skills/same", "2")];
        assert_eq!(found(&catalog(&plugins, &both)), [""; 0]);
        // The first of the group is in a directory with other names.
        let apart = [both[0], same(".agents/skills/same", "2"), same(".codex/skills/same", "3")];
        let merged = [".agents/skills/same < .codex/skills/same"];
        assert_eq!(found(&catalog(&[plugins[0], agents, codex], &apart)), merged);
        // A target that lists both copies: a warning.
        let copies = [same(".agents/skills/same", "3"), same(".codex/skills/same", "3")];
        assert_eq!(found(&catalog(&[agents, codex], &copies)), merged);
    }

    #[test]
    fn reports_the_copy_and_not_the_original() {
        let skills = [("s/pdf-2", "pdf", "1"), ("s/pdf", "pdf", "1"), ("s/a", "b", "1"), ("s/b", "b", "2")];
        assert_eq!(found(&catalog(&["s"], &skills)), ["s/b < s/a", "s/pdf < s/pdf-2"]);
        let mut parsed = catalog(&["s"], &[("s/x/pdf", "pdf", "1"), ("s/y/pdf", "pdf", "1")]).parsed;
        assert_eq!(found(&Catalog::new(parsed.clone())), ["s/x/pdf < s/y/pdf"]);
        let first = parsed.files.iter_mut().find(|file| file.path == "s/x/pdf/SKILL.md").expect("the skill was read");
        first.state = State::Untracked;
        assert_eq!(found(&Catalog::new(parsed)), ["s/y/pdf < s/x/pdf"]);
    }
}
