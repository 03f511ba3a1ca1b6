//! `scan`: finding and redacting secrets in the tape and in files.

use std::fs;

use expect_test::expect;
use memtape::{Mode, Options};
use memtape_testkit::secrets::{SAMPLES, Sample, files_with};
use memtape_testkit::{Older, plant};
use serde_json::json;

use crate::harness::Home;

/// Secrets inside a longer text, which must be kept.
const AMID: [Sample; 2] = [
    Sample { kind: "pin", text: "I use the pin 9032 for all of my cards", secret: "pin 9032" },
    Sample {
        kind: "private-key",
        text: "-----BEGIN EC PRIVATE KEY-----\nMIIfakefakefake\nzzzfakezzz\n-----END EC PRIVATE KEY-----\nand more",
        secret: "fakefakefake",
    },
];

/// Returns secrets of every kind, except short numbers, which a hash may contain by chance.
fn samples() -> impl Iterator<Item = &'static Sample> {
    let is_short = |text: &str| text.len() < 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    SAMPLES.iter().filter(move |sample| !is_short(sample.secret)).chain(&AMID)
}

/// Returns the files of the workspace that contain a text.
fn holding(home: &Home, text: &str) -> Vec<String> {
    files_with(&home.path(""), text).expect("the files can be read")
}

/// Opens the workspace as an older version that redacts no secrets.
fn older(home: &Home) -> Older {
    Older::open(&home.path(""), Options::default()).expect("the workspace is there")
}

#[test]
fn every_kind_of_secret_is_found_and_redacted() {
    let home = Home::new();
    let older = older(&home);
    for (n, Sample { text, .. }) in samples().enumerate() {
        let numbered = format!("{n}: {text}");
        older.remember(&numbered).unwrap();
        older.add(&numbered).unwrap();
        older.turn(&numbered, &format!("{numbered}, I said"), "I see.").unwrap();
        let data = json!({"deep": [{"er": text}], (*text): n});
        plant(&home.path(""), "event", &json!({"name": "x.y", "data": data}).to_string(), "{}");
        if n % 9 == 4 {
            home.setup(&["tape archive --yes"]);
        }
    }
    home.setup(&["status", "zone show"]);
    let found = home.command("--json scan").run();
    assert_eq!(found.code, 8);
    for Sample { kind, text, secret } in samples() {
        assert!(!found.stdout.contains(secret), "{secret} is printed");
        assert!(found.stdout.contains(&format!("\"kind\":\"{kind}\"")), "{text}: {kind} is not found");
        assert!(!holding(&home, secret).is_empty(), "{secret} stands nowhere, so that it cannot go");
    }
    let mirrored = files_with(&home.path("mirror"), AMID[0].secret).unwrap();
    assert_eq!(mirrored.len(), 2, "in the statements and in the session: {mirrored:?}");
    assert_eq!(home.run("--json scan --redact").code, 0);
    for Sample { secret, .. } in samples() {
        assert_eq!(holding(&home, secret), [""; 0], "{secret} is left");
    }
    home.setup(&["verify", "scan"]);
    // Lines without a secret are unchanged.
    let shown = home.run("zone show").raw().to_owned();
    let pin = format!("\n{}: I use the pin [redacted:pin] for all", samples().count() - 2);
    assert!(shown.contains("\nand more\n") && shown.contains(&pin), "{shown}");
    for Sample { secret, .. } in samples() {
        assert_eq!(holding(&home, secret), [""; 0], "{secret} is back");
    }
}

#[test]
fn scan_reports_place_and_kind_but_never_the_secret() {
    let home = Home::new();
    let older = older(&home);
    older.remember("the password of the door is tangerine-Falcon-88").unwrap();
    older.remember("my password is hard to guess").unwrap();
    let event = r#"{"name":"x.y","data":{"api_key":"8f14e45fceea167a","card":4111111111111111,"password":"tangerine"}}"#;
    plant(&home.path(""), "event", event, r#"{"session":"cli:direct"}"#);
    home.write("facts/people.md", "# Ana\n\nher pin is 9032\nand DE89 3704 0044 0532 0130 00\n");
    home.check(
        &[
            "scan",
            "scan --json",
            "scan --redact",
            "scan",
            "scan --json --redact",
            "verify",
            "zone show",
            "zone recall door --at 6",
            "tape log -n 2",
        ],
        &expect![[r##"
            $ memtape scan
            entry 5: password
            entry 10: secret
            entry 10: card-number
            entry 10: password
            facts/people.md:3: pin
            facts/people.md:4: iban
            6 secrets found: `memtape scan --redact` removes them
            [exit 8]
            $ memtape scan --json
            {"finds":[{"entry":5,"kind":"password"},{"entry":10,"kind":"secret"},{"entry":10,"kind":"card-number"},{"entry":10,"kind":"password"},{"file":"facts/people.md","line":3,"kind":"pin"},{"file":"facts/people.md","line":4,"kind":"iban"}],"redacted":false,"left":[],"event":null,"passed_over":[]}
            [exit 8]
            $ memtape scan --redact
            entry 5: password
            entry 10: secret
            entry 10: card-number
            entry 10: password
            facts/people.md:3: pin
            facts/people.md:4: iban
            6 secrets redacted; entry 12 records what replaced them
            $ memtape scan
            No secrets.
            $ memtape scan --json --redact
            {"finds":[],"redacted":true,"left":[],"event":null,"passed_over":[]}
            $ memtape verify
            OK: 12 entries verified
            $ memtape zone show
            <memory>
            Use `memory_save` to update long-term memory, `memory_daily` to append to
            daily notes, and `memory_recall` to search past memories.

            ## Long-term Memory
            the password of the door is [redacted:password]
            my password is hard to guess
            </memory>
            $ memtape zone recall door --at 6
            [zone:54af89564eb2db62] the password of the door is [redacted:password]
            $ memtape tape log -n 2
            #11 [NOW] [event] note.edit data={"path":"facts/people.md","sections":[{"name":"","text":"# Ana\n\nher pin is [redacted:pin]\nand [redacted:iban]\n"}]} (cli:direct)
            #12 [NOW] [event] tape.erase data={"entries":[{"id":5,"now":"[HEX]"},{"id":10,"now":"[HEX]"}],"reason":"secrets were found"} (cli:direct)
        "##]],
    );
    let note = fs::read_to_string(home.path("facts/people.md")).unwrap();
    assert_eq!(note, "# Ana\n\nher pin is [redacted:pin]\nand [redacted:iban]\n");
}

#[test]
fn removed_memories_stay_removed_after_a_redaction() {
    let home = Home::new();
    let older = older(&home);
    older.remember("tea").unwrap();
    older.save("the password is tangerine-Falcon-88", Mode::Replace).unwrap();
    home.setup(&["zone forget 'the password is tangerine-Falcon-88'", "scan --redact", "reindex"]);
    home.check(
        &["zone recall", "zone recall --at 9"],
        &expect![[r#"
        $ memtape zone recall
        (no memories stored)
        $ memtape zone recall --at 9
        ## Long-term Memory
        the password is [redacted:password]
    "#]],
    );
}

/// Damaged lines and exports can contain secrets too.
#[test]
fn damaged_lines_are_scanned() {
    let home = Home::new();
    let older = older(&home);
    older.remember("one password is tangerine-Falcon-88").unwrap();
    home.setup(&["tape reset --archive --yes"]);
    older.remember("two password is tangerine-Falcon-88").unwrap();
    home.setup(&["remember 'three'"]);
    let tape = String::from_utf8(home.tape()).unwrap();
    home.write("tape.jsonl", tape.replacen("two", "2", 1).replacen("{\"id\":7", "!\"id\":7", 1));
    let segment = String::from_utf8(fs::read(home.path("archive/tape-1-6.jsonl")).unwrap()).unwrap();
    home.write("archive/tape-1-6.jsonl", segment.replacen("{\"id\":5", "[\"id\":5", 1));
    home.check(&["scan", "verify"], &expect![[r#"
        $ memtape scan
        archive/tape-1-6.jsonl:5: password
        tape.jsonl:5: password
        archive/memory-until-6.md:3: password
        3 secrets found: `memtape scan --redact` removes them
        ! note: archive/index-until-15.db was not looked through: it is no text, too large, or cannot be read
        ! warning: the tape no longer holds what was read from it up to entry 15 (it was cut, edited or replaced); rebuilt the index, and moved the old one to archive/index-until-15.db
        ! warning: the tape is damaged: archive/tape-1-6.jsonl: line 5 (byte 1546): invalid type: string "id", expected u64; the line is skipped (see `memtape verify`)
        ! warning: the tape is damaged: line 1 (byte 0): not JSON; the line is skipped (see `memtape verify`)
        ! warning: the tape is damaged: line 5 (byte 1579): entry 11 does not match its hash; the line is skipped (see `memtape verify`)
        [exit 8]
        $ memtape verify
        archive/tape-1-6.jsonl: line 5 (byte 1546): invalid type: string "id", expected u64
        line 1 (byte 0): not JSON
        line 5 (byte 1579): entry 11 does not match its hash
        12 entries in 2 segments can be read; 3 bad lines
        [exit 8]
    "#]]);
    home.check(&["scan --redact", "scan", "verify"], &expect![[r#"
        $ memtape scan --redact
        archive/tape-1-6.jsonl:5: password
        tape.jsonl:5: password
        archive/memory-until-6.md:3: password
        3 secrets redacted; entry 16 records what replaced them
        ! warning: the tape is damaged: archive/tape-1-6.jsonl: line 5 (byte 1546): invalid type: string "id", expected u64; the line is skipped (see `memtape verify`)
        ! warning: the tape is damaged: line 1 (byte 0): not JSON; the line is skipped (see `memtape verify`)
        ! warning: the tape is damaged: line 5 (byte 1579): entry 11 does not match its hash; the line is skipped (see `memtape verify`)
        $ memtape scan
        No secrets.
        $ memtape verify
        archive/tape-1-6.jsonl: line 5 (byte 1546): invalid type: string "id", expected u64
        line 1 (byte 0): not JSON
        line 5 (byte 1579): entry 11 does not match its hash
        13 entries in 2 segments can be read; 3 bad lines
        [exit 8]
    "#]]);
    assert_eq!(holding(&home, "tangerine"), [""; 0]);
}

/// The remains of an interrupted write are moved to a file of their own, which is scanned.
#[test]
fn a_torn_tail_is_scanned() {
    let home = Home::new();
    let torn = r#"{"id":4,"kind":"message","payload":{"content":"the password is tangerine-Falcon-88"},"#;
    home.write("tape.jsonl", [home.tape().as_slice(), torn.as_bytes()].concat());
    home.check(&["scan", "scan --redact", "scan", "verify"], &expect![[r#"
        $ memtape scan
        tape.jsonl:4: password
        1 secret found: `memtape scan --redact` removes them
        [exit 8]
        $ memtape scan --redact
        archive/torn-4:1: password
        1 secret redacted in files
        ! warning: the tape ended in 85 bytes of an unfinished write, which was never acknowledged; they were moved to archive/torn-4
        $ memtape scan
        No secrets.
        $ memtape verify
        OK: 3 entries verified
    "#]]);
    assert_eq!(holding(&home, "tangerine"), [""; 0]);
    assert!(home.path("archive/torn-4").exists());
}

#[cfg(unix)]
#[test]
fn links_and_binary_files_are_not_changed() {
    let home = Home::new();
    home.write("elsewhere.md", "the password is tangerine-Falcon-88");
    home.write("facts/.git/config", "the password is tangerine-Falcon-88");
    home.write("files/picture", "\0the password is tangerine-Falcon-88");
    home.write("files/large.txt", vec![b' '; (16 << 20) + 1]);
    std::os::unix::fs::symlink(home.path("elsewhere.md"), home.path("facts/link.md")).unwrap();
    std::os::unix::fs::symlink(home.path(""), home.path("mirror")).unwrap();
    home.check(
        &["scan --redact"],
        &expect![[r#"
            $ memtape scan --redact
            No secrets.
            ! note: files/large.txt was not looked through: it is no text, too large, or cannot be read
            ! note: files/picture was not looked through: it is no text, too large, or cannot be read
        "#]],
    );
    assert_eq!(holding(&home, "tangerine").len(), 3);
}

/// An intent of a later version is not interpreted.
#[test]
fn an_unreadable_intent_is_reported() {
    let home = Home::new();
    home.write("erase.json", r#"{"version":2}"#);
    home.check(&["remember 'tea'", "zone show", "verify"], &expect![[r#"
        $ memtape remember 'tea'
        ! error: erase.json is damaged: unknown field `version`, expected one of `after`, `branch`, `meta`, `reason`, `entries`, `lines` at line 1 column 10
        ! hint: an erasure was interrupted: if another version of memtape started it, finish it with that version; otherwise remove erase.json and erase again
        [exit 8]
        $ memtape zone show
        ! warning: an erasure is unfinished and this command cannot finish it (erase.json is damaged: unknown field `version`, expected one of `after`, `branch`, `meta`, `reason`, `entries`, `lines` at line 1 column 10); it reads the tape as it is
        $ memtape verify
        OK: 3 entries verified
    "#]]);
}

/// The names of temporary files can be guessed, so a link with such a name must not be followed.
#[cfg(unix)]
#[test]
fn no_planted_link_leads_a_write_outside() {
    let home = Home::new();
    let older = older(&home);
    older.remember("the password of the door is tangerine-Falcon-88").unwrap();
    older.turn("my pin is 9032", "my pin is 9032", "I see.").unwrap();
    home.write("facts/people.md", "# Ana\n\nher pin is 9032\n");
    home.setup(&["status", "tape archive --yes"]);
    older.remember("and the password of the gate is tangerine-Falcon-89").unwrap();
    let outside = home.at_home("outside");
    fs::write(&outside, "untouched").unwrap();
    let segment = fs::read_dir(home.path("archive")).unwrap().next().unwrap().unwrap().file_name();
    let segment = format!("archive/{}.new", segment.to_str().unwrap());
    let names = ["tape.jsonl.new", "erase.json.new", "facts/.people.md.new", "mirror/~MEMORY.md", &segment];
    for name in names {
        fs::create_dir_all(home.path(name).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&outside, home.path(name)).unwrap();
    }
    let ran = home.run("scan --redact");
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    assert_eq!(fs::read_to_string(&outside).unwrap(), "untouched");
    home.setup(&["scan", "verify"]);
    // A temporary file that a crash left does not disturb either.
    fs::write(home.path("tape.jsonl.new"), "half").unwrap();
    older.remember("the password of the shed is tangerine-Falcon-90").unwrap();
    home.setup(&["scan --redact", "scan", "verify"]);
}

#[test]
fn what_memtape_writes_of_a_session_is_no_secret() {
    let home = Home::new();
    for session in ["telegram:-1001234567890", "slack:C024BE91L", "telegram:familie2026"] {
        home.setup(&[&format!("turn 'hello there' --session {session}")]);
    }
    home.check(
        &["scan"],
        &expect![[r#"
        $ memtape scan
        No secrets.
    "#]],
    );
}
