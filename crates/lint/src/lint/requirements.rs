//! The driver of the rules that a repository defines: one for all of them, because a rule is data.

mod fields;
mod files;

use bstr::ByteSlice;

use crate::config::{Config, Requirement};
use crate::lint::{Tally, Warning};
use crate::rule::{Finding, Occurrence, RuleRef, Sink, Subject};
use crate::rules::several;
use files::FilesBySkill;
use skilltree_front_matter::text::{self, FileId, Place, joined};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::markdown;
use skilltree_skills::parallel;
use skilltree_skills::roots::{self, Owner};
use skilltree_skills::skill::{Answer, Reference, Skill, SkillId};
use skilltree_skills::snapshot::Origin;

/// Maximum number of headings that a message names.
const NAMED: usize = 5;

/// Returns the findings of the rules of the repository that run.
pub(super) fn findings(catalog: &Catalog, config: &Config, rules: &[RuleRef], tally: &Tally) -> Vec<Finding> {
    let runs = |requirement: &Requirement| rules.contains(&requirement.rule);
    let requirements: Vec<(usize, &Requirement)> =
        config.requirements.iter().enumerate().filter(|(_, requirement)| runs(requirement)).collect();
    if requirements.is_empty() {
        return Vec::new();
    }
    let files = FilesBySkill::new(catalog, &requirements);
    let skills: Vec<(SkillId, &Skill)> = catalog.skills().filter(|(_, skill)| is_own(catalog, skill)).collect();
    let found = parallel::map(&skills, |&(id, skill)| {
        let path = catalog.file(skill.file).path.as_bstr();
        let applied = requirements.iter().filter(|(_, requirement)| requirement.applies_to(path));
        let one = |&(number, requirement): &(usize, &Requirement)| {
            let mut check = Check { requirement, skill, sink: Sink::new(requirement.rule.clone(), Subject::Skill(id)) };
            check.run(number, &files, id, catalog);
            check.sink.into_findings()
        };
        tally.admit(applied.flat_map(one).collect())
    });
    found.into_iter().flatten().collect()
}

/// Returns a warning for each rule of the repository and each list whose `paths` match no skill: a typo would turn it off.
pub(super) fn without_skills(catalog: &Catalog, config: &Config) -> Vec<Warning> {
    let own = || catalog.skills().filter(|(_, skill)| is_own(catalog, skill)).map(|(id, _)| catalog.path(id));
    if catalog.parsed.origin == Origin::StandardInput || own().next().is_none() {
        return Vec::new();
    }
    let warning = |what: String, paths: &[String], table: &str| Warning {
        message: format!(
            "{what} no skill: `paths` is {}",
            joined(&paths.iter().map(|path| markdown::code(path)).collect::<Vec<_>>())
        ),
        help: Some(format!("correct `paths` of its `[[{table}]]` in skilltree.toml, or remove it")),
        fails: false,
    };
    let requirements = config.requirements.iter().filter(|one| !own().any(|path| one.applies_to(path)));
    let lists = config.roots.queries.lists().iter().filter(|list| !own().any(|path| list.covers(path)));
    requirements
        .map(|one| warning(format!("the rule {} applies to", one.rule.id()), &one.patterns, "require"))
        .chain(
            lists.map(|list| warning(format!("the list {} needs", markdown::code(&list.file)), &list.paths, "listing")),
        )
        .collect()
}

/// Returns whether the repository owns a skill, and can change it.
fn is_own(catalog: &Catalog, skill: &Skill) -> bool {
    catalog.root(skill.root).owner == Owner::Repository
}

/// One rule and one skill.
struct Check<'a> {
    requirement: &'a Requirement,
    skill: &'a Skill,
    sink: Sink,
}

impl Check<'_> {
    fn run(&mut self, number: usize, files: &FilesBySkill<'_>, id: SkillId, catalog: &Catalog) {
        let conditions = &self.requirement.conditions;
        if self.skill.has_fields() {
            if let Some(condition) = &conditions.key {
                self.key(condition);
            }
            self.allowed_keys(&conditions.allowed_keys);
        }
        self.texts(number, catalog);
        if let (Some(named), Some(condition)) = (&conditions.query.files, &conditions.file)
            && self.skill.body.is_some()
        {
            self.files(named, condition, files.of(id), catalog);
        }
    }

    /// Reports a fact: the message of the rule takes its place, and the fact becomes a note.
    fn report(&mut self, place: Place, fact: String) {
        let requirement = self.requirement;
        let finding = match &requirement.message {
            Some(message) => {
                let finding = self.sink.report(place, message.clone());
                finding.note(fact)
            }
            None => self.sink.report(place, fact),
        };
        finding.help.clone_from(&requirement.help);
    }

    /// Reports what was found in SKILL.md and in the reference files, and a text that none of the searched files contains.
    fn texts(&mut self, number: usize, catalog: &Catalog) {
        let skill = self.skill;
        let query = &self.requirement.conditions.query;
        let Some(_) = &skill.body else { return };
        let of = |answers: &'_ [Answer]| answers.iter().find(|answer| answer.query == number).cloned();
        let directory = text::parent(catalog.file(skill.file).path.as_bstr());
        let is_searched = |reference: &&Reference| {
            let path = catalog.file(reference.file).path.as_bstr();
            query.searches(Some(roots::relative(path, directory).unwrap_or_default()))
        };
        let references = skill.references.read.iter().filter(is_searched);
        let references: Vec<(FileId, Option<Answer>)> =
            references.map(|reference| (reference.file, of(&reference.answers))).collect();
        let own = of(&skill.answers);
        let lacks = |answer: &Option<Answer>| answer.as_ref().is_some_and(|answer| answer.lacks_text);
        let is_missing = (!query.searches(None) || lacks(&own)) && references.iter().all(|(_, answer)| lacks(answer));
        if let Some(pattern) = query.required.as_ref().filter(|_| is_missing) {
            self.report(skill.opener(), format!("no text matches `{}`", pattern.0.as_str()));
        }
        if let Some(answer) = own {
            self.text(&answer, skill.opener());
        }
        for (file, answer) in references {
            answer.iter().for_each(|answer| self.text(answer, Place::whole(file)));
        }
    }

    fn text(&mut self, answer: &Answer, opener: Place) {
        if answer.is_too_long {
            self.report(opener, "the text has more than 1 MiB, so it was not searched".to_owned());
            return;
        }
        if !answer.lacks_headings.is_empty() {
            let (shown, more) = answer.lacks_headings.split_at(answer.lacks_headings.len().min(NAMED));
            let mut words: Vec<String> = shown.iter().map(|heading| format!("`{heading}`")).collect();
            if !more.is_empty() {
                words.push(format!("{} more", more.len()));
            }
            let noun = if answer.lacks_headings.len() == 1 { "heading" } else { "headings" };
            self.report(
                opener,
                format!("the {noun} {} {} missing", joined(&words), if noun == "heading" { "is" } else { "are" }),
            );
        }
        let fact = |found: &String| match &self.requirement.message {
            Some(message) => format!("{message}: `{found}`"),
            None => format!("the text contains `{found}`, which is not allowed"),
        };
        let occurrences: Vec<Occurrence> = several::of_marks(&answer.forbidden, fact);
        if let Some(finding) = several::report(&mut self.sink, occurrences) {
            finding.help.clone_from(&self.requirement.help);
        }
    }
}
