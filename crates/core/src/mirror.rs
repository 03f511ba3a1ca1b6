//! Mirrors: read-only files that follow the view (document 4).
//!
//! This module determines the line and the file that show a statement, the block that a turn adds to its session's
//! file, and the summary of the facts. The store determines where the files are and writes them.
//!
//! **Invariants.** The files of statements depend only on the current statements: a heading, and a line for
//! each statement in the order in which they were first said, so an appended file equals a rewritten one. No
//! file name depends on message text, except for the label of a session, which is encoded. Remembered text is
//! always on one line and cannot speak in another role.
//!
//! Reading order: [`statements`], [`turns`], [`ledger`].

use crate::line::truncated;
use crate::safety::render::neutral_line;

pub mod ledger;
pub mod statements;
pub mod turns;

/// The directory of a workspace's mirrors.
pub const FOLDER: &str = "mirror";
/// The file, in the workspace's own directory, that names the branch for new conversations.
pub const BRANCH_FILE: &str = "BRANCH";

/// The maximum number of characters shown of a text.
const TEXT_CHARS_MAX: usize = 400;

/// Returns a text on one line, without anything that steers a terminal or a model.
fn one_line(text: &str) -> String {
    neutral_line(text)
}

/// Returns the beginning of a text on one line.
fn cut(text: &str) -> String {
    // The dots must not be mistaken for part of a token that the cut created.
    truncated(&one_line(text), TEXT_CHARS_MAX, "...").into_owned()
}

#[cfg(test)]
mod tests;
