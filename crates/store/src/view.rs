//! One consistent view of the tape, and the connections that give it.
//!
//! Each view has a connection of its own, from a small pool, and one read transaction on it: views neither wait for each
//! other nor for a writer. Nothing is locked while a question is answered.
//!
//! **Invariant.** A view holds everything that was acknowledged before it was taken, and nothing of what came after.

use std::cell::RefCell;
use std::mem;
use std::sync::PoisonError;

use jiff::Timestamp;
use memtape_tape::Segments;

use crate::error::{Error, Result, no_index};
use crate::index::{Applied, Index, State};
use crate::notice::Notice;
use crate::reader::Reader;
use crate::store::Store;

/// How many idle connections are kept.
const IDLE_MAX: usize = 8;

/// A consistent view of the tape: what was acknowledged when it was taken.
pub struct View<'s> {
    store: &'s Store,
    /// `None` only while it is given up.
    index: Option<Index>,
    /// Whether its connection serves other views later.
    is_reusable: bool,
    segments: Segments,
    applied: Applied,
    now: Timestamp,
    notices: RefCell<Vec<Notice>>,
}

impl Store {
    /// Takes a view of the tape, which holds everything that was acknowledged before. It occupies one connection until
    /// it is dropped.
    ///
    /// # Errors
    /// [`Error::Tape`] if the tape cannot be read, [`Error::Index`] if SQLite fails.
    pub fn view(&self) -> Result<View<'_>> {
        let mut state = self.take_state();
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

    /// Answers a question from one view. The question may be asked twice, where the index shows damage.
    ///
    /// # Errors
    /// As [`Self::view`], or what the question returns.
    pub fn read<T>(&self, question: impl Fn(&Reader<'_>) -> Result<T>) -> Result<T> {
        Self::read_in(|| self.view(), question)
    }

    /// The same, of the views that `take` takes.
    ///
    /// # Errors
    /// As [`Self::read`], or what `take` returns.
    pub fn read_in<'s, T>(
        take: impl Fn() -> Result<View<'s>>,
        question: impl Fn(&Reader<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut is_mended = false;
        loop {
            let view = take()?;
            match question(&view.reader()) {
                Err(e) if !is_mended && e.is_index_damage() => {
                    is_mended = true;
                    view.mend(&e)?;
                }
                answer if view.is_current()? => return answer,
                _ => view.forget(),
            }
        }
    }

    /// Takes a view with a connection that is held already.
    pub(crate) fn view_of(&self, mut state: State, is_locked: bool) -> Result<View<'_>> {
        let mut segments = Segments::open(&self.storage)?;
        loop {
            let (_, applied) = self.catch_up(&mut state, &mut segments, is_locked)?;
            let index = state.index.as_ref().ok_or_else(no_index)?;
            index.begin_read()?;
            // The transaction begins with its first question: another process may have applied something before that.
            if index.applied()?.position == applied.position {
                return Ok(View {
                    store: self,
                    index: state.index,
                    is_reusable: true,
                    segments,
                    applied,
                    now: self.now(),
                    notices: RefCell::default(),
                });
            }
            index.end_read();
        }
    }

    /// A connection that nobody uses, if there is one.
    pub(crate) fn take_state(&self) -> State {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // What was opened before the index was replaced is of no use any more.
        while let Some(index) = idle.pop() {
            if index.is_current() {
                return State { index: Some(index) };
            }
        }
        State::default()
    }

    /// Keeps a connection for whoever is next.
    pub(crate) fn give_back(&self, state: State) {
        let Some(index) = state.index else { return };
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_MAX {
            idle.push(index);
        }
    }
}

impl View<'_> {
    /// Returns what reads this view.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        // It is there until the view is given up, which consumes it.
        let conn = &self.index.as_ref().expect("a view has a connection").conn;
        Reader {
            conn,
            segments: &self.segments,
            applied: self.applied,
            now: self.now,
            zone: self.store.zone(),
            notices: &self.notices,
        }
    }

    /// Ends the view, and returns its connection.
    pub(crate) fn into_state(mut self) -> State {
        State { index: self.end() }
    }

    /// Replaces the damaged index that this view reads.
    ///
    /// # Errors
    /// [`Error::IndexFile`] if the damaged file cannot be replaced.
    pub fn mend(mut self, why: &Error) -> Result<()> {
        let mut state = State { index: self.end() };
        self.store.drop_damaged_index(&mut state, why)?;
        self.store.give_back(state);
        Ok(())
    }

    /// Whether what could not be read is damaged: a closed segment is opened when it is needed, and may have been
    /// replaced by an erasure since the view was taken.
    fn is_current(&self) -> Result<bool> {
        let is_unreadable = |notice: &Notice| matches!(notice, Notice::Unreadable { .. });
        Ok(!self.notices.borrow().iter().any(is_unreadable) || self.segments.are_current()?)
    }

    /// Ends the view without reporting what it came across.
    fn forget(self) {
        self.notices.take();
    }

    fn end(&mut self) -> Option<Index> {
        self.store.note_all(mem::take(&mut *self.notices.borrow_mut()));
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
            self.store.give_back(State { index: Some(index) });
        }
    }
}
