use proptest::prelude::*;

use super::*;
use crate::forms::notes::sections::tests::markdown;

fn merged(base: &str, ours: &str, theirs: &str) -> (String, usize) {
    let merged = merge3(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
    (String::from_utf8(merged.preferring_theirs()).unwrap(), merged.conflicts().len())
}

#[test]
fn changes_of_different_lines_are_both_kept() {
    for (base, ours, theirs, expected) in [
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        // Adjacent lines are different lines.
        ("a\nb\nc\n", "a\nB\nc\n", "a\nb\nC\n", "a\nB\nC\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n"),
        ("a\nb\n", "a\nb\nours\n", "first\na\nb\n", "first\na\nb\nours\n"),
        // A line added next to a changed one.
        ("a\nb\nc\n", "a\nB\nc\n", "a\nb\nnew\nc\n", "a\nB\nnew\nc\n"),
        ("a\nb\nc\n", "a\nB\nc\n", "a\nnew\nb\nc\n", "a\nnew\nB\nc\n"),
        ("a\r\nb\r\n", "A\r\nb\r\n", "a\r\nB\r\n", "A\r\nB\r\n"),
    ] {
        assert_eq!(merged(base, ours, theirs), (expected.into(), 0), "{base:?} {ours:?} {theirs:?}");
    }
}

#[test]
fn additions_at_one_place_are_both_kept() {
    for (base, ours, theirs, expected) in [
        ("a\n", "a\nb\n", "a\nc\n", "a\nb\nc\n"),
        ("a", "a\nb", "a\nc", "a\nb\nc"),
        ("a\n", "a\nb\n", "a\nb\n", "a\nb\n"),
        ("a\n", "a\nb\n", "a\nb\nc\n", "a\nb\nc\n"),
        ("a\n", "a\nb\nc\n", "a\nb\n", "a\nb\nc\n"),
        ("a\n", "a\nb\n", "a\nnew\nb\n", "a\nnew\nb\n"),
        ("a\n", "a\nnew\nb\n", "a\nb\n", "a\nnew\nb\n"),
        ("", "# T\n\n## A\n- x\n", "# T\n\n## B\n- y\n", "# T\n\n## A\n- x\n\n## B\n- y\n"),
        ("t\n", "t\n\n## A\n- x\n", "t\n\n## B\n- x\n", "t\n\n## A\n- x\n\n## B\n- x\n"),
    ] {
        assert_eq!(merged(base, ours, theirs), (expected.into(), 0), "{base:?} {ours:?} {theirs:?}");
    }
}

#[test]
fn a_change_that_is_part_of_a_larger_one_is_taken_once() {
    for (base, ours, theirs, expected) in [
        ("a\nb", "a\nB\nmine", "a\nb\nmine", "a\nB\nmine"),
        ("a\nb", "a\nmine\nB", "a\nmine\nb", "a\nmine\nB"),
        ("a\nb\nc\n", "a\nB\nC\n", "a\nb\nC\n", "a\nB\nC\n"),
        ("a\nb\n", "a\nC\nx\n", "a\nC\n", "a\nC\nx\n"),
        ("a\nb\nc\nd\n", "a\nB\nC\nD\n", "a\nb\nC\nd\n", "a\nB\nC\nD\n"),
    ] {
        assert_eq!(merged(base, ours, theirs), (expected.into(), 0), "{base:?} {ours:?} {theirs:?}");
        assert_eq!(merged(base, theirs, ours), (expected.into(), 0), "{base:?} {theirs:?} {ours:?}");
    }
    // If a part of it is in conflict, no line of the other side is lost.
    assert_eq!(merged("a\nb\nc\n", "a\nB\nC\n", "a\nX\nC\n"), ("a\nX\nC\n".into(), 1));
    assert_eq!(merged("a\nb\n", "a\nB\nmine\n", "a\nX\nmine\n"), ("a\nX\nmine\n".into(), 1));
}

#[test]
fn lines_changed_by_both_conflict_without_markers() {
    let merged = merge3(b"a\nb\nc\n", b"a\nours\nc\n", b"a\ntheirs\nc\n");
    assert_eq!(merged.clean(), None);
    let conflict = Conflict { base: b"b".to_vec(), ours: b"ours".to_vec(), theirs: b"theirs".to_vec() };
    assert_eq!(merged.conflicts(), [conflict]);
    assert_eq!(merged.preferring_theirs(), b"a\ntheirs\nc\n");
    // Deleted on one side, changed on the other.
    assert_eq!(self::merged("a\nb\n", "a\n", "a\nB\n"), ("a\nB\n".into(), 1));
    // A line is added inside a range that the other side deleted.
    assert_eq!(self::merged("a\nb\nc\nd\n", "a\nd\n", "a\nb\nnew\nc\nd\n"), ("a\nb\nnew\nc\nd\n".into(), 1));
}

/// Edits lines and tags each with its author, so that none equals another.
fn edited(base: &[String], by: char, which: &[u8]) -> String {
    let mut text = String::new();
    for (n, (line, how)) in base.iter().zip(which).enumerate() {
        match how {
            1 => text += &format!("{by}{n}\n"),
            2 => {}
            3 => text += &format!("{line}\n{by}+{n}\n"),
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

proptest! {
    #[test]
    fn an_unchanged_side_takes_the_other(base in markdown(), x in markdown()) {
        for merged in [merge3(&base, &x, &base), merge3(&base, &base, &x), merge3(&base, &x, &x)] {
            prop_assert_eq!(merged.clean(), Some(x.clone()));
        }
    }

    #[test]
    fn any_texts_merge(base in markdown(), ours in markdown(), theirs in markdown()) {
        let merged = merge3(&base, &ours, &theirs);
        let text = merged.preferring_theirs();
        // Every line of the result comes from one of the three texts.
        let known: Vec<_> = [&base, &ours, &theirs].into_iter().flat_map(|text| lines(text)).collect();
        prop_assert!(lines(&text).iter().all(|line| known.contains(line)));
        prop_assert_eq!(merged.clean().is_some(), merged.conflicts().is_empty());
        // Merging again with the included side changes nothing.
        prop_assert_eq!(merge3(&theirs, &text, &theirs).clean(), Some(text));
    }

    #[test]
    fn a_version_that_is_included_is_merged_once(how in proptest::collection::vec((0..4u8, 0..4u8), 1..8)) {
        let base: Vec<String> = (0..how.len()).map(|n| format!("line {n}")).collect();
        let text: String = base.iter().map(|line| format!("{line}\n")).collect();
        // Deletions are left out, and lines that both change are in conflict.
        let of = |side: fn(&(u8, u8)) -> u8| how.iter().map(side).map(|how| if how == 2 { 0 } else { how }).collect::<Vec<_>>();
        let (ours, theirs) = (edited(&base, 'o', &of(|how| how.0)), edited(&base, 't', &of(|how| how.1)));
        let once = merge3(text.as_bytes(), ours.as_bytes(), theirs.as_bytes()).preferring_theirs();
        let again = merge3(text.as_bytes(), &once, theirs.as_bytes()).preferring_theirs();
        prop_assert_eq!(String::from_utf8(again).unwrap(), String::from_utf8(once).unwrap());
    }

    #[test]
    fn disjoint_changes_are_both_present(how in proptest::collection::vec((0..4u8, any::<bool>()), 1..12)) {
        let base: Vec<String> = (0..how.len()).map(|n| format!("line {n}")).collect();
        let of = |ours: bool| how.iter().map(|&(how, is_ours)| if is_ours == ours { how } else { 0 }).collect::<Vec<_>>();
        let text: String = base.iter().map(|line| format!("{line}\n")).collect();
        let ours = edited(&base, 'o', &of(true));
        let theirs = edited(&base, 't', &of(false));
        let merged = merge3(text.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        let current = String::from_utf8(merged.preferring_theirs()).unwrap();
        prop_assert!(merged.conflicts().is_empty(), "{:?}", merged.conflicts());
        for (side, other) in [(&ours, &theirs), (&theirs, &ours)] {
            for line in side.lines().filter(|line| !text.contains(line)) {
                prop_assert!(current.lines().any(|current| current == line), "{line} {other}");
            }
        }
        for (n, (how, _)) in how.iter().enumerate() {
            let line = format!("line {n}");
            let stays = matches!(how, 0 | 3);
            prop_assert_eq!(current.lines().any(|current| current == line), stays);
        }
    }
}
