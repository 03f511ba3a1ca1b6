//! An agent's own tool loop, without MCP: the definitions go to the model, and its calls come back.
//!
//! `cargo run -p memtape --example toolbox`

use memtape::{Error, Options, Session, Surface, Toolset, Workspace};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let workspace = Workspace::init(directory.path(), Options::default())?;
    let tools = workspace.tools().of(&[Toolset::Core]).for_session(Session::parse("example:1")?);

    let definitions: Vec<Value> = tools
        .list()
        .map(
            |tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema()}),
        )
        .collect();
    println!("{} tools for the model", definitions.len());

    // A real agent gets these calls from the model.
    for (name, arguments) in [
        ("memory_save", json!({"content": "Ana is allergic to nuts", "mode": "append"})),
        ("memory_recall", json!({"query": "what is Ana allergic to?"})),
        ("memory_save", json!({"text": "a misspelt argument"})),
    ] {
        match tools.call(name, arguments) {
            Ok(reply) => println!("{name}: {reply}"),
            Err(e) => println!("{name} failed: {}", for_model(&e)),
        }
    }
    Ok(())
}

/// Returns the text of an error for the model.
fn for_model(error: &Error) -> String {
    match error.hint(Surface::Tools) {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    }
}
