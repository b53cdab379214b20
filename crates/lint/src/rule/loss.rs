//! Runtimes that lose a skill because of a finding, and their description.

use std::collections::BTreeMap;
use std::sync::Arc;

use skilltree_front_matter::text::grouped;
use skilltree_runtimes::forecast::{Outcome, SkillForecast};
use skilltree_runtimes::profile::{Basis, Kind, Profile, Reported};

/// Maximum number of names in a sentence.
const NAMED: usize = 6;

/// A runtime as it appears in findings.
#[derive(Debug, PartialEq, Eq)]
pub struct Runtime {
    /// Profile id.
    pub id: String,
    /// Name.
    pub title: String,
    /// Name as the subject of a sentence, with a mark if only documentation is known.
    pub actor: String,
    /// How sure the profile is, as text.
    pub basis: Option<String>,
    /// See [`Profile::usage_rank`].
    pub usage_rank: Option<u32>,
    /// See [`Profile::is_evidence`].
    pub is_evidence: bool,
}

/// A runtime that loses a skill because of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Runtime, shared by the losses of a run.
    pub runtime: Arc<Runtime>,
    /// Outcome of the skill: dropped or altered.
    pub outcome: Outcome,
    /// Whether a text of the skill is truncated.
    pub is_cut: bool,
    /// How the runtime reports the loss; `None` if unknown.
    pub reported: Option<Reported>,
    /// Whether the loss is evidence for an error: see [`Profile::is_evidence`].
    pub is_evidence: bool,
}

/// Phrase that precedes the runtimes that handle a skill in one way, in the order of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Phrase {
    order: u8,
    words: &'static str,
}

impl Phrase {
    /// Returns the phrase for a forecast other than [`Outcome::Loads`].
    pub fn new(forecast: &SkillForecast) -> Self {
        Self::of(forecast.if_read, forecast.reported, forecast.cut_from.is_some())
    }

    /// Returns whether the skills are dropped or changed.
    pub fn outcome(self) -> Outcome {
        if self.order < Self::FIRST_CHANGE { Outcome::Drops } else { Outcome::Changes }
    }

    /// Returns the words without the runtimes: `silently dropped`.
    pub fn effect(self) -> &'static str {
        self.words.strip_suffix(" by").unwrap_or(self.words)
    }

    /// Order of the first phrase about skills that are loaded.
    const FIRST_CHANGE: u8 = 4;

    fn of(outcome: Outcome, reported: Option<Reported>, is_cut: bool) -> Self {
        let (order, words) = match (outcome, reported) {
            (Outcome::Drops, Some(Reported::Nothing)) => (0, "silently dropped by"),
            (Outcome::Drops, Some(Reported::Log)) => (1, "logged and dropped by"),
            (Outcome::Drops, Some(Reported::Error)) => (2, "rejected by"),
            (Outcome::Drops, None) => (3, "dropped by"),
            _ if is_cut => (5, "loaded with a truncated description by"),
            _ => (4, "loaded with changes by"),
        };
        Self { order, words }
    }
}

impl Runtime {
    /// Creates the runtime of a profile.
    pub fn new(profile: &Profile) -> Arc<Self> {
        Arc::new(Self {
            id: profile.id.clone(),
            title: profile.title.clone(),
            actor: actor(profile),
            basis: Basis::of(profile).map(|basis| basis.to_string()),
            usage_rank: profile.usage_rank,
            is_evidence: profile.is_evidence(),
        })
    }
}

/// Names a runtime, and marks one that was neither run nor read: `Cursor (documented only)`. A design or a specification
/// is its documentation.
fn actor(profile: &Profile) -> String {
    let is_program = matches!(profile.kind, Kind::Runtime | Kind::Installer);
    let is_documented = is_program && profile.documented.is_some();
    format!("{}{}", profile.actor(), if is_documented { " (documented only)" } else { "" })
}

impl Loss {
    /// Creates the loss that a forecast describes.
    pub fn new(runtime: &Arc<Runtime>, forecast: &SkillForecast) -> Self {
        Self {
            runtime: Arc::clone(runtime),
            outcome: forecast.if_read,
            is_cut: forecast.cut_from.is_some(),
            reported: forecast.reported,
            is_evidence: runtime.is_evidence,
        }
    }

    fn phrase(&self) -> Phrase {
        Phrase::of(self.outcome, self.reported, self.is_cut)
    }
}

/// Names the runtimes that lose a skill: `silently dropped by goose; rejected by Codex`. If there are too many to name, the
/// most used ones are named.
pub fn describe_losses(losses: &[Loss]) -> Option<String> {
    let mut named: Vec<&Loss> = losses.iter().collect();
    // A runtime that the repository defines itself is used there; a specification is not run.
    let unranked = |runtime: &Runtime| if runtime.is_evidence { 0 } else { u32::MAX };
    let rank = |runtime: &Runtime| runtime.usage_rank.unwrap_or_else(|| unranked(runtime));
    named.sort_by_key(|loss| (rank(&loss.runtime), loss.runtime.title.to_lowercase()));
    let words = |named: &[&Loss]| by_phrase(named.iter().map(|loss| (loss.phrase(), loss.runtime.actor.as_str())));
    if named.len() <= NAMED {
        return (!named.is_empty()).then(|| words(&named));
    }
    named.truncate(NAMED);
    let is_dropped = losses.iter().any(|loss| loss.outcome == Outcome::Drops);
    let is_changed = losses.iter().any(|loss| loss.outcome != Outcome::Drops);
    let effects = match (is_dropped, is_changed) {
        (true, true) => "dropped or changed",
        (true, false) => "dropped",
        (false, _) => "changed",
    };
    let (all, more) = (grouped(losses.len()), grouped(losses.len() - NAMED));
    Some(format!("{effects} by {all} runtimes: {}; and {more} more", words(&named)))
}

/// Groups runtimes by phrase: `rejected by Codex; loaded with changes by goose and pi`.
pub fn by_phrase<'a>(losses: impl IntoIterator<Item = (Phrase, &'a str)>) -> String {
    let mut groups: BTreeMap<Phrase, Vec<&str>> = BTreeMap::new();
    for (phrase, actor) in losses {
        groups.entry(phrase).or_default().push(actor);
    }
    let groups: Vec<String> =
        groups.iter().map(|(phrase, actors)| format!("{} {}", phrase.words, joined(actors))).collect();
    groups.join("; ")
}

/// Lists names in a sentence: `a, b and c`, or the first ones and how many more there are.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown = if names.len() > NAMED { NAMED - 1 } else { names.len() };
    let mut words: Vec<String> = names[..shown].iter().map(|name| name.as_ref().to_owned()).collect();
    if shown < names.len() {
        words.push(format!("{} more", grouped(names.len() - shown)));
    }
    joined(&words)
}

fn joined<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(title: &str, outcome: Outcome, is_cut: bool, reported: Option<Reported>) -> Loss {
        let (title, rank) = title.split_once(' ').unwrap_or((title, ""));
        let runtime = Arc::new(Runtime {
            id: title.to_lowercase(),
            title: title.to_owned(),
            actor: format!("the {title}"),
            basis: None,
            usage_rank: rank.parse().ok(),
            is_evidence: true,
        });
        Loss { runtime, outcome, is_cut, reported, is_evidence: true }
    }

    #[test]
    fn marks_runtimes_that_are_only_documented() {
        let actor = |line: &str| {
            let text = format!("id = 'x'\ntitle = 'X'\nabout = 'y'\n{line} = {{ date = '2026-11' }}\n");
            Runtime::new(&Profile::parse(&text).unwrap()).actor.clone()
        };
        assert_eq!(actor("documented"), "X (documented only)");
        assert_eq!(actor("read"), "X");
        assert_eq!(actor("observed"), "X");
    }

    #[test]
    fn groups_runtimes_by_phrase() {
        let losses = [
            loss("Codex", Outcome::Drops, false, Some(Reported::Error)),
            loss("Hermes", Outcome::Changes, true, Some(Reported::Nothing)),
            loss("pi", Outcome::Drops, false, Some(Reported::Log)),
            loss("OpenClaw", Outcome::Drops, false, Some(Reported::Nothing)),
            loss("Claude", Outcome::Changes, false, Some(Reported::Log)),
            loss("goose", Outcome::Drops, false, Some(Reported::Nothing)),
        ];
        let words = "silently dropped by the goose and the OpenClaw; logged and dropped by the pi; rejected by the Codex; \
            loaded with changes by the Claude; loaded with a truncated description by the Hermes";
        assert_eq!(describe_losses(&losses).as_deref(), Some(words));
        assert_eq!(describe_losses(&[]), None);
    }

    #[test]
    fn names_the_most_used_of_many_runtimes() {
        let titles = ["a 8", "b 7", "c 6", "d 5", "e 4", "f 3", "g 2", "h"];
        let mut losses = titles.map(|title| loss(title, Outcome::Drops, false, None));
        let words = "dropped by 8 runtimes: dropped by the h, the g, the f, the e, the d and the c; and 2 more";
        assert_eq!(describe_losses(&losses).as_deref(), Some(words));
        losses[0].outcome = Outcome::Changes;
        assert!(describe_losses(&losses).is_some_and(|words| words.starts_with("dropped or changed by 8 runtimes: ")));
        assert_eq!(listed(&titles), "a 8, b 7, c 6, d 5, e 4 and 3 more");
    }
}
