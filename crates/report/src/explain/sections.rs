//! Sections of a rule's page.

/// A section with a heading of level one or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// Heading without its `#`.
    pub heading: &'a str,
    /// Text below it, without leading and trailing blank lines.
    pub text: &'a str,
}

/// Splits a page into sections. The first one has the title and the summary.
pub fn sections(page: &str) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let mut fence = Fence::default();
    let mut open: Option<(&str, usize)> = None;
    let mut offset = 0;
    for line in page.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let heading = line.strip_prefix("## ").or_else(|| line.strip_prefix("# "));
        if fence.holds(line) || heading.is_none() {
            continue;
        }
        if let Some((heading, from)) = open {
            sections.push(Section { heading, text: page[from..start].trim_matches('\n') });
        }
        open = heading.map(|heading| (heading.trim(), offset));
    }
    if let Some((heading, from)) = open {
        sections.push(Section { heading, text: page[from..].trim_matches('\n') });
    }
    sections
}

/// Tracks fenced blocks: at least three backticks open one, and at least as many close it.
#[derive(Debug, Default)]
pub(super) struct Fence {
    ticks: usize,
}

impl Fence {
    /// Reads the next line, and returns whether it belongs to a block, including its fences.
    pub(super) fn holds(&mut self, line: &str) -> bool {
        let ticks = line.bytes().take_while(|&byte| byte == b'`').count();
        if self.ticks == 0 {
            self.ticks = if ticks >= 3 { ticks } else { 0 };
            return self.ticks > 0;
        }
        if ticks >= self.ticks && line[ticks..].trim().is_empty() {
            self.ticks = 0;
        }
        true
    }

    /// Returns whether a block is open after the lines read.
    pub(super) fn is_open(&self) -> bool {
        self.ticks > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# a-rule\n\nIt is so.\n\n## Fires\n\n````markdown x\n## no heading\n```\n````\n\n## Quiet\n";

    #[test]
    fn ignores_headings_inside_fences() {
        let fires = "````markdown x\n## no heading\n```\n````";
        let expected = [("a-rule", "It is so."), ("Fires", fires), ("Quiet", "")];
        assert_eq!(sections(PAGE), expected.map(|(heading, text)| Section { heading, text }));
    }
}
