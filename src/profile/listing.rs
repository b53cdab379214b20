//! What the model is shown of the skills that a runtime loads, and how much of it.

use serde::Deserialize;

use super::outcome::{Said, Verdict};

/// A number that a runtime enforces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limit {
    /// What is measured.
    pub of: Measured,
    /// In what.
    pub unit: Unit,
    /// How much is allowed.
    pub most: u64,
    /// What becomes of what is longer.
    pub beyond: Verdict,
    /// What a value that was cut ends with; it counts towards the limit.
    #[serde(default)]
    pub ends_with: String,
}

/// What a limit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measured {
    /// The name.
    Name,
    /// The name with what a plugin or a namespace puts in front.
    QualifiedName,
    /// The description.
    Description,
    /// The field `compatibility`.
    Compatibility,
    /// The field `metadata.short-description`.
    ShortDescription,
    /// What the listing says of one skill.
    Entry,
    /// The front matter.
    FrontMatter,
    /// The file.
    File,
    /// The body.
    Body,
    /// The body where a mention brings it in.
    MentionedBody,
    /// The skills of one root.
    Skills,
    /// The directories that are entered.
    Directories,
    /// The entries of directories that are looked at.
    Entries,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Unicode code points.
    Chars,
    /// UTF-16 code units.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
    /// Tokens, by the runtime's own estimate.
    Tokens,
    /// Lines.
    Lines,
    /// Things.
    Count,
}

/// What the model is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Listing {
    /// By what the skills are sorted, the weightiest first; empty when nobody knows.
    pub order: Vec<OrderBy>,
    /// The fields that are shown; empty when nobody knows.
    pub shown: Vec<String>,
    /// What stands between description and when_to_use where both are shown.
    pub separator: Option<String>,
    /// One skill, with the fields in braces: `- {name}: {description} (file: {path})\n`.
    pub entry: Option<String>,
    /// One skill when only its name fits.
    pub short_entry: Option<String>,
    /// What stands before the skills.
    pub head: Option<String>,
    /// What stands behind them.
    pub tail: Option<String>,
    /// How the values are made safe.
    pub escape: Option<Escape>,
    /// Whether the bodies are part of it.
    pub bodies: Option<Bodies>,
}

/// By what skills are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderBy {
    /// The order of the roots.
    Root,
    /// The name.
    Name,
    /// The path.
    Path,
    /// How often it was used.
    Use,
}

/// How values are made safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Escape {
    /// Not at all.
    None,
    /// As XML wants it.
    Xml,
    /// Tags are removed.
    TagsRemoved,
}

/// Whether the bodies are a part of what the model is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bodies {
    /// The model reads a body when it wants it.
    OnDemand,
    /// The bodies are shown.
    Inlined,
}

/// How much the model is shown.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Budget {
    /// Skills.
    pub skills: Option<u64>,
    /// The unit of `amount`.
    pub unit: Option<Unit>,
    /// How much of that unit, where it is a number.
    pub amount: Option<u64>,
    /// The share of the model's context window, where it depends on that.
    pub window_share: Option<f64>,
    /// The context window that is assumed, in tokens; the share of it is the budget.
    pub window: Option<u64>,
    /// How much of `unit` the program takes a token of the window for; one when nothing is said.
    pub per_token: Option<u64>,
    /// What is done when there is more, in this order until it fits.
    pub beyond: Vec<Squeeze>,
    /// How it is told.
    pub said: Option<Said>,
}

impl Budget {
    /// How much fits, in `unit`: a number, or the share of the window that is assumed.
    pub fn limit(&self) -> Option<u64> {
        // A window has far fewer tokens than a float has whole numbers.
        let share = || Some((self.window_share? * self.window? as f64).round() as u64);
        self.amount.or_else(|| share().map(|tokens| tokens.saturating_mul(self.per_token.unwrap_or(1))))
    }
}

/// What is done when there is more than fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Squeeze {
    /// All descriptions are shortened evenly.
    ShortenDescriptions,
    /// Descriptions are left out, one skill after another from the end of the listing.
    DropDescriptions,
    /// Every skill is shown by its name alone.
    NamesOnly,
    /// Skills are left out from the end of the listing.
    Omit,
}

/// How a text calls a skill by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Mentions {
    /// The forms, with the name and the path in braces: `${name}`, `/{name}`, `[${name}]({path})`.
    pub forms: Vec<String>,
    /// Names that no mention reaches.
    pub unreachable: Vec<String>,
}
