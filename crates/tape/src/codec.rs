//! Encoding of entries as lines, and decoding.
//!
//! **Invariant.** An entry has exactly one encoding: [`parse`] refuses a line that [`encode`] would have
//! written differently. [`decode`] also refuses a line whose hash does not match its other fields. Any
//! flipped bit in a line is therefore detected from that line only.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::chain::{Hash, Salt};
use crate::entry::{Entry, EntryId, Kind, Seal, date_text};

/// The maximum length of a branch name or kind, in bytes.
const NAME_BYTES_MAX: usize = 200;

/// The maximum entry id. References pack an id together with other numbers, and a damaged id must not make a
/// sum overflow.
const ID_MAX: EntryId = (1 << 43) - 1;

/// The fields of a line, borrowed from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields<'a> {
    id: u64,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    payload: &'a RawValue,
    #[serde(borrow)]
    meta: &'a RawValue,
    #[serde(borrow)]
    branch: Cow<'a, str>,
    #[serde(borrow)]
    date: Cow<'a, str>,
    more: u32,
    /// A line has exactly one of `salt` and `erased`.
    #[serde(borrow)]
    salt: Option<&'a str>,
    #[serde(borrow)]
    erased: Option<&'a str>,
    #[serde(borrow)]
    prev: Cow<'a, str>,
    #[serde(borrow)]
    hash: Cow<'a, str>,
}

impl Entry {
    /// Returns the entry's line on the tape, without the newline.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = Vec::new();
        encode(self, &mut line);
        line.pop();
        String::from_utf8(line).expect("a line is made of strings")
    }
}

/// Appends the line of an entry, with its newline, to `out`.
pub fn encode(entry: &Entry, out: &mut Vec<u8>) {
    let (salt, erased) = match &entry.seal {
        Seal::Salt(salt) => (Some(salt.to_string()), None),
        Seal::Erased(digest) => (None, Some(digest.to_string())),
    };
    write_line(
        out,
        &Fields {
            id: entry.id,
            kind: entry.kind.as_str().into(),
            payload: &entry.payload,
            meta: &entry.meta,
            branch: entry.branch.as_str().into(),
            date: date_text(entry.date).into(),
            more: entry.more,
            salt: salt.as_deref(),
            erased: erased.as_deref(),
            prev: entry.prev.to_string().into(),
            hash: entry.hash.to_string().into(),
        },
    );
}

fn write_line(out: &mut Vec<u8>, f: &Fields<'_>) {
    let string = |out: &mut Vec<u8>, text: &str| {
        serde_json::to_writer(out, text).expect("a string is always JSON, and a Vec takes every write");
    };
    out.extend_from_slice(format!("{{\"id\":{},\"kind\":", f.id).as_bytes());
    string(out, &f.kind);
    out.extend_from_slice(b",\"payload\":");
    out.extend_from_slice(f.payload.get().as_bytes());
    out.extend_from_slice(b",\"meta\":");
    out.extend_from_slice(f.meta.get().as_bytes());
    out.extend_from_slice(b",\"branch\":");
    string(out, &f.branch);
    out.extend_from_slice(b",\"date\":");
    string(out, &f.date);
    out.extend_from_slice(format!(",\"more\":{}", f.more).as_bytes());
    let hashes = [("salt", f.salt), ("erased", f.erased), ("prev", Some(&*f.prev)), ("hash", Some(&*f.hash))];
    for (name, value) in hashes.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        out.extend_from_slice(format!(",\"{name}\":").as_bytes());
        string(out, value);
    }
    out.extend_from_slice(b"}\n");
}

/// Returns the id at the beginning of a line, even if the rest is damaged.
#[must_use]
pub fn id_of(line: &[u8]) -> Option<EntryId> {
    let rest = line.strip_prefix(b"{\"id\":")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

/// Parses a line (without its newline) and checks its hash.
///
/// # Errors
/// A message that states why the line is invalid, as [`parse`], or that its hash does not match.
pub fn decode(line: &[u8]) -> Result<Entry, String> {
    let entry = parse(line)?;
    if entry.computed_hash() == entry.hash {
        Ok(entry)
    } else {
        Err(format!("entry {} does not match its hash", entry.id))
    }
}

/// Parses a line (without its newline) without checking its hash.
///
/// # Errors
/// A message that states why the line is invalid: not UTF-8, not JSON, not in the canonical encoding, or a
/// field out of range.
pub fn parse(line: &[u8]) -> Result<Entry, String> {
    // JSON allows both as white space. On the tape, a line feed would make two lines, and a trailing carriage
    // return would be a second encoding of the same entry.
    if memchr::memchr(b'\n', line).is_some() {
        return Err("it contains a line break".into());
    }
    if line.ends_with(b"\r") {
        return Err("it ends in CR LF".into());
    }
    let f: Fields<'_> = serde_json::from_slice(line).map_err(|e| describe(line, &e))?;
    let mut spelled = Vec::with_capacity(line.len() + 1);
    write_line(&mut spelled, &f);
    spelled.pop();
    if spelled != line {
        return Err("not in the canonical encoding".into());
    }
    if f.id == 0 || f.id > ID_MAX {
        return Err("ids start at 1 and stay below 2⁴³".into());
    }
    if !f.payload.get().starts_with('{') || !f.meta.get().starts_with('{') {
        return Err("payload or meta is not a JSON object".into());
    }
    for name in [&f.kind, &f.branch] {
        if name.is_empty() || name.len() > NAME_BYTES_MAX || name.chars().any(char::is_control) {
            return Err("kind or branch is empty, too long or contains control characters".into());
        }
    }
    let date: Timestamp = f.date.parse().map_err(|_| format!("{:?} is not a date", f.date))?;
    if date_text(date) != f.date {
        return Err("the date is not in the canonical encoding".into());
    }
    let seal = match (f.salt, f.erased) {
        (Some(salt), None) => Seal::Salt(Salt::parse(salt).ok_or("the salt is not 32 hex digits")?),
        (None, Some(digest)) => {
            Seal::Erased(Hash::parse(digest).ok_or("the digest of the erased text is not 64 hex digits")?)
        }
        _ => return Err("it needs either a salt or the digest of an erased text".into()),
    };
    let prev = Hash::parse(&f.prev).ok_or("the previous line's hash is not 64 hex digits")?;
    let hash = Hash::parse(&f.hash).ok_or("the hash is not 64 hex digits")?;
    Ok(Entry {
        id: f.id,
        kind: Kind::from_name(&f.kind),
        payload: f.payload.to_owned(),
        meta: f.meta.to_owned(),
        branch: f.branch.into_owned(),
        date,
        more: f.more,
        seal,
        prev,
        hash,
    })
}

fn describe(line: &[u8], error: &serde_json::Error) -> String {
    if std::str::from_utf8(line).is_err() {
        "not UTF-8".into()
    } else if error.is_syntax() || error.is_eof() {
        "not JSON".into()
    } else {
        // Drop serde's list of all fields, and its position: the byte offset of the line is reported instead.
        let text = error.to_string();
        let end = [", expected one of", " at line "].into_iter().filter_map(|after| text.find(after)).min();
        text[..end.unwrap_or(text.len())].to_owned()
    }
}

/// Returns how many entries a damaged line may hold; more than one if the newline between them is lost.
pub(crate) fn entries_in(damaged: &[u8]) -> u64 {
    memchr::memmem::find_iter(damaged, b"{\"id\":").count().max(1) as u64
}
