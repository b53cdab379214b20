//! Body of a skill as part of a block: the text after the closing fence's line, without the blank lines around it.
//!
//! Nothing else of a body is changed, except that CRLF becomes LF, as in Git. If it would end or reopen its block, the skill is
//! dropped.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use bstr::ByteSlice;

use super::line;
use super::structure::{Heading, Structure};
use crate::select::Names;
use skilltree_front_matter::text::shortened;
use skilltree_skills::characters;
use skilltree_skills::skill::Skill;

/// What a body must not contain, so that a reader finds where it ends.
#[derive(Clone, Copy)]
pub(super) struct Guard {
    /// Lines that begin or end the block.
    pub(super) lines: &'static [&'static str],
    /// Heading of level 2 that begins the block.
    pub(super) heading: Option<&'static str>,
    /// Whether each skill begins with its name as a heading of level 3.
    pub(super) names: bool,
}

/// Body with its place in its file.
#[derive(Clone, Default)]
pub(super) struct BodyText<'a> {
    /// Text with LF line endings.
    pub(super) text: Cow<'a, str>,
    /// First line in the file, from 1.
    line: usize,
}

/// Returns the body of a file.
pub(super) fn read<'a>(skill: &Skill, content: &'a [u8]) -> BodyText<'a> {
    let start = skill.body.as_ref().map_or(0, |body| body.start as usize);
    let inner = skilltree_skills::skill::inner(content, start);
    let (before, text) = (&content[..inner.start], content[inner].to_str_lossy());
    let text = if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { text };
    BodyText { text, line: 1 + before.find_iter(b"\n").count() }
}

impl From<String> for BodyText<'_> {
    fn from(text: String) -> Self {
        Self { text: Cow::Owned(text), line: 1 }
    }
}

impl BodyText<'_> {
    /// Returns why a body cannot be in a block, with the line. Without a guard, only its characters matter.
    pub(super) fn unfit(&self, guard: Option<Guard>, others: &Names, name: &str) -> Option<String> {
        let (at, detail) = self.hidden().or_else(|| self.breakout(&guard?, others, name))?;
        Some(format!("line {} of its file {detail}", self.line_of(at)))
    }

    /// Returns the names of all other skills whose headings a body contains.
    pub(super) fn claims(&self, others: &Names, name: &str) -> BTreeSet<String> {
        let structure = Structure::new(&self.text);
        let lines = self.text_lines(&structure).filter_map(|(_, shown)| Some(shown.strip_prefix("### ")?.to_owned()));
        let headings = structure.headings.iter().filter(|heading| heading.level == 3);
        let all: Vec<String> = lines.chain(headings.map(|heading| heading.text.clone())).collect();
        all.iter().flat_map(|heading| others.all_taken(heading, name)).map(str::to_owned).collect()
    }

    /// Returns the line in the file of an offset in the body.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.line + self.text[..at].matches('\n').count()
    }

    /// Returns the first character that no block contains. The tags of an emoji flag are visible.
    fn hidden(&self) -> Option<(usize, String)> {
        if line::is_plain_text(&self.text) {
            return None;
        }
        let suspects = characters::suspects(&self.text).hidden;
        let is_flag = |at: usize, character: char| {
            matches!(character, '\u{e0020}'..='\u{e007f}')
                && suspects.binary_search_by_key(&at, |found| found.0).is_err()
        };
        let mut all = self.text.char_indices();
        let (at, character) =
            all.find(|&(at, character)| !characters::is_kept_in_text(character) && !is_flag(at, character))?;
        Some((at, format!("contains the hidden or control character U+{:04X}", u32::from(character))))
    }

    /// Returns the first text that would end or reopen the block, or take the heading of another skill.
    fn breakout(&self, guard: &Guard, others: &Names, name: &str) -> Option<(usize, String)> {
        let structure = Structure::new(&self.text);
        let lines = self.lines(&structure, guard, others, name);
        let headings = structure.headings.iter().filter_map(|heading| taken(heading, guard, others, name));
        let first = lines.into_iter().chain(headings).min();
        first.or_else(|| {
            let what = "opens a code block, comment or element that includes the text after the body";
            structure.open.map(|at| (at, what.to_owned()))
        })
    }

    /// Returns the first line outside code that looks like a line of the block. A reader of lines sees it even in a comment
    /// or an element, where it is not a heading.
    fn lines(&self, structure: &Structure, guard: &Guard, others: &Names, name: &str) -> Option<(usize, String)> {
        self.text_lines(structure).find_map(|(start, shown)| {
            let detail = guard
                .lines
                .iter()
                .find(|known| known.eq_ignore_ascii_case(&shown))
                .map(|known| format!("is `{known}`, a line of the block itself"))
                .or_else(|| {
                    let heading = shown.strip_prefix("### ").filter(|_| guard.names)?;
                    others.taken(heading, name).map(heading_of)
                })?;
            Some((start, detail))
        })
    }

    /// Returns the lines outside code as they are shown, each with its start.
    fn text_lines<'a>(&'a self, structure: &'a Structure) -> impl Iterator<Item = (usize, String)> {
        let mut at = 0;
        let lines = self.text.split_inclusive('\n').map(move |line| {
            let start = at;
            at += line.len();
            (start..at, line)
        });
        let outside = lines.filter(|(range, _)| !structure.is_code(range));
        outside.map(|(range, line)| (range.start, shown(line)))
    }
}

/// Returns why a heading cannot be in a body.
fn taken(heading: &Heading, guard: &Guard, others: &Names, name: &str) -> Option<(usize, String)> {
    let detail = match heading.level {
        2 => guard
            .heading
            .filter(|known| known.eq_ignore_ascii_case(&shown(&heading.text)))
            .map(|known| format!("is the heading `## {known}` of the block itself")),
        3 if guard.names => others.taken(&heading.text, name).map(heading_of),
        _ => None,
    };
    detail.map(|detail| (heading.start, detail))
}

fn heading_of(name: &str) -> String {
    format!("is a heading of another skill, `### {}`", shortened(&line::one_line(name), 64))
}

/// Returns a line with single spaces, trimmed and without invisible characters.
fn shown(line: &str) -> String {
    let shown: String = line.chars().filter(|&character| !characters::is_ignorable(character)).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One skill in a block, and where its body is.
pub(super) struct Fragment {
    pub(super) text: String,
    pub(super) body: Option<Range<usize>>,
}

impl Fragment {
    /// Places a body between two texts. A body without a final line feed gets one.
    pub(super) fn around(before: &str, body: &str, after: &str) -> Self {
        let ending = if body.ends_with('\n') { "" } else { "\n" };
        let range = before.len()..before.len() + body.len();
        Self { text: [before, body, ending, after].concat(), body: Some(range) }
    }
}

impl From<String> for Fragment {
    fn from(text: String) -> Self {
        Self { text, body: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::samples::{SYMPHONY, catalog};
    use skilltree_skills::skill::SkillId;

    const GUARD: Guard = Guard { lines: &["--- End ---"], heading: Some("Skills"), names: true };

    /// Returns why the body of the skill `pdf`, which begins in line 5, cannot be next to the skill `land`.
    fn unfit(text: &str, guard: Option<Guard>) -> String {
        let skills: [(&str, &[(&str, &str)]); 2] = [
            (".symphony/skills/land/SKILL.md", &[("name", "land")]),
            (".symphony/skills/pdf/SKILL.md", &[("name", "pdf")]),
        ];
        let names = Names::new(&[SkillId(0), SkillId(1)], &catalog(SYMPHONY, &skills), false);
        BodyText { text: text.into(), line: 5 }.unfit(guard, &names, "pdf").unwrap_or_default()
    }

    #[test]
    fn reports_lines_and_headings_of_the_block() {
        for (text, expected) in [
            ("Read.\n\n--- End ---\n", "line 7 of its file is `--- End ---`, a line of the block itself"),
            ("--- End ---\n```\nx\n```\n", "line 5 of its file is `--- End ---`, a line of the block itself"),
            ("```\nx\n```\n--- End ---\n", "line 8 of its file is `--- End ---`, a line of the block itself"),
            ("Read.\n\n    x\n--- End ---\n", "line 8 of its file is `--- End ---`, a line of the block itself"),
            ("```\n--- End ---\n```\n", ""),
            ("## Skills\n", "line 5 of its file is the heading `## Skills` of the block itself"),
            ("Read.\n\nSkills\n---\n", "line 7 of its file is the heading `## Skills` of the block itself"),
            ("# Skills\n\n### Skills\n", ""),
            ("### land\n", "line 5 of its file is a heading of another skill, `### land`"),
            ("> ### land\n", "line 5 of its file is a heading of another skill, `### land`"),
            ("### pdf\n", ""),
            (
                "```\nx\n",
                "line 5 of its file opens a code block, comment or element that includes the text after the body",
            ),
        ] {
            assert_eq!(unfit(text, Some(GUARD)), expected, "{text}");
        }
        let nameless = Guard { names: false, ..GUARD };
        assert_eq!(["### land\n", "> ### land\n"].map(|text| unfit(text, Some(nameless))), ["", ""]);
        assert_eq!(unfit("## Skills\n--- End ---\n", None), "");
    }

    #[test]
    fn reports_hidden_characters_but_not_flags() {
        let flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
        let hidden = |code| format!("line 6 of its file contains the hidden or control character U+{code}");
        for guard in [Some(GUARD), None] {
            assert_eq!(unfit(&format!("Read.\n{flag} it.\n"), guard), "");
            assert_eq!(unfit("Read.\n\u{e0067} it.\n", guard), hidden("E0067"));
            assert_eq!(unfit(&format!("{flag}\n\u{200b}it.\n"), guard), hidden("200B"));
        }
    }
}
