//! Skills by what a task is about and who works on it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::outcome::Chosen;
use super::words::{telling, words};
use super::{Dropped, Reason, Score, full_text, name};
use crate::catalog::Catalog;
use crate::skill::{Skill, SkillId};

/// What is worked on, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What is worked on, in anybody's words.
    pub text: String,
    /// Its id, for what agents learned about it alone; `None` when nobody gives one.
    pub id: Option<String>,
    /// Who works on it, in any case; `None` when everybody does.
    pub role: Option<String>,
    /// How many skills are taken in the order of their rank, before the budget; `None` when all that match.
    pub top: Option<usize>,
    /// What is compared with the task.
    pub matcher: Matcher,
}

/// What is compared with a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matcher {
    /// The tags of a skill.
    Tags,
    /// Its name, description and body, by BM25.
    Bm25,
    /// What another program makes of its words: the points of the skills that it found.
    Qmd(BTreeMap<SkillId, u64>),
}

impl Matcher {
    /// The word for it in output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::Bm25 => "bm25",
            Self::Qmd(_) => "qmd",
        }
    }
}

/// Gives the body of a skill.
pub(super) type Body<'a> = &'a (dyn Fn(SkillId) -> Cow<'a, str> + Sync);

/// Keeps the skills of a role, ranks them, and takes the best.
pub(super) fn choose(skills: &[SkillId], catalog: &Catalog, body: Body<'_>, task: &Task) -> Chosen {
    let mut chosen = Chosen::default();
    let (mine, others): (Vec<SkillId>, Vec<SkillId>) =
        skills.iter().partition(|&&id| serves(catalog.skill(id), task.role.as_deref()));
    let mut scores = match &task.matcher {
        Matcher::Tags => by_tags(&mine, catalog, &task.text),
        Matcher::Bm25 => full_text::rank(&mine, catalog, body, &task.text),
        Matcher::Qmd(found) => mine.iter().map(|&skill| by_another(skill, found)).collect(),
    };
    scores.sort_by_cached_key(|score| (Reverse(score.points), key(catalog, score.skill)));
    let matching = scores.partition_point(|score| score.points > 0);
    let taken = task.top.map_or(matching, |top| matching.min(top));
    chosen.skills = scores[..taken].iter().map(|score| score.skill).collect();
    for (rank, score) in (1..).zip(&scores).skip(taken) {
        let detail = match score.points {
            0 => format!("nothing of the task matches: {}", score.reason),
            _ => format!("it ranks {rank} of {matching}; {taken} are taken"),
        };
        chosen.dropped.push(Dropped { skill: score.skill, reason: Reason::Score, detail });
    }
    for skill in others {
        let roles = catalog.skill(skill).words("roles").join(", ");
        chosen.dropped.push(Dropped { skill, reason: Reason::Role, detail: format!("it serves {roles} only") });
    }
    chosen.scores = scores;
    chosen
}

/// What decides between skills of equal points.
fn key(catalog: &Catalog, id: SkillId) -> (String, bstr::BString) {
    (name(catalog.skill(id)).into_owned(), catalog.path(id).to_owned())
}

/// Whether a skill is for a role. One that names none is for all.
fn serves(skill: &Skill, role: Option<&str>) -> bool {
    let Some(role) = role else { return true };
    let roles = skill.words("roles");
    roles.is_empty() || roles.iter().any(|one| one.eq_ignore_ascii_case(role))
}

/// Points by tags: the number that match, then their share among the tags of the skill. A tag matches when all of its
/// words occur in the task.
fn by_tags(skills: &[SkillId], catalog: &Catalog, task: &str) -> Vec<Score> {
    let task = telling(task);
    let score = |&skill: &SkillId| {
        let tags = catalog.skill(skill).words("tags");
        let matching: Vec<&str> = tags.iter().copied().filter(|tag| occurs(tag, &task)).collect();
        // The share in millionths stands behind the number: whole numbers compare the same everywhere.
        let share = (matching.len() as u64 * 1_000_000).checked_div(tags.len() as u64).unwrap_or(0);
        Score { skill, points: matching.len() as u64 * 10_000_000 + share, reason: reason(&tags, &matching) }
    };
    skills.iter().map(score).collect()
}

/// Points as another program gave them.
fn by_another(skill: SkillId, found: &BTreeMap<SkillId, u64>) -> Score {
    let points = found.get(&skill).copied().unwrap_or(0);
    let reason = if points > 0 { "qmd finds words of the task in it" } else { "qmd finds no word of the task in it" };
    Score { skill, points, reason: reason.to_owned() }
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
        (all, 0) => format!("none of its {all} tags"),
        (all, some) => format!("{some} of its {all} tags: {}", matching.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{BOTH, catalog};

    /// The names of the skills that are taken, and what is said of the others.
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
        let task = Task { text: task.into(), id: None, role: role.map(Into::into), top, matcher };
        let chosen = choose(&all, &catalog, &|id| Cow::Borrowed(bodies[id.index()]), &task);
        let name = |id: SkillId| name(catalog.skill(id)).into_owned();
        let taken: Vec<String> = chosen.skills.iter().map(|&id| name(id)).collect();
        let drop = |d: &Dropped| format!("{} {}: {}", name(d.skill), d.reason.word(), d.detail);
        (taken.join(" "), chosen.dropped.iter().map(drop).collect())
    }

    #[test]
    fn more_matching_tags_come_first_then_the_greater_share_then_the_name() {
        let (taken, dropped) = run("Handle errors of the API: error handling", None, None);
        assert_eq!(taken, "a b f c");
        assert_eq!(
            dropped,
            [
                "d score: nothing of the task matches: it has no tags",
                "e score: nothing of the task matches: none of its 2 tags"
            ]
        );
        assert_eq!(run("add endpoints to an api", None, None).0, "c b f a");
    }

    #[test]
    fn a_skill_with_roles_serves_them_alone_and_one_without_serves_all() {
        let (taken, dropped) = run("api", Some("REVIEWER"), None);
        assert_eq!(taken, "b f a");
        assert_eq!(dropped.last().unwrap(), "c role: it serves planner only");
        assert_eq!(run("api", Some("planner"), None).0, "f c a");
    }

    #[test]
    fn the_best_are_taken_and_the_rest_is_told_its_rank() {
        let (taken, dropped) = run("api", None, Some(2));
        assert_eq!(taken, "b f");
        assert_eq!(dropped[..2], ["c score: it ranks 3 of 4; 2 are taken", "a score: it ranks 4 of 4; 2 are taken"]);
        assert_eq!(run("3d", None, None).0, "e");
        assert_eq!(run("", None, None).0, "");
    }

    #[test]
    fn full_text_finds_what_no_tag_says() {
        let (taken, dropped) = by(Matcher::Bm25, "deploy the endpoint", None, None);
        assert_eq!(taken, "c d f b");
        assert_eq!(dropped.len(), 2);
        assert_eq!(dropped[0], "a score: nothing of the task matches: it holds no word of the task");
        assert_eq!(by(Matcher::Bm25, "the", None, None).0, "");
    }
}
