//! The `recall` and `show` commands.

use expect_test::expect;
use serde_json::Value;

use crate::harness::Home;

/// Returns a workspace with three conversations and a zone.
fn home() -> Home {
    let home = Home::new();
    home.write(
        "talk.jsonl",
        r#"{"role":"user","content":"I moved to Lisbon last spring","date":"2024-04-02T09:00:00Z"}
{"role":"assistant","content":"How do you like the city?","date":"2024-04-02T09:00:05Z"}
{"role":"user","name":"Ana","content":"Our flight to Lisbon leaves at seven","session":"telegram:1","date":"2024-05-01T18:30:00Z"}
{"role":"user","name":"Rui","content":"Is Lisbon sunny in May?","session":"telegram:1:trip"}
{"role":"user","content":"The bakery on the corner sells cinnamon rolls","session":"telegram:2"}
"#,
    );
    home.setup(&["ingest talk.jsonl", "remember 'User lives in Lisbon.'"]);
    home.setup(&["zone daily '- looked up trams in Lisbon' --date 2024-04-03"]);
    home
}

#[test]
fn hits_say_where_they_come_from() {
    let home = home();
    home.check(
        &["recall Lisbon", "recall cinnamon", "recall 'Where does the user live?'"],
        &expect![[r#"
            $ memtape recall Lisbon
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            messages:7@7 · score [SCORE] · cli:direct · user · 2024-04-02 09:00
              I moved to Lisbon last spring
            messages:10@10 · score [SCORE] · telegram:1:trip · Rui · recorded [NOW]
              Is Lisbon sunny in May?
            zone:2024-04-03@16 · score [SCORE] · cli:direct · 2024-04-03 12:00
              # 2024-04-03 - looked up trams in Lisbon
            messages:9@9 · score [SCORE] · telegram:1 · Ana · 2024-05-01 18:30
              Our flight to Lisbon leaves at seven
            messages:8@8 · score [SCORE] · cli:direct · assistant · 2024-04-02 09:00
              How do you like the city?
            messages:11@11 · score [SCORE] · telegram:2 · user · recorded [NOW]
              The bakery on the corner sells cinnamon rolls
            $ memtape recall cinnamon
            messages:11@11 · score [SCORE] · telegram:2 · user · recorded [NOW]
              The bakery on the corner sells cinnamon rolls
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            messages:10@10 · score [SCORE] · telegram:1:trip · Rui · recorded [NOW]
              Is Lisbon sunny in May?
            messages:7@7 · score [SCORE] · cli:direct · user · 2024-04-02 09:00
              I moved to Lisbon last spring
            zone:2024-04-03@16 · score [SCORE] (weak) · cli:direct · 2024-04-03 12:00
              # 2024-04-03 - looked up trams in Lisbon
            messages:9@9 · score [SCORE] (weak) · telegram:1 · Ana · 2024-05-01 18:30
              Our flight to Lisbon leaves at seven
            messages:8@8 · score [SCORE] (weak) · cli:direct · assistant · 2024-04-02 09:00
              How do you like the city?
            $ memtape recall 'Where does the user live?'
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            messages:7@7 · score [SCORE] · cli:direct · user · 2024-04-02 09:00
              I moved to Lisbon last spring
            messages:8@8 · score [SCORE] · cli:direct · assistant · 2024-04-02 09:00
              How do you like the city?
            messages:11@11 · score [SCORE] · telegram:2 · user · recorded [NOW]
              The bakery on the corner sells cinnamon rolls
        "#]],
    );
}

#[test]
fn hits_are_narrowed_by_session_form_and_number() {
    let home = home();
    home.check(
        &[
            "recall Lisbon --session telegram:1",
            "recall cinnamon --session telegram:1",
            "recall Lisbon --form zone",
            "recall Lisbon --form messages --limit 1",
            "recall Lisbon --form zone --form messages -n 1",
            "recall Lisbon --form facts",
            "recall Lisbon --limit many",
            "recall Lisbon --limit 0",
        ],
        &expect![[r#"
            $ memtape recall Lisbon --session telegram:1
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            messages:10@10 · score [SCORE] · telegram:1:trip · Rui · recorded [NOW]
              Is Lisbon sunny in May?
            zone:2024-04-03@16 · score [SCORE] · cli:direct · 2024-04-03 12:00
              # 2024-04-03 - looked up trams in Lisbon
            messages:9@9 · score [SCORE] · telegram:1 · Ana · 2024-05-01 18:30
              Our flight to Lisbon leaves at seven
            $ memtape recall cinnamon --session telegram:1
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            messages:10@10 · score [SCORE] · telegram:1:trip · Rui · recorded [NOW]
              Is Lisbon sunny in May?
            zone:2024-04-03@16 · score [SCORE] (weak) · cli:direct · 2024-04-03 12:00
              # 2024-04-03 - looked up trams in Lisbon
            messages:9@9 · score [SCORE] (weak) · telegram:1 · Ana · 2024-05-01 18:30
              Our flight to Lisbon leaves at seven
            $ memtape recall Lisbon --form zone
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            zone:2024-04-03@16 · score [SCORE] · cli:direct · 2024-04-03 12:00
              # 2024-04-03 - looked up trams in Lisbon
            $ memtape recall Lisbon --form messages --limit 1
            messages:7@7 · score [SCORE] · cli:direct · user · 2024-04-02 09:00
              I moved to Lisbon last spring
            $ memtape recall Lisbon --form zone --form messages -n 1
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            $ memtape recall Lisbon --form facts
            ! error: invalid value 'facts' for '--form <FORM>': unknown form "facts": expected one of blocks, files, ledger, messages, notes, statements, zone
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape recall Lisbon --limit many
            ! error: invalid value 'many' for '--limit <N>': expected a whole number from 1
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape recall Lisbon --limit 0
            ! error: invalid value '0' for '--limit <N>': expected a whole number from 1
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn json_has_a_fixed_shape() {
    let home = home();
    let answer = home.run("recall Lisbon --json").json();
    assert_eq!(answer["note"], Value::Null);
    let hits = answer["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 7);
    let mut last = 1.0;
    for hit in hits {
        let fields: Vec<_> = hit.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            [
                "ref",
                "form",
                "session",
                "scope",
                "sensitivity",
                "speaker",
                "origin",
                "branch",
                "said_at",
                "date",
                "text",
                "score",
                "weak",
                "earlier",
                "contested",
                "newer",
                "image",
                "also",
                "terms"
            ]
        );
        let score = hit["score"].as_f64().unwrap();
        assert!(score > 0.0 && score <= last, "{score} after {last}");
        last = score;
        let shown = home.run(&format!("show {} --json", hit["ref"].as_str().unwrap())).json();
        for field in ["ref", "form", "session", "scope", "speaker", "origin", "said_at", "date", "text"] {
            assert_eq!(shown[0][field], hit[field]);
        }
        assert_eq!(shown[0]["retired_by"], Value::Null);
    }
    assert_eq!(answer["left"]["over_results"], 0);
    assert_eq!(hits[0]["terms"]["relevance"], 1.0);
    let ana = hits.iter().find(|hit| hit["speaker"] == "Ana").unwrap();
    assert_eq!(ana["ref"], "messages:9@9");
    assert_eq!(ana["said_at"], "2024-05-01T18:30:00Z");
    assert_eq!(ana["session"], "telegram:1");
    assert_eq!(ana["scope"], "channel:telegram:chat:1");
}

#[test]
fn an_earlier_point_finds_what_stood_there() {
    let home = home();
    home.setup(&["zone save 'User lives in Porto.'", "zone clear --yes"]);
    home.check(
        &[
            "recall 'user lives' --form zone",
            "recall 'user lives' --form zone --at 11",
            "recall Porto --form zone --at 17",
            "recall Lisbon --at 4",
            "recall Lisbon --at 2024-01-01",
            "recall Lisbon --at 99",
        ],
        &expect![[r#"
            $ memtape recall 'user lives' --form zone
            No matches.
            $ memtape recall 'user lives' --form zone --at 11
            No matches.
            $ memtape recall Porto --form zone --at 17
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            zone:2024-04-03@16 · score [SCORE] · cli:direct · 2024-04-03 12:00
              # 2024-04-03 - looked up trams in Lisbon
            $ memtape recall Lisbon --at 4
            messages:7@7 · score [SCORE] · cli:direct · user · 2024-04-02 09:00
              I moved to Lisbon last spring
            messages:10@10 · score [SCORE] · telegram:1:trip · Rui · recorded [NOW]
              Is Lisbon sunny in May?
            messages:9@9 · score [SCORE] · telegram:1 · Ana · 2024-05-01 18:30
              Our flight to Lisbon leaves at seven
            messages:8@8 · score [SCORE] · cli:direct · assistant · 2024-04-02 09:00
              How do you like the city?
            messages:11@11 · score [SCORE] · telegram:2 · user · recorded [NOW]
              The bakery on the corner sells cinnamon rolls
            $ memtape recall Lisbon --at 2024-01-01
            No matches.
            $ memtape recall Lisbon --at 99
            ! error: the tape ends at entry 22: there is no entry 99
            ! hint: entries are numbered from 1 to 22
            [exit 3]
        "#]],
    );
}

#[test]
fn no_word_and_no_hit_get_a_sentence() {
    let home = home();
    home.check(
        &[
            "recall ''",
            "recall '  ?!  '",
            "recall zebra",
            "recall zebra --json --at 3",
            "recall '' --json",
            "recall",
        ],
        &expect![[r#"
            $ memtape recall ''
            The query contains no searchable word.
            $ memtape recall '  ?!  '
            The query contains no searchable word.
            $ memtape recall zebra
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            zone:2024-04-03@16 · score [SCORE] · cli:direct · 2024-04-03 12:00
              # 2024-04-03 - looked up trams in Lisbon
            messages:8@8 · score [SCORE] (weak) · cli:direct · assistant · 2024-04-02 09:00
              How do you like the city?
            messages:10@10 · score [SCORE] (weak) · telegram:1:trip · Rui · recorded [NOW]
              Is Lisbon sunny in May?
            messages:7@7 · score [SCORE] (weak) · cli:direct · user · 2024-04-02 09:00
              I moved to Lisbon last spring
            $ memtape recall zebra --json --at 3
            {"hits":[],"left":{"over_results":0,"folded":0,"of_user":0,"over_budget":0},"note":"No matches."}
            $ memtape recall '' --json
            {"hits":[],"left":{"over_results":0,"folded":0,"of_user":0,"over_budget":0},"note":"The query contains no searchable word."}
            $ memtape recall
            ! error: the following required arguments were not provided:
            !   <QUERY>
            !
            ! Usage: memtape recall <QUERY>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn no_query_is_an_error() {
    let home = home();
    let queries = [
        "\"",
        "\"Lisbon",
        "Lisbon\"\"",
        "Lisbon OR",
        "AND NOT",
        "NEAR(Lisbon, 3)",
        "self:Lisbon",
        "{self previous} : Lisbon",
        "Lis*",
        "^Lisbon",
        "(Lisbon",
        "-Lisbon",
        "'; DROP TABLE memories; --",
        "%00",
        "\\",
        "☕☕☕",
        "a\nb\tc",
        "\u{202e}nobsiL",
    ];
    for query in queries {
        let ran = home.command("recall").arg(query).run();
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{query:?}");
        assert!(!ran.stdout.is_empty(), "{query:?}");
    }
    let ran = home.command("recall --").arg("--").run();
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let long = "Lisbon ".repeat(10_000);
    assert!(home.command("recall").arg(long).run().raw().contains("messages:7@7"));
}

#[test]
fn scripts_without_spaces_and_marks_are_found() {
    let home = Home::new();
    home.write(
        "talk.jsonl",
        r#"{"role":"user","content":"我住在里斯本的老城区"}
{"role":"user","content":"毎朝コーヒーを飲みます","session":"cli:ja"}
{"role":"user","content":"나는 커피를 좋아해요","session":"cli:ko"}
{"role":"user","content":"ฉันชอบดื่มกาแฟ","session":"cli:th"}
{"role":"user","content":"Müller trinkt Café","session":"cli:de"}
{"role":"user","content":"Я живу в Москве","session":"cli:ru"}
"#,
    );
    home.setup(&["ingest talk.jsonl --no-vectors"]);
    home.check(
        &[
            "recall 里斯本",
            "recall コーヒー",
            "recall 커피",
            "recall กาแฟ",
            "recall 'muller cafe'",
            "recall МОСКВЕ",
            "recall 東京",
        ],
        &expect![[r#"
            $ memtape recall 里斯本
            messages:9@9 · score [SCORE] · cli:direct · user · recorded [NOW]
              我住在里斯本的老城区
            $ memtape recall コーヒー
            messages:10@10 · score [SCORE] · cli:ja · user · recorded [NOW]
              毎朝コーヒーを飲みます
            $ memtape recall 커피
            messages:11@11 · score [SCORE] · cli:ko · user · recorded [NOW]
              나는 커피를 좋아해요
            $ memtape recall กาแฟ
            messages:12@12 · score [SCORE] · cli:th · user · recorded [NOW]
              ฉันชอบดื่มกาแฟ
            $ memtape recall 'muller cafe'
            messages:13@13 · score [SCORE] · cli:de · user · recorded [NOW]
              Müller trinkt Café
            $ memtape recall МОСКВЕ
            messages:14@14 · score [SCORE] · cli:ru · user · recorded [NOW]
              Я живу в Москве
            $ memtape recall 東京
            No matches.
        "#]],
    );
}

#[test]
fn a_text_of_several_lines_takes_one() {
    let home = Home::new();
    home.write("talk.jsonl", r#"{"role":"user","content":"first line\nsecond\u001b[31m line\n\n  third"}"#);
    home.setup(&["ingest talk.jsonl"]);
    let ran = home.run("recall second");
    assert_eq!(ran.raw().lines().count(), 2);
    home.run("show messages:4").raw();
}

#[test]
fn show_tells_what_a_ref_names() {
    let home = home();
    home.setup(&["zone forget 'User lives in Lisbon.'"]);
    let hits = home.run("recall lives --form zone --at 14 --json").json();
    let line = hits["hits"][0]["ref"].as_str().unwrap().to_owned();
    let (key, _) = line.split_once('@').unwrap();
    home.check(
        &[
            "show messages:9",
            "show messages:8@8",
            &format!("show {key}"),
            &format!("show {line}"),
            &format!("show {key} --at 14"),
            "show zone:2024-04-03",
        ],
        &expect![[r#"
            $ memtape show messages:9
            messages:9@9
              Our flight to Lisbon leaves at seven
            recorded  entry 9, [NOW] UTC, from user, in telegram:1
            said      by Ana, 2024-05-01 18:30:00 UTC
            scope     channel:telegram:chat:1
            current
            $ memtape show messages:8@8
            messages:8@8
              How do you like the city?
            recorded  entry 8, [NOW] UTC, from assistant, in cli:direct
            said      by assistant, 2024-04-02 09:00:05 UTC
            scope     channel:cli:chat:direct
            current
            $ memtape show zone:54269f5bc04c7076
            ! error: zone:54269f5bc04c7076 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape show zone:54269f5bc04c7076@13
            zone:54269f5bc04c7076@13
              User lives in Lisbon.
            recorded  entry 13, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            ended     by entry 19
            $ memtape show zone:54269f5bc04c7076 --at 14
            zone:54269f5bc04c7076@13
              User lives in Lisbon.
            recorded  entry 13, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
            $ memtape show zone:2024-04-03
            zone:2024-04-03@16
              # 2024-04-03

              - looked up trams in Lisbon
            recorded  entry 16, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
        "#]],
    );
}

#[test]
fn a_ref_that_names_nothing_is_said_to() {
    let home = home();
    home.check(
        &[
            "show messages:1",
            "show messages:99",
            "show messages:6@5",
            "show messages:6 --at 4",
            "show zone:0123456789abcdef",
            "show Lisbon",
            "show facts:1",
            "show ''",
        ],
        &expect![[r#"
            $ memtape show messages:1
            ! error: messages:1 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape show messages:99
            ! error: messages:99 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape show messages:6@5
            ! error: there is no messages:6@5
            [exit 3]
            $ memtape show messages:6 --at 4
            ! error: messages:6 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape show zone:0123456789abcdef
            ! error: zone:0123456789abcdef is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape show Lisbon
            ! error: "Lisbon" names no memory or commit: expected FORM:KEY, the name of a block, @ENTRY, or at least 7 digits of a commit id
            [exit 2]
            $ memtape show facts:1
            ! error: unknown form "facts": expected one of blocks, files, ledger, messages, notes, statements, zone
            [exit 2]
            $ memtape show ''
            ! error: "" names no memory or commit: expected FORM:KEY, the name of a block, @ENTRY, or at least 7 digits of a commit id
            [exit 2]
        "#]],
    );
}

#[test]
fn a_model_that_is_not_there_hides_nothing_else() {
    let home = home();
    home.check(
        &[
            "recall Lisbon --form zone -n 1 --config recall.model=/nowhere",
            "status --json --config recall.model=/nowhere",
            "reindex --vectors --config recall.model=/nowhere",
        ],
        &expect![[r#"
            $ memtape recall Lisbon --form zone -n 1 --config recall.model=/nowhere
            zone:54269f5bc04c7076@13 · score [SCORE] · cli:direct · recorded [NOW]
              User lives in Lisbon.
            ! warning: searched by words only: cannot use the embedding model: /nowhere contains no sentence model: model.onnx (or onnx/model.onnx) is missing
            $ memtape status --json --config recall.model=/nowhere
            {"workspace":"[DIR]","id":"[ID]","upstream":null,"branch":"main","entries":17,"lost_entries":0,"last_date":"[NOW]","conversations":4,"memories":{"blocks":0,"files":0,"ledger":0,"messages":5,"notes":0,"statements":0,"zone":2},"statements":{"by_category":{},"expired":0},"blocks":{"waiting":0},"conflicts":0,"observations":{"waiting":0},"counters":{"memory_recall_hit":0,"memory_recall_miss":0,"memory_capture_saved":0,"memory_capture_dropped_low_conf":0,"memory_capture_dropped_safety":0,"memory_capture_deduped":0,"memory_prompt_chars":0},"notes":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"files":{"files":0,"bytes":0,"branch":null,"odd":[],"passed_over":{"count":0,"paths":[]},"secrets":[],"kept":[],"waiting":[]},"history":"none","vectors":null,"zone":{"version":3,"long_term_bytes":21,"daily_notes":1}}
            ! warning: cannot use the embedding model: /nowhere contains no sentence model: model.onnx (or onnx/model.onnx) is missing
            $ memtape reindex --vectors --config recall.model=/nowhere
            ! error: cannot use the embedding model: /nowhere contains no sentence model: model.onnx (or onnx/model.onnx) is missing
            ! hint: check `recall.model`, or search by words only: recall.backend = "sqlite_fts"
            [exit 7]
        "#]],
    );
}

#[test]
fn what_an_undo_took_back_was_removed_and_what_was_written_over_was_superseded() {
    let home = Home::new();
    let why = |reference: &str| home.run(&format!("why {reference}")).stdout;
    let told = home.run("remember tea").stdout;
    let reference = told.split(['(', '@']).nth(1).unwrap_or_else(|| panic!("{told}"));
    home.setup(&["undo"]);
    assert!(why(reference).contains("removed   by entry"), "{}", why(reference));
    home.setup(&["block set persona kind", "block set persona calm"]);
    assert!(why("persona").contains("superseded by entry"), "{}", why("persona"));
}

#[test]
fn a_block_may_be_named_without_its_form_and_a_note_is_no_memory() {
    let home = Home::new();
    home.check(
        &[
            "note write facts/x.md '- one'",
            "show notes:facts/x.md",
            "why notes:facts/x.md",
            "block set persona kind",
            "show persona",
            "why persona",
            "why nobody",
            "why Nobody",
        ],
        &expect![[r#"
            $ memtape note write facts/x.md '- one'
            facts/x.md: written (22B)
            $ memtape show notes:facts/x.md
            ! error: notes:facts/x.md names a note, not a memory in it
            ! hint: `memtape note show facts/x.md` shows the note; a bullet of it is notes:facts/x.md#BULLET
            [exit 3]
            $ memtape why notes:facts/x.md
            ! error: notes:facts/x.md names a note, not a memory in it
            ! hint: `memtape note show facts/x.md` shows the note; a bullet of it is notes:facts/x.md#BULLET
            [exit 3]
            $ memtape block set persona kind
            persona: set, layer 2 (identity)
            $ memtape show persona
            blocks:persona@5
              kind
            recorded  entry 5, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            current
            $ memtape why persona
            blocks:persona@5
              kind
            created   by entry 5 (block.set), [NOW] UTC, from user
            current
            $ memtape why nobody
            ! error: blocks:nobody never existed
            [exit 3]
            $ memtape why Nobody
            ! error: invalid ref "Nobody": expected FORM:KEY or FORM:KEY@ENTRY
            [exit 2]
        "#]],
    );
    home.setup(&["forget blocks:persona --yes"]);
    let forgotten = home.run("why persona");
    assert!(forgotten.raw().contains("removed   by entry"), "{}", forgotten.snapshot());
}
