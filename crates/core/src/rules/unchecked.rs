//! The finding about SKILL.md files in no skills directory.

use bstr::{BStr, ByteSlice};

use crate::catalog::Catalog;
use crate::roots::Places;
use crate::rule::{Sink, Subject};
use crate::snapshot::{File, Role};
use crate::text::{self, FileId, Place, grouped};

/// Cap on the directories in the message.
const SHOWN: usize = 3;

/// Reports the SKILL.md files in no skills directory, as one finding.
pub(super) fn report(catalog: &Catalog, what: &str, sink: &mut Sink) {
    let others: Vec<(FileId, &File)> = catalog.files().filter(|(_, file)| file.role == Role::Unchecked).collect();
    let Some(&(first, _)) = others.first() else { return };
    let groups = Places::groups(others.iter().map(|(_, file)| file.path.as_bstr()));
    let count: usize = groups.iter().map(|(_, count)| count).sum();
    let shown = |(path, count): &(&BStr, usize)| match path.is_empty() {
        true => format!("the top directory ({})", grouped(*count)),
        false => format!("`{}` ({})", text::lossless(path), grouped(*count)),
    };
    let mut places: Vec<String> = groups.iter().take(SHOWN).map(shown).collect();
    if groups.len() > SHOWN {
        places.push(format!("{} more", grouped(groups.len() - SHOWN)));
    }
    let (files, are) = if count == 1 { ("SKILL.md file", "is") } else { ("SKILL.md files", "are") };
    let finding = sink
        .about(Subject::Tree)
        .report(Place::whole(first), format!("{} {files} {are} {what}: {}", grouped(count), places.join(", ")));
    let path = groups.first().map_or_else(String::new, |(path, _)| text::lossless(path));
    let root = if path.is_empty() { ".".to_owned() } else { path.clone() };
    let pattern = if path.is_empty() { "*".to_owned() } else { format!("{path}/**") };
    finding.help(format!(
        "add to skilltree.toml: `[[root]]` with `path = \"{root}\"` to check them, or `exclude = [\"{pattern}\"]`"
    ));
}
