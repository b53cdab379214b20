//! Comparison of ignore comments between two trees.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

use super::IgnoreComment;
use crate::skill::{Parsed, Skill};

/// Identity of a comment across trees.
type Key<'a> = (&'a BStr, Vec<&'a str>, &'a str, Option<i64>, Option<bool>, [u8; 16]);

impl Parsed {
    /// Keeps only the ignore comments that `base` has too, at the same path, next to the same field or block, with the
    /// same words. In a pull request a skill cannot ignore its findings by itself.
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
        let comments = self.skills.iter_mut().flat_map(Skill::comments_mut);
        comments.zip(counts).for_each(|(comment, counts)| comment.counts = counts);
    }

    /// Returns every ignore comment with the path of its file, in the order of the skills.
    pub fn ignores(&self) -> impl Iterator<Item = (&BStr, &IgnoreComment)> {
        let comments = self.skills.iter().flat_map(Skill::comments).flat_map(|(_, comments)| comments);
        comments.map(|comment| (self.file(comment.place.file).path.as_bstr(), comment))
    }
}

fn key<'a>(path: &'a BStr, comment: &'a IgnoreComment) -> Key<'a> {
    let rules = comment.rules.iter().map(|rule| rule.value.as_str()).collect();
    let whole = comment.covers.map(|covered| covered.is_whole());
    (path, rules, &comment.reason, comment.until, whole, comment.context)
}
