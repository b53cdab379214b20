//! Commands and agents of Claude Code, of the project and of its plugins, and the programs in the `bin` of a plugin.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};
use serde_json::{Map, Value};

use super::known::Known;
use super::places::{Kind, Owner, Places};
use super::starts::{self, SERVERS};
use super::texts::{self, Found};
use super::{Compared, NO_FILE, scripts, tools};
use crate::changes::Read;
use crate::config::Config;
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Excess, Node, NodeKind, What};
use skilltree_runtimes::forecast;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::roots::Root;
use skilltree_skills::skill::{self, Gain, Power, Skill};
use skilltree_skills::snapshot::{Body, File, Mode, ObjectId, Role};
use skilltree_skills::source::Error;

/// The runtime whose definitions these are.
const RUNTIME: &str = "claude-code";

/// Fields of an agent: the tools that it has, and those that it has not.
const TOOLS: &str = "tools";
const WITHOUT: &str = "disallowedTools";
/// The field of an agent that says what it must ask for, and the values with which it asks for no less.
const MODE: (&str, [&str; 2]) = ("permissionMode", ["default", "plan"]);
const MODEL: &str = "model";

/// A file that defines something.
struct Definition {
    path: BString,
    mode: Mode,
    id: Option<ObjectId>,
}

/// Definitions by kind and by path from their place.
type Definitions = BTreeMap<(Kind, BString), Definition>;

/// Returns what the definitions of owners newly allow.
pub(super) fn gains(head: Read<'_>, base: Read<'_>, owners: &[Owner], config: &Config) -> Result<Vec<Gain>, Error> {
    let Some(profile) = config.profiles.find(RUNTIME) else { return Ok(Vec::new()) };
    let (own, old) = (listed(head, owners, |owner| &owner.own)?, listed(base, owners, |owner| &owner.old)?);
    let mut gains = Vec::new();
    for (owner, (own, old)) in owners.iter().zip(own.into_iter().zip(old)) {
        let ids: HashMap<(Kind, ObjectId), &Definition> =
            old.iter().filter_map(|((kind, _), definition)| Some(((*kind, definition.id?), definition))).collect();
        for ((kind, path), definition) in own {
            let known = old.get(&(kind, path.clone()));
            // A definition that only moved grants nothing.
            let known = known.or_else(|| ids.get(&(kind, definition.id?)).copied());
            if known
                .is_some_and(|known| known.id.is_some() && (known.id, known.mode) == (definition.id, definition.mode))
            {
                continue;
            }
            let (noun, powers) = match kind {
                Kind::Program => ("plugin", program(head, base, path.as_bstr(), &definition, known)?),
                _ => {
                    let read = Files { profile, config, kind, of_plugin: !owner.name.is_empty() };
                    (read.noun(), read.powers((head, &definition), (base, known))?)
                }
            };
            let name = if kind == Kind::Program { owner.name.clone() } else { named(&owner.name, path.as_bstr()) };
            let name = text::shortened(&name, 64).into_owned();
            gains.extend(powers.into_iter().map(|(place, power)| Gain {
                skill: None,
                noun,
                name: name.clone(),
                path: definition.path.clone(),
                place,
                power,
            }));
        }
    }
    Ok(gains)
}

/// Lists the definitions of each owner. A file in several places is one of the longest.
fn listed(
    (source, _): Read<'_>,
    owners: &[Owner],
    places: impl Fn(&Owner) -> &Places,
) -> Result<Vec<Definitions>, Error> {
    let mut by_place: HashMap<&BStr, Vec<(Kind, usize)>> = HashMap::new();
    for (number, owner) in owners.iter().enumerate() {
        for (kind, place) in &places(owner).places {
            by_place.entry(place.as_bstr()).or_default().push((*kind, number));
        }
    }
    let mut found: Vec<Definitions> = owners.iter().map(|_| BTreeMap::new()).collect();
    let mut add = |file: &File, place: &BStr, kind: Kind, number: usize| {
        let inside = file.path[place.len()..].trim_start_with(|character| character == '/');
        let inside = if inside.is_empty() { text::file_name(file.path.as_bstr()).as_bytes() } else { inside };
        let is_wanted = match kind {
            Kind::Program => !inside.contains(&b'/'),
            _ => inside.ends_with(b".md"),
        };
        if is_wanted {
            let definition = Definition { path: file.path.clone(), mode: file.mode, id: file.id };
            found[number].insert((kind, inside.into()), definition);
        }
    };
    let directories: BTreeSet<BString> = by_place.keys().map(|&place| place.to_owned()).collect();
    for file in source.below(&directories)? {
        let around = std::iter::successors(Some(text::parent(file.path.as_bstr())), |directory| {
            (!directory.is_empty()).then(|| text::parent(directory))
        });
        let place = around.into_iter().find_map(|directory| Some((directory, by_place.get(directory)?)));
        for &(kind, number) in place.map(|(_, owners)| owners).into_iter().flatten() {
            add(&file, place.map(|(place, _)| place).unwrap_or_default(), kind, number);
        }
    }
    // A manifest can name one file.
    for (&place, of) in by_place.iter().filter(|(place, _)| place.ends_with(b".md")) {
        for &(kind, number) in of {
            if let Some(file) = source.file(place)? {
                add(&file, place, kind, number);
            }
        }
    }
    Ok(found)
}

/// Returns the name of a definition: `plugin:directory:name`.
fn named(plugin: &str, path: &BStr) -> String {
    let path = text::lossless(path.strip_suffix(b".md").unwrap_or(path).as_bstr()).replace('/', ":");
    if plugin.is_empty() { path } else { format!("{plugin}:{path}") }
}

/// Returns that a program, which the agent finds by its name, is new or does something else.
fn program(
    head: Read<'_>,
    base: Read<'_>,
    path: &BStr,
    own: &Definition,
    known: Option<&Definition>,
) -> Result<Vec<(Place, Power)>, Error> {
    let text = |(source, _): Read<'_>, definition: &Definition| texts::text_of(source, definition.path.as_bstr());
    let (after, before) = (text(head, own)?, known.map(|known| text(base, known)).transpose()?.flatten());
    let mode = after.as_ref().map_or(own.mode, |(_, mode)| *mode);
    if mode == Mode::File {
        return Ok(Vec::new());
    }
    let path = [b"bin/", path.as_bytes()].concat();
    let power = scripts::change(path.as_bstr(), after.as_ref(), known.map(|known| (known.mode, before.as_ref())), true);
    Ok(power.map(|power| (Place::whole(NO_FILE), power)).into_iter().collect())
}

/// How definitions of one kind are read.
struct Files<'a> {
    profile: &'a Profile,
    config: &'a Config,
    kind: Kind,
    of_plugin: bool,
}

impl Files<'_> {
    fn noun(&self) -> &'static str {
        if self.kind == Kind::Agent { "agent" } else { "command" }
    }

    fn powers(
        &self,
        (head, own): (Read<'_>, &Definition),
        (base, known): (Read<'_>, Option<&Definition>),
    ) -> Result<Vec<(Place, Power)>, Error> {
        let found = |(source, _): Read<'_>, definition: &Definition| texts::found(source, definition.path.as_bstr());
        let after = found(head, own)?;
        let before = known.map_or(Ok(Found::Nothing), |known| found(base, known))?;
        // The id of a file in a working tree is not known before it is read.
        if let (Found::Text((after, _)), Found::Text((before, _))) = (&after, &before)
            && after == before
        {
            return Ok(Vec::new());
        }
        let path = own.path.as_bstr();
        if let Some(large) = texts::unread(&after, &before) {
            return Ok(vec![(Place::whole(NO_FILE), large.unread(path))]);
        }
        let read = |found: Found, path: &BStr| found.text().map(|(bytes, _)| self.read(path, bytes));
        let Some(own) = read(after, path) else { return Ok(Vec::new()) };
        let old = known.and_then(|known| read(before, known.path.as_bstr()));
        if let Some(excess) = [Some(&own), old.as_ref()].into_iter().flatten().find_map(|skill| self.excess(skill)) {
            let why = format!("the front matter {excess}{}", name_of(excess));
            return Ok(vec![(own.opener(), Power::Unread { path: text::lossless(path), why })]);
        }
        if self.kind == Kind::Command {
            return Ok(super::powers(&[self.profile], &own, old.as_ref()));
        }
        // An agent needs both fields.
        let is_agent = |agent: &Skill| ["name", "description"].iter().all(|key| agent.scalar(key).is_some());
        let as_read = |agent: &Skill| forecast::as_read(agent, self.profile).unwrap_or_else(|| agent.clone());
        let (own, old) = (as_read(&own), old.as_ref().map(as_read).filter(is_agent));
        Ok(if is_agent(&own) { self.of_agent(&own, old.as_ref()) } else { Vec::new() })
    }

    fn read(&self, path: &BStr, bytes: Vec<u8>) -> Skill {
        let file = File::new(path, Role::Config, None, Body::Text(bytes));
        skill::parse(NO_FILE, &file, &Root::default(), None, self.config.limits.bounds())
    }

    /// Returns the limit that the front matter exceeds, if that keeps its fields from being read.
    fn excess(&self, definition: &Skill) -> Option<Excess> {
        let excess = definition.faults.iter().find_map(|fault| match fault.what {
            What::TooComplex(excess) => Some(excess),
            _ => None,
        })?;
        forecast::as_read(definition, self.profile).is_none().then_some(excess)
    }

    /// Returns what an agent newly may do. Claude Code 2.1.332 ignores `permissionMode`, `hooks` and `mcpServers` of a plugin's agent.
    fn of_agent(&self, agent: &Skill, before: Option<&Skill>) -> Vec<(Place, Power)> {
        let place = |key: &str| agent.field(key).map_or_else(|| agent.opener(), |field| field.value.place);
        let mut powers = Vec::new();
        if let Some(before) = before {
            // Without the list, it has all tools; a new agent that has them is not reported.
            match (agent.field(TOOLS), before.field(TOOLS)) {
                (None, Some(_)) => powers.push((agent.opener(), Power::AllTools)),
                (Some(_), Some(_)) => {
                    let new = tools::uncovered(tools::of(agent, TOOLS), &tools::of(before, TOOLS));
                    powers.extend(new.into_iter().map(|tool| (place(TOOLS), Power::Offered(tool.to_owned()))));
                }
                (_, None) => {}
            }
            let freed = tools::uncovered(tools::of(before, WITHOUT), &tools::of(agent, WITHOUT));
            powers.extend(freed.into_iter().map(|tool| (place(WITHOUT), Power::Undenied(tool.to_owned()))));
        }
        let compared = Compared { runtimes: vec![self.profile], skill: agent, before };
        if !self.of_plugin {
            let mode = |agent: &'_ Skill| agent.scalar(MODE.0).map(str::trim).unwrap_or_default().to_owned();
            let value = mode(agent);
            if !value.is_empty() && !MODE.1.contains(&value.as_str()) && before.map(mode).as_ref() != Some(&value) {
                powers.push((place(MODE.0), Power::Setting { key: MODE.0, value }));
            }
            compared.hooks(&mut powers);
            let mut starts = Vec::new();
            servers(agent).for_each(|value| starts::servers(&value, &mut starts));
            let mut known = Vec::new();
            before.into_iter().flat_map(servers).for_each(|value| starts::servers(&value, &mut known));
            let known = Known::new(known.iter());
            let new = starts.into_iter().filter(|start| !known.has(start));
            powers.extend(new.map(|start| (place(SERVERS.0), start.power)));
        }
        if let Some(model) = agent.scalar(MODEL).filter(|model| before.and_then(|old| old.scalar(MODEL)) != Some(model))
        {
            powers.push((place(MODEL), Power::Setting { key: MODEL, value: model.to_owned() }));
        }
        powers
    }
}

/// Returns the name of the limit that front matter exceeds, as the end of a sentence.
fn name_of(excess: Excess) -> &'static str {
    match excess {
        Excess::Bytes => " `front-matter-bytes`",
        Excess::Nodes => " `front-matter-nodes`",
        Excess::Depth => " `front-matter-depth`",
        Excess::Copies => "",
    }
}

/// Returns the servers that an agent defines: `- NAME: { command }`. One that is only named is defined elsewhere.
fn servers(agent: &Skill) -> impl Iterator<Item = Value> + '_ {
    let items = match agent.field(SERVERS.0).map(|field| &field.value.kind) {
        Some(NodeKind::List(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().map(value)
}

fn value(node: &Node) -> Value {
    match &node.kind {
        NodeKind::List(items) => Value::Array(items.iter().map(value).collect()),
        NodeKind::Map(fields) => {
            let members = fields.iter().map(|field| (field.key.value.clone(), value(&field.value)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        NodeKind::Scalar { text, .. } => Value::String(text.clone()),
    }
}
