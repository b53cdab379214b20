//! Resolution of symbolic links by name: the operating system follows none.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::store;
use crate::snapshot::Resolution;
use skilltree_front_matter::text;

/// Maximum number of links in one path (Linux and git: 40).
const HOPS: usize = 40;

/// The entry at a path whose parent is a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// No readable entry.
    Nothing,
    /// An entry with bytes.
    File,
    /// A directory.
    Directory,
    /// A link, with its target.
    Link(BString),
    /// The directory of another repository, whose contents are not available.
    Elsewhere,
}

/// Resolves the target of a link in the directory `from`, which is a path without links.
///
/// Every component is looked up by its path without links, so `..` is the parent of the directory that was reached, as
/// for the operating system, and not of the preceding component in the text.
pub(super) fn resolve<E>(
    from: &BStr,
    target: &BStr,
    mut look: impl FnMut(&BStr) -> Result<Step, E>,
) -> Result<Resolution, E> {
    let mut reached = from.to_owned();
    let mut is_directory = true;
    let mut ahead: Vec<BString> = Vec::new();
    let mut followed = BTreeSet::new();
    let mut hops = 1;
    if !push(&mut ahead, target) {
        return Ok(Resolution::Absolute);
    }
    while let Some(component) = ahead.pop() {
        if !is_directory {
            return Ok(Resolution::Dangling);
        }
        match component.as_slice() {
            b"" | b"." => continue,
            b".." if reached.is_empty() => return Ok(Resolution::Outside),
            b".." => {
                let parent = text::parent(reached.as_bstr()).len();
                reached.truncate(parent);
                continue;
            }
            _ => {}
        }
        let next = store::join(reached.as_bstr(), component.as_bstr());
        match look(next.as_bstr())? {
            Step::Nothing => return Ok(Resolution::Dangling),
            Step::Elsewhere => return Ok(Resolution::Outside),
            Step::Directory => reached = next,
            Step::File => {
                reached = next;
                is_directory = false;
            }
            Step::Link(_) if hops == HOPS => {
                let is_loop = followed.contains(&next);
                return Ok(if is_loop { Resolution::Loop } else { Resolution::TooManyLinks });
            }
            Step::Link(target) => {
                hops += 1;
                followed.insert(next);
                if !push(&mut ahead, target.as_bstr()) {
                    return Ok(Resolution::Absolute);
                }
            }
        }
    }
    Ok(if is_directory { Resolution::Directory(reached) } else { Resolution::File(reached) })
}

/// Pushes the components of a target before those still to resolve; `false` if the target is absolute.
fn push(ahead: &mut Vec<BString>, target: &BStr) -> bool {
    let bytes = target.as_bytes();
    let drive = bytes.get(1) == Some(&b':') && bytes.first().is_some_and(u8::is_ascii_alphabetic);
    ahead.extend(target.rsplit_str(b"/").map(BString::from));
    !(bytes.first() == Some(&b'/') || drive)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    use super::*;

    /// Resolves against a table of paths: `/` marks a directory, `@` a submodule, `-> x` a link, anything else a file.
    fn resolved(table: &[(&str, &str)], from: &str, target: &str) -> Resolution {
        let table: BTreeMap<&str, &str> = table.iter().copied().collect();
        let look = |path: &BStr| {
            let step = match table.get(path.to_str().expect("a path of a test is text")) {
                None => Step::Nothing,
                Some(&"/") => Step::Directory,
                Some(&"@") => Step::Elsewhere,
                Some(kind) => kind.strip_prefix("-> ").map_or(Step::File, |target| Step::Link(target.into())),
            };
            Ok::<_, Infallible>(step)
        };
        let Ok(resolution) = resolve(from.as_bytes().as_bstr(), target.as_bytes().as_bstr(), look);
        resolution
    }

    const TABLE: &[(&str, &str)] = &[
        ("a", "/"),
        ("a/SKILL.md", "file"),
        ("a/self", "-> self"),
        ("a/there", "-> back"),
        ("a/back", "-> ./there"),
        ("a/up", "-> ../b/deep"),
        ("a/drive", "-> C:/x"),
        ("b", "/"),
        ("b/deep", "/"),
        ("b/deep/f", "file"),
        ("b/home", "-> /home/x"),
        ("lib", "@"),
    ];

    #[test]
    fn resolves_targets_component_by_component() {
        for (target, expected) in [
            ("SKILL.md", Resolution::File("a/SKILL.md".into())),
            ("./../a//SKILL.md", Resolution::File("a/SKILL.md".into())),
            ("../b", Resolution::Directory("b".into())),
            ("../b/", Resolution::Directory("b".into())),
            ("up/f", Resolution::File("b/deep/f".into())),
            // `..` after a link is the parent of the link's target.
            ("up/../deep", Resolution::Directory("b/deep".into())),
            ("up/../SKILL.md", Resolution::Dangling),
            ("..", Resolution::Directory("".into())),
            ("nothing", Resolution::Dangling),
            ("nothing/../SKILL.md", Resolution::Dangling),
            ("SKILL.md/", Resolution::Dangling),
            ("SKILL.md/x", Resolution::Dangling),
            ("", Resolution::Directory("a".into())),
            ("/etc/passwd", Resolution::Absolute),
            ("../b/home", Resolution::Absolute),
            ("drive", Resolution::Absolute),
            ("../..", Resolution::Outside),
            ("../../a/SKILL.md", Resolution::Outside),
            ("../lib/x", Resolution::Outside),
            ("self", Resolution::Loop),
            ("there", Resolution::Loop),
        ] {
            assert_eq!(resolved(TABLE, "a", target), expected, "{target}");
        }
    }

    #[test]
    fn accepts_chains_of_forty_links() {
        let chain = |length: usize| {
            let names: Vec<(String, String)> =
                (1..length).map(|n| (format!("l{n}"), format!("-> l{}", n + 1))).collect();
            let mut table: Vec<(&str, &str)> = names.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            let last = format!("l{length}");
            table.push((&last, "file"));
            resolved(&table, "", "l1")
        };
        assert_eq!(chain(40), Resolution::File("l40".into()));
        assert_eq!(chain(41), Resolution::TooManyLinks);
    }
}
