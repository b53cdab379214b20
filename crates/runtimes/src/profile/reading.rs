//! How a runtime parses a file: decoding, fences, YAML, and repair of YAML that does not parse. The forecast applies
//! the same steps to the same bytes.

use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use super::outcome::Verdict;
use super::pattern::Pattern;

/// Decoding of the bytes to text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TextRule {
    /// Handling of a UTF-8 byte order mark (BOM).
    pub byte_order_mark: Option<Mark>,
    /// Outcome for a file that is not valid UTF-8: `changes` if U+FFFD replaces the invalid bytes.
    pub not_utf8: Option<Verdict>,
    /// Whether UTF-16 with a byte order mark is decoded.
    #[serde(skip)]
    pub utf16: bool,
    /// Conversion of line endings before all other steps.
    pub line_endings: Option<LineEndings>,
}

/// Handling of a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// It is kept, so the first line begins with an invisible character.
    Kept,
    /// It is removed.
    Removed,
}

/// Conversion of line endings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineEndings {
    /// None.
    Kept,
    /// CRLF and a lone CR become LF.
    Translated,
    /// CRLF becomes LF; a lone CR is kept.
    CrlfTranslated,
    /// Every line boundary of Python's `splitlines` becomes LF: also vertical tab, form feed, U+001C to U+001E, U+0085,
    /// U+2028 and U+2029.
    Splitlines,
}

/// Detection of the front matter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FenceRule {
    /// Matches from the opening to the closing fence. The group `yaml` is the YAML. The group `body` is the body;
    /// without it, the body is the text after the match. Other groups are fields by name, if the program parses no
    /// YAML.
    pub pattern: Pattern,
    /// Whether leading and trailing whitespace is removed from the YAML before parsing.
    #[serde(skip)]
    pub trimmed: bool,
    /// Whether the program uses gray-matter, which selects a parser by a word after the opening fence, and evaluates JavaScript.
    #[serde(skip)]
    pub engines: bool,
    /// Outcome for a file that the pattern does not match.
    pub absent: Option<Verdict>,
    /// Outcome for a file of whitespace alone; defaults to `absent`.
    #[serde(skip)]
    pub blank: Option<Verdict>,
    #[serde(skip)]
    keeps_final_line_ending: Once,
}

/// A plain file: two exact fences, and no blank line next to them.
const PLAIN: &str = "---\nname: a\n---\nb\n";

/// A fact that follows from the other values, computed on first use. Clones share it.
#[derive(Clone, Debug, Default)]
struct Once(Arc<OnceLock<Option<bool>>>);

impl PartialEq for Once {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Once {}

impl FenceRule {
    /// Returns whether the YAML of a plain file ends with a line ending; `None` if the program does not read its lines.
    pub(crate) fn keeps_final_line_ending(&self) -> Option<bool> {
        let read = || {
            let yaml = self.pattern.regex()?.captures(PLAIN)?.name("yaml")?.as_str();
            let yaml = if self.trimmed { yaml.trim() } else { yaml };
            (yaml.trim() == "name: a").then(|| yaml.ends_with('\n'))
        };
        *self.keeps_final_line_ending.0.get_or_init(read)
    }
}

/// Parsing of the YAML.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct YamlRule {
    /// YAML library.
    pub family: Family,
    /// Outcome for a file whose YAML the library rejects, after any repair.
    pub refused: Option<Verdict>,
    /// Outcome for a file whose YAML is not a mapping.
    pub not_a_mapping: Option<Verdict>,
    /// Outcome for a file whose YAML is null: comments, but no key. Without it, such a file has no fields.
    #[serde(skip)]
    pub null: Option<Verdict>,
    /// Outcome for a file with an unquoted date that does not exist (`2026-13-45`), if the library raises another error
    /// than for YAML that it rejects.
    pub impossible_date: Option<Verdict>,
    /// Whether a string with half of a surrogate pair is rejected later, as YAML is.
    #[serde(skip)]
    pub rejects_halves: bool,
}

/// YAML library: which input it rejects, how it handles duplicate keys, and how it types `yes`, `42` and `2026-01-01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// serde_yaml into a struct of strings: libyaml; scalars are strings as written; a duplicate field of the struct is
    /// an error, other keys are ignored.
    SerdeYaml,
    /// yaml.v3 for Go into a struct of strings: a port of libyaml; scalars are strings as written; rejects duplicate keys.
    #[serde(rename = "go-yaml-3")]
    GoYaml3,
    /// PyYAML on libyaml (`CSafeLoader`): YAML 1.1 types; the last of duplicate keys wins.
    Libyaml,
    /// PyYAML's own scanner (`SafeLoader`): as libyaml, and rejects tabs outside quotes.
    Pyyaml,
    /// serde_yaml into values: libyaml with the types of YAML 1.2; any duplicate key is an error.
    SerdeYamlValues,
    /// strictyaml: as PyYAML; every scalar is a string; rejects flow collections, anchors, tags and duplicate keys.
    Strictyaml,
    /// js-yaml 3: YAML 1.2 with some numbers of YAML 1.1; timestamps are dates; leading tabs are ignored.
    #[serde(rename = "js-yaml-3")]
    JsYaml3,
    /// js-yaml 4: YAML 1.2 with timestamps.
    #[serde(rename = "js-yaml-4")]
    JsYaml4,
    /// yaml 2 for JavaScript: the core schema of YAML 1.2.
    #[serde(rename = "yaml-2")]
    Yaml2,
    /// The parser of Bun: as yaml 2, but the last of duplicate keys wins, tabs indent, and merge keys are followed.
    Bun,
    /// The parser of VS Code: skips what it cannot read; scalars are strings as written; the first of duplicate keys wins.
    #[serde(rename = "vscode")]
    VsCode,
    /// YamlDotNet into an object of strings: scalars are strings as written; the last of duplicate keys wins.
    YamlDotNet,
}

/// Repair of a front matter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Repair {
    /// Repair method.
    pub method: RepairMethod,
    /// Condition for the repair.
    #[serde(default)]
    pub when: RepairWhen,
    /// Matches a line to repair; the groups `key` and `value` are its parts.
    pub line: Pattern,
    /// A plain value is repaired if it matches.
    pub repaired: Option<Pattern>,
    /// A plain value is repaired if it matches and is not valid YAML alone.
    #[serde(skip)]
    pub repaired_unless_yaml: Option<Pattern>,
    /// Outcome for a file whose YAML is rejected after the repair; defaults to `yaml.refused`.
    #[serde(skip)]
    pub refused: Option<Verdict>,
    /// Keys whose value continues in indented lines, joined by one space; only when lines are read.
    #[serde(skip)]
    pub continued: Vec<String>,
    /// Whether a value that begins on the next, indented line keeps its line endings; only when lines are read.
    #[serde(default)]
    pub multiline: bool,
    /// Matches a line that replaces a name or description which YAML reads as a mapping or null.
    #[serde(skip)]
    pub replaces: Option<Pattern>,
    /// Matches the files that are repaired; all if absent.
    #[serde(skip)]
    pub fence: Option<Pattern>,
    /// Whether the repair writes LF at the end of every line, so that it changes every front matter with CRLF.
    #[serde(skip)]
    pub writes_lf: bool,
    /// Quotes around a value that are removed; only when lines are read or put into double quotes.
    #[serde(default)]
    pub unquoted: Unquoted,
    /// Whether the lines after a value of `|` or `>` are a block scalar; only when lines are read. They are joined by one
    /// space if the value continues.
    #[serde(skip)]
    pub blocks: bool,
    /// Matches a value that is null, a boolean or a number; only when lines are read. Otherwise all values are strings.
    #[serde(skip)]
    pub typed: Option<Pattern>,
    /// Whether a value that is a JSON object is a mapping; only when lines are read.
    #[serde(skip)]
    pub json_objects: bool,
}

/// Quotes that a repair removes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unquoted {
    /// None.
    #[default]
    None,
    /// Double quotes.
    Double,
    /// Double and single quotes.
    All,
}

/// Repair method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairMethod {
    /// Puts plain values into single quotes and parses again.
    QuoteValues,
    /// Puts values into double quotes, unless quotes are at both ends, and parses again. Comments are part of a value.
    DoubleQuoteValues,
    /// Turns plain values into literal blocks and parses again.
    BlockScalars,
    /// Reads `key: value` line by line instead.
    ReadLines,
}

/// Condition for a repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairWhen {
    /// The YAML is rejected.
    #[default]
    Refused,
    /// The YAML is rejected or not a mapping.
    NotAMapping,
    /// The YAML is rejected, or name or description is not a string.
    NoText,
}
