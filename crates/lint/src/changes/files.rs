//! The files of a skill, compared with those of its counterpart.

use bstr::BStr;

use super::{Side, below};
use skilltree_front_matter::text;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{File, Mode, ObjectId};

/// The difference between a skill and its counterpart in the base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Whether the SKILL.md differs.
    pub skill_file: bool,
    /// The number of other files in its directory that were added, removed or changed.
    pub others: usize,
    /// The first of them, from the directory of the skill.
    pub first: Option<String>,
}

/// The content of a file. The executable bit is a part of it: a script that loses it does not run.
type Content = (Mode, Option<ObjectId>);

impl Changed {
    /// Compares the files of two skills that count, by their ids: nothing is read.
    pub fn new(head: Side<'_>, id: SkillId, base: Side<'_>, other: SkillId, counts: impl Fn(&BStr) -> bool) -> Self {
        let own = |side: Side<'_>, id: SkillId| {
            let file = side.catalog.skill(id).file;
            content(side, file.index(), side.catalog.file(file))
        };
        let skill_file = counts("SKILL.md".into()) && own(head, id) != own(base, other);
        let mut changed = Self { skill_file, ..Self::default() };
        let mut after = below(head.catalog, id).peekable();
        let mut before = below(base.catalog, other).peekable();
        loop {
            let order = match (after.peek(), before.peek()) {
                (None, None) => return changed,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some((_, one, _)), Some((_, two, _))) => one.cmp(two),
            };
            let one = if order.is_le() { after.next() } else { None };
            let two = if order.is_ge() { before.next() } else { None };
            let contents = [(head, one), (base, two)]
                .map(|(side, file)| file.map(|(number, _, file)| content(side, number, file)));
            let path = one.or(two).map(|(_, path, _)| path).unwrap_or_default();
            if contents[0] != contents[1] && counts(path) {
                changed.add(path);
            }
        }
    }

    fn add(&mut self, path: &BStr) {
        self.others += 1;
        self.first.get_or_insert_with(|| text::lossless(path));
    }
}

/// Returns the content of a file, by its id: that of the link where the file is one.
fn content(side: Side<'_>, number: usize, file: &File) -> Content {
    (file.mode, side.ids.get(number).copied().flatten().or(file.id))
}
