//! Renders a graph as a timeline in plain text: one line per commit, newest first, and one column per branch.
//!
//! `*` marks the branch of the commit, `|` a branch that continues, `.` the last commit of a merged branch,
//! `'` a fork.

use std::fmt::Write as _;

use jiff::tz::TimeZone;
use memtape_core::{Branch, MAIN};

use super::{Graph, Node};
use crate::log::one_line;

/// The content of a row.
enum Event<'a> {
    Fork(&'a Branch),
    Commit(&'a Node),
}

/// Renders a graph.
pub(super) fn draw(graph: &Graph, zone: &TimeZone) -> String {
    let events = events(graph);
    let spans: Vec<_> = graph.branches.iter().map(|branch| span(branch, &events)).collect();
    let mut out = String::new();
    for (n, event) in events.iter().enumerate().rev() {
        let (row, text) = match event {
            Event::Commit(node) => (commit(graph, &spans, n, node), described(node, zone)),
            Event::Fork(branch) => (fork(graph, &spans, n, branch), forked(graph, branch)),
        };
        let row: String = row.into_iter().collect();
        let _ = writeln!(out, "{row}  {text}");
    }
    if graph.is_cut {
        out.push_str("… earlier commits: memtape graph -n N\n");
    }
    out
}

/// Returns the events in the order of the tape. Those before the first commit of a cut graph are left out.
fn events(graph: &Graph) -> Vec<Event<'_>> {
    let since = graph.nodes.first().filter(|_| graph.is_cut).map_or(0, |node| node.entry);
    let forks = graph.branches.iter().filter_map(|branch| {
        let created = branch.created.filter(|created| *created >= since)?;
        Some((created, Event::Fork(branch)))
    });
    let commits = graph.nodes.iter().map(|node| (node.entry, Event::Commit(node)));
    let mut events: Vec<_> = forks.chain(commits).collect();
    events.sort_by_key(|(entry, _)| *entry);
    events.into_iter().map(|(_, event)| event).collect()
}

/// Returns the first and last row in which a branch is drawn; `None` if it is not shown.
fn span(branch: &Branch, events: &[Event<'_>]) -> Option<(usize, usize)> {
    let name = &branch.name;
    let is_part = |event: &Event<'_>| match event {
        Event::Fork(child) => {
            child.name == *name || child.parent.as_ref().is_some_and(|(parent, _)| parent == name)
        }
        Event::Commit(node) => node.branch == *name || node.merges.as_ref() == Some(name),
    };
    let last = events.iter().rposition(is_part)?;
    let own = |event: &Event<'_>| matches!(event, Event::Fork(child) if child.name == *name);
    let first = match name == MAIN {
        true => 0,
        false => events.iter().position(own).unwrap_or(0),
    };
    Some((first, last))
}

/// Returns the columns of a row without its event.
fn columns(graph: &Graph, spans: &[Option<(usize, usize)>], row: usize) -> Vec<char> {
    let mut columns = vec![' '; (2 * graph.branches.len()).saturating_sub(1)];
    for (n, span) in spans.iter().enumerate() {
        if span.is_some_and(|(first, last)| (first..=last).contains(&row)) {
            columns[2 * n] = '|';
        }
    }
    columns
}

fn column(graph: &Graph, name: &str) -> Option<usize> {
    graph.branches.iter().position(|branch| branch.name == name).map(|n| 2 * n)
}

/// Connects two columns by a line that crosses the columns between them.
fn join(row: &mut [char], one: usize, other: usize) {
    for cell in &mut row[one.min(other) + 1..one.max(other)] {
        *cell = if matches!(cell, '|' | '+') { '+' } else { '-' };
    }
}

fn commit(graph: &Graph, spans: &[Option<(usize, usize)>], n: usize, node: &Node) -> Vec<char> {
    let mut row = columns(graph, spans, n);
    let Some(own) = column(graph, &node.branch) else { return row };
    let source = node.merges.as_deref().and_then(|source| column(graph, source));
    if let Some(source) = source.filter(|source| *source != own) {
        let goes_on = spans[source / 2].is_some_and(|(_, last)| last > n);
        join(&mut row, own, source);
        row[source] = if goes_on { '+' } else { '.' };
    }
    row[own] = '*';
    row
}

fn fork(graph: &Graph, spans: &[Option<(usize, usize)>], n: usize, branch: &Branch) -> Vec<char> {
    let mut row = columns(graph, spans, n);
    let parent = branch.parent.as_ref().and_then(|(parent, _)| column(graph, parent));
    if let (Some(own), Some(parent)) = (column(graph, &branch.name), parent) {
        join(&mut row, own, parent);
        row[own] = '\'';
    }
    row
}

fn described(node: &Node, zone: &TimeZone) -> String {
    let date = zone.to_datetime(node.date).strftime("%Y-%m-%d %H:%M");
    let id = node.id.as_ref().map_or(String::new(), |_| format!("{} ", node.name()));
    format!("{id}@{} ({}) {date} {}", node.entry, node.branch, one_line(&node.message))
}

fn forked(graph: &Graph, branch: &Branch) -> String {
    let from = branch.parent.as_ref().map_or(String::new(), |(parent, at)| {
        // The label with the entry names the parent even if another branch has its name now.
        let found = graph.branches.iter().find(|branch| branch.name == *parent);
        format!(" from {}@{at}", found.map_or(&**parent, Branch::label))
    });
    let persona = branch.persona.as_ref().map_or(String::new(), |persona| format!(": {}", one_line(persona)));
    format!("branch {}{from}{persona}", branch.name)
}
