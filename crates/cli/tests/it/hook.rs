//! `hook`: the events of coding agents.

use serde_json::{Value, json};

use crate::harness::{Home, Ran};

/// Passes an event to the hook. The fields are added to those of every event.
fn hook(home: &Home, event: &str, fields: &Value) -> Ran {
    let mut input = json!({
        "session_id": "0a1b",
        "cwd": home.path("project"),
        "transcript_path": "/nowhere/transcript.jsonl",
        "hook_event_name": event,
    });
    for (name, value) in fields.as_object().expect("an object") {
        input[name] = value.clone();
    }
    // A busy machine is no reason to fail.
    home.command(&format!("-C . hook {event} --timeout 60000")).stdin(input.to_string()).run()
}

/// Returns the text that a hook adds to the context; empty if it adds none.
fn context(ran: &Ran, event: &str) -> String {
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.snapshot());
    if ran.stdout.is_empty() {
        return String::new();
    }
    let printed: Value = serde_json::from_str(&ran.stdout).expect("one JSON object");
    assert_eq!(printed["hookSpecificOutput"]["hookEventName"], event);
    printed["hookSpecificOutput"]["additionalContext"].as_str().expect("a text").to_owned()
}

fn prompted(home: &Home, prompt: &str) -> String {
    context(&hook(home, "UserPromptSubmit", &json!({"prompt": prompt})), "UserPromptSubmit")
}

#[allow(clippy::needless_pass_by_value, reason = "as json! gives it")]
fn silent(home: &Home, event: &str, fields: Value) {
    assert_eq!(context(&hook(home, event, &fields), event), "");
}

#[test]
fn a_statement_is_recalled_in_the_next_conversation() {
    let home = Home::new();
    assert_eq!(prompted(&home, "I prefer pnpm over npm"), "");
    silent(&home, "Stop", json!({"last_assistant_message": "Noted."}));
    let next = json!({"session_id": "2c3d", "prompt": "which package manager should you use?"});
    let recalled = context(&hook(&home, "UserPromptSubmit", &next), "UserPromptSubmit");
    assert!(recalled.contains("I prefer pnpm over npm"), "{recalled}");
    let brief = context(&hook(&home, "SessionStart", &json!({"session_id": "4e5f"})), "SessionStart");
    assert!(brief.contains("I prefer pnpm over npm"), "{brief}");
}

#[test]
fn the_brief_of_a_conversation_is_of_its_start_until_it_is_resumed() {
    let home = Home::new();
    home.setup(&["remember 'deploys are on Tuesday'"]);
    let first = context(&hook(&home, "SessionStart", &json!({"source": "startup"})), "SessionStart");
    assert!(first.contains("deploys are on Tuesday"), "{first}");
    home.setup(&["remember 'and never on Fridays'"]);
    let again = context(&hook(&home, "SessionStart", &json!({"source": "startup"})), "SessionStart");
    assert_eq!(first, again);
    home.setup(&["forget Tuesday --yes"]);
    for source in ["compact", "resume"] {
        let now = context(&hook(&home, "SessionStart", &json!({"source": source})), "SessionStart");
        assert!(now.contains("never on Fridays") && !now.contains("deploys are on"), "{source}: {now}");
    }
    let other = json!({"session_id": "other", "source": "startup"});
    assert!(context(&hook(&home, "SessionStart", &other), "SessionStart").contains("never on Fridays"));
}

#[test]
fn only_typed_text_is_captured() {
    let home = Home::new();
    silent(&home, "UserPromptSubmit", json!({"prompt": "/model I prefer opus"}));
    silent(&home, "UserPromptSubmit", json!({"prompt": "<system-reminder>I prefer tabs</system-reminder>"}));
    silent(&home, "UserPromptSubmit", json!({"prompt": "I prefer vim", "agent_id": "a1"}));
    silent(&home, "UserPromptSubmit", json!({"prompt": "please fix the login"}));
    silent(&home, "Stop", json!({"last_assistant_message": "I prefer emacs. We decided to use Redis."}));
    assert_eq!(home.run("journal --type statement_update --json").stdout, "");
}

#[test]
fn an_interrupted_turn_is_captured_with_the_next_event() {
    let home = Home::new();
    prompted(&home, "I prefer tea");
    prompted(&home, "I live in Porto");
    silent(&home, "SessionEnd", json!({"reason": "exit"}));
    let captured = home.run("journal --type statement_update --json").stdout;
    assert_eq!(captured.lines().count(), 2, "{captured}");
    assert!(!home.run("status").snapshot().contains("unfinished"));
}

#[test]
fn memories_of_a_project_stay_in_it_and_those_of_the_person_do_not() {
    let home = Home::new();
    prompted(&home, "I prefer short answers. We decided to deploy from the branch release.");
    silent(&home, "Stop", json!({"last_assistant_message": "ok"}));
    let elsewhere = |prompt: &str| {
        let fields = json!({"session_id": "x", "cwd": home.path("other"), "prompt": prompt});
        context(&hook(&home, "UserPromptSubmit", &fields), "UserPromptSubmit")
    };
    assert!(elsewhere("how long should your answers be?").contains("short answers"));
    assert!(!elsewhere("from which branch do we deploy?").contains("release"));
    assert!(prompted(&home, "from which branch do we deploy?").contains("release"));
}

#[test]
fn conversations_of_two_projects_are_never_one() {
    let home = Home::new();
    let origin = |directory: &str, url: &str| {
        home.write(&format!("{directory}/.git/HEAD"), "ref: refs/heads/main\n");
        home.write(
            &format!("{directory}/.git/config"),
            format!("[core]\n\tbare = false\n[remote \"origin\"]\n\turl = {url}\n"),
        );
        for folder in ["objects", "refs/heads"] {
            std::fs::create_dir_all(home.path(&format!("{directory}/.git/{folder}"))).expect("a directory");
        }
    };
    origin("work1/app", "../upstream");
    origin("work2/bank", "../upstream");
    origin("gitea", "http://localhost:3000/me/app");
    origin("gitlab", "http://localhost:8080/me/app");
    for (n, (one, other, ids, is_same)) in [
        ("work1/app", "work2/bank", ["a", "b"], false),
        ("gitea", "gitlab", ["c", "d"], false),
        ("A", "B", ["web:1", "web1"], false),
        ("C", "D", ["web:2", "web%3A2"], false),
        ("E", "F", ["\u{5fae}", "\u{4fe1}"], false),
        ("plain", "plain/", ["e", "f"], true),
    ]
    .into_iter()
    .enumerate()
    {
        let said = format!("We decided to name release number {n} Falcon{n}.");
        silent(
            &home,
            "UserPromptSubmit",
            json!({"session_id": ids[0], "cwd": home.path(one), "prompt": said}),
        );
        silent(
            &home,
            "Stop",
            json!({"session_id": ids[0], "cwd": home.path(one), "last_assistant_message": "ok"}),
        );
        // A path of the library loses the slash at its end.
        let cwd = format!(
            "{}{}",
            home.path(other.trim_end_matches('/')).display(),
            if other.ends_with('/') { "/" } else { "" }
        );
        let fields = json!({"session_id": ids[1], "cwd": cwd, "prompt": format!("what is the name of release number {n}?")});
        let recalled = context(&hook(&home, "UserPromptSubmit", &fields), "UserPromptSubmit");
        assert_eq!(recalled.contains(&format!("Falcon{n}")), is_same, "{one} {other}: {recalled}");
    }
}

/// Returns the texts of the replies that are recorded.
fn replies(home: &Home) -> Vec<String> {
    let lines = home.run("journal --type message_sent --json").stdout;
    let texts = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    texts.map(|line| line["preview"].as_str().unwrap_or_else(|| panic!("{line}")).to_owned()).collect()
}

#[test]
fn a_conversation_stays_in_the_project_that_it_began_in() {
    let home = Home::new();
    let inside = home.path("project/vendor");
    prompted(&home, "We decided to name the release Falcon");
    silent(&home, "Stop", json!({"cwd": inside, "last_assistant_message": "ok"}));
    let fields = json!({"cwd": inside, "prompt": "what is the name of the release?"});
    let recalled = context(&hook(&home, "UserPromptSubmit", &fields), "UserPromptSubmit");
    assert!(recalled.contains("Falcon"), "{recalled}");
    silent(&home, "SessionEnd", json!({"cwd": inside, "reason": "exit"}));
    assert!(!home.run("status").snapshot().contains("unfinished"));
}

#[test]
fn a_turn_that_another_process_ends_counts_what_it_recalled() {
    let home = Home::new();
    prompted(&home, "I prefer pnpm over npm");
    silent(&home, "Stop", json!({"last_assistant_message": "Noted."}));
    let next = json!({"session_id": "2c3d", "prompt": "which package manager should you use?"});
    assert_ne!(context(&hook(&home, "UserPromptSubmit", &next), "UserPromptSubmit"), "");
    silent(&home, "Stop", json!({"session_id": "2c3d", "last_assistant_message": "pnpm"}));
    let counters = home.run("status").stdout;
    assert!(counters.contains("memory_recall_hit 1"), "{counters}");
    assert!(!counters.contains("memory_prompt_chars 0"), "{counters}");
}

#[test]
fn a_reply_after_the_end_of_its_turn_is_recorded_once() {
    let home = Home::new();
    prompted(&home, "refactor the parser please");
    silent(&home, "PreCompact", json!({"trigger": "auto"}));
    for _ in 0..2 {
        silent(&home, "Stop", json!({"last_assistant_message": "The parser is recursive now."}));
    }
    assert_eq!(replies(&home), ["The parser is recursive now."]);
    for text in ["Tests are green.", "Tests are green."] {
        silent(&home, "Stop", json!({"stop_hook_active": true, "last_assistant_message": text}));
    }
    assert_eq!(replies(&home), ["The parser is recursive now.", "Tests are green."]);
    // Nobody typed anything that is recorded.
    silent(&home, "UserPromptSubmit", json!({"prompt": "/model opus"}));
    silent(&home, "Stop", json!({"last_assistant_message": "The model is opus."}));
    assert_eq!(replies(&home).len(), 2);
}

#[test]
fn a_hook_never_fails_the_client() {
    let home = Home::bare();
    for (line, input) in [
        ("-C . hook Stop", "{}"),
        ("-C . hook Nope", "{}"),
        ("-C . hook Stop", "not json"),
        ("hook SessionStart", "[]"),
        ("hook SessionStart", "null"),
        ("hook UserPromptSubmit --config nonsense=1", "{\"prompt\":\"hi\"}"),
    ] {
        let ran = home.command(line).stdin(input).run();
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{line}: {}", ran.snapshot());
        assert!(ran.stderr.starts_with("memtape: "), "{line}: {}", ran.snapshot());
    }
}

#[test]
fn a_field_without_a_value_is_not_there() {
    let home = Home::new();
    let none = json!({"agent_id": "", "last_assistant_message": null, "stop_hook_active": null});
    let mut fields = json!({"prompt": "I prefer pnpm over npm"});
    fields.as_object_mut().expect("an object").extend(none.as_object().expect("an object").clone());
    silent(&home, "UserPromptSubmit", fields);
    silent(&home, "Stop", json!({"cwd": null, "prompt": null, "last_assistant_message": "Noted."}));
    assert_eq!(replies(&home), ["Noted."]);
    assert!(home.run("recall pnpm").stdout.contains("pnpm over npm"));
}

#[test]
fn a_reply_that_is_too_long_ends_its_turn() {
    let home = Home::new();
    assert_eq!(prompted(&home, "I prefer pnpm over npm"), "");
    silent(&home, "Stop", json!({"last_assistant_message": "x".repeat(1_400_000)}));
    let tape = String::from_utf8(home.tape()).expect("UTF-8");
    assert!(tape.contains("more bytes not recorded (ingest.max_message_bytes)"));
    assert!(home.run("recall pnpm").stdout.contains("pnpm over npm"));
}

#[test]
fn a_prompt_that_was_cut_in_a_character_is_kept() {
    let home = Home::new();
    let input = r#"{"session_id":"0a1b","cwd":"/app","prompt":"I prefer pnpm over npm \ud83d"}"#;
    let ran = home.command("-C . hook UserPromptSubmit --timeout 60000").stdin(input).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.snapshot());
    let log = home.run("tape log --kind message").snapshot();
    assert!(log.contains("I prefer pnpm over npm \u{fffd}"), "{log}");
}

#[test]
fn a_wrong_command_line_of_a_hook_never_fails_the_client() {
    let home = Home::bare();
    for line in [
        "hook Stop --timeout 5s",
        "hook Stop --nope",
        "hook",
        "hook Stop extra",
        "hook Stop --json",
        "hook Stop --at 1",
        "hook Stop -C",
        "-C . --global hook Stop",
        "--nope hook Stop",
        "--nope value hook Stop",
        "--config hook Stop",
        "-Cx --nope=1 hook Stop",
        "--color pink hook Stop",
        "--json hook Stop",
        "-C hook Stop",
    ] {
        let ran = home.command(line).stdin("{}").run();
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{line}: {}", ran.snapshot());
        assert!(ran.stderr.starts_with("memtape: "), "{line}: {}", ran.snapshot());
    }
    for line in ["hook --help", "help hook"] {
        let ran = home.run(line);
        assert!(ran.code == 0 && ran.stdout.contains("SessionStart"), "{line}: {}", ran.snapshot());
    }
    // The word as an argument of another command is no hook.
    for line in ["remember hook --nope", "recall hook --limit x", "nope hook"] {
        assert_eq!(home.run(line).code, 2, "{line}");
    }
}

/// A client that has closed standard error is no reason to fail, whatever there is to warn of.
#[cfg(target_os = "linux")]
#[test]
fn a_warning_that_nobody_can_read_fails_nothing() {
    let home = Home::new();
    let event = json!({
        "session_id": "0a1b",
        "cwd": home.path("project"),
        "transcript_path": "/nowhere/transcript.jsonl",
        "hook_event_name": "SessionStart",
    });
    home.write("event.json", event.to_string());
    let mut command = home.command("-C . hook SessionStart").env("MEMTAPE_NOSUCH", "1").into_command();
    let event = std::fs::File::open(home.path("event.json")).unwrap();
    let ended = command.stdin(event).stderr(crate::harness::full_disk()).status().unwrap();
    assert_eq!(ended.code(), Some(0));
}
