//! Text that YAML reads as a comment.

use std::ops::Range;

use super::yaml::YamlText;
use super::{Fault, Field, NodeKind, ScalarKind, Style, What, yaml};

/// Prose fields: text after a ` #` most likely belongs to the value.
const PROSE: [&str; 4] = ["description", "when_to_use", "compatibility", "argument-hint"];

/// Reports plain top-level values that a ` #` cuts, if text is probably lost: in a prose field, and elsewhere if no
/// space follows the `#`, as in `issue #12`. `version: 1.0 # first` is an intended comment, and so is `# skilltree:
/// ignore[…]`.
pub(super) fn report_cuts(source: YamlText<'_>, fields: &[Field], comments: &[Range<usize>], faults: &mut Vec<Fault>) {
    if comments.is_empty() {
        return;
    }
    for field in fields {
        let NodeKind::Scalar { text, style: Style::Plain, kind } = &field.value.kind else { continue };
        let value = field.value.place.range();
        let Some(end) = value.end.checked_sub(source.offset) else { continue };
        let Some(comment) = comments.get(comments.partition_point(|comment| comment.start < end)) else { continue };
        let (Some(between), Some(lost)) = (source.yaml.get(end..comment.start), source.yaml.get(comment.clone()))
        else {
            continue;
        };
        let prose = PROSE.contains(&field.key.value.as_str());
        let said = lost.trim_start_matches('#');
        let attached = *kind == ScalarKind::Text && said.starts_with(|next: char| next.is_alphanumeric());
        let meant = said.trim_start().starts_with("skilltree:");
        if !text.is_empty() && between.trim_matches([' ', '\t']).is_empty() && (prose || attached) && !meant {
            let start = value.start - source.offset;
            let end = yaml::position::line(source.yaml, comment.start).end;
            let what = What::CutByComment { left: text.clone(), value: source.place(start..end) };
            faults.push(Fault { what, place: source.place(comment.start..end) });
        }
    }
}
