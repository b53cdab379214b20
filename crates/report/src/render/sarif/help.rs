//! The page of a rule as the help of an alert: one example of each kind, and links that lead somewhere outside of the documentation.

use std::borrow::Cow;

use crate::render::docs_url;
use skilltree_lint::rule::{Group, Rule};

/// Sections of a page that hold an example each.
const EXAMPLES: [&str; 2] = ["## Fires", "## Quiet"];

/// Returns the help in Markdown. The page of a rule that a repository defines stays as it is.
pub(super) fn markdown(rule: &Rule) -> Cow<'_, str> {
    match rule.group {
        Group::Repository => Cow::Borrowed(rule.explanation()),
        _ => Cow::Owned(shortened(rule.explanation())),
    }
}

/// Leaves out every example but the first of each kind: the page, to which the help links, has all of them.
fn shortened(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    let mut fence: Option<&str> = None;
    let mut known = [false; EXAMPLES.len()];
    let mut is_kept = true;
    for line in page.split_inclusive('\n') {
        match fence {
            Some(open) if line.trim_end() == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = line.split(|character| character != '`').next(),
            None if line.starts_with("## ") => {
                let example = EXAMPLES.iter().position(|start| line.starts_with(start));
                is_kept = example.is_none_or(|example| !std::mem::replace(&mut known[example], true));
            }
            None => {}
        }
        if is_kept {
            text.push_str(&if fence.is_some() { Cow::Borrowed(line) } else { absolute(line) });
        }
    }
    text
}

/// Replaces relative links of a line to other pages, except in code spans, by addresses.
fn absolute(line: &str) -> Cow<'_, str> {
    if !line.contains("](") {
        return Cow::Borrowed(line);
    }
    let parts = line.split('`').enumerate().map(|(number, part)| {
        let mut links = part.split("](");
        let first = links.next().unwrap_or_default().to_owned();
        links.fold(first, |text, link| {
            let is_page = number % 2 == 0 && !link.starts_with(['#', '<']) && !link.contains("://");
            let link = if is_page { address(link) } else { Cow::Borrowed(link) };
            format!("{text}]({link}")
        })
    });
    Cow::Owned(parts.collect::<Vec<_>>().join("`"))
}

/// Returns the text after `](` with the address of the page in place of its path from `docs/rules`.
fn address(link: &str) -> Cow<'_, str> {
    Cow::Owned(match link.strip_prefix("../") {
        Some(page) => format!("{}{page}", docs_url()),
        None => format!("{}rules/{link}", docs_url()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_one_example_of_each_kind_and_code_as_it_is() {
        let page = "# a\n\nSee [b](b.md), [c](../c.md#x), [d](https://d.example) and `[e](e.md)`.\n\n## Fires\n\n```markdown f\n## Fires\n[g](g.md)\n```\n\n\
            ## Fires: again\n\n````text\n```\n````\n\n## Quiet\n\nh\n\n## Quiet: again\n\ni\n\n## Settings\n\nj\n";
        let docs = docs_url();
        let expected = format!(
            "# a\n\nSee [b]({docs}rules/b.md), [c]({docs}c.md#x), [d](https://d.example) and `[e](e.md)`.\n\n## Fires\n\n```markdown f\n## Fires\n[g](g.md)\n```\n\n\
            ## Quiet\n\nh\n\n## Settings\n\nj\n"
        );
        assert_eq!(shortened(page), expected);
    }
}
