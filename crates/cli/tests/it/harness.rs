//! Runs the built `memtape`, each time with a separate working directory, home and environment.
//!
//! What differs from run to run is a placeholder in snapshots: `[DIR]`, `[HOME]` and `[CONFIG]`, `[TODAY]`,
//! `[YESTERDAY]` and `[NOW]`, `[ID]` (of a workspace), `[HEX]` (salts and hashes), and `[SCORE]` (its last
//! digit depends on the processor). Keys of lines are hashes of texts and stay. Fixed dates are in 2024, so
//! that no placeholder replaces them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::Expect;
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;
use tempfile::TempDir;

/// The ID of a user and a group that own nothing.
#[cfg(unix)]
const NOBODY: u32 = 65534;

/// A working directory and a home directory, deleted after the test.
pub(crate) struct Home {
    root: PathBuf,
    today: Date,
    _folder: TempDir,
}

impl Home {
    /// Creates a home without a workspace.
    pub(crate) fn bare() -> Self {
        let folder = tempfile::tempdir().expect("the machine has a temporary folder");
        let root = folder.path().canonicalize().expect("a new folder is there");
        for name in ["work", "home", "config"] {
            fs::create_dir(root.join(name)).expect("a new folder takes folders");
        }
        Self { root, today: jiff::Timestamp::now().to_zoned(TimeZone::UTC).date(), _folder: folder }
    }

    /// Creates a home with a new workspace in the working directory.
    pub(crate) fn new() -> Self {
        let home = Self::bare();
        home.setup(&["init"]);
        home
    }

    /// Returns a path in the working directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join("work").join(name)
    }

    /// Returns a path in the home directory.
    pub(crate) fn at_home(&self, name: &str) -> PathBuf {
        self.root.join("home").join(name)
    }

    /// Returns a path in the user's configuration directory.
    pub(crate) fn own(&self, name: &str) -> PathBuf {
        self.root.join("config/memtape").join(name)
    }

    /// Writes a file to the user's configuration directory.
    pub(crate) fn write_own(&self, name: &str, content: impl AsRef<[u8]>) {
        let dir = self.root.join("config/memtape");
        fs::create_dir_all(&dir).expect("folders can be made");
        fs::write(dir.join(name), content).expect("the file can be written");
    }

    /// Writes a file to the working directory.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("the path is under a folder")).expect("folders can be made");
        fs::write(path, content).expect("the file can be written");
    }

    /// Returns the bytes of the workspace's tape.
    pub(crate) fn tape(&self) -> Vec<u8> {
        fs::read(self.path("tape.jsonl")).expect("the workspace has a tape")
    }

    /// Returns the date this number of days before today, as `YYYY-MM-DD`.
    pub(crate) fn days_ago(&self, days: i64) -> String {
        (self.today - days.days()).to_string()
    }

    /// Returns a command to run. The line is split into words like a shell's; only single quotes are
    /// supported. `[DIR]` in it is the working directory.
    pub(crate) fn command(&self, line: &str) -> Call<'_> {
        let mut call = self.program(env!("CARGO_BIN_EXE_memtape"));
        let dir = self.root.join("work").display().to_string();
        call.command.args(words(&line.replace("[DIR]", &dir)));
        Call { line: line.to_owned(), ..call }
    }

    /// Returns a program to run in the working directory, with the home and the environment of the test.
    pub(crate) fn program(&self, program: &str) -> Call<'_> {
        let mut command = Command::new(program);
        command
            .current_dir(self.root.join("work"))
            .env_clear()
            .env("HOME", self.root.join("home"))
            .env("TZ", "UTC")
            .env("XDG_CONFIG_HOME", self.root.join("config"));
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        Call { home: self, command, line: program.to_owned(), input: None, output: None }
    }

    /// Runs a command.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.command(line).run()
    }

    /// Runs commands that must succeed, and ignores their output. A merge may leave conflicts open.
    pub(crate) fn setup(&self, lines: &[&str]) {
        for line in lines {
            let ran = self.run(line);
            let leaves_conflicts =
                (line.starts_with("merge ") || line.starts_with("cherry-pick ")) && ran.code == 1;
            assert!(ran.code == 0 || leaves_conflicts, "memtape {line}: {}", ran.snapshot());
        }
    }

    /// Runs commands and compares their output, each after its command line.
    pub(crate) fn check(&self, lines: &[&str], expect: &Expect) {
        let ran = lines.iter().map(|line| format!("$ memtape {line}\n{}", self.run(line).snapshot()));
        // An expected text cannot have a line of spaces, as an empty line of a diff is.
        expect.assert_eq(&ran.collect::<String>().replace("\n \n", "\n\n"));
    }

    /// Replaces what differs from run to run by placeholders.
    fn filtered(&self, text: &str) -> String {
        let shown = |name: &str| self.root.join(name).display().to_string();
        let text = text
            .replace(&shown("work"), "[DIR]")
            .replace(&shown("home"), "[HOME]")
            .replace(&shown("config"), "[CONFIG]");
        let days = [
            (self.today, "[TODAY]"),
            // A test may run past midnight.
            (self.today + 1.day(), "[TODAY]"),
            (self.today - 1.day(), "[YESTERDAY]"),
        ]
        .map(|(day, name)| (day.to_string(), name));
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(c) = rest.chars().next() {
            let (instead, length) = date(rest, &days)
                .or_else(|| hex(&out, rest))
                .or_else(|| score(&out, rest))
                .unwrap_or_else(|| (&rest[..c.len_utf8()], c.len_utf8()));
            out.push_str(instead);
            rest = &rest[length..];
        }
        out
    }
}

/// A command to run.
pub(crate) struct Call<'a> {
    home: &'a Home,
    command: Command,
    line: String,
    input: Option<Vec<u8>>,
    output: Option<Stdio>,
}

impl Call<'_> {
    /// Adds an argument verbatim.
    pub(crate) fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.command.arg(word);
        self
    }

    /// Sets the text on standard input, which is empty by default.
    pub(crate) fn stdin(mut self, text: impl AsRef<[u8]>) -> Self {
        self.input = Some(text.as_ref().to_vec());
        self
    }

    /// Redirects standard output.
    pub(crate) fn stdout(mut self, output: impl Into<Stdio>) -> Self {
        self.output = Some(output.into());
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets the working directory.
    pub(crate) fn from(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Runs the command as an unprivileged user if the tests run as root, who is never refused a permission.
    #[cfg(unix)]
    pub(crate) fn unprivileged(mut self) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        use std::os::unix::process::CommandExt as _;
        let owner = fs::metadata(&self.home.root).expect("the home is there").uid();
        if owner == 0 {
            let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(&self.home.root, open).expect("the home is the tests' own");
            self.command.uid(NOBODY).gid(NOBODY);
        }
        self
    }

    /// Runs the command and checks what holds for every command: it does not panic, and prints no data if it
    /// fails, except for `verify`, `scan` and `merge`, whose findings are their data, and `memory-tool`, whose
    /// errors are.
    /// Returns the command, to be run by the test itself.
    pub(crate) fn into_command(self) -> Command {
        self.command
    }

    pub(crate) fn run(self) -> Ran {
        let Self { home, mut command, line, input, output } = self;
        command.stdin(match &input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        });
        command.stdout(output.unwrap_or_else(Stdio::piped)).stderr(Stdio::piped());
        let mut child = command.spawn().expect("memtape was built for the tests");
        // Close this process's ends of the pipes before waiting for the command.
        drop(command);
        if let (Some(text), Some(mut stdin)) = (input, child.stdin.take()) {
            // A command that fails early does not read its input. The texts of the tests fit into the pipe.
            let _ = stdin.write_all(&text);
        }
        let output = child.wait_with_output().expect("memtape ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("memtape prints UTF-8");
        let ran = Ran {
            code: output.status.code().expect("memtape is not killed"),
            raw: text(output.stdout.clone()),
            stdout: home.filtered(&text(output.stdout)),
            stderr: home.filtered(&text(output.stderr)),
        };
        assert!(!ran.stderr.contains("panicked") && ran.code != 101, "memtape {line}: {}", ran.snapshot());
        let has_findings = [
            "verify",
            "scan",
            "merge",
            "cherry-pick",
            "memory-tool",
            "agent",
            "doctor",
            "resolve --model",
            "heartbeat",
        ]
        .iter()
        .any(|command| line.contains(command));
        let fails_with_data = ran.code != 0 && !ran.stdout.is_empty() && !has_findings;
        assert!(!fails_with_data, "memtape {line}: {}", ran.snapshot());
        ran
    }
}

/// The output and exit status of a command.
#[must_use]
pub(crate) struct Ran {
    /// The exit status.
    pub(crate) code: i32,
    /// Standard output, with placeholders.
    pub(crate) stdout: String,
    /// Standard error, with placeholders.
    pub(crate) stderr: String,
    raw: String,
}

impl Ran {
    /// Returns everything as one text: standard output, standard error with `!` before each line, and the
    /// exit status unless it is 0.
    pub(crate) fn snapshot(&self) -> String {
        let mut text = self.stdout.clone();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str("[no line end]\n");
        }
        for line in self.stderr.lines() {
            text.push_str(format!("! {line}").trim_end());
            text.push('\n');
        }
        if self.code != 0 {
            text.push_str(&format!("[exit {}]\n", self.code));
        }
        text
    }

    /// Compares the snapshot.
    pub(crate) fn check(&self, expect: &Expect) {
        expect.assert_eq(&self.snapshot());
    }

    /// Returns the JSON document that was printed. It must be on one line, as other programs expect.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.snapshot());
        assert_eq!(self.raw.lines().count(), 1, "{}", self.snapshot());
        serde_json::from_str(&self.raw).expect("the output is JSON")
    }

    /// Returns the JSON documents that were printed, one per line.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        assert_eq!(self.code, 0, "{}", self.snapshot());
        self.raw.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    /// Returns the JSON error of a failed command.
    pub(crate) fn json_error(&self) -> Value {
        assert_ne!(self.code, 0, "{}", self.snapshot());
        let last = self.stderr.lines().last().expect("a failure says why");
        serde_json::from_str::<Value>(last).expect("the error is JSON")["error"].clone()
    }

    /// Returns standard output without placeholders.
    pub(crate) fn raw(&self) -> &str {
        assert_eq!(self.code, 0, "{}", self.snapshot());
        &self.raw
    }
}

/// Returns a pipe whose reading end is closed, as standard output is behind `| head`.
pub(crate) fn unread_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("the machine has pipes");
    drop(reader);
    writer.into()
}

/// Returns a file that accepts no data, like one on a full disk.
#[cfg(target_os = "linux")]
pub(crate) fn full_disk() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has /dev/full").into()
}

/// Splits a line at white space, except inside single quotes.
fn words(line: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    for (n, part) in line.split('\'').enumerate() {
        match n % 2 {
            1 => words.push(part.into()),
            _ => words.extend(part.split_whitespace().map(OsString::from)),
        }
    }
    words
}

/// If the text starts with a date near the test's run, returns its placeholder and length.
fn date<'a>(text: &str, days: &[(String, &'a str)]) -> Option<(&'a str, usize)> {
    let (day, name) = days.iter().find(|(day, _)| text.starts_with(day.as_str()))?;
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = day.len();
    if !matches!(text.as_bytes().get(end), Some(b' ' | b'T')) || digits(&text[end + 1..]) != 2 {
        return Some((name, end));
    }
    end += 3;
    while matches!(text.as_bytes().get(end), Some(b':' | b'.')) && digits(&text[end + 1..]) > 0 {
        end += 1 + digits(&text[end + 1..]);
    }
    if text[end..].starts_with('Z') {
        end += 1;
    }
    Some(("[NOW]", end))
}

/// If the text starts with a score such as `0.87` after its name, or with a confidence that a model computed, returns its
/// placeholder and length. The last digits of both depend on the processor.
fn score(before: &str, text: &str) -> Option<(&'static str, usize)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let is_score = before.ends_with("score ") && text.starts_with(['0', '1']);
    let is_computed = before.ends_with("\"confidence\":") && end > "0.123456".len();
    (is_score || is_computed).then_some(("[SCORE]", end))
}

/// If the text starts with a workspace's ID, a salt, a hash or a commit's ID, returns its placeholder and
/// length. Keys of lines are left.
fn hex(before: &str, text: &str) -> Option<(&'static str, usize)> {
    if before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
        || ["ledger:", "zone:", "statements:"].iter().any(|form| before.ends_with(form))
    {
        return None;
    }
    let length = text.bytes().take_while(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).count();
    if text[length..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    match length {
        16 => Some(("[ID]", 16)),
        // The short ID of a commit, in a log or in a diagram.
        8 if text[8..].starts_with(" @")
            || before.ends_with("commit id: \"")
            || before.ends_with(" id: \"") =>
        {
            Some(("[COMMIT]", 8))
        }
        32.. => Some(("[HEX]", length)),
        _ => None,
    }
}
