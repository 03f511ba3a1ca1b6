//! `cargo xtask failover`: what survives when the primary of a cluster is killed under load.
//!
//! Three writers, each with a replica of its own, write to two nodes of PostgreSQL that Patroni manages. The primary is
//! killed again and again. With synchronous replication no acknowledged write may be lost, the writers must go on by
//! themselves, and every replica must end as the same tape. With asynchronous replication writes can be lost: then a
//! replica that has them must say so, and never go on as if nothing had happened.

mod cluster;
mod load;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::memtape::Memtape;
use crate::run::Result;
use cluster::{Cluster, Mode};
use load::{Resumed, Writer};

/// The name of the workspace.
const WORKSPACE: &str = "failover";
/// Number of writers.
const WRITERS: usize = 3;
/// How often the primary is killed in each mode if nothing else is asked for.
const KILLS: u64 = 20;
/// The least time between two kills while the cluster is whole; each further kill adds up to as much again.
const LOAD: Duration = Duration::from_millis(1500);
/// How long the processes of a killed node may take to be gone. Nothing that is acknowledged later was in flight.
const SETTLE: Duration = Duration::from_millis(200);
/// What a replica reports if the upstream lost its last entry.
const DIVERGED: &str = "does not have";

/// Runs the trial in both modes.
pub(crate) fn run(kills: Option<u64>) -> Result<()> {
    for program in ["patroni", "etcd", "setpriv"] {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if !std::env::split_paths(&path).any(|dir| dir.join(program).is_file()) {
            return Err(format!(
                "{program} is missing: apt-get install patroni etcd-server postgresql util-linux"
            ));
        }
    }
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder cannot be made: {e}"))?;
    let memtape = Memtape::build(&scratch.path().join("home"))?;
    let writer = memtape.beside("memtape-testkit", "memtape-testkit-writer")?;
    for mode in [Mode::Synchronous, Mode::Asynchronous] {
        println!("== {mode:?} replication");
        let dir = scratch.path().join(format!("{mode:?}"));
        let cluster = Cluster::start(mode)?;
        let mut trial = Trial::start(mode, cluster, &memtape, &writer, &dir)?;
        let done = trial.kill_all(kills.unwrap_or(KILLS));
        done.map_err(|why| format!("{why}\n{}", trial.cluster.log()))?;
        trial.finish()?;
    }
    Ok(())
}

/// The trial in one mode.
struct Trial<'t> {
    mode: Mode,
    cluster: Cluster,
    memtape: &'t Memtape,
    program: &'t Path,
    dir: &'t Path,
    url: String,
    writers: Vec<Writer>,
    /// Number of replicas that were made, by which they are named.
    replicas: usize,
    /// The messages that were acknowledged by writers that have ended.
    acknowledged: Vec<String>,
    /// How long it took until every writer went on, for each kill.
    resumed: Vec<Duration>,
    /// Number of writers that ended because the upstream lost what they had.
    diverged: usize,
}

impl<'t> Trial<'t> {
    fn start(
        mode: Mode,
        cluster: Cluster,
        memtape: &'t Memtape,
        program: &'t Path,
        dir: &'t Path,
    ) -> Result<Self> {
        let url = cluster.url(WORKSPACE);
        let origin = dir.join("origin");
        fs::create_dir_all(&origin).map_err(|e| format!("cannot create {}: {e}", origin.display()))?;
        memtape.run(&origin, &["init"])?;
        memtape.run(&origin, &["push", &url])?;
        let mut trial = Self {
            mode,
            cluster,
            memtape,
            program,
            dir,
            url,
            writers: Vec::new(),
            replicas: 0,
            acknowledged: Vec::new(),
            resumed: Vec::new(),
            diverged: 0,
        };
        for _ in 0..WRITERS {
            let writer = trial.start_writer()?;
            trial.writers.push(writer);
        }
        Ok(trial)
    }

    /// Clones the workspace and starts a writer on the new replica.
    fn start_writer(&mut self) -> Result<Writer> {
        self.replicas += 1;
        let name = format!("writer{}", self.replicas);
        let dir = self.dir.join(&name);
        let into = dir.to_string_lossy();
        self.memtape.run(self.dir, &["clone", &self.url, &into])?;
        Writer::start(self.program, &dir, &name, &self.url)
    }

    fn kill_all(&mut self, kills: u64) -> Result<()> {
        for n in 0..kills {
            let leader = self.cluster.wait_until_whole()?;
            // At another moment of the work each time, the same in every run.
            thread::sleep(LOAD + LOAD * u32::try_from(n * 7 % 10).unwrap_or_default() / 10);
            let with_patroni = n % 2 == 1;
            self.cluster.kill(leader, with_patroni)?;
            let killed = Instant::now();
            thread::sleep(SETTLE);
            let resumed = self.wait_for_writers(killed)?;
            self.cluster.start_patroni(leader)?;
            let what = if with_patroni { "PostgreSQL and Patroni" } else { "PostgreSQL" };
            let after = resumed
                .map_or("never: all were replaced".into(), |after| format!("{:.1} s", after.as_secs_f64()));
            println!("kill {:>2}: {what} of node{leader}: the writers went on after {after}", n + 1);
            self.resumed.extend(resumed);
        }
        Ok(())
    }

    /// Waits until every writer has gone on since the primary was killed, and returns how long that took. A writer whose
    /// replica has what the cluster lost is replaced.
    fn wait_for_writers(&mut self, killed: Instant) -> Result<Option<Duration>> {
        let counts: Vec<usize> = self.writers.iter().map(Writer::count).collect();
        let mut longest = None;
        for (n, count) in counts.into_iter().enumerate() {
            match self.writers[n].wait_beyond(count)? {
                Resumed::At(at) => longest = longest.max(Some(at.duration_since(killed))),
                Resumed::Ended(why) if self.mode == Mode::Asynchronous && why.contains(DIVERGED) => {
                    println!("writer {n} ended: {why}");
                    self.diverged += 1;
                    self.acknowledged.extend(self.writers[n].stop());
                    self.writers[n] = self.start_writer()?;
                }
                Resumed::Ended(why) => return Err(format!("a writer ended: {why}")),
            }
        }
        Ok(longest)
    }

    /// Stops the writers, and compares everything that was acknowledged with the upstream and the replicas.
    fn finish(mut self) -> Result<()> {
        self.cluster.wait_until_whole()?;
        let mut acknowledged = std::mem::take(&mut self.acknowledged);
        let mut replicas = Vec::new();
        for writer in &mut self.writers {
            acknowledged.extend(writer.stop());
            replicas.push(writer.dir.clone());
        }
        // What the writers sent before they were stopped may still be carried out.
        let active =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'memtape' AND state = 'active'";
        while self.cluster.query(active)?.trim() != "0" {
            thread::sleep(SETTLE);
        }
        let sql = format!("SELECT line FROM memtape.entries WHERE workspace = '{WORKSPACE}' ORDER BY id");
        let upstream = self.cluster.query(&sql)?;
        for replica in &replicas {
            self.memtape.run(replica, &["status"])?;
            self.memtape.run(replica, &["verify"])?;
            let tape = tape(replica)?;
            if tape != upstream {
                let [has, should] = [&tape, &upstream].map(|tape| tape.lines().count());
                return Err(format!(
                    "{} has {has} entries that are not the {should} of the upstream",
                    replica.display()
                ));
            }
        }
        let messages = messages(&upstream);
        let times = |message: &String| messages.get(message).copied().unwrap_or_default();
        let lost = acknowledged.iter().filter(|message| times(message) == 0).count();
        let doubled = messages.values().filter(|times| **times > 1).count();
        self.resumed.sort_unstable();
        let seconds = |at: usize| self.resumed.get(at).map_or(0.0, Duration::as_secs_f64);
        println!(
            "{} entries on the upstream; {WRITERS} replicas are equal to it, byte for byte",
            upstream.lines().count()
        );
        println!("{} groups acknowledged, {lost} of them lost, {doubled} written twice", acknowledged.len());
        if self.diverged > 0 {
            println!("{} writers ended because their replica has what the cluster lost", self.diverged);
        }
        println!(
            "until the writers went on: min {:.1} s, median {:.1} s, max {:.1} s",
            seconds(0),
            seconds(self.resumed.len() / 2),
            seconds(self.resumed.len().saturating_sub(1))
        );
        match (self.mode, lost, doubled) {
            (Mode::Synchronous, 0, 0) | (Mode::Asynchronous, _, 0) => Ok(()),
            _ => Err("acknowledged groups were lost, or written twice".into()),
        }
    }
}

/// Returns the tape of a replica. The load is too small for a second segment.
fn tape(replica: &Path) -> Result<String> {
    let file: PathBuf = replica.join("tape.jsonl");
    fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))
}

/// Counts the messages on a tape.
fn messages(tape: &str) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for line in tape.lines() {
        let entry: Value = serde_json::from_str(line).unwrap_or_default();
        if let Some(content) = entry["payload"]["content"].as_str() {
            *counts.entry(content.to_owned()).or_default() += 1;
        }
    }
    counts
}
