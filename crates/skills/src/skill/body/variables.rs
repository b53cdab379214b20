//! Variables for a directory, below which a path is exact: `${CLAUDE_SKILL_DIR}/scripts/x.py`.

use std::ops::Range;

/// A directory that has a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// That of the skill.
    Skill,
    /// That of the plugin that contains the skill.
    Plugin,
    /// That of the project.
    Project,
    /// That of the user.
    Home,
}

/// How each is written.
const WRITTEN: [(&str, Variable); 7] = [
    ("${CLAUDE_SKILL_DIR}", Variable::Skill),
    ("${CLAUDE_PLUGIN_ROOT}", Variable::Plugin),
    ("${CLAUDE_PROJECT_DIR}", Variable::Project),
    ("$CLAUDE_PROJECT_DIR", Variable::Project),
    ("${HOME}", Variable::Home),
    ("$HOME", Variable::Home),
    ("~", Variable::Home),
];

/// Returns the variable at the end of a text, with its length in bytes.
pub(super) fn at_end(text: &[u8]) -> Option<(Variable, usize)> {
    // Most texts end with something else.
    if !matches!(text.last(), Some(b'}' | b'R' | b'E' | b'~')) {
        return None;
    }
    let (written, variable) = WRITTEN.iter().find(|(written, _)| text.ends_with(written.as_bytes()))?;
    Some((*variable, written.len()))
}

/// Returns the range of a token without a variable in front of its first slash, which has the characters of a path: `$HOME/x`.
pub(super) fn cut(text: &[u8], token: Range<usize>) -> Range<usize> {
    let is_variable = text[..token.start].ends_with(b"$");
    let name = text[token.clone()].iter().take_while(|byte| **byte != b'/').count();
    match is_variable && at_end(&text[..token.start + name]).is_some() {
        true => token.start + name..token.end,
        false => token,
    }
}
