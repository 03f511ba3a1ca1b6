//! `agent`, `reflect`, `heartbeat`, `doctor`, `resolve --model` and `consolidate --model`, against a scripted model.

use expect_test::expect;
use memtape_testkit::ScriptedModel;
use memtape_testkit::scripted_model::{Answer, Request};
use serde_json::{Value, json};

use crate::harness::Home;

/// A home whose configuration names a scripted model.
fn home(answer: impl FnMut(&Request) -> Answer + Send + 'static) -> (Home, ScriptedModel) {
    let model = ScriptedModel::start(answer);
    let home = Home::new();
    home.write_own(
        "config.toml",
        format!(
            "[model]\nprovider = \"openai\"\nbase_url = \"{}\"\nname = \"scripted\"\nretries = 0\n",
            model.base_url()
        ),
    );
    (home, model)
}

/// A model that keeps names, answers questions about them, and finds nothing else worth remembering.
fn friend(request: &Request) -> Answer {
    let text = request.last_text();
    if request.system.starts_with("Analyze this conversation") {
        return Answer::Say("{\"events\": []}".into());
    }
    match () {
        () if text.contains("I'm Zhang San") => Answer::Call(vec![(
            "memory_write".into(),
            json!({"path": "facts/user.md", "content": "# User Facts\n\n- Name: Zhang San\n"}),
        )]),
        () if request.messages.last().is_some_and(|message| message["role"] == "tool") => {
            Answer::Say("Nice to meet you, Zhang San.".into())
        }
        () if text.contains("what's my name") && request.text().contains("facts/user.md") => {
            Answer::Call(vec![("memory_read".into(), json!({"path": "facts/user.md"}))])
        }
        () => Answer::Say("I do not know.".into()),
    }
}

#[test]
fn the_agent_remembers_across_restarts_and_people_edit_its_memory() {
    let (home, model) = home(friend);
    home.check(
        &["agent -m 'I\u{2019}m nobody'", "note read facts/user.md"],
        &expect![[r#"
            $ memtape agent -m 'I’m nobody'
            I do not know.
            $ memtape note read facts/user.md
            ! error: there is no note facts/user.md
            ! hint: `memtape note list` lists the notes
            [exit 3]
        "#]],
    );
    // The quote of a shell's word would end in the middle.
    let said = home.command("agent -m -").stdin("I'm Zhang San").run();
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (0, "Nice to meet you, Zhang San.\n"),
        "{}",
        said.snapshot()
    );
    // Each command is a process of its own.
    assert!(std::fs::read_to_string(home.path("facts/user.md")).unwrap().contains("- Name: Zhang San"));
    home.write("facts/user.md", "# User Facts\n\n- Name: Zhang Wei\n");
    let asked = home.command("agent --session cli:later -m -").stdin("what's my name?").run();
    assert_eq!(asked.code, 0, "{}", asked.snapshot());
    let read = model.requests().into_iter().rev().find(|request| request.text().contains("Zhang Wei"));
    assert!(read.is_some(), "the edited name was not shown to the model");
}

#[test]
fn without_a_model_the_commands_name_the_keys_to_set() {
    let home = Home::new();
    home.check(
        &["agent -m hello", "reflect", "consolidate --model", "resolve --model", "doctor", "heartbeat --once", "heartbeat --every 1d"],
        &expect![[r#"
            $ memtape agent -m hello
            ! error: no language model is configured
            ! hint: set model.provider, model.name and, for a local server, model.base_url in ~/.config/memtape/config.toml
            [exit 2]
            $ memtape reflect
            ! error: no language model is configured
            ! hint: set model.provider, model.name and, for a local server, model.base_url in ~/.config/memtape/config.toml
            [exit 2]
            $ memtape consolidate --model
            ! error: no language model is configured
            ! hint: set model.provider, model.name and, for a local server, model.base_url in ~/.config/memtape/config.toml
            [exit 2]
            $ memtape resolve --model
            ! error: no language model is configured
            ! hint: set model.provider, model.name and, for a local server, model.base_url in ~/.config/memtape/config.toml
            [exit 2]
            $ memtape doctor
            No language model is configured. memtape works without one.
            ! hint: set [model] in ~/.config/memtape/config.toml (docs/guides/models.md)
            $ memtape heartbeat --once
            OK: heartbeat done, without a model
            $ memtape heartbeat --every 1d
            ! error: invalid time "1d": expected a number from 1 with s, m or h, such as 30m
            [exit 2]
        "#]],
    );
}

#[test]
fn a_workspace_cannot_choose_the_model() {
    let home = Home::new();
    home.write("memtape.toml", "[model]\nbase_url = \"http://evil.example\"\n");
    let ran = home.run("status");
    assert_eq!(ran.code, 2, "{}", ran.snapshot());
    assert!(ran.stderr.contains("a workspace cannot set model.base_url"), "{}", ran.snapshot());
}

#[test]
fn a_misconfigured_key_is_named() {
    let home = Home::new();
    home.write_own("key", "sk-secret\n");
    let with = |lines: &str| home.write_own("config.toml", format!("[model]\n{lines}"));
    let failed = |line: &str| {
        let ran = home.run(line);
        assert_ne!(ran.code, 0, "{}", ran.snapshot());
        assert!(!ran.stderr.contains("sk-secret"), "{}", ran.stderr);
        ran.stderr
    };
    with("provider = \"openai\"\nname = \"x\"\n");
    assert!(
        failed("doctor").contains("no API key: set OPENAI_API_KEY, model.api_key_env or model.api_key_file")
    );
    with("provider = \"anthropic\"\nbase_url = \"http://127.0.0.1:9\"\n");
    assert!(failed("doctor").contains("model.name is not set"));
    with("provider = \"openai\"\nname = \"x\"\nbase_url = \"http://10.0.0.9/v1\"\napi_key_env = \"HOME\"\n");
    assert!(failed("doctor").contains("would carry the API key unencrypted"));
    let key = home.own("key");
    with(&format!(
        "provider = \"openai\"\nname = \"x\"\nbase_url = \"http://127.0.0.1:9/v1\"\napi_key_file = {key:?}\n"
    ));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(failed("doctor").contains("others can read the API key"));
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    assert!(
        failed("--config model.retries=0 doctor")
            .contains("cannot reach the model's server at http://127.0.0.1:9/v1")
    );
}

#[test]
fn doctor_tries_the_model() {
    let (home, _model) = home(|_| Answer::Say("OK".into()));
    let ran = home.run("doctor");
    assert!(
        ran.stdout.starts_with("scripted at http://127.0.0.1:") && ran.stdout.ends_with(": OK\n"),
        "{}",
        ran.snapshot()
    );
    // A proxy would see the key and the prompt in clear text.
    let ran = home
        .command("doctor")
        .env("HTTP_PROXY", "http://127.0.0.1:1")
        .env("http_proxy", "http://127.0.0.1:1")
        .run();
    assert_eq!(ran.code, 0, "{}", ran.snapshot());
    let ran = home.run("--json doctor");
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["models"][0]["answers"], true);
}

#[test]
fn facts_are_extracted_and_reported_and_questions_are_asked() {
    let (home, _model) = home(|request| {
        if !request.system.starts_with("Analyze this conversation") {
            return Answer::Say("Sure.".into());
        }
        let object = if request.text().contains("Osaka") { "Osaka" } else { "Kyoto" };
        let mut event = json!({"event_type": "add", "subject": "user", "predicate": "lives in", "object": object, "from": [1]});
        if object == "Osaka" {
            event["conflict"] = "ask_user".into();
        }
        Answer::Say(json!({"events": [event], "message": "Learn the city"}).to_string())
    });
    home.check(
        &[
            "--config capture.enabled=false agent -m 'Kyoto it is'",
            "--config capture.enabled=false agent -m 'how is the weather?'",
            "fact list",
            "--config capture.enabled=false --config mind.turns=1 agent -m 'or Osaka?'",
            "fact list",
            "resolve --theirs ledger:63c0cfd9d1ead1f9",
            "fact list",
        ],
        &expect![[r#"
            $ memtape --config capture.enabled=false agent -m 'Kyoto it is'
            Sure.
            $ memtape --config capture.enabled=false agent -m 'how is the weather?'
            Sure.
            ! [remembered ledger:63c0cfd9d1ead1f9: user lives in Kyoto]
            $ memtape fact list
            ledger:63c0cfd9d1ead1f9@15 · permanent · user lives in Kyoto (80%)
            $ memtape --config capture.enabled=false --config mind.turns=1 agent -m 'or Osaka?'
            Sure.
            ! [needs your decision: ledger:63c0cfd9d1ead1f9 (memtape conflicts)]
            $ memtape fact list
            ledger:63c0cfd9d1ead1f9@15 · permanent · user lives in Kyoto (80%)
            conflict: ledger:63c0cfd9d1ead1f9 · review/23 has user lives in Osaka
            ! resolve with `memtape resolve REF --ours|--theirs|--value TEXT`, a fact also with `--both`
            $ memtape resolve --theirs ledger:63c0cfd9d1ead1f9
            resolved ledger:63c0cfd9d1ead1f9 ([COMMIT] @31)
            ~ ledger:63c0cfd9d1ead1f9 user lives in Osaka (was: user lives in Kyoto)
            $ memtape fact list
            ledger:63c0cfd9d1ead1f9@30 · permanent · user lives in Osaka (80%)
        "#]],
    );
}

#[test]
fn a_failing_model_ends_the_turn_with_an_error() {
    let (home, _model) = home(|_| Answer::Disconnect("The answer is fort".into()));
    home.check(
        &["agent -m 'what is the answer?'", "tape log --kind message"],
        &expect![[r#"
            $ memtape agent -m 'what is the answer?'
            The answer is fort
            ! error: the connection to the model's server broke: Peer disconnected
            ! hint: try again later
            [exit 7]
            $ memtape tape log --kind message
            #5 [NOW] [message] user: "what is the answer?" (cli:direct)
            #8 [NOW] [message] assistant: "The answer is fort" (cli:direct)
        "#]],
    );
}

#[test]
fn a_reflection_is_one_commit() {
    let (home, _model) = home(|request| match request.messages.len() {
        _ if request.system.starts_with("Analyze") => Answer::Say("{\"events\": []}".into()),
        _ if !request.system.starts_with("You maintain") => Answer::Say("I replaced the transport.".into()),
        1 => Answer::Call(vec![(
            "memory_append".into(),
            json!({"path": "episodes/2026-02.md", "entry": "## Logger leak\n- Summary: own transport\n", "summary": "logger"}),
        )]),
        _ => Answer::Say("A logger leak was fixed.".into()),
    });
    home.setup(&["agent -m 'the logger leaks'"]);
    home.check(
        &[
            "--branch main reflect",
            "reflect",
            "note read episodes/2026-02.md",
            "undo",
            "note list",
            "reflect",
            "branch list",
        ],
        &expect![[r#"
            $ memtape --branch main reflect
            ! error: a task writes to the branch of its conversation: leave out --branch
            [exit 2]
            $ memtape reflect
            A logger leak was fixed.
            wrote episodes/2026-02.md
            $ memtape note read episodes/2026-02.md
            # 2026-02 Episodes

            > Summary: logger

            ## Logger leak
            - Summary: own transport
            $ memtape undo
            undid @17 ([COMMIT] @23)
            - notes:episodes/2026-02.md# # 2026-02 Episodes > Summary: logger
            - notes:episodes/2026-02.md#Logger leak ## Logger leak - Summary: own transport
            $ memtape note list
            ! No notes: `memtape note append episodes/YYYY-MM.md ENTRY` adds one, or put a file into facts/.
            $ memtape reflect
            there is nothing new to reflect on
            $ memtape branch list
            * main · 2 commits · new conversations begin here
        "#]],
    );
}

#[test]
fn a_heartbeat_whose_model_fails_does_no_tasks() {
    let (home, _model) = home(|_| Answer::Disconnect("Half of a rep".into()));
    home.write("HEARTBEAT.md", "- water the plants\n");
    let ran = home.run("heartbeat --once");
    assert_eq!((ran.code, ran.stdout.as_str()), (7, ""), "{}", ran.snapshot());
    assert!(ran.stderr.starts_with("error: the connection"), "{}", ran.snapshot());
    home.setup(&["turn 'I live in Porto.'"]);
    let ran = home.run("heartbeat --once");
    assert!(ran.code == 7 && !ran.stdout.contains("OK"), "{}", ran.snapshot());
    assert!(ran.stderr.contains("warning: the connection"), "{}", ran.snapshot());
    assert!(ran.stderr.contains("error: the connection"), "{}", ran.snapshot());
    let ran = home.run("heartbeat --once --json");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, report["failures"].as_array().map(Vec::len)), (7, Some(2)), "{}", ran.snapshot());
}

#[test]
fn a_heartbeat_without_its_key_does_what_needs_no_model() {
    let home = Home::new();
    home.write_own(
        "config.toml",
        "[model]\nprovider = \"openai\"\nname = \"x\"\napi_key_env = \"NO_SUCH_KEY\"\n",
    );
    let ran = home.run("heartbeat --once --json");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &report["model"]), (2, &json!(false)), "{}", ran.snapshot());
    assert_eq!(report["failures"].as_array().map(Vec::len), Some(1), "{}", ran.snapshot());
    assert!(ran.stderr.contains("NO_SUCH_KEY is not set"), "{}", ran.snapshot());
}

#[test]
fn a_perch_without_due_work_prints_nothing() {
    let (home, _model) = home(|_| Answer::Say("SILENT".into()));
    let ran = home.run("agent --perch");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.snapshot());
    // A message is answered with whatever the model says.
    let ran = home.run("agent -m 'say SILENT'");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "SILENT\n"), "{}", ran.snapshot());
}

#[test]
fn a_perch_that_has_something_to_say_prints_it_whole() {
    let (home, _model) = home(|_| Answer::Say("SILENT nights are over: water the plants.".into()));
    let ran = home.run("agent --perch");
    assert_eq!(ran.stdout, "SILENT nights are over: water the plants.\n", "{}", ran.snapshot());
    let (home, _model) = self::home(|_| Answer::Disconnect("SIL".into()));
    let ran = home.run("agent --perch");
    assert_eq!((ran.code, ran.stdout.as_str()), (7, "SIL\n"), "{}", ran.snapshot());
}

#[test]
fn init_writes_a_file_of_tasks() {
    let home = Home::new();
    let text = std::fs::read_to_string(home.path("HEARTBEAT.md")).unwrap();
    assert!(text.starts_with("# Heartbeat\n"));
    home.write("HEARTBEAT.md", "- water the plants\n");
    home.setup(&["init"]);
    assert_eq!(std::fs::read_to_string(home.path("HEARTBEAT.md")).unwrap(), "- water the plants\n");
}

/// A script learns from the exit status whether a person has something to decide, with `--json` too.
#[test]
fn a_conflict_that_the_model_leaves_open_is_a_failure_in_json_too() {
    let (home, _model) = home(|_| Answer::Say("{}".into()));
    let add = |object: &str| format!("fact add Ana 'lives in' {object} --sensitivity confidential");
    home.setup(&[
        &add("Porto"),
        "branch create b",
        &add("Lisbon"),
        &format!("{} --branch b", add("Utrecht")),
        "merge b",
    ]);
    for (line, printed) in
        [("resolve --model", "open ledger:"), ("resolve --model --json", "\"commit\":null")]
    {
        let ran = home.run(line);
        assert!(ran.code == 1 && ran.stdout.contains(printed), "{line}: {}", ran.snapshot());
    }
}
