//! The throughput of recalls by one thread and by eight threads of one workspace, while another thread writes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use memtape::{At, Audience, Backend, Ingester, Message, Options, Recall, Session, Workspace};
use serde_json::json;

use crate::write::words;
use crate::{Failure, at_most};

const READERS: u64 = 8;
/// Number of chats that the messages are spread over.
const CHATS: u64 = 50;
/// Rounds of each kind, alternately.
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(1);
/// Two cores can double the throughput; a lock across reads would keep it at 1.
const LEAST_GAIN: f64 = 1.7;

pub(crate) fn run(messages: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let workspace = Workspace::init(dir.path(), Options::default())?;
    let lines: String = (0..messages)
        .map(|n| {
            let session = format!("bench:chat{}", n % CHATS);
            format!("{}\n", json!({"role": "user", "content": words(n), "session": session}))
        })
        .collect();
    Ingester::new(&workspace, Session::direct()).run(lines.as_bytes(), |_| ())?;
    let (mut one, mut many) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(throughput(&workspace, 1)?);
        many.push(throughput(&workspace, READERS)?);
    }
    let (one, many) = (median(one), median(many));
    println!("{messages} messages: {one:.0} recalls a second by one thread, {many:.0} by {READERS}");
    at_most("recalls a second, 1 thread / 8 threads", one / many, 1.0 / LEAST_GAIN, "");
    Ok(())
}

/// Returns the number of recalls per second that `readers` threads finish while one thread writes.
fn throughput(workspace: &Workspace, readers: u64) -> Result<f64, Failure> {
    let is_over = AtomicBool::new(false);
    let finished = AtomicU64::new(0);
    let start = Instant::now();
    let read = |reader: u64| -> Result<(), memtape::Error> {
        let mut n = reader;
        while !is_over.load(Ordering::Relaxed) {
            let audience = Audience::of_chat(&session(n % CHATS)?);
            let query = words(n * 31).split(' ').take(3).collect::<Vec<_>>().join(" ");
            let recall = Recall { backend: Some(Backend::SqliteFts), audience, ..Recall::new(&query) };
            workspace.recall(&recall, &At::head())?;
            finished.fetch_add(1, Ordering::Relaxed);
            n += READERS;
        }
        Ok(())
    };
    let write = || -> Result<(), memtape::Error> {
        let conversation = workspace.conversation(session(0)?);
        let mut n = 0;
        while !is_over.load(Ordering::Relaxed) {
            let content = words(n);
            conversation.say(&Message::new("user", content))?;
            n += 1;
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    };
    thread::scope(|scope| -> Result<(), Failure> {
        let read = &read;
        let mut threads = vec![scope.spawn(write)];
        threads.extend((0..readers).map(|reader| scope.spawn(move || read(reader))));
        thread::sleep(ROUND);
        is_over.store(true, Ordering::Relaxed);
        for thread in threads {
            thread.join().map_err(|_| "a thread panicked")??;
        }
        Ok(())
    })?;
    #[allow(clippy::cast_precision_loss, reason = "a few thousand recalls")]
    Ok(finished.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64())
}

fn session(chat: u64) -> Result<Session, memtape::Error> {
    Ok(Session::parse(&format!("bench:chat{chat}"))?)
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
