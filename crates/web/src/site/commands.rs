//! The commands: a table, and a page for each from its help.

use super::{Page, described, table as written};

/// A command, and its help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its words: `hook`, `install`.
    pub words: Vec<String>,
    /// The output of `--help`.
    pub help: String,
}

const LEAD: &str = "\
# Commands

<!-- Generated from the help of the program. To regenerate: SNAPSHOTS=overwrite cargo test --test it generated -->

`skilltree check -h` shows the most used options of a command, and `--help` all of them. `skilltree` alone checks the working tree.

The exit status is the same for every format:

- 0: no finding has the severity of `--fail-on` or above
- 1: a finding has it
- 2: skilltree could not run
- 130: skilltree was interrupted
";

impl Command {
    fn title(&self) -> String {
        self.words.join(" ")
    }

    fn id(&self) -> String {
        self.words.join("-")
    }

    /// Returns the first paragraph of the help.
    fn summary(&self) -> String {
        let lines: Vec<&str> = self.help.lines().take_while(|line| !line.is_empty()).collect();
        lines.join(" ")
    }
}

/// Returns docs/cli.md.
pub fn table(commands: &[Command]) -> String {
    index(commands, |command| format!("`{}`", command.title()))
}

fn index(commands: &[Command], name: impl Fn(&Command) -> String) -> String {
    let rows: Vec<Vec<String>> =
        commands.iter().map(|command| vec![name(command), escaped(&command.summary())]).collect();
    format!("{LEAD}{}", written(&["command", "what it does"], &rows))
}

/// Returns the pages of the site.
pub(super) fn pages(commands: &[Command]) -> Vec<Page> {
    let link = |command: &Command| format!("[`{}`](cli/{}.md)", command.title(), command.id());
    let mut pages = vec![Page::new("cli.md", index(commands, link))];
    pages.extend(commands.iter().map(|command| Page::new(format!("cli/{}.md", command.id()), page(command))));
    pages
}

/// Returns the page of a command: its description, its usage, and a list for each section of the help.
fn page(command: &Command) -> String {
    let mut text = format!("{}# {}\n\n", described(&command.summary()), command.title());
    let mut lines = command.help.lines().peekable();
    let mut section = String::new();
    while let Some(line) = lines.next() {
        if let Some(usage) = line.strip_prefix("Usage: ") {
            text.push_str(&format!("```text\n{usage}\n"));
            while let Some(more) = lines.next_if(|line| line.starts_with(' ')) {
                text.push_str(&format!("{}\n", more.trim_start_matches("       ")));
            }
            text.push_str("```\n");
        } else if let Some(heading) = line.strip_suffix(':').filter(|heading| !heading.starts_with(' ')) {
            section = heading.to_owned();
            text.push_str(&format!("\n## {heading}\n"));
        } else if section.is_empty() || !line.starts_with(' ') {
            text.push_str(&format!("{}\n", escaped(line)));
        } else {
            text.push_str(&item(line));
        }
    }
    text
}

/// Returns a line of a section: an option or an argument with its description, or more of the description.
fn item(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let line = line.trim();
    match line.split_once("  ") {
        Some((name, words)) if indent <= 6 => format!("\n- `{name}`: {}\n", escaped(words.trim())),
        None if indent <= 6 && line.starts_with(['-', '<', '[']) => format!("\n- `{line}`\n"),
        _ if line.is_empty() => "\n".to_owned(),
        _ if line.starts_with("- ") => format!("\n    {}\n", escaped(line)),
        _ => format!("    {}\n", escaped(line)),
    }
}

/// Escapes the characters with a meaning in Markdown, except in code.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (number, part) in text.split('`').enumerate() {
        if number > 0 {
            escaped.push('`');
        }
        match number % 2 {
            0 => part.chars().for_each(|character| {
                if matches!(character, '*' | '_' | '<' | '[' | ']' | '|' | '\\') {
                    escaped.push('\\');
                }
                escaped.push(character);
            }),
            _ => escaped.push_str(part),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_each_option() {
        let help = "Check skills\n\nUsage: skilltree check [OPTIONS] [PATH]...\n\nArguments:\n  [PATH]...  Paths to <check>\n\nOptions:\n      --base <REV>\n          Report only *new* findings\n";
        let command = Command { words: vec!["check".into()], help: help.into() };
        let text = page(&command);
        assert!(text.contains("```text\nskilltree check [OPTIONS] [PATH]...\n```\n"), "{text}");
        assert!(text.contains("## Arguments\n\n- `[PATH]...`: Paths to \\<check>\n"), "{text}");
        assert!(text.contains("- `--base <REV>`\n    Report only \\*new\\* findings\n"), "{text}");
        assert!(table(&[command]).contains("| `check` | Check skills |"));
    }
}
