//! Links of templates: the user of the skill fills them in, so that their targets do not exist yet.

use std::ops::Range;

/// Words of targets that stand for another text.
const PLACEHOLDERS: [&str; 6] = ["foo", "my", "name", "placeholder", "xxx", "your"];

/// Maximum length of the rest of a line that is read, in bytes.
const LINE_BYTES: usize = 400;

/// Returns whether the link with a target belongs to a template: a word of the target is a placeholder, as in `component-name.md`,
/// or its line ends with one in brackets, as in `[Description]`.
pub(super) fn contains(text: &str, target: &Range<usize>) -> bool {
    let mut words = text[target.clone()].split(|character: char| !character.is_ascii_alphanumeric());
    words.any(|word| PLACEHOLDERS.iter().any(|placeholder| word.eq_ignore_ascii_case(placeholder)))
        || ends_with_placeholder(&text[target.end..])
}

/// Returns whether the first line of a text ends with words in brackets.
fn ends_with_placeholder(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().trim_end();
    let inside = (line.len() <= LINE_BYTES).then(|| line.strip_suffix(']')?.rsplit_once('[')).flatten();
    inside.is_some_and(|(_, words)| {
        words.starts_with(|first: char| first.is_ascii_uppercase())
            && words.chars().all(|character| character.is_alphanumeric() || character == ' ')
    })
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn knows_templates_by_their_targets_and_lines() {
        for (text, expected) in [
            ("[a](component-name.md)", true),
            ("[a](your_file.md)", true),
            ("[a](rename.md)", false),
            ("[a](username.md)", false),
            ("- [a](code-file-1.md) - [Description]", true),
            ("- [a](a.md) - [b](b.md)", false),
            ("- [a](a.md) - see [1]", false),
            ("- [a](a.md) and [Guide](b.md)", false),
        ] {
            let start = text.find("](").expect("it is a link") + 2;
            let end = start + text[start..].find(')').expect("it ends");
            assert_eq!(contains(text, &(start..end)), expected, "{text}");
        }
    }
}
