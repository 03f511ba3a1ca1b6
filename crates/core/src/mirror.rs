//! Mirrors: files for reading that follow the view (document 4).
//!
//! *Purpose.* Says which line of which file shows a statement, what a turn adds to the file of its session, and how the
//! facts are summed up. Where the files lie and how they are written is the store's.
//!
//! **Invariants.** The files of statements are a function of what stands: a heading, and a line for each statement in
//! the order in which they were first said, so a file that was added to is the file written anew. No file's name
//! hangs on what was said, but for the label of a session, which is encoded. Whatever was said stands on one line, and
//! cannot speak in another role.
//!
//! In reading order: [`statements`], [`turns`], [`ledger`].

use crate::safety::render::neutral_line;

pub mod ledger;
pub mod statements;
pub mod turns;

/// The folder of a workspace's mirrors.
pub const FOLDER: &str = "mirror";
/// The file, in the workspace's own folder, that names the branch that new conversations begin on.
pub const BRANCH_FILE: &str = "BRANCH";

/// How much of a text is shown, in characters.
const TEXT_CHARS_MAX: usize = 400;

/// A text on one line, with nothing in it that steers a terminal or a model.
fn one_line(text: &str) -> String {
    neutral_line(text)
}

/// The beginning of a text, on one line.
fn cut(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(TEXT_CHARS_MAX) {
        // A token that only its cut made one is none before the dots.
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
