//! A cluster on the loopback address: etcd, and two nodes of PostgreSQL that Patroni manages.
//!
//! PostgreSQL refuses to run as root: then all of it runs as the user `postgres`. However this program ends, the
//! cluster ends with it, and its directory is removed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::run::{Result, succeed};

/// How long the cluster may take to be whole.
const READY_WAIT: Duration = Duration::from_secs(180);
/// How long a request to Patroni may take.
const REQUEST_WAIT: Duration = Duration::from_secs(3);
/// How long the leader's key in etcd outlives the leader, in seconds.
const TTL: u32 = 10;

/// Stops PostgreSQL and removes the directory when its standard input closes. A file with a process id may be older
/// than another process of that id.
const CLEANER: &str = r#"
cat >/dev/null
for file in "$0"/node*/data/postmaster.pid; do
    pid=$(head -n 1 "$file" 2>/dev/null) || continue
    grep -q "$0" "/proc/$pid/cmdline" 2>/dev/null && kill -QUIT "$pid"
    while grep -q "$0" "/proc/$pid/cmdline" 2>/dev/null; do sleep 0.1; done
done
rm -rf "$0"
"#;

/// Whether a commit waits for the standby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Synchronous,
    Asynchronous,
}

/// A process that is killed when it is dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Node {
    dir: PathBuf,
    postgres_port: u16,
    patroni_port: u16,
    patroni: Option<Daemon>,
}

/// A running cluster.
pub(super) struct Cluster {
    mode: Mode,
    programs: PathBuf,
    nodes: [Node; 2],
    _etcd: Daemon,
    cleaner: Child,
}

impl Cluster {
    /// Starts a cluster, and waits until it is whole.
    pub(super) fn start(mode: Mode) -> Result<Self> {
        let programs = postgres_programs()?;
        let dir = tempfile::Builder::new().prefix("memtape-failover-").tempdir();
        // The cleaner removes it.
        let dir = dir.map_err(|e| format!("a temporary folder cannot be made: {e}"))?.keep();
        if is_root() {
            succeed(Command::new("chown").arg("postgres").arg(&dir))?;
        }
        let cleaner = unprivileged("/bin/sh", &[])
            .args(["-c", CLEANER])
            .arg(&dir)
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|e| format!("a program could not be started: {e}"))?;
        let etcd_port = free_port()?;
        let etcd = start_etcd(&dir, etcd_port)?;
        let ports = [free_port()?, free_port()?, free_port()?, free_port()?];
        let node = |n: usize| Node {
            dir: dir.join(format!("node{n}")),
            postgres_port: ports[n],
            patroni_port: ports[n + 2],
            patroni: None,
        };
        let mut cluster = Self { mode, programs, nodes: [node(0), node(1)], _etcd: etcd, cleaner };
        for n in 0..2 {
            cluster.configure(n, etcd_port)?;
            cluster.start_patroni(n)?;
        }
        cluster.wait_until_whole().map_err(|why| format!("{why}\n{}", cluster.log()))?;
        Ok(cluster)
    }

    /// Returns the address of a workspace on whichever node accepts writes.
    pub(super) fn url(&self, workspace: &str) -> String {
        let [one, two] = self.nodes.each_ref().map(|node| node.postgres_port);
        format!(
            "postgres://postgres@127.0.0.1:{one},127.0.0.1:{two}/postgres?target_session_attrs=read-write&workspace={workspace}"
        )
    }

    /// Waits until one node leads, and the other one follows it and could take over. Returns the leader.
    pub(super) fn wait_until_whole(&self) -> Result<usize> {
        let start = Instant::now();
        loop {
            let roles = self.roles();
            if let Some(leader) = [0, 1].into_iter().find(|leader| self.is_whole(*leader, &roles)) {
                return Ok(leader);
            }
            if start.elapsed() > READY_WAIT {
                return Err(format!("the cluster is not whole: {roles:?}"));
            }
            thread::sleep(Duration::from_millis(200));
        }
    }

    fn is_whole(&self, leader: usize, roles: &BTreeMap<String, String>) -> bool {
        let has = |n: usize, role: &str| roles.get(&format!("node{n}")).is_some_and(|known| known == role);
        let follower = match self.mode {
            Mode::Synchronous => "sync_standby",
            Mode::Asynchronous => "replica",
        };
        // What Patroni reports is up to a second old: a standby may be starting again.
        let streams =
            "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND replay_lsn IS NOT NULL";
        has(leader, "leader")
            && has(1 - leader, follower)
            && self.query_on(leader, streams).is_ok_and(|count| count == "1\n")
            && self
                .query_on(1 - leader, "SELECT pg_is_in_recovery()")
                .is_ok_and(|is_standby| is_standby == "t\n")
    }

    /// Kills the processes of PostgreSQL on a node, and its Patroni first if `with_patroni` is set.
    pub(super) fn kill(&mut self, n: usize, with_patroni: bool) -> Result<()> {
        let node = &mut self.nodes[n];
        if with_patroni {
            node.patroni = None;
        }
        let file = node.dir.join("data/postmaster.pid");
        let text = fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let postmaster: u32 = text
            .lines()
            .next()
            .and_then(|pid| pid.parse().ok())
            .ok_or_else(|| format!("{} names no process", file.display()))?;
        // The first one first: otherwise it would restart the others.
        let pids = std::iter::once(postmaster).chain(children(postmaster));
        // A child may have ended meanwhile.
        let kill = "kill -9 \"$@\" 2>/dev/null || true";
        succeed(Command::new("sh").args(["-c", kill, "sh"]).args(pids.map(|pid| pid.to_string()))).map(drop)
    }

    /// Starts a node's Patroni if it was killed.
    pub(super) fn start_patroni(&mut self, n: usize) -> Result<()> {
        let node = &mut self.nodes[n];
        if node.patroni.is_none() {
            let config = node.dir.join("patroni.json");
            node.patroni = Some(daemon(
                unprivileged("patroni", &["--pdeathsig=KILL"])
                    .arg(config)
                    .env("PATH", path_with(&self.programs)),
                &node.dir.join("log"),
            )?);
        }
        Ok(())
    }

    /// Runs a query on the leader, and returns what it prints.
    pub(super) fn query(&self, sql: &str) -> Result<String> {
        self.query_on(self.wait_until_whole()?, sql)
    }

    fn query_on(&self, n: usize, sql: &str) -> Result<String> {
        let port = self.nodes[n].postgres_port.to_string();
        let arguments =
            ["-h", "127.0.0.1", "-U", "postgres", "-d", "postgres", "-At", "-c", sql, "-p", &port];
        succeed(Command::new(self.programs.join("psql")).args(arguments))
    }

    /// Returns the role of each member that runs, as the first Patroni that answers knows it.
    fn roles(&self) -> BTreeMap<String, String> {
        let answer = self.nodes.iter().find_map(|node| get(node.patroni_port, "/cluster"));
        let members = answer.as_ref().and_then(|answer| answer["members"].as_array());
        let is_running =
            |member: &&Value| ["running", "streaming"].map(Value::from).contains(&member["state"]);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let members = members.into_iter().flatten().filter(is_running);
        members.map(|member| (text(&member["name"]), text(&member["role"]))).collect()
    }

    /// Writes the configuration of a node's Patroni. The shared part is that of the first node to start.
    fn configure(&self, n: usize, etcd_port: u16) -> Result<()> {
        let Node { dir, postgres_port, patroni_port, .. } = &self.nodes[n];
        let postgres_address = format!("127.0.0.1:{postgres_port}");
        let patroni_address = format!("127.0.0.1:{patroni_port}");
        let role = |name: &str| json!({"username": name, "password": name});
        let config = json!({
            "scope": "memtape",
            "name": format!("node{n}"),
            "restapi": {"listen": patroni_address, "connect_address": patroni_address},
            "etcd3": {"host": format!("127.0.0.1:{etcd_port}")},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL,
                    "loop_wait": 1,
                    "retry_timeout": 3,
                    // The standby takes over at once, instead of waiting for the recovery of the leader.
                    "primary_start_timeout": 0,
                    "synchronous_mode": self.mode == Mode::Synchronous,
                    "postgresql": {"use_pg_rewind": true},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}],
            },
            "postgresql": {
                "listen": postgres_address,
                "connect_address": postgres_address,
                "data_dir": dir.join("data"),
                "bin_dir": self.programs,
                "pgpass": dir.join("pgpass"),
                "authentication": {"superuser": role("postgres"), "replication": role("replicator")},
                "parameters": {"unix_socket_directories": dir},
                "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust",
                           "host replication all 127.0.0.1/32 trust"],
                "remove_data_directory_on_rewind_failure": true,
                "remove_data_directory_on_diverged_timelines": true,
            },
        });
        let written =
            fs::create_dir_all(dir).and_then(|()| fs::write(dir.join("patroni.json"), config.to_string()));
        written.map_err(|e| format!("cannot write {}: {e}", dir.display()))?;
        if is_root() {
            succeed(Command::new("chown").args(["-R", "postgres"]).arg(dir))?;
        }
        Ok(())
    }

    /// Returns the last lines that the nodes logged.
    pub(super) fn log(&self) -> String {
        let tail = |node: &Node| {
            let log = fs::read_to_string(node.dir.join("log")).unwrap_or_default();
            let lines: Vec<_> = log.lines().collect();
            lines[lines.len().saturating_sub(30)..].join("\n")
        };
        self.nodes.each_ref().map(tail).join("\n\n")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            node.patroni = None;
        }
        drop(self.cleaner.stdin.take());
        let _ = self.cleaner.wait();
    }
}

fn start_etcd(dir: &Path, port: u16) -> Result<Daemon> {
    let client = format!("http://127.0.0.1:{port}");
    let peer = format!("http://127.0.0.1:{}", free_port()?);
    let mut etcd = unprivileged("etcd", &["--pdeathsig=KILL"]);
    etcd.arg("--data-dir").arg(dir.join("etcd"));
    etcd.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
    etcd.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
    etcd.args(["--initial-cluster", &format!("default={peer}")]);
    daemon(&mut etcd, &dir.join("etcd.log"))
}

/// Returns a command that runs without the rights of root, with further options of `setpriv`.
fn unprivileged(program: &str, options: &[&str]) -> Command {
    let mut command = Command::new("setpriv");
    command.args(options);
    if is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    // Python and etcd look for files of the user.
    command.arg("--").arg(program).current_dir("/").env("HOME", "/nonexistent");
    command
}

/// Starts a program that logs to a file.
fn daemon(command: &mut Command, log: &Path) -> Result<Daemon> {
    let open = || File::options().create(true).append(true).open(log);
    let started = open().and_then(|out| {
        let errors = out.try_clone()?;
        command.stdin(Stdio::null()).stdout(out).stderr(errors).spawn()
    });
    started.map(Daemon).map_err(|e| format!("{:?} could not be started: {e}", command.get_args()))
}

/// Returns the processes that a process started.
fn children(parent: u32) -> Vec<u32> {
    let parent_of = |pid: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, which may contain spaces, is in parentheses.
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

/// Asks a server on the loopback address for JSON.
fn get(port: u16, path: &str) -> Option<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(REQUEST_WAIT)).ok()?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(|e| format!("there is no free port: {e}"))
}

fn is_root() -> bool {
    succeed(Command::new("id").arg("-u")).is_ok_and(|id| id == "0\n")
}

/// Returns the directory of PostgreSQL's programs, of which Debian links only some into the path.
fn postgres_programs() -> Result<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.map(|entry| entry.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = debian.chain(std::env::split_paths(&path));
    all.find(|dir| dir.join("initdb").is_file()).ok_or_else(|| "PostgreSQL is missing".into())
}

fn path_with(dir: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = dir.as_os_str().to_owned();
    all.push(":");
    all.push(path);
    all
}
