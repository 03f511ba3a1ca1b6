//! Shows the memories that a reference names, with their status.

use jiff::Timestamp;
use memtape_core::{Audience, Form, Memory, Ref};
use memtape_tape::EntryId;

use crate::error::{Error, Result};
use crate::recall::said;
use crate::workspace::{At, Workspace, conversation_of};
use memtape_core::Hint;

/// A memory with its status.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The reference of this version.
    pub reference: Ref,
    /// The memory.
    pub memory: Memory,
    /// The speaker of a message; `None` for other memories.
    pub speaker: Option<String>,
    /// The description of an attached picture, if there is one.
    pub image: Option<String>,
    /// The entry that removed or superseded it; `None` if it is current.
    pub retired_by: Option<EntryId>,
    /// Whether it has expired.
    pub has_ended: bool,
}

impl Workspace {
    /// Returns the memories that a reference names at a point.
    ///
    /// Without a version these are all current memories under the key (a daily note has one for each time a
    /// text was added); with a version it is that version, current or not.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it names nothing that the audience sees; [`Error::Store`] if `at` does not
    /// exist or the index cannot be read.
    pub fn show(&self, reference: &Ref, audience: &Audience, at: &At) -> Result<Vec<Shown>> {
        let found: Vec<Shown> = self.read(at, audience, &conversation_of(audience), |reader, point| {
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
                Some(_) => Error::NotFound(format!("there is no {reference}")),
                None => names_whole_note(reference)
                    .unwrap_or_else(|| reference.not_current().with_hint(Hint::EarlierPoint).into()),
            });
        }
        Ok(found)
    }
}

/// Returns the error for a reference to a note instead of one of its bullets.
pub(crate) fn names_whole_note(reference: &Ref) -> Option<Error> {
    let Ref { form: Form::NOTES, key: path, .. } = reference else { return None };
    let names = !path.contains('#');
    names.then(|| {
        Error::NotFound(format!("{reference} names a note, not a memory in it"))
            .with_hint(Hint::ShowNote(path.clone()))
    })
}

fn shown(memory: Memory, retired_by: Option<EntryId>, now: Timestamp) -> Shown {
    let (speaker, image) = said(&memory);
    let has_ended = memory.expires_at.is_some_and(|end| end <= now);
    Shown { reference: memory.version(), speaker, image, memory, retired_by, has_ended }
}
