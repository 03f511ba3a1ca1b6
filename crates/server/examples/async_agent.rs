//! An agent on tokio: the library is synchronous, so its calls run on blocking threads.
//!
//! `cargo run -p memtape-server --example async_agent`

use std::sync::Arc;
use std::time::Duration;

use memtape::{Inbound, Options, Reply, Session, Workspace};
use tokio::task::spawn_blocking;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let workspace = Arc::new(Workspace::init(directory.path(), Options::default())?);
    let session = Session::parse("example:1")?;
    for text in ["I prefer tea in the morning", "what do I drink?"] {
        // The first half of a turn records the message and recalls. It holds nothing while the model runs.
        let (shared, chat) = (Arc::clone(&workspace), session.clone());
        let turn = spawn_blocking(move || shared.conversation(chat).begin(&Inbound::new(text))).await??;
        let reply = model(turn.briefing().memory).await;
        println!("{text}\n  {reply}");
        let (shared, chat) = (Arc::clone(&workspace), session.clone());
        spawn_blocking(move || shared.conversation(chat).end(turn, &Reply::new(&reply))).await??;
    }
    Ok(())
}

/// Simulates a request to a model.
async fn model(memory: &str) -> String {
    tokio::time::sleep(Duration::from_millis(10)).await;
    match memory.lines().find(|line| line.starts_with("- ")) {
        Some(line) => format!("I remember {line}"),
        None => "Noted.".to_owned(),
    }
}
