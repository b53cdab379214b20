//! Requirements of a runtime on a field, and the outcome if they are not met.

use serde::Deserialize;

use super::listing::Limit;
use super::outcome::Verdict;
use super::pattern::Pattern;
use skilltree_front_matter::{Node, NodeKind, ScalarKind};
use skilltree_skills::keys::{DISABLE_MODEL_INVOCATION, USER_INVOCABLE};

/// Requirements on a field and the outcome if they are not met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct FieldRule {
    /// The field is absent.
    pub missing: Option<Verdict>,
    /// The field is null: `description:` without a value.
    pub null: Option<Verdict>,
    /// The value is a string of whitespace, or an empty list.
    pub blank: Option<Verdict>,
    /// The value is an empty string; defaults to `blank`.
    pub empty: Option<Verdict>,
    /// Replaces an absent, null or blank value, if the skill still loads.
    pub fallback: Option<Fallback>,
    /// Text for `fallback = "text"`, and for a substitute that is empty.
    pub fallback_text: Option<String>,
    /// Maximum number of lines of a substitute from the body.
    #[serde(skip)]
    pub fallback_lines: Option<usize>,
    /// Text that is shown for null.
    #[serde(skip)]
    pub null_text: Option<String>,
    /// Limit of a substitute from the body.
    pub fallback_limit: Option<Limit>,
    /// Types whose values count as absent.
    pub absent_types: Vec<ValueType>,
    /// Whether the substitute is for an absent field only, not for an empty value.
    #[serde(skip)]
    pub fallback_if_absent: bool,
    /// Whether a list is shown as its items joined by commas, and a mapping as `[object Object]`.
    #[serde(skip)]
    pub joined: bool,
    /// The value is a string where another type is expected (`metadata: hello`).
    pub text: Option<Verdict>,
    /// The value is a number.
    pub number: Option<Verdict>,
    /// The value is a boolean (`true`, `yes` and so on).
    pub boolean: Option<Verdict>,
    /// The value is a date.
    pub date: Option<Verdict>,
    /// The value is a list.
    pub list: Option<Verdict>,
    /// The value is a list with an item that is not a string; defaults to `list`.
    pub item: Option<Verdict>,
    /// The value is a list with an item that is a mapping; defaults to `item`.
    #[serde(skip)]
    pub mapping_item: Option<Verdict>,
    /// The value is a mapping.
    pub mapping: Option<Verdict>,
    /// The value is a mapping with a value that is a list or a mapping.
    #[serde(skip)]
    pub nested: Option<Verdict>,
    /// The value is a mapping with a value that is null, a number or a boolean.
    #[serde(skip)]
    pub typed_value: Option<Verdict>,
    /// Pattern that a value must match.
    pub pattern: Option<Pattern>,
    /// Pattern that no part of a value may match; for the name and the description.
    pub forbidden: Option<Pattern>,
    /// The value does not match the pattern, or a part of it matches the forbidden one.
    pub malformed: Option<Verdict>,
    /// Words of which the value must contain one, ignoring case.
    #[serde(skip)]
    pub words: Vec<String>,
    /// The value contains none of the words.
    #[serde(skip)]
    pub no_word: Option<Verdict>,
    /// A key and its value without which the field has no effect.
    #[serde(skip)]
    pub needs: Option<(String, String)>,
    /// Replacements in the value, in this order.
    pub replaced: Vec<Replaced>,
    /// Whether uppercase letters become lowercase, before the replacements.
    #[serde(skip)]
    pub lowercase: bool,
    /// Characters that are removed at both ends of the value.
    #[serde(skip)]
    pub stripped: String,
    /// Whitespace handling of the value.
    pub whitespace: Option<Whitespace>,
}

/// Substitute for a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// Name of the skill directory.
    Directory,
    /// First paragraph of the body.
    FirstParagraph,
    /// First line of the body, without the marks of a heading.
    FirstLine,
    /// First line of the body that is not a fence, as written.
    FirstLineAsWritten,
    /// First line of the body that is not a heading.
    FirstTextLine,
    /// The body without its headings, on one line.
    BodyText,
    /// The body, from its start.
    Body,
    /// An empty string.
    Empty,
    /// A fixed text of the runtime.
    Text,
}

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueType {
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A date.
    Date,
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

/// Replacement in a value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Replaced {
    /// Matches the characters to replace.
    pub pattern: Pattern,
    /// Replacement text.
    pub with: String,
}

/// Whitespace handling of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whitespace {
    /// Kept.
    Kept,
    /// Leading and trailing whitespace is removed.
    Trimmed,
    /// Leading and trailing whitespace is removed, and every run of whitespace becomes one space.
    Collapsed,
    /// Only the first line is read.
    FirstLine,
}

/// Key with patterns of files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Until {
    /// The key.
    pub key: String,
    /// Patterns that match from the start: with no other, the skill is listed.
    #[serde(skip)]
    pub always: Vec<String>,
    /// Whether a value that is not a string is ignored.
    #[serde(skip)]
    pub only_text: bool,
}

/// What a runtime reads from `agents/openai.yaml` next to a SKILL.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentFileRule {
    /// It checks the whole file, and ignores all of it if a part is invalid.
    IgnoresInvalid,
    /// It reads only the policy, and keeps the skill from the model if that is invalid.
    HidesInvalid,
}

/// Requirements on the machine in a block of `metadata`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// Keys of `metadata` that the runtime reads; the first one is the current name.
    pub blocks: Vec<String>,
    /// Former names that it does not read.
    pub former: Vec<String>,
    /// Values of `os`.
    pub platforms: Vec<String>,
    /// Keys of `requires`.
    pub keys: Vec<String>,
    /// Kinds of entries of `install`, each with the keys of which it needs one.
    pub installers: Vec<(String, Vec<String>)>,
}

/// A top-level key with the platforms of a skill: on all others, it is not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Platforms {
    /// The key.
    pub key: String,
    /// Names of platforms for people.
    pub names: Vec<String>,
    /// Other names, among them those of the machine.
    pub others: Vec<String>,
}

impl Platforms {
    /// Returns whether a value is the name of a platform, or the start of one, ignoring case.
    pub fn knows(&self, value: &str) -> bool {
        let value = value.trim().to_lowercase();
        self.names.contains(&value) || self.others.iter().any(|name| name.starts_with(&value))
    }
}

/// Handling of front matter keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Keys {
    /// Keys that the runtime uses.
    pub known: Vec<String>,
    /// Outcome for an unknown key.
    pub unknown: Option<Verdict>,
    /// Pattern of the unknown keys that have this outcome; all if absent.
    #[serde(skip)]
    pub unknown_pattern: Option<Pattern>,
    /// Key that removes the skill from the listing when it is true.
    pub unlists: Option<String>,
    /// Other keys that do the same.
    pub unlists_also: Vec<String>,
    /// Key and words of which one removes the skill from the listing.
    #[serde(skip)]
    pub unlists_word: Option<(String, Vec<String>)>,
    /// Words that make that key true, ignoring case; the boolean alone if there are none.
    pub unlist_words: Vec<String>,
    /// Key that removes the skill from the listing until a file matches its patterns.
    pub unlists_until: Option<Until>,
    /// Requirements on the machine, such as installed programs, that remove the skill from the listing unless they are met.
    /// A repository does not know the machine, so the forecast assumes that they are not.
    #[serde(skip)]
    pub requirements: Option<Requirements>,
    /// Key with the platforms of the skill.
    #[serde(skip)]
    pub platforms: Option<Platforms>,
    /// What the runtime reads from `agents/openai.yaml`.
    #[serde(skip)]
    pub agent_file: Option<AgentFileRule>,
    /// Names of tools that `allowed-tools` and `disallowed-tools` may contain, former ones included.
    #[serde(skip)]
    pub tools: Vec<String>,
}

impl Keys {
    /// Returns the keys that remove a skill from the listing when they are true.
    pub fn unlisting(&self) -> impl Iterator<Item = &String> {
        self.unlists.iter().chain(&self.unlists_also)
    }

    /// Returns the key that removes a skill from the listing, by what its keys hold.
    pub fn hiding<'a>(&'a self, node: impl Fn(&str) -> Option<&'a Node>) -> Option<&'a str> {
        let is_word = |text: &str| self.unlist_words.iter().any(|word| word.eq_ignore_ascii_case(text));
        let is_boolean = |node: &Node| {
            !matches!(node.kind, NodeKind::Scalar { kind: ScalarKind::Text, .. })
                && node.scalar().is_some_and(|text| text.eq_ignore_ascii_case("true"))
        };
        let is_true = |node: &&Node| is_boolean(node) || node.scalar().is_some_and(is_word);
        let by_word = || {
            let (key, words) = self.unlists_word.as_ref()?;
            let text = node(key)?.scalar()?.trim();
            words.iter().any(|word| word == text).then_some(key)
        };
        self.unlisting().find(|key| node(key).filter(is_true).is_some()).or_else(by_word).map(String::as_str)
    }

    /// Returns the key whose patterns keep a skill from the listing until a file matches one.
    pub fn waiting<'a>(&'a self, node: impl Fn(&str) -> Option<&'a Node>) -> Option<&'a str> {
        let until = self.unlists_until.as_ref()?;
        let is_pattern = |node: &Node| {
            let is_text = matches!(node.kind, NodeKind::Scalar { kind: ScalarKind::Text, .. });
            let text = node.scalar().unwrap_or_default().trim();
            (is_text || !until.only_text) && !text.is_empty() && !until.always.iter().any(|all| all == text)
        };
        let waits = match &node(&until.key)?.kind {
            NodeKind::List(items) => items.iter().any(is_pattern),
            NodeKind::Scalar { .. } => node(&until.key).is_some_and(is_pattern),
            NodeKind::Map(_) => false,
        };
        waits.then_some(&until.key)
    }

    /// Returns whether the runtime keeps a skill with `disable-model-invocation` from the model.
    pub fn honors_disabled_invocation(&self) -> bool {
        self.unlisting().any(|key| key == DISABLE_MODEL_INVOCATION)
    }

    /// Returns whether the runtime obeys both keys by which neither the model nor a person can start a skill.
    pub fn honors_both_invocations(&self) -> bool {
        self.honors_disabled_invocation() && self.known.iter().any(|key| key == USER_INVOCABLE)
    }
}
