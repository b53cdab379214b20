//! File patterns.

use std::borrow::Cow;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::faults::Faults;
use super::table::At;
use skilltree_front_matter::text::grouped;
use skilltree_skills::roots;

/// Maximum length of a pattern in bytes (Linux PATH_MAX: 4,096). A longer one matches no path and is slow to compile.
const LONGEST: usize = 4_096;

/// Maximum number of opening braces in a pattern (ours: 64). They are compiled by recursion, and a thread may have a
/// small stack.
const BRACES: usize = 64;

/// Fault of a pattern: the fact, and the edit as text.
pub(super) struct BadPattern {
    /// The fact.
    pub(super) message: String,
    /// The edit.
    pub(super) help: Cow<'static, str>,
}

/// The directory that a path is relative to.
#[derive(Clone, Copy)]
struct Base {
    name: &'static str,
    help: &'static str,
}

const TOP: Base =
    Base { name: "repository root", help: "write a path relative to the repository root, with `/` and without `..`" };

const SKILL: Base = Base {
    name: "directory of the skill",
    help: "write a path relative to the directory of the skill, with `/` and without `..`",
};

/// Normalizes the path or glob of a root. That of the repository's root, `.`, is empty.
pub(super) fn root(pattern: &str) -> Result<String, BadPattern> {
    if matches!(pattern, "." | "./") {
        return Ok(String::new());
    }
    let pattern = normalized(pattern, TOP)?;
    set([parsed(&pattern)?])?;
    Ok(pattern)
}

/// Normalizes the path of a file, without wildcards.
pub(super) fn file(path: &str) -> Result<String, BadPattern> {
    normalized(path, TOP)
}

/// Normalizes the path of a file from the directory of its skill, without wildcards.
pub(super) fn file_of_skill(path: &str) -> Result<String, BadPattern> {
    normalized(path, SKILL)
}

/// Compiles the patterns that match a file or everything below a directory: `vendor`, `vendor/` and `vendor/**` all
/// match `vendor/pdf/SKILL.md`.
pub(super) fn files(pattern: &str) -> Result<[Glob; 2], BadPattern> {
    files_below(pattern, TOP)
}

/// Compiles the patterns like [`files`], but from the directory of a skill.
pub(super) fn files_of_skill(pattern: &str) -> Result<[Glob; 2], BadPattern> {
    files_below(pattern, SKILL)
}

fn files_below(pattern: &str, base: Base) -> Result<[Glob; 2], BadPattern> {
    if pattern.starts_with('!') {
        let message = format!("`{pattern}` starts with `!`, which does not negate a pattern here");
        return Err(BadPattern { message, help: "list only what to match; a literal `!` is `[!]`".into() });
    }
    let pattern = normalized(pattern, base)?;
    let below = format!("{}/**", pattern.trim_end_matches("/**"));
    Ok([parsed(&pattern)?, parsed(&below)?])
}

/// Compiles the patterns of a list, up to the limit of the configuration; returns them as written, too.
pub(super) fn list(written: Vec<At<&str>>, faults: &mut Faults) -> (Vec<String>, Vec<Glob>) {
    let (mut patterns, mut globs) = (Vec::new(), Vec::new());
    for pattern in written {
        if !faults.counts(&pattern.range) {
            break;
        }
        match files(pattern.value) {
            Ok(compiled) => {
                patterns.push(pattern.value.to_owned());
                globs.extend(compiled);
            }
            Err(bad) => faults.invalid(pattern.range, bad.message, bad.help),
        }
    }
    (patterns, globs)
}

/// Combines patterns into one matcher.
pub(super) fn set(patterns: impl IntoIterator<Item = Glob>) -> Result<GlobSet, BadPattern> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder.add(pattern);
    }
    builder.build().map_err(malformed)
}

/// Returns the path of Windows with the separator of patterns, in which a backslash is an escape.
fn with_slashes(pattern: &str) -> Option<String> {
    let is_separator = |rest: &str| rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '.' | '_'));
    let is_windows = pattern.split('\\').skip(1).any(is_separator);
    (is_windows && !pattern.contains("\\\\")).then(|| pattern.replace('\\', "/"))
}

fn normalized(pattern: &str, base: Base) -> Result<String, BadPattern> {
    if let Some(path) = with_slashes(pattern).filter(|path| roots::normalise(path).is_some()) {
        let message = format!("`{pattern}` contains a backslash, which does not separate directories here");
        return Err(BadPattern { message, help: format!("write `{path}`").into() });
    }
    let message = match pattern {
        "" => "the path is empty".to_owned(),
        _ if pattern.contains('\0') => "the path contains a NUL byte, which no path has".to_owned(),
        long if long.len() > LONGEST => {
            format!("the path has {} bytes; the limit is {}", grouped(long.len()), grouped(LONGEST))
        }
        _ => match roots::normalise(pattern) {
            Some(normalized) => return Ok(normalized),
            None => format!("`{pattern}` is not a path below the {}", base.name),
        },
    };
    Err(BadPattern { message, help: base.help.into() })
}

fn parsed(pattern: &str) -> Result<Glob, BadPattern> {
    let braces = pattern.matches('{').count();
    if braces > BRACES {
        let message = format!("the pattern has {} braces; the limit is {BRACES}", grouped(braces));
        return Err(BadPattern { message, help: "write several shorter patterns".into() });
    }
    GlobBuilder::new(pattern).literal_separator(true).build().map_err(malformed)
}

fn malformed(error: globset::Error) -> BadPattern {
    BadPattern {
        message: match error.glob() {
            Some(glob) => format!("`{glob}` is not a valid pattern: {}", error.kind()),
            None => format!("the pattern is not valid: {}", error.kind()),
        },
        help: "close every bracket and brace, or put a literal one in brackets: `[[]`".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        let Ok(globs) = files(pattern) else { panic!("{pattern} is a pattern") };
        let Ok(set) = set(globs) else { panic!("{pattern} is a pattern") };
        set.is_match(path)
    }

    #[test]
    fn matches_everything_below_a_directory() {
        for pattern in ["vendor", "vendor/", "./vendor", "vendor/**", "v*", "{vendor,other}"] {
            assert!(matches(pattern, "vendor/pdf/SKILL.md"), "{pattern}");
        }
        for pattern in ["vendor/*", "**/SKILL.md", "vendor/pdf", "vendor/pdf/SKILL.md", "**", "vendor/**/SKILL.md"] {
            assert!(matches(pattern, "vendor/pdf/SKILL.md"), "{pattern}");
        }
        for pattern in ["vend", "pdf", "*.md", "vendor/SKILL.md", "vendor/pdf/references"] {
            assert!(!matches(pattern, "vendor/pdf/SKILL.md"), "{pattern}");
        }
    }

    #[test]
    fn keeps_a_star_within_one_component() {
        assert!(matches("a/*/SKILL.md", "a/b/SKILL.md"));
        assert!(!matches("a/*/SKILL.md", "a/b/c/SKILL.md"));
    }

    #[test]
    fn rejects_negations_and_nul() {
        let backslash = "contains a backslash";
        for (pattern, words) in [("!a", "starts with `!`"), ("a\0b", "contains a NUL byte"), ("a\\b", backslash)] {
            let Err(bad) = files(pattern) else { panic!("{pattern:?} is not a pattern") };
            assert!(bad.message.contains(words), "{}", bad.message);
        }
        assert!(matches("a!", "a!/SKILL.md"));
        assert!(matches("a\\[", "a[/SKILL.md"));
    }

    #[test]
    fn explains_invalid_patterns() {
        let deep = format!("{}a{}", "{".repeat(1_000), "}".repeat(1_000));
        let long = "a".repeat(LONGEST + 1);
        let cases =
            [("a[", "not a valid"), ("{a", "not a valid"), ("../a", "below"), ("", "empty"), (&deep, "1,000 braces")];
        for (pattern, words) in
            cases.into_iter().chain([(long.as_str(), "the path has 4,097 bytes; the limit is 4,096")])
        {
            let Err(bad) = root(pattern) else { panic!("{pattern} is not a pattern") };
            assert!(bad.message.contains(words), "{}", bad.message);
        }
    }
}
