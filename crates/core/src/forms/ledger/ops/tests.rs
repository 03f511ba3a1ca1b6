//! Tests of the commands: examples, and a comparison with a naive model.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use memtape_tape::ErrorKind;
use proptest::prelude::*;

use super::super::desk::{Desk, names, new_fact};
use super::super::entry::{folded, lifetime, topic};
use super::*;
use crate::fixtures::created_memory;
use crate::form::Recreation;
use crate::forms::ledger;
use crate::projection::project;
use crate::{Origin, Retire, Session};

mod confidential;

fn scoped(scope: &str, object: &str) -> NewFact {
    NewFact { scope: Some(scope.into()), ..new_fact("user", "prefers", object) }
}

fn named(scope: Option<&str>) -> Named {
    Named { subject: "User".into(), predicate: "PREFERS".into(), scope: scope.map(str::to_owned) }
}

fn new_value(object: &str) -> NewValue {
    NewValue { object: object.into(), confidence: 0.9, source: "agent_tool".into(), quarantined: None }
}

fn updated(desk: &mut Desk, scope: Option<&str>, object: &str) -> Result<Done> {
    let view = desk.view();
    let fact = one(&view, &named(scope), &desk.ctx)?;
    let decision = update(fact, &new_value(object), &desk.ctx, &desk.setting)?;
    Ok(desk.write(decision))
}

#[test]
fn the_same_is_kept_once_and_another_value_replaces_it() {
    let mut desk = Desk::new();
    assert_eq!(desk.add(&new_fact("user", "prefers", "dark mode")).unwrap().how, How::Saved);
    let again = desk.add(&new_fact("User", "prefers ", "Dark  Mode")).unwrap();
    assert_eq!((again.how, again.commit), (How::Present, None));
    assert_eq!(names(&desk.entries), ["add", "commit"]);
    // More confidence or new evidence confirms the fact; its confidence never shrinks.
    let surer = NewFact { confidence: 1.0, ..new_fact("user", "prefers", "dark mode") };
    assert_eq!(desk.add(&surer).unwrap().how, How::Confirmed);
    let evidence = NewFact { evidence: Some("said so".into()), ..new_fact("user", "prefers", "dark mode") };
    let done = desk.add(&evidence).unwrap();
    assert_eq!((done.how, done.value.confidence), (How::Confirmed, 1.0));
    assert_eq!(desk.add(&evidence).unwrap().how, How::Present);
    let done = desk.add(&new_fact("user", "prefers", "light mode")).unwrap();
    assert_eq!(done.how, How::Replaced);
    assert_eq!(done.before.unwrap().data.object, "dark mode");
    let facts = desk.facts();
    assert_eq!((facts.len(), facts[0].data.object.as_str()), (1, "light mode"));
    assert_eq!(desk.commit().message, "update user prefers");
    // Each event names its predecessor.
    let events: Vec<Event> = desk.entries.iter().filter_map(Event::read).map(|(_, event)| event).collect();
    assert!(events.windows(2).all(|pair| pair[1].parent_id.as_ref() == Some(&pair[0].id)));
}

#[test]
fn a_power_is_another_value() {
    let mut desk = Desk::new();
    let size = |object: &str| new_fact("box", "size", object);
    assert_eq!(desk.add(&size("10² cm")).unwrap().how, How::Saved);
    assert_eq!(desk.observe(&NewFact { confidence: 0.6, ..size("102 cm") }).unwrap().how, How::Doubted);
    assert_eq!(desk.add(&size("102 cm")).unwrap().how, How::Replaced);
}

#[test]
fn an_update_applies_to_every_topic_or_reports_ambiguity() {
    let mut desk = Desk::new();
    let missing = updated(&mut desk, None, "x").unwrap_err();
    assert_eq!(
        (missing.kind(), missing.to_string()),
        (ErrorKind::NotFound, "no fact about User PREFERS".into())
    );
    desk.add(&scoped("work", "Python")).unwrap();
    assert_eq!(updated(&mut desk, None, "Rust").unwrap().how, How::Replaced);
    desk.add(&new_fact("user", "prefers", "tea")).unwrap();
    let several = updated(&mut desk, None, "x").unwrap_err();
    assert_eq!(several.kind(), ErrorKind::Conflict);
    let text = several.to_string();
    assert!(text.contains("permanent: tea") && text.contains("work: Rust"), "{text}");
    assert_eq!(updated(&mut desk, Some("permanent"), "coffee").unwrap().how, How::Replaced);
    assert_eq!(updated(&mut desk, Some("WORK"), "Zig").unwrap().how, How::Replaced);
    assert_eq!(updated(&mut desk, Some("work"), "Zig").unwrap().how, How::Present);
    let mut texts: Vec<_> = desk.facts().into_iter().map(|fact| fact.memory.text).collect();
    texts.sort();
    assert_eq!(texts, ["user prefers Zig", "user prefers coffee"]);
}

#[test]
fn forgetting_takes_every_topic_with_an_event_for_each() {
    let mut desk = Desk::new();
    for fact in [new_fact("user", "prefers", "tea"), scoped("work", "Python"), scoped("temporary", "jazz")] {
        desk.add(&fact).unwrap();
    }
    let facts: Vec<Fact> = desk.view().named(&named(None), desk.ctx.now).into_iter().cloned().collect();
    let from = desk.entries.len();
    assert_eq!(desk.forget(&facts).unwrap().facts.len(), 3);
    assert_eq!(names(&desk.entries[from..]), ["forget", "forget", "forget", "commit"]);
    assert_eq!(desk.commit().message, "forget user prefers (3 facts)");
    assert!(desk.facts().is_empty());
}

#[test]
fn observations_confirm_and_doubt_by_their_numbers() {
    let seen = |object: &str| NewFact { confidence: 0.6, ..new_fact("door", "is", object) };
    let mut desk = Desk::new();
    assert_eq!(desk.observe(&seen("open")).unwrap().how, How::Saved);
    let done = desk.observe(&seen("Open")).unwrap();
    assert_eq!((done.how, done.value.confidence), (How::Confirmed, 0.72));
    desk.add(&NewFact { confidence: 0.9, ..new_fact("door", "is", "open") }).unwrap();
    let done = desk.observe(&seen("shut")).unwrap();
    assert_eq!((done.how, done.value.confidence), (How::Doubted, 0.63));
    // The tape has the observed value, the view the current one.
    let (_, event) = desk.entries.iter().rev().find_map(Event::read).unwrap();
    assert_eq!((event.object.as_str(), event.stands.unwrap().object.as_str()), ("shut", "open"));
    assert_eq!(desk.facts()[0].memory.text, "door is open");
    let done = desk.observe(&seen("shut")).unwrap();
    assert_eq!((done.how, done.value.confidence), (How::Replaced, 0.6));
    assert_eq!(desk.facts()[0].memory.text, "door is shut");
    assert_eq!(desk.commit().message, "observe door is");
}

#[test]
fn confirming_raises_confidence_and_restores_a_removed_fact() {
    let mut desk = Desk::new();
    desk.add(&NewFact { confidence: 0.5, ..new_fact("user", "prefers", "tea") }).unwrap();
    let confirm = |desk: &mut Desk, fact: &Fact, is_retired| {
        let decision = confirm(&desk.view(), fact, is_retired, &desk.ctx, &desk.setting)?;
        Ok::<_, Error>(desk.write(decision))
    };
    let fact = desk.facts().remove(0);
    assert_eq!(confirm(&mut desk, &fact, false).unwrap().value.confidence, 0.75);
    let fact = desk.facts().remove(0);
    let decision = deprecate(&fact, &desk.ctx, &desk.setting).unwrap();
    desk.write(decision);
    assert!(desk.facts().is_empty());
    let done = confirm(&mut desk, &fact, true).unwrap();
    assert_eq!((done.how, done.value.confidence), (How::Restored, 0.875));
    // A fact cannot be restored while another value occupies its slot.
    let taken = confirm(&mut desk, &fact, true).unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::Conflict);
}

#[test]
fn lifetimes_that_end_have_separate_slots() {
    let mut desk = Desk::new();
    desk.add(&new_fact("user", "prefers", "tea")).unwrap();
    desk.ctx.scope = Scope::of_chat(&Session::direct());
    desk.add(&scoped("session", "cocoa")).unwrap();
    desk.ctx.scope = Scope::Global;
    desk.add(&scoped("temporary", "water")).unwrap();
    assert_eq!(desk.facts().len(), 3);
    let end = |desk: &Desk| desk.facts().iter().find_map(|fact| fact.memory.expires_at);
    let first = end(&desk).unwrap();
    // Recording a temporary fact again extends its time; permanent facts outlive it.
    desk.ctx.now += SignedDuration::from_hours(24);
    assert_eq!(desk.add(&scoped("temporary", "water")).unwrap().how, How::Confirmed);
    assert!(end(&desk).unwrap() > first);
    desk.ctx.now += SignedDuration::from_hours(24 * 8);
    assert_eq!(end(&desk), None);
    assert_eq!(desk.facts().len(), 2);
}

#[test]
fn a_fact_of_a_conversation_is_kept_for_good() {
    let promoted = |desk: &mut Desk| {
        let fact = desk.facts().into_iter().find(|fact| fact.memory.lifetime == Lifetime::Session).unwrap();
        let decision = promote(&desk.view(), &fact, &desk.ctx, &desk.setting)?;
        Ok::<_, Error>(desk.write(decision))
    };
    let mut desk = Desk::new();
    let chat: Session = Session::parse("telegram:1").unwrap();
    desk.ctx.scope = Scope::of_chat(&chat);
    desk.ctx.session = chat;
    desk.add(&scoped("session", "cocoa")).unwrap();
    assert_eq!(promoted(&mut desk).unwrap().how, How::Saved);
    desk.add(&scoped("session", "milk")).unwrap();
    // The command comes from the terminal; the fact stays in the scope of the chat.
    desk.ctx.session = Session::direct();
    desk.ctx.scope = Scope::Global;
    let done = promoted(&mut desk).unwrap();
    assert_eq!(done.how, How::Replaced);
    assert_eq!(done.before.unwrap().data.object, "cocoa");
    let facts = desk.facts();
    assert_eq!((facts.len(), facts[0].memory.scope.as_str()), (1, "channel:telegram:chat:1"));
    assert_eq!(desk.commit().message, "promote user prefers");
    let kept = promote(&desk.view(), &facts[0], &desk.ctx, &desk.setting).unwrap_err();
    assert_eq!(kept.kind(), ErrorKind::Invalid);
}

#[test]
fn a_tool_cannot_change_facts_of_people() {
    let mut desk = Desk::new();
    desk.add(&new_fact("user", "prefers", "tea")).unwrap();
    desk.ctx.origin = Origin::Web;
    assert_eq!(desk.add(&new_fact("sky", "is", "green")).unwrap().how, How::Saved);
    assert_eq!(desk.add(&new_fact("sky", "is", "blue")).unwrap().how, How::Replaced);
    let surer = NewFact { confidence: 1.0, ..new_fact("user", "prefers", "tea") };
    assert_eq!(desk.add(&surer).unwrap().how, How::Present);
    assert_eq!(desk.observe(&surer).unwrap().how, How::Present);
    let other = new_fact("user", "prefers", "pills");
    for refused in [
        desk.add(&other).map(|_| ()),
        desk.observe(&other).map(|_| ()),
        updated(&mut desk, None, "x").map(|_| ()),
    ] {
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Refused);
    }
    let facts = desk.facts();
    let tea = facts.iter().find(|fact| fact.data.subject == "user").unwrap().clone();
    assert_eq!(desk.forget(&[tea]).unwrap_err().kind(), ErrorKind::Refused);
}

#[test]
fn a_commit_message_reveals_nothing_outside_its_scope() {
    let mut desk = Desk::new();
    desk.ctx.sensitivity = Sensitivity::Confidential;
    desk.add(&new_fact("safe", "opens with", "12-34-56")).unwrap();
    assert_eq!(desk.commit().message, "add a confidential fact");
    desk.ctx.sensitivity = Sensitivity::Normal;
    desk.ctx.scope = Scope::of_chat(&Session::parse("telegram:1").unwrap());
    desk.add(&new_fact("user", "prefers", "tea")).unwrap();
    let scopes = |desk: &Desk| project(desk.entries.last().unwrap()).scope;
    assert_eq!(scopes(&desk), desk.ctx.scope);
    desk.ctx.scope = Scope::Global;
    desk.add(&new_fact("user", "prefers", "milk")).unwrap();
    let facts = desk.facts();
    let (hidden, open): (Vec<_>, Vec<_>) =
        facts.into_iter().partition(|fact| fact.memory.sensitivity == Sensitivity::Confidential);
    desk.forget(&open).unwrap();
    assert_eq!((desk.commit().message.as_str(), scopes(&desk)), ("forget 2 facts", Scope::Global));
    desk.forget(&hidden).unwrap();
    let last = project(desk.entries.last().unwrap());
    assert_eq!(
        (last.sensitivity, desk.commit().message.as_str()),
        (Sensitivity::Confidential, "forget a confidential fact")
    );
}

#[test]
fn a_fact_is_recreated_unchanged_or_restored() {
    let mut desk = Desk::new();
    desk.add(&NewFact { evidence: Some("said so".into()), ..new_fact("door", "is", "open") }).unwrap();
    desk.observe(&NewFact { confidence: 0.6, ..new_fact("door", "is", "shut") }).unwrap();
    let fact = desk.facts().remove(0);
    let from = Meta { from: Some(fact.memory.id), ..meta_after(&fact, &desk.ctx) };
    let copy = ledger::recreate(&fact.memory, Recreation::Copy, &from, &desk.ctx).unwrap();
    let observation = desk.entries[2].clone();
    assert_eq!(copy.payload.get(), observation.payload.get(), "verbatim");
    let meta = Meta { retires: vec![], restores: Some(fact.memory.id), ..meta_after(&fact, &desk.ctx) };
    desk.forget(std::slice::from_ref(&fact)).unwrap();
    let restored = ledger::recreate(&fact.memory, Recreation::Restore, &meta, &desk.ctx).unwrap();
    let mut entry = observation;
    (entry.id, entry.payload, entry.meta) = (9, restored.payload, restored.meta);
    let (event_type, event) = Event::read(&entry).unwrap();
    assert_eq!((event_type, event.parent_id.as_ref()), (EventType::Add, Some(&fact.data.event)));
    let created = created_memory(project(&entry).creates.remove(0), None, desk.ctx.now);
    assert_eq!(
        (created.key, created.text, created.confidence),
        (fact.memory.key, fact.memory.text, fact.memory.confidence)
    );
}

/// The naive model of the ledger: a value and its confidence for each slot, with the parts of the slot
/// spelled out.
type Naive = BTreeMap<Slot, Value>;
type Slot = (String, String, String, String);
type Value = (String, f64, bool);

#[derive(Clone, Debug)]
enum Step {
    Add(NewFact),
    Observe(NewFact),
    Update(Named, String),
    Forget(Named),
    Deprecate(Named),
    Confirm(Named),
    Promote(Named),
    Days(i64),
    As(Origin),
    In(&'static str),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let word = |words: &'static [&'static str]| prop::sample::select(words).prop_map(str::to_owned);
    let scope =
        || prop::option::of(word(&["permanent", "session", "temporary", "work", "Work ", "work/technical"]));
    let pair = || (word(&["user", " USER", "ana"]), word(&["prefers", "is"]));
    let fact = (pair(), word(&["tea", "Tea", "milk"]), scope(), 0_u8..=10);
    let fact = fact.prop_map(|((subject, predicate), object, scope, tenths)| {
        let confidence = f64::from(tenths) / 10.0;
        NewFact { scope, confidence, ..new_fact(&subject, &predicate, &object) }
    });
    let name = (pair(), scope());
    let name = name.prop_map(|((subject, predicate), scope)| Named { subject, predicate, scope });
    let origin = prop::sample::select(vec![Origin::User, Origin::User, Origin::Assistant, Origin::Tool]);
    let session = prop::sample::select(vec!["cli:direct", "telegram:1", "telegram:1:thread"]);
    let step = prop_oneof![
        6 => fact.clone().prop_map(Step::Add),
        4 => fact.prop_map(Step::Observe),
        2 => (name.clone(), word(&["tea", "milk", "cocoa"])).prop_map(|(name, new)| Step::Update(name, new)),
        1 => name.clone().prop_map(Step::Forget),
        1 => name.clone().prop_map(Step::Deprecate),
        1 => name.clone().prop_map(Step::Confirm),
        1 => name.prop_map(Step::Promote),
        1 => (1_i64..10).prop_map(Step::Days),
        1 => origin.prop_map(Step::As),
        1 => session.prop_map(Step::In),
    ];
    proptest::collection::vec(step, 1..40)
}

/// Returns the parts of a slot: the conversation of a session fact, the subject, the predicate, and topic or
/// lifetime.
fn slot(
    session: &Session,
    subject: &str,
    predicate: &str,
    scope: Option<&str>,
) -> (String, String, String, String) {
    let (lives, topic) = (lifetime(scope), topic(scope).map(folded).unwrap_or_default());
    let place = if lives == Lifetime::Session { session.to_string() } else { String::new() };
    let apart = if lives == Lifetime::Permanent { topic } else { lives.as_str().to_owned() };
    (place, folded(subject), folded(predicate), apart)
}

/// Takes one step on the tape and in the model. A refused step changes neither.
fn both(step: &Step, desk: &mut Desk, naive: &mut Naive) {
    let is_foreign = desk.ctx.origin.is_foreign();
    let may_change = |held: &Value| !is_foreign || held.2;
    let session = desk.ctx.session.clone();
    match step {
        Step::Days(days) => {
            desk.ctx.now += SignedDuration::from_hours(24 * days);
            // A temporary fact expires seven days after it was last recorded.
            let now = desk.ctx.now;
            for fact in desk.view().iter().filter(|fact| fact.has_ended(now)) {
                assert_eq!(fact.memory.lifetime, Lifetime::Temporary);
                let input = fact.memory.said_at.unwrap();
                assert!(now.duration_since(input) >= SignedDuration::from_hours(24 * 7));
                naive.remove(&slot(&session, &fact.data.subject, &fact.data.predicate, Some("temporary")));
            }
        }
        Step::As(origin) => desk.ctx.origin = *origin,
        Step::In(session) => desk.ctx.session = Session::parse(session).unwrap(),
        Step::Add(input) => {
            let slot = slot(&session, &input.subject, &input.predicate, input.scope.as_deref());
            let is_temporary = slot.3 == "temporary";
            let held = naive.get(&slot).cloned();
            let done = desk.add(input);
            match held {
                None => drop(naive.insert(slot, (input.object.clone(), input.confidence, is_foreign))),
                Some(held) if folded(&held.0) == folded(&input.object) => {
                    // Each step is one second later, so recording a temporary fact again extends its time.
                    let adds = input.confidence > held.1 || is_temporary;
                    let changes = adds && may_change(&held);
                    assert_eq!(done.unwrap().how, if changes { How::Confirmed } else { How::Present });
                    if changes {
                        naive.insert(slot, (held.0, held.1.max(input.confidence), is_foreign));
                    }
                }
                Some(held) if may_change(&held) => {
                    assert_eq!(done.unwrap().how, How::Replaced);
                    naive.insert(slot, (input.object.clone(), input.confidence, is_foreign));
                }
                Some(_) => assert_eq!(done.unwrap_err().kind(), ErrorKind::Refused),
            }
        }
        Step::Observe(input) => {
            let slot = slot(&session, &input.subject, &input.predicate, input.scope.as_deref());
            let held = naive.get(&slot).cloned();
            let done = desk.observe(input);
            let q = input.confidence;
            let rounded = |c: f64| (c * 10_000.0).round() / 10_000.0;
            match held {
                None => drop(naive.insert(slot, (input.object.clone(), q, is_foreign))),
                Some(held) if !may_change(&held) => {}
                Some(held) if folded(&held.0) == folded(&input.object) => {
                    naive.insert(slot, (held.0, rounded(held.1 + (1.0 - held.1) * q / 2.0), is_foreign));
                }
                Some(held) if rounded(held.1 * (1.0 - q / 2.0)) < q => {
                    assert_eq!(done.unwrap().how, How::Replaced);
                    naive.insert(slot, (input.object.clone(), q, is_foreign));
                }
                Some(held) => {
                    assert_eq!(done.unwrap().how, How::Doubted);
                    naive.insert(slot, (held.0, rounded(held.1 * (1.0 - q / 2.0)), is_foreign));
                }
            }
        }
        _ => named_step(step, desk, naive),
    }
}

/// Takes a step on facts that are named by subject and predicate.
fn named_step(step: &Step, desk: &mut Desk, naive: &mut Naive) {
    let (Step::Update(name, _)
    | Step::Forget(name)
    | Step::Deprecate(name)
    | Step::Confirm(name)
    | Step::Promote(name)) = step
    else {
        return;
    };
    let is_foreign = desk.ctx.origin.is_foreign();
    let view = desk.view();
    let facts: Vec<Fact> = view.named(name, desk.ctx.now).into_iter().cloned().collect();
    let of = |fact: &Fact| {
        let session = fact.memory.session.as_deref().map(|label| Session::parse(label).unwrap()).unwrap();
        slot(&session, &fact.data.subject, &fact.data.predicate, fact.data.scope.as_deref())
    };
    let slots: Vec<_> = facts.iter().map(of).collect();
    let refused = is_foreign && slots.iter().any(|slot| !naive[slot].2);
    if let Step::Forget(_) = step {
        assert_eq!(desk.forget(&facts).is_ok(), !refused);
        if !refused {
            slots.iter().for_each(|slot| drop(naive.remove(slot)));
        }
        return;
    }
    let Ok(fact) = one(&view, name, &desk.ctx) else {
        assert_ne!(facts.len(), 1);
        return;
    };
    let (slot_, ctx, setting) = (slots[0].clone(), desk.ctx.clone(), desk.setting.clone());
    match step {
        Step::Update(_, object) => {
            let Ok(decision) = update(fact, &new_value(object), &ctx, &setting) else {
                return assert!(refused);
            };
            if desk.write(decision).how == How::Replaced {
                naive.insert(slot_, (object.clone(), 0.9, is_foreign));
            }
        }
        Step::Deprecate(_) => {
            let Ok(decision) = deprecate(fact, &ctx, &setting) else { return assert!(refused) };
            desk.write(decision);
            naive.remove(&slot_);
        }
        Step::Confirm(_) => {
            let Ok(decision) = confirm(&view, fact, false, &ctx, &setting) else {
                return assert!(refused);
            };
            desk.write(decision);
            let (object, before, _) = naive[&slot_].clone();
            let surer = ((1.0 - (1.0 - before) / 2.0) * 10_000.0).round() / 10_000.0;
            naive.insert(slot_, (object, surer, is_foreign));
        }
        Step::Promote(_) => {
            let target = slot(&Session::direct(), &fact.data.subject, &fact.data.predicate, None);
            let there = naive.get(&target).cloned();
            let Ok(decision) = promote(&view, fact, &ctx, &setting) else {
                let is_kept = fact.memory.lifetime == Lifetime::Permanent;
                return assert!(refused || is_kept || there.is_some_and(|there| is_foreign && !there.2));
            };
            desk.write(decision);
            let (object, confidence, was_foreign) = naive.remove(&slot_).unwrap();
            let most = match there {
                Some((other, held, _)) if folded(&other) == folded(&object) => confidence.max(held),
                _ => confidence,
            };
            naive.insert(target, (object, most, is_foreign || was_foreign));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_ledger_is_a_map_of_slots(steps in steps()) {
        let (mut desk, mut naive) = (Desk::new(), Naive::new());
        for step in &steps {
            both(step, &mut desk, &mut naive);
            // Each slot has one current fact, the same as in the model.
            let mut keys: Vec<_> = desk.current.iter().map(|memory| memory.key.clone()).collect();
            keys.sort();
            keys.dedup();
            prop_assert_eq!(keys.len(), desk.current.len());
            let shown: Naive = desk
                .facts()
                .into_iter()
                .map(|fact| {
                    let session = Session::parse(fact.memory.session.as_deref().unwrap()).unwrap();
                    let slot = slot(&session, &fact.data.subject, &fact.data.predicate, fact.data.scope.as_deref());
                    let is_foreign = fact.memory.origin.is_some_and(Origin::is_foreign);
                    (slot, (fact.data.object.clone(), fact.confidence(), is_foreign))
                })
                .collect();
            let input: Naive = naive.clone().into_iter().map(|(k, (o, c, f))| (k, (o, c.clamp(0.0, 1.0), f))).collect();
            prop_assert_eq!(&shown, &input, "after {:?}", step);
            let all_named = desk.entries.iter().all(|entry| {
                project(entry).retires.iter().all(|retire| matches!(retire, Retire::Memory(_)))
            });
            prop_assert!(all_named);
        }
    }
}
