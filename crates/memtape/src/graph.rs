//! The commits of all branches as a picture: a Mermaid `gitGraph`, or a timeline in plain text.
//!
//! **Invariant.** Both pictures are functions of a [`Graph`], which contains only what the audience sees.

mod mermaid;
mod timeline;

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape_core::{Audience, Branch, MAIN};
use memtape_index::{CommitQuestion, LoggedCommit, Reader};
use memtape_tape::EntryId;

use crate::error::Result;
use crate::log::{message, short};
use crate::workspace::{At, Workspace, conversation_of};

/// The default number of commits in a picture.
pub const GRAPH_COMMITS: usize = 50;

/// The content of a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The branches: main first, and each branch after its parent.
    pub branches: Vec<Branch>,
    /// The commits in the order of the tape.
    pub nodes: Vec<Node>,
    /// Whether there are commits before the first one.
    pub is_cut: bool,
}

/// A commit in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The last entry of its group.
    pub entry: EntryId,
    /// The commit id of document 1, if it has one.
    pub id: Option<String>,
    /// The branch of the commit.
    pub branch: String,
    /// The date when it was appended.
    pub date: Timestamp,
    /// Its message in one line.
    pub message: String,
    /// The branch that it merged.
    pub merges: Option<String>,
    /// The last entry of the commit that it picked.
    pub picks: Option<EntryId>,
    /// Whether it reverses another commit.
    pub takes_back: bool,
}

impl Node {
    /// Returns the name of the commit for people.
    fn name(&self) -> String {
        self.id.as_deref().map_or_else(|| format!("@{}", self.entry), |id| short(id).to_owned())
    }
}

impl Graph {
    /// Renders a Mermaid `gitGraph`, without a code fence.
    #[must_use]
    pub fn mermaid(&self) -> String {
        mermaid::draw(self)
    }

    /// Renders one line per commit, newest first, with one column per branch. Times are printed in a zone.
    #[must_use]
    pub fn timeline(&self, zone: &TimeZone) -> String {
        timeline::draw(self, zone)
    }
}

impl Workspace {
    /// Returns the last `limit` commits of all branches up to a point, as far as an audience sees them.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store) if `at` does not exist or the index cannot be read.
    pub fn graph(&self, audience: &Audience, limit: usize, at: &At) -> Result<Graph> {
        let question = CommitQuestion {
            audience: audience.clone(),
            limit: Some(limit.saturating_add(1)),
            changes: Some(1),
            everywhere: true,
            ..CommitQuestion::default()
        };
        self.read(at, audience, &conversation_of(audience), |reader, point| {
            let mut commits = reader.commits(&question, point)?;
            let is_cut = commits.len() > limit;
            commits.truncate(limit);
            let mut nodes: Vec<_> = commits.iter().rev().map(node).collect();
            for node in &mut nodes {
                let source = node.merges.take();
                node.merges = source.map(|source| reader.branch_called(&source, node.entry)).transpose()?;
            }
            let branches = branches(reader, audience, &nodes, point.entry())?;
            Ok(Graph { branches, nodes, is_cut })
        })
    }
}

fn node(commit: &LoggedCommit) -> Node {
    let metadata = commit.anchor.as_ref().map(|anchor| anchor.metadata.clone()).unwrap_or_default();
    Node {
        entry: commit.entry,
        id: commit.id.clone(),
        branch: commit.branch.clone(),
        date: commit.date,
        message: message(commit),
        takes_back: metadata.reverses().is_some(),
        picks: metadata.picks,
        merges: metadata.merge.map(|merge| merge.source),
    }
}

/// Returns the branches of a picture: those with a commit in it, those that are not deleted and whose fork
/// the audience sees, and their parents.
fn branches(
    reader: &Reader<'_>,
    audience: &Audience,
    nodes: &[Node],
    until: EntryId,
) -> memtape_index::Result<Vec<Branch>> {
    let mut all: Vec<Branch> =
        reader.branches()?.iter().filter(|branch| branch.exists_at(until)).cloned().collect();
    let mut shown: BTreeSet<String> = nodes.iter().map(|node| node.branch.clone()).collect();
    for branch in &all {
        if let Some(created) = branch.created.filter(|_| !branch.is_deleted_at(until))
            && reader.sees(created, audience)?
        {
            shown.insert(branch.name.clone());
        }
    }
    shown.insert(MAIN.to_owned());
    // A fork follows its parent's fork on the tape, so one pass from the last to the first finds all parents.
    for branch in all.iter().rev() {
        if let Some((parent, _)) = branch.parent.as_ref().filter(|_| shown.contains(&branch.name)) {
            shown.insert(parent.clone());
        }
    }
    all.retain(|branch| shown.contains(&branch.name));
    all.sort_by_key(|branch| (branch.name != MAIN, branch.created));
    Ok(all)
}

#[cfg(test)]
mod tests;
