//! Text for the values of profiles.

use serde::Deserialize as _;
use toml::Value;

use skilltree_front_matter::text::grouped;
use skilltree_runtimes::forecast::plural;
use skilltree_runtimes::profile::listing::{Limit, Measured, Unit};
use skilltree_runtimes::profile::loads::Start;
use skilltree_runtimes::profile::{Handling, Reported, Verdict};

/// Words of a profile that are unclear without context.
const PLAIN: [(&str, &str, &str); 39] = [
    ("loads.depth", "any", "any"),
    ("loads.files.name", "exact", "`SKILL.md`"),
    ("loads.files.name", "exact-or-lower", "`SKILL.md`, else `skill.md`"),
    ("loads.files.name", "any-case", "`SKILL.md`, ignoring case"),
    ("loads.text.line-endings", "kept", "unchanged"),
    ("loads.text.line-endings", "translated", "CRLF and CR become LF"),
    ("loads.text.line-endings", "crlf-translated", "CRLF becomes LF"),
    ("loads.yaml.family", "serde-yaml", "serde_yaml (libyaml), into strings"),
    ("loads.yaml.family", "libyaml", "PyYAML on libyaml"),
    ("loads.yaml.family", "pyyaml", "PyYAML"),
    ("loads.yaml.family", "js-yaml-3", "js-yaml 3"),
    ("loads.yaml.family", "js-yaml-4", "js-yaml 4"),
    ("loads.yaml.family", "yaml-2", "yaml 2 for JavaScript"),
    ("loads.yaml.family", "yaml-dot-net", "YamlDotNet"),
    ("loads.identity.by", "name", "`name`"),
    ("loads.identity.by", "directory", "directory"),
    ("loads.identity.by", "name-else-directory", "`name`, else directory"),
    ("loads.identity.equal", "any-case", "ignoring case"),
    ("loads.identity.equal", "nfkc", "after NFKC normalization"),
    ("loads.links.directory", "refused", "rejected"),
    ("loads.links.file", "refused", "rejected"),
    ("loads.links.escape", "refused", "rejected"),
    ("loads.repair.method", "quote-values", "quotes values"),
    ("loads.repair.method", "block-scalars", "rewrites values as block scalars"),
    ("loads.repair.method", "read-lines", "reads line by line"),
    ("loads.duplicates.same-root", "first", "the first is kept"),
    ("loads.duplicates.same-root", "last", "the last is kept"),
    ("loads.duplicates.same-root", "all", "both are kept"),
    ("loads.duplicates.same-root", "none", "neither is kept"),
    ("loads.duplicates.same-root", "any", "one is kept; which one varies"),
    ("loads.duplicates.across-roots", "first", "the first is kept"),
    ("loads.duplicates.across-roots", "last", "the last is kept"),
    ("loads.duplicates.across-roots", "all", "both are kept"),
    ("loads.duplicates.across-roots", "none", "neither is kept"),
    ("loads.duplicates.across-roots", "any", "one is kept; which one varies"),
    ("loads.listing.escape", "none", "not escaped"),
    ("loads.listing.bodies", "on-demand", "read on demand"),
    ("loads.budget.over-limit", "omit", "omit skills"),
    ("loads.budget.over-limit", "names-only", "show names only"),
];

/// Text of a value, ready for a cell.
pub(super) fn of(path: &str, value: &Value) -> String {
    match value {
        Value::String(word) => {
            let plain = PLAIN.iter().find(|(at, known, _)| *at == path && known == word);
            let handling = || Verdict::deserialize(value.clone()).map_or_else(|_| cell(word), verdict);
            plain.map_or_else(handling, |(.., words)| (*words).to_owned())
        }
        Value::Array(items) if items.is_empty() => "nothing".to_owned(),
        Value::Array(items) => items.iter().map(|item| of(path, item)).collect::<Vec<_>>().join(", "),
        Value::Table(table) if table.contains_key("handling") => {
            Verdict::deserialize(value.clone()).map_or_else(|_| cell(&table.to_string()), verdict)
        }
        Value::Table(table) => {
            let part = |(key, value): (&String, &Value)| format!("{key}: {}", of(path, value));
            table.iter().map(part).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Text of a verdict.
pub(super) fn verdict(verdict: Verdict) -> String {
    let handling = match verdict.handling {
        Handling::Loads => "loads",
        Handling::Repairs => "repaired",
        Handling::Changes => "changed",
        Handling::Truncates => "truncated",
        Handling::LosesFields => "fields lost",
        Handling::LosesDescription => "description lost",
        Handling::LosesBody => "body lost",
        Handling::IgnoresFrontMatter => "front matter ignored",
        Handling::Drops => "dropped",
        Handling::AbortsScan => "the whole scan fails",
    };
    match (verdict.handling, verdict.reported) {
        (Handling::Loads, Some(Reported::Nothing)) => handling.to_owned(),
        (Handling::Drops, Some(Reported::Nothing)) => "silently dropped".to_owned(),
        (Handling::Drops, Some(Reported::Log)) => "logged and dropped".to_owned(),
        (Handling::Drops, Some(Reported::Error)) => "rejected".to_owned(),
        (_, how) => format!("{handling}{}", how.map_or("", reported)),
    }
}

/// How a handling is reported; follows its words.
pub(super) fn reported(how: Reported) -> &'static str {
    match how {
        Reported::Error => ", with an error",
        Reported::Log => ", logged",
        Reported::Nothing => ", silently",
    }
}

/// Start directory of the search for a root.
pub(super) fn from(start: Start) -> &'static str {
    match start {
        Start::Top => "",
        Start::WorkingDirectory => "in the working directory",
        Start::Upwards => "in the working directory and every directory above it",
        Start::Anywhere => "in any directory",
    }
}

/// A limit: the measured value and its maximum.
pub(super) fn limit(limit: &Limit) -> (&'static str, String) {
    let of = match limit.of {
        Measured::Name => "name",
        Measured::QualifiedName => "qualified name",
        Measured::Description => "description",
        Measured::Compatibility => "compatibility",
        Measured::ShortDescription => "metadata.short-description",
        Measured::Entry => "list entry",
        Measured::FrontMatter => "front matter",
        Measured::File => "file",
        Measured::Body => "body",
        Measured::MentionedBody => "mentioned body",
        Measured::Skills => "skills in a skills directory",
        Measured::Directories => "directories searched",
        Measured::Entries => "directory entries read",
    };
    let unit = if limit.unit == Unit::Count { "" } else { plural(limit.unit) };
    (of, format!("{} {unit}", grouped(limit.maximum)).trim_end().to_owned())
}

/// Text of a profile, escaped for a table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

/// Text as code in a cell: line breaks are escaped. A bar within code ends no cell of the site, which would show its backslash.
pub(super) fn code(text: &str) -> String {
    let text = text.replace('\n', "\\n");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let ticks = "`".repeat(longest + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_cell_text() {
        assert_eq!(code("a|b\n"), "`a|b\\n`");
        assert_eq!(code("`{[@"), "`` `{[@ ``");
        assert_eq!(cell("<a>|"), "&lt;a>\\|");
    }
}
