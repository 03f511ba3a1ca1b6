//! Law 4, *isolation*: nothing outside an audience's scopes is returned by any read, tool or error text.
//!
//! Every memory holds a word that no other text has (`world`). What an asker may see is said here from the design
//! (`sees`), not from what the index does. Then everything that reads is called for that asker (`answers`), and no
//! answer may hold a word that is not for them; whatever is for them must be found (`reading`). Last,
//! tools write for each asker (`writing`).

use memtape::{At, Backend};

use self::answers::Answer;
use self::world::{SESSIONS, word};
use self::written::Written;
use crate::laws::Verdict;

mod answers;
mod reading;
mod sees;
mod world;
mod writing;
mod written;

pub use self::world::{Asker, Home, Thing, What, World, known_worlds, worlds};

/// The law: what each asker is shown, at the head and at an earlier point, and what writing for them leaves alone.
///
/// # Errors
/// How it was broken.
pub fn isolation(world: &World, backend: Backend) -> Verdict {
    let written = Written::new(world, backend)?;
    let earlier = world.earlier % world.things.len();
    let whole = Asker { session: None, user: None, layer: None };
    for asker in world.askers.iter().chain([&whole]) {
        for (at, there) in [(At::head(), world.things.len()), (At::entry(written.ends[earlier]), earlier + 1)]
        {
            written.reads(asker, backend, &at, there)?;
        }
    }
    for (n, _) in SESSIONS.iter().enumerate() {
        written.conversation(n)?;
    }
    for asker in world.askers.iter().chain([&whole]) {
        written.writes(asker)?;
    }
    Ok(())
}

impl Written<'_> {
    /// Fails if an answer holds a word that the asker may not see and that they have not used themselves.
    fn check(
        &self,
        asker: &Asker,
        answer: &Answer,
        there: usize,
        is_their_own: impl Fn(usize) -> bool,
    ) -> Verdict {
        for (n, thing) in self.world.things.iter().enumerate() {
            let allowed = n < there && answer.may_hold(asker, thing);
            if !allowed && !is_their_own(n) && answer.text.contains(&word(n)) {
                let Answer { call, text, .. } = answer;
                return Err(format!("{call} shows {asker:?} {thing:?}, {}:\n{text}", word(n)));
            }
        }
        Ok(())
    }
}
