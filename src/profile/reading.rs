//! How a runtime takes a file apart: its bytes as text, the fences, the YAML between them, and how it mends what does not
//! parse. A runtime is its parser's habits as data; the forecast follows them over the same bytes.

use serde::Deserialize;

use super::outcome::Verdict;
use super::pattern::Pattern;

/// How the program makes text of the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TextRule {
    /// What it does with a UTF-8 byte order mark.
    pub byte_order_mark: Option<Mark>,
    /// What becomes of a file with bytes that are no UTF-8: `altered` when U+FFFD stands in for them.
    pub not_utf8: Option<Verdict>,
    /// What it does with line ends before anything else.
    pub line_ends: Option<LineEnds>,
}

/// What is done with a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// It stays, and the first line does not begin with its first visible character.
    Kept,
    /// It is removed.
    Removed,
}

/// What is done with line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEnds {
    /// Nothing.
    Kept,
    /// CRLF and a lone CR become LF.
    Translated,
    /// CRLF becomes LF, a lone CR stays.
    CrlfTranslated,
}

/// How the program finds the front matter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FenceRule {
    /// Matches from the first fence to the last. The group `yaml` is the YAML, the group `body` the body (else the body is
    /// what stands behind the match). Other groups are fields by their names, where the program parses no YAML.
    pub pattern: Pattern,
    /// Whether white space around the YAML is removed before it is parsed.
    #[serde(default)]
    pub trimmed: bool,
    /// What becomes of a file that the pattern does not match.
    pub absent: Option<Verdict>,
}

/// How the program reads the YAML.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct YamlRule {
    /// With what.
    pub family: Family,
    /// What becomes of a file whose YAML it refuses, after any repair.
    pub refused: Option<Verdict>,
    /// What becomes of a file whose YAML is no mapping.
    pub not_a_map: Option<Verdict>,
}

/// A YAML library: what it refuses, what it makes of a key that stands twice, and what of `yes`, `42` and `2026-01-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// serde_yaml into a struct of strings: libyaml; scalars are text as written; a field of the struct that stands twice
    /// is an error, any other key is not looked at.
    SerdeYaml,
    /// PyYAML on libyaml (`CSafeLoader`): YAML 1.1 types, the last of two equal keys.
    Libyaml,
    /// PyYAML's own scanner (`SafeLoader`): as libyaml, and no tab outside of quotes.
    Pyyaml,
    /// strictyaml: as PyYAML, every scalar is text, and no flow collection, anchor, tag or repeated key.
    Strictyaml,
    /// js-yaml 3: YAML 1.2 with some of 1.1's numbers, timestamps are dates; tabs count for nothing at the start of a line.
    #[serde(rename = "js-yaml-3")]
    JsYaml3,
    /// js-yaml 4: YAML 1.2 with timestamps.
    #[serde(rename = "js-yaml-4")]
    JsYaml4,
    /// yaml 2 for JavaScript: the core schema of YAML 1.2.
    #[serde(rename = "yaml-2")]
    Yaml2,
    /// YamlDotNet into an object of strings: scalars are text as written, the last of two equal keys.
    YamlDotNet,
}

/// How the program mends a front matter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Repair {
    /// What it does.
    pub method: RepairMethod,
    /// When it does it.
    #[serde(default)]
    pub when: RepairWhen,
    /// A line that it looks at; the groups `key` and `value` are its parts.
    pub line: Pattern,
    /// A plain value is mended when it matches.
    pub mended: Option<Pattern>,
    /// A plain value is mended when it matches and is no YAML by itself.
    pub mended_unless_yaml: Option<Pattern>,
    /// What becomes of a file whose YAML is refused after values were mended; what `yaml.refused` says when nothing is said
    /// here.
    pub refused: Option<Verdict>,
    /// Keys whose value goes on in indented lines, joined by one space; only when lines are read.
    #[serde(default)]
    pub continued: Vec<String>,
    /// Whether a value that begins on the next, indented line is read with its line ends; only when lines are read.
    #[serde(default)]
    pub multiline: bool,
    /// Whether lines are also read where the YAML makes a list or a map of name or description: the line then counts.
    #[serde(default)]
    pub collections: bool,
    /// Whether quotes around a value are removed; only when lines are read.
    #[serde(default)]
    pub unquoted: bool,
    /// Whether a key without a value counts as absent; only when lines are read.
    #[serde(default)]
    pub skips_empty: bool,
}

/// What a repair does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairMethod {
    /// It puts plain values into single quotes and parses again.
    QuoteValues,
    /// It makes literal blocks of plain values and parses again.
    BlockScalars,
    /// It reads `key: value` line by line instead.
    ReadLines,
}

/// When a repair is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairWhen {
    /// When the YAML is refused.
    #[default]
    Refused,
    /// When the YAML is refused or no mapping.
    NotAMap,
    /// When the YAML is refused, or name or description is no text.
    NoText,
}
