//! Output: data goes to standard output, everything else to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use memtape::error::advice;
use memtape::{Entry, Error, ErrorKind, Kind, Surface, Warning};
use serde_json::{Value, json};

/// Maximum length of a listing line on a terminal, in characters.
const LINE_CHARS: usize = 160;

/// The output mode of a command.
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) terminal: bool,
}

/// The reason why a command failed.
pub(crate) enum Failure {
    /// The library returned an error. Its hint names commands.
    Memtape(Error),
    /// A tool call returned an error. Its hint names tools.
    Tool(Error),
    /// The command line is invalid.
    Usage(String),
    /// A file that the command line itself uses cannot be read or written.
    Unusable(String),
    /// The command line refuses to run the command, for example without confirmation.
    Refused { message: String, hint: String },
    /// The command did what it could and printed it, but conflicts are left open.
    Conflicts,
    /// Standard output cannot be written, or its reader closed the pipe.
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
    /// Returns the failure for a command line that clap rejects: its message on one line, without markup.
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

    /// Prints a line of data. On a terminal, control characters are replaced.
    pub(crate) fn line(&self, text: impl Display) -> Result<()> {
        let text = text.to_string();
        let text = if self.terminal { printable(&text) } else { text };
        writeln!(io::stdout(), "{text}")?;
        Ok(())
    }

    /// Prints text unchanged. On a terminal, control characters are replaced.
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        let text = if self.terminal { &printable(text) } else { text };
        write!(io::stdout(), "{text}")?;
        Ok(io::stdout().flush()?)
    }

    /// Prints bytes unchanged. On a terminal, prints them as text.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<()> {
        if self.terminal {
            return self.text(&String::from_utf8_lossy(bytes));
        }
        io::stdout().write_all(bytes)?;
        Ok(io::stdout().flush()?)
    }

    /// Prints a JSON document, indented on a terminal.
    pub(crate) fn value(&self, value: &Value) -> Result<()> {
        let text = if self.terminal { format!("{value:#}") } else { value.to_string() };
        writeln!(io::stdout(), "{text}")?;
        Ok(())
    }

    /// Prints entries, one per line.
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

    /// Prints a message to standard error.
    pub(crate) fn note(&self, text: impl Display) {
        // If standard error is closed, the failure cannot be reported anywhere.
        let _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
    }

    /// Prints warnings to standard error.
    pub(crate) fn warnings(&self, warnings: Vec<Warning>) {
        for warning in warnings {
            self.note(format_args!("warning: {warning}"));
        }
    }

    /// Reports why a command failed and how to fix it, and returns the exit code.
    ///
    /// Prints nothing and returns success if the reader of standard output closed the pipe, and nothing but the exit
    /// code if conflicts are left open.
    pub(crate) fn failure(&self, failure: &Failure) -> ExitCode {
        let (kind, message, hint) = match failure {
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Conflicts => return ExitCode::FAILURE,
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

    /// Puts a text on one line, shortened if standard output is a terminal.
    pub(crate) fn one_line(&self, text: &str) -> String {
        let line = one_line(text);
        if self.terminal { shortened(&line) } else { line }
    }
}

/// Puts a text on one line and collapses its white space.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats a count with its noun: `1 message`, `2 messages`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Replaces control characters except line feeds and tabs: a memory must not send escape sequences to a
/// terminal.
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

/// Formats an entry: `#8 2026-02-10 10:00:00 [anchor] memory/open state={"version":2} (cli:direct)`.
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
