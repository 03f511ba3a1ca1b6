//! Prints Mermaid diagrams of random graphs as one JSON array of strings, which `cargo xtask conformance`
//! passes to Mermaid.
//!
//! Usage: `memtape-testkit-graphs COUNT` prints COUNT random graphs, always the same ones, and some of random
//! workspaces.

use std::process::ExitCode;

use memtape::{At, Audience};
use memtape_testkit::{Step, TestWorkspace, graphs};
use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// For each group of this many graphs, there is also one random workspace.
const WORKSPACES_EACH: usize = 20;
/// The maximum number of steps in a random workspace.
const STEPS_MAX: usize = 40;

fn main() -> ExitCode {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok());
    match count.ok_or("COUNT".to_owned()).and_then(draw) {
        Ok(diagrams) => {
            println!("{}", serde_json::Value::from(diagrams));
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn draw(count: usize) -> Result<Vec<String>, String> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(proptest::test_runner::Config::default(), rng);
    let mut diagrams = Vec::new();
    for n in 0..count {
        diagrams.push(any(&graphs::graphs(), &mut runner)?.mermaid());
        if n % WORKSPACES_EACH == 0 {
            let test = TestWorkspace::new();
            for step in any(&Step::many(STEPS_MAX), &mut runner)? {
                step.run(&test.workspace, &test.clock).map_err(|e| e.to_string())?;
            }
            for limit in [5, usize::MAX] {
                let graph = test.workspace.graph(&Audience::owner(), limit, &At::head());
                diagrams.push(graph.map_err(|e| e.to_string())?.mermaid());
            }
        }
    }
    Ok(diagrams)
}

fn any<T>(strategy: &impl Strategy<Value = T>, runner: &mut TestRunner) -> Result<T, String> {
    Ok(strategy.new_tree(runner).map_err(|e| e.to_string())?.current())
}
