//! `journal` and `decay`.

use std::io::{BufRead as _, BufReader};
use std::thread;

use expect_test::expect;
use serde_json::json;

use crate::harness::{Home, unread_pipe};

#[test]
#[allow(clippy::too_many_lines, reason = "it is one session")]
fn what_happened_is_printed_and_added() {
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
        &expect![[""]],
    );
}

#[test]
fn what_makes_no_sense_is_explained() {
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
        &expect![[""]],
    );
}

#[test]
fn what_fades_is_reported_and_stays() {
    let home = Home::new();
    home.setup(&["remember 'Ana keeps bees'", "fact add user prefers tea"]);
    home.check(
        &[
            "decay",
            "decay --days 0",
            "decay --days 0 -n 1",
            "decay --days 0 --form ledger --json",
            "status --json",
        ],
        &expect![[""]],
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
