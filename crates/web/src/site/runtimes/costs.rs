//! The effect of each fault: one small skill per fault, forecast with a profile.

use skilltree_front_matter::Bounds;
use skilltree_lint::config::Config;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Outcome, forecast};
use skilltree_runtimes::profile::{Profile, Reported};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Content, Entry};

/// A skill with a fault: the name of the fault and the text. `EXTRA` is replaced by the lines that a runtime also requires,
/// and `\u{1a}` by a byte that is not UTF-8.
struct Fault {
    words: &'static str,
    text: &'static str,
}

/// Forecast for a skill with a fault.
pub(super) struct Cost {
    /// Name of the fault.
    pub(super) fault: &'static str,
    /// Outcome.
    pub(super) outcome: Outcome,
    /// Why.
    pub(super) reason: Option<String>,
    /// How the runtime reports it.
    pub(super) reported: Option<Reported>,
}

/// Lines that some runtimes require in addition to name and description. The first ones that make a skill load are used.
const EXTRA: [&str; 2] = ["", "tags: report\nroles: builder\n"];

const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };

macro_rules! faults {
    ($($words:literal: $text:literal,)+) => {
        [$(Fault { words: $words, text: $text },)+]
    };
}

const GOOD: &str = "---\nname: demo\ndescription: Reads reports.\nEXTRA---\nDo it.\n";

const FAULTS: [Fault; 41] = faults! {
    "byte order mark": "\u{feff}---\nname: demo\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "blank line before the opening fence": "\n---\nname: demo\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "no front matter": "# Demo\n\nDo it.\n",
    "`--- `: trailing space after the opening fence": "--- \nname: demo\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "`----` as opening fence": "----\nname: demo\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "both fences indented": "  ---\nname: demo\ndescription: Reads reports.\nEXTRA  ---\nDo it.\n",
    "`--- `: trailing space after the closing fence": "---\nname: demo\ndescription: Reads reports.\nEXTRA--- \nDo it.\n",
    "`----` as closing fence": "---\nname: demo\ndescription: Reads reports.\nEXTRA----\nDo it.\n",
    "`...` as closing fence": "---\nname: demo\ndescription: Reads reports.\nEXTRA...\nDo it.\n",
    "no closing fence": "---\nname: demo\ndescription: Reads reports.\nEXTRADo it.\n",
    "a byte that is not UTF-8": "---\nname: demo\ndescription: Reads \u{1a} reports.\nEXTRA---\nDo it.\n",
    "CRLF line endings": "---\r\nname: demo\r\ndescription: Reads reports.\r\nEXTRA---\r\nDo it.\r\n",
    "CR line endings": "---\rname: demo\rdescription: Reads reports.\rEXTRA---\rDo it.\r",
    "`description: Build for AWS: ECS`": "---\nname: demo\ndescription: Build for AWS: ECS\nEXTRA---\nDo it.\n",
    "`description: @mention them`": "---\nname: demo\ndescription: @mention them\nEXTRA---\nDo it.\n",
    "`description: %TEMP% files`": "---\nname: demo\ndescription: %TEMP% files\nEXTRA---\nDo it.\n",
    "`argument-hint: [a] - b`": "---\nname: demo\ndescription: Reads reports.\nargument-hint: [a] - b\nEXTRA---\nDo it.\n",
    "an unclosed quote": "---\nname: demo\ndescription: \"Reads reports.\nEXTRA---\nDo it.\n",
    "a tab in the indentation": "---\nname: demo\ndescription: Reads reports.\nmetadata:\n\ta: b\nEXTRA---\nDo it.\n",
    "inconsistent indentation": "---\nname: demo\ndescription: Reads reports.\nmetadata:\n    a: b\n  c: d\nEXTRA---\nDo it.\n",
    "a colon in a continuation line": "---\nname: demo\ndescription: Reads reports.\n  Keywords: report\nEXTRA---\nDo it.\n",
    "a conflict marker": "---\nname: demo\n<<<<<<< HEAD\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "a list instead of a mapping": "---\n- name: demo\n- description: Reads reports.\n---\nDo it.\n",
    "a duplicate key": "---\nname: demo\ndescription: Reads reports.\ndescription: Writes reports.\nEXTRA---\nDo it.\n",
    "a list in brackets": "---\nname: demo\ndescription: Reads reports.\nallowed-tools: [Read, Write]\nEXTRA---\nDo it.\n",
    "an alias": "---\nname: demo\ndescription: &text Reads reports.\nlicense: *text\nEXTRA---\nDo it.\n",
    "`---` in a block scalar": "---\nname: demo\ndescription: |\n  Reads reports.\n  ---\n  And more.\nEXTRA---\nDo it.\n",
    "`Use C # lang`: truncated by a comment": "---\nname: demo\ndescription: Use C # lang\nEXTRA---\nDo it.\n",
    "`metadata: hello`": "---\nname: demo\ndescription: Reads reports.\nmetadata: hello\nEXTRA---\nDo it.\n",
    "no `description`": "---\nname: demo\nEXTRA---\nDo it.\n",
    "`description:` without a value": "---\nname: demo\ndescription:\nEXTRA---\nDo it.\n",
    "`description: 42`": "---\nname: demo\ndescription: 42\nEXTRA---\nDo it.\n",
    "`description: 2026-01-01`": "---\nname: demo\ndescription: 2026-01-01\nEXTRA---\nDo it.\n",
    "a list as description": "---\nname: demo\ndescription:\n- Reads\n- reports\nEXTRA---\nDo it.\n",
    "a description of 1,025 characters": "---\nname: demo\ndescription: LONG\nEXTRA---\nDo it.\n",
    "a description of 600 emoji": "---\nname: demo\ndescription: EMOJI\nEXTRA---\nDo it.\n",
    "no `name`": "---\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "`name: 123`": "---\nname: 123\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "`name: yes`": "---\nname: yes\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "a name that differs from the directory": "---\nname: other\ndescription: Reads reports.\nEXTRA---\nDo it.\n",
    "an empty body": "---\nname: demo\ndescription: Reads reports.\nEXTRA---\n",
};

/// Outcome of each fault in a runtime.
pub(super) fn of(profile: &Profile) -> Vec<Cost> {
    let loads = |extra: &&&str| cost(profile, "", GOOD, extra).outcome == Outcome::Loads;
    let extra = EXTRA.iter().find(loads).copied().unwrap_or_default();
    FAULTS.iter().map(|fault| cost(profile, fault.words, fault.text, extra)).collect()
}

fn cost(profile: &Profile, fault: &'static str, text: &str, extra: &str) -> Cost {
    let unknown = Cost { fault, outcome: Outcome::Unknown, reason: None, reported: None };
    let Some(catalog) = catalog(text, extra) else { return unknown };
    if catalog.parsed.skills.is_empty() {
        return unknown;
    }
    let forecast = forecast(&catalog, profile);
    let outcome = forecast.skill(SkillId(0));
    Cost {
        fault,
        outcome: outcome.if_read,
        reason: outcome.reason.as_ref().map(ToString::to_string),
        reported: outcome.reported,
    }
}

fn catalog(text: &str, extra: &str) -> Option<Catalog> {
    let ends = if text.contains("\r\n") {
        "\r\n"
    } else if text.contains('\r') {
        "\r"
    } else {
        "\n"
    };
    let text = text.replace("EXTRA", &extra.replace('\n', ends));
    let text = text.replace("LONG", &"a".repeat(1_025)).replace("EMOJI", &"\u{1f600}".repeat(600));
    let bytes = text.bytes().map(|byte| if byte == 0x1a { 0xff } else { byte }).collect();
    let entry = Entry { path: ".agent/skills/demo/SKILL.md".into(), content: Content::File(bytes) };
    let parsed = source::memory(Origin::Memory, vec![entry]).read(&Config::new().roots, BOUNDS).ok()?;
    Some(Catalog::new(parsed))
}
