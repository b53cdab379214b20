//! Variables for the directory of a skill, below which a path is exact: `${CLAUDE_SKILL_DIR}/scripts/x.py`.

/// The directory of the skill.
pub(super) const SKILL: &str = "${CLAUDE_SKILL_DIR}";

/// The directory of the plugin that contains the skill.
const PLUGIN: &str = "${CLAUDE_PLUGIN_ROOT}";

/// Returns the variable at the end of a text.
pub(super) fn at_end(text: &[u8]) -> Option<&'static str> {
    [SKILL, PLUGIN].into_iter().find(|variable| text.ends_with(variable.as_bytes()))
}
