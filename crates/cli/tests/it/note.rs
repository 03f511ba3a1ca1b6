//! `note`, and what the status and a recall say of notes.

use std::fs;

use expect_test::expect;

use crate::harness::Home;

#[test]
fn facts_and_episodes_are_files_that_may_be_edited() {
    let home = Home::new();
    home.check(
        &[
            "note list",
            "note write facts/user.md '# User Facts\n\n- Name: Zhang San\n- Role: Developer'",
            "note write facts/user.md '# User Facts\n\n- Name: Zhang San\n- Role: Developer'",
            "note append episodes/2024-02.md '## Logger fix\n- Summary: leak → transport\n- Date: 2024-02-24'",
            "note append episodes/2024-02.md '## Short ID\n- Summary: UUID → short ID\n- Date: 2024-02-25'",
            "note patch facts/user.md --old Developer --new 'Architect ($&)'",
            "note patch facts/user.md --old Nobody --new Somebody",
            "note patch facts/user.md --old a --new b",
            "note list",
            "note list --index",
            "note list --json",
            "note read facts/user.md",
            "note read facts/nobody.md",
            "note read ../secret.md",
            "note show episodes/2024-02.md",
            "recall 'short ID' --config recall.backend=sqlite_fts",
            "tool call --owner memory_list '{}'",
        ],
        &expect![[""]],
    );
}

#[test]
fn what_a_person_does_to_the_files_is_noticed_by_the_next_command() {
    let home = Home::new();
    home.setup(&["note write facts/user.md '- Name: Ana'"]);
    fs::write(home.path("facts/user.md"), "- Name: Ana\n- Tea: green\n").unwrap();
    fs::write(home.path("facts/.user.md.swp"), "x").unwrap();
    fs::write(home.path("facts/readme.txt"), "x").unwrap();
    fs::write(home.path("facts/a?.md"), "x").unwrap();
    fs::write(home.path("facts/token.md"), "- ghp_0123456789abcdefABCDEF0123456789abcd\n").unwrap();
    home.check(
        &[
            "note read facts/user.md",
            "note log facts/user.md --json",
            "note diff facts/user.md",
            "status",
            "note read facts/user.md --at 4",
            "note restore facts/user.md",
            "note restore facts/user.md --at 4",
            "note write facts/user.md x --at 4",
            "note delete facts/user.md",
            "note split facts/token.md",
        ],
        &expect![[""]],
    );
}
