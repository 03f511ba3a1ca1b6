//! Renders a graph as a Mermaid `gitGraph`.
//!
//! **Invariant.** Mermaid accepts the diagram. What its grammar or its rules do not allow (merging a branch
//! with the same head, a cherry-pick from the same branch, a duplicate id) is drawn as a plain commit with a
//! tag. For this the drawing tracks the state that Mermaid has after each line.

use std::collections::{BTreeMap, BTreeSet};

use memtape_core::{Branch, MAIN};
use memtape_tape::EntryId;

use super::{Graph, Node};

/// The first commit of a diagram whose first commit is not main's, because a branch must start from a commit.
const BEGINNING: &str = "@0: start of the tape";
/// The first commit of a diagram without the earlier commits.
const EARLIER: &str = "@0: earlier commits";

/// Words that Mermaid reserves in place of a branch name.
const RESERVED: [&str; 16] = [
    "branch",
    "checkout",
    "switch",
    "commit",
    "merge",
    "cherry-pick",
    "id",
    "tag",
    "type",
    "order",
    "msg",
    "parent",
    "LR",
    "TB",
    "BT",
    "title",
];

/// Renders a graph.
pub(super) fn draw(graph: &Graph) -> String {
    let mut drawing = Drawing::new(graph);
    drawing.begin();
    for node in &graph.nodes {
        drawing.node(node);
    }
    drawing.lines.join("\n") + "\n"
}

/// A diagram in progress, with Mermaid's state.
struct Drawing<'a> {
    graph: &'a Graph,
    lines: Vec<String>,
    /// The branch that is checked out.
    current: &'a str,
    /// The last commit of each created branch by its id, with the branch of that commit; `None` before the
    /// first commit.
    heads: BTreeMap<&'a str, Option<(String, &'a str)>>,
    ids: BTreeSet<String>,
    /// The ids of commits that can be picked.
    pickable: BTreeMap<EntryId, (String, &'a str)>,
}

impl<'a> Drawing<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            lines: vec!["gitGraph".to_owned()],
            current: MAIN,
            heads: BTreeMap::from([(MAIN, None)]),
            ids: BTreeSet::new(),
            pickable: BTreeMap::new(),
        }
    }

    fn line(&mut self, line: &str) {
        self.lines.push(format!("    {line}"));
    }

    /// Adds a first commit to main if a branch forks before main's first commit.
    fn begin(&mut self) {
        let first = self.next_on(MAIN, 0);
        let is_first = self.graph.nodes.first().is_some_and(|node| node.branch == MAIN);
        let is_forked_before = self.children(MAIN, 0, first).next().is_some();
        if self.graph.is_cut || !is_first || is_forked_before {
            let label = if self.graph.is_cut { EARLIER } else { BEGINNING };
            self.commit(label.to_owned(), "");
            self.fork(MAIN, 0, first);
        }
    }

    /// Returns the entry of the first commit on a branch after an entry.
    fn next_on(&self, branch: &str, after: EntryId) -> EntryId {
        let next = self.graph.nodes.iter().find(|node| node.branch == branch && node.entry > after);
        next.map_or(EntryId::MAX, |node| node.entry)
    }

    /// Returns the branches forked from a branch at an entry in this range. A branch without a parent in the
    /// graph is forked from main's beginning.
    fn children(
        &self,
        parent: &str,
        from: EntryId,
        before: EntryId,
    ) -> impl Iterator<Item = &'a Branch> + use<'a> {
        let graph = self.graph;
        let parent = parent.to_owned();
        graph.branches.iter().filter(move |branch| {
            let is_drawn = |name: &str| graph.branches.iter().any(|other| other.name == name);
            let (of, at) = match &branch.parent {
                Some((of, at)) if is_drawn(of) => (of.as_str(), *at),
                _ => (MAIN, 0),
            };
            branch.name != MAIN && of == parent && (from..before).contains(&at)
        })
    }

    /// Creates the branches that fork at the current commit of a branch, and those forked from them before
    /// their first commit.
    fn fork(&mut self, parent: &'a str, from: EntryId, before: EntryId) {
        for child in self.children(parent, from, before) {
            if self.heads.contains_key(child.name.as_str()) {
                continue;
            }
            self.checkout(parent);
            self.line(&format!("branch {}", quoted(&child.name)));
            let head = self.heads.get(parent).cloned().flatten();
            self.heads.insert(&child.name, head);
            self.current = &child.name;
            let first = self.next_on(&child.name, 0);
            self.fork(&child.name, 0, first);
        }
    }

    fn checkout(&mut self, branch: &'a str) {
        if self.current != branch {
            self.line(&format!("checkout {}", quoted(branch)));
            self.current = branch;
        }
    }

    fn node(&mut self, node: &'a Node) {
        if !self.heads.contains_key(node.branch.as_str()) {
            // Only a damaged tape has a branch that no fork leads to.
            self.checkout(MAIN);
            self.line(&format!("branch {}", quoted(&node.branch)));
            let head = self.heads.get(MAIN).cloned().flatten();
            self.heads.insert(&node.branch, head);
            self.current = &node.branch;
        }
        self.checkout(&node.branch);
        let label = self.label(node);
        match (&node.merges, node.picks) {
            (Some(source), _) if self.can_merge(source) => self.merge(source, label),
            (Some(source), _) => self.commit(label, &format!(" tag: {}", text(&format!("merge {source}")))),
            (None, Some(picked)) => self.pick(picked, label),
            (None, None) => {
                let kind = if node.takes_back { " type: REVERSE" } else { "" };
                self.commit(label.clone(), kind);
                self.pickable.insert(node.entry, (label, &node.branch));
            }
        }
        let next = self.next_on(&node.branch, node.entry);
        self.fork(&node.branch, node.entry, next);
    }

    /// Returns the id of a commit in the diagram: its name and message. Ids are unique.
    fn label(&self, node: &Node) -> String {
        let label = plain(&format!("{}: {}", node.name(), node.message));
        match self.ids.contains(&label) {
            true => plain(&format!("@{}: {}", node.entry, node.message)),
            false => label,
        }
    }

    fn commit(&mut self, label: String, attributes: &str) {
        self.line(&format!("commit id: {}{attributes}", text(&label)));
        self.stand_at(label);
    }

    fn stand_at(&mut self, label: String) {
        self.ids.insert(label.clone());
        self.heads.insert(self.current, Some((label, self.current)));
    }

    /// Returns whether Mermaid accepts a merge: both branches have a commit, the commits differ, and the
    /// current branch is not at a commit of the source, as it is directly after its fork.
    fn can_merge(&self, source: &str) -> bool {
        let head = |branch: &str| self.heads.get(branch).and_then(Option::as_ref);
        source != self.current
            && match (head(source), head(self.current)) {
                (Some((theirs, _)), Some((ours, on))) => theirs != ours && *on != source,
                _ => false,
            }
    }

    fn merge(&mut self, source: &str, label: String) {
        self.line(&format!("merge {} id: {}", quoted(source), text(&label)));
        self.stand_at(label);
    }

    fn pick(&mut self, picked: EntryId, label: String) {
        let has_head = self.heads.get(self.current).is_some_and(Option::is_some);
        match self.pickable.get(&picked) {
            Some((source, branch)) if *branch != self.current && has_head => {
                let line = format!("cherry-pick id: {} tag: {}", text(source), text(&label));
                self.line(&line);
                // Mermaid chooses the id of this commit, so nothing can refer to it.
                self.heads.insert(self.current, Some((format!("picked: {label}"), self.current)));
            }
            _ => self.commit(label, &format!(" tag: {}", text(&format!("cherry-pick @{picked}")))),
        }
    }
}

/// Returns the name of a branch, in quotes unless it is a plain word.
fn quoted(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.ends_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        && !RESERVED.contains(&name);
    if is_plain { name.to_owned() } else { text(name) }
}

/// Returns a text in quotation marks.
fn text(plain_text: &str) -> String {
    format!("\"{}\"", plain(plain_text))
}

/// Replaces the characters of a text that would end it or that Mermaid interprets: quotation marks,
/// backslashes, tags, entities, comments, line breaks.
fn plain(text: &str) -> String {
    let instead = |c: char| match c {
        '"' => '\'',
        '\\' => '/',
        '<' => '‹',
        '>' => '›',
        '#' => '＃',
        '%' => '％',
        '{' => '(',
        '}' => ')',
        c if c.is_control() || c == '\u{feff}' => ' ',
        c => c,
    };
    text.chars().map(instead).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}
