//! What every [`Upstream`] must do.
//!
//! Tests run [`check`] against each implementation, over the real system.

use std::sync::Arc;
use std::thread;

use jiff::Timestamp;
use memtape_tape::writer::Encoder;
use memtape_tape::{Draft, Entry, Hash, Kind, Position, Salt, Seal, codec};
use serde_json::json;
use serde_json::value::RawValue;

use memtape_upstream::{Appended, Error, Head, Result, Upstream};

/// The result of a check: nothing, or a description of what is wrong.
pub type Verdict = std::result::Result<(), String>;

/// Number of writers that append at once.
const WRITERS: u64 = 4;
/// Number of groups that each of them appends.
const GROUPS_EACH: u64 = 10;
/// Number of entries in the large group.
const LARGE_GROUP: u64 = 3000;
/// Size of the text of each of its entries, in bytes.
const LARGE_TEXT: usize = 1000;

/// Checks an implementation. `open` returns a new connection to the tape of a name, which need not exist.
///
/// # Errors
/// A description of the first failed expectation.
pub fn check(open: &(dyn Fn(&str) -> Arc<dyn Upstream> + Sync)) -> Verdict {
    for (name, check) in CHECKS {
        check(open, name).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}

type Check = fn(Open<'_>, &str) -> Verdict;
type Open<'o> = &'o (dyn Fn(&str) -> Arc<dyn Upstream> + Sync);

/// The checks: each has a tape of its own, of this name.
const CHECKS: [(&str, Check); 8] = [
    ("creation", creation),
    ("order", order),
    ("repetition", repetition),
    ("pages", pages),
    ("erasure", erasure),
    ("large", large),
    ("separate", separate),
    ("writers", writers),
];

/// A tape has to be created, once.
fn creation(open: Open<'_>, name: &str) -> Verdict {
    let upstream = open(name);
    let is_missing = |result: Result<Head>| matches!(result, Err(Error::NoTape { .. }));
    expect(is_missing(upstream.head()), "a tape that was not created has no head")?;
    expect(upstream.create().map_err(text)?, "the first creation creates the tape")?;
    expect(!upstream.create().map_err(text)?, "the second creation finds it")?;
    expect(!open(name).create().map_err(text)?, "so does another connection")?;
    expect(upstream.head().map_err(text)? == Head::EMPTY, "a new tape is empty")?;
    expect(upstream.fetch(0, 1).map_err(text)?.lines.is_empty(), "it has no lines")
}

/// Checks that nobody but the connection that creates a tape uses it before it is complete.
///
/// # Errors
/// A message that names what does not hold.
pub fn check_completion(open: &(dyn Fn(&str) -> Arc<dyn Upstream> + Sync)) -> Verdict {
    let is_refused = |result: Result<()>| matches!(result, Err(Error::Incomplete { .. }));
    let [first, other, last] = [(); 3].map(|()| open("completion"));
    expect(first.begin().map_err(text)?, "a tape that was begun is not complete")?;
    let one = group(Head::EMPTY, "one", 2);
    appended(first.append(Head::EMPTY, &one.lines, b""), Appended::Done)?;
    expect(first.head().map_err(text)? == one.end, "the connection that began the tape has its head")?;
    expect(is_refused(other.head().map(drop)), "another one has no head")?;
    expect(is_refused(other.fetch(0, 1).map(drop)), "another one has no lines")?;
    drop(first);
    expect(last.begin().map_err(text)?, "a connection continues with the tape")?;
    let two = group(one.end, "two", 1);
    appended(last.append(one.end, &two.lines, b""), Appended::Done)?;
    last.complete().map_err(text)?;
    expect(other.head().map_err(text)? == two.end, "everybody has the head of a complete tape")?;
    let three = group(two.end, "three", 1);
    appended(other.append(two.end, &three.lines, b""), Appended::Done)?;
    expect(!open("completion").begin().map_err(text)?, "the tape stays complete")?;
    expect(other.head().map_err(text)? == three.end, "and everybody uses it")
}

/// Only a writer that has seen the last entry appends.
fn order(open: Open<'_>, name: &str) -> Verdict {
    let (upstream, other) = (created(open, name)?, open(name));
    let first = group(Head::EMPTY, "one", 2);
    let rival = group(Head::EMPTY, "rival", 1);
    appended(upstream.append(Head::EMPTY, &first.lines, b""), Appended::Done)?;
    appended(other.append(Head::EMPTY, &rival.lines, b""), Appended::Moved)?;
    expect(other.head().map_err(text)? == first.end, "the head is the end of the first group")?;
    let second = group(first.end, "two", 1);
    appended(other.append(first.end, &second.lines, b""), Appended::Done)?;
    let wrong = Head { id: second.end.id, hash: first.end.hash };
    appended(upstream.append(wrong, &group(wrong, "three", 1).lines, b""), Appended::Moved)?;
    let whole = [first.lines, second.lines].concat();
    expect(upstream.fetch(0, usize::MAX).map_err(text)?.lines == whole, "the lines are those appended")
}

/// An append that is repeated has its effect once.
fn repetition(open: Open<'_>, name: &str) -> Verdict {
    let upstream = created(open, name)?;
    let first = group(Head::EMPTY, "one", 2);
    for _ in 0..3 {
        appended(upstream.append(Head::EMPTY, &first.lines, b""), Appended::Done)?;
    }
    let second = group(first.end, "two", 1);
    appended(upstream.append(first.end, &second.lines, b""), Appended::Done)?;
    // Another writer has already gone on.
    appended(open(name).append(Head::EMPTY, &first.lines, b""), Appended::Done)?;
    let whole = [first.lines, second.lines].concat();
    expect(upstream.fetch(0, usize::MAX).map_err(text)?.lines == whole, "nothing is doubled")
}

/// A fetch returns whole groups, and the next one goes on after them.
fn pages(open: Open<'_>, name: &str) -> Verdict {
    let upstream = created(open, name)?;
    let mut whole = Vec::new();
    let mut head = Head::EMPTY;
    for n in 0..7 {
        let group = group(head, "text", 1 + n % 3);
        appended(upstream.append(head, &group.lines, b""), Appended::Done)?;
        whole.extend(group.lines);
        head = group.end;
    }
    for limit in [1, 500, usize::MAX] {
        let (mut read, mut after) = (Vec::new(), 0);
        loop {
            let fetched = open(name).fetch(after, limit).map_err(text)?;
            expect(fetched.head == head, "every page states the head")?;
            let Some(last) = entries(&fetched.lines)?.pop() else { break };
            expect(last.more == 0, "a page ends with a group")?;
            after = last.id;
            read.extend(fetched.lines);
        }
        expect(read == whole, "the pages are the tape")?;
    }
    let ids = upstream.lines(&[2, 3, 99]).map_err(text)?;
    expect(entries(&ids)?.iter().map(|entry| entry.id).eq([2, 3]), "lines are returned by their ids")
}

/// An append replaces the lines of earlier entries, in the same step.
fn erasure(open: Open<'_>, name: &str) -> Verdict {
    let upstream = created(open, name)?;
    // Longer than what an erased line has instead.
    let first = group(Head::EMPTY, &"a secret ".repeat(10), 3);
    let second = group(first.end, "two", 1);
    appended(upstream.append(Head::EMPTY, &first.lines, b""), Appended::Done)?;
    appended(upstream.append(first.end, &second.lines, b""), Appended::Done)?;
    let old = entries(&first.lines)?.swap_remove(1);
    let erased = erased(&old)?;
    let event = group(second.end, "erasure", 1);
    // A writer that lost the race replaces nothing.
    appended(upstream.append(first.end, &group(first.end, "late", 1).lines, &erased), Appended::Moved)?;
    expect(upstream.lines(&[old.id]).map_err(text)? != erased, "a refused append replaces no line")?;
    appended(upstream.append(second.end, &event.lines, &erased), Appended::Done)?;
    appended(upstream.append(second.end, &event.lines, &erased), Appended::Done)?;
    expect(upstream.lines(&[old.id]).map_err(text)? == erased, "the line is replaced")?;
    let fetched = open(name).fetch(0, usize::MAX).map_err(text)?;
    let all = entries(&fetched.lines)?;
    expect(all.len() == 5 && fetched.head == event.end, "no entry is added or lost")?;
    expect(all[1].is_erased() && !all[0].is_erased(), "a fetch returns the new line")?;
    expect(!all[1].payload.get().contains("secret"), "the text is gone")
}

/// A group can be large.
fn large(open: Open<'_>, name: &str) -> Verdict {
    let upstream = created(open, name)?;
    let large = group(Head::EMPTY, &"x".repeat(LARGE_TEXT), LARGE_GROUP);
    appended(upstream.append(Head::EMPTY, &large.lines, b""), Appended::Done)?;
    let fetched = open(name).fetch(0, 1).map_err(text)?;
    expect(fetched.lines == large.lines, "the group is returned as a whole")
}

/// Tapes of different names share nothing.
fn separate(open: Open<'_>, name: &str) -> Verdict {
    let (one, other) = (created(open, name)?, created(open, &format!("{name}-2"))?);
    let (here, there) = (group(Head::EMPTY, "here", 1), group(Head::EMPTY, "there", 2));
    appended(one.append(Head::EMPTY, &here.lines, b""), Appended::Done)?;
    appended(other.append(Head::EMPTY, &there.lines, b""), Appended::Done)?;
    expect(one.fetch(0, usize::MAX).map_err(text)?.lines == here.lines, "each tape has its own lines")?;
    expect(other.head().map_err(text)? == there.end, "each tape has its own head")
}

/// Writers that append at once lose nothing and double nothing.
fn writers(open: Open<'_>, name: &str) -> Verdict {
    created(open, name)?;
    let write = |writer: u64| -> Verdict {
        let upstream = open(name);
        for n in 0..GROUPS_EACH {
            loop {
                let head = upstream.head().map_err(text)?;
                let group = group(head, &format!("{writer}/{n}"), 1 + n % 2);
                if upstream.append(head, &group.lines, b"").map_err(text)? == Appended::Done {
                    break;
                }
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a writer panicked".to_owned())?)
    })?;
    let all = entries(&open(name).fetch(0, usize::MAX).map_err(text)?.lines)?;
    let (mut hash, mut groups) = (Hash::ZERO, 0);
    for (n, entry) in (1..).zip(&all) {
        expect(entry.id == n && entry.prev == hash, "the entries are one chain")?;
        hash = entry.hash;
        groups += u64::from(entry.more == 0);
    }
    expect(groups == WRITERS * GROUPS_EACH, "every group is there once")
}

/// A group as lines, and its end.
struct Lines {
    lines: Vec<u8>,
    end: Head,
}

/// Returns a group of `count` entries with a text, after a head.
fn group(after: Head, content: &str, count: u64) -> Lines {
    let position = Position { last_id: after.id, last_hash: after.hash, ..Position::START };
    let drafts = (0..count).map(|_| {
        Draft::new(Kind::Message, &json!({"role": "user", "content": content}), &json!({}), "main")
            .expect("the payload is an object")
    });
    let mut encoder = Encoder::after(position);
    encoder.set_date(Timestamp::UNIX_EPOCH);
    let (mut lines, mut n) = (Vec::new(), content.len() as u128);
    let mut salts = || {
        n += 1;
        Salt::new(n.to_be_bytes())
    };
    let group = encoder.encode_group(drafts.collect(), &mut salts, &mut lines).expect("the drafts are valid");
    Lines { lines, end: Head { id: group.end.last_id, hash: group.end.last_hash } }
}

/// Returns the line of an entry without its text.
fn erased(entry: &Entry) -> std::result::Result<Vec<u8>, String> {
    let empty = || RawValue::from_string("{}".into()).map_err(text);
    let seal = Seal::Erased(entry.digest());
    let mut line = Vec::new();
    codec::encode(&Entry { payload: empty()?, meta: empty()?, seal, ..entry.clone() }, &mut line);
    Ok(line)
}

fn entries(lines: &[u8]) -> std::result::Result<Vec<Entry>, String> {
    lines.split_inclusive(|byte| *byte == b'\n').map(|line| codec::decode(&line[..line.len() - 1])).collect()
}

fn created(open: Open<'_>, name: &str) -> std::result::Result<Arc<dyn Upstream>, String> {
    let upstream = open(name);
    expect(upstream.create().map_err(text)?, "the tape is new")?;
    Ok(upstream)
}

fn appended(done: Result<Appended>, expected: Appended) -> Verdict {
    let done = done.map_err(text)?;
    expect(done == expected, &format!("the append is {done:?} instead of {expected:?}"))
}

fn expect(holds: bool, what: &str) -> Verdict {
    if holds { Ok(()) } else { Err(format!("expected that {what}")) }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
