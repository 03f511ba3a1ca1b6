use super::super::tests::{Book, note};
use super::*;
use crate::memory::{MemoryId, Origin};
use crate::meta::Retire;

fn section(book: &Book, key: &str) -> Memory {
    book.memories.iter().find(|memory| memory.key == key).cloned().unwrap()
}

const KEY: &str = "episodes/2026-02.md#Leak";

fn blocks(of: &str) -> String {
    format!("# T\n\n## Leak\n{of}\n## Other\n- x\n")
}

#[test]
fn a_recreated_section_keeps_its_place() {
    let mut book = Book::new();
    book.edit("episodes/2026-02.md", blocks("- a\n- \u{e9}\n").as_bytes());
    book.edit("facts/bytes.md", b"- \xFF\n- b\n");
    for key in [KEY, "episodes/2026-02.md#", "facts/bytes.md#(empty)"] {
        let texts: Vec<_> = book.view().files().map(super::super::File::bytes).collect();
        let memory = section(&book, key);
        let meta = Meta { from: Some(memory.id), ..book.ctx.meta() }.retiring([Retire::Memory(memory.id)]);
        let draft = recreate(&memory, meta, &book.ctx).unwrap();
        book.take(Ok(crate::decision::Decision { drafts: vec![draft], outcome: () }));
        let again = section(&book, key);
        assert_eq!((content(&again), again.id.entry()), (content(&memory), book.entries.len() as u64));
        assert_eq!(book.view().files().map(super::super::File::bytes).collect::<Vec<_>>(), texts);
    }
    let memory = section(&book, KEY);
    let meta = book.ctx.meta().retiring([Retire::Memory(memory.id)]);
    let draft = retire(&memory, &meta, &book.ctx).unwrap();
    book.take(Ok(crate::decision::Decision { drafts: vec![draft], outcome: () }));
    assert_eq!(book.text("episodes/2026-02.md"), "# T\n\n## Other\n- x\n");
    assert_eq!(book.view().get(&note("episodes/2026-02.md")).unwrap().sections.len(), 2);
}

#[test]
fn two_versions_are_joined_by_hunks() {
    let mut book = Book::new();
    let version = |book: &mut Book, text: &str| {
        book.edit("episodes/2026-02.md", blocks(text).as_bytes());
        section(book, KEY)
    };
    let base = version(&mut book, "- a\n- b\n");
    let ours = version(&mut book, "- A\n- b\n");
    let theirs = Memory { origin: Some(Origin::Tool), ..version(&mut book, "- a\n- b\n- c\n") };
    let joined = joined(Some(&base), &ours, &theirs).unwrap().unwrap();
    assert_eq!(content(&joined), "\n## Leak\n- A\n- b\n- c\n");
    assert_eq!((joined.id, joined.origin), (ours.id, Some(Origin::Tool)));
    assert_eq!(
        super::joined(Some(&base), &ours, &ours).unwrap().map(|joined| content(&joined)),
        Some(content(&ours))
    );
    let other = version(&mut book, "- X\n- b\n");
    assert_eq!(super::joined(Some(&base), &ours, &other).unwrap(), None);
    // Two unrelated sections of the same name are not versions of each other.
    assert_eq!(super::joined(None, &ours, &theirs).unwrap(), None);
    assert_eq!(
        super::joined(None, &ours, &ours).unwrap().map(|joined| content(&joined)),
        Some(content(&ours))
    );
    let foreign = Memory { key: "nothing".into(), id: MemoryId::new(1, 0), ..ours.clone() };
    assert!(
        super::joined(Some(&base), &ours, &foreign).is_err()
            && recreate(&foreign, Meta::default(), &book.ctx).is_err()
    );
}
