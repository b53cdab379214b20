//! Misspelled front matter keys.

use crate::characters;

/// The key that keeps a skill from the model: only a person can start it.
pub const DISABLE_MODEL_INVOCATION: &str = "disable-model-invocation";

/// The key that keeps a skill from a person: only the model can start it.
pub const USER_INVOCABLE: &str = "user-invocable";

/// Keys that runtimes read and that are long enough to recognize a misspelling: those of the open standard, Claude Code
/// and Symphony.
pub const KEYS: [&str; 11] = [
    "allowed-tools",
    "argument-hint",
    "compatibility",
    "description",
    "disable-model-invocation",
    "disallowed-tools",
    "license",
    "metadata",
    "name",
    "user-invocable",
    "when_to_use",
];

/// Longest key to compare, in bytes: the longest known key has 24, and no typo doubles it.
const LONGEST: usize = 48;

/// Typographic quotes: what editors for prose write in place of `'` and `"`.
pub const QUOTES: [char; 8] =
    ['\u{2018}', '\u{2019}', '\u{201a}', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'];

/// Returns the known key that a key misspells; `None` for a known key and for an unrelated one.
///
/// Letter case, word separators, lookalike letters and typographic quotes are ignored. Beyond that a key of seven letters or more may have
/// one typo, and one of ten or more two if its end matches: `descriptor` is a word.
pub fn correction(key: &str) -> Option<&'static str> {
    if key.len() > LONGEST || KEYS.contains(&key) {
        return None;
    }
    let key = unquoted(key);
    let typed = folded(key);
    if key.is_ascii() {
        return KEYS.into_iter().find(|known| is_slip(&typed, &folded(known)));
    }
    let look = characters::skeleton(&typed);
    KEYS.into_iter().find(|known| characters::skeleton(&folded(known)) == look)
}

/// Returns a text without the typographic quotes around it. To YAML, they are letters.
pub fn unquoted(text: &str) -> &str {
    text.trim_matches(|character| QUOTES.contains(&character))
}

/// Returns a key in lowercase and without word separators.
fn folded(key: &str) -> String {
    key.chars().filter(|character| !matches!(character, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Returns whether a word has one typo, or two if it is long and its ends match.
pub fn is_slip(typed: &str, known: &str) -> bool {
    if typed == known {
        return true;
    }
    if known.len() < 7 || typed.len().abs_diff(known.len()) > 2 || typed.bytes().next() != known.bytes().next() {
        return false;
    }
    match strsim::osa_distance(typed, known) {
        1 => true,
        2 => known.len() >= 10 && typed.bytes().last() == known.bytes().last(),
        _ => false,
    }
}

/// Returns whether a name of a tool has one typo: an added, missing, changed or moved letter. Letter case alone is no typo,
/// because runtimes name the same tool in lowercase.
fn is_tool_slip(typed: &str, tool: &str) -> bool {
    const LONGEST_TOOL: usize = 32;
    // A short word with another end is often another word.
    let is_like = |typed: &str| typed.len() >= 4 || typed.len() == 3 && typed.bytes().last() == tool.bytes().last();
    is_like(typed)
        && tool.len() >= 4
        && typed.len() <= LONGEST_TOOL
        && typed.bytes().next() == tool.bytes().next()
        && !typed.eq_ignore_ascii_case(tool)
        && strsim::osa_distance(typed, tool) == 1
}

/// Returns the only tool that a name probably misspells.
pub fn meant_tool<'a>(typed: &str, tools: &'a [String]) -> Option<&'a str> {
    let mut near = tools.iter().filter(|tool| is_tool_slip(typed, tool));
    near.next().filter(|_| near.next().is_none()).map(String::as_str)
}

/// Splits a list of tools at spaces and commas outside parentheses.
pub fn tool_entries(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let separates = move |character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || character.is_whitespace())
    };
    text.split(separates).filter(|entry| !entry.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_tools_outside_parentheses() {
        assert_eq!(tool_entries("Read, Bash(git add:*, x) Edit,"), ["Read", "Bash(git add:*, x)", "Edit"]);
        assert_eq!(tool_entries(") a"), [")", "a"]);
    }

    #[test]
    fn corrects_misspelled_keys() {
        let cases = [
            ("description", "descripton|Description|desciption|discription|descriptions|DESCRIPTION|dsecripton"),
            ("when_to_use", "when-to-use|whenToUse|when to use|when_to_us"),
            ("allowed-tools", "allowed_tools|allowedTools|allow-tools|allowed-tool"),
            ("license", "licence|License|licenses"),
            ("compatibility", "compatability|compatibilty"),
            ("metadata", "meta-data|metdata"),
            ("name", "Name|NAME|n\u{430}me"),
            ("disable-model-invocation", "disable_model_invocation|disable-model-invokation"),
            ("argument-hint", "argument_hint|argument-hints"),
            ("user-invocable", "user-invokable|user_invocable"),
        ];
        for (key, typed) in cases {
            for slip in typed.split('|') {
                assert_eq!(correction(slip), Some(key), "{slip}");
            }
        }
    }

    #[test]
    fn keeps_unrelated_keys() {
        let keys = "description|when_to_use|name|names|nom|game|descriptor|prescription|subscription|tools|compatible_tools|\
            compatible|agents|arguments|version|tags|roles|role|meta|homepage|when|not_for|read_when|triggers|hooks|model|\
            displayName|short-description|author|license-url|category|keywords|requires||\u{540d}\u{524d}|d";
        for key in keys.split('|') {
            assert_eq!(correction(key), None, "{key}");
        }
        assert_eq!(correction(&"description".repeat(1_000)), None);
    }
}
