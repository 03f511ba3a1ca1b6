//! Files: long Markdown texts, for what does not fit into a block (document 3).
//!
//! *Writes* the events `file.write`, with the whole text, and `file.delete`. *Reads* the same.
//!
//! **Invariants.** A file is one memory, and its key is the path below `files/`. Reading returns the written
//! bytes unchanged. A change without effect writes nothing. Files belong to the workspace.
//!
//! Reading order: [`path`], [`entry`], [`view`], [`ops`], [`merge`].

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
