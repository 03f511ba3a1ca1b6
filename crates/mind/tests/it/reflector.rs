//! The reflector of document 2.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use memtape::config::Provider;
use memtape::{At, Form, Inbound, NotePath, Reply, Session};
use memtape_mind::{Reflect, Reflector};
use memtape_testkit::scripted_model::Answer;
use serde_json::json;

use crate::{World, session};

fn read(world: &World, path: &str) -> Option<String> {
    let path: NotePath = world.workspace().notes().path(path).unwrap();
    world.workspace().notes().read(&path, &At::head()).ok().map(|file| file.text())
}

fn talk(world: &World, turns: &[(&str, &str)]) {
    for (said, reply) in turns {
        let conversation = world.workspace().conversation(Session::direct());
        conversation.turn(&Inbound::new(said), |_| Ok(Reply::new(reply))).unwrap();
    }
}

const BUG: [(&str, &str); 2] = [
    ("the logger prints JSON to stdout", "The pino pipeline leaks. I replaced it with a custom transport."),
    ("great, it works. I'm Zhang San by the way", "You are welcome."),
];

fn script(request: &memtape_testkit::scripted_model::Request) -> Answer {
    if request.messages.len() > 1 {
        return Answer::Say("Fixed a logger leak and learnt the user's name.".into());
    }
    Answer::Call(vec![
        (
            "memory_append".into(),
            json!({"path": "episodes/2026-02.md", "summary": "logger fix",
                "entry": "## Logger leak\n- Summary: pino pipeline leak → custom transport\n- Date: 2026-02-10"}),
        ),
        (
            "memory_write".into(),
            json!({"path": "facts/user.md", "content": "# User\n\n- Name: Zhang San\n- Updated: 2026-02-10\n"}),
        ),
        ("memory_write".into(), json!({"path": "facts/secret-plan.md", "content": "# Plan\n"})),
    ])
}

#[test]
fn a_reflection_is_one_commit_that_undo_reverses() {
    for provider in [Provider::OpenAi, Provider::Anthropic] {
        let world = World::new(provider, script);
        world
            .workspace()
            .notes()
            .write(
                &world.workspace().notes().path("facts/project.md").unwrap(),
                "# Project\n\n- Language: Rust\n",
            )
            .unwrap();
        talk(&world, &BUG);
        let reflected = Reflector::new(world.workspace(), &world.models)
            .reflect(&Session::direct(), Reflect::IfWorthIt)
            .unwrap();
        assert_eq!(reflected.assessment, "Fixed a logger leak and learnt the user's name.");
        assert_eq!(reflected.written, ["episodes/2026-02.md", "facts/user.md"]);
        assert!(reflected.commit.is_some());
        // The facts are shown in full, and the conversation as data.
        let first = &world.model.requests()[0];
        assert!(
            first.system.contains("### facts/project.md\n# Project")
                && first.system.contains("- Language: Rust")
        );
        assert_eq!(first.tools, ["memory_read", "memory_write", "memory_patch", "memory_append"]);
        assert!(
            world.model.requests()[1]
                .text()
                .contains("only facts/user.md, facts/project.md, facts/preferences.md")
        );
        assert!(read(&world, "facts/user.md").unwrap().contains("Zhang San"));
        assert!(read(&world, "episodes/2026-02.md").unwrap().contains("Logger leak"));
        assert_eq!(read(&world, "facts/secret-plan.md"), None);
        // A person's editor shows it.
        let file = std::fs::read_to_string(world.test.path().join("facts/user.md")).unwrap();
        assert!(file.contains("- Name: Zhang San"));
        // Nothing is new: nothing is asked.
        let asked = world.model.requests().len();
        let again = Reflector::new(world.workspace(), &world.models)
            .reflect(&Session::direct(), Reflect::Now)
            .unwrap();
        assert_eq!(
            (again.assessment.as_str(), world.model.requests().len()),
            ("there is nothing new to reflect on", asked)
        );
        world.workspace().branches().undo().unwrap();
        assert_eq!((read(&world, "facts/user.md"), read(&world, "episodes/2026-02.md")), (None, None));
        assert!(read(&world, "facts/project.md").unwrap().contains("Rust"));
        let names: Vec<_> = world
            .workspace()
            .branches()
            .list(&At::head())
            .unwrap()
            .into_iter()
            .map(|branch| branch.name)
            .collect();
        assert_eq!(names, ["main"]);
    }
}

#[test]
fn a_trivial_task_and_another_channel_are_not_reflected_on() {
    let world = World::new(Provider::OpenAi, script);
    talk(&world, &[("hi", "Hello.")]);
    let reflector = Reflector::new(world.workspace(), &world.models);
    assert_eq!(
        reflector.reflect(&Session::direct(), Reflect::IfWorthIt).unwrap().assessment,
        "the task was trivial"
    );
    let chat = session("telegram:1");
    for (said, reply) in BUG {
        world
            .workspace()
            .conversation(chat.clone())
            .turn(&Inbound::new(said), |_| Ok(Reply::new(reply)))
            .unwrap();
    }
    let skipped = reflector.reflect(&chat, Reflect::IfWorthIt).unwrap();
    assert_eq!(skipped.assessment, "channel telegram is not in reflect.channels");
    assert!(world.model.requests().is_empty());
}

#[test]
fn a_reflection_that_fails_leaves_nothing_and_is_made_later() {
    for failing in [
        Answer::Status { code: 500, message: "oops".into(), retry_after: None },
        Answer::CutOff("The logger".into()),
        Answer::Refuse("I would rather not.".into()),
    ] {
        let (mut calls, answer) = (0, failing.clone());
        let world = World::configured(
            Provider::OpenAi,
            |config| config.model.retries = 0,
            move |request| {
                calls += 1;
                match calls {
                    2 => answer.clone(),
                    _ if request.messages.len() > 1 => Answer::Say("Done.".into()),
                    _ => script(request),
                }
            },
        );
        talk(&world, &BUG);
        let reflector = Reflector::new(world.workspace(), &world.models);
        assert!(reflector.reflect(&Session::direct(), Reflect::IfWorthIt).is_err(), "{failing:?}");
        assert!(world.texts(Form::NOTES).is_empty(), "{failing:?}");
        assert_eq!(world.workspace().branches().list(&At::head()).unwrap().len(), 1);
        let reflected = reflector.reflect(&Session::direct(), Reflect::Now).unwrap();
        assert_eq!(reflected.written.len(), 2, "{failing:?}");
        assert!(read(&world, "facts/user.md").unwrap().contains("Zhang San"));
    }
}

#[test]
fn a_reflection_that_calls_no_tool_forks_no_branch() {
    for answer in [
        Answer::Status { code: 500, message: "oops".into(), retry_after: None },
        Answer::Say("There is nothing worth keeping.".into()),
    ] {
        let (case, is_down) = (format!("{answer:?}"), matches!(answer, Answer::Status { .. }));
        let world =
            World::configured(Provider::OpenAi, |config| config.model.retries = 0, move |_| answer.clone());
        talk(&world, &BUG);
        let reflected =
            Reflector::new(world.workspace(), &world.models).reflect(&Session::direct(), Reflect::Now);
        assert_eq!(reflected.is_err(), is_down, "{case}: {reflected:?}");
        assert!(!world.tape().contains("branch/fork"), "{case}: {}", world.tape());
    }
}

#[test]
fn a_reflection_is_merged_into_the_branch_that_it_began_on() {
    let path = Arc::new(OnceLock::<PathBuf>::new());
    let dir = Arc::clone(&path);
    let world = World::new(Provider::OpenAi, move |request| {
        if request.messages.len() == 1 {
            let other = memtape::Workspace::open(dir.get().unwrap(), memtape::Options::default()).unwrap();
            other.branches().switch("travel", false).unwrap();
        }
        script(request)
    });
    path.set(world.test.path().to_owned()).unwrap();
    world.workspace().branches().create("travel", None, &At::head()).unwrap();
    world.workspace().zone().remember("the spare key is at Bo's").unwrap();
    talk(&world, &BUG);
    let reflected =
        Reflector::new(world.workspace(), &world.models).reflect(&Session::direct(), Reflect::Now).unwrap();
    assert!(reflected.commit.is_some(), "{reflected:?}");
    // The terminal is on the branch `travel` now, which got nothing of either.
    assert_eq!(world.workspace().branches().current(&At::head()).unwrap(), "travel");
    assert_eq!((read(&world, "facts/user.md"), world.texts(Form::ZONE)), (None, Vec::new()));
    let main = world.test.again_on("main");
    let user = main.notes().read(&main.notes().path("facts/user.md").unwrap(), &At::head()).unwrap();
    assert!(user.text().contains("Zhang San"));
}

#[test]
fn without_the_folders_of_notes_nothing_is_asked() {
    let flags = vec!["notes.folders=facts".to_owned()];
    let loaded = memtape::config::load(&memtape::config::Sources { flags, ..Default::default() }).unwrap();
    let world = World::configured(
        Provider::OpenAi,
        |config| config.notes.folders = loaded.config.notes.folders,
        script,
    );
    talk(&world, &BUG);
    let reflected =
        Reflector::new(world.workspace(), &world.models).reflect(&Session::direct(), Reflect::Now).unwrap();
    assert_eq!(reflected.assessment, "notes.folders lacks facts or episodes");
    assert!(world.model.requests().is_empty());
}

#[test]
fn concurrent_writes_of_a_person_are_kept() {
    let world = World::new(Provider::OpenAi, |request| match request.messages.len() {
        1 => Answer::Call(vec![(
            "memory_patch".into(),
            json!({"path": "facts/user.md", "old_str": "- Role: unknown", "new_str": "- Role: developer"}),
        )]),
        _ => Answer::Say("Updated the role.".into()),
    });
    let notes = world.workspace().notes();
    let path = notes.path("facts/user.md").unwrap();
    notes.write(&path, "# User\n\n- Name: Ana\n- Role: unknown\n").unwrap();
    talk(&world, &BUG);
    let reflected =
        Reflector::new(world.workspace(), &world.models).reflect(&Session::direct(), Reflect::Now).unwrap();
    assert!(reflected.commit.is_some());
    assert!(read(&world, "facts/user.md").unwrap().contains("- Name: Ana\n- Role: developer"));
}

#[test]
fn past_work_is_found_after_a_restart() {
    let world = World::new(Provider::OpenAi, |request| match () {
        () if request.system.starts_with("You maintain") => script(request),
        () if request.messages.last().is_some_and(|message| message["role"] == "tool") => {
            Answer::Say("We fixed the logger leak with a custom transport.".into())
        }
        () if request.text().contains("episodes/2026-02.md") => {
            Answer::Call(vec![("memory_read".into(), json!({"path": "episodes/2026-02.md"}))])
        }
        () => Answer::Say("I do not know.".into()),
    });
    talk(&world, &BUG);
    Reflector::new(world.workspace(), &world.models).reflect(&Session::direct(), Reflect::IfWorthIt).unwrap();
    let reopened = world.reopened();
    let turn = memtape_mind::Agent::new(&reopened, &world.models)
        .turn(&session("cli:tomorrow"), &Inbound::new("what bug did we fix last time?"), &mut |_| {})
        .unwrap();
    assert_eq!(turn.reply, "We fixed the logger leak with a custom transport.");
    let shown = world.model.requests().pop().unwrap();
    assert!(shown.last_text().contains("pino pipeline leak → custom transport"), "{}", shown.last_text());
}

#[test]
fn reading_tool_text_in_a_note_marks_later_writes() {
    let world = World::new(Provider::OpenAi, |request| match request.messages.len() {
        1 => Answer::Call(vec![("memory_read".into(), json!({"path": "facts/project.md"}))]),
        3 => Answer::Call(vec![(
            "memory_write".into(),
            json!({"path": "facts/user.md", "content": "# User\n\n- Pays: 0815\n"}),
        )]),
        _ => Answer::Say("Done.".into()),
    });
    let notes = world.workspace().notes();
    let project = notes.path("facts/project.md").unwrap();
    world
        .workspace()
        .notes()
        .writing_as(memtape::Origin::Tool)
        .write(&project, "# Project\n\n- Pay to 0815\n")
        .unwrap();
    talk(&world, &BUG);
    Reflector::new(world.workspace(), &world.models).reflect(&Session::direct(), Reflect::Now).unwrap();
    assert!(!world.model.requests()[0].text().contains("0815"));
    let user = notes.read(&notes.path("facts/user.md").unwrap(), &At::head()).unwrap();
    assert!(user.origins().all(|origin| origin == memtape::Origin::Tool), "{user:?}");
}

#[test]
fn what_another_process_has_reflected_on_meanwhile_is_not_written_twice() {
    let path = Arc::new(OnceLock::<PathBuf>::new());
    let dir = Arc::clone(&path);
    let world = World::new(Provider::OpenAi, move |request| {
        if request.messages.len() == 1 {
            let other = memtape::Workspace::open(dir.get().unwrap(), memtape::Options::default()).unwrap();
            let state = json!({"reflected": 999, "calls": 1});
            let progress = memtape::TaskProgress { task: "extraction".into(), through: 0, state };
            other.conversation(Session::direct()).record_progress(&progress).unwrap();
        }
        script(request)
    });
    path.set(world.test.path().to_owned()).unwrap();
    talk(&world, &BUG);
    let reflected = Reflector::new(world.workspace(), &world.models)
        .reflect(&Session::direct(), Reflect::IfWorthIt)
        .unwrap();
    assert_eq!((reflected.calls, &reflected.commit), (2, &None), "{reflected:?}");
    assert!(world.texts(Form::NOTES).is_empty());
}

#[test]
fn a_reflection_that_a_person_asks_for_costs_no_extraction() {
    let world = World::new(Provider::OpenAi, |request| match request.system.starts_with("Analyze") {
        true => Answer::Say("{\"events\": []}".into()),
        false => script(request),
    });
    let controller = memtape_mind::Controller::new(world.workspace(), &world.models);
    let process =
        || controller.process_conversation(&Session::direct(), memtape_mind::When::Now).unwrap().messages;
    talk(&world, &BUG);
    assert_eq!(process(), 4);
    let reflector = Reflector::new(world.workspace(), &world.models);
    for round in 1..=2 {
        let reflected = reflector.reflect(&Session::direct(), Reflect::Now).unwrap();
        assert_eq!(reflected.calls, 2, "{reflected:?}");
        talk(&world, &[("and the parser?", "It is fine.")]);
        assert_eq!(process(), 2, "round {round}");
    }
}
