//! The grammar of revisions: the name that one begins with, and the steps from there.

use bstr::BString;

/// A step from one object to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `^N`: a parent of a commit, from 1; 0 is the commit itself.
    Parent(usize),
    /// `~N`: the first parent, so many times.
    Ancestor(usize),
    /// `^{}`: what a tag is about.
    Untagged,
    /// `^{commit}`.
    Commit,
    /// `^{tree}`.
    Tree,
    /// `:PATH`: what stands at a path of a tree.
    Path(BString),
}

/// Why a text is no revision that is resolved here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// It is none, or it means more than one tree.
    Malformed,
    /// It searches the history for a text.
    Search,
}

/// Takes a revision apart. A name may hold `^`, `~` and `:` in braces only, as in `main@{1 day ago}`.
pub(super) fn parse(revision: &str) -> Result<(&str, Vec<Step>), Refused> {
    if revision.starts_with(":/") {
        return Err(Refused::Search);
    }
    let end = end_of_name(revision);
    let (name, mut rest) = revision.split_at(end);
    let mut steps = Vec::new();
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        match sign {
            ':' => {
                steps.push(Step::Path(rest.trim_matches('/').into()));
                rest = "";
            }
            '^' if rest.starts_with("{/") => return Err(Refused::Search),
            '^' if rest.starts_with('{') => {
                let (kind, behind) = rest[1..].split_once('}').ok_or(Refused::Malformed)?;
                rest = behind;
                steps.extend(kind_step(kind)?);
            }
            '^' => steps.push(Step::Parent(number(&mut rest)?)),
            '~' => steps.push(Step::Ancestor(number(&mut rest)?)),
            _ => return Err(Refused::Malformed),
        }
    }
    if name.is_empty() || name.contains("..") { Err(Refused::Malformed) } else { Ok((name, steps)) }
}

fn end_of_name(revision: &str) -> usize {
    let mut depth = 0usize;
    let is_end = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, '^' | '~' | ':')
    };
    revision.find(is_end).unwrap_or(revision.len())
}

fn kind_step(kind: &str) -> Result<Option<Step>, Refused> {
    match kind {
        "" => Ok(Some(Step::Untagged)),
        "commit" => Ok(Some(Step::Commit)),
        "tree" => Ok(Some(Step::Tree)),
        "object" | "tag" => Ok(None),
        _ => Err(Refused::Malformed),
    }
}

/// The number that a text begins with, which is 1 where none is written.
fn number(text: &mut &str) -> Result<usize, Refused> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    if digits.is_empty() { Ok(1) } else { digits.parse().map_err(|_| Refused::Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_a_name_and_steps() {
        for (revision, expected) in [
            ("main", Ok(("main", vec![]))),
            ("HEAD~2^2", Ok(("HEAD", vec![Step::Ancestor(2), Step::Parent(2)]))),
            ("HEAD^", Ok(("HEAD", vec![Step::Parent(1)]))),
            ("v1^0", Ok(("v1", vec![Step::Parent(0)]))),
            ("v1^{}^{tree}", Ok(("v1", vec![Step::Untagged, Step::Tree]))),
            ("v1^{commit}:a/b/", Ok(("v1", vec![Step::Commit, Step::Path("a/b".into())]))),
            ("HEAD:", Ok(("HEAD", vec![Step::Path("".into())]))),
            ("HEAD:a^b~c", Ok(("HEAD", vec![Step::Path("a^b~c".into())]))),
            ("main@{12:30}~1", Ok(("main@{12:30}", vec![Step::Ancestor(1)]))),
            ("v1^{object}", Ok(("v1", vec![]))),
            ("", Err(Refused::Malformed)),
            ("^main", Err(Refused::Malformed)),
            (":path", Err(Refused::Malformed)),
            ("a..b", Err(Refused::Malformed)),
            ("a...b", Err(Refused::Malformed)),
            ("a^{blob}", Err(Refused::Malformed)),
            ("a^{tree", Err(Refused::Malformed)),
            ("a~99999999999999999999", Err(Refused::Malformed)),
            ("a^é", Err(Refused::Malformed)),
            (":/text", Err(Refused::Search)),
            ("main^{/text}", Err(Refused::Search)),
        ] {
            assert_eq!(parse(revision), expected, "{revision}");
        }
    }
}
