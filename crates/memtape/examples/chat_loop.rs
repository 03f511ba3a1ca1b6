//! A chat loop: each line of standard input is a message, and a stand-in for a model replies.
//!
//! `cargo run -p memtape --example chat_loop`

use std::io::{self, BufRead as _};

use memtape::{Inbound, Options, Reply, Session, Workspace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let workspace = Workspace::init(directory.path(), Options::default())?;
    let chat = workspace.conversation(Session::parse("example:1")?);
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let turn = chat.turn(&Inbound::new(&line), |briefing| {
            // A real agent sends `briefing.prompt` to a model here. The model's own failure is
            // `memtape::Error::caller(e)`, and leaves the message recorded.
            let reply = match briefing.recalled.first() {
                Some(hit) => format!("You told me: {}", hit.memory.text),
                None => "I see.".to_owned(),
            };
            println!("{reply}");
            Ok(Reply::new(&reply))
        })?;
        for captured in &turn.captured {
            println!("  remembered: {}", captured.text);
        }
    }
    Ok(())
}
