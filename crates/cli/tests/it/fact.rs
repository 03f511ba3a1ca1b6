//! The `fact` commands, and facts in `show`, `why`, `recall` and `forget`.

use expect_test::expect;
use serde_json::json;

use crate::harness::Home;

/// Returns a workspace with facts of its own and of a chat.
fn home() -> Home {
    let home = Home::new();
    home.setup(&[
        "fact add user 'prefers backend' Python --topic work/technical --confidence .9 --evidence 'I prefer Python'",
        "fact add user prefers 'dark mode'",
        "fact add user prefers cocoa --lifetime session --session telegram:1",
        "fact add office is closed --source calendar",
        "fact add safe 'opens with' 12-34 --sensitivity confidential",
    ]);
    home
}

#[test]
fn add_prints_the_fact_its_ref_and_its_commit() {
    let home = Home::new();
    home.check(
        &[
            "fact add user prefers 'dark mode'",
            "fact add User prefers 'Dark  Mode'",
            "fact add user prefers 'dark mode' --evidence 'said so'",
            "fact add user prefers 'light mode' --confidence .7",
            "fact update user prefers 'solarized' --reason 'it changed'",
            "fact observe door is open",
            "fact observe door is open",
            "fact add door is open --confidence .9",
            "fact observe door is shut",
            "fact observe door is shut",
            "fact deprecate user prefers --reason 'no longer so'",
            "fact list",
            "fact confirm user prefers",
            "fact confirm user prefers",
            "fact forget user prefers",
            "fact list",
        ],
        &expect![[r#"
            $ memtape fact add user prefers 'dark mode'
            added: user prefers dark mode (100%)
            ledger:c8cd02e8a340cb88@4, commit [ID]
            $ memtape fact add User prefers 'Dark  Mode'
            it was there already: user prefers dark mode (100%)
            ledger:c8cd02e8a340cb88@4
            $ memtape fact add user prefers 'dark mode' --evidence 'said so'
            confirmed: user prefers dark mode (100%)
            ledger:c8cd02e8a340cb88@6, commit [ID]
            $ memtape fact add user prefers 'light mode' --confidence .7
            replaced: user prefers light mode (70%)
            before: user prefers dark mode (100%)
            ledger:c8cd02e8a340cb88@8, commit [ID]
            $ memtape fact update user prefers 'solarized' --reason 'it changed'
            replaced: user prefers solarized (100%)
            before: user prefers light mode (70%)
            ledger:c8cd02e8a340cb88@10, commit [ID]
            $ memtape fact observe door is open
            added: door is open (60%)
            ledger:b4e40b6b707e9847@12, commit [ID]
            $ memtape fact observe door is open
            confirmed: door is open (72%, before 60%)
            ledger:b4e40b6b707e9847@14, commit [ID]
            $ memtape fact add door is open --confidence .9
            confirmed: door is open (90%, before 72%)
            ledger:b4e40b6b707e9847@16, commit [ID]
            $ memtape fact observe door is shut
            doubted: door is open (63%, before 90%)
            ledger:b4e40b6b707e9847@18, commit [ID]
            $ memtape fact observe door is shut
            replaced: door is shut (60%)
            before: door is open (63%)
            ledger:b4e40b6b707e9847@20, commit [ID]
            $ memtape fact deprecate user prefers --reason 'no longer so'
            ledger:c8cd02e8a340cb88@10 · permanent · user prefers solarized (100%)
            1 fact deprecated, commit [ID] (an earlier point still shows it: --at)
            $ memtape fact list
            ledger:b4e40b6b707e9847@20 · permanent · door is shut (60%)
            $ memtape fact confirm user prefers
            restored: user prefers solarized (100%)
            ledger:c8cd02e8a340cb88@24, commit [ID]
            $ memtape fact confirm user prefers
            confirmed: user prefers solarized (100%)
            ledger:c8cd02e8a340cb88@26, commit [ID]
            $ memtape fact forget user prefers
            ledger:c8cd02e8a340cb88@26 · permanent · user prefers solarized (100%)
            1 fact forgotten, commit [ID] (an earlier point still shows it: --at)
            $ memtape fact list
            ledger:b4e40b6b707e9847@20 · permanent · door is shut (60%)
        "#]],
    );
}

#[test]
fn what_a_contradicting_observation_said_is_logged() {
    let home = home();
    home.setup(&["fact add door is open --confidence .9", "fact observe door is shut"]);
    let logged = home.run("fact log door is").stdout;
    assert!(logged.lines().next().unwrap().ends_with("; observed: shut, 60%)"), "{logged}");
    let versions = home.run("fact log door is --json").json();
    assert_eq!(
        (&versions[0]["object"], &versions[0]["observed"]["object"]),
        (&"open".into(), &"shut".into())
    );
    assert!(versions[1].get("observed").is_none());
}

#[test]
fn an_invalid_fact_is_refused() {
    let home = home();
    home.check(
        &[
            "fact add user prefers ''",
            "fact add user prefers x --confidence 2",
            "fact add user prefers x --days 0",
            "fact add user prefers x --scope user",
            "fact add user prefers x --sensitivity odd",
            "fact add user prefers x --lifetime session --user telegram:42",
            "fact list --lifetime long",
            "fact confirm zone:0123456789abcdef",
            "fact forget user prefers --at 3",
        ],
        &expect![[r#"
            $ memtape fact add user prefers ''
            ! error: the object is empty
            [exit 2]
            $ memtape fact add user prefers x --confidence 2
            ! error: confidence must be a number from 0 to 1, not 2
            [exit 2]
            $ memtape fact add user prefers x --days 0
            ! error: days must be a number from 1 to 1000000, not 0
            [exit 2]
            $ memtape fact add user prefers x --scope user
            ! error: unexpected argument '--scope' found
            !
            !   tip: a similar argument exists: '--source'
            !
            ! Usage: memtape fact add --source <WORD> <SUBJECT> <PREDICATE> <OBJECT>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape fact add user prefers x --sensitivity odd
            ! error: invalid value 'odd' for '--sensitivity <LEVEL>': unknown sensitivity "odd": expected normal, private or confidential
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape fact add user prefers x --lifetime session --user telegram:42
            ! error: a fact whose lifetime is a session needs a conversation
            ! hint: specify the conversation with --session
            [exit 2]
            $ memtape fact list --lifetime long
            ! error: invalid value 'long' for '--lifetime <LIFETIME>': unknown lifetime "long": expected permanent, session or temporary
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape fact confirm zone:0123456789abcdef
            ! error: zone:0123456789abcdef is not a fact: expected ledger:KEY
            [exit 2]
            $ memtape fact forget user prefers --at 3
            ! error: unexpected argument '--at' found
            !
            ! Usage: memtape fact forget <SUBJECT> <PREDICATE>
            !
            ! For more information, try '--help'.
            [exit 2]
        "#]],
    );
}

#[test]
fn a_missing_or_ambiguous_fact_is_explained() {
    let home = home();
    home.check(
        &[
            "fact update user likes tea",
            "fact forget user likes",
            "fact add user prefers water --lifetime temporary",
            "fact update user prefers tea",
            "fact update user prefers tea --lifetime temporary",
            "fact confirm user",
            "fact promote 0123456789abcdef",
            "fact history nobody is",
            "fact history nobody is --json",
            "fact update user 'prefers backend' Rust --session telegram:1",
        ],
        &expect![[r#"
            $ memtape fact update user likes tea
            ! error: no fact about user likes
            [exit 3]
            $ memtape fact forget user likes
            ! error: no fact about user likes
            [exit 3]
            $ memtape fact add user prefers water --lifetime temporary
            added: user prefers water (100%)
            ledger:a2ba0763330200c4@14, commit [ID]
            $ memtape fact update user prefers tea
            ! error: user prefers matches 2 facts: permanent: dark mode (ledger:c8cd02e8a340cb88); temporary: water (ledger:a2ba0763330200c4)
            ! hint: select one with --topic or --lifetime
            [exit 4]
            $ memtape fact update user prefers tea --lifetime temporary
            replaced: user prefers tea (100%)
            before: user prefers water (100%)
            ledger:a2ba0763330200c4@16, commit [ID]
            $ memtape fact confirm user
            ! error: "user" is not a ref (ledger:KEY): name a subject together with its predicate
            [exit 2]
            $ memtape fact promote 0123456789abcdef
            ! error: ledger:0123456789abcdef is not current
            [exit 3]
            $ memtape fact history nobody is
            ! error: no fact about nobody is
            [exit 3]
            $ memtape fact history nobody is --json
            ! {"error":{"kind":"not_found","message":"no fact about nobody is","hint":null}}
            [exit 3]
            $ memtape fact update user 'prefers backend' Rust --session telegram:1
            ! error: ledger:1bd55b1c56bb8f73 belongs to the workspace: only the owner can change it
            [exit 5]
        "#]],
    );
}

#[test]
fn facts_are_listed_by_topic_lifetime_and_subject() {
    let home = home();
    home.check(
        &[
            "fact list",
            "fact list --topic work",
            "fact list --lifetime session",
            "fact list --subject OFFICE",
            "fact list --predicate prefers --session telegram:1",
            "fact list --topic tea",
            "fact list --subject nobody --json",
            "fact list --at 4",
        ],
        &expect![[r#"
            $ memtape fact list
            ledger:f850d51127c5a5e2@12 · permanent · (confidential) (100%)
            ledger:11b977b771e0813c@10 · permanent · office is closed (100%)
            ledger:a58a795a2736c272@8 · session · channel:telegram:chat:1 · user prefers cocoa (100%)
            ledger:c8cd02e8a340cb88@6 · permanent · user prefers dark mode (100%)
            ledger:1bd55b1c56bb8f73@4 · work/technical · user prefers backend Python (90%)
            $ memtape fact list --topic work
            ledger:1bd55b1c56bb8f73@4 · work/technical · user prefers backend Python (90%)
            $ memtape fact list --lifetime session
            ledger:a58a795a2736c272@8 · session · channel:telegram:chat:1 · user prefers cocoa (100%)
            $ memtape fact list --subject OFFICE
            ledger:11b977b771e0813c@10 · permanent · office is closed (100%)
            $ memtape fact list --predicate prefers --session telegram:1
            ledger:a58a795a2736c272@8 · session · channel:telegram:chat:1 · user prefers cocoa (100%)
            ledger:c8cd02e8a340cb88@6 · permanent · user prefers dark mode (100%)
            $ memtape fact list --topic tea
            ! No facts.
            $ memtape fact list --subject nobody --json
            {"facts":[],"more":0,"conflicts":[]}
            $ memtape fact list --at 4
            ledger:1bd55b1c56bb8f73@4 · work/technical · user prefers backend Python (90%)
        "#]],
    );
    for n in 0..60 {
        home.setup(&[&format!("fact add item{n} is here")]);
    }
    let listed = home.run("fact list");
    assert_eq!((listed.stdout.lines().count(), listed.stderr.as_str()), (50, "15 more: --all lists them\n"));
    assert_eq!(home.run("fact list --all").stdout.lines().count(), 65);
    assert_eq!(home.run("fact list --json").json()["more"], 15);
}

#[test]
fn a_fact_is_shown_found_explained_and_forgotten_by_its_ref() {
    let home = home();
    let key = "ledger:1bd55b1c56bb8f73";
    home.check(
        &[
            &format!("show {key}"),
            "fact update user 'prefers backend' Rust --reason 'it changed'",
            &format!("why {key}"),
            &format!("fact history {key}"),
            "recall 'backend' --form ledger",
            "tool call memory_recall '{\"query\":\"backend\"}'",
            &format!("forget {key} --yes --reason 'asked to'"),
            &format!("show {key}"),
            &format!("forget {key} --yes"),
        ],
        &expect![[r#"
            $ memtape show ledger:1bd55b1c56bb8f73
            ledger:1bd55b1c56bb8f73@4
              user prefers backend Python
            recorded  entry 4, [NOW] UTC, from user, in cli:direct
            scope     workspace:[ID]:global
            fact      work/technical, confidence 0.90
            source    user_explicit
            evidence  I prefer Python
            event     [ID] (add)
            said      [NOW] UTC
            current
            $ memtape fact update user 'prefers backend' Rust --reason 'it changed'
            replaced: user prefers backend Rust (100%)
            before: user prefers backend Python (90%)
            ledger:1bd55b1c56bb8f73@14, commit [ID]
            $ memtape why ledger:1bd55b1c56bb8f73
            ledger:1bd55b1c56bb8f73@4
              user prefers backend Python
            created   by entry 4 (ledger.add), [NOW] UTC, from user
            source    user_explicit, confidence 0.90
            evidence  I prefer Python
            superseded by entry 14 (ledger.modify), [NOW] UTC, from user, because: it changed
            ledger:1bd55b1c56bb8f73@14
              user prefers backend Rust
            created   by entry 14 (ledger.modify), [NOW] UTC, from user, because: it changed
            source    user_explicit, confidence 1.00
            current
            $ memtape fact history ledger:1bd55b1c56bb8f73
            ledger:1bd55b1c56bb8f73@14 [NOW] modify by user (it changed): work/technical · user prefers backend Rust (100%, source user_explicit)
            ledger:1bd55b1c56bb8f73@4 [NOW] add by user: work/technical · user prefers backend Python (90%, source user_explicit; evidence: I prefer Python)
            $ memtape recall 'backend' --form ledger
            ledger:1bd55b1c56bb8f73@14 · score [SCORE] · work/technical · workspace:[ID]:global · confidence 1.00 · [NOW]
              user prefers backend Rust
            $ memtape tool call memory_recall '{"query":"backend"}'
            [ledger:1bd55b1c56bb8f73] user prefers backend Rust (100%)
            $ memtape forget ledger:1bd55b1c56bb8f73 --yes --reason 'asked to'
            ledger:1bd55b1c56bb8f73@14 · workspace:[ID]:global · user prefers backend Rust
            1 memory forgotten (an earlier point still shows it: --at)
            $ memtape show ledger:1bd55b1c56bb8f73
            ! error: ledger:1bd55b1c56bb8f73 is not current
            ! hint: an earlier point may show it: --at POINT
            [exit 3]
            $ memtape forget ledger:1bd55b1c56bb8f73 --yes
            ! error: ledger:1bd55b1c56bb8f73 is not current
            [exit 3]
        "#]],
    );
}

#[test]
fn a_fact_of_a_conversation_can_be_kept_for_good() {
    let home = home();
    let key = home.run("fact list --lifetime session --json").json()["facts"][0]["ref"].clone();
    let key = key.as_str().unwrap();
    home.check(
        &[
            "fact list --session telegram:1:other --subject user --predicate prefers",
            &format!("fact promote {key}"),
            &format!("fact promote {key}"),
            "fact list --session telegram:1:other --subject user --predicate prefers",
            "fact history user prefers --session telegram:1:other",
        ],
        &expect![[r#"
            $ memtape fact list --session telegram:1:other --subject user --predicate prefers
            ledger:c8cd02e8a340cb88@6 · permanent · user prefers dark mode (100%)
            $ memtape fact promote ledger:a58a795a2736c272@8
            added: user prefers cocoa (100%)
            ledger:1d95c22e1ea4cb7d@14, commit [ID]
            $ memtape fact promote ledger:a58a795a2736c272@8
            ! error: ledger:a58a795a2736c272@8 is not current
            [exit 3]
            $ memtape fact list --session telegram:1:other --subject user --predicate prefers
            ledger:1d95c22e1ea4cb7d@14 · permanent · channel:telegram:chat:1 · user prefers cocoa (100%)
            ledger:c8cd02e8a340cb88@6 · permanent · user prefers dark mode (100%)
            $ memtape fact history user prefers --session telegram:1:other
            ledger:1d95c22e1ea4cb7d@14 [NOW] add by user: permanent · user prefers cocoa (100%, source user_explicit)
            ledger:c8cd02e8a340cb88@6 [NOW] add by user: permanent · user prefers dark mode (100%, source user_explicit)
        "#]],
    );
}

#[test]
fn json_has_the_fields_of_document_1() {
    let home = home();
    let added = home.run("fact add user prefers 'light mode' --json").json();
    assert_eq!((&added["outcome"], &added["text"]), (&json!("replaced"), &json!("user prefers light mode")));
    assert_eq!(added["before"]["object"], "dark mode");
    for field in ["event", "commit"] {
        assert_eq!(added[field].as_str().unwrap().len(), 16, "{field}");
    }
    let shown = home.run(&format!("show {} --json", added["ref"].as_str().unwrap())).json();
    let fact = &shown[0]["fact"];
    assert_eq!((&fact["id"], &fact["parent_id"]), (&added["event"], &added["before"]["id"]));
    assert_eq!((&fact["event_type"], &fact["confidence"]), (&json!("modify"), &json!(1.0)));
    // Of a confidential fact only the ref is shown.
    let facts = home.run("fact list --subject safe --json").json();
    assert_eq!((&facts["facts"][0]["object"], &facts["facts"][0]["subject"]), (&json!(null), &json!(null)));
    let again = home.run("fact add safe 'opens with' 99 --json").json();
    assert_eq!(again["before"]["object"], json!(null));
    let ends = home.run("fact add shop is closed --days 2 --json").json();
    let shop = &home.run("fact list --subject shop --json").json()["facts"][0];
    assert_eq!((&shop["ref"], shop["expires_at"].is_string()), (&ends["ref"], true));
    let history = home.run("fact history user prefers --json").json();
    assert_eq!(history.as_array().unwrap().len(), 3, "{history}");
    let forgotten = home.run("fact forget user prefers --reason done --json").json();
    assert_eq!(forgotten["forgotten"].as_array().unwrap().len(), 1);
    let gone = home.run("fact history user prefers --lifetime permanent --json").json();
    assert_eq!(gone[0]["end"]["reason"], "done");
}

#[test]
fn the_listed_tools_are_the_callable_ones() {
    let home = Home::new();
    assert!(home.run("tool list").stdout.contains("memory_search"));
    let core = home.run("tool list --toolset core").stdout;
    assert!(core.contains("memory_add") && !core.contains("memory_search"), "{core}");
    let refused = home.run("tool call memory_search --toolset core");
    assert_eq!(refused.code, 5, "{}", refused.stderr);
    let call = |line: &str| home.run(&format!("tool call {line}")).stdout;
    let fact = r#"{"subject":"user","predicate":"prefers","object":"tea"}"#;
    let added = call(&format!("memory_add '{fact}' --session telegram:1"));
    assert!(
        added.starts_with(
            "✓ Memory stored\n  user prefers tea (90%)\nref: ledger:1d95c22e1ea4cb7d@5\ncommit: "
        )
    );
    let found = call("memory_search '{\"subject\":\"user\"}' --session telegram:2");
    assert_eq!(found, "No memories found matching your criteria.\n");
    let name = r#"{"subject":"user","predicate":"prefers"}"#;
    let gone = call(&format!("memory_forget '{name}' --session telegram:1"));
    assert!(gone.starts_with("✓ Memory forgotten\n  user prefers tea [permanent]\ncommit: "), "{gone}");
    home.check(&["tool list --toolset nothing"], &expect![[r#"
        $ memtape tool list --toolset nothing
        ! error: invalid value 'nothing' for '--toolset <TOOLSET>': unknown toolset "nothing": expected one of core, ledger, notes, blocks, owner
        !
        ! For more information, try '--help'.
        [exit 2]
    "#]]);
}
