//! Several steps of one command while nobody else writes.
//!
//! *Purpose.* What a person did to the working copy is recorded, the command is run, and the files follow, under one
//! lock: no other writer comes between.

use std::sync::MutexGuard;
use std::time::Duration;

use memtape_core::{Decision, Given};
use memtape_tape::storage::Guard;

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::reader::Reader;
use crate::store::{Author, State, Store, Written};

/// The store in the hands of the one writer.
pub struct Alone<'s> {
    // Fields are dropped in this order: the lock goes before others in this process go on.
    _lock: Box<dyn Guard>,
    state: MutexGuard<'s, State>,
    store: &'s Store,
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
        let mut state = self.state();
        let lock = self.lock_to_write(&mut state, wait)?;
        Ok(Alone { _lock: lock, state, store: self })
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
        match self.store.read_once(&mut self.state, true, &question) {
            Err(e) if Error::is_index_damage(&e) => {
                self.store.remove_index(&mut self.state, &e)?;
                self.store.read_once(&mut self.state, true, &question)
            }
            other => other,
        }
    }

    /// Adds to what a person should know.
    pub fn note(&mut self, notice: Notice) {
        self.store.note(notice);
    }
}
