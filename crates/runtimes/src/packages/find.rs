//! The directories that a runtime takes for packages.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::commands;
use super::members::Index;
use super::view::{Entry, View};
use super::{Costs, Fault, NoManifest, Package, Way, Wrong, check, directory_name, words};
use crate::formats::{
    FORMATS, Format, Marketplaces, OtherName, OwnSkill, Package as Rule, Readings, Source, WithoutManifest,
};
use crate::profile::Loads;
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, Manifest};
use skilltree_skills::roots::{self, Root};
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::Resolution;

/// The runtime that takes a directory with a manifest in its skills directory for a package.
pub(super) const PROJECT: (&str, &str) = ("claude-code", ".claude/skills");

/// The key with the plugins that one needs.
const DEPENDENCIES: &str = "dependencies";

/// What a runtime finds.
pub(super) struct Search<'a> {
    view: View<'a>,
    readings: &'static Readings,
    /// The manifests of each directory, by their path from there.
    by_base: BTreeMap<&'a BStr, BTreeMap<&'a str, usize>>,
    found: Vec<Package>,
    /// Directories that are packages already.
    taken: BTreeSet<BString>,
    /// Directories of plugins by name.
    named: OnceCell<BTreeMap<String, Vec<BString>>>,
    /// Directories that marketplaces of any program list.
    listed: OnceCell<BTreeSet<BString>>,
}

/// Returns the packages of a runtime.
pub(super) fn all(
    parsed: &Parsed,
    index: Index<'_>,
    (profile, loads): (&str, &Loads),
    readings: &'static Readings,
) -> Vec<Package> {
    let manifests = &parsed.manifests;
    let mut by_base: BTreeMap<&BStr, BTreeMap<&str, usize>> = BTreeMap::new();
    for (number, manifest) in manifests.all.iter().enumerate().filter(|(_, manifest)| manifest.part.is_none()) {
        by_base.entry(manifest.base.as_bstr()).or_default().insert(&manifest.name, number);
    }
    let view = View::new(manifests, index, loads.hooks.as_ref());
    let mut search = Search {
        view,
        readings,
        by_base,
        found: Vec::new(),
        taken: BTreeSet::new(),
        named: OnceCell::new(),
        listed: OnceCell::new(),
    };
    search.entries();
    search.directories(profile);
    search.bare();
    search.installer();
    search.installed(profile, &parsed.roots);
    search.settings();
    search.found
}

impl<'a> Search<'a> {
    /// Finds the packages that marketplaces list.
    fn entries(&mut self) {
        for &(format, rule) in &self.readings.marketplaces {
            let bases: Vec<&BStr> = self.by_base.keys().copied().collect();
            for base in bases {
                let of_base = &self.by_base[base];
                let Some(&number) = rule.files.iter().find_map(|file| of_base.get(file.as_str())) else { continue };
                self.marketplace(number, format, rule);
            }
        }
    }

    fn marketplace(&mut self, number: usize, format: &'static Format, rule: &'static Marketplaces) {
        let manifests = self.view.manifests;
        let marketplace: &'a Manifest = &manifests.all[number];
        let Ok(json) = &marketplace.content else { return };
        let mut names = BTreeSet::new();
        let entries = json.get("plugins").map_or(&[][..], Json::items);
        // Each entry has the faults of its marketplace, too.
        let mut of_all = check::marketplace(number, json, rule, marketplace.has_bom);
        of_all.extend(check::refused_entry(number, entries, rule));
        if entries.is_empty() && !of_all.is_empty() {
            self.lost(number, format, json.get("name").and_then(Json::text).unwrap_or_default(), of_all.clone());
        }
        let named = |entry: &'a Json| entry.get("name").and_then(Json::text);
        let listed: BTreeSet<&str> = entries.iter().filter_map(named).collect();
        let own_name = json.get("name").and_then(Json::text);
        let format = of_file(format, rule, &marketplace.name);
        let sources: Vec<&str> = entries.iter().filter_map(manifest::source).collect();
        let mut seen = BTreeSet::new();
        let shared: BTreeSet<&str> = sources.into_iter().filter(|source| !seen.insert(*source)).collect();
        for entry in entries {
            let mut faults = Vec::new();
            let name = named(entry);
            if let Some(name) = name
                && !names.insert(name)
            {
                let range = entry.get("name").map_or(0..0, |name| name.range.clone());
                let what = Wrong::SecondEntry(name.to_owned());
                faults.push(Fault { manifest: number, range, what, costs: Costs::Package });
            }
            faults.extend_from_slice(&of_all);
            if let Some(path) = entry.text().filter(|_| rule.entry_required.contains(&"source".to_owned())) {
                self.path_entry(number, format, entry, path, faults);
                continue;
            }
            let mut own = Vec::new();
            check::entry(number, entry, rule, self.view.program, &mut own);
            faults.extend(own.into_iter().filter(|fault| !of_all.contains(fault)));
            let found = self.directory_of(number, json, entry, rule, &mut faults);
            let meant =
                || name.filter(|_| !faults.is_empty()).and_then(|name| self.namesake(marketplace.base.as_bstr(), name));
            match found.or_else(meant) {
                Some(directory) => {
                    let is_shared = manifest::source(entry).is_some_and(|source| shared.contains(source));
                    let entry = Entry { marketplace: number, json: entry, format, rule, is_shared };
                    self.entry(entry, directory, name.unwrap_or_default(), faults);
                    self.dependencies(entry, own_name, &listed);
                }
                None if faults.is_empty() => {}
                None => self.lost(number, format, name.unwrap_or_default(), faults),
            }
        }
    }

    /// Reports what the last package needs and its own marketplace does not list. What another one lists is not known.
    fn dependencies(&mut self, entry: Entry<'a>, marketplace: Option<&str>, listed: &BTreeSet<&str>) {
        let Some(package) = self.found.last_mut() else { return };
        if !entry.rule.types.contains_key(DEPENDENCIES) {
            return;
        }
        let own = package.manifest.filter(|_| !package.rule.nameless);
        let own = own.and_then(|number| Some((number, self.view.json(number)?)));
        for (manifest, json) in own.into_iter().chain([(entry.marketplace, entry.json)]) {
            for one in json.get(DEPENDENCIES).map_or(&[][..], Json::items) {
                let (value, market) = (one.get("name").unwrap_or(one), one.get("marketplace").and_then(Json::text));
                let Some(written) = value.text() else { continue };
                let (name, rest) = written.split_at(written.find('@').unwrap_or(written.len()));
                let market = market.or(rest.strip_prefix('@').filter(|rest| !rest.starts_with('^')));
                let is_of_other =
                    market.is_some_and(|market| Some(market.split('@').next().unwrap_or(market)) != marketplace);
                if is_of_other || listed.contains(name) {
                    continue;
                }
                let near = self.view.similar(name, listed).map(|near| format!("{near}{rest}"));
                let what = Wrong::Dependency(name.to_owned(), near);
                package.faults.push(Fault { manifest, range: value.range.clone(), what, costs: Costs::Package });
            }
        }
    }

    /// Adds an entry that is only a path, which is no entry.
    fn path_entry(&mut self, number: usize, format: &'static Format, entry: &Json, path: &str, mut faults: Vec<Fault>) {
        let what = Wrong::Entry(path.to_owned());
        faults.push(Fault { manifest: number, range: entry.range.clone(), what, costs: Costs::Package });
        let base = self.view.manifests.all[number].base.as_bstr();
        let directory = manifest::below(base, path).unwrap_or_default();
        let name = text::file_name(directory.as_bstr()).to_string();
        let rule = self.rule(directory.as_bstr()).filter(|_| !directory.is_empty());
        match rule {
            Some((of, rule, own)) => {
                let way = Way::Entry(number, name.clone());
                self.add((of, rule, Some(own)), directory, way, Some(name), faults, None);
            }
            None => self.lost(number, format, &name, faults),
        }
    }

    /// Returns the plugin below a marketplace that has the name of an entry.
    fn namesake(&self, base: &BStr, name: &str) -> Option<BString> {
        let found = self.named.get_or_init(|| {
            let mut named: BTreeMap<String, Vec<BString>> = BTreeMap::new();
            for directory in self.by_base.keys().filter(|directory| self.rule(directory).is_some()) {
                let own = self.rule(directory).and_then(|(.., number)| self.view.json(number)?.get("name")?.text());
                let name = own.map(str::to_owned).or_else(|| directory_name(directory));
                name.into_iter().for_each(|name| named.entry(name).or_default().push((*directory).to_owned()));
            }
            named
        });
        let found = found.get(name)?;
        // They are sorted: the base itself comes first, then others that begin alike, then what is inside.
        let inside = manifest::join(base, "");
        let from = |start: &BStr| found.get(found.partition_point(|path| path.as_bstr() < start));
        let mut first = [base, inside.as_bstr()].into_iter().filter_map(from);
        first.find(|path| roots::is_within(path.as_bstr(), base)).cloned()
    }

    /// Adds an entry whose directory is not known.
    fn lost(&mut self, marketplace: usize, listed_in: &'static Format, name: &str, faults: Vec<Fault>) {
        let Some((format, rule)) = self.without_manifest(true) else { return };
        self.found.push(Package {
            format,
            listed_in: Some(listed_in),
            rule,
            directory: BString::default(),
            way: Way::Entry(marketplace, name.to_owned()),
            manifest: None,
            name: Some(name.to_owned()),
            faults,
            skills: Vec::new(),
            flat: Vec::new(),
            places: Vec::new(),
            only_named: false,
            commands: BTreeMap::new(),
            is_once: false,
            loads: Arc::default(),
        });
    }

    /// Returns the directory of an entry; `None` if its files are not in this tree.
    fn directory_of(
        &self,
        number: usize,
        json: &Json,
        entry: &Json,
        rule: &Marketplaces,
        faults: &mut Vec<Fault>,
    ) -> Option<BString> {
        let path = manifest::source(entry)?;
        let range = entry.get("source").map_or(0..0, |source| source.range.clone());
        let mut fault =
            |what| faults.push(Fault { manifest: number, range: range.clone(), what, costs: Costs::Package });
        let (plain, below_root) = manifest::sources(&self.view.manifests.all[number], json, entry);
        let base = self.view.manifests.all[number].base.as_bstr();
        let inside = |path: &BString| format!("./{}", roots::relative(path.as_bstr(), base).unwrap_or(path.as_bstr()));
        let exists = |path: &BString| self.view.manifests.is_directory(path.as_bstr());
        let meaning = if path.starts_with('.') { rule.dotted_source } else { rule.bare_source };
        let directory = match meaning {
            Source::Normal if is_indirect(path) && plain.is_some() => {
                fault(Wrong::Indirect(path.to_owned(), plain.as_ref().map_or_else(String::new, ToString::to_string)));
                return plain.filter(|directory| self.view.manifests.is_directory(directory.as_bstr()));
            }
            Source::Top | Source::Normal => plain.clone(),
            Source::PluginRootOrTop if json.at("metadata.pluginRoot").is_none() => plain.clone(),
            Source::PluginRootOrTop => below_root.clone(),
            Source::PluginRoot if json.at("metadata.pluginRoot").is_some() => below_root.clone(),
            Source::PluginRoot if path.starts_with('.') => plain.clone(),
            Source::PluginRoot | Source::Refused => {
                let is_below_root = below_root.as_ref().is_some_and(exists);
                let meant = plain.filter(exists).or(below_root.filter(exists));
                let nearest = || self.view.nearest(manifest::join(base, path).as_bstr()).map(ToOwned::to_owned);
                let meant = meant.or_else(nearest);
                fault(match &meant {
                    Some(meant) => Wrong::Source(path.to_owned(), inside(meant), is_below_root),
                    None => bare(path),
                });
                return meant;
            }
        };
        let Some(directory) = directory else {
            let (meant, what) = self.leaving(base, path, entry);
            fault(what);
            return meant;
        };
        let is_doubled = meaning == Source::PluginRoot && path.starts_with('.') && !exists(&directory);
        if let Some(root) = json.at("metadata.pluginRoot")
            && let Some(plain) = plain.as_ref().filter(|plain| is_doubled && exists(plain))
        {
            // One fault for all entries.
            let what = Wrong::DoubledRoot(root.text().unwrap_or_default().to_owned());
            faults.push(Fault { manifest: number, range: root.range.clone(), what, costs: Costs::Package });
            return Some(plain.clone());
        }
        if let Some(Resolution::File(_)) = self.view.manifests.resolve(directory.as_bstr()) {
            fault(Wrong::File(path.to_owned()));
            return Some(roots::manifest(directory.as_bstr()).map_or(directory.clone(), |(base, _)| base.to_owned()));
        }
        if self.view.manifests.submodules.contains(&directory) {
            // Its files are not in this tree.
            if rule.empty_submodules {
                fault(Wrong::Submodule(path.to_owned()));
            }
            return rule.empty_submodules.then_some(directory);
        }
        if !self.view.manifests.is_directory(directory.as_bstr()) {
            let is_below_root = below_root.as_ref().is_some_and(exists) && path.starts_with('.');
            let meant = plain.filter(exists).or(below_root.filter(exists));
            let meant = meant.or_else(|| self.view.nearest(directory.as_bstr()).map(ToOwned::to_owned));
            let meant = meant.or_else(|| self.unlisted(number, json, directory.as_bstr()));
            // Paths start at the directory of the marketplace, and cannot leave it.
            let meant = meant.filter(|path| roots::is_within(path.as_bstr(), base) && path.as_bstr() != base);
            let root = json.at("metadata.pluginRoot").and_then(Json::text);
            let root = root.filter(|_| !path.starts_with('.') && meaning != Source::Top);
            let root = root.and_then(|root| manifest::below(base, root));
            fault(match &meant {
                Some(meant) if is_below_root => Wrong::BelowRoot(path.to_owned(), inside(meant)),
                meant => nowhere(path, meant.as_ref(), root.as_ref(), inside),
            });
            return meant.or(Some(directory));
        }
        Some(directory)
    }

    /// Returns the only plugin with skills next to a path that leads nowhere, if there is one that no entry of the marketplace names.
    fn unlisted(&self, number: usize, json: &Json, path: &BStr) -> Option<BString> {
        let above = text::parent(path);
        let entries = json.get("plugins").map_or(&[][..], Json::items);
        let mut found: Option<BString> = None;
        let mut known = BString::default();
        for (skill, _) in self.view.index.below(above) {
            self.view.compare(1)?;
            let name = roots::relative(skill, above)?.split_str("/").next()?;
            let plugin = manifest::join(above, name.to_str().ok()?);
            let is_plugin = roots::is_within(skill, manifest::join(plugin.as_bstr(), "skills").as_bstr());
            if plugin == known || !is_plugin {
                continue;
            }
            known.clone_from(&plugin);
            self.view.compare(entries.len())?;
            let is_named = entries.iter().any(|entry| {
                let (plain, below_root) = manifest::sources(&self.view.manifests.all[number], json, entry);
                [plain, below_root].contains(&Some(plugin.clone()))
            });
            if !is_named && found.replace(plugin).is_some() {
                return None;
            }
        }
        found
    }

    /// Returns what is wrong with a source that leads out of the marketplace, and the plugin that is meant.
    fn leaving(&self, base: &BStr, path: &str, entry: &Json) -> (Option<BString>, Wrong) {
        // A path from the top of the disk, or from the manifest, is one from the marketplace.
        let meant = manifest::below(base, &words::inside(path));
        let meant = meant.filter(|meant| meant.as_bstr() != base || self.rule(base).is_some());
        let meant = meant.filter(|meant| self.view.exists(meant.as_bstr()));
        let named = || self.namesake(base, entry.get("name").and_then(Json::text)?);
        let meant = meant.or_else(named);
        let inside = |path: &BString| format!("./{}", roots::relative(path.as_bstr(), base).unwrap_or(path.as_bstr()));
        let what = match &meant {
            Some(meant) if path.starts_with('/') || path.contains('\\') => {
                Wrong::Source(path.to_owned(), inside(meant), false)
            }
            meant => Wrong::Leaves(path.to_owned(), meant.as_ref().map(inside)),
        };
        (meant, what)
    }

    fn entry(&mut self, entry: Entry<'a>, directory: BString, name: &str, mut faults: Vec<Fault>) {
        let directory = self.not_above(&entry, directory, name, &mut faults);
        let found = self.rule(directory.as_bstr());
        let (format, rule, manifest) = match found {
            Some((format, rule, manifest)) => (format, rule, Some(manifest)),
            None => match self.without_manifest(true) {
                Some((format, rule)) => (format, rule, None),
                None => return,
            },
        };
        let source = entry.json.get("source").map_or(0..0, |source| source.range.clone());
        let mut fault = |what, costs| {
            faults.push(Fault { manifest: entry.marketplace, range: source.clone(), what, costs });
        };
        // Any other key makes the entry the manifest.
        let is_short =
            entry.json.members().iter().all(|member| matches!(member.key.as_str(), "name" | "source" | "policy"));
        let exists = self.view.manifests.is_directory(directory.as_bstr());
        if manifest.is_none() && entry.rule.needs_manifest && is_short && exists {
            fault(Wrong::NoManifest(self.no_manifest(&entry, &directory)), Costs::Package);
        }
        let own = manifest.and_then(|number| self.view.json(number)).filter(|_| !rule.nameless);
        let own_name = own.and_then(|json| json.get("name")).and_then(Json::text);
        // A manifest with a name of another type has its own fault.
        let is_named = own.is_some_and(|json| json.get("name").is_none_or(|name| name.text().is_some()));
        if is_named && entry.rule.other_name == OtherName::Refused {
            let own_name =
                own_name.map(str::to_owned).or_else(|| directory_name(directory.as_bstr())).unwrap_or_default();
            if name.is_empty() {
                fault(Wrong::Missing("name".to_owned()), Costs::Package);
            } else if own_name != name {
                fault(Wrong::OtherName(name.to_owned(), own_name, entry.is_shared), Costs::Package);
            }
        }
        let is_lax = matches!(entry.json.get("strict").map(|strict| &strict.value), Some(Value::Boolean(false)));
        let names_components = entry.rule.strict_conflicts.iter().any(|key| entry.json.get(key).is_some());
        if is_lax && own.is_some() && names_components {
            let strict = entry.json.get("strict").map_or(0..0, |strict| strict.range.clone());
            faults.push(Fault {
                manifest: entry.marketplace,
                range: strict,
                what: Wrong::Strict,
                costs: Costs::Package,
            });
        }
        let name = own_name.unwrap_or(name).to_owned();
        let way =
            Way::Entry(entry.marketplace, entry.json.get("name").and_then(Json::text).unwrap_or_default().to_owned());
        self.add((format, rule, manifest), directory, way, Some(name), faults, Some(entry));
    }

    /// Returns the directory of a plugin, or, if that has nothing but plugins below it, of the one that an entry means.
    fn not_above(&self, entry: &Entry<'_>, directory: BString, name: &str, faults: &mut Vec<Fault>) -> BString {
        let has = |name: &str| self.view.index.has(manifest::join(directory.as_bstr(), name).as_bstr());
        let is_plugin = self.rule(directory.as_bstr()).is_some();
        let is_skill = self.view.index.at(directory.as_bstr()).is_some();
        let names_parts = manifest::PATH_KEYS.iter().any(|key| entry.json.get(key).is_some());
        if directory.is_empty() || is_plugin || is_skill || has("skills") || names_parts {
            return directory;
        }
        let Some(meant) = self.namesake(directory.as_bstr(), name).filter(|meant| *meant != directory) else {
            return directory;
        };
        let base = self.view.manifests.all[entry.marketplace].base.as_bstr();
        let path =
            |path: &BString| roots::relative(path.as_bstr(), base).map(|path| format!("./{path}")).unwrap_or_default();
        let range = entry.json.get("source").map_or(0..0, |source| source.range.clone());
        let what = Wrong::Above(path(&directory), path(&meant));
        faults.push(Fault { manifest: entry.marketplace, range, what, costs: Costs::Package });
        meant
    }

    /// Returns which manifest a directory lacks: the one that the program of the marketplace calls its own.
    fn no_manifest(&self, entry: &Entry<'_>, directory: &BString) -> NoManifest {
        let reader = entry.format.readers.iter().find(|reader| reader.runtime == entry.rule.runtime);
        let is_skill = reader.is_some_and(|reader| reader.own_skill == OwnSkill::Never);
        NoManifest {
            directory: directory.to_string(),
            manifest: reader.and_then(|reader| reader.manifests.first()).cloned().unwrap_or_default(),
            is_skill: is_skill && self.view.index.at(directory.as_bstr()).is_some(),
        }
    }

    /// Returns the format of a directory by its manifests.
    fn rule(&self, directory: &BStr) -> Option<(&'static Format, &'static Rule, usize)> {
        let of_base = self.by_base.get(directory)?;
        self.readings.packages.iter().filter(|(_, rule)| !rule.settings).find_map(|&(format, rule)| {
            let number = rule.manifests.iter().find_map(|manifest| {
                let number = *of_base.get(manifest.as_str())?;
                let is_package = manifest != "package.json" || self.has_key(number, rule);
                (self.has_schema(number, rule) && is_package).then_some(number)
            })?;
            Some((format, rule, number))
        })
    }

    /// Returns whether a package.json has the key of the format.
    fn has_key(&self, number: usize, rule: &Rule) -> bool {
        rule.key.as_ref().is_some_and(|key| self.view.json(number).is_some_and(|json| json.at(key).is_some()))
    }

    fn has_schema(&self, number: usize, rule: &Rule) -> bool {
        let Some(start) = &rule.schema else { return true };
        let schema = self.view.json(number).and_then(|json| json.get("$schema")?.text());
        schema.is_some_and(|schema| schema.starts_with(start.as_str()))
    }

    /// Returns the format of a directory without a manifest.
    fn without_manifest(&self, is_listed: bool) -> Option<(&'static Format, &'static Rule)> {
        let accepts = |rule: &Rule| match rule.without_manifest {
            WithoutManifest::Refused => is_listed && !self.readings.marketplaces.is_empty(),
            WithoutManifest::Listed => is_listed,
            WithoutManifest::Installer => false,
            WithoutManifest::Accepted | WithoutManifest::Skills | WithoutManifest::OwnSkill => true,
        };
        let rules = &self.readings.packages;
        let best = rules.iter().find(|(_, rule)| rule.without_manifest != WithoutManifest::Refused && accepts(rule));
        best.or_else(|| rules.iter().find(|(_, rule)| is_listed && accepts(rule))).copied()
    }

    /// Finds the directories with a manifest that no marketplace lists.
    fn directories(&mut self, profile: &str) {
        let bases: Vec<BString> = self.by_base.keys().map(|&base| base.to_owned()).collect();
        for base in bases {
            let Some((format, rule, manifest)) = self.rule(base.as_bstr()).filter(|_| !self.taken.contains(&base))
            else {
                continue;
            };
            if format.readers.iter().all(|reader| reader.runtime == profile) && rule.nameless {
                continue;
            }
            // `.codex-plugin/plugin.json` is the manifest at the top of a plugin if a marketplace lists `./.codex-plugin`.
            let own = manifest::join(base.as_bstr(), &self.view.manifests.all[manifest].name);
            let around = text::parent(own.as_bstr());
            if around != base && self.listed().contains(around) {
                continue;
            }
            let is_project = is_project(base.as_bstr());
            let is_hidden = is_hidden(base.as_bstr());
            let way = match is_project && profile == PROJECT.0 {
                true => Way::Project,
                // Directories of other programs are no packages that somebody installs.
                false if is_hidden => continue,
                false if rule.nameless => Way::Bare,
                false => Way::Directory,
            };
            // A program that only reads marketplaces takes no directory.
            if rule.without_manifest == WithoutManifest::Listed && self.readings.packages.len() == 1 {
                continue;
            }
            let json = self.view.json(manifest).filter(|_| !rule.nameless);
            let name = json.and_then(|json| json.get("name")).and_then(Json::text).map(str::to_owned);
            let name = name.or_else(|| directory_name(base.as_bstr()));
            self.add((format, rule, Some(manifest)), base, way, name, Vec::new(), None);
        }
    }

    /// Returns the directories below the top that marketplaces of any program list.
    fn listed(&self) -> &BTreeSet<BString> {
        self.listed.get_or_init(|| {
            let mut listed = BTreeSet::new();
            for marketplace in self.view.manifests.all.iter().filter(|manifest| manifest.is_marketplace()) {
                marketplace.each_package(|directory, _| {
                    listed.insert(directory.to_owned());
                });
            }
            listed.remove(BStr::new(""));
            listed
        })
    }

    /// Takes directories for packages without a manifest that are none yet: the top, and those that are packages for others.
    fn bare(&mut self) {
        let is_marketplace = self.found.iter().any(|package| matches!(package.way, Way::Entry(..)));
        let Some((format, rule)) = self.without_manifest(true) else { return };
        if rule.without_manifest == WithoutManifest::Installer {
            return;
        }
        let bases: Vec<BString> = self.by_base.keys().map(|&base| base.to_owned()).collect();
        let top = (!is_marketplace).then(BString::default);
        for directory in bases.into_iter().filter(|base| !base.is_empty() && !is_hidden(base.as_bstr())).chain(top) {
            let is_skill = self.view.index.at(directory.as_bstr()).is_some();
            let has_skills = self.view.index.has(manifest::join(directory.as_bstr(), "skills").as_bstr());
            let is_package = match rule.without_manifest {
                WithoutManifest::OwnSkill => is_skill,
                WithoutManifest::Skills => has_skills,
                _ => is_skill || has_skills,
            };
            if is_package && !self.taken.contains(&directory) {
                let name = directory_name(directory.as_bstr());
                self.add((format, rule, None), directory, Way::Bare, name, Vec::new(), None);
            }
        }
    }

    /// Adds the repository as an installer searches it.
    fn installer(&mut self) {
        let found = self.readings.packages.iter().find(|(_, rule)| rule.without_manifest == WithoutManifest::Installer);
        if let Some(&(format, rule)) = found {
            self.add((format, rule, None), BString::default(), Way::Installer, None, Vec::new(), None);
        }
    }

    /// Adds the packages that the user has installed.
    fn installed(&mut self, profile: &str, roots: &[Root]) {
        let found = self.readings.packages.iter().find(|(_, rule)| rule.default == ["skills"] && !rule.nameless);
        let Some(&(format, rule)) = found else { return };
        for root in roots.iter().filter(|root| root.profile == profile) {
            let Some(name) = &root.package else { continue };
            let directory = text::parent(root.path.as_bstr()).to_owned();
            self.add((format, rule, None), directory, Way::Installed, Some(name.clone()), Vec::new(), None);
        }
    }

    /// Adds the directories that the settings of the project name.
    fn settings(&mut self) {
        let Some(of_top) = self.by_base.get(BStr::new("")) else { return };
        let named = self.readings.packages.iter().filter(|(_, rule)| rule.settings).filter_map(|&(format, rule)| {
            let number = rule.manifests.iter().find_map(|file| of_top.get(file.as_str()))?;
            Some((format, rule, Some(*number)))
        });
        for found in named.collect::<Vec<_>>() {
            self.add(found, BString::default(), Way::Project, None, Vec::new(), None);
        }
    }

    fn add(
        &mut self,
        (format, rule, manifest): (&'static Format, &'static Rule, Option<usize>),
        directory: BString,
        way: Way,
        name: Option<String>,
        mut faults: Vec<Fault>,
        entry: Option<Entry<'a>>,
    ) {
        let (places, only_named) = check::package(&self.view, rule, manifest, &directory, entry, &mut faults);
        let commands = commands::of(&self.view, rule, manifest, directory.as_bstr(), entry);
        self.taken.insert(directory.clone());
        self.found.push(Package {
            format,
            listed_in: entry.map(|entry| entry.format),
            rule,
            directory,
            way,
            manifest,
            name,
            faults,
            skills: Vec::new(),
            flat: Vec::new(),
            places,
            only_named,
            commands,
            is_once: entry.is_some_and(|entry| entry.rule.once),
            loads: Arc::default(),
        });
    }
}

/// Returns the format of a marketplace: that of its runtime if no other one reads the file.
fn of_file(format: &'static Format, rule: &Marketplaces, file: &str) -> &'static Format {
    let is_read = |other: &Marketplaces| other.runtime != rule.runtime && other.files.iter().any(|name| name == file);
    let own = || FORMATS.iter().find(|own| own.owner.as_ref() == Some(&rule.runtime));
    if format.marketplaces.iter().any(is_read) { format } else { own().unwrap_or(format) }
}

/// Returns what is wrong with a source without `./` that leads nowhere: with one slash, it may be a repository.
fn bare(path: &str) -> Wrong {
    match path.split('/').filter(|name| !name.is_empty()).count() {
        2 => Wrong::Address(path.to_owned()),
        _ => Wrong::NotRelative(path.to_owned()),
    }
}

/// Returns what is wrong with a source that does not exist. `root` is the directory at which it starts if that is not the marketplace.
fn nowhere(path: &str, meant: Option<&BString>, root: Option<&BString>, inside: impl Fn(&BString) -> String) -> Wrong {
    let from_root = |meant: &BString| {
        let below = roots::relative(meant.as_bstr(), root?.as_bstr())?;
        Some(below.to_string()).filter(|below| !below.is_empty())
    };
    match meant {
        Some(meant) if root.is_some() => match from_root(meant) {
            Some(below) => Wrong::Nowhere(path.to_owned(), Some(below)),
            None => Wrong::NotBelowRoot(path.to_owned(), inside(meant)),
        },
        meant => Wrong::Nowhere(path.to_owned(), meant.map(inside)),
    }
}

/// Returns whether a path has `.` or `..` after its beginning.
fn is_indirect(path: &str) -> bool {
    path.split('/').skip(1).any(|name| matches!(name, "." | ".."))
}

/// Returns whether a component of a path begins with a dot.
fn is_hidden(path: &BStr) -> bool {
    path.split_str("/").any(|name| name.starts_with(b"."))
}

/// Returns whether a directory is directly in a skills directory of the project.
fn is_project(base: &BStr) -> bool {
    let above = text::parent(base);
    above == PROJECT.1 || above.ends_with(format!("/{}", PROJECT.1).as_bytes())
}
