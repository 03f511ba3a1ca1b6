//! A tape whose bytes were harmed is redacted too.

use std::sync::Arc;

use memtape::Session;
use memtape_tape::{BadLine, MemoryStorage, Position, Scanned, Segments, Storage, verify};
use proptest::prelude::*;
use proptest::sample::Index;

use super::secret::{lines, older, over, said};

/// A damage to the bytes of a tape.
#[derive(Clone, Debug)]
enum Harm {
    Flip(Index, u8),
    Delete(Index, usize),
    Insert(Index, &'static str),
    /// Removes the newline between two lines.
    Join(Index),
    /// Duplicates a line.
    Copy(Index, Index),
}

fn any_harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Harm::Flip(at, bit)),
        (any::<Index>(), 1..300_usize).prop_map(|(at, count)| Harm::Delete(at, count)),
        (any::<Index>(), prop::sample::select(vec!["\n", "\"", "\u{e9}", "}", "{\"id\":7,"]))
            .prop_map(|(at, what)| Harm::Insert(at, what)),
        any::<Index>().prop_map(Harm::Join),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Harm::Copy(from, to)),
    ]
}

impl Harm {
    fn to(&self, tape: &mut Vec<u8>) {
        let newlines: Vec<usize> = (0..tape.len()).filter(|at| tape[*at] == b'\n').collect();
        match self {
            Self::Flip(at, bit) => *at.get_mut(tape) ^= 1 << bit,
            Self::Delete(at, count) => {
                let start = at.index(tape.len());
                tape.drain(start..(start + count).min(tape.len()));
            }
            Self::Insert(at, what) => {
                let at = at.index(tape.len());
                tape.splice(at..at, what.bytes());
            }
            Self::Join(at) => drop(tape.remove(*at.get(&newlines))),
            Self::Copy(from, to) => {
                let n = from.index(newlines.len());
                let start = if n == 0 { 0 } else { newlines[n - 1] + 1 };
                let line = tape[start..=newlines[n]].to_vec();
                let at = *to.get(&newlines) + 1;
                tape.splice(at..at, line);
            }
        }
    }
}

proptest! {
    #![proptest_config(memtape_testkit::random(32))]

    /// After any damage, readable entries are still readable, damaged ones are still damaged, and no secret is left.
    #[test]
    fn a_damaged_tape_is_redacted_too(harms in prop::collection::vec(any_harm(), 1..4)) {
        let dir = tempfile::tempdir().unwrap();
        let medium = MemoryStorage::new();
        medium.create().unwrap();
        let older = older(dir.path(), Arc::new(medium.clone()));
        for n in 0..4 {
            older.remember(&format!("{}\n-----BEGIN PRIVATE KEY-----\nabc", said(n))).unwrap();
        }
        let mut tape = medium.tape();
        harms.iter().for_each(|harm| harm.to(&mut tape));
        let dir = tempfile::tempdir().unwrap();
        let medium = MemoryStorage::with_tape(tape);
        let workspace = over(dir.path(), Arc::new(medium.clone()));
        // The end is repaired first, so that the repair does not count as a change.
        workspace.tape().append_event("x", None, &Session::direct()).unwrap();
        let storage: Arc<dyn Storage> = Arc::new(medium);
        let hashes = || {
            let mut hashes = Vec::new();
            let mut scanner = Segments::open(&storage).unwrap().scan(Position::START);
            while let Some(scanned) = scanner.next().unwrap() {
                if let Scanned::Group(group) = scanned {
                    hashes.extend(group.entries.iter().map(|located| located.entry.hash));
                }
            }
            hashes
        };
        let (before, bad) = (hashes(), verify(&storage).unwrap().bad);
        workspace.scan_and_redact().unwrap();
        prop_assert!(hashes().starts_with(&before), "{bad:?}");
        let places = |bad: &[BadLine]| bad.iter().map(|bad| (bad.0.line, bad.0.counts)).collect::<Vec<_>>();
        prop_assert_eq!(places(&verify(&storage).unwrap().bad), places(&bad), "{:?}", bad);
        prop_assert_eq!(workspace.scan().unwrap().finds, vec![]);
        // Lines that the harm itself changed are no longer identified by their name.
        let left = lines(&storage);
        prop_assert!(left.iter().all(|line| !line.contains(&said(1))), "{:?}", left);
    }
}
