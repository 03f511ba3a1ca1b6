//! Parsers of values that several commands share.

use std::str::FromStr;
use std::{env, fmt};

use clap::Args;
use memtape::Category;

/// A text may begin with a hyphen, as a bullet does; what looks like a flag is a flag that was mistyped, but after `--`.
pub(super) fn not_a_flag(text: &str) -> Result<String, String> {
    let mut after = env::args_os().skip_while(|argument| argument != "--").skip(1);
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-').filter(|rest| rest.len() == 1));
    let is_flag = name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'=')
    });
    match is_flag && !after.any(|argument| argument == text) {
        true => Err("this looks like a flag that does not exist; give such a text after --".into()),
        false => Ok(text.to_owned()),
    }
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "a whole number from 1".into())
}

/// Parses a number, such as a confidence.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number such as 0.5".into())
}

/// Parses the kind of a statement. `event` is the word that prompts and documentation use for `episodic`.
pub(super) fn category(text: &str) -> Result<Category, String> {
    match text {
        "event" => Ok(Category::Episodic),
        text => text.parse().map_err(|e| memtape::Error::from(e).to_string()),
    }
}

/// Accepts `--yes` where nothing is asked, so that a script can pass it to every command that removes something.
#[derive(Args)]
pub(crate) struct NotAsked {
    /// Accepted like by other commands that remove something; this one does not ask
    #[arg(short, long)]
    yes: bool,
}

/// How many are printed at most: a number, or `None` for `all`.
#[derive(Clone, Copy)]
pub(crate) struct Limit(pub(crate) Option<usize>);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => number.fmt(f),
            None => f.write_str("all"),
        }
    }
}

impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self(None)),
            number => number.parse().map(|n| Self(Some(n))).map_err(|_| "a whole number, or all"),
        }
    }
}
