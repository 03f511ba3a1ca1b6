//! Printing: data on standard output, everything else on standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use memtape::error::advice;
use memtape::{Entry, Error, ErrorKind, Kind, Notice, Surface};
use serde_json::{Value, json};

/// How much of a text one line of a listing shows on a terminal, in characters.
const LINE_CHARS: usize = 160;

/// Where a command prints, and how.
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) terminal: bool,
}

/// Why a command failed.
pub(crate) enum Failure {
    /// The library says so.
    Memtape(Error),
    /// A tool says so.
    Tool(Error),
    /// The command line makes no sense.
    Usage(String),
    /// A file of the command line's own cannot be read or written.
    Unusable(String),
    /// A rule of the command line forbids it.
    Refused { message: String, hint: String },
    /// Nobody reads what is printed, or it cannot be printed.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        Self::Memtape(e)
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}

impl Failure {
    /// That the command line could not be read, in clap's words without its markup.
    pub(crate) fn unreadable(e: &clap::Error) -> Self {
        let text = e.to_string();
        let message = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        Self::Usage(message.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json, terminal: io::stdout().is_terminal() }
    }

    /// Prints a line of data.
    pub(crate) fn line(&self, text: impl Display) -> Result<()> {
        let text = text.to_string();
        let text = if self.terminal { printable(&text) } else { text };
        writeln!(io::stdout(), "{text}")?;
        Ok(())
    }

    /// Prints text as it is, to the byte.
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        let text = if self.terminal { &printable(text) } else { text };
        write!(io::stdout(), "{text}")?;
        Ok(io::stdout().flush()?)
    }

    /// Prints bytes as they are; on a terminal as text.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<()> {
        if self.terminal {
            return self.text(&String::from_utf8_lossy(bytes));
        }
        io::stdout().write_all(bytes)?;
        Ok(io::stdout().flush()?)
    }

    /// Prints a JSON document.
    pub(crate) fn value(&self, value: &Value) -> Result<()> {
        let text = if self.terminal { format!("{value:#}") } else { value.to_string() };
        writeln!(io::stdout(), "{text}")?;
        Ok(())
    }

    /// Prints entries: a line each.
    pub(crate) fn entries(&self, entries: &[Entry]) -> Result<()> {
        let mut out = io::stdout().lock();
        for entry in entries {
            if self.json {
                writeln!(out, "{}", entry.line())?;
            } else {
                let line = printable(&entry_line(entry));
                writeln!(out, "{}", if self.terminal { shortened(&line) } else { line })?;
            }
        }
        Ok(out.flush()?)
    }

    /// Says something beside the data.
    pub(crate) fn note(&self, text: impl Display) {
        // Where standard error is gone there is nobody left to tell.
        let _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
    }

    /// Says what a person should know although nothing failed.
    pub(crate) fn notices(&self, notices: Vec<Notice>) {
        for notice in notices {
            self.note(format_args!("warning: {notice}"));
        }
    }

    /// Says why a command failed, and what to do about it.
    pub(crate) fn failure(&self, failure: &Failure) -> ExitCode {
        let (kind, message, hint) = match failure {
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Output(e) => (ErrorKind::Unavailable, format!("cannot print: {e}"), None),
            Failure::Memtape(e) => (e.kind(), e.to_string(), e.hint(Surface::CommandLine)),
            Failure::Tool(e) => (e.kind(), e.to_string(), e.hint(Surface::Tools)),
            Failure::Usage(message) => (ErrorKind::Invalid, message.clone(), None),
            Failure::Unusable(message) => (ErrorKind::Unavailable, message.clone(), None),
            Failure::Refused { message, hint } => (ErrorKind::Refused, message.clone(), Some(hint.clone())),
        };
        if self.json {
            self.note(json!({"error": {"kind": kind.as_str(), "message": message, "hint": hint}}));
        } else {
            self.note(format_args!("error: {message}"));
            if let Some(hint) = hint {
                self.note(format_args!("hint: {hint}"));
            }
        }
        ExitCode::from(advice(kind).exit)
    }

    /// A text for one line of a listing: shortened on a terminal only.
    pub(crate) fn one_line(&self, text: &str) -> String {
        let line = one_line(text);
        if self.terminal { shortened(&line) } else { line }
    }
}

/// A text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `1 message`, `2 messages`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A text that cannot steer a terminal: what was remembered may hold anything.
fn printable(text: &str) -> String {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    text.chars().map(|c| if steers(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// `#8 2026-02-10 10:00:00 [anchor] memory/open state={"version":2} (cli:direct)`
fn entry_line(entry: &Entry) -> String {
    let payload: Value = serde_json::from_str(entry.payload.get()).unwrap_or_default();
    let meta: Value = serde_json::from_str(entry.meta.get()).unwrap_or_default();
    let text = |field: &str| payload.get(field).and_then(Value::as_str).unwrap_or_default();
    let field = |name: &str| payload.get(name).map(|v| format!(" {name}={v}")).unwrap_or_default();
    let what = match entry.kind {
        Kind::Anchor => format!("{}{}", text("name"), field("state")),
        Kind::Event => format!("{}{}", text("name"), field("data")),
        Kind::Message => {
            let speaker = payload.get("name").or_else(|| payload.get("role")).and_then(Value::as_str);
            format!("{}: {}{}", speaker.unwrap_or("?"), Value::from(text("content")), field("image"))
        }
        _ => payload.to_string(),
    };
    let session = meta.get("session").and_then(Value::as_str);
    let session = session.map_or(String::new(), |session| format!(" ({session})"));
    format!("#{} {} [{}] {what}{session}", entry.id, entry.date.strftime("%Y-%m-%d %H:%M:%S"), entry.kind)
}
