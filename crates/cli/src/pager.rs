//! The pager that long output goes through on a terminal.

use std::env;
use std::io::{self, Write as _};
use std::process::{Child, Command, Stdio};

/// The default pager: `less`, printing colors, and exiting if the text fits the screen.
const DEFAULT: &str = "less -FRX";
/// The options of `less` if the environment sets none, so that `PAGER=less` prints colors, too.
const LESS: &str = "FRX";

/// A running pager.
pub(crate) struct Pager(Child);

impl Pager {
    /// Starts the pager; `None` if the environment turns it off or it cannot be started.
    ///
    /// `$MEMTAPE_PAGER` and `$PAGER` name a program and its arguments, separated by spaces. The first that is set
    /// counts, and an empty one turns the pager off.
    pub(crate) fn start() -> Option<Self> {
        let named = ["MEMTAPE_PAGER", "PAGER"].into_iter().find_map(env::var_os);
        let line = named.map_or_else(|| DEFAULT.to_owned(), |named| named.to_string_lossy().into_owned());
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next()?);
        command.args(words).stdin(Stdio::piped());
        if env::var_os("LESS").is_none() {
            command.env("LESS", LESS);
        }
        command.spawn().ok().map(Self)
    }

    /// Passes bytes to the pager.
    ///
    /// # Errors
    /// [`io::ErrorKind::BrokenPipe`] if the reader has quit the pager.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(bytes)
    }

    /// Waits until the reader quits the pager.
    pub(crate) fn finish(mut self) {
        drop(self.0.stdin.take());
        // The output was passed on; how the pager ends changes nothing.
        let _ = self.0.wait();
    }
}
