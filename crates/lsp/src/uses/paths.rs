//! Paths into the directory of a skill that a text has anywhere: in links, in prose, in code and below variables.

use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;
use skilltree_lint::compare;
use skilltree_skills::roots;
use skilltree_skills::skill::links::relative;
use skilltree_skills::skill::paths::resolve;

use super::Uses;
use super::names::Kind;

/// Maximum length of a path before the name of the directory, in bytes (ours).
const PATH_BYTES: usize = 300;

impl Uses<'_, '_> {
    /// Returns the paths into the directory, each with its new text. Values of a manifest that are paths start where its program says;
    /// here are only those in its commands.
    pub(super) fn paths(&self, page: &BStr, text: &str, kind: Kind) -> Vec<(Range<usize>, String)> {
        let Some((old, new)) = self.renamed.path else { return Vec::new() };
        let (name, new_name) = (text::file_name(old), text::file_name(new));
        let is_renamed = text::parent(old) == text::parent(new);
        // Paths inside of what moves to another directory start from there.
        if !is_renamed && roots::is_within(page, old) {
            return Vec::new();
        }
        let starts = compare::words(text.as_bytes(), name);
        let found = starts.filter_map(|start| {
            let end = start + name.len();
            let written = Written::new(text, start, end)?;
            if kind == Kind::Manifest && !written.is_below_variable {
                return None;
            }
            let base = self.base(page, &written)?;
            match is_renamed {
                true => Some((start..end, new_name.to_str_lossy().into_owned())),
                false => Some((written.range, relative(base, new))),
            }
        });
        found.collect()
    }

    /// Returns the directory from which a path leads to the old one: the directory of the file, or one above it. A path that leads to
    /// something else from a nearer directory is another one.
    fn base<'p>(&self, page: &'p BStr, written: &Written<'_>) -> Option<&'p BStr> {
        let (old, _) = self.renamed.path?;
        let mut base = page;
        loop {
            base = text::parent(base);
            let leads = if written.is_from_top && !base.is_empty() { None } else { resolve(base, written.path.into()) };
            match leads {
                Some(path) if path == old => return written.is_clear(self, old).then_some(base),
                Some(path) if self.exists(path.as_bstr()) => return None,
                _ if base.is_empty() => return None,
                _ => {}
            }
        }
    }

    fn exists(&self, path: &BStr) -> bool {
        let mut files = self.context.files().iter();
        files.any(|file| {
            roots::is_within(file.path.as_bstr(), path) || roots::is_within(file.shown_path().as_bstr(), path)
        })
    }
}

/// A path that ends with the name of the directory.
struct Written<'t> {
    /// The path, without what is before it.
    path: &'t str,
    /// Its bytes.
    range: Range<usize>,
    /// Whether it starts at a variable, such as `${CLAUDE_PLUGIN_ROOT}`.
    is_below_variable: bool,
    /// Whether it starts at the top of the repository.
    is_from_top: bool,
    /// The rest of a longer path, from its slash.
    rest: &'t str,
    /// Whether it is the target of a link.
    is_target: bool,
}

impl<'t> Written<'t> {
    /// Returns the path around the name of the directory; `None` for one of another machine.
    fn new(text: &'t str, start: usize, end: usize) -> Option<Self> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || b"_-./".contains(byte);
        let before = text.as_bytes()[..start].iter().rev().take(PATH_BYTES).take_while(|byte| is_part(byte)).count();
        let after = text.as_bytes()[end..].iter().take(PATH_BYTES).take_while(|byte| is_part(byte)).count();
        let first = start - before;
        let (outside, path) = (text.get(..first)?, text.get(first..end)?);
        let rest = text.get(end..end + after)?;
        let is_target = outside.ends_with("](") || outside.ends_with("](<");
        // `$NAME/` and `${NAME}/` are the directory of the plugin, of the project or of the skill.
        let variable = match path.split_once('/') {
            Some((name, _)) if outside.ends_with('$') && !name.is_empty() => name.len() + 1,
            Some(("", _)) if outside.ends_with('}') => 1,
            Some(("", _)) if is_target => 1,
            Some(("", _)) => return None,
            _ => 0,
        };
        let range = first + variable..end;
        let is_from_top = is_target && variable > 0;
        let is_below_variable = variable > 0 && !is_target;
        Some(Self { path: &text[range.clone()], range, is_below_variable, is_from_top, rest, is_target })
    }

    /// Returns whether it is no word of a sentence: it has a directory, is the target of a link, or leads to a file.
    fn is_clear(&self, uses: &Uses<'_, '_>, old: &BStr) -> bool {
        let file = || BString::from([old.as_bytes(), self.rest.trim_end_matches(['.', '/']).as_bytes()].concat());
        self.path.contains('/') || self.is_target || self.rest.starts_with('/') && uses.exists(file().as_bstr())
    }
}
