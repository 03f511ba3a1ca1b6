//! Properties that hold for any bytes. The fuzz targets call this module, and its tests run it over generated
//! bytes.
//!
//! **Invariant.** The functions panic if and only if a property of the form is violated.

use std::collections::HashSet;

use jiff::civil::Date;

use super::entry::{self, NoteData};
use super::path::{self, Folders, NotePath};
use super::summary::Summary;
use super::{sections, summary};
use crate::merge3::merge3;

/// Checks the properties of Markdown parsing on any bytes.
///
/// # Panics
/// Panics if a property is violated.
pub fn markdown(bytes: &[u8]) {
    let (_, split) = sections::split(bytes);
    assert_eq!(sections::join(split.iter().copied()), bytes, "sections partition the bytes");
    assert!(split[1..].iter().all(|section| !section.is_empty()), "only the preamble is empty");
    let names = sections::names(split[1..].iter().copied(), HashSet::new());
    let different: HashSet<&String> = names.iter().collect();
    assert_eq!(different.len(), names.len(), "names differ");
    for (name, section) in names.iter().zip(&split[1..]) {
        let key = format!("facts/x.md#{name}");
        assert_eq!(path::of_key(&key), Some(("facts/x.md", name.as_str())), "a key names its section");
        let reference = format!("notes:{key}").parse::<crate::Ref>();
        assert!(
            reference.is_ok_and(|r| r.key == key && r.entry.is_none()),
            "a ref names its section: {key:?}"
        );
        let _ = entry::date(section);
    }
    for section in &split {
        let (text, data) = NoteData::of(section, 1.0);
        assert_eq!(data.bytes(&text), *section, "a memory keeps its bytes");
    }
    let today = Date::constant(2026, 2, 26);
    for own in [Summary::Kept, Summary::Computed, Summary::New("the $& of it")] {
        let once = summary::bring_up_to_date(bytes, own, today);
        assert_eq!(summary::bring_up_to_date(&once, own, today), once, "twice is once");
        match own {
            Summary::New(own) => {
                assert_eq!(summary::read(&once).as_deref(), Some(own), "what is written is read");
            }
            Summary::Kept => assert_eq!(summary::read(&once), summary::read(bytes), "what is kept stays"),
            Summary::Computed => {}
        }
        assert_eq!(
            merge3(bytes, &once, bytes).clean().as_deref(),
            Some(once.as_slice()),
            "one side's change"
        );
    }
    thirds(bytes);
}

/// Splits bytes into three texts and merges them.
fn thirds(bytes: &[u8]) {
    let third = bytes.len() / 3;
    let (base, rest) = bytes.split_at(third);
    let (ours, theirs) = rest.split_at(third);
    for merged in [merge3(base, base, theirs), merge3(base, theirs, base), merge3(base, theirs, theirs)] {
        assert_eq!(merged.clean().as_deref(), Some(theirs), "what one side left alone is the other's");
    }
    let merged = merge3(base, ours, theirs);
    assert_eq!(merged.clean().is_some(), merged.conflicts().is_empty(), "it is clean, or says what is not");
}

/// Checks the properties of paths on any bytes.
///
/// # Panics
/// Panics if a property is violated.
pub fn path(bytes: &[u8]) {
    let folders = Folders::default();
    let text = String::from_utf8_lossy(bytes);
    // Most bytes are not a path, so they are also tried as a file name.
    for text in [text.to_string(), format!("facts/{text}.md"), format!("facts/{text}")] {
        match NotePath::new(&text, &folders) {
            Ok(path) => {
                assert_eq!(path.as_str(), text, "a path is what was written");
                assert_eq!(text.split('/').count(), 2, "a path is FOLDER/NAME.md");
                assert!(
                    folders.iter().any(|folder| folder == path.folder()),
                    "its folder is one of the notes'"
                );
                assert!(
                    text.ends_with(crate::path::SUFFIX) && !text.contains(['\\', '\0', '\n']),
                    "its name is one"
                );
                assert!(!text.split('/').any(|part| part.starts_with('.')), "nothing is hidden, nor above");
                assert_eq!(
                    path::of_key(&path.key("a.md#b")),
                    Some((text.as_str(), "a.md#b")),
                    "a key names it"
                );
                assert_eq!(
                    crate::path::collision_key(&path.collision_key()),
                    path.collision_key(),
                    "folded is folded"
                );
            }
            Err(error) => assert!(error.to_string().len() < 1000, "errors are short"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sections::tests::markdown as like_markdown;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            super::markdown(&bytes);
            super::path(&bytes);
        }

        #[test]
        fn what_looks_like_markdown(bytes in like_markdown()) {
            super::markdown(&bytes);
        }

        #[test]
        fn what_looks_like_a_path(text in "[./\\\\a-zA-Zß\u{301}\u{e9}ςİ~#:?@0-9 \u{202e}]{0,20}") {
            super::path(text.as_bytes());
        }
    }
}
