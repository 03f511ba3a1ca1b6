//! Which workspace a command means: `-C`, else `$MEMTAPE_WORKSPACE`, else the nearest trusted folder above that
//! holds a tape, else `~/.memtape`, which makes itself.
//!
//! A folder must be trusted before it is used from inside it: a cloned repository must not become an agent's
//! memory by itself.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use memtape::{Options, Workspace};

use crate::output::{Failure, Output, Result};

/// What marks a folder as a workspace.
pub(crate) const TAPE: &str = "tape.jsonl";
/// The variable that names a workspace.
const VARIABLE: &str = "MEMTAPE_WORKSPACE";

/// A workspace's folder, and whether it may be made where there is none.
pub(crate) struct Place {
    pub(crate) dir: PathBuf,
    makes_itself: bool,
}

/// Finds the folder a command means.
pub(crate) fn place(asked: Option<&Path>, output: &Output) -> Result<Place> {
    let named = asked.map(Path::to_owned).or_else(|| env::var_os(VARIABLE).map(PathBuf::from));
    if let Some(dir) = named.filter(|dir| !dir.as_os_str().is_empty()) {
        return Ok(Place { dir, makes_itself: false });
    }
    let trusted = trusted()?;
    let here = env::current_dir().unwrap_or_default();
    for dir in here.ancestors().filter(|dir| dir.join(TAPE).is_file()) {
        if trusted.iter().any(|t| t == dir) {
            return Ok(Place { dir: dir.to_owned(), makes_itself: false });
        }
        let shown = dir.display();
        output.note(format_args!(
            "note: {shown} holds a tape but is not trusted: `memtape trust {shown}` to use it"
        ));
    }
    Ok(Place { dir: home()?.join(".memtape"), makes_itself: true })
}

/// Opens the workspace of a folder; the one at home makes itself.
pub(crate) fn open(place: &Place, options: Options, output: &Output) -> Result<Workspace> {
    let fresh = place.makes_itself && fs::read_dir(&place.dir).map_or(true, |mut dir| dir.next().is_none());
    if fresh {
        let workspace = Workspace::init(&place.dir, options)?;
        output.note(format_args!("note: a new workspace was made in {}", place.dir.display()));
        return Ok(workspace);
    }
    Ok(Workspace::open(&place.dir, options)?)
}

fn home() -> Result<PathBuf> {
    env::home_dir()
        .filter(|home| !home.as_os_str().is_empty())
        .ok_or_else(|| Failure::Usage("there is no home folder: name a workspace with -C DIR".into()))
}

/// The folder of the owner's own files.
pub(crate) fn user_dir() -> Result<PathBuf> {
    let config = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
    let config = match config {
        Some(config) => config,
        None => home()?.join(".config"),
    };
    Ok(config.join("memtape"))
}

/// The list of trusted folders, a line each.
fn trust_file() -> Result<PathBuf> {
    Ok(user_dir()?.join("trusted"))
}

/// The trusted folders.
pub(crate) fn trusted() -> Result<Vec<PathBuf>> {
    match fs::read_to_string(trust_file()?) {
        Ok(text) => Ok(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect()),
        Err(_) => Ok(Vec::new()),
    }
}

/// Trusts a folder, or no longer. Says whether that changed anything.
pub(crate) fn set_trusted(dir: &Path, trust: bool) -> Result<bool> {
    let unusable = |e: io::Error| Failure::Usage(format!("cannot keep the list of trusted folders: {e}"));
    let mut list = trusted()?;
    let before = list.len();
    if list.iter().any(|t| t == dir) == trust {
        return Ok(false);
    }
    list.retain(|t| t != dir);
    if trust {
        list.push(dir.to_owned());
    }
    let file = trust_file()?;
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    fs::create_dir_all(&folder).map_err(unusable)?;
    let text: String = list.iter().map(|dir| format!("{}\n", dir.display())).collect();
    // Written beside and moved over: a stop in between must not lose the list.
    let new = tempfile::NamedTempFile::new_in(&folder).map_err(unusable)?;
    fs::write(new.path(), text).map_err(unusable)?;
    new.persist(file).map_err(|e| unusable(e.error))?;
    Ok(list.len() != before)
}
