//! Imports the memory of other programs.
//!
//! A [`Source`] knows the format of one program: it reads an [`Input`] and yields [`Item`]s in memtape's terms. The
//! importer takes them from there: it leaves out what was imported before, writes the rest in groups, and
//! reports what became of each.
//!
//! **Invariants.** A source reads only below the path that it is given, and only through [`Input`], which follows no
//! link out of it and bounds every size. Nothing that exists is overwritten. An item is imported once, by its id.

mod dates;
mod error;
mod importer;
pub mod input;
pub mod item;
pub mod markdown;
mod report;
mod route;
pub mod sink;
pub mod source;
pub mod sources;

pub use error::{Error, Result};
pub use importer::{Settings, import};
pub use input::Input;
pub use item::{Content, Item, ItemScope, Place};
pub use report::{Counts, Listing, Report};
pub use route::Kind;
pub use source::{About, Route, Sink, Source};
