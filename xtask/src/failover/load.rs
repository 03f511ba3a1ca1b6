//! Processes that write to the upstream, each with a replica of its own.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::run::Result;

/// How long a write tries to reach the upstream: longer than any failover.
const UPSTREAM_WAIT_SECONDS: u32 = 180;
/// How long a writer may take to go on.
const RESUME_WAIT: Duration = Duration::from_secs(200);

/// What a writer does after a failover.
pub(super) enum Resumed {
    /// It goes on: the time of its first acknowledged write.
    At(Instant),
    /// It ended, with this message.
    Ended(String),
}

/// A process that records one message after the other.
pub(super) struct Writer {
    /// The directory of its replica.
    pub(super) dir: PathBuf,
    process: Child,
    /// The messages that were acknowledged, with the times.
    acknowledged: Arc<Mutex<Vec<(Instant, String)>>>,
    output: Option<JoinHandle<()>>,
    errors: Option<JoinHandle<String>>,
}

impl Writer {
    /// Starts a writer.
    pub(super) fn start(program: &Path, dir: &Path, name: &str, url: &str) -> Result<Self> {
        // It ends with this program.
        let mut process = Command::new("setpriv")
            .args(["--pdeathsig=KILL", "--"])
            .arg(program)
            .env("MEMTAPE_UPSTREAM", url)
            .env("MEMTAPE_UPSTREAM_WAIT_SECONDS", UPSTREAM_WAIT_SECONDS.to_string())
            .arg(dir)
            .args([name, "say", &u32::MAX.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("the writer could not be started: {e}"))?;
        let acknowledged: Arc<Mutex<Vec<_>>> = Arc::default();
        let (out, errors) = (process.stdout.take(), process.stderr.take());
        let list = Arc::clone(&acknowledged);
        let output = thread::spawn(move || {
            for line in
                out.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(std::io::Result::ok)
            {
                list.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), line));
            }
        });
        let errors = thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut errors) = errors {
                // Whatever was read counts.
                let _ = errors.read_to_string(&mut text);
            }
            text.trim_end().to_owned()
        });
        let (output, errors) = (Some(output), Some(errors));
        Ok(Self { dir: dir.to_owned(), process, acknowledged, output, errors })
    }

    /// Returns the number of acknowledged messages.
    pub(super) fn count(&self) -> usize {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Waits until more than `count` messages are acknowledged, or the writer ends.
    pub(super) fn wait_beyond(&mut self, count: usize) -> Result<Resumed> {
        let start = Instant::now();
        loop {
            let at = self
                .acknowledged
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get(count)
                .map(|(at, _)| *at);
            if let Some(at) = at {
                return Ok(Resumed::At(at));
            }
            if self.process.try_wait().is_ok_and(|status| status.is_some()) {
                let errors = self.errors.take().and_then(|errors| errors.join().ok());
                return Ok(Resumed::Ended(errors.unwrap_or_default()));
            }
            if start.elapsed() > RESUME_WAIT {
                return Err(format!("the writer in {} does not go on", self.dir.display()));
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills the writer if it still runs, and returns the messages that were acknowledged.
    pub(super) fn stop(&mut self) -> Vec<String> {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(output) = self.output.take() {
            let _ = output.join();
        }
        let mut list = self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *list).into_iter().map(|(_, message)| message).collect()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}
