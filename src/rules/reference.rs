//! docs/rules.md: every rule in a table, then every page.

use super::{ALL, page};
use crate::rule::{Group, Rule};

const LEAD: &str = "\
# Rules

<!-- Generated from the pages in src/rules. To write it anew: SNAPSHOTS=overwrite cargo test --test generated -->

**error**: some runtime that people use loses the skill, or the repository's own cap is broken; the skill stays out of
the prompt. **warning**: a runtime shows or reads it wrongly. **note**: advice. **off**: must be asked for.
A rule marked *unusable* keeps its skill out of a prompt at any level.
A level is set in `[rules]` of skilltree.toml, for some paths in `[[override]]`, for one run by `--rule ID=LEVEL`.
";

/// The whole document. Each rule has a heading of its id, so that `#id` leads to its page.
pub fn reference() -> String {
    let mut text = LEAD.to_owned();
    for (group, title) in Group::TITLES {
        let rules: Vec<&Rule> = ALL.iter().copied().filter(|rule| rule.group == group).collect();
        if !rules.is_empty() {
            text.push_str(&format!("\n**{title}**\n\n| rule | level | fires when |\n|---|---|---|\n"));
        }
        for rule in rules {
            let (id, summary) = (rule.id, rule.summary);
            text.push_str(&format!("| [{id}](#{id}) | {} | {summary} |\n", level(rule)));
        }
    }
    for rule in ALL {
        text.push('\n');
        text.push_str(&page::nested(rule.explanation).replacen('\n', &format!("\n\n*{}*\n", level(rule)), 1));
    }
    text
}

fn level(rule: &Rule) -> String {
    let unusable = if rule.unusable { ", unusable" } else { "" };
    format!("{}{unusable}", rule.usual_level().name())
}
