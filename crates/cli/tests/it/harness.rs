//! Runs the `memtape` that was built for the tests, each time in a folder, a home and an environment of its own.
//!
//! What varies from run to run stands in a snapshot as a placeholder: `[DIR]`, `[HOME]` and `[CONFIG]`, `[TODAY]`,
//! `[YESTERDAY]` and `[NOW]`, `[ID]` (a workspace's), `[HEX]` (salts and hashes), `[SCORE]` (its last digit varies with
//! what the processor can do). Line keys are hashes of texts
//! and stay. So that a placeholder never covers a date of the test itself, fixed dates lie in 2024.

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

/// The user and the group that own nothing.
#[cfg(unix)]
const NOBODY: u32 = 65534;

/// A folder to work in and a home, gone after the test.
pub(crate) struct Home {
    root: PathBuf,
    today: Date,
    _folder: TempDir,
}

impl Home {
    /// A home without any workspace.
    pub(crate) fn bare() -> Self {
        let folder = tempfile::tempdir().expect("the machine has a temporary folder");
        let root = folder.path().canonicalize().expect("a new folder is there");
        for name in ["work", "home", "config"] {
            fs::create_dir(root.join(name)).expect("a new folder takes folders");
        }
        Self { root, today: jiff::Timestamp::now().to_zoned(TimeZone::UTC).date(), _folder: folder }
    }

    /// A home with a new workspace in the folder that commands run in.
    pub(crate) fn new() -> Self {
        let home = Self::bare();
        home.setup(&["init"]);
        home
    }

    /// A path under the folder that commands run in.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join("work").join(name)
    }

    /// A path under the home folder.
    pub(crate) fn at_home(&self, name: &str) -> PathBuf {
        self.root.join("home").join(name)
    }

    /// A path under the owner's own folder of configuration.
    pub(crate) fn own(&self, name: &str) -> PathBuf {
        self.root.join("config/memtape").join(name)
    }

    /// Writes a file into the owner's own folder of configuration.
    pub(crate) fn write_own(&self, name: &str, content: impl AsRef<[u8]>) {
        let dir = self.root.join("config/memtape");
        fs::create_dir_all(&dir).expect("folders can be made");
        fs::write(dir.join(name), content).expect("the file can be written");
    }

    /// Writes a file into the folder that commands run in.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("the path is under a folder")).expect("folders can be made");
        fs::write(path, content).expect("the file can be written");
    }

    /// The bytes of the workspace's tape.
    pub(crate) fn tape(&self) -> Vec<u8> {
        fs::read(self.path("tape.jsonl")).expect("the workspace has a tape")
    }

    /// A day as it is written, so many days before today.
    pub(crate) fn days_ago(&self, days: i64) -> String {
        (self.today - days.days()).to_string()
    }

    /// A command to run, written as in a shell: words, and texts in single quotes.
    pub(crate) fn command(&self, line: &str) -> Call<'_> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memtape"));
        command
            .args(words(line))
            .current_dir(self.root.join("work"))
            .env_clear()
            .env("HOME", self.root.join("home"))
            .env("XDG_CONFIG_HOME", self.root.join("config"));
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        Call { home: self, command, line: line.to_owned(), input: None, output: None }
    }

    /// Runs a command.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.command(line).run()
    }

    /// Runs commands that must succeed and whose output does not matter.
    pub(crate) fn setup(&self, lines: &[&str]) {
        for line in lines {
            let ran = self.run(line);
            assert_eq!(ran.code, 0, "memtape {line}: {}", ran.snapshot());
        }
    }

    /// Runs commands and compares all they print, each under its line.
    pub(crate) fn check(&self, lines: &[&str], expect: &Expect) {
        let ran = lines.iter().map(|line| format!("$ memtape {line}\n{}", self.run(line).snapshot()));
        expect.assert_eq(&ran.collect::<String>());
    }

    /// A text with placeholders for what varies.
    fn filtered(&self, text: &str) -> String {
        let shown = |name: &str| self.root.join(name).display().to_string();
        let text = text
            .replace(&shown("work"), "[DIR]")
            .replace(&shown("home"), "[HOME]")
            .replace(&shown("config"), "[CONFIG]");
        let days = [
            (self.today, "[TODAY]"),
            // Midnight may pass during a test.
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

/// A command that is being prepared.
pub(crate) struct Call<'a> {
    home: &'a Home,
    command: Command,
    line: String,
    input: Option<Vec<u8>>,
    output: Option<Stdio>,
}

impl Call<'_> {
    /// With one more word, taken as it is.
    pub(crate) fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.command.arg(word);
        self
    }

    /// With a text on standard input; without, it is empty.
    pub(crate) fn stdin(mut self, text: impl AsRef<[u8]>) -> Self {
        self.input = Some(text.as_ref().to_vec());
        self
    }

    /// With standard output somewhere else.
    pub(crate) fn stdout(mut self, output: impl Into<Stdio>) -> Self {
        self.output = Some(output.into());
        self
    }

    /// With a variable in its environment.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// From inside another folder.
    pub(crate) fn from(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// As a user without rights, where the tests themselves have all: for them no permission is refused.
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

    /// Runs it, and sees to what holds for every command: no panic, and no data where it fails (but for
    /// `verify` and `scan`, whose findings are their data).
    pub(crate) fn run(self) -> Ran {
        let Self { home, mut command, line, input, output } = self;
        command.stdin(match &input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        });
        command.stdout(output.unwrap_or_else(Stdio::piped)).stderr(Stdio::piped());
        let mut child = command.spawn().expect("memtape was built for the tests");
        // What keeps the ends of pipes open here goes before anything waits for them to close.
        drop(command);
        if let (Some(text), Some(mut stdin)) = (input, child.stdin.take()) {
            // A command that fails early reads no input; texts here fit into the pipe.
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
        let fails_with_data =
            ran.code != 0 && !ran.stdout.is_empty() && !line.contains("verify") && !line.contains("scan");
        assert!(!fails_with_data, "memtape {line}: {}", ran.snapshot());
        ran
    }
}

/// What a command printed, and how it ended.
#[must_use]
pub(crate) struct Ran {
    /// Its exit status.
    pub(crate) code: i32,
    /// What it printed, with placeholders.
    pub(crate) stdout: String,
    /// What it said beside that, with placeholders.
    pub(crate) stderr: String,
    raw: String,
}

impl Ran {
    /// All of it as one text: the data as it is, then what was said beside it behind `!`, then the exit status
    /// where it is not 0.
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

    /// Compares all of it.
    pub(crate) fn check(&self, expect: &Expect) {
        expect.assert_eq(&self.snapshot());
    }

    /// The JSON document it printed, on one line as for another program.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.snapshot());
        assert_eq!(self.raw.lines().count(), 1, "{}", self.snapshot());
        serde_json::from_str(&self.raw).expect("the output is JSON")
    }

    /// The JSON documents it printed, a line each.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        assert_eq!(self.code, 0, "{}", self.snapshot());
        self.raw.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    /// The error it ended with, as JSON.
    pub(crate) fn json_error(&self) -> Value {
        assert_ne!(self.code, 0, "{}", self.snapshot());
        let last = self.stderr.lines().last().expect("a failure says why");
        serde_json::from_str::<Value>(last).expect("the error is JSON")["error"].clone()
    }

    /// What it printed, to the byte.
    pub(crate) fn raw(&self) -> &str {
        assert_eq!(self.code, 0, "{}", self.snapshot());
        &self.raw
    }
}

/// A pipe's end that nobody reads from: what a command meets behind `| head`.
pub(crate) fn unread_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("the machine has pipes");
    drop(reader);
    writer.into()
}

/// A file that takes nothing, as on a full disk.
#[cfg(target_os = "linux")]
pub(crate) fn full_disk() -> Stdio {
    File::options().write(true).open("/dev/full").expect("Linux has /dev/full").into()
}

/// The words of a line: separated by white space, but for what stands in single quotes.
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

/// At a day of the test's run: its placeholder, and the length of the text it stands for.
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

/// A score such as `0.87` behind its name.
fn score(before: &str, text: &str) -> Option<(&'static str, usize)> {
    let is_score = before.ends_with("score ") && text.starts_with(['0', '1']);
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    is_score.then_some(("[SCORE]", end))
}

/// At the beginning of a workspace's id, a salt or a hash: its placeholder and length. A line's key stays.
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
        // How a commit is named, in a log, and in a diagram.
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
