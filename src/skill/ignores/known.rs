//! Which comments of a tree another tree has as well.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

use super::IgnoreComment;
use crate::skill::Parsed;

/// What a comment is known again by.
type Key<'a> = (&'a BStr, Vec<&'a str>, &'a str, Option<i64>, Option<bool>, [u8; 16]);

impl Parsed {
    /// Lets those comments alone count that another tree has at the same path, beside the same field or block, with the
    /// same words: where somebody else decides what may be left out, a skill cannot decide it for itself.
    pub fn count_ignores_of(&mut self, base: &Self) {
        let mut known: HashMap<Key<'_>, usize> = HashMap::new();
        for (path, comment) in base.ignores() {
            *known.entry(key(path, comment)).or_default() += 1;
        }
        let counts: Vec<bool> = self
            .ignores()
            .map(|(path, comment)| match known.get_mut(&key(path, comment)) {
                Some(left @ 1..) => {
                    *left -= 1;
                    true
                }
                _ => false,
            })
            .collect();
        let comments = self.skills.iter_mut().flat_map(|skill| &mut skill.ignores);
        comments.zip(counts).for_each(|(comment, counts)| comment.counts = counts);
    }

    /// Every comment that is meant for skilltree, with the path of its file, in the order of the skills.
    pub fn ignores(&self) -> impl Iterator<Item = (&BStr, &IgnoreComment)> {
        self.skills
            .iter()
            .flat_map(|skill| skill.ignores.iter().map(|comment| (self.file(skill.file).path.as_bstr(), comment)))
    }
}

fn key<'a>(path: &'a BStr, comment: &'a IgnoreComment) -> Key<'a> {
    let rules = comment.rules.iter().map(|rule| rule.value.as_str()).collect();
    let whole = comment.covers.map(|covered| covered.is_whole());
    (path, rules, &comment.reason, comment.until, whole, comment.beside)
}
