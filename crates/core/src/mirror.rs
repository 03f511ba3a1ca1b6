//! Mirrors: files for reading that follow the view (document 4).
//!
//! *Purpose.* Says which line of which file shows a statement, and what a turn adds to the file of its session. Where
//! the files lie and how they are written is the store's.
//!
//! **Invariants.** The files of statements are a function of what stands: a heading, and a line for each statement in
//! the order in which they were first said, so a file that was added to is the file written anew. No file's name
//! hangs on what was said, but for the label of a session, which is encoded. Whatever was said stands on one line, and
//! cannot speak in another role.
//!
//! In reading order: [`statements`], [`turns`].

use std::borrow::Cow;

use crate::safety::render::neutralise;

pub mod statements;
pub mod turns;

/// The folder of a workspace's mirrors.
pub const FOLDER: &str = "mirror";

/// A text on one line, with nothing in it that steers a terminal or a model.
fn one_line(text: &str) -> String {
    let visible: Cow<'_, str> = match text.contains(char::is_control) {
        true => text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
        false => text.into(),
    };
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    neutralise(&line).into_owned()
}

#[cfg(test)]
mod tests;
