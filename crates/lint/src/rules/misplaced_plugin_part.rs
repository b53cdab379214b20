//! Reports parts of a plugin where the runtime does not look: next to its manifest, and servers without the dot.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};

use super::manifests::{self, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place, shell_word};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::formats;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{CLAUDE_MANIFESTS, MISPLACED, Manifest, UNDOTTED_SERVERS, below, join, named_paths};
use skilltree_skills::roots::{self, CLAUDE_PLUGIN, HOOKS, SERVERS};
use skilltree_skills::snapshot::Resolution;

/// The file of a marketplace.
const MARKETPLACE: &str = "marketplace.json";

/// The file of a plugin at its top.
const TOP_PLUGIN: &str = "plugin.json";

/// The file of a marketplace that most programs read.
const CLAUDE_MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// Number of files that a help text names (ours: 3).
const SHOWN: usize = 3;

/// Number of paths in a list that an edit writes (ours: 100).
const EDITED: usize = 100;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misplaced-plugin-part",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a part of a plugin is where its runtime does not look, or a key of the manifest names others",
    why: "the plugin is installed without the part, and no program reports it",
    explanation: include_str!("misplaced_plugin_part.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    marketplace(catalog, facts, sink);
    slips(catalog, facts, sink);
    unnamed(catalog, facts, sink);
    only_skills(catalog, facts, sink);
    let manifests = &catalog.parsed.manifests;
    if manifests.misplaced.is_empty() {
        return;
    }
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let manifest = package.manifest.map(|number| &manifests.all[number]);
            if let Some(manifest) = manifest.filter(|manifest| *manifest.name == *CLAUDE_PLUGIN) {
                report(catalog, manifest, profile, sink);
            }
        }
    }
}

/// Reports a marketplace in a file of the top that some programs do not read, though they read one in another file.
fn marketplace(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let at_top = || catalog.parsed.manifests.all.iter().filter(|one| one.base.is_empty() && one.is_marketplace());
    let Some(manifest) = at_top().find(|manifest| *manifest.name == *MARKETPLACE && manifest.content.is_ok()) else {
        return;
    };
    let reads = |profile: &&Profile, file: &str| formats::reads(&profile.id, file);
    let blind: Vec<&Profile> = manifests::readers(facts)
        .into_iter()
        .filter(|profile| reads(profile, CLAUDE_MARKETPLACE) && !at_top().any(|one| reads(profile, &one.name)))
        .collect();
    if blind.is_empty() {
        return;
    }
    let verb = if blind.len() == 1 { "does" } else { "do" };
    let message = format!("{} {verb} not read a marketplace in `{MARKETPLACE}`", titles(&blind));
    let finding = sink.about(Subject::Tree).report(Place::whole(manifest.file), message);
    finding.help(format!("move it to `{CLAUDE_MARKETPLACE}`: paths in it stay the same"));
}

/// Reports manifests next to the settings of a program, where it reads none. One whose place has a manifest, too, is left alone.
fn slips(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = &catalog.parsed.manifests.all;
    for (manifest, meant) in all.iter().filter_map(|one| Some((one, roots::belongs(&one.name)?))) {
        let blind: Vec<&Profile> =
            manifests::readers(facts).into_iter().filter(|profile| formats::reads(&profile.id, meant)).collect();
        let is_there = all.iter().any(|one| one.base == manifest.base && *one.name == *meant);
        if is_there || blind.is_empty() {
            continue;
        }
        let path = |name: &str| text::lossless(join(manifest.base.as_bstr(), name).as_bstr());
        let (path, target) = (path(&manifest.name), path(meant));
        let directory = text::parent(target.as_bytes().as_bstr()).to_str_lossy();
        let verb = if blind.len() == 1 { "does" } else { "do" };
        let message = format!("{} {verb} not read `{path}`", titles(&blind));
        let [directory, from, to] = [&directory, &*path, &*target].map(shell_word);
        let help = format!("run `mkdir -p {directory} && git mv {from} {to}`");
        sink.about(Subject::Tree).report(Place::whole(manifest.file), message).help(help);
    }
}

/// Reports hooks and servers of a plugin with a `$schema` with which a program reads skills only.
fn only_skills(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = &catalog.parsed.manifests.all;
    for profile in manifests::readers(facts) {
        let Some(start) = profile.loads.only_skills else { continue };
        for manifest in all.iter().filter(|manifest| *manifest.name == *TOP_PLUGIN) {
            let schema = manifest.content.as_ref().ok().and_then(|json| json.get("$schema"));
            let Some(schema) = schema.filter(|json| json.text().is_some_and(|text| text.starts_with(start))) else {
                continue;
            };
            // A file that a manifest names has the name of the key's value.
            let is_part = |one: &&Manifest| one.base == manifest.base && [HOOKS, SERVERS].contains(&one.name.as_ref());
            let parts: Vec<String> = all.iter().filter(is_part).map(|one| format!("`{}`", one.name)).collect();
            if parts.is_empty() {
                continue;
            }
            let other = [".codex-plugin/plugin.json", CLAUDE_PLUGIN];
            let other =
                other.iter().find(|name| all.iter().any(|one| one.base == manifest.base && *one.name == ***name));
            let help = match other {
                Some(name) => format!("remove `$schema`: it reads `{name}` then"),
                None => format!("remove `$schema`, and add `{CLAUDE_PLUGIN}` with the name"),
            };
            let message = format!(
                "{} does not read {} of a plugin with this `$schema`",
                titles(&[profile]),
                text::joined(&parts)
            );
            sink.about(Subject::Tree).report(Place::new(manifest.file, schema.range.clone()), message).help(help);
        }
    }
}

/// The files that no program reads because of one key, and the programs.
struct Unnamed<'a> {
    manifest: &'a Manifest,
    key: &'static str,
    value: &'a Json,
    files: BTreeSet<&'a BStr>,
    runtimes: Vec<&'a Profile>,
}

/// Reports files in a usual directory that a key of the manifest replaces.
fn unnamed<'a>(catalog: &'a Catalog, facts: &Facts<'a>, sink: &mut Sink) {
    let manifests = &catalog.parsed.manifests;
    if manifests.unnamed.is_empty() {
        return;
    }
    let mut found: BTreeMap<(usize, &str), Unnamed<'a>> = BTreeMap::new();
    for profile in manifests::readers(facts).into_iter().filter(|profile| !profile.loads.replacing.is_empty()) {
        let packages = catalog.packages(profile);
        let numbers: BTreeSet<usize> =
            packages.all.iter().filter(|package| !package.is_lost()).filter_map(|package| package.manifest).collect();
        for number in numbers {
            let manifest = &manifests.all[number];
            for (key, value, directory) in manifest.replacing() {
                let Some((_, nested)) = profile.loads.replacing.iter().find(|(known, _)| *known == key) else {
                    continue;
                };
                let files = lost(catalog, manifest, value, directory.as_bstr(), *nested);
                if files.is_empty() {
                    continue;
                }
                let runtimes = Vec::new();
                let one = found.entry((number, key)).or_insert(Unnamed {
                    manifest,
                    key,
                    value,
                    files: BTreeSet::new(),
                    runtimes,
                });
                one.files.extend(files);
                one.runtimes.push(profile);
            }
        }
    }
    found.values().for_each(|one| report_unnamed(one, sink));
}

/// Returns the files of a directory that no path of a key names. A path that leads nowhere has its own finding: its edit may name them.
fn lost<'a>(catalog: &'a Catalog, manifest: &Manifest, value: &Json, directory: &BStr, nested: bool) -> Vec<&'a BStr> {
    let manifests = &catalog.parsed.manifests;
    let paths = named_paths(value).map(|path| below(manifest.base.as_bstr(), path.text));
    let Some(named) = paths.collect::<Option<BTreeSet<BString>>>() else { return Vec::new() };
    if named.iter().any(|path| manifests.resolve(path.as_bstr()) == Some(&Resolution::Dangling)) {
        return Vec::new();
    }
    let inside = [directory.as_bytes(), b"/"].concat();
    let files = manifests.unnamed.range(BString::from(inside.clone())..).take_while(|file| file.starts_with(&inside));
    let files = files.filter(|file| nested || !file[inside.len()..].contains(&b'/'));
    files.map(|file| file.as_bstr()).filter(|file| !roots::is_within_any(file, &named)).collect()
}

fn report_unnamed(one: &Unnamed<'_>, sink: &mut Sink) {
    let Unnamed { manifest, key, value, files, runtimes } = one;
    let base = manifest.base.as_bstr();
    let paths: Vec<String> =
        files.iter().map(|file| format!("./{}", text::lossless(roots::relative(file, base).unwrap_or(file)))).collect();
    let shown = |path: &String| format!("`{}`", text::shortened(path, 64));
    let verb = if runtimes.len() == 1 { "does" } else { "do" };
    let what = match paths.as_slice() {
        [path] => shown(path),
        [path, others @ ..] => format!("{} and {} more", shown(path), text::grouped(others.len())),
        [] => return,
    };
    let message = format!("{} {verb} not load {what}: `{key}` names other files", titles(runtimes));
    let place = Place::new(manifest.file, value.range.clone());
    let finding = sink.about(Subject::Tree).report(place, message);
    finding.help(format!("add {} to `{key}`, or remove the key", text::joined_first(paths.iter().map(shown), SHOWN)));
    if let Some((range, text)) = addition(value, &paths) {
        finding.unsafe_edit(Place::new(manifest.file, range), text);
    }
}

/// Returns the edit that adds paths to a path or a list of paths; `None` if there are too many, or if the value is another one.
fn addition(value: &Json, paths: &[String]) -> Option<(Range<usize>, String)> {
    let is_plain = |path: &str| !path.contains(['"', '\\']) && !path.contains(char::is_control);
    if paths.len() > EDITED || !paths.iter().all(|path| is_plain(path)) {
        return None;
    }
    let added = paths.iter().map(|path| format!("\"{path}\"")).collect::<Vec<_>>().join(", ");
    match (&value.value, value.items().last()) {
        (Value::Text(text), _) => is_plain(text).then(|| (value.range.clone(), format!("[\"{text}\", {added}]"))),
        (Value::List(_), Some(last)) => Some((last.range.end..last.range.end, format!(", {added}"))),
        (Value::List(_), None) => Some((value.range.clone(), format!("[{added}]"))),
        _ => None,
    }
}

fn report(catalog: &Catalog, manifest: &Manifest, profile: &Profile, sink: &mut Sink) {
    let found = MISPLACED.iter().map(|(name, target)| (format!("{CLAUDE_MANIFESTS}/{name}"), *target));
    let found = found.chain([(UNDOTTED_SERVERS.to_owned(), SERVERS)]);
    let is_there = |path: &str| catalog.parsed.manifests.misplaced.contains(&join(manifest.base.as_bstr(), path));
    let found: Vec<(String, &str)> = found.filter(|(path, _)| is_there(path)).collect();
    if found.is_empty() {
        return;
    }
    let names: Vec<String> = found.iter().map(|(path, _)| format!("`{path}`")).collect();
    let moves = found.iter().map(|(path, target)| match target.ends_with(".json") {
        true => format!("`{path}` to `{target}`"),
        false => format!("the files of `{path}` to `{target}/`"),
    });
    let message = format!("{} does not read {} of this plugin", titles(&[profile]), text::joined(&names));
    let finding = sink.about(Subject::Tree).report(Place::whole(manifest.file), message);
    finding.help(format!("move {}", text::joined(&moves.collect::<Vec<_>>())));
    // A copy of a part that is read costs little.
    let parts = catalog.parsed.manifests.all.iter().filter(|one| one.base == manifest.base);
    let parts: BTreeSet<&str> = parts.map(|one| one.name.split('/').next().unwrap_or_default()).collect();
    if found.iter().all(|(_, target)| parts.contains(target.split('/').next().unwrap_or_default())) {
        finding.at_most(Level::Note);
    }
}
