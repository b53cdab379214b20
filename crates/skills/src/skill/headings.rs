//! The texts of the headings of a Markdown text, for anchors and for rules of the repository.

use pulldown_cmark::{Event, Options, Tag, TagEnd};

/// What a Markdown text is parsed with, here and for links.
pub(super) const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_FOOTNOTES);

/// Collects the text of a heading from the events of a parser, without its images.
#[derive(Debug, Default)]
pub(super) struct Collector {
    heading: Option<String>,
    images: usize,
}

impl Collector {
    /// Reads the next event; returns the text of the heading that it ends.
    pub(super) fn read(&mut self, event: &Event<'_>) -> Option<String> {
        match event {
            Event::Start(Tag::Heading { .. }) => self.heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => return self.heading.take(),
            Event::Start(Tag::Image { .. }) => self.images += 1,
            Event::End(TagEnd::Image) => self.images -= 1,
            Event::Text(text) | Event::Code(text) if self.images == 0 => self.push(text),
            Event::SoftBreak | Event::HardBreak => self.push(" "),
            _ => {}
        }
        None
    }

    fn push(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.push_str(text);
        }
    }
}
