//! Where a symbolic link leads, by name alone: nothing is followed by the operating system.

use bstr::{BStr, BString, ByteSlice};

use super::store;
use crate::snapshot::Resolution;
use crate::text;

/// How many links one path may pass (Linux and git: 40).
const HOPS: usize = 40;

/// What stands at a path whose parent is known to be a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing that can be read.
    Nothing,
    /// Something that holds bytes.
    File,
    /// A directory.
    Directory,
    /// A link, with its target.
    Link(BString),
    /// The directory of another repository: whatever lies below it is not here.
    Elsewhere,
}

/// Where a link with this target leads that stands in the directory `from`, a path without links.
///
/// Every component is looked up by its path without links, so that `..` means the parent of what was reached, as it
/// does for the operating system, and not the component before it in the text.
pub(super) fn resolve<E>(
    from: &BStr,
    target: &BStr,
    mut look: impl FnMut(&BStr) -> Result<Step, E>,
) -> Result<Resolution, E> {
    let mut reached = from.to_owned();
    let mut is_directory = true;
    let mut ahead: Vec<BString> = Vec::new();
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
            Step::Link(_) if hops == HOPS => return Ok(Resolution::Loop),
            Step::Link(target) => {
                hops += 1;
                if !push(&mut ahead, target.as_bstr()) {
                    return Ok(Resolution::Absolute);
                }
            }
        }
    }
    Ok(if is_directory { Resolution::Directory(reached) } else { Resolution::File(reached) })
}

/// Puts the components of a target in front of those still ahead; `false` when the target is absolute.
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
    fn a_target_is_followed_component_by_component() {
        for (target, expected) in [
            ("SKILL.md", Resolution::File("a/SKILL.md".into())),
            ("./../a//SKILL.md", Resolution::File("a/SKILL.md".into())),
            ("../b", Resolution::Directory("b".into())),
            ("../b/", Resolution::Directory("b".into())),
            ("up/f", Resolution::File("b/deep/f".into())),
            // `..` behind a link is the parent of where the link led.
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
    fn a_chain_may_have_forty_links() {
        let chain = |length: usize| {
            let names: Vec<(String, String)> =
                (1..length).map(|n| (format!("l{n}"), format!("-> l{}", n + 1))).collect();
            let mut table: Vec<(&str, &str)> = names.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            let last = format!("l{length}");
            table.push((&last, "file"));
            resolved(&table, "", "l1")
        };
        assert_eq!(chain(40), Resolution::File("l40".into()));
        assert_eq!(chain(41), Resolution::Loop);
    }
}
