//! The rules: a table, and a page for each.

use skilltree_lint::fix::Offers;
use skilltree_lint::rule::Group;
use skilltree_report::explain::{Example, Explanation, Extent, Shown, markdown, sections};

use super::{Page, WIDE, described, table as written};
use crate::link::fragment;
use crate::request::Request;

const LEAD: &str = "\
# Rules

<!-- Generated from the pages in crates/lint/src/rules. To regenerate: SNAPSHOTS=overwrite cargo test --test it generated -->

Every rule has a severity:

- **error**: a widely used runtime loses the skill, or a limit of the repository is exceeded. A skill with an error is left
  out of the prompt block.
- **warning**: a runtime loads the skill with changes, or something has no effect.
- **note**: advice.
- **off**: checked only if you enable it.

The column *fix* says whether `skilltree fix` has an edit, and whether the edit keeps the meaning (safe). The column *runtimes* has the
number of runtimes that drop or change the first example of the rule.

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

/// Returns docs/rules.md: every rule in one table.
pub fn table(explanations: &[Explanation<'_>]) -> String {
    let mut rows = Vec::new();
    for (group, title) in Group::TITLES {
        for explanation in explanations.iter().filter(|explanation| explanation.rule.group == group) {
            rows.push(row(explanation, title));
        }
    }
    let heads = ["rule", "fires when", "severity", "fix", "runtimes", "group"];
    format!("{LEAD}{}{ABSENT}", written(&heads, &rows))
}

fn row(explanation: &Explanation<'_>, group: &str) -> Vec<String> {
    let rule = explanation.rule;
    let affected = explanation.losses.len();
    let fix = match explanation.offers {
        Offers { safe: 0, unsafe_edits: 0 } => "",
        Offers { safe: 0, .. } => "unsafe",
        _ => "safe",
    };
    let level = rule.usual_level().name();
    let unusable = if rule.unusable { ", unusable" } else { "" };
    let preview = if rule.is_preview() { ", in preview" } else { "" };
    vec![
        format!("[{0}](rules/{0}.md)", rule.id()),
        rule.summary().to_owned(),
        format!("{level}{unusable}{preview}"),
        fix.to_owned(),
        if affected == 0 { String::new() } else { affected.to_string() },
        group.to_owned(),
    ]
}

/// Returns the table, and the page of each rule, whose examples lead to the playground.
pub(super) fn pages(explanations: &[Explanation<'_>]) -> Vec<Page> {
    let mut pages = vec![Page::new("rules.md", format!("{WIDE}{}", table(explanations)))];
    pages.extend(explanations.iter().map(|of| Page::new(format!("rules/{}.md", of.rule.id()), page(of.clone()))));
    pages
}

fn page(mut explanation: Explanation<'_>) -> String {
    let rule = explanation.rule;
    let all = sections(rule.explanation());
    let examples = |kind: &'static str| {
        all.iter().filter(move |section| section.heading.split(':').next() == Some(kind)).map(Example::new)
    };
    let link = |shown: &mut Shown<'_>, example: Example<'_>| {
        shown.link = Some(format!("../play/index.html{}", fragment(&Request::of(&example.under(rule)))));
    };
    explanation.fires.iter_mut().zip(examples("Fires")).for_each(|(shown, example)| link(shown, example));
    explanation.quiet.iter_mut().zip(examples("Quiet")).for_each(|(shown, example)| link(shown, example));
    let text = markdown(&explanation, Extent::Folded);
    format!("{}{text}\n[All rules](../rules.md)\n", described(&format!("{}: {}", rule.id(), rule.summary())))
}
