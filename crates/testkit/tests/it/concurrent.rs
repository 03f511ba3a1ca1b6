//! Two processes at once: what each of them reads before it writes may have changed when it writes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use memtape::{Inbound, Message, Options, Reply, Session, Upstream, Workspace};
use memtape_server::hook::{self, Event, Input};
use memtape_server::http::tokens::{Kind, Token, Tokens};
use memtape_testkit::{TestWorkspace, config};
use memtape_upstream::{Appended, Fetched, Head, MemoryUpstream};
use serde_json::json;

type Answer<T> = Result<T, memtape_upstream::Error>;

/// An upstream that waits before it appends.
struct Slow {
    upstream: MemoryUpstream,
    /// Called before each append.
    wait: Box<dyn Fn() + Send + Sync>,
}

impl Upstream for Slow {
    fn label(&self) -> &str {
        self.upstream.label()
    }

    fn create(&self) -> Answer<bool> {
        self.upstream.create()
    }

    fn head(&self) -> Answer<Head> {
        self.upstream.head()
    }

    fn fetch(&self, after: u64, limit: usize) -> Answer<Fetched> {
        self.upstream.fetch(after, limit)
    }

    fn lines(&self, ids: &[u64]) -> Answer<Vec<u8>> {
        self.upstream.lines(ids)
    }

    fn append(&self, after: Head, lines: &[u8], erased: &[u8]) -> Answer<Appended> {
        (self.wait)();
        self.upstream.append(after, lines, erased)
    }
}

#[test]
fn a_write_that_waits_for_a_push_is_refused() {
    let test = TestWorkspace::new();
    if test.upstream.is_some() {
        return;
    }
    test.workspace.zone().remember("Ana likes tea").unwrap();
    let other = test.reopened();
    let has_waited = AtomicBool::new(false);
    let is_pushing = Arc::new(Barrier::new(2));
    let pushes = Arc::clone(&is_pushing);
    let wait = move || {
        if !has_waited.swap(true, Ordering::Relaxed) {
            pushes.wait();
        }
        // The other process waits for the lock meanwhile.
        thread::sleep(Duration::from_millis(100));
    };
    let upstream = Arc::new(Slow { upstream: MemoryUpstream::new("slow"), wait: Box::new(wait) });
    thread::scope(|scope| {
        let written = scope.spawn(|| {
            is_pushing.wait();
            other.zone().remember("Ana likes coffee")
        });
        test.workspace.push(upstream.as_ref()).unwrap();
        let refused = written.join().unwrap().unwrap_err();
        assert!(refused.to_string().contains("is a replica of"), "{refused}");
    });
    let options = Options { config: config(), upstream: Some(upstream), ..Options::default() };
    let replica = Workspace::open(test.path(), options).unwrap();
    replica.zone().remember("Ana likes coffee").unwrap();
}

#[test]
fn a_turn_ends_once() {
    let test = TestWorkspace::new();
    let prompt = Input::parse(&json!({"session_id": "1a2b", "prompt": "I prefer pnpm"}).to_string()).unwrap();
    hook::handle(Event::UserPromptSubmit, &prompt, &test.workspace).unwrap();
    assert_eq!(replies_of_stops(&test), 1);
}

#[test]
fn a_reply_after_the_end_of_its_turn_is_recorded_once() {
    let test = TestWorkspace::new();
    let prompt = Input::parse(&json!({"session_id": "1a2b", "prompt": "I prefer pnpm"}).to_string()).unwrap();
    hook::handle(Event::UserPromptSubmit, &prompt, &test.workspace).unwrap();
    hook::handle(Event::PreCompact, &prompt, &test.workspace).unwrap();
    assert_eq!(replies_of_stops(&test), 1);
}

/// Runs four hooks at once that record the reply of a turn, and returns the number of replies on the tape.
fn replies_of_stops(test: &TestWorkspace) -> usize {
    let stop = json!({"session_id": "1a2b", "last_assistant_message": "Noted."}).to_string();
    let stop = Input::parse(&stop).unwrap();
    let start = Barrier::new(4);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let workspace = test.reopened();
                start.wait();
                hook::handle(Event::Stop, &stop, &workspace).unwrap();
            });
        }
    });
    let tape = std::fs::read_to_string(test.path().join("tape.jsonl")).unwrap();
    tape.lines().filter(|line| line.contains(r#""role":"assistant""#)).count()
}

#[test]
fn a_turn_that_two_processes_end_has_the_first_reply() {
    let test = TestWorkspace::new();
    let session = Session::parse("telegram:ana").unwrap();
    let turn = test.workspace.conversation(session.clone()).begin(&Inbound::new("I prefer tea")).unwrap();
    let other = test.reopened();
    let open = other.conversation(session.clone()).open_turns(None).unwrap().pop().unwrap();
    let first = other.conversation(session.clone()).end(open, &Reply::new("Noted.")).unwrap();
    assert!(!first.had_ended && first.reply.is_some());
    let second = test.workspace.conversation(session.clone()).end(turn, &Reply::new("Noted twice.")).unwrap();
    assert!(second.had_ended && second.reply.is_none() && second.captured.is_empty());
    let last = test.workspace.conversation(session).last(1, &memtape::At::head()).unwrap().pop().unwrap();
    let last: Message = serde_json::from_str(last.payload.get()).unwrap();
    assert_eq!(last.content, "Noted.");
}

#[test]
fn no_token_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for n in 0..8 {
            let (dir, start) = (dir.path(), &start);
            scope.spawn(move || {
                let token = Token {
                    name: format!("t{n}"),
                    hash: String::new(),
                    kind: Kind::Owner,
                    workspace: None,
                    tools: vec!["core".into()],
                    read_only: false,
                };
                start.wait();
                Tokens::of(dir).add(token).unwrap();
            });
        }
    });
    assert_eq!(Tokens::of(dir.path()).list().unwrap().len(), 8);
}
