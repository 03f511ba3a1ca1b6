//! Snapshots: everything read from one is as of the same moment, and neither readers nor writers wait.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use memtape::{
    At, Audience, BlockName, ErrorKind, Expected, Form, Inbound, Mode, Options, Prompting, Recall, Ref,
    Reply, Session, Workspace,
};
use serde_json::json;

fn workspace() -> (tempfile::TempDir, Workspace) {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::init(dir.path(), Options::default()).unwrap();
    (dir, workspace)
}

fn said(workspace: &Workspace, text: &str) {
    let chat = Session::parse("telegram:1").unwrap();
    workspace.conversation(chat).turn(&Inbound::new(text), |_| Ok(Reply::new("I see."))).unwrap();
}

#[test]
fn a_snapshot_excludes_later_writes() {
    let (_dir, workspace) = workspace();
    workspace.zone().remember("Ana is allergic to hazelnuts").unwrap();
    said(&workspace, "We meet in the harbour on Friday.");
    let owner = Audience::owner();
    let snapshot = workspace.snapshot(&owner, &At::head()).unwrap();
    let count = |at: &At<'_>| {
        let of = |form| workspace.memories(form, &owner, at).unwrap().len();
        [Form::ZONE, Form::MESSAGES, Form::STATEMENTS, Form::NOTES].map(of)
    };
    let before = count(&snapshot.at());
    workspace.zone().remember("Ana moved to the harbour").unwrap();
    said(&workspace, "I prefer the harbour to the market.");
    std::fs::create_dir_all(workspace.dir().join("facts")).unwrap();
    std::fs::write(workspace.dir().join("facts/harbour.md"), "# The harbour\n- It is old\n").unwrap();
    assert_eq!(count(&snapshot.at()), before);
    let query = Recall::new("Ana harbour");
    let hits = |recalled: memtape::Recalled| {
        let texts = recalled.hits.into_iter().map(|hit| hit.memory.text);
        texts.collect::<Vec<_>>()
    };
    let of_snapshot = hits(snapshot.recall(&query).unwrap());
    assert!(
        of_snapshot.iter().all(|text| !text.contains("moved") && !text.contains("prefer")),
        "{of_snapshot:?}"
    );
    assert!(snapshot.notes().list(&snapshot.at()).unwrap().is_empty());
    assert!(!snapshot.tools().call("memory_list", json!({})).unwrap().contains("harbour.md"));
    drop(snapshot);
    let now = hits(workspace.recall(&query, &At::head()).unwrap());
    assert!(now.iter().any(|text| text.contains("moved")), "{now:?}");
    assert_eq!(workspace.notes().list(&At::head()).unwrap().len(), 1);
}

/// A reader that keeps its snapshot blocks no other reader and no writer.
#[test]
fn an_open_snapshot_blocks_no_writer() {
    let (_dir, workspace) = workspace();
    workspace.zone().remember("Ana is allergic to hazelnuts").unwrap();
    let (done, is_done) = mpsc::channel();
    thread::scope(|scope| {
        let kept = workspace.snapshot(&Audience::owner(), &At::head()).unwrap();
        let workspace = &workspace;
        scope.spawn(move || {
            workspace.zone().remember("Ben likes pears").unwrap();
            said(workspace, "I prefer window seats.");
            let chat = Session::parse("telegram:1").unwrap();
            let prompt = workspace
                .conversation(chat)
                .prompt(&Inbound::new("Where do I sit?"), &Prompting::default(), &At::head())
                .unwrap();
            assert!(prompt.system.contains("Ben likes pears"), "{}", prompt.system);
            done.send(()).unwrap();
        });
        is_done.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(kept.zone().view(&kept.at()).unwrap().0.long_term.len(), 1);
    });
}

/// Every view shows whole groups, and none shows less than an earlier one.
#[test]
fn readers_beside_a_writer_see_whole_groups_in_order() {
    let (_dir, workspace) = workspace();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut last = 0;
                while !is_over.load(Ordering::Relaxed) {
                    let snapshot = workspace.snapshot(&Audience::owner(), &At::head()).unwrap();
                    let lines = snapshot.zone().view(&snapshot.at()).unwrap().0.long_term.len();
                    assert!(lines >= last && lines % 3 == 0, "{lines} after {last}");
                    let found = snapshot.recall(&Recall::new("harbour")).unwrap();
                    assert_eq!(found.hits.is_empty(), lines == 0);
                    last = lines;
                }
            });
        }
        for n in 0..20 {
            let lines: Vec<String> = (0..3).map(|k| format!("harbour {n}.{k}")).collect();
            workspace.zone().save(&lines.join("\n"), Mode::Append).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let lines = workspace.zone().view(&At::head()).unwrap().0.long_term.len();
    assert_eq!(lines, 60);
    assert!(Workspace::verify(workspace.dir()).unwrap().tape.bad.is_empty());
}

#[test]
fn a_write_about_what_was_read_is_refused_only_if_that_was_changed_since() {
    let (_dir, workspace) = workspace();
    let focus = BlockName::new("current_focus").unwrap();
    workspace.blocks().set(&focus, "bees", None).unwrap();
    let block: Ref = "blocks:current_focus".parse().unwrap();
    let seen = workspace.last_change(&block, &Audience::owner(), &At::head()).unwrap();
    let expected =
        Expected { branch: "main".into(), memory: Some((block, seen)), audience: Audience::owner() };
    let set = |expected: &Expected, value: &str| {
        let set = workspace.blocks().only_if(expected.clone()).set(&focus, value, None);
        set.map(drop).map_err(|e| (e.kind(), e.to_string()))
    };
    workspace.zone().remember("Ana keeps bees").unwrap();
    set(&expected, "wasps").unwrap();
    let changed = (ErrorKind::Conflict, "blocks:current_focus was changed in the meantime".to_owned());
    assert_eq!(set(&expected, "ants"), Err(changed));
    let tools = workspace.tools().only_if(expected.clone());
    let saved = tools.call("memory_save", json!({"content": "Ana keeps ants"}));
    assert_eq!(saved.unwrap_err().kind(), ErrorKind::Conflict);
    // Whichever memory it is about.
    let expected = Expected { memory: None, ..expected };
    set(&expected, "ants").unwrap();
    workspace.branches().create_and_switch("apart", None).unwrap();
    let moved = "the conversation is on branch \"apart\" now, not on \"main\"".to_owned();
    assert_eq!(set(&expected, "moths"), Err((ErrorKind::Conflict, moved)));
}

#[test]
fn the_last_change_of_a_note_is_that_of_any_section() {
    let (_dir, workspace) = workspace();
    let path = workspace.notes().path("facts/user.md").unwrap();
    let write = |text: &str| {
        workspace.notes().write(&path, text).unwrap();
        let last = |key: &str| {
            let reference = format!("notes:{key}").parse().unwrap();
            workspace.last_change(&reference, &Audience::owner(), &At::head()).unwrap()
        };
        (last("facts/user.md"), last("facts/user.md#Tea"), last("facts/user.md#Work"))
    };
    let (note, tea, work) = write("# User\n\n- Tea: white\n- Work: mill\n");
    assert!(tea > 0 && work > 0);
    let after = write("# User\n\n- Tea: white\n- Work: sea\n");
    assert!(after.0 > note && after.1 == tea && after.2 > work, "{after:?}");
    let without = write("# User\n\n- Tea: white\n");
    assert!(without.0 > after.0 && without.1 == tea && without.2 == 0, "{without:?}");
}
