//! Flow collections that are indented no deeper than their key. libyaml ignores the indentation inside brackets. The
//! JavaScript libraries look at it, each in its own way.

use skilltree_front_matter::{Node, NodeKind, Style};

/// Returns whether yaml 2 and Bun end a flow collection early, and so reject the text: at a line that is indented no
/// deeper than the key. The outermost bracket may close in the column of the key.
pub(super) fn ends_early(root: Option<&Node>, text: &str) -> bool {
    any_shallow(root, text, &|flow, column| {
        let written = &text[flow.place.range()];
        let last = written.rfind('\n').map_or(0, |at| at + 1);
        let is_shallow = |(at, line): (usize, &str)| {
            let rest = line.trim_start_matches(' ');
            let closes = at == last && rest.len() == 1 && line.len() - rest.len() == column;
            let is_ignored = rest.trim_end().is_empty() || rest.starts_with('#');
            line.len() - rest.len() <= column && !is_ignored && !closes
        };
        lines(written).skip(1).any(is_shallow)
    })
}

/// Returns whether js-yaml ends a plain value inside a flow collection at a line that is indented no deeper than the
/// key, and so rejects the text. It reads everything else in such a collection.
pub(super) fn divides_plain(root: Option<&Node>, text: &str) -> bool {
    any_shallow(root, text, &|flow, column| has_shallow_plain(flow, text, column))
}

fn has_shallow_plain(node: &Node, text: &str, column: usize) -> bool {
    match &node.kind {
        NodeKind::Scalar { style: Style::Plain, .. } => {
            let written = text.get(node.place.range()).unwrap_or_default();
            let is_shallow = |line: &str| line.len() - line.trim_start_matches(' ').len() <= column;
            written.lines().skip(1).any(is_shallow)
        }
        NodeKind::Scalar { .. } => false,
        NodeKind::List(items) => items.iter().any(|item| has_shallow_plain(item, text, column)),
        NodeKind::Map(fields) => fields.iter().any(|field| has_shallow_plain(&field.value, text, column)),
    }
}

/// Returns whether a test holds for an outermost flow collection. It gets the column of the key or dash before it.
fn any_shallow(root: Option<&Node>, text: &str, test: &dyn Fn(&Node, usize) -> bool) -> bool {
    root.is_some_and(|node| search(node, text, None, test))
}

fn search(node: &Node, text: &str, column: Option<usize>, test: &dyn Fn(&Node, usize) -> bool) -> bool {
    if matches!(node.kind, NodeKind::Scalar { .. }) {
        return false;
    }
    if matches!(text.as_bytes().get(node.place.start as usize), Some(b'[' | b'{')) {
        return column.is_some_and(|column| test(node, column));
    }
    match &node.kind {
        NodeKind::Scalar { .. } => false,
        NodeKind::List(items) => items.iter().any(|item| {
            let start = item.place.start as usize;
            let line = &text[line_start(text, start)..start];
            search(item, text, Some(line.rfind('-').unwrap_or(0)), test)
        }),
        NodeKind::Map(fields) => fields.iter().any(|field| {
            let start = field.key.place.start as usize;
            search(&field.value, text, Some(start - line_start(text, start)), test)
        }),
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the lines of a text, each with its offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}
