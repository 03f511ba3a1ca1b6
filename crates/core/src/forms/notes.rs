//! Notes: facts and episodes as Markdown files that a person can edit (document 2).
//!
//! *Writes* the events `note.write`, `note.patch`, `note.append`, `note.edit` and `note.delete`, each with
//! the path of the file and the sections it creates. *Reads* the same.
//!
//! **Invariants.** A file is the concatenation of its sections in the order of their ranks: memories and file
//! are equal byte for byte. A change creates and removes only the sections that differ; the others keep their
//! memories, refs and history. A change without effect writes nothing. A write by a tool or a command updates
//! the file's summary; what a person writes is kept unchanged. Notes belong to the workspace.
//!
//! Reading order: [`path`], [`sections`], [`entry`], [`summary`], `change`, [`ops`], [`split`], [`view`], [`index`],
//! [`merge`], [`trial`].

mod change;
pub mod entry;
pub mod index;
pub mod merge;
pub mod ops;
pub mod path;
pub mod rules;
pub mod sections;
pub mod split;
pub mod summary;
pub mod trial;
pub mod view;

#[cfg(test)]
mod tests;

pub use ops::{Change, Limits, Outcome, Patch};
pub use path::{Folders, NotePath};
pub use view::{File, NotesView, Section};
