//! The notes of Basic Memory.

use expect_test::expect;
use memtape_import::Settings;

use crate::harness::{import, read, run, workspace};

#[test]
fn notes_stay_notes_and_relations_become_facts() {
    expect![[r#"
        Coffee Notes.md [Coffee Notes.md@2438dbb1816e8631] Note { path: "facts/Coffee Notes.md", text: "---\ntitle: Coffee Notes\npermalink: coffee-notes\n---\n\n- [method] Aeropress, 92 °C, 90 Sekunden\n- [secret] api_key = \"sk-proj-9f8Qm2Lx7VbT4nZc1Rk6Wd3Yp5Hs0JgA\"\n- brewed_by [[Ana]]\n- brewed_by [[Ana]]\n" }
        Coffee Notes.md:8 [2bfbd6f0ce89e4d0-b6041aea4afd60cc-dea210f058b407db] Fact(Fact { change: Record, subject: "Coffee Notes", predicate: "brewed_by", object: "Ana", topic: Some("to/Ana"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        Coffee Notes.md:9 [2bfbd6f0ce89e4d0-b6041aea4afd60cc-dea210f058b407db] Fact(Fact { change: Record, subject: "Coffee Notes", predicate: "brewed_by", object: "Ana", topic: Some("to/Ana"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        Ohne Kopf.md [Ohne Kopf.md@2c76a470ea0c03d5] Note { path: "facts/Ohne Kopf.md", text: "---\ntitle: [broken\n\nNo front matter ends here.\n- mag [[Kaffee]]\n" }
        Ohne Kopf.md:5 [4a6298066247ceff-f8685538bda2d6dc-8eb3d40b2c2eab6d] Fact(Fact { change: Record, subject: "Ohne Kopf", predicate: "mag", object: "Kaffee", topic: Some("to/Kaffee"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        conversations/extract.md [conversations/extract.md@1e270e6a37777b34] Note { path: "facts/conversations-extract.md", text: "---\ntitle: Extract\npermalink: extract\nbm_parse_semantics: false\n---\n- looks_like [[A relation]]\n" }
        empty.md skipped: it is empty
        specs-search-search index.md [specs-search-search index.md@73f53e4ba74cd16e] Note { path: "facts/specs-search-search index.md", text: "specs\n- x\n" }
        specs/search/Search Index.md [specs/search/Search Index.md@ad4610a0c8f84687] Note { path: "facts/specs-search-Search Index-94c39dd7.md", text: "---\ntitle: Search Index\ntype: spec\npermalink: specs/search/search-index\ntags:\n- search\n- storage\ncreated: '2026-01-10T09:00:00+01:00'\nmodified: '2026-02-01T12:30:00+01:00'\n---\n\n# Search Index\n\nThe index answers questions about notes. See [[Coffee Notes]] for why.\n\n## Observations\n\n- [decision] @effective:2026-02-01 Use SQLite FTS5 #storage #search (benchmarked in January)\n- [tech] Bigramme für 中文 #cjk\n- a line with a tag only #misc\n- [ ] a task\n- [x] a done task\n\n## Relations\n\n- depends_on [[Storage Layer]]\n- depends_on [[Tokenizer]] (for CJK)\n- \"is part of\" [[Platform]]\n- replaces [[Old Index]] #bm:links_to\n- see also [[Coffee Notes]] and others\n\n```md\n- not_a [[Relation]]\n```\n\n> - quoted [[Relation]]\n" }
        specs/search/Search Index.md:26 [aa675e5abb351a14-c2a0b72a30d819c4-1513d5140c6a465f] Fact(Fact { change: Record, subject: "Search Index", predicate: "depends_on", object: "Storage Layer", topic: Some("to/Storage Layer"), confidence: None, source: None, evidence: None, said_at: Some(2026-02-01T11:30:00Z), scope: Workspace, branch: None })
        specs/search/Search Index.md:27 [aa675e5abb351a14-c2a0b72a30d819c4-861ad9544c9c01c2] Fact(Fact { change: Record, subject: "Search Index", predicate: "depends_on", object: "Tokenizer", topic: Some("to/Tokenizer"), confidence: None, source: None, evidence: Some("for CJK"), said_at: Some(2026-02-01T11:30:00Z), scope: Workspace, branch: None })
        specs/search/Search Index.md:28 [aa675e5abb351a14-a9f156b099f1d280-c78ffe19571018fb] Fact(Fact { change: Record, subject: "Search Index", predicate: "is part of", object: "Platform", topic: Some("to/Platform"), confidence: None, source: None, evidence: None, said_at: Some(2026-02-01T11:30:00Z), scope: Workspace, branch: None })
        specs/search/Search Index.md:29 [aa675e5abb351a14-7114285570afe0bb-53879cf5a978df7f] Fact(Fact { change: Record, subject: "Search Index", predicate: "replaces", object: "Old Index", topic: Some("to/Old Index"), confidence: None, source: None, evidence: None, said_at: Some(2026-02-01T11:30:00Z), scope: Workspace, branch: None })
    "#]].assert_eq(&read("basic-memory/project"));
}

/// The fixture was written by basic-memory 0.24.1: with `tool write-note`, and with `import memory-json`.
#[test]
fn what_the_program_itself_wrote_is_read() {
    expect![[r#"
        Sourdough.md [Sourdough.md@3b2fe523236c45b1] Note { path: "facts/Sourdough.md", text: "---\ntitle: Sourdough\ntype: guide\npermalink: main/sourdough\n---\n\n# Sourdough\n- [比例] 水和面粉各半 #面包\n- feeds [[Bread oven]]" }
        Sourdough.md:9 [cc5f311946b38caa-eacacfab74cf6c8d-65f75caa82df54c0] Fact(Fact { change: Record, subject: "Sourdough", predicate: "feeds", object: "Bread oven", topic: Some("to/Bread oven"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        kitchen/baking/Bread oven.md [kitchen/baking/Bread oven.md@1d147c86e830ebc4] Note { path: "facts/kitchen-baking-Bread oven.md", text: "---\ntitle: Bread oven\ntype: note\npermalink: main/kitchen/baking/bread-oven\ntags:\n- brot\n- oven\n---\n\n# Bread oven\n\n## Observations\n- [temperature] 250 °C für 20 Minuten #brot (gemessen)\n- [decision] @effective:2026-06-10 Steam in the first ten minutes\n\n## Relations\n- part_of [[Kitchen]]\n- \"works with\" [[Sourdough]] (weekly)" }
        kitchen/baking/Bread oven.md:17 [65f75caa82df54c0-f394e7077977ae11-d98e82ae3ccb80a7] Fact(Fact { change: Record, subject: "Bread oven", predicate: "part_of", object: "Kitchen", topic: Some("to/Kitchen"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
        kitchen/baking/Bread oven.md:18 [65f75caa82df54c0-309d0299741af594-cc5f311946b38caa] Fact(Fact { change: Record, subject: "Bread oven", predicate: "works with", object: "Sourdough", topic: Some("to/Sourdough"), confidence: None, source: None, evidence: Some("weekly"), said_at: None, scope: Workspace, branch: None })
        person/Ana_Ruiz.md [person/Ana_Ruiz.md@bb6e4e79b66457b4] Note { path: "facts/person-Ana_Ruiz.md", text: "---\ntitle: Ana_Ruiz\ntype: person\npermalink: main/person/ana-ruiz\n---\n\n# Ana_Ruiz\n- [Note] Is allergic to cashews\n- works_at [[Nordkust]]\n" }
        person/Ana_Ruiz.md:9 [32d0ad299117ef11-eead661698c3bd75-a604c9b94cf6cbf4] Fact(Fact { change: Record, subject: "Ana_Ruiz", predicate: "works_at", object: "Nordkust", topic: Some("to/Nordkust"), confidence: None, source: None, evidence: None, said_at: None, scope: Workspace, branch: None })
    "#]].assert_eq(&read("basic-memory/written"));
}

#[test]
fn notes_are_imported() {
    expect![[r###"
        facts -> ledger: 6 added, 1 present, 0 left out
        notes -> notes: 5 added, 0 present, 0 left out
        left out empty.md: it is empty
        quarantined 0, captured 0
        == main
        ledger 2026-04-11T10:00:00Z "Coffee Notes brewed_by Ana"
        ledger 2026-04-11T10:00:00Z "Ohne Kopf mag Kaffee"
        ledger 2026-02-01T11:30:00Z "Search Index depends_on Storage Layer"
        ledger 2026-02-01T11:30:00Z "Search Index depends_on Tokenizer"
        ledger 2026-02-01T11:30:00Z "Search Index is part of Platform"
        ledger 2026-02-01T11:30:00Z "Search Index replaces Old Index"
        notes "---\ntitle: Coffee Notes\npermalink: coffee-notes\n---"
        notes "- [method] Aeropress, 92 °C, 90 Sekunden"
        notes "- [secret] api_key = \"[redacted:openai-key]\""
        notes "- brewed_by [[Ana]]"
        notes "- brewed_by [[Ana]]"
        notes "---\ntitle: [broken\n\nNo front matter ends here."
        notes "- mag [[Kaffee]]"
        notes "---\ntitle: Extract\npermalink: extract\nbm_parse_semantics: false\n---"
        notes "- looks_like [[A relation]]"
        notes "specs"
        notes "- x"
        notes "---\ntitle: Search Index\ntype: spec\npermalink: specs/search/search-index\ntags:\n- search\n- storage\ncreated: '2026-01-10T09:00:00+01:00'\nmodified: '2026-02-01T12:30:00+01:00'\n---\n\n# Search Index\n\nThe index answers questions about notes. See [[Coffee Notes]] for why."
        notes "## Observations\n\n- [decision] @effective:2026-02-01 Use SQLite FTS5 #storage #search (benchmarked in January)\n- [tech] Bigramme für 中文 #cjk\n- a line with a tag only #misc\n- [ ] a task\n- [x] a done task"
        notes "## Relations\n\n- depends_on [[Storage Layer]]\n- depends_on [[Tokenizer]] (for CJK)\n- \"is part of\" [[Platform]]\n- replaces [[Old Index]] #bm:links_to\n- see also [[Coffee Notes]] and others\n\n```md\n- not_a [[Relation]]\n```\n\n> - quoted [[Relation]]"
    "###]].assert_eq(&import("basic-memory/project"));
}

/// A permalink is unique in its project only.
#[test]
fn each_project_has_its_own_relations() {
    let (test, dir) = (workspace(), tempfile::tempdir().unwrap());
    for title in ["Alpha", "Beta"] {
        let project = dir.path().join(title);
        std::fs::create_dir(&project).unwrap();
        let note = format!("---\ntitle: {title}\npermalink: readme\n---\n- part_of [[Home]]\n");
        std::fs::write(project.join("readme.md"), note).unwrap();
        assert_eq!(
            run(&test.workspace, "basic-memory", &project, &Settings::default()).added(),
            2,
            "{title}"
        );
    }
}
