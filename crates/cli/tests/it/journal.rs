//! The `journal` and `decay` commands.

use std::io::{BufRead as _, BufReader};
use std::thread;

use expect_test::expect;
use serde_json::json;

use crate::harness::{Home, unread_pipe};

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn journal_lines_are_printed_and_added() {
    let home = Home::new();
    home.setup(&["turn -m 'I prefer window seats' --session telegram:42 --reply 'Noted.'"]);
    home.check(
        &[
            "journal add decision --data '{\"action\":\"stay_silent\",\"ts\":\"never\"}'",
            "journal add cost --data '{\"tokens_in\":1500,\"tokens_out\":800,\"model\":\"opus\",\"cost\":0.02}' --json",
            "journal add cost --data '{\"tokens_in\":100,\"tokens_out\":10}'",
            "journal",
            "journal --tail 1",
            "journal --type decision,trigger --json",
            "journal --grep WINDOW --session telegram:42",
            "journal --since 1h --until 2020-01-01",
            "journal --at 1",
            "journal costs",
            "journal costs --by session",
            "journal costs --by day --since 2020-01-01 --json",
            "journal costs --until 2020-01-01",
            "tool call memory_journal '{\"type\":\"error\",\"data\":{\"tool\":\"mail\",\"error\":\"rate limited\"}}'",
        ],
        &expect![[r#"
            $ memtape journal add decision --data '{"action":"stay_silent","ts":"never"}'
            entry 10
            $ memtape journal add cost --data '{"tokens_in":1500,"tokens_out":800,"model":"opus","cost":0.02}' --json
            {"id":11}
            $ memtape journal add cost --data '{"tokens_in":100,"tokens_out":10}'
            entry 12
            $ memtape journal
            {"ts":"[NOW]","type":"session_start","entry":1,"session":"cli:direct"}
            {"ts":"[NOW]","type":"session_start","entry":4,"session":"telegram:42"}
            {"ts":"[NOW]","type":"trigger","source":"message","from":"user","preview":"I prefer window seats","entry":6,"session":"telegram:42"}
            {"ts":"[NOW]","type":"message_sent","channel":"telegram","preview":"Noted.","entry":7,"session":"telegram:42"}
            {"ts":"[NOW]","type":"statement_update","action":"capture","category":"preference","preview":"I prefer window seats","entry":8,"session":"telegram:42"}
            {"ts":"[NOW]","type":"decision","action":"stay_silent","data_ts":"never","entry":10,"session":"cli:direct"}
            {"ts":"[NOW]","type":"cost","tokens_in":1500,"tokens_out":800,"model":"opus","cost":0.02,"entry":11,"session":"cli:direct"}
            {"ts":"[NOW]","type":"cost","tokens_in":100,"tokens_out":10,"entry":12,"session":"cli:direct"}
            $ memtape journal --tail 1
            {"ts":"[NOW]","type":"cost","tokens_in":100,"tokens_out":10,"entry":12,"session":"cli:direct"}
            $ memtape journal --type decision,trigger --json
            {"ts":"[NOW]","type":"trigger","source":"message","from":"user","preview":"I prefer window seats","entry":6,"session":"telegram:42"}
            {"ts":"[NOW]","type":"decision","action":"stay_silent","data_ts":"never","entry":10,"session":"cli:direct"}
            $ memtape journal --grep WINDOW --session telegram:42
            {"ts":"[NOW]","type":"trigger","source":"message","from":"user","preview":"I prefer window seats","entry":6,"session":"telegram:42"}
            {"ts":"[NOW]","type":"statement_update","action":"capture","category":"preference","preview":"I prefer window seats","entry":8,"session":"telegram:42"}
            $ memtape journal --since 1h --until 2020-01-01
            $ memtape journal --at 1
            {"ts":"[NOW]","type":"session_start","entry":1,"session":"cli:direct"}
            $ memtape journal costs
            -          1 call         100 in         10 out
            opus       1 call        1500 in        800 out  cost 0.0200
            $ memtape journal costs --by session
            cli:direct       2 calls       1600 in        810 out  cost 0.0200
            $ memtape journal costs --by day --since 2020-01-01 --json
            [{"of":"[TODAY]","calls":2,"tokens_in":1600,"tokens_out":810,"cost":0.02}]
            $ memtape journal costs --until 2020-01-01
            No costs.
            $ memtape tool call memory_journal '{"type":"error","data":{"tool":"mail","error":"rate limited"}}'
            Noted in the journal as entry 13.
        "#]],
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one page")]
fn invalid_arguments_are_explained() {
    let home = Home::new();
    home.check(
        &[
            "journal add trigger --data '{}'",
            "journal add insight --data '{}'",
            "journal add Odd --data '{}'",
            "journal add decision --data '[1]'",
            "journal add decision --data '{'",
            "journal add decision",
            "journal add decision --data '{}' --at 1",
            "journal --tail some",
            "journal --since never",
            "journal --type 'no type'",
            "journal --follow --at 1",
            "journal costs --by moon",
            "tape append journal.message_sent",
            "tool call memory_journal '{\"type\":\"tool_use\",\"data\":{}}'",
            "tool call memory_journal '{\"type\":\"decision\",\"data\":\"text\"}'",
            "decay --form messages",
            "decay --days -1",
        ],
        &expect![[r#"
            $ memtape journal add trigger --data '{}'
            ! error: journal lines of type trigger are recorded automatically and cannot be written by hand
            ! hint: `memtape turn` records them
            [exit 5]
            $ memtape journal add insight --data '{}'
            ! error: journal lines of type insight are recorded automatically and cannot be written by hand
            ! hint: `memtape file write insights/DAY.md TEXT` records them
            [exit 5]
            $ memtape journal add Odd --data '{}'
            ! error: invalid journal type "Odd": expected at most 64 lower-case letters, digits and _, starting with a letter, such as decision
            [exit 2]
            $ memtape journal add decision --data '[1]'
            ! error: the data of a journal line must be a JSON object, such as {"action":"…"}
            [exit 2]
            $ memtape journal add decision --data '{'
            ! error: --data is not JSON: EOF while parsing an object at line 1 column 1
            [exit 2]
            $ memtape journal add decision
            ! error: the following required arguments were not provided:
            !   --data <JSON>
            !
            ! Usage: memtape journal add --data <JSON> <TYPE>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape journal add decision --data '{}' --at 1
            ! error: unexpected argument '--at' found
            !
            !   tip: a similar argument exists: '--data'
            !
            ! Usage: memtape journal add --data <JSON> <TYPE>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape journal --tail some
            ! error: invalid value 'some' for '--limit <N>': expected a whole number from 1, or all
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape journal --since never
            ! error: invalid time "never": expected an age (1h, "2 days"), a day (2026-02-10) or a time (2026-02-10T10:00)
            [exit 2]
            $ memtape journal --type 'no type'
            ! error: invalid journal type "no type": expected at most 64 lower-case letters, digits and _, starting with a letter, such as decision
            [exit 2]
            $ memtape journal --follow --at 1
            ! error: the argument '--follow' cannot be used with '--at <POINT>'
            !
            ! Usage: memtape [OPTIONS] <COMMAND>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape journal costs --by moon
            ! error: invalid value 'moon' for '--by <WHAT>'
            !   [possible values: model, day, session]
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape tape append journal.message_sent
            ! error: journal lines of type message_sent are recorded automatically and cannot be written by hand
            ! hint: `memtape turn --reply` records them
            [exit 5]
            $ memtape tool call memory_journal '{"type":"tool_use","data":{}}'
            ! error: journal lines of type tool_use are recorded automatically and cannot be written by hand
            [exit 5]
            $ memtape tool call memory_journal '{"type":"decision","data":"text"}'
            ! error: invalid argument data: invalid type: string "text", expected an object
            [exit 2]
            $ memtape decay --form messages
            ! error: invalid value 'messages' for '--form <FORM>': expected blocks, files, ledger, notes, statements or zone
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape decay --days -1
            ! error: unexpected argument '-1' found
            !
            ! Usage: memtape decay [OPTIONS]
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn a_decayed_memory_is_reported_and_kept() {
    let home = Home::new();
    home.setup(&["remember 'Ana keeps bees'", "fact add user prefers tea"]);
    home.check(
        &[
            "decay",
            "decay --days 0",
            "decay --days 0 -n 1",
            "decay --days 0 --form ledger --json",
            "fact list --by strength",
        ],
        &expect![[r#"
            $ memtape decay
            No memories without use in the last 30 days.
            $ memtape decay --days 0
            1.00  [TODAY]  0 recalls  Ana keeps bees [zone:f669413ff84d0194]
            1.00  [TODAY]  0 recalls  user prefers tea [ledger:c8cd02e8a340cb88]
            ! nothing was removed: `memtape show REF` reads one, `memtape why REF` says where it came from
            $ memtape decay --days 0 -n 1
            1.00  [TODAY]  0 recalls  Ana keeps bees [zone:f669413ff84d0194]
            ! 1 more: ask for them with -n
            ! nothing was removed: `memtape show REF` reads one, `memtape why REF` says where it came from
            $ memtape decay --days 0 --form ledger --json
            {"days":0,"faded":[{"ref":"ledger:c8cd02e8a340cb88","form":"ledger","strength":1.0,"recalls":0,"used_at":"[NOW]","text":"user prefers tea"}],"left":0}
            $ memtape fact list --by strength
            ledger:c8cd02e8a340cb88@7 · permanent · user prefers tea (100%)
        "#]],
    );
}

#[test]
fn the_journal_is_followed_until_nobody_reads() {
    let home = Home::new();
    let ran = home.command("journal --follow").stdout(unread_pipe()).run();
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    let (reader, writer) = std::io::pipe().unwrap();
    thread::scope(|scope| {
        let followed = scope.spawn(|| home.command("journal --follow --tail 1").stdout(writer).run());
        let mut lines = BufReader::new(reader)
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(&line.unwrap()).unwrap());
        assert_eq!(lines.next().unwrap()["type"], "session_start");
        home.setup(&["remember 'Ana keeps bees'"]);
        assert_eq!(lines.next().unwrap()["preview"], "Ana keeps bees");
        home.setup(&["journal add decision --data '{\"n\":1}'"]);
        assert_eq!(lines.next().unwrap()["n"], json!(1));
        drop(lines);
        home.setup(&["remember 'nobody reads this'"]);
        assert_eq!(followed.join().unwrap().code, 0);
    });
}

#[test]
fn in_a_pipe_every_line_is_printed_and_a_type_that_is_none_is_refused() {
    let home = Home::new();
    let lines: String = (0..60).map(|n| format!("{{\"role\":\"user\",\"content\":\"{n}\"}}\n")).collect();
    home.write("talk.jsonl", lines);
    home.setup(&["ingest talk.jsonl", "journal add deploy --data '{}'"]);
    assert_eq!(home.run("journal").stdout.lines().count(), 62);
    assert_eq!(home.run("journal --since 1h").stdout.lines().count(), 62);
    assert_eq!(home.run("journal --tail 40").stdout.lines().count(), 40);
    assert_eq!(home.run("journal --type deploy").stdout.lines().count(), 1);
    assert_eq!(home.run("journal --type undo").stdout, "");
    let refused = home.run("journal --type nope");
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("\"nope\": expected one of trigger, message_sent,"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_rejected_proposal_has_a_line() {
    let home = Home::new();
    home.setup(&[
        "tool call memory_set_block '{\"name\":\"persona\",\"value\":\"Loud.\"}'",
        "block reject persona",
    ]);
    let lines = home.run("journal --type block_rejection").json_lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["block"], "persona");
}
