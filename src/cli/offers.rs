//! Fixable findings in skills directories outside the repository: `fix` edits them if their directory is named.

use skilltree_front_matter::text::{self, shell_word};
use skilltree_lint::Report;
use skilltree_lint::fix;
use skilltree_report::render::{self, Commands};
use skilltree_skills::roots::Owner;

use super::again::Again;
use crate::external;
use crate::place::Place;

/// Maximum number of directories with a line.
const SHOWN: usize = 3;

/// Returns a line per directory, with the command that fixes it.
pub(super) fn outside(report: &Report, again: &Again<'_>, typed_in: &Place, commands: &Commands) -> Vec<String> {
    let directories = again.external.map_or(&[][..], |external| &external.directories);
    let mut named = None;
    let mut word = |owner, path: &str| match owner {
        // The shell replaces a `~` outside quotes.
        Owner::User => Some(format!("~/{}", shell_word(path.strip_prefix("~/")?))),
        Owner::External => {
            let named = named.get_or_insert_with(|| external::shown(typed_in, directories));
            let (_, directory) = named.iter().find(|(shown, _)| shown == path)?;
            Some(shell_word(&directory.to_string_lossy()).into_owned())
        }
        Owner::Repository | Owner::System => None,
    };
    let offers = fix::offers_outside(report).into_iter().filter_map(|(root, offers)| {
        let root = report.catalog.root(root);
        Some((word(root.owner, &text::lossless(root.path.as_ref()))?, offers))
    });
    let offers: Vec<_> = offers.collect();
    let shown = offers.iter().take(SHOWN);
    let line = |(word, offers): &(String, fix::Offers)| {
        render::offered(*offers, &Commands { fix: again.fix_outside(word), ..commands.clone() })
    };
    let mut lines: Vec<String> = shown.filter_map(line).collect();
    if let Some(more) = offers.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        let findings: usize = offers[SHOWN..].iter().map(|(_, offers)| offers.safe + offers.unsafe_edits).sum();
        let (findings, more) = (text::grouped(findings), render::count(more, "other skills directory"));
        lines.push(format!("{findings} more fixable in {more}: pass one to `skilltree fix`"));
    }
    lines
}
