//! Law 4, *isolation*: no read, tool reply or error text contains anything outside the audience's scopes.
//!
//! Every memory contains a word that no other text has (`world`). What an asker may see is defined here from
//! the design (`sees`), independent of the index. For each asker, every read is called (`answers`): no answer
//! may contain a word that the asker may not see, and every memory that they may see must be found
//! (`reading`). A real server is asked in the same way (`faces`), and so are
//! the pages of the inspector (`pages`). Points on branches and at commits that the asker may not know of are asked for
//! by name (`points`). Finally, the owner forgets, and tools write for each asker (`writing`).

use memtape::{At, Backend};

use self::answers::Answer;
use self::world::{SESSIONS, word};
use self::written::Written;
use crate::laws::Verdict;

mod answers;
mod faces;
mod pages;
mod points;
mod reading;
mod sees;
mod world;
mod writing;
mod written;

pub use self::world::{Asker, Home, Planted, What, World, known_worlds, worlds};

/// Checks what each asker sees, at the head and at an earlier point, and that writing for them changes
/// nothing else.
///
/// # Errors
/// A description of the violation.
pub fn isolation(world: &World, backend: Backend) -> Verdict {
    let written = Written::new(world, backend)?;
    let earlier = world.earlier % world.all_planted.len();
    let whole = Asker { session: None, user: None, layer: None };
    for asker in world.askers.iter().chain([&whole]) {
        for (at, there) in
            [(At::head(), world.all_planted.len()), (At::entry(written.ends[earlier]), earlier + 1)]
        {
            written.reads(asker, backend, &at, there)?;
        }
    }
    for (n, _) in SESSIONS.iter().enumerate() {
        written.conversation(n)?;
    }
    // The backend makes no difference to a server, and a model for each one would.
    if backend == Backend::SqliteFts {
        let server = faces::Server::start(&written)?;
        for asker in world.askers.iter().chain([&whole]) {
            written.served(asker, &server)?;
            written.inspected(asker)?;
            written.points(asker, &server)?;
        }
    }
    written.forgotten_by_the_owner()?;
    for asker in world.askers.iter().chain([&whole]) {
        written.writes(asker)?;
        written.refusals_of_the_memory_tool(asker)?;
    }
    Ok(())
}

impl Written<'_> {
    /// Fails if an answer contains a word that the asker may not see and did not use themselves.
    fn check(
        &self,
        asker: &Asker,
        answer: &Answer,
        there: usize,
        is_their_own: impl Fn(usize) -> bool,
    ) -> Verdict {
        for (n, planted) in self.world.all_planted.iter().enumerate() {
            let allowed = n < there && answer.may_hold(asker, planted);
            if !allowed && !is_their_own(n) && answer.text.contains(&word(n)) {
                let Answer { call, text, .. } = answer;
                return Err(format!("{call} shows {asker:?} {planted:?}, {}:\n{text}", word(n)));
            }
        }
        Ok(())
    }
}
