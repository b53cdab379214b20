//! A rule in words: its page, with what skilltree says of the examples on it and which runtimes lose such a skill.
//!
//! Nothing of it is written twice. The examples are judged when somebody asks, and the runtimes are forecast for them, so
//! that no page can say what the program does not do.

mod catalogue;
mod example;
mod files;
mod markdown;
mod matrix;
mod runtimes;
mod sections;
mod terminal;

use crate::fix::{self, Offers};
use crate::render::{self, Format, Look, Options};
use crate::rule::Rule;

pub use catalogue::{chapters, reference, write_json};
pub use example::{Example, Judged, Part};
pub use markdown::{Extent, markdown};
pub use matrix::runtimes;
pub use runtimes::Loss;
pub use sections::{Section, sections};
pub use terminal::terminal;

/// A rule in words.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The rule.
    pub rule: &'static Rule,
    /// What stands below the summary, in Markdown.
    pub lead: &'static str,
    /// Why it matters, in Markdown.
    pub why: &'static str,
    /// The runtimes that lose such a skill, as the first example shows.
    pub losses: Vec<Loss>,
    /// What it finds.
    pub fires: Vec<Shown>,
    /// What it leaves alone.
    pub quiet: Vec<Shown>,
    /// What else the page says, in Markdown, by its headings: how to fix it, which settings there are.
    pub more: Vec<Section<'static>>,
    /// Where it comes from, in Markdown.
    pub evidence: &'static str,
    /// How many of the findings of its examples can be mended.
    pub offers: Offers,
}

/// An example of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What it shows, in words; empty for the first one.
    pub title: &'static str,
    /// Words and files.
    pub parts: Vec<Part<'static>>,
    /// What skilltree says of it, drawn; empty when it says nothing.
    pub said: String,
    /// The same in lines: `PATH:LINE:COLUMN: LEVEL[RULE] MESSAGE`.
    pub lines: Vec<String>,
}

/// A rule in words. `look` is how the findings of its examples are drawn.
pub fn explain(rule: &'static Rule, look: Look) -> Explanation {
    let mut explanation = Explanation {
        rule,
        lead: "",
        why: "",
        losses: Vec::new(),
        fires: Vec::new(),
        quiet: Vec::new(),
        more: Vec::new(),
        evidence: "",
        offers: Offers::default(),
    };
    let (mut first_fires, mut quiet) = (None, Vec::new());
    for (number, section) in sections(rule.explanation).into_iter().enumerate() {
        match section.heading.split(':').next().unwrap_or_default() {
            _ if number == 0 => explanation.lead = section.text,
            "Why it matters" => explanation.why = section.text,
            "Evidence" => explanation.evidence = section.text,
            "Fires" => {
                let judged = explanation.add_fires(&section, look);
                first_fires = first_fires.or(judged);
            }
            "Quiet" => {
                let example = Example::new(&section);
                quiet.extend(example.judge(rule));
                explanation.quiet.push(Shown::new(&section, example.parts));
            }
            _ => explanation.more.push(section),
        }
    }
    explanation.losses = first_fires.map(|fires| runtimes::losses(&fires, &quiet, rule)).unwrap_or_default();
    explanation
}

impl Explanation {
    fn add_fires(&mut self, section: &Section<'static>, look: Look) -> Option<Judged> {
        let example = Example::new(section);
        let judged = example.judge(self.rule);
        let mut shown = Shown::new(section, example.parts);
        if let Some(judged) = &judged {
            let Offers { safe, unsafe_edits } = fix::offers(&judged.report);
            self.offers.safe += safe;
            self.offers.unsafe_edits += unsafe_edits;
            shown.said = drawn(judged, Format::Full, look);
            shown.lines = drawn(judged, Format::Concise, look).lines().map(str::to_owned).collect();
        }
        self.fires.push(shown);
        judged
    }
}

impl Shown {
    fn new(section: &Section<'static>, parts: Vec<Part<'static>>) -> Self {
        Self { title: title(section), parts, said: String::new(), lines: Vec::new() }
    }
}

/// What stands behind the colon of a heading.
fn title(section: &Section<'static>) -> &'static str {
    section.heading.split_once(':').map_or("", |(_, title)| title.trim())
}

fn drawn(judged: &Judged, format: Format, look: Look) -> String {
    let mut text = Vec::new();
    let options = Options { look, ..Options::default() };
    // Writing to memory does not fail.
    let _ = render::write(format, &judged.report, &judged.excerpts(), &options, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
