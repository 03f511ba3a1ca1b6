//! Several steps of one command while nobody else writes.
//!
//! *Purpose.* What a person did to the working copy is recorded, the command is run, and the files follow, under one
//! lock: no other writer comes between.

use std::mem;
use std::sync::{MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use memtape_core::{Decision, Given};
use memtape_tape::storage::Guard;

use crate::author::Author;
use crate::error::{Error, Result};
use crate::index::State;
use crate::notice::Notice;
use crate::reader::Reader;
use crate::store::{Store, Written};

/// The store in the hands of the one writer.
pub struct Alone<'s> {
    // Fields are dropped in this order: the lock goes before others in this process go on.
    _lock: Box<dyn Guard>,
    _writing: MutexGuard<'s, ()>,
    pub(crate) state: State,
    store: &'s Store,
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.store.give_back(mem::take(&mut self.state));
    }
}

impl Store {
    /// Takes the writer lock, and waits for it as long as the options say.
    ///
    /// # Errors
    /// That another writer has it, that this store no longer writes, or what the medium says.
    pub fn alone(&self) -> Result<Alone<'_>> {
        self.alone_within(self.lock_wait)
    }

    /// The same, waiting at most for so long.
    ///
    /// # Errors
    /// As [`Self::alone`].
    pub fn alone_within(&self, wait: Duration) -> Result<Alone<'_>> {
        let writing = match self.writing.try_lock() {
            Err(TryLockError::WouldBlock) if wait.is_zero() => {
                return Err(memtape_tape::Error::Busy { waited: wait }.into());
            }
            Err(TryLockError::WouldBlock) => self.writing.lock().unwrap_or_else(PoisonError::into_inner),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Ok(writing) => writing,
        };
        let mut state = self.take_state();
        let lock = self.lock_to_write(&mut state, wait)?;
        Ok(Alone { _lock: lock, _writing: writing, state, store: self })
    }

    /// Runs a command under the writer lock: catch up, decide, append, project. It may be asked to decide twice,
    /// where the index shows damage only then; nothing was appended before.
    ///
    /// # Errors
    /// What the medium or SQLite says, or the command itself. Nothing is written then. A projection that
    /// fails after the entries were acknowledged is a notice, not an error.
    pub fn write<T>(
        &self,
        author: &Author,
        decide: impl FnMut(&Reader<'_>, &Given) -> Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.alone()?.write(author, decide)
    }
}

impl Alone<'_> {
    /// Runs a command, as [`Store::write`] does.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub fn write<T>(
        &mut self,
        author: &Author,
        mut decide: impl FnMut(&Reader<'_>, &Given) -> Result<Decision<T>>,
    ) -> Result<Written<T>> {
        self.store.check_poison()?;
        match self.store.write_once(&mut self.state, author, &mut decide) {
            // Damage to the index shows before anything is appended.
            Err(e) if e.is_index_damage() => {
                self.store.remove_index(&mut self.state, &e)?;
                self.store.write_once(&mut self.state, author, &mut decide)
            }
            other => other,
        }
    }

    /// Answers a question, as [`Store::read`] does.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub fn read<T>(&mut self, question: impl Fn(&Reader<'_>) -> Result<T>) -> Result<T> {
        match self.read_once(&question) {
            Err(e) if Error::is_index_damage(&e) => {
                self.store.remove_index(&mut self.state, &e)?;
                self.read_once(&question)
            }
            other => other,
        }
    }

    fn read_once<T>(&mut self, question: impl Fn(&Reader<'_>) -> Result<T>) -> Result<T> {
        let view = self.store.view_of(mem::take(&mut self.state), true)?;
        let answer = question(&view.reader());
        self.state = view.into_state();
        answer
    }

    /// Adds to what a person should know.
    pub fn note(&mut self, notice: Notice) {
        self.store.note(notice);
    }
}
