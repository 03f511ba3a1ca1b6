//! Who may see what, defined from the design and independent of the index.

use memtape::{Category, Layer, Sensitivity};

use super::world::{Asker, Home, Planted, SESSIONS, USERS, What};

/// The owner of an item, according to the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Chat(u8),
    Person(u8),
    Everybody,
}

/// Returns the owner of an item.
///
/// Messages, anchors and events belong to their chat; all other items belong to the scope that they were
/// written for. Private items and session facts never belong to the workspace: if they were written for it,
/// they belong to the terminal's chat.
fn owner(planted: &Planted) -> Owner {
    match (planted.what, planted.home) {
        (What::Message | What::Mark | What::Event, _) => Owner::Chat(SESSIONS[planted.session].1),
        (_, Home::Chat(session)) => Owner::Chat(SESSIONS[session].1),
        (_, Home::User(user)) => Owner::Person(USERS[user].1),
        (What::Fact { session: true }, Home::Workspace) => Owner::Chat(0),
        (_, Home::Workspace) if planted.sensitivity == Sensitivity::Private => Owner::Chat(0),
        (_, Home::Workspace) => Owner::Everybody,
    }
}

/// Returns the conversation whose lifetime a session fact shares; `None` for any other item. Facts that were
/// written for a user are never session facts.
pub(super) fn lives_in(planted: &Planted) -> Option<usize> {
    match (planted.what, planted.home) {
        (What::Fact { session: true }, Home::Chat(session)) => Some(session),
        (What::Fact { session: true }, Home::Workspace) => Some(0),
        _ => None,
    }
}

/// Returns whether an asker may see an item.
///
/// An asker sees the items of their chat, their own, and those of the workspace; the owner sees everything.
/// Of a user's own statements only preferences and facts are visible in other chats; decisions and events
/// stay in theirs. Confidential items are visible only to the owner, and only on request.
pub(super) fn sees(asker: &Asker, planted: &Planted, by_itself: bool) -> bool {
    let is_owner = asker.session.is_none() && asker.user.is_none();
    let (layer, own) = match owner(planted) {
        Owner::Chat(chat) => (Layer::Chat, asker.session.is_some_and(|n| SESSIONS[n].1 == chat)),
        Owner::Person(person) => (Layer::User, asker.person() == Some(person)),
        Owner::Everybody => (Layer::Global, true),
    };
    let own = own
        && lives_in(planted).is_none_or(|session| asker.session == Some(session))
        && match (planted.what, layer) {
            (What::Statement(category), Layer::User) => {
                matches!(category, Category::Preference | Category::Fact)
            }
            _ => true,
        };
    let shown = planted.sensitivity != Sensitivity::Confidential || (is_owner && !by_itself);
    // A branch is a place, which has no layer.
    let is_asked_for = planted.what == What::Branch || asker.layer.is_none_or(|wanted| wanted == layer);
    shown && (is_owner || own) && is_asked_for
}
