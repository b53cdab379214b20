//! Skills directories below the top that a session at the top does not list.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::{Column, lists};
use crate::render::{Look, count, escape};
use skilltree_front_matter::text::{self, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::places::{self, Later};
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Number of directories that are named.
const NAMED: usize = 2;

/// Writes for each set of such directories which runtimes list them in other sessions.
pub(super) fn write(
    catalog: &Catalog,
    skills: &[SkillId],
    columns: &[Column<'_>],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut counts: BTreeMap<RootId, usize> = BTreeMap::new();
    skills.iter().for_each(|&id| *counts.entry(catalog.skill(id).root).or_default() += 1);
    let mut found: BTreeMap<BTreeSet<RootId>, Vec<(&str, Later<'_>)>> = BTreeMap::new();
    for column in columns {
        let ways: Vec<(RootId, Later<'_>)> =
            counts.keys().filter_map(|&id| Some((id, places::later(column.profile, catalog.root(id))?))).collect();
        if let Some(&(_, way)) = ways.first() {
            let roots = ways.iter().map(|(id, _)| *id).collect();
            found.entry(roots).or_default().push((&column.profile.title, way));
        }
    }
    for (roots, runtimes) in found {
        let named = roots.iter().take(NAMED).map(|&id| text::lossless(catalog.root(id).shown_path()));
        let named: Vec<String> = named.collect();
        let more = match roots.len() - named.len() {
            0 => String::new(),
            more => format!(" and {} more", grouped(more)),
        };
        let skills = count(roots.iter().map(|id| counts[id]).sum(), "skill");
        let runtime = |(title, way): &(&str, Later<'_>)| match way {
            Later::Never => (*title).to_owned(),
            Later::When(when) => format!("{title} (elsewhere once {when})"),
        };
        let runtimes: Vec<String> = runtimes.iter().map(runtime).collect();
        let words = format!(
            "listed only in a session that starts there: {}{more} ({skills}) in {}",
            named.join(", "),
            runtimes.join(", ")
        );
        lists::write_wrapped("", &escape::text(&words), look, out)?;
    }
    Ok(())
}
