//! The addresses of upstreams, with their credentials.
//!
//! They are in `MEMTAPE_UPSTREAM`, and in the owner's file `upstreams`, one a line; `clone` and `push` add to it. A
//! workspace names its upstream without credentials. It is connected only if one of these addresses is the same.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use memtape::Upstream;
use memtape::disk::{locked, replace_private};
use memtape_remote::Address;

use crate::output::{Failure, Output, Result};

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

/// Adds an address to the owner's file, in place of one of the same upstream. If that had another user or other settings,
/// the user learns of it.
pub(crate) fn keep(url: &str, output: &Output) -> Result<()> {
    let label = open(url)?.label().to_owned();
    let kept = file().and_then(|file| {
        let _lock = locked(&file)?;
        let mut list = list()?;
        if list.iter().any(|known| known == url) {
            return Ok(None);
        }
        let is_same = |known: &String| memtape_remote::open(known).is_ok_and(|known| known.label() == label);
        let replaced = list.iter().find(|known| is_same(known)).and_then(|known| difference(known, url));
        list.retain(|known| !is_same(known));
        list.push(url.to_owned());
        replace_private(&file, (list.join("\n") + "\n").as_bytes()).map(|()| replaced)
    });
    let failed = |e| Failure::Unusable(format!("cannot keep the address of the upstream: {e}"));
    if let Some((before, now)) = kept.map_err(failed)? {
        output.note(format_args!("all replicas of {label} here use {now} from now on (before: {before})"));
    }
    Ok(())
}

/// Returns how the connections of two addresses of one upstream differ, except by their passwords.
fn difference(before: &str, now: &str) -> Option<(String, String)> {
    let connection = |url: &str| Some(Address::parse(url).ok()?.without_password());
    let (before, now) = (connection(before)?, connection(now)?);
    (before != now).then_some((before, now))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_password_is_no_difference_and_another_user_is() {
        let url = |user: &str, settings: &str| format!("postgres://{user}@h/m?workspace=x{settings}");
        assert_eq!(difference(&url("ana:old", ""), &url("ana:new", "")), None);
        let found = difference(&url("node1:pw", "&sslmode=require"), &url("ana", ""));
        let addresses = ["postgres://node1@h/m?sslmode=require", "postgres://ana@h/m"].map(str::to_owned);
        assert_eq!(found, Some(addresses.into()));
    }
}
