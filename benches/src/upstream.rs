//! The cost of an upstream in PostgreSQL, beside the same rows without memtape, and beside a workspace without one.
//!
//! The server runs on this machine with the settings of a new installation: it syncs each commit.

use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, thread};

use memtape::{
    At, Audience, Backend, Config, Durability, Ingester, Message, Options, Recall, Session, SystemClock,
    Upstream, Workspace,
};
use memtape_tape::writer::Encoder;
use memtape_tape::{Draft, FileStorage, Kind, Position, Salt, Storage as _};
use memtape_testkit::postgres::Server;
use memtape_upstream::{Appended, Freshness, Head, Replica};
use serde_json::json;
use tokio::runtime::Runtime;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls};

use crate::write::words;
use crate::{Failure, Series, at_most, ratio};

/// Number of appends of each kind.
const APPENDS: u64 = 2000;
/// The orders of the three kinds.
const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
/// Number of messages that are asked for memories, and of questions.
const MESSAGES: u64 = 5000;
const QUESTIONS: u64 = 500;
/// Size of the lines that one request fetches, as of a replica.
const PAGE_BYTES: usize = 4 << 20;
/// Number of times that a replica is made.
const REPLICAS: usize = 3;
/// Numbers of workspaces that are compared, and of threads that write to them.
const FEW: usize = 10;
const MANY: usize = 10_000;
const THREADS: usize = 4;
/// Number of requests of a kind to few and to many workspaces in one round, and of rounds.
const ROUND: usize = 2500;
const ROUNDS: usize = 8;

pub(crate) fn run(entries: u64) -> Result<(), Failure> {
    let server = Server::start(&[]);
    let bare = Bare::connect(&server)?;
    appends(&server, &bare)?;
    recalls(&server, &bare)?;
    catching_up(&server, entries)?;
    many(&server)
}

/// A client of the same database that knows nothing of memtape.
struct Bare {
    runtime: Runtime,
    client: Client,
}

impl Bare {
    /// Connects, and creates a table like that of the entries.
    fn connect(server: &Server) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let config = format!("host=127.0.0.1 port={} user=memtape dbname=postgres", server.port());
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&config, NoTls).await?;
            tokio::spawn(connection);
            let table = "CREATE TABLE bare (workspace text COLLATE \"C\", id bigint, line text, PRIMARY KEY (workspace, id))";
            client.batch_execute(table).await?;
            Ok::<_, tokio_postgres::Error>(client)
        })?;
        Ok(Self { runtime, client })
    }

    /// Inserts a row in a transaction of its own, in one round trip.
    fn insert(&self, id: u64, line: &str) -> Result<(), Failure> {
        let id = i64::try_from(id)?;
        let sql = "INSERT INTO bare (workspace, id, line) VALUES ($1, $2, $3)";
        self.ask(sql, &[(&"bench", Type::TEXT), (&id, Type::INT8), (&line, Type::TEXT)])
    }

    /// Asks for the head of a tape: one round trip.
    fn head(&self, workspace: &str) -> Result<(), Failure> {
        let sql = "SELECT head_id, head_hash FROM memtape.tapes WHERE workspace = $1";
        self.ask(sql, &[(&workspace, Type::TEXT)])
    }

    fn ask(&self, sql: &str, parameters: &[(&(dyn ToSql + Sync), Type)]) -> Result<(), Failure> {
        self.runtime.block_on(self.client.query_typed(sql, parameters))?;
        Ok(())
    }
}

/// Compares an append with an insertion of the same row, and a whole write with both.
fn appends(server: &Server, bare: &Bare) -> Result<(), Failure> {
    let tape = created(server, "appends")?;
    let dir = tempfile::tempdir_in(".")?;
    let workspace = replica(server, "writes", dir.path())?;
    let session = Session::parse("bench:chat").map_err(memtape::Error::from)?;
    let conversation = workspace.conversation(session.clone());
    // As a replica, it does not sync what it writes on this machine.
    let local_dir = tempfile::tempdir_in(".")?;
    let config = Config { durability: Durability::Os, ..Config::default() };
    let local = Workspace::init(local_dir.path(), Options { config, ..Options::default() })?;
    let local = local.conversation(session);
    let [mut inserts, mut appends, mut writes, mut locals]: [Series; 4] = Default::default();
    let mut head = Head::EMPTY;
    for n in 0..APPENDS {
        let content = words(n);
        let (lines, end) = group(head, &content)?;
        let line = std::str::from_utf8(&lines)?.trim_end();
        let message = Message::new("user", content);
        // In every order: what is synced soon after something else takes longer.
        for which in ORDERS[usize::try_from(n)? % ORDERS.len()] {
            match which {
                0 => inserts.time(|| bare.insert(end.id, line))?,
                1 => match appends.time(|| tape.append(head, &lines, b""))? {
                    Appended::Done => {}
                    Appended::Moved => return Err("another writer is faster".into()),
                },
                _ => drop(writes.time(|| conversation.say(&message))?),
            }
        }
        locals.time(|| local.say(&message))?;
        head = end;
    }
    println!("{APPENDS} groups of one entry of about {} bytes", group(head, &words(0))?.0.len());
    inserts.print("a bare transaction that inserts the row");
    appends.print("append to the upstream");
    writes.print("a whole write: follow, append, index");
    locals.print("a write without an upstream, not synced");
    ratio("append / bare transaction, p50", appends.percentile(50), inserts.percentile(50), 1.3);
    let parts = locals.percentile(50) + appends.percentile(50);
    ratio("whole write / local write and append, p50", writes.percentile(50), parts, 1.5);
    Ok(())
}

/// Compares a recall that asks the upstream first with one in the same workspace without an upstream.
fn recalls(server: &Server, bare: &Bare) -> Result<(), Failure> {
    let (local_dir, dir) = (tempfile::tempdir_in(".")?, tempfile::tempdir_in(".")?);
    let filled = fill(local_dir.path(), MESSAGES)?;
    let url = server.url("recalls");
    let upstream = memtape_remote::open(&url)?;
    fs::copy(local_dir.path().join("tape.jsonl"), dir.path().join("tape.jsonl"))?;
    Workspace::open(dir.path(), Options::default())?.push(upstream.as_ref())?;
    let following = Workspace::open(dir.path(), Options { upstream: Some(upstream), ..Options::default() })?;
    let (mut trips, mut local, mut latest) = (Series::default(), Series::default(), Series::default());
    for n in 0..QUESTIONS {
        let query = words(n * 50 + 7).split(' ').take(5).collect::<Vec<_>>().join(" ");
        let audience = Audience::of_chat(&Session::parse("bench:7").map_err(memtape::Error::from)?);
        let recall = Recall { backend: Some(Backend::SqliteFts), audience, ..Recall::new(&query) };
        trips.time(|| bare.head("recalls"))?;
        local.time(|| filled.recall(&recall, &At::head()))?;
        latest.time(|| following.recall(&recall, &At::head()))?;
    }
    println!("\n{QUESTIONS} recalls by words among {MESSAGES} messages");
    trips.print("a round trip: the head by its key");
    local.print("recall without an upstream");
    latest.print("recall that asks the upstream first");
    let more = latest.percentile(50).saturating_sub(local.percentile(50));
    ratio("what the upstream adds / round trip, p50", more, trips.percentile(50), 1.3);
    Ok(())
}

/// Measures how fast an empty replica becomes a whole one, and compares it with an index that is built from a tape that
/// is there.
fn catching_up(server: &Server, entries: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let filled = fill(dir.path(), entries)?;
    let upstream = memtape_remote::open(&server.url("cold"))?;
    let start = Instant::now();
    let count = filled.push(upstream.as_ref())?;
    let pushed = start.elapsed();
    let tape = dir.path().join("tape.jsonl");
    let bytes = fs::metadata(&tape)?.len();
    let (mut followed, mut replicas, mut rebuilt) = (Series::default(), Series::default(), Series::default());
    let mut index = 0;
    for _ in 0..REPLICAS {
        let dir = tempfile::tempdir_in(".")?;
        followed.time(|| follow(Arc::clone(&upstream), dir.path()))?;
        let dir = tempfile::tempdir_in(".")?;
        replicas.time(|| replica_of(Arc::clone(&upstream), dir.path()))?;
        index = fs::metadata(dir.path().join("memory.db"))?.len();
        let dir = tempfile::tempdir_in(".")?;
        fs::copy(&tape, dir.path().join("tape.jsonl"))?;
        let workspace = Workspace::open(dir.path(), Options::default())?;
        rebuilt.time(|| workspace.status(&At::head()))?;
    }
    println!(
        "\n{count} entries of {} bytes, pushed at {:.0} a second",
        bytes / count,
        per_second(count, pushed)
    );
    println!("on disk: {} bytes of tape and {} of index for each entry", bytes / count, index / count);
    followed.print("a replica: fetched, checked, kept");
    replicas.print("the same with its index");
    rebuilt.print("an index of a tape that is there");
    println!(
        "{:.0} entries a second, with the index {:.0}",
        per_second(count, followed.percentile(50)),
        per_second(count, replicas.percentile(50))
    );
    let micros = followed.percentile(50).as_secs_f64() * 1e6 / count as f64;
    at_most("a cold replica, for each entry", micros, 20.0, " µs");
    ratio(
        "a cold replica with its index / the index alone",
        replicas.percentile(50),
        rebuilt.percentile(50),
        1.5,
    );
    Ok(())
}

/// Makes the tape of a replica, without a workspace.
fn follow(upstream: Arc<dyn Upstream>, dir: &Path) -> Result<(), Failure> {
    let local = FileStorage::new(dir);
    local.create()?;
    let replica = Replica::new(dir, Arc::new(local), upstream, Freshness::Latest, Duration::ZERO);
    match replica.refresh(Duration::ZERO)?.not_followed {
        None => Ok(()),
        Some(why) => Err(why.into()),
    }
}

/// Compares requests to many workspaces, each one after the other, with requests to few.
fn many(server: &Server) -> Result<(), Failure> {
    let _ = server.sql(&format!(
        "INSERT INTO memtape.tapes (workspace) SELECT 'many/' || n FROM generate_series(0, {}) AS n",
        MANY + FEW - 1
    ));
    let mut many = (0..MANY + FEW)
        .map(|n| Ok(Mutex::new((memtape_remote::open(&server.url(&format!("many%2F{n}")))?, Head::EMPTY))))
        .collect::<Result<Vec<Tape>, Failure>>()?;
    let few = many.split_off(MANY);
    let mut appends: [Series; 2] = Default::default();
    let mut fetches: [Series; 2] = Default::default();
    let mut took = [Duration::ZERO; 2];
    for round in 0..ROUNDS {
        for (which, tapes) in [&few, &many].into_iter().enumerate() {
            let start = Instant::now();
            appends[which].0.extend(round_robin(tapes, round, append)?);
            took[0] += start.elapsed();
            let start = Instant::now();
            fetches[which].0.extend(round_robin(tapes, round, fetch_nothing)?);
            took[1] += start.elapsed();
        }
    }
    println!("\n{THREADS} threads, {} requests of each kind to each number of workspaces", ROUNDS * ROUND);
    for (what, [on_few, on_many]) in [("an append", &appends), ("a fetch of nothing new", &fetches)] {
        on_few.print(&format!("{what}, one of {FEW} workspaces"));
        on_many.print(&format!("{what}, one of {MANY} workspaces"));
    }
    let all = u64::try_from(2 * ROUNDS * ROUND)?;
    println!("{:.0} appends and {:.0} fetches a second", per_second(all, took[0]), per_second(all, took[1]));
    for (what, [on_few, on_many]) in [("append", &appends), ("fetch", &fetches)] {
        let what = format!("{what}: one of {MANY} workspaces / one of {FEW}, p50");
        ratio(&what, on_many.percentile(50), on_few.percentile(50), 1.2);
    }
    Ok(())
}

/// A tape, and its head.
type Tape = Mutex<(Arc<dyn Upstream>, Head)>;

/// Appends a group.
fn append((tape, head): &mut (Arc<dyn Upstream>, Head), n: usize) -> Result<Duration, Failure> {
    let (lines, last) = group(*head, &words(n as u64))?;
    let start = Instant::now();
    let appended = tape.append(*head, &lines, b"")?;
    let took = start.elapsed();
    *head = if appended == Appended::Done { last } else { return Err("another writer is faster".into()) };
    Ok(took)
}

/// Asks for what follows the head.
fn fetch_nothing((tape, head): &mut (Arc<dyn Upstream>, Head), _: usize) -> Result<Duration, Failure> {
    let start = Instant::now();
    let fetched = tape.fetch(head.id, PAGE_BYTES)?;
    let took = start.elapsed();
    if fetched.lines.is_empty() { Ok(took) } else { Err("another writer is faster".into()) }
}

/// A request on a tape whose head is known, with its number. Returns how long it took.
type Request = fn(&mut (Arc<dyn Upstream>, Head), usize) -> Result<Duration, Failure>;

/// Sends requests from several threads, each to the next tape. Returns how long each took.
fn round_robin(tapes: &[Tape], round: usize, request: Request) -> Result<Vec<Duration>, Failure> {
    let next = AtomicUsize::new(round * ROUND);
    let work = || -> Result<Vec<Duration>, String> {
        let mut took = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= (round + 1) * ROUND {
                return Ok(took);
            }
            let mut tape = tapes[n % tapes.len()].lock().map_err(|e| e.to_string())?;
            took.push(request(&mut tape, n).map_err(|e| e.to_string())?);
        }
    };
    let all = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        let joined =
            threads.into_iter().map(|thread| thread.join().map_err(|_| "a writer panicked".to_owned())?);
        joined.collect::<Result<Vec<_>, String>>()
    })?;
    Ok(all.concat())
}

fn created(server: &Server, name: &str) -> Result<Arc<dyn Upstream>, Failure> {
    let upstream = memtape_remote::open(&server.url(name))?;
    upstream.create()?;
    Ok(upstream)
}

fn replica(server: &Server, name: &str, dir: &Path) -> Result<Workspace, Failure> {
    replica_of(created(server, name)?, dir)
}

fn replica_of(upstream: Arc<dyn Upstream>, dir: &Path) -> Result<Workspace, Failure> {
    Ok(Workspace::replica(dir, Options { upstream: Some(upstream), ..Options::default() })?)
}

/// Fills a workspace without an upstream with messages of 50 conversations.
fn fill(dir: &Path, messages: u64) -> Result<Workspace, Failure> {
    let workspace = Workspace::init(dir, Options::default())?;
    let mut lines = String::new();
    for n in 0..messages {
        let line = json!({"role": "user", "content": words(n), "session": format!("bench:{}", n % 50)});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    Ingester::new(&workspace, Session::direct()).run(Cursor::new(lines), |_| ())?;
    Ok(workspace)
}

/// Returns a group of one message after an entry, and the head after it.
fn group(after: Head, content: &str) -> Result<(Vec<u8>, Head), Failure> {
    let payload = json!({"role": "user", "content": content});
    let meta = json!({"session": "bench:chat", "origin": "user"});
    let draft = Draft::new(Kind::Message, &payload, &meta, "main")?;
    let position = Position { last_id: after.id, last_hash: after.hash, ..Position::START };
    let mut encoder = Encoder::after(position);
    encoder.set_date(memtape::Clock::now(&SystemClock));
    let mut salt = || Salt::new(u128::from(after.id).to_le_bytes());
    let mut lines = Vec::new();
    let group = encoder.encode_group(vec![draft], &mut salt, &mut lines)?;
    Ok((lines, Head { id: group.end.last_id, hash: group.end.last_hash }))
}

fn per_second(count: u64, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}
