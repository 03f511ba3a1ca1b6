//! The cost of turns of many users in many chats, without the sync: the median, its ratio to the slowest
//! turns and the peak memory. Also checks that no prompt contains memories of another user or chat.

use std::collections::BTreeMap;

use memtape::{Config, Durability, Inbound, Options, Reply, Scope, Session, Workspace};

use crate::write::words;
use crate::{Failure, Series, at_most, kilobytes_at_most, ratio};

const USERS: u64 = 50;
const CHATS: u64 = 200;
/// Number of turns that fill the caches and load the model before the measurement.
const WARM: u64 = 50;

pub(crate) fn run(turns: u64) -> Result<(), Failure> {
    let dir = tempfile::tempdir_in(".")?;
    // Without the sync, only memtape's own work is measured.
    let config = Config { durability: Durability::Os, ..Config::default() };
    let workspace = Workspace::init(dir.path(), Options { config, ..Options::default() })?;
    let mut series = Series::default();
    let (mut recalled, mut captured, mut leaks) = (0, 0, 0_u32);
    // What is captured about a user follows the user into every chat, whatever marks it has.
    let mut following: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for n in 0..turns {
        let (user, chat) = (n * 7 % USERS, n * 13 % CHATS);
        let session = Session::parse(&format!("telegram:chat{chat}")).map_err(memtape::Error::from)?;
        let inbound = Inbound { user: Some(format!("user{user}")), ..Inbound::new(&text(n, user, chat)) };
        let conversation = workspace.conversation(session);
        let reply = Reply::new(&format!("fine, {}", words(n + 1)));
        let turn = if n < WARM {
            conversation.turn(&inbound, |_| Ok(reply))?
        } else {
            series.time(|| conversation.turn(&inbound, |_| Ok(reply)))?
        };
        recalled += turn.recalled.hits.len();
        captured += turn.captured.len();
        let of_user = following.entry(user).or_default();
        let memory = of_user.iter().fold(turn.memory.clone(), |memory, text| memory.replace(text, ""));
        leaks += u32::from(leaks_of(&memory, user, chat));
        let about_user = turn.captured.iter().filter(|captured| matches!(captured.scope, Scope::User { .. }));
        of_user.extend(about_user.map(|captured| captured.text.clone()));
        workspace.embed_pending()?;
    }
    println!("{turns} turns of {USERS} users in {CHATS} chats: {recalled} recalled, {captured} captured");
    at_most("turns that were given what is another's", f64::from(leaks), 0.0, "");
    series.print("the memory part of a turn, without the sync");
    ratio("its p99 / its p50", series.percentile(99), series.percentile(50), 4.0);
    #[allow(clippy::cast_precision_loss, reason = "megabytes")]
    at_most("resident memory", (kilobytes_at_most()? / 1000) as f64, 130.0, " MB");
    Ok(())
}

/// Returns a message: a preference, a decision, a question or random words. Its marks name its user and chat.
fn text(n: u64, user: u64, chat: u64) -> String {
    match n % 10 {
        0 => format!("I prefer ownuser{user}x{} for {}", n % 40, words(n)),
        1 => format!("we decided to use ownchat{chat}x{} for {}", n % 40, words(n)),
        2 => {
            format!("what did we say of ownchat{chat}x{}, and do I prefer ownuser{user}x{}?", n % 40, n % 40)
        }
        _ => format!("ownchat{chat}: {}", words(n)),
    }
}

/// Returns whether a prompt contains a mark of another user or another chat.
fn leaks_of(memory: &str, user: u64, chat: u64) -> bool {
    let foreign = |mark: &str, own: u64| {
        memory.match_indices(mark).any(|(at, _)| {
            let digits: String = memory[at + mark.len()..].chars().take_while(char::is_ascii_digit).collect();
            digits.parse() != Ok(own)
        })
    };
    foreign("ownuser", user) || foreign("ownchat", chat)
}
