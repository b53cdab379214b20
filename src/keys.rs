//! The keys of a front matter that a slip of the fingers is traced back to.

use crate::characters;

/// Keys that mean something to runtimes and are long enough to be recognised in a misspelling: those of the open standard,
/// and those of Claude Code and Symphony.
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

/// Keys that are near to one of these and right: VS Code read `user-invokable` until 2026.
const OTHERS: [&str; 1] = ["user-invokable"];

/// The longest key has 24 bytes, and no slip doubles it.
const LONGEST: usize = 48;

/// The key that another one was probably meant to be; `None` for a key that is right, and for one of its own.
///
/// Letter case and what joins the words are no difference, and neither are letters that look alike. Beyond that a key
/// of seven letters or more may have one slip, and one of ten or more two if it ends as it should: `descriptor` is a word.
pub fn meant(key: &str) -> Option<&'static str> {
    if key.len() > LONGEST || KEYS.contains(&key) || OTHERS.contains(&key) {
        return None;
    }
    let typed = folded(key);
    if key.is_ascii() {
        return KEYS.into_iter().find(|known| is_slip(&typed, &folded(known)));
    }
    let look = characters::skeleton(&typed);
    KEYS.into_iter().find(|known| characters::skeleton(&folded(known)) == look)
}

/// A key without letter case and without what joins its words.
fn folded(key: &str) -> String {
    key.chars().filter(|character| !matches!(character, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

fn is_slip(typed: &str, known: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_traced_back_to_its_key() {
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
        ];
        for (key, typed) in cases {
            for slip in typed.split('|') {
                assert_eq!(meant(slip), Some(key), "{slip}");
            }
        }
    }

    #[test]
    fn a_key_of_its_own_is_no_slip() {
        let keys = "description|when_to_use|name|names|nom|game|descriptor|prescription|subscription|tools|compatible_tools|\
            compatible|agents|arguments|version|tags|roles|role|meta|homepage|when|not_for|read_when|triggers|hooks|model|\
            user-invokable|displayName|short-description|author|license-url|category|keywords|requires||\u{540d}\u{524d}|d";
        for key in keys.split('|') {
            assert_eq!(meant(key), None, "{key}");
        }
        assert_eq!(meant(&"description".repeat(1_000)), None);
    }
}
