//! An explanation as a Markdown document: docs/rules/ID.md, and what `explain` prints.

use super::runtimes::Loss;
use super::{Explanation, Part, Shown};
use crate::fix::Offers;
use crate::forecast::Fate;
use crate::profile::Said;
use crate::render;
use crate::rule::{Defaults, Level};

/// How much of an explanation is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One example of each kind, and where the others are.
    Brief,
    /// Every example.
    Whole,
}

/// An explanation as a document.
pub fn markdown(explanation: &Explanation, extent: Extent) -> String {
    let mut text = format!("# {}\n\n{}\n\n{}", explanation.rule.id, explanation.lead, facts(explanation));
    section(&mut text, "Why it matters", explanation.why);
    section(&mut text, "Who loses such a skill", &losses(&explanation.losses));
    let shown = |examples: &'_ [Shown]| match extent {
        Extent::Brief => examples.len().min(1),
        Extent::Whole => examples.len(),
    };
    for example in &explanation.fires[..shown(&explanation.fires)] {
        section(&mut text, &titled("Example", example), &shown_example(example));
    }
    for more in explanation.more.iter().filter(|more| more.heading != "Settings") {
        section(&mut text, more.heading, more.text);
    }
    for example in &explanation.quiet[..shown(&explanation.quiet)] {
        section(&mut text, &titled("Instead", example), &shown_example(example));
    }
    for more in explanation.more.iter().filter(|more| more.heading == "Settings") {
        section(&mut text, more.heading, more.text);
    }
    section(&mut text, "Evidence", explanation.evidence);
    let others = explanation.fires.len() + explanation.quiet.len();
    let others = others - shown(&explanation.fires) - shown(&explanation.quiet);
    if others > 0 {
        let examples = render::count(others, "more example");
        text.push_str(&format!("\n{examples}: {}\n", render::rule_url(explanation.rule)));
    }
    text
}

fn section(text: &mut String, heading: &str, content: &str) {
    if !content.is_empty() {
        text.push_str(&format!("\n## {heading}\n\n{}\n", content.trim_end_matches('\n')));
    }
}

fn titled(word: &str, example: &Shown) -> String {
    if example.title.is_empty() { word.to_owned() } else { format!("{word}: {}", example.title) }
}

/// What a list of rules would say of it.
fn facts(explanation: &Explanation) -> String {
    let rule = explanation.rule;
    let level = rule.usual_level();
    let means = match level {
        Level::Error => "some runtime that people use loses the skill, or a cap of the repository's own is broken",
        Level::Warning => "a runtime shows or reads it otherwise than meant, or it does not do what was meant",
        Level::Note => "advice",
        Level::Off => "not judged unless somebody asks for it",
    };
    let prompt = match (rule.unusable, level) {
        (true, _) => "it keeps a skill out at every level, even where it is ignored",
        (false, Level::Error) if !rule.takes_skills_out() => "the skill stays in: a target is no dispatcher",
        (false, Level::Error) => "an error about a skill keeps it out",
        (false, _) => "the skill stays in",
    };
    // The page says of an edit that there is one.
    let edit = match explanation.offers {
        Offers { safe: 0, unsafe_edits: 0 } => "- **Edit**: none, it is mended by hand\n",
        _ => "",
    };
    format!(
        "- **Level**: {} ({means})\n- **Chapter**: {}\n- **Since**: {}\n- **In a prompt**: {prompt}\n{edit}",
        level.name(),
        rule.group.title(),
        since(explanation),
    )
}

fn since(explanation: &Explanation) -> String {
    let rule = explanation.rule;
    if rule.is_preview() {
        return "in preview: `--preview` judges by it, until an edition takes it".into();
    }
    let defaults = Defaults::default();
    let changes = defaults.changes.iter().filter(|change| change.rule == rule.id);
    let changes = changes.map(|change| format!(", {} since {}", change.level.name(), change.since.0));
    format!("edition {}{}", rule.since.0, changes.collect::<String>())
}

/// The runtimes by what becomes of the skill and why, a line each; in a line by how they tell of it.
fn losses(losses: &[Loss]) -> String {
    const TOLD: [(Option<Said>, &str); 4] = [
        (Some(Said::Error), "with an error"),
        (Some(Said::Log), "in a log"),
        (Some(Said::Nothing), "without a word"),
        (None, "nobody knows how it is told"),
    ];
    let mut lines: Vec<(String, Vec<&Loss>)> = Vec::new();
    for loss in losses {
        let fate = if loss.fate == Fate::Dropped { "Not loaded" } else { "Loaded otherwise than it is written" };
        let reason = loss.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        let what = format!("**{fate}**{reason}");
        match lines.iter_mut().find(|(known, _)| *known == what) {
            Some((_, alike)) => alike.push(loss),
            None => lines.push((what, vec![loss])),
        }
    }
    let line = |(what, alike): &(String, Vec<&Loss>)| {
        let told = TOLD.iter().filter_map(|&(said, words)| {
            let titles: Vec<&str> =
                alike.iter().filter(|loss| loss.said == said).map(|loss| loss.title.as_str()).collect();
            (!titles.is_empty()).then(|| format!("{words}: {}", titles.join(", ")))
        });
        format!("- {what}, {}\n", told.collect::<Vec<_>>().join("; "))
    };
    lines.iter().map(line).collect()
}

fn shown_example(example: &Shown) -> String {
    let mut text = String::new();
    for part in &example.parts {
        match part {
            Part::Words(words) => text.push_str(&format!("{words}\n\n")),
            Part::Today(day) => text.push_str(&format!("Judged on {day}.\n\n")),
            Part::File { language, path, words, text: file } => {
                let words: &[&str] = if words.is_empty() && file.is_empty() { &["empty"] } else { words };
                text.push_str(&format!("`{path}`{}\n\n", described(words)));
                if !file.is_empty() {
                    fenced(&mut text, language, file);
                }
            }
        }
    }
    if !example.said.is_empty() {
        fenced(&mut text, "text", &example.said);
    }
    text
}

/// What else is to be known of a file, in brackets.
fn described(words: &[&str]) -> String {
    let word = |word: &&str| match word.split_once('=').unwrap_or((word, "")) {
        ("escaped", _) => "escapes stand for what they say".to_owned(),
        ("repeat", times) => format!("the last line {times} times"),
        ("link", _) => "a symbolic link".to_owned(),
        ("before", _) => "as the base has it".to_owned(),
        ("stage", _) => "in conflict".to_owned(),
        (plain @ ("executable" | "empty"), _) => plain.to_owned(),
        (other, _) => format!("a {other}"),
    };
    let words: Vec<String> = words.iter().map(word).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

/// A block of code whose fence is longer than any in it.
fn fenced(text: &mut String, language: &str, code: &str) {
    let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    text.push_str(&format!("{fence}{language}\n{}\n{fence}\n\n", code.trim_end_matches('\n')));
}
