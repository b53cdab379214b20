//! The reference graphs of the page: the files of a skill in columns by depth, and a line per reference.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::render::{count, escape};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::graph::{Graph, Graphs, NodeKind};
use skilltree_skills::skill::SkillId;

/// Maximum number of files and of lines of a graph.
const NODES: usize = 60;
const LINES: usize = 150;
/// Maximum number of bytes of all graphs, approximately.
const BYTES: usize = 200_000;
/// Maximum length of a path in code points: its end, which names the file.
const PATH: usize = 30;
/// Sizes in pixels: a code point, the height of a row, and the space between columns.
const CHARACTER: usize = 8;
const ROW: usize = 22;
const GAP: usize = 56;

/// Graphs, and the number of those that are not drawn.
#[derive(Default, Serialize)]
pub(super) struct Drawn {
    graphs: Vec<Drawing>,
    omitted: Option<String>,
}

#[derive(Serialize)]
struct Drawing {
    name: String,
    words: String,
    width: usize,
    height: usize,
    nodes: Vec<Label>,
    lines: Vec<Line>,
    cycles: Vec<String>,
    more: Option<String>,
}

/// A file.
#[derive(Serialize)]
struct Label {
    class: &'static str,
    x: usize,
    y: usize,
    shown: String,
    /// The whole path, if it is not shown.
    path: Option<String>,
}

/// A reference from one file to another.
#[derive(Serialize)]
struct Line {
    class: &'static str,
    points: String,
}

/// Draws the graphs.
pub(super) fn new(catalog: &Catalog, graphs: &Graphs) -> Drawn {
    let mut drawn = Drawn::default();
    let mut left = BYTES;
    for (skill, graph) in &graphs.of_skills {
        let drawing = drawing(catalog, *skill, graph);
        let Some(rest) = left.checked_sub(drawing.bytes()) else { break };
        left = rest;
        drawn.graphs.push(drawing);
    }
    let omitted = graphs.omitted + graphs.of_skills.len() - drawn.graphs.len();
    drawn.omitted = (omitted > 0).then(|| {
        let name = "`skilltree show --graph NAME` prints each";
        format!("{} not drawn; {name}", count(omitted, "more graph"))
    });
    drawn
}

impl Drawing {
    fn bytes(&self) -> usize {
        let nodes: usize =
            self.nodes.iter().map(|node| 80 + node.shown.len() + node.path.as_ref().map_or(0, String::len)).sum();
        600 + nodes + self.lines.iter().map(|line| 40 + line.points.len()).sum::<usize>()
    }
}

fn drawing(catalog: &Catalog, skill: SkillId, graph: &Graph) -> Drawing {
    // Files to which nothing leads are in a column after the others.
    let column = |node: usize| graph.nodes[node].depth.unwrap_or(graph.depth + 1);
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by_key(|&node| (column(node), node));
    order.truncate(NODES);
    let shown: BTreeMap<usize, String> = order.iter().map(|&node| (node, shortened(&escaped(graph, node)))).collect();
    let mut columns: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    order.iter().for_each(|&node| columns.entry(column(node)).or_default().push(node));
    let mut places: BTreeMap<usize, (usize, usize, usize)> = BTreeMap::new();
    let mut x = 0;
    for nodes in columns.values() {
        let width = |node: &usize| shown[node].chars().count() * CHARACTER;
        let place = |(row, node): (usize, &usize)| (*node, (x, row * ROW + ROW / 2, width(node)));
        places.extend(nodes.iter().enumerate().map(place));
        x += nodes.iter().map(width).max().unwrap_or_default() + GAP;
    }
    let edges: BTreeSet<(usize, usize, bool)> =
        graph.edges.iter().map(|edge| (edge.from, edge.to, edge.is_link)).collect();
    let is_drawn = |&&(from, to, is_link): &&(usize, usize, bool)| {
        from != to
            && places.contains_key(&from)
            && places.contains_key(&to)
            && (is_link || !edges.contains(&(from, to, true)))
    };
    let lines: Vec<&(usize, usize, bool)> = edges.iter().filter(is_drawn).collect();
    let files = graph.nodes.iter().filter(|node| !matches!(node.kind, NodeKind::Outside | NodeKind::Missing)).count();
    let missing = graph.nodes.iter().filter(|node| node.kind == NodeKind::Missing).count();
    let mut words = format!("{}, depth {}", count(files, "file"), graph.depth);
    if missing > 0 {
        words.push_str(&format!(", {missing} missing"));
    }
    if !graph.cycles.is_empty() {
        words.push_str(&format!(", {}", count(graph.cycles.len(), "cycle")));
    }
    let rest = graph.nodes.len() - order.len() + lines.len().saturating_sub(LINES);
    let cycle = |nodes: &Vec<usize>| {
        let paths: Vec<String> = nodes.iter().take(NODES / 6).map(|&node| escaped(graph, node)).collect();
        text::joined(&paths)
    };
    let own = catalog.skill(skill);
    Drawing {
        name: own.name().map_or_else(|| escape::path(own.directory.as_ref()), escape::text),
        words,
        width: x.saturating_sub(GAP),
        height: columns.values().map(Vec::len).max().unwrap_or_default() * ROW + ROW / 2,
        nodes: order.iter().map(|&node| file(graph, node, &shown[&node], places[&node])).collect(),
        lines: lines.iter().take(LINES).map(|line| reference(graph, line, &places)).collect(),
        cycles: graph.cycles.iter().take(NODES / 6).map(cycle).collect(),
        more: (rest > 0).then(|| format!("{} not drawn", rest_words(rest))),
    }
}

fn rest_words(rest: usize) -> String {
    format!("{} more {}", text::grouped(rest), if rest == 1 { "file or reference" } else { "files or references" })
}

fn escaped(graph: &Graph, node: usize) -> String {
    escape::path(graph.nodes[node].path.as_ref())
}

/// Returns the end of a path.
fn shortened(path: &str) -> String {
    let length = path.chars().count();
    if length <= PATH {
        return path.to_owned();
    }
    std::iter::once('\u{2026}').chain(path.chars().skip(length - PATH + 1)).collect()
}

fn file(graph: &Graph, node: usize, shown: &str, (x, y, _): (usize, usize, usize)) -> Label {
    let class = match (graph.nodes[node].kind, graph.nodes[node].depth) {
        (NodeKind::Missing, _) => "missing",
        (NodeKind::Outside, _) => "outside",
        (_, None) => "unread",
        _ => "file",
    };
    let path = escaped(graph, node);
    Label { class, x, y: y + 4, shown: shown.to_owned(), path: (path != shown).then_some(path) }
}

fn reference(
    graph: &Graph,
    &&(from, to, is_link): &&(usize, usize, bool),
    places: &BTreeMap<usize, (usize, usize, usize)>,
) -> Line {
    let ((x1, y1, width), (x2, y2, to_width)) = (places[&from], places[&to]);
    // A line back bends below the row, so that it does not run through the text.
    let points = match x2 > x1 {
        true => [(x1 + width + 4, y1), (x2 - GAP / 2, y1), (x2 - GAP / 2, y2), (x2 - 4, y2)],
        false => {
            let (start, end) = (x1 + width + 4, x2 + to_width + 4);
            let bend = start.max(end) + GAP / 2;
            [(start, y1), (bend, y1 + ROW), (bend, y2 + ROW), (end, y2)]
        }
    };
    let [(x1, y1), (x2, y2), (x3, y3), (x4, y4)] = points;
    let class = match (graph.nodes[to].kind, is_link) {
        (NodeKind::Missing, _) => "missing",
        (_, true) => "link",
        (_, false) => "named",
    };
    Line { class, points: format!("M{x1} {y1}C{x2} {y2} {x3} {y3} {x4} {y4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortens_paths_to_their_ends() {
        assert_eq!(shortened("references/forms.md"), "references/forms.md");
        let long = shortened(&format!("{}/forms.md", "x".repeat(60)));
        assert!(long.chars().count() == PATH && long.starts_with('\u{2026}') && long.ends_with("/forms.md"), "{long}");
    }
}
