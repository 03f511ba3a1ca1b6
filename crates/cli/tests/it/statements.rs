//! `add`, `search`, `forget` and `prune`, and statements in `show`, `recall` and `status`.

mod arguments;
mod forgetting;

use expect_test::expect;
use serde_json::json;

use crate::harness::{Home, Ran};

/// Returns a workspace with statements of a chat, a user and the workspace.
fn home() -> Home {
    let home = Home::new();
    home.setup(&[
        "add --text 'The harbour opens at six' --kind fact",
        "add --text 'I prefer boats with a red sail' --kind preference --scope user --channel telegram --chat-id 1 --sender-id 42",
        "add --text 'We sail on Sundays' --kind decision --channel telegram --chat-id 1",
        "add --text 'Met Rui at the harbour' --kind episodic --session telegram:2 --importance .5 --confidence .6",
        "add --text 'The code of the boat is 1234' --kind fact --sensitivity confidential",
    ]);
    home
}

#[test]
fn the_commands_of_the_document_run_as_printed() {
    let home = Home::new();
    home.check(
        &[
            "add --text 'Use concise responses' --kind preference --scope user --channel cli --chat-id direct",
            "add --text 'Use tailwind' --kind preference --scope user --channel cli --chat-id direct",
            "search --query 'tailwind preference' --channel cli --chat-id direct --scope all",
            "status",
            "prune --older-than-days 365 --dry-run",
            "prune --older-than-days 365",
            "backfill",
            "reindex",
        ],
        &expect![[r#"
            $ memtape add --text 'Use concise responses' --kind preference --scope user --channel cli --chat-id direct
            added (statements:5bdcf72c33a83e5b@4)
            $ memtape add --text 'Use tailwind' --kind preference --scope user --channel cli --chat-id direct
            added (statements:a23bd3314e212e91@5)
            $ memtape search --query 'tailwind preference' --channel cli --chat-id direct --scope all
            statements:a23bd3314e212e91@5 · score [SCORE] · preference · channel:cli:user:direct · importance 0.80 · confidence 1.00 · [NOW]
              Use tailwind
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    5, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 2: preference 2
            vectors    none pending
            $ memtape prune --older-than-days 365 --dry-run
            0 statements would be removed
            $ memtape prune --older-than-days 365
            0 statements removed
            $ memtape backfill
            ! error: nothing to backfill in the workspace directory: expected a directory with MEMORY.md, HISTORY.md, YYYY-MM-DD.md, or the folders episodic, semantic or procedural
            [exit 3]
            $ memtape reindex
            rebuilt the index from 5 entries
        "#]],
    );
}

#[test]
fn add_prints_the_statement_and_its_ref() {
    let home = Home::new();
    home.check(
        &[
            "add --text 'I like tea' --kind preference",
            "add --text 'i  like TEA!' --kind preference",
            "add --text 'I like tea' --kind fact --json",
            "add --text 'I like tea' --kind fact --json",
            "add --text 'I like tea' --kind preference --session telegram:1",
            "add --text 'I like tea' --kind preference --channel telegram --chat-id 1",
            "add --text 'I like tea' --kind preference --user telegram:42",
            "add --text 'I like tea' --kind preference --channel telegram --sender-id 42",
            "add --text 'I like tea' --kind preference --session telegram:1 --sender-id 42 --scope user",
            "add --text 'I like tea' --kind preference --channel telegram --chat-id -100 --scope user",
            "add --text '- no flag' --kind fact",
            "show statements:36b0eef0b4c4b1f3",
        ],
        &expect![[r#"
            $ memtape add --text 'I like tea' --kind preference
            added (statements:b2de35bf184f1cb7@4)
            $ memtape add --text 'i  like TEA!' --kind preference
            already known: repeated (statements:b2de35bf184f1cb7@5)
            $ memtape add --text 'I like tea' --kind fact --json
            {"outcome":"saved","ref":"statements:05bf01e67eb2d13d@6"}
            $ memtape add --text 'I like tea' --kind fact --json
            {"outcome":"confirmed","ref":"statements:05bf01e67eb2d13d@7"}
            $ memtape add --text 'I like tea' --kind preference --session telegram:1
            added (statements:bd35748724e40f5a@8)
            $ memtape add --text 'I like tea' --kind preference --channel telegram --chat-id 1
            already known: repeated (statements:bd35748724e40f5a@9)
            $ memtape add --text 'I like tea' --kind preference --user telegram:42
            added (statements:0a0f2f404d995572@10)
            $ memtape add --text 'I like tea' --kind preference --channel telegram --sender-id 42
            already known: repeated (statements:0a0f2f404d995572@11)
            $ memtape add --text 'I like tea' --kind preference --session telegram:1 --sender-id 42 --scope user
            already known: repeated (statements:0a0f2f404d995572@12)
            $ memtape add --text 'I like tea' --kind preference --channel telegram --chat-id -100 --scope user
            added (statements:1600fe4d86e555a8@13)
            $ memtape add --text '- no flag' --kind fact
            added (statements:504be31f3a3f3fa6@14)
            $ memtape show statements:36b0eef0b4c4b1f3
            ! error: statements:36b0eef0b4c4b1f3 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
        "#]],
    );
    home.command("add --kind fact --text -").stdin("Ana lives\nin Porto\n").run().check(&expect![[r#"
        added (statements:a2e9a68482593325@15)
    "#]]);
}

#[test]
fn search_finds_only_statements_of_the_audience() {
    let home = home();
    home.setup(&["remember 'The harbour is loud'"]);
    home.check(
        &[
            "search harbour",
            "search harbour --kind episodic",
            "search harbour --kind fact --kind episodic -n 1",
            "search 'boats sail Sundays' --channel telegram --chat-id 1 --sender-id 42",
            "search 'boats sail Sundays' --channel telegram --chat-id 1",
            "search 'boats sail Sundays' --session telegram:2 --user 42",
            "search 'boats sail Sundays' --scope user",
            "search code",
            "search harbour --at 4",
        ],
        &expect![[r#"
            $ memtape search harbour
            statements:5ec0627c6fd5e3f1@4 · score [SCORE] · fact · workspace:[ID]:global · importance 0.80 · confidence 1.00 · [NOW]
              The harbour opens at six
            statements:24d18b672f75fc75@7 · score [SCORE] · episodic · channel:telegram:chat:2 · importance 0.50 · confidence 0.60 · [NOW]
              Met Rui at the harbour
            statements:1c20e09c4428054a@5 · score [SCORE] · preference · channel:telegram:user:42 · importance 0.80 · confidence 1.00 · [NOW]
              I prefer boats with a red sail
            statements:f0a908d50866c6c8@6 · score [SCORE] · decision · channel:telegram:chat:1 · importance 0.80 · confidence 1.00 · [NOW]
              We sail on Sundays
            $ memtape search harbour --kind episodic
            statements:24d18b672f75fc75@7 · score [SCORE] · episodic · channel:telegram:chat:2 · importance 0.50 · confidence 0.60 · [NOW]
              Met Rui at the harbour
            $ memtape search harbour --kind fact --kind episodic -n 1
            statements:5ec0627c6fd5e3f1@4 · score [SCORE] · fact · workspace:[ID]:global · importance 0.80 · confidence 1.00 · [NOW]
              The harbour opens at six
            $ memtape search 'boats sail Sundays' --channel telegram --chat-id 1 --sender-id 42
            statements:f0a908d50866c6c8@6 · score [SCORE] · decision · channel:telegram:chat:1 · importance 0.80 · confidence 1.00 · [NOW]
              We sail on Sundays
            statements:1c20e09c4428054a@5 · score [SCORE] · preference · channel:telegram:user:42 · importance 0.80 · confidence 1.00 · [NOW]
              I prefer boats with a red sail
            statements:5ec0627c6fd5e3f1@4 · score [SCORE] · fact · workspace:[ID]:global · importance 0.80 · confidence 1.00 · [NOW]
              The harbour opens at six
            $ memtape search 'boats sail Sundays' --channel telegram --chat-id 1
            statements:f0a908d50866c6c8@6 · score [SCORE] · decision · channel:telegram:chat:1 · importance 0.80 · confidence 1.00 · [NOW]
              We sail on Sundays
            statements:5ec0627c6fd5e3f1@4 · score [SCORE] · fact · workspace:[ID]:global · importance 0.80 · confidence 1.00 · [NOW]
              The harbour opens at six
            $ memtape search 'boats sail Sundays' --session telegram:2 --user 42
            statements:1c20e09c4428054a@5 · score [SCORE] · preference · channel:telegram:user:42 · importance 0.80 · confidence 1.00 · [NOW]
              I prefer boats with a red sail
            statements:5ec0627c6fd5e3f1@4 · score [SCORE] · fact · workspace:[ID]:global · importance 0.80 · confidence 1.00 · [NOW]
              The harbour opens at six
            statements:24d18b672f75fc75@7 · score [SCORE] (weak) · episodic · channel:telegram:chat:2 · importance 0.50 · confidence 0.60 · [NOW]
              Met Rui at the harbour
            $ memtape search 'boats sail Sundays' --scope user
            statements:1c20e09c4428054a@5 · score [SCORE] · preference · channel:telegram:user:42 · importance 0.80 · confidence 1.00 · [NOW]
              I prefer boats with a red sail
            $ memtape search code
            statements:24d18b672f75fc75@7 · score [SCORE] (weak) · episodic · channel:telegram:chat:2 · importance 0.50 · confidence 0.60 · [NOW]
              Met Rui at the harbour
            statements:f0a908d50866c6c8@6 · score [SCORE] (weak) · decision · channel:telegram:chat:1 · importance 0.80 · confidence 1.00 · [NOW]
              We sail on Sundays
            $ memtape search harbour --at 4
            statements:5ec0627c6fd5e3f1@4 · score [SCORE] · fact · workspace:[ID]:global · importance 0.80 · confidence 1.00 · [NOW]
              The harbour opens at six
        "#]],
    );
}

#[test]
fn a_statement_s_json_has_a_fixed_shape() {
    let home = home();
    let hit = &home.run("search --query Rui --json").json()["hits"][0];
    assert_eq!(hit["form"], "statements");
    let fields: Vec<_> = hit["statement"].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "category",
        "importance",
        "confidence",
        "lifetime",
        "expires_at",
        "retained_until",
        "source",
        "since",
        "date",
        "from",
        "place",
    ];
    assert_eq!(fields, expected);
    assert_eq!(hit["statement"]["importance"], 0.5);
    let explained = home.run("search harbour -n 1 --explain");
    assert!(explained.stdout.contains("relevance: words"), "{}", explained.snapshot());
}

#[test]
fn show_prints_a_statement_and_its_source() {
    let home = home();
    home.write("old/HISTORY.md", "[2024-03-01 10:00] Ana bought a boat.\n");
    home.setup(&["backfill old --session telegram:1"]);
    let references: Vec<_> = ["harbour opens", "bought"]
        .iter()
        .map(|query| home.run(&format!("search '{query}' -n 1 --json")).json()["hits"][0]["ref"].clone())
        .collect();
    let show = |reference: &serde_json::Value| home.run(&format!("show {}", reference.as_str().unwrap()));
    // The expiry date depends on the date of the test.
    let without_end = |ran: &Ran| {
        let (ends, lines): (Vec<_>, Vec<_>) =
            ran.stdout.lines().partition(|line| line.starts_with("expires   2"));
        assert_eq!(ends.len(), 1, "{}", ran.snapshot());
        lines.join("\n") + "\n"
    };
    expect![[r#"
        statements:5ec0627c6fd5e3f1@4
          The harbour opens at six
        recorded  entry 4, [NOW] UTC, from user, in cli:direct
        scope     workspace:[ID]:global
        category  fact, importance 0.80, confidence 1.00
        source    manual
        said      [NOW] UTC
        current
    "#]]
    .assert_eq(&without_end(&show(&references[0])));
    expect![[r#"
        statements:9a02fb5f5b0eda2c@9
          Ana bought a boat.
        recorded  entry 9, [NOW] UTC, from import, in telegram:1
        scope     channel:telegram:chat:1
        category  episodic, importance 0.70, confidence 0.85
        source    import, from HISTORY.md:1
        said      2024-03-01 10:00:00 UTC
        current
    "#]]
    .assert_eq(&without_end(&show(&references[1])));
    home.setup(&["--config retention.fact_days=0 add --text 'The pier is long' --kind fact --scope global"]);
    let pier = home.run("search pier -n 1 --json").json()["hits"][0]["ref"].clone();
    assert!(show(&pier).stdout.contains("\nexpires   never\n"));
    home.setup(&["forget --query bought --yes"]);
    let shown = show(&references[1]);
    assert!(shown.stdout.ends_with("ended     by entry 12\n"), "{}", shown.snapshot());
    let reference = references[1].as_str().unwrap();
    let shown = home.run(&format!("show {reference} --json")).json();
    assert_eq!(shown[0]["statement"]["place"], "HISTORY.md:1");
    assert_eq!(shown[0]["statement"]["ended"], false);
}

#[test]
fn captured_statements_are_marked_and_turns_counted() {
    let home = Home::new();
    home.setup(&[
        "turn --message 'I prefer dark roast coffee' --session telegram:1 --user 42",
        "turn --message 'Which coffee do I like?' --session telegram:1 --user 42",
    ]);
    home.check(
        &["status"],
        &expect![[r#"
        $ memtape status
        workspace  [DIR] ([ID])
        branch     main
        entries    11, the last of [NOW] UTC
        messages   2 in 1 conversation
        zone       version 1: 0 bytes of long-term memory, 0 daily notes
        notes      0 files, 0B
        files      0 files, 0B
        blocks     0 set
        statements 1: preference 1
        turns      memory_recall_hit 1, memory_recall_miss 1, memory_capture_saved 1, memory_prompt_chars 163
        vectors    none pending
    "#]],
    );
    let hits = home.run("search coffee --json").json();
    let statement = &hits["hits"][0]["statement"];
    assert_eq!(statement["source"], "auto_heuristic");
    let message = statement["from"].as_str().unwrap().to_owned();
    let shown = home.run(&format!("show {}", hits["hits"][0]["ref"].as_str().unwrap()));
    let source = format!("\nsource    auto_heuristic, from {message}\n");
    assert!(shown.stdout.contains(&source), "{}", shown.snapshot());
    assert!(home.run(&format!("show {message}")).stdout.contains("I prefer dark roast coffee"));
}

#[test]
fn status_counts_statements_and_turns() {
    let home = home();
    home.check(
        &["status"],
        &expect![[r#"
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    8, the last of [NOW] UTC
            messages   0 in 0 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 5: preference 1, fact 2, decision 1, episodic 1
            vectors    none pending
        "#]],
    );
    let status = home.run("status --json").json();
    assert_eq!(
        status["statements"],
        json!({"by_category": {"preference": 1, "fact": 2, "decision": 1, "episodic": 1}, "expired": 0})
    );
    assert_eq!(
        status["counters"],
        json!({
            "memory_recall_hit": 0,
            "memory_recall_miss": 0,
            "memory_capture_saved": 0,
            "memory_capture_dropped_low_conf": 0,
            "memory_capture_dropped_safety": 0,
            "memory_capture_deduped": 0,
            "memory_prompt_chars": 0
        })
    );
}

#[test]
fn add_keeps_the_text_and_infers_the_category() {
    let home = Home::new();
    home.setup(&["add 'I prefer tea to coffee'", "add 'We decided to use Postgres'"]);
    let kind = |words: &str| home.run(&format!("search '{words}' -n 1 --json")).json()["hits"][0].clone();
    assert_eq!(kind("tea")["statement"]["category"], "preference");
    assert_eq!(kind("Postgres")["statement"]["category"], "decision");
    let ran = home.run("add 'The harbour is loud'");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("--kind"), "{}", ran.stderr);
    assert_eq!(home.run("add 'The harbour is loud' --kind fact").code, 0);
}

#[test]
fn a_permanent_statement_has_no_end_in_json() {
    let home = Home::new();
    home.setup(&[
        "add --kind preference --text 'I like green tea'",
        "fact add user likes tea",
        "fact add user drinks tea --lifetime temporary",
    ]);
    let found = home.run("search 'green tea' --json").json();
    let statement = &found["hits"][0]["statement"];
    assert_eq!(statement["lifetime"], "permanent");
    assert!(statement["expires_at"].is_null() && statement["retained_until"].is_string(), "{statement}");
    for fact in home.run("fact list --json").json()["facts"].as_array().unwrap() {
        let ends = !fact["expires_at"].is_null();
        assert_eq!(ends, fact["lifetime"] == "temporary", "{fact}");
    }
}
