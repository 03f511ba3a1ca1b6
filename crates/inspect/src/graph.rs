//! The branches as a picture: commits, forks, merges, and conflicts that are open.

use std::collections::BTreeMap;

use maud::{Markup, html};
use memtape::Result;
use memtape::graph::{Graph, Node};

use crate::page::Page;
use crate::{layout, memory, parts};

/// Maximum number of commits in the picture.
const COMMITS: usize = 60;
/// The height of a row and the width of a column.
const ROW: usize = 34;
const COLUMN: usize = 18;
/// Number of colors of branches.
const COLORS: usize = 6;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    // The picture has all branches, so only the entry of the place matters.
    let graph = page.workspace.graph(&page.audience, COMMITS, &page.at())?;
    let open = page.workspace.open_conflicts(&page.audience, &page.at())?;
    let mut conflicts: BTreeMap<u64, usize> = BTreeMap::new();
    for conflict in open.values().flatten() {
        *conflicts.entry(conflict.commit).or_default() += 1;
    }
    let branches = page.workspace.branches().for_audience(page.audience.clone());
    let branches = branches.in_session(page.viewer.session.clone()).list(&page.at())?;
    let main = html! {
        @if page.place.branch != page.place.current && !page.viewer.is_read_only && page.place.entry.is_none() {
            (memory::switch(page))
        }
        (picture(page, &graph, &conflicts))
        h2 { "Branches" }
        div.scroll tabindex="0" role="region" aria-label="Branches" {
            table {
                thead { tr { th scope="col" { "Branch" } th scope="col" { "Forked from" } th scope="col" { "Persona" } th scope="col" { "Conversations" } } }
                tbody {
                    @for branch in &branches {
                        tr {
                            th scope="row" {
                                a href=(page.link_on(&branch.name, "/memories", &[])) { (branch.name) }
                                @if branch.is_default { " " (parts::label("plain", "default")) }
                                @if branch.name == page.place.current { " " (parts::label("good", "inspector")) }
                            }
                            td { @if let Some((parent, at)) = &branch.parent { (parent) " @" (at) } }
                            td { span.text { (branch.persona.as_deref().unwrap_or_default()) } }
                            td { (branch.sessions.len()) }
                        }
                    }
                }
            }
        }
        p.note { code { "memtape branch create" } ", " code { "memtape merge" } " and " code { "memtape diff" } " work on branches from the command line." }
    };
    Ok(layout::frame(page, "Branches", &main))
}

/// A row of the picture.
enum Row<'a> {
    Commit(&'a Node),
    /// The n-th branch begins.
    Fork(usize),
}

/// Returns the rows, newest first.
fn rows(graph: &Graph) -> Vec<Row<'_>> {
    let since = graph.nodes.first().filter(|_| graph.is_cut).map_or(0, |node| node.entry);
    let commits = graph.nodes.iter().map(|node| (node.entry, Row::Commit(node)));
    let forks =
        graph.branches.iter().enumerate().filter_map(|(n, branch)| {
            Some((branch.created.filter(|created| *created >= since)?, Row::Fork(n)))
        });
    let mut rows: Vec<_> = commits.chain(forks).collect();
    rows.sort_by_key(|(entry, _)| std::cmp::Reverse(*entry));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Where the branches are in the picture.
struct Columns<'a> {
    graph: &'a Graph,
    rows: &'a [Row<'a>],
}

impl Columns<'_> {
    fn of(&self, branch: &str) -> Option<usize> {
        self.graph.branches.iter().position(|known| known.name == branch)
    }

    fn x(&self, column: usize) -> usize {
        12 + column * COLUMN
    }

    fn y(&self, row: usize) -> usize {
        ROW / 2 + row * ROW
    }

    /// Returns the first and the last row in which a branch is drawn.
    fn span(&self, column: usize) -> Option<(usize, usize)> {
        let name = &self.graph.branches[column].name;
        let is_part = |row: &Row<'_>| match row {
            Row::Commit(node) => node.branch == *name || node.merges.as_ref() == Some(name),
            Row::Fork(n) => {
                let fork = &self.graph.branches[*n];
                *n == column || fork.parent.as_ref().is_some_and(|(parent, _)| parent == name)
            }
        };
        let first = self.rows.iter().position(is_part)?;
        let own = self.rows.iter().position(|row| matches!(row, Row::Fork(n) if *n == column));
        let last = match own {
            Some(own) => own,
            None => self.rows.len() - 1,
        };
        Some((first, last))
    }
}

fn picture(page: &Page<'_>, graph: &Graph, conflicts: &BTreeMap<u64, usize>) -> Markup {
    let rows = rows(graph);
    if rows.is_empty() {
        return html! { p.note { "No commits yet." } };
    }
    let columns = Columns { graph, rows: &rows };
    let width = 12 + graph.branches.len() * COLUMN;
    let height = rows.len() * ROW;
    html! {
        div.graph {
            svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
                aria-label="Graph of the commits that are listed beside it" {
                @for column in 0..graph.branches.len() {
                    @if let Some((first, last)) = columns.span(column) {
                        line.{ "branch b" (column % COLORS) } x1=(columns.x(column)) y1=(columns.y(first))
                            x2=(columns.x(column)) y2=(columns.y(last)) {}
                    }
                }
                @for (n, row) in rows.iter().enumerate() {
                    (drawn(&columns, n, row, conflicts))
                }
            }
            ol.commits {
                @for row in &rows {
                    li data-row { (described(page, graph, row, conflicts)) }
                }
            }
        }
        @if graph.is_cut {
            p.note { "Earlier commits are not shown: choose an earlier entry, or " code { "memtape graph -n N" } "." }
        }
    }
}

fn drawn(columns: &Columns<'_>, n: usize, row: &Row<'_>, conflicts: &BTreeMap<u64, usize>) -> Markup {
    let y = columns.y(n);
    let curve = |from: usize, to: usize| {
        let (x1, x2) = (columns.x(from), columns.x(to));
        html! { path.{ "branch b" (from % COLORS) } d={ "M" (x1) " " (y) " L" (x2) " " (y) } {} }
    };
    match row {
        Row::Commit(node) => {
            let own = columns.of(&node.branch).unwrap_or_default();
            let source = node.merges.as_deref().and_then(|source| columns.of(source));
            let class = if conflicts.contains_key(&node.entry) { "conflict" } else { "commit" };
            html! {
                @if let Some(source) = source.filter(|source| *source != own) { (curve(source, own)) }
                circle.{ (class) " b" (own % COLORS) } cx=(columns.x(own)) cy=(y) r=(if source.is_some() { 6 } else { 5 }) {}
            }
        }
        Row::Fork(column) => {
            let parent =
                columns.graph.branches[*column].parent.as_ref().and_then(|(parent, _)| columns.of(parent));
            html! {
                @if let Some(parent) = parent { (curve(*column, parent)) }
                circle.{ "fork b" (column % COLORS) } cx=(columns.x(*column)) cy=(y) r="3" {}
            }
        }
    }
}

fn described(page: &Page<'_>, graph: &Graph, row: &Row<'_>, conflicts: &BTreeMap<u64, usize>) -> Markup {
    match row {
        Row::Commit(node) => html! {
            a.said href=(page.link("/change", &[("entry", &node.entry.to_string())])) { (parts::line(&node.message)) }
            span.where {
                "@" (node.entry) " · " (node.branch) " · " (parts::date(page, node.date))
                @if node.merges.is_some() { " " (parts::label("plain", "merge")) }
                @if node.picks.is_some() { " " (parts::label("plain", "cherry-pick")) }
                @if node.takes_back { " " (parts::label("plain", "taken back")) }
                @if let Some(open) = conflicts.get(&node.entry) {
                    " " a href=(page.link("/review", &[])) { (parts::counted(*open as u64, "open conflict", "open conflicts")) }
                }
            }
        },
        Row::Fork(n) => {
            let branch = &graph.branches[*n];
            html! {
                span.said { "Branch " strong { (branch.name) } @if branch.deleted.is_some() { " (deleted)" } }
                span.where {
                    @if let Some((parent, at)) = &branch.parent { "from " (parent) " @" (at) }
                    @if let Some(persona) = &branch.persona { " · " (parts::line(persona)) }
                }
            }
        }
    }
}
