//! Commands of the ledger.
//!
//! # How observations change the confidence
//! A current value has the confidence `c`; a value is observed with the confidence `q`.
//!
//! - The same value: `c` grows by half of the remaining doubt, weighted by `q`: `c + (1 - c) · q / 2`.
//! - Another value: `c` shrinks to `c · (1 - q / 2)`. The current value stays as long as that is at least
//!   `q`; otherwise the observed value replaces it, with the confidence `q`. With the usual `q` of 0.6, a
//!   value of 0.9 survives one contradicting observation (0.63) and is replaced at the second (0.441).
//!
//! Confirming a fact halves the remaining doubt: `1 - (1 - c) / 2`.

use jiff::Timestamp;

use super::entry::{self, Event, EventType, FactValue};
use super::group::{Group, PendingEvent, Setting, meta_after, retires};
use super::input::{Named, NewFact, NewValue, one_line};
use super::view::{Fact, View};
use crate::audience::Sensitivity;
use crate::commit::Commit;
use crate::decision::{Context, Decision};
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::lifetime::Lifetime;
use crate::memory::{Form, MemoryId, Ref};
use crate::meta::Meta;
use crate::same;
use crate::scope::Scope;
use crate::slots::Slots;

/// Confidences are rounded to multiples of `1 / PARTS`.
const PARTS: f64 = 10_000.0;

/// The effect of a command on a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The fact is new.
    Saved,
    /// The fact existed. Its confidence, evidence, end or sensitivity changed.
    Confirmed,
    /// The fact existed and nothing was added: nothing was written.
    Present,
    /// The value superseded another one, which stays in the history.
    Replaced,
    /// Another value stays current, with less confidence than before.
    Doubted,
    /// The fact had been removed and is current again.
    Restored,
}

/// The result of a command about one fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The effect of the command.
    pub how: How,
    /// The ref of the fact.
    pub reference: Ref,
    /// The current fact as a sentence.
    pub text: String,
    /// The current value.
    pub value: FactValue,
    /// The fact that was current before; `None` if there was none.
    pub before: Option<Fact>,
    /// The id of the event that was written; `None` if nothing was.
    pub event: Option<String>,
    /// The commit that was written; `None` if nothing was, or the commit is deferred.
    pub commit: Option<Commit>,
}

/// The result of removing facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Retired {
    /// The facts as they were before.
    pub facts: Vec<Fact>,
    /// The commit that was written; `None` if nothing was, or the commit is deferred.
    pub commit: Option<Commit>,
}

/// The slot that a command writes to.
struct Slot<'v> {
    /// The current facts that a new one supersedes; the first one is the fact that the command changes.
    current: Vec<&'v Fact>,
    /// The expired facts that it supersedes.
    ended: Vec<&'v Fact>,
    /// The sensitivity of the new fact.
    sensitivity: Sensitivity,
}

impl<'v> Slot<'v> {
    /// Returns the slot for a fact that is stated with a sensitivity.
    fn of(slots: &Slots, view: &'v View, stated: Sensitivity, now: Timestamp) -> Self {
        let keys = slots.written(stated, |key| view.get(key, now).is_some());
        let current: Vec<&Fact> = keys.iter().filter_map(|key| view.get(key, now)).collect();
        let ended = keys.iter().filter_map(|key| view.ended(key, now)).collect();
        let sensitivity = current.first().map_or(stated, |fact| fact.memory.sensitivity.max(stated));
        Self { current, ended, sensitivity }
    }

    /// Returns the fact that the command changes; `None` if there is none.
    fn fact(&self) -> Option<&'v Fact> {
        self.current.first().copied()
    }

    /// Returns the ids of the facts that a new one supersedes.
    fn superseded(&self) -> impl Iterator<Item = MemoryId> {
        self.current.iter().chain(&self.ended).map(|fact| fact.memory.id)
    }
}

/// Records a fact. The view must contain at least the facts of its slots that the author may see.
///
/// If its slot is occupied ([`crate::slots`]), the same value is confirmed if anything was added to it, and another
/// value supersedes the current one.
///
/// # Errors
/// [`Error::Invalid`] if the fact is not valid ([`NewFact::checked`]); [`Error::Refused`] if a tool or a page would
/// change a fact of another origin, or add a confidential one that its audience may not see.
pub fn add(view: &View, input: &NewFact, ctx: &Context, setting: &Setting) -> Result<Decision<Done>> {
    record(view, input, ctx, setting, added)
}

/// Records an observation, as the module documentation describes.
///
/// # Errors
/// As [`add`].
pub fn observe(view: &View, input: &NewFact, ctx: &Context, setting: &Setting) -> Result<Decision<Done>> {
    record(view, input, ctx, setting, observed)
}

fn record(
    view: &View,
    input: &NewFact,
    ctx: &Context,
    setting: &Setting,
    decide: fn(&Slot<'_>, &NewFact, &Context, &Setting) -> Result<Decision<Done>>,
) -> Result<Decision<Done>> {
    let input = input.checked()?;
    let slot = Slot::of(&input.slots(ctx), view, ctx.sensitivity, ctx.now);
    if !setting.is_unseen {
        return decide(&slot, &input, ctx, setting);
    }
    if ctx.origin.is_foreign() {
        // Whether it may supersede the current fact would tell whether there is one.
        return Err(Error::Refused("a tool or a web page cannot add a confidential fact".into()));
    }
    Ok(decide(&slot, &input, ctx, setting)?.map(|done| done.unseen(&input)))
}

impl Done {
    /// Returns the outcome for an author who may not see which fact was current before.
    fn unseen(self, input: &NewFact) -> Self {
        let NewFact { subject, predicate, object, confidence, source, evidence, .. } = input.clone();
        let text = entry::text(&subject, &predicate, &object);
        let value = FactValue { object, confidence, source, evidence };
        Self { how: How::Saved, text, value, before: None, ..self }
    }
}

fn added(slot: &Slot<'_>, input: &NewFact, ctx: &Context, setting: &Setting) -> Result<Decision<Done>> {
    let Some(fact) = slot.fact() else {
        return first(EventType::Add, slot, input, ctx, setting);
    };
    if same::folded(&fact.data.object) != same::folded(&input.object) {
        may_supersede(slot, ctx)?;
        return replace(EventType::Modify, slot, fact, input, ctx, setting);
    }
    let end = setting.end(input.scope.as_deref(), input.days, ctx.now);
    let end = match (fact.memory.expires_at, input.days) {
        // A number of days that the caller states replaces the previous end.
        (Some(_), Some(_)) => end,
        (before, _) => longer(before, end),
    };
    let new_evidence = input.evidence.as_ref().filter(|&new| Some(new) != fact.data.evidence.as_ref());
    // A person who states what is untrusted makes it theirs.
    let is_adopted = ctx.origin.is_person() && fact.memory.is_untrusted();
    let adds = input.confidence > fact.confidence()
        || new_evidence.is_some()
        || end != fact.memory.expires_at
        || slot.sensitivity > fact.memory.sensitivity
        || slot.current.len() > 1
        || is_adopted
        || setting.is_unseen;
    if !adds || may_supersede(slot, ctx).is_err() {
        return Ok(Decision::nothing(present(fact)));
    }
    let value = FactValue {
        confidence: input.confidence.max(fact.confidence()),
        evidence: new_evidence.cloned().or_else(|| fact.data.evidence.clone()),
        source: input.source.clone(),
        ..fact.value()
    };
    let meta = meta_in(slot, fact, ctx);
    let quarantined = if is_adopted { input.quarantined.clone() } else { meta.quarantined.clone() };
    confirmed(fact, EventType::Confirm, value, end, Meta { quarantined, ..meta }, ctx, setting)
}

fn observed(slot: &Slot<'_>, input: &NewFact, ctx: &Context, setting: &Setting) -> Result<Decision<Done>> {
    let Some(fact) = slot.fact() else {
        return first(EventType::Observe, slot, input, ctx, setting);
    };
    let (before, observed) = (fact.confidence(), input.confidence);
    let is_same = same::folded(&fact.data.object) == same::folded(&input.object);
    if is_same && may_supersede(slot, ctx).is_err() {
        return Ok(Decision::nothing(present(fact)));
    }
    may_supersede(slot, ctx)?;
    if is_same {
        let end = later(fact.memory.expires_at, setting.end(input.scope.as_deref(), input.days, ctx.now));
        let value = FactValue {
            confidence: share(before + (1.0 - before) * observed / 2.0),
            evidence: input.evidence.clone().or_else(|| fact.data.evidence.clone()),
            ..fact.value()
        };
        return confirmed(fact, EventType::Observe, value, end, meta_in(slot, fact, ctx), ctx, setting);
    }
    let doubted = share(before * (1.0 - observed / 2.0));
    if doubted < observed {
        return replace(EventType::Observe, slot, fact, input, ctx, setting);
    }
    let value = FactValue { confidence: doubted, ..fact.value() };
    let NewFact { object, confidence, source, evidence, .. } = input.clone();
    let stands = Some(value.clone());
    let event = Event { object, confidence, source, evidence, stands, ..fact.current_event() };
    let pending = PendingEvent { event_type: EventType::Observe, event, meta: meta_in(slot, fact, ctx) };
    done(How::Doubted, Some(fact), value, pending, ctx, setting)
}

/// Replaces the value of a fact.
///
/// # Errors
/// [`Error::Invalid`] and [`Error::Refused`] as for [`add`].
pub fn update(fact: &Fact, new: &NewValue, ctx: &Context, setting: &Setting) -> Result<Decision<Done>> {
    let NewValue { object, confidence, source, quarantined } = new.checked()?;
    may_change(fact, ctx)?;
    if fact.data.object == object {
        return Ok(Decision::nothing(present(fact)));
    }
    // A temporary fact starts its time again; any other fact keeps its end.
    let fresh = setting.end(fact.data.scope.as_deref(), None, ctx.now);
    let event = Event {
        object,
        confidence,
        source,
        evidence: None,
        expires_at: fresh.or(fact.memory.expires_at),
        ..fact.current_event()
    };
    let meta = Meta { quarantined, ..meta_after(fact, ctx) };
    let value = value_of_event(&event);
    let pending = PendingEvent { event_type: EventType::Modify, event, meta };
    done(How::Replaced, Some(fact), value, pending, ctx, setting)
}

/// Removes facts, with one event for each.
///
/// # Errors
/// [`Error::Refused`] if a tool or a page would remove a fact of another origin.
pub fn forget(facts: &[&Fact], ctx: &Context, setting: &Setting) -> Result<Decision<Retired>> {
    retire(EventType::Forget, facts, ctx, setting)
}

/// Removes a fact that is no longer true. It stays in the history.
///
/// # Errors
/// As [`forget`].
pub fn deprecate(fact: &Fact, ctx: &Context, setting: &Setting) -> Result<Decision<Retired>> {
    retire(EventType::Deprecate, &[fact], ctx, setting)
}

/// Confirms a fact, which halves the remaining doubt. A fact that was removed is restored.
///
/// # Errors
/// [`Error::Conflict`] if another value has occupied the slot since; [`Error::Refused`] if a tool or a page would
/// change a fact of another origin.
pub fn confirm(
    view: &View,
    fact: &Fact,
    is_retired: bool,
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Done>> {
    may_change(fact, ctx)?;
    let value = FactValue { confidence: share(1.0 - (1.0 - fact.confidence()) / 2.0), ..fact.value() };
    let fresh = setting.end(fact.data.scope.as_deref(), None, ctx.now);
    let end = later(fact.memory.expires_at, fresh);
    if !is_retired {
        return confirmed(fact, EventType::Confirm, value, end, meta_after(fact, ctx), ctx, setting);
    }
    if let Some(other) = view.get(&fact.memory.key, ctx.now) {
        return Err(Error::Conflict(format!(
            "the slot now contains {} ({}): forget that first",
            other.memory.text,
            other.memory.version()
        )));
    }
    let event = Event { confidence: value.confidence, expires_at: end, ..fact.current_event() };
    let ended = view.ended(&fact.memory.key, ctx.now).map(|fact| fact.memory.id);
    let meta = Meta { retires: retires(ended), restores: Some(fact.memory.id), ..meta_after(fact, ctx) };
    let pending = PendingEvent { event_type: EventType::Confirm, event, meta };
    done(How::Restored, Some(fact), value, pending, ctx, setting)
}

/// Makes a fact permanent: it moves to the permanent slot of the same scope.
///
/// # Errors
/// [`Error::Invalid`] if the fact is permanent already; [`Error::Refused`] as for [`add`].
pub fn promote(view: &View, fact: &Fact, ctx: &Context, setting: &Setting) -> Result<Decision<Done>> {
    let (data, memory) = (&fact.data, &fact.memory);
    if memory.lifetime == Lifetime::Permanent {
        return Err(Error::Invalid(format!("{} is already permanent", memory.version())));
    }
    may_change(fact, ctx)?;
    let whose = Scope::from_label(&memory.scope).unwrap_or_default();
    let slots = entry::slots(&whose, None, &data.subject, &data.predicate, None);
    let slot = Slot::of(&slots, view, memory.sensitivity, ctx.now);
    let there = slot.fact();
    let is_same = |there: &Fact| same::folded(&there.data.object) == same::folded(&data.object);
    let how = match there {
        None => How::Saved,
        Some(there) if is_same(there) => How::Confirmed,
        Some(_) => How::Replaced,
    };
    may_supersede(&slot, ctx)?;
    let mut event = Event { scope: None, expires_at: None, ..fact.current_event() };
    let mut meta = Meta { session: ctx.meta().session, ..meta_after(fact, ctx) };
    meta.retires = retires(slot.superseded().chain([memory.id]));
    meta.sensitivity = slot.sensitivity;
    // The less trusted origin is kept, so that a fact of a conversation cannot pass for the user's own words.
    meta.origin = memory.origin.map(|origin| origin.less_trusted(ctx.origin)).or(meta.origin);
    if let Some(there) = there {
        event.confidence = match how {
            How::Confirmed => event.confidence.max(there.confidence()),
            _ => event.confidence,
        };
        event.parent_id = Some(there.data.event.clone());
        event.since = if how == How::Confirmed { Some(there.data.since) } else { None };
    }
    let event_type = match how {
        How::Confirmed => EventType::Confirm,
        How::Replaced => EventType::Modify,
        _ => EventType::Add,
    };
    let value = value_of_event(&event);
    let pending = PendingEvent { event_type, event, meta };
    committed("promote", how, there, value, pending, ctx, setting)
}

/// Returns the one fact that is named. If both slots of a place have a current fact, it is the confidential one.
///
/// # Errors
/// [`Error::NotFound`] if there is no such fact; [`Error::Ambiguous`] if it exists in several topics.
pub fn one<'v>(view: &'v View, named: &Named, ctx: &Context) -> Result<&'v Fact> {
    let mut facts = view.named(named, ctx.now);
    let is_hidden = |fact: &Fact| fact.memory.sensitivity == Sensitivity::Confidential;
    let hidden: Vec<&Fact> = facts.iter().copied().filter(|fact| is_hidden(fact)).collect();
    facts.retain(|fact| is_hidden(fact) || !hidden.iter().any(|hidden| hidden.shares_place(fact)));
    facts.sort_by_key(|fact| fact.place());
    match facts[..] {
        [] => Err(nothing(named)),
        [fact] => Ok(fact),
        _ => {
            let values: Vec<String> = facts.iter().map(|fact| in_its_place(fact)).collect();
            Err(Error::Ambiguous(format!(
                "{} {} matches {} facts: {}",
                named.subject,
                named.predicate,
                facts.len(),
                values.join("; ")
            ))
            .with_hint(Hint::NameFactScope))
        }
    }
}

/// Returns the error for a name without a current fact.
#[must_use]
pub fn nothing(named: &Named) -> Error {
    let place = named.scope.as_deref().map_or(String::new(), |scope| format!(" in {scope}"));
    Error::NotFound(format!("no fact about {} {}{place}", named.subject, named.predicate))
}

/// Formats a fact for the error about ambiguous names, such as `work/technical: Python
/// (ledger:0123456789abcdef)`.
///
/// The value of a confidential fact is not shown.
fn in_its_place(fact: &Fact) -> String {
    let object = match fact.memory.sensitivity {
        Sensitivity::Confidential => "(confidential)",
        _ => &fact.data.object,
    };
    let object = one_line(object);
    format!("{}: {object} ({})", fact.place(), fact.memory.reference())
}

/// Records the first fact of a slot, or the first one after the previous fact has expired.
fn first(
    event_type: EventType,
    slot: &Slot<'_>,
    input: &NewFact,
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Done>> {
    let event = event_of(input, setting.end(input.scope.as_deref(), input.days, ctx.now));
    let retires = retires(slot.superseded());
    let meta = Meta { quarantined: input.quarantined.clone(), retires, ..ctx.meta() };
    let value = value_of_event(&event);
    done(How::Saved, None, value, PendingEvent { event_type, event, meta }, ctx, setting)
}

/// Replaces the value in an occupied slot.
fn replace(
    event_type: EventType,
    slot: &Slot<'_>,
    fact: &Fact,
    input: &NewFact,
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Done>> {
    let end = setting.end(input.scope.as_deref(), input.days, ctx.now);
    let event = Event {
        parent_id: Some(fact.data.event.clone()),
        since: Some(fact.data.since),
        ..event_of(input, end)
    };
    let meta = Meta { quarantined: input.quarantined.clone(), ..meta_in(slot, fact, ctx) };
    let value = value_of_event(&event);
    done(How::Replaced, Some(fact), value, PendingEvent { event_type, event, meta }, ctx, setting)
}

/// Returns the `meta` of a newer version of the fact of a slot.
fn meta_in(slot: &Slot<'_>, fact: &Fact, ctx: &Context) -> Meta {
    let retires = retires(slot.superseded());
    Meta { sensitivity: slot.sensitivity, retires, ..meta_after(fact, ctx) }
}

/// Records the same value with other confidence, evidence, end or `meta`.
fn confirmed(
    fact: &Fact,
    event_type: EventType,
    value: FactValue,
    end: Option<Timestamp>,
    meta: Meta,
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Done>> {
    let FactValue { object, confidence, source, evidence } = value.clone();
    let event = Event { object, confidence, source, evidence, expires_at: end, ..fact.current_event() };
    done(How::Confirmed, Some(fact), value, PendingEvent { event_type, event, meta }, ctx, setting)
}

fn done(
    how: How,
    before: Option<&Fact>,
    value: FactValue,
    pending: PendingEvent,
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Done>> {
    let event_type = match pending.event_type {
        // The author is shown the commit, the event's id, and how a visible fact ended.
        EventType::Modify | EventType::Confirm if setting.is_unseen => EventType::Add,
        event_type => event_type,
    };
    let verb = match (how, event_type) {
        (How::Replaced, EventType::Modify) => "update",
        (_, event_type) => event_type.as_str(),
    };
    let pending = PendingEvent { event_type, ..pending };
    committed(verb, how, before, value, pending, ctx, setting)
}

/// Writes an event, and the commit whose message begins with `verb`.
fn committed(
    verb: &str,
    how: How,
    before: Option<&Fact>,
    value: FactValue,
    pending: PendingEvent,
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Done>> {
    let reference = Ref { form: Form::LEDGER, key: pending.key(), entry: None };
    let mut group = Group::new(ctx);
    let event = group.add(pending)?;
    let (drafts, commit) = group.committed(verb, setting)?;
    let outcome = Done {
        how,
        reference,
        text: entry::text(&event.subject, &event.predicate, &value.object),
        value,
        before: before.cloned(),
        event: Some(event.id),
        commit,
    };
    Ok(Decision { drafts, outcome })
}

fn retire(
    event_type: EventType,
    facts: &[&Fact],
    ctx: &Context,
    setting: &Setting,
) -> Result<Decision<Retired>> {
    if facts.is_empty() {
        return Ok(Decision::nothing(Retired { facts: Vec::new(), commit: None }));
    }
    let mut group = Group::new(ctx);
    for fact in facts {
        may_change(fact, ctx)?;
        // The event creates no memory, so it need not belong to the conversation of the fact.
        let meta = Meta { session: ctx.meta().session, ..meta_after(fact, ctx) };
        group.add(PendingEvent { event_type, event: fact.current_event(), meta })?;
    }
    let (drafts, commit) = group.committed(event_type.as_str(), setting)?;
    let facts = facts.iter().map(|&fact| fact.clone()).collect();
    Ok(Decision { drafts, outcome: Retired { facts, commit } })
}

fn present(fact: &Fact) -> Done {
    Done {
        how: How::Present,
        reference: fact.memory.version(),
        text: fact.memory.text.clone(),
        value: fact.value(),
        before: Some(fact.clone()),
        event: None,
        commit: None,
    }
}

/// Returns an error if a tool or a page would change a fact of another origin.
fn may_change(fact: &Fact, ctx: &Context) -> Result<()> {
    ctx.may_change(fact.memory.origin, || fact.memory.version())
}

/// Returns an error if a tool or a page would supersede a fact of another origin.
fn may_supersede(slot: &Slot<'_>, ctx: &Context) -> Result<()> {
    slot.current.iter().try_for_each(|fact| may_change(fact, ctx))
}

fn event_of(input: &NewFact, expires_at: Option<Timestamp>) -> Event {
    Event {
        id: String::new(),
        subject: input.subject.clone(),
        predicate: input.predicate.clone(),
        object: input.object.clone(),
        scope: input.scope.clone(),
        confidence: input.confidence,
        source: input.source.clone(),
        evidence: input.evidence.clone(),
        parent_id: None,
        timestamp: String::new(),
        expires_at,
        said_at: None,
        since: None,
        stands: None,
    }
}

fn value_of_event(event: &Event) -> FactValue {
    let Event { object, confidence, source, evidence, .. } = event.clone();
    FactValue { object, confidence, source, evidence }
}

/// Returns the end of a fact that is recorded again: the later one; `None` (no end) if either is `None`.
fn longer(before: Option<Timestamp>, new: Option<Timestamp>) -> Option<Timestamp> {
    before.and_then(|before| Some(before.max(new?)))
}

/// Returns the end of a confirmed fact: the later one. A missing new end changes nothing.
fn later(before: Option<Timestamp>, new: Option<Timestamp>) -> Option<Timestamp> {
    before.map(|before| new.map_or(before, |new| before.max(new)))
}

fn share(confidence: f64) -> f64 {
    (confidence * PARTS).round() / PARTS
}

#[cfg(test)]
mod tests;
