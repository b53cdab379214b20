//! What a runtime shows the model about its skills, and the limits that it applies.

use serde::Deserialize;

use super::outcome::{Reported, Verdict};
use super::pattern::Pattern;

/// Limit that a runtime enforces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limit {
    /// Measured quantity.
    pub of: Measured,
    /// Unit of `maximum`.
    pub unit: Unit,
    /// Maximum, inclusive.
    pub maximum: u64,
    /// Outcome above the limit.
    pub over_limit: Verdict,
    /// Suffix of a truncated value; it counts towards the limit.
    #[serde(default)]
    pub ends_with: String,
    /// Whether a character is never divided; otherwise the limit may divide a surrogate pair.
    #[serde(skip)]
    pub whole: bool,
    /// Text in place of the middle of a truncated value, with the path of the file in braces: `{path}`. It counts towards
    /// the limit.
    #[serde(skip)]
    pub middle: Option<String>,
}

/// Quantity that a limit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measured {
    /// The name.
    Name,
    /// The name with the prefix of a plugin or a namespace.
    QualifiedName,
    /// The description.
    Description,
    /// The `compatibility` field.
    Compatibility,
    /// The `metadata.short-description` field.
    ShortDescription,
    /// The entry of one skill in the listing.
    Entry,
    /// The front matter.
    FrontMatter,
    /// The file.
    File,
    /// The body.
    Body,
    /// The body, when a mention includes it.
    MentionedBody,
    /// The skills of one root.
    Skills,
    /// The directories that are visited.
    Directories,
    /// The directory entries that are visited.
    Entries,
}

/// Unit of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Unicode code points.
    Chars,
    /// UTF-16 code units.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
    /// Tokens, as the runtime estimates them.
    Tokens,
    /// Lines.
    Lines,
    /// Items.
    Count,
}

/// Listing that the model is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Listing {
    /// Sort keys, the most significant first; empty if unknown.
    pub order: Vec<OrderBy>,
    /// Fields that are shown; empty if unknown.
    pub shown: Vec<String>,
    /// Separator between description and when_to_use if both are shown.
    #[serde(skip)]
    pub separator: Option<String>,
    /// Template of an entry, with the fields in braces: `- {name}: {description} (file: {path})\n`.
    pub entry: Option<String>,
    /// Template of an entry if only its name fits.
    pub short_entry: Option<String>,
    /// Template of an entry, if the program shows a name that differs from the directory next to it: `{label}`.
    #[serde(skip)]
    pub labeled_entry: Option<String>,
    /// Names that it shows next to the directory; all if absent.
    #[serde(skip)]
    pub label_pattern: Option<Pattern>,
    /// Absolute path of the repository, if entries contain absolute paths: an assumption, because it is not in the
    /// repository.
    #[serde(skip)]
    pub repository: Option<String>,
    /// Escaping of the values.
    pub escape: Option<Escape>,
    /// Whether the listing includes the bodies.
    pub bodies: Option<Bodies>,
    /// Whether a skill with an empty body is loaded, but not listed.
    #[serde(skip)]
    pub needs_body: bool,
}

/// Sort key of the listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderBy {
    /// The order of the roots.
    Root,
    /// The name.
    Name,
    /// The name, as `localeCompare` of JavaScript compares texts.
    NameLocale,
    /// The path.
    Path,
    /// How often the skill was used.
    Use,
}

/// Escaping of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Escape {
    /// No escaping.
    None,
    /// XML escaping.
    Xml,
    /// XML escaping without quotes.
    XmlText,
    /// Tags are removed.
    TagsRemoved,
}

/// Whether the bodies are part of the listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bodies {
    /// The model reads a body when it needs it.
    OnDemand,
    /// The bodies are included.
    Inlined,
}

/// Size limit of the listing.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Budget {
    /// Number of skills.
    pub skills: Option<u64>,
    /// Unit of `amount`.
    pub unit: Option<Unit>,
    /// Maximum in `unit`, if it is a fixed number.
    pub amount: Option<u64>,
    /// Share of the model's context window, if the limit depends on it.
    pub window_share: Option<f64>,
    /// Assumed context window in tokens; the budget is `window_share` of it.
    pub window: Option<u64>,
    /// Context window in tokens of other models that the program offers, if it is smaller.
    #[serde(skip)]
    pub small_window: Option<u64>,
    /// Amount of `unit` that the program counts per token of the window; defaults to 1.
    #[serde(skip)]
    pub per_token: Option<u64>,
    /// Maximum in `unit` of a share of the window.
    #[serde(skip)]
    pub maximum: Option<u64>,
    /// Size in `unit` of what is always listed and counts: text before the entries, and skills of the program itself.
    pub overhead: u64,
    /// Skills of the program itself that are shortened like others.
    #[serde(skip)]
    pub bundled: Vec<Bundled>,
    /// Whether they come before all others; otherwise they are sorted with them.
    #[serde(skip)]
    pub bundled_first: bool,
    /// Greatest and smallest length in code points of a description that `common-length` shortens.
    #[serde(skip)]
    pub common_length: Option<(u64, u64)>,
    /// Suffix of a description that `common-length` shortens; it counts towards the length.
    #[serde(skip)]
    pub ends_with: String,
    /// Size in `unit` of the line of names that `names-in-one-line` writes.
    #[serde(skip)]
    pub line: Option<u64>,
    /// Whether the skills that are shortened depend on how often each was used, so that only their number is known.
    #[serde(skip)]
    pub by_use: bool,
    /// Steps that are applied in this order until the listing fits.
    pub over_limit: Vec<Squeeze>,
    /// How the program reports it.
    pub reported: Option<Reported>,
}

impl Budget {
    /// Returns the maximum in `unit`: a fixed number, or the share of the assumed context window.
    pub fn limit(&self) -> Option<u64> {
        // Lossless: a context window has far fewer than 2^53 tokens.
        let share = || Some((self.window_share? * self.window? as f64).round() as u64);
        let share = || share().map(|tokens| tokens.saturating_mul(self.per_token.unwrap_or(1)));
        let maximum = self.maximum.unwrap_or(u64::MAX);
        self.amount.or_else(|| share().map(|share| share.min(maximum)))
    }
}

/// Skill of the program itself in the listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// Its name.
    pub name: String,
    /// Length of its description in code points.
    pub description: u64,
    /// Length of its path in code points.
    pub path: u64,
}

/// Step that shrinks a listing over its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Squeeze {
    /// Shortens all descriptions evenly.
    ShortenDescriptions,
    /// Removes descriptions one by one from the end of the listing.
    DropDescriptions,
    /// Shortens all descriptions to the greatest common length in the range of `common-length` that fits.
    CommonLength,
    /// Removes `when_to_use` and all lines of a description but the first, of every skill.
    FirstLines,
    /// Shows the name only of every skill.
    NamesOnly,
    /// Shows the first skills whole, and the names of the others in one line.
    NamesInOneLine,
    /// Removes skills from the end of the listing.
    Omit,
}

/// How a text mentions a skill by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Mentions {
    /// Forms, with the name and the path in braces: `${name}`, `/{name}`, `[${name}]({path})`.
    pub forms: Vec<String>,
    /// Names that cannot be mentioned.
    #[serde(skip)]
    pub unreachable: Vec<String>,
}
