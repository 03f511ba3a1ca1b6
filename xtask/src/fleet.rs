//! `cargo xtask fleet`: a simulation of many workspaces in one PostgreSQL, served by several nodes.
//!
//! Each node keeps replicas of the workspaces that it served last. A turn goes to the node that a hash of the workspace
//! names, or, for comparison, to any node. The simulation counts what the nodes ask of PostgreSQL; what a request costs
//! is measured by `memtape-benches upstream` ([`costs`]).
//!
//! It leaves out what depends on time: turns of one workspace never overlap, and every node works.

mod cache;
mod costs;
mod random;

use std::thread;

use crate::run::Result;
use cache::Cache;
use costs::{Asked, ENTRY_BYTES, INDEX_BYTES};
use random::{Popularity, Random};

/// Number of workspaces.
const WORKSPACES: u32 = 1_000_000;
/// Number of turns before the counting begins, which fill the caches, and of those that count.
const WARM_UP: u32 = 1_500_000;
const COUNTED: u32 = 1_500_000;
/// Mean number of turns that a workspace has behind it, by which the sizes of the tapes follow from their popularity.
const PAST_TURNS: f64 = 200.0;
/// What a turn does: it appends the message, recalls, and appends the reply with what was captured.
const APPENDS: u64 = 2;
const RECALLS: u64 = 1;
const ENTRIES: u32 = 5;
/// The rate for which loads are printed, in turns a second.
const RATE: f64 = 1000.0;
const NODES: [u64; 5] = [1, 2, 4, 8, 16];
/// Number of replicas that a node keeps if nothing else is asked for.
const REPLICAS: u64 = 100_000;

/// How turns find a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Routing {
    ByWorkspace,
    AtRandom,
}

/// Simulates every number of nodes with both routings, and prints a table for each.
///
/// `XTASK_FLEET_SEED` is the seed of the random numbers.
pub(crate) fn run(replicas: Option<u64>) -> Result<()> {
    let replicas = replicas.unwrap_or(REPLICAS);
    let seed = std::env::var("XTASK_FLEET_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    if replicas == 0 {
        return Err("a node keeps at least one replica".into());
    }
    let popularity = Popularity::new(WORKSPACES);
    let sizes = sizes(&popularity);
    let entries: u64 = sizes.iter().map(|size| u64::from(*size)).sum();
    println!(
        "{WORKSPACES} workspaces, {:.0} GB of tapes, the largest {:.0} MB, in the mean {:.0} kB; {replicas} replicas on a \
         node, of {:.0} kB in the mean; seed {seed}",
        entries as f64 * ENTRY_BYTES / 1e9,
        f64::from(sizes[0]) * ENTRY_BYTES / 1e6,
        entries as f64 * ENTRY_BYTES / 1e3 / f64::from(WORKSPACES),
        entries as f64 * (ENTRY_BYTES + INDEX_BYTES) / 1e3 / f64::from(WORKSPACES),
    );
    println!("loads are for {RATE} turns a second; one server is the machine of the benches");
    for routing in [Routing::ByWorkspace, Routing::AtRandom] {
        println!("\n{routing:?}");
        println!("  nodes   hits  trips/turn  KB/turn  wait/turn  appends/s  fetches/s  MB/s  server");
        let asked = thread::scope(|scope| {
            let simulate = |nodes| {
                let (popularity, sizes) = (&popularity, sizes.clone());
                scope.spawn(move || simulate(nodes, routing, replicas, seed, popularity, sizes))
            };
            let threads = NODES.map(simulate);
            threads.map(|thread| thread.join().map_err(|_| "a simulation panicked"))
        });
        for (nodes, asked) in NODES.into_iter().zip(asked) {
            println!("{}", row(nodes, &asked?));
        }
    }
    Ok(())
}

/// Returns the number of entries of each workspace at the start.
fn sizes(popularity: &Popularity) -> Vec<u32> {
    let turns = PAST_TURNS * f64::from(WORKSPACES);
    (0..WORKSPACES).map(|n| ENTRIES * (1 + (popularity.share(n) * turns) as u32)).collect()
}

/// Returns what the counted turns ask of PostgreSQL. `tapes` has the number of entries of each workspace.
fn simulate(
    nodes: u64,
    routing: Routing,
    replicas: u64,
    seed: u64,
    popularity: &Popularity,
    mut tapes: Vec<u32>,
) -> Asked {
    let mut random = Random::new(seed);
    let mut caches: Vec<Cache> = (0..nodes).map(|_| Cache::new(replicas)).collect();
    let mut asked = Asked::default();
    for turn in 0..WARM_UP + COUNTED {
        let workspace = popularity.draw(random.unit());
        let node = match routing {
            Routing::ByWorkspace => random::hash(u64::from(workspace)) % nodes,
            Routing::AtRandom => random.next() % nodes,
        };
        let tape = &mut tapes[workspace as usize];
        let behind = *tape;
        *tape += ENTRIES;
        let had = caches[usize::try_from(node).unwrap_or_default()].replace(workspace, *tape);
        if turn >= WARM_UP {
            asked.turns += 1;
            asked.hits += u64::from(had.is_some());
            asked.appends += APPENDS;
            let lacks = behind - had.unwrap_or(0);
            // A write follows the upstream before it appends, and a recall before it answers.
            asked.fetches += APPENDS + RECALLS + costs::pages(lacks);
            asked.entries += u64::from(lacks);
        }
    }
    asked
}

fn row(nodes: u64, asked: &Asked) -> String {
    let turns = asked.turns as f64;
    let each = |count: u64| count as f64 / turns;
    let bytes = each(asked.entries) * ENTRY_BYTES;
    format!(
        "  {nodes:>5} {:>5.1}% {:>11.2} {:>8.1} {:>7.1} ms {:>10.0} {:>10.0} {:>5.1} {:>6.0}%",
        each(asked.hits) * 100.0,
        each(asked.appends + asked.fetches),
        bytes / 1e3,
        asked.wait() * 1e3 / turns,
        each(asked.appends) * RATE,
        each(asked.fetches) * RATE,
        bytes * RATE / 1e6,
        asked.server_time() / turns * RATE * 100.0
    )
}
