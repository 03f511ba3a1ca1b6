//! The cost of the faces: a start of the MCP server, the hooks of coding agents, and calls over HTTP by many clients,
//! each as a real process or over a real socket.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use memtape::{Options, Workspace};
use serde_json::{Value, json};

use crate::write::words;
use crate::{Failure, Series, at_most, open, ratio};

/// Number of runs of each program.
const RUNS: usize = 40;
const CLIENTS: u64 = 8;
/// Number of calls over HTTP, over all clients.
const CALLS: u64 = 10_000;
/// Rounds of reading by one client and by all, alternately.
const ROUNDS: u64 = 3;
/// Number of reads of a round, over all clients.
const READS: u64 = 1000;
const MEGABYTES_MAX: f64 = 180.0;

pub(crate) fn run(memories: u64) -> Result<(), Failure> {
    let program = std::env::current_exe()?.with_file_name("memtape");
    if !program.exists() {
        return Err("the memtape program is not there: run `cargo build --release` first".into());
    }
    let (empty, full) = (tempfile::tempdir_in(".")?, tempfile::tempdir_in(".")?);
    drop(Workspace::init(empty.path(), Options::default())?);
    open::fill(full.path(), memories)?;
    let faces = Faces { program, dir: full.path().canonicalize()? };
    faces.start(empty.path())?;
    faces.hooks()?;
    faces.calls()
}

struct Faces {
    program: PathBuf,
    /// The workspace with the memories.
    dir: PathBuf,
}

impl Faces {
    /// Measures the time from the start of the MCP server to its first answer, with all memories and with none.
    fn start(&self, empty: &Path) -> Result<(), Failure> {
        let (mut none, mut all) = (Series::default(), Series::default());
        for _ in 0..RUNS {
            none.time(|| self.first_answer(empty))?;
            all.time(|| self.first_answer(&self.dir))?;
        }
        none.print("mcp: first answer, no memories");
        all.print("mcp: first answer, all memories");
        ratio("first answer of mcp, all memories / none, p50", all.percentile(50), none.percentile(50), 3.0);
        Ok(())
    }

    fn first_answer(&self, dir: &Path) -> Result<(), Failure> {
        let mut command = Command::new(&self.program);
        let command = command.arg("-C").arg(dir).arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = Kill(command.spawn()?);
        let mut input = server.0.stdin.take().ok_or("no standard input")?;
        let mut lines = BufReader::new(server.0.stdout.take().ok_or("no standard output")?).lines();
        let client = json!({"name": "bench", "version": "1"});
        let begin = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let call = json!({"name": "memory_recall", "arguments": {"query": words(7)}});
        for message in [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
        ] {
            writeln!(input, "{message}")?;
        }
        loop {
            let line = lines.next().ok_or("the server ended")??;
            let message: Value = serde_json::from_str(&line)?;
            if message["id"] == 2 {
                return if message["error"].is_null() { Ok(()) } else { Err(line.into()) };
            }
        }
    }

    /// Measures the hooks beside the start of the program.
    fn hooks(&self) -> Result<(), Failure> {
        let mut sync = File::create(self.dir.join("sync.bench"))?;
        let [mut version, mut synced, mut started, mut prompted] = std::array::from_fn(|_| Series::default());
        for n in 0..RUNS {
            version.time(|| self.pipe(&["--version"], ""))?;
            sync.write_all(&[0; 512])?;
            synced.time(|| sync.sync_data())?;
            let cwd = self.dir.display().to_string();
            let input = |event: &str, session: String| {
                let prompt = format!("what did I say about {}?", words(n as u64));
                json!({"hook_event_name": event, "session_id": session, "cwd": cwd, "prompt": prompt})
                    .to_string()
            };
            let start = input("SessionStart", format!("s{n}"));
            started.time(|| self.pipe(&["hook", "SessionStart"], &start))?;
            let prompt = input("UserPromptSubmit", "prompts".into());
            prompted.time(|| self.pipe(&["hook", "UserPromptSubmit"], &prompt))?;
            self.pipe(&["hook", "Stop"], &input("Stop", "prompts".into()))?;
        }
        version.print("memtape --version");
        synced.print("fdatasync of 512 bytes");
        started.print("hook SessionStart");
        prompted.print("hook UserPromptSubmit");
        let base = version.percentile(50);
        ratio("hook SessionStart / --version, p50", started.percentile(50), base, 10.0);
        let prompted = prompted.percentile(50).saturating_sub(synced.percentile(50));
        ratio("hook UserPromptSubmit without its fdatasync / --version, p50", prompted, base, 15.0);
        Ok(())
    }

    fn pipe(&self, arguments: &[&str], input: &str) -> Result<(), Failure> {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(&self.dir).args(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        child.stdin.take().ok_or("no standard input")?.write_all(input.as_bytes())?;
        let output = child.wait_with_output()?;
        // A hook never fails; errors are on standard error.
        match output.status.success() && output.stderr.is_empty() {
            true => Ok(()),
            false => Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }

    /// Measures calls over HTTP by many clients.
    fn calls(&self) -> Result<(), Failure> {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(&self.dir).args(["serve", "--listen", "127.0.0.1:0"]);
        let mut server =
            Kill(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?);
        let mut lines = BufReader::new(server.0.stderr.take().ok_or("no standard error")?).lines();
        let mut line = || -> Result<String, Failure> { Ok(lines.next().ok_or("the server ended")??) };
        let first = line()?;
        let address = first.split("http://").nth(1).and_then(|rest| rest.split(": ").next());
        let address = address.ok_or_else(|| first.clone())?.to_owned();
        let token = line()?.rsplit(' ').next().unwrap_or_default().to_owned();
        thread::spawn(move || lines.for_each(drop));
        let of_kind = |kind: Kind| kind as usize;
        let mut series: [Series; 4] = std::array::from_fn(|_| Series::default());
        thread::scope(|scope| -> Result<(), Failure> {
            let (address, token) = (&address, &token);
            let client = |client: u64| -> Result<Vec<(Kind, Duration)>, String> {
                let mut connection = Connection::open(address, token).map_err(|e| e.to_string())?;
                let calls = (0..CALLS / CLIENTS).map(|n| {
                    let (kind, n) = (Kind::of(n), n * CLIENTS + client);
                    let start = Instant::now();
                    connection.call(kind, n).map_err(|e| e.to_string())?;
                    Ok((kind, start.elapsed()))
                });
                calls.collect()
            };
            let threads: Vec<_> = (0..CLIENTS).map(|n| scope.spawn(move || client(n))).collect();
            for thread in threads {
                for (kind, taken) in thread.join().map_err(|_| "a thread panicked")?? {
                    series[of_kind(kind)].0.push(taken);
                }
            }
            Ok(())
        })?;
        println!("{CALLS} calls by {CLIENTS} clients over HTTP, without an error");
        for kind in Kind::ALL {
            let series = &series[of_kind(kind)];
            series.print(kind.name());
            let what = format!("{}, {CLIENTS} clients, p99 / p50", kind.name());
            ratio(&what, series.percentile(99), series.percentile(50), 10.0);
        }
        let (mut one, mut many) = (0.0, 0.0);
        for _ in 0..ROUNDS {
            one += reads(&address, &token, 1)?;
            many += reads(&address, &token, CLIENTS)?;
        }
        println!("{:.0} reads a second by one client, {:.0} by {CLIENTS}", one / 3.0, many / 3.0);
        at_most("reads a second over HTTP, 1 client / 8 clients", one / many, 1.0 / 1.6, "");
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.0.id()))?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
        let kilobytes: f64 = peak.trim().trim_end_matches(" kB").trim().parse()?;
        at_most("peak resident memory of the server", kilobytes / 1024.0, MEGABYTES_MAX, " MB");
        Ok(())
    }
}

/// Returns the number of recalls per second that `clients` clients finish.
fn reads(address: &str, token: &str, clients: u64) -> Result<f64, Failure> {
    let next = AtomicU64::new(0);
    let start = Instant::now();
    thread::scope(|scope| -> Result<(), Failure> {
        let client = || -> Result<(), String> {
            let mut connection = Connection::open(address, token).map_err(|e| e.to_string())?;
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= READS {
                    return Ok(());
                }
                connection.call(Kind::Recall, n).map_err(|e| e.to_string())?;
            }
        };
        let threads: Vec<_> = (0..clients).map(|_| scope.spawn(client)).collect();
        for thread in threads {
            thread.join().map_err(|_| "a thread panicked")??;
        }
        Ok(())
    })?;
    #[allow(clippy::cast_precision_loss, reason = "a thousand reads")]
    Ok(READS as f64 / start.elapsed().as_secs_f64())
}

/// A kind of call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Recall,
    Show,
    Append,
    Save,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Recall, Self::Show, Self::Append, Self::Save];

    /// Returns the kind of a client's call: of ten, seven read.
    const fn of(n: u64) -> Self {
        match n % 10 {
            0..4 => Self::Recall,
            4..7 => Self::Show,
            7..9 => Self::Append,
            _ => Self::Save,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Recall => "memory_recall",
            Self::Show => "memory_show",
            Self::Append => "memory_daily",
            Self::Save => "memory_save",
        }
    }

    fn arguments(self, n: u64) -> Value {
        match self {
            Self::Recall => json!({"query": words(n).split(' ').take(3).collect::<Vec<_>>().join(" ")}),
            Self::Show => json!({}),
            Self::Append => json!({"content": format!("- {}", words(n))}),
            Self::Save => json!({"content": words(n)}),
        }
    }
}

/// A connection of a client, which is kept open.
struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    token: String,
}

impl Connection {
    fn open(address: &str, token: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), host: address.to_owned(), token: token.to_owned() })
    }

    fn call(&mut self, kind: Kind, n: u64) -> Result<(), Failure> {
        let body = kind.arguments(n).to_string();
        let request = format!(
            "POST /v1/tools/{} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            kind.name(),
            self.host,
            self.token,
            body.len(),
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut status = String::new();
        self.stream.read_line(&mut status)?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        match status.split(' ').nth(1) {
            Some("200") => Ok(()),
            _ => Err(format!("{}: {status}{}", kind.name(), String::from_utf8_lossy(&body)).into()),
        }
    }
}

/// A child process, which ends with this value.
struct Kill(Child);

impl Drop for Kill {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
