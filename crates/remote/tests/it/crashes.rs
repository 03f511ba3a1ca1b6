//! A process that dies at any request leaves a tape that others read and continue.

use std::fs;
use std::sync::Arc;

use memtape_remote::objects::{Limits, Objects, open_store};
use memtape_upstream::{Appended, Head, Upstream};

use crate::objects::{Place, append, small};
use crate::tape::{entries, erased, group, read, texts};
use crate::watched::{Death, Watched};

/// Limits with which one append is enough for a compaction that joins all segments.
fn eager() -> Limits {
    Limits { groups: 1, segment_bytes: 1 << 20, ..small() }
}

/// Runs a scenario with a death at each of its requests. `act` returns whether the process survived.
fn at_each_request(mut act: impl FnMut(Death) -> bool) {
    for death in [Death::Before as fn(usize) -> Death, Death::After] {
        let survived = (0..40).position(|at| act(death(at)));
        assert!(survived.is_some_and(|at| at >= 3), "the scenario ends, and has requests: {survived:?}");
    }
}

#[test]
fn a_death_during_an_append_and_its_compaction() {
    at_each_request(|death| {
        let place = Place::files();
        let (watched, upstream) = place.watch("t", eager());
        upstream.create().unwrap();
        let mut head = Head::EMPTY;
        for n in 0..3 {
            head = append(&upstream, head, &n.to_string());
        }
        let last = group(head, &["the last"]);
        watched.die(death);
        let died = upstream.append(head, &last.lines, b"");
        let requests = watched.take().0.len();
        // Another connection repeats the append, as after any failure of which the effect is unknown.
        let other = place.open("t", eager());
        assert_eq!(other.append(head, &last.lines, b"").unwrap(), Appended::Done, "{death:?}");
        assert!(died.is_err() || died == Ok(Appended::Done), "{death:?}: {died:?}");
        let end = append(&other, last.end, "after it");
        let all = texts(&read(&place.open("t", eager()), 1));
        assert_eq!(all.iter().filter(|text| *text == "the last").count(), 1, "{death:?}");
        assert_eq!(all.len() as u64, end.id);
        let manifest = fs::read_to_string(place.path("t").join("manifest.json")).unwrap();
        let used = manifest.matches("\"key\"").count();
        assert_eq!(place.count("t", "segments"), used, "{death:?}: no segment is left over");
        matches!(death, Death::Before(at) | Death::After(at) if at >= requests)
    });
}

#[test]
fn a_death_during_an_erasure() {
    at_each_request(|death| {
        let place = Place::files();
        let setup = place.open("t", small());
        setup.create().unwrap();
        let mut head = append(&setup, Head::EMPTY, "hunter2");
        for n in 0..4 {
            head = append(&setup, head, &n.to_string());
        }
        let old = entries(&read(&setup, 1)).swap_remove(0);
        let (event, line) = (group(head, &["an erasure"]), erased(&old, "{}"));
        let (watched, upstream) = place.watch("t", small());
        upstream.head().unwrap();
        watched.die(death);
        let died = upstream.append(head, &event.lines, &line);
        let requests = watched.take().0.len();
        let other = place.open("t", small());
        let is_committed = other.head().unwrap() == event.end;
        assert!(is_committed || died.is_err(), "{death:?}");
        if is_committed {
            // A connection that only reads has completed it.
            assert_eq!(place.files_with("hunter2"), Vec::<String>::new(), "{death:?}");
            assert_eq!(other.lines(&[1]).unwrap(), line);
        } else {
            assert_ne!(other.lines(&[1]).unwrap(), line, "{death:?}");
        }
        assert_eq!(other.append(head, &event.lines, &line).unwrap(), Appended::Done);
        assert_eq!(place.files_with("hunter2"), Vec::<String>::new(), "{death:?}");
        let all = read(&place.open("t", small()), 1);
        assert!(all.starts_with(&line));
        assert_eq!(texts(&all).len() as u64, event.end.id);
        matches!(death, Death::Before(at) | Death::After(at) if at >= requests)
    });
}

#[test]
fn an_erasure_is_seen_while_old_objects_have_the_text() {
    let place = Place::files();
    let setup = place.open("t", small());
    setup.create().unwrap();
    let mut head = append(&setup, Head::EMPTY, "hunter2");
    for n in 0..4 {
        head = append(&setup, head, &n.to_string());
    }
    let old = entries(&read(&setup, 1)).swap_remove(0);
    let (event, line) = (group(head, &["an erasure"]), erased(&old, "{}"));
    let (watched, upstream) = place.watch("t", small());
    upstream.head().unwrap();
    watched.die(Death::After(0));
    assert!(upstream.append(head, &event.lines, &line).is_err());
    assert!(!place.files_with("hunter2").is_empty(), "the writer died after the commit point");
    let mut reader = Watched::new(open_store(&place.url("t"), &[]).unwrap());
    reader.is_read_only = true;
    let reader = Objects::new("watched", Arc::new(reader), small());
    assert_eq!(reader.lines(&[1]).unwrap(), line);
    assert!(read(&reader, 1).starts_with(&line));
    assert!(!place.files_with("hunter2").is_empty(), "the reader may not write");
}
