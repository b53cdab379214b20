//! Old names and paths of skills that a change renamed or removed, where other texts still use them. The base has them, so nothing is
//! guessed.

use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};

use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// A skill of the base that the head does not have under the same name and path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Old {
    /// The name in the base, or the name of its directory there.
    pub name: String,
    /// The name in the head; `None` if the skill was removed.
    pub renamed: Option<String>,
    /// Whether no skill of the head has the name.
    is_name_free: bool,
    /// The directory in the base, if the head has no skill there.
    directory: Option<BString>,
    /// The path of its file in the base.
    path: BString,
}

/// Returns the skills that the head does not have under the same name and path, in the order of the base.
pub fn old(head: &Catalog, base: &Catalog, base_of: &HashMap<SkillId, SkillId>) -> Vec<Old> {
    let names: BTreeSet<_> = head.skills().map(|(_, skill)| skill.shown_name()).collect();
    let directories: BTreeSet<&BStr> = head.skills().map(|(id, _)| text::parent(head.path(id))).collect();
    let head_of: HashMap<SkillId, SkillId> = base_of.iter().map(|(&head, &base)| (base, head)).collect();
    let old = base.skills().filter_map(|(id, skill)| {
        let name = skill.shown_name().into_owned();
        let directory = text::parent(base.path(id));
        let directory = Some(directory).filter(|path| !path.is_empty() && !directories.contains(path));
        let is_name_free = !names.contains(name.as_str());
        let renamed = head_of.get(&id).map(|&id| head.skill(id).shown_name().into_owned());
        let directory = directory.map(ToOwned::to_owned);
        let path = base.path(id).to_owned();
        (is_name_free || directory.is_some()).then_some(Old { name, renamed, is_name_free, directory, path })
    });
    old.collect()
}

impl Old {
    /// Returns the file that a removed skill had: the skill may only be hidden from the check.
    pub fn file(&self) -> Option<&BStr> {
        Some(self.path.as_bstr()).filter(|_| self.renamed.is_none() && self.directory.is_some())
    }

    /// Returns the first line of a text, from 1, that uses the old path or the old name. A name that may be an ordinary word counts only
    /// as `$name`, `/name` or in a code span.
    pub fn line(&self, text: &[u8]) -> Option<usize> {
        let path = self.directory.as_ref().and_then(|path| words(text, path).next());
        let name = || {
            let is_word = self.name.bytes().all(|byte| byte.is_ascii_lowercase());
            uses(text, &self.name, is_word).next().filter(|_| self.is_name_free && self.name.len() > 1)
        };
        let start = path.or_else(name)?;
        Some(1 + text[..start].find_iter(b"\n").count())
    }
}

/// Returns where a text uses the name of a skill. A name that may be an ordinary word counts only as `$name`, `/name` or in a code span.
pub fn uses<'t>(text: &'t [u8], name: &'t str, is_word: bool) -> impl Iterator<Item = usize> + use<'t> {
    words(text, name.as_bytes()).filter(move |&start| {
        let (before, after) = (&text[..start], &text[start + name.len()..]);
        match before.last() {
            Some(b'/') => matches!(before.iter().nth_back(1), None | Some(b' ' | b'\n' | b'\t' | b'(' | b'`' | b'"')),
            Some(b'.') => false,
            Some(b'`') => after.first() == Some(&b'`') || !is_word,
            Some(b'$') => true,
            _ => !is_word && after.first() != Some(&b'/'),
        }
    })
}

/// Returns where a word begins that is not a part of a longer one.
pub fn words<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = usize> + use<'t> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || b"-_".contains(byte);
    text.find_iter(word).filter(move |&start| {
        !text[..start].last().is_some_and(is_part) && !text[start + word.len()..].first().is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old(name: &str, directory: Option<&str>) -> Old {
        Old {
            name: name.to_owned(),
            renamed: None,
            is_name_free: true,
            directory: directory.map(BString::from),
            path: "a/SKILL.md".into(),
        }
    }

    #[test]
    fn finds_uses_of_a_name_and_no_parts_of_words() {
        let line = |name: &str, text: &str| old(name, None).line(text.as_bytes());
        for text in ["Use the fill-forms skill.", "`fill-forms`", "a\n/fill-forms", "$fill-forms", "(fill-forms)"] {
            assert!(line("fill-forms", text).is_some(), "{text}");
        }
        for text in ["refill-forms", "fill-forms-2", "docs/fill-forms/x", "x.fill-forms", "fill forms", "fill-formsé"]
        {
            assert_eq!(line("fill-forms", text), None, "{text}");
        }
        assert_eq!(line("test", "one\nRun `test`, or /test."), Some(2));
        for text in ["Run the test.", "a/test", "`test it`", "test/x"] {
            assert_eq!(line("test", text), None, "{text}");
        }
    }

    #[test]
    fn finds_uses_of_a_path() {
        let old = old("pdf", Some(".claude/skills/pdf"));
        assert_eq!(old.line(b"x\n[It](.claude/skills/pdf/SKILL.md)"), Some(2));
        assert_eq!(old.line(b"./.claude/skills/pdf"), Some(1));
        assert_eq!(old.line(b".claude/skills/pdf-forms and x.claude/skills/pdf"), None);
    }
}
