//! Showing what a ref names, with where it came from.

use jiff::Timestamp;
use memtape_core::{Audience, Memory, Ref};
use memtape_tape::EntryId;

use crate::error::{Error, Result};
use crate::recall::said;
use crate::workspace::{At, Workspace, conversation_of};
use memtape_core::Hint;

/// A memory and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What names this version.
    pub reference: Ref,
    /// The memory.
    pub memory: Memory,
    /// Who said it, where somebody did.
    pub speaker: Option<String>,
    /// What a picture sent along shows, where there was one.
    pub image: Option<String>,
    /// The entry that retired it; `None` where none did.
    pub retired_by: Option<EntryId>,
    /// Whether it has had its time.
    pub has_ended: bool,
}

impl Workspace {
    /// What a ref names at a point, to an audience: every memory that stands under it (a daily note has a piece for each time
    /// something was noted), or one version.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it names nothing that the audience sees, or what the medium says.
    pub fn show(&self, reference: &Ref, audience: &Audience, at: &At) -> Result<Vec<Shown>> {
        let found: Vec<Shown> = self.read(at, &conversation_of(audience), |reader, point| {
            let memories = reader.by_ref(reference, audience, point)?;
            memories
                .into_iter()
                .map(|memory| {
                    let retired = reader.retired_by(memory.id, point)?;
                    Ok(shown(memory, retired, point.instant))
                })
                .collect()
        })?;
        if found.is_empty() {
            return Err(match reference.entry {
                Some(_) => Error::NotFound(format!("{reference} is not there")),
                None => {
                    Error::NotFound(format!("{reference} does not stand there")).with_hint(Hint::EarlierPoint)
                }
            });
        }
        Ok(found)
    }
}

fn shown(memory: Memory, retired_by: Option<EntryId>, now: Timestamp) -> Shown {
    let (speaker, image) = said(&memory);
    let has_ended = memory.expires_at.is_some_and(|end| end <= now);
    Shown { reference: memory.version(), speaker, image, memory, retired_by, has_ended }
}
