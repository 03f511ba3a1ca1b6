//! Who may be shown what, said from the design and not from what the index does.

use memtape::{Category, Layer, Sensitivity};

use super::world::{Asker, Home, SESSIONS, Thing, USERS, What};

/// Whose a thing is, by the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Chat(u8),
    Person(u8),
    Everybody,
}

/// Whose a thing is: what is said or marked belongs to its chat, a line or note to whom it was written for; what is
/// private is never the workspace's, and what was written at the terminal is then the terminal's.
fn owner(thing: &Thing) -> Owner {
    match (thing.what, thing.home) {
        (What::Message | What::Mark | What::Event, _) => Owner::Chat(SESSIONS[thing.session].1),
        (_, Home::Chat(session)) => Owner::Chat(SESSIONS[session].1),
        (_, Home::User(user)) => Owner::Person(USERS[user].1),
        (What::Fact { session: true }, Home::Workspace) => Owner::Chat(0),
        (_, Home::Workspace) if thing.sensitivity == Sensitivity::Private => Owner::Chat(0),
        (_, Home::Workspace) => Owner::Everybody,
    }
}

/// The conversation that a fact lives as long as; a user in none has no such facts.
pub(super) fn lives_in(thing: &Thing) -> Option<usize> {
    match (thing.what, thing.home) {
        (What::Fact { session: true }, Home::Chat(session)) => Some(session),
        (What::Fact { session: true }, Home::Workspace) => Some(0),
        _ => None,
    }
}

/// Whether an asker may be shown a thing: their chat's, their own (of statements only what they prefer and what is so:
/// what was decided or happened elsewhere stays there) and the workspace's, and for who is the owner everything. What is
/// confidential nobody but the owner sees, and it never shows by itself.
pub(super) fn sees(asker: &Asker, thing: &Thing, by_itself: bool) -> bool {
    let is_owner = asker.session.is_none() && asker.user.is_none();
    let (layer, own) = match owner(thing) {
        Owner::Chat(chat) => (Layer::Chat, asker.session.is_some_and(|n| SESSIONS[n].1 == chat)),
        Owner::Person(person) => (Layer::User, asker.person() == Some(person)),
        Owner::Everybody => (Layer::Global, true),
    };
    let own = own
        && lives_in(thing).is_none_or(|session| asker.session == Some(session))
        && match (thing.what, layer) {
            (What::Statement(category), Layer::User) => {
                matches!(category, Category::Preference | Category::Fact)
            }
            _ => true,
        };
    let shown = thing.sensitivity != Sensitivity::Confidential || (is_owner && !by_itself);
    shown && (is_owner || own) && asker.layer.is_none_or(|wanted| wanted == layer)
}
