//! What the files of one skill refer to: the links and paths of its Markdown files, how deep they are, and their cycles.

use std::collections::{BTreeMap, VecDeque};

use bstr::{BStr, BString, ByteSlice};

use crate::catalog::{self, Catalog};
use skilltree_front_matter::text::{self, FileId};
use skilltree_skills::skill::links::Target;
use skilltree_skills::skill::references;
use skilltree_skills::skill::{self, SkillId};
use skilltree_skills::snapshot::{Body, Mode, Names, Role};

/// The files of a skill and what they refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// SKILL.md first, then the other files of the skill by path, then other targets.
    pub nodes: Vec<Node>,
    /// In the order of the files and of their texts.
    pub edges: Vec<Edge>,
    /// The largest depth of a file.
    pub depth: u32,
    /// Groups of Markdown files that lead to each other, apart from SKILL.md, which many files link back to.
    pub cycles: Vec<Vec<usize>>,
}

/// A file, or the target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The path: from the skill directory, or from the top if it is elsewhere.
    pub path: BString,
    /// What it is.
    pub kind: NodeKind,
    /// The number of steps from SKILL.md; `None` if nothing leads there.
    pub depth: Option<u32>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The SKILL.md.
    Skill,
    /// Another Markdown file of the skill.
    Reference,
    /// Another file or a directory of the skill.
    File,
    /// A path outside the skill directory.
    Outside,
    /// A path in the skill directory that does not exist.
    Missing,
}

impl NodeKind {
    /// Returns the name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Reference => "reference",
            Self::File => "file",
            Self::Outside => "outside",
            Self::Missing => "missing",
        }
    }
}

/// A link or a path in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The file that contains it.
    pub from: usize,
    /// What it leads to.
    pub to: usize,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
    /// Whether it is a link or an image; otherwise a path in prose or code.
    pub is_link: bool,
}

/// Maximum number of nodes of the graphs of a report (ours).
const NODES: usize = 5_000;

/// The graphs of the skills that have reference files.
#[derive(Clone, Debug, Default)]
pub struct Graphs {
    /// The first ones, by skill.
    pub of_skills: Vec<(SkillId, Graph)>,
    /// The number of the others.
    pub omitted: usize,
}

impl Graphs {
    /// Builds the graphs of the skills that have reference files, up to a number of nodes. `graph` builds one of them.
    ///
    /// # Errors
    /// If `graph` fails.
    pub fn new<E>(catalog: &Catalog, mut graph: impl FnMut(SkillId) -> Result<Graph, E>) -> Result<Self, E> {
        let mut graphs = Self::default();
        let mut left = NODES;
        for (id, _) in catalog.skills().filter(|(_, skill)| !skill.references.read.is_empty()) {
            if left == 0 {
                graphs.omitted += 1;
                continue;
            }
            let graph = graph(id)?;
            left = left.saturating_sub(graph.nodes.len());
            graphs.of_skills.push((id, graph));
        }
        Ok(graphs)
    }
}

/// A link or a path in a Markdown file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// What it leads to.
    pub target: Target,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// Returns the links and paths in a Markdown file of a skill, in the order of its text.
pub fn mentions(catalog: &Catalog, skill: SkillId, id: FileId, bytes: &[u8]) -> Vec<Mention> {
    let own = catalog.skill(skill);
    let text = bytes.to_str_lossy();
    let body = own.body.as_ref().filter(|_| id == own.file).map_or(0, |body| body.start as usize);
    let names = Names::new(catalog::sorted(&catalog.parsed.files));
    let text_and_start = (&*text, body.min(text.len()));
    let mut targets = skill::targets((id, catalog.file(id)), catalog.file(own.file), text_and_start, names);
    targets.extend(own.missing_paths(id).filter_map(|mention| {
        let path = skill::paths::resolve(text::parent(catalog.path(skill)), mention.written.as_bytes().as_bstr())?;
        Some(Target { place: mention.place, path, exists: false, is_link: false })
    }));
    targets.sort_by_key(|target| target.place);
    let (mut line, mut line_start, mut seen) = (1, 0, 0);
    let mention = |target: Target| {
        let start = target.place.range().start;
        let between = text.get(seen..start).unwrap_or_default();
        line += between.matches('\n').count() as u32;
        line_start = between.rfind('\n').map_or(line_start, |newline| seen + newline + 1);
        seen = start;
        let column = text.get(line_start..start).map_or(1, |before| before.chars().count() as u32 + 1);
        Mention { target, line, column }
    };
    targets.into_iter().map(mention).collect()
}

/// Returns the Markdown files of a skill, SKILL.md first. The graph needs their texts.
pub fn files(catalog: &Catalog, skill: SkillId) -> Vec<FileId> {
    let parsed = &catalog.parsed;
    let owned = references::owned(catalog::sorted(&parsed.files), &parsed.skills);
    let own = owned.into_iter().filter(|&(_, owner)| owner == skill.index()).map(|(id, _)| id);
    let is_text = |id: &FileId| {
        let file = catalog.file(*id);
        file.body == Body::NotRead && matches!(file.mode, Mode::File | Mode::Executable)
    };
    std::iter::once(catalog.skill(skill).file).chain(own.filter(is_text)).collect()
}

impl Graph {
    /// Builds the graph of a skill from the texts of [`files`].
    pub fn new(catalog: &Catalog, skill: SkillId, texts: &[(FileId, Vec<u8>)]) -> Self {
        let mut builder = Builder::new(catalog, skill);
        for (id, bytes) in texts {
            builder.add(catalog.file(*id).path.as_bstr(), mentions(catalog, skill, *id, bytes));
        }
        builder.finish()
    }
}

struct Builder {
    graph: Graph,
    directory: BString,
    numbers: BTreeMap<BString, usize>,
}

impl Builder {
    fn new(catalog: &Catalog, skill: SkillId) -> Self {
        let path = catalog.path(skill);
        let mut builder =
            Self { graph: Graph::default(), directory: text::parent(path).to_owned(), numbers: BTreeMap::new() };
        builder.node(path, NodeKind::Skill);
        let prefix = BString::from([builder.directory.as_bytes(), b"/"].concat());
        let sorted = catalog::sorted(&catalog.parsed.files);
        let first = sorted.partition_point(|file| file.path < prefix);
        for file in sorted[first..].iter().take_while(|file| file.path.starts_with(&prefix)) {
            let is_file = file.role == Role::Other && !matches!(file.mode, Mode::Directory);
            if is_file && !builder.numbers.contains_key(&file.path) {
                let is_reference = skill::paths::is_markdown(file.path.as_bstr());
                builder.node(file.path.as_bstr(), if is_reference { NodeKind::Reference } else { NodeKind::File });
            }
        }
        builder
    }

    /// Returns the number of a path, as a new node of this kind if it has none.
    fn node(&mut self, path: &BStr, kind: NodeKind) -> usize {
        if let Some(&number) = self.numbers.get(path) {
            return number;
        }
        let below = path.strip_prefix(self.directory.as_bytes()).and_then(|below| below.strip_prefix(b"/"));
        let shown = below.map_or(path, BStr::new).to_owned();
        self.graph.nodes.push(Node { path: shown, kind, depth: None });
        self.numbers.insert(path.to_owned(), self.graph.nodes.len() - 1);
        self.graph.nodes.len() - 1
    }

    /// Adds what a file leads to.
    fn add(&mut self, path: &BStr, mentions: Vec<Mention>) {
        let Some(&from) = self.numbers.get(path) else { return };
        for Mention { target, line, column } in mentions {
            let is_inside = skilltree_skills::roots::is_within(target.path.as_bstr(), self.directory.as_bstr());
            let kind = match (is_inside, target.exists) {
                (false, _) => NodeKind::Outside,
                (true, true) => NodeKind::File,
                (true, false) => NodeKind::Missing,
            };
            let to = self.node(target.path.as_bstr(), kind);
            self.graph.edges.push(Edge { from, to, line, column, is_link: target.is_link });
        }
    }

    fn finish(self) -> Graph {
        let mut graph = self.graph;
        let mut next = vec![Vec::new(); graph.nodes.len()];
        graph.edges.iter().for_each(|edge| next[edge.from].push(edge.to));
        let mut queue = VecDeque::from([0]);
        graph.nodes[0].depth = Some(0);
        while let Some(node) = queue.pop_front() {
            let depth = graph.nodes[node].depth.map(|depth| depth + 1);
            graph.depth = graph.depth.max(depth.unwrap_or_default().saturating_sub(1));
            for &to in &next[node] {
                if graph.nodes[to].depth.is_none() {
                    graph.nodes[to].depth = depth;
                    queue.push_back(to);
                }
            }
        }
        graph.cycles = cycles(&next);
        graph
    }
}

/// Returns the groups of two or more nodes that lead to each other, without node 0, by their first node (Kosaraju's algorithm,
/// without recursion).
fn cycles(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut previous = vec![Vec::new(); next.len()];
    for (from, targets) in next.iter().enumerate().skip(1) {
        targets.iter().filter(|&&to| to > 0).for_each(|&to| previous[to].push(from));
    }
    let mut seen = vec![false; next.len()];
    seen[0] = true;
    let mut order = Vec::new();
    for start in 1..next.len() {
        let mut stack = vec![(start, false)];
        while let Some((node, is_done)) = stack.pop() {
            if is_done {
                order.push(node);
            } else if !std::mem::replace(&mut seen[node], true) {
                stack.push((node, true));
                stack.extend(next[node].iter().filter(|&&to| !seen[to]).map(|&to| (to, false)));
            }
        }
    }
    let mut taken = vec![false; next.len()];
    let mut groups = Vec::new();
    for &start in order.iter().rev() {
        let (mut group, mut stack) = (Vec::new(), vec![start]);
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut taken[node], true) {
                group.push(node);
                stack.extend(previous[node].iter().filter(|&&from| !taken[from]));
            }
        }
        group.sort_unstable();
        groups.extend((group.len() > 1).then_some(group));
    }
    groups.sort_unstable();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_cycles_without_the_first_node() {
        for (next, expected) in [
            (vec![vec![1], vec![0]], vec![]),
            (vec![vec![1], vec![2], vec![1]], vec![vec![1, 2]]),
            (vec![vec![1], vec![2], vec![3], vec![1, 4], vec![5], vec![4], vec![6]], vec![vec![1, 2, 3], vec![4, 5]]),
            (vec![vec![1, 2], vec![2], vec![]], vec![]),
        ] {
            assert_eq!(cycles(&next), expected, "{next:?}");
        }
    }

    #[test]
    fn walks_long_chains_without_recursion() {
        let next: Vec<Vec<usize>> = (0..100_000).map(|node| vec![(node + 1) % 100_000]).collect();
        assert_eq!(cycles(&next), [[0; 0]; 0]);
    }
}
