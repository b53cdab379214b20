//! An explanation as Markdown: docs/rules/ID.md, and the output of `explain`.

use super::runtimes::Loss;
use super::{Explanation, Part, Shown};
use crate::render;
use skilltree_lint::fix::Offers;
use skilltree_lint::rule::{Defaults, Level, Reads, by_phrase};
use skilltree_runtimes::forecast::Outcome;

/// Extent of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// One example of each kind, and a reference to the others.
    Brief,
    /// All examples.
    Full,
    /// All examples. All but the first of each kind are folded: `???` of pymdownx.
    Folded,
}

/// Formats an explanation.
pub fn markdown(explanation: &Explanation, extent: Extent) -> String {
    let mut text = format!("# {}\n\n{}\n\n{}", explanation.rule.id(), explanation.lead, facts(explanation));
    section(&mut text, "Why it matters", explanation.why);
    section(&mut text, "Affected runtimes", &losses(&explanation.losses));
    let shown = |examples: &'_ [Shown]| match extent {
        Extent::Brief => examples.len().min(1),
        Extent::Full | Extent::Folded => examples.len(),
    };
    let put = |text: &mut String, word: &str, examples: &[Shown]| {
        for (number, example) in examples[..shown(examples)].iter().enumerate() {
            let write = if number > 0 && extent == Extent::Folded { folded } else { section };
            write(text, &titled(word, example), &shown_example(example));
        }
    };
    put(&mut text, "Example", &explanation.fires);
    for more in explanation.more.iter().filter(|more| more.heading != "Settings") {
        section(&mut text, more.heading, more.text);
    }
    put(&mut text, "Not reported", &explanation.quiet);
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

fn folded(text: &mut String, heading: &str, content: &str) {
    text.push_str(&format!("\n??? example \"{}\"\n\n", heading.replace('"', "&quot;")));
    for line in content.trim_end_matches('\n').lines() {
        let indent = if line.is_empty() { "" } else { "    " };
        text.push_str(&format!("{indent}{line}\n"));
    }
}

fn titled(word: &str, example: &Shown) -> String {
    if example.title.is_empty() { word.to_owned() } else { format!("{word}: {}", example.title) }
}

/// Returns the facts shown in a list of rules.
fn facts(explanation: &Explanation) -> String {
    let rule = explanation.rule.clone();
    let level = rule.usual_level();
    let by = rule.definer().map(|definer| format!("as {definer} sets it"));
    let means = match level {
        _ if by.is_some() => by.as_deref().unwrap_or_default(),
        Level::Error => "a widely used runtime loses the skill, or a limit of the repository is exceeded",
        Level::Warning => "a runtime loads the skill with changes, or something has no effect",
        Level::Note => "advice",
        Level::Off => "checked only if you enable it",
    };
    let always = "the skill is left out at any severity, even if the finding is ignored";
    let prompt = match (rule.unusable, level) {
        (true, _) if !rule.unusable_if.is_empty() => {
            &format!("if {}, {always}; else a skill with this error is left out", rule.unusable_if)
        }
        (true, _) => always,
        (false, Level::Error) if rule.reads == Reads::Directory => {
            "the skill stays in: only its SKILL.md affects the prompt block"
        }
        (false, Level::Error) if !rule.rejects_skills() => "the skill stays in: targets do not affect the prompt block",
        (false, Level::Error) => "a skill with this error is left out",
        (false, _) => "the skill stays in",
    };
    let edit = match explanation.offers {
        Offers { safe: 0, unsafe_edits: 0 } => "- **Fix**: by hand\n",
        _ => "",
    };
    let set = explanation.set.map_or_else(String::new, |set| format!("; the configuration sets {}", set.name()));
    format!(
        "- **Severity**: {} ({means}){set}\n- **Group**: {}\n- **Since**: {}\n- **Prompt block**: {prompt}\n{edit}",
        level.name(),
        rule.group.title(),
        since(explanation),
    )
}

fn since(explanation: &Explanation) -> String {
    let rule = explanation.rule.clone();
    if let Some(definer) = rule.definer() {
        return format!("defined in {definer}");
    }
    if rule.is_preview() {
        return "in preview: runs only with `--preview`".into();
    }
    let defaults = Defaults::default();
    let changes = defaults.changes.iter().filter(|change| change.rule == rule.id());
    let changes = changes.map(|change| format!(", {} since {}", change.level.name(), change.since.0));
    format!("edition {}{}", rule.since.0, changes.collect::<String>())
}

/// Lists the runtimes by outcome and reason, one per line, and in a line by phrase.
fn losses(losses: &[Loss]) -> String {
    let mut lines: Vec<((Outcome, &str), Vec<&Loss>)> = Vec::new();
    for loss in losses {
        let key = (loss.outcome, loss.reason.as_deref().unwrap_or_default());
        match lines.iter_mut().find(|(known, _)| *known == key) {
            Some((_, alike)) => alike.push(loss),
            None => lines.push((key, vec![loss])),
        }
    }
    let line = |((_, reason), alike): &((Outcome, &str), Vec<&Loss>)| {
        let words = sentence(&by_phrase(alike.iter().map(|loss| (loss.phrase, loss.actor.as_str()))));
        if reason.is_empty() { format!("- {words}.\n") } else { format!("- {words}. Reason: {reason}.\n") }
    };
    lines.iter().map(line).collect()
}

/// Capitalizes the first letter.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

fn shown_example(example: &Shown) -> String {
    let mut text = String::new();
    for part in &example.parts {
        match part {
            Part::Words(words) => text.push_str(&format!("{words}\n\n")),
            Part::Today(day) => text.push_str(&format!("Checked on {day}.\n\n")),
            Part::File { language, path, words, text: file } => {
                let words: &[&str] = if words.is_empty() && file.is_empty() { &["empty"] } else { words };
                text.push_str(&format!("`{path}`{}\n\n", described(words)));
                if !file.is_empty() {
                    fenced(&mut text, language, file);
                }
            }
        }
    }
    if !example.output.is_empty() {
        fenced(&mut text, "text", &example.output);
    }
    if let Some(link) = &example.link {
        text.push_str(&format!("[Try it in the playground]({link})\n"));
    }
    text
}

/// Formats the words of a file in parentheses.
fn described(words: &[&str]) -> String {
    let word = |word: &&str| match word.split_once('=').unwrap_or((word, "")) {
        ("escaped", _) => "with escape sequences".to_owned(),
        ("repeat", times) => format!("the last line repeated {times} times"),
        ("link", _) => "a symbolic link".to_owned(),
        ("before", _) => "in the base revision".to_owned(),
        ("stage", _) => "in a merge conflict".to_owned(),
        (plain @ ("executable" | "empty" | "untracked" | "ignored"), _) => plain.to_owned(),
        (other, _) => format!("a {other}"),
    };
    let words: Vec<String> = words.iter().map(word).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

/// Writes a code block with a fence longer than any in its text.
fn fenced(text: &mut String, language: &str, code: &str) {
    let longest = code.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    text.push_str(&format!("{fence}{language}\n{}\n{fence}\n\n", code.trim_end_matches('\n')));
}
