//! The `backfill` command.

use expect_test::expect;

use crate::harness::Home;

#[test]
fn each_file_is_counted_and_imported_once() {
    let home = Home::new();
    home.write(
        "old/memory/MEMORY.md",
        "# Memory\n\n- likes tea\n- lives in Porto\n\n## Preferences\n\n(none)\n",
    );
    home.write("old/memory/2024-05-01.md", "# 2024-05-01\n\n- sailed to the island\n- likes tea\n");
    home.write("old/memory/semantic/facts.md", "- [2024-05-01 10:00:00 UTC] Likes tea.\n");
    home.write("old/memory/HISTORY.md", b"\xff");
    home.check(
        &[
            "backfill old",
            "search island",
            "backfill old",
            "forget --query island --yes",
            "backfill old --json",
            "search island",
            "backfill old --force",
            "backfill old --session telegram:1 --json",
        ],
        &expect![[r#"
            $ memtape backfill old
            memory/2024-05-01.md: 2 statements added
            memory/MEMORY.md: 2 statements added
            memory/semantic/facts.md: 0 statements added, 1 was there already
            in all: 4 statements added, 1 was there already
            ! skipped memory/HISTORY.md: it is not UTF-8
            $ memtape search island
            statements:d27abf82992f12f5@4 · score [SCORE] · episodic · workspace:[ID]:global · importance 0.70 · confidence 0.85 · 2024-05-01 00:00
              sailed to the island
            statements:9bddad154df8a8a8@7 · score [SCORE] · fact · workspace:[ID]:global · importance 0.70 · confidence 0.85 · [NOW]
              lives in Porto
            statements:201c13c1fa40a672@6 · score [SCORE] (weak) · fact · workspace:[ID]:global · importance 0.70 · confidence 0.85 · [NOW]
              likes tea
              also statements:3625ef650351defe@5
            $ memtape backfill old
            memory/2024-05-01.md: already imported (--force imports it again)
            memory/MEMORY.md: already imported (--force imports it again)
            memory/semantic/facts.md: already imported (--force imports it again)
            in all: 0 statements added
            ! skipped memory/HISTORY.md: it is not UTF-8
            $ memtape forget --query island --yes
            statements:d27abf82992f12f5@4 · episodic · workspace:[ID]:global · sailed to the island
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape backfill old --json
            {"files":[{"file":"memory/2024-05-01.md","before":true},{"file":"memory/HISTORY.md","why":"it is not UTF-8"},{"file":"memory/MEMORY.md","before":true},{"file":"memory/semantic/facts.md","before":true}],"added":0,"present":0}
            ! skipped memory/HISTORY.md: it is not UTF-8
            $ memtape search island
            statements:9bddad154df8a8a8@7 · score [SCORE] · fact · workspace:[ID]:global · importance 0.70 · confidence 0.85 · [NOW]
              lives in Porto
            statements:201c13c1fa40a672@6 · score [SCORE] (weak) · fact · workspace:[ID]:global · importance 0.70 · confidence 0.85 · [NOW]
              likes tea
              also statements:3625ef650351defe@5
            $ memtape backfill old --force
            memory/2024-05-01.md: 1 statement added, 1 was there already
            memory/MEMORY.md: 0 statements added, 2 were there already
            memory/semantic/facts.md: 0 statements added, 1 was there already
            in all: 1 statement added, 4 were there already
            ! skipped memory/HISTORY.md: it is not UTF-8
            $ memtape backfill old --session telegram:1 --json
            {"files":[{"file":"memory/2024-05-01.md","added":2,"present":0},{"file":"memory/HISTORY.md","why":"it is not UTF-8"},{"file":"memory/MEMORY.md","added":2,"present":0},{"file":"memory/semantic/facts.md","added":0,"present":1}],"added":4,"present":1}
            ! skipped memory/HISTORY.md: it is not UTF-8
        "#]],
    );
}

#[test]
fn an_unreadable_file_is_reported() {
    let home = Home::new();
    home.write("empty/notes.md", "- nothing\n");
    home.write("bad/MEMORY.md", b"\xff\xfe");
    home.write("mirror/semantic/facts.md", "- likes tea\n");
    home.check(
        &[
            "backfill",
            "backfill nowhere",
            "backfill empty",
            "backfill bad",
            "backfill mirror",
            "backfill --at 3",
        ],
        &expect![[r#"
            $ memtape backfill
            ! error: nothing to backfill in the workspace directory: expected a directory with MEMORY.md, HISTORY.md, YYYY-MM-DD.md, or the folders episodic, semantic or procedural
            [exit 3]
            $ memtape backfill nowhere
            ! error: there is no folder nowhere
            [exit 3]
            $ memtape backfill empty
            ! error: nothing to backfill in empty: expected a directory with MEMORY.md, HISTORY.md, YYYY-MM-DD.md, or the folders episodic, semantic or procedural
            [exit 3]
            $ memtape backfill bad
            ! skipped MEMORY.md: it is not UTF-8
            ! error: nothing was imported: no file could be read
            [exit 2]
            $ memtape backfill mirror
            ! error: these files are mirrors of this workspace: there is nothing to import
            [exit 5]
            $ memtape backfill --at 3
            ! error: unexpected argument '--at' found
            !
            !   tip: a similar argument exists: '--chat-id'
            !
            ! Usage: memtape backfill --chat-id <ID> [DIR]
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
    home.write("MEMORY.md", "- likes tea\n");
    home.check(
        &["backfill"],
        &expect![[r#"
            $ memtape backfill
            MEMORY.md: 1 statement added
            in all: 1 statement added
        "#]],
    );
}
