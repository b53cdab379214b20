//! Values of profiles in words.

use toml::{Table, Value};

use crate::forecast::plural;
use crate::profile::listing::{Limit, Measured, Unit};
use crate::profile::loads::Start;
use crate::profile::{Outcome, Said, Verdict};

/// Words of a profile that say too little where they stand alone.
const PLAIN: [(&str, &str, &str); 26] = [
    ("loads.depth", "any", "any"),
    ("loads.files.name", "exact", "`SKILL.md`"),
    ("loads.files.name", "exact-or-lower", "`SKILL.md`, else `skill.md`"),
    ("loads.files.name", "any-case", "`SKILL.md` in any letter case"),
    ("loads.text.line-ends", "kept", "as they are"),
    ("loads.text.line-ends", "translated", "CRLF and CR become LF"),
    ("loads.text.line-ends", "crlf-translated", "CRLF becomes LF"),
    ("loads.yaml.family", "serde-yaml", "serde_yaml (libyaml), into strings"),
    ("loads.yaml.family", "libyaml", "PyYAML on libyaml"),
    ("loads.yaml.family", "pyyaml", "PyYAML"),
    ("loads.yaml.family", "js-yaml-3", "js-yaml 3"),
    ("loads.yaml.family", "js-yaml-4", "js-yaml 4"),
    ("loads.yaml.family", "yaml-2", "yaml 2 for JavaScript"),
    ("loads.yaml.family", "yaml-dot-net", "YamlDotNet"),
    ("loads.identity.by", "name", "`name`"),
    ("loads.identity.by", "directory", "the directory"),
    ("loads.identity.by", "name-else-directory", "`name`, else the directory"),
    ("loads.identity.equal", "any-case", "in any letter case"),
    ("loads.identity.equal", "nfkc", "by their NFKC forms"),
    ("loads.duplicates.same-root", "all", "both stay"),
    ("loads.duplicates.same-root", "none", "neither stays"),
    ("loads.duplicates.same-root", "any", "one stays, and nobody can say which"),
    ("loads.duplicates.across-roots", "all", "both stay"),
    ("loads.duplicates.across-roots", "none", "neither stays"),
    ("loads.duplicates.across-roots", "any", "one stays, and nobody can say which"),
    ("loads.listing.escape", "none", "not escaped"),
];

/// A value in words, ready for a cell.
pub(super) fn of(path: &str, value: &Value) -> String {
    match value {
        Value::String(word) => {
            let plain = PLAIN.iter().find(|(at, known, _)| *at == path && known == word);
            plain.map_or_else(|| cell(word), |(.., words)| (*words).to_owned())
        }
        Value::Array(items) if items.is_empty() => "nothing".to_owned(),
        Value::Array(items) => items.iter().map(|item| of(path, item)).collect::<Vec<_>>().join(", "),
        Value::Table(table) if table.contains_key("outcome") => verdict_table(table),
        Value::Table(table) => {
            let part = |(key, value): (&String, &Value)| format!("{key}: {}", of(path, value));
            table.iter().map(part).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

fn verdict_table(table: &Table) -> String {
    let word = |key: &str| table.get(key).and_then(Value::as_str).unwrap_or_default();
    match word("said") {
        "nothing" if word("outcome") == "loads" => "loads".to_owned(),
        "nothing" => format!("{}, without a word", word("outcome")),
        "log" => format!("{}, logged", word("outcome")),
        "error" => format!("{}, an error", word("outcome")),
        _ => word("outcome").to_owned(),
    }
}

/// A verdict in words.
pub(super) fn verdict(verdict: Verdict) -> String {
    let outcome = match verdict.outcome {
        Outcome::Loads => "loads",
        Outcome::Repaired => "repaired",
        Outcome::Altered => "altered",
        Outcome::Cut => "cut",
        Outcome::FieldsLost => "fields lost",
        Outcome::DescriptionLost => "description lost",
        Outcome::BodyLost => "body lost",
        Outcome::FrontMatterIgnored => "front matter ignored",
        Outcome::Dropped => "dropped",
        Outcome::ScanAborted => "the whole scan ends",
    };
    match verdict.said {
        Some(Said::Nothing) if verdict.outcome == Outcome::Loads => outcome.to_owned(),
        said => format!("{outcome}{}", said.map_or("", told)),
    }
}

/// How it is told, behind an outcome.
pub(super) fn told(said: Said) -> &'static str {
    match said {
        Said::Error => ", an error",
        Said::Log => ", logged",
        Said::Nothing => ", without a word",
    }
}

/// From where a root is looked for.
pub(super) fn from(start: Start) -> &'static str {
    match start {
        Start::Top => "",
        Start::Upwards => "in every directory from the working directory upwards",
        Start::Anywhere => "in any directory",
    }
}

/// A limit: what is measured and how much is allowed.
pub(super) fn limit(limit: &Limit) -> (&'static str, String) {
    let of = match limit.of {
        Measured::Name => "name",
        Measured::QualifiedName => "qualified name",
        Measured::Description => "description",
        Measured::Compatibility => "compatibility",
        Measured::ShortDescription => "metadata.short-description",
        Measured::Entry => "entry of the list",
        Measured::FrontMatter => "front matter",
        Measured::File => "file",
        Measured::Body => "body",
        Measured::MentionedBody => "body that a mention brings in",
        Measured::Skills => "skills of a root",
        Measured::Directories => "directories entered",
        Measured::Entries => "entries looked at",
    };
    let unit = if limit.unit == Unit::Count { "" } else { plural(limit.unit) };
    (of, format!("{} {unit}", number(limit.most)).trim_end().to_owned())
}

/// A number with commas between its thousands.
pub(super) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Text of a profile where a table holds it.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

/// A text as code, in a cell: line ends as they are written, and a bar that ends no cell.
pub(super) fn code(text: &str) -> String {
    let text = text.replace('\n', "\\n").replace('|', "\\|");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let ticks = "`".repeat(longest + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_in_its_cell() {
        assert_eq!(code("a|b\n"), "`a\\|b\\n`");
        assert_eq!(code("`{[@"), "`` `{[@ ``");
        assert_eq!(cell("<a>|"), "&lt;a>\\|");
        assert_eq!([number(7), number(1_024), number(272_000)], ["7", "1,024", "272,000"]);
    }
}
