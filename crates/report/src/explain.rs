//! Explanation of a rule: its page, the output for its examples, and the runtimes that lose such a skill.
//!
//! Output and runtimes are computed from the examples on request, so that a page cannot contradict the program.

mod catalog;
mod example;
mod files;
mod markdown;
mod runtimes;
mod sections;

use crate::render::{self, Format, Options};
use skilltree_lint::fix::{self, Offers};
use skilltree_lint::rule::{Level, RuleRef};

pub use catalog::{chapters, write_json};
pub use example::{Example, Linted, Part};
pub use markdown::{Extent, markdown};
pub use runtimes::Loss;
pub use sections::{Section, sections};

/// Explanation of a rule.
#[derive(Clone, Debug)]
pub struct Explanation<'r> {
    /// The rule.
    pub rule: &'r RuleRef,
    /// Severity that the configuration sets, apart from overrides; `None` unless the caller sets it.
    pub set: Option<Level>,
    /// Text below the summary, in Markdown.
    pub lead: &'r str,
    /// Why it matters, in Markdown.
    pub why: &'r str,
    /// Runtimes that lose such a skill, computed from the first example.
    pub losses: Vec<Loss>,
    /// Examples with findings.
    pub fires: Vec<Shown<'r>>,
    /// Examples without findings.
    pub quiet: Vec<Shown<'r>>,
    /// Other sections, in Markdown, such as fixes and settings.
    pub more: Vec<Section<'r>>,
    /// Evidence, in Markdown.
    pub evidence: &'r str,
    /// Number of fixable findings in the examples.
    pub offers: Offers,
}

/// An example on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown<'r> {
    /// Title; empty for the first example.
    pub title: &'r str,
    /// Texts and files.
    pub parts: Vec<Part<'r>>,
    /// Output in the full format; empty without findings.
    pub output: String,
    /// Output in the concise format: `PATH:LINE:COLUMN: LEVEL[RULE] MESSAGE`.
    pub lines: Vec<String>,
    /// Address of the playground with the example; `None` unless the caller sets it.
    pub link: Option<String>,
}

/// Explains a rule.
pub fn explain(rule: &RuleRef) -> Explanation<'_> {
    let mut explanation = Explanation {
        rule,
        set: None,
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
    for (number, section) in sections(rule.explanation()).into_iter().enumerate() {
        match section.heading.split(':').next().unwrap_or_default() {
            _ if number == 0 => explanation.lead = section.text,
            "Why it matters" => explanation.why = section.text,
            "Evidence" => explanation.evidence = section.text,
            "Fires" => {
                let linted = explanation.add_fires(&section);
                first_fires = first_fires.or(linted);
            }
            "Quiet" => {
                let example = Example::new(&section);
                quiet.extend(example.lint(rule));
                explanation.quiet.push(Shown::new(&section, example.parts));
            }
            _ => explanation.more.push(section),
        }
    }
    explanation.losses = first_fires.map(|fires| runtimes::losses(&fires, &quiet, rule)).unwrap_or_default();
    explanation
}

impl<'r> Explanation<'r> {
    fn add_fires(&mut self, section: &Section<'r>) -> Option<Linted> {
        let example = Example::new(section);
        let linted = example.lint(self.rule);
        let mut shown = Shown::new(section, example.parts);
        if let Some(linted) = &linted {
            let Offers { safe, unsafe_edits } = fix::offers(&linted.report);
            self.offers.safe += safe;
            self.offers.unsafe_edits += unsafe_edits;
            shown.output = render_report(linted, Format::Full);
            shown.lines = render_report(linted, Format::Concise).lines().map(str::to_owned).collect();
        }
        self.fires.push(shown);
        linted
    }
}

impl<'r> Shown<'r> {
    fn new(section: &Section<'r>, parts: Vec<Part<'r>>) -> Self {
        Self { title: title(section), parts, output: String::new(), lines: Vec::new(), link: None }
    }
}

/// Returns the text after the colon of a heading.
fn title<'r>(section: &Section<'r>) -> &'r str {
    section.heading.split_once(':').map_or("", |(_, title)| title.trim())
}

fn render_report(linted: &Linted, format: Format) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = render::write(format, &linted.report, &linted.excerpts(), &Options::default(), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
