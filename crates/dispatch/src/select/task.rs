//! Selection of skills by task and role.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::outcome::Chosen;
use super::words::{significant, words};
use super::{Body, Dropped, Reason, Score, full_text};
use skilltree_front_matter::text::grouped;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{Skill, SkillId};

/// A task and its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Description of the task.
    pub text: String,
    /// Id of the task, for knowledge entries about it; `None` if not given.
    pub id: Option<String>,
    /// Role of the agent, in any case; `None` for all roles.
    pub role: Option<String>,
    /// Whether a skill without roles serves no role; otherwise it serves all.
    pub requires_role: bool,
    /// Maximum number of skills by rank, before the budget; `None` for all matches.
    pub top: Option<usize>,
    /// How skills are matched.
    pub matcher: Matcher,
}

/// How skills are matched with a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// The tags of a skill.
    Tags,
    /// Name, description and body, by BM25.
    Bm25,
}

impl Matcher {
    /// Returns the word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::Bm25 => "bm25",
        }
    }
}

/// Selects the skills of a role, ranks them, and takes the best.
pub(super) fn choose(skills: &[SkillId], catalog: &Catalog, body: Body<'_>, task: &Task) -> Chosen {
    let mut chosen = Chosen::default();
    let (mine, others): (Vec<SkillId>, Vec<SkillId>) = skills.iter().partition(|&&id| serves(catalog.skill(id), task));
    let mut scores = match task.matcher {
        Matcher::Tags => by_tags(&mine, catalog, &task.text),
        Matcher::Bm25 => full_text::rank(&mine, catalog, body, &task.text),
    };
    // Skills with equal points stay in their order.
    scores.sort_by_key(|score| Reverse(score.points));
    let matching = scores.partition_point(|score| score.points > 0);
    let taken = task.top.map_or(matching, |top| matching.min(top));
    chosen.skills = scores[..taken].iter().map(|score| score.skill).collect();
    for (rank, score) in (1..).zip(&scores).skip(taken) {
        let detail = match score.points {
            0 => format!("it does not match the task: {}", score.reason),
            _ => format!("it ranks {} of {}; the limit is {}", grouped(rank), grouped(matching), grouped(taken)),
        };
        chosen.dropped.push(Dropped { skill: score.skill, reason: Reason::Score, detail });
    }
    for skill in others {
        let roles = catalog.skill(skill).words("roles").join(", ");
        let detail = if roles.is_empty() { "it has no roles".to_owned() } else { format!("its roles are {roles}") };
        chosen.dropped.push(Dropped { skill, reason: Reason::Role, detail });
    }
    chosen.scores = scores;
    chosen
}

/// Returns whether a skill is for the role of a task.
fn serves(skill: &Skill, task: &Task) -> bool {
    let Some(role) = &task.role else { return true };
    let roles = skill.words("roles");
    (roles.is_empty() && !task.requires_role) || roles.iter().any(|one| one.eq_ignore_ascii_case(role))
}

/// Ranks by tags: the number of matching tags, then their share of the skill's tags. A tag matches if the task contains
/// all of its words.
fn by_tags(skills: &[SkillId], catalog: &Catalog, task: &str) -> Vec<Score> {
    let task = significant(task);
    let score = |&skill: &SkillId| {
        let tags = catalog.skill(skill).words("tags");
        let matching: Vec<&str> = tags.iter().copied().filter(|tag| occurs(tag, &task)).collect();
        // The share in millionths follows the count: integers compare the same on every machine.
        let share = (matching.len() as u64 * 1_000_000).checked_div(tags.len() as u64).unwrap_or(0);
        Score { skill, points: matching.len() as u64 * 10_000_000 + share, reason: reason(&tags, &matching) }
    };
    skills.iter().map(score).collect()
}

fn occurs(tag: &str, task: &BTreeSet<String>) -> bool {
    let mut any = false;
    words(tag).all(|word| {
        any = true;
        task.contains(&word)
    }) && any
}

fn reason(tags: &[&str], matching: &[&str]) -> String {
    match (tags.len(), matching.len()) {
        (0, _) => "it has no tags".to_owned(),
        (1, 0) => "its tag does not match".to_owned(),
        (all, 0) => format!("none of its {all} tags match"),
        (all, some) => format!("{some} of its {all} tags match: {}", matching.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use skilltree_runtimes::samples::{BOTH, catalog};

    /// Returns the names of the taken skills, and the details of the dropped ones.
    fn run(task: &str, role: Option<&str>, top: Option<usize>) -> (String, Vec<String>) {
        by(Matcher::Tags, task, role, top)
    }

    fn by(matcher: Matcher, task: &str, role: Option<&str>, top: Option<usize>) -> (String, Vec<String>) {
        let skills: [(&str, &[(&str, &str)]); 6] = [
            (".agent/skills/a/SKILL.md", &[("name", "a"), ("tags", "[api, schema, error-handling]")]),
            (".agent/skills/b/SKILL.md", &[("name", "b"), ("tags", "api"), ("roles", "[Reviewer, builder]")]),
            (".agent/skills/c/SKILL.md", &[("name", "c"), ("tags", "api, endpoints"), ("roles", "planner")]),
            (".agent/skills/d/SKILL.md", &[("name", "d")]),
            (".agent/skills/e/SKILL.md", &[("name", "e"), ("tags", "-, 3D")]),
            (".agent/skills/f/SKILL.md", &[("name", "f"), ("tags", "API")]),
        ];
        let catalog = catalog(BOTH, &skills);
        let bodies =
            ["", "Endpoints, and what their schemas say.", "", "Deploy to a cluster.", "", "Deploying deploys."];
        let all: Vec<SkillId> = (0..6).map(SkillId).collect();
        let role = role.map(Into::into);
        let task = Task { text: task.into(), id: None, role, requires_role: false, top, matcher };
        let chosen = choose(&all, &catalog, &|id| Cow::Borrowed(bodies[id.index()]), &task);
        let name = |id: SkillId| catalog.skill(id).shown_name().into_owned();
        let taken: Vec<String> = chosen.skills.iter().map(|&id| name(id)).collect();
        let drop = |d: &Dropped| format!("{} {}: {}", name(d.skill), d.reason.word(), d.detail);
        (taken.join(" "), chosen.dropped.iter().map(drop).collect())
    }

    #[test]
    fn ranks_by_tag_count_then_share_then_name() {
        let (taken, dropped) = run("Handle errors of the API: error handling", None, None);
        assert_eq!(taken, "a b f c");
        assert_eq!(
            dropped,
            [
                "d score: it does not match the task: it has no tags",
                "e score: it does not match the task: none of its 2 tags match"
            ]
        );
        assert_eq!(run("add endpoints to an api", None, None).0, "c b f a");
    }

    #[test]
    fn filters_by_role() {
        let (taken, dropped) = run("api", Some("REVIEWER"), None);
        assert_eq!(taken, "b f a");
        assert_eq!(dropped.last().unwrap(), "c role: its roles are planner");
        assert_eq!(run("api", Some("planner"), None).0, "f c a");
    }

    #[test]
    fn takes_the_best_and_reports_rank_of_the_rest() {
        let (taken, dropped) = run("api", None, Some(2));
        assert_eq!(taken, "b f");
        assert_eq!(
            dropped[..2],
            ["c score: it ranks 3 of 4; the limit is 2", "a score: it ranks 4 of 4; the limit is 2"]
        );
        assert_eq!(run("3d", None, None).0, "e");
        assert_eq!(run("", None, None).0, "");
    }

    #[test]
    fn full_text_finds_skills_without_matching_tags() {
        let (taken, dropped) = by(Matcher::Bm25, "deploy the endpoint", None, None);
        assert_eq!(taken, "c d f b");
        assert_eq!(dropped.len(), 2);
        assert_eq!(dropped[0], "a score: it does not match the task: it contains no word of the task");
        assert_eq!(by(Matcher::Bm25, "the", None, None).0, "");
    }
}
