//! Entries of the shared knowledge that match a task.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::words::{significant, words};
use skilltree_skills::records::{Knowledge, KnowledgeEntry};

/// Entry that matches a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Learned<'a> {
    /// The entry.
    pub entry: &'a KnowledgeEntry,
    /// Number of task words that it contains.
    pub points: usize,
}

/// Returns the entries that contain a word of a task: most words first, then the newest line. Only valid entries count,
/// each once, and entries of a task only for that task. Words are normalized as for tags.
pub fn learned<'a>(knowledge: &'a Knowledge, text: &str, task: Option<&str>) -> Vec<Learned<'a>> {
    let wanted = significant(text);
    let mut found: Vec<Learned<'_>> = valid(knowledge)
        .filter(|entry| entry.holds_for(task))
        .map(|entry| {
            let held: BTreeSet<String> = words(&entry.content.value).filter(|word| wanted.contains(word)).collect();
            Learned { entry, points: held.len() }
        })
        .filter(|learned| learned.points > 0)
        .collect();
    found.sort_by_key(|learned| (Reverse(learned.points), Reverse(learned.entry.line)));
    found
}

/// Returns the valid entries, each content and scope once.
pub(crate) fn valid(knowledge: &Knowledge) -> impl Iterator<Item = &KnowledgeEntry> {
    let mut seen = BTreeSet::new();
    let sound = knowledge.entries.iter().filter(|entry| entry.is_valid());
    sound.filter(move |entry| seen.insert((&entry.content.value, &entry.scope.value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_front_matter::text::FileId;
    use skilltree_skills::records::New;

    #[test]
    fn ranks_entries_by_task_words() {
        let line = |content: &str, category: &str, scope: &str| {
            let new = New {
                content: content.to_owned(),
                category: category.to_owned(),
                contributor: "x".to_owned(),
                scope: scope.to_owned(),
                task_ref: None,
                created_at: 0,
            };
            new.line().unwrap()
        };
        let text = [
            line("Endpoints have nullable fields.", "gotcha", "global"),
            line("Name the endpoint of an API in plural.", "convention", "global"),
            line("Retry.", "tip", "global"),
            line("This API lies.", "gotcha", "task:7"),
            line("API keys expire.", "rule", "global"),
            line("Endpoints have nullable fields.", "gotcha", "global"),
            line("An API has one version.", "tip", "global").replace("one", "no"),
        ]
        .concat();
        let knowledge = Knowledge::parse(FileId(0), text.as_bytes());
        let lines = |task| -> Vec<(usize, usize)> {
            let found = learned(&knowledge, "Add an API endpoint for the users", task);
            found.iter().map(|learned| (learned.entry.line, learned.points)).collect()
        };
        assert_eq!(lines(None), [(2, 2), (1, 1)]);
        assert_eq!(lines(Some("7")), [(2, 2), (4, 1), (1, 1)]);
        assert_eq!(lines(Some("8")), lines(None));
    }
}
