//! Skills directories: directories whose subdirectories are skills, called roots in the configuration.

mod discovery;
mod exclude;
mod manifests;
mod package;

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

use crate::keys;
use crate::limits::Limits;
use crate::queries::Queries;
use skilltree_front_matter::text;

pub use self::discovery::Places;
pub use self::discovery::{Discovery, is_packaged};
pub(crate) use self::discovery::{PUBLISHED, is_sample};
pub use self::exclude::Exclude;
pub use self::manifests::{
    CLAUDE_PLUGIN, CLAUDE_SETTINGS, CODEX_HOOKS, GEMINI_SETTINGS, GITHUB_HOOKS, HOOKS, LOCAL_SETTINGS, LOCK,
    NPM_PACKAGE, QWEN_SETTINGS, SERVERS, SIGNS, belongs, is_claude_settings, is_manifest_file, is_settings, manifest,
    manifest_paths, settings,
};
pub(crate) use self::manifests::{has_manifest, is_common, is_manifest_directory};
pub use self::package::Packages;

/// The number of a root in [`crate::skill::Parsed::roots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RootId(pub u32);

impl RootId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who owns a root. Of two skills with the same name the repository's comes first, then they follow in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The repository: its skills are linted, committed and reported to a tracker.
    #[default]
    Repository,
    /// The user: below the home directory.
    User,
    /// The machine. Its findings are not reported, because the repository cannot fix them.
    System,
    /// A directory that the caller names.
    External,
}

/// A skills directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// The path from the repository's root, empty for the root itself; for a root elsewhere its display path.
    pub path: BString,
    /// Symbolic links to it that are roots too: a runtime that searches one of them reads these skills.
    pub aliases: Vec<BString>,
    /// Who owns it.
    pub owner: Owner,
    /// The profile with its layout and identity rules.
    pub profile: String,
    /// Maximum depth of a skill directory below the root; `None` for any depth.
    pub depth: Option<u32>,
    /// The index of its pattern: roots are sorted by pattern, then by path.
    pub pattern: u32,
    /// Whether it was configured: a default root may be missing, a configured one may not.
    pub configured: bool,
    /// Whether it is neither configured nor a default root, but was found in the tree: its skills are in no prompt block.
    pub discovered: bool,
    /// Whether it was found by a pattern with a wildcard.
    pub matched: bool,
    /// The name of the installed package that it belongs to.
    pub package: Option<String>,
}

impl Root {
    /// Returns the path to show: `.` for the repository's root.
    pub fn shown_path(&self) -> &BStr {
        if self.path.is_empty() { BStr::new(".") } else { self.path.as_bstr() }
    }

    /// Returns the path of one of its files that a reader can open; `None` for a directory of `--external`, whose place is
    /// private. `~` is the home directory of the reader.
    pub fn open_path<'p>(&self, shown: &'p BStr) -> Option<&'p BStr> {
        match self.owner {
            Owner::Repository | Owner::User => Some(shown),
            Owner::System => Some(shown.strip_prefix(b"system:").unwrap_or(shown).as_bstr()),
            Owner::External => None,
        }
    }

    /// Returns the paths that lead to it.
    pub fn paths(&self) -> impl Iterator<Item = &BStr> {
        std::iter::once(&self.path).chain(&self.aliases).map(|path| path.as_bstr())
    }
}

/// A pattern whose wildcards match parts of root paths.
#[derive(Clone, Debug)]
pub struct Wildcards {
    /// For each component, whether it has a wildcard.
    components: Vec<bool>,
    matcher: GlobMatcher,
}

impl Wildcards {
    /// Returns the wildcards of a pattern; `None` if it is malformed or has `**`, which captures nothing that two paths
    /// could share.
    pub fn of(pattern: &str) -> Option<Self> {
        let components: Vec<&str> = pattern.split('/').collect();
        if components.contains(&"**") {
            return None;
        }
        let matcher = glob(pattern).ok()?;
        Some(Self { components: components.into_iter().map(has_wildcard).collect(), matcher })
    }

    /// Returns what the wildcards match in a path, by component; `None` if the pattern does not match.
    pub fn captured(&self, path: &BStr) -> Option<Vec<BString>> {
        let names: Vec<&[u8]> = path.split_str(b"/").collect();
        if names.len() != self.components.len() || !self.matcher.is_match(&*path.to_path_lossy()) {
            return None;
        }
        let captured = names.into_iter().zip(&self.components).filter(|(_, has_wildcard)| **has_wildcard);
        Some(captured.map(|(name, _)| BString::from(name)).collect())
    }
}

/// A configured root: a path or a glob, and the profile of the roots that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootPattern {
    /// A normalized path or glob: no leading `./` or `/`, no trailing `/`.
    pub glob: String,
    /// The profile of the roots that it names.
    pub profile: String,
    /// Maximum depth of a skill directory below such a root; `None` for any depth.
    pub depth: Option<u32>,
    /// Whether it was configured, or is a default.
    pub configured: bool,
    /// See [`Root::discovered`].
    pub discovered: bool,
}

impl RootPattern {
    /// Returns a configured root whose skills may be at any depth.
    pub fn configured(glob: &str, profile: &str) -> Self {
        Self { glob: glob.to_owned(), profile: profile.to_owned(), depth: None, configured: true, discovered: false }
    }

    /// Returns whether the pattern has a wildcard, so that it may name several roots or none.
    pub fn is_glob(&self) -> bool {
        has_wildcard(&self.glob)
    }

    /// Returns the components before the first wildcard. Nothing outside them is searched.
    pub(crate) fn fixed_prefix(&self) -> String {
        let fixed: Vec<&str> = self.glob.split('/').take_while(|component| !has_wildcard(component)).collect();
        fixed.join("/")
    }

    /// Returns the number of components of a matching path; `None` with `**`.
    pub fn components(&self) -> Option<usize> {
        (!self.glob.split('/').any(|component| component == "**")).then(|| self.glob.split('/').count())
    }

    /// Compiles a matcher for directories.
    ///
    /// # Errors
    /// If the glob is malformed, with globset's message.
    pub fn matcher(&self) -> Result<GlobMatcher, globset::Error> {
        glob(&self.glob)
    }

    /// Returns the root for a directory that the pattern matches.
    pub fn root(&self, number: u32, path: &BStr) -> Root {
        Root {
            path: path.to_owned(),
            owner: Owner::Repository,
            profile: self.profile.clone(),
            depth: self.depth,
            pattern: number,
            configured: self.configured,
            discovered: self.discovered,
            matched: self.is_glob(),
            package: None,
            aliases: Vec::new(),
        }
    }
}

/// The root patterns in order, and the limits of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootSet {
    /// The patterns; the first match wins.
    pub patterns: Vec<RootPattern>,
    /// How more skills directories are found; `None` if the configuration lists them.
    pub discovery: Option<Discovery>,
    /// Paths that are not searched for skills.
    pub exclude: Exclude,
    /// Directories that are read as those of another owner: nothing in them is a root.
    pub elsewhere: BTreeSet<BString>,
    /// Directories next to the roots that may have been intended as roots: normalized paths.
    pub near: Vec<String>,
    /// Maximum depth of directories below a root.
    pub depth: u64,
    /// Maximum number of files below a root.
    pub files: u64,
    /// Maximum size of a SKILL.md, in bytes.
    pub file_bytes: u64,
    /// Maximum size of a reference file, in bytes.
    pub reference_bytes: u64,
    /// Maximum number of reference files that are read per skill; 0 reads none.
    pub reference_files: u64,
    /// What the rules of the repository look for while skills are read.
    pub queries: Queries,
    /// Whether files that no text of their skill names are searched: this reads every file.
    pub finds_unreferenced: bool,
    /// Whether the links of a SKILL.md are looked up.
    pub follows_links: bool,
    /// Whether files and directories of a working tree that cannot be read are skipped and noted: a prompt block then has fewer
    /// skills. A check fails instead.
    pub skips_unreadable: bool,
    /// Whether `agents/openai.yaml` of a skill is not read: no prompt depends on it.
    pub skips_agent_files: bool,
}

impl RootSet {
    /// Returns a root set without roots, with the bounds of the walk. The walk ignores lower caps set by the repository: a
    /// rule reports those, along with all other findings.
    pub fn within(limits: &Limits) -> Self {
        let defaults = Limits::default();
        let bound = |set: Option<u64>, default: Option<u64>| set.max(default).unwrap_or(u64::MAX);
        Self {
            depth: bound(limits.root_depth, defaults.root_depth),
            files: bound(limits.root_files, defaults.root_files),
            file_bytes: limits.skill_file_bytes.unwrap_or(u64::MAX),
            reference_bytes: limits.reference_file_bytes.unwrap_or(u64::MAX),
            reference_files: limits.reference_files.unwrap_or(u64::MAX),
            follows_links: true,
            ..Self::default()
        }
    }
}

/// Normalizes a path or glob: no `./`, no doubled or trailing slash. `None` if it is empty or leaves the repository
/// (absolute, a drive, `..`).
pub fn normalise(pattern: &str) -> Option<String> {
    let drive = pattern.as_bytes().get(1) == Some(&b':');
    if pattern.starts_with(['/', '~', '\\']) || drive {
        return None;
    }
    let components: Vec<&str> = pattern.split('/').filter(|component| !matches!(*component, "" | ".")).collect();
    (!components.is_empty() && !components.contains(&"..")).then(|| components.join("/"))
}

/// Returns the pattern that matches only this path.
pub fn escaped(path: &str) -> String {
    globset::escape(path)
}

/// Returns whether a path is a directory or inside it.
pub fn is_within(path: &BStr, directory: &BStr) -> bool {
    directory.is_empty()
        || path.strip_prefix(directory.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// Returns a path from a directory that it begins with.
pub fn relative<'p>(path: &'p BStr, directory: &BStr) -> Option<&'p BStr> {
    let below = path.strip_prefix(directory.as_bytes())?;
    let is_whole = directory.is_empty() || below.is_empty();
    if is_whole { Some(below.as_bstr()) } else { below.strip_prefix(b"/").map(ByteSlice::as_bstr) }
}

/// Returns whether a path is one of some directories or inside one.
pub fn is_within_any(path: &BStr, directories: &BTreeSet<BString>) -> bool {
    let mut above = path.find_iter("/").chain([0, path.len()]);
    above.any(|end| directories.contains(path[..end].as_bstr()))
}

/// Returns whether a file name is SKILL.md in any letter case.
pub fn is_skill_file(name: &BStr) -> bool {
    name.eq_ignore_ascii_case(b"SKILL.md")
}

/// Names that are used for SKILL.md by mistake, in lowercase.
const OTHER_NAMES: [&str; 6] = ["skill.markdown", "skill.md.md", "skill.md.txt", "skill.mdx", "skill.txt", "skills.md"];

/// Endings of text files, in lowercase.
const TEXT_ENDINGS: [&[u8]; 4] = [b".md", b".mdx", b".txt", b".markdown"];

/// Returns the file of a directory that is probably its SKILL.md under another name: its only text file.
pub fn misnamed<'n>(names: impl Iterator<Item = &'n BStr>) -> Option<&'n BStr> {
    let is_text = |name: &&BStr| TEXT_ENDINGS.iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    let mut texts = names.filter(is_text);
    let only = texts.next().filter(|_| texts.next().is_none())?;
    Some(only).filter(|only| is_other_name(only))
}

/// Returns whether a file name is one that is used for SKILL.md by mistake.
pub fn is_other_name(name: &BStr) -> bool {
    OTHER_NAMES.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

/// Returns whether a file name is SKILL.md except for the letter case of its extension. At the top of a repository, `skill.md` may
/// be any document.
pub(crate) fn is_plainly_skill_file(name: &BStr) -> bool {
    is_skill_file(name) && name.starts_with(b"SKILL")
}

/// The name of the configuration, which is read from the top only.
const SETTINGS: &str = "skilltree.toml";

/// Returns whether a path is that of a configuration that is not read: in a directory, hidden, or at the top under a name that was
/// meant as this one.
pub fn is_unread_settings(path: &BStr) -> bool {
    if path == SETTINGS {
        return false;
    }
    let name = text::file_name(path);
    is_settings_file(name) && (name == SETTINGS || name.len() == path.len())
}

/// Returns whether a file name is the one of the configuration, or was meant as it.
pub fn is_settings_file(name: &BStr) -> bool {
    let Ok(name) = name.to_str() else { return false };
    let Some((stem, ending)) = name.rsplit_once('.').filter(|_| name.len() <= SETTINGS.len() + 4) else { return false };
    let stem = stem.trim_start_matches('.').to_ascii_lowercase().replace(['-', '_', ' '], "");
    matches!(ending.to_ascii_lowercase().as_str(), "toml" | "yaml" | "yml") && keys::is_slip(&stem, "skilltree")
}

fn glob(pattern: &str) -> Result<GlobMatcher, globset::Error> {
    Ok(GlobBuilder::new(pattern).literal_separator(true).build()?.compile_matcher())
}

/// Returns whether a path has a wildcard.
pub fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(glob: &str) -> RootPattern {
        RootPattern::configured(glob, "agentskills")
    }

    #[test]
    fn splits_fixed_prefix_from_wildcards() {
        assert_eq!(pattern("packages/*/.agent/skills").fixed_prefix(), "packages");
        assert_eq!(pattern("packages/*/.agent/skills").components(), Some(4));
        assert_eq!(pattern("a/**/skills").components(), None);
        assert_eq!(pattern(".agent/skills").fixed_prefix(), ".agent/skills");
    }

    #[test]
    fn normalizes_patterns_and_rejects_outside_paths() {
        assert_eq!(normalise("./a//b/").as_deref(), Some("a/b"));
        for outside in ["/etc", "~/x", "C:/x", "a/../b", "..", "", ".", "\\\\host"] {
            assert_eq!(normalise(outside), None, "{outside}");
        }
    }

    #[test]
    fn detects_paths_inside_a_directory() {
        assert!(is_within(b"a/b/c".as_bstr(), b"a/b".as_bstr()));
        assert!(is_within(b"a/b".as_bstr(), b"a/b".as_bstr()));
        assert!(!is_within(b"a/bc".as_bstr(), b"a/b".as_bstr()));
    }
}
