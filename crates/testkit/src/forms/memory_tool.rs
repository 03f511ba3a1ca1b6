//! The random steps of Anthropic's memory tool: commands on notes, files and directories of both.

use memtape::Workspace;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::clock::TestClock;
use crate::step::Act;

/// The paths that steps use: notes and files that other steps use too, directories, and paths where nothing can
/// be.
const PATHS: [&str; 12] = [
    "/memories/facts/user.md",
    "/memories/episodes/2026-02.md",
    "/memories/research/tea/green.md",
    "/memories/research/tea/black.md",
    "/memories/drafts/plan.md",
    "/memories/Drafts/plan.md",
    "/memories/facts",
    "/memories/research",
    "/memories/research/tea",
    "/memories/drafts",
    "/memories/Drafts",
    "/memories/../facts/user.md",
];

/// A command of the memory tool.
#[derive(Clone, Debug)]
pub struct MemoryToolStep(Value);

/// Returns a strategy for commands of the memory tool.
pub fn steps() -> BoxedStrategy<MemoryToolStep> {
    let path = || proptest::sample::select(&PATHS[..]);
    let command = |name: &str, path: &str| json!({"command": name, "path": path});
    let with = |mut command: Value, fields: &[(&str, Value)]| {
        fields.iter().for_each(|(name, value)| command[*name] = value.clone());
        command
    };
    prop_oneof![
        4 => (path(), text())
            .prop_map(move |(path, text)| with(command("create", path), &[("file_text", text.into())])),
        2 => (path(), line(), text()).prop_map(move |(path, old, new)| {
            with(command("str_replace", path), &[("old_str", old.into()), ("new_str", new.into())])
        }),
        2 => (path(), -1_i64..5, text()).prop_map(move |(path, line, text)| {
            with(command("insert", path), &[("insert_line", line.into()), ("insert_text", text.into())])
        }),
        1 => path().prop_map(move |path| command("delete", path)),
        3 => (path(), path())
            .prop_map(|(from, to)| json!({"command": "rename", "old_path": from, "new_path": to})),
        1 => path().prop_map(move |path| command("view", path)),
    ]
    .prop_map(MemoryToolStep)
    .boxed()
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u8..8).prop_map(|n| format!("- Tea {n}: likes tea number {n}")),
        1 => (0_u8..3).prop_map(|n| format!("## Block {n}")),
        1 => "[a-zA-Z äöü的茶☕#>`-]{0,12}",
    ]
}

/// Returns a strategy for texts, also without lines, without a line end, or with CRLF.
fn text() -> impl Strategy<Value = String> {
    let ends = prop_oneof![3 => Just("\n"), 1 => Just("\r\n")];
    (proptest::collection::vec(line(), 0..4), ends, any::<bool>())
        .prop_map(|(lines, end, is_ended)| lines.join(end) + if is_ended { end } else { "" })
}

impl Act for MemoryToolStep {
    fn run(&self, workspace: &Workspace, _clock: &TestClock) -> memtape::Result<()> {
        crate::refusals::allow_refusals(workspace.tools().memory_tool(self.0.clone()).map(drop))
    }
}
