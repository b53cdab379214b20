//! Full-text ranking of skills for a task: Okapi BM25 over names, descriptions and bodies.

use std::collections::BTreeMap;

use super::words::{fold, runs, significant, singular};
use super::{Body, Score};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::parallel;
use skilltree_skills::skill::SkillId;

/// BM25 saturation of the term frequency; with `B`, the weight of the text length, the usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Points per unit of BM25. Smaller differences are insignificant, and logarithms may differ by that much between
/// machines.
const UNIT: f64 = 1000.0;

/// Weight of the name and the description. They state the purpose of a skill, so they count in addition to the body.
const ABOUT: u32 = 2;

/// Ranks skills by full text. Words are normalized as for tags.
pub(super) fn rank(skills: &[SkillId], catalog: &Catalog, body: Body<'_>, task: &str) -> Vec<Score> {
    let words: Vec<String> = significant(task).into_iter().collect();
    let texts: Vec<Text> = parallel::map(skills, |&id| text(id, catalog, body, &words));
    let count = texts.len() as f64;
    let average = texts.iter().map(|text| text.length).sum::<u64>() as f64 / count.max(1.0);
    let mut holding = vec![0.0; words.len()];
    texts.iter().flat_map(|text| text.found.keys()).for_each(|&word| holding[word] += 1.0);
    let score = |(&skill, text): (&SkillId, &Text)| {
        let length = 1.0 - B + B * text.length as f64 / average;
        let value = |(&word, &times): (&usize, &u32)| {
            let rarity = (1.0 + (count - holding[word] + 0.5) / (holding[word] + 0.5)).ln();
            let times = f64::from(times);
            rarity * times * (K1 + 1.0) / (times + K1 * length)
        };
        let points = (text.found.iter().map(value).sum::<f64>() * UNIT).round() as u64;
        Score { skill, points, reason: reason(text, &words) }
    };
    skills.iter().zip(&texts).map(score).collect()
}

/// Word count of a text, and the frequency of each word of the task.
#[derive(Debug, Default)]
struct Text {
    length: u64,
    /// Frequency by the index of the word.
    found: BTreeMap<usize, u32>,
}

fn text(id: SkillId, catalog: &Catalog, body: Body<'_>, words: &[String]) -> Text {
    let skill = catalog.skill(id);
    let mut text = Text::default();
    text.add(&skill.shown_name(), ABOUT, words);
    for key in ["description", "when_to_use"] {
        text.add(skill.scalar(key).unwrap_or_default(), ABOUT, words);
    }
    for tag in skill.words("tags") {
        text.add(tag, ABOUT, words);
    }
    text.add(&body(id), 1, words);
    text
}

impl Text {
    /// Adds a part of the text with the weight `times`.
    fn add(&mut self, part: &str, times: u32, words: &[String]) {
        let mut buffer = String::new();
        for run in runs(part) {
            self.length += u64::from(times);
            if let Some(word) = find(words, run, &mut buffer) {
                *self.found.entry(word).or_default() += times;
            }
        }
    }
}

/// Returns the index of the task word that equals a run of letters and digits. Reusing the buffer saves an allocation
/// per run.
fn find(words: &[String], run: &str, buffer: &mut String) -> Option<usize> {
    buffer.clear();
    if run.is_ascii() {
        buffer.push_str(run);
        buffer.make_ascii_lowercase();
        buffer.truncate(singular(buffer).len());
    } else {
        buffer.push_str(&fold(run));
    }
    words.binary_search(buffer).ok()
}

fn reason(text: &Text, words: &[String]) -> String {
    match text.found.len() {
        0 => "it contains no word of the task".to_owned(),
        some => {
            let found: Vec<&str> = text.found.keys().map(|&word| words[word].as_str()).collect();
            format!("{some} of {} words: {}", words.len(), found.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use bm25::{Embedder, EmbedderBuilder, Embedding, Scorer, TokenEmbedder, TokenEmbedding, Tokenizer};
    use proptest::prelude::*;

    use super::*;
    use crate::select::words;
    use skilltree_runtimes::samples::{BOTH, catalog};

    /// Splits texts into all of their words.
    struct Folded;

    impl Tokenizer for Folded {
        fn tokenize(&self, text: &str) -> Vec<String> {
            words::words(text).collect()
        }
    }

    /// Compares words without normalization.
    struct Exact;

    impl TokenEmbedder for Exact {
        type EmbeddingSpace = String;

        fn embed(token: &str) -> String {
            token.to_owned()
        }
    }

    /// Points that the `bm25` crate computes for whole texts.
    fn expected(texts: &[String], task: &str) -> Vec<u64> {
        let corpus: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embedder: Embedder<Exact, Folded> =
            EmbedderBuilder::with_tokenizer_and_fit_to_corpus(Folded, &corpus).build();
        let mut scorer: Scorer<usize, String> = Scorer::new();
        for (number, text) in corpus.iter().enumerate() {
            scorer.upsert(&number, embedder.embed(text));
        }
        let wanted = Embedding(
            significant(task).into_iter().map(|index| TokenEmbedding { index, value: 1.0 }).collect::<Vec<_>>(),
        );
        (0..texts.len())
            .map(|number| (f64::from(scorer.score(&number, &wanted).unwrap()) * UNIT).round() as u64)
            .collect()
    }

    fn text_of_words() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            "[a-eA-E]{1,3}s{0,2}",
            "[0-9]{1,2}",
            Just("deployments".to_owned()),
            Just("STRASSE".to_owned()),
            Just("straße".to_owned()),
            Just("ÜBERS".to_owned()),
            Just("über".to_owned()),
            Just("\u{212a}s".to_owned()),
            Just("ΣΑΣ".to_owned()),
            Just("日本".to_owned()),
            Just("the".to_owned()),
            "[ab]{61,66}s?",
        ];
        let parts = (word, prop_oneof![Just(" "), Just("\n"), Just("-"), Just(", "), Just("\u{301}")]);
        proptest::collection::vec(parts, 0..24)
            .prop_map(|parts| parts.iter().flat_map(|(word, after)| [word.as_str(), *after]).collect())
    }

    proptest! {
        #[test]
        fn incremental_scores_equal_whole_text_scores(
            texts in proptest::collection::vec((text_of_words(), text_of_words(), text_of_words()), 1..8),
            task in text_of_words(),
        ) {
            let names: Vec<String> = (0..texts.len()).map(|number| format!("a{number}")).collect();
            let paths: Vec<String> = names.iter().map(|name| format!(".agent/skills/{name}/SKILL.md")).collect();
            let fields: Vec<[(&str, &str); 3]> = texts.iter().zip(&names)
                .map(|((about, tag, _), name)| [("name", name.as_str()), ("description", about), ("when_to_use", tag)])
                .collect();
            let skills: Vec<(&str, &[(&str, &str)])> =
                paths.iter().zip(&fields).map(|(path, fields)| (path.as_str(), &fields[..])).collect();
            let catalog = catalog(BOTH, &skills);
            let ids: Vec<SkillId> = (0..texts.len() as u32).map(SkillId).collect();
            let points: Vec<u64> = rank(&ids, &catalog, &|id| Cow::Borrowed(&texts[id.index()].2), &task)
                .iter().map(|score| score.points).collect();
            let whole: Vec<String> = texts.iter().zip(&names)
                .map(|((about, tag, body), name)| [[name, about, tag, name, about, tag].map(String::as_str).join("\n"), body.clone()].join("\n"))
                .collect();
            // The last digit may be rounded differently.
            let expected = expected(&whole, &task);
            prop_assert!(points.iter().zip(&expected).all(|(one, other)| one.abs_diff(*other) <= 1), "{:?} {:?}", points, expected);
        }
    }
}
