//! What `agents/openai.yaml` grants: servers of tools, and the model as the one who starts the skill.

use std::collections::BTreeSet;

use skilltree_front_matter::text::Place;
use skilltree_front_matter::{Node, NodeKind};
use skilltree_runtimes::agent_file::{self, IMPLICIT};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::fields::AgentFileRule;
use skilltree_skills::skill::{AgentFile, Power, Skill};

/// Path of the list of servers that the skill asks for.
const TOOLS: &str = "dependencies.tools";

/// Returns the place of the value that decides about the model; `None` without a file.
pub(super) fn place(skill: &Skill) -> Option<Place> {
    let file = skill.references.agent_file.as_ref()?;
    Some(agent_file::value(file, IMPLICIT).map_or(Place::whole(file.file), |value| value.place))
}

/// Returns the servers that a skill newly asks for, if a runtime reads the whole file.
pub(super) fn servers(skill: &Skill, before: Option<&Skill>, runtimes: &[&Profile]) -> Vec<(Place, Power)> {
    let reads = |profile: &&Profile| profile.loads.keys.agent_file == Some(AgentFileRule::IgnoresInvalid);
    let Some(file) = skill.references.agent_file.as_ref().filter(|_| runtimes.iter().any(reads)) else {
        return Vec::new();
    };
    let other = before.and_then(|skill| skill.references.agent_file.as_ref());
    let known: BTreeSet<(&str, &str)> = other.into_iter().flat_map(tools).map(|(_, name, runs)| (name, runs)).collect();
    let new = tools(file).filter(|&(_, name, runs)| !known.contains(&(name, runs)));
    new.map(|(place, name, runs)| (place, Power::Server { name: name.to_owned(), runs: runs.to_owned() })).collect()
}

/// Returns the servers in the file: the place, the name, and the address or the command.
fn tools(file: &AgentFile) -> impl Iterator<Item = (Place, &str, &str)> {
    let items = match agent_file::value(file, TOOLS).map(|node| &node.kind) {
        Some(NodeKind::List(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().filter(|item| text(item, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("mcp"))).map(|item| {
        let runs = ["url", "command", "transport"].iter().find_map(|key| text(item, key));
        (item.place, text(item, "value").unwrap_or_default(), runs.unwrap_or_default())
    })
}

fn text<'a>(item: &'a Node, key: &str) -> Option<&'a str> {
    item.field(key)?.value.scalar()
}
