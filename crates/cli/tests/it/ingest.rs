//! The `ingest` command.

use expect_test::expect;

use crate::harness::Home;

const TALK: &str = r#"{"role":"user","content":"Where does Ana live?","date":"2024-03-01T10:00:00Z"}
{"role":"assistant","content":"In Porto.","date":"2024-03-01T10:00:05Z"}
{"role":"user","content":"Thanks","name":"Rui","session":"telegram:1","date":"2024-03-02T09:00:00Z"}
"#;

#[test]
fn a_conversation_goes_in_once() {
    let home = Home::new();
    home.write("talk.jsonl", TALK);
    home.check(
        &["ingest talk.jsonl", "ingest talk.jsonl", "ingest talk.jsonl --json", "tape log --kind message"],
        &expect![[r#"
            $ memtape ingest talk.jsonl
            3 messages added
            $ memtape ingest talk.jsonl
            0 messages added, 3 were there already
            $ memtape ingest talk.jsonl --json
            {"added":0,"present":3,"unwanted":0,"bad":[]}
            $ memtape tape log --kind message
            #5 [NOW] [message] user: "Where does Ana live?" (cli:direct)
            #6 [NOW] [message] assistant: "In Porto." (cli:direct)
            #7 [NOW] [message] Rui: "Thanks" (telegram:1)
        "#]],
    );
    home.command("ingest -").stdin(TALK).run().check(&expect![[r#"
        0 messages added, 3 were there already
    "#]]);
}

#[test]
fn the_nth_of_the_input_meets_the_nth_on_the_tape() {
    let home = Home::new();
    let yes = r#"{"role":"user","content":"yes"}"#;
    home.write("twice.jsonl", format!("{yes}\n{yes}\n"));
    home.write("thrice.jsonl", format!("{yes}\n{yes}\n{yes}\n"));
    home.check(
        &["ingest twice.jsonl", "ingest twice.jsonl", "ingest thrice.jsonl", "ingest thrice.jsonl"],
        &expect![[r#"
            $ memtape ingest twice.jsonl
            2 messages added
            $ memtape ingest twice.jsonl
            0 messages added, 2 were there already
            $ memtape ingest thrice.jsonl
            1 message added, 2 were there already
            $ memtape ingest thrice.jsonl
            0 messages added, 3 were there already
        "#]],
    );
}

#[test]
fn another_session_time_role_name_or_text_is_another_message() {
    let home = Home::new();
    home.write("one.jsonl", r#"{"role":"user","content":"yes","name":"Ana","date":"2024-03-01"}"#);
    home.setup(&["ingest one.jsonl"]);
    home.write(
        "others.jsonl",
        r#"{"role":"user","content":"yes","name":"Ana","date":"2024-03-01","session":"cli:other"}
{"role":"user","content":"yes","name":"Ana","date":"2024-03-02"}
{"role":"user","content":"yes","name":"Ana"}
{"role":"assistant","content":"yes","name":"Ana","date":"2024-03-01"}
{"role":"user","content":"yes","name":"Rui","date":"2024-03-01"}
{"role":"user","content":"yes","date":"2024-03-01"}
{"role":"user","content":"Yes","name":"Ana","date":"2024-03-01"}
{"content":"yes","date":"2024-03-01T00:00:00Z","name":"Ana","role":"user","session":"cli:direct"}
"#,
    );
    home.run("ingest others.jsonl").check(&expect![[r#"
        7 messages added, 1 was there already
    "#]]);
}

#[test]
fn a_bad_line_is_reported_by_number_and_skipped() {
    let home = Home::new();
    let mut input = br#"{"role":"user","content":"good"}
{"role":"user","content":
[1,2]
"text"

{"content":"no role"}
{"role":"","content":"empty role"}
{"role":7,"content":"odd role"}
{"role":"user"}
{"role":"user","content":""}
{"role":"user","content":7}
{"role":"user","content":"x","name":[]}
{"role":"user","content":"x","session":":"}
{"role":"user","content":"x","date":"soon"}
{"role":"user","content":"x","date":true}
{"role":"user","content":"not UTF-8: "#
        .to_vec();
    input.extend(b"\xff\xfe\"}\n");
    input.extend(br#"{"role":"user","content":"good, without a line end"}"#);
    home.write("talk.jsonl", input);
    home.check(&["ingest talk.jsonl", "ingest talk.jsonl --json", "tape log --kind message"], &expect![[r#"
        $ memtape ingest talk.jsonl
        2 messages added, 14 lines skipped
        ! skipped line 2: not JSON: EOF while parsing a value
        ! skipped line 3: not a JSON object
        ! skipped line 4: not a JSON object
        ! skipped line 6: it has no "role"
        ! skipped line 7: it has no "role"
        ! skipped line 8: its "role" is not a string
        ! skipped line 9: it has no "content"
        ! skipped line 10: it has no "content"
        ! skipped line 11: its "content" is not a string
        ! skipped line 12: its "name" is not a string
        ! skipped line 13: invalid session ":" (a part is empty): expected CHANNEL:CHAT or CHANNEL:CHAT:THREAD
        ! skipped line 14: invalid date "soon": expected a date such as 2026-02-10T10:00:00+00:00
        ! skipped line 15: its "date" is not a string or a number
        ! skipped line 16: not UTF-8
        $ memtape ingest talk.jsonl --json
        {"added":0,"present":2,"unwanted":0,"bad":[{"line":2,"why":"not JSON: EOF while parsing a value"},{"line":3,"why":"not a JSON object"},{"line":4,"why":"not a JSON object"},{"line":6,"why":"it has no \"role\""},{"line":7,"why":"it has no \"role\""},{"line":8,"why":"its \"role\" is not a string"},{"line":9,"why":"it has no \"content\""},{"line":10,"why":"it has no \"content\""},{"line":11,"why":"its \"content\" is not a string"},{"line":12,"why":"its \"name\" is not a string"},{"line":13,"why":"invalid session \":\" (a part is empty): expected CHANNEL:CHAT or CHANNEL:CHAT:THREAD"},{"line":14,"why":"invalid date \"soon\": expected a date such as 2026-02-10T10:00:00+00:00"},{"line":15,"why":"its \"date\" is not a string or a number"},{"line":16,"why":"not UTF-8"}]}
        $ memtape tape log --kind message
        #4 [NOW] [message] user: "good" (cli:direct)
        #5 [NOW] [message] user: "good, without a line end" (cli:direct)
    "#]]);
}

#[test]
fn many_bad_lines_are_counted() {
    let home = Home::new();
    let bad = "{}\n".repeat(21);
    let ran = home.command("ingest -").stdin(format!("{{\"role\":\"user\",\"content\":\"x\"}}\n{bad}")).run();
    assert_eq!(ran.stderr.lines().count(), 21);
    expect!["1 more line skipped"].assert_eq(ran.stderr.lines().last().unwrap());
    expect![[r#"
        1 message added, 21 lines skipped
    "#]]
    .assert_eq(&ran.stdout);
}

#[test]
fn an_unreadable_input_is_an_error() {
    let home = Home::new();
    let before = home.tape();
    home.write("bad.jsonl", "not JSON\n\n{}\n");
    home.write("empty.jsonl", "");
    home.write("blank.jsonl", "\n  \n\u{feff}\n");
    home.check(
        &[
            "ingest bad.jsonl",
            "ingest bad.jsonl --json",
            "ingest empty.jsonl",
            "ingest blank.jsonl",
            "ingest missing.jsonl",
            "ingest .",
            "ingest",
        ],
        &expect![[r#"
            $ memtape ingest bad.jsonl
            ! skipped line 1: not JSON: expected ident
            ! skipped line 3: it has no "role"
            ! error: nothing could be read: no line of the input is a message
            [exit 2]
            $ memtape ingest bad.jsonl --json
            ! skipped line 1: not JSON: expected ident
            ! skipped line 3: it has no "role"
            ! {"error":{"kind":"invalid","message":"nothing could be read: no line of the input is a message","hint":null}}
            [exit 2]
            $ memtape ingest empty.jsonl
            0 messages added
            $ memtape ingest blank.jsonl
            0 messages added
            $ memtape ingest missing.jsonl
            ! error: cannot read missing.jsonl: No such file or directory (os error 2)
            [exit 3]
            $ memtape ingest .
            ! error: cannot read .: it is a folder
            [exit 2]
            $ memtape ingest
            ! error: the following required arguments were not provided:
            !   <FILE>
            !
            ! Usage: memtape ingest <FILE>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
    assert_eq!(home.tape(), before);
}

#[test]
fn dates_are_read_in_many_forms() {
    let home = Home::new();
    let dates = [
        r#""2024-03-01T10:00:00Z""#,
        r#""2024-03-01T10:00:00+02:00""#,
        r#""2024-03-01T10:00:00.123456""#,
        r#""2024-03-01 10:00""#,
        r#""2024-03-01""#,
        r#""1709287200""#,
        "1709287200",
        "1709287200000",
        "1709287200.5",
        "null",
    ];
    let lines = dates.map(|date| format!("{{\"role\":\"user\",\"content\":\"a date\",\"date\":{date}}}\n"));
    home.command("ingest -").stdin(lines.concat()).run().check(&expect![[r#"
        10 messages added
    "#]]);
    let said = home.run("tape log --kind message --json").json_lines();
    let said: Vec<_> = said.iter().map(|entry| entry["payload"]["said_at"].to_string()).collect();
    expect![[r#"
        "2024-03-01T10:00:00Z"
        "2024-03-01T08:00:00Z"
        "2024-03-01T10:00:00.123456Z"
        "2024-03-01T10:00:00Z"
        "2024-03-01T00:00:00Z"
        "2024-03-01T10:00:00Z"
        "2024-03-01T10:00:00Z"
        "2024-03-01T10:00:00Z"
        "2024-03-01T10:00:00.5Z"
        null"#]]
    .assert_eq(&said.join("\n"));
}

#[test]
fn the_session_of_the_option_is_for_messages_that_name_none() {
    let home = Home::new();
    home.write("talk.jsonl", TALK);
    home.check(
        &[
            "ingest talk.jsonl --session discord:7:thread",
            "tape log --kind message",
            "ingest talk.jsonl --session notes",
            "ingest talk.jsonl --session ''",
            "status",
        ],
        &expect![[r#"
            $ memtape ingest talk.jsonl --session discord:7:thread
            3 messages added
            $ memtape tape log --kind message
            #6 [NOW] [message] user: "Where does Ana live?" (discord:7:thread)
            #7 [NOW] [message] assistant: "In Porto." (discord:7:thread)
            #8 [NOW] [message] Rui: "Thanks" (telegram:1)
            $ memtape ingest talk.jsonl --session notes
            2 messages added, 1 was there already
            $ memtape ingest talk.jsonl --session ''
            ! error: invalid value '' for '--session <CHANNEL:CHAT[:THREAD]>': invalid session "" (a part is empty): expected CHANNEL:CHAT or CHANNEL:CHAT:THREAD
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape status
            workspace  [DIR] ([ID])
            branch     main
            entries    11, the last of [NOW] UTC
            messages   5 in 3 conversations
            zone       version 1: 0 bytes of long-term memory, 0 daily notes
            notes      0 files, 0B
            files      0 files, 0B
            blocks     0 set
            statements 0
            vectors    none pending
        "#]],
    );
}

#[test]
fn images_parts_tools_and_marks_are_imported() {
    let home = Home::new();
    let input = "\u{feff}".to_owned()
        + r#"{"role":"user","content":"look","image":"cat.png"}
{"role":"user","image":"dog.png"}
{"role":"user","content":[{"type":"text","text":"in"},{"type":"image_url","url":"x"},{"type":"text","text":"parts"}]}
{"role":"tool","name":"grep","content":"3 matches"}
{"role":"system","content":"be brief"}
{"role":"user","content":"unknown fields","id":7,"tags":["a"]}
"#;
    home.command("ingest -").stdin(input).run().check(&expect![[r#"
        6 messages added
    "#]]);
    home.check(
        &["tape log -n 6", "show messages:4", "recall matches"],
        &expect![[r#"
            $ memtape tape log -n 6
            #4 [NOW] [message] user: "look" image="cat.png" (cli:direct)
            #5 [NOW] [message] user: "" image="dog.png" (cli:direct)
            #6 [NOW] [message] user: "in\nparts" (cli:direct)
            #7 [NOW] [message] grep: "3 matches" (cli:direct)
            #8 [NOW] [message] system: "be brief" (cli:direct)
            #9 [NOW] [message] user: "unknown fields" (cli:direct)
            $ memtape show messages:4
            messages:4@4
              look [image: cat.png]
            recorded  entry 4, [NOW] UTC, from user, in cli:direct
            said      by user
            scope     channel:cli:chat:direct
            current
            $ memtape recall matches
            messages:7@7 · score [SCORE] · cli:direct · grep · recorded [NOW]
              3 matches
            messages:6@6 · score [SCORE] · cli:direct · user · recorded [NOW]
              in parts
            messages:8@8 · score [SCORE] · cli:direct · system · recorded [NOW]
              be brief
            messages:5@5 · score [SCORE] · cli:direct · user · recorded [NOW]
              [image: dog.png]
            messages:9@9 · score [SCORE] (weak) · cli:direct · user · recorded [NOW]
              unknown fields
        "#]],
    );
    let images = home.run("tape log --kind message --json").json_lines();
    assert_eq!(images[0]["payload"]["image"], "cat.png");
    assert_eq!(images[1]["payload"]["image"], "dog.png");
}

#[test]
fn a_long_conversation_goes_in_groups() {
    let home = Home::new();
    let lines = (0..1001).map(|n| format!("{{\"role\":\"user\",\"content\":\"message {n}\"}}\n"));
    home.write("talk.jsonl", lines.collect::<String>());
    home.check(
        &["ingest talk.jsonl", "ingest talk.jsonl", "verify"],
        &expect![[r#"
            $ memtape ingest talk.jsonl
            1001 messages added
            $ memtape ingest talk.jsonl
            0 messages added, 1001 were there already
            $ memtape verify
            OK: 1004 entries verified
        "#]],
    );
    assert_eq!(home.run("verify --json").json()["groups"], 4);
}

#[test]
fn tool_calls_are_imported_with_their_results() {
    let home = Home::new();
    home.write(
        "agent.jsonl",
        r#"{"role":"system","content":"You are helpful."}
{"role":"user","content":"What is on today?","user":"7","session":"telegram:1"}
{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"calendar","arguments":"{\"day\":\"today\"}"}},{"id":"b","type":"function","function":{"name":"clock","arguments":"{}"}}],"session":"telegram:1"}
{"role":"tool","tool_call_id":"b","content":"10:00","session":"telegram:1"}
{"role":"tool","tool_call_id":"a","content":"2 events","session":"telegram:1"}
{"role":"assistant","content":"Two events.","session":"telegram:1"}
{"role":"assistant","content":"Let me look.","tool_calls":[{"name":"fetch","arguments":{"url":"x.example"}}]}
{"role":"tool","tool_call_id":"zz","content":"nobody asked"}
{"role":"assistant","tool_calls":"none"}
"#,
    );
    home.check(&["ingest agent.jsonl", "ingest agent.jsonl", "journal", "verify"], &expect![[r#"
        $ memtape ingest agent.jsonl
        8 messages added, 1 line skipped
        ! skipped line 9: its "tool_calls" is not an array
        $ memtape ingest agent.jsonl
        0 messages added, 8 were there already, 1 line skipped
        ! skipped line 9: its "tool_calls" is not an array
        $ memtape journal
        {"ts":"[NOW]","type":"session_start","entry":1,"session":"cli:direct"}
        {"ts":"[NOW]","type":"session_start","entry":4,"session":"telegram:1"}
        {"ts":"[NOW]","type":"system","preview":"You are helpful.","entry":5,"session":"cli:direct"}
        {"ts":"[NOW]","type":"trigger","source":"message","from":"7","preview":"What is on today?","entry":6,"session":"telegram:1"}
        {"ts":"[NOW]","type":"tool_use","tool":"calendar","input":"{\"day\":\"today\"}","result":"2 events","entry":7,"session":"telegram:1"}
        {"ts":"[NOW]","type":"tool_use","tool":"clock","result":"10:00","entry":7,"session":"telegram:1"}
        {"ts":"[NOW]","type":"message_sent","channel":"telegram","preview":"Two events.","entry":9,"session":"telegram:1"}
        {"ts":"[NOW]","type":"message_sent","channel":"cli","preview":"Let me look.","entry":10,"session":"cli:direct"}
        {"ts":"[NOW]","type":"tool_use","tool":"fetch","input":"{\"url\":\"x.example\"}","entry":11,"session":"cli:direct"}
        {"ts":"[NOW]","type":"tool_use","tool":"tool","result":"nobody asked","entry":12,"session":"cli:direct"}
        $ memtape verify
        OK: 12 entries verified
    "#]]);
}

/// Half of a pair of surrogates is what a text that was cut leaves.
#[test]
fn a_message_that_was_cut_in_a_character_is_kept() {
    let home = Home::new();
    home.write("cut.jsonl", "{\"role\":\"user\",\"content\":\"cut \\ud83d\",\"score\":NaN}\n");
    home.check(
        &["ingest cut.jsonl", "tape log --kind message"],
        &expect![[r#"
            $ memtape ingest cut.jsonl
            1 message added
            $ memtape tape log --kind message
            #4 [NOW] [message] user: "cut �" (cli:direct)
        "#]],
    );
}
