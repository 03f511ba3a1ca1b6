//! Parsers of values that several commands share.

use std::env;
use std::str::FromStr;

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

/// How many are printed at most: a number, or `None` for `all`.
#[derive(Clone, Copy)]
pub(crate) struct Limit(pub(crate) Option<usize>);

impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self(None)),
            number => number.parse().map(|n| Self(Some(n))).map_err(|_| "a whole number, or all"),
        }
    }
}
