//! Links from the Markdown files of skills, and to them.

use bstr::{BStr, BString, ByteSlice};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Value, json};
use skilltree_skills::skill::links::Target;
use skilltree_skills::skill::{self, Skill};
use skilltree_skills::snapshot::Names;

use crate::context::{self, Context, Owned};
use crate::position::Lines;

/// Maximum number of links that are answered (ours).
const ANSWERED: usize = 1_000;

/// Answers `textDocument/documentLink`.
pub(crate) fn links(context: &Context<'_>, _: &Value) -> Result<Value, String> {
    let (Some(owned), Some(text)) = (context.owned(), context.document()) else { return Ok(json!([])) };
    let lines = Lines::new(&text);
    let targets = targets(context, &owned, &text).into_iter().filter(|target| target.exists).take(ANSWERED);
    let links = targets.map(
        |target| json!({ "range": lines.range(target.place.range()), "target": context.uri_of(target.path.as_bstr()) }),
    );
    Ok(links.collect())
}

/// Returns the paths that a Markdown file of a skill names.
pub(crate) fn targets(context: &Context<'_>, owned: &Owned<'_>, text: &str) -> Vec<Target> {
    let files = context.files();
    let start = if owned.file == owned.skill.file { owned.skill.header.len() } else { 0 };
    let file = (owned.file, &files[owned.file.index()]);
    skill::targets(file, &files[owned.skill.file.index()], (text, start), Names::new(files))
}

/// Answers `textDocument/definition`: of a path, its file; of the name of a skill, its SKILL.md.
pub(crate) fn definition(context: &Context<'_>, params: &Value) -> Result<Value, String> {
    let (Some(owned), Some(text)) = (context.owned(), context.document()) else { return Ok(Value::Null) };
    let offset = context::offset(params, &text)?;
    let is_at = |range: std::ops::Range<usize>| range.start <= offset && offset <= range.end;
    let path = targets(context, &owned, &text).into_iter().find(|target| target.exists && is_at(target.place.range()));
    let path = path.map(|target| target.path).or_else(|| {
        let mut partners =
            owned.skill.links().filter(|(file, _)| *file == owned.file).flat_map(|(_, links)| &links.partners);
        let partner = partners.find(|partner| is_at(partner.place.range()))?;
        let catalog = &context.checked.report.catalog;
        let mut skills = catalog.skills();
        let (_, skill) = skills.find(|(_, skill)| is_named(skill, &partner.name))?;
        Some(catalog.file(skill.file).shown_path().clone())
    });
    Ok(path.map_or(Value::Null, |path| location(context, path.as_bstr(), json!({ "line": 0, "character": 0 }))))
}

/// Returns a path as the target of a link in angle brackets.
pub(crate) fn target(path: &str) -> String {
    const ESCAPED: &AsciiSet = &CONTROLS.add(b'%').add(b'#').add(b'?').add(b'<').add(b'>').add(b'\\');
    utf8_percent_encode(path, ESCAPED).to_string()
}

/// Returns whether a skill has a name, or its directory has.
pub(crate) fn is_named(skill: &Skill, name: &str) -> bool {
    skill.name() == Some(name) || *skill.directory == *name.as_bytes()
}

fn location(context: &Context<'_>, path: &BStr, at: Value) -> Value {
    json!({ "uri": context.uri_of(path), "range": { "start": at, "end": at } })
}

/// Answers `textDocument/references`: the links to the document, and the texts that name the skill.
pub(crate) fn references(context: &Context<'_>, _: &Value) -> Result<Value, String> {
    let found = to(context, |path| path == context.path, context.skill().and_then(|(_, skill)| skill.name()))?;
    let locations = found.into_iter().take(ANSWERED).flat_map(|InFile { path, text, ranges }| {
        let lines = Lines::new(&text);
        let uri = context.uri_of(path.as_bstr());
        let each = ranges.into_iter().map(|(range, _)| json!({ "uri": uri, "range": lines.range(range) }));
        each.collect::<Vec<_>>()
    });
    Ok(locations.collect())
}

/// The places in a file that lead to something.
pub(crate) struct InFile {
    pub(crate) path: BString,
    pub(crate) text: String,
    /// Their ranges, and the path that they lead to; `None` for the name of a skill.
    pub(crate) ranges: Vec<(std::ops::Range<usize>, Option<BString>)>,
}

/// Returns the ranges of a name in code spans that invoke the skill: `$name` and `/name`.
fn invoked<'t>(text: &'t str, name: &str) -> impl Iterator<Item = std::ops::Range<usize>> + use<'t> {
    let spans = ['$', '/'].map(|sigil| format!("`{sigil}{name}`"));
    let length = name.len();
    spans.into_iter().flat_map(move |span| {
        let starts: Vec<usize> = text.match_indices(&span).map(|(at, _)| at + 2).collect();
        starts.into_iter().map(move |start| start..start + length)
    })
}

/// Returns the places that lead to some paths, or that name a skill. Every Markdown file of a skill is read.
pub(crate) fn to(
    context: &Context<'_>,
    is_wanted: impl Fn(&BStr) -> bool,
    name: Option<&str>,
) -> Result<Vec<InFile>, String> {
    let catalog = &context.checked.report.catalog;
    let mut found = Vec::new();
    for (_, skill) in catalog.skills() {
        for file in std::iter::once(skill.file).chain(skill.references.read.iter().map(|reference| reference.file)) {
            let own = catalog.file(file);
            if !own.has_text() {
                continue;
            }
            let bytes = context.checked.source.bodies(std::slice::from_ref(own)).map_err(|error| error.to_string())?;
            let Some(text) = bytes.into_iter().next().and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
            let targets = targets(context, &Owned { skill, file }, &text);
            let mut ranges: Vec<_> = targets
                .into_iter()
                .filter(|target| is_wanted(target.path.as_bstr()))
                .map(|target| (target.place.range(), Some(target.path)))
                .collect();
            let partners = skill.links().filter(|(of, _)| *of == file).flat_map(|(_, links)| &links.partners);
            let named = partners.filter(|partner| Some(partner.name.as_str()) == name);
            ranges.extend(named.map(|partner| (partner.place.range(), None)));
            ranges.extend(name.into_iter().flat_map(|name| invoked(&text, name)).map(|range| (range, None)));
            ranges.sort_by_key(|(range, _)| range.start);
            ranges.dedup_by_key(|(range, _)| range.start);
            if !ranges.is_empty() {
                found.push(InFile { path: own.shown_path().clone(), text, ranges });
            }
        }
    }
    Ok(found)
}
