//! What entries say in `meta`: whose conversation, who wrote, what is retired.

use serde::{Deserialize, Serialize};

use crate::audience::Sensitivity;
use crate::memory::{Form, MemoryId, Origin};
use crate::scope::{Scope, User};
use crate::session::Session;

/// The part of an entry's `meta` that memtape reads. Whatever else stands there is kept and passed over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// The conversation's label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Who it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The user who said it, where it is known who that was: `CHANNEL:ID`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Whose the memories are that it bears, where they are not the workspace's: a scope's label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// How far they may be shown.
    #[serde(skip_serializing_if = "Sensitivity::is_normal")]
    pub sensitivity: Sensitivity,
    /// The memories this entry retires.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retires: Vec<Retire>,
    /// The memory of another branch that it bears a copy of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<MemoryId>,
    /// The retired memory that it bears anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restores: Option<MemoryId>,
    /// Why it was done, in the words of who did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where the memories it bears stand among those already there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// By which rule the text is suspected of steering the model that reads it: it is found, and never put into a
    /// prompt by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantined: Option<String>,
}

impl Meta {
    /// What a command in this conversation says of itself.
    #[must_use]
    pub fn of(session: &Session, origin: Origin) -> Self {
        Self { session: Some(session.to_string()), origin: Some(origin), ..Self::default() }
    }

    /// The same, retiring these memories.
    #[must_use]
    pub fn retiring(&self, retires: impl IntoIterator<Item = Retire>) -> Self {
        Self { retires: retires.into_iter().collect(), ..self.clone() }
    }

    /// The conversation it belongs to; `None` where it names none that can be read.
    #[must_use]
    pub fn session(&self) -> Option<Session> {
        self.session.as_deref().and_then(|label| Session::parse(label).ok())
    }

    /// The user who said it; `None` where it names none that can be read.
    #[must_use]
    pub fn user(&self) -> Option<User> {
        self.user.as_deref().and_then(|label| label.parse().ok())
    }

    /// The scope of its conversation's chat. What belongs to no conversation is the terminal's: nobody else could be
    /// said to own it.
    #[must_use]
    pub fn chat(&self) -> Scope {
        Scope::of_chat(&self.session().unwrap_or_else(Session::direct))
    }

    /// Whose the memories are that the entry bears, unless its form says otherwise: those of the scope it names, else
    /// the workspace's. What is private, or names a scope that cannot be read, is its chat's at most.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match &self.scope {
            Some(label) => Scope::from_label(label).unwrap_or_else(|| self.chat()),
            None if self.sensitivity == Sensitivity::Private => self.chat(),
            None => Scope::Global,
        }
    }

    /// Reads what it knows of a `meta`; a field of another type than expected counts as absent.
    #[must_use]
    pub fn read(meta: &str) -> Self {
        serde_json::from_str(meta).unwrap_or_else(|_| {
            let value: serde_json::Value = serde_json::from_str(meta).unwrap_or_default();
            let field = |name: &str| value.get(name).cloned().unwrap_or_default();
            Self {
                session: serde_json::from_value(field("session")).unwrap_or_default(),
                origin: serde_json::from_value(field("origin")).unwrap_or_default(),
                user: serde_json::from_value(field("user")).unwrap_or_default(),
                // A scope that is no text is none that can be read, which is not the same as none.
                scope: serde_json::from_value(field("scope")).unwrap_or_else(|_| Some(String::new())),
                sensitivity: serde_json::from_value(field("sensitivity")).unwrap_or_default(),
                retires: known_retires(field("retires")),
                from: serde_json::from_value(field("from")).unwrap_or_default(),
                restores: serde_json::from_value(field("restores")).unwrap_or_default(),
                reason: serde_json::from_value(field("reason")).unwrap_or_default(),
                place: serde_json::from_value(field("place")).unwrap_or_default(),
                // A mark that is no text is a mark.
                quarantined: serde_json::from_value(field("quarantined"))
                    .unwrap_or_else(|_| Some("unknown".into())),
            }
        })
    }
}

/// The retirements that this version knows. A rule of a later version is passed over, not the rest with it.
fn known_retires(value: serde_json::Value) -> Vec<Retire> {
    let serde_json::Value::Array(values) = value else { return Vec::new() };
    values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect()
}

/// What an entry retires: one memory by its number, or all that a rule names, up to the entry itself and on
/// its lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Retire {
    /// One memory.
    Memory(MemoryId),
    /// Every memory that a rule names.
    Rule(Rule),
}

/// A rule that names memories. Fields that stand in it must all hold; a rule without any names nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Says that everything is meant: `{"everything":true}`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub everything: bool,
    /// Of this conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Of this form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
}

impl Rule {
    /// Every memory of the lineage.
    #[must_use]
    pub fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Every memory of a form.
    #[must_use]
    pub fn form(form: Form) -> Self {
        Self { form: Some(form), ..Self::default() }
    }

    /// The messages of a conversation.
    #[must_use]
    pub fn conversation(session: &Session) -> Self {
        Self { session: Some(session.to_string()), form: Some(Form::MESSAGES), everything: false }
    }

    /// Whether the rule names anything: an empty object in a foreign `meta` must not retire all there is.
    #[must_use]
    pub fn is_meant(&self) -> bool {
        self.everything || self.session.is_some() || self.form.is_some()
    }
}

/// The ranks of the memories an entry bears: the n-th (from 0) stands at `at + n · step`. Without a place, a
/// memory's rank is its entry's id plus n · 2⁻²⁰: after everything older.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The rank of the first.
    pub at: f64,
    /// What is added for each next one.
    #[serde(default)]
    pub step: f64,
}

impl Place {
    /// The rank of a memory, given its number and its place in its entry.
    #[must_use]
    pub fn rank(place: Option<Self>, id: MemoryId, n: u32) -> f64 {
        match place {
            Some(place) => place.at + f64::from(n) * place.step,
            #[allow(clippy::cast_precision_loss, reason = "below 2^53 up to entry 2^33")]
            None => id.number() as f64 / f64::from(1 << 20),
        }
    }

    /// The rank of the last of `count` memories.
    #[must_use]
    pub fn last(self, count: usize) -> f64 {
        let last = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        self.at + f64::from(last) * self.step
    }

    /// Ranks for `count` memories strictly between two ranks, or `None` where floating point has no room left.
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
    fn what_is_retired_reads_back() {
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
        // Who cannot be told is not trusted.
        assert_eq!(meta.origin, Some(Origin::Tool));
        assert_eq!(Meta::read("{}"), Meta::default());
        let meta = Meta::read(r#"{"retires":[7,{"planet":"mars"},{"form":"zone"},{"form":"later"}]}"#);
        assert_eq!(
            meta.retires,
            [Retire::Memory(MemoryId::from_number(7)), Retire::Rule(Rule::form(Form::ZONE))]
        );
        assert!(!Rule::default().is_meant());
    }

    #[test]
    fn room_between_two_ranks_runs_out_and_says_so() {
        let mut low = 1.0;
        let mut n = 0;
        while let Some(place) = Place::between(low, 2.0, 1) {
            low = place.at;
            n += 1;
        }
        assert!((40..60).contains(&n), "{n}");
    }
}
