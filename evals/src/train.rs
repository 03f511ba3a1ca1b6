//! Trains the weights of capture and of the gate from the `train` parts, and writes them into the crate.

use std::fs;
use std::path::Path;

use memtape_capture::training::{Example, Settings, train, train_gate};

use crate::capture::Message;
use crate::encoder::Bundled;
use crate::sets::Part;
use crate::{CAPTURE, Failure, NOISE, REQUESTS, capture, noise, requests};

/// The directory of the weights.
const WEIGHTS: &str = "crates/capture/src";
/// The minimum length of a part of a message that is learned from, in bytes.
const SENTENCE_MIN: usize = 6;
/// The settings, chosen by the `dev` parts.
const OF_CAPTURE: Settings = Settings { rounds: 10, step: 0.1, l1: 25.0, l2: 1.0 };
const OF_GATE: Settings = Settings { rounds: 20, step: 0.1, l1: 0.0, l2: 1.0 };
/// The number of ordinary sentences that are joined to a message.
const AT_ONCE: usize = 5;
/// How often each turn is learned from, beside the requests.
const TURNS_REPEATED: usize = 3;

pub(crate) fn run() -> Result<(), Failure> {
    let messages = capture::messages(Path::new(CAPTURE), Part::Train)?;
    // What an agent says is read like the words of a person, and filtered afterwards.
    let mut own: Vec<Message> = Vec::new();
    for messages in messages.values() {
        let mut messages: Vec<&Message> = messages.iter().filter(|message| message.role == "user").collect();
        messages.sort_by_key(|message| number(message));
        own.extend(messages.chunks_exact(2).map(joined));
        // Some people say everything at once.
        let plain: Vec<&Message> = messages.iter().copied().filter(|one| one.id.contains("-plain")).collect();
        own.extend(plain.chunks_exact(AT_ONCE).map(joined));
        own.extend(messages.iter().filter_map(|message| part_of(message)));
        own.extend(messages.into_iter().cloned());
    }
    let examples: Vec<Example<'_>> = own.iter().map(Message::example).collect();
    write("weights.bin", &train(&examples, &Bundled, OF_CAPTURE))?;
    let turns = noise::turns(Path::new(NOISE), Part::Train)?;
    let requests = requests::read(Path::new(REQUESTS), Part::Train)?;
    // Turns come as they do in life and requests in pairs that are hard to tell apart. With fewer turns than requests,
    // the gate would learn too much from the pairs.
    let turns = std::iter::repeat_n(&turns, TURNS_REPEATED).flatten();
    let turns: Vec<(&str, bool)> = (turns.map(|turn| (&*turn.text, !turn.needs.is_empty())))
        .chain(requests.iter().map(|request| (&*request.text, request.needs)))
        .collect();
    write("gate.bin", &train_gate(&turns, &Bundled, OF_GATE))?;
    println!("{} messages, {} turns", examples.len(), turns.len());
    Ok(())
}

/// Returns a number that depends only on the id of a message and orders messages as if by chance, so that the same
/// messages give the same weights.
fn number(message: &Message) -> u32 {
    message.id.bytes().fold(7, |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)) >> 4
}

/// Returns several messages as one: what surrounds a statement does not change it.
fn joined(messages: &[&Message]) -> Message {
    let mut whole = messages[0].clone();
    for (before, message) in messages.iter().zip(&messages[1..]) {
        let between = match number(before) % 3 {
            0 => "\n",
            _ if before.text.ends_with(|c: char| c.is_ascii_alphanumeric()) => ". ",
            _ if before.text.is_ascii() => " ",
            _ => "\n",
        };
        whole.text.push_str(between);
        whole.text.push_str(&message.text);
        whole.keep.extend(message.keep.iter().cloned());
    }
    Message { id: format!("{}-joined", whole.id), ..whole }
}

/// Returns a part of some of the messages as a message of its own: a statement alone, what is left without the only
/// statement, or a sentence of a message that has none. From these the weights learn that a statement is one also
/// without what surrounds it, and that its surroundings alone are none.
fn part_of(message: &Message) -> Option<Message> {
    let number = number(message);
    if number % 5 >= 2 {
        return None;
    }
    let pick = (number / 5) as usize;
    let (text, keep) = match &message.keep[..] {
        [] => {
            let ends = ['.', '!', '?', '。', '！', '？', '\n'];
            let sentences: Vec<&str> =
                message.text.split_inclusive(ends).filter(|sentence| sentence.len() > SENTENCE_MIN).collect();
            let several = (sentences.len() > 1).then_some(&sentences)?;
            (several[pick % several.len()].trim().to_owned(), Vec::new())
        }
        [only] if pick.is_multiple_of(3) => {
            let rest = message.text.replacen(&only.clause, "", 1);
            (rest.trim_matches([' ', ',', '.', ';', ':', '!', '\n']).to_owned(), Vec::new())
        }
        keep => {
            let label = &keep[pick % keep.len()];
            (label.clause.clone(), vec![label.clone()])
        }
    };
    let id = format!("{}-part", message.id);
    (text.len() > SENTENCE_MIN).then(|| Message { id, text, keep, ..message.clone() })
}

fn write(name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = Path::new(WEIGHTS).join(name);
    fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}
