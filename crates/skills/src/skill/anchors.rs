//! Anchors of a Markdown file: the ids that GitHub gives to its headings, and those that its HTML sets.
//!
//! GitHub (html-pipeline, `TableOfContentsFilter`) takes the text of a heading, lowercases it, removes everything except
//! letters, marks, digits, connectors, hyphens and spaces, and replaces spaces by hyphens. A repeated id gets `-1`, `-2`.

use std::collections::{HashMap, HashSet};

use percent_encoding::percent_decode_str;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::headings::{Collector, OPTIONS};
use skilltree_front_matter::text;

/// The anchors of a file, in a form that ignores letter case and invisible characters.
#[derive(Debug, Default)]
pub(crate) struct Anchors {
    known: HashSet<String>,
    counts: HashMap<String, usize>,
}

/// Maximum number of anchors that are compared with a broken one to find the nearest.
const COMPARED: usize = 200;

impl Anchors {
    /// Returns the anchors of a Markdown text.
    pub(crate) fn new(text: &str) -> Self {
        let mut anchors = Self::default();
        let (mut headings, mut html, mut is_code) = (Collector::default(), String::new(), false);
        for event in Parser::new_ext(text, OPTIONS) {
            if let Some(heading) = headings.read(&event) {
                anchors.add_heading(&heading);
            }
            match event {
                Event::Start(Tag::CodeBlock(_)) => is_code = true,
                Event::End(TagEnd::CodeBlock) => is_code = false,
                Event::Text(text) if is_code => text.lines().for_each(|line| anchors.add_line(line)),
                Event::Html(tag) => html.push_str(&tag),
                Event::InlineHtml(tag) => anchors.add_ids(&tag),
                _ => {}
            }
        }
        anchors.add_ids(&html);
        html_headings(&html).for_each(|heading| anchors.add_heading(&heading));
        anchors
    }

    /// Returns whether a fragment, as written after `#`, leads to one of the anchors.
    pub(crate) fn has(&self, fragment: &str) -> bool {
        self.known.contains(&canonical(fragment))
    }

    /// Returns whether a text has every anchor that another one has.
    pub(crate) fn cover(after: &str, before: &str) -> bool {
        Self::new(before).known.is_subset(&Self::new(after).known)
    }

    /// Returns the anchor that is closest to a fragment.
    pub(crate) fn nearest(&self, fragment: &str) -> Option<String> {
        let mut known: Vec<&str> = self.known.iter().map(String::as_str).filter(|known| !known.is_empty()).collect();
        known.sort_unstable();
        known.truncate(COMPARED);
        text::nearest(&canonical(fragment), known).map(str::to_owned)
    }

    fn add_heading(&mut self, heading: &str) {
        // An image at the end of a heading leaves a space, which becomes a hyphen; other renderers than GitHub's remove it.
        self.known.insert(canonical(&slug(heading.trim())));
        let id = slug(heading);
        let count = self.counts.entry(id.clone()).or_default();
        let numbered = if *count == 0 { id } else { format!("{id}-{count}") };
        *count += 1;
        self.known.insert(canonical(&numbered));
        // Other renderers than GitHub's read an explicit id here. An agent that searches for it finds it too.
        if let Some((before, attributes)) = heading.rsplit_once('{') {
            let id = attributes.trim_end().strip_suffix('}').and_then(|inside| inside.split_once('#'));
            if let Some((_, id)) = id {
                let id = id.split(|end: char| end.is_whitespace() || end == '.').next().unwrap_or_default();
                self.known.extend([canonical(id), canonical(&slug(before.trim()))]);
            }
        }
    }

    /// Adds a line of a code block that looks like a heading: an agent that searches for it finds it. Most of these blocks contain
    /// an example with fences, which ends them too early.
    fn add_line(&mut self, line: &str) {
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            self.known.insert(canonical(&slug(heading.trim())));
        }
    }

    /// Adds the values of the attributes `id` and `name`.
    fn add_ids(&mut self, html: &str) {
        for key in ["id=", "name="] {
            for (at, _) in html.match_indices(key) {
                let value = &html[at + key.len()..];
                let end = value.char_indices().nth(ID_CHARS).map_or(value.len(), |(end, _)| end);
                let value = &value[..end];
                let quoted = |quote| value.strip_prefix(quote).and_then(|value: &str| value.split(quote).next());
                let bare = || value.split(|end: char| end.is_whitespace() || matches!(end, '>' | '/')).next();
                let id = quoted('"').or_else(|| quoted('\'')).or_else(bare);
                self.known.extend(id.map(canonical));
            }
        }
    }
}

/// Returns the texts of the headings of an HTML text, without their tags.
fn html_headings(html: &str) -> impl Iterator<Item = String> {
    let is_heading = |tag: &str| matches!(tag.as_bytes(), [b'h' | b'H', b'1'..=b'6', b' ' | b'>' | b'\n', ..]);
    let parts: Vec<&str> = html.split('<').collect();
    let headings: Vec<usize> = (0..parts.len()).filter(|&number| is_heading(parts[number])).collect();
    headings.into_iter().map(move |number| {
        let level = &parts[number][..2];
        let is_inside = |part: &&&str| !part.get(1..3).is_some_and(|end| end.eq_ignore_ascii_case(level));
        let inside = parts[number..].iter().take(NESTED).take_while(is_inside);
        let texts: String = inside.map(|part| part.split_once('>').map_or("", |(_, text)| text)).collect();
        texts.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

/// Maximum length of an id in HTML.
const ID_CHARS: usize = 256;

/// Maximum number of tags in an HTML heading.
const NESTED: usize = 16;

/// Returns the id that GitHub gives to a heading.
fn slug(heading: &str) -> String {
    let is_word = |character: char| {
        let is_letter =
            matches!(character.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark);
        let category = character.general_category();
        is_letter || matches!(category, GeneralCategory::DecimalNumber | GeneralCategory::ConnectorPunctuation)
    };
    let kept = heading.chars().filter(|&character| matches!(character, '-' | ' ') || is_word(character));
    kept.flat_map(char::to_lowercase).map(|character| if character == ' ' { '-' } else { character }).collect()
}

/// Returns an id in the form that is compared: decoded, in lowercase, without the prefix of GitHub's ids and without variation
/// selectors, which are invisible.
fn canonical(id: &str) -> String {
    let decoded = percent_decode_str(id).decode_utf8_lossy();
    let bare = decoded.strip_prefix("user-content-").unwrap_or(&decoded);
    let is_visible = |character: &char| !matches!(character, '\u{fe00}'..='\u{fe0f}');
    bare.chars().filter(is_visible).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Headings with the ids that github.com gives them.
    #[test]
    fn slugs_headings_like_github() {
        for (heading, expected) in [
            ("Quick start", "quick-start"),
            ("`foo_bar()` & baz", "foo_bar--baz"),
            ("What's new in 2.0?", "whats-new-in-20"),
            ("\u{1f680} Launch", "-launch"),
            ("Caf\u{e9} \u{dc}ber", "caf\u{e9}-\u{fc}ber"),
            ("A -- B", "a----b"),
            ("C++ / C#", "c--c"),
            ("\u{65e5}\u{672c}\u{8a9e}\u{3001}\u{4e2d}", "\u{65e5}\u{672c}\u{8a9e}\u{4e2d}"),
            (":rocket: go", "rocket-go"),
        ] {
            let text = format!("# {heading}\n");
            assert!(Anchors::new(&text).has(expected), "{heading}: {:?}", Anchors::new(&text));
        }
    }

    #[test]
    fn numbers_repeated_headings() {
        let anchors = Anchors::new("# A\n\n## A\n\nA\n---\n\n```\n# C\nD\n```\n");
        for (fragment, expected) in
            [("a", true), ("a-1", true), ("a-2", true), ("a-3", false), ("c", true), ("d", false)]
        {
            assert_eq!(anchors.has(fragment), expected, "{fragment}");
        }
    }

    #[test]
    fn reads_explicit_ids() {
        let text = "<a id=\"One\"></a>\n\nText <a name='two'></a> text.\n\n<h2 align=\"center\">Th<b>re</b>e</h2>\n\n\
            <div id=four>\n</div>\n\n## Five {#v}\n\n## [Six](x.md) ![seven](y.png)\n";
        let anchors = Anchors::new(text);
        for fragment in
            ["one", "ONE", "two", "three", "four", "v", "five", "five-v", "user-content-one", "%6Fne", "six-"]
        {
            assert!(anchors.has(fragment), "{fragment}: {anchors:?}");
        }
        assert!(!anchors.has("seven"));
        assert_eq!(anchors.nearest("thre").as_deref(), Some("three"));
    }

    #[test]
    fn reads_hostile_texts_in_linear_time() {
        for pattern in ["# a\n", "id=x", "<h1>", "<h1", "{#", "id=", "# {#\n", "<a id='"] {
            Anchors::new(&pattern.repeat(100_000 / pattern.len()));
        }
    }
}
