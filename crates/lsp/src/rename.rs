//! Renaming of a skill in one edit: its name, its directory, the links to it, and the manifests, lists and settings that name it.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};
use gen_lsp_types::TextEdit;
use serde_json::{Value, json};
use skilltree_front_matter::text;
use skilltree_skills::name;
use skilltree_skills::quote;
use skilltree_skills::roots;
use skilltree_skills::skill::links::relative;
use skilltree_skills::skill::{Skill, SkillId};
use skilltree_skills::snapshot::{Body, File, Resolution};

use crate::context::{self, Context};
use crate::links;
use crate::mentions::{self, InFile, Renamed};
use crate::position::Lines;
use crate::uri;
use crate::uses;

/// Edits by file.
type Edits = BTreeMap<BString, Vec<TextEdit>>;

/// Answers `textDocument/prepareRename`: only the name of a skill can be renamed.
pub(crate) fn prepare(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    let Some(text) = context.document() else { return Ok(Value::Null) };
    let offset = context::offset(params, &text)?;
    let Some((_, skill)) = context.skill() else { return Ok(Value::Null) };
    let Some((range, name)) = name_at(skill, offset) else { return Ok(Value::Null) };
    Ok(json!({ "range": Lines::new(&text).range(range), "placeholder": name }))
}

/// Returns the range of the name, if an offset is in it or in its key.
fn name_at(skill: &Skill, offset: usize) -> Option<(std::ops::Range<usize>, &str)> {
    let field = skill.field("name")?;
    let (key, value) = (field.key.place.range(), field.value.place.range());
    (key.start <= offset && offset <= value.end).then_some((value, skill.name()?))
}

/// Answers `textDocument/rename`.
pub(crate) fn rename(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    let new = params["newName"].as_str().unwrap_or_default();
    if !name::is_well_formed(new) || new.len() > 64 {
        return Err("a name has at most 64 lowercase letters and digits, in words joined by hyphens".to_owned());
    }
    let text = context.document().ok_or("the file cannot be read")?;
    let offset = context::offset(params, &text)?;
    let (id, skill) = context.skill().ok_or("there is no skill here")?;
    let (range, old) = name_at(skill, offset).ok_or("only the name of a skill can be renamed")?;
    if new == old {
        return Ok(Value::Null);
    }
    let directory = text::parent(context.path);
    if context.checked.fault.is_some() {
        return Err("correct skilltree.toml first: it may name the skill".to_owned());
    }
    if let Some(link) = link_to(context, directory) {
        return Err(format!("`{link}` is a symbolic link into this directory: rename both by hand"));
    }
    let moves = *skill.directory == *old.as_bytes() && context.top.is_some();
    if moves && !(context.client.renames && context.client.document_changes) {
        return Err(CANNOT_MOVE.to_owned());
    }
    let moved = text::parent(directory);
    let target = BString::from([moved.as_bytes(), if moved.is_empty() { b"" } else { b"/" }, new.as_bytes()].concat());
    if moves && context.files().iter().any(|file| roots::is_within(file.path.as_bstr(), target.as_bstr())) {
        return Err(format!("there is a directory `{new}` already"));
    }
    let mut edits = Edits::new();
    let range = Lines::new(&text).range(range);
    edits.entry(context.path.to_owned()).or_default().push(TextEdit { range, new_text: quote::name(new) });
    let mut changes = Changes { context, edits };
    let path = moves.then_some((directory, target.as_bstr()));
    if moves {
        changes.directory(directory, target.as_bstr())?;
    }
    let renamed = Renamed { name: Some((old, new)), path };
    changes.elsewhere(renamed);
    changes.uses((id, skill), renamed);
    if !moves {
        return Ok(context.workspace_edit(&changes.finish()));
    }
    let mut operations = context.document_edits(&changes.finish());
    let uri = |path: &BStr| context.top.map(|top| uri::below(top, path));
    operations.push(json!({ "kind": "rename", "oldUri": uri(directory), "newUri": uri(target.as_bstr()) }));
    Ok(json!({ "documentChanges": operations }))
}

/// Why a client gets no edit: without its directory, a skill would have half of the new name.
const CANNOT_MOVE: &str = "your editor cannot rename the directory of the skill in an edit: its workspace.workspaceEdit lacks \
    documentChanges, or \"rename\" in resourceOperations";

/// Returns the first symbolic link of a skills directory that leads into a directory from elsewhere: an edit cannot change it.
fn link_to(context: &Context<'_>, directory: &BStr) -> Option<String> {
    let leads = |file: &&File| match &file.body {
        Body::Symlink { resolution: Resolution::File(target) | Resolution::Directory(target), .. } => {
            roots::is_within(target.as_bstr(), directory) && !roots::is_within(file.path.as_bstr(), directory)
        }
        _ => false,
    };
    context.files().iter().find(leads).map(|file| text::lossless(file.path.as_bstr()))
}

/// Maximum number of files that are renamed at once (ours: 64). For each, all skills are searched.
const RENAMED: usize = 64;

/// Answers `workspace/willRenameFiles`: a directory of a skill takes its name, and the links to it, along.
pub(crate) fn will_rename(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    let mut changes = Changes { context, edits: Edits::new() };
    let files = params["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    if files.len() > RENAMED {
        return Err(format!("more than {RENAMED} files are renamed at once: the links to them stay as they are"));
    }
    for file in files {
        let Some((from, to)) = paths(context, file) else { continue };
        let catalog = &context.checked.report.catalog;
        let skill = catalog.skills().find(|(_, skill)| text::parent(catalog.file(skill.file).path.as_bstr()) == from);
        changes.directory(from.as_bstr(), to.as_bstr())?;
        let path = Some((from.as_bstr(), to.as_bstr()));
        let Some((id, skill)) = skill else {
            changes.elsewhere(Renamed { name: None, path });
            continue;
        };
        let mut renamed = Renamed { name: None, path };
        if let Ok(new) = text::file_name(to.as_bstr()).to_str()
            && let (Some(old), Some(field)) = (skill.name(), skill.field("name"))
            && *skill.directory == *old.as_bytes()
            && old != new
            && name::is_well_formed(new)
        {
            let path = catalog.file(skill.file).shown_path();
            let text = context.text_of(path.as_bstr()).ok_or("the file cannot be read")?;
            let range = Lines::new(&text).range(field.value.place.range());
            changes.edits.entry(path.clone()).or_default().push(TextEdit { range, new_text: quote::name(new) });
            renamed.name = Some((old, new));
        }
        changes.elsewhere(renamed);
        changes.uses((id, skill), renamed);
    }
    let edits = changes.finish();
    Ok(if edits.is_empty() { Value::Null } else { context.workspace_edit(&edits) })
}

/// Returns both paths of a renamed file from the top.
fn paths(context: &Context<'_>, file: &Value) -> Option<(BString, BString)> {
    let path = |key: &str| {
        let path = uri::to_path(&file[key].as_str()?.into())?;
        context.checked.source.repository_path(&path)
    };
    Some((path("oldUri")?, path("newUri")?))
}

/// Collects edits.
struct Changes<'c, 'a> {
    context: &'c Context<'a>,
    edits: Edits,
}

impl Changes<'_, '_> {
    /// Replaces the links into a directory or to a file.
    fn directory(&mut self, old: &BStr, new: &BStr) -> Result<(), String> {
        for found in links::to(self.context, |path| roots::is_within(path, old), None)? {
            // Links inside of what moves stay the same.
            if roots::is_within(found.path.as_bstr(), old) {
                continue;
            }
            let lines = Lines::new(&found.text);
            let from = text::parent(found.path.as_bstr());
            for (range, path) in found.ranges {
                let Some(path) = path else { continue };
                let moved = BString::from([new.as_bytes(), &path[old.len()..]].concat());
                let written = &found.text[range.clone()];
                let (before, after) = (relative(from, path.as_bstr()), relative(from, moved.as_bstr()));
                // A path that is written in another way, such as from the top, is replaced there.
                let shorter = (old.to_str_lossy(), new.to_str_lossy());
                let new_text = match written.contains(&before) {
                    true => written.replacen(&before, &after, 1),
                    false => written.replacen(&*shorter.0, &shorter.1, 1),
                };
                let edit = TextEdit { range: lines.range(range), new_text };
                self.edits.entry(found.path.clone()).or_default().push(edit);
            }
        }
        Ok(())
    }

    /// Replaces the names and paths in manifests, lists and settings.
    fn elsewhere(&mut self, renamed: Renamed<'_>) {
        self.add(mentions::of(self.context, renamed));
    }

    /// Replaces the uses of the name and of the directory in texts.
    fn uses(&mut self, skill: (SkillId, &Skill), renamed: Renamed<'_>) {
        self.add(uses::of(self.context, skill, renamed));
    }

    fn add(&mut self, files: Vec<InFile>) {
        for file in files {
            let lines = Lines::new(&file.text);
            let ranges = file.ranges.into_values();
            let edits = ranges.map(|(range, new_text)| TextEdit { range: lines.range(range), new_text });
            self.edits.entry(file.path).or_default().extend(edits);
        }
    }

    /// Returns the edits by file, in order. Of two that overlap, the first stays: some are found in two ways.
    fn finish(self) -> Vec<(BString, Vec<TextEdit>)> {
        let each = self.edits.into_iter().map(|(path, mut edits)| {
            edits.sort_by_key(|edit| (edit.range.start.line, edit.range.start.character));
            let mut taken = (0, 0);
            edits.retain(|edit| {
                let is_free = taken <= (edit.range.start.line, edit.range.start.character);
                taken = taken.max((edit.range.end.line, edit.range.end.character));
                is_free
            });
            (path, edits)
        });
        each.collect()
    }
}
