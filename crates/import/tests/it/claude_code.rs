//! Instructions, auto memory and transcripts of Claude Code.

use std::fs;

use expect_test::expect;
use serde_json::json;

use crate::harness::{import, read, read_path};

#[test]
fn memory_and_transcripts_of_a_person_are_read() {
    expect![[r##"
        CLAUDE.md:5 skipped: it imports ~/.claude/me.md, which is not below the imported path
        CLAUDE.md [CLAUDE.md@69f6059397cab9ce] Note { path: "facts/CLAUDE.md", text: "# Me\n\n- Ich bevorzuge Rust für Server.\n- Never commit without asking.\n@~/.claude/me.md\n" }
        rules/language.md [rules/language.md@1a55fedb1ef8e5ad] Note { path: "facts/rules-language.md", text: "- Answer in the language of the question.\n" }
        projects/-home-ana-app/memory/MEMORY.md skipped: it is the index of the files beside it
        projects/-home-ana-app/memory/feedback_tabs.md [projects/-home-ana-app/memory/feedback_tabs.md@43c790420a030fa5] Note { path: "facts/home-ana-app-feedback_tabs.md", text: "---\nname: feedback_tabs\ndescription: \"Ana wants tabs — in every language\"\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: 1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50\n  modified: 2026-07-29T13:16:34.420Z\n---\n\nIndent with tabs.\n\n**Why:** Ana uses a screen reader.\n\n**How to apply:** also in YAML-free files. See [[release_day]].\n" }
        projects/-home-ana-app/memory/release_day.md [projects/-home-ana-app/memory/release_day.md@818f5e6905098b15] Note { path: "facts/home-ana-app-release_day.md", text: "---\nname: Release day\ndescription: 发布日是星期二\ntype: project\noriginSessionId: 298c09b0-7372-4e27-9660-87019bb7d26c\n---\nReleases go out on Tuesdays.\n" }
        projects/-home-ana-old/memory/MEMORY.md [projects/-home-ana-old/memory/MEMORY.md@c56222e015a5abfd] Note { path: "facts/home-ana-old-MEMORY.md", text: "# Project notes\n\n- The tests need `docker compose up` first.\n- See patterns.md for the rest.\n" }
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:4 [u-1] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50"), user: Some("owner"), role: "user", text: "I prefer tabs. Fix the parser, please.", name: None, said_at: Some(2026-03-01T09:00:01Z) })
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:6 [a-2] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50"), user: None, role: "assistant", text: "I look at the parser first.", name: None, said_at: Some(2026-03-01T09:00:06Z) })
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:14 [q-1] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50"), user: Some("owner"), role: "user", text: "Und die Tests auch, bitte.", name: None, said_at: Some(2026-03-01T09:00:14Z) })
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:17 [u-9] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50"), user: Some("owner"), role: "user", text: "下一步做什么？", name: None, said_at: Some(2026-03-01T09:06:00Z) })
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:19 [a-5] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50"), user: None, role: "assistant", text: "发布。", name: None, said_at: Some(2026-03-01T09:06:10Z) })
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:20 skipped: the line has no uuid or no sessionId
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:22 skipped: the line is not JSON: EOF while parsing a string
        projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl skipped: 15 lines without a prompt or a reply
        projects/-home-ana-app/2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51.jsonl:1 [u-1] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51"), user: Some("owner"), role: "user", text: "I prefer tabs. Fix the parser, please.", name: None, said_at: Some(2026-03-01T09:00:01Z) })
        projects/-home-ana-app/2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51.jsonl:2 [v-1] Message(Message { session: Some("project:%2Fhome%2Fana%2Fapp:2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51"), user: Some("owner"), role: "user", text: "Another idea: four spaces.", name: None, said_at: Some(2026-03-02T09:00:00Z) })
    "##]].assert_eq(&read("claude-code/home"));
}

#[test]
fn imports_are_followed_within_the_repository() {
    expect![[r##"
        CLAUDE.md:4 skipped: it imports /components, which is not below the imported path
        CLAUDE.md:6 skipped: it imports ../outside.md, which is not below the imported path
        CLAUDE.md:7 skipped: it imports /etc/passwd, which is not below the imported path
        CLAUDE.md:8 skipped: it imports ~/.ssh/id_ed25519.pub, which is not below the imported path
        CLAUDE.md:9 skipped: it imports docs/missing.md, which does not exist
        CLAUDE.md [CLAUDE.md@86821bc9879e9919] Note { path: "facts/CLAUDE.md", text: "# App\n\nSee @docs/git.md, and @docs/cycle.md.\nTests: `@not/an/import.md`. Ask @ana or mail ana@example.org; components live in @/components.\n\n- @../outside.md\n- @/etc/passwd\n- @~/.ssh/id_ed25519.pub\n- @docs/missing.md\n\n```\n@docs/in-a-fence.md\n```\n" }
        docs/git.md [docs/git.md@306209a5fc7bff1e] Note { path: "facts/docs-git.md", text: "# Git\n\n- Kleine Commits.\n- @deep/one.md\n" }
        docs/deep/one.md [docs/deep/one.md@ab1da2badbb7b086] Note { path: "facts/docs-deep-one.md", text: "Level one: @two.md\n" }
        docs/deep/two.md [docs/deep/two.md@adeb2bf4280d7290] Note { path: "facts/docs-deep-two.md", text: "Level two: @three.md\n" }
        docs/deep/three.md [docs/deep/three.md@b419aabe2f1ae7cf] Note { path: "facts/docs-deep-three.md", text: "Level three: @four.md\n" }
        docs/deep/four.md:1 skipped: it imports five.md, which is too deep
        docs/deep/four.md [docs/deep/four.md@d2aab552db443f25] Note { path: "facts/docs-deep-four.md", text: "Level four: @five.md\n" }
        docs/cycle.md [docs/cycle.md@c0838bcd819dbf1a] Note { path: "facts/docs-cycle.md", text: "A cycle: @../CLAUDE.md and @cycle.md\n" }
        CLAUDE.local.md [CLAUDE.local.md@5ab7cd735c124e19] Note { path: "facts/CLAUDE.local.md", text: "My sandbox is http://localhost:3000\n" }
        .claude/rules/rust.md [.claude/rules/rust.md@cbed625000eccb1a] Note { path: "facts/claude-rules-rust.md", text: "---\npaths:\n  - \"src/**/*.rs\"\n---\n\n- No `unwrap` in `src/`.\n" }
    "##]].assert_eq(&read("claude-code/repo"));
}

/// If the path is one file, the files that it imports are outside of it.
#[test]
fn one_file_imports_nothing() {
    expect![[r##"
        CLAUDE.md:3 skipped: it imports docs/git.md, which is not below the imported path
        CLAUDE.md:3 skipped: it imports docs/cycle.md, which is not below the imported path
        CLAUDE.md:4 skipped: it imports /components, which is not below the imported path
        CLAUDE.md:6 skipped: it imports ../outside.md, which is not below the imported path
        CLAUDE.md:7 skipped: it imports /etc/passwd, which is not below the imported path
        CLAUDE.md:8 skipped: it imports ~/.ssh/id_ed25519.pub, which is not below the imported path
        CLAUDE.md:9 skipped: it imports docs/missing.md, which is not below the imported path
        CLAUDE.md [CLAUDE.md@86821bc9879e9919] Note { path: "facts/CLAUDE.md", text: "# App\n\nSee @docs/git.md, and @docs/cycle.md.\nTests: `@not/an/import.md`. Ask @ana or mail ana@example.org; components live in @/components.\n\n- @../outside.md\n- @/etc/passwd\n- @~/.ssh/id_ed25519.pub\n- @docs/missing.md\n\n```\n@docs/in-a-fence.md\n```\n" }
    "##]].assert_eq(&read("claude-code/repo/docs/../CLAUDE.md"));
}

#[test]
fn one_project_and_one_transcript_are_read() {
    let project = "claude-code/home/projects/-home-ana-app";
    expect![[r#"
        memory/MEMORY.md skipped: it is the index of the files beside it
        memory/feedback_tabs.md memory/feedback_tabs.md@43c790420a030fa5
        memory/release_day.md memory/release_day.md@818f5e6905098b15
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:4 u-1
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:6 a-2
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:14 q-1
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:17 u-9
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:19 a-5
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:20 skipped: the line has no uuid or no sessionId
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:22 skipped: the line is not JSON: EOF while parsing a string
        1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl skipped: 15 lines without a prompt or a reply
        2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51.jsonl:1 u-1
        2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51.jsonl:2 v-1
    "#]].assert_eq(&outline(&read(project)));
    let transcript = format!("{project}/2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51.jsonl");
    expect![[r#"
        2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51.jsonl:1 u-1
        2a0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f51.jsonl:2 v-1
    "#]]
    .assert_eq(&outline(&read(&transcript)));
    expect![[r#"
        MEMORY.md skipped: it is the index of the files beside it
        feedback_tabs.md feedback_tabs.md@43c790420a030fa5
        release_day.md release_day.md@818f5e6905098b15
    "#]]
    .assert_eq(&outline(&read(&format!("{project}/memory"))));
}

/// A link out of the repository is no way around the imported path.
#[test]
#[cfg(unix)]
fn an_import_behind_a_link_that_leads_outside_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let repo = dir.path().join("repo");
    fs::create_dir_all(repo.join("docs")).unwrap();
    fs::write(dir.path().join("secret.md"), "secret").unwrap();
    std::os::unix::fs::symlink("../secret.md", repo.join("link.md")).unwrap();
    std::os::unix::fs::symlink("..", repo.join("docs/up")).unwrap();
    std::os::unix::fs::symlink("../secret.md", repo.join("CLAUDE.local.md")).unwrap();
    fs::write(repo.join("CLAUDE.md"), "@link.md @docs/up/up/secret.md @docs/up/CLAUDE.md\n").unwrap();
    expect![[r#"
        CLAUDE.md:1 skipped: it imports link.md, which is not below the imported path
        CLAUDE.md:1 skipped: it imports docs/up/up/secret.md, which does not exist
        CLAUDE.md [CLAUDE.md@1c72b878c0d47fc6] Note { path: "facts/CLAUDE.md", text: "@link.md @docs/up/up/secret.md @docs/up/CLAUDE.md\n" }
        docs/up/CLAUDE.md:1 skipped: it imports link.md, which is not below the imported path
        docs/up/CLAUDE.md:1 skipped: it imports docs/up/up/secret.md, which does not exist
        docs/up/CLAUDE.md [docs/up/CLAUDE.md@1c72b878c0d47fc6] Note { path: "facts/docs-up-CLAUDE.md", text: "@link.md @docs/up/up/secret.md @docs/up/CLAUDE.md\n" }
        docs/up/docs/up/CLAUDE.md:1 skipped: it imports link.md, which is not below the imported path
        docs/up/docs/up/CLAUDE.md:1 skipped: it imports docs/up/up/secret.md, which does not exist
        docs/up/docs/up/CLAUDE.md [docs/up/docs/up/CLAUDE.md@1c72b878c0d47fc6] Note { path: "facts/docs-up-docs-up-CLAUDE.md", text: "@link.md @docs/up/up/secret.md @docs/up/CLAUDE.md\n" }
        docs/up/docs/up/docs/up/CLAUDE.md:1 skipped: it imports link.md, which is not below the imported path
        docs/up/docs/up/docs/up/CLAUDE.md:1 skipped: it imports docs/up/up/secret.md, which does not exist
        docs/up/docs/up/docs/up/CLAUDE.md [docs/up/docs/up/docs/up/CLAUDE.md@1c72b878c0d47fc6] Note { path: "facts/docs-up-docs-up-docs-up-CLAUDE.md", text: "@link.md @docs/up/up/secret.md @docs/up/CLAUDE.md\n" }
        docs/up/docs/up/docs/up/docs/up/CLAUDE.md:1 skipped: it imports link.md, which is not below the imported path
        docs/up/docs/up/docs/up/docs/up/CLAUDE.md:1 skipped: it imports docs/up/up/secret.md, which does not exist
        docs/up/docs/up/docs/up/docs/up/CLAUDE.md [docs/up/docs/up/docs/up/docs/up/CLAUDE.md@1c72b878c0d47fc6] Note { path: "facts/docs-up-docs-up-docs-up-docs-up-CLAUDE.md", text: "@link.md @docs/up/up/secret.md @docs/up/CLAUDE.md\n" }
        docs/up/docs/up/docs/up/docs/up/docs/up/CLAUDE.md:1 skipped: it imports link.md, which is not below the imported path
        docs/up/docs/up/docs/up/docs/up/docs/up/CLAUDE.md:1 skipped: it imports docs/up/up/secret.md, which does not exist
        docs/up/docs/up/docs/up/docs/up/docs/up/CLAUDE.md:1 skipped: it imports docs/up/CLAUDE.md, which is too deep
        docs/up/docs/up/docs/up/docs/up/docs/up/CLAUDE.md [docs/up/docs/up/docs/up/docs/up/docs/up/CLAUDE.md@1c72b878c0d47fc6] Note { path: "facts/docs-up-docs-up-docs-up-docs-up-docs-up-CLAUDE.md", text: "@link.md @docs/up/up/secret.md @docs/up/CLAUDE.md\n" }
        CLAUDE.local.md skipped: it is no file: a link to a folder, to nothing, or out of the imported path is not followed
    "#]].assert_eq(&read_path("claude-code", &repo));
}

/// Returns the places and ids of a listing.
fn outline(listing: &str) -> String {
    let lines = listing.lines().map(|line| line.split_once("] ").map_or(line, |(begin, _)| begin));
    lines.map(|line| line.replace(" [", " ") + "\n").collect()
}

#[test]
fn memory_and_transcripts_are_imported() {
    expect![[r##"
        messages -> messages: 6 added, 1 present, 0 left out
        notes -> notes: 5 added, 0 present, 0 left out
        left out CLAUDE.md:5: it imports ~/.claude/me.md, which is not below the imported path
        left out projects/-home-ana-app/memory/MEMORY.md: it is the index of the files beside it
        left out projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:20: the line has no uuid or no sessionId
        left out projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl:22: the line is not JSON: EOF while parsing a string
        left out projects/-home-ana-app/1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50.jsonl: 15 lines without a prompt or a reply
        quarantined 0, captured 0
        == main
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-03-01T09:00:01Z "I prefer tabs. Fix the parser, please."
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-03-01T09:00:06Z "I look at the parser first."
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-03-01T09:00:14Z "Und die Tests auch, bitte."
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-03-01T09:06:00Z "下一步做什么？"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-03-01T09:06:10Z "发布。"
        messages channel:project:chat:%2Fhome%2Fana%2Fapp 2026-03-02T09:00:00Z "Another idea: four spaces."
        notes "# Me"
        notes "- Ich bevorzuge Rust für Server."
        notes "- Never commit without asking.\n@~/.claude/me.md"
        notes ""
        notes "- Answer in the language of the question."
        notes "---\nname: feedback_tabs\ndescription: \"Ana wants tabs — in every language\"\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: 1f0c9a2e-5d3b-4c4e-8f7a-0b1c2d3e4f50\n  modified: 2026-07-29T13:16:34.420Z\n---\n\nIndent with tabs.\n\n**Why:** Ana uses a screen reader.\n\n**How to apply:** also in YAML-free files. See [[release_day]]."
        notes "---\nname: Release day\ndescription: 发布日是星期二\ntype: project\noriginSessionId: 298c09b0-7372-4e27-9660-87019bb7d26c\n---\nReleases go out on Tuesdays."
        notes "# Project notes"
        notes "- The tests need `docker compose up` first."
        notes "- See patterns.md for the rest."
    "##]].assert_eq(&import("claude-code/home"));
}

#[test]
fn instructions_are_imported() {
    expect![[r##"
        notes -> notes: 9 added, 0 present, 0 left out
        left out CLAUDE.md:4: it imports /components, which is not below the imported path
        left out CLAUDE.md:6: it imports ../outside.md, which is not below the imported path
        left out CLAUDE.md:7: it imports /etc/passwd, which is not below the imported path
        left out CLAUDE.md:8: it imports ~/.ssh/id_ed25519.pub, which is not below the imported path
        left out CLAUDE.md:9: it imports docs/missing.md, which does not exist
        left out docs/deep/four.md:1: it imports five.md, which is too deep
        quarantined 0, captured 0
        == main
        notes "# App\n\nSee @docs/git.md, and @docs/cycle.md.\nTests: `@not/an/import.md`. Ask @ana or mail ana@example.org; components live in @/components."
        notes "- @../outside.md"
        notes "- @/etc/passwd"
        notes "- @~/.ssh/id_ed25519.pub"
        notes "- @docs/missing.md\n\n```\n@docs/in-a-fence.md\n```"
        notes "# Git"
        notes "- Kleine Commits."
        notes "- @deep/one.md"
        notes "Level one: @two.md"
        notes "Level two: @three.md"
        notes "Level three: @four.md"
        notes "Level four: @five.md"
        notes "A cycle: @../CLAUDE.md and @cycle.md"
        notes "My sandbox is http://localhost:3000"
        notes "---\npaths:\n  - \"src/**/*.rs\"\n---"
        notes "- No `unwrap` in `src/`."
    "##]].assert_eq(&import("claude-code/repo"));
}

#[test]
fn messages_of_other_agents_are_not_the_persons() {
    let dir = tempfile::tempdir().unwrap();
    let line = |n: usize, text: &str| {
        json!({"type": "user", "sessionId": "s", "uuid": n.to_string(), "cwd": "/app",
            "message": {"role": "user", "content": text}})
    };
    let texts = [
        "Another Claude session sent a message:\n<teammate-message teammate_id=\"a\">\nI prefer spaces\n</teammate-message>",
        "<agent-message from=\"b\">I prefer spaces</agent-message>",
        "Stop hook feedback:\n- I prefer spaces",
        "Caveat: The messages below were generated by the user while running local commands. DO NOT respond.",
        "This session is being continued from a previous conversation that ran out of context. Ana prefers spaces.",
        "[SYSTEM NOTIFICATION - NOT USER INPUT]\nI prefer spaces",
        "!important: I prefer tabs",
    ];
    let mut lines: Vec<_> = texts.iter().enumerate().map(|(n, text)| line(n, text)).collect();
    let queued = |is_meta: bool, text: &str| {
        json!({"type": "attachment", "sessionId": "s", "uuid": text, "cwd": "/app", "attachment": {
            "type": "queued_command", "commandMode": "prompt", "isMeta": is_meta, "prompt": text}})
    };
    lines.extend([queued(true, "I prefer spaces"), queued(false, "I really do")]);
    let file = dir.path().join("s.jsonl");
    fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let shown = read_path("claude-code", &file);
    assert!(!shown.contains("spaces"), "{shown}");
    assert!(shown.contains("I prefer tabs") && shown.contains("I really do"), "{shown}");
}

/// A repository may have a file of the name of auto memory.
#[test]
fn of_a_repository_only_instructions_are_read() {
    for marks in [["CLAUDE.md", "a.txt"], [".git/HEAD", ".claude/rules/a.md"]] {
        let dir = tempfile::tempdir().unwrap();
        let others = ["MEMORY.md", "README.md", "node_modules/a/README.md"];
        for file in marks.into_iter().chain(others) {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x\n").unwrap();
        }
        let listed = read_path("claude-code", dir.path());
        assert_eq!(listed.lines().count(), 1, "{listed}");
        assert!(listed.starts_with(marks[0]) || listed.starts_with(marks[1]), "{listed}");
    }
}
