//! Bidirectional controls that the text does not need.
//!
//! A control acts up to the end of its paragraph, and an editor treats every line as a paragraph, so each line is
//! checked separately (UTS 55, section 3.1; Boucher and Anderson, "Trojan Source", 2021). Suspicious are
//! - an override (U+202D, U+202E) anywhere: no script needs one;
//! - a control that is opened and not closed on its line, or closed and never opened;
//! - a pair without text in it;
//! - a pair that sets right-to-left text without a right-to-left letter, and a direction mark on such a line.
//!
//! UTS 55 recommends a balanced embedding or isolate around text where both directions meet.

use std::ops::Range;

/// Returns whether a character is one of the twelve controls of the bidirectional algorithm (UAX 9, section 2).
pub fn is_control(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the line at an offset, without its line ending.
pub(super) fn line(text: &str, at: usize) -> Range<usize> {
    let ends = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
    let start = text[..at].rfind(ends).map_or(0, |end| end + text[end..].chars().next().map_or(0, char::len_utf8));
    let end = text[at..].find(ends).map_or(text.len(), |length| at + length);
    start..end
}

/// An embedding, override or isolate that is not closed yet.
struct Open {
    at: usize,
    character: char,
    /// Whether a character follows it, and the number of right-to-left letters before it.
    filled: bool,
    letters: usize,
}

impl Open {
    fn is_isolate(&self) -> bool {
        matches!(self.character, '\u{2066}'..='\u{2068}')
    }
}

/// Returns the suspicious controls of a line that starts at `offset`.
pub(super) fn suspects(line: &str, offset: usize) -> Vec<(usize, char)> {
    let right_to_left = line.chars().any(runs_right_to_left);
    let mut found: Vec<(usize, char)> = Vec::new();
    let mut stack: Vec<Open> = Vec::new();
    let (mut letters, mut isolates) = (0, 0);
    for (at, character) in line.char_indices() {
        match character {
            '\u{202a}'..='\u{202b}' | '\u{202d}'..='\u{202e}' | '\u{2066}'..='\u{2068}' => {
                let open = Open { at, character, filled: false, letters };
                isolates += usize::from(open.is_isolate());
                stack.push(open);
            }
            '\u{202c}' => match stack.pop_if(|open| !open.is_isolate()) {
                Some(open) => close(&open, (at, character), letters, &mut stack, &mut found),
                None => found.push((at, character)),
            },
            '\u{2069}' => {
                // Counted, so that a line with only closing controls is not searched again for each of them.
                let Some(isolate) = (isolates > 0).then(|| stack.iter().rposition(Open::is_isolate)).flatten() else {
                    found.push((at, character));
                    continue;
                };
                isolates -= 1;
                // Controls that were opened inside and not closed end here, unbalanced.
                let filled = stack[isolate..].iter().any(|open| open.filled);
                found.extend(stack.drain(isolate + 1..).map(|open| (open.at, open.character)));
                if let Some(open) = stack.pop() {
                    let open = Open { filled, ..open };
                    close(&open, (at, character), letters, &mut stack, &mut found);
                }
            }
            '\u{61c}' | '\u{200e}' | '\u{200f}' if !right_to_left => found.push((at, character)),
            other => {
                letters += usize::from(runs_right_to_left(other));
                if let Some(open) = stack.last_mut().filter(|_| !is_control(other)) {
                    open.filled = true;
                }
            }
        }
    }
    found.extend(stack.iter().map(|open| (open.at, open.character)));
    found.sort_unstable();
    found.iter().map(|&(at, character)| (offset + at, character)).collect()
}

/// Checks a pair of controls, and marks the enclosing one as filled if the pair contains text.
fn close(open: &Open, end: (usize, char), letters: usize, stack: &mut [Open], found: &mut Vec<(usize, char)>) {
    let overrides = matches!(open.character, '\u{202d}' | '\u{202e}');
    let turns = matches!(open.character, '\u{202b}' | '\u{2067}') && open.letters == letters;
    if overrides || turns || !open.filled {
        found.extend([(open.at, open.character), end]);
    }
    if let (Some(outer), true) = (stack.last_mut(), open.filled) {
        outer.filled = true;
    }
}

/// Returns whether a character is a letter of a right-to-left script: the blocks with default bidirectional class R or
/// AL (DerivedBidiClass.txt), without their controls.
fn runs_right_to_left(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{61b}' | '\u{61d}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}'
    )
}

#[cfg(test)]
mod tests {
    use crate::characters::suspects;

    #[test]
    fn accepts_controls_that_the_text_needs() {
        let texts = [
            ("a balanced isolate", "see \u{2067}שלום\u{2069} here"),
            ("isolates of unknown and left-to-right text", "a \u{2068}b\u{2069} \u{2066}c\u{2069}"),
            ("nested pairs", "\u{202b}שלום \u{2066}abc\u{2069}\u{202c}"),
            ("a balanced embedding", "\u{202a}abc\u{202c} שלום"),
            ("marks beside right-to-left text", "שלום!\u{200f} سلام\u{61c} abc\u{200e}"),
        ];
        for (name, text) in texts {
            assert_eq!(suspects(text).bidi, [], "{name}");
        }
    }

    #[test]
    fn finds_deceptive_controls() {
        let texts = [
            ("an override", "a \u{202e}b\u{202c} c", vec![2, 6]),
            ("an open isolate", "a \u{2067}ש\nb", vec![2]),
            ("closed on the next line", "a \u{2067}ש\nb\u{2069}", vec![2, 9]),
            ("an end alone", "a\u{2069} b\u{202c}", vec![1, 6]),
            ("crossed pairs", "\u{202a}a\u{2066}ש\u{202c}\u{2069}", vec![0, 9]),
            ("an embedding closed by the end of an isolate", "\u{2066}\u{202b}ש\u{2069}", vec![3]),
            ("an empty pair", "a\u{2066}\u{2069}b", vec![1, 4]),
            ("nested empty pairs", "\u{2066}\u{2068}\u{2069}\u{2069}", vec![0, 3, 6, 9]),
            ("turned without need", "x \u{2067}; drop\u{2069}", vec![2, 11]),
            ("marks without need", "a\u{200e}b\u{200f}\nשלום", vec![1, 5]),
        ];
        for (name, text, expected) in texts {
            let found: Vec<usize> = suspects(text).bidi.iter().map(|&(at, _)| at).collect();
            assert_eq!(found, expected, "{name}");
        }
        let many = "\u{2069}".repeat(50_000) + &"\u{202a}".repeat(50_000) + &"\u{2069}".repeat(50_000);
        assert_eq!(suspects(&many).bidi.len(), 150_000);
    }
}
