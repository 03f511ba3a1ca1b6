//! The `meta` of entries: conversation, author, scope, and the memories an entry removes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::audience::Sensitivity;
use crate::memory::{Form, MemoryId, Origin};
use crate::scope::{Scope, User};
use crate::session::Session;

/// The beginning of the reason of the deletion by which a move begins, before the new path.
pub const MOVED_TO: &str = "moved to ";
/// The beginning of the reason of the events that create what was moved, before the old path.
pub const MOVED_FROM: &str = "moved from ";

/// The part of an entry's `meta` that memtape reads. Other fields are kept and ignored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// The conversation's label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The origin of those memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The user who said it, as `CHANNEL:ID`; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The label of the scope of the memories it creates; `None` for the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The visibility of those memories within their scope.
    #[serde(skip_serializing_if = "Sensitivity::is_normal")]
    pub sensitivity: Sensitivity,
    /// The memories this entry removes or supersedes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retires: Vec<Retire>,
    /// The memory of another branch that it copies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<MemoryId>,
    /// The removed memory that it restores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restores: Option<MemoryId>,
    /// The reason, in the author's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The position of its memories among the existing ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The rule by which the text is suspected of steering the model that reads it: search finds it, but no
    /// prompt includes it unasked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantined: Option<String>,
    /// The time by the writer's clock, if that was behind the tape, whose dates never decrease.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Timestamp>,
}

impl Meta {
    /// Returns the `meta` of a command in this conversation.
    #[must_use]
    pub fn of(session: &Session, origin: Origin) -> Self {
        Self { session: Some(session.to_string()), origin: Some(origin), ..Self::default() }
    }

    /// Returns the same `meta` with these removals.
    #[must_use]
    pub fn retiring(&self, retires: impl IntoIterator<Item = Retire>) -> Self {
        Self { retires: retires.into_iter().collect(), ..self.clone() }
    }

    /// Returns its conversation; `None` if the label is absent or invalid.
    #[must_use]
    pub fn session(&self) -> Option<Session> {
        self.session.as_deref().and_then(|label| Session::parse(label).ok())
    }

    /// Returns the user who said it; `None` if the label is absent or invalid.
    #[must_use]
    pub fn user(&self) -> Option<User> {
        self.user.as_deref().and_then(|label| label.parse().ok())
    }

    /// Returns the scope of its conversation's chat. Without a conversation it is the terminal's chat, because the
    /// entry has no other owner.
    #[must_use]
    pub fn chat(&self) -> Scope {
        Scope::of_chat(&self.session().unwrap_or_else(Session::direct))
    }

    /// Returns the scope of the memories that the entry creates, unless its form decides otherwise: the scope
    /// it names, else the workspace. If it is private, or names an invalid scope, it is the chat's.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match &self.scope {
            Some(label) => Scope::from_label(label).unwrap_or_else(|| self.chat()),
            None if self.sensitivity == Sensitivity::Private => self.chat(),
            None => Scope::Global,
        }
    }

    /// Reads a `meta`; a field of an unexpected type counts as absent.
    #[must_use]
    pub fn read(meta: &str) -> Self {
        serde_json::from_str(meta).unwrap_or_else(|_| {
            let value: serde_json::Value = serde_json::from_str(meta).unwrap_or_default();
            let field = |name: &str| value.get(name).cloned().unwrap_or_default();
            Self {
                session: serde_json::from_value(field("session")).unwrap_or_default(),
                origin: serde_json::from_value(field("origin")).unwrap_or_default(),
                user: serde_json::from_value(field("user")).unwrap_or_default(),
                // A scope that is not a string is an invalid scope, not an absent one.
                scope: serde_json::from_value(field("scope")).unwrap_or_else(|_| Some(String::new())),
                sensitivity: serde_json::from_value(field("sensitivity")).unwrap_or_default(),
                retires: known_removals(field("retires")),
                from: serde_json::from_value(field("from")).unwrap_or_default(),
                restores: serde_json::from_value(field("restores")).unwrap_or_default(),
                reason: serde_json::from_value(field("reason")).unwrap_or_default(),
                place: serde_json::from_value(field("place")).unwrap_or_default(),
                // A quarantine mark of any type is a mark.
                quarantined: serde_json::from_value(field("quarantined"))
                    .unwrap_or_else(|_| Some("unknown".into())),
                clock: serde_json::from_value(field("clock")).unwrap_or_default(),
            }
        })
    }
}

/// Returns the `meta` of an entry with the time by the writer's clock ([`Meta::clock`]).
#[must_use]
pub fn with_clock(meta: &RawValue, clock: Timestamp) -> Box<RawValue> {
    let Some(fields) = meta.get().strip_suffix('}') else { return meta.to_owned() };
    let comma = if fields.trim_end() == "{" { "" } else { "," };
    RawValue::from_string(format!("{fields}{comma}\"clock\":\"{clock}\"}}"))
        .unwrap_or_else(|_| meta.to_owned())
}

/// Returns the removals that this version knows. An unknown rule of a later version is skipped alone.
fn known_removals(value: serde_json::Value) -> Vec<Retire> {
    let serde_json::Value::Array(values) = value else { return Vec::new() };
    values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect()
}

/// A removal: of one memory by its number, or of all memories that a rule selects, up to the entry itself and on its
/// lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Retire {
    /// One memory.
    Memory(MemoryId),
    /// Every memory that a rule selects.
    Rule(Rule),
}

/// A rule that selects memories. All of its fields must match; a rule without fields selects nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Selects everything: `{"everything":true}`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub everything: bool,
    /// Selects the memories of this conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Selects the memories of this form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
}

impl Rule {
    /// Selects every memory of the lineage.
    #[must_use]
    pub fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Selects every memory of a form.
    #[must_use]
    pub fn form(form: Form) -> Self {
        Self { form: Some(form), ..Self::default() }
    }

    /// Selects the messages of a conversation.
    #[must_use]
    pub fn conversation(session: &Session) -> Self {
        Self { session: Some(session.to_string()), form: Some(Form::MESSAGES), everything: false }
    }

    /// Returns whether the rule selects anything: an empty object in a foreign `meta` must not remove
    /// everything.
    #[must_use]
    pub fn selects_anything(&self) -> bool {
        self.everything || self.session.is_some() || self.form.is_some()
    }
}

/// The ranks of the memories an entry creates: the n-th (from 0) has rank `at + n · step`. Without a place, a
/// memory's rank is its entry's id plus n · 2⁻²⁰, which is after everything older.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The rank of the first memory.
    pub at: f64,
    /// The difference between one rank and the next.
    #[serde(default)]
    pub step: f64,
}

impl Place {
    /// Returns the rank of the n-th memory of an entry.
    #[must_use]
    pub fn rank(place: Option<Self>, id: MemoryId, n: u32) -> f64 {
        match place {
            Some(place) => place.at + f64::from(n) * place.step,
            #[allow(clippy::cast_precision_loss, reason = "below 2^53 up to entry 2^33")]
            None => id.number() as f64 / f64::from(1 << 20),
        }
    }

    /// Returns the rank of the last of `count` memories.
    #[must_use]
    pub fn last(self, count: usize) -> f64 {
        let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        self.at + f64::from(last) * self.step
    }

    /// Returns the places of memories that take over these ranks, each with the number of memories that it places.
    #[must_use]
    pub fn taking(ranks: &[f64]) -> Vec<(usize, Self)> {
        let mut places = Vec::new();
        let mut rest = ranks;
        while let [at, ..] = *rest {
            let place = Self { at, step: rest.get(1).map_or(0.0, |next| next - at) };
            let is_placed = |(count, rank): &(usize, &f64)| place.last(count + 1).total_cmp(rank).is_eq();
            let count = rest.iter().enumerate().take_while(is_placed).count().max(1);
            places.push((count, place));
            rest = &rest[count..];
        }
        places
    }

    /// Returns how many of `count` memories take over the ranks of those that they replace: what is edited in place stays
    /// where it is, so that a merge does not take it for moved. None do if these ranks are not in order.
    #[must_use]
    pub fn taken(replaced: &[f64], count: usize) -> usize {
        let is_rising = replaced.windows(2).all(|pair| pair[0] < pair[1]);
        if is_rising { replaced.len().min(count) } else { 0 }
    }

    /// Returns ranks for `count` memories strictly between two ranks; `None` if floating point has no room
    /// left.
    #[must_use]
    pub fn between(low: f64, high: f64, count: usize) -> Option<Self> {
        let count = u32::try_from(count).ok()?;
        let step = (high - low) / f64::from(count + 1);
        let place = Self { at: low + step, step };
        let ranks: Vec<f64> = (0..count).map(|n| place.at + f64::from(n) * place.step).collect();
        let rising = ranks.windows(2).all(|pair| pair[0] < pair[1]);
        let inside = ranks.iter().all(|&rank| low < rank && rank < high);
        (rising && inside).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removals_round_trip() {
        let retires = vec![
            Retire::Memory(MemoryId::new(42, 1)),
            Retire::Rule(Rule::everything()),
            Retire::Rule(Rule::form(Form::ZONE)),
            Retire::Rule(Rule::conversation(&Session::direct())),
        ];
        let text = serde_json::to_string(&retires).unwrap();
        expect_test::expect![[
            r#"[44040193,{"everything":true},{"form":"zone"},{"session":"cli:direct","form":"messages"}]"#
        ]]
        .assert_eq(&text);
        assert_eq!(serde_json::from_str::<Vec<Retire>>(&text).unwrap(), retires);
    }

    #[test]
    fn a_foreign_meta_is_read_as_far_as_it_goes() {
        let meta = Meta::read(r#"{"session":"a:b","origin":"martian","run_id":"x"}"#);
        assert_eq!(meta.session.as_deref(), Some("a:b"));
        // An unknown origin is not trusted.
        assert_eq!(meta.origin, Some(Origin::Tool));
        assert_eq!(Meta::read("{}"), Meta::default());
        let meta = Meta::read(r#"{"retires":[7,{"planet":"mars"},{"form":"zone"},{"form":"later"}]}"#);
        assert_eq!(
            meta.retires,
            [Retire::Memory(MemoryId::from_number(7)), Retire::Rule(Rule::form(Form::ZONE))]
        );
        assert!(!Rule::default().selects_anything());
    }

    #[test]
    fn exhausted_room_between_two_ranks_is_reported() {
        let mut low = 1.0;
        let mut n = 0;
        while let Some(place) = Place::between(low, 2.0, 1) {
            low = place.at;
            n += 1;
        }
        assert!((40..60).contains(&n), "{n}");
    }
}
