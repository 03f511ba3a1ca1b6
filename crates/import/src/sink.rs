//! Where a source puts what it reads.

use crate::error::Result;
use crate::item::{Item, Place};

/// Where a source puts what it reads.
pub trait Sink {
    /// Takes an item.
    ///
    /// # Errors
    /// [`Error::Memtape`](crate::Error::Memtape) if it cannot be written.
    fn item(&mut self, item: Item) -> Result<()>;

    /// Reports several things that are left out for one reason.
    fn skip_several(&mut self, place: Place, number: u64, why: &str);

    /// Reports something that is left out, and why.
    fn skip(&mut self, place: Place, why: &str) {
        self.skip_several(place, 1, why);
    }

    /// Takes a branch of the other program, with the description of its persona. It is created if it does not exist, and
    /// begins with all that was taken before. If it cannot be, that is reported.
    ///
    /// # Errors
    /// As [`Sink::item`].
    fn branch(&mut self, _place: Place, _name: &str, _persona: Option<&str>) -> Result<()> {
        Ok(())
    }

    /// Returns whether an item, or a version of a document, was imported before.
    fn is_known(&self, _id: &str) -> bool {
        false
    }

    /// Reports something that cannot be read, and why. If nothing else is read, the import fails for this reason.
    fn unreadable(&mut self, place: Place, why: &str) {
        self.skip(place, why);
    }
}
