//! The skills directories that were checked, in one line.

use std::cmp::Reverse;

use super::escape;
use skilltree_front_matter::text::grouped;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::listed;
use skilltree_runtimes::profile::{Kind, Profile, Profiles};
use skilltree_runtimes::scope;
use skilltree_skills::roots::{Root, RootId};

/// Maximum directories that are named.
const SHOWN: usize = 6;

/// Returns the directories with skills, the largest first, each with its number of skills and the runtimes that search it:
/// `skills directories: skills (38), .claude/skills (3, read by Claude Code)`. `None` without skills.
pub fn places(report: &Report, profiles: &Profiles) -> Option<String> {
    let parsed = &report.catalog.parsed;
    let mut counts: Vec<(usize, RootId, &Root)> =
        (0u32..).zip(&parsed.roots).map(|(id, root)| (0, RootId(id), root)).collect();
    for skill in &parsed.skills {
        counts[skill.root.index()].0 += 1;
    }
    counts.retain(|(count, ..)| *count > 0);
    counts.sort_by_key(|(count, id, _)| (Reverse(*count), *id));
    let catalog = &report.catalog;
    let shown = |(count, id, root): &(usize, RootId, &Root)| {
        let finds = |profile: &Profile| scope::searches(profile, root) || catalog.packages(profile).reads(*id);
        let is_reader = |profile: &&Profile| matches!(profile.kind, Kind::Runtime | Kind::Installer) && finds(profile);
        let mut readers: Vec<&Profile> = profiles.ids().filter_map(|id| profiles.find(id)).filter(is_reader).collect();
        readers.sort_by_key(|profile| profile.usage_rank);
        let readers: Vec<&str> = readers.into_iter().map(Profile::actor).collect();
        let readers = if readers.is_empty() { String::new() } else { format!(", read by {}", listed(&readers)) };
        format!("{} ({}{readers})", escape::path(root.shown_path()), grouped(*count))
    };
    let mut words: Vec<String> = counts.iter().take(SHOWN).map(shown).collect();
    if let Some(more) = counts.get(SHOWN..).filter(|more| !more.is_empty()) {
        let skills: usize = more.iter().map(|(count, ..)| count).sum();
        words.push(format!("{} more ({})", grouped(more.len()), grouped(skills)));
    }
    let directories = if counts.len() == 1 { "skills directory" } else { "skills directories" };
    (!words.is_empty()).then(|| format!("{directories}: {}", words.join(", ")))
}
