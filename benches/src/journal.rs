//! The cost of reading the end of the journal on a long tape compared to a short one.

use std::io::Cursor;
use std::path::Path;

use memtape::journal::Question;
use memtape::{At, Audience, Ingester, Options, Session, Workspace};
use serde_json::json;

use crate::write::words;
use crate::{Failure, Series, ratio};

/// Number of entries on the short tape.
const SHORT: u64 = 1000;
/// Number of conversations that the messages are spread over.
const SESSIONS: u64 = 10;
/// Number of times that each question is asked.
const RUNS: usize = 200;

pub(crate) fn run(entries: u64) -> Result<(), Failure> {
    let (short, long) = (tempfile::tempdir_in(".")?, tempfile::tempdir_in(".")?);
    println!("{entries} entries beside {SHORT}, in {SESSIONS} conversations");
    let short = fill(short.path(), SHORT)?;
    let long = fill(long.path(), entries)?;
    let tail = Question { tail: Some(40), ..Question::default() };
    let chat = Session::parse("bench:7")?;
    let rare = Question { types: vec!["decision".into()], ..tail.clone() };
    let owner = Audience::owner();
    for (what, question, audience) in [
        ("the last 40 lines", &tail, &owner),
        ("the last 40 of a conversation", &Question { session: Some(chat.clone()), ..tail.clone() }, &owner),
        ("the last 40 that a chat sees", &tail, &Audience::of_chat(&chat)),
        ("the only lines of a rare type", &rare, &owner),
        ("the last hour", &Question { since: Some(long.since("1h")?), ..tail.clone() }, &owner),
    ] {
        let (mut at_short, mut at_long) = (Series::default(), Series::default());
        for _ in 0..RUNS {
            for (workspace, series) in [(&short, &mut at_short), (&long, &mut at_long)] {
                let journal = workspace.journal().for_audience(audience.clone());
                let lines = series.time(|| journal.lines(question, &At::head()))?;
                if lines.is_empty() {
                    return Err(format!("{what}: there are none").into());
                }
            }
        }
        at_short.print(&format!("{what}, short tape"));
        at_long.print(&format!("{what}, long tape"));
        ratio(&format!("{what}: long / short, p50"), at_long.percentile(50), at_short.percentile(50), 2.0);
    }
    Ok(())
}

fn fill(dir: &Path, entries: u64) -> Result<Workspace, Failure> {
    let workspace = Workspace::init(dir, Options::default())?;
    workspace.journal().add("decision", &json!({"action": "begin"}))?;
    let mut lines = String::new();
    for n in 0..entries {
        let role = if n % 2 == 0 { "user" } else { "assistant" };
        let line = json!({"role": role, "content": words(n), "session": format!("bench:{}", n % SESSIONS)});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    Ingester::new(&workspace, Session::direct()).run(Cursor::new(lines), |_| ())?;
    // Update the index before the measurement.
    workspace.journal().head()?;
    Ok(workspace)
}
