//! Symphony's `agent.skills` in the front matter of WORKFLOW.md. Nothing else in that file is ours, and a file without
//! the block is none of ours at all.

mod broken;

use self::broken::seems_ours;
use super::faults::Faults;
use crate::front_matter::{self, Bounds, Fault, FaultKind, Field, Node, NodeKind, ScalarKind};
use crate::roots;
use crate::text::FileId;

/// What the block says.
#[derive(Debug)]
pub(super) struct Workflow {
    /// `enabled` (Symphony issue 87: `true`).
    pub(super) enabled: bool,
    /// `path`, as a pattern that matches it and nothing else.
    pub(super) path: Option<String>,
    /// `max_skills_in_prompt`.
    pub(super) cap: Option<u64>,
}

impl Default for Workflow {
    fn default() -> Self {
        Self { enabled: true, path: None, cap: None }
    }
}

/// The front matter of a WORKFLOW.md holds the dispatcher's whole configuration, scripts among it, so the limits of a
/// skill's do not fit (ours: sixteen times as much).
const BOUNDS: Bounds = Bounds { bytes: 1 << 20, nodes: 16_000, depth: 64 };

const KEYS: [&str; 3] = ["enabled", "path", "max_skills_in_prompt"];

/// Reads the block; `None` when there is none. What keeps a dispatcher from reading it is a fault when the block seems
/// to be there.
pub(super) fn read(bytes: &[u8], faults: &mut Faults) -> Option<Workflow> {
    let reading = front_matter::read(FileId(0), bytes, BOUNDS);
    let flaws = reading.faults.iter().filter(|flaw| flaw.place.range().start < reading.body_start);
    let Some(fields) = reading.front_matter.and_then(|front_matter| front_matter.fields) else {
        if seems_ours(bytes) {
            flaws.for_each(|flaw| unreadable(flaw, faults));
        }
        return None;
    };
    let block = value(&fields, "agent").and_then(map).and_then(|agent| value(agent, "skills"))?;
    flaws.filter(|flaw| disturbs(flaw)).for_each(|flaw| unreadable(flaw, faults));
    Some(match &block.kind {
        NodeKind::Map(fields) => read_block(fields, faults),
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => Workflow::default(),
        _ => {
            wrong(block, "`agent.skills` wants a map", "write its settings below it: `enabled`, `path`, …", faults);
            Workflow::default()
        }
    })
}

fn read_block(fields: &[Field], faults: &mut Faults) -> Workflow {
    let mut workflow = Workflow::default();
    for Field { key, value } in fields {
        match key.value.as_str() {
            "enabled" => workflow.enabled = read_enabled(value, faults).unwrap_or(true),
            "path" => workflow.path = read_path(value, faults),
            "max_skills_in_prompt" => workflow.cap = read_cap(value, faults),
            unknown => faults.unknown_setting(key.place.range(), unknown, "`agent.skills`", &KEYS),
        }
    }
    workflow
}

fn read_enabled(node: &Node, faults: &mut Faults) -> Option<bool> {
    let word = match &node.kind {
        NodeKind::Scalar { kind: ScalarKind::Boolean, text, .. } => text.as_str(),
        _ => "",
    };
    match word {
        "true" | "True" | "TRUE" => return Some(true),
        "false" | "False" | "FALSE" => return Some(false),
        "" => wrong(node, "`enabled` wants `true` or `false`", "write `true` or `false` without quotes", faults),
        _ => {
            let message = format!("`{word}` is a boolean to some readers of YAML and a text to others");
            faults.invalid(node.place.range(), message, "write `true` or `false`");
        }
    }
    None
}

/// A path of a directory below the workspace. A dispatcher takes it as it stands, so no character of it is a wildcard.
fn read_path(node: &Node, faults: &mut Faults) -> Option<String> {
    let Some(path) = node.text() else {
        wrong(node, "`path` wants a string", "write the path of a directory", faults);
        return None;
    };
    let normalised = roots::normalise(path).filter(|_| !path.contains('\\'));
    if normalised.is_none() {
        let message = match path.trim() {
            "" => "`path` is empty".to_owned(),
            _ => format!("`{path}` is not the path of a directory below the workspace"),
        };
        faults.invalid(node.place.range(), message, "write a relative path with `/` and without `..` or `~`");
    }
    normalised.map(|path| globset::escape(&path))
}

fn read_cap(node: &Node, faults: &mut Faults) -> Option<u64> {
    let NodeKind::Scalar { kind: ScalarKind::Number, text, .. } = &node.kind else {
        wrong(node, "`max_skills_in_prompt` wants a number", "write a whole number without quotes", faults);
        return None;
    };
    let decimal = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let cap = decimal.then(|| text.parse().ok()).flatten();
    if cap.is_none() {
        let message = format!("`{text}` is no positive whole number");
        faults.invalid(node.place.range(), message, "write 1 or more, in digits alone");
    }
    cap
}

fn wrong(node: &Node, wanted: &str, help: &str, faults: &mut Faults) {
    faults.invalid(node.place.range(), format!("{wanted}, and this is {}", kind(node)), help);
}

/// What a value is, in words.
fn kind(node: &Node) -> &'static str {
    match &node.kind {
        NodeKind::Map(_) => "a map",
        NodeKind::List(_) => "a list",
        NodeKind::Scalar { kind, .. } => match kind {
            ScalarKind::Text => "a string",
            ScalarKind::Null => "nothing",
            ScalarKind::Boolean => "a boolean",
            ScalarKind::Number => "a number",
            ScalarKind::Timestamp => "a date",
        },
    }
}

fn value<'a>(fields: &'a [Field], key: &str) -> Option<&'a Node> {
    fields.iter().find(|field| field.key.value == key).map(|field| &field.value)
}

fn map(node: &Node) -> Option<&[Field]> {
    match &node.kind {
        NodeKind::Map(fields) => Some(fields),
        _ => None,
    }
}

/// Whether a flaw keeps some dispatcher from a block that we could read. Their readers want the first line to be `---`
/// and refuse bad YAML; what is a matter of a skill's portability is none of WORKFLOW.md's.
fn disturbs(flaw: &Fault) -> bool {
    use FaultKind::{CutByComment, Disputed, MixedLineEnds, Unportable};
    !matches!(flaw.kind(), CutByComment | Disputed | MixedLineEnds | Unportable)
}

fn unreadable(flaw: &Fault, faults: &mut Faults) {
    use FaultKind::{ByteOrderMark, DuplicateKey, NotUtf8, SecondDocument, TextBeforeFence, Unclosed, Yaml};
    let (fact, help) = match flaw.kind() {
        ByteOrderMark => ("a byte order mark stands before the front matter", "save the file without one"),
        TextBeforeFence => ("text stands before the front matter", "begin the file with `---`"),
        Unclosed => ("the front matter is never closed", "close it with a line `---`"),
        NotUtf8 => ("the front matter is not UTF-8", "save the file as UTF-8"),
        Yaml(_) => ("the front matter stops being YAML here", "mend it here, or quote the value"),
        SecondDocument => ("a second YAML document begins in the front matter", "remove this line"),
        DuplicateKey => ("a key appears twice in one map", "remove one of the two"),
        kind if is_fence(kind) => ("a fence of the front matter is not exactly `---`", "write `---` and nothing else"),
        _ => ("the front matter holds what some reader refuses", "write it in plain YAML"),
    };
    faults.invalid(flaw.place.range(), format!("{fact}, so a dispatcher may not find `agent.skills`"), help);
}

fn is_fence(kind: FaultKind) -> bool {
    use FaultKind::*;
    matches!(
        kind,
        OpenerTrailingBlanks
            | OpenerExtraDashes
            | OpenerIndented
            | CloserTrailingBlanks
            | CloserExtraDashes
            | CloserIndented
    )
}
