//! A line and the entry it spells.
//!
//! **Invariant.** An entry has exactly one spelling: [`decode`] refuses a line that [`encode`] would have
//! written otherwise, so that any flipped bit is damage.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::chain::{self, Hash, Salt};
use crate::entry::{Entry, EntryId, Kind, Seal};

/// The longest branch name or kind, in bytes.
const NAME_BYTES_MAX: usize = 200;

/// The greatest number of an entry. What refers to an entry packs its number together with others, and a
/// damaged number must not make a sum overflow.
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
    /// One of these two stands there.
    #[serde(borrow)]
    salt: Option<&'a str>,
    #[serde(borrow)]
    erased: Option<&'a str>,
    #[serde(borrow)]
    hash: Cow<'a, str>,
}

/// A line that could be read: its entry, and what its hash covers besides the previous hash.
#[derive(Debug)]
pub struct Line {
    /// The entry the line spells.
    pub entry: Entry,
    sealed: String,
}

impl Line {
    /// Whether this line follows the line of that hash.
    #[must_use]
    pub fn follows(&self, previous: &Hash) -> bool {
        self.hash_after(previous) == self.entry.hash
    }

    /// Whether this line, were its number that one, followed the line of that hash: then only its number is
    /// not as it was written.
    #[must_use]
    pub fn follows_as(&self, id: EntryId, previous: &Hash) -> bool {
        let rest = self.sealed.split_once('\n').map_or("", |(_, rest)| rest);
        chain::link(previous, &format!("{id}\n{rest}")) == self.entry.hash
    }

    /// The hash this line has where it follows the line of that hash, whatever it states.
    #[must_use]
    pub fn hash_after(&self, previous: &Hash) -> Hash {
        chain::link(previous, &self.sealed)
    }
}

/// The text of a date on the tape: UTC with microseconds, `2026-02-10T10:00:00.000000+00:00`.
#[must_use]
pub fn date_text(date: Timestamp) -> String {
    date.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

/// Adds the line of an entry, with its newline, to `out`.
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
    for (name, value) in [("salt", f.salt), ("erased", f.erased)] {
        if let Some(value) = value {
            out.extend_from_slice(format!(",\"{name}\":").as_bytes());
            string(out, value);
        }
    }
    out.extend_from_slice(b",\"hash\":");
    string(out, &f.hash);
    out.extend_from_slice(b"}\n");
}

/// The number at the beginning of a line, whether or not the line can be read.
pub(crate) fn id_of(line: &[u8]) -> Option<EntryId> {
    let rest = line.strip_prefix(b"{\"id\":")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

/// Reads a line, given without its newline.
///
/// # Errors
/// Says in words what is wrong with the line.
pub fn decode(line: &[u8]) -> Result<Line, String> {
    // JSON allows both as white space; on the tape the one would be two lines, the other a second spelling.
    if memchr::memchr(b'\n', line).is_some() {
        return Err("a line break stands in it".into());
    }
    if line.ends_with(b"\r") {
        return Err("it ends in CR LF".into());
    }
    let f: Fields<'_> = serde_json::from_slice(line).map_err(|e| describe(line, &e))?;
    let mut spelled = Vec::with_capacity(line.len() + 1);
    write_line(&mut spelled, &f);
    spelled.pop();
    if spelled != line {
        return Err("not in the one spelling of a tape line".into());
    }
    if f.id == 0 || f.id > ID_MAX {
        return Err("ids start at 1 and stay below 2⁴³".into());
    }
    if !f.payload.get().starts_with('{') || !f.meta.get().starts_with('{') {
        return Err("payload and meta are JSON objects".into());
    }
    for name in [&f.kind, &f.branch] {
        if name.is_empty() || name.len() > NAME_BYTES_MAX || name.chars().any(char::is_control) {
            return Err("kind and branch are short and without control characters".into());
        }
    }
    let date: Timestamp = f.date.parse().map_err(|_| format!("{:?} is not a date", f.date))?;
    if date_text(date) != f.date {
        return Err("the date is not in the one spelling of a tape line".into());
    }
    let seal = match (f.salt, f.erased) {
        (Some(salt), None) => Seal::Salt(Salt::parse(salt).ok_or("the salt is not 32 hex digits")?),
        (None, Some(digest)) => {
            Seal::Erased(Hash::parse(digest).ok_or("the digest of what is erased is not 64 hex digits")?)
        }
        _ => return Err("it has a salt, or says that it is erased: one of the two".into()),
    };
    let hash = Hash::parse(&f.hash).ok_or("the hash is not 64 hex digits")?;
    let written = f.date;
    let entry = Entry {
        id: f.id,
        kind: Kind::from_name(&f.kind),
        payload: f.payload.to_owned(),
        meta: f.meta.to_owned(),
        branch: f.branch.into_owned(),
        date,
        more: f.more,
        seal,
        hash,
    };
    let kind = entry.kind.as_str();
    let sealed = chain::sealed(entry.id, kind, &entry.branch, &written, entry.more, &entry.digest());
    Ok(Line { entry, sealed })
}

fn describe(line: &[u8], error: &serde_json::Error) -> String {
    if std::str::from_utf8(line).is_err() {
        "not UTF-8".into()
    } else if error.is_syntax() || error.is_eof() {
        "not JSON".into()
    } else {
        // The position within one line says nothing that the byte offset does not.
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or(&text).to_owned()
    }
}

/// What can still be learnt of a damaged line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Remains {
    /// The hash it states at its end, by which the next line is linked.
    pub hash: Option<Hash>,
    /// How many entries it may have held: more than one where the newline between them is gone.
    pub entries: u64,
    /// How many of these can still be told to be entries.
    pub certain: u64,
}

const BEFORE_HASH: &[u8] = b",\"hash\":\"";
const BEFORE_ID: &[u8] = b"{\"id\":";

/// Parts a line that [`decode`] refused before the hash it states at its end, if it states one.
#[must_use]
pub fn split_hash(line: &[u8]) -> (&[u8], &[u8]) {
    let at = line.len().saturating_sub(BEFORE_HASH.len() + 64 + 2);
    let (text, end) = line.split_at(at);
    let hash = end.strip_prefix(BEFORE_HASH).and_then(|rest| rest.strip_suffix(b"\"}"));
    match hash.and_then(|hex| std::str::from_utf8(hex).ok()).and_then(Hash::parse) {
        Some(_) => (text, end),
        None => (line, &[]),
    }
}

/// Parts a line that [`decode`] refused before each place where an entry may begin.
pub fn pieces(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let starts: Vec<usize> = memchr::memmem::find_iter(line, BEFORE_ID).filter(|at| *at > 0).collect();
    let from = std::iter::once(0).chain(starts.clone());
    from.zip(starts.into_iter().chain([line.len()])).map(|(from, to)| &line[from..to])
}

/// Looks into a line that [`decode`] refused.
#[must_use]
pub fn remains(line: &[u8]) -> Remains {
    const BEFORE_KIND: &[u8] = b",\"kind\":\"";
    const BEFORE_PAYLOAD: &[u8] = b"\",\"payload\":";
    let (_, stated) = split_hash(line);
    let hash = stated
        .strip_prefix(BEFORE_HASH)
        .and_then(|rest| rest.strip_suffix(b"\"}"))
        .and_then(|hex| std::str::from_utf8(hex).ok())
        .and_then(Hash::parse);
    let starts: Vec<usize> =
        memchr::memmem::find_iter(line, BEFORE_ID).map(|at| at + BEFORE_ID.len()).collect();
    // An object in a payload may have an `id` as well, but seldom all that a line begins with.
    let is_entry = |at: &&usize| {
        let rest = &line[**at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let kind = rest[digits..].strip_prefix(BEFORE_KIND);
        let after = kind.and_then(|kind| memchr::memchr(b'"', kind).map(|end| &kind[end..]));
        digits > 0 && after.is_some_and(|rest| rest.starts_with(BEFORE_PAYLOAD))
    };
    let certain = starts.iter().filter(is_entry).count() as u64;
    Remains { hash, entries: starts.len().max(1) as u64, certain }
}
