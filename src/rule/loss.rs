//! The runtimes that lose a skill by what a finding says.

use std::sync::Arc;

use crate::forecast::{Fate, SkillForecast};
use crate::profile::{Profile, Said};

/// Runtimes that a note names; a program finds all of them in the JSON.
const NAMED: usize = 6;

/// A runtime, as findings name it.
#[derive(Debug, PartialEq, Eq)]
pub struct Runtime {
    /// The id of its profile.
    pub id: String,
    /// Its name.
    pub title: String,
}

/// A runtime that does not load a skill, or loads another one than is written, because of what a finding says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The runtime.
    pub runtime: Arc<Runtime>,
    /// What becomes of the skill: it is dropped, or it is altered.
    pub fate: Fate,
    /// Whether a text of it is cut.
    pub is_cut: bool,
    /// How the runtime tells of it; `None` when nobody knows.
    pub said: Option<Said>,
}

impl Runtime {
    /// The runtime of a profile.
    pub fn new(profile: &Profile) -> Arc<Self> {
        Arc::new(Self { id: profile.id.clone(), title: profile.title.clone() })
    }
}

impl Loss {
    /// What a runtime makes of a skill.
    pub fn new(runtime: &Arc<Runtime>, told: &SkillForecast) -> Self {
        Self { runtime: Arc::clone(runtime), fate: told.fate, is_cut: told.cut_from.is_some(), said: told.said }
    }

    /// What becomes of the skill, and how it is told, in words that a list of runtimes follows.
    fn words(&self) -> &'static str {
        match (self.fate, self.said) {
            (Fate::Dropped, Some(Said::Nothing)) => "dropped without a word by",
            (Fate::Dropped, Some(Said::Log)) => "dropped and logged by",
            (Fate::Dropped, Some(Said::Error)) => "an error in",
            (Fate::Dropped, None) => "dropped by",
            _ if self.is_cut => "cut by",
            _ => "loaded otherwise than it is written by",
        }
    }
}

/// Who loses a skill, in a line: `dropped without a word by Gemini CLI and OpenClaw; an error in Codex`.
pub fn losses_in_words(losses: &[Loss]) -> Option<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut sorted: Vec<&Loss> = losses.iter().collect();
    // The worst stands first, and of that what is not even told.
    sorted.sort_by_key(|loss| {
        let told = loss.said.map_or(3, |said| 2 - said as u8);
        (std::cmp::Reverse(loss.fate), told, loss.words(), loss.runtime.title.to_lowercase())
    });
    for loss in sorted {
        match groups.last_mut() {
            Some((words, titles)) if *words == loss.words() => titles.push(&loss.runtime.title),
            _ => groups.push((loss.words(), vec![&loss.runtime.title])),
        }
    }
    let groups: Vec<String> = groups.iter().map(|(words, titles)| format!("{words} {}", listed(titles))).collect();
    (!groups.is_empty()).then(|| groups.join("; "))
}

/// Names in a sentence, folded where they are many.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let shown = if names.len() > NAMED { NAMED - 1 } else { names.len() };
    let mut words: Vec<String> = names[..shown].iter().map(|name| name.as_ref().to_owned()).collect();
    if shown < names.len() {
        words.push(format!("{} more", names.len() - shown));
    }
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(title: &str, fate: Fate, is_cut: bool, said: Option<Said>) -> Loss {
        let runtime = Arc::new(Runtime { id: title.to_lowercase(), title: title.to_owned() });
        Loss { runtime, fate, is_cut, said }
    }

    #[test]
    fn the_worst_stands_first_and_many_are_folded() {
        let losses = [
            loss("Codex", Fate::Dropped, false, Some(Said::Error)),
            loss("Hermes Agent", Fate::Altered, true, Some(Said::Nothing)),
            loss("OpenClaw", Fate::Dropped, false, Some(Said::Nothing)),
            loss("Gemini CLI", Fate::Dropped, false, Some(Said::Nothing)),
        ];
        let words = "dropped without a word by Gemini CLI and OpenClaw; an error in Codex; cut by Hermes Agent";
        assert_eq!(losses_in_words(&losses).as_deref(), Some(words));
        let many: Vec<Loss> = ('a'..='l').map(|title| loss(&title.to_string(), Fate::Dropped, false, None)).collect();
        assert_eq!(losses_in_words(&many).as_deref(), Some("dropped by a, b, c, d, e and 7 more"));
        assert_eq!(losses_in_words(&[]), None);
    }
}
