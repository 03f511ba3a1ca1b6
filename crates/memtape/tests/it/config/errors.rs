//! How a configuration that is not understood is explained.

use expect_test::expect;
use memtape::config::{self, Sources};

use super::{Folders, of_files};

#[test]
fn an_invalid_value_is_explained_with_its_position() {
    expect![[r#"
        time_zone = "Europe/Nowhere"
          -> error: memtape.toml, line 1: time_zone must be the name of a time zone, such as "Europe/Berlin", or "system", not "Europe/Nowhere"
        time_zone = 2026-01-01
          -> error: memtape.toml, line 1: time_zone must be the name of a time zone, such as "Europe/Berlin", or "system", not "2026-01-01"
        durability = true
          -> error: memtape.toml, line 1: durability must be "sync" or "os", not true
        lock_wait_seconds = -1
          -> error: memtape.toml, line 1: lock_wait_seconds must be a whole number from 0 to 86400, not -1
        lock_wait_seconds = 1e3
          -> error: memtape.toml, line 1: lock_wait_seconds must be a whole number from 0 to 86400, not 1000.0
        zone.retention_days = 99999999999999999999
          -> error: memtape.toml, line 1: zone.retention_days must be a whole number from 0 to 1000000, not "99999999999999999999"

        [recall]
        max_results = 0
          -> error: memtape.toml, line 3: recall.max_results must be a whole number from 1 to 1000, not 0
        recall.max_results = 1_001
          -> error: memtape.toml, line 1: recall.max_results must be a whole number from 1 to 1000, not 1001
        recall.max_results = 0x10
          -> recall.max_results = 16   (memtape.toml)
        recall.max_results = "8"
          -> error: memtape.toml, line 1: recall.max_results must be a whole number from 1 to 1000, not "8"
        recall.max_prompt_chars = 99
          -> error: memtape.toml, line 1: recall.max_prompt_chars must be a whole number from 100, not 99
        recall.backend = "vectors"
          -> error: memtape.toml, line 1: recall.backend must be "hybrid" or "sqlite_fts", not "vectors"
        users.ana = "telegram:1"
          -> error: memtape.toml, line 1: users.ana must be a list of "CHANNEL:ID", not "telegram:1"
        users.ana = ["telegram"]
          -> error: memtape.toml, line 1: users.ana must be a list of "CHANNEL:ID", not ["telegram"]
        users.ana = ["telegram:"]
          -> error: memtape.toml, line 1: users.ana must be a list of "CHANNEL:ID", not ["telegram:"]
        users.ana = [":1"]
          -> error: memtape.toml, line 1: users.ana must be a list of "CHANNEL:ID", not [":1"]
        users.ana = [1]
          -> error: memtape.toml, line 1: users.ana must be a list of "CHANNEL:ID", not [1]
        [users.ana]
        telegram = "1"
          -> error: memtape.toml, line 1: users.ana must be a list of "CHANNEL:ID", not {"telegram":"1"}
        recall.backend = "a very long text that goes on and on and on and on and on and on"
          -> error: memtape.toml, line 1: recall.backend must be "hybrid" or "sqlite_fts", not "a very long text that goes on and on and on and on and on a…
    "#]]
    .assert_eq(&of_files(
        "work/memtape.toml",
        &[
            "time_zone = \"Europe/Nowhere\"",
            "time_zone = 2026-01-01",
            "durability = true",
            "lock_wait_seconds = -1",
            "lock_wait_seconds = 1e3",
            "zone.retention_days = 99999999999999999999",
            "\n[recall]\nmax_results = 0",
            "recall.max_results = 1_001",
            "recall.max_results = 0x10",
            "recall.max_results = \"8\"",
            "recall.max_prompt_chars = 99",
            "recall.backend = \"vectors\"",
            "users.ana = \"telegram:1\"",
            "users.ana = [\"telegram\"]",
            "users.ana = [\"telegram:\"]",
            "users.ana = [\":1\"]",
            "users.ana = [1]",
            "[users.ana]\ntelegram = \"1\"",
            "recall.backend = \"a very long text that goes on and on and on and on and on and on\"",
        ],
    ));
}

#[test]
fn a_number_outside_its_range_is_explained() {
    expect![[r#"
        recall.weights.zone.recency = -0.1
          -> error: memtape.toml, line 1: recall.weights.zone.recency must be a number from 0, not -0.1
        recall.weights.zone.recency = nan
          -> error: memtape.toml, line 1: recall.weights.zone.recency must be a number from 0, not "nan"
        recall.weights.zone.recency = inf
          -> error: memtape.toml, line 1: recall.weights.zone.recency must be a number from 0, not "inf"
        recall.floor = 1.5
          -> error: memtape.toml, line 1: recall.floor must be a number from 0 to 1, not 1.5
        ledger.prune_below = 50
          -> error: memtape.toml, line 1: ledger.prune_below must be a number from 0 to 1, not 50
        capture.min_confidence = 7
          -> error: memtape.toml, line 1: capture.min_confidence must be a number from 0 to 1, not 7
        capture.min_importance = 1.01
          -> error: memtape.toml, line 1: capture.min_importance must be a number from 0 to 1, not 1.01
    "#]]
    .assert_eq(&of_files(
        "work/memtape.toml",
        &[
            "recall.weights.zone.recency = -0.1",
            "recall.weights.zone.recency = nan",
            "recall.weights.zone.recency = inf",
            "recall.floor = 1.5",
            "ledger.prune_below = 50",
            "capture.min_confidence = 7",
            "capture.min_importance = 1.01",
        ],
    ));
}

#[test]
fn a_wrong_value_of_a_variable_or_flag_is_explained() {
    let variable = |name: &str, text: &str| Folders::new().variable(name, text).shown();
    let flag = |text: &str| Folders::new().flag(text).shown();
    let texts = [
        variable("MEMTAPE_RECALL_MAX_RESULTS", "many"),
        variable("MEMTAPE_RECALL_WEIGHTS_ZONE_RECENCY", "inf"),
        variable("MEMTAPE_USERS_ANA", "telegram"),
        flag("recall.max_results=1.5"),
        flag("recall.max_results"),
        flag("=1"),
        flag("recall.model=~/model"),
        flag("limit=3"),
    ];
    expect![[r#"
        error: MEMTAPE_RECALL_MAX_RESULTS: recall.max_results must be a whole number from 1 to 1000, not "many"
        error: MEMTAPE_RECALL_WEIGHTS_ZONE_RECENCY: recall.weights.zone.recency must be a number from 0, not "inf"
        error: MEMTAPE_USERS_ANA: users.ana must be a list of "CHANNEL:ID", not ["telegram"]
        error: --config: recall.max_results must be a whole number from 1 to 1000, not "1.5"
        error: --config: invalid setting "recall.max_results": expected KEY=VALUE
        error: --config: unknown key "": `memtape config` lists the keys
        error: --config: recall.model must be the path of a directory (no ~), not "~/model"
        error: --config: unknown key "limit": `memtape config` lists the keys
    "#]]
    .assert_eq(&texts.concat());
}

#[test]
fn an_unknown_key_names_the_nearest() {
    expect![[r#"
        time_zone = "UTC"

        recal.backend = "hybrid"
          -> error: memtape.toml, line 3: unknown key "recal.backend": did you mean "recall.backend"?
        [recall]
        backends = "hybrid"
          -> error: memtape.toml, line 2: unknown key "recall.backends": did you mean "recall.backend"?
        max_results = 3
          -> error: memtape.toml, line 1: unknown key "max_results": did you mean "recall.max_results"?
        recall.maxResults = 3
          -> error: memtape.toml, line 1: unknown key "recall.maxResults": did you mean "recall.max_results"?
        timezone = "UTC"
          -> error: memtape.toml, line 1: unknown key "timezone": did you mean "time_zone"?
        recall.weights.facts.relevance = 1
          -> error: memtape.toml, line 1: unknown key "recall.weights.facts.relevance": did you mean "recall.weights.files.relevance"?
        recall.weights.zone.relevanse = 1
          -> error: memtape.toml, line 1: unknown key "recall.weights.zone.relevanse": did you mean "recall.weights.zone.relevance"?
        [user]
        ana = []
          -> error: memtape.toml, line 2: unknown key "user.ana": did you mean "users.ana"?
        users."" = []
          -> error: memtape.toml, line 1: unknown key "users.": `memtape config` lists the keys
        recall = 3
          -> error: memtape.toml, line 1: "recall" is a group of keys: recall.backend, recall.model, recall.max_results, recall.max_prompt_chars, recall.floor, recall.user_layer_results, recall.weights.FORM.relevance, recall.weights.FORM.importance, recall.weights.FORM.recency
        users = []
          -> error: memtape.toml, line 1: "users" is a group of keys: users.NAME
        recall.weights.zone = 1
          -> error: memtape.toml, line 1: "recall.weights.zone" is a group of keys: recall.weights.zone.relevance, recall.weights.zone.importance, recall.weights.zone.recency
        [recall]
          -> [colours]
          -> error: memtape.toml, line 1: unknown key "colours": `memtape config` lists the keys
        colour = "green"
          -> error: memtape.toml, line 1: unknown key "colour": `memtape config` lists the keys
        "recall.max_results" = 3
          -> recall.max_results = 3   (memtape.toml)
        [memory.recall]
        maxResults = 3
          -> error: memtape.toml, line 2: unknown key "memory.recall.maxResults": did you mean "recall.max_results"?
    "#]]
    .assert_eq(&of_files(
        "work/memtape.toml",
        &[
            "time_zone = \"UTC\"\n\nrecal.backend = \"hybrid\"",
            "[recall]\nbackends = \"hybrid\"",
            "max_results = 3",
            "recall.maxResults = 3",
            "timezone = \"UTC\"",
            "recall.weights.facts.relevance = 1",
            "recall.weights.zone.relevanse = 1",
            "[user]\nana = []",
            "users.\"\" = []",
            "recall = 3",
            "users = []",
            "recall.weights.zone = 1",
            "[recall]",
            "[colours]",
            "colour = \"green\"",
            "\"recall.max_results\" = 3",
            "[memory.recall]\nmaxResults = 3",
        ],
    ));
}

#[test]
fn a_syntax_error_names_its_position() {
    let texts = [
        of_files("work/memtape.toml", &["a = ", "a = 1\n\nb == 2", "a = 1\na = 2", "[a\n", "a = \"x\nb = 1"]),
        of_files("user/config.toml", &["a b = 1"]),
        of_files("work/memtape.json", &["", "{\n\"memory\": ", "[]", "3", r#"{"memory": 3}"#, "{}"]),
        Folders::new().file("work/memtape.toml", b"a = \"\xff\"").shown(),
        Folders::new().file("work/memtape.toml/inside", "").shown(),
        Folders::new().file("work", "a file").shown(),
        Folders::new().file("work/memtape.toml", "\u{feff}durability = \"os\"").shown(),
        Folders::new().file("work/memtape.json", "\u{feff}{\"memory\": {\"backend\": \"hybrid\"}}").shown(),
    ];
    expect![[r#"
        a = 
          -> error: memtape.toml, line 1: invalid TOML: string values must be quoted, expected literal string
        a = 1

        b == 2
          -> error: memtape.toml, line 3: invalid TOML: extra `=`, expected nothing
        a = 1
        a = 2
          -> error: memtape.toml, line 2: invalid TOML: duplicate key
        [a

          -> error: memtape.toml, line 1: invalid TOML: unclosed table, expected `]`
        a = "x
        b = 1
          -> error: memtape.toml, line 1: invalid TOML: invalid basic string, expected `"`
        a b = 1
          -> error: [DIR]/user/config.toml, line 1: invalid TOML: key with no value, expected `=`

          -> error: memtape.json, line 1: invalid JSON: EOF while parsing a value
        {
        "memory": 
          -> error: memtape.json, line 2: invalid JSON: EOF while parsing a value
        []
          -> error: memtape.json: not a configuration: expected {"memory": {...}}
        3
          -> error: memtape.json: not a configuration: expected {"memory": {...}}
        {"memory": 3}
          -> error: memtape.json: memory must be an object, not 3
        {}
          -> error: memtape.toml: not UTF-8
        error: memtape.toml: cannot read it: Is a directory (os error 21)
        durability = "os"   (memtape.toml)
        recall.backend = "hybrid"   (memtape.json)
    "#]]
    .assert_eq(&texts.concat());
}

#[test]
fn owner_only_keys_come_only_from_the_owner() {
    let model = "[recall]\nmodel = \"/models/other\"";
    let workspace = Folders::new().file("work/memtape.toml", model);
    let own = Folders::new().file("user/config.toml", model);
    let nowhere = Sources { workspace: Some(workspace.dir.path().join("work")), ..Sources::default() };
    let texts = [
        workspace.shown(),
        format!("error: {}\n", config::load(&nowhere).unwrap_err()),
        own.shown(),
        Folders::new().variable("MEMTAPE_RECALL_MODEL", "/models/other").shown(),
        Folders::new().flag("recall.model=/models/other").shown(),
    ];
    expect![[r#"
        error: memtape.toml, line 2: a workspace cannot set recall.model: set it in [DIR]/user/config.toml, or with MEMTAPE_RECALL_MODEL or --config
        error: memtape.toml, line 2: a workspace cannot set recall.model: set it in ~/.config/memtape/config.toml, or with MEMTAPE_RECALL_MODEL or --config
        recall.model = "/models/other"   ([DIR]/user/config.toml)
        recall.model = "/models/other"   (MEMTAPE_RECALL_MODEL)
        recall.model = "/models/other"   (--config)
    "#]]
    .assert_eq(&texts.concat());
}

#[test]
fn an_identity_belongs_to_one_person() {
    let texts = [
        Folders::new().file("work/memtape.toml", "[users]\nana = [\"telegram:1\"]\nben = [\"telegram:1\"]"),
        Folders::new()
            .file("user/config.toml", "[users]\nben = [\"telegram:1\", \"discord:1\"]")
            .file("work/memtape.toml", "[users]\nana = [\"discord:1\"]"),
        Folders::new()
            .file("user/config.toml", "[users]\nana = [\"telegram:1\"]")
            .file("work/memtape.toml", "[users]\nana = [\"telegram:2\"]\nben = [\"telegram:1\"]"),
    ];
    expect![[r#"
        error: "telegram:1" is in both users.ana (memtape.toml) and users.ben (memtape.toml): an identity belongs to one person, so remove it from one of them
        error: "discord:1" is in both users.ana (memtape.toml) and users.ben ([DIR]/user/config.toml): an identity belongs to one person, so remove it from one of them
        users.ana = ["telegram:2"]   (memtape.toml)
        users.ben = ["telegram:1"]   (memtape.toml)
    "#]]
    .assert_eq(&texts.iter().map(Folders::shown).collect::<String>());
}

#[test]
fn a_folder_of_the_agent_is_one_of_the_notes() {
    let folders = Folders::new().flag(r#"notes.assistant_folders=["claude"]"#);
    let why = folders.load().err().map(|e| e.to_string()).unwrap_or_default();
    assert!(why.contains(r#"has "claude", which is not in notes.folders: add it there"#), "{why}");
    let both = folders.flag(r#"notes.folders=["facts", "claude"]"#);
    assert_eq!(both.load().unwrap().config.notes.assistant_folders, ["claude"]);
}
