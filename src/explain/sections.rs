//! A rule's page in parts.

/// A heading of the first or second level, and what stands below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// The heading without its `#`.
    pub heading: &'a str,
    /// The text below it, without blank lines around it.
    pub text: &'a str,
}

/// The parts of a page in their order; the first is the title with the summary below it.
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

/// Whether a line belongs to a fenced block: three backticks or more open one, as many or more close it.
#[derive(Debug, Default)]
pub(super) struct Fence {
    ticks: usize,
}

impl Fence {
    /// Takes the next line, and says whether it belongs to a block; the lines of backticks do.
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

    /// Whether a block is open behind the lines that were taken.
    pub(super) fn is_open(&self) -> bool {
        self.ticks > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# a-rule\n\nIt is so.\n\n## Fires\n\n````markdown x\n## no heading\n```\n````\n\n## Quiet\n";

    #[test]
    fn a_heading_inside_a_fence_is_none() {
        let fires = "````markdown x\n## no heading\n```\n````";
        let expected = [("a-rule", "It is so."), ("Fires", fires), ("Quiet", "")];
        assert_eq!(sections(PAGE), expected.map(|(heading, text)| Section { heading, text }));
    }
}
