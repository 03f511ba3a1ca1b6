//! Adds memtape to the configuration of MCP clients, and removes it.
//!
//! [`add`] and [`remove`] compute a [`Plan`]: which files of a [`Client`] change, and how. [`Plan::diff`] shows the
//! plan and [`Plan::apply`] carries it out. [`snippets`] returns what a person would paste.
//!
//! A file is edited as text, by inserting and deleting at a few positions: every other byte is unchanged, including
//! comments and line ends. `json` and `toml` find the positions; `parts` defines the parts that memtape adds; `client`
//! knows the files of each client; `files` writes.
//!
//! Nothing here reads the environment or knows memtape's other crates: the caller passes a [`System`] and the
//! [`Command`] that clients run.
//!
//! ```
//! use memtape_setup::{Client, Command, Platform, Scope, System};
//!
//! let home = tempfile::tempdir()?;
//! let system = System {
//!     home: home.path().to_owned(),
//!     project: home.path().join("project"),
//!     platform: Platform::Linux,
//!     variable: &|_| None,
//! };
//! let command = Command { program: "memtape".to_owned(), workspace: None };
//! let plan = memtape_setup::add(Client::Cursor, Scope::User, &command, &system)?;
//! plan.apply()?;
//! assert!(home.path().join(".cursor/mcp.json").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod client;
mod command;
mod error;
mod files;
mod json;
mod parts;
mod plan;
mod plugin;
mod splice;
mod toml;
mod written;

pub use client::{Client, Platform, Scope, System};
pub use command::Command;
pub use error::{Error, Result};
pub use plan::{Change, Plan, Snippet, add, remove, snippets};
pub use plugin::plugin;
pub use written::{Action, Written};
