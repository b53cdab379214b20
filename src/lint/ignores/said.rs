//! What is to be said of ignores themselves. The findings are about the configuration, wherever the ignore stands: none
//! of them keeps a skill out of a prompt.

use bstr::ByteSlice;

use super::{Ignore, Ignores, Source, Standing};
use crate::catalog::Catalog;
use crate::config::{self, Config};
use crate::date;
use crate::rule::{Edit, Finding, Rule, Sink, Subject};
use crate::rules::{self, expired_ignore, ignore_without_reason, unknown_rule, unused_ignore};
use crate::skill::{Flaw, IgnoreComment};
use crate::snapshot::{Body, File, Origin};
use crate::text::{Place, Spanned};

/// Rules that fire in one kind of source only: an ignore of them that leaves nothing out here does so elsewhere.
const OF_ONE_SOURCE: [&str; 2] = ["unmerged-skill", "untracked-skill"];

/// The rules about ignores. Whether an ignore of one of them is used is known only after they were judged.
const ABOUT_IGNORES: [&Rule; 3] = [&expired_ignore::RULE, &ignore_without_reason::RULE, &unused_ignore::RULE];

/// Which ignores are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lint) enum Round {
    /// All of them, but for whether those of the rules about ignores are used.
    First,
    /// Whether those are used.
    Second,
}

/// What is known of a run beside its ignores.
pub(in crate::lint) struct Run<'a> {
    pub(in crate::lint) catalog: &'a Catalog,
    pub(in crate::lint) config: &'a Config,
    /// The rules that were judged.
    pub(in crate::lint) rules: &'a [&'static Rule],
}

impl Ignores<'_> {
    /// What is to be said of ignores, when all other findings were laid before them.
    pub(in crate::lint) fn findings(&self, run: &Run<'_>, round: Round) -> Vec<Finding> {
        self.all.iter().flat_map(|ignore| ignore.findings(run, round)).collect()
    }
}

impl Ignore<'_> {
    fn findings(&self, run: &Run<'_>, round: Round) -> Vec<Finding> {
        let Some(place) = self.place else { return Vec::new() };
        let mut findings = Vec::new();
        if round == Round::First {
            findings.extend(self.unknown_rules());
            findings.extend(self.void(run, place));
        }
        if self.standing == Standing::Holds {
            findings.extend(self.unused(run, round, place));
        }
        findings
    }

    /// Ids in a comment that name no rule. Those of the configuration were said when it was read.
    fn unknown_rules(&self) -> Vec<Finding> {
        let Source::Comment(comment, _) = self.source else { return Vec::new() };
        let mut sink = Sink::new(&unknown_rule::RULE, Subject::Config);
        for id in comment.rules.iter().filter(|id| rules::find(&id.value).is_none()) {
            sink.report(id.place, format!("there is no rule `{}`", id.value)).help(config::rule_help(&id.value));
        }
        sink.into_findings()
    }

    /// That it leaves nothing out, whatever is found.
    fn void(&self, run: &Run<'_>, place: Place) -> Vec<Finding> {
        let named: Vec<&str> = self.rules.iter().map(|(rule, _)| rule.id).collect();
        let (rule, fact) = match (self.standing, self.source) {
            (Standing::Flawed, Source::Comment(comment, _)) => {
                return comment.flaw.iter().flat_map(|flaw| flawed(comment, flaw)).collect();
            }
            _ if named.is_empty() => return Vec::new(),
            (Standing::WithoutReason, _) => {
                (&ignore_without_reason::RULE, format!("an ignore of {} without a reason", listed(&named)))
            }
            (Standing::Expired(until), _) => {
                (&expired_ignore::RULE, format!("an ignore of {} held until {}", listed(&named), date::written(until)))
            }
            (Standing::Flawed | Standing::Holds | Standing::NotInBase, _) => return Vec::new(),
        };
        let is_expired = matches!(self.standing, Standing::Expired(_));
        let mut sink = Sink::new(rule, Subject::Config);
        let finding = sink.report(place, fact).help(match self.source {
            Source::Entry(_) if is_expired => "remove the entry, or write a later day",
            Source::Comment(..) if is_expired => "remove the comment, or write a later day",
            Source::Entry(_) => "say why: `reason = \"…\"`",
            Source::Comment(..) => "say why behind the bracket, or remove the comment",
        });
        if let Some(place) = self.removal(run) {
            // Who forgot the reason had one; who named a day meant it.
            finding.edits.push(Edit { place, text: String::new(), safe: is_expired });
        }
        sink.into_findings()
    }

    /// That a rule which was judged found nothing for it to leave out.
    fn unused(&self, run: &Run<'_>, round: Round, place: Place) -> Vec<Finding> {
        let of_round = |id: &str| ABOUT_IGNORES.iter().any(|rule| rule.id == id) == (round == Round::Second);
        let was_judged = |id: &str| run.rules.iter().any(|rule| rule.id == id) && !OF_ONE_SOURCE.contains(&id);
        let unused = self.rules.iter().filter(|(_, used)| !used).map(|(rule, _)| rule.id);
        let unused: Vec<&str> = unused.filter(|id| of_round(id) && was_judged(id)).collect();
        if unused.is_empty() || !self.was_judged(run) {
            return Vec::new();
        }
        let find = if unused.len() == 1 { "finds" } else { "find" };
        let fact = format!("{} {find} nothing", listed(&unused));
        let mut sink = Sink::new(&unused_ignore::RULE, Subject::Config);
        match self.source {
            Source::Entry(entry) => {
                let exists = run.catalog.files().any(|(_, file)| is_about(entry, file));
                let none = || format!("there is nothing to judge at `{}`", entry.pattern);
                let fact = if exists { format!("{fact} at `{}`", entry.pattern) } else { none() };
                let finding = sink.report(place, fact).help("remove the entry");
                if let Some(place) = self.removal(run) {
                    finding.edit(place, "");
                }
            }
            Source::Comment(comment, _) => {
                let fact = match comment.covers {
                    Some(_) => format!("{fact} that this ignore could leave out"),
                    None => "nothing follows that this ignore could be about".into(),
                };
                take_out(comment, &unused, sink.report(place, fact));
            }
        }
        sink.into_findings()
    }

    /// Whether all that it is about could be judged: where a front matter cannot be read, many rules say nothing.
    fn was_judged(&self, run: &Run<'_>) -> bool {
        match self.source {
            Source::Comment(_, skill) => skill.has_fields(),
            Source::Entry(entry) => {
                let parsed = &run.catalog.parsed;
                let is_whole = !matches!(parsed.origin, Origin::Directory | Origin::StandardInput);
                let mut unread = parsed.skills.iter().filter(|skill| !skill.has_fields());
                is_whole && !unread.any(|skill| is_about(entry, run.catalog.file(skill.file)))
            }
        }
    }

    /// The bytes to take out with it.
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

/// Takes rules out of a comment, and the comment with them when no other is left; else the first of them is what is shown.
fn take_out(comment: &IgnoreComment, rules: &[&str], finding: &mut Finding) {
    let is_taken = |id: &&Spanned<String>| rules.contains(&id.value.as_str());
    let (taken, left): (Vec<_>, Vec<_>) = comment.rules.iter().partition(is_taken);
    if left.is_empty() {
        finding.help("remove the comment").edit(comment.removal, "");
        return;
    }
    finding.place = taken.first().map_or(finding.place, |id| id.place);
    let left: Vec<&str> = left.into_iter().map(|id| id.value.as_str()).collect();
    finding.help(format!("take {} out of the brackets", listed(rules))).edit(comment.brackets, left.join(", "));
}

fn flawed(comment: &IgnoreComment, flaw: &Flaw) -> Vec<Finding> {
    let form = "write `skilltree: ignore[RULE] REASON`, or remove the comment";
    let (fact, help) = match flaw {
        Flaw::UnknownWord(word) if word.is_empty() => ("nothing stands behind `skilltree:`".into(), form),
        Flaw::UnknownWord(word) => (format!("`{word}` is no word that a comment says to skilltree"), form),
        Flaw::NoBrackets => ("an ignore without brackets names no rule".into(), form),
        Flaw::NoRule => ("an ignore that names no rule".into(), form),
        Flaw::NoDate(day) => {
            (format!("`{day}` is no day"), "write the last day on which it holds, such as until=2027-01-01")
        }
    };
    let mut sink = Sink::new(&unused_ignore::RULE, Subject::Config);
    sink.report(comment.place, fact).help(help).unsafe_edit(comment.removal, "");
    sink.into_findings()
}

/// Words in backticks, with `and` before the last one.
fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, first @ [_, ..])) => format!("{} and {last}", first.join(", ")),
        _ => quoted.concat(),
    }
}
