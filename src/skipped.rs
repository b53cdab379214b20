//! Skills that errors keep out of a prompt block.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use skilltree_dispatch::prompt::{Problem, Recipe, Skipped, SourceError};
use skilltree_front_matter::text;
use skilltree_lint::Report;
use skilltree_lint::config::WORKFLOW;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::rule::{Finding, Subject};
use skilltree_skills::roots::Owner;
use skilltree_skills::skill::SkillId;
use skilltree_skills::source::Unread;

/// The skills that are not in a prompt block because of errors.
#[derive(Default)]
pub(crate) struct SkippedSkills {
    /// The skills that the comment and the index name.
    pub(crate) skipped: Vec<Skipped>,
    /// WORKFLOW.md, if its settings for skills have faults.
    pub(crate) settings: Vec<Skipped>,
    /// Errors of system skills, and files that could not be read: only the index names them.
    pub(crate) errors: Vec<SourceError>,
}

impl SkippedSkills {
    /// Collects the errors of each skill that the recipe covers, by path.
    pub(crate) fn new(report: &Report, unread: &[Unread], excerpts: &Excerpts, recipe: &Recipe) -> Self {
        let mut by_path: BTreeMap<BString, Vec<Problem>> = BTreeMap::new();
        let unread = unread.iter().map(|unread| (unread.path.as_bstr(), unread.message.clone()));
        let mut errors: Vec<SourceError> = unread.map(|(path, message)| source_error(path, message)).collect();
        for finding in report.rejecting() {
            let Some(skill) = skill_of(finding).filter(|skill| recipe.covers(&report.catalog, *skill)) else {
                continue;
            };
            let path = report.catalog.path(skill);
            if report.catalog.root(report.catalog.skill(skill).root).owner == Owner::System {
                errors.push(source_error(path, format!("{}: {}", finding.rule.id(), finding.message)));
            } else {
                by_path.entry(path.to_owned()).or_default().push(problem(finding, excerpts));
            }
        }
        let settings = settings(report, excerpts);
        for Skipped { path, problems } in &settings {
            let message = |problem: &Problem| format!("line {}: {}", problem.line, problem.message);
            errors.extend(problems.iter().map(|problem| source_error(path.as_bstr(), message(problem))));
        }
        Self {
            settings,
            skipped: by_path.into_iter().map(|(path, problems)| Skipped { path, problems }).collect(),
            errors,
        }
    }
}

/// Returns WORKFLOW.md with its faults: a dispatcher reads the settings of skills there.
fn settings(report: &Report, excerpts: &Excerpts) -> Vec<Skipped> {
    let is_its = |finding: &&Finding| finding.subject == Subject::Config && report.path(finding) == WORKFLOW;
    let found = report.active().filter(is_its);
    let problems: Vec<Problem> = found.map(|finding| problem(finding, excerpts)).collect();
    if problems.is_empty() { Vec::new() } else { vec![Skipped { path: WORKFLOW.into(), problems }] }
}

fn source_error(path: &BStr, message: String) -> SourceError {
    SourceError { source: text::lossless(path), message }
}

fn skill_of(finding: &Finding) -> Option<SkillId> {
    match finding.subject {
        Subject::Skill(skill) => Some(skill),
        _ => None,
    }
}

fn problem(finding: &Finding, excerpts: &Excerpts) -> Problem {
    let start = excerpts.get(finding.place).start;
    Problem {
        line: start.line,
        column: start.column,
        rule: finding.rule.id().to_owned(),
        message: finding.message.clone(),
        help: finding.help.clone(),
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the test creates the directory that it reads")]
mod tests {
    use super::*;
    use skilltree_git::Volume;
    use skilltree_lint::config::Config;
    use skilltree_lint::lint;
    use skilltree_skills::snapshot::Origin;
    use skilltree_skills::source::{Content, Entry, memory};

    #[test]
    fn keeps_errors_of_system_skills_out_of_the_comment() {
        let nameless = "---\ndescription: Has no name.\n---\nBody.\n";
        let machine = tempfile::tempdir().unwrap();
        let directory = machine.path().join("skills/broken");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("SKILL.md"), nameless).unwrap();
        let path = ".agent/skills/own/SKILL.md".into();
        let own = memory(Origin::Memory, vec![Entry { path, content: Content::File(nameless.into()) }]);
        let config = Config::default();
        let volume = Volume {
            shown: "system:/etc/camel/skills".to_owned(),
            place: machine.path().join("skills"),
            owner: Owner::System,
            profile: "camel".to_owned(),
            depth: None,
            ..Volume::default()
        };
        let (source, unread) = skilltree_git::mount(own, &[volume], &config.roots);
        let report = lint(source.read(&config.roots, config.limits.bounds()).unwrap(), &config);
        let excerpts = Excerpts::new(&report, |files| source.bodies(files)).unwrap();
        let recipe = Recipe::everywhere(&report.catalog.parsed.roots);
        let SkippedSkills { skipped, errors, .. } = SkippedSkills::new(&report, &unread, &excerpts, &recipe);
        let paths: Vec<String> = skipped.iter().map(|skipped| skipped.path.to_string()).collect();
        assert_eq!(paths, [".agent/skills/own/SKILL.md"]);
        let error = ("system:/etc/camel/skills/broken/SKILL.md", "missing-name: the skill has no name");
        let errors: Vec<(&str, &str)> = errors.iter().map(|e| (e.source.as_str(), e.message.as_str())).collect();
        assert_eq!(errors, [error]);
    }
}
