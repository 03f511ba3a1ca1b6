//! Audiences: who is asking, and so whose memories may be shown.
//!
//! **Invariants.** An audience is fixed by the connection or the turn, never by what a model says. The owner sees
//! every scope. In a chat, by a user, these are seen: the chat's memories, the user's (of statements only their
//! preferences and facts: what was decided or happened elsewhere stays there), and what is the workspace's; nothing
//! else. What lives as long as its conversation shows in that conversation only. What is `confidential` is never shown to anybody but the owner, and to the owner only by its ref.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::category::Category;
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::scope::{Layer, Scope, User};
use crate::session::Session;

/// What statements of a user's scope are about, to be seen in every chat of that user.
pub const USER_CATEGORIES: [Category; 2] = [Category::Preference, Category::Fact];

/// Who is asking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audience {
    listener: Option<Listener>,
    layer: Option<Layer>,
}

/// Somebody who is not the owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Listener {
    /// The conversation, of which the chat's scope is asked for.
    session: Option<Session>,
    chat: Option<Scope>,
    /// The user's scopes: one for each channel they are known on, the one that asks first.
    users: Vec<Scope>,
}

impl Audience {
    /// The owner, at the terminal.
    #[must_use]
    pub fn owner() -> Self {
        Self::default()
    }

    /// Those in a conversation's chat, of whom nobody is known.
    #[must_use]
    pub fn of_chat(session: &Session) -> Self {
        Self::of(Some(session), &[])
    }

    /// A user, in a chat or in none. The user is known under several names where they are declared one; the one
    /// that asks comes first. Without a chat and without a user only what is the workspace's is seen.
    #[must_use]
    pub fn of(session: Option<&Session>, users: &[User]) -> Self {
        let users = users.iter().cloned().map(Scope::User).collect();
        let listener = Listener { session: session.cloned(), chat: session.map(Scope::of_chat), users };
        Self { listener: Some(listener), layer: None }
    }

    /// The same, of which only the memories of one kind of scope are wanted.
    #[must_use]
    pub fn only(self, layer: Layer) -> Self {
        Self { layer: Some(layer), ..self }
    }

    /// The kind of scope that is wanted; `None` for every kind.
    #[must_use]
    pub fn layer(&self) -> Option<Layer> {
        self.layer
    }

    /// The conversation that is asked in; `None` where it is none, or not known which.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.listener.as_ref()?.session.as_ref()
    }

    /// The user that asks, under the name they ask by; `None` where nobody is known.
    #[must_use]
    pub fn user(&self) -> Option<&User> {
        self.listener.as_ref()?.users.iter().find_map(|scope| match scope {
            Scope::User(user) => Some(user),
            _ => None,
        })
    }

    /// Whether the owner is asking.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.listener.is_none()
    }

    /// The scopes that are seen; `None` where all are.
    #[must_use]
    pub fn scopes(&self) -> Option<Vec<Scope>> {
        let listener = self.listener.as_ref()?;
        let all = listener.chat.iter().chain(&listener.users).chain([&Scope::Global]);
        Some(all.filter(|scope| self.layer.is_none_or(|layer| layer == scope.layer())).cloned().collect())
    }

    /// The scope that this audience writes into: the owner into the workspace's, others into their chat's, or their
    /// own where that is asked for. Only who may choose the layer can make it the workspace's.
    ///
    /// # Errors
    /// [`Error::Invalid`] where the chat or the user is not known.
    pub fn home(&self) -> Result<Scope> {
        let nobody = Listener::default();
        let Listener { chat, users, .. } = self.listener.as_ref().unwrap_or(&nobody);
        let layer = self.layer.unwrap_or(match (chat, users.first()) {
            _ if self.is_owner() => Layer::Global,
            (None, Some(_)) => Layer::User,
            _ => Layer::Chat,
        });
        let unknown = |what: &str, hint| {
            Error::Invalid(format!("it is not known which {what} is meant")).with_hint(hint)
        };
        match layer {
            Layer::Global => Ok(Scope::Global),
            Layer::Chat => chat.clone().ok_or_else(|| unknown("chat", Hint::NameChat)),
            Layer::User => users.first().cloned().ok_or_else(|| unknown("user", Hint::NameUser)),
        }
    }

    /// The scope that this audience writes a memory of this sensitivity into, as a part of a conversation. What is
    /// private is never the workspace's: it is the chat's or user's that asks, else that of the conversation's chat.
    ///
    /// # Errors
    /// As [`Audience::home`].
    pub fn home_of(&self, sensitivity: Sensitivity, session: &Session) -> Result<Scope> {
        let home = self.home()?;
        if home != Scope::Global || sensitivity != Sensitivity::Private {
            return Ok(home);
        }
        let own =
            self.listener.iter().flat_map(|listener| listener.chat.iter().chain(&listener.users)).next();
        Ok(own.cloned().unwrap_or_else(|| Scope::of_chat(session)))
    }
}

/// How far a memory may be shown within its scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    /// To whoever sees its scope.
    #[default]
    Normal,
    /// To its own user or chat only: it is never the workspace's.
    Private,
    /// Never by itself: only the owner sees it, by its ref.
    Confidential,
}

impl Sensitivity {
    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Private => "private",
            Self::Confidential => "confidential",
        }
    }

    /// Whether nothing needs to be said of it.
    #[must_use]
    pub fn is_normal(&self) -> bool {
        *self == Self::Normal
    }
}

impl fmt::Display for Sensitivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Sensitivity {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        [Self::Normal, Self::Private, Self::Confidential].into_iter().find(|s| s.as_str() == text).ok_or_else(
            || {
                Error::Invalid(format!(
                    "there is no sensitivity {text:?}: write normal, private or confidential"
                ))
            },
        )
    }
}

impl<'de> Deserialize<'de> for Sensitivity {
    /// A word of another program, or of a later version, is not shown rather than shown too widely.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(match value {
            serde_json::Value::Null => Self::Normal,
            value => value.as_str().and_then(|text| text.parse().ok()).unwrap_or(Self::Confidential),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(audience: &Audience) -> Vec<String> {
        audience.scopes().unwrap().iter().map(|scope| scope.text("w")).collect()
    }

    #[test]
    fn an_audience_sees_its_own_scopes_and_the_workspace_s() {
        let session = Session::parse("telegram:1:thread").unwrap();
        let users: Vec<User> = ["telegram:ana", "discord:ana7"].map(|u| u.parse().unwrap()).into();
        assert_eq!(Audience::owner().scopes(), None);
        assert_eq!(labels(&Audience::of_chat(&session)), ["channel:telegram:chat:1", "workspace:w:global"]);
        let both = Audience::of(Some(&session), &users);
        assert_eq!(
            labels(&both),
            [
                "channel:telegram:chat:1",
                "channel:telegram:user:ana",
                "channel:discord:user:ana7",
                "workspace:w:global"
            ]
        );
        assert_eq!(labels(&both.clone().only(Layer::Global)), ["workspace:w:global"]);
        assert_eq!(both.home().unwrap(), Scope::of_chat(&session));
        assert_eq!(both.only(Layer::User).home().unwrap(), Scope::User(users[0].clone()));
        assert_eq!(Audience::owner().home().unwrap(), Scope::Global);
        assert!(Audience::owner().only(Layer::Chat).home().is_err());
        // What is private is nobody else's, whatever was asked for.
        let global = Audience::of(Some(&session), &[]).only(Layer::Global);
        let private =
            |audience: &Audience| audience.home_of(Sensitivity::Private, &Session::direct()).unwrap();
        assert_eq!(private(&global), Scope::of_chat(&session));
        assert_eq!(private(&Audience::owner()), Scope::of_chat(&Session::direct()));
        // Who is nobody that is known does not write for the whole workspace.
        assert!(Audience::of(None, &[]).home().is_err());
    }

    #[test]
    fn an_unknown_sensitivity_is_not_shown() {
        let read = |text: &str| serde_json::from_str::<Sensitivity>(text).unwrap();
        assert_eq!(read("\"private\""), Sensitivity::Private);
        assert_eq!(read("\"taboo\""), Sensitivity::Confidential);
        assert_eq!(read("7"), Sensitivity::Confidential);
        assert_eq!(read("null"), Sensitivity::Normal);
    }
}
