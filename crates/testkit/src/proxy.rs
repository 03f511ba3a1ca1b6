//! A TCP proxy on the loopback address that cuts the connection at a chosen byte.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// The direction in which bytes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server.
    Request,
    /// From the server to the client.
    Answer,
}

/// The moment of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The direction.
    pub direction: Direction,
    /// The number of bytes that pass before it.
    pub after: u64,
    /// Whether later connections work.
    pub heals: bool,
}

/// A proxy before a server on this machine. It runs until the process ends.
pub struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    cut: Mutex<Option<Cut>>,
    /// What the client receives at the cut, before the connection ends.
    last_words: Mutex<Vec<u8>>,
    is_dead: Mutex<bool>,
    requests: AtomicU64,
    answers: AtomicU64,
}

impl Proxy {
    /// Starts a proxy before a port.
    ///
    /// # Panics
    /// If the machine has no free port.
    #[must_use]
    pub fn before(server: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("there is a free port");
        let port = listener.local_addr().expect("it has an address").port();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if *shared.is_dead.lock().expect("no thread panics") {
                    continue;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to, direction) in
                    [(&client, &server, Direction::Request), (&server, &client, Direction::Answer)]
                {
                    let (from, to) = (from.try_clone(), to.try_clone());
                    let (Ok(from), Ok(to)) = (from, to) else { continue };
                    let state = Arc::clone(&shared);
                    thread::spawn(move || copy(from, to, direction, &state));
                }
            }
        });
        Self { port, state }
    }

    /// Returns the port that it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Cuts the connection at a moment, counted from now.
    ///
    /// # Panics
    /// If a thread of the proxy panicked.
    pub fn cut(&self, cut: Cut) {
        self.cut_saying(cut, b"");
    }

    /// Cuts the connection as [`Self::cut`] does, after the client has received some bytes that are not of the server,
    /// as those of a pooler.
    ///
    /// # Panics
    /// If a thread of the proxy panicked.
    pub fn cut_saying(&self, cut: Cut, last_words: &[u8]) {
        *self.state.last_words.lock().expect("no thread panics") = last_words.to_vec();
        self.state.requests.store(0, Ordering::SeqCst);
        self.state.answers.store(0, Ordering::SeqCst);
        *self.state.cut.lock().expect("no thread panics") = Some(cut);
    }

    /// Lets everything pass again, and returns the bytes that passed in each direction.
    ///
    /// # Panics
    /// If a thread of the proxy panicked.
    pub fn heal(&self) -> (u64, u64) {
        *self.state.cut.lock().expect("no thread panics") = None;
        *self.state.is_dead.lock().expect("no thread panics") = false;
        (self.state.requests.load(Ordering::SeqCst), self.state.answers.load(Ordering::SeqCst))
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, direction: Direction, state: &State) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let counter = match direction {
            Direction::Request => &state.requests,
            Direction::Answer => &state.answers,
        };
        let before = counter.fetch_add(read as u64, Ordering::SeqCst);
        let mut cut = state.cut.lock().expect("no thread panics");
        let due = cut.filter(|cut| cut.direction == direction && before + read as u64 > cut.after);
        let passes = due.map_or(read, |cut| usize::try_from(cut.after - before).unwrap_or(0).min(read));
        let is_written = to.write_all(&buffer[..passes]).is_ok();
        if let Some(due) = due {
            if direction == Direction::Answer {
                let _ = to.write_all(&state.last_words.lock().expect("no thread panics"));
            }
            *cut = None;
            *state.is_dead.lock().expect("no thread panics") = !due.heals;
        }
        if due.is_some() || !is_written {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
