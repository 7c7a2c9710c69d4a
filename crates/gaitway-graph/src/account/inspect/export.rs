//! The graph for other programs: DOT for Graphviz, GraphML for everything else.

use std::io::{self, Write};

use crate::{EdgeId, MotionGraph};

/// Writes the graph in Graphviz' DOT language: a cluster per clip, solid pieces, dashed transitions.
///
/// # Errors
/// What the sink says.
pub fn write_dot(graph: &MotionGraph, sink: &mut dyn Write) -> io::Result<()> {
    writeln!(
        sink,
        "digraph gaitway {{\n  rankdir=LR;\n  node [shape=point];"
    )?;
    for clip in graph.clip_ids() {
        let nodes = graph.nodes_of(clip);
        if nodes.is_empty() {
            continue;
        }
        let info = graph.clip_info(clip);
        writeln!(
            sink,
            "  subgraph cluster_{} {{\n    label={};",
            clip.0,
            quoted(info.name())
        )?;
        for n in nodes {
            let at = info.seconds_at(graph.node(crate::NodeId(n)).boundary);
            writeln!(sink, "    n{n} [tooltip=\"{at:.3} s\"];")?;
        }
        writeln!(sink, "  }}")?;
    }
    for edge in graph.edges() {
        let (from, to, seconds) = (graph.from(edge).0, graph.to(edge).0, graph.seconds(edge));
        let tip = quoted(&format!("{} {seconds:.3} s", names(graph, edge)));
        match graph.transition(edge) {
            Some(t) => writeln!(
                sink,
                "  n{from} -> n{to} [style=dashed, tooltip={tip}, label=\"{:.1} cm\"];",
                t.distance_cm()
            )?,
            None => writeln!(sink, "  n{from} -> n{to} [tooltip={tip}, weight=10];")?,
        }
    }
    writeln!(sink, "}}")
}

/// Writes the graph as GraphML: clip and time per node; kind, labels, seconds and distance per edge.
///
/// # Errors
/// What the sink says.
pub fn write_graphml(graph: &MotionGraph, sink: &mut dyn Write) -> io::Result<()> {
    writeln!(
        sink,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
    )?;
    for (id, on, kind) in [
        ("clip", "node", "string"),
        ("time_s", "node", "double"),
        ("kind", "edge", "string"),
        ("labels", "edge", "string"),
        ("seconds", "edge", "double"),
        ("distance_cm", "edge", "double"),
    ] {
        writeln!(
            sink,
            "  <key id=\"{id}\" for=\"{on}\" attr.name=\"{id}\" attr.type=\"{kind}\"/>"
        )?;
    }
    writeln!(sink, "  <graph id=\"gaitway\" edgedefault=\"directed\">")?;
    for node in graph.nodes() {
        let at = graph.node(node);
        let info = graph.clip_info(at.clip);
        let (clip, time) = (escaped(info.name()), info.seconds_at(at.boundary));
        writeln!(
            sink,
            "    <node id=\"n{}\"><data key=\"clip\">{clip}</data><data key=\"time_s\">{time}</data></node>",
            node.0
        )?;
    }
    for edge in graph.edges() {
        let (from, to) = (graph.from(edge).0, graph.to(edge).0);
        let labels = escaped(&names(graph, edge));
        let transition = graph.transition(edge);
        let kind = if transition.is_some() {
            "transition"
        } else {
            "clip"
        };
        write!(
            sink,
            "    <edge id=\"e{}\" source=\"n{from}\" target=\"n{to}\"><data key=\"kind\">{kind}</data>",
            edge.0
        )?;
        write!(
            sink,
            "<data key=\"labels\">{labels}</data><data key=\"seconds\">{}</data>",
            graph.seconds(edge)
        )?;
        if let Some(t) = transition {
            write!(sink, "<data key=\"distance_cm\">{}</data>", t.distance_cm())?;
        }
        writeln!(sink, "</edge>")?;
    }
    writeln!(sink, "  </graph>\n</graphml>")
}

fn names(graph: &MotionGraph, edge: EdgeId) -> String {
    graph.labels.names_of(graph.edge_labels(edge)).join(" ")
}

/// A DOT string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// XML text. Characters XML cannot hold become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
