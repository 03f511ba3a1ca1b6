//! The cost of a conversation's prompt, which must not depend on the number of memories of other
//! conversations.

use std::io::Cursor;

use memtape::{At, Config, Durability, Inbound, Ingester, Options, Prompting, Session, Workspace};

use crate::write::words;
use crate::{Failure, Series, ratio};

/// Number of messages of the conversation itself, in each workspace.
const OWN: u64 = 200;
const ASKED: usize = 30;
/// Number of memories in the smaller workspace.
const FEW: u64 = 1000;

pub(crate) fn run(memories: u64) -> Result<(), Failure> {
    let (few, many) = (asked(FEW)?, asked(memories)?);
    few.print(&format!("the prompt beside {FEW} memories"));
    many.print(&format!("the prompt beside {memories} memories"));
    ratio(&format!("at {memories} / at {FEW}"), many.percentile(50), few.percentile(50), 3.0);
    Ok(())
}

/// Measures the prompt in a workspace with this number of memories, most of them of other chats.
fn asked(memories: u64) -> Result<Series, Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let mut config = Config { durability: Durability::Os, ..Config::default() };
    config.recall.backend = memtape::Backend::SqliteFts;
    let workspace = Workspace::init(dir.path(), Options { config, ..Options::default() })?;
    let session = |n: u64| Session::parse(&format!("telegram:{n}")).map_err(memtape::Error::from);
    let mut ingested = String::new();
    for n in 0..memories {
        let chat = if n < OWN { 0 } else { 1 + n % 500 };
        let line =
            serde_json::json!({"role": "user", "content": words(n), "session": format!("telegram:{chat}")});
        ingested.push_str(&format!("{line}\n"));
    }
    Ingester::new(&workspace, session(1)?).run(Cursor::new(ingested), |_| ())?;
    let conversation = workspace.conversation(session(0)?);
    let mut series = Series::default();
    for n in 0..ASKED {
        let inbound = Inbound::new(&words(n as u64));
        series.time(|| conversation.prompt(&inbound, &Prompting::default(), &At::head()))?;
    }
    Ok(series)
}
