//! Word wrapping.

use unicode_width::UnicodeWidthStr;

/// Wraps a text at `first` columns in the first line and `rest` columns in the others. A longer word gets a separate
/// line, and text in backticks is one word. No line begins with `:` or `#`: a runner trims lines, and looks for workflow commands
/// such as `::error::`.
pub(super) fn lines(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words(text) {
        let most = if lines.len() == 1 { first } else { rest };
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.width() + 1 + word.width() <= most || word.starts_with([':', '#']) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Splits a text at the spaces outside of backticks. A backtick without a second one is an ordinary character.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let last = text.rfind('`').filter(|_| text.matches('`').count() % 2 == 1);
    let mut at = 0;
    text.split(move |character: char| {
        let here = at;
        at += character.len_utf8();
        in_code ^= character == '`' && Some(here) != last;
        character == ' ' && !in_code
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_words() {
        assert_eq!(lines("one two three", 20, 20), ["one two three"]);
        assert_eq!(lines("one two three", 7, 20), ["one two", "three"]);
        assert_eq!(lines("one two three four", 3, 10), ["one", "two three", "four"]);
        assert_eq!(lines("one ::error::x #[y] two", 3, 3), ["one ::error::x #[y]", "two"]);
        assert_eq!(lines("unbreakable a", 4, 4), ["unbreakable", "a"]);
        assert_eq!(lines("\u{65e5}\u{672c} a", 5, 5), ["\u{65e5}\u{672c}", "a"]);
        assert_eq!(lines("", 4, 4), [""]);
        assert_eq!(lines("run `skilltree fix --unsafe` now", 16, 16), ["run", "`skilltree fix --unsafe`", "now"]);
        assert_eq!(lines("a `b c` d`e f", 3, 3), ["a", "`b c`", "d`e", "f"]);
    }
}
