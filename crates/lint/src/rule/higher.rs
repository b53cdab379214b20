//! The move of a skill that is too deep to a directory that is read.

use bstr::{BStr, BString, ByteSlice};

use skilltree_front_matter::text::{self, shell_word};
use skilltree_runtimes::catalog;
use skilltree_skills::roots::{Owner, Root};
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::File;

/// Returns the edit for a skill that is deeper than a runtime reads: the directory keeps its name, and as many directories
/// above it as may be there.
pub(crate) fn edit(files: &[File], root: &Root, skill: &Skill, depth: u32, is_git: bool) -> String {
    let file = &files[skill.file.index()];
    let from = text::parent(file.path.as_bstr());
    let Some(to) = target(root, from, depth).filter(|_| file.through.is_none()) else {
        return "move the skill to a higher directory".to_owned();
    };
    let parent = text::lossless(text::parent(to.as_bstr()));
    if is_taken(catalog::sorted(files), &to) {
        return format!("move the skill to `{parent}` under another name: `{}` exists", text::lossless(to.as_ref()));
    }
    let (from, to) = (text::lossless(from), text::lossless(to.as_ref()));
    match is_git && root.owner == Owner::Repository {
        true => format!("run `git mv {} {}`", shell_word(&from), shell_word(&to)),
        false => format!("move `{from}` to `{to}`"),
    }
}

fn is_taken(sorted: &[File], path: &BString) -> bool {
    let inside = [path.as_slice(), b"/"].concat();
    let first = sorted.partition_point(|file| file.path.as_slice() < inside.as_slice());
    sorted.get(first).is_some_and(|file| file.path.starts_with(&inside))
        || sorted.binary_search_by(|file| file.path.cmp(path)).is_ok()
}

/// Returns the directory at a depth below the root; `None` if the skill is not that deep.
fn target(root: &Root, from: &BStr, depth: u32) -> Option<BString> {
    let below = match root.path.is_empty() {
        true => from,
        false => from.strip_prefix(root.path.as_slice())?.strip_prefix(b"/")?.as_bstr(),
    };
    let names: Vec<&[u8]> = below.split_str("/").collect();
    let kept = (depth as usize).checked_sub(1).filter(|kept| kept + 1 < names.len())?;
    let name = *names.last()?;
    let parts = [root.path.as_slice()].into_iter().filter(|path| !path.is_empty());
    let parts: Vec<&[u8]> = parts.chain(names[..kept].iter().copied()).chain([name]).collect();
    Some(bstr::join("/", parts).into())
}
