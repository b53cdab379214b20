//! Control characters in YAML for libraries that accept them: the linter's own parser does not.

use skilltree_front_matter::{Field, Node, NodeKind};

/// First of the characters that stand for control characters while the text is parsed: in a private plane, because a
/// file hardly contains them.
const FIRST: u32 = 0x10_FE00;

/// Returns whether a control character has no meaning in YAML.
fn is_control(character: char, nul: bool) -> bool {
    if character == '\0' {
        return nul;
    }
    character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{85}')
        || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// Replaces control characters by private ones, NUL only if the library accepts it.
pub(super) fn masked(yaml: &str, nul: bool) -> String {
    let is_control = |character| is_control(character, nul);
    if !yaml.contains(is_control) {
        return yaml.to_owned();
    }
    let mask = |character: char| match character as u32 {
        0xfffe => char::from_u32(FIRST + 0xfe),
        0xffff => char::from_u32(FIRST + 0xff),
        code => char::from_u32(FIRST + code),
    };
    yaml.chars()
        .map(|character| if is_control(character) { mask(character) } else { None }.unwrap_or(character))
        .collect()
}

/// Puts the control characters back.
pub(super) fn unmask(fields: &mut [Field]) {
    for field in fields {
        restore(&mut field.key.value);
        unmask_node(&mut field.value);
    }
}

fn unmask_node(node: &mut Node) {
    match &mut node.kind {
        NodeKind::Scalar { text, .. } => restore(text),
        NodeKind::List(items) => items.iter_mut().for_each(unmask_node),
        NodeKind::Map(fields) => unmask(fields),
    }
}

fn restore(text: &mut String) {
    let is_masked = |character: char| (FIRST..FIRST + 0x100).contains(&(character as u32));
    if text.contains(is_masked) {
        let original = |character: char| match character as u32 - FIRST {
            0xfe => Some('\u{fffe}'),
            0xff => Some('\u{ffff}'),
            code => char::from_u32(code),
        };
        let restored = |character| if is_masked(character) { original(character) } else { None }.unwrap_or(character);
        *text = text.chars().map(restored).collect();
    }
}
