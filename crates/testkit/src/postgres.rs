//! A real PostgreSQL server in a temporary directory.
//!
//! It listens on the loopback address, and ends with the process. PostgreSQL refuses to run as root: then it runs as
//! the user `postgres`.

use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

/// What to do without PostgreSQL.
const MISSING: &str = "PostgreSQL is not installed (Debian: apt-get install postgresql)";
/// How long the server may take to start.
const START_WAIT: Duration = Duration::from_secs(60);

/// Starts the server, and ends it when the pipe of its standard input closes: with the test, however that ends.
const SUPERVISOR: &str = r#"
set -e
bin=$0 dir=$1 port=$2
shift 2
"$bin/initdb" --pgdata="$dir/data" --auth=trust --username=memtape --encoding=UTF8 --locale=C --no-sync \
    >"$dir/log" 2>&1
"$bin/postgres" -D "$dir/data" -k "$dir" -p "$port" -c listen_addresses=127.0.0.1 -c max_connections=200 "$@" \
    >>"$dir/log" 2>&1 </dev/null &
server=$!
echo started
cat >/dev/null || true
kill -INT $server 2>/dev/null || true
wait $server || true
rm -rf "$dir"
"#;

/// Settings for tests of anything but a crash of the server.
const FAST: [&str; 2] = ["fsync=off", "full_page_writes=off"];

/// A running PostgreSQL server.
pub struct Server {
    port: u16,
    log: PathBuf,
}

impl Server {
    /// Returns whether PostgreSQL is not installed, so that a test has to be left out; it says so. If
    /// `MEMTAPE_TEST_POSTGRES` is `required`, that is a failure.
    ///
    /// # Panics
    /// If it is required and not installed.
    #[must_use]
    pub fn is_missing() -> bool {
        if found().is_some() {
            return false;
        }
        let is_required = env::var("MEMTAPE_TEST_POSTGRES").is_ok_and(|value| value == "required");
        assert!(!is_required, "{MISSING}");
        eprintln!("left out: {MISSING}");
        true
    }

    /// Returns the server of this process, and starts it if this is the first call.
    ///
    /// # Panics
    /// If PostgreSQL is not installed, or does not start.
    #[must_use]
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(|| Self::start(&FAST))
    }

    /// Starts another server, with settings such as `synchronous_commit=off`. Without any, it is as durable as
    /// PostgreSQL is by default.
    ///
    /// # Panics
    /// As [`Self::shared`].
    #[must_use]
    pub fn start(settings: &[&str]) -> Self {
        let dir = tempfile::Builder::new().prefix("memtape-postgres-").tempdir().expect("a temporary folder");
        // The supervisor removes it.
        let dir = dir.keep();
        let port = free_port();
        let mut command = Command::new("setpriv");
        if is_root() {
            let owned = Command::new("chown").arg("postgres").arg(&dir).status().expect("chown runs");
            assert!(owned.success(), "the user postgres exists");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        }
        let mut supervisor = command
            .args(["/bin/sh", "-c", SUPERVISOR])
            .args([bin().as_os_str(), dir.as_os_str()])
            .arg(port.to_string())
            .args(settings.iter().flat_map(|setting| ["-c", setting]))
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("setpriv runs");
        let server = Self { port, log: dir.join("log") };
        let mut said = String::new();
        let out = supervisor.stdout.take().expect("the output is a pipe");
        BufReader::new(out).read_line(&mut said).expect("the output can be read");
        assert!(said.starts_with("started"), "{}", server.log());
        // The pipe closes when this process ends.
        std::mem::forget(supervisor.stdin.take());
        thread::spawn(move || supervisor.wait());
        let start = Instant::now();
        while !server.is_ready() {
            assert!(start.elapsed() < START_WAIT, "{}", server.log());
            thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Returns the address of a workspace on this server.
    #[must_use]
    pub fn url(&self, workspace: &str) -> String {
        format!("postgres://memtape@127.0.0.1:{}/postgres?workspace={workspace}", self.port)
    }

    /// Returns the address of a workspace for another role.
    #[must_use]
    pub fn url_of(&self, role: &str, workspace: &str) -> String {
        self.url(workspace).replace("memtape@", &format!("{role}@"))
    }

    /// Returns the port that the server listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Runs SQL with `psql`, and returns what it prints.
    ///
    /// # Panics
    /// If the SQL fails.
    #[must_use]
    pub fn sql(&self, sql: &str) -> String {
        let ran = Command::new(bin().join("psql"))
            .args([
                "-h",
                "127.0.0.1",
                "-U",
                "memtape",
                "-d",
                "postgres",
                "-At",
                "-v",
                "ON_ERROR_STOP=1",
                "-c",
                sql,
            ])
            .args(["-p", &self.port.to_string()])
            .output()
            .expect("psql runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).trim().to_owned()
    }

    fn is_ready(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok()
            && Command::new(bin().join("pg_isready"))
                .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()])
                .status()
                .is_ok_and(|status| status.success())
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

/// Returns a port that nobody listens on.
///
/// # Panics
/// If the machine has none.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("there is a free port");
    listener.local_addr().expect("it has an address").port()
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|ran| ran.stdout == b"0\n")
}

/// Returns the directory of PostgreSQL's programs.
fn bin() -> PathBuf {
    found().expect(MISSING)
}

fn found() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.map(|entry| entry.path().join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let has_server = |dir: &PathBuf| Path::new(dir).join("initdb").is_file();
    debian.chain(env::split_paths(&path)).find(has_server)
}
