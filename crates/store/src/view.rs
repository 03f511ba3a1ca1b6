//! Consistent views of the tape, and the connections that they read from.
//!
//! Each view has its own connection, from a small pool, and one read transaction on it. Views wait neither
//! for each other nor for a writer, and no lock is held while a query is answered. Before that, a view may
//! wait for the writer lock: a second at most for a replica to follow its upstream, and as long as a writer to finish an
//! interrupted erasure of a replica, or to replace an index that is damaged or of another tape. Without an upstream, an
//! erasure is finished only if the lock is free.
//!
//! **Invariant.** A view contains everything that was acknowledged before it was taken, and nothing later.

use std::cell::RefCell;
use std::sync::{Arc, PoisonError};

use jiff::Timestamp;
use memtape_index::index::Index;
use memtape_index::{Reader, Unreadable};

use crate::error::Result;
use crate::state::{Seen, State};
use crate::store::Store;
use crate::warning::Warning;

/// Maximum number of idle connections.
const IDLE_MAX: usize = 8;

/// A consistent view of the tape: everything that was acknowledged when it was taken.
pub struct View<'s> {
    store: &'s Store,
    /// `None` only while the view ends.
    index: Option<Index>,
    /// Whether later views may use its connection.
    is_reusable: bool,
    seen: Arc<Seen>,
    /// Whether the writer lock is held, so that `seen` stays true.
    is_locked: bool,
    now: Timestamp,
    /// The entries that could not be read.
    unreadable: RefCell<Vec<Unreadable>>,
}

impl Store {
    /// Takes a view of the tape, which contains everything that was acknowledged before. It occupies one
    /// connection until it is dropped.
    ///
    /// # Errors
    /// [`Error::TapeUnavailable`](crate::Error::TapeUnavailable) if there is no tape any more; [`Error::Tape`](crate::Error::Tape) if it
    /// cannot be read; [`Error::Index`](crate::Error::Index) if SQLite fails, or an index file cannot be created
    /// or replaced.
    pub fn view(&self) -> Result<View<'_>> {
        let mut state = self.take_state();
        if let Some(replica) = &self.replica {
            let followed = replica.refresh(self.lock_wait)?;
            self.note_followed(followed);
        }
        let is_temporary = self.finish_erasure_if_free(&mut state)?;
        let mut view = match self.view_of(state, false) {
            Err(e) if e.is_index_damage() => {
                let mut state = self.take_state();
                self.drop_damaged_index(&mut state, &e)?;
                self.view_of(state, false)?
            }
            other => other?,
        };
        view.is_reusable = !is_temporary;
        Ok(view)
    }

    /// Answers a query from one view. `question` is called again if the index proves damaged, or if an
    /// erasure replaced a segment while it ran.
    ///
    /// # Errors
    /// As [`Self::view`], or the error of `question`.
    pub fn read<T>(&self, question: impl Fn(&Reader<'_>) -> memtape_index::Result<T>) -> Result<T> {
        Self::read_in(|| self.view(), question)
    }

    /// Answers a query as [`Self::read`] does, from the views that `take` returns.
    ///
    /// # Errors
    /// As [`Self::read`], or the error of `take`.
    pub fn read_in<'s, T>(
        take: impl Fn() -> Result<View<'s>>,
        question: impl Fn(&Reader<'_>) -> memtape_index::Result<T>,
    ) -> Result<T> {
        let mut is_mended = false;
        loop {
            let view = take()?;
            match question(&view.reader()) {
                Err(e) if !is_mended && e.is_index_damage() => {
                    is_mended = true;
                    view.replace_damaged_index(&e)?;
                }
                answer if view.is_current()? => return Ok(answer?),
                _ => view.forget(),
            }
        }
    }

    /// Takes a view on a connection that the caller provides.
    pub(crate) fn view_of(&self, mut state: State, is_locked: bool) -> Result<View<'_>> {
        let (index, seen) = match state.seen.take().filter(|_| is_locked) {
            Some(seen) => {
                state.index()?.begin_read()?;
                (state.index, seen)
            }
            None => self.look(state, is_locked)?,
        };
        Ok(View {
            store: self,
            index,
            is_reusable: true,
            seen,
            is_locked,
            now: self.now(),
            unreadable: RefCell::default(),
        })
    }

    /// Catches up, and begins a read transaction that sees just that.
    fn look(&self, mut state: State, is_locked: bool) -> Result<(Option<Index>, Arc<Seen>)> {
        let mut segments = self.segments()?;
        loop {
            let (tail, applied) = self.catch_up(&mut state, &mut segments, is_locked)?;
            let index = state.index()?;
            index.begin_read()?;
            // The transaction begins with its first statement: another process may have applied entries
            // before that.
            if index.applied()?.position == applied.position {
                return Ok((state.index, Arc::new(Seen { segments, tail, applied })));
            }
            index.end_read();
        }
    }

    /// Returns an idle connection, or an empty state if there is none.
    pub(crate) fn take_state(&self) -> State {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // A connection that was opened before the index was replaced is of no use.
        while let Some(index) = idle.pop() {
            if index.is_current() {
                return State::of(Some(index));
            }
        }
        State::default()
    }

    /// Returns a connection to the pool.
    pub(crate) fn give_back(&self, state: State) {
        let Some(index) = state.index else { return };
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_MAX {
            idle.push(index);
        }
    }
}

impl View<'_> {
    /// Returns the reader of this view.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        // The connection is present until the view ends, which consumes the view.
        let index = self.index.as_ref().expect("a view has a connection");
        Reader::new(
            index,
            &self.seen.segments,
            self.seen.applied,
            self.now,
            self.store.zone(),
            &self.unreadable,
        )
    }

    /// Ends the view, and returns its connection.
    pub(crate) fn into_state(mut self) -> State {
        State { index: self.end(), seen: self.is_locked.then(|| Arc::clone(&self.seen)) }
    }

    /// Replaces the damaged index that this view reads, and ends the view.
    ///
    /// # Errors
    /// [`Error::Index`](crate::Error::Index) if the damaged file cannot be replaced, or SQLite fails.
    pub fn replace_damaged_index(mut self, why: &memtape_index::Error) -> Result<()> {
        let mut state = State::of(self.end());
        self.store.drop_damaged_index(&mut state, why)?;
        self.store.give_back(state);
        Ok(())
    }

    /// Returns whether the tape is still the one that this view reads. It is not after an erasure, or after the
    /// active segment was archived.
    ///
    /// # Errors
    /// [`Error::Tape`](crate::Error::Tape) if the tape cannot be opened.
    pub fn is_of_current_tape(&self) -> Result<bool> {
        Ok(self.seen.segments.are_current()?)
    }

    /// Returns whether unreadable lines are really damaged. A closed segment is opened only when it is
    /// needed, and an erasure may have replaced it since the view was taken.
    fn is_current(&self) -> Result<bool> {
        Ok(self.unreadable.borrow().is_empty() || self.seen.segments.are_current()?)
    }

    /// Ends the view without reporting its warnings.
    fn forget(self) {
        self.unreadable.take();
    }

    fn end(&mut self) -> Option<Index> {
        self.store.note_all(self.unreadable.take().into_iter().map(Warning::from));
        let index = self.index.take()?;
        index.end_read();
        Some(index)
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        if let Some(index) = self.end()
            && self.is_reusable
        {
            self.store.give_back(State::of(Some(index)));
        }
    }
}
