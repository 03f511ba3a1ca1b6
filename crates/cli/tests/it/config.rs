//! `config`: every key with its value and origin.

use expect_test::expect;

use crate::harness::Home;

#[test]
#[allow(clippy::too_many_lines, reason = "it is one page")]
fn every_key_is_printed_with_its_source() {
    let home = Home::new();
    home.write_own("config.toml", "time_zone = \"Europe/Lisbon\"\nrecall.model = \"/models/small\"\n");
    home.write(
        "memtape.toml",
        "[recall]\nmax_results = 12\n[users]\nana = [\"telegram:4711\", \"discord:ana\"]\n",
    );
    home.command("config --config zone.retention_days=0")
        .env("MEMTAPE_DURABILITY", "os")
        .env("MEMTAPE_RECALL_LIMIT", "3")
        .run()
        .check(&expect![[r#"
            time_zone = "Europe/Lisbon"                               ([CONFIG]/memtape/config.toml)
            durability = "os"                                         (MEMTAPE_DURABILITY)
            lock_wait_seconds = 30                                    (default)
            upstream.freshness = "latest"                             (default)
            upstream.wait_seconds = 15                                (default)
            zone.retention_days = 0                                   (--config)
            ledger.temporary_days = 7                                 (default)
            ledger.max_context_chars = 4000                           (default)
            ledger.prune_below = 0.0                                  (default)
            ledger.prune_unused_days = 0                              (default)
            ledger.commit_turns = 10                                  (default)
            notes.folders = ["facts", "episodes"]                     (default)
            notes.assistant_folders = []                              (default)
            notes.data_dir = ""                                       (default)
            notes.inject = "index"                                    (default)
            notes.list_chars = 4000                                   (default)
            files.git = "auto"                                        (default)
            blocks.max_chars = 5000                                   (default)
            blocks.index_items = 30                                   (default)
            blocks.index_days = 0                                     (default)
            consolidate.stale_days = 90                               (default)
            recall.backend = "hybrid"                                 (default)
            recall.model = "/models/small"                            ([CONFIG]/memtape/config.toml)
            recall.max_results = 12                                   (memtape.toml)
            recall.max_prompt_chars = 2400                            (default)
            recall.floor = 0.2                                        (default)
            recall.user_layer_results = 2                             (default)
            recall.weights.blocks.relevance = 0.65                    (default)
            recall.weights.blocks.importance = 0.2                    (default)
            recall.weights.blocks.recency = 0.15                      (default)
            recall.weights.files.relevance = 0.65                     (default)
            recall.weights.files.importance = 0.2                     (default)
            recall.weights.files.recency = 0.15                       (default)
            recall.weights.ledger.relevance = 0.65                    (default)
            recall.weights.ledger.importance = 0.2                    (default)
            recall.weights.ledger.recency = 0.15                      (default)
            recall.weights.messages.relevance = 0.79                  (default)
            recall.weights.messages.importance = 0.2                  (default)
            recall.weights.messages.recency = 0.01                    (default)
            recall.weights.notes.relevance = 0.65                     (default)
            recall.weights.notes.importance = 0.2                     (default)
            recall.weights.notes.recency = 0.15                       (default)
            recall.weights.statements.relevance = 0.65                (default)
            recall.weights.statements.importance = 0.2                (default)
            recall.weights.statements.recency = 0.15                  (default)
            recall.weights.zone.relevance = 0.65                      (default)
            recall.weights.zone.importance = 0.2                      (default)
            recall.weights.zone.recency = 0.15                        (default)
            prompt.budget = 32000                                     (default)
            prompt.tokenizer = ""                                     (default)
            skills.folders = []                                       (default)
            turn.enabled = true                                       (default)
            turn.channels = ["*"]                                     (default)
            ingest.max_message_bytes = 1000000                        (default)
            journal.reads = false                                     (default)
            memory_tool.overwrite = false                             (default)
            capture.enabled = true                                    (default)
            capture.mode = "heuristic"                                (default)
            capture.channels = ["*"]                                  (default)
            capture.min_confidence = 0.5                              (default)
            capture.min_importance = 0.6                              (default)
            capture.assistant = false                                 (default)
            capture.max_entries_per_turn = 4                          (default)
            retention.episodic_days = 90                              (default)
            retention.fact_days = 3650                                (default)
            retention.preference_days = 3650                          (default)
            retention.decision_days = 3650                            (default)
            wal.enabled = true                                        (default)
            model.provider = "none"                                   (default)
            model.base_url = ""                                       (default)
            model.name = ""                                           (default)
            model.api_key_env = ""                                    (default)
            model.api_key_file = ""                                   (default)
            model.price_in = 0.0                                      (default)
            model.price_out = 0.0                                     (default)
            model.background.provider = "none"                        (default)
            model.background.base_url = ""                            (default)
            model.background.name = ""                                (default)
            model.background.api_key_env = ""                         (default)
            model.background.api_key_file = ""                        (default)
            model.background.price_in = 0.0                           (default)
            model.background.price_out = 0.0                          (default)
            model.timeout_seconds = 300                               (default)
            model.retries = 2                                         (default)
            model.max_tokens = 4096                                   (default)
            model.budget.turn_tokens = 200000                         (default)
            model.budget.hour_tokens = 1000000                        (default)
            model.budget.day_tokens = 5000000                         (default)
            model.budget.day_cost = 0.0                               (default)
            agent.rounds = 12                                         (default)
            mind.extract = true                                       (default)
            mind.turns = 2                                            (default)
            mind.personas = "switch"                                  (default)
            reflect.enabled = true                                    (default)
            reflect.channels = ["cli"]                                (default)
            reflect.fact_files = ["user", "project", "preferences"]   (default)
            reflect.rounds = 5                                        (default)
            heartbeat.minutes = 30                                    (default)
            consolidate.episode_months = 6                            (default)
            users.ana = ["telegram:4711", "discord:ana"]              (memtape.toml)
            ! warning: environment variable MEMTAPE_RECALL_LIMIT sets no key
        "#]]);
    home.check(
        &["config recall.max_results", "config users.ana", "config time_zone --json"],
        &expect![[r#"
            $ memtape config recall.max_results
            recall.max_results = 12   (memtape.toml)
            $ memtape config users.ana
            users.ana = ["telegram:4711", "discord:ana"]   (memtape.toml)
            $ memtape config time_zone --json
            [{"key":"time_zone","value":"Europe/Lisbon","origin":"user_file","file":"[CONFIG]/memtape/config.toml"}]
        "#]],
    );
    let all = home.run("config --json").json();
    assert_eq!(all.as_array().unwrap().len(), 100);
    assert_eq!(all[2], serde_json::json!({"key": "lock_wait_seconds", "value": 30, "origin": "default"}));
}

#[test]
fn json_includes_the_sources_of_a_value() {
    let home = Home::new();
    home.write("memtape.json", r#"{"memory": {"recall": {"maxResults": 9}}}"#);
    home.check(
        &[
            "config recall.max_results --json",
            "config recall.max_results --json --config recall.max_results=3",
        ],
        &expect![[r#"
            $ memtape config recall.max_results --json
            [{"key":"recall.max_results","value":9,"origin":"workspace_file","file":"[DIR]/memtape.json"}]
            $ memtape config recall.max_results --json --config recall.max_results=3
            [{"key":"recall.max_results","value":3,"origin":"flag"}]
        "#]],
    );
    let ran = home.command("config recall.max_results --json").env("MEMTAPE_RECALL_MAX_RESULTS", "4").run();
    ran.check(&expect![[r#"
        [{"key":"recall.max_results","value":4,"origin":"environment","variable":"MEMTAPE_RECALL_MAX_RESULTS"}]
    "#]]);
}

#[test]
fn flags_apply_at_any_position() {
    let home = Home::bare();
    for line in [
        "--config recall.max_results=3 --config zone.retention_days=4 config",
        "--config recall.max_results=3 config --config zone.retention_days=4",
        "config --config recall.max_results=3 --config=zone.retention_days=4",
        "--config recall.max_results=2 config --config zone.retention_days=4 --config recall.max_results=3",
    ] {
        let all = home.command(line).arg("--json").run().json();
        let set = all.as_array().unwrap().iter().filter(|setting| setting["origin"] == "flag");
        let set: Vec<_> = set.map(|setting| setting["value"].to_string()).collect();
        assert_eq!(set, ["4", "3"], "{line}");
    }
}

#[test]
fn it_makes_no_workspace_and_needs_none() {
    let home = Home::bare();
    home.write_own("config.toml", "recall.max_results = 7");
    home.write("other/memtape.toml", "recall.max_results = 6");
    home.check(
        &[
            "config recall.max_results",
            "-C nowhere config recall.max_results",
            "-C other config recall.max_results",
        ],
        &expect![[r#"
            $ memtape config recall.max_results
            recall.max_results = 7   ([CONFIG]/memtape/config.toml)
            $ memtape -C nowhere config recall.max_results
            recall.max_results = 7   ([CONFIG]/memtape/config.toml)
            $ memtape -C other config recall.max_results
            recall.max_results = 6   (memtape.toml)
        "#]],
    );
    assert!(!home.at_home(".memtape").exists());
    assert!(!home.path("nowhere").exists());
}

#[test]
fn a_config_error_names_its_position() {
    let home = Home::new();
    home.check(
        &[
            "config recall.max_result",
            "config recall",
            "config users.ana",
            "config time_zone --at 3",
            "config --config recall.max_results=0",
            "config --config recal.backend=hybrid",
            "config --config time_zone --json",
        ],
        &expect![[r#"
            $ memtape config recall.max_result
            ! error: unknown key "recall.max_result": did you mean "recall.max_results"?
            [exit 3]
            $ memtape config recall
            ! error: "recall" is a group of keys: recall.backend, recall.model, recall.max_results, recall.max_prompt_chars, recall.floor, recall.user_layer_results, recall.weights.FORM.relevance, recall.weights.FORM.importance, recall.weights.FORM.recency
            [exit 3]
            $ memtape config users.ana
            ! error: users.ana is not set
            [exit 3]
            $ memtape config time_zone --at 3
            ! error: unexpected argument '--at' found
            !
            ! Usage: memtape config <KEY>
            !
            ! For more information, try '--help'.
            [exit 2]
            $ memtape config --config recall.max_results=0
            ! error: --config: recall.max_results must be a whole number from 1 to 1000, not 0
            [exit 2]
            $ memtape config --config recal.backend=hybrid
            ! error: --config: unknown key "recal.backend": did you mean "recall.backend"?
            [exit 2]
            $ memtape config --config time_zone --json
            ! {"error":{"kind":"invalid","message":"--config: invalid setting \"time_zone\": expected KEY=VALUE","hint":null}}
            [exit 2]
        "#]],
    );
    home.write("memtape.toml", "[recall]\nmodel = \"models\"\n");
    home.run("config").check(&expect![[r#"
        ! error: memtape.toml, line 2: a workspace cannot set recall.model: set it in [CONFIG]/memtape/config.toml, or with MEMTAPE_RECALL_MODEL or --config
        [exit 2]
    "#]]);
    home.write("memtape.toml", "[recall\n");
    home.run("config").check(&expect![[r#"
        ! error: memtape.toml, line 1: invalid TOML: unclosed table, expected `]`
        [exit 2]
    "#]]);
    let ran = home.command("config").env("MEMTAPE_TIME_ZONE", "Mars/Olympus").run();
    assert_eq!(ran.code, 2, "{}", ran.snapshot());
}

#[test]
fn a_key_without_effect_is_reported_once_per_workspace() {
    let home = Home::new();
    home.write("memtape.json", r#"{"memory": {"dbPath": "/x", "recall": {"maxResults": 9}}}"#);
    let warnings = |line: &str| {
        let ran = home.run(line);
        assert_eq!(ran.code, 0, "{}", ran.snapshot());
        ran.stderr.matches("no effect").count()
    };
    assert_eq!(warnings("status"), 1);
    assert_eq!(warnings("status"), 0);
    assert_eq!(warnings("remember tea"), 0);
    // `config` itself always reports it.
    assert_eq!(warnings("config recall.max_results"), 1);
    home.write("memtape.json", r#"{"memory": {"wal": {"stateDir": "/x"}}}"#);
    assert_eq!(warnings("status"), 1);
    // A misspelled name is reported until it is corrected.
    for _ in 0..2 {
        let ran = home.command("status").env("MEMTAPE_RECALL_LIMIT", "3").run();
        assert!(ran.stderr.contains("MEMTAPE_RECALL_LIMIT sets no key"), "{}", ran.stderr);
    }
}

/// Without a setting, days and printed times are those of the machine's time zone.
#[test]
fn the_time_zone_is_that_of_the_machine_unless_one_is_set() {
    let home = Home::new();
    let line = r#"{"role":"user","content":"tea","date":"2024-02-10T23:30:00Z"}"#;
    home.command("ingest -").stdin(line).run().raw();
    let said = |zone: &str, flags: &str| {
        let ran = home.command(&format!("recall tea {flags}")).env("TZ", zone).run();
        ran.raw().lines().next().unwrap_or_default().rsplit(" · ").next().unwrap_or_default().to_owned()
    };
    assert_eq!(said("UTC", ""), "2024-02-10 23:30");
    assert_eq!(said("Asia/Tokyo", ""), "2024-02-11 08:30");
    assert_eq!(said("Asia/Tokyo", "--config time_zone=Europe/Lisbon"), "2024-02-10 23:30");
    assert_eq!(said("Asia/Tokyo", "--config time_zone=UTC"), "2024-02-10 23:30");
    let shown = home.command("show messages:4").env("TZ", "Asia/Tokyo").run();
    assert!(shown.raw().contains("2024-02-11 08:30:00 JST"), "{}", shown.snapshot());
    // These zones are 26 hours apart, so today is never the same day in both.
    for zone in ["Pacific/Kiritimati", "Etc/GMT+12"] {
        home.command("zone daily tea").env("TZ", zone).run().raw();
    }
    let days = home.run("zone show --json").json()["dailies"].as_object().unwrap().len();
    assert_eq!(days, 2);
    let shown = home.command("config time_zone --json").env("TZ", "Asia/Tokyo").run().json();
    assert_eq!(shown[0]["value"], "system");
}
