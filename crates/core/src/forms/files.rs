//! Files: long texts as Markdown, for what a block cannot hold (document 3).
//!
//! *Writes* events `file.write`, with the whole text, and `file.delete`. *Reads* the same.
//!
//! **Invariants.** A file is one memory, its key the path below `files/`; what is read is what was written, byte for byte.
//! A change that changes nothing writes nothing. Files belong to the workspace.
//!
//! In reading order: [`path`], [`entry`], [`view`], [`ops`], [`merge`].

pub mod entry;
pub mod merge;
pub mod ops;
pub mod path;
pub mod rules;
pub mod view;

#[cfg(test)]
mod tests;

pub use ops::{Change, FILE_BYTES_MAX, Outcome};
pub use path::FilePath;
pub use view::{File, FilesView, Listed};
