//! Any world: what is written, for whom, and who asks.
//!
//! **Invariant.** The n-th thing holds [`word`] n, which no other text holds.

use memtape::{Category, Layer, Sensitivity, Session};
use proptest::prelude::*;

/// Conversations, and which chat each is in: threads share theirs, and ids that look alike are not the same.
pub(super) const SESSIONS: [(&str, u8); 8] = [
    ("cli:direct", 0),
    ("telegram:1", 1),
    ("telegram:1:thread", 1),
    ("telegram:2", 2),
    ("discord:1", 3),
    ("discord:a%3Ab", 4),
    ("discord:a:b", 5),
    ("telegram:%31", 6),
];
/// Users, and which person each is.
pub(super) const USERS: [(&str, u8); 4] =
    [("telegram:42", 0), ("discord:ana", 0), ("telegram:7", 1), ("discord:42", 2)];
/// The name under which the configuration declares the first person.
pub(super) const NAME: &str = "ana";
/// What texts have in common.
pub(super) const SHARED: [&str; 4] =
    ["likes green tea", "lives in Porto", "likes tea in Porto", "flies on Friday"];
/// A word that stands nowhere.
pub(super) const GHOST: &str = "zqzzzk";
/// How all words that tell memories apart begin.
pub(super) const PREFIX: &str = "zq";

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Something said.
    Message,
    /// A line of long-term memory.
    Line,
    /// A piece of a daily note, so many days ago.
    Note(u8),
    /// A statement.
    Statement(Category),
    /// A fact, that may live as long as its conversation.
    Fact {
        /// Whether it does.
        session: bool,
    },
    /// A fact that a merge left in conflict: both sides hold the word.
    Disputed,
    /// A section of a note, which is always the workspace's.
    Section,
    /// A file.
    File,
    /// A block, which is always the workspace's.
    Block,
    /// An anchor with a state.
    Mark,
    /// An event that nobody knows.
    Event,
}

/// Whose a line or note is written to be.
#[derive(Clone, Copy, Debug)]
pub enum Home {
    /// That of a conversation's chat.
    Chat(usize),
    /// A user's.
    User(usize),
    /// The workspace's.
    Workspace,
}

/// Something written.
#[derive(Clone, Debug)]
pub struct Thing {
    pub(super) what: What,
    pub(super) session: usize,
    pub(super) home: Home,
    pub(super) sensitivity: Sensitivity,
    pub(super) shared: usize,
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Asker {
    /// In a conversation.
    pub(super) session: Option<usize>,
    /// As a user; after the last of them, by the declared name, and by that with an @ before it.
    pub(super) user: Option<usize>,
    pub(super) layer: Option<Layer>,
}

/// What is written, and who asks.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) things: Vec<Thing>,
    pub(super) askers: Vec<Asker>,
    /// After which of the things the earlier point is, modulo their number.
    pub(super) earlier: usize,
}

/// Any world.
pub fn worlds() -> BoxedStrategy<World> {
    let things = proptest::collection::vec(thing(), 4..14);
    let askers = proptest::collection::vec(asker(), 3..6);
    (things, askers, any::<usize>())
        .prop_map(|(things, askers, earlier)| World { things, askers, earlier })
        .boxed()
}

/// Worlds in which the law or its oracle was wrong once.
#[must_use]
pub fn known_worlds() -> Vec<World> {
    let thing = |what, home, sensitivity| Thing { what, session: 0, home, sensitivity, shared: 0 };
    let message = || thing(What::Message, Home::Chat(0), Sensitivity::Normal);
    let owner = |layer| Asker { session: None, user: None, layer };
    // After the owner forgot a confidential fact by its subject, they add another about the same subject. That is a
    // new fact, which is not confidential: what forgets it shows it.
    let added_after_a_confidential_fact = World {
        things: vec![
            thing(What::Fact { session: false }, Home::Workspace, Sensitivity::Confidential),
            message(),
            message(),
            message(),
        ],
        askers: vec![owner(None), owner(None), owner(Some(Layer::Global))],
        earlier: 0,
    };
    // On a channel anybody may have chosen the declared name with an @ before it for an id.
    let declared_name_for_an_id = World {
        things: vec![thing(What::Fact { session: false }, Home::User(0), Sensitivity::Normal), message()],
        askers: vec![Asker { session: Some(4), user: Some(5), layer: None }],
        earlier: 0,
    };
    vec![added_after_a_confidential_fact, declared_name_for_an_id, conflicts_of_all()]
}

/// Open conflicts of each kind of scope, each as far to be shown as there is.
fn conflicts_of_all() -> World {
    let homes = [Home::Chat(1), Home::User(0), Home::Workspace];
    let things = homes.into_iter().flat_map(|home| {
        [Sensitivity::Normal, Sensitivity::Private, Sensitivity::Confidential].map(|sensitivity| Thing {
            what: What::Disputed,
            session: 1,
            home,
            sensitivity,
            shared: 0,
        })
    });
    let asker = |session, user| Asker { session, user, layer: None };
    World {
        things: things.collect(),
        askers: vec![asker(Some(1), Some(0)), asker(Some(3), Some(2)), asker(None, None)],
        earlier: 4,
    }
}

fn thing() -> impl Strategy<Value = Thing> {
    let what = prop_oneof![
        4 => Just(What::Message),
        4 => Just(What::Line),
        3 => (0_u8..3).prop_map(What::Note),
        5 => prop::sample::select(Category::ALL.to_vec()).prop_map(What::Statement),
        5 => any::<bool>().prop_map(|session| What::Fact { session }),
        2 => Just(What::Disputed),
        3 => Just(What::Section),
        2 => Just(What::Block),
        2 => Just(What::File),
        1 => Just(What::Mark),
        1 => Just(What::Event),
    ];
    let home = prop_oneof![
        3 => (0..SESSIONS.len()).prop_map(Home::Chat),
        3 => (0..USERS.len()).prop_map(Home::User),
        2 => Just(Home::Workspace),
    ];
    let sensitivity = prop_oneof![
        4 => Just(Sensitivity::Normal),
        2 => Just(Sensitivity::Private),
        2 => Just(Sensitivity::Confidential),
    ];
    (what, 0..SESSIONS.len(), home, sensitivity, 0..SHARED.len()).prop_map(
        |(what, session, home, sensitivity, shared)| match what {
            What::Section | What::Block | What::File => {
                Thing { what, session, home: Home::Workspace, sensitivity: Sensitivity::Normal, shared }
            }
            _ => Thing { what, session, home, sensitivity, shared },
        },
    )
}

fn asker() -> impl Strategy<Value = Asker> {
    let session = proptest::option::weighted(0.7, 0..SESSIONS.len());
    let user = proptest::option::weighted(0.6, 0..USERS.len() + 2);
    let layer = prop_oneof![
        5 => Just(None),
        1 => Just(Some(Layer::Chat)),
        1 => Just(Some(Layer::User)),
        1 => Just(Some(Layer::Global)),
    ];
    (session, user, layer).prop_map(|(session, user, layer)| Asker { session, user, layer })
}

/// The word that only the n-th thing holds: no part of another one, and stemmed to itself.
pub(super) fn word(n: usize) -> String {
    const LETTERS: [char; 14] = ['b', 'c', 'd', 'f', 'g', 'h', 'j', 'm', 'n', 'p', 'r', 't', 'v', 'w'];
    [n / 14 % 14, n % 14, n * 5 % 14]
        .iter()
        .fold(PREFIX.to_owned(), |word, n| word + &LETTERS[*n].to_string())
        + "k"
}

/// What the n-th thing says.
pub(super) fn text_of(n: usize, thing: &Thing) -> String {
    format!("{} {}", word(n), SHARED[thing.shared])
}

/// The n-th conversation.
pub(super) fn session(n: usize) -> Session {
    Session::parse(SESSIONS[n].0).unwrap_or_else(|_| Session::direct())
}

impl Asker {
    /// Whether the owner says who asks: without a conversation, or in one of the terminal. In any other the channel does.
    fn is_named_by_the_owner(&self) -> bool {
        self.session.is_none_or(|n| SESSIONS[n].0.starts_with("cli:"))
    }

    /// The user as whoever calls writes it. On a channel anybody may have chosen the declared name for an id.
    pub(super) fn user_text(&self) -> Option<String> {
        let text = |n: usize| match USERS.get(n) {
            Some(user) => user.0.to_owned(),
            None if n == USERS.len() && !self.is_named_by_the_owner() => NAME.to_owned(),
            None => format!("@{NAME}"),
        };
        self.user.map(text)
    }

    /// Which person asks; `None` for nobody that anything was written for.
    pub(super) fn person(&self) -> Option<u8> {
        let text = self.user_text()?;
        let person = |label: &str| USERS.iter().find(|user| user.0 == label).map(|user| user.1);
        let channel = self.session.and_then(|n| SESSIONS[n].0.split_once(':')).map(|(channel, _)| channel);
        match channel.filter(|_| !self.is_named_by_the_owner()) {
            Some(channel) if text.starts_with(&format!("{channel}:")) => person(&text),
            Some(channel) => person(&format!("{channel}:{text}")),
            None if text.starts_with('@') => Some(0),
            None => person(&text),
        }
    }
}
