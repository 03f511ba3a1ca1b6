//! An upstream in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use memtape_tape::{EntryId, codec};

use crate::error::{Error, Result};
use crate::fetched::Lines;
use crate::upstream::{Appended, Fetched, Head, Upstream, ends};

/// An upstream in memory, for tests and for embedding several workspaces in one process. Its operations can be
/// made to fail.
pub struct MemoryUpstream {
    label: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tape: Option<BTreeMap<EntryId, Vec<u8>>>,
    faults: Vec<Fault>,
}

/// A failure of the next operation of a [`MemoryUpstream`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request does not arrive.
    Request,
    /// The request has its effect, but the answer does not arrive.
    Answer,
}

impl MemoryUpstream {
    /// Returns an upstream without a tape.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { label: format!("memory:{name}"), state: Mutex::default() }
    }

    /// Lets the next operations fail, one for each fault, in order.
    pub fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.state().faults.extend(faults);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an operation, with the next fault if there is one.
    fn call<T>(&self, act: impl FnOnce(&mut Option<BTreeMap<EntryId, Vec<u8>>>) -> T) -> Result<T> {
        let mut state = self.state();
        let fault = match state.faults.is_empty() {
            true => None,
            false => Some(state.faults.remove(0)),
        };
        let upstream = self.label.clone();
        if fault == Some(Fault::Request) {
            return Err(Error::Unreachable { upstream, why: "the request is lost".into() });
        }
        let done = act(&mut state.tape);
        match fault {
            Some(_) => Err(Error::Unknown { upstream, why: "the answer is lost".into() }),
            None => Ok(done),
        }
    }

    fn on_tape<T>(&self, act: impl FnOnce(&mut BTreeMap<EntryId, Vec<u8>>) -> Result<T>) -> Result<T> {
        self.call(|tape| act(tape.as_mut().ok_or_else(|| Error::NoTape { upstream: self.label.clone() })?))?
    }
}

fn head_of(tape: &BTreeMap<EntryId, Vec<u8>>) -> Result<Head> {
    tape.values().next_back().map_or(Ok(Head::EMPTY), |line| Ok(ends(line)?.1))
}

impl Upstream for MemoryUpstream {
    fn label(&self) -> &str {
        &self.label
    }

    fn create(&self) -> Result<bool> {
        self.call(|tape| {
            let is_new = tape.is_none();
            tape.get_or_insert_default();
            is_new
        })
    }

    fn head(&self) -> Result<Head> {
        self.on_tape(|tape| head_of(tape))
    }

    fn fetch(&self, after: EntryId, limit: usize) -> Result<Fetched> {
        self.on_tape(|tape| {
            let mut lines = Vec::new();
            for line in tape.range(after + 1..).map(|(_, line)| line) {
                lines.extend_from_slice(line);
                let ends_group = codec::decode(&line[..line.len() - 1]).is_ok_and(|entry| entry.more == 0);
                if ends_group && lines.len() >= limit {
                    break;
                }
            }
            Ok(Fetched { lines, head: head_of(tape)? })
        })
    }

    fn lines(&self, ids: &[EntryId]) -> Result<Vec<u8>> {
        self.on_tape(|tape| {
            let ids: std::collections::BTreeSet<_> = ids.iter().collect();
            Ok(ids.iter().filter_map(|id| tape.get(id)).flatten().copied().collect())
        })
    }

    fn append(&self, after: Head, lines: &[u8], erased: &[u8]) -> Result<Appended> {
        self.on_tape(|tape| {
            let (_, last) = ends(lines)?;
            if head_of(tape)? != after {
                let is_there =
                    tape.get(&last.id).is_some_and(|line| ends(line).is_ok_and(|(_, at)| at == last));
                return Ok(if is_there { Appended::Done } else { Appended::Moved });
            }
            for line in Lines::of(lines).chain(Lines::of(erased)) {
                let (id, line) = line?;
                tape.insert(id, line.to_vec());
            }
            Ok(Appended::Done)
        })
    }
}
