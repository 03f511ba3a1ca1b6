//! Parsers of values that several commands share.

use std::net::{IpAddr, SocketAddr};
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
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "expected a whole number from 1".into())
}

/// Parses a whole number of any size.
pub(super) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| match is_number {
        true => "the number is too large".to_owned(),
        false => "expected a whole number from 0".to_owned(),
    })
}

/// Parses the address that a server listens on.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "expected an IP address with a port, such as 127.0.0.1:7117".to_owned())
}

/// Parses the name of a host as requests are compared with it: in lower case, without a port.
pub(super) fn host(text: &str) -> Result<String, String> {
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit());
    let name = match text.rsplit_once(':') {
        Some((name, port)) if is_port(port) && (name.ends_with(']') || !name.contains(':')) => name,
        _ => text,
    };
    let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let name = bracketed.unwrap_or(name);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
    match is_name || name.parse::<IpAddr>().is_ok() {
        true => Ok(name.to_ascii_lowercase()),
        false => Err("expected the name of a host, such as memory.example".to_owned()),
    }
}

/// Parses the origin of a page as browsers send it: in lower case, without the usual port and a slash at the end.
pub(super) fn origin(text: &str) -> Result<String, String> {
    let expected = || "expected the scheme and host of a page, such as https://app.example".to_owned();
    let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
    let (scheme, authority) = text.split_once("://").ok_or_else(expected)?;
    let is_scheme =
        !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    host(authority).ok().filter(|_| is_scheme).ok_or_else(expected)?;
    let usual_port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => "",
    };
    let authority = authority.strip_suffix(usual_port).unwrap_or(authority);
    Ok(format!("{scheme}://{authority}"))
}

/// Parses a number, such as a confidence.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number such as 0.5".into())
}

/// Parses the kind of a statement. `event` is the word that prompts and documentation use for `episodic`.
pub(super) fn category(text: &str) -> Result<Category, String> {
    match text {
        "event" => Ok(Category::Episodic),
        text => text.parse().map_err(|_| "expected preference, fact, decision or episodic".to_owned()),
    }
}

/// The new content of a note or a file.
#[derive(Args)]
pub(crate) struct ContentArg {
    /// The text [default: standard input]
    #[arg(default_value = "-", hide_default_value = true, allow_hyphen_values = true, value_parser = not_a_flag)]
    pub(crate) text: String,
}

/// Accepts `--yes` where nothing is asked, so that a script can pass it to every command that removes something. The help
/// does not show it.
#[derive(Args)]
pub(crate) struct NotAsked {
    /// No effect: this command does not ask
    #[arg(short, long, hide = true)]
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
            number => match number.parse() {
                Ok(n) if n > 0 => Ok(Self(Some(n))),
                _ => Err("expected a whole number from 1, or all"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_origins_are_those_of_requests() {
        for (given, name) in [
            ("Mem.example:443", "mem.example"),
            ("::1", "::1"),
            ("[::1]", "::1"),
            ("[::1]:80", "::1"),
            ("10.0.0.1:80", "10.0.0.1"),
        ] {
            assert_eq!(host(given).as_deref(), Ok(name), "{given}");
        }
        for (given, sent) in [
            ("https://app.example/", "https://app.example"),
            ("HTTPS://App.example:443", "https://app.example"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:80", "http://[::1]"),
            ("chrome-extension://abc", "chrome-extension://abc"),
        ] {
            assert_eq!(origin(given).as_deref(), Ok(sent), "{given}");
        }
    }
}
