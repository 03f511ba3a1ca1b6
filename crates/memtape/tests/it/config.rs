//! The configuration: its layers, their precedence, and the errors and warnings for invalid values.

mod errors;

use std::fs;
use std::path::Path;

use expect_test::{expect, expect_file};
use jiff::tz::TimeZone;
use memtape::config::{self, Backend, Config, Loaded, SettingOrigin, Sources};
use memtape::{Durability, ErrorKind, Form};
use tempfile::TempDir;

/// Directories with some files: `user/…` is the user's configuration, `work/…` the workspace.
struct Folders {
    dir: TempDir,
    environment: Vec<(String, String)>,
    flags: Vec<String>,
}

impl Folders {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), environment: Vec::new(), flags: Vec::new() }
    }

    fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    fn flag(mut self, flag: &str) -> Self {
        self.flags.push(flag.into());
        self
    }

    fn load(&self) -> memtape::Result<Loaded> {
        config::load(&Sources {
            user_dir: Some(self.dir.path().join("user")),
            workspace: Some(self.dir.path().join("work")),
            environment: self.environment.clone(),
            flags: self.flags.clone(),
        })
    }

    /// Returns the settings and warnings as text, or the error.
    fn shown(&self) -> String {
        let loaded = match self.load() {
            Ok(loaded) => loaded,
            Err(e) => {
                assert_eq!(e.kind(), ErrorKind::Invalid);
                return self.filtered(&format!("error: {e}\n"));
            }
        };
        let mut text = String::new();
        for setting in loaded.values.iter().filter(|setting| setting.origin != SettingOrigin::Default) {
            text += &format!("{} = {}   ({})\n", setting.key, setting.text(), setting.origin);
        }
        for warning in loaded.warnings.into_iter().chain(loaded.idle) {
            text += &format!("warning: {warning}\n");
        }
        self.filtered(&text)
    }

    fn filtered(&self, text: &str) -> String {
        text.replace(self.dir.path().to_str().unwrap(), "[DIR]")
    }
}

/// Returns the settings that each text gives as a file of the workspace.
fn of_files(name: &str, texts: &[&str]) -> String {
    let shown = |text: &&str| format!("{text}\n  -> {}", Folders::new().file(name, text).shown());
    texts.iter().map(shown).collect()
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is one table")]
fn the_defaults_are_those_of_the_workspace() {
    let config = Config::default();
    // The library does not read the time zone of the machine unless it is asked to.
    let loaded = Folders::new().load().unwrap().config;
    assert_eq!(config, Config { time_zone: TimeZone::UTC, ..loaded });
    assert_eq!(config, memtape::Options::default().config);
    assert_eq!(config.recall.weights.len(), Form::all().count());
    assert_eq!(config.recall.model, None);
    let values = Folders::new().load().unwrap().values;
    let lines: String = values.iter().map(|s| format!("{} = {}\n", s.key, s.text())).collect();
    expect![[r#"
        time_zone = "system"
        durability = "sync"
        lock_wait_seconds = 30
        upstream.freshness = "latest"
        upstream.wait_seconds = 15
        zone.retention_days = 30
        ledger.temporary_days = 7
        ledger.max_context_chars = 4000
        ledger.prune_below = 0.0
        ledger.prune_unused_days = 0
        ledger.commit_turns = 10
        notes.folders = ["facts", "episodes"]
        notes.assistant_folders = []
        notes.data_dir = ""
        notes.inject = "index"
        notes.list_chars = 4000
        files.git = "auto"
        blocks.max_chars = 5000
        blocks.index_items = 30
        blocks.index_days = 0
        consolidate.stale_days = 90
        recall.backend = "hybrid"
        recall.model = ""
        recall.max_results = 8
        recall.max_prompt_chars = 2400
        recall.floor = 0.2
        recall.user_layer_results = 2
        recall.weights.blocks.relevance = 0.65
        recall.weights.blocks.importance = 0.2
        recall.weights.blocks.recency = 0.15
        recall.weights.files.relevance = 0.65
        recall.weights.files.importance = 0.2
        recall.weights.files.recency = 0.15
        recall.weights.ledger.relevance = 0.65
        recall.weights.ledger.importance = 0.2
        recall.weights.ledger.recency = 0.15
        recall.weights.messages.relevance = 0.79
        recall.weights.messages.importance = 0.2
        recall.weights.messages.recency = 0.01
        recall.weights.notes.relevance = 0.65
        recall.weights.notes.importance = 0.2
        recall.weights.notes.recency = 0.15
        recall.weights.statements.relevance = 0.65
        recall.weights.statements.importance = 0.2
        recall.weights.statements.recency = 0.15
        recall.weights.zone.relevance = 0.65
        recall.weights.zone.importance = 0.2
        recall.weights.zone.recency = 0.15
        prompt.budget = 32000
        prompt.tokenizer = ""
        skills.folders = []
        turn.enabled = true
        turn.channels = ["*"]
        ingest.max_message_bytes = 1000000
        journal.reads = false
        memory_tool.overwrite = false
        capture.enabled = true
        capture.mode = "heuristic"
        capture.channels = ["*"]
        capture.min_confidence = 0.5
        capture.min_importance = 0.6
        capture.assistant = false
        capture.max_entries_per_turn = 4
        retention.episodic_days = 90
        retention.fact_days = 3650
        retention.preference_days = 3650
        retention.decision_days = 3650
        wal.enabled = true
        model.provider = "none"
        model.base_url = ""
        model.name = ""
        model.api_key_env = ""
        model.api_key_file = ""
        model.price_in = 0.0
        model.price_out = 0.0
        model.background.provider = "none"
        model.background.base_url = ""
        model.background.name = ""
        model.background.api_key_env = ""
        model.background.api_key_file = ""
        model.background.price_in = 0.0
        model.background.price_out = 0.0
        model.timeout_seconds = 300
        model.retries = 2
        model.max_tokens = 4096
        model.budget.turn_tokens = 200000
        model.budget.hour_tokens = 1000000
        model.budget.day_tokens = 5000000
        model.budget.day_cost = 0.0
        agent.rounds = 12
        mind.extract = true
        mind.turns = 2
        mind.personas = "switch"
        reflect.enabled = true
        reflect.channels = ["cli"]
        reflect.fact_files = ["user", "project", "preferences"]
        reflect.rounds = 5
        heartbeat.minutes = 30
        consolidate.episode_months = 6
    "#]]
    .assert_eq(&lines);
}

#[test]
fn a_later_layer_wins_key_by_key() {
    let all = Folders::new()
        .file("user/config.json", r#"{"memory":{"recall":{"maxResults":11,"maxPromptChars":1100,"userPreferenceLayerResults":1},"backend":"sqlite_fts"}}"#)
        .file("user/config.toml", "lock_wait_seconds = 2\nzone.retention_days = 2\ntime_zone = \"Europe/Berlin\"\nrecall.max_results = 12\nrecall.max_prompt_chars = 1200")
        .file("work/memtape.json", r#"{"memory":{"recall":{"maxResults":13}}}"#)
        .file("work/memtape.toml", "lock_wait_seconds = 4\nzone.retention_days = 4\nrecall.max_results = 14")
        .variable("MEMTAPE_LOCK_WAIT_SECONDS", "5")
        .variable("MEMTAPE_RECALL_MAX_RESULTS", "15")
        .flag("recall.max_results=16")
        .flag("recall.max_results=17");
    expect![[r#"
        time_zone = "Europe/Berlin"   ([DIR]/user/config.toml)
        lock_wait_seconds = 5   (MEMTAPE_LOCK_WAIT_SECONDS)
        zone.retention_days = 4   (memtape.toml)
        recall.backend = "sqlite_fts"   ([DIR]/user/config.json)
        recall.max_results = 17   (--config)
        recall.max_prompt_chars = 1200   ([DIR]/user/config.toml)
        recall.user_layer_results = 1   ([DIR]/user/config.json)
    "#]]
    .assert_eq(&all.shown());
    let config = all.load().unwrap().config;
    assert_eq!(config.recall.max_results, 17);
    assert_eq!(config.recall.backend, Backend::SqliteFts);
    assert_eq!(config.lock_wait.as_secs(), 5);
    assert_eq!(config.zone.retention_days, 4);
    assert_eq!(config.time_zone, TimeZone::get("Europe/Berlin").unwrap());
}

#[test]
fn a_file_may_set_every_key() {
    let folders = Folders::new().file(
        "user/config.toml",
        r#"
durability = "os"
recall.backend = "reserved_hybrid"
recall.model = "models/small"
[recall.weights]
zone = { relevance = 1, importance = 0, recency = 0.5e0 }
messages.recency = 0
[users]
ana = ["telegram:4711", "discord:a:b", "telegram:4711"]
"ben.b" = []
"#,
    );
    expect![[r#"
        durability = "os"   ([DIR]/user/config.toml)
        recall.backend = "hybrid"   ([DIR]/user/config.toml)
        recall.model = "[DIR]/user/models/small"   ([DIR]/user/config.toml)
        recall.weights.messages.recency = 0   ([DIR]/user/config.toml)
        recall.weights.zone.relevance = 1   ([DIR]/user/config.toml)
        recall.weights.zone.importance = 0   ([DIR]/user/config.toml)
        recall.weights.zone.recency = 0.5   ([DIR]/user/config.toml)
        users.ana = ["telegram:4711", "discord:a:b"]   ([DIR]/user/config.toml)
        users.ben.b = []   ([DIR]/user/config.toml)
    "#]]
    .assert_eq(&folders.shown());
    let config = folders.load().unwrap().config;
    assert_eq!(config.durability, Durability::Os);
    assert_eq!(config.recall.backend, Backend::Hybrid);
    assert_eq!(config.recall.model, Some(folders.dir.path().join("user/models/small")));
    assert_eq!(config.users["ana"], ["telegram:4711", "discord:a:b"]);
    assert!(config.users["ben.b"].is_empty());
    let weights = config.recall.weights[&Form::ZONE];
    assert_eq!((weights.relevance, weights.importance, weights.recency), (1.0, 0.0, 0.5));
}

#[test]
fn the_environment_and_flags_accept_every_kind_of_value() {
    let folders = Folders::new()
        .variable("MEMTAPE_TIME_ZONE", "Asia/Tokyo")
        .variable("MEMTAPE_RECALL_WEIGHTS_ZONE_RECENCY", " 0.3 ")
        .variable("MEMTAPE_RECALL_MODEL", "relative/model")
        .variable("MEMTAPE_USERS_ANA", "telegram:4711, discord:ana")
        .variable("MEMTAPE_RECALL_BACKEND", "")
        .variable("MEMTAPE_WORKSPACE", "/somewhere")
        .variable("MEMTAPE_BRANCH", "main")
        .variable("MEMTAPE_RECAL_BACKEND", "x")
        .variable("MEMTAPE_NOTHING_LIKE_IT", "x")
        .variable("PATH", "/bin")
        .flag(r#"users.ben=["telegram:1"]"#)
        .flag("users.eva=")
        .flag("recall.model=")
        .flag("durability=os");
    expect![[r#"
        time_zone = "Asia/Tokyo"   (MEMTAPE_TIME_ZONE)
        durability = "os"   (--config)
        recall.model = ""   (--config)
        recall.weights.zone.recency = 0.3   (MEMTAPE_RECALL_WEIGHTS_ZONE_RECENCY)
        users.ana = ["telegram:4711", "discord:ana"]   (MEMTAPE_USERS_ANA)
        users.ben = ["telegram:1"]   (--config)
        users.eva = []   (--config)
        warning: environment variable MEMTAPE_BRANCH sets no key
        warning: environment variable MEMTAPE_NOTHING_LIKE_IT sets no key
        warning: environment variable MEMTAPE_RECAL_BACKEND sets no key: did you mean MEMTAPE_RECALL_BACKEND?
    "#]]
    .assert_eq(&folders.shown());
    assert_eq!(folders.load().unwrap().config.recall.model, None);
}

/// The configuration of document 4, §9, as printed.
const DOCUMENT_4: &str = r#"{
  "memory": {
    "enabled": true,
    "dbPath": "~/.nanobot/memory/longterm.db",
    "backend": "sqlite_fts",
    "recall": {
      "maxResults": 8,
      "maxPromptChars": 2400,
      "userPreferenceLayerResults": 2
    },
    "capture": {
      "enabled": true,
      "mode": "heuristic",
      "minConfidence": 0.78,
      "minImportance": 0.6,
      "channels": ["cli", "telegram", "whatsapp", "discord", "feishu"],
      "captureAssistant": false,
      "maxEntriesPerTurn": 4
    },
    "retention": {
      "episodicDays": 90,
      "factDays": 3650,
      "preferenceDays": 3650,
      "decisionDays": 3650
    },
    "wal": {
      "enabled": true,
      "stateDir": "memory/session-state"
    },
    "embedding": {
      "enabled": false,
      "backend": "reserved_hybrid"
    }
  }
}
"#;

#[test]
fn document_4s_json_is_read_as_it_is_printed() {
    expect![[r#"
        recall.backend = "sqlite_fts"   (memtape.json)
        recall.max_results = 8   (memtape.json)
        recall.max_prompt_chars = 2400   (memtape.json)
        recall.user_layer_results = 2   (memtape.json)
        turn.enabled = true   (memtape.json)
        capture.enabled = true   (memtape.json)
        capture.mode = "heuristic"   (memtape.json)
        capture.channels = ["cli", "telegram", "whatsapp", "discord", "feishu"]   (memtape.json)
        capture.min_confidence = 0.78   (memtape.json)
        capture.min_importance = 0.6   (memtape.json)
        capture.assistant = false   (memtape.json)
        capture.max_entries_per_turn = 4   (memtape.json)
        retention.episodic_days = 90   (memtape.json)
        retention.fact_days = 3650   (memtape.json)
        retention.preference_days = 3650   (memtape.json)
        retention.decision_days = 3650   (memtape.json)
        wal.enabled = true   (memtape.json)
        warning: memtape.json: no effect (-C or MEMTAPE_WORKSPACE sets the workspace): memory.dbPath
        warning: memtape.json: no effect (the files are always in mirror/session-state): memory.wal.stateDir
        warning: memtape.json: no effect (recall.model selects the model): memory.embedding.backend
    "#]]
    .assert_eq(&Folders::new().file("work/memtape.json", DOCUMENT_4).shown());
    expect![[r#"
        recall.backend = "sqlite_fts"   ([DIR]/user/config.json)
        recall.max_results = 8   ([DIR]/user/config.json)
        recall.max_prompt_chars = 2400   ([DIR]/user/config.json)
        recall.user_layer_results = 2   ([DIR]/user/config.json)
        turn.enabled = true   ([DIR]/user/config.json)
        capture.enabled = true   ([DIR]/user/config.json)
        capture.mode = "heuristic"   ([DIR]/user/config.json)
        capture.channels = ["cli", "telegram", "whatsapp", "discord", "feishu"]   ([DIR]/user/config.json)
        capture.min_confidence = 0.78   ([DIR]/user/config.json)
        capture.min_importance = 0.6   ([DIR]/user/config.json)
        capture.assistant = false   ([DIR]/user/config.json)
        capture.max_entries_per_turn = 4   ([DIR]/user/config.json)
        retention.episodic_days = 90   ([DIR]/user/config.json)
        retention.fact_days = 3650   ([DIR]/user/config.json)
        retention.preference_days = 3650   ([DIR]/user/config.json)
        retention.decision_days = 3650   ([DIR]/user/config.json)
        wal.enabled = true   ([DIR]/user/config.json)
        warning: [DIR]/user/config.json: no effect (-C or MEMTAPE_WORKSPACE sets the workspace): memory.dbPath
        warning: [DIR]/user/config.json: no effect (the files are always in mirror/session-state): memory.wal.stateDir
        warning: [DIR]/user/config.json: no effect (recall.model selects the model): memory.embedding.backend
    "#]]
    .assert_eq(&Folders::new().file("user/config.json", DOCUMENT_4).shown());
}

#[test]
fn document_4s_keys_are_those_of_the_table() {
    expect![[r#"
        {"agents": {"x": 1}, "memory": {"recall": {"max_results": 9}}, "providers": []}
          -> recall.max_results = 9   (memtape.json)
        {"memory": {"backend": "reserved_hybrid", "embedding": {"enabled": false}}}
          -> recall.backend = "hybrid"   (memtape.json)
        {"memory": {"backend": "sqlite_fts", "embedding": {"enabled": true}}}
          -> recall.backend = "hybrid"   (memtape.json)
        {"memory": {"embedding": {"enabled": false}}}
          -> recall.backend = "sqlite_fts"   (memtape.json)
        {"memory": {"embedding": {"enabled": "no"}}}
          -> error: memtape.json: memory.embedding.enabled must be true or false, not "no"
        {"memory": {"embedding": {"backend": "reserved_hybrid"}, "wal": {}}}
          -> warning: memtape.json: no effect (recall.model selects the model): memory.embedding.backend
        {"memory": {"recall": {"maxResult": 9}}}
          -> error: memtape.json: unknown key "memory.recall.maxResult": did you mean "memory.recall.maxResults"?
        {"memory": {"recall": {"maxResults": "nine"}}}
          -> error: memtape.json: memory.recall.maxResults must be a whole number from 1 to 1000, not "nine"
        {"memory": {"recall": {"maxResults": null}}}
          -> error: memtape.json: memory.recall.maxResults must be a whole number from 1 to 1000, not null
        {"memory": {"recall": 3}}
          -> error: memtape.json: memory.recall must be an object, not 3
        {"memory": {"colour": {}}}
          -> error: memtape.json: unknown key "memory.colour": remove it
        {"memory": {"memory": {"backend": "hybrid"}}}
          -> error: memtape.json: unknown key "memory.memory.backend": did you mean "memory.backend"?
    "#]]
    .assert_eq(&of_files(
        "work/memtape.json",
        &[
            r#"{"agents": {"x": 1}, "memory": {"recall": {"max_results": 9}}, "providers": []}"#,
            r#"{"memory": {"backend": "reserved_hybrid", "embedding": {"enabled": false}}}"#,
            r#"{"memory": {"backend": "sqlite_fts", "embedding": {"enabled": true}}}"#,
            r#"{"memory": {"embedding": {"enabled": false}}}"#,
            r#"{"memory": {"embedding": {"enabled": "no"}}}"#,
            r#"{"memory": {"embedding": {"backend": "reserved_hybrid"}, "wal": {}}}"#,
            r#"{"memory": {"recall": {"maxResult": 9}}}"#,
            r#"{"memory": {"recall": {"maxResults": "nine"}}}"#,
            r#"{"memory": {"recall": {"maxResults": null}}}"#,
            r#"{"memory": {"recall": 3}}"#,
            r#"{"memory": {"colour": {}}}"#,
            r#"{"memory": {"memory": {"backend": "hybrid"}}}"#,
        ],
    ));
}

#[test]
fn a_setting_is_found_by_its_name() {
    let loaded = Folders::new().flag("users.ana=telegram:1").load().unwrap();
    assert_eq!(loaded.setting("recall.max_results").unwrap().value, 8);
    assert_eq!(loaded.setting("users.ana").unwrap().text(), "[\"telegram:1\"]");
    let error = |name: &str| {
        let e = loaded.setting(name).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::NotFound);
        format!("{e}\n")
    };
    let errors: String =
        ["recall.max_result", "recall", "recall.weights.zone", "users.ben", "x", ""].map(error).concat();
    expect![[r#"
        unknown key "recall.max_result": did you mean "recall.max_results"?
        "recall" is a group of keys: recall.backend, recall.model, recall.max_results, recall.max_prompt_chars, recall.floor, recall.user_layer_results, recall.weights.FORM.relevance, recall.weights.FORM.importance, recall.weights.FORM.recency
        "recall.weights.zone" is a group of keys: recall.weights.zone.relevance, recall.weights.zone.importance, recall.weights.zone.recency
        users.ben is not set
        unknown key "x": `memtape config` lists the keys
        unknown key "": `memtape config` lists the keys
    "#]]
    .assert_eq(&errors);
}

#[test]
fn the_page_is_the_table() {
    let page = config::reference();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/CONFIGURATION.md");
    expect_file![path].assert_eq(&page);
    let sample = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    assert_ne!(Folders::new().file("work/memtape.toml", sample).load().unwrap().config, Config::default());
}
