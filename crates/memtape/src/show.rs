//! Showing what a ref names, with where it came from.

use memtape_core::{Audience, Memory, Ref};
use memtape_tape::EntryId;

use crate::error::{Error, Result};
use crate::recall::said;
use crate::workspace::{At, Workspace};

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
    /// The entry that retired it; `None` where it stands.
    pub retired_by: Option<EntryId>,
}

impl Workspace {
    /// What a ref names at a point, to an audience: every memory that stands under it (a daily note has a piece for each time
    /// something was noted), or one version.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it names nothing that the audience sees, or what the medium says.
    pub fn show(&self, reference: &Ref, audience: &Audience, at: &At) -> Result<Vec<Shown>> {
        let found: Vec<(Memory, Option<EntryId>)> = self.read(at, |reader, point| {
            let memories = reader.by_ref(reference, audience, point)?;
            memories
                .into_iter()
                .map(|memory| {
                    let retired = reader.retired_by(memory.id, point)?;
                    Ok((memory, retired))
                })
                .collect()
        })?;
        if found.is_empty() {
            return Err(Error::NotFound(match reference.entry {
                Some(_) => format!("{reference} is not there"),
                None => format!("{reference} does not stand there (an earlier point may show it: --at)"),
            }));
        }
        Ok(found.into_iter().map(|(memory, retired_by)| shown(memory, retired_by)).collect())
    }
}

fn shown(memory: Memory, retired_by: Option<EntryId>) -> Shown {
    let (speaker, image) = said(&memory);
    Shown { reference: memory.version(), speaker, image, memory, retired_by }
}
