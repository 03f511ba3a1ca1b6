//! The files of a workspace that people read and edit.
//!
//! - [`working_copy`]: files that a person may edit, and that follow the tape;
//! - [`mirror`]: read-only files that show what the tape contains;
//! - [`git`]: the history of the working copy's files, in a git repository.
//!
//! This crate knows paths and bytes. It does not know the index, and does not decide what a file contains:
//! the caller reads the tape and passes the texts. The caller also holds the writer lock whenever something
//! is written.
//!
//! **Invariants.** No text of a person is overwritten or removed before the caller has recorded it. No symbolic
//! link below a root directory is followed, so nothing outside it is read or written. The tape is the
//! source of truth: whatever is interrupted here is finished by the next writer.
//!
//! Suggested reading order: [`working_copy`], [`mirror`], [`git`], [`error`].

pub mod error;
pub mod git;
pub mod mirror;
pub mod working_copy;

pub use error::{Error, Result};
pub use working_copy::WorkingCopy;
