//! Groups of entries, and what a whole tape must be.

use jiff::Timestamp;
use memtape_tape::writer::Encoder;
use memtape_tape::{Draft, Entry, Hash, Kind, Position, Salt, Seal, codec};
use memtape_upstream::{Head, Upstream};
use serde_json::json;
use serde_json::value::RawValue;

/// A group as lines, and its end.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) lines: Vec<u8>,
    pub(crate) end: Head,
}

/// Returns a group with these texts, after a head. Equal groups have equal bytes.
pub(crate) fn group(after: Head, texts: &[&str]) -> Group {
    let position = Position { last_id: after.id, last_hash: after.hash, ..Position::START };
    let drafts = texts.iter().map(|text| {
        Draft::new(Kind::Message, &json!({"role": "user", "content": text}), &json!({}), "main").unwrap()
    });
    let mut encoder = Encoder::after(position);
    encoder.set_date(Timestamp::UNIX_EPOCH);
    let mut n = 0_u128;
    let mut salts = || {
        n += 1;
        Salt::new(n.to_be_bytes())
    };
    let mut lines = Vec::new();
    let group = encoder.encode_group(drafts.collect(), &mut salts, &mut lines).unwrap();
    Group { lines, end: Head { id: group.end.last_id, hash: group.end.last_hash } }
}

pub(crate) fn entries(lines: &[u8]) -> Vec<Entry> {
    lines
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| codec::decode(&line[..line.len() - 1]).unwrap())
        .collect()
}

/// Returns the line of an entry with another text.
pub(crate) fn erased(entry: &Entry, payload: &str) -> Vec<u8> {
    let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
    let seal = Seal::Erased(entry.digest());
    let mut line = Vec::new();
    codec::encode(&Entry { payload: raw(payload), meta: raw("{}"), seal, ..entry.clone() }, &mut line);
    line
}

/// Checks that lines are one chain from the start, and returns the texts.
pub(crate) fn texts(lines: &[u8]) -> Vec<String> {
    let (mut prev, mut texts) = (Hash::ZERO, Vec::new());
    for (n, entry) in (1..).zip(entries(lines)) {
        assert_eq!((entry.id, entry.prev), (n, prev), "the entries are one chain");
        prev = entry.hash;
        let payload: serde_json::Value = serde_json::from_str(entry.payload.get()).unwrap();
        texts.push(payload["content"].as_str().unwrap_or_default().to_owned());
    }
    texts
}

/// Reads a whole tape, in pages of about this size.
pub(crate) fn read(upstream: &dyn Upstream, limit: usize) -> Vec<u8> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let fetched = upstream.fetch(after, limit).unwrap();
        let Some(last) = entries(&fetched.lines).pop() else { return all };
        assert_eq!(last.more, 0, "a page ends with a group");
        after = last.id;
        all.extend(fetched.lines);
    }
}
