//! Output: data goes to standard output, everything else to standard error.

use std::cell::{OnceCell, RefCell};
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memtape::error::advice;
use memtape::{Entry, Error, ErrorKind, Kind, Surface, Warning};
use serde_json::{Value, json};

use crate::pager::Pager;
use crate::style::{Color, Line, Role, diff_line, message};

/// The width of a terminal that reports none, in columns.
const COLUMNS: usize = 80;
/// The columns that a text keeps beside others, however narrow the terminal is.
const COLUMNS_MIN: usize = 20;

/// The output mode of a command.
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) terminal: bool,
    /// The width of the terminal in columns; `None` if standard output is no terminal.
    columns: Option<usize>,
    color: Color,
    uses_pager: bool,
    pager: RefCell<Option<Pager>>,
    /// The messages that are printed when the pager ends.
    delayed: RefCell<Vec<String>>,
    /// The time zone of the workspace, in which times are printed; UTC before a workspace is open.
    zone: OnceCell<TimeZone>,
}

/// The reason why a command failed.
pub(crate) enum Failure {
    /// The library returned an error. Its hint names commands.
    Memtape(Error),
    /// A task that uses a language model failed.
    Mind(memtape_mind::Error),
    /// A backup or a restoration failed.
    Backup(memtape_remote::backup::Error),
    /// An import failed.
    Import(memtape_import::Error),
    /// A tool call returned an error. Its hint names tools.
    Tool(Error),
    /// The command line is invalid.
    Usage(String),
    /// A file that the command line itself uses cannot be read or written.
    Unusable(String),
    /// The command line refuses to run the command, for example without confirmation.
    Refused { message: String, hint: String },
    /// There is no workspace that the command may use.
    NoWorkspace { message: String, hint: String },
    /// The command succeeded and printed its result, but conflicts are open.
    Conflicts,
    /// The command printed its error as its result.
    Printed,
    /// Standard output cannot be written, or its reader closed the pipe.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        Self::Memtape(e)
    }
}

impl From<memtape_mind::Error> for Failure {
    fn from(e: memtape_mind::Error) -> Self {
        match e {
            memtape_mind::Error::Memtape(e) => Self::Memtape(e),
            e => Self::Mind(e),
        }
    }
}

impl From<memtape_import::Error> for Failure {
    fn from(e: memtape_import::Error) -> Self {
        match e {
            memtape_import::Error::Memtape(e) => Self::Memtape(e),
            e => Self::Import(e),
        }
    }
}

impl From<memtape_remote::backup::Error> for Failure {
    fn from(e: memtape_remote::backup::Error) -> Self {
        Self::Backup(e)
    }
}

impl Failure {
    /// Returns the failure for a command line that clap rejects: its message on one line, without markup.
    pub(crate) fn unreadable(e: &clap::Error) -> Self {
        let text = e.to_string();
        if e.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            // Its message is the help, which names the command before its options.
            let usage = text.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or_default();
            let command = usage.split(" [").next().unwrap_or_default();
            return Self::Usage(format!(
                "'{command}' requires a subcommand but one was not provided: `{command} --help` lists them"
            ));
        }
        let message = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        Self::Usage(message.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the kind, the message and the hint.
    pub(crate) fn described(&self) -> (ErrorKind, String, Option<String>) {
        match self {
            // These have printed what there is to say.
            Self::Conflicts | Self::Printed => (ErrorKind::Conflict, String::new(), None),
            Self::Output(e) => (ErrorKind::Unavailable, format!("cannot print: {e}"), None),
            Self::Memtape(e) => (e.kind(), message_of(e), e.hint(Surface::CommandLine)),
            Self::Mind(e) => (e.kind(), e.to_string(), e.hint()),
            Self::Backup(e) => (e.kind(), e.to_string(), e.hint().map(str::to_owned)),
            Self::Import(e) => (e.kind(), e.to_string(), e.hint()),
            Self::Tool(e) => (e.kind(), e.to_string(), e.hint(Surface::Tools)),
            Self::Usage(message) => (ErrorKind::Invalid, message.clone(), None),
            Self::Unusable(message) => (ErrorKind::Unavailable, message.clone(), None),
            Self::NoWorkspace { message, hint } => (ErrorKind::NotFound, message.clone(), Some(hint.clone())),
            Self::Refused { message, hint } => (ErrorKind::Refused, message.clone(), Some(hint.clone())),
        }
    }
}

/// Returns the message of an error. Those that tools return word for word may begin with a capital.
fn message_of(e: &Error) -> String {
    let message = e.to_string();
    message.strip_prefix("String ").map_or_else(|| message.clone(), |rest| format!("string {rest}"))
}

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl Output {
    pub(crate) fn new(json: bool, color: Color, uses_pager: bool) -> Self {
        let terminal = io::stdout().is_terminal();
        let columns = terminal.then(|| {
            terminal_size::terminal_size_of(io::stdout()).map_or(COLUMNS, |(width, _)| usize::from(width.0))
        });
        Self {
            json,
            terminal,
            columns: columns.map(|columns| if columns == 0 { COLUMNS } else { columns }),
            color,
            uses_pager: uses_pager && terminal,
            pager: RefCell::new(None),
            delayed: RefCell::default(),
            zone: OnceCell::new(),
        }
    }

    /// Sends all further output through the pager, if standard output is a terminal.
    pub(crate) fn page(&self) {
        if self.uses_pager && self.pager.borrow().is_none() {
            *self.pager.borrow_mut() = Pager::start();
        }
    }

    /// Waits until the reader quits the pager, and prints the messages that would have appeared in the middle of it.
    pub(crate) fn finish_pager(&self) {
        if let Some(pager) = self.pager.take() {
            pager.finish();
        }
        for text in self.delayed.take() {
            self.note(text);
        }
    }

    /// Writes bytes to the pager or to standard output.
    fn write(&self, bytes: &[u8]) -> Result<()> {
        let written = match self.pager.borrow_mut().as_mut() {
            Some(pager) => pager.write(bytes),
            None => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
        };
        written.map_err(Failure::Output)
    }

    /// Sets the time zone in which times are printed. The first call counts.
    pub(crate) fn set_zone(&self, zone: &TimeZone) {
        let _ = self.zone.set(zone.clone());
    }

    /// Formats the day of an instant: `2026-02-10`.
    pub(crate) fn day(&self, at: Timestamp) -> String {
        self.formatted(at, "%Y-%m-%d")
    }

    /// Formats an instant to the minute: `2026-02-10 10:00`.
    pub(crate) fn minute(&self, at: Timestamp) -> String {
        self.formatted(at, "%Y-%m-%d %H:%M")
    }

    /// Formats an instant to the second: `2026-02-10 10:00:00`.
    pub(crate) fn second(&self, at: Timestamp) -> String {
        self.formatted(at, "%Y-%m-%d %H:%M:%S")
    }

    /// Formats an instant to the second with the abbreviation of its time zone: `2026-02-10 10:00:00 CET`.
    pub(crate) fn instant(&self, at: Timestamp) -> String {
        self.formatted(at, "%Y-%m-%d %H:%M:%S %Z")
    }

    fn formatted(&self, at: Timestamp, format: &str) -> String {
        let zone = self.zone.get().cloned().unwrap_or(TimeZone::UTC);
        at.to_zoned(zone).strftime(format).to_string()
    }

    /// Prints a line of data. On a terminal, [`printable`] cleans it.
    pub(crate) fn line(&self, text: impl Display) -> Result<()> {
        self.styled(&Line::default().text(text.to_string()))
    }

    /// Prints a line in pieces. On a terminal, and where colors are printed, [`printable`] cleans them: what prints the
    /// escape sequences of colors, prints those of a memory too.
    pub(crate) fn styled(&self, line: &Line) -> Result<()> {
        let is_colored = self.color.is_on(&io::stdout());
        let is_clean = self.terminal || is_colored;
        let clean = |text: &str| if is_clean { printable(text) } else { text.to_owned() };
        self.write(format!("{}\n", line.render(is_colored, clean)).as_bytes())
    }

    /// Prints an entry of a list on one line, cut to the width of the terminal if there is one.
    pub(crate) fn listed(&self, line: Line) -> Result<()> {
        let line = line.on_one_line();
        self.styled(&match self.columns {
            Some(columns) => line.cut(columns),
            None => line,
        })
    }

    /// Prints a unified diff.
    pub(crate) fn diff(&self, diff: &str) -> Result<()> {
        diff.lines().try_for_each(|line| self.styled(&diff_line(line)))
    }

    /// Prints text unchanged. On a terminal, [`printable`] cleans it.
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        let text = if self.terminal { &printable(text) } else { text };
        self.write(text.as_bytes())
    }

    /// Prints bytes unchanged. On a terminal, prints them as text.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<()> {
        if self.terminal {
            return self.text(&String::from_utf8_lossy(bytes));
        }
        self.write(bytes)
    }

    /// Prints a JSON document, indented on a terminal.
    pub(crate) fn value(&self, value: &Value) -> Result<()> {
        self.json_line(if self.terminal { format!("{value:#}") } else { value.to_string() })
    }

    /// Prints JSON and a line break. On a terminal, what [`printable`] replaces is escaped, which changes no value.
    fn json_line(&self, mut json: String) -> Result<()> {
        if self.terminal {
            json = json.chars().fold(String::new(), |text, c| match steers(c) {
                true => text + &format!("\\u{:04x}", u32::from(c)),
                false => text + c.encode_utf8(&mut [0; 4]),
            });
        }
        self.write(format!("{json}\n").as_bytes())
    }

    /// Prints entries, one per line.
    pub(crate) fn entries(&self, entries: &[Entry]) -> Result<()> {
        for entry in entries {
            if self.json {
                self.json_line(entry.line().to_string())?;
                continue;
            }
            // Also in a pipe, an entry is one line without control characters.
            let text = printable(&entry_text(entry));
            let date = self.second(entry.date);
            let line =
                Line::default().with(Role::Id, format!("#{}", entry.id)).text(format!(" {date} {text}"));
            self.styled(&match self.columns {
                Some(columns) => line.cut(columns),
                None => line,
            })?;
        }
        Ok(())
    }

    /// Prints a message to standard error, once the pager has ended if there is one.
    pub(crate) fn note(&self, text: impl Display) {
        if self.pager.borrow().is_some() {
            self.delayed.borrow_mut().push(text.to_string());
            return;
        }
        let line = message(&text.to_string()).render(self.color.is_on(&io::stderr()), printable);
        // If standard error is closed, the failure cannot be reported anywhere.
        let _ = writeln!(io::stderr(), "{line}");
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
    /// code if conflicts are left open or the error is printed already.
    pub(crate) fn failure(&self, failure: &Failure) -> ExitCode {
        match failure {
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Conflicts | Failure::Printed => return ExitCode::FAILURE,
            _ => {}
        }
        let (kind, message, hint) = failure.described();
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

    /// Puts a text on one line, cut to the width of the terminal if there is one.
    pub(crate) fn one_line(&self, text: &str) -> String {
        self.one_line_after(0, text)
    }

    /// Puts a text on one line, cut to what other text leaves of the width of the terminal if there is one.
    pub(crate) fn one_line_after(&self, taken: usize, text: &str) -> String {
        let line = Line::default().text(one_line(text));
        let line = match self.columns {
            Some(columns) => line.cut(columns.saturating_sub(taken).max(COLUMNS_MIN)),
            None => line,
        };
        line.render(false, str::to_owned)
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

/// Returns whether a character steers a terminal: control characters except line feeds and tabs, and the characters that
/// set the direction of the text after them.
fn steers(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Replaces the characters that steer a terminal: a memory must not send escape sequences to it, nor show as another text
/// than it is.
fn printable(text: &str) -> String {
    text.chars().map(|c| if steers(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Formats an entry without its number and date: `[anchor] memory/open state={"version":2} (cli:direct)`.
fn entry_text(entry: &Entry) -> String {
    let payload: Value = serde_json::from_str(entry.payload.get()).unwrap_or_default();
    let meta: Value = serde_json::from_str(entry.meta.get()).unwrap_or_default();
    let text = |field: &str| payload.get(field).and_then(Value::as_str).unwrap_or_default();
    let field = |name: &str| payload.get(name).map(|v| format!(" {name}={v}")).unwrap_or_default();
    let what = match entry.kind {
        Kind::Anchor => format!("{}{}", text("name"), field("state")),
        Kind::Event => format!("{}{}", text("name"), field("data")),
        Kind::Message => {
            let speaker = payload.get("name").or_else(|| payload.get("role")).and_then(Value::as_str);
            let speaker = one_line(speaker.unwrap_or("?"));
            format!("{speaker}: {}{}", Value::from(text("content")), field("image"))
        }
        _ => payload.to_string(),
    };
    let session = meta.get("session").and_then(Value::as_str);
    let session = session.map_or(String::new(), |session| format!(" ({session})"));
    format!("[{}] {what}{session}", entry.kind)
}
