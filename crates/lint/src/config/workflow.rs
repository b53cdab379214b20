//! Symphony's `agent.skills` in the front matter of WORKFLOW.md. skilltree ignores all other keys, and files without
//! the block.

mod broken;

use std::ops::Range;

use self::broken::seems_to_have_block;
use super::faults::Faults;
use skilltree_front_matter::text::FileId;
use skilltree_front_matter::{self as front_matter, Bounds, Fault, FaultKind, Field, Node, NodeKind, ScalarKind};
use skilltree_skills::roots;

/// Content of the block.
#[derive(Debug)]
pub(super) struct Workflow {
    /// `enabled` (Symphony issue 87: `true`).
    pub(super) enabled: bool,
    /// `path`, as a pattern that matches only this path.
    pub(super) path: Option<String>,
    /// `max_skills_in_prompt`.
    pub(super) cap: Option<u64>,
}

impl Default for Workflow {
    fn default() -> Self {
        Self { enabled: true, path: None, cap: None }
    }
}

/// Bounds of the front matter (ours: 16 times those of a skill). It holds the dispatcher's whole configuration,
/// including scripts.
const BOUNDS: Bounds = Bounds { bytes: 1 << 20, nodes: 16_000, depth: 64, ..Bounds::NONE };

const KEYS: [&str; 3] = ["enabled", "path", "max_skills_in_prompt"];

/// Reads the block; `None` if there is none. If the block seems to be present, anything that prevents a dispatcher from
/// reading it is a fault.
pub(super) fn read(bytes: &[u8], faults: &mut Faults) -> Option<Workflow> {
    let reading = front_matter::read(FileId(0), bytes, BOUNDS);
    let flaws = reading.faults.iter().filter(|flaw| flaw.place.range().start < reading.body_start);
    let Some(fields) = reading.front_matter.and_then(|front_matter| front_matter.fields) else {
        if seems_to_have_block(bytes) {
            flaws.for_each(|flaw| unreadable(flaw, faults));
        }
        return None;
    };
    let block = value(&fields, "agent").and_then(map).and_then(|agent| value(agent, "skills"))?;
    flaws.filter(|flaw| affects_dispatchers(flaw)).for_each(|flaw| unreadable(flaw, faults));
    Some(match &block.kind {
        NodeKind::Map(fields) => read_block(fields, faults),
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => Workflow::default(),
        _ => {
            wrong(
                block,
                "`agent.skills` must be a mapping",
                "write its settings below it: `enabled`, `path`, …",
                faults,
            );
            Workflow::default()
        }
    })
}

/// Returns the place of a key of the block, or of the block itself.
pub(super) fn place(bytes: &[u8], key: &str) -> Option<Range<usize>> {
    let fields =
        front_matter::read(FileId(0), bytes, BOUNDS).front_matter.and_then(|front_matter| front_matter.fields)?;
    let agent = value(&fields, "agent").and_then(map)?;
    let skills = agent.iter().find(|field| field.key.value == "skills")?;
    let field = map(&skills.value).and_then(|block| block.iter().find(|field| field.key.value == key));
    Some(field.map_or(&skills.key, |field| &field.key).place.range())
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
        "" => wrong(node, "`enabled` must be `true` or `false`", "write `true` or `false` without quotes", faults),
        _ => {
            let message = format!("`{word}` is a boolean to some YAML parsers and a string to others");
            faults.invalid(node.place.range(), message, "write `true` or `false`");
        }
    }
    None
}

/// Reads the path of a directory below the workspace. A dispatcher takes it literally, so wildcards are escaped.
fn read_path(node: &Node, faults: &mut Faults) -> Option<String> {
    let Some(path) = node.text() else {
        wrong(node, "`path` must be a string", "write the path of a directory", faults);
        return None;
    };
    let normalized = roots::normalise(path).filter(|_| !path.contains('\\'));
    if normalized.is_none() {
        let message = match path.trim() {
            "" => "`path` is empty".to_owned(),
            _ => format!("`{path}` is not the path of a directory below the workspace"),
        };
        faults.invalid(node.place.range(), message, "write a relative path with `/` and without `..` or `~`");
    }
    normalized.map(|path| globset::escape(&path))
}

fn read_cap(node: &Node, faults: &mut Faults) -> Option<u64> {
    let NodeKind::Scalar { kind: ScalarKind::Number, text, .. } = &node.kind else {
        wrong(node, "`max_skills_in_prompt` must be a number", "write a whole number without quotes", faults);
        return None;
    };
    let decimal = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let cap = decimal.then(|| text.parse().ok()).flatten();
    if cap.is_none() {
        let message = format!("`{text}` is not a positive whole number");
        faults.invalid(node.place.range(), message, "write 1 or more, with digits only");
    }
    cap
}

fn wrong(node: &Node, wanted: &str, help: &str, faults: &mut Faults) {
    faults.invalid(node.place.range(), format!("{wanted}, but it is {}", kind(node)), help);
}

/// Describes the type of a value.
fn kind(node: &Node) -> &'static str {
    match &node.kind {
        NodeKind::Map(_) => "a mapping",
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

/// Returns whether a fault can prevent a dispatcher from reading the block. Dispatchers require `---` in the first line
/// and reject invalid YAML; the portability faults of skills do not apply.
fn affects_dispatchers(flaw: &Fault) -> bool {
    use FaultKind::{CutByComment, Disputed, MixedLineEndings, Unportable};
    !matches!(flaw.kind(), CutByComment | Disputed | MixedLineEndings | Unportable)
}

fn unreadable(flaw: &Fault, faults: &mut Faults) {
    use FaultKind::{ByteOrderMark, DuplicateKey, NotUtf8, SecondDocument, TextBeforeFence, Unclosed, Yaml};
    let (fact, help) = match flaw.kind() {
        ByteOrderMark => ("a byte order mark (BOM) precedes the front matter", "save the file without the BOM"),
        TextBeforeFence => ("text precedes the front matter", "begin the file with `---`"),
        Unclosed => ("the front matter has no closing `---`", "add a line `---` after the last key"),
        NotUtf8 => ("the front matter is not UTF-8", "save the file as UTF-8"),
        Yaml(_) => ("the front matter is not valid YAML", "fix the YAML here, or quote the value"),
        SecondDocument => ("a second YAML document starts in the front matter", "remove this line"),
        DuplicateKey => ("a mapping has a duplicate key", "remove one of the two"),
        kind if is_fence(kind) => ("a fence of the front matter is not exactly `---`", "write only `---`"),
        _ => ("the front matter has YAML that some parsers reject", "use plain YAML"),
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
