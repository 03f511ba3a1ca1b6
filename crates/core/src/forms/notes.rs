//! Notes: facts and episodes as Markdown that a person edits (document 2).
//!
//! *Writes* events `note.write`, `note.patch`, `note.append`, `note.edit` and `note.delete`, each with the file's
//! path and the sections it bears. *Reads* the same.
//!
//! **Invariants.** A file is its sections in the order of their ranks, with nothing between: text and file are equal
//! byte for byte. A change bears and retires only the sections that differ; the others keep their memories, refs and
//! history. A change that changes nothing writes nothing. What a tool or a command writes brings the file's summary
//! up to date; what a person writes is kept as it is. Notes belong to the workspace.
//!
//! In reading order: [`path`], [`sections`], [`entry`], [`summary`], [`ops`], [`split`], [`view`], [`index`],
//! [`merge`], [`trial`].

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
