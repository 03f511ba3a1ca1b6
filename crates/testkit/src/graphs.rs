//! Random graphs of commits, with unusual names, messages and shapes, as a tape (even a damaged one) may
//! contain them.

use memtape::graph::{Graph, Node};
use memtape_core::{Branch, MAIN};
use proptest::prelude::*;
use proptest::sample::Index;

/// Branch names with a meaning in Mermaid or JavaScript, or in other scripts.
const NAMES: [&str; 20] = [
    "coding-assistant",
    "team/ana",
    "commit",
    "merge",
    "branch",
    "checkout",
    "cherry-pick",
    "order",
    "main2",
    "Zürich",
    "写作",
    "v1.2",
    "a_b",
    "x-",
    "tag",
    "LR",
    "__proto__",
    "constructor",
    "type",
    "été/ça",
];

/// Unusual parts of messages.
const ODD: [&str; 16] = [
    "\"",
    "'",
    "\\",
    "%%",
    "%%{init: {}}%%",
    "<b a=\"1\">",
    "</b>",
    "#quot;",
    ";",
    ":",
    "\n",
    "---",
    "}",
    "{",
    "``",
    "\u{202e}",
];

/// A step of a history: its branch, its message and its other effects.
#[derive(Clone, Debug)]
struct Move {
    fork: Option<(Index, Index)>,
    branch: Index,
    message: String,
    merges: Option<Index>,
    picks: Option<Index>,
    takes_back: bool,
    has_id: bool,
    repeats: bool,
}

/// Returns a strategy for random graphs.
pub fn graphs() -> BoxedStrategy<Graph> {
    let moves = proptest::collection::vec(one(), 0..25);
    (moves, any::<bool>(), any::<Index>())
        .prop_map(|(moves, is_cut, first)| {
            let mut graph = build(&moves);
            if is_cut && !graph.nodes.is_empty() {
                graph.nodes.drain(..first.index(graph.nodes.len()));
                graph.is_cut = true;
            }
            graph
        })
        .boxed()
}

fn one() -> impl Strategy<Value = Move> {
    let index = any::<Index>;
    let part =
        prop_oneof![prop::sample::select(ODD.to_vec()).prop_map(str::to_owned), "\\PC{0,8}", "[a-z]{1,8}"];
    let message = proptest::collection::vec(part, 0..5).prop_map(|parts| parts.join(" "));
    (
        proptest::option::weighted(0.3, (index(), index())),
        index(),
        message,
        proptest::option::weighted(0.2, index()),
        proptest::option::weighted(0.15, index()),
        any::<bool>(),
        any::<bool>(),
        proptest::bool::weighted(0.2),
    )
        .prop_map(|(fork, branch, message, merges, picks, takes_back, has_id, repeats)| Move {
            fork,
            branch,
            message,
            merges,
            picks,
            takes_back,
            has_id,
            repeats,
        })
}

fn build(moves: &[Move]) -> Graph {
    let main = Branch { name: MAIN.to_owned(), ..Branch::default() };
    let mut graph = Graph { branches: vec![main], ..Graph::default() };
    for (entry, step) in (1..).map(|n| n * 3).zip(moves) {
        if let Some((parent, name)) = &step.fork {
            let name = *name.get(&NAMES);
            if !graph.branches.iter().any(|branch| branch.name == name) {
                let parent = parent.get(&graph.branches).name.clone();
                let at = step.branch.index(usize::try_from(entry).unwrap_or(1)) as u64;
                let created = Some(entry - 1);
                graph.branches.push(Branch {
                    name: name.to_owned(),
                    parent: Some((parent, at)),
                    created,
                    ..Branch::default()
                });
            }
        }
        let id = format!("{:016x}", entry.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let last = graph.nodes.last().filter(|_| step.repeats).cloned();
        let message = last.as_ref().map_or(step.message.clone(), |last| last.message.clone());
        let picked = step.picks.filter(|_| !graph.nodes.is_empty());
        graph.nodes.push(Node {
            entry,
            id: last.map_or(Some(id).filter(|_| step.has_id), |last| last.id),
            branch: step.branch.get(&graph.branches).name.clone(),
            date: jiff::Timestamp::UNIX_EPOCH,
            message,
            merges: step.merges.map(|source| source.get(&graph.branches).name.clone()),
            picks: picked.map(|picked| picked.get(&graph.nodes).entry),
            takes_back: step.takes_back,
        });
    }
    graph
}
