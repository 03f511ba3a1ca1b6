//! The cost of the inspector's pages in a large workspace, compared to a small one: as functions, and as they are
//! transferred.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use memtape::{Options, Session, Workspace};
use memtape_inspect::{Answer, Request, Viewer, answer};
use memtape_tape::{Draft, Durability, FileStorage, Floor, Kind, Position, Salt, Segments, Storage, Writer};
use serde_json::json;

use crate::write::words;
use crate::{Failure, Series, at_most, ratio};

/// Number of entries of the small workspace.
const SMALL: u64 = 1000;
/// Number of conversations that the messages are spread over.
const SESSIONS: u64 = 50;
/// Number of entries of a group.
const GROUP: u64 = 500;
/// Number of times that each page is rendered.
const RUNS: usize = 100;
/// The pages: the first one, and the lists.
const PAGES: [(&str, &[(&str, &str)]); 6] = [
    ("", &[]),
    ("/memories", &[]),
    ("/memories", &[("form", "messages")]),
    ("/memories", &[("form", "messages"), ("q", "ba")]),
    ("/turns", &[]),
    ("/branches", &[]),
];
/// Maximum size of a page, in kilobytes.
const KILOBYTES_MAX: f64 = 150.0;

pub(crate) fn run(entries: u64) -> Result<(), Failure> {
    let (small, large) = (tempfile::tempdir_in(".")?, tempfile::tempdir_in(".")?);
    for (dir, entries) in [(&small, SMALL), (&large, entries)] {
        fill(dir.path(), entries)?;
    }
    let open = |dir: &tempfile::TempDir| -> Result<Workspace, Failure> {
        let workspace = Workspace::open(dir.path(), Options::default())?;
        workspace.zone().remember("The ferry leaves at noon.")?;
        Ok(workspace)
    };
    let (small, large) = (open(&small)?, open(&large)?);
    println!("{entries} entries beside {SMALL}, each page {RUNS} times");
    for (path, fields) in PAGES {
        let (mut few, mut many, mut bytes) = (Series::default(), Series::default(), 0);
        for _ in 0..RUNS {
            few.time(|| rendered(&small, path, fields).map(drop))?;
            many.time(|| {
                bytes = rendered(&large, path, fields)?;
                Ok::<(), Failure>(())
            })?;
        }
        let name = format!("/inspect{path} {fields:?}");
        few.print(&format!("{name}, {SMALL} entries"));
        many.print(&format!("{name}, {entries} entries"));
        ratio(&format!("{name}, large / small, p50"), many.percentile(50), few.percentile(50), 3.0);
        at_most(&format!("size of {name}"), bytes as f64 / 1000.0, KILOBYTES_MAX, " kB");
    }
    Ok(())
}

/// Appends messages in groups, as another program might: what is measured is reading them.
fn fill(dir: &Path, entries: u64) -> Result<(), Failure> {
    drop(Workspace::init(dir, Options::default())?);
    let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
    let _lock = storage.lock(Duration::from_secs(1))?;
    let segments = Segments::open(&storage)?;
    let tail = segments.scan(Position::START).run(|_| Ok::<(), memtape_tape::Error>(()))?;
    let (mut writer, _) = Writer::new(&storage, tail, Floor::default(), Durability::Os)?;
    let mut salts = || Salt::new([7; 16]);
    for group in 0..entries.div_ceil(GROUP) {
        let mut drafts = Vec::new();
        for n in group * GROUP..((group + 1) * GROUP).min(entries) {
            let payload = json!({"role": if n % 2 == 0 { "user" } else { "assistant" }, "content": words(n)});
            let meta = json!({"session": format!("bench:{}", n % SESSIONS), "scope": format!("channel:bench:chat:{}", n % SESSIONS)});
            drafts.push(Draft::new(Kind::Message, &payload, &meta, "main")?);
        }
        writer.append(drafts, Timestamp::now(), &mut salts)?;
    }
    Ok(())
}

/// Renders a page and returns its size in bytes.
fn rendered(workspace: &Workspace, path: &str, fields: &[(&str, &str)]) -> Result<usize, Failure> {
    let viewer = Viewer {
        name: "owner".to_owned(),
        session: Session::parse("http:bench")?,
        is_owner: true,
        user: None,
        is_read_only: false,
        csrf: String::new(),
    };
    let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let request = Request { path: path.to_owned(), is_post: false, fields };
    match answer(workspace, &viewer, &request) {
        Answer::Html { status: 200, html } => Ok(html.len()),
        other => Err(format!("{path} is no page: {other:?}").into()),
    }
}
