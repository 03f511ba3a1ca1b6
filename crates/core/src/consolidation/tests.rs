use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::audience::Sensitivity;
use crate::category::Category;
use crate::fixtures;
use crate::forms::ledger::EventType;

fn memory(number: u64, form: Form, text: &str) -> Memory {
    Memory {
        session: Some("cli:direct".into()),
        scope: "workspace:w:global".into(),
        origin: Some(Origin::User),
        category: (form == Form::STATEMENTS).then_some(Category::Fact),
        confidence: (form != Form::ZONE).then_some(1.0),
        created_at: at(number),
        ..fixtures::memory(MemoryId::new(number, 0), form, &format!("{number:016x}"), text)
    }
}

fn at(day: u64) -> Timestamp {
    Timestamp::from_second(i64::try_from(day).unwrap() * 86_400).unwrap()
}

fn fact(number: u64, object: &str, scope: Option<&str>) -> Memory {
    let data = FactData {
        event: String::new(),
        event_type: EventType::Add,
        subject: "User".into(),
        predicate: "prefers".into(),
        object: object.into(),
        scope: scope.map(str::to_owned),
        source: String::new(),
        evidence: None,
        observed: None,
        parent_id: None,
        timestamp: String::new(),
        since: at(number),
    };
    let lifetime = crate::forms::ledger::entry::lifetime(scope);
    let data = serde_json::to_string(&data).unwrap();
    Memory { lifetime, data: Some(data), ..memory(number, Form::LEDGER, &format!("User prefers {object}")) }
}

/// Returns a fact with another predicate, and the text of both.
fn of_slot(predicate: &str, fact: Memory) -> Memory {
    let data: FactData = serde_json::from_str(fact.data.as_deref().unwrap()).unwrap();
    let text = format!("{} {predicate} {}", data.subject, data.object);
    let data = FactData { predicate: predicate.into(), ..data };
    Memory { text, data: Some(serde_json::to_string(&data).unwrap()), ..fact }
}

fn of(scope: &str, memory: Memory) -> Memory {
    Memory { scope: scope.into(), ..memory }
}

fn names(memories: &[&Memory]) -> String {
    memories.iter().map(|memory| memory.id.entry().to_string()).collect::<Vec<_>>().join(" ")
}

fn groups(groups: &[Vec<&Memory>]) -> Vec<String> {
    groups.iter().map(|group| names(group)).collect()
}

fn found(memories: &[Memory]) -> Findings<'_> {
    find(memories, None, &HashSet::new())
}

const ANA: &str = "channel:telegram:user:ana";
const BEN: &str = "channel:telegram:user:ben";
const CHAT: &str = "channel:telegram:chat:42";

#[test]
fn the_same_in_other_words_of_case_and_punctuation_is_a_duplicate_across_forms() {
    let memories = [
        memory(1, Form::STATEMENTS, "user prefers tea."),
        memory(2, Form::ZONE, "- User  prefers TEA"),
        fact(3, "tea", None),
        memory(4, Form::STATEMENTS, "user prefers coffee"),
        memory(5, Form::MESSAGES, "user prefers tea"),
    ];
    let found = found(&memories);
    // A line is kept, and so is a fact, which can be updated; a statement may be removed.
    assert_eq!(groups(&found.duplicates), ["2 3 1"]);
    assert_eq!(names(&found.needless), "1");
}

#[test]
fn only_redundant_memories_are_removed() {
    let tea = |number| memory(number, Form::STATEMENTS, "tea");
    let ends = |number, day| Memory { expires_at: Some(at(day)), ..tea(number) };
    let cases: Vec<(&str, Vec<Memory>, &str)> = vec![
        ("the older stays", vec![tea(2), tea(1)], "2"),
        ("who is trusted more", vec![Memory { origin: Some(Origin::Tool), ..tea(1) }, tea(2)], "1"),
        ("an unknown origin", vec![Memory { origin: None, ..tea(1) }, tea(2)], "1"),
        ("what lives longer", vec![ends(1, 5), tea(2), ends(3, 6)], "1 3"),
        (
            "trusted, but not for long",
            vec![ends(1, 5), Memory { origin: Some(Origin::Assistant), ..tea(2) }],
            "",
        ),
        ("somebody else's", vec![of(ANA, tea(1)), of(BEN, tea(2)), tea(3)], ""),
        ("private", vec![Memory { sensitivity: Sensitivity::Private, ..tea(1) }, tea(2)], ""),
        ("quarantined", vec![Memory { quarantined: Some("x".into()), ..tea(1) }, tea(2)], "1"),
        ("for this conversation", vec![Memory { lifetime: Lifetime::Session, ..tea(1) }, tea(2)], "1"),
        ("lines", vec![memory(1, Form::ZONE, "tea"), memory(2, Form::ZONE, "tea")], ""),
        (
            "signs",
            vec![memory(1, Form::STATEMENTS, "I use C++"), memory(2, Form::STATEMENTS, "I use C#")],
            "",
        ),
        ("values with signs", vec![fact(1, "20 €", None), fact(2, "20 $", None), fact(3, "20", None)], ""),
        (
            "a line instead of a fact",
            vec![memory(1, Form::ZONE, "User prefers tea"), fact(2, "tea", None)],
            "",
        ),
        (
            "a fact of another slot",
            vec![fact(1, "to tea", None), of_slot("prefers to", fact(2, "tea", None))],
            "",
        ),
        (
            "topics",
            vec![fact(1, "tea", None), fact(2, "tea", Some("work")), fact(3, "tea", Some("Work"))],
            "3",
        ),
        (
            "a topic says more",
            vec![memory(1, Form::STATEMENTS, "user prefers tea"), fact(2, "tea", Some("work"))],
            "1",
        ),
        (
            "what every chat sees",
            vec![
                of(ANA, Memory { category: Some(Category::Decision), ..tea(1) }),
                of(ANA, Memory { category: Some(Category::Preference), ..tea(2) }),
            ],
            "1",
        ),
    ];
    for (what, memories, gone) in cases {
        assert_eq!(names(&found(&memories).needless), gone, "{what}");
    }
}

#[test]
fn a_duplicate_that_more_people_see_is_kept() {
    let tea = |number| fact(number, "tea", None);
    let private = |number| Memory { sensitivity: Sensitivity::Private, ..tea(number) };
    let cases: Vec<(&str, Vec<Memory>, &str, &str)> = vec![
        ("a chat's is older", vec![of(CHAT, tea(1)), tea(2)], "2 1", "1"),
        ("a chat's is newer", vec![tea(1), of(CHAT, tea(2))], "1 2", "2"),
        (
            "a chat's is trusted more",
            vec![of(CHAT, tea(1)), Memory { origin: Some(Origin::Assistant), ..tea(2) }],
            "2 1",
            "1",
        ),
        ("two chats", vec![of(CHAT, tea(1)), of("channel:cli:chat:work", tea(2))], "1 2", ""),
        ("a person and a chat", vec![of(ANA, tea(1)), of(CHAT, tea(2)), of(ANA, tea(3))], "1 2 3", "3"),
        ("private", vec![private(1), tea(2)], "2 1", "1"),
        (
            "quarantined",
            vec![Memory { quarantined: Some("x".into()), ..tea(1) }, of(CHAT, tea(2))],
            "2 1",
            "",
        ),
        ("for one conversation", vec![fact(1, "tea", Some("session")), of(CHAT, tea(2))], "2 1", ""),
    ];
    for (what, memories, order, removable) in cases {
        let found = found(&memories);
        assert_eq!(groups(&found.duplicates), [order], "{what}");
        assert_eq!(names(&found.removable), removable, "{what}");
    }
}

#[test]
fn headings_rules_and_days_are_no_lines() {
    let day = || Memory { key: "2026-02-10".into(), ..memory(1, Form::ZONE, "tea") };
    let memories = [
        memory(1, Form::ZONE, "# Notes"),
        memory(2, Form::ZONE, "# Notes"),
        memory(3, Form::ZONE, "---"),
        memory(4, Form::ZONE, "---"),
        day(),
        day(),
    ];
    assert_eq!(found(&memories), Findings::default());
}

#[test]
fn facts_contradict_if_one_audience_sees_both() {
    let session = |number, object, session: &str| Memory {
        session: Some(session.into()),
        ..fact(number, object, Some("session"))
    };
    let cases: Vec<(&str, Vec<Memory>, &[&str])> = vec![
        ("topics", vec![fact(1, "tea", None), fact(2, "coffee", Some("work"))], &["1 2"]),
        ("the same", vec![fact(1, "tea", None), fact(2, "Tea ", Some("work"))], &[]),
        ("powers", vec![fact(1, "10² cm", None), fact(2, "102 cm", Some("work"))], &["1 2"]),
        ("two people", vec![of(ANA, fact(1, "tea", None)), of(BEN, fact(2, "coffee", None))], &[]),
        (
            "everybody",
            vec![of(ANA, fact(1, "tea", None)), of(BEN, fact(2, "coffee", None)), fact(3, "tea", None)],
            &["2 3"],
        ),
        (
            "a user in a chat",
            vec![of(ANA, fact(1, "tea", None)), of(CHAT, fact(2, "coffee", None))],
            &["1 2"],
        ),
        ("lifetimes", vec![fact(1, "tea", None), fact(2, "coffee", Some("temporary"))], &["1 2"]),
        (
            "conversations",
            vec![of(CHAT, session(1, "tea", "telegram:42")), of(CHAT, session(2, "milk", "telegram:42:7"))],
            &[],
        ),
        (
            "a conversation of the chat",
            vec![of(CHAT, fact(1, "tea", None)), of(CHAT, session(2, "milk", "telegram:42:7"))],
            &["1 2"],
        ),
    ];
    for (what, memories, expected) in cases {
        assert_eq!(groups(&found(&memories).contradictions), expected, "{what}");
    }
}

#[test]
fn doubtful_and_stale_memories_are_listed() {
    let sure = |number, confidence| Memory {
        confidence: Some(confidence),
        ..fact(number, &number.to_string(), Some(&number.to_string()))
    };
    let memories = [
        sure(1, 0.69),
        sure(2, 0.7),
        Memory { said_at: Some(at(3)), ..sure(3, 0.2) },
        sure(4, 1.0),
        sure(99, 1.0),
    ];
    let recalled = [MemoryId::new(2, 0)].into();
    let found = find(&memories, Some(at(50)), &recalled);
    expect![["low 1 3, stale 1 3 4"]].assert_eq(&format!(
        "low {}, stale {}",
        names(&found.low_confidence),
        names(&found.stale)
    ));
}

/// A memory with few distinct values, so that many have the same text.
fn any_memory() -> impl Strategy<Value = Memory> {
    let kind = (
        0_u8..3,
        prop::sample::select(vec!["tea", "Tea.", "coffee"]),
        prop::option::of(prop::sample::select(vec!["work", "session", "temporary"])),
    );
    let who = (
        prop::sample::select(vec!["workspace:w:global", ANA, BEN, CHAT]),
        prop::option::of(0_usize..5),
        prop::option::of(1_u64..4),
    );
    let more = (any::<bool>(), any::<bool>(), prop::sample::select(vec!["telegram:42", "telegram:42:7"]));
    (kind, who, more).prop_map(
        |((form, text, topic), (scope, origin, ends), (private, quarantined, session))| {
            let made = match form {
                0 => memory(1, Form::ZONE, text),
                1 => Memory {
                    lifetime: if topic == Some("session") { Lifetime::Session } else { Lifetime::Permanent },
                    ..memory(1, Form::STATEMENTS, text)
                },
                _ => Memory { text: text.to_owned(), ..fact(1, text, topic) },
            };
            Memory {
                scope: scope.into(),
                origin: origin.map(|n| Origin::ALL[n]),
                expires_at: ends.map(at),
                sensitivity: if private { Sensitivity::Private } else { Sensitivity::Normal },
                quarantined: quarantined.then(|| "rule".into()),
                session: Some(session.into()),
                ..made
            }
        },
    )
}

proptest! {
    /// For each removed memory, one with the same text and audience remains, and a second consolidation changes
    /// nothing.
    #[test]
    fn a_removed_duplicate_leaves_an_equal_memory(made in prop::collection::vec(any_memory(), 0..14)) {
        let memories: Vec<Memory> = made.into_iter().zip(1_u64..).map(|(memory, n)| Memory { id: MemoryId::new(n, 0), ..memory }).collect();
        let gone: HashSet<_> = found(&memories).needless.iter().map(|memory| memory.id).collect();
        let rest: Vec<Memory> = memories.iter().filter(|memory| !gone.contains(&memory.id)).cloned().collect();
        for memory in memories.iter().filter(|memory| gone.contains(&memory.id)) {
            prop_assert!(memory.form != Form::ZONE);
            prop_assert!(rest.iter().any(|other| {
                same::said(&other.text) == same::said(&memory.text) && other.scope == memory.scope
                    && other.sensitivity == memory.sensitivity
                    && (other.lifetime != Lifetime::Session || other.session == memory.session)
                    && end(other) >= end(memory) && distrust(other) <= distrust(memory)
            }), "{memory:?}");
        }
        let reads: Vec<Read<'_>> = rest.iter().filter_map(Read::of).collect();
        for group in duplicates(&reads) {
            for (n, kept) in group.iter().enumerate() {
                for (_, other) in group.iter().enumerate().filter(|(m, other)| *m != n && other.memory.form != Form::ZONE) {
                    prop_assert!(!covers(kept, other), "{:?} {:?}", kept.memory, other.memory);
                }
            }
        }
        // A contradiction has at least two members with different values.
        for group in found(&memories).contradictions {
            prop_assert!(group.len() > 1);
        }
    }
}
