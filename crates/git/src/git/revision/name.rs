//! The grammar of revisions: a name, followed by steps.

use bstr::BString;

/// A step from one object to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `^N`: a parent of a commit, from 1; 0 is the commit itself.
    Parent(usize),
    /// `~N`: the first parent, so many times.
    Ancestor(usize),
    /// `^{}`: the target of a tag.
    Untagged,
    /// `^{commit}`.
    Commit,
    /// `^{tree}`.
    Tree,
    /// `:PATH`: an entry of a tree.
    Path(BString),
}

/// Why a revision is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsupported {
    /// Its syntax is invalid, or it names more than one tree.
    Malformed,
    /// It searches the history.
    Search,
}

/// Parses a revision. A name may contain `^`, `~` and `:` in braces only, as in `main@{1 day ago}`.
pub(super) fn parse(revision: &str) -> Result<(&str, Vec<Step>), Unsupported> {
    if revision.starts_with(":/") {
        return Err(Unsupported::Search);
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
            '^' if rest.starts_with("{/") => return Err(Unsupported::Search),
            '^' if rest.starts_with('{') => {
                let (kind, after) = rest[1..].split_once('}').ok_or(Unsupported::Malformed)?;
                rest = after;
                steps.extend(kind_step(kind)?);
            }
            '^' => steps.push(Step::Parent(number(&mut rest)?)),
            '~' => steps.push(Step::Ancestor(number(&mut rest)?)),
            _ => return Err(Unsupported::Malformed),
        }
    }
    if name.is_empty() || name.contains("..") { Err(Unsupported::Malformed) } else { Ok((name, steps)) }
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

fn kind_step(kind: &str) -> Result<Option<Step>, Unsupported> {
    match kind {
        "" => Ok(Some(Step::Untagged)),
        "commit" => Ok(Some(Step::Commit)),
        "tree" => Ok(Some(Step::Tree)),
        "object" | "tag" => Ok(None),
        _ => Err(Unsupported::Malformed),
    }
}

/// Parses the leading number of a text; 1 if there is none.
fn number(text: &mut &str) -> Result<usize, Unsupported> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    if digits.is_empty() { Ok(1) } else { digits.parse().map_err(|_| Unsupported::Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_names_and_steps() {
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
            ("", Err(Unsupported::Malformed)),
            ("^main", Err(Unsupported::Malformed)),
            (":path", Err(Unsupported::Malformed)),
            ("a..b", Err(Unsupported::Malformed)),
            ("a...b", Err(Unsupported::Malformed)),
            ("a^{blob}", Err(Unsupported::Malformed)),
            ("a^{tree", Err(Unsupported::Malformed)),
            ("a~99999999999999999999", Err(Unsupported::Malformed)),
            ("a^é", Err(Unsupported::Malformed)),
            (":/text", Err(Unsupported::Search)),
            ("main^{/text}", Err(Unsupported::Search)),
        ] {
            assert_eq!(parse(revision), expected, "{revision}");
        }
    }
}
