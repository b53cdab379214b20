//! docs/rules.md: the table of all rules.

use skilltree_report::explain::chapters;

const LEAD: &str = "\
# Rules

<!-- Generated from the pages in crates/lint/src/rules. To regenerate: SNAPSHOTS=overwrite cargo test --test it generated -->

Every rule has a severity:

- **error**: a widely used runtime loses the skill, or a limit of the repository is exceeded. A skill with an error is left
  out of the prompt block.
- **warning**: a runtime loads the skill with changes, or something has no effect.
- **note**: advice.
- **off**: checked only if you enable it.

A rule marked *unusable* leaves its skill out of the prompt block at any severity.

You set a severity in `[rules]` of skilltree.toml, for some paths in `[[override]]`, or for one run with `--rule ID=LEVEL`.
To suppress a single finding, [ignore it](ignores.md). The [edition](policy.md) decides which rules run.
";

/// What other tools report and skilltree does not, with the reason. The counts are those of 1,459 public skills.
const ABSENT: &str = "
## Rules we do not have

A rule needs evidence that a skill is lost, changed or misread. What is left is taste, and belongs in a [rule of your own](own-rules.md).

| not reported | why |
|---|---|
| similar descriptions | of 12 pairs in 1,459 skills that share half of their three-word sequences, 11 are intended: families, such as AWS and Azure; [near-identical-description](rules/near-identical-description.md) is exact |
| `TODO`, `lorem ipsum` or `[your ...]` in a body | of 14 such lines in 1,459 skills, none is unfinished text: they are about such comments, or are templates; [placeholder-text](rules/placeholder-text.md) reports fields and the starter text |
| `claude` or `anthropic` in a name, XML tags in a description | only uploads to the Claude API reject them: add the target `claude-api`, and [target-drops-skill](rules/target-drops-skill.md) reports them |
| invalid `context`, `model`, `effort` or `shell` | 0 of 2,335 skills have one |
| a description in the first person, without a verb, or vague | no runtime treats it differently |
| the order of keys, blank lines, heading levels, a table of contents | no runtime treats it differently |
| a score or a grade | it hides which finding matters |
| a required license, author or version | the specification does not require one; many repositories do: see [rules of your own](own-rules.md) |
| malicious instructions | a linter is not a malware scanner: see [safety](safety.md) |
| unused `allowed-tools`, bare `Bash` | skills pre-approve tools on purpose |
";

/// docs/rules.md: the rules by chapter, each with the way to its page.
pub(super) fn page() -> String {
    let mut text = LEAD.to_owned();
    for (title, rules) in chapters() {
        text.push_str(&format!("\n## {title}\n\n| rule | severity | fires when |\n|---|---|---|\n"));
        for rule in rules {
            let (id, level, summary) = (rule.id(), rule.usual_level().name(), rule.summary());
            let unusable = if rule.unusable { ", unusable" } else { "" };
            let preview = if rule.is_preview() { ", in preview" } else { "" };
            text.push_str(&format!("| [{id}](rules/{id}.md) | {level}{unusable}{preview} | {summary} |\n"));
        }
    }
    text.push_str(ABSENT);
    text
}
