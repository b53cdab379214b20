//! Skills by how well their texts fit a task: Okapi BM25 over names, descriptions and bodies.

use std::collections::BTreeSet;

use bm25::{EmbedderBuilder, Embedding, Scorer, TokenEmbedder, TokenEmbedding, Tokenizer};
use rayon::prelude::*;

use super::task::Body;
use super::words::{fold, runs, telling};
use super::{Score, name};
use crate::catalog::Catalog;
use crate::skill::SkillId;

/// Points of one unit of BM25. Smaller differences say nothing, and are where the logarithms of two machines may differ.
const UNIT: f32 = 1000.0;

/// Points by full text. The words are those that tags are compared by.
pub(super) fn rank(skills: &[SkillId], catalog: &Catalog, body: Body<'_>, task: &str) -> Vec<Score> {
    let words = Words::of(task);
    let texts: Vec<String> = skills.iter().map(|&id| text(id, catalog, body)).collect();
    let corpus: Vec<&str> = texts.iter().map(String::as_str).collect();
    // The crate would take the length of every text one after the other, and each word of it into memory for that.
    let length: u64 = corpus.par_iter().map(|text| runs(text).count() as u64).sum();
    let average = (length as f64 / corpus.len().max(1) as f64) as f32;
    let embedder =
        EmbedderBuilder::<Exact, &Words>::with_tokenizer_and_fit_to_corpus(&words, &[]).avgdl(average).build();
    // A word of the text that the task does not have counts for the length alone.
    let telling = |text: &&str| {
        let embedding = embedder.embed(text).0;
        Embedding(embedding.into_iter().filter(|token| !token.index.is_empty()).collect())
    };
    let embedded: Vec<Embedding<String>> = corpus.par_iter().map(telling).collect();
    let found: Vec<BTreeSet<String>> = embedded.iter().map(|text| text.indices().cloned().collect()).collect();
    let mut scorer: Scorer<u32, String> = Scorer::new();
    for (number, embedding) in (0u32..).zip(embedded) {
        scorer.upsert(&number, embedding);
    }
    let wanted = Embedding(words.0.iter().map(|word| TokenEmbedding { index: word.clone(), value: 1.0 }).collect());
    let score = |((number, &skill), found): ((u32, &SkillId), &BTreeSet<String>)| {
        let points = scorer.score(&number, &wanted).map_or(0, |score| (score * UNIT).round() as u64);
        Score { skill, points, reason: reason(found, words.0.len()) }
    };
    (0u32..).zip(skills).zip(&found).map(score).collect()
}

/// The text that is ranked. A name and a description say what a skill is for, so they count again beside the body.
fn text(id: SkillId, catalog: &Catalog, body: Body<'_>) -> String {
    let skill = catalog.skill(id);
    let value = |key: &str| skill.scalar(key).unwrap_or_default().to_owned();
    let about = [name(skill).into_owned(), value("description"), value("when_to_use"), skill.words("tags").join(" ")];
    [about.join("\n"), about.join("\n"), body(id)].join("\n")
}

fn reason(found: &BTreeSet<String>, all: usize) -> String {
    match found.len() {
        0 => "it holds no word of the task".to_owned(),
        some => {
            let words: Vec<&str> = found.iter().map(String::as_str).collect();
            format!("{some} of {all} words: {}", words.join(", "))
        }
    }
}

/// The words of a task. What else a text holds only makes it longer, so every other word is the same empty one.
struct Words(BTreeSet<String>);

impl Words {
    fn of(task: &str) -> Self {
        Self(telling(task))
    }

    /// Whether a run of letters and digits may be one of them: a run that is longer than any is not folded at all.
    fn longest(&self) -> usize {
        self.0.iter().map(String::len).max().unwrap_or(0) + 1
    }
}

impl Tokenizer for &Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let longest = self.longest();
        let word = |run: &str| match run.is_ascii() && run.len() > longest {
            true => String::new(),
            false => Some(fold(run)).filter(|word| self.0.contains(word)).unwrap_or_default(),
        };
        runs(text).map(word).collect()
    }
}

/// Words as they are: two words are one only when they are equal, whatever somebody puts into a skill.
struct Exact;

impl TokenEmbedder for Exact {
    type EmbeddingSpace = String;

    fn embed(token: &str) -> String {
        token.to_owned()
    }
}
