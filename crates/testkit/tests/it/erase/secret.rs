//! The text to erase: how it is written, the stores that write and erase it, and the check that it is removed.

use std::path::Path;
use std::sync::Arc;

use memtape::{Config, Origin, Session, Workspace};
use memtape_store::{Author, Store};
use memtape_tape::{Error, RawLine, Segments, Storage};
use memtape_testkit::secrets::files_with;
use memtape_testkit::workspace::{START, store_options};
use memtape_testkit::{Older, TestClock};

/// The text to erase. The sentence around it is kept.
pub(crate) const SECRET: &str = "tangerine-Falcon-88";

pub(crate) fn said(n: u32) -> String {
    format!("the password of door {n} is {SECRET}")
}

pub(crate) fn over(dir: &Path, storage: Arc<dyn Storage>) -> Workspace {
    Workspace::over(Store::over(dir, storage, store_options(&TestClock::at(START))), Config::default())
        .unwrap()
}

/// The same as an older version has it, which takes no secret out.
pub(crate) fn older(dir: &Path, storage: Arc<dyn Storage>) -> Older {
    Older::over(Store::over(dir, storage, store_options(&TestClock::at(START))))
}

pub(crate) fn author() -> Author {
    Author { branch: Some("main".into()), ..Author::new(Session::direct(), Origin::User) }
}

/// All lines of all segments.
pub(crate) fn lines(storage: &Arc<dyn Storage>) -> Vec<String> {
    let mut all = Vec::new();
    let each = |line: RawLine<'_>| {
        all.push(String::from_utf8_lossy(line.bytes).into_owned());
        Ok::<(), Error>(())
    };
    Segments::open(storage).unwrap().each_line(each).unwrap();
    all
}

#[track_caller]
pub(crate) fn assert_gone(dir: &Path) {
    assert_eq!(files_with(dir, SECRET).unwrap(), Vec::<String>::new());
}
