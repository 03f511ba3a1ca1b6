//! Audiences: who is asking, and therefore whose memories may be shown.
//!
//! **Invariants.** The connection or the turn fixes the audience, never the text of a model. The owner sees every
//! scope. Everyone else sees the memories of their chat, of their user scope and of the workspace, and no others; of
//! statements in the user scope, only preferences and facts are visible in other chats. Memories with the lifetime of a
//! conversation are visible in that conversation only. Confidential memories are shown to the owner only, and only by
//! their ref.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::category::Category;
use crate::error::{Error, Result};
use crate::hint::Hint;
use crate::scope::{Layer, Scope, User};
use crate::session::Session;

/// The categories of statements in a user's scope that every chat of that user sees.
pub const USER_CATEGORIES: [Category; 2] = [Category::Preference, Category::Fact];

/// The audience of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audience {
    listener: Option<Listener>,
    layer: Option<Layer>,
}

/// An audience other than the owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Listener {
    /// The current conversation, whose chat's scope is visible.
    session: Option<Session>,
    chat: Option<Scope>,
    /// The user's scopes, one for each channel they are known on; the asking one comes first.
    users: Vec<Scope>,
}

impl Audience {
    /// Returns the owner's audience, at the terminal.
    #[must_use]
    pub fn owner() -> Self {
        Self::default()
    }

    /// Returns the audience of a conversation's chat without a known user.
    #[must_use]
    pub fn of_chat(session: &Session) -> Self {
        Self::of(Some(session), &[])
    }

    /// Returns the audience of a user, in a chat or without one. A user who is declared under several names
    /// has several entries in `users`; the asking one comes first. Without a chat and a user only the
    /// workspace's memories are visible.
    #[must_use]
    pub fn of(session: Option<&Session>, users: &[User]) -> Self {
        let users = users.iter().cloned().map(Scope::User).collect();
        let listener = Listener { session: session.cloned(), chat: session.map(Scope::of_chat), users };
        Self { listener: Some(listener), layer: None }
    }

    /// Returns the same audience restricted to the memories of one kind of scope.
    #[must_use]
    pub fn only(self, layer: Layer) -> Self {
        Self { layer: Some(layer), ..self }
    }

    /// Returns the same audience without a restriction to one kind of scope.
    #[must_use]
    pub fn unrestricted(self) -> Self {
        Self { layer: None, ..self }
    }

    /// Returns the requested kind of scope; `None` for every kind.
    #[must_use]
    pub fn layer(&self) -> Option<Layer> {
        self.layer
    }

    /// Returns the current conversation; `None` if there is none or it is unknown.
    #[must_use]
    pub fn session(&self) -> Option<&Session> {
        self.listener.as_ref()?.session.as_ref()
    }

    /// Returns the user under the name they ask by; `None` if unknown.
    #[must_use]
    pub fn user(&self) -> Option<&User> {
        self.listener.as_ref()?.users.iter().find_map(|scope| match scope {
            Scope::User(user) => Some(user),
            _ => None,
        })
    }

    /// Returns whether the owner is asking.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.listener.is_none()
    }

    /// Returns the visible scopes; `None` if all are.
    #[must_use]
    pub fn scopes(&self) -> Option<Vec<Scope>> {
        let listener = self.listener.as_ref()?;
        let all = listener.chat.iter().chain(&listener.users).chain([&Scope::Global]);
        Some(all.filter(|scope| self.layer.is_none_or(|layer| layer == scope.layer())).cloned().collect())
    }

    /// Returns whether the audience may remove memories of a scope: the owner those of every scope; others those of their
    /// chat and their own, and those of the workspace only if they asked for that layer.
    #[must_use]
    pub fn may_remove(&self, scope: &Scope) -> bool {
        let may_global = self.layer == Some(Layer::Global);
        self.scopes().is_none_or(|own| own.contains(scope) && (*scope != Scope::Global || may_global))
    }

    /// Returns the default write scope: the workspace for the owner, the chat for others, or the user's own
    /// scope if requested or if there is no chat. Only callers who may choose the layer can make it the
    /// workspace.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the required chat or user is unknown.
    pub fn home(&self) -> Result<Scope> {
        let nobody = Listener::default();
        let Listener { chat, users, .. } = self.listener.as_ref().unwrap_or(&nobody);
        let layer = self.layer.unwrap_or(match (chat, users.first()) {
            _ if self.is_owner() => Layer::Global,
            (None, Some(_)) => Layer::User,
            _ => Layer::Chat,
        });
        let unknown = |what: &str, hint| Error::Invalid(format!("no {what} is specified")).with_hint(hint);
        match layer {
            Layer::Global => Ok(Scope::Global),
            Layer::Chat => chat.clone().ok_or_else(|| unknown("chat", Hint::NameChat)),
            Layer::User => users.first().cloned().ok_or_else(|| unknown("user", Hint::NameUser)),
        }
    }

    /// Returns the scope for a new memory of this sensitivity in a conversation. A private memory is never
    /// the workspace's: it belongs to the asking chat or user, else to the conversation's chat.
    ///
    /// # Errors
    /// Same as [`Audience::home`].
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

/// The visibility of a memory within its scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    /// To everybody who sees its scope.
    #[default]
    Normal,
    /// To its own user or chat only; it is never the workspace's.
    Private,
    /// Never unasked: only the owner sees it, by its ref.
    Confidential,
}

impl Sensitivity {
    /// Returns its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Private => "private",
            Self::Confidential => "confidential",
        }
    }

    /// Returns whether this is the default, which is not written out.
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
                    "unknown sensitivity {text:?}: expected normal, private or confidential"
                ))
            },
        )
    }
}

impl<'de> Deserialize<'de> for Sensitivity {
    /// Reads an unknown sensitivity, of another program or a later version, as confidential.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(match value {
            serde_json::Value::Null => Self::Normal,
            value => value.as_str().and_then(|text| text.parse().ok()).unwrap_or(Self::Confidential),
        })
    }
}

/// Returns the error for what the asker sees in a scope and may not change.
#[must_use]
pub fn not_changeable(what: impl fmt::Display, scope: &Scope) -> Error {
    let whose = scope.label();
    let whose = whose.as_deref().unwrap_or("the workspace");
    Error::Refused(format!("{what} belongs to {whose} and cannot be changed from here"))
        .with_hint(Hint::AskAsOwner)
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
        // A private memory never enters the workspace, whatever layer is requested.
        let global = Audience::of(Some(&session), &[]).only(Layer::Global);
        let private =
            |audience: &Audience| audience.home_of(Sensitivity::Private, &Session::direct()).unwrap();
        assert_eq!(private(&global), Scope::of_chat(&session));
        assert_eq!(private(&Audience::owner()), Scope::of_chat(&Session::direct()));
        // An unknown user does not write for the whole workspace.
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
