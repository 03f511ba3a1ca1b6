//! Confidential facts, and visible ones of the same name.

use super::*;

/// Returns the values of the current facts: those that everybody sees, and the confidential ones.
fn values(desk: &Desk) -> [Vec<String>; 2] {
    let (hidden, visible): (Vec<Fact>, Vec<Fact>) =
        desk.facts().into_iter().partition(|fact| fact.memory.sensitivity == Sensitivity::Confidential);
    [visible, hidden].map(|facts| facts.into_iter().map(|fact| fact.data.object).collect())
}

fn current(visible: &[&str], hidden: &[&str]) -> [Vec<String>; 2] {
    [visible, hidden].map(|values| values.iter().map(|value| (*value).to_owned()).collect())
}

fn salary(object: &str) -> NewFact {
    new_fact("user", "earns", object)
}

/// Runs a command as somebody who does not see confidential facts.
fn unseen(
    desk: &mut Desk,
    input: &NewFact,
    decide: fn(&View, &NewFact, &Context, &Setting) -> Result<Decision<Done>>,
) -> Result<Done> {
    let is_stated = desk.ctx.sensitivity == Sensitivity::Confidential;
    let mut facts = desk.current.clone();
    facts.retain(|memory| is_stated || memory.sensitivity != Sensitivity::Confidential);
    let setting = Setting { is_unseen: is_stated, ..desk.setting.clone() };
    let decision = decide(&View::fold(facts), input, &desk.ctx, &setting)?;
    Ok(desk.write(decision))
}

#[test]
fn a_confidential_fact_and_a_visible_one_do_not_touch_each_other() {
    let mut desk = Desk::new();
    desk.ctx.sensitivity = Sensitivity::Confidential;
    let hidden = desk.add(&salary("5000")).unwrap();
    desk.ctx.sensitivity = Sensitivity::Normal;
    for (decide, how) in [(add as fn(&View, &_, &_, &_) -> _, How::Saved), (observe, How::Confirmed)] {
        let done = unseen(&mut desk, &salary("3000"), decide).unwrap();
        assert_eq!((done.how, done.reference != hidden.reference), (how, true));
        assert_eq!(values(&desk), current(&["3000"], &["5000"]));
    }
    assert_eq!(unseen(&mut desk, &salary("4000"), add).unwrap().how, How::Replaced);
    assert_eq!(values(&desk), current(&["4000"], &["5000"]));
}

#[test]
fn the_owner_changes_the_confidential_fact_and_it_stays_confidential() {
    let mut desk = Desk::new();
    desk.ctx.sensitivity = Sensitivity::Confidential;
    desk.add(&salary("5000")).unwrap();
    desk.ctx.sensitivity = Sensitivity::Normal;
    assert_eq!(desk.add(&salary("6000")).unwrap().how, How::Replaced);
    assert_eq!(values(&desk), current(&[], &["6000"]));
    // A visible fact of somebody else makes no difference: it cannot draw the owner's next value into the open.
    unseen(&mut desk, &salary("3000"), add).unwrap();
    assert_eq!(desk.add(&salary("7000")).unwrap().before.unwrap().data.object, "6000");
    assert_eq!(desk.observe(&salary("7000")).unwrap().how, How::Confirmed);
    assert_eq!(values(&desk), current(&["3000"], &["7000"]));
    let name = Named { subject: "user".into(), predicate: "earns".into(), scope: None };
    let view = desk.view();
    let fact = one(&view, &name, &desk.ctx).unwrap();
    let decision = update(fact, &new_value("8000"), &desk.ctx, &desk.setting).unwrap();
    desk.write(decision);
    assert_eq!(values(&desk), current(&["3000"], &["8000"]));
    // Both are forgotten by their name.
    let both: Vec<Fact> = desk.view().named(&name, desk.ctx.now).into_iter().cloned().collect();
    desk.forget(&both).unwrap();
    assert_eq!(values(&desk), current(&[], &[]));
}

#[test]
fn a_visible_fact_becomes_confidential() {
    for (decide, object, left) in [
        (add as fn(&View, &_, &_, &_) -> _, "5000", "5000"),
        (add, "6000", "6000"),
        (observe, "5000", "5000"),
        // The value that is doubted stays, and does not stay visible: the observation is part of the fact.
        (observe, "6000", "5000"),
    ] {
        let mut desk = Desk::new();
        desk.add(&salary("5000")).unwrap();
        desk.ctx.sensitivity = Sensitivity::Confidential;
        let input = NewFact { confidence: 0.6, ..salary(object) };
        let input = if object == left { NewFact { confidence: 0.9, ..input } } else { input };
        let decision = decide(&desk.view(), &input, &desk.ctx, &desk.setting).unwrap();
        let done = desk.write(decision);
        assert_eq!(done.before.unwrap().data.object, "5000");
        assert_eq!(values(&desk), current(&[], &[left]), "{object}");
        assert_eq!(desk.current[0].key, done.reference.key);
    }
    // With both, the confidential fact is changed, and the visible one removed.
    let mut desk = Desk::new();
    desk.ctx.sensitivity = Sensitivity::Confidential;
    desk.add(&salary("5000")).unwrap();
    desk.ctx.sensitivity = Sensitivity::Normal;
    unseen(&mut desk, &salary("3000"), add).unwrap();
    desk.ctx.sensitivity = Sensitivity::Confidential;
    assert_eq!(desk.add(&salary("5000")).unwrap().how, How::Confirmed);
    assert_eq!(values(&desk), current(&[], &["5000"]));
    assert_eq!(desk.add(&salary("5000")).unwrap().how, How::Present);
}

#[test]
fn a_confidential_fact_is_written_unseen() {
    for is_there in [false, true] {
        let mut desk = Desk::new();
        desk.ctx.sensitivity = Sensitivity::Confidential;
        if is_there {
            desk.add(&NewFact { confidence: 1.0, ..salary("5000") }).unwrap();
        }
        for (decide, object) in
            [(add as fn(&View, &_, &_, &_) -> _, "5000"), (observe, "5000"), (observe, "4000"), (add, "4000")]
        {
            let done = unseen(&mut desk, &salary(object), decide).unwrap();
            assert_eq!((done.how, done.before), (How::Saved, None), "{is_there} {object}");
            assert_eq!((done.text, done.value.confidence), (format!("user earns {object}"), 0.9));
            assert!(done.event.is_some() && done.commit.is_some());
        }
        assert_eq!(values(&desk), current(&[], &["4000"]));
        desk.ctx.origin = Origin::Tool;
        let refused = unseen(&mut desk, &salary("1"), add).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Refused);
    }
}

#[test]
fn a_promoted_fact_stays_confidential() {
    let mut desk = Desk::new();
    let promoted = |desk: &mut Desk, fact: &Fact| {
        let decision = promote(&desk.view(), fact, &desk.ctx, &desk.setting).unwrap();
        desk.write(decision)
    };
    desk.add(&salary("3000")).unwrap();
    desk.ctx.sensitivity = Sensitivity::Confidential;
    let temporary = |object: &str| NewFact { scope: Some("temporary".into()), ..salary(object) };
    desk.add(&temporary("5000")).unwrap();
    let fact = desk.facts().into_iter().find(|fact| fact.data.object == "5000").unwrap();
    let done = promoted(&mut desk, &fact);
    assert_eq!((values(&desk), desk.current.len()), (current(&[], &["5000"]), 1));
    assert_eq!(desk.current[0].key, done.reference.key);
    // A visible one takes the confidential slot of the owner.
    desk.ctx.sensitivity = Sensitivity::Normal;
    desk.add(&temporary("6000")).unwrap();
    let fact = desk.facts().into_iter().find(|fact| fact.data.object == "6000").unwrap();
    promoted(&mut desk, &fact);
    assert_eq!(values(&desk), current(&[], &["6000"]));
}
