//! The file that marks a directory as a replica.
//!
//! `upstream.json` has the address of the upstream, without credentials. It never makes a program connect anywhere:
//! the owner says where with which credentials, and the mark must name the same upstream.

use std::fs;
use std::io;
use std::path::Path;

use memtape_tape::disk;
use serde::{Deserialize, Serialize};

/// The file's name.
const FILE: &str = "upstream.json";

#[derive(Serialize, Deserialize)]
struct Mark {
    upstream: String,
}

/// Returns the address of the upstream of which a directory is a replica; `None` if it is none.
///
/// # Errors
/// The error of the operating system if the mark exists and cannot be read.
pub fn marked(dir: &Path) -> io::Result<Option<String>> {
    match fs::read(dir.join(FILE)) {
        Ok(bytes) => {
            let mark: Mark = serde_json::from_slice(&bytes)?;
            Ok(Some(mark.upstream))
        }
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Marks a directory as a replica of the upstream with this address, durably. The caller excludes other writers of the
/// directory.
///
/// # Errors
/// [`io::Error`] if the file of the mark cannot be written.
pub fn mark(dir: &Path, label: &str) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(&Mark { upstream: label.to_owned() })?;
    disk::replace(&dir.join(FILE), &[&bytes[..], b"\n"].concat())
}
