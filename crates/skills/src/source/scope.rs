//! Sources that are a skills directory or one skill, instead of a repository.

use bstr::{BString, ByteSlice};

use super::{Content, Entry, Source};
use crate::name;
use crate::roots::{RootPattern, RootSet};
use crate::skill::Skill;
use crate::snapshot::Origin;

/// Maximum length of a directory name (NAME_MAX of Linux: 255 bytes).
const NAME_BYTES: usize = 255;

/// Creates a source of one SKILL.md on standard input. It has no path; its first lines name it in output.
pub fn standard_input(text: Vec<u8>) -> Source {
    let name = text.lines().take(100).find_map(|line| line.strip_prefix(b"name:"));
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = name.map(|name| name.trim().trim_with(|quote| matches!(quote, '"' | '\'')));
    let is_name = |name: &&[u8]| (1..=NAME_BYTES).contains(&name.len()) && name.iter().all(is_plain);
    let name = name.filter(is_name).unwrap_or(b"skill");
    let path: BString = [b"stdin/", name, b"/SKILL.md"].concat().into();
    super::memory(Origin::StandardInput, vec![Entry { path, content: Content::File(text) }]).of_root("stdin".to_owned())
}

/// Sets the directory of a skill on standard input to its name, or to empty if the name cannot be a directory, so that
/// no finding is about an unknown directory.
pub(super) fn forget_directories(skills: &mut [Skill]) {
    for skill in skills {
        let name = skill.name().filter(|name| name::is_well_formed(name)).unwrap_or_default();
        skill.directory = name.into();
    }
}

/// Returns the patterns of a source that is a root: the configured ones below it, otherwise the root itself. Wildcard
/// characters in its path are literal.
pub(super) fn roots(own: &str, set: &RootSet) -> RootSet {
    let own = globset::escape(own);
    let asked = set.patterns.iter().filter(|pattern| pattern.configured);
    let mut patterns: Vec<RootPattern> =
        asked.map(|pattern| RootPattern { glob: format!("{own}/{}", pattern.glob), ..pattern.clone() }).collect();
    if patterns.is_empty() {
        patterns.push(RootPattern::configured(&own, "agentskills"));
    }
    RootSet { patterns, discovery: None, near: Vec::new(), ..set.clone() }
}
