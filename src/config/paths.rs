//! Patterns of files, as people write them.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::roots;

/// The longest pattern, in bytes (Linux PATH_MAX: 4,096): a longer one matches no path, and would be slow to compile.
const LONGEST: usize = 4_096;

/// The most braces that a pattern opens (ours: 64). They are compiled by recursion, and a thread may have a small stack.
const BRACES: usize = 64;

/// Why a pattern means nothing: the fact, and the edit in words.
pub(super) struct BadPattern {
    /// The fact.
    pub(super) message: String,
    /// The edit.
    pub(super) help: &'static str,
}

/// A root's path or glob in its one spelling.
pub(super) fn root(pattern: &str) -> Result<String, BadPattern> {
    let pattern = normalised(pattern)?;
    set([parsed(&pattern)?])?;
    Ok(pattern)
}

/// The path of a file in its one spelling; nothing in it stands for several.
pub(super) fn file(path: &str) -> Result<String, BadPattern> {
    normalised(path)
}

/// The patterns that together match a file or everything below a directory: `vendor`, `vendor/` and `vendor/**` all
/// match `vendor/pdf/SKILL.md`.
pub(super) fn files(pattern: &str) -> Result<[Glob; 2], BadPattern> {
    let pattern = normalised(pattern)?;
    let below = format!("{}/**", pattern.trim_end_matches("/**"));
    Ok([parsed(&pattern)?, parsed(&below)?])
}

/// One matcher for many patterns.
pub(super) fn set(patterns: impl IntoIterator<Item = Glob>) -> Result<GlobSet, BadPattern> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder.add(pattern);
    }
    builder.build().map_err(malformed)
}

fn normalised(pattern: &str) -> Result<String, BadPattern> {
    let message = match pattern {
        "" => "the path is empty".to_owned(),
        long if long.len() > LONGEST => format!("a path of {} bytes; {LONGEST} are allowed", long.len()),
        _ => match roots::normalise(pattern) {
            Some(normalised) => return Ok(normalised),
            None => format!("`{pattern}` names nothing below the repository's root"),
        },
    };
    let help = "write a path from the repository's root, with `/` between its parts and without `..`";
    Err(BadPattern { message, help })
}

fn parsed(pattern: &str) -> Result<Glob, BadPattern> {
    let braces = pattern.matches('{').count();
    if braces > BRACES {
        let message = format!("a pattern with {braces} braces; {BRACES} are allowed");
        return Err(BadPattern { message, help: "write several shorter patterns" });
    }
    GlobBuilder::new(pattern).literal_separator(true).build().map_err(malformed)
}

fn malformed(error: globset::Error) -> BadPattern {
    BadPattern {
        message: match error.glob() {
            Some(glob) => format!("`{glob}` is no pattern: {}", error.kind()),
            None => format!("no pattern: {}", error.kind()),
        },
        help: "close every bracket and brace, or put a character that should stand for itself in brackets: `[[]`",
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
    fn a_directory_stands_for_everything_below_it() {
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
    fn a_star_stays_between_two_slashes() {
        assert!(matches("a/*/SKILL.md", "a/b/SKILL.md"));
        assert!(!matches("a/*/SKILL.md", "a/b/c/SKILL.md"));
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        let deep = format!("{}a{}", "{".repeat(1_000), "}".repeat(1_000));
        let long = "a".repeat(LONGEST + 1);
        let cases =
            [("a[", "no pattern"), ("{a", "no pattern"), ("../a", "below"), ("", "empty"), (&deep, "1000 braces")];
        for (pattern, words) in cases.into_iter().chain([(long.as_str(), "a path of 4097 bytes; 4096 are allowed")]) {
            let Err(bad) = root(pattern) else { panic!("{pattern} is no pattern") };
            assert!(bad.message.contains(words), "{}", bad.message);
        }
    }
}
