//! Skills that a text mentions: `$name`, `@name`, `/name`, and `[$name](path)`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::ByteSlice;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::outcome::Chosen;
use super::{Dropped, Reason};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// Selects the skills that a text mentions outside code, once each, in the order of the first mention. A mention that
/// names no skill is plain text.
pub(super) fn choose(skills: &[SkillId], catalog: &Catalog, mentioning: &str) -> Chosen {
    let mut names: BTreeMap<String, SkillId> = BTreeMap::new();
    let mut paths: BTreeMap<&[u8], SkillId> = BTreeMap::new();
    for &id in skills.iter().rev() {
        names.insert(catalog.skill(id).shown_name().into_owned(), id);
        paths.insert(catalog.path(id).as_bytes(), id);
        paths.insert(text::parent(catalog.path(id)).as_bytes(), id);
    }
    let mut chosen = Chosen::default();
    let mut taken = BTreeSet::new();
    for mention in mentions(mentioning) {
        let found = match mention {
            Mention::Name(name) => names.get(name),
            Mention::Link { name, path } => {
                let is_named = |id: &&SkillId| catalog.skill(**id).shown_name() == name;
                paths.get(path.trim_start_matches("./").trim_end_matches('/').as_bytes()).filter(is_named)
            }
        };
        if let Some(&id) = found
            && taken.insert(id)
        {
            chosen.skills.push(id);
        }
    }
    let others = skills.iter().filter(|id| !taken.contains(id));
    let drop = |&skill| Dropped { skill, reason: Reason::NotMentioned, detail: "the text does not mention it".into() };
    chosen.dropped = others.map(drop).collect();
    chosen
}

/// Possible mention.
#[derive(Debug, PartialEq, Eq)]
enum Mention<'a> {
    /// `$name`, `@name` or `/name`.
    Name(&'a str),
    /// `[$name](path)`.
    Link { name: String, path: String },
}

/// Returns possible mentions in the order of the text.
fn mentions(text: &str) -> Vec<Mention<'_>> {
    let mut found = Vec::new();
    let mut link: Option<(String, String)> = None;
    let mut code = 0_usize;
    let mut part: Option<Range<usize>> = None;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code += 1,
            Event::End(TagEnd::CodeBlock) => code = code.saturating_sub(1),
            Event::Start(Tag::Link { dest_url, .. }) => {
                names(text, part.take(), &mut found);
                link = Some((dest_url.into_string(), String::new()));
            }
            Event::End(TagEnd::Link) => {
                if let Some((path, label)) = link.take()
                    && let Some(name) = label.strip_prefix('$')
                {
                    found.push(Mention::Link { name: name.to_owned(), path });
                }
            }
            Event::Text(_) | Event::Code(_) if link.is_some() => {
                if let Some((_, label)) = &mut link {
                    label.push_str(&text[range]);
                }
            }
            Event::Text(_) if code == 0 => match &mut part {
                // The Markdown parser splits text at possible markup: join adjacent parts.
                Some(part) if part.end == range.start => part.end = range.end,
                _ => names(text, part.replace(range), &mut found),
            },
            _ => {}
        }
    }
    names(text, part, &mut found);
    found
}

/// Collects the names after a `$`, `@` or `/` at the start of a word in a part of a text.
fn names<'a>(text: &'a str, part: Option<Range<usize>>, found: &mut Vec<Mention<'a>>) {
    let Some(part) = part else { return };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let bytes = &text.as_bytes()[..part.end];
    let mut from = part.start;
    while let Some(offset) = bytes[from..].find_byteset(b"$@/") {
        let sigil = from + offset;
        let end = sigil + 1 + bytes[sigil + 1..].iter().take_while(|&&byte| is_name(byte)).count();
        from = end;
        // Before the part is markup, except for a backslash that escapes the sigil.
        let before = text[..sigil].chars().next_back();
        let continues =
            before.is_some_and(|before| if sigil == part.start { before == '\\' } else { continues(before) });
        if end > sigil + 1 && !continues && bytes.get(end) != Some(&b'/') {
            found.push(Mention::Name(&text[sigil + 1..end]));
        }
    }
}

/// Returns whether a character before a sigil makes it part of a path, an address or a word.
fn continues(before: char) -> bool {
    before.is_alphanumeric() || matches!(before, '_' | '-' | '/' | '\\' | '.' | '~' | '$' | '@' | ':' | '#' | '%' | '&')
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::samples::{BOTH, catalog};

    fn mentioned(text: &str) -> String {
        let skills: [(&str, &[(&str, &str)]); 4] = [
            (".agent/skills/pdf/SKILL.md", &[("name", "pdf")]),
            (".agent/skills/pdf-tools/SKILL.md", &[("name", "pdf-tools")]),
            (".agent/skills/snake_case/SKILL.md", &[("name", "snake_case")]),
            (".symphony/skills/land/SKILL.md", &[("name", "land")]),
        ];
        let catalog = catalog(BOTH, &skills);
        let all: Vec<SkillId> = (0..4).map(SkillId).collect();
        let chosen = choose(&all, &catalog, text);
        assert_eq!(chosen.skills.len() + chosen.dropped.len(), 4);
        chosen.skills.iter().map(|&id| catalog.skill(id).shown_name().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn finds_mentions_at_word_start_outside_code() {
        let cases = [
            ("Use $pdf, then /land.", "pdf land"),
            ("@land and $land again", "land"),
            ("$pdf-tools", "pdf-tools"),
            ("(@pdf) \"$land\"", "pdf land"),
            ("$snake_case", "snake_case"),
            ("$PDF $pdfs $pdf- $pdf_ $pdf/x", ""),
            ("a$pdf a/pdf me@pdf ./pdf ~/land https://x/pdf $HOME/pdf $$pdf", ""),
            ("`$pdf` and\n```\n$land\n```\n\n    /pdf\n", ""),
            ("**$pdf** _/land_", "pdf land"),
            ("see [$pdf](.agent/skills/pdf/SKILL.md) and [$land](./.symphony/skills/land/)", "pdf land"),
            ("$land, [$pdf](.agent/skills/pdf), @pdf-tools", "land pdf pdf-tools"),
            ("see [$pdf](elsewhere.md), [pdf](.agent/skills/pdf), [$land](.agent/skills/pdf)", ""),
            ("", ""),
            ("$ @ / $", ""),
            ("é$pdf 日本/land", ""),
            ("\\$pdf", ""),
        ];
        for (text, names) in cases {
            assert_eq!(mentioned(text), names, "{text}");
        }
    }
}
