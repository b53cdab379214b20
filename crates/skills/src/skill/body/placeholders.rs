//! Placeholders that some runtimes replace before the model reads the body: `$ARGUMENTS`, `${CLAUDE_SKILL_DIR}`.

use std::cell::LazyCell;

use bstr::ByteSlice;

use crate::skill::{Marks, Placeholder};
use skilltree_front_matter::text::{FileId, Place};

/// The placeholder for the arguments of a skill.
const ARGUMENTS: &str = "$ARGUMENTS";

/// Variables that are replaced only in braces. A shell that the model starts does not have them.
const IN_BRACES: [&str; 2] = ["CLAUDE_PLUGIN_ROOT", "CLAUDE_SKILL_DIR"];

/// Starts of the variables that runtimes replace.
const PREFIXES: [&str; 3] = ["CLAUDE_", "KIMI_", OPTION];

/// Start of the options of a plugin.
const OPTION: &str = "user_config.";

/// Maximum number of different placeholders of a body (ours: 16). Runtimes know fewer than ten.
const DIFFERENT: usize = 16;

/// Maximum length of the name of a variable, in bytes.
const NAME_BYTES: usize = 64;

/// Maximum length of the line before a variable that is read, in bytes (ours: 200).
const BEFORE_BYTES: usize = 200;

/// Returns the placeholders in the body that begins at an offset. A variable with a default value is one of the shell.
pub(super) fn find(file: FileId, text: &str, start: usize) -> Vec<Placeholder> {
    let mut found: Vec<Placeholder> = Vec::new();
    let unset = LazyCell::new(|| IN_BRACES.map(|name| (name, !text.contains(&format!("{name}=")))));
    for at in text.as_bytes().get(start..).unwrap_or_default().find_iter("$") {
        let at = start + at;
        let Some(written) = placeholder(&text[at..]).or_else(|| without_braces(text, at, &*unset)) else { continue };
        let place = Place::new(file, at..at + written.len());
        let known = found.iter().position(|known| known.text == written);
        if known.is_none() && found.len() < DIFFERENT {
            found.push(Placeholder { text: written.to_owned(), marks: Marks::default() });
        }
        let last = found.len() - 1;
        let group = &mut found[known.unwrap_or(last)];
        if group.text == written {
            group.marks.push((), place, written);
        }
    }
    found
}

/// Returns the placeholder at the start of a text.
fn placeholder(text: &str) -> Option<&str> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if let Some(rest) = text.strip_prefix(ARGUMENTS) {
        let is_longer = rest.as_bytes().first().is_some_and(is_word);
        return (!is_longer).then_some(ARGUMENTS);
    }
    let name = text.strip_prefix("${").filter(|name| PREFIXES.iter().any(|prefix| name.starts_with(prefix)))?;
    let dotted = if name.starts_with(OPTION) { OPTION.len() } else { 0 };
    let length = dotted + name.bytes().skip(dotted).take(NAME_BYTES).take_while(is_word).count();
    name[length..].starts_with('}').then(|| &text[..length + 3])
}

/// Returns the variable without braces that starts a path at an offset, if nothing sets it. In the configuration of a hook, it has a value.
fn without_braces<'t>(text: &'t str, at: usize, unset: &[(&str, bool)]) -> Option<&'t str> {
    let rest = &text[at + 1..];
    let starts = |name: &str| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    let (name, _) = unset.iter().find(|(name, is_unset)| *is_unset && starts(name))?;
    let before = &text.as_bytes()[at.saturating_sub(BEFORE_BYTES)..at];
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    (!line.contains_str("\"command\"")).then(|| &text[at..=at + name.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_placeholders_by_their_text() {
        let text = "${user_config.a} ${user_config.a.b} $ARGUMENTS[0] ${CLAUDE_SKILL_DIR}/a $ARGUMENTS. $ARGUMENTS_X ${CLAUDE_SKILL_DIR:-x} $CLAUDE_SKILL_DIR ${HOME} ${CLAUDE_SKILL_DIR}";
        let found = find(FileId(0), text, 0);
        let counts: Vec<(&str, u32)> = found.iter().map(|found| (found.text.as_str(), found.marks.count)).collect();
        assert_eq!(counts, [("${user_config.a}", 1), ("$ARGUMENTS", 2), ("${CLAUDE_SKILL_DIR}", 2)]);
        for (text, expected) in [
            ("Run `\"$CLAUDE_SKILL_DIR/x.sh\"`.", Some("$CLAUDE_SKILL_DIR")),
            ("$CLAUDE_PLUGIN_ROOT/x.sh", Some("$CLAUDE_PLUGIN_ROOT")),
            ("CLAUDE_SKILL_DIR=x\n$CLAUDE_SKILL_DIR/x.sh", None),
            ("{\"type\": \"command\", \"command\": \"$CLAUDE_PLUGIN_ROOT/x.sh\"}", None),
            ("$CLAUDE_SKILL_DIRECTORY/x.sh and $CLAUDE_SKILL_DIR.", None),
            ("$CLAUDE_PROJECT_DIR/x.sh", None),
        ] {
            let found = find(FileId(0), text, 0);
            assert_eq!(found.first().map(|found| found.text.as_str()), expected, "{text}");
        }
        let many: String = (0..100).map(|number| format!("${{CLAUDE_{number}}} ")).collect();
        assert_eq!(find(FileId(0), &many, 0).len(), DIFFERENT);
    }
}
