//! Findings about ignores. Their subject is the configuration, even for comments in skills, so they never keep a skill
//! out of a prompt.

use bstr::ByteSlice;

use super::{Ignore, Ignores, Source, Status};
use crate::config::{self, Config};
use crate::rule::{Edit, Finding, Level, Limited, Rule, RuleRef, Sink, Subject};
use crate::rules::{expired_ignore, ignore_without_reason, unknown_rule, unused_ignore};
use skilltree_front_matter::text::{self, Place, Spanned};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::date;
use skilltree_skills::skill::{Flaw, IgnoreComment};
use skilltree_skills::snapshot::{Body, File, Origin};

/// Rules about ignores. Whether an ignore of one of these is used is known only after they ran.
const ABOUT_IGNORES: [&Rule; 3] = [&expired_ignore::RULE, &ignore_without_reason::RULE, &unused_ignore::RULE];

/// Round of checks on ignores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lint) enum Round {
    /// All checks, except whether ignores of the rules about ignores are used.
    First,
    /// Whether ignores of the rules about ignores are used.
    Second,
}

/// Other inputs of a run.
pub(in crate::lint) struct Run<'a> {
    pub(in crate::lint) catalog: &'a Catalog,
    pub(in crate::lint) config: &'a Config,
    /// Rules that ran.
    pub(in crate::lint) rules: &'a [RuleRef],
}

impl Ignores<'_> {
    /// Returns the findings about ignores, after all other findings were matched against them.
    pub(in crate::lint) fn findings(&self, run: &Run<'_>, round: Round) -> Vec<Finding> {
        let mut findings = Limited::default();
        self.all.iter().for_each(|ignore| findings.extend(ignore.findings(run, round)));
        findings.into_findings()
    }
}

impl Ignore<'_> {
    fn findings(&self, run: &Run<'_>, round: Round) -> Vec<Finding> {
        let Some(place) = self.place else { return Vec::new() };
        let mut findings = Vec::new();
        if round == Round::First {
            findings.extend(self.unknown_rules(run.config));
            findings.extend(self.without_effect(run, place));
        }
        if self.status == Status::Active {
            findings.extend(self.unused(run, round, place));
        }
        findings
    }

    /// Reports unknown rule ids in a comment. Those of the configuration were reported when it was read.
    fn unknown_rules(&self, config: &Config) -> Vec<Finding> {
        let Source::Comment(comment, _) = self.source else { return Vec::new() };
        let mut sink = Sink::new(&unknown_rule::RULE, Subject::Config);
        for id in comment.rules.iter().filter(|id| config.rule(&id.value).is_none()) {
            if config.may_be_of_policy(&id.value) {
                let message = format!("`{}` has no effect: no rule of this run has the id", id.value);
                sink.report(id.place, message).help(config::GIVE_POLICY).at_most(Level::Note);
            } else {
                sink.report(id.place, format!("there is no rule `{}`", id.value)).help(config::rule_help(&id.value));
            }
        }
        sink.into_findings()
    }

    /// Reports an ignore without effect.
    fn without_effect(&self, run: &Run<'_>, place: Place) -> Vec<Finding> {
        let named: Vec<&str> = self.rules.iter().map(|(rule, _)| rule.id()).collect();
        let (rule, fact) = match (self.status, self.source) {
            (Status::Flawed, Source::Comment(comment, _)) => {
                return comment.flaw.iter().flat_map(|flaw| flawed(comment, flaw)).collect();
            }
            _ if named.is_empty() => return Vec::new(),
            (Status::WithoutReason, _) => {
                (&ignore_without_reason::RULE, format!("the ignore of {} has no reason", listed(&named)))
            }
            (Status::Expired(until), _) => (
                &expired_ignore::RULE,
                format!("the ignore of {} expired after {}", listed(&named), date::written(until)),
            ),
            (Status::Flawed | Status::Active | Status::NotInBase, _) => return Vec::new(),
        };
        let is_expired = matches!(self.status, Status::Expired(_));
        let mut sink = Sink::new(rule, Subject::Config);
        let finding = sink.report(place, fact).help(match self.source {
            Source::Entry(_) if is_expired => "remove the entry, or set a later date",
            Source::Comment(..) if is_expired => "remove the comment, or set a later date",
            Source::Entry(_) => "remove the entry, or give a reason: `reason = \"…\"`",
            Source::Comment(..) => "remove the comment, or give a reason after the bracket",
        });
        if let Some(place) = self.removal(run) {
            // A missing reason may have been forgotten; an expiry date was set deliberately.
            finding.edits.push(Edit { place, text: String::new(), safe: is_expired });
        }
        sink.into_findings()
    }

    /// Reports an ignore without findings, for rules that ran.
    fn unused(&self, run: &Run<'_>, round: Round, place: Place) -> Vec<Finding> {
        let is_in_round = |id: &str| ABOUT_IGNORES.iter().any(|rule| rule.id() == id) == (round == Round::Second);
        let was_checked = |id: &str| run.rules.iter().any(|rule| rule.id() == id && !rule.one_source);
        let unused = self.rules.iter().filter(|(_, used)| !used).map(|(rule, _)| rule.id());
        let unused: Vec<&str> = unused.filter(|id| is_in_round(id) && was_checked(id)).collect();
        if unused.is_empty() || !self.was_checked(run) {
            return Vec::new();
        }
        let report = if unused.len() == 1 { "reports" } else { "report" };
        let fact = format!("{} {report} nothing", listed(&unused));
        let mut sink = Sink::new(&unused_ignore::RULE, Subject::Config);
        match self.source {
            Source::Entry(entry) => {
                let exists = run.catalog.files().any(|(_, file)| is_about(entry, file));
                let none = || format!("no checked file matches `{}`", entry.pattern);
                let fact = if exists { format!("{fact} at `{}`", entry.pattern) } else { none() };
                let finding = sink.report(place, fact).help("remove the entry");
                if let Some(place) = self.removal(run) {
                    finding.edit(place, "");
                }
            }
            Source::Comment(comment, _) => {
                let fact = match comment.covers {
                    Some(_) => format!("{fact} to ignore here"),
                    None => "nothing follows this ignore, so it has no effect".into(),
                };
                remove_rules(comment, &unused, sink.report(place, fact));
            }
        }
        sink.into_findings()
    }

    /// Returns whether everything that the ignore covers was checked: many rules skip unreadable front matter.
    fn was_checked(&self, run: &Run<'_>) -> bool {
        match self.source {
            Source::Comment(_, skill) => skill.has_fields(),
            Source::Entry(entry) => {
                let parsed = &run.catalog.parsed;
                let is_repository = !matches!(parsed.origin, Origin::Directory | Origin::StandardInput);
                let mut unread = parsed.skills.iter().filter(|skill| !skill.has_fields());
                is_repository && !unread.any(|skill| is_about(entry, run.catalog.file(skill.file)))
            }
        }
    }

    /// Returns the bytes to delete with the ignore.
    fn removal(&self, run: &Run<'_>) -> Option<Place> {
        match self.source {
            Source::Comment(comment, _) => Some(comment.removal),
            Source::Entry(_) => {
                let place = self.place?;
                let Body::Text(text) = &run.catalog.file(place.file).body else { return None };
                Some(Place::new(place.file, config::removal(text, &place.range())?))
            }
        }
    }
}

fn is_about(entry: &config::Ignore, file: &File) -> bool {
    entry.path.is_match(&*config::as_path(file.path.as_bstr()))
}

/// Removes rules from a comment, or the whole comment if no rule remains. Otherwise reports at the first removed rule.
fn remove_rules(comment: &IgnoreComment, rules: &[&str], finding: &mut Finding) {
    let is_removed = |id: &&Spanned<String>| rules.contains(&id.value.as_str());
    let (removed, kept): (Vec<_>, Vec<_>) = comment.rules.iter().partition(is_removed);
    if kept.is_empty() {
        finding.help("remove the comment").edit(comment.removal, "");
        return;
    }
    finding.place = removed.first().map_or(finding.place, |id| id.place);
    let kept: Vec<&str> = kept.into_iter().map(|id| id.value.as_str()).collect();
    finding.help(format!("remove {} from the brackets", listed(rules))).edit(comment.brackets, kept.join(", "));
}

fn flawed(comment: &IgnoreComment, flaw: &Flaw) -> Vec<Finding> {
    let form = "remove the comment, or write `skilltree: ignore[RULE] REASON`";
    let (fact, help) = match flaw {
        Flaw::UnknownWord(word) if word.is_empty() => ("`skilltree:` is not followed by a command".into(), form),
        Flaw::UnknownWord(word) => (format!("`{word}` is not a command of a skilltree comment"), form),
        Flaw::NoColon => ("the comment does not begin with `skilltree:`".into(), form),
        Flaw::NoBrackets => ("the ignore has no brackets, so it names no rule".into(), form),
        Flaw::NoRule => ("the ignore names no rule".into(), form),
        Flaw::NoDate(day) => (
            format!("`{day}` is not a date"),
            "remove the comment, or write the last day on which it applies, such as until=2027-01-01",
        ),
    };
    let mut sink = Sink::new(&unused_ignore::RULE, Subject::Config);
    sink.report(comment.place, fact).help(help).unsafe_edit(comment.removal, "");
    sink.into_findings()
}

/// Joins words in backticks.
fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    text::joined(&quoted)
}
