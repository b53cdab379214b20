//! The language tag after the opening fence: `---json`. The library gray-matter, which some runtimes use, selects a parser by it.

use std::ops::Range;

use bstr::{BStr, ByteSlice};

use super::Skill;

/// How gray-matter 4.0.3 reads the text between the fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `yaml` and `yml` in any letter case.
    Yaml,
    /// `json` in lowercase.
    Json,
    /// `js` and `javascript` in any letter case: it evaluates the text.
    JavaScript,
    /// It has no parser, and fails.
    Unknown,
}

impl Language {
    /// Returns the language of a text that begins with a tagged opening fence, and the place of the fence without its line ending.
    /// A leading byte order mark does not count.
    pub fn of(text: &BStr) -> Option<(Self, Range<usize>)> {
        let rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let line = rest.lines().next()?;
        let tag = line.strip_prefix(b"---").filter(|tag| !tag.starts_with(b"-"))?.to_str_lossy();
        let tag = tag.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(tag));
        let language = match tag {
            "" => return None,
            "json" => Self::Json,
            _ if is(&["js", "javascript"]) => Self::JavaScript,
            _ if is(&["yaml", "yml"]) => Self::Yaml,
            _ => Self::Unknown,
        };
        let start = text.len() - rest.len();
        Some((language, start..start + line.len()))
    }
}

impl Skill {
    /// Returns the language tag of the first line, and the place of that line.
    pub fn language(&self) -> Option<(Language, Range<usize>)> {
        // Without front matter, the header is at most a byte order mark.
        if self.header.len() > 3 {
            return Language::of(self.header.as_bstr());
        }
        let text = [self.header.as_slice(), self.agreement.after_header.as_ref()?.as_slice()].concat();
        Language::of(text.as_bstr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tags_as_gray_matter_does() {
        let of = |text: &str| Language::of(BStr::new(text)).map(|(language, _)| language);
        for text in ["---js\n", "--- JS \r\n", "---JavaScript\n", "---\u{a0}js\n", "\u{feff}---\tjs\n", "---js"] {
            assert_eq!(of(text), Some(Language::JavaScript), "{text:?}");
        }
        assert_eq!(Language::of("\u{feff}--- js \r\nx".into()).unwrap().1, 3..10);
        assert_eq!([of("---json\n"), of("---JSON\n")], [Some(Language::Json), Some(Language::Unknown)]);
        assert_eq!([of("--- Yml\n"), of("---coffee\n")], [Some(Language::Yaml), Some(Language::Unknown)]);
        for text in ["", "---\njs\n", "--- \t\n", "----js\n", " ---js\n", "js\n", "--\n"] {
            assert_eq!(of(text), None, "{text:?}");
        }
    }
}
