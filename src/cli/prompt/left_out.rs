//! What keeps skills out of a prompt, and who is told.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use skilltree::excerpt::Excerpts;
use skilltree::prompt::{Problem, Recipe, Skipped, SourceError};
use skilltree::roots::Owner;
use skilltree::rule::{Finding, Subject};
use skilltree::skill::SkillId;
use skilltree::source::Unread;
use skilltree::{Report, text};

use crate::cli::beside;

/// The skills that were not accepted.
pub(super) struct LeftOut {
    /// Those that somebody is told of.
    pub(super) skipped: Vec<Skipped>,
    /// What is wrong with those of the machine, and what could not be read: errors of a source.
    pub(super) quiet: Vec<SourceError>,
}

impl LeftOut {
    /// What keeps which skill out, by the path of its file, and what could not be read.
    pub(super) fn new(report: &Report, unread: &[Unread], excerpts: &Excerpts, recipe: &Recipe) -> Self {
        let mut by_path: BTreeMap<BString, Vec<Problem>> = BTreeMap::new();
        let unread = unread.iter().map(|unread| (unread.path.as_bstr(), unread.message.clone()));
        let mut quiet: Vec<SourceError> = unread.map(|(path, message)| source_error(path, message)).collect();
        for finding in report.findings.iter().filter(|finding| Report::rejects(finding)) {
            let Some(skill) = skill_of(finding).filter(|skill| recipe.covers(&report.catalog, *skill)) else {
                continue;
            };
            let path = report.catalog.path(skill);
            if beside::owner(&report.catalog, skill) == Owner::System {
                quiet.push(source_error(path, format!("{}: {}", finding.rule.id, finding.message)));
            } else {
                by_path.entry(path.to_owned()).or_default().push(problem(finding, excerpts));
            }
        }
        Self { skipped: by_path.into_iter().map(|(path, problems)| Skipped { path, problems }).collect(), quiet }
    }
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
        rule: finding.rule.id.to_owned(),
        message: finding.message.clone(),
        help: finding.help.clone(),
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test makes the directory that it reads")]
mod tests {
    use super::*;
    use skilltree::config::Config;
    use skilltree::snapshot::Origin;
    use skilltree::source::{Content, Entry, Volume, memory};
    use skilltree::{judge, lint};

    #[test]
    fn what_is_wrong_in_a_directory_of_the_machine_is_quiet() {
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
        };
        let (source, unread) = own.beside(&[volume], &config.roots);
        let report = judge(source.read(&config.roots, lint::bounds(&config.limits)).unwrap(), &config);
        let excerpts = Excerpts::new(&report, |files| source.bodies(files)).unwrap();
        let recipe = Recipe::everywhere(&report.catalog.parsed.roots);
        let LeftOut { skipped, quiet } = LeftOut::new(&report, &unread, &excerpts, &recipe);
        let paths: Vec<String> = skipped.iter().map(|skipped| skipped.path.to_string()).collect();
        assert_eq!(paths, [".agent/skills/own/SKILL.md"]);
        let error = ("system:/etc/camel/skills/broken/SKILL.md", "missing-name: the skill has no name");
        let quiet: Vec<(&str, &str)> = quiet.iter().map(|e| (e.source.as_str(), e.message.as_str())).collect();
        assert_eq!(quiet, [error]);
    }
}
