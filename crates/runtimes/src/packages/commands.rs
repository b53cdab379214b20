//! Commands of a package that take the place of skills: both are offered under the name of the package.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::view::{Entry, View};
use crate::formats::Package as Rule;
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{self, COMMANDS};

/// Returns the commands that have the name of a skill's directory, each with its file, or with the manifest that has its text.
pub(super) fn of(
    view: &View<'_>,
    rule: &Rule,
    manifest: Option<usize>,
    directory: &BStr,
    entry: Option<Entry<'_>>,
) -> BTreeMap<BString, BString> {
    let mut commands = BTreeMap::new();
    if !rule.command_wins {
        return commands;
    }
    let own = manifest.and_then(|number| Some((number, view.json(number)?)));
    let listed = entry.map(|entry| (entry.marketplace, entry.json));
    for (number, value) in own.iter().chain(&listed).filter_map(|(number, json)| Some((number, json.get(COMMANDS)?))) {
        for member in value.members() {
            let source = member.value.get("source").and_then(Json::text);
            let file = source.and_then(|path| manifest::below(directory, path));
            let named = &view.manifests.all[*number];
            let file = file.unwrap_or_else(|| manifest::join(named.base.as_bstr(), &named.name));
            commands.insert(member.key.as_str().into(), file);
        }
    }
    // The key of the manifest replaces the usual directory, and that of the entry adds to it.
    let is_usual = own.is_none_or(|(_, json)| json.get(COMMANDS).is_none());
    let usual = is_usual.then(|| manifest::join(directory, COMMANDS));
    let named = own.iter().chain(&listed).flat_map(|(_, json)| manifest::command_places(directory, json));
    let places: BTreeSet<BString> = usual.into_iter().chain(named).collect();
    for place in places {
        if let Some(stem) = text::file_name(place.as_bstr()).strip_suffix(b".md") {
            commands.insert(stem.into(), place);
            continue;
        }
        let inside = [place.as_bytes(), b"/"].concat();
        let files = view.manifests.commands.range(BString::from(inside.clone())..);
        for file in files.take_while(|file| file.starts_with(&inside)) {
            if let Some(name) = name(file[inside.len()..].as_bstr()) {
                commands.insert(name.to_owned(), file.clone());
            }
        }
    }
    commands
}

/// Returns the name of a command by its path from the directory of commands; `None` if it has another directory in its name.
fn name(path: &BStr) -> Option<&BStr> {
    let stem = path.strip_suffix(b"/SKILL.md").or_else(|| path.strip_suffix(b".md"))?;
    (!stem.contains(&b'/')).then(|| stem.as_bstr())
}
