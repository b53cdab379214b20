//! Which directories hold skills.

use bstr::{BStr, BString, ByteSlice};
use globset::{GlobBuilder, GlobMatcher};

/// The number of a root in [`crate::skill::Parsed::roots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RootId(pub u32);

impl RootId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whose a root is. Of two skills of one name the repository's comes first, and then they follow in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The repository's: what is linted, committed and told on a tracker.
    #[default]
    Repository,
    /// The user's, below the home directory.
    User,
    /// The machine's. What is wrong there is nobody's of the repository, so it is quiet.
    System,
    /// A directory that the caller names.
    External,
}

/// A directory of skills, and a scope of names of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The path from the repository's root; of a root that lies elsewhere what is shown instead of a path of the machine.
    pub path: BString,
    /// Whose it is.
    pub owner: Owner,
    /// The profile whose layout and identity hold here.
    pub profile: String,
    /// How deep below the root a skill's directory may be; `None` when at any depth.
    pub depth: Option<u32>,
    /// The number of the pattern that named it: the order of roots is the order of patterns, then of paths.
    pub pattern: u32,
    /// Whether somebody asked for it: a default root that does not exist is fine, a configured one is not.
    pub configured: bool,
    /// Whether it was found by a pattern with a wildcard: then it is a scope of its own beside its brothers.
    pub matched: bool,
}

/// A pattern whose wildcards stand for parts of the paths of roots.
#[derive(Clone, Debug)]
pub struct Wildcards {
    /// Of each component whether it has one.
    components: Vec<bool>,
    matcher: GlobMatcher,
}

impl Wildcards {
    /// The wildcards of a pattern; `None` where it is malformed, or has `**`, which stands for nothing that two paths could
    /// share.
    pub fn of(pattern: &str) -> Option<Self> {
        let components: Vec<&str> = pattern.split('/').collect();
        if components.contains(&"**") {
            return None;
        }
        let matcher = glob(pattern).ok()?;
        Some(Self { components: components.into_iter().map(has_wildcard).collect(), matcher })
    }

    /// What they stand for in a path, component by component; `None` where the pattern does not name it.
    pub fn captured(&self, path: &BStr) -> Option<Vec<BString>> {
        let names: Vec<&[u8]> = path.split_str(b"/").collect();
        if names.len() != self.components.len() || !self.matcher.is_match(&*path.to_path_lossy()) {
            return None;
        }
        let captured = names.into_iter().zip(&self.components).filter(|(_, has_wildcard)| **has_wildcard);
        Some(captured.map(|(name, _)| BString::from(name)).collect())
    }
}

/// What the configuration or the command line says of roots: a path or a glob, and the profile of what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootPattern {
    /// A normalised path or glob: no leading `./` or `/`, no trailing `/`.
    pub glob: String,
    /// The profile of the roots that it names.
    pub profile: String,
    /// How deep below such a root a skill's directory may be; `None` when at any depth.
    pub depth: Option<u32>,
    /// Whether somebody asked for it, or it is one of the defaults.
    pub configured: bool,
}

impl RootPattern {
    /// Whether the pattern has a wildcard, so that it may name several roots or none.
    pub fn is_glob(&self) -> bool {
        has_wildcard(&self.glob)
    }

    /// The components before the first one with a wildcard: nothing outside them is looked at.
    pub fn fixed_prefix(&self) -> String {
        let fixed: Vec<&str> = self.glob.split('/').take_while(|component| !has_wildcard(component)).collect();
        fixed.join("/")
    }

    /// How many components a root of this pattern has; `None` when `**` leaves it open.
    pub fn components(&self) -> Option<usize> {
        (!self.glob.split('/').any(|component| component == "**")).then(|| self.glob.split('/').count())
    }

    /// A matcher for directories; the glob was checked when the pattern was made.
    ///
    /// # Errors
    /// When the glob is malformed, with globset's own words.
    pub fn matcher(&self) -> Result<GlobMatcher, globset::Error> {
        glob(&self.glob)
    }

    /// The root that this pattern makes of a directory.
    pub fn root(&self, number: u32, path: &BStr) -> Root {
        Root {
            path: path.to_owned(),
            owner: Owner::Repository,
            profile: self.profile.clone(),
            depth: self.depth,
            pattern: number,
            configured: self.configured,
            matched: self.is_glob(),
        }
    }
}

/// The patterns in their order, and how far below a root is looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSet {
    /// The patterns, first match wins.
    pub patterns: Vec<RootPattern>,
    /// Directories that are looked at beside the roots, because one may have been meant as a root: normalised paths.
    pub near: Vec<String>,
    /// Directories below a root that are entered.
    pub depth: u64,
    /// Files below a root that are listed.
    pub files: u64,
    /// Bytes of a SKILL.md that are read.
    pub file_bytes: u64,
}

/// A path or glob with one spelling: no `./`, no doubled or trailing slash. `None` when it leaves the repository
/// (absolute, a drive, `..`) or is empty.
pub fn normalise(pattern: &str) -> Option<String> {
    let drive = pattern.as_bytes().get(1) == Some(&b':');
    if pattern.starts_with(['/', '~', '\\']) || drive {
        return None;
    }
    let components: Vec<&str> = pattern.split('/').filter(|component| !matches!(*component, "" | ".")).collect();
    (!components.is_empty() && !components.contains(&"..")).then(|| components.join("/"))
}

/// Whether a path lies in a directory, or is it.
pub fn is_within(path: &BStr, directory: &BStr) -> bool {
    directory.is_empty()
        || path.strip_prefix(directory.as_bytes()).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// Whether a file name is SKILL.md in some letter case.
pub fn is_skill_file(name: &BStr) -> bool {
    name.eq_ignore_ascii_case(b"SKILL.md")
}

fn glob(pattern: &str) -> Result<GlobMatcher, globset::Error> {
    Ok(GlobBuilder::new(pattern).literal_separator(true).build()?.compile_matcher())
}

/// Whether a path is a pattern that may name several.
pub fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(glob: &str) -> RootPattern {
        RootPattern { glob: glob.into(), profile: "agentskills".into(), depth: None, configured: true }
    }

    #[test]
    fn a_pattern_is_walked_below_its_fixed_prefix_only() {
        assert_eq!(pattern("packages/*/.agent/skills").fixed_prefix(), "packages");
        assert_eq!(pattern("packages/*/.agent/skills").components(), Some(4));
        assert_eq!(pattern("a/**/skills").components(), None);
        assert_eq!(pattern(".agent/skills").fixed_prefix(), ".agent/skills");
    }

    #[test]
    fn a_pattern_has_one_spelling_and_stays_inside() {
        assert_eq!(normalise("./a//b/").as_deref(), Some("a/b"));
        for outside in ["/etc", "~/x", "C:/x", "a/../b", "..", "", ".", "\\\\host"] {
            assert_eq!(normalise(outside), None, "{outside}");
        }
    }

    #[test]
    fn a_directory_holds_what_is_below_it() {
        assert!(is_within(b"a/b/c".as_bstr(), b"a/b".as_bstr()));
        assert!(is_within(b"a/b".as_bstr(), b"a/b".as_bstr()));
        assert!(!is_within(b"a/bc".as_bstr(), b"a/b".as_bstr()));
    }
}
