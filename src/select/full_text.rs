//! Skills by how well their texts fit a task: Okapi BM25 over names, descriptions and bodies.
//!
//! A text is gone through once, and the crate that ranks is given the words of the task alone: a thousand bodies hold
//! millions of other words, of which the number alone matters.

use std::collections::BTreeMap;
use std::iter;

use bm25::{EmbedderBuilder, Embedding, Scorer, TokenEmbedder, TokenEmbedding, Tokenizer};
use rayon::prelude::*;

use super::task::Body;
use super::words::{fold, runs, singular, telling};
use super::{Score, name};
use crate::catalog::Catalog;
use crate::skill::SkillId;

/// Points of one unit of BM25. Smaller differences say nothing, and are where the logarithms of two machines may differ.
const UNIT: f32 = 1000.0;

/// How often a name and a description count. They say what a skill is for, so they count again beside the body.
const ABOUT: u32 = 2;

/// Points by full text. The words are those that tags are compared by.
pub(super) fn rank(skills: &[SkillId], catalog: &Catalog, body: Body<'_>, task: &str) -> Vec<Score> {
    let words = Words::of(task);
    let texts: Vec<Text> = skills.par_iter().map(|&id| text(id, catalog, body, &words)).collect();
    let length: u64 = texts.iter().map(|text| text.length).sum();
    let average = length as f64 / texts.len().max(1) as f64;
    let mut scorer: Scorer<usize, usize> = Scorer::new();
    for (number, text) in texts.iter().enumerate() {
        scorer.upsert(&number, text.embedding(average));
    }
    let wanted = Embedding((0..words.all.len()).map(|index| TokenEmbedding { index, value: 1.0 }).collect());
    let score = |((number, &skill), text): ((usize, &SkillId), &Text)| {
        let points = scorer.score(&number, &wanted).map_or(0, |score| (score * UNIT).round() as u64);
        Score { skill, points, reason: reason(text, &words) }
    };
    skills.iter().enumerate().zip(&texts).map(score).collect()
}

/// The words of a skill.
fn text(id: SkillId, catalog: &Catalog, body: Body<'_>, words: &Words) -> Text {
    let skill = catalog.skill(id);
    let mut text = Text::default();
    text.add(&name(skill), ABOUT, words);
    for key in ["description", "when_to_use"] {
        text.add(skill.scalar(key).unwrap_or_default(), ABOUT, words);
    }
    for tag in skill.words("tags") {
        text.add(tag, ABOUT, words);
    }
    text.add(&body(id), 1, words);
    text
}

/// What of a text counts.
#[derive(Debug, Default)]
struct Text {
    /// How many words it has.
    length: u64,
    /// How often it holds a word of the task, by the number of the word.
    found: BTreeMap<usize, u32>,
}

impl Text {
    /// Adds a part of the text, as often as it counts.
    fn add(&mut self, part: &str, times: u32, words: &Words) {
        let mut buffer = String::new();
        for run in runs(part) {
            self.length += u64::from(times);
            if let Some(word) = words.number(run, &mut buffer) {
                *self.found.entry(word).or_default() += times;
            }
        }
    }

    /// What the crate makes of it, with its usual parameters. It sees the words that were found and no other; that the text
    /// is longer than they are is told by an average that is shorter in the same measure.
    fn embedding(&self, average: f64) -> Embedding<usize> {
        let found = self.found.iter().flat_map(|(word, &times)| iter::repeat_n(word.to_string(), times as usize));
        let found: Vec<String> = found.collect();
        let average = average * found.len() as f64 / self.length.max(1) as f64;
        EmbedderBuilder::<Numbered, Numbers>::with_avgdl(average as f32).build().embed(&found.join(" "))
    }
}

/// Cuts a text that is made of the numbers of words.
#[derive(Default)]
struct Numbers;

impl Tokenizer for Numbers {
    fn tokenize(&self, text: &str) -> Vec<String> {
        text.split_ascii_whitespace().map(str::to_owned).collect()
    }
}

/// Words by their numbers: the crate's own way would take words with one hash for one.
struct Numbered;

impl TokenEmbedder for Numbered {
    type EmbeddingSpace = usize;

    fn embed(token: &str) -> usize {
        token.parse().unwrap_or(usize::MAX)
    }
}

fn reason(text: &Text, words: &Words) -> String {
    match text.found.len() {
        0 => "it holds no word of the task".to_owned(),
        some => {
            let found: Vec<&str> = text.found.keys().map(|&word| words.all[word].as_str()).collect();
            format!("{some} of {} words: {}", words.all.len(), found.join(", "))
        }
    }
}

/// The words of a task.
struct Words {
    /// All of them, sorted.
    all: Vec<String>,
    /// The lengths in bytes that a run of letters and digits in ASCII has which is one of them, by its first byte: a bit a
    /// length, the last one for all that are longer.
    lengths: [u64; 256],
}

/// The last bit of the lengths.
const LONG: usize = 63;

impl Words {
    fn of(task: &str) -> Self {
        let all: Vec<String> = telling(task).into_iter().collect();
        let mut lengths = [0; 256];
        for (word, first) in all.iter().filter_map(|word| Some((word, word.bytes().next()?))) {
            for spelled in [first, first.to_ascii_uppercase()] {
                // A run may have an `s` more.
                let both = 1 << word.len().min(LONG) | 1 << (word.len() + 1).min(LONG);
                lengths[usize::from(spelled)] |= both;
            }
        }
        Self { all, lengths }
    }

    /// The number of the word that a run of letters and digits is, if it is one of them. Nearly all runs are none, and the
    /// first letter and the length tell it of most. The buffer is there to be used again.
    fn number(&self, run: &str, buffer: &mut String) -> Option<usize> {
        if !run.is_ascii() {
            return self.find(&fold(run));
        }
        let first = *run.as_bytes().first()?;
        if self.lengths[usize::from(first)] >> run.len().min(LONG) & 1 == 0 {
            return None;
        }
        buffer.clear();
        buffer.push_str(run);
        buffer.make_ascii_lowercase();
        self.find(singular(buffer))
    }

    fn find(&self, word: &str) -> Option<usize> {
        self.all.binary_search_by(|other| other.as_str().cmp(word)).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use bm25::Embedder;
    use proptest::prelude::*;

    use super::*;
    use crate::samples::{BOTH, catalog};
    use crate::select::words;

    /// Cuts texts into all of their words.
    struct Folded;

    impl Tokenizer for Folded {
        fn tokenize(&self, text: &str) -> Vec<String> {
            words::words(text).collect()
        }
    }

    /// Words as they are.
    struct Exact;

    impl TokenEmbedder for Exact {
        type EmbeddingSpace = String;

        fn embed(token: &str) -> String {
            token.to_owned()
        }
    }

    /// The points that the crate gives to whole texts.
    fn expected(texts: &[String], task: &str) -> Vec<u64> {
        let corpus: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embedder: Embedder<Exact, Folded> =
            EmbedderBuilder::with_tokenizer_and_fit_to_corpus(Folded, &corpus).build();
        let mut scorer: Scorer<usize, String> = Scorer::new();
        for (number, text) in corpus.iter().enumerate() {
            scorer.upsert(&number, embedder.embed(text));
        }
        let wanted =
            Embedding(telling(task).into_iter().map(|index| TokenEmbedding { index, value: 1.0 }).collect::<Vec<_>>());
        (0..texts.len()).map(|number| (scorer.score(&number, &wanted).unwrap() * UNIT).round() as u64).collect()
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
            .prop_map(|parts| parts.iter().flat_map(|(word, behind)| [word.as_str(), *behind]).collect())
    }

    proptest! {
        #[test]
        fn points_are_those_of_whole_texts(
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
            // The last digit may be rounded otherwise.
            let expected = expected(&whole, &task);
            prop_assert!(points.iter().zip(&expected).all(|(one, other)| one.abs_diff(*other) <= 1), "{:?} {:?}", points, expected);
        }
    }
}
