//! docs/rules.md: the table of all rules.

use skilltree_core::explain::chapters;

const LEAD: &str = "\
# Rules

<!-- Generated from the pages in crates/core/src/rules. To regenerate: SNAPSHOTS=overwrite cargo test --test generated -->

Every rule has a severity:

- **error**: a widely used runtime drops the skill, or a limit of the repository is exceeded. A skill with an error is left
  out of the prompt block.
- **warning**: a runtime loads the skill with changes, or something has no effect.
- **note**: advice.
- **off**: checked only if you enable it.

A rule marked *unusable* leaves its skill out of the prompt block at any severity.

You set a severity in `[rules]` of skilltree.toml, for some paths in `[[override]]`, or for one run with `--rule ID=LEVEL`.
To suppress a single finding, [ignore it](ignores.md). The [edition](policy.md) decides which rules run.
";

/// docs/rules.md: the rules by chapter, each with the way to its page.
pub(super) fn page() -> String {
    let mut text = LEAD.to_owned();
    for (title, rules) in chapters() {
        text.push_str(&format!("\n## {title}\n\n| rule | severity | fires when |\n|---|---|---|\n"));
        for rule in rules {
            let (id, level, summary) = (rule.id, rule.usual_level().name(), rule.summary);
            let unusable = if rule.unusable { ", unusable" } else { "" };
            let preview = if rule.is_preview() { ", in preview" } else { "" };
            text.push_str(&format!("| [{id}](rules/{id}.md) | {level}{unusable}{preview} | {summary} |\n"));
        }
    }
    text
}
