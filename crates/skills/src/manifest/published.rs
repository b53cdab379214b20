//! The files that npm publishes of a package.

use bstr::{BStr, ByteSlice};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::json::{Json, Value};
use super::{Manifest, Manifests};
use crate::roots::NPM_PACKAGE;

/// The file with patterns of files that npm does not publish. It counts if the package has no `files`.
pub const NPM_IGNORE: &str = ".npmignore";

/// Maximum bytes of a pattern that is compiled. A longer one matches no path.
const PATTERN_BYTES: usize = 8_192;

/// The list of files of a package.json, or the file that leaves some out.
#[derive(Clone, Debug)]
pub struct Published<'a> {
    /// The list; `None` if `.npmignore` counts.
    pub list: Option<&'a Json>,
    /// The number of entries of the list, or of lines of the file.
    count: usize,
    patterns: Gitignore,
}

impl<'a> Published<'a> {
    /// Maximum number of entries that are compared with paths (ours: 1,000). Of a longer list nothing is known.
    pub const ENTRIES: usize = 1_000;

    /// Returns the number of entries, or of lines, if there are too many.
    pub fn too_many(&self) -> Option<usize> {
        Some(self.count).filter(|count| *count > Self::ENTRIES)
    }

    /// Returns whether npm publishes a file, by its path from the package.
    pub fn has(&self, path: &BStr) -> bool {
        let is_matched = || self.patterns.matched_path_or_any_parents(&*path.to_path_lossy(), false).is_ignore();
        self.too_many().is_some() || is_matched() == self.list.is_some()
    }

    /// Each pattern of `files` begins at the package.
    fn listed(list: &'a Json) -> Self {
        let mut builder = GitignoreBuilder::new("");
        for entry in list.items().iter().take(Self::ENTRIES).filter_map(Json::text) {
            if entry.len() > PATTERN_BYTES {
                continue;
            }
            let (sign, pattern) = entry.strip_prefix('!').map_or(("", entry), |pattern| ("!", pattern));
            let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
            // A pattern that is none publishes nothing.
            let _ = builder.add_line(None, &format!("{sign}/{pattern}"));
        }
        Self {
            list: Some(list),
            count: list.items().len(),
            patterns: builder.build().unwrap_or_else(|_| Gitignore::empty()),
        }
    }

    /// Returns the lines of a file that are compared with paths.
    pub(crate) fn patterns(text: &str) -> impl Iterator<Item = &str> {
        text.lines().take(Self::ENTRIES).filter(|line| line.len() <= PATTERN_BYTES)
    }

    /// With a pattern that begins with `!`, npm publishes other files than Git would track, so nothing is known.
    fn left(text: &str) -> Option<Self> {
        let mut builder = GitignoreBuilder::new("");
        builder.case_insensitive(true).ok()?;
        let count = text.lines().count();
        if text.lines().any(|line| line.starts_with('!')) {
            return None;
        }
        Self::patterns(text).try_for_each(|line| builder.add_line(None, line).map(|_| ())).ok()?;
        Some(Self { list: None, count, patterns: builder.build().ok()? })
    }
}

impl Manifests {
    /// Returns whether npm publishes nothing of a package.
    pub fn is_private(&self, manifest: &Manifest) -> bool {
        let private = manifest.content.as_ref().ok().and_then(|json| json.get("private"));
        private.is_some_and(|value| value.value == Value::Boolean(true))
    }

    /// Returns the files that npm publishes of a package; `None` if it publishes all, if the package is private, or if it is not known.
    pub fn published<'a>(&'a self, manifest: &'a Manifest) -> Option<Published<'a>> {
        let json = manifest.content.as_ref().ok().filter(|_| manifest.name == NPM_PACKAGE)?;
        if self.is_private(manifest) {
            return None;
        }
        match json.get("files") {
            // Of a string, npm publishes nothing.
            Some(list) => matches!(list.value, Value::List(_) | Value::Text(_)).then(|| Published::listed(list)),
            None => Published::left(self.npm_ignores.get(&manifest.base)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_front_matter::text::FileId;

    /// What `npm pack --dry-run` of npm 11.19.1 prints for each list.
    #[test]
    fn publishes_what_npm_publishes() {
        for (files, is_published) in [
            (r#"["skills"]"#, true),
            (r#"["./skills"]"#, true),
            (r#"["/skills/"]"#, true),
            (r#"["skills/*"]"#, true),
            (r#"["skills/**"]"#, true),
            (r#"["skills/**/*.md"]"#, true),
            (r#"["**/*.md"]"#, true),
            (r#"["skills/a/SKILL.md"]"#, true),
            (r#"["*"]"#, true),
            (r#"["*.md"]"#, false),
            (r#"["skills/*.md"]"#, false),
            (r#"["skills", "!skills/a"]"#, false),
            (r#"["dist"]"#, false),
            ("[]", false),
            (r#"["SKILL.md"]"#, false),
            (r#"["a"]"#, false),
            (r#"["."]"#, false),
            (r#"["!other"]"#, false),
            (r#"["SKILLS"]"#, false),
            (r#"["skills/*/SKILL.md"]"#, true),
            (r#"["skills/*.md", "skills/*/*.md"]"#, true),
            (r#""skills""#, false),
        ] {
            let text = format!(r#"{{"name": "x", "files": {files}}}"#);
            let manifest = Manifest {
                file: FileId(0),
                base: "".into(),
                name: "package.json".into(),
                part: None,
                content: Ok(Json::parse(&text, &mut 1_000).expect("it is JSON")),
                has_bom: false,
                lines: Vec::new(),
            };
            let manifests = Manifests::default();
            let published = manifests.published(&manifest).expect("it has a list");
            assert_eq!(published.has("skills/a/SKILL.md".into()), is_published, "{files}");
        }
    }

    /// What `npm pack --dry-run` of npm 11.19.1 prints of `skills/a` and `skills/b` for each `.npmignore`.
    #[test]
    fn leaves_out_what_npm_leaves_out() {
        let all = ["skills/a/references/r.md", "skills/a/scripts/s.py", "skills/a/SKILL.md", "skills/b/SKILL.md"];
        for (text, left) in [
            ("skills\n", &all[..]),
            ("SKILLS\n", &all[..]),
            ("references\n", &all[..1]),
            ("dist\n", &[]),
            ("**/scripts/\n", &all[1..2]),
            ("# c\n\nskills/a\n", &all[..3]),
            ("SKILL.md\n", &all[2..]),
        ] {
            let published = Published::left(text).expect("it has no exception");
            let missing: Vec<&str> = all.into_iter().filter(|path| !published.has((*path).into())).collect();
            assert_eq!(missing, left, "{text}");
        }
        // npm publishes both skills.
        assert!(Published::left("/skills/\n!/skills/a\n").is_none());
    }
}
