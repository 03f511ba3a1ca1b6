//! The cost of a write, measured alternately: a bare write and sync of the same bytes, the tape, and tape and
//! index.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use memtape::{Message, Options, Session, Workspace};
use memtape_tape::{
    Draft, Durability, FileStorage, Floor, Kind, Position, Salt, Segments, Storage, Tail, Writer,
};
use serde_json::json;

use crate::{Failure, Series, ratio};

/// Number of words in a message.
const WORDS: usize = 20;

pub(crate) fn run(count: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    let workspace = Workspace::init(&dir.path().join("workspace"), Options::default())?;
    let conversation = workspace.conversation(Session::parse("bench:chat").map_err(memtape::Error::from)?);
    let mut tape = BareTape::new(dir.path())?;
    let mut bare = File::create(dir.path().join("bare"))?;
    let (mut floor, mut tape_only, mut whole) = (Series::default(), Series::default(), Series::default());
    for n in 0..count {
        let content = words(n);
        let message = Message::new("user", content.clone());
        let bytes = tape_only.time(|| tape.append(&content))?;
        let line = vec![b'x'; bytes];
        floor.time(|| bare.write_all(&line).and_then(|()| bare.sync_data()))?;
        whole.time(|| conversation.say(&message))?;
    }
    println!("{count} writes of about {} bytes", words(0).len() + 330);
    floor.print("bare write + fdatasync");
    tape_only.print("tape: lock, check, append, acknowledge");
    whole.print("tape and index");
    ratio("tape / bare, p50", tape_only.percentile(50), floor.percentile(50), 1.5);
    ratio("tape and index / bare, p50", whole.percentile(50), floor.percentile(50), 2.0);
    ratio("tape and index / bare, mean", whole.mean(), floor.mean(), 2.5);
    Ok(())
}

/// A tape without an index, written in the same way as by the store.
struct BareTape {
    storage: Arc<dyn Storage>,
    tail: Tail,
    salt: u64,
}

impl BareTape {
    fn new(dir: &std::path::Path) -> Result<Self, Failure> {
        let storage: Arc<dyn Storage> = Arc::new(FileStorage::new(dir));
        storage.create()?;
        let tail =
            Segments::open(&storage)?.scan(Position::START).run(|_| Ok::<_, memtape_tape::Error>(()))?;
        Ok(Self { storage, tail, salt: 0 })
    }

    fn append(&mut self, content: &str) -> Result<usize, memtape_tape::Error> {
        let _lock = self.storage.lock(Duration::from_secs(1))?;
        let segments = Segments::open(&self.storage)?;
        if segments.active_len()? != self.tail.len {
            self.tail = segments.scan(self.tail.end).run(|_| Ok::<_, memtape_tape::Error>(()))?;
        }
        let (mut writer, _) =
            Writer::new(&self.storage, self.tail.clone(), Floor::default(), Durability::Sync)?;
        let payload = json!({"role": "user", "content": content});
        let meta = json!({"session": "bench:chat", "origin": "user"});
        let draft = Draft::new(Kind::Message, &payload, &meta, "main")?;
        self.salt += 1;
        let mut salt = || Salt::new(u128::from(self.salt).to_le_bytes());
        let before = self.tail.len;
        writer.append(vec![draft], memtape::Clock::now(&memtape::SystemClock), &mut salt)?;
        self.tail = writer.tail().clone();
        Ok(usize::try_from(self.tail.len - before).unwrap_or_default())
    }
}

/// Returns a message of pseudo-random words: a few are common, most are rare.
pub(crate) fn words(n: u64) -> String {
    let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut text = String::new();
    for _ in 0..WORDS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // The cube of a uniform number is mostly small, so that a few words are common, as in a language.
        let uniform = (state >> 40) as f64 / f64::from(1 << 24);
        text.push_str(&word((uniform * uniform * uniform * 50_000.0) as usize));
        text.push(' ');
    }
    text.trim_end().to_owned()
}

/// Returns the word of a number, spelled in syllables.
fn word(n: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "ten", "lo", "mi", "ru", "sha", "ne", "ki", "dor", "va", "pel", "tu", "gra", "so", "fi", "zu"];
    let mut rest = n + 16;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(SYLLABLES[rest % 16]);
        rest /= 16;
    }
    word
}
