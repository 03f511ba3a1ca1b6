//! Running other programs, with full reports of their failures.

use std::fmt::Write as _;
use std::process::{Command, ExitStatus, Stdio};

/// The result of a task. An error is a text for the terminal.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// The result of a program that has ended.
pub(crate) struct Ran {
    command: String,
    status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a command to its end with empty standard input, and captures its output.
pub(crate) fn run(command: &mut Command) -> Result<Ran> {
    let shown = shown(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("a program could not be started: {e}\n  $ {shown}"))?;
    Ok(Ran {
        command: shown,
        status: output.status,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Runs a command and returns its standard output. Fails if the command fails.
pub(crate) fn succeed(command: &mut Command) -> Result<String> {
    let ran = run(command)?;
    match ran.is_success() {
        true => Ok(ran.stdout),
        false => Err(ran.report("a command failed")),
    }
}

impl Ran {
    pub(crate) fn is_success(&self) -> bool {
        self.status.success()
    }

    /// Returns whether the program ended with this exit status.
    pub(crate) fn ended_with(&self, status: i32) -> bool {
        self.status.code() == Some(status)
    }

    /// Formats a failure: the reason, the command, its exit status and all its output.
    pub(crate) fn report(&self, why: &str) -> String {
        let mut text = format!("{why}\n  $ {}\n  {}", self.command, self.status);
        for (name, output) in [("standard output", &self.stdout), ("standard error", &self.stderr)] {
            if !output.is_empty() {
                let _ = write!(text, "\n  {name}:\n{}", indented(output));
            }
        }
        text
    }
}

/// Indents a text for a report.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect::<String>().trim_end().to_owned()
}

/// Formats a command as it can be typed in a shell.
fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| quoted(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
