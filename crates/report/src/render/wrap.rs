//! Word wrapping.

use unicode_width::UnicodeWidthStr;

/// Wraps a text at `first` columns in the first line and `rest` columns in the others. A longer word gets a separate
/// line. No line begins with `:` or `#`: a runner trims lines, and looks for workflow commands such as `::error::`.
pub(super) fn lines(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
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
    }
}
