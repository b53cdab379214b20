//! The files that npm publishes of a package.

use bstr::{BStr, ByteSlice};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Manifest;
use super::json::{Json, Value};

/// The list of files of a package.json.
#[derive(Clone, Debug)]
pub struct Published<'a> {
    /// The list.
    pub list: &'a Json,
    patterns: Gitignore,
}

impl Published<'_> {
    /// Maximum number of entries that are compared with paths (ours: 1,000). Of a longer list nothing is known.
    pub const ENTRIES: usize = 1_000;

    /// Returns whether the list has too many entries.
    pub fn is_too_long(&self) -> bool {
        self.list.items().len() > Self::ENTRIES
    }

    /// Returns whether npm publishes a file, by its path from the package.
    pub fn has(&self, path: &BStr) -> bool {
        self.is_too_long() || self.patterns.matched_path_or_any_parents(&*path.to_path_lossy(), false).is_ignore()
    }
}

impl Manifest {
    /// Returns the files that npm publishes; `None` if there is no list of them, or if the package is private.
    pub fn published(&self) -> Option<Published<'_>> {
        let json = self.content.as_ref().ok().filter(|_| self.name == "package.json")?;
        let is_private = json.get("private").is_some_and(|value| value.value == Value::Boolean(true));
        let list = json.get("files").filter(|list| !is_private && matches!(list.value, Value::List(_)))?;
        // Paths are relative to the package, and every pattern begins there.
        let mut builder = GitignoreBuilder::new("");
        for entry in list.items().iter().take(Published::ENTRIES).filter_map(Json::text) {
            let (sign, pattern) = entry.strip_prefix('!').map_or(("", entry), |pattern| ("!", pattern));
            let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
            // A pattern that is none publishes nothing.
            let _ = builder.add_line(None, &format!("{sign}/{pattern}"));
        }
        Some(Published { list, patterns: builder.build().unwrap_or_else(|_| Gitignore::empty()) })
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
            let published = manifest.published().expect("it has a list");
            assert_eq!(published.has("skills/a/SKILL.md".into()), is_published, "{files}");
        }
    }
}
