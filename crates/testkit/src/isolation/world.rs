//! Random worlds: the items that are written, for whom, and who asks.
//!
//! **Invariant.** The n-th item contains [`word`] n, which no other text contains.

use memtape::{Category, Layer, Sensitivity, Session};
use proptest::prelude::*;

/// The conversations, each with the number of its chat. Threads share a chat; similar ids are different
/// chats.
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
/// The users, each with the number of the person.
pub(super) const USERS: [(&str, u8); 4] =
    [("telegram:42", 0), ("discord:ana", 0), ("telegram:7", 1), ("discord:42", 2)];
/// The name under which the configuration declares the first person.
pub(super) const NAME: &str = "ana";
/// Phrases that several texts share.
pub(super) const SHARED: [&str; 4] =
    ["likes green tea", "lives in Porto", "likes tea in Porto", "flies on Friday"];
/// A word that occurs in no text.
pub(super) const GHOST: &str = "zqzzzk";
/// The prefix of the words that identify items.
pub(super) const PREFIX: &str = "zq";

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A message.
    Message,
    /// A line of long-term memory.
    Line,
    /// A part of the daily note of this many days ago.
    Note(u8),
    /// A statement.
    Statement(Category),
    /// A ledger fact.
    Fact {
        /// Whether its lifetime is that of its conversation.
        session: bool,
    },
    /// A ledger fact that a merge left in conflict. Both sides contain the word.
    Disputed,
    /// A section of a note. Its scope is always the workspace.
    Section,
    /// A file. Its scope is always the workspace.
    File,
    /// A block. Its scope is always the workspace.
    Block,
    /// An anchor with a state.
    Mark,
    /// An event of an unknown type.
    Event,
    /// A branch with a persona. Its name contains the word too.
    Branch,
}

/// The scope that an item is written for.
#[derive(Clone, Copy, Debug)]
pub enum Home {
    /// The chat of a conversation.
    Chat(usize),
    /// A user.
    User(usize),
    /// The workspace.
    Workspace,
}

/// An item to be written.
#[derive(Clone, Debug)]
pub struct Planted {
    pub(super) what: What,
    pub(super) session: usize,
    pub(super) home: Home,
    pub(super) sensitivity: Sensitivity,
    pub(super) shared: usize,
}

/// An asker.
#[derive(Clone, Debug)]
pub struct Asker {
    /// The conversation, by index.
    pub(super) session: Option<usize>,
    /// The user, by index. The two values after the last user are the declared name, and the declared name
    /// with an `@` before it.
    pub(super) user: Option<usize>,
    pub(super) layer: Option<Layer>,
}

/// The items that are written, and the askers.
#[derive(Clone, Debug)]
pub struct World {
    pub(super) all_planted: Vec<Planted>,
    pub(super) askers: Vec<Asker>,
    /// The item after which the earlier point is, modulo their number.
    pub(super) earlier: usize,
}

/// Returns a strategy for random worlds.
pub fn worlds() -> BoxedStrategy<World> {
    let all_planted = proptest::collection::vec(planted(), 4..14);
    let askers = proptest::collection::vec(asker(), 3..6);
    (all_planted, askers, any::<usize>())
        .prop_map(|(all_planted, askers, earlier)| World { all_planted, askers, earlier })
        .boxed()
}

/// Returns worlds that revealed an error of the law or of its oracle.
#[must_use]
pub fn known_worlds() -> Vec<World> {
    let planted = |what, home, sensitivity| Planted { what, session: 0, home, sensitivity, shared: 0 };
    let message = || planted(What::Message, Home::Chat(0), Sensitivity::Normal);
    let owner = |layer| Asker { session: None, user: None, layer };
    // The owner forgets a confidential fact by its subject and adds another fact about the same subject. The
    // new fact is not confidential, so the call that forgets it shows it.
    let added_after_a_confidential_fact = World {
        all_planted: vec![
            planted(What::Fact { session: false }, Home::Workspace, Sensitivity::Confidential),
            message(),
            message(),
            message(),
        ],
        askers: vec![owner(None), owner(None), owner(Some(Layer::Global))],
        earlier: 0,
    };
    // On a channel, anyone may have chosen the declared name with an `@` before it as their id.
    let declared_name_for_an_id = World {
        all_planted: vec![
            planted(What::Fact { session: false }, Home::User(0), Sensitivity::Normal),
            message(),
        ],
        askers: vec![Asker { session: Some(4), user: Some(5), layer: None }],
        earlier: 0,
    };
    vec![added_after_a_confidential_fact, declared_name_for_an_id, conflicts_of_all(), branches_of_all()]
}

/// Returns a world with open conflicts of each kind of scope and each sensitivity.
fn conflicts_of_all() -> World {
    let homes = [Home::Chat(1), Home::User(0), Home::Workspace];
    let all_planted =
        homes.into_iter().flat_map(|home| {
            [Sensitivity::Normal, Sensitivity::Private, Sensitivity::Confidential]
                .map(|sensitivity| Planted { what: What::Disputed, session: 1, home, sensitivity, shared: 0 })
        });
    let asker = |session, user| Asker { session, user, layer: None };
    let of_chats = Asker { session: None, user: None, layer: Some(Layer::Chat) };
    World {
        all_planted: all_planted.collect(),
        askers: vec![asker(Some(1), Some(0)), asker(Some(3), Some(2)), asker(None, None), of_chats],
        earlier: 4,
    }
}

/// Returns a world with a branch and a line of each kind of scope.
fn branches_of_all() -> World {
    let homes = [Home::Chat(3), Home::User(2), Home::Workspace];
    let planted =
        |what, home| Planted { what, session: 1, home, sensitivity: Sensitivity::Normal, shared: 0 };
    let asker = |session, user, layer| Asker { session, user, layer };
    World {
        all_planted: homes
            .into_iter()
            .flat_map(|home| [planted(What::Line, home), planted(What::Branch, home)])
            .collect(),
        askers: vec![
            asker(Some(3), None, Some(Layer::Global)),
            asker(Some(3), Some(2), None),
            asker(Some(1), Some(0), None),
            asker(None, Some(2), None),
        ],
        earlier: 3,
    }
}

fn planted() -> impl Strategy<Value = Planted> {
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
        1 => Just(What::Branch),
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
                Planted { what, session, home: Home::Workspace, sensitivity: Sensitivity::Normal, shared }
            }
            What::Branch => Planted { what, session, home, sensitivity: Sensitivity::Normal, shared },
            _ => Planted { what, session, home, sensitivity, shared },
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

/// Returns the word that only the n-th item contains. It is no part of another one, and its stem is itself.
pub(super) fn word(n: usize) -> String {
    const LETTERS: [char; 14] = ['b', 'c', 'd', 'f', 'g', 'h', 'j', 'm', 'n', 'p', 'r', 't', 'v', 'w'];
    [n / 14 % 14, n % 14, n * 5 % 14]
        .iter()
        .fold(PREFIX.to_owned(), |word, n| word + &LETTERS[*n].to_string())
        + "k"
}

/// Returns the text of the n-th item.
pub(super) fn text_of(n: usize, planted: &Planted) -> String {
    format!("{} {}", word(n), SHARED[planted.shared])
}

/// Returns the n-th conversation.
pub(super) fn session(n: usize) -> Session {
    Session::parse(SESSIONS[n].0).unwrap_or_else(|_| Session::direct())
}

impl Asker {
    /// Returns whether the owner names the user, which is so without a conversation and in those of the
    /// terminal. In all others the channel names the user.
    fn is_named_by_the_owner(&self) -> bool {
        self.session.is_none_or(|n| SESSIONS[n].0.starts_with("cli:"))
    }

    /// Returns the user as the caller writes it. On a channel, anyone may have chosen the declared name as
    /// their id.
    pub(super) fn user_text(&self) -> Option<String> {
        let text = |n: usize| match USERS.get(n) {
            Some(user) => user.0.to_owned(),
            None if n == USERS.len() && !self.is_named_by_the_owner() => NAME.to_owned(),
            None => format!("@{NAME}"),
        };
        self.user.map(text)
    }

    /// Returns the person who asks; `None` if nothing was written for them.
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
