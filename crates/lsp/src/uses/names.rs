//! Whether the name of a skill in a text is that of the skill.

use std::ops::Range;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Markdown,
    /// `agents/openai.yaml`, where `$name` is a skill.
    AgentFile,
    /// The manifest of a package, whose own name may be the same.
    Manifest,
    /// Settings, hooks and servers: their texts are commands and permissions.
    Commands,
}

/// A place where a text has the name.
pub(super) struct Use<'t> {
    pub(super) text: &'t str,
    pub(super) range: &'t Range<usize>,
    pub(super) kind: Kind,
    /// Whether the name may be something else.
    pub(super) is_common: bool,
    /// Whether the text is a file of a skill.
    pub(super) is_inside: bool,
}

impl Use<'_> {
    /// Returns whether an edit may replace it.
    pub(super) fn is_certain(&self) -> bool {
        let (before, after) = (&self.text[..self.range.start], &self.text[self.range.end..]);
        let next = after.chars().nth(1).is_some_and(char::is_alphanumeric);
        // A path, a file, a version and a plugin are something else.
        let is_longer = after.starts_with(['/', '@']) || after.starts_with(['.', ':']) && next;
        if is_longer || before.ends_with(':') && !before.ends_with("skill:") || self.is_field() {
            return false;
        }
        let is_permission = before.ends_with("Skill(");
        match self.kind {
            Kind::Markdown => is_permission || self.is_in_markdown(before, after),
            Kind::AgentFile => before.ends_with('$') || self.is_in_markdown(before, after),
            Kind::Manifest => is_permission || before.ends_with(['$', '/']),
            Kind::Commands => is_permission,
        }
    }

    fn is_in_markdown(&self, before: &str, after: &str) -> bool {
        match before.chars().next_back() {
            Some('/') => self.is_command(&before[..before.len() - 1]),
            _ if !self.is_common => true,
            Some('$') => before[..before.len() - 1].ends_with('`'),
            Some('`') => self.is_next_to_word(&before[..before.len() - 1], after.get(1..)) || self.is_listed(),
            _ => before.ends_with("skill:") || before.ends_with("the ") && self.is_next_to_word("", Some(after)),
        }
    }

    /// Returns whether the name is the value of `name` in a front matter.
    fn is_field(&self) -> bool {
        let (above, line) =
            self.text[..self.range.start].rsplit_once('\n').unwrap_or(("", &self.text[..self.range.start]));
        let mut lines = above.lines();
        line.trim_end_matches(['"', '\'']).trim_end() == "name:"
            && lines.next().is_some_and(|line| line.trim_end() == "---")
            && lines.all(|line| line.trim_end() != "---")
    }

    /// Returns whether the text before the slash makes it a command, not a path of a server or of a file.
    fn is_command(&self, before: &str) -> bool {
        let word = before.trim_end_matches([' ', '"', '`', '(']).rsplit(|c: char| !c.is_ascii_alphabetic()).next();
        let is_method = word.is_some_and(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase()));
        let is_first = before.is_empty() || before.ends_with(['\n', '`']);
        !is_method && (!self.is_common || is_first || !self.is_in_fence())
    }

    /// Returns whether it is in a fenced code block.
    fn is_in_fence(&self) -> bool {
        let mut open: Option<&str> = None;
        for line in self.text[..self.range.start].lines() {
            let line = line.trim_start();
            let length =
                line.bytes().take_while(|byte| line.starts_with(['`', '~']) && *byte == line.as_bytes()[0]).count();
            let fence = Some(&line[..length]).filter(|fence| fence.len() > 2);
            open = match (open, fence) {
                (None, fence) => fence,
                (Some(open), Some(fence)) if fence.starts_with(open) => None,
                (open, _) => open,
            };
        }
        open.is_some()
    }

    /// Returns whether the word "skill" is next to it.
    fn is_next_to_word(&self, before: &str, after: Option<&str>) -> bool {
        let after = after.and_then(|after| after.strip_prefix(" skill"));
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        before.ends_with("skill ") || before.ends_with("Skill ") || after.is_some_and(ends)
    }

    /// Returns whether the code span is the first of an entry or of a row, in a list of skills.
    fn is_listed(&self) -> bool {
        let start = self.text[..self.range.start].rfind('\n').map_or(0, |end| end + 1);
        let marker = &self.text[start..self.range.start];
        let is_marker = !marker.is_empty() && marker.chars().all(|c| " \t-*+|`".contains(c));
        let line = self.text[start..].lines().next().unwrap_or_default();
        !self.is_inside && is_marker && (line.to_lowercase().contains("skill") || self.is_below_heading())
    }

    /// Returns whether the nearest heading above, or the first row of the table, has the word "skill".
    fn is_below_heading(&self) -> bool {
        let start = self.text[..self.range.start].rfind('\n').unwrap_or_default();
        let mut above = self.text[..start].lines().rev();
        let nearest = above.find(|line| {
            let line = line.trim_start();
            line.starts_with('#') || line.starts_with('|') && line.to_lowercase().contains("skill")
        });
        nearest.is_some_and(|line| line.to_lowercase().contains("skill"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_use(text: &str, name: &str, is_common: bool) -> bool {
        let start = text.find(name).unwrap();
        let range = &(start..start + name.len());
        Use { text, range, kind: Kind::Markdown, is_common, is_inside: false }.is_certain()
    }

    #[test]
    fn replaces_a_name_in_code_in_commands_and_next_to_the_word() {
        for text in [
            "Run /pdf first.",
            "`/pdf`",
            "`/pdf FILE`",
            "`$pdf`",
            "the `pdf` skill",
            "the skill `pdf`",
            "Use the pdf skill.",
            "Skill(pdf)",
            "## Skills\n\n- `pdf`: forms",
            "| Skill | |\n|---|---|\n| `pdf` | forms |",
            "```\n/pdf FILE\n```",
            "/skill:pdf",
        ] {
            assert!(is_use(text, "pdf", true), "{text}");
        }
    }

    #[test]
    fn leaves_what_may_be_something_else() {
        for text in [
            "GET /pdf",
            "```sh\nls /pdf\n```",
            "echo $pdf",
            "Formats: `pdf`",
            "## Formats\n\n- `pdf`",
            "/pdf/x",
            "/pdf.html",
            "npm install pdf@1",
            "/pdf:pdf",
            "---\nname: pdf\n---",
            "a pdf skill",
            "the pdf skills",
        ] {
            assert!(!is_use(text, "pdf", true), "{text}");
        }
        assert!(is_use("Use fill-forms first.", "fill-forms", false));
        assert!(!is_use("POST /fill-forms", "fill-forms", false));
    }
}
