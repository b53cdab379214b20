//! What is still wrong with a description once it is in quotes.

use crate::rule::{Facts, Finding, listed};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::limits;
use skilltree_skills::skill::Skill;

/// Length of a quoted part, in code points.
const QUOTED: usize = 40;

/// Notes it, because the rules about descriptions see the text only after the edit.
pub(super) fn note(skill: &Skill, facts: &Facts<'_>, value: Place, finding: &mut Finding) {
    let before = skill.header.get(..value.range().start).unwrap_or_default();
    let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let source = skill.source(value);
    let (Ok(text), true) = (std::str::from_utf8(source), line.trim_ascii() == b"description:") else { return };
    let chars = text::length(text.trim()).chars;
    if let Some(limit) = facts.limits.description_chars.filter(|&limit| limits::over(Some(limit), chars)) {
        let (chars, limit) = (text::grouped(chars), text::grouped(limit));
        finding.note(format!("once in quotes, the description has {chars} characters; the limit is {limit}"));
    }
    let part = |profile: &Profile| {
        let regex = profile.loads.fields.get("description")?.forbidden.as_ref()?.regex()?;
        Some(regex.find(text)?.as_str())
    };
    let refusing: Vec<&Profile> = facts.scope.of(skill.root).filter(|profile| part(profile).is_some()).collect();
    if let Some(found) = refusing.first().and_then(|profile| part(profile)) {
        let names: Vec<&str> = refusing.iter().map(|profile| profile.actor()).collect();
        let (found, names) = (text::shortened(found, QUOTED), listed(&names));
        finding.note(format!("once in quotes, `description` contains `{found}`: rejected by {names}"));
    }
}
