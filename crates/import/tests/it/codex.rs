//! Sessions of Codex.

use expect_test::expect;

use crate::harness::{import, read};

#[test]
fn sessions_of_three_generations_are_read() {
    expect![[r##"
        memories/MEMORY.md [memories/MEMORY.md@033f39ab5cd1d4bc] Note { path: "facts/codex-MEMORY.md", text: "# Memory\n\n- Ana releases on Tuesdays.\n" }
        sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl:5 [5973b6c0-94b8-487b-a530-2aeb6098ae0e:5] Message(Message { session: Some("project:%2Fhome%2Fana%2Flegacy:5973b6c0-94b8-487b-a530-2aeb6098ae0e"), user: Some("owner"), role: "user", text: "¿Qué hace este repositorio?", name: None, said_at: Some(2025-08-20T10:00:00Z) })
        sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl:9 [5973b6c0-94b8-487b-a530-2aeb6098ae0e:9] Message(Message { session: Some("project:%2Fhome%2Fana%2Flegacy:5973b6c0-94b8-487b-a530-2aeb6098ae0e"), user: None, role: "assistant", text: "Convierte recetas a unidades métricas.", name: None, said_at: Some(2025-08-20T10:00:00Z) })
        sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl skipped: 7 lines without a prompt or a reply
        sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl:4 [0199a2d7-41c4-78b1-b7cc-a45d62a89cd5:4] Message(Message { session: Some("project:github.com%2Fana%2Fapp:0199a2d7-41c4-78b1-b7cc-a45d62a89cd5"), user: Some("owner"), role: "user", text: "Warum ist der Parser langsam?", name: None, said_at: Some(2025-10-02T09:00:02Z) })
        sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl:5 [0199a2d7-41c4-78b1-b7cc-a45d62a89cd5:5] Message(Message { session: Some("project:github.com%2Fana%2Fapp:0199a2d7-41c4-78b1-b7cc-a45d62a89cd5"), user: None, role: "assistant", text: "Er kopiert jede Zeile.", name: None, said_at: Some(2025-10-02T09:00:09Z) })
        sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl skipped: 5 lines without a prompt or a reply
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:4 [019ce000-0000-7000-8000-000000000001:4] Message(Message { session: Some("project:github.com%2Fana%2Fapp:019ce000-0000-7000-8000-000000000001"), user: Some("owner"), role: "user", text: "把解析器改快一点", name: None, said_at: Some(2026-06-16T08:00:01Z) })
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:7 [019ce000-0000-7000-8000-000000000001:7] Message(Message { session: Some("project:github.com%2Fana%2Fapp:019ce000-0000-7000-8000-000000000001"), user: None, role: "assistant", text: "I borrow the lines instead of copying them.", name: None, said_at: Some(2026-06-16T08:00:04Z) })
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:12 [019ce000-0000-7000-8000-000000000001:12] Message(Message { session: Some("project:github.com%2Fana%2Fapp:019ce000-0000-7000-8000-000000000001"), user: None, role: "assistant", text: "Done: twice as fast.", name: None, said_at: Some(2026-06-16T08:00:08Z) })
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:13 skipped: the line is not JSON: expected ident
        sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl skipped: 9 lines without a prompt or a reply
        archived_sessions/rollout-2026-05-01T08-00-00-019ce000-0000-7000-8000-000000000003.jsonl.zst skipped: it is compressed: unpack it with `zstd -d`, and import again
        archived_sessions/rollout-2026-05-02T08-00-00-019ce000-0000-7000-8000-000000000004.jsonl skipped: it does not begin with the description of a session
        archived_sessions/rollout-2026-06-17T08-00-00-019ce000-0000-7000-8000-000000000002.jsonl skipped: it is the session of a subagent
    "##]].assert_eq(&read("codex/home"));
}

#[test]
fn sessions_are_imported() {
    expect![[r##"
        messages -> messages: 7 added, 0 present, 0 left out
        notes -> notes: 1 added, 0 present, 0 left out
        left out sessions/2025/08/20/rollout-2025-08-20T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl: 7 lines without a prompt or a reply
        left out sessions/2025/10/02/rollout-2025-10-02T09-00-00-0199a2d7-41c4-78b1-b7cc-a45d62a89cd5.jsonl: 5 lines without a prompt or a reply
        left out sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl:13: the line is not JSON: expected ident
        left out sessions/2026/06/16/rollout-2026-06-16T08-00-00-019ce000-0000-7000-8000-000000000001.jsonl: 9 lines without a prompt or a reply
        left out archived_sessions/rollout-2026-05-01T08-00-00-019ce000-0000-7000-8000-000000000003.jsonl.zst: it is compressed: unpack it with `zstd -d`, and import again
        left out archived_sessions/rollout-2026-05-02T08-00-00-019ce000-0000-7000-8000-000000000004.jsonl: it does not begin with the description of a session
        left out archived_sessions/rollout-2026-06-17T08-00-00-019ce000-0000-7000-8000-000000000002.jsonl: it is the session of a subagent
        quarantined 0, captured 0
        == main
        messages channel:project:chat:%2Fhome%2Fana%2Flegacy 2025-08-20T10:00:00Z "¿Qué hace este repositorio?"
        messages channel:project:chat:%2Fhome%2Fana%2Flegacy 2025-08-20T10:00:00Z "Convierte recetas a unidades métricas."
        messages channel:project:chat:github.com%2Fana%2Fapp 2025-10-02T09:00:02Z "Warum ist der Parser langsam?"
        messages channel:project:chat:github.com%2Fana%2Fapp 2025-10-02T09:00:09Z "Er kopiert jede Zeile."
        messages channel:project:chat:github.com%2Fana%2Fapp 2026-06-16T08:00:01Z "把解析器改快一点"
        messages channel:project:chat:github.com%2Fana%2Fapp 2026-06-16T08:00:04Z "I borrow the lines instead of copying them."
        messages channel:project:chat:github.com%2Fana%2Fapp 2026-06-16T08:00:08Z "Done: twice as fast."
        notes "# Memory"
        notes "- Ana releases on Tuesdays."
    "##]].assert_eq(&import("codex/home"));
}
