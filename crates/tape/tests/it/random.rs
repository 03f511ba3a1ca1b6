//! Random damage to random tapes: what holds whatever happens to the bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::{Scan, drafts, lines, open, read_to, scan, scan_from, spelled, tape, write_on};
use memtape_tape::{Archived, Floor, Group, MemoryStorage, Recovered, Segments, Storage, codec, verify};
use proptest::prelude::*;
use proptest::sample::Index;

/// One thing that happens to the bytes of a tape.
#[derive(Clone, Debug)]
enum Harm {
    Flip(Index, u8),
    /// A bit of a number or a hash, where it does most harm.
    FlipAfter(&'static str, Index, u8),
    Delete(Index, usize),
    DeleteLine(Index),
    Insert(Index, Vec<u8>),
    Truncate(Index),
}

fn any_harm() -> impl Strategy<Value = Harm> {
    let fields = prop_oneof![Just("{\"id\":"), Just("\"hash\":\""), Just("\"more\":")];
    prop_oneof![
        3 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Harm::Flip(at, bit)),
        3 => (fields, any::<Index>(), 0..8_u8).prop_map(|(field, line, bit)| Harm::FlipAfter(field, line, bit)),
        2 => (any::<Index>(), 1..40_usize).prop_map(|(at, count)| Harm::Delete(at, count)),
        1 => (any::<Index>(), 40..900_usize).prop_map(|(at, count)| Harm::Delete(at, count)),
        2 => any::<Index>().prop_map(Harm::DeleteLine),
        1 => (any::<Index>(), prop::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, what)| Harm::Insert(at, what)),
        1 => (any::<Index>(), "[\n{}\",0-9a-f]{1,9}").prop_map(|(at, what)| Harm::Insert(at, what.into_bytes())),
        1 => any::<Index>().prop_map(Harm::Truncate),
    ]
}

impl Harm {
    fn to(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Flip(at, bit) => *at.get_mut(bytes) ^= 1 << bit,
            Self::FlipAfter(field, line, bit) => {
                let places: Vec<usize> =
                    memchr::memmem::find_iter(bytes, field).map(|at| at + field.len()).collect();
                if let Some(byte) =
                    (!places.is_empty()).then(|| *line.get(&places)).filter(|at| *at < bytes.len())
                {
                    bytes[byte] ^= 1 << bit;
                }
            }
            Self::Delete(at, count) => {
                let start = at.index(bytes.len());
                bytes.drain(start..(start + count).min(bytes.len()));
            }
            Self::DeleteLine(line) => {
                let mut lines = lines(bytes);
                lines.remove(line.index(lines.len()));
                *bytes = lines.concat();
            }
            Self::Insert(at, what) => {
                let at = at.index(bytes.len() + 1);
                bytes.splice(at..at, what.iter().copied());
            }
            Self::Truncate(at) => bytes.truncate(at.index(bytes.len())),
        }
    }
}

/// A tape as it was written, and its bytes after some harm.
#[derive(Debug)]
struct Case {
    written: Vec<u8>,
    groups: Vec<Group>,
    bytes: Vec<u8>,
}

impl Case {
    fn new(sizes: &[usize], harms: &[Harm]) -> Self {
        let (written, groups) = tape(sizes);
        let mut bytes = written.clone();
        harms.iter().for_each(|harm| harm.to(&mut bytes));
        Self { written, groups, bytes }
    }

    /// The entries whose lines stand as they were written, but for those that cannot be told from changed ones.
    /// These are: a line behind one that states a hash that is not its own, where neither what that states nor what
    /// stands before it shows which hash it had; the lines behind one whose number is not its own, where what stands
    /// before it does not show which it had (it does where nothing else of the line was changed), up to the first that
    /// is chained to the line before it.
    fn recognisable(&self) -> BTreeSet<u64> {
        let originals = lines(&self.written);
        let body = |line: &[u8]| line[..line.len().saturating_sub(67)].to_vec();
        let hash = |line: &[u8]| codec::remains(&line[..line.len() - 1]).hash.map(|hash| hash.to_string());
        let number = |line: &[u8]| codec::decode(&line[..line.len() - 1]).ok().map(|line| line.entry.id);
        let whole: BTreeMap<&[u8], u64> = originals.iter().map(Vec::as_slice).zip(1..).collect();
        let bodies: BTreeMap<Vec<u8>, u64> = originals.iter().map(|line| body(line)).zip(1..).collect();
        let hashes: BTreeMap<Option<String>, u64> =
            originals.iter().map(|line| hash(line)).zip(1..).collect();
        // The entry whose hash is known after each line, whether the line states a wrong one, and whether a wrong
        // number stands before.
        let (mut known, mut misled, mut misnumbered) = (Some(0), false, false);
        let mut found = BTreeSet::new();
        for line in lines(&self.bytes).iter().filter(|line| line.ends_with(b"\n")) {
            let follows = |id: &u64| known == Some(id - 1);
            if let Some(id) = whole.get(line.as_slice()).filter(|_| !misled) {
                misnumbered &= !follows(id);
                found.extend((!misnumbered).then_some(*id));
            }
            let due = bodies.get(&body(line)).copied().filter(follows);
            let stated = hash(line);
            let is = hashes.get(&stated).copied().or(due).filter(|_| stated.is_some());
            misled = stated.is_some() && is.is_none();
            if let Some((id, number)) = is.zip(number(line)) {
                let own = String::from_utf8_lossy(line).replacen(
                    &format!("{{\"id\":{number},"),
                    &format!("{{\"id\":{id},"),
                    1,
                );
                let shows = follows(&id) && whole.get(own.as_bytes()) == Some(&id);
                misnumbered |= number != id && !shows;
            }
            known = is;
        }
        found
    }

    /// Every entry given was written so, or is reported as one that cannot be linked.
    fn nothing_is_made_up(&self, found: &Scan) -> Result<(), TestCaseError> {
        let written: BTreeMap<u64, String> = self
            .groups
            .iter()
            .flat_map(|group| &group.entries)
            .map(|located| (located.entry.id, format!("{:?}", located.entry)))
            .collect();
        let reported: BTreeSet<u64> = found.damage.iter().map(|damage| damage.byte).collect();
        let mut last = 0;
        for located in found.groups.iter().flat_map(|group| &group.entries) {
            let id = located.entry.id;
            prop_assert!(id > last, "entry {id} is given after {last}");
            last = id;
            let same = written.get(&id) == Some(&format!("{:?}", located.entry));
            prop_assert!(same || reported.contains(&located.at.offset), "{:?}", located.entry);
        }
        Ok(())
    }

    /// A group all of whose lines stand as they were written is given whole.
    fn nothing_is_lost(&self, found: &Scan) -> Result<(), TestCaseError> {
        let left = self.recognisable();
        // A line whose place in its group was changed, and that cannot be checked, may take the next group in.
        let given: Vec<BTreeSet<u64>> = found
            .groups
            .iter()
            .map(|group| group.entries.iter().map(|located| located.entry.id).collect())
            .collect();
        for group in &self.groups {
            let ids: BTreeSet<u64> = group.entries.iter().map(|located| located.entry.id).collect();
            let is_given = given.iter().any(|given| ids.is_subset(given));
            prop_assert!(!ids.is_subset(&left) || is_given, "{ids:?} is lost: {}", found.text);
        }
        Ok(())
    }

    /// A check finds nothing exactly where the bytes are the beginning of the tape, up to the end of a group.
    fn clean_is_clean(&self, storage: &Arc<dyn Storage>) -> Result<(), TestCaseError> {
        let report = verify(storage).unwrap();
        let ends = self.groups.iter().map(|group| group.end.offset);
        let is_prefix = self.written.starts_with(&self.bytes)
            && std::iter::once(0).chain(ends).any(|end| end == self.bytes.len() as u64);
        prop_assert_eq!(report.bad.is_empty() && report.torn.is_none(), is_prefix, "{:?}", report);
        Ok(())
    }

    /// A writer brings the end into order and goes on; what counted before counts after.
    fn writing_goes_on(&self, floor: Floor, before: &Scan) -> Result<(), TestCaseError> {
        let memory = MemoryStorage::with_tape(self.bytes.clone());
        let storage: Arc<dyn Storage> = Arc::new(memory.clone());
        let (written, recovered) = write_on(&storage, floor, drafts(2));
        let after = scan(&storage);
        prop_assert!(
            spelled(&after.groups).starts_with(&spelled(&before.groups)),
            "{}\n{}",
            before.text,
            after.text
        );
        prop_assert!(spelled(&after.groups).ends_with(&spelled(&written)), "{}", after.text);
        prop_assert!(after.tail.is_clean() && after.tail.len == memory.tape().len() as u64);
        let kept: Vec<Vec<u8>> = memory.torn().into_values().collect();
        let cut = kept.concat().len();
        prop_assert!(memory.tape().starts_with(&self.bytes[..self.bytes.len() - cut]));
        prop_assert_eq!(&self.bytes[self.bytes.len() - cut..], kept.concat());
        prop_assert!(cut == 0 || floor.offset <= (self.bytes.len() - cut) as u64);
        prop_assert_eq!(matches!(recovered, Some(Recovered::Torn { .. })), cut > 0);
        prop_assert_eq!(recovered.is_none(), before.tail.is_clean());
        let (more, recovered) = write_on(&storage, floor, drafts(1));
        prop_assert_eq!((more.len(), recovered), (1, None));
        Ok(())
    }
}

/// From the end of each group a reader finds exactly the rest.
fn resumes(storage: &Arc<dyn Storage>) -> Result<(), TestCaseError> {
    let whole = scan(storage);
    // The line is known only to who began at the start of a segment.
    let place = |scan: &Scan| -> Vec<String> {
        let place = |d: &memtape_tape::Damage| format!("{} {:?} {} {}", d.segment, d.archived, d.byte, d.why);
        scan.damage.iter().map(place).collect()
    };
    for (n, group) in whole.groups.iter().enumerate() {
        let rest = scan_from(storage, group.end);
        prop_assert_eq!(spelled(&rest.groups), spelled(&whole.groups[n + 1..]), "from {:?}", group.end);
        let (all, left) = (place(&whole), place(&rest));
        prop_assert!(all.ends_with(&left), "from {:?}: {:?} of {:?}", group.end, left, all);
        prop_assert_eq!(format!("{:?}", rest.tail), format!("{:?}", whole.tail), "from {:?}", group.end);
    }
    let segments = Segments::open(storage).unwrap();
    for located in whole.groups.iter().flat_map(|group| &group.entries) {
        let read = segments.read(located.entry.id, located.at).unwrap();
        prop_assert_eq!(format!("{read:?}"), format!("{:?}", located.entry));
    }
    Ok(())
}

fn any_sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..5_usize, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..ProptestConfig::with_cases(600)
    })]

    #[test]
    fn damage_never_makes_up_nor_loses(
        sizes in any_sizes(),
        harms in prop::collection::vec(any_harm(), 0..4),
        floor in any::<Index>(),
    ) {
        let case = Case::new(&sizes, &harms);
        let storage = open(&case.bytes);
        let found = scan(&storage);
        case.nothing_is_made_up(&found)?;
        case.nothing_is_lost(&found)?;
        case.clean_is_clean(&storage)?;
        resumes(&storage)?;
        let all = case.written.len();
        for floor in [Floor::default(), read_to(floor.index(all + 1)), read_to(all)] {
            case.writing_goes_on(floor, &found)?;
        }
    }

    /// A tape of three segments, each of which is harmed after it was closed.
    #[test]
    fn reading_resumes_across_segments(
        sizes in any_sizes(),
        harms in prop::collection::vec((0..3_usize, any_harm()), 0..3),
        splits in (any::<Index>(), any::<Index>()),
    ) {
        let (bytes, groups) = tape(&sizes);
        let mut splits = [splits.0.index(sizes.len() + 1), splits.1.index(sizes.len() + 1)];
        splits.sort_unstable();
        let end = |n: usize| n.checked_sub(1).map_or((0, 0), |n| (groups[n].end.offset as usize, groups[n].end.last_id));
        let bounds = [(0, 0), end(splits[0]), end(splits[1]), end(sizes.len())];
        let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
        storage.create().unwrap();
        for (n, ends) in bounds.windows(2).enumerate() {
            let mut part = bytes[ends[0].0..ends[1].0].to_vec();
            if part.is_empty() {
                continue;
            }
            harms.iter().filter(|(to, _)| *to == n).for_each(|(_, harm)| harm.to(&mut part));
            storage.append(0, &part).unwrap();
            if n < 2 {
                storage.archive(&Archived { first: ends[0].1 + 1, last: ends[1].1 }).unwrap();
            }
        }
        resumes(&storage)?;
        if harms.is_empty() {
            prop_assert_eq!(scan(&storage).groups.len(), groups.len());
            prop_assert_eq!(verify(&storage).unwrap().bad, []);
        }
        let before = scan(&storage);
        let (written, _) = write_on(&storage, Floor::default(), drafts(2));
        let after = scan(&storage);
        prop_assert!(spelled(&after.groups).starts_with(&spelled(&before.groups)), "{}", after.text);
        prop_assert!(spelled(&after.groups).ends_with(&spelled(&written)), "{}", after.text);
        prop_assert!(written[0].entries[0].entry.id > before.tail.end.last_id);
    }

    /// Bytes that were never a tape.
    #[test]
    fn garbage_is_no_tape(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            "([{}\",:0-9a-f\n]|\"id\"|\"hash\":\"|\\{\"id\":1,\"kind\":){0,60}".prop_map(String::into_bytes),
        ],
    ) {
        let storage = open(&bytes);
        let found = scan(&storage);
        prop_assert!(found.groups.is_empty());
        prop_assert_eq!(found.damage.len(), bytes.iter().filter(|byte| **byte == b'\n').count());
        let (written, _) = write_on(&storage, Floor::default(), drafts(1));
        prop_assert_eq!(spelled(&scan(&storage).groups), spelled(&written));
    }
}

/// Every bit of a short tape, one at a time: the line it is in is lost, with the next one where they are merged.
#[test]
fn one_flipped_bit_costs_one_line() {
    let (bytes, _) = tape(&[1, 2, 1]);
    for bit in 0..bytes.len() * 8 {
        let at = bit / 8;
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (bit % 8);
        let found = scan(&open(&flipped));
        let hit = lines(&bytes[..=at]).len() as u64;
        let merged = (bytes[at] == b'\n').then_some(hit + 1);
        let given = found.groups.iter().flat_map(|group| &group.entries).map(|located| located.entry.id);
        let expected: Vec<u64> = (1..=4).filter(|id| *id != hit && Some(*id) != merged).collect();
        assert_eq!(given.collect::<Vec<_>>(), expected, "bit {bit}: {}", found.text);
        assert!(!found.damage.is_empty() || found.tail.torn.is_some(), "bit {bit} goes unseen");
    }
}
