//! Selection of the workspace: `-C`, `--global` for `~/.memtape`, else `$MEMTAPE_WORKSPACE`, else the nearest
//! trusted directory that contains a tape, starting at the working directory and going up.
//!
//! Outside of any workspace, a command that may write fails, so that no memory is written to an unexpected place. A
//! command that only reads uses `~/.memtape` if it exists, and reports that.
//!
//! A workspace is used from inside its directory only if that directory is trusted: a cloned repository must not
//! automatically become an agent's memory.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use memtape::config::Sources;
use memtape::disk::{locked, replace_private};
use memtape::{Config, Options, Upstream, Workspace};
use memtape_server::http;

use crate::args::SharedArgs;
use crate::output::{Failure, Output, Result};
use crate::style::Color;
use crate::upstreams;

/// The environment variable that selects a workspace.
const VARIABLE: &str = "MEMTAPE_WORKSPACE";

/// The directory of a workspace, and whether it may be created.
pub(crate) struct Place {
    pub(crate) dir: PathBuf,
    makes_itself: bool,
}

/// Returns the directory of the workspace that a command uses. `may_write` is whether it could change that
/// workspace.
pub(crate) fn place(shared: &SharedArgs, may_write: bool, output: &Output) -> Result<Place> {
    if shared.global {
        return Ok(Place { dir: own()?, makes_itself: true });
    }
    let named = shared.workspace.clone().or_else(|| env::var_os(VARIABLE).map(PathBuf::from));
    if let Some(dir) = named.filter(|dir| !dir.as_os_str().is_empty()) {
        return Ok(Place { dir, makes_itself: false });
    }
    let trusted = trusted()?;
    let here = env::current_dir().unwrap_or_default();
    let mut untrusted = None;
    for dir in here.ancestors().filter(|dir| Workspace::exists_in(dir)) {
        if trusted.iter().any(|t| t == dir) {
            return Ok(Place { dir: dir.to_owned(), makes_itself: false });
        }
        untrusted.get_or_insert_with(|| dir.to_owned());
    }
    let own = own().ok().filter(|own| Workspace::exists_in(own));
    match own {
        Some(dir) if !may_write => {
            let why = match untrusted {
                Some(untrusted) => {
                    let untrusted = untrusted.display();
                    format!("{untrusted} is not trusted (`memtape trust {untrusted}` to use it)")
                }
                None => "there is no workspace here".to_owned(),
            };
            output.note(format_args!("note: {why}; reading {}", dir.display()));
            Ok(Place { dir, makes_itself: false })
        }
        _ => Err(outside(&here, untrusted.as_deref())),
    }
}

/// Returns whether a command with these options uses the workspace in a directory, unless it has `-C`.
pub(crate) fn is_selected(shared: &SharedArgs, dir: &Path) -> bool {
    let shared = SharedArgs { workspace: None, global: shared.global, ..SharedArgs::default() };
    let output = Output::new(false, Color::default(), false);
    place(&shared, true, &output).is_ok_and(|place| place.dir.canonicalize().is_ok_and(|used| used == dir))
}

/// Returns the directory of the workspace that a server or a hook uses: the named one, else `~/.memtape`, which is
/// created on first use. The working directory does not count: a client may start in any.
pub(crate) fn server_place(shared: &SharedArgs) -> Result<Place> {
    let variable = || env::var_os(VARIABLE).map(PathBuf::from).filter(|_| !shared.global);
    match shared.workspace.clone().or_else(variable).filter(|dir| !dir.as_os_str().is_empty()) {
        Some(dir) => Ok(Place { dir, makes_itself: false }),
        None => Ok(Place { dir: own()?, makes_itself: true }),
    }
}

/// Opens the workspace of a server or a hook with the configuration of the process. Warnings about it are among
/// those of the workspace.
pub(crate) fn open_for_server(
    place: &Place,
    branch: Option<String>,
    flags: Vec<String>,
) -> memtape::Result<Workspace> {
    let workspace = Some(place.dir.clone());
    let loaded = memtape::config::load(&Sources { flags, ..Sources::of_process(workspace) })?;
    for warning in &loaded.warnings {
        // The client of a server or a hook may have closed standard error, which is no reason to fail.
        let _ = writeln!(io::stderr(), "memtape: warning: {warning}");
    }
    let upstream = upstreams::of(&place.dir).map_err(memtape::Error::Input)?;
    let options = Options { config: for_server(loaded.config), branch, upstream, ..Options::default() };
    match place.is_fresh() {
        true => Workspace::init(&place.dir, options),
        false => Workspace::open(&place.dir, options),
    }
}

/// Opens the replica in a directory, and makes it if it does not exist.
pub(crate) fn open_replica(
    dir: &Path,
    upstream: Arc<dyn Upstream>,
    branch: Option<String>,
    flags: Vec<String>,
) -> memtape::Result<Workspace> {
    let loaded = memtape::config::load(&Sources { flags, ..Sources::of_process(Some(dir.to_owned())) })?;
    let upstream = Some(upstream);
    let options = Options { config: for_server(loaded.config), branch, upstream, ..Options::default() };
    Workspace::replica(dir, options)
}

/// Returns the configuration as a server uses it: clients do not wait for a lock without limit.
fn for_server(config: Config) -> Config {
    Config { lock_wait: config.lock_wait.min(http::LOCK_WAIT_MAX), ..config }
}

/// Quotes a path for a shell, if it needs that.
pub(crate) fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,@%:".contains(c);
    match path.chars().all(is_plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// Returns the failure for a command outside of any workspace.
fn outside(here: &Path, untrusted: Option<&Path>) -> Failure {
    let own = "`--global` uses ~/.memtape";
    let (message, hint) = match untrusted {
        Some(dir) => (
            format!("the workspace {} is not trusted", dir.display()),
            format!(
                "`memtape trust {}` trusts it, `memtape init` creates another one here, {own}",
                quoted(dir)
            ),
        ),
        None => (
            format!("there is no workspace in {} or above it", here.display()),
            format!("`memtape init` creates one here, {own}"),
        ),
    };
    Failure::NoWorkspace { message, hint }
}

impl Place {
    /// Returns the place of a workspace that exists.
    pub(crate) fn existing(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), makes_itself: false }
    }

    /// Returns whether the workspace does not exist yet and is created on first use.
    pub(crate) fn is_fresh(&self) -> bool {
        self.makes_itself && Workspace::is_prepared(&self.dir)
    }
}

/// Opens a workspace. With `--global`, the one in the home directory is created if it does not exist or
/// contains only what a person prepares for a workspace.
pub(crate) fn open(place: &Place, options: Options, output: &Output) -> Result<Workspace> {
    if place.is_fresh() {
        let workspace = Workspace::init(&place.dir, options)?;
        output.note(format_args!("note: created the workspace {}", place.dir.display()));
        return Ok(workspace);
    }
    Ok(Workspace::open(&place.dir, options)?)
}

/// Returns the directory of the user's own workspace.
pub(crate) fn own() -> Result<PathBuf> {
    Ok(home()?.join(".memtape"))
}

/// Returns the user's home directory.
pub(crate) fn home() -> Result<PathBuf> {
    env::home_dir().filter(|home| !home.as_os_str().is_empty()).ok_or_else(no_home)
}

/// Returns the directory of the user's own files.
pub(crate) fn user_dir() -> Result<PathBuf> {
    memtape::config::user_dir().ok_or_else(no_home)
}

fn no_home() -> Failure {
    Failure::Usage("there is no home directory: name a workspace with -C DIR".into())
}

/// Returns the path of the list of trusted directories, which has one directory per line.
fn trust_file() -> Result<PathBuf> {
    Ok(user_dir()?.join("trusted"))
}

/// Returns the failure for an error while reading or writing the list of trusted directories.
fn unusable(action: &str, file: &Path, e: &io::Error) -> Failure {
    Failure::Unusable(format!("cannot {action} the list of trusted directories {}: {e}", file.display()))
}

/// Returns the trusted directories; none if the list does not exist.
pub(crate) fn trusted() -> Result<Vec<PathBuf>> {
    let file = trust_file()?;
    let lines = match fs::read(&file) {
        Ok(lines) => lines,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(unusable("read", &file, &e)),
    };
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| path_of(line).map_err(|e| unusable("read", &file, &e))).collect()
}

/// Adds a directory to the trusted ones or removes it. Returns whether that changed the list.
pub(crate) fn set_trusted(dir: &Path, trust: bool) -> Result<bool> {
    let file = trust_file()?;
    let _lock = locked(&file).map_err(|e| unusable("write", &file, &e))?;
    let mut list = trusted()?;
    if list.iter().any(|t| t == dir) == trust {
        return Ok(false);
    }
    list.retain(|t| t != dir);
    if trust {
        list.push(dir.to_owned());
    }
    write_trusted(&file, &list).map_err(|e| unusable("write", &file, &e))?;
    Ok(true)
}

fn write_trusted(file: &Path, list: &[PathBuf]) -> io::Result<()> {
    let mut lines = Vec::new();
    for dir in list {
        lines.extend_from_slice(&line_of(dir)?);
        lines.push(b'\n');
    }
    replace_private(file, &lines)
}

/// Maximum number of reported warnings that are recorded, over all workspaces.
const NAMED_MAX: usize = 1000;

/// Returns whether a warning about a workspace has not been reported before, and records it as reported.
///
/// It is recorded next to the list of trusted directories, because a command that only reads must not write
/// into the workspace. If that file cannot be written, every time counts as the first.
pub(crate) fn is_first_time(dir: &Path, warning: &str) -> bool {
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let line = format!("{}: {warning}", dir.display()).replace(char::is_control, " ");
    let Ok(file) = user_dir().map(|dir| dir.join("warned")) else { return true };
    let _lock = locked(&file);
    let known = fs::read(&file).unwrap_or_default();
    let known = String::from_utf8_lossy(&known);
    if known.lines().any(|known| known == line) {
        return false;
    }
    let lines: Vec<&str> = known.lines().chain([line.as_str()]).collect();
    let lines = &lines[lines.len().saturating_sub(NAMED_MAX)..];
    // Failing to record the warning only means that it is reported again.
    let _ = replace_private(&file, (lines.join("\n") + "\n").as_bytes());
    true
}

/// Returns the line of a directory in the list: its raw bytes on Unix, UTF-8 elsewhere.
fn line_of(dir: &Path) -> io::Result<Vec<u8>> {
    #[cfg(unix)]
    let line = std::os::unix::ffi::OsStrExt::as_bytes(dir.as_os_str()).to_owned();
    #[cfg(not(unix))]
    let line = dir.to_str().ok_or(io::ErrorKind::InvalidInput)?.as_bytes().to_owned();
    match line.contains(&b'\n') {
        true => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "the name of a directory contains a line break"))
        }
        false => Ok(line),
    }
}

/// Parses a line of the list of trusted directories.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere a line can be no path")]
fn path_of(line: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(line)))
}

#[cfg(not(unix))]
fn path_of(line: &[u8]) -> io::Result<PathBuf> {
    let text = std::str::from_utf8(line).map_err(io::Error::other)?;
    Ok(PathBuf::from(text.trim_end_matches('\r')))
}
