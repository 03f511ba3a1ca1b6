//! The addresses of upstreams, with their credentials.
//!
//! They are in `MEMTAPE_UPSTREAM`, and in the owner's file `upstreams`, one a line; `clone` and `push` add to it. A
//! workspace names its upstream without credentials. It is connected only if one of these addresses is the same.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use memtape::Upstream;
use memtape::disk::{locked, replace_private};

use crate::output::{Failure, Result};

/// The variable that has the address of an upstream.
const VARIABLE: &str = "MEMTAPE_UPSTREAM";

/// Opens the upstream at an address.
pub(crate) fn open(url: &str) -> Result<Arc<dyn Upstream>> {
    memtape_remote::open(url).map_err(|e| match e {
        memtape_upstream::Error::Refused { why, .. } => {
            Failure::Usage(format!("cannot use the address: {why}"))
        }
        other => Failure::Usage(other.to_string()),
    })
}

/// Returns the upstream of the workspace in a directory; `None` if it has none, or its address is not known here.
pub(crate) fn of(dir: &Path) -> io::Result<Option<Arc<dyn Upstream>>> {
    let Some(label) = memtape::marked_upstream(dir)? else { return Ok(None) };
    let known = env::var(VARIABLE).into_iter().chain(list()?);
    Ok(known.filter_map(|url| memtape_remote::open(&url).ok()).find(|upstream| upstream.label() == label))
}

/// Adds an address to the owner's file.
pub(crate) fn keep(url: &str) -> Result<()> {
    let label = open(url)?.label().to_owned();
    let kept = file().and_then(|file| {
        let _lock = locked(&file)?;
        let mut list = list()?;
        if list.iter().any(|known| known == url) {
            return Ok(());
        }
        // A new password replaces the old one.
        list.retain(|known| memtape_remote::open(known).map_or(true, |upstream| upstream.label() != label));
        list.push(url.to_owned());
        replace_private(&file, (list.join("\n") + "\n").as_bytes())
    });
    kept.map_err(|e| Failure::Unusable(format!("cannot keep the address of the upstream: {e}")))
}

fn file() -> io::Result<PathBuf> {
    let dir = memtape::config::user_dir().ok_or_else(|| io::Error::other("there is no home directory"))?;
    Ok(dir.join("upstreams"))
}

fn list() -> io::Result<Vec<String>> {
    match file().and_then(fs::read_to_string) {
        Ok(text) => Ok(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(e),
    }
}
