//! Random damage to random tapes: properties that hold for any bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{Scan, drafts, ids, lines, open, read_to, scan, scan_from, spelled, tape, write_on};
use memtape_tape::{Archived, Floor, Group, MemoryStorage, Recovered, Segments, Storage, verify};
use proptest::prelude::*;
use proptest::sample::Index;

/// One change to the bytes of a tape.
#[derive(Clone, Debug)]
enum Harm {
    Flip(Index, u8),
    /// Flips a bit of a number or a hash, where it does most harm.
    FlipAfter(&'static str, Index, u8),
    Delete(Index, usize),
    DeleteLine(Index),
    Insert(Index, Vec<u8>),
    Truncate(Index),
    CopyLine(Index, Index),
}

fn any_harm() -> impl Strategy<Value = Harm> {
    let fields = prop_oneof![Just("{\"id\":"), Just("\"prev\":\""), Just("\"hash\":\""), Just("\"more\":")];
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
            Self::CopyLine(from, to) => {
                let mut lines = lines(bytes);
                let line = from.get(&lines).clone();
                lines.insert(to.index(lines.len() + 1), line);
                *bytes = lines.concat();
            }
        }
    }
}

/// A tape before damage, and its bytes after it.
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

    /// Checks that exactly the unchanged lines count. An incomplete group at the end may not count until a
    /// writer decides about it.
    fn intact_lines_count(&self, found: &Scan) -> Result<(), TestCaseError> {
        let written: BTreeMap<Vec<u8>, u64> = lines(&self.written).into_iter().zip(1..).collect();
        let left: Vec<u64> =
            lines(&self.bytes).iter().filter_map(|line| written.get(line).copied()).collect();
        let given: Vec<String> = found.groups.iter().map(ids).collect();
        let given: Vec<u64> =
            given.iter().flat_map(|group| group.split(' ')).map(|id| id.parse().unwrap()).collect();
        prop_assert!(left.starts_with(&given), "{:?} of {:?}: {}", given, left, found.text);
        let waiting = &left[given.len()..];
        let is_open = |group: &&Group| waiting.first() >= Some(&group.entries[0].entry.id);
        let open = self.groups.iter().rfind(is_open).map_or(0, |group| group.end.last_id);
        prop_assert!(waiting.last().is_none_or(|last| *last < open), "{:?} wait: {}", waiting, found.text);
        for located in found.groups.iter().flat_map(|group| &group.entries) {
            let line = [located.entry.line().as_bytes(), b"\n"].concat();
            prop_assert_eq!(written.get(&line), Some(&located.entry.id));
        }
        Ok(())
    }

    /// Checks that `verify` finds nothing if and only if the bytes are a prefix of the tape that ends with a
    /// group.
    fn clean_is_clean(&self, storage: &Arc<dyn Storage>) -> Result<(), TestCaseError> {
        let report = verify(storage).unwrap();
        let ends = self.groups.iter().map(|group| group.end.offset);
        let is_prefix = self.written.starts_with(&self.bytes)
            && std::iter::once(0).chain(ends).any(|end| end == self.bytes.len() as u64);
        prop_assert_eq!(report.bad.is_empty() && report.torn.is_none(), is_prefix, "{:?}", report);
        Ok(())
    }

    /// Checks that a writer repairs the end and continues, and that what counted before counts afterwards.
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

/// Checks that a reader that continues from the end of any group finds exactly the rest.
fn resumes(storage: &Arc<dyn Storage>) -> Result<(), TestCaseError> {
    let whole = scan(storage);
    // The line number is only known to a reader that began at the start of the segment, so it is not
    // compared.
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
        case.intact_lines_count(&found)?;
        case.clean_is_clean(&storage)?;
        resumes(&storage)?;
        let all = case.written.len();
        for floor in [Floor::default(), read_to(floor.index(all + 1)), read_to(all)] {
            case.writing_goes_on(floor, &found)?;
        }
    }

    /// With copied and moved lines, only written entries count, in their order, and they still count after a
    /// write.
    #[test]
    fn copied_lines_change_no_order(
        sizes in any_sizes(),
        harms in prop::collection::vec(
            prop_oneof![
                1 => any_harm(),
                2 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Harm::CopyLine(from, to)),
            ],
            1..6,
        ),
        floor in any::<Index>(),
    ) {
        let case = Case::new(&sizes, &harms);
        let storage = open(&case.bytes);
        let found = scan(&storage);
        let written = lines(&case.written);
        let mut last = 0;
        for located in found.groups.iter().flat_map(|group| &group.entries) {
            let id = located.entry.id;
            prop_assert!(id > last, "{}", found.text);
            last = id;
            let line = [located.entry.line().as_bytes(), b"\n"].concat();
            prop_assert_eq!(written.get(usize::try_from(id).unwrap() - 1), Some(&line));
        }
        resumes(&storage)?;
        for floor in [Floor::default(), read_to(floor.index(case.written.len() + 1)), read_to(case.bytes.len())] {
            case.writing_goes_on(floor, &found)?;
        }
    }

    /// A tape of three segments, each of which is damaged after it was closed.
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

/// Flips each bit of a short tape: only its line is lost, and the next one too if the two are merged.
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
