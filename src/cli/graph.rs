//! `show --graph`: what the files of a skill refer to, as text, as JSON or for Graphviz.

use std::fmt::Write as _;

use serde::Serialize;
use skilltree_report::render::{self, escape};
use skilltree_runtimes::graph::{self, Edge, Graph, Node, NodeKind};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::File;

use super::args::{Common, ShowFormat};
use super::output;
use crate::failure::Failure;
use crate::session::Session;

/// Reads the files of a skill and writes its graph.
pub(super) fn write(common: &Common, format: ShowFormat, session: &Session, id: SkillId) -> Result<(), Failure> {
    let graph = read(session, id)?;
    let name = session.report.catalog.skill(id).name().unwrap_or_default();
    match format {
        ShowFormat::Text => output::bytes(common, text(name, &graph).as_bytes()),
        ShowFormat::Dot => output::bytes(common, dot(name, &graph).as_bytes()),
        ShowFormat::Json => output::stdout(common, |out| render::write_pretty(&Shown::new(name, &graph), out)),
    }
}

/// Reads the files of a skill and builds its graph.
pub(super) fn read(session: &Session, id: SkillId) -> Result<Graph, Failure> {
    let catalog = &session.report.catalog;
    let files = graph::files(catalog, id);
    let read: Vec<File> = files.iter().map(|&file| catalog.file(file).clone()).collect();
    let texts: Vec<_> = files.into_iter().zip(session.source.bodies(&read)?).collect();
    Ok(Graph::new(catalog, id, &texts))
}

/// Returns the files in their order, each with its depth and what it refers to.
fn text(name: &str, graph: &Graph) -> String {
    let count = |number, noun| render::count(number, noun);
    let files = graph.nodes.iter().filter(|node| !matches!(node.kind, NodeKind::Outside | NodeKind::Missing)).count();
    let (files, cycles) = (count(files, "file"), count(graph.cycles.len(), "cycle"));
    let mut text = format!("{}: {files}, depth {}, {cycles}\n", escape::text(name), graph.depth);
    for (number, node) in graph.nodes.iter().enumerate() {
        let depth = match node.depth {
            Some(depth) => format!("depth {depth}"),
            None => "nothing leads here".to_owned(),
        };
        let _ = writeln!(text, "{} ({}, {depth})", escape::path(node.path.as_ref()), node.kind.name());
        for edge in graph.edges.iter().filter(|edge| edge.from == number) {
            let kind = if edge.is_link { "link" } else { "path" };
            let to = escape::path(graph.nodes[edge.to].path.as_ref());
            let _ = writeln!(text, "  {}:{} {kind} {to}", edge.line, edge.column);
        }
    }
    for cycle in &graph.cycles {
        let paths: Vec<String> = cycle.iter().map(|&node| escape::path(graph.nodes[node].path.as_ref())).collect();
        let _ = writeln!(text, "cycle: {}", paths.join(", "));
    }
    text
}

/// Returns the graph in the language of Graphviz.
fn dot(name: &str, graph: &Graph) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut dot = format!("digraph {} {{\n  rankdir=LR;\n", quoted(&escape::text(name)));
    for (number, node) in graph.nodes.iter().enumerate() {
        let style = match node.kind {
            NodeKind::Skill => " shape=box",
            NodeKind::Missing => " style=dashed color=red",
            NodeKind::Outside => " style=dashed",
            NodeKind::Reference | NodeKind::File => "",
        };
        let _ = writeln!(dot, "  n{number} [label={}{style}];", quoted(&escape::path(node.path.as_ref())));
    }
    for edge in &graph.edges {
        let style = if edge.is_link { "" } else { " style=dotted" };
        let _ = writeln!(dot, "  n{} -> n{} [label=\"{}\"{style}];", edge.from, edge.to, edge.line);
    }
    dot.push_str("}\n");
    dot
}

/// The JSON of the graph.
#[derive(Serialize)]
struct Shown<'a> {
    schema: &'static str,
    name: &'a str,
    depth: u32,
    nodes: Vec<ShownNode>,
    edges: Vec<ShownEdge>,
    cycles: &'a [Vec<usize>],
}

#[derive(Serialize)]
struct ShownNode {
    path: String,
    kind: &'static str,
    depth: Option<u32>,
}

#[derive(Serialize)]
struct ShownEdge {
    from: usize,
    to: usize,
    line: u32,
    column: u32,
    kind: &'static str,
}

impl<'a> Shown<'a> {
    fn new(name: &'a str, graph: &'a Graph) -> Self {
        let node = |node: &Node| ShownNode {
            path: escape::path(node.path.as_ref()),
            kind: node.kind.name(),
            depth: node.depth,
        };
        let edge = |edge: &Edge| ShownEdge {
            from: edge.from,
            to: edge.to,
            line: edge.line,
            column: edge.column,
            kind: if edge.is_link { "link" } else { "path" },
        };
        Self {
            schema: "skilltree/graph/v1",
            name,
            depth: graph.depth,
            nodes: graph.nodes.iter().map(node).collect(),
            edges: graph.edges.iter().map(edge).collect(),
            cycles: &graph.cycles,
        }
    }
}
