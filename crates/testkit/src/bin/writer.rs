//! A process that writes to a workspace. The tests run several of them at once, or kill them.
//!
//! - `memtape-testkit-writer DIR NAME COUNT` writes COUNT lines to long-term memory and COUNT to the daily
//!   note.
//! - `… NAME archive COUNT` archives the active segment COUNT times.
//! - `… NAME turn COUNT` runs turns in one chat.
//! - `… NAME say COUNT` records messages in a chat of its own.
//! - `… NAME note COUNT` appends to notes and switches between branches; `… append COUNT` only appends.
//! - `… NAME file COUNT` writes files and switches between branches.
//! - `… NAME secret COUNT` writes secrets, as an older version did.
//! - `… NAME redact COUNT` redacts them.
//!
//! `MEMTAPE_UPSTREAM` is the address of the upstream, and `MEMTAPE_UPSTREAM_WAIT_SECONDS` how long a write tries to reach
//! it.
//!
//! Each acknowledged line is printed; `redact` prints `ready` before it redacts the first secret.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use memtape::{At, Backend, Config, FilePath, Inbound, Message, Options, Origin, Reply, Session, Workspace};
use memtape_testkit::Older;
use memtape_testkit::forms::notes::FILES;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [dir, _, "archive", count] => archive(dir, count),
        [dir, name, "turn", count] => turns(dir, name, count),
        [dir, name, "say", count] => say(dir, name, count),
        [dir, name, "secret", count] => secrets(dir, name, count),
        [dir, name, "note", count] => notes(dir, name, count, true),
        [dir, name, "append", count] => notes(dir, name, count, false),
        [dir, name, "file", count] => files(dir, name, count),
        [dir, _, "redact", count] => redact(dir, count),
        [dir, name, count] => write(dir, name, count),
        _ => Err("DIR NAME [archive|turn|say|note|append|file|secret|redact] COUNT".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

type Failure = Box<dyn std::error::Error>;

/// Opens the workspace; with `MEMTAPE_UPSTREAM`, as a replica.
fn open(dir: &str, options: Options) -> Result<Workspace, Failure> {
    let upstream = std::env::var("MEMTAPE_UPSTREAM").ok();
    let upstream = upstream.map(|url| memtape_remote::open(&url)).transpose()?;
    let mut options = Options { upstream, ..options };
    if let Ok(seconds) = std::env::var("MEMTAPE_UPSTREAM_WAIT_SECONDS") {
        options.config.upstream.wait = Duration::from_secs(seconds.parse()?);
    }
    Ok(Workspace::open(Path::new(dir), options)?)
}

fn write(dir: &str, name: &str, count: &str) -> Result<(), Failure> {
    let workspace = open(dir, Options::default())?;
    for n in 0..count.parse::<u32>()? {
        workspace.zone().remember(&format!("{name} remembers {n}"))?;
        println!("{name} remembers {n}");
        workspace.zone().daily(&format!("- {name} notes {n}"), None)?;
        println!("- {name} notes {n}");
    }
    Ok(())
}

fn archive(dir: &str, count: &str) -> Result<(), Failure> {
    let workspace = open(dir, Options::default())?;
    for _ in 0..count.parse::<u32>()? {
        workspace.archive()?;
    }
    Ok(())
}

fn turns(dir: &str, name: &str, count: &str) -> Result<(), Failure> {
    let mut config = Config::default();
    config.recall.backend = Backend::SqliteFts;
    let workspace = open(dir, Options { config, ..Options::default() })?;
    for n in 0..count.parse::<u32>()? {
        let text = format!("I prefer {name} number {n}");
        let inbound = Inbound { user: Some(name.to_owned()), ..Inbound::new(&format!("{text}. I like tea")) };
        let session = Session::parse("telegram:1").map_err(memtape::Error::from)?;
        workspace.conversation(session).turn(&inbound, |_| Ok(Reply::new("I see.")))?;
        println!("{text}");
    }
    Ok(())
}

fn say(dir: &str, name: &str, count: &str) -> Result<(), Failure> {
    let workspace = open(dir, Options::default())?;
    let session = Session::parse(&format!("telegram:{name}")).map_err(memtape::Error::from)?;
    let conversation = workspace.conversation(session);
    for n in 0..count.parse::<u32>()? {
        let content = format!("{name} says {n}");
        conversation.say(&Message::new("user", &content))?;
        println!("{content}");
    }
    Ok(())
}

/// Appends to notes. If `checks_out` is set, it uses two branches and switches between them.
fn notes(dir: &str, name: &str, count: &str, checks_out: bool) -> Result<(), Failure> {
    let branches = if checks_out { vec!["main", "scout"] } else { vec!["main"] };
    let open =
        |branch: &&str| open(dir, Options { branch: Some((*branch).to_owned()), ..Options::default() });
    let workspaces = branches.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    for n in 0..count.parse::<usize>()? {
        let workspace = &workspaces[n % branches.len()];
        let line = format!("- {name} {n}: notes");
        let notes = workspace.notes().writing_as(Origin::Assistant);
        notes.append(&notes.path(FILES[n % FILES.len()])?, &line, None)?;
        println!("{line}");
        if checks_out {
            workspace.branches().switch(branches[n / 2 % branches.len()], true)?;
        }
    }
    Ok(())
}

/// Adds lines to files on two branches and switches between them.
fn files(dir: &str, name: &str, count: &str) -> Result<(), Failure> {
    let branches = ["main", "scout"];
    let open = |branch: &str| open(dir, Options { branch: Some(branch.to_owned()), ..Options::default() });
    for n in 0..count.parse::<usize>()? {
        let workspace = open(branches[n % 2])?;
        let line = format!("{name} {n}: files");
        let path = FilePath::new(&format!("drafts/{}.md", n % 3)).map_err(memtape::Error::from)?;
        let files = workspace.files().writing_as(Origin::Assistant);
        let before = files.read(&path, &At::head()).map(|file| file.text()).unwrap_or_default();
        files.write(&path, &format!("{before}{line}\n"))?;
        println!("{line}");
        workspace.branches().switch(branches[n / 2 % 2], true)?;
    }
    Ok(())
}

fn secrets(dir: &str, name: &str, count: &str) -> Result<(), Failure> {
    let older = Older::open(Path::new(dir), Options::default())?;
    for n in 0..count.parse::<u32>()? {
        let text = format!("{name} {n}: the password is tangerine-Falcon-88");
        older.remember(&text)?;
        older.add(&text)?;
    }
    Ok(())
}

fn redact(dir: &str, count: &str) -> Result<(), Failure> {
    let workspace = open(dir, Options::default())?;
    // Run the one-time setup first, so that each redaction takes about the same time.
    workspace.scan()?;
    println!("ready");
    for n in 0..count.parse::<u32>()? {
        workspace.scan_and_redact()?;
        println!("redacted {n}");
    }
    Ok(())
}
